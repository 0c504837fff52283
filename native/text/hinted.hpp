// What other sources than the text say of a page's language, put together with what its text says.
#pragma once

#include "text/priors.hpp"
#include "text/reading.hpp"

namespace webtongue {

// The guesses with hints weighed in, and the chance that the text is in no known language with them. The guesses of the text alone
// stay in `by_text`. Text that says nothing of the site leaves room for what is hinted at, by the priors.
void weigh_hints(const Model& model, const Priors& priors, std::vector<Hinted> hints, Reading& reading);

// How much likelier hints make a label, 1/1024 nats.
int32_t hinted_nats(const Reading& reading, int32_t label);

}  // namespace webtongue
