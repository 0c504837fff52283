#include "evidence/combine.hpp"

#include <algorithm>
#include <cmath>

namespace webtongue {
namespace {

// Limit of negative evidence. Languages that the source does not mention gain from it, although nothing supports them.
constexpr double kMaxNatsAgainst = 1;

}  // namespace

void LabelSums::add(int32_t label, double nats) {
    const auto at = static_cast<size_t>(label);
    nats_[at] += nats;
    if (mentioned_[at]) return;
    mentioned_[at] = 1;
    labels_.push_back(label);
}

double LabelSums::max() const {
    double out = 0;
    for (const int32_t label : labels_) out = std::max(out, get(label));
    return out;
}

double apply_weight(const SourceHint& hint, double nats, double site) {
    const double site_part = hint.is_site ? site : 1.0;
    const double weight = hint.weight * site_part, cap = hint.cap * site_part;
    // If a source exceeds its cap, all its positive values are lowered by the same amount, which keeps their differences.
    const double excess = std::max(0.0, hint.max_nats * weight - cap);
    const double value = nats * weight;
    return value > 0 ? std::max(0.0, value - excess) : std::max(value, -std::min(cap, kMaxNatsAgainst * site_part));
}

double site_scale(const std::vector<SourceHint>& hints, double site_cap, size_t label_count) {
    if (std::count_if(hints.begin(), hints.end(), [](const SourceHint& hint) { return hint.is_site; }) < 2) return 1;
    LabelSums sums(label_count);
    for (const SourceHint& hint : hints) {
        if (!hint.is_site) continue;
        for (const LabelNats& value : hint.nats) sums.add(value.label, apply_weight(hint, value.nats, 1));
    }
    const double max_nats = sums.max();
    return max_nats > site_cap ? site_cap / max_nats : 1;
}

void add_hints(const std::vector<SourceHint>& hints, double site_cap, LabelSums& sums) {
    const double site = site_scale(hints, site_cap, sums.size());
    for (const SourceHint& hint : hints)
        for (const LabelNats& value : hint.nats) sums.add(value.label, apply_weight(hint, value.nats, site));
}

double HintScaling::outside_group(double amount, double clarity) const {
    return 1 / (1 + amount / letters * (amount / letters) + amount / clear_letters * clarity * clarity);
}

double HintScaling::inside_group(double amount) const { return 1 / (1 + amount / group_letters * (amount / group_letters)); }

std::vector<double> posterior(const LabelSums& sums, const double* log_priors, const std::vector<int32_t>& labels) {
    std::vector<double> out;
    double highest = -HUGE_VAL, mass = 0;
    for (const int32_t label : labels) {
        out.push_back(log_priors[label] + sums.get(label));
        highest = std::max(highest, out.back());
    }
    for (const double log : out) mass += std::exp(log - highest);
    const double log_total = highest + std::log(mass);
    for (double& log : out) log -= log_total;
    return out;
}

}  // namespace webtongue
