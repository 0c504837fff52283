// The Python face of font-coded text.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "fonts.hpp"
#include "utf8_reader.hpp"

namespace nb = nanobind;
using namespace webtongue;

namespace {

using Row = std::tuple<std::string, std::string, int, std::string>;  // from, to, glyph, after

Span span_of(const std::string& s) {
    const Byte* p = reinterpret_cast<const Byte*>(s.data());
    return {p, p + s.size()};
}

std::u32string points(const std::string& utf8) {
    std::u32string out;
    const Span s = span_of(utf8);
    for (const Byte* p = s.begin; p < s.end;) out += read_utf8(p, s.end);
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

}  // namespace

void bind_fonts(nb::module_& m) {
    nb::class_<Font>(m, "Font")
        .def("__init__",
             [](Font* self, const std::vector<Row>& glyphs, const std::vector<Row>& fixes, uint32_t base, const nb::bytes& places,
                bool low) {
                 new (self) Font(rules_of(glyphs), rules_of(fixes), {base, std::string(places.c_str(), places.size()), low});
             })
        .def("convert", [](const Font& font, const nb::bytes& text) {
            const Byte* p = static_cast<const Byte*>(text.data());
            std::string out;
            {
                nb::gil_scoped_release release;
                out = font.convert({p, p + text.size()});
            }
            return nb::bytes(out.data(), out.size());
        });
}
