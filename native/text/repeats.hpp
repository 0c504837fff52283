// Recognises repeated n-grams of a text, which count once because repetition adds little information.
//
// This is a small table of marks, not a set. A mark is lost when another n-gram takes its place, so that in a long text an n-gram counts
// again after some 500 letters. Directly repeated words, lines or letters never do.
#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>

namespace webtongue {

class Repeats {
public:
    // Returns an identifier for a new text. Several texts may be read in turns.
    uint16_t start_text() {
        if (++last_ == 0) {  // the counter has wrapped around
            std::fill(std::begin(marks_), std::end(marks_), uint64_t{0});
            last_ = 1;
        }
        return last_;
    }

    // True if an n-gram is new in a text, as far as the marks go back.
    bool is_new(uint64_t key, uint16_t text) {
        uint64_t& mark = marks_[key >> (64 - kBits)];
        const uint64_t new_mark = key << 16 | text;
        if (mark == new_mark) return false;
        mark = new_mark;
        return true;
    }

    static constexpr int kBits = 11;  // 16 kB of marks

private:
    uint64_t marks_[1 << kBits] = {};
    uint16_t last_ = 0;
};

// The instance of the calling thread. Defined in scorer.cpp: inlined, its address would be computed again for every n-gram.
Repeats& local_repeats();

}  // namespace webtongue
