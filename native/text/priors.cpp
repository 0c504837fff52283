#include "text/priors.hpp"

#include <algorithm>
#include <cmath>

#include "text/features.hpp"
#include "text/simd.hpp"

namespace webtongue {
namespace {

constexpr int32_t kFarthest = 16000;      // weight units behind the best at which a label is as good as impossible
constexpr size_t kFewClusters = 3;         // that are always scored in
constexpr int32_t kOutOfReach = 6 * NATS;    // behind the best, of what a cluster may have at most
// What a character carries, in half letters: a Han character about three letters, a Hangul syllable two and a half.
constexpr uint32_t kLetter = 2, kHan = 6, kHangul = 5;

// Short loops over the 16 labels of a cluster: the compiler makes vectors of them.
inline int32_t highest_in(const int32_t* __restrict totals, const int16_t* __restrict barred) {
    int32_t best[4] = {kImpossible, kImpossible, kImpossible, kImpossible};
    for (int i = 0; i < LANES_PER_ROW; i += 4)
        for (int k = 0; k < 4; ++k) best[k] = std::max(best[k], totals[i + k] + barred[i + k] * BAR);
    return std::max(std::max(best[0], best[1]), std::max(best[2], best[3]));
}

// Posteriors without their norm, 1/1024 nats, and the highest of them; `scale` is in 1/256 of 1/1024 nats a unit.
inline int32_t weigh(const int32_t* __restrict totals, const int16_t* __restrict barred, const int32_t* __restrict priors, int32_t best,
                     int32_t scale, int32_t* __restrict out) {
    int32_t highest[4] = {kImpossible, kImpossible, kImpossible, kImpossible};
    for (int i = 0; i < LANES_PER_ROW; i += 4)
        for (int k = 0; k < 4; ++k) {
            const int32_t far = best - totals[i + k];
            out[i + k] = priors[i + k] + barred[i + k] * BAR - (((far < kFarthest ? far : kFarthest) * scale) >> 8);
            highest[k] = std::max(highest[k], out[i + k]);
        }
    return std::max(std::max(highest[0], highest[1]), std::max(highest[2], highest[3]));
}

// Which of the scored clusters are a script group's, and the best score in them.
struct OwnClusters {
    uint8_t place[kMostScored];
    size_t count = 0;
    int32_t best = kImpossible;
    size_t best_slot = 0;
};

OwnClusters own_clusters(Model::Range range, const uint8_t* clusters, size_t count, const int32_t* totals, const Priors& priors) {
    OwnClusters out;
    for (size_t k = 0; k < count && out.count < kMostScored; ++k) {
        if (clusters[k] < range.first || clusters[k] >= range.last) continue;
        out.place[out.count++] = static_cast<uint8_t>(k);
        const size_t slot = clusters[k] * size_t{LANES_PER_ROW};
        const int32_t here = highest_in(totals + k * LANES_PER_ROW, &priors.barred[slot]);
        if (here <= out.best) continue;
        out.best = here;
        size_t& at = out.best_slot;
        for (at = slot; totals[k * LANES_PER_ROW + at - slot] != here || priors.barred[at];) ++at;
    }
    return out;
}

// The highest score outside of the cluster that a slot lies in.
int32_t highest_outside(const OwnClusters& own, size_t best_slot, const uint8_t* clusters, const int32_t* totals, const Priors& priors) {
    int32_t out = kImpossible;
    for (size_t k = 0; k < own.count; ++k) {
        const size_t slot = clusters[own.place[k]] * size_t{LANES_PER_ROW};
        if (slot / LANES_PER_ROW != best_slot / LANES_PER_ROW)
            out = std::max(out, highest_in(totals + own.place[k] * LANES_PER_ROW, &priors.barred[slot]));
    }
    return out;
}

// Scripts with one label share a cluster.
void bar_others(const Model& model, size_t slot, uint8_t group, int32_t* posteriors) {
    for (int i = 0; i < LANES_PER_ROW; ++i) {
        const int32_t label = model.label_at(slot + static_cast<size_t>(i));
        if (label < 0 || model.group_of(static_cast<size_t>(label)) != group) posteriors[i] = kImpossible;
    }
}

// Labels that are asked for stay among the guesses, however far behind they are; the likeliest of them first.
void keep_wanted(const Model& model, const uint8_t* clusters, const OwnClusters& own, const int32_t* totals, const int32_t* posteriors,
                 const Priors& priors, const std::vector<uint16_t>& wanted, std::vector<Guess>& out) {
    const auto others = static_cast<ptrdiff_t>(out.size());
    for (const uint16_t label : wanted) {
        const size_t slot = model.info(label).slot, lane = slot % LANES_PER_ROW;
        if (priors.is_limited() && priors.outside[slot]) continue;
        if (std::any_of(out.begin(), out.end(), [&](const Guess& guess) { return guess.label == label; })) continue;
        for (size_t k = 0; k < own.count; ++k) {
            const int32_t posterior = posteriors[k * LANES_PER_ROW + lane];
            if (clusters[own.place[k]] == slot / LANES_PER_ROW && posterior > kImpossible / 2)
                out.push_back({label, totals[own.place[k] * LANES_PER_ROW + lane], posterior});
        }
    }
    std::stable_sort(out.begin() + others, out.end(), [](const Guess& a, const Guess& b) { return a.log_prob > b.log_prob; });
}

}  // namespace

Priors::Priors(const Model& model, const int32_t* by_label, const uint8_t* asked)
    : by_slot(MAX_SLOTS, 0), barred(MAX_SLOTS, -1), outside(asked ? MAX_SLOTS : 0, 0), of_cluster(MAX_CLUSTERS, kImpossible) {
    for (auto& ranked : likeliest) std::fill(std::begin(ranked), std::end(ranked), kNoSlot);
    int32_t highest_outside = INT32_MIN;
    for (size_t id = 0; id < model.label_count(); ++id) {
        const uint16_t slot = model.info(id).slot;
        if (asked) outside[slot] = !asked[id];
        by_slot[slot] = by_label[id];
        barred[slot] = 0;
        any[model.group_of(id)] = true;
        of_cluster[slot / LANES_PER_ROW] = std::max(of_cluster[slot / LANES_PER_ROW], by_label[id]);
        int32_t& top = asked && !asked[id] ? highest_outside : highest;
        top = std::max(top, by_label[id]);
    }
    double sum = 0;
    for (size_t id = 0; id < model.label_count(); ++id) sum += std::exp((by_label[id] - int64_t{highest}) / double{NATS});
    if (sum > 0) total = highest + static_cast<int32_t>(std::lround(NATS * std::log(sum)));
    if (highest_outside != INT32_MIN && highest != INT32_MIN) lowered = std::max(0, highest - highest_outside);
    for (size_t id = 0; id < model.label_count(); ++id) rank_likely(model, id);
}

// Keeps the likeliest labels of each script group.
void Priors::rank_likely(const Model& model, size_t id) {
    const uint16_t slot = model.info(id).slot;
    uint16_t* ranked = likeliest[model.group_of(id)];
    size_t at = kLikeliest;
    for (; at > 0 && (ranked[at - 1] == kNoSlot || likely(ranked[at - 1]) < likely(slot)); --at)
        if (at < kLikeliest) ranked[at] = ranked[at - 1];
    if (at < kLikeliest) ranked[at] = slot;
}

Outcome Scorer::count() {
    drain();
    Outcome out;
    out.features = features_;
    out.unseen = unseen_;
    for (uint32_t i = 0; i < touched_count_; ++i) {
        const uint8_t group = touched_[i];
        out.letters += letters_[group];
        if (i == 0 || letters_[group] > letters_[out.written]) out.written = group;
    }
    return out;
}

uint32_t letter_weight(uint8_t group) {
    static const uint8_t hangul = GROUPS.of[script_by_name("Hang")];
    return group == GROUPS.cjk ? kHan : group == hangul ? kHangul : kLetter;
}

uint8_t Scorer::heaviest_group(const Priors& priors) const {
    uint32_t heaviest = 0;
    uint8_t best = SCRIPT_COMMON;
    for (uint32_t i = 0; i < touched_count_; ++i) {
        const uint8_t group = touched_[i];
        const uint32_t weight = letters_[group] * letter_weight(group);
        if (!priors.any[group] || weight < heaviest || (weight == heaviest && group >= best)) continue;
        heaviest = weight;
        best = group;
    }
    return best;
}

Choice Scorer::choose(uint8_t group, const Priors& priors, size_t most) const {
    const Model::Range range = model_.range_of(group);
    const size_t count = range.last - range.first;
    int32_t upper_bounds[MAX_CLUSTERS];
    this->upper_bounds(range.first, count, priors, upper_bounds);
    const int32_t best = count ? *std::max_element(upper_bounds, upper_bounds + count) : 0, scale = model_.scale_after(features_, 1) >> 8;
    int32_t top = kImpossible;
    for (size_t i = 0; i < count; ++i) {
        upper_bounds[i] = priors.of_cluster[range.first + i] - ((std::min(best - upper_bounds[i], kFarthest) * scale) >> 8);
        top = std::max(top, upper_bounds[i]);
    }
    Choice out;
    for (size_t i = 0; i < count; ++i) {
        if (upper_bounds[i] < top - kOutOfReach && out.count >= kFewClusters && upper_bounds[i] <= out.upper_bound[kFewClusters - 1])
            continue;
        if (priors.of_cluster[range.first + i] == kImpossible) continue;
        if (out.count == most && upper_bounds[i] <= out.upper_bound[most - 1]) continue;
        size_t at = out.count < most ? out.count++ : most - 1;
        for (; at > 0 && out.upper_bound[at - 1] < upper_bounds[i]; --at) {
            out.upper_bound[at] = out.upper_bound[at - 1];
            out.cluster[at] = out.cluster[at - 1];
        }
        out.upper_bound[at] = upper_bounds[i];
        out.cluster[at] = static_cast<uint8_t>(range.first + i);
    }
    while (out.count > kFewClusters && out.upper_bound[out.count - 1] < out.upper_bound[0] - kOutOfReach) --out.count;
    return out;
}

Outcome Scorer::rank(size_t most, const Priors& priors) {
    Outcome out = count();
    out.group = heaviest_group(priors);
    if (out.group == SCRIPT_COMMON) return out;
    out.group_letters = letters_[out.group];
    const Choice chosen = choose(out.group, priors, kMostClusters);
    alignas(64) int32_t totals[kMostClusters * LANES_PER_ROW];
    score_in(chosen.cluster, chosen.count, totals);
    out.guesses = rank_scores(model_, chosen.cluster, chosen.count, totals, out.group, features_, priors, most, kWindow, &out.elsewhere);
    return out;
}

std::vector<Guess> rank_scores(const Model& model, const uint8_t* clusters, size_t cluster_count, const int32_t* totals, uint8_t group,
                               uint32_t features, const Priors& priors, size_t most, int32_t window, int32_t* elsewhere,
                               const std::vector<uint16_t>& wanted) {
    const OwnClusters own = own_clusters(model.range_of(group), clusters, cluster_count, totals, priors);
    if (own.best == kImpossible) return {};
    const int32_t scale = model.scale_after(features, model.info(static_cast<size_t>(model.label_at(own.best_slot))).tier);
    alignas(64) int32_t posteriors[kMostScored * LANES_PER_ROW];
    int32_t highest_of[kMostScored];
    int32_t top = kImpossible;
    for (size_t k = 0; k < own.count; ++k) {
        const size_t slot = clusters[own.place[k]] * size_t{LANES_PER_ROW};
        int32_t* into = posteriors + k * LANES_PER_ROW;
        highest_of[k] =
            weigh(totals + own.place[k] * LANES_PER_ROW, &priors.barred[slot], &priors.by_slot[slot], own.best, scale >> 8, into);
        if (model.is_mixed(clusters[own.place[k]])) {
            bar_others(model, slot, group, into);
            highest_of[k] = *std::max_element(into, into + LANES_PER_ROW);
        }
        top = std::max(top, highest_of[k]);
    }
    std::vector<Guess> out;
    out.reserve(most + 1);
    uint64_t mass = 0, outside = 0;
    Guess outsider{0, 0, kImpossible};  // the best that is not asked for
    const auto better = [](const Guess& a, const Guess& b) {
        return a.log_prob != b.log_prob ? a.log_prob > b.log_prob : a.label < b.label;
    };
    for (size_t k = 0; k < own.count; ++k) {
        if (highest_of[k] < top - window || highest_of[k] <= kImpossible / 2) continue;
        for (size_t i = 0; i < LANES_PER_ROW; ++i) {
            const int32_t posterior = posteriors[k * LANES_PER_ROW + i];
            if (posterior < top - window) continue;
            mass += model.exp_of(top - posterior);
            const size_t slot = clusters[own.place[k]] * size_t{LANES_PER_ROW} + i;
            const Guess guess{static_cast<uint16_t>(model.label_at(slot)), totals[own.place[k] * LANES_PER_ROW + i], posterior};
            if (priors.is_limited() && priors.outside[slot]) {
                outside += model.exp_of(top - posterior);
                if (better(guess, outsider)) outsider = guess;
                continue;
            }
            if (out.size() == most && !better(guess, out.back())) continue;
            out.insert(std::upper_bound(out.begin(), out.end(), guess, better), guess);
            if (out.size() > most) out.pop_back();
        }
    }
    if (outside > mass - outside) out.insert(out.begin(), outsider);
    else if (outside > 0) out.insert(std::upper_bound(out.begin() + 1, out.end(), outsider, better), outsider);
    if (out.empty()) return out;  // all that is left of a mixed cluster is of other scripts
    keep_wanted(model, clusters, own, totals, posteriors, priors, wanted, out);
    if (elsewhere) *elsewhere = highest_outside(own, model.info(out.front().label).slot, clusters, totals, priors);
    const int32_t norm = top + model.log_of(mass);
    for (Guess& guess : out) guess.log_prob -= norm;
    return out;
}

}  // namespace webtongue
