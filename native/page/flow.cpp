#include "page/flow.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "text/code_spans.hpp"
#include "text/debris.hpp"
#include "text/placeholder.hpp"

namespace webtongue {
namespace {

constexpr size_t kMaxMaskedBytes = 1 << 21;  // a longer text is not masked: it has enough language beside its debris

// Replaces the text of a page by a copy with debris masked while it is read.
class MaskedText {
public:
    explicit MaskedText(Scan& scan) : scan_(scan) {
        if (scan.text_size > kMaxMaskedBytes) return;
        std::vector<Byte> masked;
        if (mask_debris(text(), masked)) replace_by(masked);
        if (mask_code(text(), unmasked_ ? unmasked_.get() : scan.text.get(), masked)) replace_by(masked);
    }
    ~MaskedText() {
        if (!unmasked_) return;
        static_cast<void>(scan_.text.release());
        unmasked_.swap(scan_.text);
    }
    // Masks placeholder text as well. Returns false if the text has none, or nothing else.
    bool mask_placeholder_text() {
        std::vector<Byte> masked;
        if (scan_.text_size > kMaxMaskedBytes || !mask_placeholder(text(), masked)) return false;
        replace_by(masked);
        return true;
    }
    MaskedText(const MaskedText&) = delete;
    MaskedText& operator=(const MaskedText&) = delete;
    const Byte* unmasked() const { return unmasked_.get(); }

private:
    Span text() const { return {scan_.text.get(), scan_.text.get() + scan_.text_size}; }
    void replace_by(std::vector<Byte>& masked) {
        if (unmasked_) static_cast<void>(scan_.text.release());
        else unmasked_.swap(scan_.text);
        masked_.swap(masked);
        scan_.text.reset(masked_.data());  // lent until the destructor
    }

