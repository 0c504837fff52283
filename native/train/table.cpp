#include "train/table.hpp"

#include <algorithm>
#include <cmath>

#include "text/features.hpp"
#include "train/random.hpp"

namespace webtongue {
namespace {

struct KeySink {
    std::vector<std::pair<uint64_t, uint8_t>>& keys;
    void letters(uint8_t, int) {}
    void feature(uint64_t key, int order, uint8_t) { keys.emplace_back(key, static_cast<uint8_t>(order)); }
    bool more() const { return true; }
};

}  // namespace

// Buffers of one example during training.
struct Table::Work {
    uint32_t features = 0;  // distinct
    std::vector<std::pair<uint64_t, uint8_t>> keys;
    std::vector<Hit> hits;
    std::vector<uint8_t> absent;  // hits whose weight for the true label comes from this example only
    std::vector<float> logits, slopes;
    std::vector<uint8_t> live;
};

Table::Table(const Counts& counts, const std::vector<uint32_t>& slot_of, const std::vector<float>& worth,
             const std::vector<uint8_t>& group_of, const TableConfig& config)
    : lines_(config.lines) {
    uint32_t top = 0;
    for (uint32_t slot : slot_of) top = std::max(top, slot);
    clusters_ = top / LANES + 1;
    std::vector<float> members(256, 0.f);
    for (uint8_t group : group_of) members[group] += 1;

    const auto& pairs = counts.pairs();
    std::vector<float> value(pairs.size()), start(pairs.size());
    std::vector<uint32_t> shared, rare;  // n-grams, by the index of their first pair
    for (size_t begin = 0, end; begin < pairs.size(); begin = end) {
        double sum = 0;
        for (end = begin; end < pairs.size() && pairs[end].key == pairs[begin].key; ++end) sum += pairs[end].share;
        const float mean = static_cast<float>(sum / members[group_of[pairs[begin].label]]) + config.floor;
        size_t kept = 0;
        for (size_t i = begin; i < end; ++i) {
            const float gain = std::fabs(std::log(pairs[i].share / mean)) + 0.3f;
            value[i] = worth[pairs[i].label] * pairs[i].share * gain;
            if (pairs[i].share <= config.floor || value[i] < config.keep) value[i] = 0;
            kept += value[i] > 0;
            start[i] = std::max(0.f, std::log(pairs[i].share / config.floor));
        }
        if (kept > 0) (kept >= config.dense ? shared : rare).push_back(static_cast<uint32_t>(begin));
    }
    choose_rows(counts, slot_of, value, start, shared, config);
    choose_pairs(counts, slot_of, value, start, rare, config);
    build_index();
}

void Table::choose_rows(const Counts& counts, const std::vector<uint32_t>& slot_of, const std::vector<float>& value,
                        const std::vector<float>& start, const std::vector<uint32_t>& grams, const TableConfig& config) {
    struct Row {
        float value;
        uint32_t gram;
        uint8_t cluster;
    };
    const auto& pairs = counts.pairs();
    std::vector<Row> rows;
    std::vector<float> best(clusters_, 0.f);
    for (uint32_t gram : grams) {
        size_t end = gram;
        for (; end < pairs.size() && pairs[end].key == pairs[gram].key; ++end) best[slot_of[pairs[end].label] / LANES] += value[end];
        for (size_t i = gram; i < end; ++i) {
            const uint32_t cluster = slot_of[pairs[i].label] / LANES;
            if (best[cluster] > 0) rows.push_back({best[cluster], gram, static_cast<uint8_t>(cluster)});
            best[cluster] = 0;
        }
    }
    const auto place = [](const Row& a, const Row& b) { return a.gram != b.gram ? a.gram < b.gram : a.cluster < b.cluster; };
    if (rows.size() > config.rows) {
        std::nth_element(rows.begin(), rows.begin() + static_cast<ptrdiff_t>(config.rows), rows.end(),
                         [&](const Row& a, const Row& b) { return a.value != b.value ? a.value > b.value : place(a, b); });
        rows.resize(config.rows);
    }
    std::sort(rows.begin(), rows.end(), place);
    weights_.assign(rows.size() * LANES, 0.f);
    seen_.assign(rows.size() * LANES, 0);
    for (size_t i = 0; i < rows.size(); ++i) {
        if (i == 0 || rows[i - 1].gram != rows[i].gram) {
            keys_.push_back(pairs[rows[i].gram].key);
            starts_.push_back(static_cast<uint32_t>(i));
        }
        cluster_.push_back(rows[i].cluster);
        for (size_t p = rows[i].gram; p < pairs.size() && pairs[p].key == pairs[rows[i].gram].key; ++p) {
            const uint32_t slot = slot_of[pairs[p].label];
            if (slot / LANES != rows[i].cluster) continue;
            weights_[i * LANES + slot % LANES] = start[p];
            seen_[i * LANES + slot % LANES] = pairs[p].seen;
        }
    }
    starts_.push_back(static_cast<uint32_t>(rows.size()));
}

// A line keeps its 16 best pairs and drops the others: no probing, no overflow, one cache line per look-up.
void Table::choose_pairs(const Counts& counts, const std::vector<uint32_t>& slot_of, const std::vector<float>& value,
                         const std::vector<float>& start, const std::vector<uint32_t>& grams, const TableConfig& config) {
    const auto& pairs = counts.pairs();
    std::vector<uint32_t> chosen;
    for (uint32_t gram : grams)
        for (size_t i = gram; i < pairs.size() && pairs[i].key == pairs[gram].key; ++i)
            if (value[i] > 0) chosen.push_back(static_cast<uint32_t>(i));
    std::sort(chosen.begin(), chosen.end(), [&](uint32_t a, uint32_t b) {
        const uint32_t la = line_of(pairs[a].key, config.lines), lb = line_of(pairs[b].key, config.lines);
        if (la != lb) return la < lb;
        return value[a] != value[b] ? value[a] > value[b] : a < b;
    });
    line_starts_.assign(config.lines + 1, 0);
    std::vector<uint8_t> room(config.lines, LINE);  // an n-gram with rows needs one place for the reference to them
    for (uint64_t key : keys_)
        if (uint8_t& left = room[line_of(key, config.lines)]; left > 0) --left;
    for (uint32_t i : chosen) {
        const uint32_t line = line_of(pairs[i].key, config.lines);
        if (line_starts_[line + 1] == room[line]) continue;
        ++line_starts_[line + 1];
        pair_keys_.push_back(pairs[i].key);
        pair_slots_.push_back(static_cast<uint16_t>(slot_of[pairs[i].label]));
        pair_weights_.push_back(start[i]);
        pair_seen_.push_back(pairs[i].seen);
    }
    for (size_t line = 0; line < config.lines; ++line) line_starts_[line + 1] += line_starts_[line];
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

// A repeated n-gram counts once, as in scoring (text/repeats.hpp).
void Table::gather(const char* text, size_t size, Work& work, float drop, uint64_t& seed) const {
    work.keys.clear(), work.hits.clear();
    work.features = 0;
    KeySink sink{work.keys};
    each_feature(text, size, sink);
    std::sort(work.keys.begin(), work.keys.end());
    const auto cut = static_cast<uint64_t>(static_cast<double>(drop) * 18446744073709549568.0);
    for (size_t k = 0, next; k < work.keys.size(); k = next) {
        const uint64_t key = work.keys[k].first;
        for (next = k + 1; next < work.keys.size() && work.keys[next].first == key;) ++next;
        ++work.features;
        const auto times = static_cast<uint16_t>(std::min<size_t>(next - k, 255));
        if (work.keys[k].second >= 4 && drop > 0 && next_random(seed) < cut) continue;
        size_t at = key >> shift_;
        while (index_[at] != 0 && keys_[index_[at] - 1] != key) at = (at + 1) & (index_.size() - 1);
        if (index_[at] != 0) {
            work.hits.push_back({starts_[index_[at] - 1], starts_[index_[at]], times, true});
            continue;
        }
        const uint32_t line = line_of(key, lines_);
        for (uint32_t i = line_starts_[line]; i < line_starts_[line + 1]; ++i)
            if (pair_keys_[i] == key) work.hits.push_back({i, i + 1, times, false});
    }
}

void Table::sum(const Work& work, uint32_t first, uint32_t last, float* logits) const {
    for (const Hit& hit : work.hits) {
        if (!hit.dense) {
            const uint32_t slot = pair_slots_[hit.begin];
            if (slot / LANES >= first && slot / LANES < last) logits[slot - first * LANES] += pair_weights_[hit.begin];
            continue;
        }
        for (uint32_t row = hit.begin; row < hit.end; ++row) {
            const uint32_t cluster = cluster_[row];
            if (cluster < first || cluster >= last) continue;
            float* into = logits + (cluster - first) * LANES;
            for (int lane = 0; lane < LANES; ++lane) into[lane] += weights_[row * LANES + lane];
        }
    }
}

// Returns the part of the true label's score that comes from the example itself, whose text is in the counts. Without this
// correction a label with little text looks perfectly learnt, and loses to similar labels on new text.
float Table::leave_out(Work& work, uint32_t truth) const {
    float owed = 0;
    work.absent.assign(work.hits.size(), 0);
    for (size_t h = 0; h < work.hits.size(); ++h) {
        const Hit& hit = work.hits[h];
        uint32_t seen = 0;
        float weight = 0;
        if (!hit.dense) {
            if (pair_slots_[hit.begin] == truth) seen = pair_seen_[hit.begin], weight = pair_weights_[hit.begin];
        } else {
            for (uint32_t row = hit.begin; row < hit.end; ++row)
                if (cluster_[row] == truth / LANES) {
                    seen = seen_[row * LANES + truth % LANES];
                    weight = weights_[row * LANES + truth % LANES];
                }
        }
        if (seen == 0 || seen == 255) continue;
        if (seen <= hit.times) {
            owed += weight;
            work.absent[h] = 1;
        } else {
            const float rest = static_cast<float>(seen - hit.times);
            owed -= std::log((rest - 0.5f) / (static_cast<float>(seen) - 0.5f));
        }
    }
    return owed;
}

void Table::step(const Work& work, uint32_t first, uint32_t last, uint32_t truth, const FitConfig& config) {
    for (size_t h = 0; h < work.hits.size(); ++h) {
        const Hit& hit = work.hits[h];
        if (!hit.dense) {
            const uint32_t slot = pair_slots_[hit.begin];
            if (slot / LANES < first || slot / LANES >= last || (slot == truth && work.absent[h])) continue;
            const float g = work.slopes[slot - first * LANES];
            pair_sums_[hit.begin] += g * g;
            pair_weights_[hit.begin] -= config.rate * g / std::sqrt(pair_sums_[hit.begin]);
            continue;
        }
        for (uint32_t row = hit.begin; row < hit.end; ++row) {
            const uint32_t cluster = cluster_[row];
            if (cluster < first || cluster >= last || !work.live[cluster - first]) continue;
            const float* slope = &work.slopes[(cluster - first) * LANES];
            float* weight = &weights_[row * LANES];
            float* sums = &sums_[row * LANES];
            const float kept = weight[truth % LANES];
            for (int lane = 0; lane < LANES; ++lane) {
                const float g = slope[lane];
                sums[lane] += g * g;
                weight[lane] -= config.rate * g / std::sqrt(sums[lane]);
            }
            if (cluster == truth / LANES && work.absent[h]) weight[truth % LANES] = kept;
        }
    }
}

void Table::prepare(float damp) {
    sums_.assign(weights_.size(), damp);
    pair_sums_.assign(pair_weights_.size(), damp);
}

double Table::fit(const Lines& lines, const uint32_t* slots, uint32_t first, uint32_t last, const FitConfig& config, uint64_t seed) {
    if (sums_.size() != weights_.size()) prepare(config.damp);
    const size_t width = (last - first) * LANES;
    Work work;
    work.slopes.resize(width);
    work.live.resize(last - first);
    double loss = 0;
    for (size_t i = 0; i < lines.count; ++i) {
        gather(lines.text + lines.offsets[i], lines.offsets[i + 1] - lines.offsets[i], work, config.drop, seed);
        if (work.hits.empty()) continue;
        work.logits.assign(width, 0.f);
        sum(work, first, last, work.logits.data());
        work.logits[slots[i] - first * LANES] -= leave_out(work, slots[i]);
        const float scale = config.scale / std::pow(static_cast<float>(work.features), config.power);
        const float top = *std::max_element(work.logits.begin(), work.logits.end());
        float total = 0;
        for (size_t s = 0; s < width; ++s) total += work.slopes[s] = std::exp((work.logits[s] - top) * scale);
        const size_t truth = slots[i] - first * LANES;
        loss -= std::log(std::max(1e-9f, work.slopes[truth] / total));
        for (size_t s = 0; s < width; ++s) work.slopes[s] = (work.slopes[s] / total - (s == truth)) * scale;
        for (size_t c = 0; c < work.live.size(); ++c) {
            float most = 0;
            for (int lane = 0; lane < LANES; ++lane) most = std::max(most, std::fabs(work.slopes[c * LANES + lane]));
            work.live[c] = most > 1e-3f * scale;
        }
        step(work, first, last, slots[i], config);
    }
    return lines.count ? loss / static_cast<double>(lines.count) : 0;
}

}  // namespace webtongue
