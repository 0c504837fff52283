#include "markup/claims.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace webtongue {
namespace {

constexpr size_t kMaxClaims = 4096;        // a page with 4,096 alternates has said enough
constexpr size_t kMaxJsonValue = 400;      // bytes of one inLanguage value that are kept
constexpr ptrdiff_t kMaxFeedLanguage = 64;  // bytes in which the <language> of a feed must end

bool has_token(Span list, const char* token) {
    const Byte* p = list.begin;
    while (p < list.end) {
        while (p < list.end && is_space(*p)) ++p;
        const Byte* start = p;
        while (p < list.end && !is_space(*p)) ++p;
        if (equals_lower({start, p}, token)) return true;
    }
    return false;
}

bool is_any(Span key, std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* name) { return equals_lower(key, name); });
}

const Byte* find_literal(const Byte* p, const Byte* end, const char* literal) {
    const size_t n = std::strlen(literal);
    for (;;) {
        p = find_byte(p, end, static_cast<Byte>(literal[0]));
        if (static_cast<size_t>(end - p) < n) return end;
        if (std::memcmp(p, literal, n) == 0) return p;
        ++p;
    }
}

// A JSON value: a string's inside, or a list or object with its brackets, cut at a bound.
Span json_value(const Byte* p, const Byte* end) {
    if (p == end) return {p, p};
    end = end - p > static_cast<ptrdiff_t>(kMaxJsonValue) ? p + kMaxJsonValue : end;
    if (*p == '"') return {p + 1, find_byte(p + 1, end, '"')};
    if (*p != '[' && *p != '{') return {p, p};
    const Byte* close = find_byte(p, end, *p == '[' ? ']' : '}');
    return {p, close == end ? end : close + 1};
}

}  // namespace

void Wanted::take(const Attribute& a) {
    struct Slot {
        std::string_view name;
        Span Wanted::* field;
    };
    static constexpr Slot kSlots[] = {
        {"href", &Wanted::href},       {"hreflang", &Wanted::hreflang}, {"rel", &Wanted::rel},
        {"alt", &Wanted::alt},         {"name", &Wanted::name},         {"property", &Wanted::property},
        {"content", &Wanted::content}, {"charset", &Wanted::charset},   {"http-equiv", &Wanted::http_equiv},
        {"type", &Wanted::type},       {"itemprop", &Wanted::itemprop},
    };
    for (const Slot& slot : kSlots)
        if (a.name.size() == slot.name.size() && equals_lower(a.name, slot.name.data())) {
            if (!(this->*slot.field).begin) this->*slot.field = a.value;
            return;
        }
}

Span charset_in(Span s) {
    const Byte* p = s.begin;
    for (;;) {
        while (p < s.end && !starts_lower(p, s.end, "charset")) ++p;
        if (p == s.end) return {};
        p += 7;
        while (p < s.end && is_space(*p)) ++p;
        if (p == s.end) return {};
        if (*p == '=') break;
    }
    ++p;
    while (p < s.end && is_space(*p)) ++p;
    if (p == s.end) return {};
    if (*p == '"' || *p == '\'') {
        const Byte* close = find_byte(p + 1, s.end, *p);
        return close == s.end ? Span{} : Span{p + 1, close};
    }
    const Byte* start = p;
    while (p < s.end && !is_space(*p) && *p != ';') ++p;
    return {start, p};
}

void Claims::add(Claim claim, Span value, Span extra) {
    if (trim(value).empty()) return;  // says nothing
    if (out_.declarations.size() >= kMaxClaims) {
        out_.truncated = true;
        return;
    }
    const auto offset = [this](const Byte* p) { return p ? static_cast<uint32_t>(p - page_.begin) : 0u; };
    out_.declarations.push_back({offset(value.begin), offset(value.end), offset(extra.begin), offset(extra.end), claim});
}

void Claims::bom() {
    const Bom bom = find_bom(page_);
    if (bom.length) add(Claim::bom, {page_.begin, page_.begin + bom.length});
}

void Claims::xml_declaration() {
    const Byte* p = page_.begin + find_bom(page_).length;
    if (!starts_lower(p, page_.end, "<?xml") || p + 5 == page_.end || !is_space(p[5])) return;
    AttributeReader reader{p + 5, find_byte(p, page_.end, '>')};
    Attribute a;
    while (reader.next(a))
        if (equals_lower(a.name, "encoding")) return add(Claim::xml_encoding, trim(a.value));
}

