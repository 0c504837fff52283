// First pass over a page: n-grams from a few positions of its sample. Most pages are clearly in one language, which a few hundred
// n-grams identify. Only the chunks that do not match the rest of the page are then read in full.
#pragma once

#include <vector>

#include "text/priors.hpp"
#include "text/sample.hpp"

namespace webtongue {

constexpr size_t kMaxPageClusters = 6;  // clusters that running text is scored in
constexpr size_t kMaxPageGuesses = 16;
constexpr uint32_t kMinChunkLetters = 12;  // a shorter chunk gets the label of the page
constexpr int kChunkSlackPercent = 30;  // percent; short text varies more than the text that the bounds were measured on

constexpr uint32_t kFreshScale = 1024;

class FirstPass {
public:
    struct ChunkWords {
        uint32_t first_word, last_word;
        uint32_t letters = 0;
        uint16_t text_id = 0;  // identifies the chunk in Repeats
        bool matches_page = false;  // is in the page's language, if in any
    };

    FirstPass(const Model& model, const Scan& scan, const Sample& sample, const Priors& priors);

    // Reads more and more positions until one label is nearly certain. Returns false if the text does not fit its best label.
    bool read(Scorer& page_scorer);

    const Outcome& outcome() const { return outcome_; }
    const ClusterChoice& choice() const { return choice_; }
    const std::vector<ChunkWords>& chunks() const { return chunks_; }
    uint32_t fresh_share() const { return fresh_share_; }  // share of the chunks' n-grams that are new on the page, out of kFreshScale
    uint32_t mixed_words() const { return mixed_words_; }

private:
    struct Word {
        uint32_t start;  // offset in codes_ of the boundary before the word
        uint16_t length;
        uint8_t group;
    };

    void read_words();
    void add_places(size_t chunk, uint32_t step, uint32_t offset);
    void measure_fresh_share();
    void add_chunks(bool is_secondary, uint32_t step, uint32_t offset);
    void rank(Scorer& page_scorer);
    bool is_sure() const;
    bool is_contested() const;
    void compare_chunks();
    bool is_own_script(const ChunkWords& chunk) const;

    const Model& model_;
    const Scan& scan_;
    const Sample& sample_;
    const Priors& priors_;
    std::vector<char32_t> codes_;  // words in a row, separated by boundaries
    std::vector<Word> words_;
    std::vector<ChunkWords> chunks_;
    std::vector<uint64_t> keys_;  // features of the positions read first
    std::vector<uint16_t> chunk_of_;  // chunk of each key; an index past the last chunk means none
    KeptHits kept_hits_;  // table entries of the keys
    Outcome outcome_;
    ClusterChoice choice_;
    uint32_t fresh_share_ = kFreshScale;
    uint32_t mixed_words_ = 0;
};

// Scales sums over the chunks of a page to what they would be if each n-gram had been counted once.
void scale_by_fresh_share(uint32_t fresh_share, uint32_t& features, uint32_t& unseen, int32_t* totals, size_t slots);

}  // namespace webtongue
