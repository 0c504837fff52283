// Recognises consent banners: short blocks that say that cookies are used and ask for consent.
#pragma once

#include <string>
#include <vector>

#include "markup/scan.hpp"

namespace webtongue {

// Words of many languages, in lower case: `uses` say that cookies are used, `requests` ask for consent or give it.
struct ConsentWords {
    std::vector<std::string> uses, requests;
};

// Adds kConsent to the flags of banners and of the buttons that follow them, in a text that is not too long.
void mark_consent(Span text, std::vector<Block>& blocks, const ConsentWords& words);

}  // namespace webtongue
