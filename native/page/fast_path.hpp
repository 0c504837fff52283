// The straight way through the stages, for pages that need nothing special: HTML or XHTML by its first bytes, valid UTF-8,
// not drawn by a font. Whatever else there is takes the long way, which knows more and answers the same.
#pragma once

#include <optional>

#include "fonts/guess.hpp"
#include "markup/noise.hpp"
#include "text/reader.hpp"

namespace webtongue {

struct FastPage {
    Syntax syntax = Syntax::html;
    Scan scan;
    bool ascii = false;                  // of its text
    std::optional<PageReading> reading;  // none where the text is not UTF-8 or may be a font's
};

// Nothing where the first bytes do not say at once what the page is.
std::optional<FastPage> read_fast(Span page, const FontGuess& fonts, const CommonStrings& common, const Model& model,
                                  const ReadOptions& options);

}  // namespace webtongue
