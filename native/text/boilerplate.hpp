// Pages that no author wrote: notices of servers, forms, default pages of tools. They are in English whatever the site is in.
#pragma once

#include "text/decide.hpp"
#include "text/sample.hpp"

namespace webtongue {

// Whether a page has nothing but strings that pages of every language have, and the policy has a label for these.
inline bool is_boilerplate(const Sample& sample, const Policy& policy) { return sample.boilerplate && policy.boilerplate != kNoLabel; }

Reading read_boilerplate(const Model& model, const Scan& scan, const Sample& sample, const Policy& policy);

// A title with nothing under it is no running text, however many words it has.
void judge_title_alone(const Scan& scan, Reading& out);

// A page that was read, under the title or heading of a server's notice: boilerplate if it is in English or has hardly a word more.
void judge_notice(const Model& model, const Scan& scan, const Policy& policy, Reading& out);

}  // namespace webtongue
