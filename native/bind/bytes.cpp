// The Python face of the byte model and of its training.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "coding/byte_model.hpp"
#include "coding/encoding_contest.hpp"
#include "coding/misread.hpp"
#include "coding/multibyte.hpp"
#include "markup/scan.hpp"
#include "train/byte_context.hpp"
#include "train/bytes.hpp"

using namespace webtongue;

namespace {

struct LoadedBytes {
    explicit LoadedBytes(View<uint8_t> from) : memory(std::move(from)), model({memory.data(), memory.data() + memory.shape(0)}) {}
    View<uint8_t> memory;
    ByteModel model;
};

// Bytes, or the text of a scanned page.
Span bytes_of(nb::handle text) {
    if (PyBytes_Check(text.ptr())) return span_of(nb::borrow<nb::bytes>(text));
    const Scan& scan = nb::cast<const Scan&>(text);
    return {scan.text.get(), scan.text.get() + scan.text_size};
}

nb::tuple score(const LoadedBytes& loaded, nb::handle text) {
    const Span span = bytes_of(text);
    std::vector<int32_t> totals(BYTE_CLASSES);
    uint32_t ngrams;
    {
        nb::gil_scoped_release release;
        ngrams = loaded.model.score(span, histogram_of(span), totals.data());
    }
    totals.resize(loaded.model.class_count());
    return nb::make_tuple(totals, ngrams);
}

nb::tuple detect_bytes(const LoadedBytes& loaded, nb::handle text, const View<int32_t>& offsets, size_t most) {
    if (offsets.shape(0) != loaded.model.class_count()) throw nb::value_error("offsets: one for each class of the model is needed");
    const Span span = bytes_of(text);
    Detection found;
    {
        nb::gil_scoped_release release;
        found = detect(loaded.model, span, offsets.data(), most);
    }
    nb::list out;
    for (const CodingGuess& guess : found.guesses) out.append(nb::make_tuple(guess.coding, guess.log_prob));
    return nb::make_tuple(out, found.ngrams, found.high, found.long_ones);
}

ByteRule rule_of(const nb::bytes& map, int high, int plain, bool everywhere) {
    if (map.size() != 256) throw nb::value_error("map: 256 bytes");
    ByteRule rule;
    std::memcpy(rule.map, map.c_str(), 256);
    rule.high = static_cast<uint8_t>(high);
    rule.plain = static_cast<uint8_t>(plain);
    rule.everywhere = everywhere;
    return rule;
}

// The n-grams of many texts as one array of keys, and where each text's begin.
nb::tuple ngrams(const nb::list& texts, const nb::bytes& map, int high, int plain, bool everywhere, size_t most) {
    const ByteRule rule = rule_of(map, high, plain, everywhere);
    std::vector<uint32_t> keys;
    std::vector<uint64_t> starts{0};
    std::vector<uint32_t> one;
    for (const nb::handle text : texts) {
        const Span span = bytes_of(text);
        one.clear();
        byte_ngrams(span, rule, histogram_of(span).high, std::max<size_t>(most, 1), one);
        keys.insert(keys.end(), one.begin(), one.end());
        starts.push_back(keys.size());
    }
    return nb::make_tuple(to_array(std::move(keys)), to_array(std::move(starts)));
}

double fit(const View<uint64_t>& starts, const View<uint32_t>& ids, const View<uint32_t>& order, const View2<uint8_t>& right,
           const View<float>& worth, float rate, float decay, float smooth, float own, Out2<float> weights, Out2<float> sums,
           Out<float> bias, Out<float> bias_sums) {
    const size_t rows = right.shape(0), classes = right.shape(1), features = weights.shape(0);
    if (starts.shape(0) != rows + 1 || worth.shape(0) != rows || weights.shape(1) != classes || sums.shape(0) != features ||
        sums.shape(1) != classes || bias.shape(0) != classes || bias_sums.shape(0) != classes)
        throw nb::value_error("fit_bytes: shapes do not belong together");
    stretches_in(starts, ids.shape(0));
    for (size_t i = 0; i < ids.shape(0); ++i)
        if (ids.data()[i] >= features) throw nb::value_error("a feature lies outside the table");
    for (size_t i = 0; i < order.shape(0); ++i)
        if (order.data()[i] >= rows) throw nb::value_error("order lies outside the rows");
    nb::gil_scoped_release release;
    return fit_bytes(starts.data(), ids.data(), order.data(), order.shape(0), right.data(), worth.data(),
                     ByteFit{static_cast<uint32_t>(classes), rate, decay, smooth, own}, weights.data(), sums.data(), bias.data(),
                     bias_sums.data());
}

double fit_the_contexts(const LoadedBytes& loaded, const nb::list& texts, const View2<uint8_t>& right, const View<int32_t>& offsets,
                        float rate, float decay, Out<float> weights, Out<float> sums) {
    const size_t classes = loaded.model.class_count(), size = weights.shape(0);
    if (right.shape(0) != nb::len(texts) || right.shape(1) != classes || offsets.shape(0) != classes || sums.shape(0) != size)
        throw nb::value_error("fit_contexts: shapes do not belong together");
    int bits = 1;
    while (size_t{1} << bits < size && bits < 30) ++bits;
    if (size_t{1} << bits != size) throw nb::value_error("weights of contexts: a power of two");
    std::vector<Span> spans;
    for (const nb::handle text : texts) spans.push_back(bytes_of(text));
    nb::gil_scoped_release release;
    return fit_contexts(loaded.model, spans, right.data(), offsets.data(), ContextFit{bits, rate, decay}, weights.data(), sums.data());
}

}  // namespace

void bind_bytes(nb::module_& m) {
    nb::class_<LoadedBytes>(m, "ByteModel")
        .def(nb::init<View<uint8_t>>(), nb::arg("memory"))
        .def_prop_ro("classes",
                     [](const LoadedBytes& l) {
                         std::vector<std::string> out;
                         for (size_t id = 0; id < l.model.class_count(); ++id) out.emplace_back(l.model.name(id));
                         return out;
                     })
        .def_prop_ro("manifest", [](const LoadedBytes& l) { return nb::bytes(l.model.manifest().data(), l.model.manifest().size()); })
        .def("score", &score, nb::arg("text"), "Log-likelihoods in 1/1024 nats up to a common term, and how many n-grams are known.")
        .def("detect", &detect_bytes, nb::arg("text"), nb::arg("offsets"), nb::arg("most") = 4,
             "[(class, log-probability)], known n-grams, bytes beyond ASCII, whether some sequences have four bytes.");
    m.def("byte_ngrams", &ngrams, nb::arg("texts"), nb::arg("map"), nb::arg("high"), nb::arg("plain"), nb::arg("everywhere"),
          nb::arg("most"));
    m.def("check_multibyte", [](const nb::bytes& text, int kind) {
        if (kind < 0 || kind > static_cast<int>(Coding::other)) throw nb::value_error("no such kind of coding");
        const Validity v = check_multibyte(bytes_of(text), static_cast<Coding>(kind));
        return nb::make_tuple(v.good, v.long_ones, v.bad, v.joined, v.common, v.rare);
    });
    m.def("looks_misread", [](nb::handle text) { return looks_misread(bytes_of(text)); });
    m.def("fit_bytes", &fit);
    m.def("fit_contexts", &fit_the_contexts);
}
