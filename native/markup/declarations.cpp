#include "markup/declarations.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace webtongue {
namespace {

constexpr size_t kMaxDeclarations = 4096;
constexpr size_t kMaxJsonValueBytes = 400;  // longer values of inLanguage are cut
constexpr ptrdiff_t kMaxFeedLanguageBytes = 64;  // the <language> of a feed must end within

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

// Returns a JSON value: the content of a string, or a list or object with its brackets, cut at a maximal size.
Span json_value(const Byte* p, const Byte* end) {
    if (p == end) return {p, p};
    end = end - p > static_cast<ptrdiff_t>(kMaxJsonValueBytes) ? p + kMaxJsonValueBytes : end;
    if (*p == '"') return {p + 1, find_byte(p + 1, end, '"')};
    if (*p != '[' && *p != '{') return {p, p};
    const Byte* close = find_byte(p, end, *p == '[' ? ']' : '}');
    return {p, close == end ? end : close + 1};
}

}  // namespace

void TagAttributes::set(const Attribute& a) {
    struct Slot {
        std::string_view name;
        Span TagAttributes::* field;
    };
    static constexpr Slot kSlots[] = {
        {"href", &TagAttributes::href},       {"hreflang", &TagAttributes::hreflang}, {"rel", &TagAttributes::rel},
        {"alt", &TagAttributes::alt},         {"name", &TagAttributes::name},         {"property", &TagAttributes::property},
        {"content", &TagAttributes::content}, {"charset", &TagAttributes::charset},   {"http-equiv", &TagAttributes::http_equiv},
        {"type", &TagAttributes::type},       {"itemprop", &TagAttributes::itemprop},
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

void DeclarationRecorder::add(DeclarationKind kind, Span value, Span extra, bool may_be_empty) {
    if (trim(value).empty() && !may_be_empty) return;
    if (scan_.declarations.size() >= kMaxDeclarations) {
        scan_.truncated = true;
        return;
    }
    const auto offset = [this](const Byte* p) { return p ? static_cast<uint32_t>(p - page_.begin) : 0u; };
    scan_.declarations.push_back({offset(value.begin), offset(value.end), offset(extra.begin), offset(extra.end), kind});
}

void DeclarationRecorder::bom() {
    const Bom bom = find_bom(page_);
    if (bom.length) add(DeclarationKind::bom, {page_.begin, page_.begin + bom.length});
}

void DeclarationRecorder::xml_declaration() {
    const Byte* p = page_.begin + find_bom(page_).length;
    if (!starts_lower(p, page_.end, "<?xml") || p + 5 == page_.end || !is_space(p[5])) return;
    AttributeReader reader{p + 5, find_byte(p, page_.end, '>')};
    Attribute a;
    while (reader.next(a))
        if (equals_lower(a.name, "encoding")) return add(DeclarationKind::xml_encoding, trim(a.value));
}

void DeclarationRecorder::html(const TagAttributes& attributes) {
    // A second <html> adds only attributes that the first lacks.
    if (attributes.lang.begin && !html_lang_) add(DeclarationKind::html_lang, attributes.lang, {}, true);
    if (attributes.xml_lang.begin && !html_xml_lang_) add(DeclarationKind::html_xml_lang, attributes.xml_lang);
    html_lang_ |= attributes.lang.begin != nullptr;
    html_xml_lang_ |= attributes.xml_lang.begin != nullptr;
    page_lang_ |= !trim(attributes.lang).empty() || !trim(attributes.xml_lang).empty();
}

void DeclarationRecorder::body(const TagAttributes& attributes) {
    const Span value = trim(attributes.lang).empty() ? attributes.xml_lang : attributes.lang;
    if (page_lang_ || trim(value).empty()) return;
    add(DeclarationKind::body_lang, value);
    page_lang_ = true;
}

void DeclarationRecorder::element(Span name, const TagAttributes& attributes, const Byte* content) {
    if (!below_root_) {
        below_root_ = true;
        add(DeclarationKind::feed_language, attributes.xml_lang);
        feed_ = equals_lower(name, "rss") || equals_lower(name, "rdf:rdf");
    }
    if (!feed_) return;
    if (equals_lower(name, "item")) feed_ = false;  // the rest is about items
    else if (!feed_language_ && equals_lower(name, "language")) feed_language(content);
}

// Records the text of <language>, with the delimiters of a CDATA section if it is in one.
void DeclarationRecorder::feed_language(const Byte* content) {
    const Byte* end = page_.end - content > kMaxFeedLanguageBytes ? content + kMaxFeedLanguageBytes : page_.end;
    const Byte* close = find_literal(content, end, "</");
    if (close == end) return;
    feed_language_ = true;
    add(DeclarationKind::feed_language, {content, close});
}

void DeclarationRecorder::meta(const TagAttributes& attributes) {
    if (attributes.charset.begin) add(DeclarationKind::meta_charset, trim(attributes.charset));
    if (!attributes.content.begin) return;
    if (!attributes.charset.begin && equals_lower(trim(attributes.http_equiv), "content-type")) {
        const Span charset = charset_in(attributes.content);
        if (charset.begin) add(DeclarationKind::meta_content_type, charset);
    }
    if (equals_lower(trim(attributes.http_equiv), "content-language")) add(DeclarationKind::meta_content_language, attributes.content);
    for (const Span key : {trim(attributes.name), trim(attributes.property), trim(attributes.itemprop)}) {
        if (key.empty()) continue;
        if (equals_lower(key, "og:locale")) add(DeclarationKind::og_locale, attributes.content);
        else if (equals_lower(key, "og:locale:alternate")) add(DeclarationKind::og_locale_alternate, attributes.content);
        else if (is_any(key, {"dc.language", "dcterms.language", "dc:language", "dcterms:language", "citation_language"}))
            add(DeclarationKind::dc_language, attributes.content);
        else if (is_any(key, {"language", "content-language", "lang"})) add(DeclarationKind::meta_language, attributes.content);
        else if (equals_lower(key, "inlanguage")) add(DeclarationKind::jsonld_in_language, attributes.content);
    }
}

void DeclarationRecorder::link(const TagAttributes& attributes) {
    if (!attributes.href.begin) return;
    if (has_token(attributes.rel, "canonical")) add(DeclarationKind::canonical, attributes.href);
    if (attributes.hreflang.begin && has_token(attributes.rel, "alternate"))
        add(DeclarationKind::hreflang, attributes.hreflang, attributes.href);
}

void DeclarationRecorder::json_ld(Span script) {
    const Byte* p = script.begin;
    while ((p = find_literal(p, script.end, "\"inLanguage\"")) != script.end) {
        p += 12;
        while (p < script.end && (is_space(*p) || *p == ':')) ++p;
        const Span value = json_value(p, script.end);
        if (!value.empty()) add(DeclarationKind::jsonld_in_language, value);
    }
}

bool DeclarationRecorder::is_text(const TagAttributes& attributes) {
    const Span key = attributes.name.begin ? trim(attributes.name) : trim(attributes.property);
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
