// Reading with the language model: a page by a bounded sample, judged piece by piece and as a whole; a short text as one piece.
#pragma once

#include <vector>

#include "text/decide.hpp"
#include "text/pieces.hpp"
#include "text/sample.hpp"

namespace webtongue {

struct ReadOptions {
    SampleOptions sample;
    uint32_t budget = 2400;  // features of a page that are read, about: of a longer sample every second, fourth or eighth
    const Priors* priors = nullptr;
    const Policy* policy = nullptr;
    int32_t foreign = 3 * NATS;    // how unlikely it is that a piece is in a language that the page is not in
    int32_t main = kNoLabel;       // which of its languages a page is filed under, where hints say so
    std::vector<uint16_t> wanted;  // labels whose likelihood is asked for, however unlikely they are
};

Reading read_page(const Model& model, const Scan& scan, const ReadOptions& options);

constexpr size_t kTextGuesses = 8;  // of a text; more than any verdict shows, since look-alikes are summed

// Nothing of a short text is passed over. Without a policy it is taken to be in one language.
Reading read_text(const Model& model, Span utf8, const Priors& priors, const Policy* policy, size_t guesses = kTextGuesses);

}  // namespace webtongue
