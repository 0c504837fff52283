#include "text/sample.hpp"

#include <algorithm>
#include <array>

#include "markup/noise.hpp"
#include "text/sentences.hpp"

namespace webtongue {
namespace {

constexpr uint8_t kSaysNothing = kNumbers | kSymbols | kRepeated;
constexpr Byte kFirstDense = 0xE3, kLastDense = 0xED;  // that kana, Han and Hangul begin with
constexpr uint32_t kDense = 3;        // letters that a character of these stands for
constexpr uint32_t kMostScopes = 16;  // pieces added for `lang` scopes that the strata passed over

struct Eligible {
    uint32_t block, begin, end;
    uint32_t size() const { return end - begin; }
};

// 0: running text; 1: links and menus; 2: what pages of every language have; 3: nothing to read.
int level_of(const Block& block, uint8_t common) {
    if (block.flags & kSaysNothing) return 3;
    if (block.flags & common) return 2;
    return block.kind >= Kind::link;
}
static_assert(Kind::link < Kind::navigation && Kind::navigation < Kind::alt && Kind::alt < Kind::meta && Kind::item < Kind::link,
              "what is no running text comes last");

// The text that the verdict rests on, and what stands beside it.
struct Collected {
    std::vector<Eligible> main, aside;
    bool boilerplate = false;
};

// Bytes of text on each level.
std::array<uint64_t, 4> bytes_by_level(const Scan& scan, uint8_t common) {
    std::array<uint64_t, 4> out{};
    uint32_t begin = 0;
    for (const Block& block : scan.blocks) {
        out[static_cast<size_t>(level_of(block, common))] += block.text_end - begin;
        begin = block.text_end + 1;
    }
    return out;
}

Collected collect(const Scan& scan, const SampleOptions& options) {
    uint8_t common = kCommon | kConsent;
    auto bytes = bytes_by_level(scan, common);
    if (bytes[2] > 0 && bytes[0] < options.beside_banner) bytes = bytes_by_level(scan, common = kCommon);
    const int level = bytes[0] >= options.enough ? 0 : bytes[0] + bytes[1] > 0 ? 1 : 2;
    Collected out;
    out.boilerplate = level == 2 && bytes[2] > 0;
    out.main.reserve(scan.blocks.size());
    uint32_t begin = 0;
    for (uint32_t i = 0; i < scan.blocks.size(); ++i) {
        const Block& block = scan.blocks[i];
        const int of = level_of(block, common);
        if (of <= level) out.main.push_back({i, begin, block.text_end});
        else if (of == 1) out.aside.push_back({i, begin, block.text_end});
        begin = block.text_end + 1;
    }
    return out;
}

bool continues(Byte c) { return (c & 0xC0) == 0x80; }

// Characters that start in eight bytes.
uint32_t starts_in_eight(const Byte* text) {
    uint64_t bytes;
    std::memcpy(&bytes, text, 8);
    const uint64_t continuing = bytes & ~(bytes << 1) & 0x8080808080808080u;
    return 8 - static_cast<uint32_t>((continuing >> 7) * 0x0101010101010101u >> 56);
}

// Where to start reading at or after `at`: after a space if one is near, else at the next character.
uint32_t word_start(const Byte* text, uint32_t at, uint32_t begin, uint32_t end) {
    if (at == begin) return at;
    for (uint32_t i = at; i < end && i < at + 24; ++i)
        if (text[i] == ' ') return i + 1;
    while (at < end && continues(text[at])) ++at;
    return at;
}

// Where to stop so that at most `reach` code points are read: before a space if one is near.
uint32_t word_stop(const Byte* text, uint32_t begin, uint32_t end, uint32_t& reach) {
    uint32_t at = begin;
    for (; reach >= 8 && end - at >= 8; at += 8) reach -= starts_in_eight(text + at);  // as far as none can be one too many
    for (; at < end && (reach || continues(text[at])); ++at) reach -= !continues(text[at]);
    if (at == end) return end;
    for (uint32_t i = at; i > begin && at - i < 24; --i)
        if (text[i] == ' ') return i;
    return at;
}

class Sampler {
public:
    Sampler(const Scan& scan, const SampleOptions& options) : scan_(scan), options_(options), text_(scan.text.get()) {}

    Sample run() {
        const Collected found = collect(scan_, options_);
        take(found.main, options_.strata, false);
        take(found.aside, options_.asides, true);
        out_.boilerplate = found.boilerplate;
        return std::move(out_);
    }

private:
    uint16_t lang(const Eligible& e) const { return scan_.blocks[e.block].lang; }

    void take(const std::vector<Eligible>& blocks, uint32_t most, bool aside) {
        uint64_t bytes = 0;
        for (const Eligible& e : blocks) bytes += e.size();
        if (bytes == 0) return;
        const size_t first = out_.pieces.size();
        if (bytes <= options_.whole && !aside) {
            out_.whole = true;
            whole(blocks);
        } else {
            strata(blocks, bytes, most);
        }
        for (size_t i = first; i < out_.pieces.size(); ++i) out_.pieces[i].aside = aside;
    }

