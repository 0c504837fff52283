#include "coding/encoding_contest.hpp"

#include <algorithm>
#include <cmath>

namespace webtongue {
namespace {

constexpr double kNats = 1024;
constexpr int32_t kWindow = 16 * 1024;     // codings this far behind the best do not count
constexpr int32_t kBad = 3 * 1024;         // what each byte that means nothing takes away
constexpr uint64_t kMostBad = 12;          // of them that are counted
constexpr uint64_t kOneIn = 50;            // bytes, of which one may mean nothing: damage
constexpr uint64_t kFew = 10;              // bytes, of which one may be read differently in a duel
constexpr int32_t kClear = 4 * 1024;       // nats that a duel of n-grams gives at most: it may rest on a word or two
constexpr int32_t kRest = 4;               // the share of the other n-grams' lead that counts beside a duel,
constexpr int32_t kMostRest = 2 * 1024;    // and at most this
constexpr int32_t kNear = 8 * 1024;        // codings this far behind the best are looked at no closer
constexpr int32_t kContest = 12 * 1024;    // the same for the contest
constexpr size_t kContenders = 24;
constexpr size_t kChecked = 1 << 14;       // bytes of a text that are checked for sequences
constexpr int32_t kCommon = 4;             // nats that common characters can tell,
constexpr int32_t kHalfway = 717;          // on either side of this many in 1024
constexpr uint64_t kEnough = 8;            // characters that tell as much as they can
constexpr uint16_t kNothing = 0xFFFD;

bool means_nothing(uint16_t point) { return point == kNothing || (point >= 0x80 && point < 0xA0); }

// What bad bytes cost, or that they are too many.
int32_t cost(uint64_t bad, uint64_t all) {
    if (bad * kOneIn > all && bad > 1) return BYTE_IMPOSSIBLE;
    return -kBad * static_cast<int32_t>(std::min(bad, kMostBad));
}

// What is gained where nearly all characters are common ones, and lost where they are any: text read in a wrong coding.
int32_t commonness(const Validity& v) {
    const uint64_t all = v.common + v.rare;
    if (all == 0) return 0;
    const int32_t share = static_cast<int32_t>(v.common * 1024 / all);
    const int32_t sure = static_cast<int32_t>(std::min(all, kEnough));
    const int32_t most = v.joined * 2 >= v.good ? 1024 : 0;
    return std::clamp((share - kHalfway) * 4, -1024, most) * kCommon * sure / static_cast<int32_t>(kEnough);
}

}  // namespace

EncodingContest::EncodingContest(const ByteModel& model, Span text, const Histogram& seen, const int32_t* offsets)
    : model_(model), whole_(text), text_(text), seen_(seen), offsets_(offsets) {
    ngrams = model.score(text, seen, totals_);
    for (int c = 0x80; c < 0x100; ++c)
        if (seen.of[c]) present_.push_back(static_cast<Byte>(c));
    if (text_.size() > kChecked) text_.end = text_.begin + kChecked;
    for (uint16_t k = 0; k < model.class_count(); ++k) {
        totals_[k] += offsets[k] + (kind(k) == Coding::single ? holes(k) : 0);
        order_.push_back(k);
    }
    do sort();
    while (check_sequences());  // of those only that would be answered
}

void EncodingContest::sort() {
    std::sort(order_.begin(), order_.end(),
              [this](uint16_t a, uint16_t b) { return totals_[a] != totals_[b] ? totals_[a] > totals_[b] : a < b; });
}

bool EncodingContest::tabled(uint16_t k) const {
    const uint16_t* table = model_.table(k);
    return kind(k) == Coding::single || std::any_of(table, table + 128, [](uint16_t point) { return point != kNothing; });
}

std::vector<uint16_t> EncodingContest::contenders() const {
    std::vector<uint16_t> out;
    for (const uint16_t k : order_) {
        if (totals_[order_[0]] - totals_[k] > kContest || out.size() == kContenders) break;
        if (!tabled(k)) continue;
        if (std::none_of(out.begin(), out.end(), [&](uint16_t other) { return reads_alike(k, other); })) out.push_back(k);
    }
    return out;
}

uint64_t EncodingContest::differing(uint16_t a, uint16_t b, bool* differ) const {
    uint64_t times = 0;
    for (const Byte c : present_) {
        differ[c] = model_.table(a)[c - 0x80] != model_.table(b)[c - 0x80];
        times += differ[c] ? seen_.of[c] : 0;
    }
    return times;
}

// Codings that read nearly all bytes alike are told apart by the few that they do not: in the sum of a long text these
// would be lost.
int32_t EncodingContest::first_lead(uint16_t a, uint16_t b) const {
    bool differ[256] = {};
    const uint64_t times = differing(a, b, differ);
    if (kind(a) != Coding::single || kind(b) != Coding::single || times == 0 || times * kFew > seen_.high) return totals_[a] - totals_[b];
    const int32_t lead = model_.duel(whole_, differ, a, b) + offsets_[a] - offsets_[b] + holes(a) - holes(b);
    const int32_t rest = std::clamp((totals_[a] - totals_[b]) / kRest, -kMostRest, kMostRest);  // of what language the rest is
    return rest + std::clamp(lead, -kClear, kClear);
}

// Those around the bytes that not all rivals read alike.
std::vector<ByteContext> EncodingContest::telling_contexts(const std::vector<uint16_t>& rivals) const {
    std::vector<ByteContext> out;
    if (!model_.knows_contexts()) return out;
    bool told[256] = {};
    for (const uint16_t k : rivals) {
        bool differ[256] = {};
        differing(rivals[0], k, differ);
        for (size_t c = 0x80; c < 0x100; ++c) told[c] |= differ[c];
    }
    contexts_of(whole_, told, out);
    return out;
}

void EncodingContest::decide() {
    const std::vector<uint16_t> rivals = contenders();
    if (rivals.size() < 2) return;
    const std::vector<ByteContext> contexts = telling_contexts(rivals);
    std::vector<int32_t> worth(rivals.size() * contexts.size());
    for (size_t i = 0; i < rivals.size(); ++i)
        for (size_t c = 0; c < contexts.size(); ++c) worth[i * contexts.size() + c] = model_.context_weight(contexts[c], rivals[i]);
    const auto lead = [&](size_t i, size_t j) {
        bool differ[256] = {};
        differing(rivals[i], rivals[j], differ);
        int64_t sum = 0;
        size_t count = 0;
        for (size_t c = 0; c < contexts.size(); ++c) {
            if (!differ[contexts[c].middle()]) continue;
            sum += worth[i * contexts.size() + c] - worth[j * contexts.size() + c];
            ++count;
        }
        return first_lead(rivals[i], rivals[j]) + (count ? model_.context_nats(sum, count) : 0);
    };
    size_t best = 0;
    for (size_t i = 1; i < rivals.size(); ++i)
        if (lead(best, i) < 0) best = i;
    const int32_t top = totals_[rivals[0]];
    int32_t change[BYTE_CLASSES] = {};
    for (size_t i = 0; i < rivals.size(); ++i) {
        const int32_t total = i == best ? top : std::min(top, top - lead(best, i));
        for (const uint16_t k : order_)
            if (k == rivals[i] || reads_alike(k, rivals[i])) change[k] = total - totals_[rivals[i]];
    }
    for (const uint16_t k : order_) totals_[k] += change[k];
    sort();
}

std::vector<CodingGuess> EncodingContest::groups(size_t most) const {
    std::vector<CodingGuess> out;
    const int32_t top = totals_[order_[0]];
    if (top <= BYTE_IMPOSSIBLE / 2) return out;
    double all = 0;
    std::vector<double> mass(order_.size());
    for (size_t i = 0; i < order_.size(); ++i)
        if (top - totals_[order_[i]] < kWindow) all += mass[i] = std::exp((totals_[order_[i]] - top) / kNats);
    for (size_t i = 0; i < order_.size() && out.size() < most && mass[i] != 0; ++i) {
        if (mass[i] < 0) continue;
        double sum = mass[i];
        uint16_t name = order_[i];  // of those that read alike, the one to be expected
        for (size_t j = i + 1; j < order_.size() && mass[j] != 0; ++j)
            if (mass[j] > 0 && reads_alike(order_[i], order_[j])) {
                sum += mass[j];
                mass[j] = -1;  // counted
                if (offsets_[order_[j]] > offsets_[name]) name = order_[j];
            }
        out.push_back({name, static_cast<int32_t>(std::lround(std::log(std::min(1.0, sum / all)) * kNats))});
    }
    std::stable_sort(out.begin(), out.end(), [](const CodingGuess& a, const CodingGuess& b) { return a.log_prob > b.log_prob; });
    return out;
}

int32_t EncodingContest::holes(uint16_t k) const {
    uint64_t bad = 0;
    for (const Byte c : present_) bad += means_nothing(model_.table(k)[c - 0x80]) ? seen_.of[c] : 0;
    return cost(bad, seen_.high);
}

// True if a total has changed.
bool EncodingContest::check_sequences() {
    for (const uint16_t k : order_) {
        if (totals_[order_[0]] - totals_[k] > kNear) return false;
        if (kind(k) == Coding::single || kind(k) >= Coding::other || checked_[k]) continue;
        checked_[k] = true;
        const Validity v = check_multibyte(text_, kind(k));
        const int32_t change = v.good ? cost(v.bad, 2 * v.good + v.bad) + commonness(v) : BYTE_IMPOSSIBLE;
        totals_[k] += change;
        if (kind(k) == Coding::gb18030) long_ones = v.long_ones > 0;
        if (change) return true;
    }
    return false;
}

bool EncodingContest::reads_alike(uint16_t a, uint16_t b) const {
    if (kind(a) != Coding::single || kind(b) != Coding::single) return false;
    const uint16_t *one = model_.table(a), *other = model_.table(b);
    return std::all_of(present_.begin(), present_.end(), [=](Byte c) { return one[c - 0x80] == other[c - 0x80]; });
}

Detection detect(const ByteModel& model, Span text, const int32_t* offsets, size_t most) {
    const Histogram seen = histogram_of(text);
    EncodingContest contest(model, text, seen, offsets);
    contest.decide();
    return {contest.groups(most), contest.ngrams, seen.high, contest.long_ones};
}

}  // namespace webtongue
