// The Python face of the language model. Buffers in, arrays out, the GIL released while text is read.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/scripts.hpp"
#include "bind/loaded.hpp"
#include "text/reader.hpp"

using namespace webtongue;

namespace {

// One text a row: ids and log-probabilities of the best labels, -1 where there are fewer; then what was read. All labels are alike
// likely where no priors are given.
nb::tuple rank_many(const Loaded& loaded, const nb::bytes& blob, View<uint64_t> offsets, size_t most, uint32_t limit, bool decisive,
                    const Priors* given) {
    const size_t count = stretches_in(offsets, blob.size());
    const std::vector<int32_t> even(loaded.model.label_count(), 0);
    const Priors alike(loaded.model, even.data(), nullptr);
    const Priors& priors = given ? *given : alike;
    std::vector<int32_t> ids(count * most, -1), logs(count * most, INT32_MIN), scores(count * most, INT32_MIN);
    std::vector<uint32_t> seen(count * 5);
    {
        const char* text = blob.c_str();
        nb::gil_scoped_release release;
        for (size_t i = 0; i < count; ++i) {
            Scorer& scorer = local_scorer(loaded.model, 0);
            const Span whole{reinterpret_cast<const Byte*>(text) + offsets.data()[i],
                             reinterpret_cast<const Byte*>(text) + offsets.data()[i + 1]};
            scorer.add(text + offsets.data()[i], whole.size(), limit);
            Outcome outcome = scorer.rank(std::max(most, kTextGuesses), priors);
            if (decisive) ask_decisive(loaded.model, &whole, 1, outcome.guesses);
            outcome.guesses.resize(std::min(most, outcome.guesses.size()));
            for (size_t k = 0; k < outcome.guesses.size(); ++k) {
                ids[i * most + k] = outcome.guesses[k].label;
                logs[i * most + k] = outcome.guesses[k].log_prob;
                scores[i * most + k] = outcome.guesses[k].score;
            }
            const uint32_t facts[5] = {outcome.features, outcome.unseen, outcome.letters, outcome.group_letters, outcome.group};
            std::copy(std::begin(facts), std::end(facts), seen.begin() + static_cast<ptrdiff_t>(i * 5));
        }
    }
    return nb::make_tuple(to_array(std::move(ids), {count, most}), to_array(std::move(logs), {count, most}),
                          to_array(std::move(scores), {count, most}), to_array(std::move(seen), {count, 5}));
}

void init_loaded(Loaded* self, View<uint8_t> memory) {
    Model model({memory.data(), memory.data() + memory.size()});
    nb::list names;
    for (size_t id = 0; id < model.label_count(); ++id) names.append(nb::str(model.label(id).data(), model.label(id).size()));
    new (self) Loaded{std::move(model), memory, names};
}

template <class F>
nb::object per_label(const Loaded& loaded, F&& value) {
    nb::list out;
    for (size_t id = 0; id < loaded.model.label_count(); ++id) out.append(value(id));
    return std::move(out);
}

}  // namespace

void bind_model(nb::module_& m) {
    nb::class_<Loaded>(m, "LanguageModel")
        .def("__init__", &init_loaded, nb::arg("memory"))
        .def_prop_ro("labels", [](const Loaded& l) { return l.names; })
        .def_prop_ro("tiers", [](const Loaded& l) { return per_label(l, [&](size_t id) { return l.model.info(id).tier; }); })
        .def_prop_ro("groups", [](const Loaded& l) { return per_label(l, [&](size_t id) { return l.model.group_of(id); }); })
        .def_prop_ro("low_scores", [](const Loaded& l) { return per_label(l, [&](size_t id) { return l.model.info(id).low_score; }); })
        .def_prop_ro("high_unseen", [](const Loaded& l) { return per_label(l, [&](size_t id) { return l.model.info(id).high_unseen; }); })
        .def_prop_ro("manifest", [](const Loaded& l) { return nb::bytes(l.model.manifest().data(), l.model.manifest().size()); })
        .def("scale", [](const Loaded& l, uint32_t features, int tier) { return l.model.scale_after(features, tier); })
        .def("rank_many", &rank_many, nb::arg("blob"), nb::arg("offsets"), nb::arg("most") = 8, nb::arg("limit") = UINT32_MAX,
             nb::arg("decisive") = true, nb::arg("priors").none() = nb::none(),
             "ids, log-probabilities (1/1024 nats), scores and (features, unseen, letters, group letters, group) a text.");
    m.def("force_baseline", &Scorer::force_baseline, "Tests only: never take the AVX2 path.");
}
