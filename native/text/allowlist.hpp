// The caller's list of allowed languages. Labels outside the list are scored and may win, but they are never returned.
#pragma once

#include "text/priors.hpp"
#include "text/reading.hpp"

namespace webtongue {

// Removes the label of every chunk whose language is not allowed. If such chunks hold more running text than the others, sets
// Reading::outside_allowlist.
void drop_disallowed_chunks(const Model& model, const Priors& priors, Reading& reading);

// Removes the guess outside the list, if there is one. If it is the first guess, all labels outside the list together are likelier than
// any allowed label.
void drop_disallowed_guess(const Model& model, const Priors& priors, Reading& reading);

}  // namespace webtongue
