// URLs, host names, file names, e-mail addresses and handles in running text.
#include <algorithm>

#include "text/debris.hpp"

namespace webtongue {
namespace debris {
namespace {

constexpr ptrdiff_t kMaxSchemeBytes = 12;  // "https" has five letters
constexpr ptrdiff_t kMaxNameBytes = 64;  // a host name, the local part of an e-mail address, or a handle
constexpr size_t kMinHandle = 2;
constexpr size_t kMinNationalNameBytes = 3;  // "ab.de" may be two abbreviations, "abc.de" is a host

// Last labels of host names that are written without www. or a path. Two-letter ones need a longer name before them.
constexpr const char* TOP_LEVELS[] = {"com",  "org",  "net",  "edu",  "gov",    "mil",   "info",   "biz",
                                      "name", "app",  "dev",  "xyz",  "online", "site",  "shop",   "blog",
                                      "news", "club", "live", "tech", "store",  "cloud", "social", "onion"};
// Endings of file names.
constexpr const char* EXTENSIONS[] = {"html", "htm", "php",  "asp", "aspx", "jsp",  "js",  "ts",   "css", "json", "xml",  "yml",
                                      "yaml", "md",  "rst",  "txt", "py",   "rb",   "rs",  "java", "cpp", "hpp",  "exe",  "dll",
                                      "zip",  "gz",  "tar",  "png", "jpg",  "jpeg", "gif", "svg",  "pdf", "doc",  "docx", "csv",
                                      "toml", "ini", "conf", "log", "sql",  "apk",  "iso", "mp3",  "mp4", "tex",  "ipynb"};

template <size_t N>
bool is_one_of(Span word, const char* const (&list)[N]) {
    return std::any_of(list, list + N, [&](const char* entry) { return equals_lower(word, entry); });
}

bool is_name_byte(Byte c) { return is_alnum(c) || c == '-' || c == '.' || c == '_'; }

const Byte* name_begin(Span text, const Byte* p) {
    const Byte* const limit = p - std::min(kMaxNameBytes, p - text.begin);
    while (p > limit && is_name_byte(p[-1])) --p;
    return p;
}

const Byte* name_end(Span text, const Byte* p) {
    const Byte* const limit = p + std::min(kMaxNameBytes, text.end - p);
    while (p < limit && is_name_byte(*p)) ++p;
    return p;
}

// The part of a name after its last full stop; empty if it has none.
Span last_label(Span name) {
    const Byte* p = name.end;
    while (p > name.begin && p[-1] != '.') --p;
    return p == name.begin ? Span{name.end, name.end} : Span{p, name.end};
}

bool is_lower_or_upper(Span word) {
    const auto upper = std::count_if(word.begin, word.end, [](Byte c) { return c >= 'A' && c <= 'Z'; });
    return upper == 0 || upper == word.end - word.begin;
}

}  // namespace

const Byte* url_end(const Byte* p, const Byte* end) {
    int parentheses = 0;
    for (; p < end; ++p) {
        const Byte c = *p;
        if (c <= ' ' || c >= 0xE0 || c == '<' || c == '>' || c == '"' || c == '`' || c == '{' || c == '}' || c == '|' || c == ']' ||
            c == '\'')
            break;
        if (c == 0xC2) break;  // signs of Latin-1: no-break space, quotation marks
        parentheses += (c == '(') - (c == ')');
        if (parentheses < 0) break;
    }
    return p;
}

// "https://", and "data:image/png;base64,".
Debris find_url(Span text, const Byte* colon) {
    const Byte* begin = colon;
    const Byte* const limit = colon - std::min(kMaxSchemeBytes, colon - text.begin);
    while (begin > limit && (is_alnum(begin[-1]) || begin[-1] == '+')) --begin;
    const bool has_slashes = text.end - colon > 3 && colon[1] == '/' && colon[2] == '/';
    if (has_slashes && begin < colon) return {begin, url_end(colon + 3, text.end)};
    if (equals_lower({begin, colon}, "data") &&
        std::search(colon, std::min(colon + 64, text.end), ";base64", ";base64" + 7) != std::min(colon + 64, text.end))
        return {begin, url_end(colon + 1, text.end)};
    return {};
}

// "www.example.org", "example.com/path", "pic.example.com", "index.html".
Debris find_host(Span text, const Byte* dot) {
    if (dot == text.begin || dot + 1 == text.end || !is_alnum(dot[-1]) || !is_alnum(dot[1])) return {};
    Span name{name_begin(text, dot), name_end(text, dot)};
    while (name.end > dot && !is_alnum(name.end[-1])) --name.end;
    if (name.begin > text.begin && name.begin[-1] >= 0x80) return {};  // a word with letters beyond ASCII
    if (name.end < text.end && name.end[0] >= 0xC3 && name.end[0] < 0xE0) return {};
    const Span top = last_label(name);
    const bool has_path =
        name.end < text.end && (*name.end == '/' || (*name.end == ':' && name.end + 1 < text.end && is_digit(name.end[1])));
    if (starts_lower(name.begin, name.end, "www.")) return {name.begin, url_end(name.end, text.end)};
    if (!std::all_of(top.begin, top.end, is_alpha) || top.size() < 2 || !is_lower_or_upper(top)) return {};
    if (has_path) return {name.begin, url_end(name.end, text.end)};
    const bool is_national = top.size() == 2 && static_cast<size_t>(top.begin - 1 - name.begin) >= kMinNationalNameBytes &&
                             std::count(name.begin, name.end, '.') >= 2;
    return is_national || is_one_of(top, TOP_LEVELS) || is_one_of(top, EXTENSIONS) ? Debris{name.begin, name.end} : Debris{};
}

// "name@example.org", "@handle", "@handle@example.org". An @ inside a word stays: "tod@s".
Debris find_mail_or_handle(Span text, const Byte* at_sign) {
    const Byte* const begin = name_begin(text, at_sign);
    const Byte* end = name_end(text, at_sign + 1);
    while (end > at_sign + 1 && !is_alnum(end[-1]) && end[-1] != '_') --end;
    if (begin < at_sign) {
        const bool is_address = std::find(at_sign, end, '.') != end;
        return is_address ? Debris{begin, end} : Debris{};
    }
    if (static_cast<size_t>(end - at_sign - 1) < kMinHandle || (begin > text.begin && begin[-1] >= 0x80)) return {};
    if (end < text.end && *end == '@') end = name_end(text, end + 1);
    return {at_sign, end};
}

}  // namespace debris
}  // namespace webtongue
