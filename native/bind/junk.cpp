// The Python face of the search for text that is not language.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "text/junk.hpp"

using namespace webtongue;

void bind_junk(nb::module_& m) {
    m.def("look_for_junk", [](const nb::bytes& b) {
        const Span text = span_of(b);
        Junk found;
        {
            nb::gil_scoped_release release;
            found = look_for_junk(text);
        }
        return std::make_tuple(found.score, std::string(junk_kind_name(found.kind)));
    });
    // What the score is a sum of: for fitting the weights and for tests.
    m.def("junk_features", [](const nb::bytes& b) {
        const JunkValues values = junk_features(span_of(b));
        return std::vector<int32_t>(values.begin(), values.end());
    });
}
