#include "scorer.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

#include "model_simd.hpp"
#include "priors.hpp"

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
    spilled_ = false;
    shared_.clear();
}

void Scorer::force_baseline(bool on) { baseline_only.store(on, std::memory_order_relaxed); }

void Scorer::add(const char* text, size_t size, uint32_t limit) {
    limit_ = limit;
    if (more()) each_feature(text, size, *this);
}

void Scorer::drain() {
    if (waiting_ == 0) return;
    if (held_ + waiting_ > MOST_HELD) spill();
    uint32_t found[BATCH];
    const Seen seen = loops().weigh(model_.tables(), {keys_, waiting_, sums_, lifts_, found});
    unseen_ += seen.none;
    shared_.insert(shared_.end(), found, found + seen.shared);
    features_ += waiting_;
    held_ += waiting_;
    waiting_ = 0;
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
    for (uint32_t i = 0; i < other.touched_count_; ++i)
        letters(other.touched_[i], static_cast<int>(other.letters_[other.touched_[i]]));
    features_ += other.features_;
    unseen_ += other.unseen_;
}

// What the best label of each cluster can have at most, about.
void Scorer::hopes(size_t first, size_t count, const Priors& priors, int32_t* out) const {
    const size_t slot = first * LANES_PER_ROW;
    loops().highest(sums_ + slot, spilled_ ? totals_ + slot : nullptr, priors.barred.data() + slot, count, out);
    for (size_t i = 0; i < count && first + i < SHARED_CLUSTERS; ++i) out[i] += static_cast<int32_t>(lifts_[first + i]) * LIFT_UNIT;
}

Scorer& local_scorer(const Model& model, size_t which) {
    thread_local const Model* owner = nullptr;
    thread_local std::vector<std::unique_ptr<Scorer>> scorers;
    if (owner != &model) scorers.clear();
    owner = &model;
    while (scorers.size() <= which) scorers.push_back(std::make_unique<Scorer>(model));
    scorers[which]->reset();
    return *scorers[which];
}

}  // namespace webtongue
