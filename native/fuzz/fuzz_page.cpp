// libFuzzer target: every kernel function that reads page bytes without a model, with checks of its result.
//
// The first byte of the input selects the function and its options; the rest is the page. Run by `make fuzz`.
#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "charset/byte_model.hpp"
#include "charset/mojibake.hpp"
#include "charset/multibyte.hpp"
#include "fuzz/check.hpp"
#include "markup/declarations.hpp"
#include "markup/entities.hpp"
#include "markup/noise.hpp"
#include "markup/outlinks.hpp"
#include "markup/prescan.hpp"
#include "markup/probe.hpp"
#include "markup/rewrite.hpp"
#include "markup/scan.hpp"
#include "markup/sniff.hpp"
#include "text/junk.hpp"
#include "text/sample.hpp"

using namespace webtongue;

namespace {

// Text without breaks: a `lang` on an inner element splits a block, which is invisible without scopes.
std::string letters(Span text) {
    std::string out;
    for (const Byte* p = text.begin; p < text.end; ++p)
        if (*p != '\n' && *p != ' ') out.push_back(static_cast<char>(*p));
    return out;
}

// `part` is the text without its alt and meta blocks.
bool same_text(const Scan& full, const Scan& part) {
    return letters({full.text.get(), full.text.get() + full.visible_size}) == letters(text_of(part)) &&
           full.references.compare(0, part.references.size(), part.references) == 0;
}

void check_blocks(const Scan& s, size_t page, Syntax syntax) {
    uint32_t text_end = 0, visible_end = 0;
    bool first = true;
    for (const Block& b : s.blocks) {
        CHECK(first || b.text_end > text_end + 1);  // a line feed, and at least one byte
        CHECK(b.text_end > 0 && b.text_end <= s.text_size);
        CHECK(b.text_end == s.text_size || s.text.get()[b.text_end] == '\n');
        CHECK(b.page_begin < b.page_end && b.page_end <= page);
        const bool attribute = b.kind == Kind::alt || b.kind == Kind::meta;
        if (!attribute) {
            CHECK(b.page_begin >= visible_end);
            visible_end = b.page_end;
        }
        CHECK(attribute == (b.text_end > s.visible_size));
        CHECK(b.lang < std::max<size_t>(s.langs.size(), 1));
        CHECK(syntax != Syntax::text || b.kind == Kind::paragraph);
        text_end = b.text_end;
        first = false;
    }
    CHECK(text_end == s.text_size);
    CHECK(s.visible_size <= s.text_size);
}

void check_full(const Scan& s, size_t page, Syntax syntax) {
    check_blocks(s, page, syntax);
    for (const Link& l : s.links) {
        CHECK(l.href_begin <= l.href_end && l.href_end <= page);
        CHECK(l.lang_begin <= l.lang_end && l.lang_end <= page);
        CHECK(l.text_begin <= l.text_end && l.text_end <= s.visible_size + 1);
    }
    for (const Declaration& d : s.declarations) {
        CHECK(d.begin <= d.end && d.end <= page);
        CHECK(d.extra_begin <= d.extra_end && d.extra_end <= page);
    }
    for (const Range& r : s.langs) CHECK(r.begin <= r.end && r.end <= page);
    CHECK(s.skipped_bytes <= page);
}

// The first host on a page in lower case: some of its links lead there.
std::string host_in(Span page) {
    const std::string slashes = "//";
    const Byte* begin = std::search(page.begin, page.end, slashes.begin(), slashes.end());
    std::string out;
    if (begin == page.end) return out;
    for (const Byte* p = begin + slashes.size(); p < page.end && *p != '/' && *p != '>' && !is_space(*p); ++p)
        out.push_back(static_cast<char>(lower(*p)));
    return out;
}

bool is_short_text(const std::string& s, size_t limit) {
    const bool folded = s.find_first_of("\t\n\f\r") == std::string::npos && s.find("  ") == std::string::npos;
    return s.size() <= limit && folded && !check_utf8(span_of(s)).errors;
}

void check_outlinks(const Scan& s, Span page) {
    const std::string host = host_in(page);
    std::unordered_set<std::string> urls;
    const std::vector<Outlink> result = outlinks(s, page, span_of(host));
    CHECK(result.size() <= std::min(kMaxOutlinks, s.links.size()));
    for (const Outlink& link : result) {
        const Span url = span_of(link.url);
        CHECK(starts_lower(url.begin, url.end, "http://") || starts_lower(url.begin, url.end, "https://"));
        CHECK(url.size() <= kMaxOutlinkBytes && !check_utf8(url).errors && urls.insert(link.url).second);
        CHECK(link.url.find_first_of("#\t\n\r") == std::string::npos);
        CHECK(is_short_text(link.anchor, kMaxAnchorBytes) && is_short_text(link.hreflang, kMaxHreflangBytes));
    }
}

void fuzz_scan(Span page, Byte mode) {
    ScanOptions options;
    options.syntax = static_cast<Syntax>(mode & 3);
    options.utf8 = mode & 4;
    Scan full = scan(page, options);
    check_full(full, page.size(), options.syntax);
    CHECK(full.text_size <= page.size() + page.size() / 4 + 64);
    check_outlinks(full, page);
    const CommonStrings common({std::string(page.begin, page.end), ""}, {}, {{"use"}, {"accept"}});
    mark_noise(text_of(full), full.blocks, common);
    for (const Block& b : full.blocks) CHECK(!((b.flags & kNumbers) && (b.flags & kSymbols)));
    options.text_only = true;
    CHECK(same_text(full, scan(page, options)));
    options.text_only = false;
    if (options.utf8 && !check_utf8(page).errors) CHECK(!check_utf8(text_of(full)).errors);
}

void fuzz_unescape(Span page) {
    for (bool in_attribute : {false, true}) {
        const std::string out = unescape(page, in_attribute);
        CHECK(out.size() <= page.size() + page.size() / 4 + 8);
    }
    charset_in(page);
}

void fuzz_prescan(Span page) {
    std::vector<uint64_t> known{hash_lower(span_of("utf-8")), hash_lower(span_of("koi8-r")), hash_lower(span_of(""))};
    std::sort(known.begin(), known.end());
    const Prescan result = prescan(page, {known.data(), known.data() + known.size()});
    if (result.label.begin) CHECK(result.label.begin >= page.begin && result.label.end <= page.end);
}

void fuzz_utf(Span page) {
    const Utf8Check check = check_utf8(page);
    CHECK(check.errors + check.multibyte <= page.size());
}

// Text decoded during the scan, and text rewritten afterwards.
void fuzz_decoding(Span page) {
    uint16_t high[128];
    for (int i = 0; i < 128; ++i) high[i] = static_cast<uint16_t>(0x400 + i);
    ScanOptions options;
    options.high_half = high;
    const Scan mapped = scan(page, options);
    CHECK(!check_utf8({mapped.text.get(), mapped.text.get() + mapped.text_size}).errors);
    check_outlinks(mapped, page);
    options.high_half = nullptr;
    options.utf8 = false;
    Rewrite rewrite(scan(page, options));
    for (size_t at = 0; at < rewrite.raw_size(); at += 100) rewrite.append(rewrite.raw(at, at + 100));
    const Scan rewritten = rewrite.finish();
    for (const Block& block : rewritten.blocks) CHECK(block.text_end <= rewritten.text_size);
    check_outlinks(rewritten, page);  // links keep their positions
}

// Features for detecting encodings: n-grams, sequences, contexts.
void fuzz_bytes(Span page) {
    const ByteHistogram histogram = count_high_bytes(page);
    CHECK(histogram.high <= page.size());
    ByteRule rule;
    for (int c = 0; c < 256; ++c) rule.map[c] = static_cast<Byte>(c < 0x21 ? 0x20 : c);
    rule.high = 15;
    for (const bool everywhere : {false, true}) {
        rule.everywhere = everywhere;
        rule.plain = everywhere ? 15 : 0;
        for (const size_t limit : {size_t{1}, size_t{64}, size_t{1} << 16}) {
            std::vector<uint32_t> keys;
            byte_ngrams(page, rule, histogram.high, limit, keys);
            CHECK(keys.size() <= 2 * limit + 4 * 80);
        }
    }
    for (int kind = 0; kind <= static_cast<int>(EncodingKind::other); ++kind) {
        const MultibyteCounts result = check_multibyte(page, static_cast<EncodingKind>(kind));
        CHECK(result.long_characters <= result.good && 2 * result.good + result.bad <= page.size());
        CHECK(result.common + result.rare <= result.good);
    }
    bool all[256];
    std::fill(all, all + 256, true);
    std::vector<ByteContext> contexts;
    find_contexts(page, all, contexts);
    CHECK(contexts.size() <= 128 * MAX_CONTEXTS_PER_BYTE && contexts.size() <= histogram.high);
}

// The steps before any model is used.
void fuzz_text(Span page) {
    const Probe first = probe(page);
    for (int media = 0; media < 6; ++media) sniff(page, static_cast<Media>(media), first.controls > 20, {{0, "%PDF-"}});
    detect_junk(page);
    looks_like_prose(page);
    looks_like_mojibake(page);
    Scan scanned = scan(page, {});
    mark_noise({scanned.text.get(), scanned.text.get() + scanned.text_size}, scanned.blocks, CommonStrings({}, {}));
    for (const uint32_t max_bytes : {0, 2048}) {
        SampleOptions options;
        options.max_complete_bytes = max_bytes;
        const Sample sample = take_sample(scanned, options);
        for (const TextSpan& s : sample.spans) CHECK(s.begin < s.end && s.end <= scanned.text_size);
        for (const Chunk& p : sample.chunks) CHECK(p.first_block < p.last_block && p.last_block <= scanned.blocks.size());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (!size) return 0;
    const std::vector<Byte> copy = copy_bytes(data + 1, size - 1);
    const Span page = span_of(copy);
    switch (data[0] >> 3) {
        case 1:
            fuzz_unescape(page);
            fuzz_prescan(page);
            fuzz_utf(page);
            break;
        case 2:
            fuzz_decoding(page);
            break;
        case 3:
            fuzz_bytes(page);
            break;
        case 4:
            fuzz_text(page);
            break;
        default:
            fuzz_scan(page, data[0]);
    }
    return 0;
}
