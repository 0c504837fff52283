#include "markup/scan.hpp"

#include "markup/attributes.hpp"
#include "markup/declarations.hpp"
#include "markup/delimiters.hpp"
#include "markup/scope.hpp"
#include "markup/tags.hpp"
#include "markup/text_writer.hpp"

namespace webtongue {
namespace {

constexpr size_t kMaxLangs = 65535;  // the language of a block is a 16-bit index
const TagAttributes kNoAttributes;
constexpr size_t kRecentLangs = 32;  // values that are compared before one counts as new

template <bool kFull>
class Scanner {
public:
    Scanner(Span page, const ScanOptions& options, Scan& result)
        : p_(page.begin),
          end_(page.end),
          page_(page),
          syntax_(options.syntax),
          scan_(result),
          writer_(page, options, result),
          declarations_(page, result),
          max_links_(page.size() / 32 + 1024),
          max_text_bytes_(options.max_text_bytes),
          class_words_(options.class_words) {}

    void run() {
        if (kFull) {
            declarations_.bom();
            if (syntax_ != Syntax::text) declarations_.xml_declaration();
            scan_.langs.push_back({});
        }
        p_ += find_bom(page_).length;
        if (syntax_ == Syntax::text) plain_text();
        else
            while (p_ < end_ && writer_.size() < max_text_bytes_) {
                p_ = hidden_ ? find_byte(p_, end_, '<') : writer_.template copy<true>(p_, end_);
                if (p_ < end_) markup();
            }
        if (in_anchor_) end_anchor();
        finish_block(kind(), scope_.lang(), scope_.place());
        scan_.visible_size = writer_.size() - (writer_.block_empty() && writer_.size());
        if (writer_.block_empty() && p_ == end_) attribute_blocks();  // else the maximum of blocks or text was reached
        writer_.finish(blocks(), kind(), scope_.lang());
    }

private:
    std::vector<Block>* blocks() { return kFull ? &scan_.blocks : nullptr; }

    Kind kind() const {
        const uint32_t context = scope_.context();
        if (context & kNavigation) return Kind::navigation;
        if (context & kHeading) return Kind::heading;
        if (writer_.linked()) return Kind::link;
        return context & kItem ? Kind::item : Kind::paragraph;
    }

    void end_block() {
        if (!hidden_) finish_block(kind(), scope_.lang(), scope_.place());
    }

    void finish_block(Kind kind, uint16_t lang, const Place& place) {
        writer_.end_block(blocks(), kind, lang);
        if (class_words_ && scan_.places.size() < scan_.blocks.size()) scan_.places.push_back(place);
    }

    // Splits plain text into paragraphs at empty lines.
    void plain_text() {
        while (p_ < end_ && writer_.size() < max_text_bytes_) {
            const Byte* line = skip_past(p_, end_, '\n');
            if (trim({p_, line}).empty()) writer_.end_block(blocks(), Kind::paragraph, 0);
            else writer_.template copy<false>(p_, line);
            p_ = line;
        }
    }

    // p_ is at a `<`.
    void markup() {
        if (end_ - p_ < 2) return literal();
        const Byte next = p_[1];
        if (is_alpha(next)) return start_tag();
        if (next == '/') return end_tag();
        if (next == '!') return declaration();
        if (next == '?') {
            p_ = syntax_ == Syntax::html ? skip_past(p_ + 2, end_, '>') : skip_instruction(p_ + 2, end_);
            return;
        }
        if (syntax_ == Syntax::xml && (next == '_' || next >= 0x80)) return start_tag();
        literal();
    }

    void literal() { p_ = hidden_ ? p_ + 1 : writer_.literal(p_); }

    void declaration() {
        const Byte* q = p_ + 2;
        if (end_ - q >= 2 && q[0] == '-' && q[1] == '-') {
            p_ = skip_comment(q + 2, end_);
        } else if (syntax_ == Syntax::xml && starts_lower(q, end_, "[cdata[")) {
            const Byte* close = find_cdata_end(q + 7, end_);
            if (!hidden_) writer_.template copy<false>(q + 7, close);
            p_ = close == end_ ? end_ : close + 3;
        } else {
            p_ = skip_past(q, end_, '>');
        }
    }

