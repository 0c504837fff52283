// Where a caller lists the languages that may be answered: what is outside of the list is scored too and may win, but is never named.
#pragma once

#include "text/priors.hpp"
#include "text/reading.hpp"

namespace webtongue {

// Pieces in languages outside of the list get no label. Where they hold more of the running text than those within, the page is
// in none of the languages asked for.
void keep_asked_pieces(const Model& model, const Priors& priors, Reading& reading);

// Takes the guess outside of the list out, if there is one: where it comes first, so does all that is outside of the list together.
void keep_asked_guesses(const Model& model, const Priors& priors, Reading& reading);

}  // namespace webtongue
