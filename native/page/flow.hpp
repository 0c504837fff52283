// Takes a page through all stages in one call: sniff, scan, check, read, decide.
//
// It stops if a page needs more than loops over bytes, such as decoding. pipeline.py continues from there with the same functions.
#pragma once

#include "base/utf.hpp"
#include "fonts/detector.hpp"
#include "markup/noise.hpp"
#include "markup/prescan.hpp"
#include "markup/sniff.hpp"
#include "text/apply_hints.hpp"
#include "text/reader.hpp"

namespace webtongue {

// The models and tables for analysing pages, created once and shared by threads.
struct Tools {
    const Model& model;
    const Priors& priors;
    const Policy& policy;
    const FontDetector& fonts;
    const CommonStrings& common;
    std::vector<Signature> formats;  // file formats without text
    std::vector<uint64_t> encoding_labels;  // sorted hashes of the encoding labels that browsers know
};

enum class Stop : uint8_t {
    done,     // decided
    probe,    // the page may be in an encoding that cannot be scanned as it is
    no_text,  // there is no text; `sniffed` has the reason
    encoding,  // the text is not UTF-8
    font,  // the text may be font-encoded
    document,  // mail, JSON or source code, which may have text inside; `read` is the reading of the whole
};

struct Analysis {
    Stop stop = Stop::done;
    Sniffed sniffed;
    Utf8Check utf8;
    Scan scan;
    DecidedReading read;
    std::string declarations;  // packed, if requested
};

// `scannable`: the bytes were probed or transcoded before. `text`: plain UTF-8 without markup.
struct FlowOptions {
    Media media = Media::unknown;
    bool scannable = false;
    bool text = false;
    bool declarations = false;
};

Analysis analyse(Span page, const FlowOptions& options, const Tools& tools);

// The language of the beginning of a page in UTF-8: the fastest detection of an encoding and a language.
struct Beginning {
    Stop stop = Stop::done;
    bool multibyte = false;  // the page has bytes beyond ASCII
    Decision decision;
};
Beginning read_beginning(Span page, const Tools& tools);

// Runs the last stages for a page whose text is UTF-8: noise, reading, decision. `main` is the language that hints prefer on a page of
// several, `log_prob` the log-probability of a guessed encoding, `requested` are labels to keep among the guesses.
DecidedReading read_scan(Scan& scan, const Tools& tools, int32_t main, int32_t log_prob, std::vector<uint16_t> requested = {});

// Applies hints to a reading and decides again. Returns the labels that hints support and the text was not scored for.
std::vector<uint16_t> apply_hints(DecidedReading& read, const Tools& tools, const LabelSums& hints, const HintScaling& scaling);

// Packs the declarations of language and encoding: for each one its kind, whether it is beyond the reach of the prescan, the length of
// its value in two bytes, and its value. What the prescan finds in `head` comes first, as a kind of its own.
std::string pack_declarations(const Scan& scan, Span source, Span head, const Labels& labels);

}  // namespace webtongue