    void start_tag() {
        const Span name = tag_name(p_ + 1, end_);
        const Tag tag = find_tag(name, end_);
        ++scan_.tag_count;
        marks_ = class_words_ ? marks_of(name) : 0;
        if (const Byte* after = skip_plain_tag(tag, name)) {
            p_ = after;
            return open_element(tag, name, false, kNoAttributes);
        }
        AttributeReader reader{name.end, end_};
        TagAttributes attributes;
        if (kFull) read_attributes(reader, tag, attributes);
        else reader.skip_all();
        p_ = reader.p;
        if (reader.closed) open_element(tag, name, reader.self_closing, attributes);  // else the end of the page cuts it
    }

    // Skips a start tag without needed attributes; returns null if the attributes must be parsed.
    const Byte* skip_plain_tag(Tag tag, Span name) const {
        if (name.end < end_ && *name.end == '>') return name.end + 1;
        return has_needed_attributes(tag) || class_words_ ? nullptr : skip_attributes(name.end, end_);
    }

    static bool has_needed_attributes(Tag tag) {
        constexpr uint64_t kTagsWithAttributes = 1ull << kTagA | 1ull << kTagArea | 1ull << kTagBase | 1ull << kTagImg | 1ull << kTagInput |
                                                 1ull << kTagLink | 1ull << kTagMeta | 1ull << kTagScript;
        return tag.id < 64 && kTagsWithAttributes >> tag.id & 1;
    }

    void open_element(Tag tag, Span name, bool self_closing, const TagAttributes& attributes) {
        if (syntax_ == Syntax::xml) return start_xml(tag, name, self_closing, attributes);
        const bool empty = tag.flags & kVoid || (self_closing && (syntax_ == Syntax::xhtml || tag.flags & kForeign));
        if (tag.flags & kBreak) end_block();
        if (kFull && !hidden_) record(tag, attributes, empty);
        if (!empty) content(tag, name, attributes);
    }

    void start_xml(Tag tag, Span name, bool self_closing, const TagAttributes& attributes) {
        end_block();
        if (kFull) declarations_.element(name, attributes, p_);
        if (tag.id == kTagTitle) tag.flags = kHeading;
        else tag.flags &= kNavigation | kItem;
        if (kFull && !self_closing) scope_.open(tag, lang_of(attributes));
    }

    void read_attributes(AttributeReader& reader, Tag tag, TagAttributes& attributes) {
        const bool is_needed = has_needed_attributes(tag);
        Attribute a;
        while (reader.next(a)) {
            const size_t n = a.name.size();
            if (class_words_) marks_ |= marks_of(a, *class_words_);
            if (n == 4 && !attributes.lang.begin && equals_lower(a.name, "lang")) attributes.lang = a.value;
            else if (n == 8 && syntax_ != Syntax::html && !attributes.xml_lang.begin && equals_lower(a.name, "xml:lang"))
                attributes.xml_lang = a.value;  // in HTML, a name with a colon has no meaning
            else if (is_needed) attributes.set(a);
        }
    }

    // Records declarations, links and texts of a start tag, and opens its scope.
    void record(Tag tag, const TagAttributes& attributes, bool empty) {
        switch (tag.id) {
            case kTagHtml:
                declarations_.html(attributes);
                break;
            case kTagBody:
                declarations_.body(attributes);
                break;
            case kTagMeta:
                declarations_.meta(attributes);
                if (attributes.content.begin && DeclarationRecorder::is_text(attributes))
                    keep_text(attributes.content, Kind::meta, attributes);
                break;
            case kTagLink:
                declarations_.link(attributes);
                break;
            case kTagBase:
                if (attributes.href.begin) declarations_.add(DeclarationKind::base, attributes.href);
                break;
            case kTagA:
                if (in_anchor_) end_anchor();
                if (attributes.href.begin) begin_anchor(attributes);
                break;
            case kTagArea:
                if (attributes.href.begin) add_link(attributes);
                [[fallthrough]];
            case kTagImg:
            case kTagInput:
                if (!attributes.alt.empty()) keep_text(attributes.alt, Kind::alt, attributes);
                break;
            default:
                break;
        }
        if (empty || tag.flags & (kSkip | kForeign)) return;
        const int lang = lang_of(attributes);
        if (lang >= 0 && static_cast<uint16_t>(lang) != scope_.lang()) end_block();
        if (tag.id == kTagBody) marks_ &= ~kMarkChrome;  // a class of the body describes the whole page
        scope_.open(tag, lang, marks_);
    }

