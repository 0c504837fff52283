// The Python face of hints: sums of what sources say, over the labels of a model.
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bind/loaded.hpp"

namespace webtongue {
namespace {

// By how much a source is too loud: what it says most, beyond `most`.
double excess_of(const nb::dict& said, double weight, double most) {
    double loudest = 0;
    for (const auto& [key, value] : said) loudest = std::max(loudest, nb::cast<double>(value) * weight);
    return std::max(0.0, loudest - most);
}

// What is left of it: all it speaks for is lowered alike, so that what it says of two of them beside each other stays.
double lowered(double nats, double excess, double most) { return nats > 0 ? std::max(0.0, nats - excess) : std::max(nats, -most); }

// Nats by label, of dicts of nats by label or language; `numbers` has the labels of each key. A source counts with its weight, and says
// no more than its `most`.
nb::dict sum_hints(const nb::dict& numbers, const std::vector<nb::dict>& said, const std::vector<double>& weights,
                   const std::vector<double>& most) {
    if (said.size() != weights.size() || said.size() != most.size()) throw nb::value_error("weights, most: one for each source is needed");
    nb::dict out;
    for (size_t i = 0; i < said.size(); ++i) {
        const double excess = excess_of(said[i], weights[i], most[i]);
        for (const auto& [key, value] : said[i]) {
            PyObject* labels = PyDict_GetItemWithError(numbers.ptr(), key.ptr());
            if (!labels) {
                PyErr_Clear();
                continue;
            }
            const double nats = lowered(nb::cast<double>(value) * weights[i], excess, most[i]);
            for (nb::handle label : nb::borrow<nb::tuple>(labels)) {
                PyObject* before = PyDict_GetItemWithError(out.ptr(), label.ptr());
                out[label] = nats + (before ? PyFloat_AsDouble(before) : 0.0);
            }
        }
    }
    return out;
}

}  // namespace
}  // namespace webtongue

using namespace webtongue;

void bind_hints(nb::module_& m) {
    m.def("sum_hints", &sum_hints, nb::arg("numbers"), nb::arg("said"), nb::arg("weights"), nb::arg("most"));
}
