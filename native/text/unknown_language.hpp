// Detects text in a language that the model does not have: the best label scores it far below its own text, knows few of its words, and
// hardly leads.
#pragma once

#include "base/bytes.hpp"
#include "text/coverage.hpp"
#include "text/scorer.hpp"

namespace webtongue {

// Features in 1/1024; tools/weights/fit_unknown_language.py fits the weights. The first ones come from the scores, the others from a
// second read of the text for its best label.
enum UnknownFeature : uint8_t {
    kScoreToLow,  // score relative to the label's low score
    kUnseenToHigh,  // unseen n-grams relative to the label's high share of them
    kLead,
    kUncertainty,  // -log-probability of the best guess
    kSize,  // log of the feature count, four steps per octave
    kScore,  // score per feature, in 32 weight units
    kOutscored,  // lead of a label outside the best cluster where priors decided, in 32 weight units per feature
    kScoreFeatureCount,
    kNgramsDistinctive = kScoreFeatureCount,  // share of n-grams with a distinctive weight
    kDistinctiveOfKnown,  // the same among the n-grams with a positive weight
    kWordsKnown,
    kNegative,
    kUnknownFeatureCount
};

struct UnknownFeatures {
    bool is_applicable = false;  // enough text in a script of many languages; scripts of few languages are fully covered
    int32_t values[kUnknownFeatureCount] = {};
};

// A scored text: its guesses and counts, and its spans.
struct ScoredText {
    std::vector<Guess>& guesses;
    int32_t best_other_score;  // the highest score outside the cluster of the best guess
    uint32_t features, unseen;
    const Span* spans;
    size_t count;
    int thinning_bits;  // one n-gram in 2^thinning_bits was read
};

UnknownFeatures score_features(const Model& model, const ScoredText& text);
void add_coverage_features(const Model& model, const ScoredText& text, UnknownFeatures& out);

// True if the text scores like 95% of the label's own text, with a tolerance of `slack` percent.
bool fits(const Model& model, const Guess& best, uint32_t features, uint32_t unseen, int slack);

// The same for a text of any length: long text scores lower per feature, since common n-grams count once.
bool fits_at_length(const Model& model, const Guess& best, uint32_t features, uint32_t unseen);

// For scripts of few languages: true if both the score and the unseen n-grams are far beyond those of 95% of the label's own text.
bool is_poor_fit(const Model& model, const Guess& best, uint32_t features, uint32_t unseen);

// Log odds in hundredths of a nat that the text is in no language of the model; above 0 it gets no label. INT32_MIN if the scores alone
// exclude it.
int32_t unknown_score(const Model& model, const ScoredText& text);

// The log-probability that the text is in a language of the model, in 1/LOG_SCALE nats.
int32_t log_known(const Model& model, int32_t unknown_score);

struct UnknownOdds {
    int32_t score = INT32_MIN;  // as unknown_score() returns it
    int32_t log_known = 0;  // as log_known() returns it
};

// Lowers every guess by the probability that the text is in an unknown language.
UnknownOdds apply_unknown_odds(const Model& model, const ScoredText& text);

}  // namespace webtongue
