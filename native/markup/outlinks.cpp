#include "markup/outlinks.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/utf.hpp"
#include "markup/entities.hpp"

namespace webtongue {
namespace {

Span span_of(const std::string& s) {
    const Byte* p = reinterpret_cast<const Byte*>(s.data());
    return {p, p + s.size()};
}

bool is_utf8(const std::string& s) { return check_utf8(span_of(s), 1).errors == 0; }

// Returns the start of the host in a URL, or nullptr if the URL is not absolute or of another scheme.
const Byte* find_host(Span href) {
    const Byte* p = href.begin;
    if (starts_lower(p, href.end, "http:")) p += 5;
    else if (starts_lower(p, href.end, "https:")) p += 6;
    return href.end - p > 2 && p[0] == '/' && p[1] == '/' ? p + 2 : nullptr;
}

bool ends_host(Byte c) { return c == '/' || c == '?' || c == '#' || c == ':' || c == '\\' || is_space(c); }

bool is_host(const Byte* begin, const Byte* end, Span host) {
    if (static_cast<size_t>(end - begin) != host.size()) return false;
    for (size_t i = 0; i < host.size(); ++i)
        if (lower(begin[i]) != host.begin[i]) return false;
    return true;
}

// True if a URL has a host that is not the page's, or any host and a language.
bool is_outlink(Span url, Span host, bool has_language) {
    const Byte* begin = find_host(url);
    if (!begin) return false;
    const Byte* end = begin;
    while (end < url.end && !ends_host(*end)) ++end;
    return begin < end && (has_language || !is_host(begin, end, host));
}

// Returns a URL with references resolved, without line ends and fragment, with a scheme; empty if it is too long or not UTF-8.
std::string normalize_url(Span href) {
    const char* raw = reinterpret_cast<const char*>(href.begin);
    std::string out = find_byte(href.begin, href.end, '&') < href.end ? unescape(href, true) : std::string(raw, href.size());
    size_t kept = 0;
    for (const char c : out) {
        if (c == '#') break;
        if (c != '\t' && c != '\n' && c != '\r') out[kept++] = c;
    }
    out.resize(kept);
    if (out[0] == '/') out.insert(0, "https:");
    return out.size() <= kMaxOutlinkBytes && is_utf8(out) ? out : std::string();
}

// Returns a text with runs of spaces folded, cut at a whole character.
std::string fold_spaces(Span text, size_t max_bytes) {
    std::string out;
    out.reserve(std::min(text.size(), max_bytes + 1));
    for (const Byte* p = text.begin; p < text.end && out.size() <= max_bytes; ++p) {
        if (!is_space(*p)) out += static_cast<char>(*p);
        else if (!out.empty() && out.back() != ' ') out += ' ';
    }
    if (out.size() > max_bytes) {
        size_t end = max_bytes;
        while (end && (static_cast<Byte>(out[end]) & 0xC0) == 0x80) --end;
        out.resize(end);
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return is_utf8(out) ? out : std::string();
}

}  // namespace

std::vector<Outlink> outlinks(const Scan& scan, Span source, Span host) {
    std::vector<Outlink> out;
    std::unordered_set<std::string> seen;
    for (const Link& link : scan.links) {
        if (out.size() == kMaxOutlinks) break;
        if (link.href_end > source.size() || link.lang_end > source.size()) continue;
        const Span href = trim({source.begin + link.href_begin, source.begin + link.href_end});
        const bool has_language = link.lang_begin < link.lang_end;
        if (href.size() > 2 * kMaxOutlinkBytes || !is_outlink(href, host, has_language)) continue;
        std::string url = normalize_url(href);  // its host may have contained references or line ends
        if (!is_outlink(span_of(url), host, has_language) || !seen.insert(url).second) continue;
        // A link after the last word starts past the end of the text.
        const size_t text_end = std::min<size_t>(link.text_end, scan.text_size), text_begin = std::min<size_t>(link.text_begin, text_end);
        const Byte* text = scan.text.get();
        out.push_back({std::move(url), fold_spaces({text + text_begin, text + text_end}, kMaxAnchorBytes),
                       fold_spaces({source.begin + link.lang_begin, source.begin + link.lang_end}, kMaxHreflangBytes)});
    }
    return out;
}

}  // namespace webtongue
