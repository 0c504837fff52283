// A bounded sample of a page's text, spread over the whole page: the input of the language model.
#pragma once

#include <vector>

#include "markup/scan.hpp"
#include "text/sentences.hpp"

namespace webtongue {

// A range of text inside one block, as byte offsets into the text.
struct TextSpan {
    uint32_t begin, end;
};

// Spans that get one label together, and the blocks they represent.
struct Chunk {
    uint32_t first_span, last_span;    // half-open range in Sample::spans
    uint32_t first_block, last_block;  // half-open range of the blocks it represents
    uint32_t weight;                   // letters of text it represents, as count_letters() counts them
    uint16_t lang;                     // `lang` scope
    bool is_secondary;                 // links, menus, names and consent banners beside enough running text
    bool is_banner = false;            // a secondary chunk of consent banners, which has a share of the page nevertheless
    bool continues_block = false;      // starts inside the block of the previous chunk
};

struct Sample {
    std::vector<TextSpan> spans;
    std::vector<Chunk> chunks;
    bool boilerplate = false;  // the page has only strings that occur on pages of every language
    bool is_complete = false;  // no running text was left out
};

struct SampleOptions {
    uint32_t max_chunks = 16;               // chunks of a long text
    uint32_t max_secondary_chunks = 6;      // chunks of its links and menus
    uint32_t chunk_chars = 40;              // code points read per chunk
    uint32_t min_chunk_bytes = 32;          // smaller neighbouring blocks of a short text share one chunk
    uint32_t min_bytes_beside_banner = 48;  // with this much other text, consent banners and codes are secondary
    uint32_t min_bytes_beside_names = 128;  // with this much running text, lists of names are secondary
    uint32_t min_text_bytes = 256;          // with this much running text, links and menus are secondary
    uint32_t min_names = 10;                // fewer blocks of names are headings
    uint32_t max_banner_percent = 25;       // banners have at most this much of the weight of the running text
    uint32_t max_complete_bytes = 2048;     // a text up to this size is read completely, sentence by sentence
    CutOptions cuts;                        // where sentences end
};

inline Span text_in(const Scan& scan, TextSpan span) { return {scan.text.get() + span.begin, scan.text.get() + span.end}; }

// The approximate page offset where a chunk begins: text and page advance in proportion within a block.
uint32_t page_begin_of(const Scan& scan, const Sample& sample, const Chunk& chunk);

Sample take_sample(const Scan& scan, const SampleOptions& options);

// All of a text of one block, a chunk for each part. `cuts` are the starts of the parts except the first.
Sample take_parts(const Scan& scan, const std::vector<uint32_t>& cuts);

// The number of characters. A Han character, kana or Hangul syllable counts as three, since a translation has about three letters for
// it. Consecutive spaces, line ends and control characters count as one; they may be masked debris.
uint32_t count_letters(Span utf8);

}  // namespace webtongue
