// Which n-grams of a text came before in it: what is said again says little new, so each counts once.
//
// A small table of marks, not a set: a mark is lost when another n-gram falls on its place, so that in a long text an n-gram
// counts again after some 500 letters. What is repeated word by word, line by line or letter by letter never does.
#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>

namespace webtongue {

class Repeats {
public:
    // A number for a new text. Texts may be read in turns.
    uint16_t begin() {
        if (++last_ == 0) {  // the numbers have gone round
            std::fill(std::begin(marks_), std::end(marks_), uint64_t{0});
            last_ = 1;
        }
        return last_;
    }

    // Whether a text has this n-gram for the first time, as far as is remembered.
    bool is_new(uint64_t key, uint16_t text) {
        uint64_t& mark = marks_[key >> (64 - kBits)];
        const uint64_t own = key << 16 | text;
        if (mark == own) return false;
        mark = own;
        return true;
    }

    static constexpr int kBits = 11;  // 16 kB of marks

private:
    uint64_t marks_[1 << kBits] = {};
    uint16_t last_ = 0;
};

// The calling thread's.
inline Repeats& local_repeats() {
    thread_local Repeats repeats;
    return repeats;
}

}  // namespace webtongue
