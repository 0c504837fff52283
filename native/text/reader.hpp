// Reads text with the language model: a page by a bounded sample, chunk by chunk and as a whole; a short text as one chunk.
#pragma once

#include <vector>

#include "text/chunks.hpp"
#include "text/decide.hpp"
#include "text/sample.hpp"

namespace webtongue {

struct ReadOptions {
    SampleOptions sample;
    uint32_t budget = 2400;  // approximate number of features read per page; of a longer sample, one in two, four or eight is read
    const Priors* priors = nullptr;
    const Policy* policy = nullptr;
    int32_t foreign_cost = 3 * LOG_SCALE;  // cost of a chunk label that the page does not have
    int32_t main = kNoLabel;  // the language that hints prefer on a page of several
    const Byte* unmasked = nullptr;  // the text of the scan before its debris was masked, if it has any
    std::vector<uint16_t> requested;  // labels to keep among the guesses, however unlikely they are
};

Reading read_page(const Model& model, const Scan& scan, const ReadOptions& options);

// Reads a text once, sentence by sentence. Returns false if it has to be read as a whole: it does not fit its language, has two scripts, or
// may be in an unknown language.
bool read_text_once(const Model& model, const Scan& scan, const ReadOptions& options, Sample sample, Reading& out);

// Reads a text that was read as a whole once more, sentence by sentence.
Reading read_sentences(const Model& model, const Scan& scan, const ReadOptions& options, Reading page_totals);

// Separates look-alikes among the guesses, and computes from the same text what else the decision on the best guess needs.
void assess_guesses(const Model& model, const Span* read, size_t count, int thinning_bits, Reading& out);

constexpr size_t kMaxTextGuesses = 8;  // more than a verdict shows, since look-alikes are summed

// A quick reading stops when the language is clear. The scores of two readings can be compared only if both are complete.
enum class Depth : uint8_t { quick, complete };

// Reads a short text without its debris. Without a policy the text is taken to be in one language, and the reading is complete.
Reading read_text(const Model& model, Span unmasked, const Priors& priors, const Policy* policy, size_t guesses = kMaxTextGuesses,
                  Depth depth = Depth::quick);

}  // namespace webtongue
