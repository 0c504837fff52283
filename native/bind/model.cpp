// Python bindings of the language model: buffers in, arrays out, with the GIL released while text is read.
#include "base/checks.hpp"
#include "base/scripts.hpp"
#include "bind/models.hpp"
#include "text/reader.hpp"

using namespace webtongue;

namespace {

// One row per text: ids and log-probabilities of the best labels, padded with -1, and counts. Without priors all labels are equally likely.
auto rank_many(const Loaded& loaded, const nb::bytes& blob, View<uint64_t> offsets, size_t max_guesses, uint32_t limit, bool decisive,
               const Priors* given) {
    const size_t count = count_spans(offsets, blob.size());
    const std::vector<int32_t> uniform(loaded.model.label_count(), 0);
    const Priors uniform_priors(loaded.model, uniform.data(), nullptr);
    const Priors& priors = given ? *given : uniform_priors;
    std::vector<int32_t> ids(count * max_guesses, -1), logs(count * max_guesses, INT32_MIN), scores(count * max_guesses, INT32_MIN);
    std::vector<uint32_t> counts(count * 5);
    {
        const Span blob_span = span_of(blob);
        nb::gil_scoped_release release;
        for (size_t i = 0; i < count; ++i) {
            Scorer& scorer = local_scorer(loaded.model, 0);
            const Span text{blob_span.begin + offsets.data()[i], blob_span.begin + offsets.data()[i + 1]};
            scorer.add(text, limit);
            Outcome outcome = scorer.rank(std::max(max_guesses, kMaxTextGuesses), priors);
            if (decisive) rerank_look_alikes(loaded.model, &text, 1, outcome.guesses);
            outcome.guesses.resize(std::min(max_guesses, outcome.guesses.size()));
            for (size_t k = 0; k < outcome.guesses.size(); ++k) {
                ids[i * max_guesses + k] = outcome.guesses[k].label;
                logs[i * max_guesses + k] = outcome.guesses[k].log_prob;
                scores[i * max_guesses + k] = outcome.guesses[k].score;
            }
            const uint32_t facts[5] = {outcome.features, outcome.unseen, outcome.letters, outcome.group_letters, outcome.group};
            std::copy(std::begin(facts), std::end(facts), counts.begin() + static_cast<ptrdiff_t>(i * 5));
        }
    }
    return std::make_tuple(to_array(std::move(ids), {count, max_guesses}), to_array(std::move(logs), {count, max_guesses}),
                           to_array(std::move(scores), {count, max_guesses}), to_array(std::move(counts), {count, 5}));
}

void init_loaded(Loaded* self, View<uint8_t> memory, const std::vector<std::string>& word_labels) {
    Model model(span_of(memory), word_labels);
    StrList names{nb::list()};
    for (size_t id = 0; id < model.label_count(); ++id) names.append(to_str(model.label(id)));
    new (self) Loaded{std::move(model), memory, names};
}

template <class F>
std::vector<int> per_label(const Loaded& loaded, F&& value) {
    std::vector<int> out;
    for (size_t id = 0; id < loaded.model.label_count(); ++id) out.push_back(value(id));
    return out;
}

size_t check_index(const std::string& name) {
    const auto found = std::find(std::begin(CHECK_NAMES), std::end(CHECK_NAMES), name);
    if (found == std::end(CHECK_NAMES)) throw nb::value_error("there is no such check");
    return static_cast<size_t>(found - std::begin(CHECK_NAMES));
}

}  // namespace

void bind_model(nb::module_& m) {
    nb::class_<Loaded>(m, "LanguageModel")
        .def("__init__", &init_loaded, nb::arg("memory"), nb::arg("word_labels") = std::vector<std::string>())
        .def_prop_ro("labels", [](const Loaded& l) { return l.names; })
        .def_prop_ro("tiers", [](const Loaded& l) { return per_label(l, [&](size_t id) { return l.model.info(id).tier; }); })
        .def_prop_ro("groups", [](const Loaded& l) { return per_label(l, [&](size_t id) { return l.model.group_of(id); }); })
        .def_prop_ro("low_scores", [](const Loaded& l) { return per_label(l, [&](size_t id) { return l.model.info(id).low_score; }); })
        .def_prop_ro("high_unseen", [](const Loaded& l) { return per_label(l, [&](size_t id) { return l.model.info(id).high_unseen; }); })
        .def_prop_ro("manifest", [](const Loaded& l) { return to_bytes(l.model.manifest()); })
        .def("scale", [](const Loaded& l, uint32_t features, int tier) { return l.model.scale_after(features, tier); })
        .def("rank_many", &rank_many, nb::arg("blob"), nb::arg("offsets"), nb::arg("most") = 8, nb::arg("limit") = UINT32_MAX,
             nb::arg("decisive") = true, nb::arg("priors").none() = nb::none(),
             "Returns ids, log-probabilities (1/1024 nats), scores and (features, unseen, letters, group letters, group) per text.");
    m.def("force_baseline", &Scorer::force_baseline, "For tests: disables AVX2.");
    m.def(
        "disable_check", [](const std::string& name) { disabled_checks = name.empty() ? 0 : 1u << check_index(name); },
        "For benchmarks: switches off one check of texts, or none for an empty name.");
    m.def("check_names", [] { return std::vector<std::string>(std::begin(CHECK_NAMES), std::end(CHECK_NAMES)); });
}
