// Text that no label fits: its best label scores it far below its own text, knows few of its words, and hardly leads.
#pragma once

#include "base/bytes.hpp"
#include "text/coverage.hpp"
#include "text/scorer.hpp"

namespace webtongue {

// What is weighed, in 1/1024; tools/weights/fit_unknown_language.py finds the weights. The first are known once a text is scored, the
// others after it was read again for its best label alone.
enum UnknownFeature : uint8_t {
    kScoreBesideLow,    // the score beside the label's low score
    kUnseenBesideHigh,  // n-grams that no label has, beside the label's many
    kLead,
    kDoubt,      // over the second guess, in the first: nats
    kSize,              // four steps for twice the features
    kScore,             // a feature, in 32 weight units
    kOutscored,         // by a label that is not of its look-alikes, where priors made it the best: likewise
    kFirstLook,
    kGramsWell = kFirstLook,  // n-grams that it knows well
    kWellOfKnown,             // of those that it knows
    kWordsKnown,
    kAgainst,
    kUnknownFeatures
};

struct UnknownFeatures {
    bool known = false;  // enough text, in a script of many languages: where there are few, all are known
    int32_t values[kUnknownFeatures] = {};
};

// A text as read: what its n-grams came to, and the text itself in stretches.
struct ReadText {
    std::vector<Guess>& guesses;
    int32_t elsewhere;  // the highest score outside of the best guess's cluster
    uint32_t features, unseen;
    const Span* stretches;
    size_t count;
    int thinness;  // one n-gram in 2^thinness was read
};

UnknownFeatures first_look(const Model& model, const ReadText& text);
void second_look(const Model& model, const ReadText& text, UnknownFeatures& out);

// Whether text reads as 95% of its language's own text does, give or take `slack` hundredths.
bool fits(const Model& model, const Guess& best, uint32_t features, uint32_t unseen, int slack);

// Where a script has few languages: whether both score and unseen n-grams are far beyond what 95% of the best label's own
// text has.
bool is_poor_fit(const Model& model, const Guess& best, uint32_t features, uint32_t unseen);

// Hundredths of a nat that the text is in no language of the model; what is above 0 is not forced into one. INT32_MIN
// where the first look leaves no doubt.
int32_t unknown_score(const Model& model, const ReadText& text);

// The log of the chance that it is in a language of the model, 1/1024 nats.
int32_t log_known(const Model& model, int32_t unknown_score);

struct Doubt {
    int32_t unknown = INT32_MIN;  // unknown_score
    int32_t known = 0;            // log_known
};

// Every guess becomes as much less likely as it is likely that none is right.
Doubt doubt(const Model& model, const ReadText& text);

}  // namespace webtongue
