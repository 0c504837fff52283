// Turns a reading into a decision: the one place where a label is returned or refused.
//
// Used for pages, short texts, batches and classify. The thresholds come from policy.py. tests/twins/text/decide.py is the readable
// twin.
#pragma once

#include <vector>

#include "text/priors.hpp"
#include "text/reading.hpp"

namespace webtongue {

// Thresholds set from Python. policy.py documents each of them.
struct Policy {
    uint32_t min_letters = 0, reliable_letters = 0, reliable_letters_very_sure = 0, rare_letters = 0;
    uint32_t reliable_words = 0, reliable_long_words = 0, long_words_letters = 0;
    int32_t boilerplate = kNoLabel;  // the label of boilerplate, kNoLabel if it is not allowed
    int32_t reliable_log_prob = 0, very_sure_log_prob = 0, rare_log_prior = 0, rare_neighbour_log_prior = 0, rare_scale = 1,
            min_log_prob = INT32_MIN;  // logs in 1/LOG_SCALE nats
    double main_share = 0, level_share = 0, min_share = 0;        // shares of the running text
    uint32_t long_letters = 0;  // minimum letters of a long text
    int32_t clear_log_prob = 0;  // minimum log-probability of a clear answer
    // Thresholds for hints, in 1/LOG_SCALE nats: the minimum support for scoring a label that the text was not scored for; the minimum
    // log-probability, by the text, of a label that the text may be in; and the minimum of an answer that does not rest on hints.
    int32_t reread_min = 0, text_excludes = 0, supported_log_prob = 0;
    std::vector<int16_t> look_alikes;  // look-alike group of each label, or kNoGroup
};

// The values match text/reasons.py.
enum class Reason : uint8_t {
    none,
    no_letters,
    too_short,
    unknown_script,
    too_rare,
    unknown_language,
    not_allowed,
    misread,
    not_language,
    placeholder_text,
    several_languages,
    two_languages,
};

struct Decision {
    int32_t label = kNoLabel;  // kNoLabel for und, zxx and mul
    Reason reason = Reason::no_letters;
    double confidence = 0;
    bool reliable = false;
    bool settled = false;  // hints cannot change the answer: long, clear text in one language without look-alikes
    uint8_t tier = 0;
    int16_t group = kNoGroup;
    double group_confidence = 0;
    // Languages of the running text, the largest first. Look-alikes count as one, under the label of the largest. Empty if the label has
    // all of it.
    std::vector<LanguageShare> languages;
};

// Sums the shares of look-alikes and sorts by share, the largest first.
std::vector<LanguageShare> sum_languages(const Policy& policy, const std::vector<Share>& shares);

// True if the two largest languages have about the same share.
bool are_balanced(const Policy& policy, const std::vector<LanguageShare>& languages);

// The number of letters that carry information. Repeated words do not, and neither does one letter repeated a thousand times.
uint32_t informative_letters(const Reading& reading);

// True if two labels are equal or in one look-alike group.
bool are_look_alikes(const Policy& policy, int32_t a, int32_t b);

// A reading with its decision.
struct DecidedReading {
    Reading reading;
    Decision decision;
};

Decision decide(const Model& model, const Priors& priors, const Policy& policy, const Reading& reading);

// The chunks of a page with the labels to display: look-alikes get the label that they are counted under.
std::vector<LabeledChunk> display_chunks(const Policy& policy, const DecidedReading& read);

}  // namespace webtongue
