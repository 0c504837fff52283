// The Python face of hints: sums of what sources say, over the labels of a model.
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <utility>

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

// Nats by label in a table that is as long as the model's, and the labels that were spoken of, each once.
struct Sums {
    std::vector<double> nats;
    std::vector<char> seen;
    std::vector<int> heard;

    explicit Sums(size_t labels) : nats(labels, 0.0), seen(labels, 0) {}

    void add(int label, double value) {
        nats.at(size_t(label)) += value;
        if (!std::exchange(seen[size_t(label)], 1)) heard.push_back(label);
    }
    void clear() {
        for (int label : heard) nats[size_t(label)] = 0.0;
    }
    double loudest() const {
        double most = 0.0;
        for (int label : heard) most = std::max(most, nats[size_t(label)]);
        return most;
    }
};

// `sum_hints` into such a table, all sources made quieter by `part`.
void sum_sites(const nb::dict& numbers, const std::vector<nb::dict>& said, const std::vector<double>& weights,
               const std::vector<double>& most, double part, Sums& out) {
    out.clear();
    for (size_t i = 0; i < said.size(); ++i) {
        const double weight = weights[i] * part;
        const double excess = excess_of(said[i], weight, most[i] * part);
        for (const auto& [key, value] : said[i]) {
            PyObject* labels = PyDict_GetItemWithError(numbers.ptr(), key.ptr());
            if (!labels) {
                PyErr_Clear();
                continue;
            }
            const double nats = lowered(nb::cast<double>(value) * weight, excess, most[i] * part);
            for (nb::handle label : nb::borrow<nb::tuple>(labels)) out.add(nb::cast<int>(label), nats);
        }
    }
}

// The chance of each group of labels, among those that are spoken of: what an address says (`alone`, by language), what else is said of
// its site, no more than `site` of it, what the words of a link say (by label), and priors.
std::vector<double> chances(const nb::dict& numbers, const nb::dict& alone, const std::vector<nb::dict>& said,
                            const std::vector<double>& weights, const std::vector<double>& most, double site, const nb::dict& words,
                            nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> priors,
                            const std::vector<std::vector<int>>& wanted) {
    if (said.size() != weights.size() || said.size() != most.size()) throw nb::value_error("weights, most: one for each source is needed");
    Sums sums(priors.size());
    sum_sites(numbers, said, weights, most, 1.0, sums);
    const double loudest = said.size() > 1 ? sums.loudest() : 0.0;
    if (loudest > site) sum_sites(numbers, said, weights, most, site / loudest, sums);
    for (const auto& [key, value] : alone) {
        PyObject* labels = PyDict_GetItemWithError(numbers.ptr(), key.ptr());
        if (!labels) {
            PyErr_Clear();
            continue;
        }
        for (nb::handle label : nb::borrow<nb::tuple>(labels)) sums.add(nb::cast<int>(label), nb::cast<double>(value));
    }
    for (const auto& [label, value] : words) sums.add(nb::cast<int>(label), nb::cast<double>(value));
    double whole = 0.0;
    for (int label : sums.heard) whole += priors.data()[label] * std::exp(sums.nats[size_t(label)]);
    std::vector<double> out;
    for (const auto& group : wanted) {
        double mass = 0.0;
        for (int label : group) {
            if (sums.seen.at(size_t(label))) mass += priors.data()[label] * std::exp(sums.nats[size_t(label)]);
        }
        out.push_back(whole > 0 ? std::min(1.0, mass / whole) : 0.0);
    }
    return out;
}

}  // namespace
}  // namespace webtongue

using namespace webtongue;

void bind_hints(nb::module_& m) {
    m.def("sum_hints", &sum_hints, nb::arg("numbers"), nb::arg("said"), nb::arg("weights"), nb::arg("most"));
    m.def("chances", &chances, nb::arg("numbers"), nb::arg("alone"), nb::arg("said"), nb::arg("weights"), nb::arg("most"), nb::arg("site"),
          nb::arg("words"), nb::arg("priors"), nb::arg("wanted"));
}
