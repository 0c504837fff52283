#include "train.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "features.hpp"

namespace webtongue {
namespace {

struct GroupSink {
    uint32_t letters_of[256] = {};
    void letters(uint8_t group, int count) { letters_of[group] += static_cast<uint32_t>(count); }
    void feature(uint64_t, int, uint8_t) {}
    bool more() const { return true; }
};

// Open-addressing counter of one label's features, grown as needed.
class Counter {
public:
    struct Cell {
        uint64_t key = 0;
        float weight = 0;
        uint32_t seen = 0;
        uint8_t order = 0;
    };
    Counter() : cells_(1 << 16) {}
    void add(uint64_t key, int order, float weight) {
        if ((used_ + 1) * 2 > cells_.size()) grow();
        Cell& cell = place(key);
        if (cell.seen == 0) {
            cell.key = key;
            cell.order = static_cast<uint8_t>(order);
            ++used_;
        }
        cell.weight += weight;
        ++cell.seen;
    }
    const std::vector<Cell>& cells() const { return cells_; }

private:
    Cell& place(uint64_t key) {
        size_t at = key & (cells_.size() - 1);
        while (cells_[at].seen != 0 && cells_[at].key != key) at = (at + 1) & (cells_.size() - 1);
        return cells_[at];
    }
    void grow() {
        std::vector<Cell> old(cells_.size() * 2);
        old.swap(cells_);
        for (const Cell& cell : old)
            if (cell.seen != 0) place(cell.key) = cell;
    }
    std::vector<Cell> cells_;
    size_t used_ = 0;
};

struct CountSink {
    Counter& counter;
    double (&totals)[ORDER_WORD + 1];
    uint8_t group;
    float weight;
    void letters(uint8_t, int) {}
    void feature(uint64_t key, int order, uint8_t of) {
        if (of != group) return;
        counter.add(key, order, weight);
        totals[order] += weight;
    }
    bool more() const { return true; }
};

uint64_t next_random(uint64_t& state) {
    state += 0x9E3779B97F4A7C15ull;
    uint64_t x = state;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

struct KeySink {
    std::vector<uint64_t>& keys;
    std::vector<uint8_t>& orders;
    void letters(uint8_t, int) {}
    void feature(uint64_t key, int order, uint8_t) {
        keys.push_back(key);
        orders.push_back(static_cast<uint8_t>(order));
    }
    bool more() const { return true; }
};

}  // namespace

void line_groups(const Lines& lines, uint8_t* group, uint8_t* share) {
    for (size_t i = 0; i < lines.count; ++i) {
        GroupSink sink;
        each_feature(lines.text + lines.offsets[i], lines.offsets[i + 1] - lines.offsets[i], sink);
        const auto best = std::max_element(std::begin(sink.letters_of), std::end(sink.letters_of));
        const uint32_t all = std::accumulate(std::begin(sink.letters_of), std::end(sink.letters_of), 0u);
        group[i] = static_cast<uint8_t>(best - std::begin(sink.letters_of));
        share[i] = all == 0 ? 0 : static_cast<uint8_t>(*best * 255ull / all);
    }
}

void Counts::add(uint16_t label, uint8_t group, const Lines& lines, const float* weights, uint32_t least) {
    Counter counter;
    double totals[ORDER_WORD + 1] = {};
    for (size_t i = 0; i < lines.count; ++i) {
        CountSink sink{counter, totals, group, weights[i]};
        each_feature(lines.text + lines.offsets[i], lines.offsets[i + 1] - lines.offsets[i], sink);
    }
    for (const Counter::Cell& cell : counter.cells()) {
        if (cell.seen == 0 || (cell.order > 2 && cell.seen < least)) continue;
        const float discount = (static_cast<float>(cell.seen) - 0.5f) / static_cast<float>(cell.seen);
        pairs_.push_back({cell.key, static_cast<float>(cell.weight * discount / totals[cell.order]), label, cell.order});
    }
}

void Counts::sort() {
    std::sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) {
        return a.key != b.key ? a.key < b.key : a.label < b.label;
    });
}

void Counts::profiles(float* out, size_t labels, size_t width) const {
    for (const Pair& pair : pairs_)
        if (pair.label < labels && pair.order >= 2 && pair.order != 5)
            out[pair.label * width + pair.key % width] += std::sqrt(pair.share);
}

