#include "text/priors.hpp"

#include <algorithm>
#include <cmath>

#include "text/features.hpp"
#include "text/simd.hpp"

namespace webtongue {
namespace {

constexpr int64_t kFitFeatures = 1000;  // number of features at which the fit of a text is doubled
constexpr int32_t kMaxScoreGap = 16000;  // in weight units; a label further behind the best is impossible
constexpr size_t kMinClusters = 3;  // clusters that are always scored
constexpr int32_t kMaxClusterGap = 6 * LOG_SCALE;  // clusters whose upper bound is further behind the best are skipped
// The information of a character in half letters: a Han character has about three letters, a Hangul syllable two and a half.
constexpr uint32_t kMinOtherScriptDivisor = 5;  // a script with less than a fifth of the Latin letters is a quotation in Latin text
constexpr uint32_t kLetterWeight = 2, kHanWeight = 6, kHangulWeight = 5;

// Short loops over the 16 labels of a cluster, which the compiler vectorises.
inline int32_t highest_in(const int32_t* __restrict totals, const int16_t* __restrict barred) {
    int32_t best[4] = {kImpossible, kImpossible, kImpossible, kImpossible};
    for (int i = 0; i < LANES_PER_ROW; i += 4)
        for (int k = 0; k < 4; ++k) best[k] = std::max(best[k], totals[i + k] + barred[i + k] * kBarredPenalty);
    return std::max(std::max(best[0], best[1]), std::max(best[2], best[3]));
}

// Writes unnormalised posteriors in 1/LOG_SCALE nats and returns the highest. `scale` is in 1/256 of 1/LOG_SCALE nats per weight unit,
// `weight` that of the priors in 1/kFullWeight.
inline int32_t add_priors(const int32_t* __restrict totals, const int16_t* __restrict barred, const int32_t* __restrict priors,
                          int32_t weight, int32_t best, int32_t scale, int32_t* __restrict out) {
    int32_t highest[4] = {kImpossible, kImpossible, kImpossible, kImpossible};
    for (int i = 0; i < LANES_PER_ROW; i += 4)
        for (int k = 0; k < 4; ++k) {
            const int32_t gap = best - totals[i + k];
            out[i + k] = ((priors[i + k] * weight) >> kWeightBits) + barred[i + k] * kBarredPenalty -
                         (((gap < kMaxScoreGap ? gap : kMaxScoreGap) * scale) >> 8);
            highest[k] = std::max(highest[k], out[i + k]);
        }
    return std::max(std::max(highest[0], highest[1]), std::max(highest[2], highest[3]));
}

// The scored clusters of one script group and the best score in them.
struct GroupClusters {
    uint8_t index[kMaxScoredClusters];
    size_t count = 0;
    int32_t best = kImpossible;
    size_t best_slot = 0;
};

GroupClusters select_group_clusters(Model::Range range, const uint8_t* clusters, size_t count, const int32_t* totals,
                                    const Priors& priors) {
    GroupClusters out;
    for (size_t k = 0; k < count && out.count < kMaxScoredClusters; ++k) {
        if (clusters[k] < range.first || clusters[k] >= range.last) continue;
        out.index[out.count++] = static_cast<uint8_t>(k);
        const size_t slot = clusters[k] * size_t{LANES_PER_ROW};
        const int32_t cluster_best = highest_in(totals + k * LANES_PER_ROW, &priors.barred[slot]);
        if (cluster_best <= out.best) continue;
        out.best = cluster_best;
        size_t& at = out.best_slot;
        for (at = slot; totals[k * LANES_PER_ROW + at - slot] != cluster_best || priors.barred[at];) ++at;
    }
    return out;
}

// The highest score outside the cluster of a slot.
int32_t highest_outside(const GroupClusters& group_clusters, size_t best_slot, const uint8_t* clusters, const int32_t* totals,
                        const Priors& priors) {
    int32_t out = kImpossible;
    for (size_t k = 0; k < group_clusters.count; ++k) {
        const size_t slot = clusters[group_clusters.index[k]] * size_t{LANES_PER_ROW};
        if (slot / LANES_PER_ROW != best_slot / LANES_PER_ROW)
            out = std::max(out, highest_in(totals + group_clusters.index[k] * LANES_PER_ROW, &priors.barred[slot]));
    }
    return out;
}

// Excludes the labels of other script groups: scripts with a single label share a cluster.
void bar_others(const Model& model, size_t slot, uint8_t group, int32_t* posteriors) {
    for (int i = 0; i < LANES_PER_ROW; ++i) {
        const int32_t label = model.label_at(slot + static_cast<size_t>(i));
        if (label < 0 || model.group_of(static_cast<size_t>(label)) != group) posteriors[i] = kImpossible;
    }
}

// Adds the requested labels to the guesses, however unlikely they are, the likeliest first.
void add_requested_labels(const Model& model, const uint8_t* clusters, const GroupClusters& group_clusters, const int32_t* totals,
                          const int32_t* posteriors, const Priors& priors, const std::vector<uint16_t>& requested,
                          std::vector<Guess>& out) {
    const auto existing = static_cast<ptrdiff_t>(out.size());
    for (const uint16_t label : requested) {
        const size_t slot = model.info(label).slot, lane = slot % LANES_PER_ROW;
        if (priors.has_allowlist() && priors.outside[slot]) continue;
        if (std::any_of(out.begin(), out.end(), [&](const Guess& guess) { return guess.label == label; })) continue;
        for (size_t k = 0; k < group_clusters.count; ++k) {
            const int32_t posterior = posteriors[k * LANES_PER_ROW + lane];
            if (clusters[group_clusters.index[k]] == slot / LANES_PER_ROW && posterior > kImpossible / 2)
                out.push_back({label, totals[group_clusters.index[k] * LANES_PER_ROW + lane], posterior});
        }
    }
    std::stable_sort(out.begin() + existing, out.end(), [](const Guess& a, const Guess& b) { return a.log_prob > b.log_prob; });
}

}  // namespace

Priors::Priors(const Model& model, const int32_t* by_label, const uint8_t* allowed, PriorFade fade)
    : by_slot(MAX_SLOTS, 0),
      barred(MAX_SLOTS, -1),
      outside(allowed ? MAX_SLOTS : 0, 0),
      cluster_max(MAX_CLUSTERS, kImpossible),
      origin(model.label_count() ? *std::max_element(by_label, by_label + model.label_count()) : 0),
      fade(fade) {
    for (auto& ranked : top_slots) std::fill(std::begin(ranked), std::end(ranked), kNoSlot);
    int32_t highest_outside = INT32_MIN;
    for (size_t id = 0; id < model.label_count(); ++id) {
        const uint16_t slot = model.info(id).slot;
        if (allowed) outside[slot] = !allowed[id];
        by_slot[slot] = by_label[id];
        barred[slot] = 0;
        has_labels[model.group_of(id)] = true;
        cluster_max[slot / LANES_PER_ROW] = std::max(cluster_max[slot / LANES_PER_ROW], by_label[id]);
        int32_t& top = allowed && !allowed[id] ? highest_outside : highest;
        top = std::max(top, by_label[id]);
    }
    double sum = 0;
    for (size_t id = 0; id < model.label_count(); ++id) sum += std::exp((by_label[id] - int64_t{highest}) / double{LOG_SCALE});
    if (sum > 0) total = highest + static_cast<int32_t>(std::lround(LOG_SCALE * std::log(sum)));
    if (highest_outside != INT32_MIN && highest != INT32_MIN) outside_offset = std::max(0, highest - highest_outside);
    for (size_t id = 0; id < model.label_count(); ++id) rank_slot(model, id);
}

int32_t Priors::min_weight(uint32_t features) const {
    if (fade.half_features == 0) return kFullWeight;
    return static_cast<int32_t>(uint64_t{kFullWeight} * fade.half_features / (uint64_t{fade.half_features} + features));
}

int32_t Priors::weight(const LabelInfo& best, int32_t score, uint32_t features) const {
    // Long text scores lower per feature, since common n-grams count once.
    const int64_t plain_fit = score_to_low(best, score, features);
    const auto fit = static_cast<int32_t>(std::min<int64_t>(plain_fit + plain_fit * features / kFitFeatures, kMaxFit));
    const int32_t share = std::clamp(fit - fade.min_fit, 0, fade.full_fit - fade.min_fit);  // how much of the fading applies
    return kFullWeight - (kFullWeight - min_weight(features)) * share / (fade.full_fit - fade.min_fit);
}

// Inserts a label into the top labels of its script group.
void Priors::rank_slot(const Model& model, size_t id) {
    const uint16_t slot = model.info(id).slot;
    uint16_t* ranked = top_slots[model.group_of(id)];
    size_t at = kTopSlots;
    for (; at > 0 && (ranked[at - 1] == kNoSlot || chunk_prior(ranked[at - 1]) < chunk_prior(slot)); --at)
        if (at < kTopSlots) ranked[at] = ranked[at - 1];
    if (at < kTopSlots) ranked[at] = slot;
}

Outcome Scorer::count() {
    drain();
    Outcome out;
    out.features = features_;
    out.unseen = unseen_;
    for (uint32_t i = 0; i < group_count_; ++i) {
        const uint8_t group = groups_[i];
        out.letters += letters_[group];
        if (i == 0 || letters_[group] > letters_[out.main_script]) out.main_script = group;
    }
    return out;
}

uint32_t letter_weight(uint8_t group) {
    static const uint8_t hangul = GROUPS.by_script[script_by_name("Hang")];
    return group == GROUPS.cjk ? kHanWeight : group == hangul ? kHangulWeight : kLetterWeight;
}

bool Scorer::has_latin_beside_other_script() const {
    const uint32_t latin = letters_[GROUPS.latin] * kLetterWeight;
    if (group_count_ < 2 || latin == 0) return false;
    return std::any_of(groups_, groups_ + group_count_, [&](uint8_t group) {
        return group != GROUPS.latin && letters_[group] * letter_weight(group) * kMinOtherScriptDivisor >= latin;
    });
}

uint8_t Scorer::heaviest_group(const Priors& priors) const {
    uint32_t heaviest = 0;
    uint8_t best = SCRIPT_COMMON;
    for (uint32_t i = 0; i < group_count_; ++i) {
        const uint8_t group = groups_[i];
        const uint32_t counted = letters_[group] - (group == GROUPS.latin ? std::min(latin_names_, letters_[group]) : 0);
        const uint32_t weight = counted * letter_weight(group);
        if (!priors.has_labels[group] || weight < heaviest || (weight == heaviest && group >= best)) continue;
        heaviest = weight;
        best = group;
    }
    return best;
}

ClusterChoice Scorer::choose(uint8_t group, const Priors& priors, size_t max_guesses) const {
    const Model::Range range = model_.range_of(group);
    const size_t count = range.last - range.first;
    int32_t upper_bounds[MAX_CLUSTERS];
    this->upper_bounds(range.first, count, priors, upper_bounds);
    const int32_t best = count ? *std::max_element(upper_bounds, upper_bounds + count) : 0, scale = model_.scale_after(features_, 1) >> 8;
    const int32_t weight = priors.min_weight(features_);
    int32_t top = kImpossible;
    for (size_t i = 0; i < count; ++i) {
        const int32_t cluster_prior = priors.cluster_max[range.first + i];
        upper_bounds[i] = (cluster_prior == kImpossible ? kImpossible : priors.faded(cluster_prior, weight)) -
                          ((std::min(best - upper_bounds[i], kMaxScoreGap) * scale) >> 8);
        top = std::max(top, upper_bounds[i]);
    }
    ClusterChoice out;
    for (size_t i = 0; i < count; ++i) {
        if (upper_bounds[i] < top - kMaxClusterGap && out.count >= kMinClusters && upper_bounds[i] <= out.upper_bound[kMinClusters - 1])
            continue;
        if (priors.cluster_max[range.first + i] == kImpossible) continue;
        if (out.count == max_guesses && upper_bounds[i] <= out.upper_bound[max_guesses - 1]) continue;
        size_t at = out.count < max_guesses ? out.count++ : max_guesses - 1;
        for (; at > 0 && out.upper_bound[at - 1] < upper_bounds[i]; --at) {
            out.upper_bound[at] = out.upper_bound[at - 1];
            out.cluster[at] = out.cluster[at - 1];
        }
        out.upper_bound[at] = upper_bounds[i];
        out.cluster[at] = static_cast<uint8_t>(range.first + i);
    }
    while (out.count > kMinClusters && out.upper_bound[out.count - 1] < out.upper_bound[0] - kMaxClusterGap) --out.count;
    return out;
}

Outcome Scorer::rank(size_t max_guesses, const Priors& priors) {
    drain();
    return rank_in(heaviest_group(priors), max_guesses, priors);
}

Outcome Scorer::rank_in(uint8_t group, size_t max_guesses, const Priors& priors) {
    Outcome out = count();
    out.group = group;
    if (out.group == SCRIPT_COMMON) return out;
    out.group_letters = letters_[out.group];
    const ClusterChoice chosen = choose(out.group, priors, kMaxTextClusters);
    alignas(64) int32_t totals[kMaxTextClusters * LANES_PER_ROW];
    score_clusters(chosen.cluster, chosen.count, totals);
    out.guesses =
        rank_scores(model_, chosen.cluster, chosen.count, totals, out.group, features_, priors, max_guesses, kMaxPosteriorGap, &out.facts);
    return out;
}

std::vector<Guess> rank_scores(const Model& model, const uint8_t* clusters, size_t cluster_count, const int32_t* totals, uint8_t group,
                               uint32_t features, const Priors& priors, size_t max_guesses, int32_t max_gap, RankingFacts* facts,
                               const std::vector<uint16_t>& requested) {
    const GroupClusters group_clusters = select_group_clusters(model.range_of(group), clusters, cluster_count, totals, priors);
    if (group_clusters.best == kImpossible) return {};
    const LabelInfo& best_info = model.info(static_cast<size_t>(model.label_at(group_clusters.best_slot)));
    const int32_t scale = model.scale_after(features, best_info.tier), weight = priors.weight(best_info, group_clusters.best, features);
    alignas(64) int32_t posteriors[kMaxScoredClusters * LANES_PER_ROW];
    int32_t cluster_highest[kMaxScoredClusters];
    int32_t top = kImpossible;
    for (size_t k = 0; k < group_clusters.count; ++k) {
        const size_t slot = clusters[group_clusters.index[k]] * size_t{LANES_PER_ROW};
        int32_t* into = posteriors + k * LANES_PER_ROW;
        cluster_highest[k] = add_priors(totals + group_clusters.index[k] * LANES_PER_ROW, &priors.barred[slot], &priors.by_slot[slot],
                                        weight, group_clusters.best, scale >> 8, into);
        if (model.is_mixed(clusters[group_clusters.index[k]])) {
            bar_others(model, slot, group, into);
            cluster_highest[k] = *std::max_element(into, into + LANES_PER_ROW);
        }
        top = std::max(top, cluster_highest[k]);
    }
    std::vector<Guess> out;
    out.reserve(max_guesses + 1);
    uint64_t total_mass = 0, outside = 0;
    Guess outsider{0, 0, kImpossible};  // the best label that is not allowed
    for (size_t k = 0; k < group_clusters.count; ++k) {
        if (cluster_highest[k] < top - max_gap || cluster_highest[k] <= kImpossible / 2) continue;
        for (size_t i = 0; i < LANES_PER_ROW; ++i) {
            const int32_t posterior = posteriors[k * LANES_PER_ROW + i];
            if (posterior < top - max_gap) continue;
            total_mass += model.exp_of(top - posterior);
            const size_t slot = clusters[group_clusters.index[k]] * size_t{LANES_PER_ROW} + i;
            const Guess guess{static_cast<uint16_t>(model.label_at(slot)), totals[group_clusters.index[k] * LANES_PER_ROW + i], posterior};
            if (priors.has_allowlist() && priors.outside[slot]) {
                outside += model.exp_of(top - posterior);
                if (is_likelier(guess, outsider)) outsider = guess;
                continue;
            }
            if (out.size() == max_guesses && !is_likelier(guess, out.back())) continue;
            out.insert(std::upper_bound(out.begin(), out.end(), guess, is_likelier), guess);
            if (out.size() > max_guesses) out.pop_back();
        }
    }
    if (outside > total_mass - outside) out.insert(out.begin(), outsider);
    else if (outside > 0) out.insert(std::upper_bound(out.begin() + 1, out.end(), outsider, is_likelier), outsider);
    if (out.empty()) return out;  // every label of a mixed cluster was excluded
    add_requested_labels(model, clusters, group_clusters, totals, posteriors, priors, requested, out);
    if (facts) *facts = {highest_outside(group_clusters, model.info(out.front().label).slot, clusters, totals, priors), weight};
    const int32_t norm = top + model.log_of(total_mass);
    for (Guess& guess : out) guess.log_prob -= norm;
    return out;
}

}  // namespace webtongue
