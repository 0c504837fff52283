// Verdicts, nearly ready: a plain answer costs one call, everything else is left to judge().
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cmath>

#include "bind/loaded.hpp"
#include "coding/misread.hpp"
#include "page/fast_path.hpp"
#include "text/unknown_language.hpp"

using namespace webtongue;

namespace {

// What text/__init__.py decides by, handed over once.
struct Thresholds {
    uint32_t few_letters, enough_letters;
    int32_t told_apart, sure;             // log-probabilities, 1/1024 nats
    double told_apart_chance, sure_chance, holds;
};

class Brief {
public:
    Brief(nb::object model, nb::object priors, const nb::bytes& grouped, const Thresholds& thresholds)
        : model_(std::move(model)),
          priors_object_(std::move(priors)),
          loaded_(nb::cast<const Loaded&>(model_)),
          priors_(nb::cast<const Priors&>(priors_object_)),
          at_(thresholds),
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
        return nb::make_tuple(
            nb::borrow(PyList_GET_ITEM(loaded_.names.ptr(), best.label)), chance, nb::borrow(PyList_GET_ITEM(scripts_.ptr(), best.label)),
            best.log_prob >= at_.sure && outcome.letters >= at_.enough_letters, static_cast<int>(loaded_.model.info(best.label).tier));
    }

    // (syntax, scan, reading, answer as above, whether its text is ASCII): reading and answer may be None, and all where the
    // page has to take the long way.
    nb::object read_page(const nb::bytes& page, const LoadedFonts& fonts, const CommonStrings& common) const {
        const Byte* p = static_cast<const Byte*>(page.data());
        const Span span{p, p + page.size()};
        ReadOptions options;
        options.priors = &priors_;
        std::optional<FastPage> found;
        {
            nb::gil_scoped_release release;
            found = read_fast(span, fonts.guess, common, loaded_.model, options);
        }
        if (!found) return nb::none();
        nb::object answer = nb::none(), reading = nb::none();
        if (found->reading) {
            answer = answer_of(*found->reading);
            reading = nb::cast(std::move(*found->reading));
        }
        return nb::make_tuple(static_cast<int>(found->syntax), std::move(found->scan), reading, answer, found->ascii);
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

    // What judge() in text/__init__.py says where one language holds the page, None where there is more to say.
    nb::object answer_of(const PageReading& r) const {
        if (r.junk.score > 0 || r.misread || r.too_rare || r.guesses.empty() || r.letters < at_.few_letters) return nb::none();
        const Guess& best = r.guesses.front();
        const double chance = std::exp(best.log_prob / double{NATS});
        if (r.doubt.unknown > 0 || (r.shares.empty() ? r.poor_fit : r.shares.front().first != best.label)) return nb::none();
        uint64_t whole = 0;
        for (const auto& share : r.shares) whole += share.second;
        if (whole > 0 && static_cast<double>(r.shares.front().second) / static_cast<double>(whole) < at_.holds) return nb::none();
        if (chance < at_.told_apart_chance && grouped_[best.label]) return nb::none();
        return nb::make_tuple(
            nb::borrow(PyList_GET_ITEM(loaded_.names.ptr(), best.label)), chance, nb::borrow(PyList_GET_ITEM(scripts_.ptr(), best.label)),
            chance >= at_.sure_chance && r.letters >= at_.enough_letters, static_cast<int>(loaded_.model.info(best.label).tier));
    }

    // Whether it is a language at all, and one that is known; doubt is taken from the guesses.
    bool any(Outcome& outcome, std::string_view utf8) const {
        if (outcome.guesses.empty()) return false;
        const Byte* p = reinterpret_cast<const Byte*>(utf8.data());
        const Span text{p, p + utf8.size()};
        if ((utf8.size() >= kShort || !looks_plain(text)) && look_for_junk(text).score > 0) return false;
        if (priors_.too_rare(loaded_.model, outcome.guesses.front(), outcome.letters) || looks_misread(text)) return false;
        if (is_poor_fit(loaded_.model, outcome.guesses.front(), outcome.features, outcome.unseen)) return false;
        return doubt(loaded_.model, {outcome.guesses, outcome.elsewhere, outcome.features, outcome.unseen, &text, 1, 0}).unknown <= 0;
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
             [](Brief* self, nb::object model, nb::object priors, const nb::bytes& grouped, std::tuple<uint32_t, uint32_t> counts,
                std::tuple<double, double, double> chances) {
                 const auto [few, enough] = counts;
                 const auto [told_apart, sure, holds] = chances;
                 const auto nats = [](double chance) { return static_cast<int32_t>(std::lround(std::log(chance) * NATS)); };
                 new (self) Brief(std::move(model), std::move(priors), grouped,
                                  {few, enough, nats(told_apart), nats(sure), told_apart, sure, holds});
             })
        .def("read", &Brief::read, nb::arg("text").none())
        .def("read_page", &Brief::read_page)
        .def("classify", &Brief::classify, nb::arg("text").none())
        .def("classify_many", &Brief::classify_many);
}
