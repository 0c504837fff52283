#include "markup/scan.hpp"

#include "markup/attributes.hpp"
#include "markup/claims.hpp"
#include "markup/delimiters.hpp"
#include "markup/scope.hpp"
#include "markup/tags.hpp"
#include "markup/text_writer.hpp"

namespace webtongue {
namespace {

constexpr size_t kMaxLangs = 65535;  // a block's language is a 16-bit index
const Wanted kNothingWanted;
constexpr size_t kRecentLangs = 32;  // how many are compared before a value is taken for new

template <bool kFull>
class Scanner {
public:
    Scanner(Span page, const ScanOptions& options, Scan& out)
        : p_(page.begin),
          end_(page.end),
          page_(page),
          syntax_(options.syntax),
          out_(out),
          writer_(page, options, out),
          claims_(page, out),
          max_links_(page.size() / 32 + 1024),
          enough_(options.enough) {}

    void run() {
        if (kFull) {
            claims_.bom();
            if (syntax_ != Syntax::text) claims_.xml_declaration();
            out_.langs.push_back({});
        }
        p_ += find_bom(page_).length;
        if (syntax_ == Syntax::text) plain_text();
        else
            while (p_ < end_ && writer_.size() < enough_) {
                p_ = hidden_ ? find_byte(p_, end_, '<') : writer_.template copy<true>(p_, end_);
                if (p_ < end_) markup();
            }
        if (in_anchor_) end_anchor();
        writer_.end_block(blocks(), kind(), scope_.lang());
        out_.visible_size = writer_.size() - (writer_.block_empty() && writer_.size());
        if (writer_.block_empty() && p_ == end_) attribute_blocks();  // else the cap on blocks was reached, or there is enough
        writer_.finish(blocks(), kind(), scope_.lang());
    }

private:
    std::vector<Block>* blocks() { return kFull ? &out_.blocks : nullptr; }

    Kind kind() const {
        const uint32_t context = scope_.context();
        if (context & kNavigation) return Kind::navigation;
        if (context & kHeading) return Kind::heading;
        if (writer_.linked()) return Kind::link;
        return context & kItem ? Kind::item : Kind::paragraph;
    }

    void end_block() {
        if (!hidden_) writer_.end_block(blocks(), kind(), scope_.lang());
    }

    // Paragraphs of plain text: lines up to an empty one.
    void plain_text() {
        while (p_ < end_ && writer_.size() < enough_) {
            const Byte* line = past(p_, end_, '\n');
            if (trim({p_, line}).empty()) writer_.end_block(blocks(), Kind::paragraph, 0);
            else writer_.template copy<false>(p_, line);
            p_ = line;
        }
    }

    // p_ is on a `<`.
    void markup() {
        if (end_ - p_ < 2) return literal();
        const Byte next = p_[1];
        if (is_alpha(next)) return start_tag();
        if (next == '/') return end_tag();
        if (next == '!') return declaration();
        if (next == '?') {
            p_ = syntax_ == Syntax::html ? past(p_ + 2, end_, '>') : past_instruction(p_ + 2, end_);
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
            p_ = past(q, end_, '>');
        }
    }

    void start_tag() {
        const Span name = tag_name(p_ + 1, end_);
        const Tag tag = find_tag(name, end_);
        ++out_.tag_count;
        if (const Byte* past = past_plain(tag, name)) {
            p_ = past;
            return open_element(tag, name, false, kNothingWanted);
        }
        AttributeReader reader{name.end, end_};
        Wanted wanted;
        if (kFull) read_attributes(reader, tag, wanted);
        else reader.skip_all();
        p_ = reader.p;
        if (reader.closed) open_element(tag, name, reader.self_closing, wanted);  // else cut off by the end of the page
    }

    // Past a start tag that has no attributes, or none that matter; null where they have to be read.
    const Byte* past_plain(Tag tag, Span name) const {
        if (name.end < end_ && *name.end == '>') return name.end + 1;
        return is_interesting(tag) ? nullptr : skip_attributes(name.end, end_);
    }

