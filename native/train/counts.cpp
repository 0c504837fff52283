#include "train/counts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "text/features.hpp"

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
        pairs_.push_back({cell.key, static_cast<float>(cell.weight * discount / totals[cell.order]), label, cell.order,
                          static_cast<uint8_t>(std::min(cell.seen, 255u))});
    }
}

void Counts::sort() {
    std::sort(pairs_.begin(), pairs_.end(),
              [](const Pair& a, const Pair& b) { return a.key != b.key ? a.key < b.key : a.label < b.label; });
}

void Counts::profiles(float* out, size_t labels, size_t width) const {
    for (const Pair& pair : pairs_)
        if (pair.label < labels && pair.order >= 2) out[pair.label * width + pair.key % width] += std::sqrt(pair.share);
}

}  // namespace webtongue
