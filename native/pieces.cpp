#include "pieces.hpp"

#include <algorithm>

#include "noise.hpp"

namespace webtongue {
namespace {

constexpr uint8_t kSaysNothing = kNumbers | kSymbols | kRepeated;
constexpr uint32_t kMostScopes = 16;  // pieces added for `lang` scopes that the strata passed over

struct Eligible {
    uint32_t block, begin, end;
    uint32_t size() const { return end - begin; }
};

int level_of(const Block& block) {
    if (block.flags & kSaysNothing) return 3;
    if (block.flags & kCommon) return 2;
    return block.kind == Kind::link || block.kind == Kind::navigation || block.kind == Kind::alt || block.kind == Kind::meta;
}

std::vector<Eligible> collect(const Scan& scan, const SampleOptions& options, uint8_t& level) {
    uint64_t bytes[4] = {};
    uint32_t begin = 0;
    for (const Block& block : scan.blocks) {
        bytes[level_of(block)] += block.text_end - begin;
        begin = block.text_end + 1;
    }
    level = bytes[0] >= options.enough && !options.menus ? 0 : bytes[0] + bytes[1] > 0 ? 1 : 2;
    std::vector<Eligible> out;
    begin = 0;
    for (uint32_t i = 0; i < scan.blocks.size(); ++i) {
        const Block& block = scan.blocks[i];
        if (level_of(block) <= level) out.push_back({i, begin, block.text_end});
        begin = block.text_end + 1;
    }
    return out;
}

bool continues(Byte c) { return (c & 0xC0) == 0x80; }

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
    while (at < end && reach) {
        ++at;
        while (at < end && continues(text[at])) ++at;
        --reach;
    }
    if (at == end) return end;
    for (uint32_t i = at; i > begin && at - i < 24; --i)
        if (text[i] == ' ') return i;
    return at;
}

class Sampler {
public:
    Sampler(const Scan& scan, const SampleOptions& options) : scan_(scan), options_(options), text_(scan.text.get()) {}

    Sample run() {
        blocks_ = collect(scan_, options_, out_.level);
        for (const Eligible& e : blocks_) out_.eligible += e.size();
        if (out_.eligible <= options_.whole) whole();
        else strata();
        return std::move(out_);
    }

private:
    uint16_t lang(const Eligible& e) const { return scan_.blocks[e.block].lang; }

    // Every block, small neighbours of one scope together.
    void whole() {
        out_.whole = true;
        for (const Eligible& e : blocks_) {
            if (out_.pieces.empty() || out_.pieces.back().weight >= options_.smallest || out_.pieces.back().lang != lang(e))
                begin_piece(e);
            uint32_t all = UINT32_MAX;
            add(e, e.begin, all);
            out_.pieces.back().weight += e.size();
        }
    }

    // Equal shares of a long text, a little of each.
    void strata() {
        const uint64_t pieces = std::min<uint64_t>(options_.strata, out_.eligible / options_.reach + 1);
        const uint64_t step = out_.eligible / pieces + 1;
        out_.whole = pieces < options_.strata;
        uint64_t before = 0;  // bytes in the blocks passed
        size_t at = 0;
        for (uint64_t from = 0; from < out_.eligible; from += step) {
            while (before + blocks_[at].size() <= from) before += blocks_[at++].size();
            const uint64_t to = std::min(from + step, out_.eligible);
            const Eligible& first = blocks_[at];
            begin_piece(first);
            out_.pieces.back().weight = static_cast<uint32_t>(to - from);
            uint32_t reach = options_.reach;
            uint32_t begin = word_start(text_, first.begin + static_cast<uint32_t>(from - before), first.begin, first.end);
            uint64_t passed = before;
            for (size_t i = at; i < blocks_.size() && reach && passed < to && lang(blocks_[i]) == lang(first); ++i) {
                add(blocks_[i], i == at ? begin : blocks_[i].begin, reach);
                passed += blocks_[i].size();
            }
        }
        scopes();
    }

    // A piece for each language scope that no piece stands in.
    void scopes() {
        std::vector<uint16_t> seen;
        for (const Piece& p : out_.pieces) seen.push_back(p.lang);
        uint32_t added = 0;
        for (const Eligible& e : blocks_) {
            if (added >= kMostScopes) return;
            if (std::find(seen.begin(), seen.end(), lang(e)) != seen.end()) continue;
            seen.push_back(lang(e));
            begin_piece(e);
            out_.pieces.back().weight = e.size();
            uint32_t reach = options_.reach;
            add(e, e.begin, reach);
            ++added;
        }
    }

    void begin_piece(const Eligible& e) {
        const auto stretch = static_cast<uint32_t>(out_.stretches.size());
        out_.pieces.push_back({stretch, stretch, e.block, e.block + 1, 0, lang(e)});
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
    std::vector<Eligible> blocks_;
    Sample out_;
};

}  // namespace

Sample take_sample(const Scan& scan, const SampleOptions& options) { return Sampler(scan, options).run(); }

}  // namespace webtongue