    // Every block, small neighbours of one scope together, and large ones sentence by sentence.
    void whole(const std::vector<Eligible>& blocks) {
        uint32_t bytes = 0;  // of the piece so far
        std::vector<uint32_t> cuts;
        for (const Eligible& e : blocks) {
            if (out_.pieces.empty() || bytes >= options_.smallest || out_.pieces.back().lang != lang(e)) begin_piece(e), bytes = 0;
            cuts.clear();
            cut_sentences({text_ + e.begin, text_ + e.end}, cuts);
            uint32_t begin = e.begin;
            for (const uint32_t cut : cuts) {
                add_whole({e.block, begin, e.begin + cut});
                begin_piece(e);
                out_.pieces.back().goes_on = true;
                begin = e.begin + cut;
                bytes = 0;
            }
            add_whole({e.block, begin, e.end});
            bytes += e.end - begin;
        }
    }

    void add_whole(const Eligible& e) {
        uint32_t all = UINT32_MAX;
        add(e, e.begin, all);
        uint32_t end = e.end;
        while (end > e.begin && text_[end - 1] == ' ') --end;  // between two sentences
        out_.pieces.back().weight += count_letters({text_ + e.begin, text_ + end});
    }

    // Equal shares of a long text, a little of each.
    void strata(const std::vector<Eligible>& blocks, uint64_t bytes, uint32_t most) {
        const size_t own = out_.pieces.size();
        const uint64_t pieces = std::min<uint64_t>(most, bytes / options_.reach + 1);
        const uint64_t step = bytes / pieces + 1;
        uint64_t before = 0;  // bytes in the blocks passed
        size_t at = 0;
        for (uint64_t from = 0; from < bytes; from += step) {
            while (before + blocks[at].size() <= from) before += blocks[at++].size();
            const uint64_t to = std::min(from + step, bytes);
            const Eligible& first = blocks[at];
            begin_piece(first);
            out_.pieces.back().weight = static_cast<uint32_t>(to - from);
            uint32_t reach = options_.reach;
            uint32_t begin = word_start(text_, first.begin + static_cast<uint32_t>(from - before), first.begin, first.end);
            uint64_t passed = before;
            for (size_t i = at; i < blocks.size() && reach && passed < to && lang(blocks[i]) == lang(first); ++i) {
                add(blocks[i], i == at ? begin : blocks[i].begin, reach);
                passed += blocks[i].size();
            }
            estimate_letters();
        }
        scopes(blocks, own);
    }

    // From bytes to letters, as many to a byte as in what was read of the piece.
    void estimate_letters() {
        Piece& piece = out_.pieces.back();
        uint64_t bytes = 0, letters = 0;
        for (uint32_t s = piece.first_stretch; s < piece.last_stretch; ++s) {
            const Stretch& stretch = out_.stretches[s];
            bytes += stretch.end - stretch.begin;
            letters += count_letters({text_ + stretch.begin, text_ + stretch.end});
        }
        if (letters < bytes) piece.weight = static_cast<uint32_t>(std::max<uint64_t>(piece.weight * letters / bytes, 1));
    }

    // A piece for each language scope that no piece stands in.
    void scopes(const std::vector<Eligible>& blocks, size_t own) {
        std::vector<uint16_t> seen;
        for (size_t i = own; i < out_.pieces.size(); ++i) seen.push_back(out_.pieces[i].lang);
        uint32_t added = 0;
        for (const Eligible& e : blocks) {
            if (added >= kMostScopes) return;
            if (lang(e) == seen.back()) continue;  // most pages have one
            if (std::find(seen.begin(), seen.end(), lang(e)) != seen.end()) continue;
            seen.push_back(lang(e));
            begin_piece(e);
            out_.pieces.back().weight = e.size();
            uint32_t reach = options_.reach;
            add(e, e.begin, reach);
            estimate_letters();
            ++added;
        }
    }

    void begin_piece(const Eligible& e) {
        const auto stretch = static_cast<uint32_t>(out_.stretches.size());
        out_.pieces.push_back({stretch, stretch, e.block, e.block + 1, 0, lang(e), false, false});
    }

    void add(const Eligible& e, uint32_t begin, uint32_t& reach) {
        const uint32_t end = word_stop(text_, begin, e.end, reach);
        if (begin < end) out_.stretches.push_back({begin, end});
        out_.pieces.back().last_stretch = static_cast<uint32_t>(out_.stretches.size());
        out_.pieces.back().last_block = e.block + 1;
    }

    const Scan& scan_;
    const SampleOptions& options_;
    const Byte* text_;
    Sample out_;
};

}  // namespace

uint32_t count_letters(Span utf8) {
    uint32_t out = 0;
    for (const Byte* p = utf8.begin; p < utf8.end; ++p) out += !continues(*p) + (*p >= kFirstDense && *p <= kLastDense) * (kDense - 1);
    return out;
}

Sample take_sample(const Scan& scan, const SampleOptions& options) { return Sampler(scan, options).run(); }

uint32_t page_begin_of(const Scan& scan, const Sample& sample, const Piece& piece) {
    const Block& block = scan.blocks[piece.first_block];
    if (piece.first_stretch == piece.last_stretch) return block.page_begin;
    const uint32_t from = piece.first_block ? scan.blocks[piece.first_block - 1].text_end + 1 : 0;
    const uint32_t at = sample.stretches[piece.first_stretch].begin;
    if (at <= from || at >= block.text_end || block.page_end <= block.page_begin) return block.page_begin;
    return block.page_begin + static_cast<uint32_t>(uint64_t{block.page_end - block.page_begin} * (at - from) / (block.text_end - from));
}

}  // namespace webtongue
