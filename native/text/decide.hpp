// What a reading means: the one place where a label is answered or refused.
//
// Pages, short texts, batches and classify all end here. The numbers it goes by come from text/thresholds.py;
// tests/twins/text/decide.py is the readable twin.
#pragma once

#include <vector>

#include "text/priors.hpp"
#include "text/reading.hpp"

namespace webtongue {

// Numbers are handed over from Python, the reasons for them are there too.
struct Policy {
    uint32_t few_letters = 0, enough_letters = 0, rare_letters = 0, enough_words = 0;
    int32_t boilerplate = kNoLabel;                 // the label of boilerplate, if that may be answered
    int32_t sure = 0, rare = 0, rare_sure = 0;      // logs, 1/1024 nats
    double holds = 0, level = 0, second = 0;        // shares of the running text
    uint32_t long_text = 0;                         // letters from which a text is long
    int32_t clear = 0;                              // log, 1/1024 nats, from which it is clear
    std::vector<int16_t> look_alikes;               // the group of each label, kNoGroup where it has none
};

// By the numbers of text/reasons.py.
enum class Reason : uint8_t {
    none,
    no_letters,
    too_short,
    unknown_script,
    too_rare,
    unknown_language,
    not_asked,
    misread,
    not_language,
    several_languages,
    two_languages,
};

struct Decision {
    int32_t label = kNoLabel;  // none where it is und, zxx or mul
    Reason reason = Reason::no_letters;
    double confidence = 0;
    bool reliable = false;
    bool settled = false;  // long clear text in one language that has no look-alikes: nothing else need be asked
    uint8_t tier = 0;
    int16_t group = kNoGroup;
    double group_confidence = 0;
    // Languages of the running text, the largest first; look-alikes count as one, named by their largest. Empty where the label
    // holds all of it.
    std::vector<Holder> holders;
};

// Languages by what they hold of the running text, the largest first.
std::vector<Holder> holders_of(const Policy& policy, const std::vector<Share>& shares);

// Whether two languages hold a page alike.
bool are_level(const Policy& policy, const std::vector<Holder>& holders);

// Whether two labels are one, or look-alikes of one group.
bool are_alike(const Policy& policy, int32_t a, int32_t b);

// A reading and what it means.
struct Read {
    Reading reading;
    Decision decision;
};

Decision decide(const Model& model, const Priors& priors, const Policy& policy, const Reading& reading);

// The pieces of a page as they are shown: look-alikes by the label that they are counted with.
std::vector<JudgedPiece> shown_pieces(const Policy& policy, const Read& read);

}  // namespace webtongue
