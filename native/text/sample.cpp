#include "text/sample.hpp"

#include <algorithm>
#include <array>

#include "base/utf8.hpp"
#include "markup/noise.hpp"
#include "text/block_style.hpp"

namespace webtongue {
namespace {

constexpr uint8_t kNoText = kNumbers | kSymbols | kRepeated;
constexpr Byte kFirstDense = 0xE3, kLastDense = 0xED;  // lead bytes of kana, Han and Hangul
constexpr uint32_t kDenseLetters = 3;  // letters that one such character counts as
constexpr uint32_t kMaxScopeChunks = 16;  // chunks added for `lang` scopes that the sample missed

struct TextBlock {
    uint32_t block, begin, end;
    uint32_t size() const { return end - begin; }
};

// Levels of blocks. The main text consists of the levels up to one of them.
enum Level : uint8_t { kRunning, kLinks, kNames, kCodes, kCommonText, kNoLevel, kLevels };

// The blocks that the verdict rests on, the secondary ones, and consent banners beside them.
struct Collected {
    std::vector<TextBlock> main, secondary, banners;
    bool boilerplate = false;
};

// Finds the level of each block, and the lowest level that has enough text together with those before it.
class Leveler {
public:
    Leveler(const Scan& scan, const SampleOptions& options) : scan_(scan), options_(options) {
        styles_.reserve(scan.blocks.size());
        uint32_t begin = 0;
        for (const Block& block : scan.blocks) {
            const Span text{scan.text.get() + begin, scan.text.get() + block.text_end};
            begin = block.text_end + 1;
            const bool has_level = block.flags & (kNoText | kCommon);  // whatever its style is
            styles_.push_back(has_level ? BlockStyle::fragment : style_of(text));
            if (block.kind == Kind::heading && styles_.back() == BlockStyle::names) styles_.back() = BlockStyle::fragment;
            names_ += styles_.back() == BlockStyle::names;
        }
        add_bytes();
        if (bytes_[kRunning] < options.min_bytes_beside_banner) {
            has_banners_ = false;
            add_bytes();
        }
    }

    Level level_of(size_t i) const {
        const Block& block = scan_.blocks[i];
        if (block.flags & kNoText) return kNoLevel;
        if (block.flags & kCommon) return kCommonText;
        if (styles_[i] == BlockStyle::codes) return kCodes;
        if (styles_[i] == BlockStyle::names && names_ >= options_.min_names) return kNames;
        return block.kind >= Kind::link ? kLinks : kRunning;
    }
    static_assert(Kind::link < Kind::navigation && Kind::navigation < Kind::alt && Kind::alt < Kind::meta && Kind::item < Kind::link,
                  "what is no running text comes last");

    bool is_banner(size_t i) const { return has_banners_ && scan_.blocks[i].flags & kConsent && level_of(i) <= kLinks; }

    Level main_level() const {
        const uint64_t linked = bytes_[kRunning] + bytes_[kLinks], named = linked + bytes_[kNames];
        if (running_bytes_ >= options_.min_text_bytes) return kRunning;
        if (linked >= options_.min_text_bytes || running_bytes_ >= options_.min_bytes_beside_names) return kLinks;
        if (named >= options_.min_bytes_beside_banner) return kNames;
        return named + bytes_[kCodes] > 0 ? kCodes : kCommonText;
    }
    bool has_common_text() const { return bytes_[kCommonText] > 0; }

private:
    void add_bytes() {
        bytes_ = {};
        running_bytes_ = 0;
        uint32_t begin = 0;
        for (size_t i = 0; i < scan_.blocks.size(); ++i) {
            const uint32_t size = scan_.blocks[i].text_end - begin;
            begin = scan_.blocks[i].text_end + 1;
            if (is_banner(i)) continue;
            const Level level = level_of(i);
            bytes_[level] += size;
            if (level == kRunning && styles_[i] == BlockStyle::running) running_bytes_ += size;
        }
    }