void Claims::html(const Wanted& w) {
    // A second <html> adds only what the first did not have.
    if (w.lang.begin && !html_lang_) add(Claim::html_lang, w.lang);
    if (w.xml_lang.begin && !html_xml_lang_) add(Claim::html_xml_lang, w.xml_lang);
    html_lang_ |= w.lang.begin != nullptr;
    html_xml_lang_ |= w.xml_lang.begin != nullptr;
    page_lang_ |= !trim(w.lang).empty() || !trim(w.xml_lang).empty();
}

void Claims::body(const Wanted& w) {
    const Span value = trim(w.lang).empty() ? w.xml_lang : w.lang;
    if (page_lang_ || trim(value).empty()) return;
    add(Claim::body_lang, value);
    page_lang_ = true;
}

void Claims::element(Span name, const Wanted& w, const Byte* content) {
    if (!below_root_) {
        below_root_ = true;
        add(Claim::feed_language, w.xml_lang);
        feed_ = equals_lower(name, "rss") || equals_lower(name, "rdf:rdf");
    }
    if (!feed_) return;
    if (equals_lower(name, "item")) feed_ = false;  // what follows is said of one item
    else if (!feed_language_ && equals_lower(name, "language")) feed_language(content);
}

// The text of <language>, with the marks of a CDATA section, if it is in one.
void Claims::feed_language(const Byte* content) {
    const Byte* end = page_.end - content > kMaxFeedLanguage ? content + kMaxFeedLanguage : page_.end;
    const Byte* close = find_literal(content, end, "</");
    if (close == end) return;
    feed_language_ = true;
    add(Claim::feed_language, {content, close});
}

void Claims::meta(const Wanted& w) {
    if (w.charset.begin) add(Claim::meta_charset, trim(w.charset));
    if (!w.content.begin) return;
    if (!w.charset.begin && equals_lower(trim(w.http_equiv), "content-type")) {
        const Span charset = charset_in(w.content);
        if (charset.begin) add(Claim::meta_content_type, charset);
    }
    if (equals_lower(trim(w.http_equiv), "content-language")) add(Claim::meta_content_language, w.content);
    for (const Span key : {trim(w.name), trim(w.property), trim(w.itemprop)}) {
        if (key.empty()) continue;
        if (equals_lower(key, "og:locale")) add(Claim::og_locale, w.content);
        else if (equals_lower(key, "og:locale:alternate")) add(Claim::og_locale_alternate, w.content);
        else if (is_any(key, {"dc.language", "dcterms.language", "dc:language", "dcterms:language", "citation_language"}))
            add(Claim::dc_language, w.content);
        else if (is_any(key, {"language", "content-language", "lang"})) add(Claim::meta_language, w.content);
        else if (equals_lower(key, "inlanguage")) add(Claim::jsonld_in_language, w.content);
    }
}

void Claims::link(const Wanted& w) {
    if (!w.href.begin) return;
    if (has_token(w.rel, "canonical")) add(Claim::canonical, w.href);
    if (w.hreflang.begin && has_token(w.rel, "alternate")) add(Claim::hreflang, w.hreflang, w.href);
}

void Claims::json_ld(Span script) {
    const Byte* p = script.begin;
    while ((p = find_literal(p, script.end, "\"inLanguage\"")) != script.end) {
        p += 12;
        while (p < script.end && (is_space(*p) || *p == ':')) ++p;
        const Span value = json_value(p, script.end);
        if (!value.empty()) add(Claim::jsonld_in_language, value);
    }
}

bool Claims::is_text(const Wanted& w) {
    const Span key = w.name.begin ? trim(w.name) : trim(w.property);
    return equals_lower(key, "description") || equals_lower(key, "keywords") || equals_lower(key, "og:description");
}

Bom find_bom(Span page) {
    static constexpr struct {
        const char* bytes;
        int length;
        const char* encoding;
    } kMarks[] = {
        {"\xEF\xBB\xBF", 3, "utf-8"}, {"\xFF\xFE\0\0", 4, "utf-32le"}, {"\0\0\xFE\xFF", 4, "utf-32be"},
        {"\xFF\xFE", 2, "utf-16le"},  {"\xFE\xFF", 2, "utf-16be"},
    };
    for (const auto& mark : kMarks)
        if (page.size() >= static_cast<size_t>(mark.length) && std::memcmp(page.begin, mark.bytes, mark.length) == 0)
            return {mark.encoding, mark.length};
    return {"", 0};
}

}  // namespace webtongue
