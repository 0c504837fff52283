// The evidence combiner for Python: hints by name in, nats by label out.
#pragma once

#include <cmath>

#include "bind/models.hpp"
#include "evidence/combine.hpp"

namespace webtongue {

using Logs = View<double>;
using LabelNumbers = nb::typed<nb::dict, nb::str, nb::typed<nb::tuple, int, nb::ellipsis>>;
using NatsByName = nb::typed<nb::dict, nb::str, double>;
using NatsByNumber = nb::typed<nb::dict, int, double>;

// Combines evidence over the labels of one model. `labels` maps the name of a language or label to label numbers.
class Combiner {
public:
    Combiner(LabelNumbers labels, size_t label_count, double site_cap, HintScaling scaling)
        : labels_(std::move(labels)), label_count_(label_count), site_cap_(site_cap), scaling_(scaling) {}

    const HintScaling& scaling() const { return scaling_; }

    // The hint of a source from nats by name, with its weight and cap.
    SourceHint hint(const NatsByName& nats, double weight, double cap, bool is_site) const {
        SourceHint out{{}, 0, weight, cap, is_site};
        for (const auto& [key, value] : nats) add_nats(key, nb::cast<double>(value), out);
        return out;
    }

    void add_nats(nb::handle name, double nats, SourceHint& hint) const {
        hint.max_nats = std::max(hint.max_nats, nats);
        each_label(name, [&](int32_t label) { hint.nats.push_back({label, nats}); });
    }

    LabelSums label_sums(const std::vector<SourceHint>& hints) const {
        LabelSums sums(label_count_);
        add_hints(hints, site_cap_, sums);
        return sums;
    }

    // Returns nats by label number, as they are without text.
    NatsByNumber sum(const std::vector<SourceHint>& hints) const {
        const LabelSums sums = label_sums(hints);
        nb::dict out;
        for (const int32_t label : sums.labels()) out[nb::int_(label)] = sums.get(label);
        return out;
    }

    // Returns what each hint adds to each of `labels`, one list per hint; 0 for a label it does not mention and for -1.
    std::vector<std::vector<double>> parts(const std::vector<SourceHint>& hints, const std::vector<int32_t>& labels) const {
        const double site = site_scale(hints, site_cap_, label_count_);
        std::vector<std::vector<double>> out(hints.size(), std::vector<double>(labels.size(), 0.0));
        for (size_t i = 0; i < hints.size(); ++i)
            for (const LabelNats& value : hints[i].nats)
                for (size_t k = 0; k < labels.size(); ++k)
                    if (labels[k] == value.label) out[i][k] += apply_weight(hints[i], value.nats, site);
        return out;
    }

    // Returns the log-probabilities of `labels` from hints, `base` (nats by name) and priors.
    std::vector<double> posterior(const std::vector<SourceHint>& hints, const NatsByName& base, const Logs& log_priors,
                                  const std::vector<int32_t>& labels) const {
        for (const int32_t label : labels) check(label);
        return webtongue::posterior(sum_all(hints, base, log_priors), log_priors.data(), labels);
    }

    // Returns the numbers of the labels that a name stands for.
    std::vector<int32_t> labels_of(const nb::str& key) const {
        std::vector<int32_t> out;
        each_label(key, [&](int32_t label) { out.push_back(label); });
        return out;
    }

    size_t label_count() const { return label_count_; }

    size_t check(int32_t label) const {
        if (label < 0 || static_cast<size_t>(label) >= label_count_) throw nb::value_error("no such label");
        return static_cast<size_t>(label);
    }

private:
    LabelSums sum_all(const std::vector<SourceHint>& hints, const NatsByName& base, const Logs& log_priors) const {
        if (log_priors.shape(0) != label_count_) throw nb::value_error("log_priors: one for each label is needed");
        LabelSums sums = label_sums(hints);
        for (const auto& [key, value] : base) {
            const double nats = nb::cast<double>(value);
            each_label(key, [&](int32_t label) { sums.add(label, nats); });
        }
        return sums;
    }

    template <class Callback>
    void each_label(nb::handle key, Callback callback) const {
        PyObject* labels = PyDict_GetItemWithError(labels_.ptr(), key.ptr());
        if (!labels) {
            PyErr_Clear();
            return;
        }
        for (nb::handle label : nb::borrow<nb::tuple>(labels)) callback(static_cast<int32_t>(check(nb::cast<int32_t>(label))));
    }

    nb::dict labels_;
    size_t label_count_;
    double site_cap_;
    HintScaling scaling_;
};

}  // namespace webtongue