Table::Table(const Counts& counts, const std::vector<uint32_t>& slot_of, const std::vector<float>& worth,
             const std::vector<uint8_t>& group_of, size_t rows, float floor) {
    uint32_t top = 0;
    for (uint32_t slot : slot_of) top = std::max(top, slot);
    clusters_ = top / LANES + 1;
    std::vector<float> members(256, 0.f);
    for (uint8_t group : group_of) members[group] += 1;

    struct Candidate {
        float value;
        uint32_t gram;     // index into the pairs: where the n-gram starts
        uint8_t cluster;
    };
    const auto& pairs = counts.pairs();
    std::vector<Candidate> candidates;
    std::vector<float> value(clusters_, 0.f);
    for (size_t begin = 0, end; begin < pairs.size(); begin = end) {
        double sum = 0;
        for (end = begin; end < pairs.size() && pairs[end].key == pairs[begin].key; ++end) sum += pairs[end].share;
        const float mean = static_cast<float>(sum / members[group_of[pairs[begin].label]]) + floor;
        for (size_t i = begin; i < end; ++i) {
            const uint16_t label = pairs[i].label;
            const float gain = std::fabs(std::log(pairs[i].share / mean)) + 0.3f;
            float& best = value[slot_of[label] / LANES];
            best = std::max(best, worth[label] * pairs[i].share * gain);
        }
        for (size_t i = begin; i < end; ++i) {
            const uint32_t cluster = slot_of[pairs[i].label] / LANES;
            if (value[cluster] > 0)
                candidates.push_back({value[cluster], static_cast<uint32_t>(begin), static_cast<uint8_t>(cluster)});
            value[cluster] = 0;
        }
    }
    const auto order = [](const Candidate& a, const Candidate& b) {
        if (a.value != b.value) return a.value > b.value;
        return a.gram != b.gram ? a.gram < b.gram : a.cluster < b.cluster;
    };
    if (candidates.size() > rows) {
        std::nth_element(candidates.begin(), candidates.begin() + static_cast<ptrdiff_t>(rows), candidates.end(), order);
        candidates.resize(rows);
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.gram != b.gram ? a.gram < b.gram : a.cluster < b.cluster;
    });
    weights_.assign(candidates.size() * LANES, 0.f);
    cluster_.reserve(candidates.size());
    for (size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& row = candidates[i];
        if (i == 0 || candidates[i - 1].gram != row.gram) {
            keys_.push_back(pairs[row.gram].key);
            starts_.push_back(static_cast<uint32_t>(i));
        }
        cluster_.push_back(row.cluster);
        use_.push_back(row.value);
        for (size_t p = row.gram; p < pairs.size() && pairs[p].key == pairs[row.gram].key; ++p) {
            const uint32_t slot = slot_of[pairs[p].label];
            if (slot / LANES == row.cluster)
                weights_[i * LANES + slot % LANES] = std::max(0.f, std::log(pairs[p].share / floor));
        }
    }
    starts_.push_back(static_cast<uint32_t>(candidates.size()));
    start_weights_ = weights_;
    build_index();
}

void Table::build_index() {
    uint32_t bits = 1;
    while ((size_t{1} << bits) < keys_.size() * 2) ++bits;
    shift_ = 64 - bits;
    index_.assign(size_t{1} << bits, 0);
    for (size_t gram = 0; gram < keys_.size(); ++gram) {
        size_t at = keys_[gram] >> shift_;
        while (index_[at] != 0) at = (at + 1) & (index_.size() - 1);
        index_[at] = static_cast<uint32_t>(gram + 1);
    }
}

int64_t Table::find(uint64_t key) const {
    for (size_t at = key >> shift_; index_[at] != 0; at = (at + 1) & (index_.size() - 1))
        if (keys_[index_[at] - 1] == key) return index_[at] - 1;
    return -1;
}

