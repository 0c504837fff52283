// Serialises a reading into a few bytes, for a later decision with more evidence. The census stores one for every page without a clear
// answer.
#pragma once

#include <string>

#include "text/reading.hpp"

namespace webtongue {

// Packs what applying hints and deciding need, by the text alone: without hints and without chunk positions.
std::string pack_reading(const Reading& reading);

// The inverse. Returns false if the bytes are not a packed reading of this model, whatever their origin; `out` is then undefined.
bool unpack_reading(Span packed, const Model& model, Reading& out);

}  // namespace webtongue
