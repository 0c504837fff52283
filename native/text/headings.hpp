// Decides which of two languages a page's title and headings are in.
#pragma once

#include "markup/scan.hpp"
#include "text/scorer.hpp"

namespace webtongue {

// Checks the title first, then the headings. Returns -1 if they are inconclusive or contradict each other.
int32_t preferred_by_headings(const Model& model, const Scan& scan, int32_t first_label, int32_t second_label);

}  // namespace webtongue
