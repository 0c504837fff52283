#include "text/decisive.hpp"

#include <algorithm>

#include "base/checks.hpp"
#include "text/decisive_keys.hpp"
#include "text/scorer.hpp"

namespace webtongue {
namespace {

constexpr int32_t kMaxLogProbGap = 8 * LOG_SCALE;  // a look-alike further behind the best guess is ignored
constexpr int kMaxBucketBits = 20;
constexpr int32_t kMaxShift = 24 * LOG_SCALE;  // larger shifts make no difference

// Sums the weights of all features of a text, each feature once.
class FeatureSums {
public:
    FeatureSums(const Decisive& decisive, uint8_t number)
        : decisive_(decisive), number_(number), size_(decisive.group(number).size), seen_(decisive.group(number).count, false) {}

    void operator()(uint64_t key) {
        const int32_t feature = decisive_.find(number_, key);
        if (feature < 0 || seen_[static_cast<size_t>(feature)]) return;
        seen_[static_cast<size_t>(feature)] = true;
        const int8_t* weights = decisive_.weights_of(number_, feature);
        for (int lane = 0; lane < size_; ++lane) totals[lane] += weights[lane];
    }

    int64_t totals[kMaxLookAlikes] = {};

private:
    const Decisive& decisive_;
    uint8_t number_;
    int size_;
    std::vector<bool> seen_;
};

bool has_close_look_alike(const Decisive& decisive, uint8_t number, const std::vector<Guess>& guesses) {
    return std::any_of(guesses.begin() + 1, guesses.end(), [&](const Guess& guess) {
        return guess.log_prob >= guesses.front().log_prob - kMaxLogProbGap && decisive.group_of(guess.label) == number;
    });
}

// The log of the summed probabilities of a group's labels relative to `top`, the highest of them.
int32_t log_mass(const Model& model, const std::vector<Guess*>& members, int32_t top) {
    uint64_t mass = 0;
    for (const Guess* guess : members) mass += model.exp_of(int64_t{top} - guess->log_prob);
    return model.log_of(mass);
}

int32_t highest(const std::vector<Guess*>& members) {
    int32_t top = members.front()->log_prob;
    for (const Guess* guess : members) top = std::max(top, guess->log_prob);
    return top;
}

}  // namespace

void Decisive::open(const Container& file, const Sections& sections, size_t label_count) {
    const auto groups = file.records<DecisiveGroup>(sections.groups, "a group of look-alikes is 40 bytes");
    const auto starts = file.records<uint32_t>(sections.starts, "the start of a bucket is 4 bytes");
    const auto tags = file.records<uint32_t>(sections.tags, "the tag of a decisive feature is 4 bytes");
    const auto weights = file.records<int8_t>(sections.weights, "");
    require(groups.count < kNoLookAlikes, "it has too many groups of look-alikes");
    group_of_.assign(label_count, kNoLookAlikes);
    size_t start = 0, tag = 0, weight = 0;
    for (const DecisiveGroup& group : groups) {
        require(group.bits >= 1 && group.bits <= kMaxBucketBits && group.size >= 2 && group.size <= kMaxLookAlikes,
                "a group of look-alikes has no labels or too many");
        const size_t buckets = (size_t{1} << group.bits) + 1;
        require(starts.count - start >= buckets && tags.count - tag >= group.count &&
                    weights.count - weight >= size_t{group.count} * group.size,
                "a group of look-alikes is cut short");
        for (int lane = 0; lane < group.size; ++lane) {
            const uint16_t label = group.labels[lane];
            require(label < label_count && group_of_[label] == kNoLookAlikes, "a label is in no group of look-alikes or in two");
            group_of_[label] = static_cast<uint8_t>(tables_.size());
        }
        tables_.push_back({&group, starts.data + start, tags.data + tag, weights.data + weight, KIND_ALL});
        check(tables_.back());
        start += buckets;
        tag += group.count;
        weight += size_t{group.count} * group.size;
    }
    require(start == starts.count && tag == tags.count && weight == weights.count, "there are decisive features of no group");
}

void Decisive::check(const Table& table) const {
    const size_t buckets = size_t{1} << table.group->bits;
    require(table.starts[0] == 0 && table.starts[buckets] == table.group->count,
            "the buckets of a group of look-alikes do not hold its features");
    for (size_t i = 0; i < buckets; ++i)
        require(table.starts[i] <= table.starts[i + 1], "the buckets of a group of look-alikes are out of order");
}

void Decisive::skip_ngrams(uint16_t label) {
    if (group_of_[label] != kNoLookAlikes) tables_[group_of_[label]].kinds = KIND_WORDS | KIND_PAIRS;
}

int Decisive::lane_of(uint8_t number, uint16_t label) const {
    const DecisiveGroup& group = *tables_[number].group;
    return static_cast<int>(std::find(group.labels, group.labels + group.size, label) - group.labels);
}

int32_t Decisive::find(uint8_t number, uint64_t key) const {
    const Table& table = tables_[number];
    const size_t bucket = key >> (64 - table.group->bits);
    const auto tag = static_cast<uint32_t>(key);
    for (uint32_t i = table.starts[bucket]; i < table.starts[bucket + 1]; ++i)
        if (table.tags[i] == tag) return static_cast<int32_t>(i);
    return -1;
}

const int8_t* Decisive::weights_of(uint8_t number, int32_t feature) const {
    return tables_[number].weights + static_cast<size_t>(feature) * tables_[number].group->size;
}

void rerank_look_alikes(const Model& model, const Span* spans, size_t count, std::vector<Guess>& guesses) {
    const Decisive& decisive = model.decisive();
    if (guesses.size() < 2 || !is_enabled(Check::look_alikes)) return;
    const uint8_t number = decisive.group_of(guesses.front().label);
    if (number == kNoLookAlikes || !has_close_look_alike(decisive, number, guesses)) return;
    FeatureSums sums(decisive, number);
    const int kinds = decisive.kinds_of(number);
    for (size_t i = 0; i < count; ++i) each_decisive_key(reinterpret_cast<const char*>(spans[i].begin), spans[i].size(), kinds, sums);
    std::vector<Guess*> members;
    for (Guess& guess : guesses)
        if (decisive.group_of(guess.label) == number) members.push_back(&guess);
    const int64_t best_sum = *std::max_element(sums.totals, sums.totals + decisive.group(number).size);
    const int32_t top = highest(members), mass = log_mass(model, members, top);
    for (Guess* guess : members) {
        const int64_t behind = (best_sum - sums.totals[decisive.lane_of(number, guess->label)]) * decisive.group(number).unit_log;
        guess->log_prob -= static_cast<int32_t>(std::min<int64_t>(behind, kMaxShift));
    }
    const int32_t new_top = highest(members), shift = top + mass - new_top - log_mass(model, members, new_top);
    for (Guess* guess : members) guess->log_prob = std::min(guess->log_prob + shift, 0);  // tables round up
    std::stable_sort(guesses.begin(), guesses.end(), is_likelier);
}

}  // namespace webtongue