    const Scan& scan_;
    const SampleOptions& options_;
    std::vector<BlockStyle> styles_;
    std::array<uint64_t, kLevels> bytes_{};
    uint64_t running_bytes_ = 0;  // bytes of running text in sentences
    uint32_t names_ = 0;
    bool has_banners_ = true;
};

Collected collect(const Scan& scan, const SampleOptions& options) {
    const Leveler leveler(scan, options);
    const Level main_level = leveler.main_level();
    Collected out;
    out.boilerplate = main_level == kCommonText && leveler.has_common_text();
    out.main.reserve(scan.blocks.size());
    uint32_t begin = 0;
    for (uint32_t i = 0; i < scan.blocks.size(); ++i) {
        const TextBlock block{i, begin, scan.blocks[i].text_end};
        const Level level = leveler.level_of(i);
        begin = block.end + 1;
        if (leveler.is_banner(i)) out.banners.push_back(block);
        else if (level <= main_level) out.main.push_back(block);
        else if (level <= kNames) out.secondary.push_back(block);
    }
    return out;
}

bool is_continuation(Byte c) { return (c & 0xC0) == 0x80; }

bool is_ascii_blank(Byte c) { return c <= ' '; }

// A sentence without the spaces, line ends and control characters around it.
Span trim_blanks(Span text) {
    const auto blank_size = [end = text.end](const Byte* p) { return is_ascii_blank(*p) ? 1 : space_size(p, end); };
    while (text.begin < text.end) {
        const size_t size = blank_size(text.begin);
        if (!size) break;
        text.begin += size;
    }
    while (text.begin < text.end) {
        const Byte* last = text.end - 1;
        while (last > text.begin && is_continuation(*last)) --last;
        if (!blank_size(last)) break;
        text.end = last;
    }
    return text;
}

// The number of characters that start in eight bytes.
uint32_t starts_in_eight(const Byte* text) {
    uint64_t bytes;
    std::memcpy(&bytes, text, 8);
    const uint64_t continuing = bytes & ~(bytes << 1) & 0x8080808080808080u;
    return 8 - static_cast<uint32_t>((continuing >> 7) * 0x0101010101010101u >> 56);
}

// The offset to start reading at or after `at`: after a space if one is near, otherwise at the next character.
uint32_t word_start(const Byte* text, uint32_t at, uint32_t begin, uint32_t end) {
    if (at == begin) return at;
    for (uint32_t i = at; i < end && i < at + 24; ++i)
        if (text[i] == ' ') return i + 1;
    while (at < end && is_continuation(text[at])) ++at;
    return at;
}

// The offset to stop at so that at most `remaining_chars` code points are read: before a space if one is near.
uint32_t word_stop(const Byte* text, uint32_t begin, uint32_t end, uint32_t& remaining_chars) {
    uint32_t at = begin;
    for (; remaining_chars >= 8 && end - at >= 8; at += 8)
        remaining_chars -= starts_in_eight(text + at);  // in steps of eight while that cannot be too far
    for (; at < end && (remaining_chars || is_continuation(text[at])); ++at) remaining_chars -= !is_continuation(text[at]);
    if (at == end) return end;
    for (uint32_t i = at; i > begin && at - i < 24; --i)
        if (text[i] == ' ') return i;
    return at;
}

class Sampler {
public:
    Sampler(const Scan& scan, const SampleOptions& options) : scan_(scan), options_(options), text_(scan.text.get()) {}

    Sample run() {
        const Collected collected = collect(scan_, options_);
        add_chunks(collected.main, options_.max_chunks, false);
        add_chunks(collected.secondary, options_.max_secondary_chunks, true);
        add_banners(collected.banners);
        out_.boilerplate = collected.boilerplate;
        return std::move(out_);
    }

private:
    uint16_t lang(const TextBlock& block_text) const { return scan_.blocks[block_text.block].lang; }

    void add_chunks(const std::vector<TextBlock>& blocks, uint32_t max_chunks, bool is_secondary) {
        uint64_t bytes = 0;
        for (const TextBlock& block_text : blocks) bytes += block_text.size();
        if (bytes == 0) return;
        const size_t first = out_.chunks.size();
        if (bytes <= options_.max_complete_bytes && !is_secondary) {
            out_.is_complete = true;
            add_all_blocks(blocks);
        } else {
            add_strata(blocks, bytes, max_chunks);
        }
        for (size_t i = first; i < out_.chunks.size(); ++i) out_.chunks[i].is_secondary = is_secondary;
    }