    void keep_text(Span value, Kind kind, const TagAttributes& attributes) {
        const int lang = lang_of(attributes);
        if (attribute_texts_.size() < max_links_)
            attribute_texts_.push_back({value, lang < 0 ? scope_.lang() : static_cast<uint16_t>(lang), kind});
        else scan_.truncated = true;
    }

    int lang_of(const TagAttributes& attributes) {
        const Span value = attributes.xml_lang.begin ? attributes.xml_lang : attributes.lang;
        if (!value.begin) return -1;
        if (trim(value).empty()) return 0;
        const uint32_t begin = static_cast<uint32_t>(value.begin - page_.begin);
        const uint32_t end = static_cast<uint32_t>(value.end - page_.begin);
        std::vector<Range>& langs = scan_.langs;
        const size_t oldest = langs.size() > kRecentLangs ? langs.size() - kRecentLangs : 1;
        for (size_t i = langs.size(); i-- > oldest;)
            if (langs[i].end - langs[i].begin == end - begin && std::memcmp(page_.begin + langs[i].begin, value.begin, end - begin) == 0)
                return static_cast<int>(i);
        if (langs.size() >= kMaxLangs) {
            scan_.truncated = true;
            return 0;
        }
        langs.push_back({begin, end});
        return static_cast<int>(langs.size() - 1);
    }

    void content(Tag tag, Span name, const TagAttributes& attributes) {
        if (tag.flags & kSkip) return skip_raw(tag, name, attributes);
        if (tag.flags & kShow) return show_raw(tag, name);
        if (tag.flags & kForeign) return skip_element(tag);
        if (tag.id == kTagTitle) return title(name);
        if (tag.flags & kHidden) ++hidden_;
    }

    void skip_raw(Tag tag, Span name, const TagAttributes& attributes) {
        const Byte* close = tag.id == kTagScript ? find_script_end(p_, end_) : find_end_tag(p_, end_, name);
        if (kFull && tag.id == kTagScript && !hidden_ && starts_lower(attributes.type.begin, attributes.type.end, "application/ld+json"))
            declarations_.json_ld({p_, close});
        scan_.skipped_bytes += static_cast<size_t>(close - p_);
        p_ = close;
        skip_end_tag();
    }

    void skip_end_tag() {
        if (p_ == end_) return;
        AttributeReader reader{tag_name(p_ + 2, end_).end, end_};
        reader.skip_all();
        p_ = reader.p;
    }

    void show_raw(Tag tag, Span name) {
        const Byte* close = tag.id == kTagPlaintext ? end_ : find_end_tag(p_, end_, name);
        if (!hidden_) writer_.template copy<false>(p_, close);
        p_ = close;
    }

    // Titles contain text and references, but no tags.
    void title(Span name) {
        const Byte* close = find_end_tag(p_, end_, name);
        if (!hidden_) {
            end_block();
            while (p_ < close)
                if ((p_ = writer_.template copy<true>(p_, close)) < close) p_ = writer_.literal(p_);
            finish_block(Kind::title, scope_.lang(), {});
            if (kFull) scope_.close({kTagTitle, 0});
        }
        p_ = close;
        skip_end_tag();
    }

    void skip_element(Tag outer) {
        const Byte* start = p_;
        p_ = skip_foreign(p_, end_, outer);
        scan_.skipped_bytes += static_cast<size_t>(p_ - start);
    }

