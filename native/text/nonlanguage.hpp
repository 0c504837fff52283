// Whether what was read is language at all, or was before it was decoded wrongly.
#pragma once

#include "markup/scan.hpp"
#include "text/decide.hpp"

namespace webtongue {

// Text that reads as text of its language does, and has no signs of code, is language: the rest is looked into. `has_room`: it is so
// long that it may be a list, which reads like language.
void look_for_nonlanguage(const Model& model, Span text, bool has_room, Reading& out);

// Documentation is full of code and numbers, and still in a language: a page with a title or headings is not junk where that is
// hardly likelier and what reads like a language holds most of it, surely.
void keep_prose(const Scan& scan, const Policy& policy, Reading& out);

}  // namespace webtongue