    // Adds consent banners as secondary chunks. Their weight is reduced so that no page is in the language of its banner.
    void add_banners(const std::vector<TextBlock>& blocks) {
        uint64_t main_weight = 0, banner_weight = 0;
        for (const Chunk& chunk : out_.chunks) main_weight += chunk.is_secondary ? 0 : chunk.weight;
        const size_t first = out_.chunks.size();
        add_chunks(blocks, options_.max_secondary_chunks, true);
        for (size_t i = first; i < out_.chunks.size(); ++i) banner_weight += out_.chunks[i].weight;
        const uint64_t max_weight = std::min(main_weight, banner_weight) * options_.max_banner_percent / 100;
        for (size_t i = first; i < out_.chunks.size(); ++i) {
            out_.chunks[i].is_banner = true;
            out_.chunks[i].weight = static_cast<uint32_t>(out_.chunks[i].weight * max_weight / banner_weight);
        }
    }

    // Adds every block: small neighbours of one scope together, large ones sentence by sentence.
    void add_all_blocks(const std::vector<TextBlock>& blocks) {
        uint32_t bytes = 0;  // size of the current chunk
        std::vector<uint32_t> cuts;
        for (const TextBlock& block_text : blocks) {
            if (out_.chunks.empty() || bytes >= options_.min_chunk_bytes || out_.chunks.back().lang != lang(block_text))
                begin_chunk(block_text), bytes = 0;
            cuts.clear();
            cut_sentences({text_ + block_text.begin, text_ + block_text.end}, options_.cuts, cuts);
            uint32_t begin = block_text.begin;
            for (const uint32_t cut : cuts) {
                add_whole({block_text.block, begin, block_text.begin + cut});
                begin_chunk(block_text);
                out_.chunks.back().continues_block = true;
                begin = block_text.begin + cut;
                bytes = 0;
            }
            add_whole({block_text.block, begin, block_text.end});
            bytes += block_text.end - begin;
        }
    }

    void add_whole(const TextBlock& block_text) {
        uint32_t all = UINT32_MAX;
        add(block_text, block_text.begin, all);
        out_.chunks.back().weight += count_letters(trim_blanks({text_ + block_text.begin, text_ + block_text.end}));
    }

    // Adds chunks at equal distances in a long text.
    void add_strata(const std::vector<TextBlock>& blocks, uint64_t bytes, uint32_t max_chunks) {
        const size_t first_chunk = out_.chunks.size();
        const uint64_t chunks = std::min<uint64_t>(max_chunks, bytes / options_.chunk_chars + 1);
        const uint64_t step = bytes / chunks + 1;
        uint64_t before = 0;  // bytes in the previous blocks
        size_t at = 0;
        for (uint64_t from = 0; from < bytes; from += step) {
            while (before + blocks[at].size() <= from) before += blocks[at++].size();
            const uint64_t to = std::min(from + step, bytes);
            const TextBlock& first = blocks[at];
            begin_chunk(first);
            out_.chunks.back().weight = static_cast<uint32_t>(to - from);
            uint32_t remaining_chars = options_.chunk_chars;
            uint32_t begin = word_start(text_, first.begin + static_cast<uint32_t>(from - before), first.begin, first.end);
            uint64_t passed = before;
            for (size_t i = at; i < blocks.size() && remaining_chars && passed < to && lang(blocks[i]) == lang(first); ++i) {
                add(blocks[i], i == at ? begin : blocks[i].begin, remaining_chars);
                passed += blocks[i].size();
            }
            estimate_letters();
        }
        add_scopes(blocks, first_chunk);
    }

    // Converts the weight of a chunk from bytes to letters by the ratio in its sample.
    void estimate_letters() {
        Chunk& chunk = out_.chunks.back();
        uint64_t bytes = 0, letters = 0;
        for (uint32_t s = chunk.first_span; s < chunk.last_span; ++s) {
            const TextSpan& span = out_.spans[s];
            bytes += span.end - span.begin;
            letters += count_letters(text_in(scan_, span));
        }
        if (letters < bytes) chunk.weight = static_cast<uint32_t>(std::max<uint64_t>(chunk.weight * letters / bytes, 1));
    }