    void end_tag() {
        if (end_ - p_ < 3) return literal();
        if (p_[2] == '>') {
            p_ += 3;
            return;
        }
        if (!is_alpha(p_[2]) && syntax_ != Syntax::xml) {
            p_ = skip_past(p_ + 2, end_, '>');
            return;
        }
        const Span name = tag_name(p_ + 2, end_);
        const Tag tag = find_tag(name, end_);
        if (name.end < end_ && *name.end == '>') {
            p_ = name.end + 1;
        } else {
            AttributeReader reader{name.end, end_};
            reader.skip_all();
            p_ = reader.p;
            if (!reader.closed) return;
        }
        if (tag.flags & kHidden && hidden_) --hidden_;
        else if (tag.flags & kBreak || syntax_ == Syntax::xml) end_block();
        if (kFull && !hidden_) close(tag);
    }

    void close(Tag tag) {
        if (tag.id == kTagA && in_anchor_) end_anchor();
        const uint16_t lang = scope_.lang();
        const Kind kind_inside = kind();
        const Place place_inside = scope_.place();
        scope_.close(syntax_ == Syntax::xml ? Tag{tag.id, kBarrier} : tag);
        if (scope_.lang() != lang) finish_block(kind_inside, lang, place_inside);
    }

    void begin_anchor(const TagAttributes& attributes) {
        in_anchor_ = add_link(attributes);
        writer_.set_in_link(in_anchor_);
    }

    void end_anchor() {
        scan_.links.back().text_end = static_cast<uint32_t>(std::max(writer_.size(), size_t{scan_.links.back().text_begin}));
        in_anchor_ = false;
        writer_.set_in_link(false);
    }

    bool add_link(const TagAttributes& attributes) {
        if (scan_.links.size() >= max_links_) {
            scan_.truncated = true;
            return false;
        }
        const auto offset = [this](const Byte* p) { return p ? static_cast<uint32_t>(p - page_.begin) : 0u; };
        const uint32_t at = static_cast<uint32_t>(writer_.next_position());
        scan_.links.push_back({offset(attributes.href.begin), offset(attributes.href.end), at, at, offset(attributes.hreflang.begin),
                               offset(attributes.hreflang.end)});
        return true;
    }

    // Alt and meta text come after the visible text, so that an image does not split a sentence.
    void attribute_blocks() {
        writer_.enter_attributes();
        for (const AttributeText& t : attribute_texts_) {
            for (const Byte* p = t.value.begin; p < t.value.end;)
                if ((p = writer_.template copy<true>(p, t.value.end)) < t.value.end) p = writer_.literal(p);
            writer_.end_block(blocks(), t.kind, t.lang);
        }
    }

    struct AttributeText {
        Span value;
        uint16_t lang;
        Kind kind;
    };

    const Byte* p_;
    const Byte* end_;
    Span page_;
    Syntax syntax_;
    Scan& scan_;
    TextWriter writer_;
    DeclarationRecorder declarations_;
    Scope scope_;
    std::vector<AttributeText> attribute_texts_;
    size_t max_links_;
    size_t max_text_bytes_;
    const ClassWords* class_words_;
    uint32_t marks_ = 0;  // marks of the start tag that is being read, if places are needed
    uint32_t hidden_ = 0;
    bool in_anchor_ = false;
};

}  // namespace

Scan scan(Span page, const ScanOptions& options) {
    Scan result;
    if (page.size() > kMaxPageBytes) {
        page.end = page.begin + kMaxPageBytes;
        result.truncated = true;
    }
    if (options.text_only) Scanner<false>(page, options, result).run();
    else Scanner<true>(page, options, result).run();
    return result;
}

Utf8Check check_utf8(const Scan& scan) {
    Utf8Check check = check_utf8(Span{scan.text.get(), scan.text.get() + scan.text_size}, kMaxUtf8Errors);
    check.multibyte -= std::min(check.multibyte, scan.referenced);  // the check may have stopped before the end
    return check;
}

}  // namespace webtongue
