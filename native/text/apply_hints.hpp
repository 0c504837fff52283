// Combines hints from other sources than the text with the guesses of the text.
#pragma once

#include "evidence/combine.hpp"
#include "text/decide.hpp"
#include "text/priors.hpp"
#include "text/reading.hpp"

namespace webtongue {

// Applies hints to the guesses and to the odds of an unknown language. The guesses before hints are stored in `text_guesses`. Only labels
// that the text was scored for are changed. They all are in the script of the text, so that no other script is ever answered.
// Boilerplate takes no hints: it is English whatever the language of its site.
//
// The more text there is and the clearer it is, the less hints count. Between look-alikes of the text's language only the amount of
// text is considered.
void apply_hints(const Model& model, const Policy& policy, const LabelSums& hints, const HintScaling& scaling, Reading& reading);

// Labels that hints support and the text was not scored for, those with most support first.
std::vector<uint16_t> find_unread_labels(const Model& model, const Priors& priors, const Policy& policy, const LabelSums& hints,
                                         const Reading& reading);

// The factor that hints for a label were applied with.
double hint_scale(const Policy& policy, const Reading& reading, int32_t label);

// True if an answer rests on hints rather than on the text. Such an answer is not reliable.
bool is_overridden(const Policy& policy, const Reading& reading, int32_t label);

// True if the text is hardly in a label or its look-alikes, and only hints support the label.
bool is_foreign_text(const Policy& policy, const Reading& reading, int32_t label);

// Converts nats to 1/LOG_SCALE nats, within bounds.
int32_t to_log_units(double nats);

// The log-likelihood ratio that hints add to a label, in 1/LOG_SCALE nats.
int32_t hint_log(const Reading& reading, int32_t label);

}  // namespace webtongue
