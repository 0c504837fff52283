#include "priors.hpp"

#include <algorithm>

#include "features.hpp"

// The same integer loops for every machine; on x86 the compiler makes an AVX2 version too and picks one at load time.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
#define WEBTONGUE_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define WEBTONGUE_CLONES
#endif

namespace webtongue {
namespace {

constexpr int32_t kImpossible = -(1 << 30);
constexpr int32_t kFarthest = 16000;      // weight units behind the best at which a label is as good as impossible
constexpr int32_t kWindow = 10 * NATS;    // posteriors this far behind the best do not count
constexpr int32_t kRare = -8 * NATS;      // log prior below which a label is rare: one page in 3,000 and fewer
constexpr int32_t kRareSure = -NATS / 2;  // log of the probability that a rare label needs
constexpr uint32_t kRareLetters = 12;
constexpr size_t kLikely = 64;            // guesses that room is made for
// What a character carries, in half letters: a Han character about three letters, a Hangul syllable two and a half.
constexpr uint32_t kLetter = 2, kHan = 6, kHangul = 5;

WEBTONGUE_CLONES int32_t highest(const int32_t* totals, const int32_t* penalty, uint32_t n) {
    int32_t best = kImpossible;
    for (uint32_t i = 0; i < n; ++i) best = std::max(best, totals[i] + penalty[i]);
    return best;
}

// Posteriors without their norm, 1/1024 nats, and the highest of each cluster; `heat` is in 1/256 of 1/1024 nats a unit.
WEBTONGUE_CLONES void weigh(const int32_t* __restrict totals, const int32_t* __restrict penalty, const int32_t* __restrict priors,
                            uint32_t clusters, int32_t best, int32_t heat, int32_t* __restrict out, int32_t* __restrict highest_of) {
    const uint32_t n = clusters * LANES_PER_ROW;
    for (uint32_t i = 0; i < n; ++i) {
        const int32_t far = best - totals[i];
        const int32_t behind = far < kFarthest ? far : kFarthest;
        out[i] = priors[i] + penalty[i] - ((behind * heat) >> 8);
    }
    for (uint32_t cluster = 0; cluster < clusters; ++cluster) {
        const int32_t* lanes = out + cluster * LANES_PER_ROW;
        int32_t most = lanes[0];
        for (int i = 1; i < LANES_PER_ROW; ++i) most = lanes[i] > most ? lanes[i] : most;
        highest_of[cluster] = most;
    }
}

}  // namespace

Priors::Priors(const Model& model, const int32_t* by_label, const uint8_t* allowed)
    : by_slot(MAX_SLOTS, 0), penalty(MAX_SLOTS, kImpossible) {
    for (size_t id = 0; id < model.label_count(); ++id) {
        if (allowed && !allowed[id]) continue;
        const uint16_t slot = model.info(id).slot;
        by_slot[slot] = by_label[id];
        penalty[slot] = 0;
        any[model.group_of(id)] = true;
        highest = std::max(highest, by_label[id]);
    }
}

bool Priors::too_bold(const Model& model, const Guess& best, uint32_t letters) const {
    return by_slot[model.info(best.label).slot] - highest < kRare && (letters < kRareLetters || best.log_prob < kRareSure);
}

Outcome Scorer::rank(size_t most, const Priors& priors) {
    if (waiting_ > 0) drain();
    Outcome out;
    out.features = features_;
    out.unseen = unseen_;
    static const uint8_t hangul = GROUPS.of[script_by_name("Hang")];
    uint32_t heaviest = 0;
    for (uint32_t i = 0; i < touched_count_; ++i) {
        const uint8_t group = touched_[i];
        out.letters += letters_[group];
        const uint32_t weight = letters_[group] * (group == GROUPS.cjk ? kHan : group == hangul ? kHangul : kLetter);
        if (!priors.any[group] || weight < heaviest || (weight == heaviest && group >= out.group)) continue;
        heaviest = weight;
        out.group = group;
    }
    if (!heaviest) return out;
    out.group_letters = letters_[out.group];
    gather(out, most, priors);
    return out;
}

void Scorer::gather(Outcome& out, size_t most, const Priors& priors) const {
    const Model::Range range = model_.range_[out.group];
    const uint32_t first = range.first * LANES_PER_ROW, n = (range.last - range.first) * LANES_PER_ROW;
    const int32_t* totals = totals_ + first;
    const int32_t* penalty = priors.penalty.data() + first;
    const int32_t best = highest(totals, penalty, n);
    alignas(64) int32_t posteriors[MAX_SLOTS];
    int32_t highest_of[MAX_CLUSTERS];
    const uint32_t clusters = n / LANES_PER_ROW;
    weigh(totals, penalty, priors.by_slot.data() + first, clusters, best, heat() >> 8, posteriors, highest_of);
    const int32_t top = *std::max_element(highest_of, highest_of + clusters);
    uint64_t mass = 0;
    out.guesses.reserve(kLikely);
    for (uint32_t cluster = 0; cluster < clusters; ++cluster) {
        if (highest_of[cluster] < top - kWindow) continue;
        for (uint32_t i = cluster * LANES_PER_ROW; i < (cluster + 1) * LANES_PER_ROW; ++i) {
            if (posteriors[i] < top - kWindow) continue;
            const int32_t label = model_.label_of_[first + i];
            if (label < 0 || model_.groups_[static_cast<size_t>(label)] != out.group) continue;
            mass += model_.exp_of(top - posteriors[i]);
            out.guesses.push_back({static_cast<uint16_t>(label), totals[i], posteriors[i]});
        }
    }
    const auto better = [](const Guess& a, const Guess& b) { return a.log_prob != b.log_prob ? a.log_prob > b.log_prob : a.label < b.label; };
    const size_t kept = std::min(most, out.guesses.size());
    std::partial_sort(out.guesses.begin(), out.guesses.begin() + static_cast<ptrdiff_t>(kept), out.guesses.end(), better);
    out.guesses.resize(kept);
    const int32_t log_mass = model_.log_of(mass);
    for (Guess& guess : out.guesses) guess.log_prob -= top + log_mass;
}

}  // namespace webtongue
