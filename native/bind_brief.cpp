// Verdicts on short texts, nearly ready: a plain answer costs one call, everything else is left to judge().
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "loaded.hpp"
#include "misread.hpp"
#include "reader.hpp"
#include "strange.hpp"

using namespace webtongue;

namespace {

// What text/__init__.py decides by, handed over once.
struct Thresholds {
    uint32_t few_letters, enough_letters;
    int32_t told_apart, sure;             // log-probabilities, 1/1024 nats
};

class Brief {
public:
    Brief(nb::object model, nb::object priors, const nb::bytes& grouped, const Thresholds& thresholds)
        : model_(std::move(model)), priors_object_(std::move(priors)), loaded_(nb::cast<const Loaded&>(model_)),
          priors_(nb::cast<const Priors&>(priors_object_)), at_(thresholds),
          grouped_(grouped.c_str(), grouped.size()) {
        grouped_.resize(loaded_.model.label_count());
        for (const nb::handle name : loaded_.names) {
            const std::string label = nb::cast<std::string>(name);
            scripts_.append(nb::str(label.c_str() + std::min<size_t>(4, label.size())));
        }
    }

    // (label, probability, script, whether it is reliable, tier), or None where there is no plain answer.
    nb::object read(nb::handle text) const {
        const std::string_view utf8 = text_of(text);
        Outcome outcome = rank(utf8);
        if (outcome.letters < at_.few_letters || !any(outcome, utf8)) return nb::none();
        const Guess& best = outcome.guesses.front();
        if (best.log_prob < at_.told_apart && grouped_[best.label]) return nb::none();
        const double chance = loaded_.model.exp_of(-best.log_prob) / 1073741824.0;
        return nb::make_tuple(nb::borrow(PyList_GET_ITEM(loaded_.names.ptr(), best.label)), chance,
                              nb::borrow(PyList_GET_ITEM(scripts_.ptr(), best.label)),
                              best.log_prob >= at_.sure && outcome.letters >= at_.enough_letters,
                              static_cast<int>(loaded_.model.info(best.label).tier));
    }

    // The likeliest label and nothing else; None where no letter says anything.
    nb::object classify(nb::handle text) const {
        const Outcome outcome = rank(text_of(text));
        if (outcome.guesses.empty()) return nb::none();
        return nb::borrow(PyList_GET_ITEM(loaded_.names.ptr(), outcome.guesses.front().label));
    }

    // Lists of labels (None: what a verdict would call no language) and probabilities.
    nb::tuple classify_many(const nb::list& texts) const {
        nb::list labels, chances;
        for (const nb::handle text : texts) {
            const std::string_view utf8 = text_of(text);
            Outcome outcome = rank(utf8);
            const bool said = any(outcome, utf8);
            labels.append(said ? nb::borrow(PyList_GET_ITEM(loaded_.names.ptr(), outcome.guesses.front().label)) : nb::none());
            chances.append(said ? loaded_.model.exp_of(-outcome.guesses.front().log_prob) / 1073741824.0 : 0.0);
        }
        return nb::make_tuple(labels, chances);
    }

private:
    static constexpr size_t kGuesses = 4;
    static constexpr size_t kShort = 200;  // bytes of a text that has too little room for a list

    Outcome rank(std::string_view utf8) const {
        Scorer& scorer = local_scorer(loaded_.model, 0);
        scorer.add(utf8.data(), utf8.size());
        return scorer.rank(kGuesses, priors_);
    }

    // Whether it is a language at all, and one that is known; doubt is taken from the guesses.
    bool any(Outcome& outcome, std::string_view utf8) const {
        if (outcome.guesses.empty()) return false;
        const Byte* p = reinterpret_cast<const Byte*>(utf8.data());
        const Span text{p, p + utf8.size()};
        if ((utf8.size() >= kShort || !looks_plain(text)) && look_for_junk(text).score > 0) return false;
        if (priors_.too_bold(loaded_.model, outcome.guesses.front(), outcome.letters) || looks_misread(text)) return false;
        if (is_unlike(loaded_.model, outcome.guesses.front(), outcome.features, outcome.unseen)) return false;
        return doubt(loaded_.model, {outcome.guesses, outcome.elsewhere, outcome.features, outcome.unseen, &text, 1, 0}).strange <= 0;
    }

    nb::object model_, priors_object_;  // kept alive
    const Loaded& loaded_;
    const Priors& priors_;
    Thresholds at_;
    std::string grouped_;  // a byte a label: whether it has look-alikes that may be answered in its place
    nb::list scripts_;
};

}  // namespace

void bind_brief(nb::module_& m) {
    nb::class_<Brief>(m, "Brief")
        .def("__init__",
             [](Brief* self, nb::object model, nb::object priors, const nb::bytes& grouped, std::tuple<uint32_t, uint32_t> counts, std::tuple<int32_t, int32_t> logs) {
                 const auto [few, enough] = counts;
                 const auto [told_apart, sure] = logs;
                 new (self) Brief(std::move(model), std::move(priors), grouped, {few, enough, told_apart, sure});
             })
        .def("read", &Brief::read, nb::arg("text").none())
        .def("classify", &Brief::classify, nb::arg("text").none())
        .def("classify_many", &Brief::classify_many);
}
