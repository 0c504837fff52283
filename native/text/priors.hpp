// Priors over labels, and ranking with them: turns scores into probabilities.
#pragma once

#include <vector>

#include "text/scorer.hpp"

namespace webtongue {

constexpr int32_t kImpossible = -(1 << 30);
constexpr size_t kTopSlots = 4;
constexpr uint16_t kNoSlot = 0xFFFF;
constexpr int32_t kBarredPenalty = -kImpossible;  // subtracted from the score of a barred slot

// The information of one character of a script group, in half letters.
uint32_t letter_weight(uint8_t group);

constexpr int kWeightBits = 10;
constexpr int32_t kFullWeight = 1 << kWeightBits;  // the weight of a prior that counts in full

// How priors fade: the more text there is, and the better it fits its best label, the less they count. policy.py documents the numbers.
struct PriorFade {
    uint32_t half_features = 0;  // number of features at which a prior counts half; 0 if priors do not fade
    int32_t min_fit = 0,
            full_fit = kFullWeight;  // in 1/1024 of the label's low score: no fading below the first, all of it above the second
};

// Log priors in the layout of the scores, so that ranking is a few passes over plain arrays.
struct Priors {
    // `allowed` has one byte per label, 0 for those that are scored but never returned; null if all are allowed.
    Priors(const Model& model, const int32_t* by_label, const uint8_t* allowed, PriorFade fade = {});

    // The weight of the priors, in 1/kFullWeight, for a text with a number of features and the score of its best label.
    int32_t weight(const LabelInfo& best, int32_t score, uint32_t features) const;
    int32_t min_weight(uint32_t features) const;  // the same for a text that fits its label
    int32_t faded(int32_t log_prior, int32_t weight) const { return origin + ((log_prior - origin) * weight >> kWeightBits); }

    bool has_allowlist() const { return !outside.empty(); }
    bool is_allowed(const Model& model, int32_t label) const {
        return !has_allowlist() || !outside[model.info(static_cast<size_t>(label)).slot];
    }

    int32_t log_prior(const Model& model, size_t label) const { return by_slot[model.info(label).slot]; }

    // The log prior of a label in a chunk of a page, whether it is allowed or not.
    int32_t chunk_prior(uint16_t slot) const { return by_slot[slot] + (has_allowlist() && outside[slot] ? outside_offset : 0); }

    std::vector<int32_t> by_slot;  // in 1/LOG_SCALE nats; 0 for an empty slot
    std::vector<int16_t> barred;  // -1 for an empty slot, otherwise 0
    std::vector<uint8_t> outside;  // 1 for a label that is not allowed; empty if all are
    std::vector<int32_t> cluster_max;  // the highest prior of each cluster, or kImpossible
    bool has_labels[256] = {};  // script groups that have labels
    uint16_t top_slots[256][kTopSlots];  // slots of each script group, the highest prior first, padded with kNoSlot
    int32_t highest = INT32_MIN;  // the highest prior of an allowed label, which rarity is relative to
    int32_t origin = 0;  // the highest prior of all labels, which fading leaves as it is
    PriorFade fade;
    int32_t total = 0;  // log of the sum of all priors
    int32_t outside_offset = 0;  // gap between the highest prior and the highest one outside the allowlist

private:
    void rank_slot(const Model& model, size_t id);
};

}  // namespace webtongue
