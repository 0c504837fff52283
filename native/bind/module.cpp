// The Python module of the kernel: buffers in, buffers out, with the GIL released while bytes are read.
#include "base/scripts.hpp"
#include "base/utf.hpp"
#include "base/utf8.hpp"
#include "bind/arrays.hpp"
#include "markup/declarations.hpp"
#include "markup/entities.hpp"
#include "markup/noise.hpp"
#include "markup/prescan.hpp"
#include "markup/probe.hpp"
#include "markup/rewrite.hpp"
#include "markup/scan.hpp"
#include "markup/sniff.hpp"

using namespace nanobind::literals;
using namespace webtongue;

void bind_bytes(nb::module_& m);
void bind_fonts(nb::module_& m);
void bind_junk(nb::module_& m);
void bind_model(nb::module_& m);
void bind_flow(nb::module_& m);
void bind_evidence(nb::module_& m);
void bind_links(nb::module_& m);
void bind_text(nb::module_& m);
void bind_train(nb::module_& m);
void bind_url(nb::module_& m);
void bind_link_scores(nb::module_& m);

namespace {

template <class T>
using Column = nb::ndarray<nb::numpy, const T, nb::ndim<1>>;

Span text_of(const Scan& s) { return {s.text.get(), s.text.get() + s.text_size}; }

// A field of packed records as a read-only NumPy column over the same memory.
template <class T, class Record>
Column<T> column(nb::handle owner, const std::vector<Record>& records, T Record::* field) {
    static_assert(sizeof(Record) % sizeof(T) == 0, "records are whole multiples of their fields");
    const T* first = records.empty() ? nullptr : &(records.front().*field);
    return Column<T>(first, {records.size()}, owner, {static_cast<int64_t>(sizeof(Record) / sizeof(T))});
}

Scan scan_bytes(const nb::bytes& page, int syntax, bool text_only, bool utf8, const std::optional<View<uint16_t>>& high,
                size_t max_text_bytes) {
    ScanOptions options;
    options.syntax = static_cast<Syntax>(syntax);
    options.text_only = text_only;
    options.utf8 = utf8;
    if (high && high->shape(0) != 128) throw nb::value_error("high must have 128 code points");
    if (high) options.high_half = high->data();
    if (max_text_bytes) options.max_text_bytes = max_text_bytes;
    const Span s = span_of(page);
    nb::gil_scoped_release release;
    return scan(s, options);
}

Scan scan_places(const nb::bytes& page, int syntax, const ClassWords& words) {
    ScanOptions options;
    options.syntax = static_cast<Syntax>(syntax);
    options.class_words = &words;
    const Span s = span_of(page);
    nb::gil_scoped_release release;
    return scan(s, options);
}

auto declarations(const Scan& s) {
    std::vector<std::tuple<int, uint32_t, uint32_t, uint32_t, uint32_t>> out;
    for (const Declaration& d : s.declarations) out.emplace_back(static_cast<int>(d.kind), d.begin, d.end, d.extra_begin, d.extra_end);
    return out;
}

auto langs(const Scan& s) {
    std::vector<std::tuple<uint32_t, uint32_t>> out;
    for (const Range& r : s.langs) out.emplace_back(r.begin, r.end);
    return out;
}

std::optional<std::tuple<nb::bytes, bool>> prescan_bytes(const nb::bytes& head, const View<uint64_t>& known) {
    const Prescan declared = prescan(span_of(head), Labels{known.data(), known.data() + known.shape(0)});
    if (!declared.label.begin) return std::nullopt;
    return std::make_tuple(to_bytes(declared.label), declared.from_xml);
}

// The number of code points of each script in the blocks with none of the flags in `skip`.
std::vector<uint32_t> count_scripts(const Scan& s, int skip) {
    nb::gil_scoped_release release;
    std::vector<uint32_t> counts(script_count());
    const Span text = text_of(s);
    const Byte* p = text.begin;
    for (const Block& block : s.blocks) {
        const Byte* end = text.begin + block.text_end;
        if (block.flags & skip) p = end;
        while (p < end) ++counts[script_of(read_utf8(p, end))];
        if (p < text.end) ++p;
    }
    return counts;
}

auto blocks_of(nb::handle_t<Scan> self) {
    const auto& b = nb::cast<Scan&>(self).blocks;
    static_assert(sizeof(Kind) == 1, "a kind is a byte");
    const auto* kinds = b.empty() ? nullptr : reinterpret_cast<const uint8_t*>(&b.front().kind);
    return std::make_tuple(column<uint32_t>(self, b, &Block::text_end), column<uint32_t>(self, b, &Block::page_begin),
                           column<uint32_t>(self, b, &Block::page_end), column<uint16_t>(self, b, &Block::lang),
                           Column<uint8_t>(kinds, {b.size()}, self, {static_cast<int64_t>(sizeof(Block))}),
                           column<uint8_t>(self, b, &Block::flags));
}

auto places_of(nb::handle_t<Scan> self) {
    const auto& p = nb::cast<Scan&>(self).places;
    return std::make_tuple(column<uint32_t>(self, p, &Place::marks), column<uint32_t>(self, p, &Place::container),
                           column<uint32_t>(self, p, &Place::table), column<uint32_t>(self, p, &Place::row),
                           column<uint32_t>(self, p, &Place::column));
}

auto links_of(nb::handle_t<Scan> self) {
    const auto& l = nb::cast<Scan&>(self).links;
    return std::make_tuple(column<uint32_t>(self, l, &Link::href_begin), column<uint32_t>(self, l, &Link::href_end),
                           column<uint32_t>(self, l, &Link::text_begin), column<uint32_t>(self, l, &Link::text_end),
                           column<uint32_t>(self, l, &Link::lang_begin), column<uint32_t>(self, l, &Link::lang_end));
}

void bind_rewrite(nb::module_& m) {
    nb::class_<Rewrite>(m, "Rewrite")
        .def("__init__", [](Rewrite* self, Scan& from) { new (self) Rewrite(std::move(from)); })
        .def_prop_ro("raw_size", &Rewrite::raw_size)
        .def("raw", [](const Rewrite& r, size_t begin, size_t end) { return to_bytes(r.raw(begin, end)); })
        .def("append",
             [](Rewrite& r, const nb::bytes& chunk) {
                 const Span s = span_of(chunk);
                 nb::gil_scoped_release release;
                 r.append(s);
             })
        .def("finish", [](Rewrite& r) { return r.finish(); });
}

void bind_scan(nb::module_& m) {
    nb::class_<Scan>(m, "Scan")
        .def_prop_ro("text", [](const Scan& s) { return to_bytes(text_of(s)); })
        .def_prop_ro("text_size", [](const Scan& s) { return s.text_size; })
        .def_prop_ro("visible_size", [](const Scan& s) { return s.visible_size; })
        .def_prop_ro("references", [](const Scan& s) { return to_bytes(s.references); })
        .def_prop_ro("skipped_bytes", [](const Scan& s) { return s.skipped_bytes; })
        .def_prop_ro("tag_count", [](const Scan& s) { return s.tag_count; })
        .def_prop_ro("truncated", [](const Scan& s) { return s.truncated; })
        .def_prop_ro("declarations", &declarations)
        .def_prop_ro("langs", &langs)
        .def_prop_ro("block_count", [](const Scan& s) { return s.blocks.size(); })
        .def_prop_ro("link_count", [](const Scan& s) { return s.links.size(); })
        .def("slice",
             [](const Scan& s, size_t begin, size_t end) {
                 const Span t = text_of(s);
                 end = std::min(end, t.size());
                 begin = std::min(begin, end);
                 return to_bytes(Span{t.begin + begin, t.begin + end});
             })
        .def("blocks", &blocks_of)
        .def("links", &links_of)
        .def("places", &places_of)
        .def("mark_noise",
             [](Scan& s, const CommonStrings& common) {
                 nb::gil_scoped_release release;
                 mark_noise(text_of(s), s.blocks, common);
             })
        .def("check_utf8",
             [](const Scan& s) {
                 Utf8Check c;
                 {
                     nb::gil_scoped_release release;
                     c = check_utf8(s);
                 }
                 return std::make_tuple(c.errors, c.multibyte);
             })
        .def("count_scripts", &count_scripts)
        .def("release", [](Scan& s) { s = Scan{}; }, "Frees all memory, so that a second scan of the page does not need twice as much.");
    nb::class_<CommonStrings>(m, "CommonStrings")
        .def(
            "__init__",
            [](CommonStrings* self, const std::vector<std::string>& strings, const std::vector<std::string>& notices,
               std::vector<std::string> uses,
               std::vector<std::string> requests) { new (self) CommonStrings(strings, notices, {std::move(uses), std::move(requests)}); },
            "strings"_a, "notices"_a, "consent_uses"_a, "consent_requests"_a);
    nb::class_<ClassWords>(m, "ClassWords").def(nb::init<const std::vector<std::string>&>(), "words"_a);
    m.def("scan_places", &scan_places, "page"_a, "syntax"_a, "words"_a);
    m.def("scan", &scan_bytes, "page"_a, "syntax"_a, "text_only"_a, "utf8"_a, "high_half"_a = nb::none(), "max_text_bytes"_a = 0);
}

}  // namespace