    static bool is_interesting(Tag tag) {
        constexpr uint64_t kInteresting = 1ull << kTagA | 1ull << kTagArea | 1ull << kTagBase | 1ull << kTagImg | 1ull << kTagInput |
                                          1ull << kTagLink | 1ull << kTagMeta | 1ull << kTagScript;
        return tag.id < 64 && kInteresting >> tag.id & 1;
    }

    void open_element(Tag tag, Span name, bool self_closing, const Wanted& wanted) {
        if (syntax_ == Syntax::xml) return start_xml(tag, name, self_closing, wanted);
        const bool empty = tag.flags & kVoid || (self_closing && (syntax_ == Syntax::xhtml || tag.flags & kForeign));
        if (tag.flags & kBreak) end_block();
        if (kFull && !hidden_) take(tag, wanted, empty);
        if (!empty) content(tag, name, wanted);
    }

    void start_xml(Tag tag, Span name, bool self_closing, const Wanted& wanted) {
        end_block();
        if (kFull) claims_.element(name, wanted, p_);
        if (tag.id == kTagTitle) tag.flags = kHeading;
        else tag.flags &= kNavigation | kItem;
        if (kFull && !self_closing) scope_.open(tag, lang_of(wanted));
    }

    void read_attributes(AttributeReader& reader, Tag tag, Wanted& wanted) {
        const bool interesting = is_interesting(tag);
        Attribute a;
        while (reader.next(a)) {
            const size_t n = a.name.size();
            if (n == 4 && !wanted.lang.begin && equals_lower(a.name, "lang")) wanted.lang = a.value;
            else if (n == 8 && !wanted.xml_lang.begin && equals_lower(a.name, "xml:lang")) wanted.xml_lang = a.value;
            else if (interesting) wanted.take(a);
        }
    }

    // What an element's start tag says.
    void take(Tag tag, const Wanted& w, bool empty) {
        switch (tag.id) {
            case kTagHtml:
                claims_.html(w);
                break;
            case kTagBody:
                claims_.body(w);
                break;
            case kTagMeta:
                claims_.meta(w);
                if (w.content.begin && Claims::is_text(w)) keep_text(w.content, Kind::meta, w);
                break;
            case kTagLink:
                claims_.link(w);
                break;
            case kTagBase:
                if (w.href.begin) claims_.add(Claim::base, w.href);
                break;
            case kTagA:
                if (in_anchor_) end_anchor();
                if (w.href.begin) begin_anchor(w);
                break;
            case kTagArea:
                if (w.href.begin) add_link(w);
                [[fallthrough]];
            case kTagImg:
            case kTagInput:
                if (!w.alt.empty()) keep_text(w.alt, Kind::alt, w);
                break;
            default:
                break;
        }
        if (empty || tag.flags & (kSkip | kForeign)) return;
        const int lang = lang_of(w);
        if (lang >= 0 && static_cast<uint16_t>(lang) != scope_.lang()) end_block();
        scope_.open(tag, lang);
    }

    void keep_text(Span value, Kind kind, const Wanted& w) {
        const int lang = lang_of(w);
        if (attribute_texts_.size() < max_links_)
            attribute_texts_.push_back({value, lang < 0 ? scope_.lang() : static_cast<uint16_t>(lang), kind});
        else out_.truncated = true;
    }

    int lang_of(const Wanted& w) {
        const Span value = w.lang.begin ? w.lang : w.xml_lang;
        if (!value.begin) return -1;
        if (trim(value).empty()) return 0;
        const uint32_t begin = static_cast<uint32_t>(value.begin - page_.begin);
        const uint32_t end = static_cast<uint32_t>(value.end - page_.begin);
        std::vector<Range>& langs = out_.langs;
        const size_t oldest = langs.size() > kRecentLangs ? langs.size() - kRecentLangs : 1;
        for (size_t i = langs.size(); i-- > oldest;)
            if (langs[i].end - langs[i].begin == end - begin && std::memcmp(page_.begin + langs[i].begin, value.begin, end - begin) == 0)
                return static_cast<int>(i);
        if (langs.size() >= kMaxLangs) {
            out_.truncated = true;
            return 0;
        }
        langs.push_back({begin, end});
        return static_cast<int>(langs.size() - 1);
    }

