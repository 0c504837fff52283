// What was read of a text: guesses, pieces, and whatever else a decision goes by.
#pragma once

#include <vector>

#include "text/junk.hpp"
#include "text/running_words.hpp"
#include "text/unknown_language.hpp"

namespace webtongue {

constexpr int32_t kNoLabel = -1;
constexpr int16_t kNoGroup = -1;

// A piece as judged, and where in the page the blocks it stands for are.
struct JudgedPiece {
    uint32_t page_begin, page_end;
    uint32_t weight;
    int32_t label;  // kNoLabel where nothing could be said
    bool aside;
};

// A label and the letters of running text that it stands for.
struct Share {
    int32_t label;
    uint64_t letters;
};

// A language of a page and what it holds of the running text, from 0 to 1.
struct Holder {
    int32_t label;
    double share;
    int32_t judged = label;  // what its pieces were judged to be in, where the text as a whole reads a little otherwise
};

// What other sources than the text say for a label, 1/1024 nats.
struct Hinted {
    uint16_t label;
    int32_t nats;
};

struct Reading {
    std::vector<Guess> guesses;       // of the main language's text, priors in; log_prob is the posterior
    std::vector<Guess> by_text;       // the same before hints were weighed in; empty where none were
    std::vector<Hinted> hints;
    Doubt doubt_by_text;
    std::vector<JudgedPiece> pieces;  // in the order of the page
    std::vector<Share> shares;        // the largest first
    uint32_t features = 0, unseen = 0, letters = 0, group_letters = 0;
    uint32_t mixed_words = 0;      // typed with letters of another script that look like those of their own
    int32_t score = 0;             // of the best label, weight units
    int32_t elsewhere = 0;         // highest score of a label that is not in the cluster of the best
    int32_t preferred = kNoLabel;  // of several languages that hold the page, the one that its title, headings or hints are for
    int32_t unasked = kNoLabel;    // what it is in instead, where it is in none of the languages asked for
    uint8_t group = 0;
    uint8_t written = 0;    // the script group with most letters, whether a label has it or not
    bool poor_fit = false;  // far from all text of the best label
    bool filed_by_hints = false;  // under a language that does not hold most of it
    bool boilerplate = false;  // what servers and tools write, in English, whatever the language of the site
    bool misread = false;   // the text was read in a wrong encoding before
    Junk junk;
    RunningWords words;  // that make it running text of its best label
    Doubt doubt;  // whether it is in any language of the model; the guesses have it in

    // Every guess becomes as much less likely as something else is unsure, such as the encoding.
    void lower(int32_t log_prob) {
        for (Guess& guess : guesses) guess.log_prob += log_prob;
        doubt.known += log_prob;
    }

    // A list, a form or a repetition may be in the language that its n-grams say, or in none.
    void weigh(const RunningWords& found) {
        words = found;
        if (is_list(words)) lower(kListTrust);
    }
};

}  // namespace webtongue
