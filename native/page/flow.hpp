// A page through all stages in one call: sniffed, scanned, checked, read, decided.
//
// It stops where there is more to do than loops over bytes: pipeline.py goes on from there, with the same functions.
#pragma once

#include "base/utf.hpp"
#include "fonts/guess.hpp"
#include "markup/noise.hpp"
#include "markup/prescan.hpp"
#include "markup/sniff.hpp"
#include "text/hinted.hpp"
#include "text/reader.hpp"

namespace webtongue {

// Everything that a page is looked at with; made once, shared by threads.
struct Tools {
    const Model& model;
    const Priors& priors;
    const Policy& policy;
    const FontGuess& fonts;
    const CommonStrings& common;
    std::vector<Signature> formats;         // that hold no text
    std::vector<uint64_t> encoding_labels;  // sorted hashes of those that browsers know
};

enum class Stop : uint8_t {
    done,     // decided
    probe,    // the page may be in an encoding that cannot be scanned as it is
    nothing,  // there is nothing to read: `sniffed` says why
    coding,   // its text is not UTF-8
    font,     // its text may be drawn by a font
};

struct Analysis {
    Stop stop = Stop::done;
    Sniffed sniffed;
    Utf8Check utf8;
    Scan scan;
    Read read;
    std::string claims;  // packed, where they were asked for
};

// `scannable`: the bytes were probed before, or transcoded. `text`: UTF-8 in which nothing is markup.
struct FlowOptions {
    Media media = Media::unknown;
    bool scannable = false;
    bool text = false;
    bool claims = false;
};

Analysis analyse(Span page, const FlowOptions& options, const Tools& tools);

// What the beginning of a page's text is in, where all of its bytes are UTF-8: the shortest way to an encoding and a language.
struct Beginning {
    Stop stop = Stop::done;
    bool multibyte = false;  // the page has bytes beyond ASCII
    Decision decision;
};
Beginning read_beginning(Span page, const Tools& tools);

// The last stages of a page whose text is UTF-8: noise, reading, decision. `main`: the language that hints say a page of several
// is filed under; `log_prob`: how sure its encoding is, where that is a guess; `wanted`: labels to keep among the guesses.
Read read_scan(Scan& scan, const Tools& tools, int32_t main, int32_t log_prob, std::vector<uint16_t> wanted = {});

// The same reading with hints weighed in, and what that means.
void weigh_hints(Read& read, const Tools& tools, std::vector<Hinted> hints, const Borrowed& borrowed);

// What page and server declare of language and encoding, packed: for each claim its kind, whether it stands past the prescan's
// reach, the length of its value in two bytes, and its value; first, as a kind of its own, what the prescan finds in `head`.
std::string pack_claims(const Scan& scan, Span source, Span head, const Labels& labels);

}  // namespace webtongue
