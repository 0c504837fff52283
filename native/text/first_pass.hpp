// A first look at a page: n-grams from a few places of its sample. Most pages are plainly in one language, and a few hundred
// n-grams say which; only the pieces that do not read like the rest are then read in full.
#pragma once

#include <vector>

#include "text/priors.hpp"
#include "text/sample.hpp"

namespace webtongue {

constexpr size_t kPageClusters = 6;  // that running text is scored in, at most
constexpr size_t kPageGuesses = 16;
constexpr uint32_t kPieceLetters = 12;  // below this a piece goes with the rest of the page
constexpr int kPieceSlack = 30;         // hundredths: short text scatters more than the text that bounds were taken from

constexpr uint32_t kAllFresh = 1024;

class FirstPass {
public:
    struct Seen {
        uint32_t first_word, last_word;
        uint32_t letters = 0;
        uint16_t number = 0;  // among texts whose repeats are left out
        bool plain = false;  // reads like the page: it is in the page's language, if in any
    };

    FirstPass(const Model& model, const Scan& scan, const Sample& sample, const Priors& priors);

    // Looks at more and more places until one label is as good as sure. False where the text is not like its best label's.
    bool read(Scorer& whole);

    const Outcome& outcome() const { return outcome_; }  // of the running text
    const Choice& chosen() const { return chosen_; }
    const std::vector<Seen>& pieces() const { return pieces_; }
    uint32_t fresh() const { return fresh_; }  // share of the pieces' n-grams that the page has for the first time, of kAllFresh
    uint32_t mixed_words() const { return mixed_words_; }

private:
    struct Word {
        uint32_t start;  // of the boundary before it, in codes_
        uint16_t length;
        uint8_t group;
    };

    void read_words();
    void add_places(size_t piece, uint32_t step, uint32_t offset);
    void count_fresh();
    void add_pieces(bool aside, uint32_t step, uint32_t offset);
    void rank(Scorer& whole);
    bool is_sure() const;
    bool is_contested() const;
    void compare_pieces();
    bool is_own_script(const Seen& piece) const;

    const Model& model_;
    const Scan& scan_;
    const Sample& sample_;
    const Priors& priors_;
    std::vector<char32_t> codes_;  // words one after the other, a boundary between them
    std::vector<Word> words_;
    std::vector<Seen> pieces_;
    std::vector<uint64_t> keys_;      // of the places looked at first
    std::vector<uint16_t> piece_of_;  // of each key; beyond the last: of none
    Kept kept_;                       // what the tables have of them
    Outcome outcome_;
    Choice chosen_;
    uint32_t fresh_ = kAllFresh;
    uint32_t mixed_words_ = 0;
};

// Sums over the pieces of a page as if each n-gram had been counted once.
void count_once(uint32_t fresh, uint32_t& features, uint32_t& unseen, int32_t* totals, size_t slots);

}  // namespace webtongue
