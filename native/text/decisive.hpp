// Separates look-alike labels by decisive features: words, endings and characters that occur in only one of them.
//
// The scorer sums the weights of hundreds of n-grams, and nearly all of these weights are equal for look-alikes. Therefore each group
// of look-alikes has a small table of its own that maps a feature to one weight per label, fitted to classify held-out sources
// (lab/train/text/decisive.py). The table is used only if two labels of the group are among the best guesses. A feature counts once
// however often it occurs, and it moves probability only within the group.
#pragma once
#include <vector>

#include "base/container.hpp"

namespace webtongue {

class Model;
struct Guess;

constexpr int kMaxLookAlikes = 16;
constexpr uint8_t kNoLookAlikes = 0xFF;

struct DecisiveGroup {  // the layout in the file
    uint32_t count;  // features, stored after those of the previous groups
    uint8_t bits;  // the top bits of a key select one of 2^bits buckets
    uint8_t size;  // number of labels
    uint16_t unit_log;  // one unit of weight in 1/LOG_SCALE nats
    uint16_t labels[kMaxLookAlikes];
};

// The tables of all groups. They are checked when opened, so that no lookup can leave them.
class Decisive {
public:
    // Section numbers of groups, bucket starts, tags (the low half of a key) and weights.
    struct Sections {
        size_t groups, starts, tags, weights;
    };
    void open(const Container& file, const Sections& sections, size_t label_count);

    // Reads no n-grams for the group of a label, whose features are words and pairs of words.
    void skip_ngrams(uint16_t label);
    int kinds_of(uint8_t number) const { return tables_[number].kinds; }  // flags of decisive_keys.hpp

    uint8_t group_of(uint16_t label) const { return group_of_[label]; }  // or kNoLookAlikes
    const DecisiveGroup& group(uint8_t number) const { return *tables_[number].group; }

    // The index of a label in the weights of its group.
    int lane_of(uint8_t number, uint16_t label) const;
    // The index of a feature within its group, or -1, and the weights of a feature, one per label.
    int32_t find(uint8_t number, uint64_t key) const;
    const int8_t* weights_of(uint8_t number, int32_t feature) const;

private:
    struct Table {
        const DecisiveGroup* group;
        const uint32_t* starts;  // 2^bits + 1 offsets
        const uint32_t* tags;
        const int8_t* weights;
        int kinds;
    };
    void check(const Table& table) const;

    std::vector<Table> tables_;
    std::vector<uint8_t> group_of_;
};

// Moves probability between the best guess and its look-alikes by the features of the text, and sorts the guesses. Does nothing if no
// look-alike is close to the best guess.
void rerank_look_alikes(const Model& model, const Span* spans, size_t count, std::vector<Guess>& guesses);

}  // namespace webtongue
