// Python bindings of font-encoded text.
#include "base/utf8.hpp"
#include "bind/models.hpp"
#include "fonts/convert.hpp"
#include "fonts/detector.hpp"
#include "markup/scan.hpp"

using namespace webtongue;

namespace {

using Row = std::tuple<std::string, std::string, int, std::string>;  // from, to, glyph, after

std::u32string to_code_points(const std::string& utf8) {
    std::u32string out;
    const Byte* p = reinterpret_cast<const Byte*>(utf8.data());
    for (const Byte* end = p + utf8.size(); p < end;) out += read_utf8(p, end);
    return out;
}

std::vector<FontRule> make_rules(const std::vector<Row>& rows) {
    std::vector<FontRule> out;
    for (const auto& [from, to, glyph, after] : rows) {
        if (glyph < 0 || glyph > static_cast<int>(Glyph::sub)) throw nb::value_error("unknown kind of glyph");
        out.push_back({to_code_points(from), to_code_points(to), static_cast<Glyph>(glyph), to_code_points(after)});
    }
    return out;
}

// Returns one byte per line with the number of its font, and the margins.
std::tuple<nb::bytes, std::vector<int32_t>> lines_of(const LoadedFonts& self, const nb::bytes& text, size_t only_font) {
    const Span s = span_of(text);
    std::vector<LineFont> guesses;
    {
        nb::gil_scoped_release release;
        guesses = self.detector.lines(s, only_font);
    }
    std::string fonts;
    std::vector<int32_t> margins;
    for (const LineFont& line : guesses) {
        fonts += static_cast<char>(line.font);
        margins.push_back(line.margin);
    }
    return {to_bytes(fonts), margins};
}

}  // namespace

void bind_fonts(nb::module_& m) {
    nb::class_<Font>(m, "Font")
        .def("__init__",
             [](Font* self, const std::vector<Row>& glyphs, const std::vector<Row>& fixes, uint32_t base, const nb::bytes& places,
                bool low) {
                 new (self) Font(make_rules(glyphs), make_rules(fixes), {base, std::string(places.c_str(), places.size()), low});
             })
        .def("convert", [](const Font& font, const nb::bytes& text) {
            const Span s = span_of(text);
            std::string out;
            {
                nb::gil_scoped_release release;
                out = font.convert(s);
            }
            return to_bytes(out);
        });
    nb::class_<LoadedFonts>(m, "FontDetector")
        .def("__init__",
             [](LoadedFonts* self, const View<uint8_t>& memory) { new (self) LoadedFonts{memory, FontDetector(span_of(memory))}; })
        .def_prop_ro("names", [](const LoadedFonts& self) { return self.detector.names(); })
        .def("may_have_font_text",
             [](const LoadedFonts& self, nb::handle text) { return self.detector.may_have_font(span_of(text_of(text))); })
        .def("may_have_font_scan",
             [](const LoadedFonts& self, const Scan& s) { return self.detector.may_have_font({s.text.get(), s.text.get() + s.text_size}); })
        .def("lines", &lines_of)
        .def_prop_ro("typical", [](const LoadedFonts& self) { return self.detector.typical(); })
        .def("fit", [](const LoadedFonts& self, const nb::bytes& text, size_t font) {
            const FontFit fit = self.detector.fit(span_of(text), font);
            return std::make_tuple(fit.characters, fit.own_characters, fit.font, fit.ordinary);
        });
}
