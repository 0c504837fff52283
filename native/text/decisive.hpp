// Look-alikes told apart by decisive features: words, endings, characters whose presence settles which of a few labels a text is in.
//
// The scorer sums what hundreds of n-grams say, and between look-alikes nearly all of them say nothing. Each group of look-alikes has
// a small table of its own: feature -> a weight for each of its labels, fitted so that sources left out are read rightly
// (train/text/decisive.py). It is asked only where two labels of the group are among the best guesses; a feature counts once, however often
// it stands in the text; and what it says moves probability within the group alone.
#pragma once
#include <vector>

#include "base/container.hpp"

namespace webtongue {

class Model;
struct Guess;

constexpr int kMostLookAlikes = 16;  // labels of a group
constexpr uint8_t kNoLookAlikes = 0xFF;

struct DecisiveGroup {  // as in the file
    uint32_t count;  // features; those of the groups before come first
    uint8_t bits;  // of a key that say in which of its 2^bits buckets it is looked for
    uint8_t size;  // labels
    uint16_t trust;  // what a unit of weight is worth, 1/1024 nats
    uint16_t labels[kMostLookAlikes];
};

// The tables of all groups, checked when opened: no look-up can leave them.
class Decisive {
public:
    // Sections: groups, starts of buckets, tags (the low half of a key), weights.
    struct Sections {
        size_t groups, starts, tags, weights;
    };
    void open(const Container& file, const Sections& sections, size_t label_count);

    uint8_t group_of(uint16_t label) const { return group_of_[label]; }  // kNoLookAlikes where a label has none
    const DecisiveGroup& group(uint8_t number) const { return *tables_[number].group; }
    size_t group_count() const { return tables_.size(); }

    // Which lane of a group's weights is a label's.
    int lane_of(uint8_t number, uint16_t label) const;
    // The number of a feature within its group, -1 where the group does not have it; and its weights, one a label.
    int32_t find(uint8_t number, uint64_t key) const;
    const int8_t* weights_of(uint8_t number, int32_t feature) const;

private:
    struct Table {
        const DecisiveGroup* group;
        const uint32_t* starts;  // 2^bits + 1
        const uint32_t* tags;
        const int8_t* weights;
    };
    void check(const Table& table) const;

    std::vector<Table> tables_;
    std::vector<uint8_t> group_of_;
};

// Moves probability between the best guess and its look-alikes as far as the features of the text say so, and puts the guesses in order.
// Nothing happens, and nothing is read, where no look-alike is near the best guess.
void ask_decisive(const Model& model, const Span* stretches, size_t count, std::vector<Guess>& guesses);

}  // namespace webtongue
