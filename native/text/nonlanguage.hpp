// Whether what was read is language at all, or was before it was decoded wrongly.
#pragma once

#include "text/reading.hpp"

namespace webtongue {

// Text that reads as text of its language does, and has no signs of code, is language: the rest is looked into. `has_room`: it is so
// long that it may be a list, which reads like language.
void look_for_nonlanguage(const Model& model, Span text, bool has_room, Reading& out);

}  // namespace webtongue
