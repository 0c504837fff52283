// The Python face of reading: one call a page or text, a small object with what was found.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "bind/loaded.hpp"
#include "coding/misread.hpp"
#include "text/reader.hpp"

using namespace webtongue;

namespace {

void init_priors(Priors* self, const Loaded& loaded, const View<int32_t>& by_label, const Allowed& allowed) {
    if (by_label.shape(0) != loaded.model.label_count()) throw nb::value_error("priors: one for each label of the model is needed");
    new (self) Priors(loaded.model, by_label.data(), mask_of(loaded, allowed));
}

PageReading read_scan(const Loaded& loaded, const Scan& scan, const Priors& priors) {
    ReadOptions options;
    options.priors = &priors;
    nb::gil_scoped_release release;
    return read_page(loaded.model, scan, options);
}

constexpr size_t kTextGuesses = 16;

Outcome rank(const Loaded& loaded, std::string_view utf8, const Priors& priors) {
    Scorer& scorer = local_scorer(loaded.model, 0);
    scorer.add(utf8.data(), utf8.size());
    return scorer.rank(kTextGuesses, priors);
}

Span bytes_of(std::string_view utf8) {
    const Byte* p = reinterpret_cast<const Byte*>(utf8.data());
    return {p, p + utf8.size()};
}

Junk junk_in(std::string_view utf8) { return look_for_junk(bytes_of(utf8)); }

// A short text is one piece; nothing of it is passed over.
PageReading read_text(const Loaded& loaded, nb::handle text, const Priors& priors) {
    const std::string_view utf8 = text_of(text);
    PageReading out;
    Outcome outcome = rank(loaded, utf8, priors);
    out.guesses = std::move(outcome.guesses);
    out.written = outcome.written;
    out.features = outcome.features;
    out.unseen = outcome.unseen;
    out.letters = outcome.letters;
    out.group = outcome.group;
    out.group_letters = outcome.group_letters;
    if (!out.guesses.empty()) out.score = out.guesses.front().score;
    out.junk = junk_in(utf8);
    out.misread = looks_misread(bytes_of(utf8));
    out.poor_fit = !out.guesses.empty() && is_poor_fit(loaded.model, out.guesses.front(), out.features, out.unseen);
    out.too_rare = !out.guesses.empty() && priors.too_rare(loaded.model, out.guesses.front(), out.letters);
    const Span whole = bytes_of(utf8);
    out.elsewhere = outcome.elsewhere;
    out.doubt = doubt(loaded.model, {out.guesses, out.elsewhere, out.features, out.unseen, &whole, 1, 0});
    return out;
}

nb::list guesses_of(const PageReading& r, size_t most) {
    nb::list out;
    for (size_t i = 0; i < r.guesses.size() && i < most; ++i) out.append(nb::make_tuple(r.guesses[i].label, r.guesses[i].log_prob));
    return out;
}

nb::list stretches_of(const PageReading& r) {
    nb::list out;
    for (const JudgedPiece& p : join_pieces(r.pieces)) out.append(nb::make_tuple(p.page_begin, p.page_end, p.weight, p.label));
    return out;
}

nb::list shares_of(const PageReading& r) {
    nb::list out;
    for (const auto& [label, bytes] : r.shares) out.append(nb::make_tuple(label, bytes));
    return out;
}

}  // namespace

void bind_reader(nb::module_& m) {
    nb::class_<Priors>(m, "Priors").def("__init__", &init_priors, nb::arg("model"), nb::arg("by_label"), nb::arg("allowed").none());
    nb::class_<PageReading>(m, "PageReading")
        .def("guesses", &guesses_of)
        .def("stretches", &stretches_of)
        .def_prop_ro("shares", &shares_of)
        .def_ro("features", &PageReading::features)
        .def_ro("unseen", &PageReading::unseen)
        .def_ro("letters", &PageReading::letters)
        .def_ro("group_letters", &PageReading::group_letters)
        .def_ro("group", &PageReading::group)
        .def_prop_ro("script", [](const PageReading& r) { return r.written == SCRIPT_COMMON ? "" : script_name(r.written); })
        .def_ro("score", &PageReading::score)
        .def_ro("misread", &PageReading::misread)
        .def_ro("elsewhere", &PageReading::elsewhere)
        .def_prop_ro("unknown", [](const PageReading& r) { return r.doubt.unknown; })
        .def_prop_ro("known", [](const PageReading& r) { return r.doubt.known; })
        .def_ro("too_rare", &PageReading::too_rare)
        .def_ro("poor_fit", &PageReading::poor_fit)
        .def_prop_ro("junk_score", [](const PageReading& r) { return r.junk.score; })
        .def_prop_ro("junk_kind", [](const PageReading& r) { return std::string(junk_kind_name(r.junk.kind)); });
    m.def("read_page", &read_scan);
    m.def("read_text", &read_text);
    m.def("unknown_features", [](const Loaded& loaded, nb::handle text, const Priors& priors) {
        const std::string_view utf8 = text_of(text);
        Outcome outcome = rank(loaded, utf8, priors);
        const Span whole = bytes_of(utf8);
        const ReadText read{outcome.guesses, outcome.elsewhere, outcome.features, outcome.unseen, &whole, 1, 0};
        UnknownFeatures found = first_look(loaded.model, read);
        nb::list out;
        if (!found.known) return out;
        second_look(loaded.model, read, found);
        for (const int32_t value : found.values) out.append(value);
        return out;
    });
}