    void content(Tag tag, Span name, const Wanted& wanted) {
        if (tag.flags & kSkip) return skip_raw(tag, name, wanted);
        if (tag.flags & kShow) return show_raw(tag, name);
        if (tag.flags & kForeign) return skip_element(tag);
        if (tag.id == kTagTitle) return title(name);
        if (tag.flags & kHidden) ++hidden_;
    }

    void skip_raw(Tag tag, Span name, const Wanted& wanted) {
        const Byte* close = tag.id == kTagScript ? find_script_end(p_, end_) : find_end_tag(p_, end_, name);
        if (kFull && tag.id == kTagScript && !hidden_ && starts_lower(wanted.type.begin, wanted.type.end, "application/ld+json"))
            claims_.json_ld({p_, close});
        out_.skipped_bytes += static_cast<size_t>(close - p_);
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

    // Titles hold text and references, and no tags.
    void title(Span name) {
        const Byte* close = find_end_tag(p_, end_, name);
        if (!hidden_) {
            end_block();
            while (p_ < close)
                if ((p_ = writer_.template copy<true>(p_, close)) < close) p_ = writer_.literal(p_);
            writer_.end_block(blocks(), Kind::title, scope_.lang());
            if (kFull) scope_.close({kTagTitle, 0});
        }
        p_ = close;
        skip_end_tag();
    }

    void skip_element(Tag outer) {
        const Byte* start = p_;
        p_ = skip_foreign(p_, end_, outer);
        out_.skipped_bytes += static_cast<size_t>(p_ - start);
    }

    void end_tag() {
        if (end_ - p_ < 3) return literal();
        if (p_[2] == '>') {
            p_ += 3;
            return;
        }
        if (!is_alpha(p_[2]) && syntax_ != Syntax::xml) {
            p_ = past(p_ + 2, end_, '>');
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
        scope_.close(syntax_ == Syntax::xml ? Tag{tag.id, kBarrier} : tag);
        if (scope_.lang() != lang) writer_.end_block(blocks(), kind_inside, lang);
    }

    void begin_anchor(const Wanted& w) {
        in_anchor_ = add_link(w);
        writer_.set_in_link(in_anchor_);
    }

    void end_anchor() {
        out_.links.back().text_end = static_cast<uint32_t>(std::max(writer_.size(), size_t{out_.links.back().text_begin}));
        in_anchor_ = false;
        writer_.set_in_link(false);
    }

    bool add_link(const Wanted& w) {
        if (out_.links.size() >= max_links_) {
            out_.truncated = true;
            return false;
        }
        const auto offset = [this](const Byte* p) { return p ? static_cast<uint32_t>(p - page_.begin) : 0u; };
        const uint32_t at = static_cast<uint32_t>(writer_.next_position());
        out_.links.push_back({offset(w.href.begin), offset(w.href.end), at, at, offset(w.hreflang.begin), offset(w.hreflang.end)});
        return true;
    }

    // Alt and meta text follow the visible text, so that an image does not cut a sentence in two.
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
    Scan& out_;
    TextWriter writer_;
    Claims claims_;
    Scope scope_;
    std::vector<AttributeText> attribute_texts_;
    size_t max_links_;
    size_t enough_;
    uint32_t hidden_ = 0;
    bool in_anchor_ = false;
};

}  // namespace

Scan scan(Span page, const ScanOptions& options) {
    Scan out;
    if (page.size() > kMaxPage) {
        page.end = page.begin + kMaxPage;
        out.truncated = true;
    }
    if (options.text_only) Scanner<false>(page, options, out).run();
    else Scanner<true>(page, options, out).run();
    return out;
}

Utf8Check check_utf8(const Scan& scan) {
    Utf8Check out = check_utf8(Span{scan.text.get(), scan.text.get() + scan.text_size}, kGiveUp);
    out.multibyte -= std::min(out.multibyte, scan.referred);  // fewer where the check gave up before the end
    return out;
}

}  // namespace webtongue
