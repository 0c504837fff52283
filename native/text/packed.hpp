// A reading in a few bytes, for a decision that is taken later with more evidence: a census keeps one for every page that is not clear.
#pragma once

#include <string>

#include "text/reading.hpp"

namespace webtongue {

// What weighing and deciding look at, as the text alone has it: hints are left out, and so is where pieces are.
std::string pack_reading(const Reading& reading);

// The inverse. False where the bytes are none of a reading by this model, whoever made them; `out` is then not to be used.
bool unpack_reading(Span packed, const Model& model, Reading& out);

}  // namespace webtongue
