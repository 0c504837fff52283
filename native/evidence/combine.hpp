// Combines the evidence of several sources, for pages, URL-only answers, link scores and the second pass.
//
// A source gives log-likelihoods over labels in nats, without a prior. Each has a weight and a cap, and all sources about the site
// rather than the page share one cap. Beside a text the sum counts less, the more and the clearer the text is. docs/evidence.md has the
// formula, and tests/twins/evidence/combine.py is the readable twin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace webtongue {

struct LabelNats {
    int32_t label;
    double nats;
};

// The evidence of one source.
struct SourceHint {
    std::vector<LabelNats> nats;
    double max_nats = 0;  // the largest value or 0, including languages that the model does not have
    double weight = 1, cap = 0;
    bool is_site = false;
};

// Nats per label of a model, and the list of labels that were added to.
class LabelSums {
public:
    explicit LabelSums(size_t label_count) : nats_(label_count, 0.0), mentioned_(label_count, 0) {}

    void add(int32_t label, double nats);
    double get(int32_t label) const { return nats_[static_cast<size_t>(label)]; }
    const std::vector<int32_t>& labels() const { return labels_; }
    double max() const;
    size_t size() const { return nats_.size(); }

private:
    std::vector<double> nats_;
    std::vector<char> mentioned_;
    std::vector<int32_t> labels_;
};

// The factor, at most 1, that keeps all site sources together within `site_cap`.
double site_scale(const std::vector<SourceHint>& hints, double site_cap, size_t label_count);

// The nats of a hint for a label after its weight and its cap; `site` is the result of site_scale().
double apply_weight(const SourceHint& hint, double nats, double site);

// Adds all hints to `sums`.
void add_hints(const std::vector<SourceHint>& hints, double site_cap, LabelSums& sums);

// How much the sum of all hints counts beside a text: 1 beside no text, less with every letter and every nat of clarity.
struct HintScaling {
    double list_share;  // factor of the letters of text without running words
    double letters;  // number of letters at which hints count half, for a text that is not clear
    double clear_letters;  // the same for a text whose best label has log-odds of one nat; a quarter of it at two nats
    double group_letters;  // the same between look-alikes

    double outside_group(double amount, double clarity) const;
    double inside_group(double amount) const;
};

// Log-probabilities of `labels`, which share all of the probability: log priors plus sums, normalised.
std::vector<double> posterior(const LabelSums& sums, const double* log_priors, const std::vector<int32_t>& labels);

}  // namespace webtongue
