#include "model.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

#include "features.hpp"
#include "model_simd.hpp"

namespace webtongue {
namespace {

constexpr char MAGIC[8] = {'W', 'T', 'M', '\r', '\n', 0x1A, '\n', 0};
constexpr uint32_t VERSION = 1;
constexpr int WINDOW = 16 * NATS;    // guesses this far behind the best are as good as impossible
constexpr uint32_t CJK_WEIGHT = 3;   // a Han character carries about what three letters do

// Sections in the order of the file's directory.
enum Section { LABELS, SCRIPT_NAMES_USED, INFOS, BLOCKS, ROW_CLUSTERS, ROWS, PAIR_LINES, HEATS, EXPS, LOGS, MANIFEST, SECTIONS };

struct Header {
    char magic[8];
    uint32_t version, sections;
    uint64_t size, checksum;
    struct { uint64_t offset, size; } section[SECTIONS];
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

// Four buckets an octave of feature counts.
uint32_t heat_bucket(uint32_t features) {
    if (features < 4) return features;
    const int top = bits_of(features);
    return std::min<uint32_t>(HEAT_BUCKETS - 1, static_cast<uint32_t>(top - 1) * 4 + (features >> (top - 2) & 3));
}

std::atomic<bool> baseline_only{false};

const Loops& loops() { return baseline_only.load(std::memory_order_relaxed) ? baseline_loops() : best_loops(); }

}  // namespace

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
    const auto text = [&](Section s) {
        return std::string_view(reinterpret_cast<const char*>(at(s)), static_cast<size_t>(bytes(s)));
    };
    blocks_ = reinterpret_cast<const uint32_t*>(at(BLOCKS));
    row_cluster_ = at(ROW_CLUSTERS);
    rows_ = reinterpret_cast<const int8_t*>(at(ROWS));
    row_count_ = static_cast<uint32_t>(bytes(ROW_CLUSTERS));
    lines_ = reinterpret_cast<const uint32_t*>(at(PAIR_LINES));
    line_count_ = bytes(PAIR_LINES) / 64;
    if (line_count_ == 0 || line_count_ > UINT32_MAX || bytes(BLOCKS) / 4 < line_count_ / LINES_PER_BLOCK + 1 ||
        bytes(ROW_CLUSTERS) > UINT32_MAX || bytes(ROWS) != bytes(ROW_CLUSTERS) * LANES_PER_ROW)
        return fail(error, "model file: table sizes do not fit each other");
    heats_ = reinterpret_cast<const uint32_t*>(at(HEATS));
    exps_ = reinterpret_cast<const uint32_t*>(at(EXPS));
    logs_ = reinterpret_cast<const uint32_t*>(at(LOGS));
    if (bytes(HEATS) != HEAT_BUCKETS * 4 || bytes(EXPS) != EXP_STEPS * 4 || bytes(LOGS) != 256 * 4)
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
        groups_.push_back(group);
        Range& range = range_[group];
        if (range.first == range.last) range = {cluster, static_cast<uint16_t>(cluster + 1)};
        range.first = std::min(range.first, cluster);
        range.last = std::max<uint16_t>(range.last, static_cast<uint16_t>(cluster + 1));
        clusters_ = std::max<uint32_t>(clusters_, cluster + 1u);
    }
    return true;
}

Scorer::Scorer(const Model& model) : model_(model) {
    std::fill(std::begin(sums_), std::end(sums_), static_cast<int16_t>(0));
    std::fill(std::begin(totals_), std::end(totals_), 0);
    std::fill(std::begin(letters_), std::end(letters_), 0u);
}

void Scorer::reset() {
    const size_t slots = model_.clusters_ * LANES_PER_ROW;
    if (waiting_ > 0) waiting_ = 0;
    if (features_ > 0) std::fill(totals_, totals_ + slots, 0);  // sums_ are zero after every drain
    for (uint32_t i = 0; i < touched_count_; ++i) letters_[touched_[i]] = 0;
    touched_count_ = features_ = unseen_ = 0;
    passed_over_ = 0;
}

void Scorer::force_baseline(bool on) { baseline_only.store(on, std::memory_order_relaxed); }

void Scorer::add(const char* text, size_t size, uint32_t limit) {
    limit_ = limit;
    if (more()) each_feature(text, size, *this);
}

void Scorer::drain() {
    const Tables tables{keys_, waiting_, model_.blocks_, model_.row_cluster_, model_.rows_,
                        model_.row_count_, model_.lines_, model_.line_count_, sums_,
                        model_.clusters_ * LANES_PER_ROW, totals_};
    unseen_ += loops().weigh(tables);
    loops().flush(tables);
    features_ += waiting_;
    waiting_ = 0;
}

