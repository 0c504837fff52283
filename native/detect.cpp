#include "detect.hpp"

#include <algorithm>
#include <cmath>

#include "multibyte.hpp"

namespace webtongue {
namespace {

constexpr double NATS = 1024;
constexpr int32_t kWindow = 16 * 1024;     // codings this far behind the best do not count
constexpr int32_t kBad = 3 * 1024;         // what each byte that means nothing takes away
constexpr uint64_t kMostBad = 12;          // of them that are counted
constexpr uint64_t kOneIn = 50;            // bytes, of which one may mean nothing: damage
constexpr uint64_t kFew = 10;              // bytes, of which one may be read differently in a duel
constexpr size_t kDuels = 4;
constexpr size_t kShort = 1024;            // bytes of a text in which a duel rests on a word or two,
constexpr int32_t kClear = 4 * 1024;       // and so gives no more than this
constexpr int32_t kNear = 8 * 1024;        // codings this far behind the best are looked at no closer
constexpr size_t kChecked = 1 << 14;       // bytes of a text that are checked for sequences
constexpr uint16_t kNothing = 0xFFFD;

bool means_nothing(uint16_t point) { return point == kNothing || (point >= 0x80 && point < 0xA0); }

// What bad bytes cost, or that they are too many.
int32_t cost(uint64_t bad, uint64_t all) {
    if (bad * kOneIn > all && bad > 1) return BYTE_IMPOSSIBLE;
    return -kBad * static_cast<int32_t>(std::min(bad, kMostBad));
}

class Ranking {
public:
    Ranking(const ByteModel& model, Span text, const Histogram& seen, const int32_t* offsets, int32_t* totals)
        : model_(model), whole_(text), text_(text), seen_(seen), offsets_(offsets), totals_(totals) {
        if (text_.size() > kChecked) text_.end = text_.begin + kChecked;
        for (uint16_t k = 0; k < model.class_count(); ++k) {
            if (kind(k) == Coding::single) totals_[k] += holes(k);
            order_.push_back(k);
        }
        do sort();
        while (check_sequences());  // of those only that would be answered
        duels();
        sort();
    }

    bool long_ones = false;  // the text has characters of GB 18030 that GBK lacks

    std::vector<Found> groups(size_t most) {
        std::vector<Found> out;
        const int32_t top = totals_[order_[0]];
        if (top <= BYTE_IMPOSSIBLE / 2) return out;
        double all = 0;
        std::vector<double> mass(order_.size());
        for (size_t i = 0; i < order_.size(); ++i)
            if (top - totals_[order_[i]] < kWindow) all += mass[i] = std::exp((totals_[order_[i]] - top) / NATS);
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
            out.push_back({name, static_cast<int32_t>(std::lround(std::log(std::min(1.0, sum / all)) * NATS))});
        }
        std::stable_sort(out.begin(), out.end(), [](const Found& a, const Found& b) { return a.log_prob > b.log_prob; });
        return out;
    }

private:
    Coding kind(uint16_t k) const { return static_cast<Coding>(model_.kind(k)); }

    void sort() {
        std::sort(order_.begin(), order_.end(), [this](uint16_t a, uint16_t b) {
            return totals_[a] != totals_[b] ? totals_[a] > totals_[b] : a < b;
        });
    }

    // Codings that read nearly all bytes alike are told apart by the few that they do not: in the sum of a long text these
    // would be lost.
    void duels() {
        uint16_t best = order_[0];
        size_t fought = 0;
        for (const uint16_t k : order_) {
            if (totals_[order_[0]] - totals_[k] > kNear || fought == kDuels) break;
            if (k == best || kind(k) != Coding::single || kind(best) != Coding::single) continue;
            bool differ[256] = {};
            uint64_t times = 0;
            for (size_t b = 0x80; b < 0x100; ++b) {
                differ[b] = seen_.of[b] && model_.table(best)[b - 0x80] != model_.table(k)[b - 0x80];
                times += differ[b] ? seen_.of[b] : 0;
            }
            if (times == 0 || times * kFew > seen_.high) continue;
            ++fought;
            int32_t lead = model_.duel(whole_, differ, best, k) + offsets_[best] - offsets_[k] + holes(best) - holes(k);
            if (whole_.size() <= kShort) lead = std::clamp(lead, -kClear, kClear);
            totals_[k] = totals_[best] - lead;
            if (lead < 0) best = k;
        }
    }

    int32_t holes(uint16_t k) const {
        uint64_t bad = 0;
        for (size_t b = 0x80; b < 0x100; ++b) bad += means_nothing(model_.table(k)[b - 0x80]) ? seen_.of[b] : 0;
        return cost(bad, seen_.high);
    }

    // True if a total has changed.
    bool check_sequences() {
        for (const uint16_t k : order_) {
            if (totals_[order_[0]] - totals_[k] > kNear) return false;
            if (kind(k) == Coding::single || kind(k) >= Coding::other || checked_[k]) continue;
            checked_[k] = true;
            const Validity v = check_multibyte(text_, kind(k));
            const int32_t change = v.good ? cost(v.bad, 2 * v.good + v.bad) : BYTE_IMPOSSIBLE;
            totals_[k] += change;
            if (kind(k) == Coding::gb18030) long_ones = v.long_ones > 0;
            if (change) return true;
        }
        return false;
    }

    bool reads_alike(uint16_t a, uint16_t b) const {
        if (kind(a) != Coding::single || kind(b) != Coding::single) return false;
        for (size_t c = 0; c < 128; ++c)
            if (seen_.of[c + 0x80] && model_.table(a)[c] != model_.table(b)[c]) return false;
        return true;
    }

    const ByteModel& model_;
    Span whole_, text_;
    const Histogram& seen_;
    const int32_t* offsets_;
    int32_t* totals_;
    std::vector<uint16_t> order_;
    bool checked_[BYTE_CLASSES] = {};
};

}  // namespace

Detection detect(const ByteModel& model, Span text, const int32_t* offsets, size_t most) {
    Detection out;
    const Histogram seen = histogram_of(text);
    int32_t totals[BYTE_CLASSES];
    out.high = seen.high;
    out.ngrams = model.score(text, seen, totals);
    for (size_t k = 0; k < model.class_count(); ++k) totals[k] += offsets[k];
    Ranking ranking(model, text, seen, offsets, totals);
    out.found = ranking.groups(most);
    out.long_ones = ranking.long_ones;
    return out;
}

}  // namespace webtongue
