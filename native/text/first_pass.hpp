// First pass over a page or a short text: n-grams from a few positions. Most are clearly in one language, which a few hundred n-grams
// identify. Only the chunks of a page, or the sentences of a text, that do not match the rest are then read in full.
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

// How much is read at first, and when a chunk is taken to be in the language of the whole.
struct ReadingPlan {
    bool is_text;  // a text is read sentence by sentence, and an n-gram that several sentences have counts once
    uint32_t min_places;  // positions read at first, if there are that many
    uint32_t max_step;  // the largest step: at first, one position in up to so many is read
    uint32_t min_step;  // the smallest step: it is halved down to this while no label is nearly certain
    int min_lead;  // percent by which a chunk's score must exceed that of all competitors
    int min_relative_score;  // percent of the average score per feature that a chunk must reach
    int slack;  // percent by which a chunk may score lower than typical text of the language
};
constexpr ReadingPlan kPagePlan{false, 80, 8, 4, 5, 50, kChunkSlackPercent};
// Stricter than for pages: a sentence in another language is a larger share of a short text. Of 3,000 texts in two languages, as many
// are recognised as by reading every sentence in full.
constexpr ReadingPlan kTextPlan{true, 24, 8, 1, 10, 60, 20};

class FirstPass {
public:
    struct ChunkWords {
        uint32_t first_word, last_word;
        uint32_t letters = 0;
        uint16_t text_id = 0;  // identifies the chunk in Repeats
        bool matches_page = false;  // is in the page's language, if in any
    };

    FirstPass(const Model& model, const Scan& scan, const Sample& sample, const Priors& priors, const ReadingPlan& plan)
        : FirstPass(model, scan, sample, priors, plan, local_buffers()) {}

    // Reads more and more positions until one label is nearly certain. Returns false if the text does not fit its best label.
    bool read(Scorer& page_scorer);

    const Outcome& outcome() const { return outcome_; }
    const ClusterChoice& choice() const { return choice_; }
    const std::vector<ChunkWords>& chunks() const { return chunks_; }
    uint32_t fresh_share() const { return fresh_share_; }  // share of the chunks' n-grams that are new on the page, out of kFreshScale
    uint32_t mixed_words() const { return mixed_words_; }
    // True if Latin letters beside another script may decide on the language, see prefer_language_of_latin_part().
    bool depends_on_latin_part() const { return depends_on_latin_part_; }

private:
    struct Word {
        uint32_t start;  // offset in codes_ of the boundary before the word
        uint16_t length;
        uint8_t group;
    };

    struct Buffers;
    FirstPass(const Model& model, const Scan& scan, const Sample& sample, const Priors& priors, const ReadingPlan& plan, Buffers& buffers);

    void read_words();
    void add_places(size_t chunk, uint32_t step, uint32_t offset);
    void measure_fresh_share();
    size_t move_fresh_first(size_t first);
    void add_chunks(bool is_secondary, uint32_t step, uint32_t offset);
    void rank(Scorer& page_scorer);
    bool is_single() const;
    bool is_sure() const;
    bool is_contested() const;
    void compare_chunks();
    bool is_own_script(const ChunkWords& chunk) const;

    const Model& model_;
    const Scan& scan_;
    const Sample& sample_;
    const Priors& priors_;
    const ReadingPlan& plan_;
    uint16_t text_id_ = 0;  // identifies the text in text_repeats_
    // The buffers of the calling thread, which keep their capacity from one text to the next.
    struct Buffers {
        std::vector<char32_t> codes;
        std::vector<Word> words;
        std::vector<ChunkWords> chunks;
        std::vector<uint64_t> keys;
        std::vector<uint16_t> chunk_of;
        KeptHits kept_hits;
        Repeats text_repeats;
    };
    static Buffers& local_buffers();

    std::vector<char32_t>& codes_;  // words in a row, separated by boundaries
    std::vector<Word>& words_;
    std::vector<ChunkWords>& chunks_;
    std::vector<uint64_t>& keys_;  // features of the positions read first
    std::vector<uint16_t>& chunk_of_;  // chunk of each key; an index past the last chunk means none
    KeptHits& kept_hits_;  // table entries of the keys
    Repeats& text_repeats_;  // n-grams of a text, over all its chunks
    Outcome outcome_;
    ClusterChoice choice_;
    uint32_t fresh_share_ = kFreshScale;
    uint32_t mixed_words_ = 0;
    bool depends_on_latin_part_ = false;
};

// Scales sums over the chunks of a page to what they would be if each n-gram had been counted once.
void scale_by_fresh_share(uint32_t fresh_share, uint32_t& features, uint32_t& unseen, int32_t* totals, size_t slots);

}  // namespace webtongue
