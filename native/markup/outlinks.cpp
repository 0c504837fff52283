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

// Where the host of an address begins, nullptr where it is no whole address of the web.
const Byte* host_in(Span href) {
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

// Whether an address has a host, and another one than the page's or a language beside it.
bool is_telling(Span address, Span host, bool has_language) {
    const Byte* begin = host_in(address);
    if (!begin) return false;
    const Byte* end = begin;
    while (end < address.end && !ends_host(*end)) ++end;
    return begin < end && (has_language || !is_host(begin, end, host));
}

// An address as it is kept: references resolved, no line ends, no fragment, a scheme. Empty where it cannot be used.
std::string address_of(Span href) {
    const char* raw = reinterpret_cast<const char*>(href.begin);
    std::string out = find_byte(href.begin, href.end, '&') < href.end ? unescape(href, true) : std::string(raw, href.size());
    size_t kept = 0;
    for (const char c : out) {
        if (c == '#') break;
        if (c != '\t' && c != '\n' && c != '\r') out[kept++] = c;
    }
    out.resize(kept);
    if (out[0] == '/') out.insert(0, "https:");
    return out.size() <= kLongestOutlink && is_utf8(out) ? out : std::string();
}

// Text with runs of spaces folded, cut at a whole character.
std::string folded(Span text, size_t most) {
    std::string out;
    out.reserve(std::min(text.size(), most + 1));
    for (const Byte* p = text.begin; p < text.end && out.size() <= most; ++p) {
        if (!is_space(*p)) out += static_cast<char>(*p);
        else if (!out.empty() && out.back() != ' ') out += ' ';
    }
    if (out.size() > most) {
        size_t end = most;
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
        if (out.size() == kMostOutlinks) break;
        if (link.href_end > source.size() || link.lang_end > source.size()) continue;
        const Span href = trim({source.begin + link.href_begin, source.begin + link.href_end});
        const bool has_language = link.lang_begin < link.lang_end;
        if (href.size() > 2 * kLongestOutlink || !is_telling(href, host, has_language)) continue;
        std::string url = address_of(href);  // whose host may have been written with references or line ends
        if (!is_telling(span_of(url), host, has_language) || !seen.insert(url).second) continue;
        // A link after the last word begins past the end of the text.
        const size_t text_end = std::min<size_t>(link.text_end, scan.text_size), text_begin = std::min<size_t>(link.text_begin, text_end);
        const Byte* text = scan.text.get();
        out.push_back({std::move(url), folded({text + text_begin, text + text_end}, kLongestAnchor),
                       folded({source.begin + link.lang_begin, source.begin + link.lang_end}, kLongestHreflang)});
    }
    return out;
}

}  // namespace webtongue
