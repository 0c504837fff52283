// Which of two languages a page's title and headings are in.
#pragma once

#include "markup/scan.hpp"
#include "text/scorer.hpp"

namespace webtongue {

// The title is asked first, then the headings; -1 where they do not say or do not agree.
int32_t preferred_by_headings(const Model& model, const Scan& scan, int32_t one, int32_t other);

}  // namespace webtongue
