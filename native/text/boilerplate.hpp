// Boilerplate: pages without authored content, such as server notices, forms and default pages of tools. Sites in every language have
// such pages in English.
#pragma once

#include "text/decide.hpp"
#include "text/sample.hpp"

namespace webtongue {

// True if the page has only strings that occur on pages of every language and the policy has a label for them.
inline bool is_boilerplate(const Sample& sample, const Policy& policy) { return sample.boilerplate && policy.boilerplate != kNoLabel; }

Reading read_boilerplate(const Model& model, const Scan& scan, const Sample& sample, const Policy& policy);

// Sets the word count of a page to zero if it has nothing but a title: a title is not running text.
void discount_title_only(const Scan& scan, Reading& out);

// Turns the reading of a page with the title or heading of a server notice into boilerplate if it is in English or has hardly any other
// words.
void detect_notice(const Model& model, const Scan& scan, const Policy& policy, Reading& out);

}  // namespace webtongue
