#include "text/scorer.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

#include "text/priors.hpp"
#include "text/simd.hpp"

namespace webtongue {
namespace {

constexpr uint32_t MAX_ALLOWANCE_FEATURES = 1 << 16;  // more features get no allowance, which keeps the sums within 32 bits

std::atomic<bool> baseline_only{false};

const Loops& loops() { return baseline_only.load(std::memory_order_relaxed) ? baseline_loops() : best_loops(); }

}  // namespace

Scorer::Scorer(const Model& model) : model_(model) {
    std::fill(std::begin(sums_), std::end(sums_), static_cast<int16_t>(0));
    std::fill(std::begin(totals_), std::end(totals_), 0);
    std::fill(std::begin(letters_), std::end(letters_), 0u);
    std::fill(std::begin(lifts_), std::end(lifts_), 0u);
}

void Scorer::reset() {
    const size_t slots = model_.cluster_count() * LANES_PER_ROW;
    if (features_ > 0) {
        std::fill(sums_, sums_ + slots, static_cast<int16_t>(0));
        std::fill(std::begin(lifts_), std::end(lifts_), 0u);
    }
    if (spilled_) std::fill(totals_, totals_ + slots, 0);
    for (uint32_t i = 0; i < group_count_; ++i) letters_[groups_[i]] = 0;
    group_count_ = features_ = unseen_ = waiting_ = held_features_ = latin_names_ = 0;
    skip_mask_ = 0;
    text_ = 0;
    spilled_ = false;
    shared_.clear();
}

void Scorer::force_baseline(bool on) { baseline_only.store(on, std::memory_order_relaxed); }

uint32_t Scorer::add(Span text, uint32_t limit) {
    limit_ = limit;
    repeats_ = &local_repeats();
    if (text_ == 0) text_ = repeats_->start_text();
    return more() ? each_feature(reinterpret_cast<const char*>(text.begin), text.size(), *this) : 0;
}

void Scorer::add_features(const uint64_t* keys, size_t count, KeptHits* kept_hits, size_t first) {
    for (size_t at = 0; at < count; at += BATCH)
        add_weights(keys + at, static_cast<uint32_t>(std::min<size_t>(BATCH, count - at)), kept_hits, first + at);
}

void Scorer::drain() {
    if (waiting_ == 0) return;
    add_weights(keys_, waiting_, nullptr, 0);
    waiting_ = 0;
}

void Scorer::add_weights(const uint64_t* keys, uint32_t count, KeptHits* kept_hits, size_t first) {
    if (held_features_ + count > MAX_HELD_FEATURES) spill();
    BatchHits hits;
    unseen_ += loops().add_weights(model_.tables(), {keys, count, sums_, lifts_}, hits);
    for (uint32_t i = 0; i < hits.shared_count; ++i) shared_.push_back(hits.shared[i].entry);
    features_ += count;
    held_features_ += count;
    if (kept_hits == nullptr) return;
    const auto keep = [first](std::vector<Hit>& into, const Hit* hits, uint32_t n) {
        for (uint32_t i = 0; i < n; ++i) into.push_back({hits[i].entry, hits[i].key + static_cast<uint32_t>(first)});
    };
    keep(kept_hits->shared, hits.shared, hits.shared_count);
    keep(kept_hits->rows, hits.rows, hits.row_count);
    keep(kept_hits->pairs, hits.pairs, hits.pair_count);
}

void Scorer::spill() {
    const size_t slots = model_.cluster_count() * LANES_PER_ROW;
    loops().add(sums_, slots, totals_);
    std::fill(sums_, sums_ + slots, static_cast<int16_t>(0));
    held_features_ = 0;
    spilled_ = true;
}

void Scorer::score_clusters(const uint8_t* clusters, size_t count, int32_t* totals) const {
    const auto features = static_cast<int32_t>(std::min(features_, MAX_ALLOWANCE_FEATURES));
    for (size_t k = 0; k < count; ++k)
        for (size_t i = 0; i < LANES_PER_ROW; ++i) {
            const size_t slot = clusters[k] * LANES_PER_ROW + i;
            totals[k * LANES_PER_ROW + i] = sums_[slot] + totals_[slot] + ((model_.allowance_at(slot) * features) >> 4);
        }
    loops().score(model_.tables(), shared_.data(), shared_.size(), clusters, count, totals);
}

void Scorer::merge(const Scorer& other) {
    const size_t slots = model_.cluster_count() * LANES_PER_ROW;
    loops().add(other.sums_, slots, totals_);
    if (other.spilled_)
        for (size_t slot = 0; slot < slots; ++slot) totals_[slot] += other.totals_[slot];
    spilled_ = true;
    for (int cluster = 0; cluster < SHARED_CLUSTERS; ++cluster) lifts_[cluster] += other.lifts_[cluster];
    for (uint32_t i = 0; i < other.group_count_; ++i) letters(other.groups_[i], static_cast<int>(other.letters_[other.groups_[i]]));
    features_ += other.features_;
    unseen_ += other.unseen_;
    latin_names_ += other.latin_names_;
}

// An approximate upper bound on the best score in each cluster.
void Scorer::upper_bounds(size_t first, size_t count, const Priors& priors, int32_t* out) const {
    const size_t slot = first * LANES_PER_ROW;
    loops().highest(sums_ + slot, spilled_ ? totals_ + slot : nullptr, priors.barred.data() + slot, count, out);
    for (size_t i = 0; i < count && first + i < SHARED_CLUSTERS; ++i) out[i] += static_cast<int32_t>(lifts_[first + i]) * LIFT_UNIT;
}

void score_texts(const Model& model, const KeptHits& kept_hits, const uint16_t* texts, const Clusters& clusters, RowSums* sums) {
    loops().score_texts(model.tables(), kept_hits, texts, clusters.data(), clusters.size(), sums->lanes);
}

Repeats& local_repeats() {
    thread_local Repeats repeats;
    return repeats;
}

Scorer& local_scorer(const Model& model, size_t index) {
    thread_local const Model* owner = nullptr;
    thread_local uint64_t serial = 0;
    thread_local std::vector<std::unique_ptr<Scorer>> scorers;
    if (owner != &model || serial != model.serial()) scorers.clear();
    owner = &model;
    serial = model.serial();
    while (scorers.size() <= index) scorers.push_back(std::make_unique<Scorer>(model));
    scorers[index]->reset();
    return *scorers[index];
}

}  // namespace webtongue