uint8_t Scorer::best_group(const uint8_t* allowed) const {
    uint32_t most = 0;
    uint8_t best = 0;
    for (uint32_t i = 0; i < touched_count_; ++i) {
        const uint8_t group = touched_[i];
        const uint32_t weight = letters_[group] * (group == GROUPS.cjk ? CJK_WEIGHT : 1);
        if (weight < most || (weight == most && group >= best)) continue;
        if (allowed != nullptr && best_total(group, allowed) == INT32_MIN) continue;
        most = weight;
        best = group;
    }
    return best;
}

// The highest score among a group's candidates, INT32_MIN where it has none.
int32_t Scorer::best_total(uint8_t group, const uint8_t* allowed) const {
    const uint32_t first = model_.range_[group].first * LANES_PER_ROW, last = model_.range_[group].last * LANES_PER_ROW;
    int32_t best = INT32_MIN;
    if (allowed == nullptr && last - first > 4 * LANES_PER_ROW) {
        // The empty lanes of a large group stand at 0, so a positive maximum belongs to a label.
        best = loops().highest(totals_ + first, last - first);
        if (best > 0) return best;
        best = INT32_MIN;
    }
    for (uint32_t slot = first; slot < last; ++slot)
        if (totals_[slot] > best && possible(group, slot, allowed)) best = totals_[slot];
    return best;
}

Outcome Scorer::finish(size_t most, const uint8_t* allowed) {
    if (waiting_ > 0) drain();
    Outcome out;
    out.features = features_;
    out.unseen = unseen_;
    for (uint32_t i = 0; i < touched_count_; ++i) out.letters += letters_[touched_[i]];
    if (out.letters == 0) return out;
    out.group = best_group(allowed);
    out.group_letters = letters_[out.group];
    const int32_t best = best_total(out.group, allowed);
    if (best == INT32_MIN) return out;

    const int64_t heat = this->heat();
    const int64_t window = heat == 0 ? INT32_MAX : (static_cast<int64_t>(WINDOW) << 16) / heat;
    const int64_t least = best - window;
    const Model::Range range = model_.range_[out.group];
    uint64_t mass = 0;
    near_.clear();
    for (uint32_t slot = range.first * LANES_PER_ROW; slot < range.last * LANES_PER_ROW; ++slot) {
        if (totals_[slot] < least || !possible(out.group, slot, allowed)) continue;
        const int64_t nats = ((static_cast<int64_t>(best) - totals_[slot]) * heat) >> 16;
        mass += model_.exp_of(nats);
        near_.push_back({static_cast<uint16_t>(model_.label_of_[slot]), totals_[slot], static_cast<int32_t>(-nats)});
    }
    const int32_t log_mass = model_.log_of(mass);
    const auto better = [](const Guess& a, const Guess& b) { return a.score != b.score ? a.score > b.score : a.label < b.label; };
    const auto kept = near_.begin() + static_cast<ptrdiff_t>(std::min(most, near_.size()));
    std::partial_sort(near_.begin(), kept, near_.end(), better);
    out.guesses.assign(near_.begin(), kept);
    for (Guess& guess : out.guesses) guess.log_prob -= log_mass;
    return out;
}

// ln(mass / 2^30) in 1/1024 nats: mass is at least 2^30 in a sound file, since the best label stands at distance 0.
int32_t Model::log_of(uint64_t mass) const {
    constexpr int LN2 = 710;
    const uint64_t whole = std::max<uint64_t>(mass >> 22, 256);
    int shift = 0;
    while (whole >> shift >= 512) ++shift;
    return shift * LN2 + static_cast<int32_t>(logs_[(whole >> shift) - 256]);
}

void Scorer::absorb(const Scorer& other) {
    const size_t slots = model_.clusters_ * LANES_PER_ROW;
    for (size_t slot = 0; slot < slots; ++slot) totals_[slot] += other.totals_[slot];
    for (uint32_t i = 0; i < other.touched_count_; ++i) letters(other.touched_[i], static_cast<int>(other.letters_[other.touched_[i]]));
    features_ += other.features_;
    unseen_ += other.unseen_;
}

int32_t Scorer::heat() const { return static_cast<int32_t>(model_.heats_[heat_bucket(features_)]); }

Scorer& local_scorer(const Model& model, int which) {
    thread_local const Model* owner[2] = {nullptr, nullptr};
    thread_local std::unique_ptr<Scorer> scorers[2];
    if (owner[which] != &model || !scorers[which]) {
        scorers[which] = std::make_unique<Scorer>(model);
        owner[which] = &model;
    }
    scorers[which]->reset();
    return *scorers[which];
}

int32_t Scorer::best() {
    if (waiting_ > 0) drain();
    const uint8_t group = best_group(nullptr);
    const int32_t most = best_total(group, nullptr);
    const Model::Range range = model_.range_[group];
    int32_t best = -1;
    for (uint32_t slot = range.first * LANES_PER_ROW; slot < range.last * LANES_PER_ROW; ++slot)
        if (totals_[slot] == most && possible(group, slot, nullptr) && (best < 0 || model_.label_of_[slot] < best))
            best = model_.label_of_[slot];
    return best;
}

}  // namespace webtongue
