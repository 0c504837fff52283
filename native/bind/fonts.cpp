// The Python face of font-coded text.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "base/utf8.hpp"
#include "bind/loaded.hpp"
#include "fonts/convert.hpp"
#include "fonts/guess.hpp"
#include "markup/scan.hpp"

using namespace webtongue;

namespace {

using Row = std::tuple<std::string, std::string, int, std::string>;  // from, to, glyph, after

std::u32string points(const std::string& utf8) {
    std::u32string out;
    const Byte* p = reinterpret_cast<const Byte*>(utf8.data());
    for (const Byte* end = p + utf8.size(); p < end;) out += read_utf8(p, end);
    return out;
}

std::vector<FontRule> rules_of(const std::vector<Row>& rows) {
    std::vector<FontRule> out;
    for (const auto& [from, to, glyph, after] : rows) {
        if (glyph < 0 || glyph > static_cast<int>(Glyph::sub)) throw nb::value_error("no such kind of glyph");
        out.push_back({points(from), points(to), static_cast<Glyph>(glyph), points(after)});
    }
    return out;
}

// A byte a line with the font's number, and the margins.
nb::tuple lines_of(const LoadedFonts& self, const nb::bytes& text, size_t wanted) {
    const Span s = span_of(text);
    std::vector<LineGuess> found;
    {
        nb::gil_scoped_release release;
        found = self.guess.lines(s, wanted);
    }
    std::string fonts;
    nb::list margins;
    for (const LineGuess& line : found) {
        fonts += static_cast<char>(line.font);
        margins.append(line.margin);
    }
    return nb::make_tuple(nb::bytes(fonts.data(), fonts.size()), margins);
}

}  // namespace

void bind_fonts(nb::module_& m) {
    nb::class_<Font>(m, "Font")
        .def("__init__",
             [](Font* self, const std::vector<Row>& glyphs, const std::vector<Row>& fixes, uint32_t base, const nb::bytes& places,
                bool low) { new (self) Font(rules_of(glyphs), rules_of(fixes), {base, std::string(places.c_str(), places.size()), low}); })
        .def("convert", [](const Font& font, const nb::bytes& text) {
            const Span s = span_of(text);
            std::string out;
            {
                nb::gil_scoped_release release;
                out = font.convert(s);
            }
            return nb::bytes(out.data(), out.size());
        });
    nb::class_<LoadedFonts>(m, "FontGuess")
        .def("__init__",
             [](LoadedFonts* self, const View<uint8_t>& memory) {
                 new (self) LoadedFonts{nb::cast(memory), FontGuess({memory.data(), memory.data() + memory.shape(0)})};
             })
        .def_prop_ro("names", [](const LoadedFonts& self) { return self.guess.names(); })
        .def("suspects_text",
             [](const LoadedFonts& self, nb::handle text) {
                 const std::string_view utf8 = text_of(text);
                 const Byte* p = reinterpret_cast<const Byte*>(utf8.data());
                 return self.guess.suspects({p, p + utf8.size()});
             })
        .def("suspects_scan",
             [](const LoadedFonts& self, const Scan& s) { return self.guess.suspects({s.text.get(), s.text.get() + s.text_size}); })
        .def("lines", &lines_of);
}
