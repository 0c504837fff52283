// The result of reading a text: guesses, chunks and the other inputs of a decision.
#pragma once

#include <vector>

#include "text/junk.hpp"
#include "text/running_words.hpp"
#include "text/unknown_language.hpp"

namespace webtongue {

constexpr int32_t kNoLabel = -1;
constexpr int16_t kNoGroup = -1;

// A chunk with its label and its range in the page.
struct LabeledChunk {
    uint32_t page_begin, page_end;
    uint32_t weight;
    int32_t label;  // kNoLabel if undecided
    bool is_secondary;
    bool is_banner = false;
};

// A label and its letters of running text.
struct Share {
    int32_t label;
    uint64_t letters;
};

// A language of a page and its share of the running text, from 0 to 1.
struct LanguageShare {
    int32_t label;
    double share;
    int32_t chunk_label = label;  // the label of its chunks, if the text as a whole has another one
};

// The evidence of other sources than the text for a label, in 1/LOG_SCALE nats.
struct LabelHint {
    uint16_t label;
    int32_t nats;
};

struct Reading {
    std::vector<Guess> guesses;  // guesses for the text in the main language; log_prob is the posterior
    std::vector<Guess> text_guesses;  // the guesses before hints were applied; empty without hints
    std::vector<LabelHint> hints;
    double hint_scale = 1, group_hint_scale = 1;  // factors of the hints, and of those for look-alikes of the text's language
    UnknownOdds text_unknown_odds;
    std::vector<LabeledChunk> chunks;  // in the order of the page
    std::vector<Share> shares;        // the largest first
    uint32_t features = 0, unseen = 0, letters = 0, group_letters = 0;
    uint32_t mixed_words = 0;  // words typed with look-alike letters of another script
    int32_t score = 0;  // score of the best label in weight units
    RankingFacts facts;
    int32_t preferred = kNoLabel;  // on a page of several languages, the one that title, headings or hints prefer
    int32_t outside_allowlist = kNoLabel;  // the label of the text if it is not allowed
    uint8_t group = 0;
    uint8_t main_script = 0;  // the script group with most letters, whether or not it has labels
    bool poor_fit = false;  // unlike any text of the best label
    bool filed_by_hints = false;  // filed under a language that does not have most of the text
    bool boilerplate = false;  // English text of servers and tools, found on sites of every language
    bool misread = false;  // the text was decoded in a wrong encoding
    int32_t placeholder_score = 0;  // log odds of placeholder text in hundredths of a nat; above 0 it is such text
    Junk junk;
    RunningWords words;  // the words that make it running text
    UnknownOdds unknown_odds;  // whether the text is in an unknown language; included in the guesses

    // Lowers all guesses by the log-probability of something else that is uncertain, such as the encoding.
    void lower(int32_t log_prob) {
        for (Guess& guess : guesses) guess.log_prob += log_prob;
        unknown_odds.log_known += log_prob;
    }

    // Stores the running words, and lowers the guesses of lists, forms and repetitions, which may be in no language.
    void apply_running_words(const RunningWords& counted) {
        words = counted;
        if (is_list(words)) lower(kListLogProb);
    }
};

}  // namespace webtongue