double Table::fit(const Lines& lines, const uint32_t* slots, uint32_t first, uint32_t last, const FitConfig& config,
                  uint64_t seed) {
    if (sums_.size() != weights_.size()) sums_.assign(weights_.size(), config.damp);
    const size_t low = first * LANES, high = last * LANES;
    std::vector<float> logits(high, 0.f), slopes(high, 0.f);
    std::vector<uint64_t> keys;
    std::vector<uint8_t> orders;
    std::vector<int64_t> grams;
    double loss = 0;
    const auto cut = static_cast<uint64_t>(static_cast<double>(config.drop) * 18446744073709551615.0);
    for (size_t i = 0; i < lines.count; ++i) {
        keys.clear(), orders.clear(), grams.clear();
        KeySink sink{keys, orders};
        each_feature(lines.text + lines.offsets[i], lines.offsets[i + 1] - lines.offsets[i], sink);
        if (keys.empty()) continue;
        for (size_t k = 0; k < keys.size(); ++k) {
            if (orders[k] >= 4 && next_random(seed) < cut) continue;
            const int64_t gram = find(keys[k]);
            if (gram >= 0) grams.push_back(gram);
        }
        std::fill(logits.begin() + static_cast<ptrdiff_t>(low), logits.end(), 0.f);
        for (int64_t gram : grams)
            for (uint32_t row = starts_[gram]; row < starts_[gram + 1]; ++row) {
                const uint32_t cluster = cluster_[row];
                if (cluster < first || cluster >= last) continue;
                float* into = &logits[cluster * LANES];
                for (int lane = 0; lane < LANES; ++lane) into[lane] += weights_[row * LANES + lane];
            }
        const float heat = config.heat / std::pow(static_cast<float>(keys.size()), config.power);
        float top = -1e30f;
        for (size_t s = low; s < high; ++s) top = std::max(top, logits[s] *= heat);
        double sum = 0;
        for (size_t s = low; s < high; ++s) sum += slopes[s] = std::exp(logits[s] - top);
        const float scale = static_cast<float>(1 / sum);
        for (size_t s = low; s < high; ++s) slopes[s] *= scale;
        loss -= std::log(std::max(1e-9f, slopes[slots[i]]));
        slopes[slots[i]] -= 1;
        std::vector<uint8_t> live(last, 0);
        for (uint32_t c = first; c < last; ++c)
            for (int lane = 0; lane < LANES; ++lane)
                if (std::fabs(slopes[c * LANES + lane]) > 1e-3f) live[c] = 1;
        for (size_t s = low; s < high; ++s) slopes[s] *= heat;
        for (int64_t gram : grams)
            for (uint32_t row = starts_[gram]; row < starts_[gram + 1]; ++row) {
                const uint32_t cluster = cluster_[row];
                if (cluster < first || cluster >= last || !live[cluster]) continue;
                const float* slope = &slopes[cluster * LANES];
                float* weight = &weights_[row * LANES];
                float* sums = &sums_[row * LANES];
                const float* start = &start_weights_[row * LANES];
                for (int lane = 0; lane < LANES; ++lane) {
                    const float g = slope[lane];
                    sums[lane] += g * g;
                    weight[lane] -= config.rate * (g + config.floor_l2 * (weight[lane] - start[lane])) /
                                    std::sqrt(sums[lane]);
                }
            }
    }
    return lines.count ? loss / static_cast<double>(lines.count) : 0;
}

void Table::score(const Lines& lines, float* out, uint32_t first, uint32_t last, int32_t* features) const {
    const size_t low = first * LANES, width = (last - first) * LANES;
    std::vector<uint64_t> keys;
    std::vector<uint8_t> orders;
    for (size_t i = 0; i < lines.count; ++i) {
        keys.clear(), orders.clear();
        KeySink sink{keys, orders};
        each_feature(lines.text + lines.offsets[i], lines.offsets[i + 1] - lines.offsets[i], sink);
        float* into = out + i * width;
        std::fill(into, into + width, 0.f);
        features[i] = static_cast<int32_t>(keys.size());
        for (uint64_t key : keys) {
            const int64_t gram = find(key);
            if (gram < 0) continue;
            for (uint32_t row = starts_[gram]; row < starts_[gram + 1]; ++row) {
                const uint32_t cluster = cluster_[row];
                if (cluster < first || cluster >= last) continue;
                for (int lane = 0; lane < LANES; ++lane)
                    into[cluster * LANES - low + lane] += weights_[row * LANES + lane];
            }
        }
    }
}

void Table::prune(size_t rows) {
    if (rows >= cluster_.size()) return;
    std::vector<float> value(cluster_.size());
    for (size_t row = 0; row < value.size(); ++row) {
        const auto [low, high] = std::minmax_element(&weights_[row * LANES], &weights_[(row + 1) * LANES]);
        value[row] = use_[row] * (std::max(std::fabs(*low), std::fabs(*high)) + (*high - *low));
    }
    std::vector<float> sorted = value;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<ptrdiff_t>(rows), sorted.end(), std::greater<>());
    const float least = sorted[rows];
    std::vector<uint64_t> keys;
    std::vector<uint32_t> starts;
    size_t to = 0;
    for (size_t gram = 0; gram + 1 < starts_.size(); ++gram) {
        const size_t begin = to;
        for (uint32_t row = starts_[gram]; row < starts_[gram + 1]; ++row) {
            if (value[row] <= least) continue;
            for (auto* of : {&weights_, &start_weights_, &sums_})
                if (!of->empty()) std::copy_n(of->begin() + row * LANES, LANES, of->begin() + static_cast<ptrdiff_t>(to * LANES));
            cluster_[to] = cluster_[row];
            use_[to++] = use_[row];
        }
        if (to > begin) {
            keys.push_back(keys_[gram]);
            starts.push_back(static_cast<uint32_t>(begin));
        }
    }
    starts.push_back(static_cast<uint32_t>(to));
    keys_.swap(keys), starts_.swap(starts);
    cluster_.resize(to), use_.resize(to);
    for (auto* of : {&weights_, &start_weights_, &sums_})
        if (!of->empty()) of->resize(to * LANES);
    build_index();
}

}  // namespace webtongue