    Scan& scan_;
    std::vector<Byte> masked_;
    decltype(Scan::text) unmasked_;
};

// Skips a UTF-16 byte order mark. It is wrong on these pages, since pages in UTF-16 stop before.
Span skip_utf16_mark(Span page) {
    const bool has_mark = page.size() >= 2 && (page.begin[0] ^ page.begin[1]) == 1 && page.begin[0] >= 0xFE;
    return {page.begin + (has_mark ? 2 : 0), page.end};
}

// At most one byte in twenty is a control byte: text has none, compressed or compiled data has about 10%.
constexpr uint32_t kMaxControlsDivisor = 20;
constexpr size_t kPrescanBytes = 1024;  // set by the HTML standard
constexpr size_t kMaxValueBytes = 2048;  // longer values of declarations are cut
constexpr size_t kMaxPackedBytes = 1 << 12;  // declarations of ordinary pages have a few hundred bytes
constexpr size_t kMaxDeclarationsOfKind = 16;      // none of 3,721 real pages has more than 11
constexpr char kPrescanKind = '\xFF';
constexpr size_t kFontSampleBytes = 1024;  // text that is checked for font encodings when only the beginning of a page is read
constexpr size_t kLanguageSampleBytes = 256;  // text whose language is then identified

constexpr const char* MAIL_HEADERS[] = {
    "return-path:", "received:", "delivered-to:", "message-id:", "mime-version:", "from:", "to:", "date:", "subject:"};

// True if a page begins with a header of a mail.
bool starts_like_mail(Span page) {
    return std::any_of(std::begin(MAIL_HEADERS), std::end(MAIL_HEADERS),
                       [&](const char* header) { return starts_lower(page.begin, page.end, header); });
}

// True if plain text begins like JSON: with a bracket that is followed by a quotation mark or another bracket.
bool starts_like_json(Span page) {
    const Span text = trim({page.begin, page.begin + std::min(page.size(), kPrescanBytes)});
    if (text.size() < 2 || (*text.begin != '{' && *text.begin != '[')) return false;
    const Byte next = *trim({text.begin + 1, text.end}).begin;
    return next == '"' || next == '{' || next == '[';
}

// True if plain text is code or data as a whole, so that only its comments or values are text.
bool is_code_or_data(const DecidedReading& read) {
    const JunkKind kind = read.reading.junk.kind;
    return read.decision.reason == Reason::not_language && (kind == JunkKind::Code || kind == JunkKind::Json);
}

bool is_packed_kind(DeclarationKind kind) {
    return kind != DeclarationKind::hreflang && kind != DeclarationKind::canonical && kind != DeclarationKind::base &&
           kind != DeclarationKind::og_locale_alternate;
}

// A URL for comparison: without scheme, fragment and trailing slashes.
Span strip_url(Span url) {
    url = trim(url);
    const Byte* colon = find_byte(url.begin, url.end, ':');
    if (url.end - colon >= 3 && colon[1] == '/' && colon[2] == '/') url.begin = colon + 3;
    url.end = find_byte(url.begin, url.end, '#');
    while (url.end > url.begin && url.end[-1] == '/') --url.end;
    return url;
}

bool equal_bytes(Span a, Span b) { return a.size() == b.size() && std::memcmp(a.begin, b.begin, a.size()) == 0; }

// The URL that the page declares as its own. The URL it was fetched from is not available here.
Span find_canonical(const Scan& scan, Span source) {
    for (const Declaration& d : scan.declarations)
        if (d.kind == DeclarationKind::canonical) return strip_url({source.begin + d.begin, source.begin + d.end});
    return {};
}

// The kind under which a declaration is packed: an alternate that is the page itself declares its language, others do not.
DeclarationKind packed_kind(const Declaration& d, Span source, Span canonical) {
    if (d.kind != DeclarationKind::hreflang || canonical.empty()) return d.kind;
    if (equals_lower(trim({source.begin + d.begin, source.begin + d.end}), "x-default")) return d.kind;
    return equal_bytes(strip_url({source.begin + d.extra_begin, source.begin + d.extra_end}), canonical) ? DeclarationKind::hreflang_self
                                                                                                         : d.kind;
}

void pack(std::string& out, char kind, bool is_late, const Byte* value, size_t size) {
    size = std::min(size, kMaxValueBytes);
    out += kind;
    out += static_cast<char>(is_late);
    out += static_cast<char>(size & 0xFF);
    out += static_cast<char>(size >> 8);
    out.append(reinterpret_cast<const char*>(value), size);
}

}  // namespace

std::string pack_declarations(const Scan& scan, Span source, Span head, const Labels& labels) {
    std::string out;
    const Span declared = prescan({head.begin, head.begin + std::min(head.size(), kPrescanBytes)}, labels).label;
    if (declared.begin) pack(out, kPrescanKind, false, declared.begin, declared.size());
    const Span canonical = find_canonical(scan, source);
    std::array<size_t, kDeclarationKinds> counts{};
    for (const Declaration& d : scan.declarations) {
        if (out.size() > kMaxPackedBytes) break;
        const DeclarationKind kind = packed_kind(d, source, canonical);
        if (!is_packed_kind(kind) || counts[static_cast<size_t>(kind)]++ >= kMaxDeclarationsOfKind) continue;
        const Byte* value = source.begin + d.begin;
        const bool is_late = static_cast<size_t>(find_byte(value, source.end, '>') - source.begin) >= kPrescanBytes;
        pack(out, static_cast<char>(kind), is_late, value, d.end - d.begin);
    }
    return out;
}

DecidedReading read_scan(Scan& scan, const Tools& tools, int32_t main, int32_t log_prob, std::vector<uint16_t> requested) {
    mark_noise({scan.text.get(), scan.text.get() + scan.text_size}, scan.blocks, tools.common);
    MaskedText masked(scan);
    ReadOptions options;
    options.priors = &tools.priors;
    options.policy = &tools.policy;
    options.main = main;
    options.requested = std::move(requested);
    options.unmasked = masked.unmasked();
    DecidedReading out;
    out.reading = read_page(tools.model, scan, options);
    if (may_be_placeholder(tools.model, out.reading) && masked.mask_placeholder_text()) {
        options.unmasked = masked.unmasked();
        Reading other_text = read_page(tools.model, scan, options);
        if (is_other_language(tools.model, other_text)) out.reading = std::move(other_text);
    }
    if (log_prob) out.reading.lower(log_prob);
    out.decision = decide(tools.model, tools.priors, tools.policy, out.reading);
    return out;
}

std::vector<uint16_t> apply_hints(DecidedReading& read, const Tools& tools, const LabelSums& hints, const HintScaling& scaling) {
    apply_hints(tools.model, tools.policy, hints, scaling, read.reading);
    read.decision = decide(tools.model, tools.priors, tools.policy, read.reading);
    return find_unread_labels(tools.model, tools.priors, tools.policy, hints, read.reading);
}

Beginning read_beginning(Span page, const Tools& tools) {
    Beginning out;
    const Probe first = probe(page);
    if (first.may_hide_markup()) {
        out.stop = Stop::probe;
        return out;
    }
    const Sniffed sniffed = sniff(page, Media::unknown, false, tools.formats);
    const Utf8Check check = check_utf8(skip_utf16_mark(page), 1);
    out.multibyte = check.multibyte != 0;
    out.stop = sniffed.no_text != NoTextReason::none ? Stop::no_text : check.errors ? Stop::encoding : Stop::done;
    if (out.stop != Stop::done) return out;
    ScanOptions scan_options;
    scan_options.syntax = sniffed.syntax;
    scan_options.max_text_bytes = kFontSampleBytes;
    const Scan scanned = scan(page, scan_options);
    Span text{scanned.text.get(), scanned.text.get() + scanned.text_size};
    if (tools.fonts.may_have_font(text)) {
        out.stop = Stop::font;
        return out;
    }
    if (text.size() > kLanguageSampleBytes) {
        text.end = text.begin + kLanguageSampleBytes;
        while (text.end > text.begin && (*text.end & 0xC0) == 0x80) --text.end;  // never half a character
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
        out.sniffed = sniff(page, options.media, first.controls > first.head / kMaxControlsDivisor, tools.formats);
        if (out.sniffed.no_text != NoTextReason::none) {
            out.stop = Stop::no_text;
            return out;
        }
    }
    ScanOptions scan_options;
    scan_options.syntax = out.sniffed.syntax;
    out.scan = scan(page, scan_options);
    const Labels labels{tools.encoding_labels.data(), tools.encoding_labels.data() + tools.encoding_labels.size()};
    if (options.declarations) out.declarations = pack_declarations(out.scan, page, page, labels);
    const Span text{out.scan.text.get(), out.scan.text.get() + out.scan.text_size};
    out.utf8 = check_utf8(out.scan);
    if (!out.utf8.multibyte && !out.utf8.errors && !options.text)
        out.utf8 = check_utf8(skip_utf16_mark(page), kMaxUtf8Errors);  // bytes outside the visible text count too
    const bool is_plain = out.sniffed.syntax == Syntax::text;
    const bool is_document = starts_like_mail(page) || (is_plain && starts_like_json(page));  // a mail may have parts in HTML
    if (out.utf8.errors) {
        out.stop = Stop::encoding;
    } else {
        out.read = read_scan(out.scan, tools, kNoLabel, 0);
        // Text for a legacy font reads like no language, so that a settled answer needs no check.
        if (!is_document && !out.read.decision.settled && tools.fonts.may_have_font(text)) out.stop = Stop::font;
    }
    if (out.stop == Stop::done && (is_document || (is_plain && is_code_or_data(out.read)))) out.stop = Stop::document;
    return out;
}

}  // namespace webtongue
