// The Python face of hints: sums of what sources say, over the labels of a model.
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bind/loaded.hpp"

namespace webtongue {
namespace {

// Nats by label, of dicts of nats by label or language; `numbers` has the labels of each key. A source counts with its weight, and says
// no more than `most` for a key.
nb::dict sum_hints(const nb::dict& numbers, const std::vector<nb::dict>& said, const std::vector<double>& weights, double most) {
    if (said.size() != weights.size()) throw nb::value_error("weights: one for each source is needed");
    nb::dict out;
    for (size_t i = 0; i < said.size(); ++i)
        for (const auto& [key, value] : said[i]) {
            PyObject* labels = PyDict_GetItemWithError(numbers.ptr(), key.ptr());
            if (!labels) {
                PyErr_Clear();
                continue;
            }
            const double nats = std::clamp(nb::cast<double>(value) * weights[i], -most, most);
            for (nb::handle label : nb::borrow<nb::tuple>(labels)) {
                PyObject* before = PyDict_GetItemWithError(out.ptr(), label.ptr());
                out[label] = nats + (before ? PyFloat_AsDouble(before) : 0.0);
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
