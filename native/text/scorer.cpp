#include "text/scorer.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

#include "text/priors.hpp"
#include "text/simd.hpp"

namespace webtongue {
namespace {

constexpr uint32_t MOST_ALLOWED = 1 << 16;  // features that allowances are granted for: 32-bit sums hold them

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
    for (uint32_t i = 0; i < touched_count_; ++i) letters_[touched_[i]] = 0;
    touched_count_ = features_ = unseen_ = waiting_ = held_ = 0;
    passed_over_ = 0;
    text_ = 0;
    spilled_ = false;
    shared_.clear();
}

void Scorer::force_baseline(bool on) { baseline_only.store(on, std::memory_order_relaxed); }

uint32_t Scorer::add(const char* text, size_t size, uint32_t limit) {
    limit_ = limit;
    repeats_ = &local_repeats();
    if (text_ == 0) text_ = repeats_->begin();
    return more() ? each_feature(text, size, *this) : 0;
}

void Scorer::add_features(const uint64_t* keys, size_t count, Kept* kept, size_t first) {
    for (size_t at = 0; at < count; at += BATCH)
        weigh(keys + at, static_cast<uint32_t>(std::min<size_t>(BATCH, count - at)), kept, first + at);
}

void Scorer::drain() {
    if (waiting_ == 0) return;
    weigh(keys_, waiting_, nullptr, 0);
    waiting_ = 0;
}

void Scorer::weigh(const uint64_t* keys, uint32_t count, Kept* kept, size_t first) {
    if (held_ + count > MOST_HELD) spill();
    Found found;
    unseen_ += loops().weigh(model_.tables(), {keys, count, sums_, lifts_}, found);
    for (uint32_t i = 0; i < found.shared_count; ++i) shared_.push_back(found.shared[i].what);
    features_ += count;
    held_ += count;
    if (kept == nullptr) return;
    const auto keep = [first](std::vector<Hit>& into, const Hit* hits, uint32_t n) {
        for (uint32_t i = 0; i < n; ++i) into.push_back({hits[i].what, hits[i].key + static_cast<uint32_t>(first)});
    };
    keep(kept->shared, found.shared, found.shared_count);
    keep(kept->rows, found.rows, found.row_count);
    keep(kept->pairs, found.pairs, found.pair_count);
}

void Scorer::spill() {
    const size_t slots = model_.cluster_count() * LANES_PER_ROW;
    loops().add(sums_, slots, totals_);
    std::fill(sums_, sums_ + slots, static_cast<int16_t>(0));
    held_ = 0;
    spilled_ = true;
}

void Scorer::score_in(const uint8_t* clusters, size_t count, int32_t* totals) const {
    const auto features = static_cast<int32_t>(std::min(features_, MOST_ALLOWED));
    for (size_t k = 0; k < count; ++k)
        for (size_t i = 0; i < LANES_PER_ROW; ++i) {
            const size_t slot = clusters[k] * LANES_PER_ROW + i;
            totals[k * LANES_PER_ROW + i] = sums_[slot] + totals_[slot] + ((model_.allowance_at(slot) * features) >> 4);
        }
    loops().score(model_.tables(), shared_.data(), shared_.size(), clusters, count, totals);
}

void Scorer::absorb(const Scorer& other) {
    const size_t slots = model_.cluster_count() * LANES_PER_ROW;
    loops().add(other.sums_, slots, totals_);
    if (other.spilled_)
        for (size_t slot = 0; slot < slots; ++slot) totals_[slot] += other.totals_[slot];
    spilled_ = true;
    for (int cluster = 0; cluster < SHARED_CLUSTERS; ++cluster) lifts_[cluster] += other.lifts_[cluster];
    for (uint32_t i = 0; i < other.touched_count_; ++i) letters(other.touched_[i], static_cast<int>(other.letters_[other.touched_[i]]));
    features_ += other.features_;
    unseen_ += other.unseen_;
}

// What the best label of each cluster can have at most, about.
void Scorer::upper_bounds(size_t first, size_t count, const Priors& priors, int32_t* out) const {
    const size_t slot = first * LANES_PER_ROW;
    loops().highest(sums_ + slot, spilled_ ? totals_ + slot : nullptr, priors.barred.data() + slot, count, out);
    for (size_t i = 0; i < count && first + i < SHARED_CLUSTERS; ++i) out[i] += static_cast<int32_t>(lifts_[first + i]) * LIFT_UNIT;
}

void score_each(const Model& model, const Kept& kept, const uint16_t* texts, const Clusters& clusters, RowSums* sums) {
    loops().score_each(model.tables(), kept, texts, clusters.data(), clusters.size(), sums->of);
}

Scorer& local_scorer(const Model& model, size_t which) {
    thread_local const Model* owner = nullptr;
    thread_local uint64_t serial = 0;
    thread_local std::vector<std::unique_ptr<Scorer>> scorers;
    if (owner != &model || serial != model.serial()) scorers.clear();
    owner = &model;
    serial = model.serial();
    while (scorers.size() <= which) scorers.push_back(std::make_unique<Scorer>(model));
    scorers[which]->reset();
    return *scorers[which];
}

}  // namespace webtongue
