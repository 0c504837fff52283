#include "text/model.hpp"

#include <algorithm>
#include <cstring>

namespace webtongue {
namespace {

constexpr char MAGIC[8] = {'W', 'T', 'M', '\r', '\n', 0x1A, '\n', 0};
constexpr uint32_t VERSION = 2;

// Sections in the order of the file's directory.
enum Section { LABELS, SCRIPT_NAMES_USED, INFOS, BLOCKS, SHARED, ROW_CLUSTERS, ROWS, PAIR_LINES, SCALES, EXPS, LOGS, MANIFEST, SECTIONS };

struct Header {
    char magic[8];
    uint32_t version, sections;
    uint64_t size, checksum;
    struct {
        uint64_t offset, size;
    } section[SECTIONS];
};

std::vector<std::string_view> split_lines(std::string_view text) {
    std::vector<std::string_view> out;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        out.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

bool fail(std::string& error, const char* reason) {
    error = reason;
    return false;
}

int bits_of(uint32_t value) {
    int bits = 0;
    while (value >> bits > 1) ++bits;
    return bits;
}

}  // namespace

// Four buckets an octave of feature counts.
uint32_t scale_bucket(uint32_t features) {
    if (features < 4) return features;
    const int top = bits_of(features);
    return std::min<uint32_t>(SCALE_BUCKETS - 1, static_cast<uint32_t>(top - 1) * 4 + (features >> (top - 2) & 3));
}

bool Model::open(const uint8_t* data, size_t size, std::string& error) {
    Header header;
    if (reinterpret_cast<uintptr_t>(data) % 16 != 0) return fail(error, "model file: memory must start at a multiple of 16");
    if (size < sizeof header) return fail(error, "model file: shorter than its header");
    std::memcpy(&header, data, sizeof header);
    if (std::memcmp(header.magic, MAGIC, sizeof MAGIC) != 0) return fail(error, "model file: wrong magic");
    if (header.version != VERSION || header.sections != SECTIONS) return fail(error, "model file: unknown version");
    if (header.size != size) return fail(error, "model file: truncated or padded");
    for (const auto& section : header.section)
        if (section.offset % 64 != 0 || section.offset > size || section.size > size - section.offset)
            return fail(error, "model file: a section lies outside the file");
    const auto at = [&](Section s) { return data + header.section[s].offset; };
    const auto bytes = [&](Section s) { return header.section[s].size; };
    const auto text = [&](Section s) { return std::string_view(reinterpret_cast<const char*>(at(s)), static_cast<size_t>(bytes(s))); };
    tables_ = {reinterpret_cast<const Tables::Block*>(at(BLOCKS)),
               reinterpret_cast<const Shared*>(at(SHARED)),
               static_cast<uint32_t>(bytes(SHARED) / sizeof(Shared)),
               at(ROW_CLUSTERS),
               reinterpret_cast<const int8_t*>(at(ROWS)),
               static_cast<uint32_t>(bytes(ROW_CLUSTERS)),
               reinterpret_cast<const uint32_t*>(at(PAIR_LINES)),
               bytes(PAIR_LINES) / 64};
    const uint64_t lines = tables_.line_count;
    if (lines == 0 || lines > UINT32_MAX || bytes(BLOCKS) / sizeof(Tables::Block) < lines / LINES_PER_BLOCK + 1 ||
        bytes(SHARED) % sizeof(Shared) != 0 || bytes(SHARED) / sizeof(Shared) > UINT32_MAX || bytes(ROW_CLUSTERS) > UINT32_MAX ||
        bytes(ROWS) != bytes(ROW_CLUSTERS) * LANES_PER_ROW)
        return fail(error, "model file: table sizes do not fit each other");
    scales_ = reinterpret_cast<const uint32_t*>(at(SCALES));
    exps_ = reinterpret_cast<const uint32_t*>(at(EXPS));
    logs_ = reinterpret_cast<const uint32_t*>(at(LOGS));
    if (bytes(SCALES) != TIERS * SCALE_BUCKETS * 4 || bytes(EXPS) != EXP_STEPS * 4 || bytes(LOGS) != 256 * 4)
        return fail(error, "model file: calibration tables have the wrong size");
    infos_ = reinterpret_cast<const LabelInfo*>(at(INFOS));
    names_ = split_lines(text(LABELS));
    if (names_.empty() || names_.size() > MAX_SLOTS || bytes(INFOS) != names_.size() * sizeof(LabelInfo))
        return fail(error, "model file: label table has the wrong size");
    for (char byte : text(LABELS))
        if (byte != '\n' && (byte < '!' || byte > '~')) return fail(error, "model file: a label is not plain ASCII");
    manifest_ = text(MANIFEST);
    return open_labels(text(SCRIPT_NAMES_USED), error);
}

bool Model::open_labels(std::string_view script_names, std::string& error) {
    const std::vector<std::string_view> scripts = split_lines(script_names);
    std::fill(std::begin(label_of_), std::end(label_of_), static_cast<int16_t>(-1));
    std::fill(std::begin(range_), std::end(range_), Range{0, 0});
    std::fill(std::begin(mixed_), std::end(mixed_), false);
    std::fill(std::begin(allowances_), std::end(allowances_), static_cast<int16_t>(0));
    int group_in[MAX_CLUSTERS];
    std::fill(std::begin(group_in), std::end(group_in), -1);
    groups_.clear();
    clusters_ = 0;
    for (size_t id = 0; id < names_.size(); ++id) {
        const LabelInfo& info = infos_[id];
        if (info.slot >= MAX_SLOTS || info.script >= scripts.size() || label_of_[info.slot] >= 0)
            return fail(error, "model file: a label has no place of its own");
        const uint8_t script = script_by_name(std::string(scripts[info.script]).c_str());
        const uint8_t group = GROUPS.of[script];
        const auto cluster = static_cast<uint16_t>(info.slot / LANES_PER_ROW);
        label_of_[info.slot] = static_cast<int16_t>(id);
        allowances_[info.slot] = info.allowance;
        groups_.push_back(group);
        mixed_[cluster] |= group_in[cluster] >= 0 && group_in[cluster] != group;
        group_in[cluster] = group;
        Range& range = range_[group];
        if (range.first == range.last) range = {cluster, static_cast<uint16_t>(cluster + 1)};
        range.first = std::min(range.first, cluster);
        range.last = std::max<uint16_t>(range.last, static_cast<uint16_t>(cluster + 1));
        clusters_ = std::max<uint32_t>(clusters_, cluster + 1u);
    }
    return true;
}

// ln(mass / 2^30) in 1/1024 nats: mass is at least 2^30 in a sound file, since the best label stands at distance 0.
int32_t Model::log_of(uint64_t mass) const {
    constexpr int LN2 = 710;
    const uint64_t whole = std::max<uint64_t>(mass >> 22, 256);
    int shift = 0;
    while (whole >> shift >= 512) ++shift;
    return shift * LN2 + static_cast<int32_t>(logs_[(whole >> shift) - 256]);
}

int32_t Model::scale_after(uint32_t features, int tier) const {
    const int row = std::clamp(tier, 1, TIERS) - 1;
    return static_cast<int32_t>(scales_[static_cast<uint32_t>(row * SCALE_BUCKETS) + scale_bucket(features)]);
}

}  // namespace webtongue