    // Adds a chunk for every `lang` scope that has none.
    void add_scopes(const std::vector<TextBlock>& blocks, size_t first_chunk) {
        std::vector<uint16_t> scopes_seen;
        for (size_t i = first_chunk; i < out_.chunks.size(); ++i) scopes_seen.push_back(out_.chunks[i].lang);
        uint32_t added = 0;
        for (const TextBlock& block_text : blocks) {
            if (added >= kMaxScopeChunks) return;
            if (lang(block_text) == scopes_seen.back()) continue;  // most pages have one scope
            if (std::find(scopes_seen.begin(), scopes_seen.end(), lang(block_text)) != scopes_seen.end()) continue;
            scopes_seen.push_back(lang(block_text));
            begin_chunk(block_text);
            out_.chunks.back().weight = block_text.size();
            uint32_t remaining_chars = options_.chunk_chars;
            add(block_text, block_text.begin, remaining_chars);
            estimate_letters();
            ++added;
        }
    }

    void begin_chunk(const TextBlock& block_text) {
        const auto span = static_cast<uint32_t>(out_.spans.size());
        out_.chunks.push_back({span, span, block_text.block, block_text.block + 1, 0, lang(block_text), false});
    }

    void add(const TextBlock& block_text, uint32_t begin, uint32_t& remaining_chars) {
        const uint32_t end = word_stop(text_, begin, block_text.end, remaining_chars);
        if (begin < end) out_.spans.push_back({begin, end});
        out_.chunks.back().last_span = static_cast<uint32_t>(out_.spans.size());
        out_.chunks.back().last_block = block_text.block + 1;
    }

    const Scan& scan_;
    const SampleOptions& options_;
    const Byte* text_;
    Sample out_;
};

}  // namespace

uint32_t count_letters(Span utf8) {
    if (utf8.empty()) return 0;
    const auto count = [](Byte c) -> uint32_t { return !is_continuation(c) + (c >= kFirstDense && c <= kLastDense) * (kDenseLetters - 1); };
    uint32_t out = count(*utf8.begin);
    for (const Byte* p = utf8.begin + 1; p < utf8.end; ++p) out += count(*p) - (is_ascii_blank(*p) & is_ascii_blank(p[-1]));
    return out;
}

Sample take_sample(const Scan& scan, const SampleOptions& options) { return Sampler(scan, options).run(); }

Sample take_parts(const Scan& scan, const std::vector<uint32_t>& cuts) {
    Sample out;
    out.is_complete = true;
    out.spans.reserve(cuts.size() + 1);
    out.chunks.reserve(cuts.size() + 1);
    for (uint32_t i = 0; i <= cuts.size(); ++i) {
        const uint32_t begin = i ? cuts[i - 1] : 0, end = i < cuts.size() ? cuts[i] : static_cast<uint32_t>(scan.text_size);
        out.spans.push_back({begin, end});
        Chunk chunk{i, i + 1, 0, 1, count_letters(trim_blanks(text_in(scan, out.spans.back()))), 0, false};
        chunk.continues_block = i > 0;
        out.chunks.push_back(chunk);
    }
    return out;
}

uint32_t page_begin_of(const Scan& scan, const Sample& sample, const Chunk& chunk) {
    const Block& block = scan.blocks[chunk.first_block];
    if (chunk.first_span == chunk.last_span) return block.page_begin;
    const uint32_t from = chunk.first_block ? scan.blocks[chunk.first_block - 1].text_end + 1 : 0;
    const uint32_t at = sample.spans[chunk.first_span].begin;
    if (at <= from || at >= block.text_end || block.page_end <= block.page_begin) return block.page_begin;
    return block.page_begin + static_cast<uint32_t>(uint64_t{block.page_end - block.page_begin} * (at - from) / (block.text_end - from));
}

}  // namespace webtongue
