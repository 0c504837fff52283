// Python bindings of the byte model and of its training.
#include "train/bytes.hpp"
#include "bind/arrays.hpp"
#include "charset/byte_model.hpp"
#include "charset/encoding_ranking.hpp"
#include "charset/mojibake.hpp"
#include "charset/multibyte.hpp"
#include "charset/utf8_spans.hpp"
#include "markup/scan.hpp"
#include "train/byte_context.hpp"

using namespace webtongue;

namespace {

struct LoadedBytes {
    explicit LoadedBytes(View<uint8_t> from) : memory(std::move(from)), model(span_of(memory)) {}
    View<uint8_t> memory;
    ByteModel model;
};

// Bytes, or the text of a scanned page.
Span bytes_of(nb::handle text) {
    if (PyBytes_Check(text.ptr())) return span_of(nb::borrow<nb::bytes>(text));
    const Scan& scan = nb::cast<const Scan&>(text);
    return {scan.text.get(), scan.text.get() + scan.text_size};
}

std::tuple<std::vector<int32_t>, uint32_t> score(const LoadedBytes& loaded, nb::handle text) {
    const Span span = bytes_of(text);
    std::vector<int32_t> totals(MAX_BYTE_CLASSES);
    uint32_t ngrams;
    {
        nb::gil_scoped_release release;
        ngrams = loaded.model.score(span, count_high_bytes(span), totals.data());
    }
    totals.resize(loaded.model.class_count());
    return {totals, ngrams};
}

auto detect_bytes(const LoadedBytes& loaded, nb::handle text, const View<int32_t>& offsets, size_t max_guesses) {
    if (offsets.shape(0) != loaded.model.class_count()) throw nb::value_error("offsets: one for each class of the model is needed");
    const Span span = bytes_of(text);
    Detection detection;
    {
        nb::gil_scoped_release release;
        detection = detect(loaded.model, span, offsets.data(), max_guesses);
    }
    std::vector<std::tuple<int, int32_t>> guesses;
    for (const EncodingGuess& guess : detection.guesses) guesses.emplace_back(guess.encoding, guess.log_prob);
    return std::make_tuple(guesses, detection.ngrams, detection.high, detection.has_four_byte);
}

std::vector<uint64_t> character_costs(const LoadedBytes& loaded, nb::handle text) {
    std::vector<uint64_t> costs;
    for (size_t k = 0; k < loaded.model.class_count() && loaded.model.has_costs(); ++k)
        costs.push_back(loaded.model.character_cost(bytes_of(text), k));
    return costs;
}

size_t class_number(const LoadedBytes& loaded, size_t number) {
    if (number >= loaded.model.class_count()) throw nb::value_error("the model has no class of this number");
    return number;
}

int32_t text_log_odds(const LoadedBytes& loaded, nb::handle text, size_t number) {
    return loaded.model.has_costs() ? loaded.model.text_log_odds(bytes_of(text), class_number(loaded, number)) : 0;
}

std::vector<size_t> find_strays(const LoadedBytes& loaded, const nb::bytes& text, size_t number) {
    const auto kind = static_cast<EncodingKind>(loaded.model.kind(class_number(loaded, number)));
    const Span span = span_of(text);
    nb::gil_scoped_release release;
    return may_have_strays(check_multibyte(span, kind)) ? loaded.model.find_strays(span, number) : std::vector<size_t>{};
}

ByteRule make_rule(const nb::bytes& map, int high, int plain, bool everywhere) {
    if (map.size() != 256) throw nb::value_error("map must have 256 bytes");
    ByteRule rule;
    std::memcpy(rule.map, map.c_str(), 256);
    rule.high = static_cast<uint8_t>(high);
    rule.plain = static_cast<uint8_t>(plain);
    rule.everywhere = everywhere;
    return rule;
}

// The n-grams of many texts as one array of keys, and the start of each text.
auto ngrams(const AnyList& texts, const nb::bytes& map, int high, int plain, bool everywhere, size_t max_ngrams) {
    const ByteRule rule = make_rule(map, high, plain, everywhere);
    std::vector<uint32_t> keys;
    std::vector<uint64_t> starts{0};
    std::vector<uint32_t> text_keys;
    for (const nb::handle text : texts) {
        const Span span = bytes_of(text);
        text_keys.clear();
        byte_ngrams(span, rule, count_high_bytes(span).high, std::max<size_t>(max_ngrams, 1), text_keys);
        keys.insert(keys.end(), text_keys.begin(), text_keys.end());
        starts.push_back(keys.size());
    }
    return std::make_tuple(to_array(std::move(keys)), to_array(std::move(starts)));
}

double fit(const View<uint64_t>& starts, const View<uint32_t>& ids, const View<uint32_t>& order, const View2<uint8_t>& right,
           const View<float>& row_weights, float rate, float decay, float smooth, float own_rate, Out2<float> weights, Out2<float> sums,
           Out<float> bias, Out<float> bias_sums) {
    const size_t rows = right.shape(0), classes = right.shape(1), features = weights.shape(0);
    if (starts.shape(0) != rows + 1 || row_weights.shape(0) != rows || weights.shape(1) != classes || sums.shape(0) != features ||
        sums.shape(1) != classes || bias.shape(0) != classes || bias_sums.shape(0) != classes)
        throw nb::value_error("fit_bytes: the shapes of the arrays do not match");
    count_spans(starts, ids.shape(0));
    for (size_t i = 0; i < ids.shape(0); ++i)
        if (ids.data()[i] >= features) throw nb::value_error("a feature lies outside the table");
    for (size_t i = 0; i < order.shape(0); ++i)
        if (order.data()[i] >= rows) throw nb::value_error("order lies outside the rows");
    nb::gil_scoped_release release;
    return fit_bytes(starts.data(), ids.data(), order.data(), order.shape(0), right.data(), row_weights.data(),
                     ByteFit{static_cast<uint32_t>(classes), rate, decay, smooth, own_rate}, weights.data(), sums.data(), bias.data(),
                     bias_sums.data());
}

double fit_all_contexts(const LoadedBytes& loaded, const AnyList& texts, const View2<uint8_t>& right, const View<int32_t>& offsets,
                        float rate, float decay, Out<float> weights, Out<float> sums) {
    const size_t classes = loaded.model.class_count(), size = weights.shape(0);
    if (right.shape(0) != texts.size() || right.shape(1) != classes || offsets.shape(0) != classes || sums.shape(0) != size)
        throw nb::value_error("fit_contexts: the shapes of the arrays do not match");
    int bits = 1;
    while (size_t{1} << bits < size && bits < 30) ++bits;
    if (size_t{1} << bits != size) throw nb::value_error("fit_contexts: the number of weights must be a power of two");
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
        .def_prop_ro("manifest", [](const LoadedBytes& l) { return to_bytes(l.model.manifest()); })
        .def("score", &score, nb::arg("text"), "Returns log-likelihoods in 1/1024 nats up to a constant, and the number of known n-grams.")
        .def("character_costs", &character_costs, nb::arg("text"),
             "Returns how unlikely the characters of a text are in each class, in 1/8 nats.")
        .def("text_log_odds", &text_log_odds, nb::arg("text"), nb::arg("number"),
             "Returns how much likelier a text is in a class than random bytes, in 1/1024 nats.")
        .def("find_strays", &find_strays, nb::arg("text"), nb::arg("number"),
             "Returns offsets of bytes that belong to no character of a multi-byte encoding.")
        .def("detect", &detect_bytes, nb::arg("text"), nb::arg("offsets"), nb::arg("max_guesses") = 4,
             "Returns [(class, log-probability)], known n-grams, bytes beyond ASCII, and whether there are sequences of four bytes.");
    m.def("byte_ngrams", &ngrams, nb::arg("texts"), nb::arg("map"), nb::arg("high"), nb::arg("plain"), nb::arg("everywhere"),
          nb::arg("max_ngrams"));
    m.def("check_multibyte", [](const nb::bytes& text, int kind) {
        if (kind < 0 || kind > static_cast<int>(EncodingKind::other)) throw nb::value_error("unknown kind of encoding");
        const MultibyteCounts v = check_multibyte(bytes_of(text), static_cast<EncodingKind>(kind));
        return std::make_tuple(v.good, v.long_characters, v.bad, v.joined, v.common, v.rare);
    });
    m.def("find_utf8_spans", [](const nb::bytes& text, int two, int three, int four, int in_word, int error, int min_sum) {
        std::vector<std::tuple<size_t, size_t>> spans;
        for (const Utf8Span& span : find_utf8_spans(span_of(text), {two, three, four, in_word, error, min_sum}))
            spans.emplace_back(span.begin, span.end);
        return spans;
    });
    m.def("looks_like_mojibake", [](nb::handle text) { return looks_like_mojibake(bytes_of(text)); });
    m.def("fit_bytes", &fit);
    m.def("fit_contexts", &fit_all_contexts);
}
