#include "page/flow.hpp"

#include <algorithm>
#include <cstring>

namespace webtongue {
namespace {

// Without a byte order mark of UTF-16, which is a lie where a page gets here: its bytes are no text.
Span unmarked(Span page) {
    const bool marked = page.size() >= 2 && (page.begin[0] ^ page.begin[1]) == 1 && page.begin[0] >= 0xFE;
    return {page.begin + (marked ? 2 : 0), page.end};
}

constexpr uint32_t kMostControls = 20;  // one byte in so many: text has none, compressed or compiled bytes have some 10%
constexpr size_t kPrescanned = 1024;    // bytes, by the standard
constexpr size_t kLongestValue = 2048;  // bytes of a claim that are kept
constexpr size_t kMostPacked = 1 << 14;  // bytes of claims: sound pages have some hundred
constexpr char kPrescan = '\xFF';
constexpr size_t kBeginning = 1024;     // bytes of text in which a font is looked for where only a page's beginning is read,
constexpr size_t kFirst = 256;          // and whose language is told

bool is_of_language_or_encoding(Claim claim) {
    return claim != Claim::hreflang && claim != Claim::canonical && claim != Claim::base && claim != Claim::og_locale_alternate;
}

// An address for comparison: no scheme, no fragment, no slash at the end.
Span bare(Span address) {
    address = trim(address);
    const Byte* colon = find_byte(address.begin, address.end, ':');
    if (address.end - colon >= 3 && colon[1] == '/' && colon[2] == '/') address.begin = colon + 3;
    address.end = find_byte(address.begin, address.end, '#');
    while (address.end > address.begin && address.end[-1] == '/') --address.end;
    return address;
}

bool same(Span a, Span b) { return a.size() == b.size() && std::memcmp(a.begin, b.begin, a.size()) == 0; }

// The page's own address as far as it says so itself; the URL that it was fetched from is not known here.
Span canonical_in(const Scan& scan, Span source) {
    for (const Declaration& d : scan.declarations)
        if (d.claim == Claim::canonical) return bare({source.begin + d.begin, source.begin + d.end});
    return {};
}

// What a declaration is packed as: alternates that are the page itself say its language, other ones do not.
Claim packed_as(const Declaration& d, Span source, Span canonical) {
    if (d.claim != Claim::hreflang || canonical.empty()) return d.claim;
    if (equals_lower(trim({source.begin + d.begin, source.begin + d.end}), "x-default")) return d.claim;
    return same(bare({source.begin + d.extra_begin, source.begin + d.extra_end}), canonical) ? Claim::hreflang_self : d.claim;
}

void pack(std::string& out, char kind, bool late, const Byte* value, size_t size) {
    size = std::min(size, kLongestValue);
    out += kind;
    out += static_cast<char>(late);
    out += static_cast<char>(size & 0xFF);
    out += static_cast<char>(size >> 8);
    out.append(reinterpret_cast<const char*>(value), size);
}

}  // namespace

std::string pack_claims(const Scan& scan, Span source, Span head, const Labels& labels) {
    std::string out;
    const Span seen = prescan({head.begin, head.begin + std::min(head.size(), kPrescanned)}, labels).label;
    if (seen.begin) pack(out, kPrescan, false, seen.begin, seen.size());
    const Span canonical = canonical_in(scan, source);
    for (const Declaration& d : scan.declarations) {
        if (out.size() > kMostPacked) break;
        const Claim claim = packed_as(d, source, canonical);
        if (!is_of_language_or_encoding(claim)) continue;
        const Byte* value = source.begin + d.begin;
        const bool late = static_cast<size_t>(find_byte(value, source.end, '>') - source.begin) >= kPrescanned;
        pack(out, static_cast<char>(claim), late, value, d.end - d.begin);
    }
    return out;
}

Read read_scan(Scan& scan, const Tools& tools, int32_t main, int32_t log_prob, std::vector<uint16_t> wanted) {
    mark_noise({scan.text.get(), scan.text.get() + scan.text_size}, scan.blocks, tools.common);
    ReadOptions options;
    options.priors = &tools.priors;
    options.policy = &tools.policy;
    options.main = main;
    options.wanted = std::move(wanted);
    Read out;
    out.reading = read_page(tools.model, scan, options);
    if (log_prob) out.reading.lower(log_prob);
    out.decision = decide(tools.model, tools.priors, tools.policy, out.reading);
    return out;
}

void weigh_hints(Read& read, const Tools& tools, std::vector<Hinted> hints, const Borrowed& borrowed) {
    weigh_hints(tools.model, tools.priors, std::move(hints), borrowed, read.reading);
    read.decision = decide(tools.model, tools.priors, tools.policy, read.reading);
}

Beginning read_beginning(Span page, const Tools& tools) {
    Beginning out;
    const Probe first = probe(page);
    if (first.may_hide_markup()) {
        out.stop = Stop::probe;
        return out;
    }
    const Sniffed sniffed = sniff(page, Media::unknown, false, tools.formats);
    const Utf8Check check = check_utf8(unmarked(page), 1);
    out.multibyte = check.multibyte != 0;
    out.stop = sniffed.nothing != Nothing::none ? Stop::nothing : check.errors ? Stop::coding : Stop::done;
    if (out.stop != Stop::done) return out;
    ScanOptions scanning;
    scanning.syntax = sniffed.syntax;
    scanning.enough = kBeginning;
    const Scan scanned = scan(page, scanning);
    Span text{scanned.text.get(), scanned.text.get() + scanned.text_size};
    if (tools.fonts.suspects(text)) {
        out.stop = Stop::font;
        return out;
    }
    if (text.size() > kFirst) {
        text.end = text.begin + kFirst;
        while (text.end > text.begin && (*text.end & 0xC0) == 0x80) --text.end;  // no half character
    }
    Reading reading = read_text(tools.model, text, tools.priors, nullptr);
    out.decision = decide(tools.model, tools.priors, tools.policy, reading);
    return out;
}

Analysis analyse(Span page, const FlowOptions& options, const Tools& tools) {
    Analysis out;
    if (options.text) {
        out.sniffed.syntax = Syntax::text;
    } else {
        const Probe first = probe(page);
        if (!options.scannable && first.may_hide_markup()) {
            out.stop = Stop::probe;
            return out;
        }
        out.sniffed = sniff(page, options.media, first.controls > first.head / kMostControls, tools.formats);
        if (out.sniffed.nothing != Nothing::none) {
            out.stop = Stop::nothing;
            return out;
        }
    }
    ScanOptions scanning;
    scanning.syntax = out.sniffed.syntax;
    out.scan = scan(page, scanning);
    const Labels labels{tools.encoding_labels.data(), tools.encoding_labels.data() + tools.encoding_labels.size()};
    if (options.claims) out.claims = pack_claims(out.scan, page, page, labels);
    const Span text{out.scan.text.get(), out.scan.text.get() + out.scan.text_size};
    out.utf8 = check_utf8(out.scan);
    if (!out.utf8.multibyte && !out.utf8.errors && !options.text)
        out.utf8 = check_utf8(unmarked(page), kGiveUp);  // what is not shown tells too
    if (out.utf8.errors) out.stop = Stop::coding;
    else if (tools.fonts.suspects(text)) out.stop = Stop::font;
    else out.read = read_scan(out.scan, tools, kNoLabel, 0);
    return out;
}

}  // namespace webtongue