NB_MODULE(_kernel, m) {
    // The package caches models for the lifetime of the process. If another library prevents modules from being torn down, they still exist
    // when nanobind counts its objects. Nothing leaks if the caches are cleared at exit.
    nb::set_leak_warnings(false);
    bind_scan(m);
    bind_rewrite(m);
    bind_fonts(m);
    bind_junk(m);
    bind_model(m);
    bind_text(m);
    bind_flow(m);
    bind_evidence(m);
    bind_bytes(m);
    bind_train(m);
    bind_url(m);
    bind_link_scores(m);
    bind_links(m);
    nb::class_<Probe>(m, "Probe")
        .def_ro("head", &Probe::head)
        .def_ro("controls", &Probe::controls)
        .def_ro("escape", &Probe::escape)
        .def_ro("tilde_brace", &Probe::tilde_brace)
        .def_ro("plus", &Probe::plus)
        .def_ro("wide_mark", &Probe::wide_mark)
        .def_prop_ro("nuls", [](const Probe& s) { return std::make_tuple(s.nuls[0], s.nuls[1], s.nuls[2], s.nuls[3]); });
    m.def("probe", [](const nb::bytes& b) { return probe(span_of(b)); });
    m.def("sniff", [](const nb::bytes& page, int media, bool many_controls, const std::vector<std::tuple<size_t, nb::bytes>>& formats) {
        std::vector<Signature> signatures;
        for (const auto& [offset, bytes] : formats) signatures.push_back({offset, std::string(bytes.c_str(), bytes.size())});
        const Sniffed sniffed = sniff(span_of(page), static_cast<Media>(media), many_controls, signatures);
        return std::make_tuple(static_cast<int>(sniffed.syntax), static_cast<int>(sniffed.no_text), sniffed.signature);
    });
    m.def("find_bom", [](const nb::bytes& b) {
        const Bom bom = find_bom(span_of(b));
        return std::make_tuple(std::string(bom.encoding), bom.length);
    });
    m.def("unescape", [](const nb::bytes& b, bool in_attribute) { return to_bytes(unescape(span_of(b), in_attribute)); });
    m.def("charset_in", [](const nb::bytes& b) { return to_bytes(charset_in(span_of(b))); });
    m.def("prescan", &prescan_bytes);
    m.def("hash_lower", [](const nb::bytes& b) { return hash_lower(span_of(b)); });
    m.def("check_utf8", [](const nb::bytes& b) {
        const Utf8Check c = check_utf8(span_of(b));
        return std::make_tuple(c.errors, c.multibyte);
    });
    m.def("script_of", [](uint32_t code) { return script_of(static_cast<char32_t>(code)); });
    m.def("script_names", [] {
        std::vector<std::string> out;
        for (size_t i = 0; i < script_count(); ++i) out.emplace_back(script_name(static_cast<uint8_t>(i)));
        return out;
    });
}
