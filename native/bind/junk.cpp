// Python bindings of junk detection.
#include "text/junk.hpp"
#include "bind/arrays.hpp"
#include "text/block_style.hpp"

using namespace webtongue;

void bind_junk(nb::module_& m) {
    m.def("look_for_junk", [](const nb::bytes& b) {
        const Span text = span_of(b);
        Junk junk;
        {
            nb::gil_scoped_release release;
            junk = detect_junk(text);
        }
        return std::make_tuple(junk.score, std::string(junk_kind_name(junk.kind)));
    });
    // The features of the score, for fitting the weights and for tests.
    m.def("junk_features", [](const nb::bytes& b) {
        const JunkValues values = junk_features(span_of(b));
        return std::vector<int32_t>(values.begin(), values.end());
    });
    m.def("block_style", [](const nb::bytes& b) { return static_cast<int>(style_of(span_of(b))); });
}
