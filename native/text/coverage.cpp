#include "text/coverage.hpp"

#include "text/table_line.hpp"

namespace webtongue {
namespace {

// The weight in the rows of an n-gram, which start at `row` and are ordered by cluster.
int32_t row_weight(const Tables& t, uint32_t row, uint16_t slot) {
    for (; row < t.row_count; ++row) {
        const uint8_t cluster = t.row_cluster[row];
        if ((cluster & (MAX_CLUSTERS - 1)) == slot / LANES_PER_ROW) return t.rows[size_t{row} * LANES_PER_ROW + slot % LANES_PER_ROW];
        if (cluster & LAST_ROW) break;
    }
    return 0;
}

int32_t shared_weight(const Tables& t, const Shared& shared, uint16_t slot) {
    const uint32_t cluster = slot / LANES_PER_ROW;
    if (cluster >= SHARED_CLUSTERS || !(shared.has[cluster / 32] >> cluster % 32 & 1)) return 0;
    uint32_t row = shared.row + count_ones(shared.has[cluster / 32] & ((1u << cluster % 32) - 1));
    for (uint32_t word = 0; word < cluster / 32; ++word) row += count_ones(shared.has[word]);
    return row < t.row_count ? t.rows[size_t{row} * LANES_PER_ROW + slot % LANES_PER_ROW] : 0;
}

}  // namespace

int32_t find_weight(const Model& model, uint64_t key, uint16_t slot) {
    const Tables& t = model.tables();
    const uint64_t at = line_index(key, t.line_count);
    int32_t sum = 0;
    const uint32_t* line = t.lines + at * PAIRS_PER_LINE;
    for (uint32_t bits = match_line(line, key); bits != 0; bits &= bits - 1) {
        const uint32_t pair = line[lowest_bit(bits)];
        const uint32_t target = pair >> 7 & (MAX_SLOTS - 1), weight = pair & 0x7F;
        if (weight == PAIR_SHARED) {
            const uint32_t number = t.blocks[at / LINES_PER_BLOCK].shared + target;
            if (number < t.shared_count) sum += shared_weight(t, t.shared[number], slot);
        } else if (weight == PAIR_ROWS) {
            sum += row_weight(t, t.blocks[at / LINES_PER_BLOCK].row + target, slot);
        } else if (target == slot) {
            sum += static_cast<int32_t>(weight) - PAIR_ZERO;
        }
    }
    return sum;
}

void CoverageReader::feature(uint64_t key, int order, uint8_t) {
    if (key >> 26 & skip_mask_ || !repeats_.is_new(key, text_)) return;
    const int32_t weight = find_weight(model_, key, slot_);
    ++counts_.features;
    counts_.negative += weight < 0;
    if (order == ORDER_WORD) {
        ++counts_.words;
        counts_.words_known += weight > 0;
    } else if (order == max_order_) {
        ++counts_.ngrams;
        counts_.ngrams_known += weight > 0;
        counts_.ngrams_distinctive += weight > kDistinctiveWeight;
    }
}

}  // namespace webtongue
