#include "charset/encoding_ranking.hpp"

#include <algorithm>
#include <cmath>

#include "charset/character_costs.hpp"

namespace webtongue {
namespace {

// Gaps, costs and leads are in 1/1024 nats.
constexpr double kLogScale = 1024;
constexpr int32_t kMaxGap = 16 * 1024;  // encodings farther behind the best are ignored
constexpr int32_t kBadByteCost = 3 * 1024;
constexpr uint64_t kMaxBadBytes = 12;  // invalid bytes that are counted
// One invalid byte in so many is damage; more rule an encoding out. In East Asian text, a character is two bytes.
constexpr uint64_t kMinBytesPerBad = 50, kMinBytesPerStray = 20;
constexpr uint64_t kMinBytesPerDifference = 10;  // a duel compares encodings that differ in at most one byte in so many
constexpr int32_t kMaxDuelLead = 4 * 1024;  // a duel may rest on a word or two
constexpr int32_t kOtherLeadDivisor = 4;  // the lead by all n-grams counts a quarter beside a duel
constexpr int32_t kMaxOtherLead = 2 * 1024;  // and at most this
constexpr int32_t kMaxCheckedGap = 8 * 1024;  // sequences of encodings farther behind are not checked
constexpr int32_t kMaxCandidateGap = 12 * 1024;  // encodings farther behind are not compared
constexpr size_t kMaxCandidates = 24;
constexpr size_t kCheckedBytes = 1 << 14;  // bytes of a text whose sequences are checked
constexpr int32_t kMaxCommonNats = 4;  // maximal evidence of common characters
constexpr int32_t kNeutralShare = NEUTRAL_COMMON_SHARE;
constexpr uint64_t kFullCharacters = 8;  // characters from which the evidence is full
constexpr int64_t kMaxShortBytes = 128;  // from this size on, the costs of characters do not count: n-grams are reliable by then
constexpr int64_t kCostPercent = 45;  // percent of the costs of characters that count in the shortest text
constexpr int32_t kMaxUnlikelyCharacter = 6 * 1024;  // log-odds that a single unlikely character may have against it
constexpr uint16_t kNoCharacter = 0xFFFD;

bool is_unassigned(uint16_t point) { return point == kNoCharacter || (point >= 0x80 && point < 0xA0); }

// Returns the cost of invalid bytes, or IMPOSSIBLE_LOG if they are too many.
int32_t bad_byte_cost(uint64_t bad, uint64_t all, uint64_t min_bytes_per_bad) {
    if (bad * min_bytes_per_bad > all && bad > 1) return IMPOSSIBLE_LOG;
    return -kBadByteCost * static_cast<int32_t>(std::min(bad, kMaxBadBytes));
}

// Returns the evidence of common characters: positive if nearly all are common, negative if they are random, as in a wrong encoding.
int32_t common_evidence(const MultibyteCounts& v) {
    const uint64_t all = v.common + v.rare;
    if (all == 0) return 0;
    const int32_t share = static_cast<int32_t>(v.common * 1024 / all);
    const int32_t sure = static_cast<int32_t>(std::min(all, kFullCharacters));
    const int32_t max_evidence = v.joined * 2 >= v.good ? 1024 : 0;
    return std::clamp((share - kNeutralShare) * 4, -1024, max_evidence) * kMaxCommonNats * sure / static_cast<int32_t>(kFullCharacters);
}

}  // namespace

EncodingRanking::EncodingRanking(const ByteModel& model, Span text, const ByteHistogram& histogram, const int32_t* offsets)
    : model_(model), whole_(text), text_(text), histogram_(histogram), offsets_(offsets) {
    ngrams = model.score(text, histogram, totals_);
    for (int c = 0x80; c < 0x100; ++c)
        if (histogram.counts[c]) present_.push_back(static_cast<Byte>(c));
    if (text_.size() > kCheckedBytes) text_.end = text_.begin + kCheckedBytes;
    for (uint16_t k = 0; k < model.class_count(); ++k) {
        character_costs_[k] = character_cost(k);
        totals_[k] += offsets[k] + (kind(k) == EncodingKind::single ? hole_cost(k) : 0) - character_costs_[k];
        order_.push_back(k);
    }
    do sort();
    while (check_sequences());  // until the sequences of all leading encodings are checked
}

void EncodingRanking::sort() {
    std::sort(order_.begin(), order_.end(),
              [this](uint16_t a, uint16_t b) { return totals_[a] != totals_[b] ? totals_[a] > totals_[b] : a < b; });
}

bool EncodingRanking::has_table(uint16_t k) const {
    const uint16_t* table = model_.table(k);
    return kind(k) == EncodingKind::single || std::any_of(table, table + 128, [](uint16_t point) { return point != kNoCharacter; });
}

std::vector<uint16_t> EncodingRanking::candidates() const {
    std::vector<uint16_t> result;
    for (const uint16_t k : order_) {
        if (totals_[order_[0]] - totals_[k] > kMaxCandidateGap || result.size() == kMaxCandidates) break;
        if (!has_table(k)) continue;
        if (std::none_of(result.begin(), result.end(), [&](uint16_t other) { return decode_alike(k, other); })) result.push_back(k);
    }
    return result;
}

uint64_t EncodingRanking::find_differing(uint16_t a, uint16_t b, bool* differ) const {
    uint64_t times = 0;
    for (const Byte c : present_) {
        differ[c] = model_.table(a)[c - 0x80] != model_.table(b)[c - 0x80];
        times += differ[c] ? histogram_.counts[c] : 0;
    }
    return times;
}

// Encodings that decode nearly all bytes alike are compared by the few other bytes, which would be lost in the sum of a long text.
int32_t EncodingRanking::ngram_lead(uint16_t a, uint16_t b) const {
    bool differ[256] = {};
    const uint64_t times = find_differing(a, b, differ);
    if (kind(a) != EncodingKind::single || kind(b) != EncodingKind::single || times == 0 ||
        times * kMinBytesPerDifference > histogram_.high)
        return totals_[a] - totals_[b];
    const int32_t lead = model_.duel(whole_, differ, a, b) + offsets_[a] - offsets_[b] + hole_cost(a) - hole_cost(b);
    const int32_t rest =
        std::clamp((totals_[a] - totals_[b]) / kOtherLeadDivisor, -kMaxOtherLead, kMaxOtherLead);  // evidence of the language
    return rest + std::clamp(lead, -kMaxDuelLead, kMaxDuelLead) + character_costs_[b] - character_costs_[a];
}

// Returns the contexts of the bytes that not all candidates decode alike.
std::vector<ByteContext> EncodingRanking::differing_contexts(const std::vector<uint16_t>& candidates) const {
    std::vector<ByteContext> contexts;
    if (!model_.has_contexts()) return contexts;
    bool differs[256] = {};
    for (const uint16_t k : candidates) {
        bool differ[256] = {};
        find_differing(candidates[0], k, differ);
        for (size_t c = 0x80; c < 0x100; ++c) differs[c] |= differ[c];
    }
    find_contexts(whole_, differs, contexts);
    return contexts;
}

void EncodingRanking::compare_candidates() {
    const std::vector<uint16_t> candidates = this->candidates();
    if (candidates.size() < 2) return;
    const std::vector<ByteContext> contexts = differing_contexts(candidates);
    std::vector<int32_t> weights(candidates.size() * contexts.size());
    for (size_t i = 0; i < candidates.size(); ++i)
        for (size_t c = 0; c < contexts.size(); ++c) weights[i * contexts.size() + c] = model_.context_weight(contexts[c], candidates[i]);
    const auto lead = [&](size_t i, size_t j) {
        bool differ[256] = {};
        find_differing(candidates[i], candidates[j], differ);
        int64_t sum = 0;
        size_t count = 0;
        for (size_t c = 0; c < contexts.size(); ++c) {
            if (!differ[contexts[c].middle()]) continue;
            sum += weights[i * contexts.size() + c] - weights[j * contexts.size() + c];
            ++count;
        }
        return ngram_lead(candidates[i], candidates[j]) + (count ? model_.context_nats(sum, count) : 0);
    };
    size_t best = 0;
    for (size_t i = 1; i < candidates.size(); ++i)
        if (lead(best, i) < 0) best = i;
    const int32_t top = totals_[candidates[0]];
    int32_t change[MAX_BYTE_CLASSES] = {};
    for (size_t i = 0; i < candidates.size(); ++i) {
        const int32_t total = i == best ? top : std::min(top, top - lead(best, i));
        for (const uint16_t k : order_)
            if (k == candidates[i] || decode_alike(k, candidates[i])) change[k] = total - totals_[candidates[i]];
    }
    for (const uint16_t k : order_) totals_[k] += change[k];
    sort();
}

void EncodingRanking::demote_unlike_text() {
    bool is_demoted[MAX_BYTE_CLASSES] = {};
    while (model_.has_costs()) {
        const uint16_t k = order_[0];
        if (is_demoted[k] || totals_[k] <= IMPOSSIBLE_LOG / 2) return;
        const int32_t odds = model_.text_log_odds(whole_, k) + kMaxUnlikelyCharacter;
        if (odds >= 0) return;
        is_demoted[k] = true;
        totals_[k] += std::max(odds, -kMaxGap);
        sort();
    }
}

std::vector<EncodingGuess> EncodingRanking::groups(size_t max_guesses) const {
    std::vector<EncodingGuess> guesses;
    const int32_t top = totals_[order_[0]];
    if (top <= IMPOSSIBLE_LOG / 2) return guesses;
    double all = 0;
    std::vector<double> mass(order_.size());
    for (size_t i = 0; i < order_.size(); ++i)
        if (top - totals_[order_[i]] < kMaxGap) all += mass[i] = std::exp((totals_[order_[i]] - top) / kLogScale);
    for (size_t i = 0; i < order_.size() && guesses.size() < max_guesses && mass[i] != 0; ++i) {
        if (mass[i] < 0) continue;
        double sum = mass[i];
        uint16_t name = order_[i];  // the most common one of those that decode alike
        for (size_t j = i + 1; j < order_.size() && mass[j] != 0; ++j)
            if (mass[j] > 0 && decode_alike(order_[i], order_[j])) {
                sum += mass[j];
                mass[j] = -1;  // already counted
                if (offsets_[order_[j]] > offsets_[name]) name = order_[j];
            }
        guesses.push_back({name, static_cast<int32_t>(std::lround(std::log(std::min(1.0, sum / all)) * kLogScale))});
    }
    std::stable_sort(guesses.begin(), guesses.end(),
                     [](const EncodingGuess& a, const EncodingGuess& b) { return a.log_prob > b.log_prob; });
    return guesses;
}

int32_t EncodingRanking::hole_cost(uint16_t k) const {
    uint64_t bad = 0;
    for (const Byte c : present_) bad += is_unassigned(model_.table(k)[c - 0x80]) ? histogram_.counts[c] : 0;
    return bad_byte_cost(bad, histogram_.high, kMinBytesPerBad);
}

// The cost of the characters of a short text in class `k`; it falls with the size of the text.
int32_t EncodingRanking::character_cost(uint16_t k) const {
    const auto size = static_cast<int64_t>(whole_.size());
    if (!model_.has_costs() || size >= kMaxShortBytes) return 0;
    const int64_t cost = COST_UNIT * static_cast<int64_t>(model_.character_cost(whole_, k));
    return static_cast<int32_t>(cost * kCostPercent * (kMaxShortBytes - size) / (100 * kMaxShortBytes));
}

// Counts the characters of class `k` without the bytes that belong to none, which would shift the boundaries of those after them.
MultibyteCounts EncodingRanking::count_characters(uint16_t k) const {
    const MultibyteCounts counts = check_multibyte(text_, kind(k));
    if (!may_have_strays(counts)) return counts;
    const std::vector<size_t> strays = model_.find_strays(text_, k);
    std::vector<Byte> rest;
    const Byte* done = text_.begin;
    uint64_t gaps = 0;  // a byte between those of a character leaves both of them as strays
    for (const size_t stray : strays) {
        gaps += done == text_.begin || text_.begin + stray > done;
        rest.insert(rest.end(), done, text_.begin + stray);
        done = text_.begin + stray + 1;
    }
    if (gaps == 0 || gaps * kMinBytesPerStray > text_.size()) return counts;
    rest.insert(rest.end(), done, text_.end);
    MultibyteCounts without_strays = check_multibyte({rest.data(), rest.data() + rest.size()}, kind(k));
    without_strays.bad += gaps;
    return without_strays;
}

// Checks the sequences of one leading multi-byte encoding; returns true if its total has changed.
bool EncodingRanking::check_sequences() {
    for (const uint16_t k : order_) {
        if (totals_[order_[0]] - totals_[k] > kMaxCheckedGap) return false;
        if (kind(k) == EncodingKind::single || kind(k) >= EncodingKind::other || checked_[k]) continue;
        checked_[k] = true;
        const MultibyteCounts v = count_characters(k);
        const int32_t change = v.good ? bad_byte_cost(v.bad, 2 * v.good + v.bad, kMinBytesPerStray) + common_evidence(v) : IMPOSSIBLE_LOG;
        totals_[k] += change;
        if (kind(k) == EncodingKind::gb18030) has_four_byte = v.long_characters > 0;
        if (change) return true;
    }
    return false;
}

bool EncodingRanking::decode_alike(uint16_t a, uint16_t b) const {
    if (kind(a) != EncodingKind::single || kind(b) != EncodingKind::single) return false;
    const uint16_t *first = model_.table(a), *second = model_.table(b);
    return std::all_of(present_.begin(), present_.end(), [=](Byte c) { return first[c - 0x80] == second[c - 0x80]; });
}

Detection detect(const ByteModel& model, Span text, const int32_t* offsets, size_t max_guesses) {
    const ByteHistogram histogram = count_high_bytes(text);
    EncodingRanking ranking(model, text, histogram, offsets);
    ranking.compare_candidates();
    ranking.demote_unlike_text();
    return {ranking.groups(max_guesses), ranking.ngrams, histogram.high, ranking.has_four_byte};
}

}  // namespace webtongue
