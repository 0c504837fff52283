// What other sources than the text say of a page's language, put together with what its text says.
#pragma once

#include "text/decide.hpp"
#include "text/priors.hpp"
#include "text/reading.hpp"

namespace webtongue {

// A short text is now and then in another language than its page: most often English, else any. Logs, 1/1024 nats.
struct Borrowed {
    int32_t english = kImpossible, any = kImpossible;
    int32_t label = kNoLabel;  // of English
};

// The guesses with hints weighed in, and the chance that the text is in no known language with them. The guesses of the text alone
// stay in `by_text`. What is hinted at is at least as likely as a page in it is to borrow this text; text that says nothing of the site
// leaves room for it by the priors.
void weigh_hints(const Model& model, const Priors& priors, std::vector<Hinted> hints, const Borrowed& borrowed, Reading& reading);

// Whether an answer is rather what hints say than what the text does: it is not to be relied on.
bool is_turned(const Reading& reading, int32_t label);

// Whether the text is hardly in a label or its look-alikes: hints alone speak for it, and the text is taken to be borrowed.
bool is_borrowed(const Policy& policy, const Reading& reading, int32_t label);

// Nats as logs, within bounds.
int32_t logs_of(double nats);

// How much likelier hints make a label, 1/1024 nats.
int32_t hinted_nats(const Reading& reading, int32_t label);

}  // namespace webtongue
