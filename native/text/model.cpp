#include "text/model.hpp"

#include <algorithm>
#include <atomic>
#include <string>

namespace webtongue {
namespace {

// Sections in the order of the file.
enum Section {
    LABELS,
    SCRIPT_NAMES_USED,
    INFOS,
    BLOCKS,
    SHARED,
    ROW_CLUSTERS,
    ROWS,
    PAIR_LINES,
    SCALES,
    EXPS,
    LOGS,
    LOOK_ALIKES,
    DECISIVE_STARTS,
    DECISIVE_TAGS,
    DECISIVE_WEIGHTS,
    MANIFEST,
    SECTIONS
};
constexpr Container::Format kFormat{"WTM\r\n\x1a\n", 3, SECTIONS};
constexpr Decisive::Sections kDecisive{LOOK_ALIKES, DECISIVE_STARTS, DECISIVE_TAGS, DECISIVE_WEIGHTS};

struct PairLine {
    uint32_t pairs[PAIRS_PER_LINE];
};

int bits_of(uint32_t value) {
    int bits = 0;
    while (value >> bits > 1) ++bits;
    return bits;
}

constexpr std::string_view kLatin = "lat_Latn";
constexpr int64_t kMinLowScore = 512;  // in 1/16 weight units; a lower value comes from too little text to measure it

}  // namespace

int32_t score_to_low(const LabelInfo& info, int32_t score, uint32_t features) {
    const int64_t low = std::max<int64_t>(info.low_score, kMinLowScore) * std::max(features, 1u);
    return static_cast<int32_t>(std::clamp<int64_t>(int64_t{score} * 16 * 1024 / low, 0, kMaxFit));
}

uint32_t scale_bucket(uint32_t features) {
    if (features < 4) return features;
    const int top = bits_of(features);
    return std::min<uint32_t>(SCALE_BUCKETS - 1, static_cast<uint32_t>(top - 1) * 4 + (features >> (top - 2) & 3));
}

Model::Model(Span memory, const std::vector<std::string>& word_labels) {
    static std::atomic<uint64_t> opened{0};
    serial_ = ++opened;
    const Container file(memory, kFormat);
    open_tables(file);
    scales_ = read_scales(file, SCALES).data;
    file.records<uint32_t>(SCALES, TIERS * SCALE_BUCKETS, "there is not a scale for each tier and number of features");
    exps_ = read_exps(file, EXPS);
    logs_ = read_logs(file, LOGS);
    manifest_ = file.text(MANIFEST);
    open_labels(file);
    decisive_.open(file, kDecisive, names_.size());
    for (const std::string& label : word_labels) {
        const auto name = std::find(names_.begin(), names_.end(), label);
        if (name != names_.end()) decisive_.skip_ngrams(static_cast<uint16_t>(name - names_.begin()));
    }
}

void Model::open_tables(const Container& file) {
    const auto lines = file.records<PairLine>(PAIR_LINES, "a line of n-grams is 64 bytes");
    require(lines.count > 0 && lines.count <= UINT32_MAX, "it has too many n-grams, or none");
    const auto blocks = file.records<Tables::Block>(BLOCKS, "the start of a block of lines is 8 bytes");
    require(blocks.count > lines.count / LINES_PER_BLOCK, "there are more lines of n-grams than starts of blocks");
    const auto shared = file.records<Shared>(SHARED, "an n-gram of many clusters is 64 bytes");
    const auto clusters = file.records<uint8_t>(ROW_CLUSTERS, "");
    require(shared.count <= UINT32_MAX && clusters.count <= UINT32_MAX, "it has too many rows");
    const auto rows = file.records<int8_t>(ROWS, clusters.count * LANES_PER_ROW, "there is not a cluster for each row of weights");
    tables_ = {blocks.data,       shared.data, static_cast<uint32_t>(shared.count),
               clusters.data,     rows.data,   static_cast<uint32_t>(clusters.count),
               lines.data->pairs, lines.count};
}

void Model::open_labels(const Container& file) {
    names_ = file.names(LABELS, 1, MAX_SLOTS);
    require_labels(names_);
    const std::vector<std::string_view> scripts = file.names(SCRIPT_NAMES_USED, 1, script_count());
    infos_ = file.records<LabelInfo>(INFOS, names_.size(), "there are not as many labels as facts about them").data;
    std::fill(std::begin(label_of_), std::end(label_of_), static_cast<int16_t>(-1));
    std::fill(std::begin(range_), std::end(range_), Range{0, 0});
    std::fill(std::begin(mixed_), std::end(mixed_), false);
    std::fill(std::begin(allowances_), std::end(allowances_), static_cast<int16_t>(0));
    for (size_t id = 0; id < names_.size(); ++id) {
        const LabelInfo& info = infos_[id];
        require(info.slot < MAX_SLOTS && label_of_[info.slot] < 0, "a label has no place of its own");
        require(info.tier >= 1 && info.tier <= TIERS, "a label's tier is not 1, 2 or 3");
        require(info.script < scripts.size(), "a label has no script");
        const uint8_t script = script_by_name(std::string(scripts[info.script]).c_str());
        require(script > SCRIPT_UNKNOWN, "a label's script is not known");
        place_label(static_cast<int16_t>(id), GROUPS.by_script[script]);
        if (names_[id] == kLatin) latin_ = static_cast<int32_t>(id);
    }
}

// Labels of one script group are in adjacent clusters. A cluster with labels of several groups is mixed.
void Model::place_label(int16_t id, uint8_t group) {
    const uint16_t slot = infos_[id].slot;
    const auto cluster = static_cast<uint16_t>(slot / LANES_PER_ROW);
    for (size_t lane = 0; lane < LANES_PER_ROW; ++lane) {
        const int16_t other = label_of_[size_t{cluster} * LANES_PER_ROW + lane];
        mixed_[cluster] |= other >= 0 && groups_[static_cast<size_t>(other)] != group;
    }
    label_of_[slot] = id;
    allowances_[slot] = infos_[id].allowance;
    groups_.push_back(group);
    Range& range = range_[group];
    if (range.first == range.last) range = {cluster, static_cast<uint16_t>(cluster + 1)};
    range.first = std::min(range.first, cluster);
    range.last = std::max<uint16_t>(range.last, static_cast<uint16_t>(cluster + 1));
    clusters_ = std::max<uint32_t>(clusters_, cluster + 1u);
}

// ln(mass / 2^30) in 1/LOG_SCALE nats, interpolated and rounded up, so that probabilities never sum to more than one. Mass is at least
// 2^30 in a valid file, since the best label has distance 0.
int32_t Model::log_of(uint64_t mass) const {
    mass = std::max(mass, uint64_t{1} << 30);
    int shift = 22;
    while (mass >> shift >= 512) ++shift;
    const uint64_t step = (mass >> shift) - 256, rest = mass & ((uint64_t{1} << shift) - 1);
    const uint64_t low = logs_[step], high = step < 255 ? logs_[step + 1] : kLn2, between = high > low ? high - low : 0;
    return (shift - 22) * kLn2 + static_cast<int32_t>(low + ((between * rest + (uint64_t{1} << shift) - 1) >> shift));
}

int32_t Model::scale_after(uint32_t features, int tier) const {
    const int row = std::clamp(tier, 1, TIERS) - 1;
    return static_cast<int32_t>(scales_[static_cast<uint32_t>(row * SCALE_BUCKETS) + scale_bucket(features)]);
}

}  // namespace webtongue
