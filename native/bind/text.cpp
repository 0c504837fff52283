// Python bindings of the text stage: texts in, readings and answers out.
#include "bind/text_reader.hpp"
#include "text/apply_hints.hpp"
#include "text/code_spans.hpp"
#include "text/debris.hpp"
#include "text/latin_names.hpp"
#include "text/sentences.hpp"
#include "text/top_features.hpp"

namespace webtongue {
namespace {

void init_priors(Priors* self, const Loaded& loaded, const View<int32_t>& by_label, const AllowMask& allowed,
                 const std::tuple<uint32_t, int32_t, int32_t>& fade) {
    if (by_label.shape(0) != loaded.model.label_count()) throw nb::value_error("priors: one for each label of the model is needed");
    const auto [half_features, min_fit, full_fit] = fade;
    if (full_fit <= min_fit) throw nb::value_error("priors: full_fit must be above min_fit");
    new (self) Priors(loaded.model, by_label.data(), allow_mask(loaded, allowed), {half_features, min_fit, full_fit});
}

using LabelLogs = std::vector<std::tuple<int, int32_t>>;

LabelLogs list_guesses(const std::vector<Guess>& guesses, size_t max_guesses) {
    LabelLogs out;
    for (size_t i = 0; i < guesses.size() && i < max_guesses; ++i) out.emplace_back(guesses[i].label, guesses[i].log_prob);
    return out;
}

LabelLogs guesses_of(const DecidedReading& read, size_t max_guesses) { return list_guesses(read.reading.guesses, max_guesses); }

// The guesses before hints were applied.
LabelLogs text_guesses_of(const DecidedReading& read, size_t max_guesses) {
    return list_guesses(read.reading.text_guesses.empty() ? read.reading.guesses : read.reading.text_guesses, max_guesses);
}

auto shares_of(const DecidedReading& read) {
    std::vector<std::tuple<int32_t, uint64_t>> out;
    for (const Share& share : read.reading.shares) out.emplace_back(share.label, share.letters);
    return out;
}

auto list_top_features(const TextReader& reader, nb::handle text, uint16_t label, uint16_t runner_up, size_t max_features) {
    const size_t count = reader.model().label_count();
    if (label >= count || runner_up >= count) throw nb::value_error("top_features: the model has no such label");
    std::vector<std::tuple<nb::str, int32_t>> out;
    for (const FeatureLogOdds& feature : top_features(reader.model(), span_of(text_of(text)), label, runner_up, max_features))
        out.emplace_back(to_str(feature.ngram), feature.log_odds);
    return out;
}

}  // namespace

TextReader::TextReader(ModelObject model, PriorsObject priors, Policy policy, StrList groups, StrList unanswered)
    : model_(std::move(model)),
      priors_object_(std::move(priors)),
      loaded_(nb::cast<const Loaded&>(model_)),
      priors_(nb::cast<const Priors&>(priors_object_)),
      policy_(std::move(policy)),
      groups_(std::move(groups)),
      unanswered_(std::move(unanswered)) {
    policy_.look_alikes.resize(loaded_.model.label_count(), kNoGroup);
    for (const int16_t group : policy_.look_alikes)
        if (group < kNoGroup || group >= static_cast<int16_t>(nb::len(groups_))) throw nb::value_error("look_alikes: a group has no name");
    for (const nb::handle name : loaded_.names) {
        const std::string label = nb::cast<std::string>(name);
        scripts_.append(nb::str(label.c_str() + std::min<size_t>(4, label.size())));
    }
    for (size_t i = 0; i < script_count(); ++i)
        script_names_.append(nb::str(i == SCRIPT_COMMON ? "" : script_name(static_cast<uint8_t>(i))));
}

nb::str TextReader::label_of(const Decision& decision) const {
    return decision.label != kNoLabel ? name(decision.label)
                                      : nb::borrow<nb::str>(PyList_GetItem(unanswered_.ptr(), static_cast<int>(decision.reason)));
}

nb::str TextReader::script_of(const DecidedReading& read) const {
    if (read.decision.label != kNoLabel) return nb::borrow<nb::str>(PyList_GetItem(scripts_.ptr(), read.decision.label));
    const bool named = read.decision.reason <= Reason::misread;  // without a label, but with a script
    return nb::borrow<nb::str>(PyList_GetItem(script_names_.ptr(), named ? read.reading.main_script : uint8_t{SCRIPT_COMMON}));
}

nb::str TextReader::group_of(const Decision& decision) const {
    return decision.group == kNoGroup ? nb::borrow<nb::str>(PyList_GetItem(script_names_.ptr(), SCRIPT_COMMON))
                                      : nb::borrow<nb::str>(PyList_GetItem(groups_.ptr(), decision.group));
}

Answer TextReader::answer(const DecidedReading& read) const {
    const Decision& d = read.decision;
    return {label_of(d), d.confidence, script_of(read), d.reliable, d.tier, static_cast<int>(d.reason), group_of(d), d.group_confidence};
}

std::vector<LabelShare> TextReader::guesses(const DecidedReading& read, size_t max_guesses) const {
    std::vector<LabelShare> out;
    const auto& guesses = read.reading.guesses;
    for (size_t i = 0; i < guesses.size() && i < max_guesses; ++i)
        out.emplace_back(name(guesses[i].label), to_probability(guesses[i].log_prob));
    return out;
}

nb::typed<nb::tuple, LabelShare, nb::ellipsis> TextReader::languages(const DecidedReading& read) const {
    const int32_t label = read.decision.label;
    if (read.decision.languages.empty()) return label == kNoLabel ? nb::make_tuple() : nb::make_tuple(nb::make_tuple(name(label), 1.0));
    nb::list out;
    for (const LanguageShare& language : read.decision.languages)
        if (language.share >= policy_.min_share) out.append(nb::make_tuple(name(language.label), language.share));
    return nb::tuple(out);
}

std::vector<Segment> TextReader::segments(const DecidedReading& read) const {
    std::vector<Segment> out;
    for (const LabeledChunk& chunk : join_chunks(display_chunks(policy_, read)))
        out.emplace_back(chunk.page_begin, chunk.page_end, name(chunk.label), chunk.weight);
    return out;
}

DecidedReading TextReader::read_all(std::string_view utf8, int32_t log_prob, Depth depth) const {
    DecidedReading out;
    out.reading = read_text(loaded_.model, span_of(utf8), priors_, &policy_, kMaxTextGuesses, depth);
    if (log_prob) out.reading.lower(log_prob);
    out.decision = decide(loaded_.model, priors_, policy_, out.reading);
    return out;
}

std::tuple<DecidedReading, Answer> TextReader::read_and_answer(nb::handle text, int32_t log_prob) const {
    DecidedReading read = read_all(text_of(text), log_prob);
    Answer result = answer(read);
    return {std::move(read), std::move(result)};
}

DecidedReading TextReader::read(nb::handle text) const { return read_all(text_of(text), 0, Depth::complete); }

nb::str TextReader::classify(nb::handle text) const { return label_of(read_all(text_of(text)).decision); }

std::tuple<std::vector<nb::str>, std::vector<double>> TextReader::classify_many(const AnyList& texts) const {
    const std::vector<std::string_view> views = texts_of(texts);
    std::vector<Decision> decisions;
    decisions.reserve(views.size());
    {
        nb::gil_scoped_release release;
        for (const std::string_view view : views) decisions.push_back(read_all(view).decision);
    }
    std::vector<nb::str> labels;
    std::vector<double> confidences;
    for (const Decision& decision : decisions) {
        labels.push_back(label_of(decision));
        confidences.push_back(decision.confidence);
    }
    return {std::move(labels), std::move(confidences)};
}

}  // namespace webtongue

using namespace webtongue;

static void bind_reading(nb::module_& m) {
    nb::class_<DecidedReading>(m, "Reading")
        .def("guesses", &guesses_of)
        .def("text_guesses", &text_guesses_of)
        .def_prop_ro("shares", &shares_of)
        .def_prop_ro("features", [](const DecidedReading& r) { return r.reading.features; })
        .def_prop_ro("unseen", [](const DecidedReading& r) { return r.reading.unseen; })
        .def_prop_ro("letters", [](const DecidedReading& r) { return r.reading.letters; })
        .def_prop_ro("group", [](const DecidedReading& r) { return r.reading.group; })
        .def_prop_ro("score", [](const DecidedReading& r) { return r.reading.score; })
        .def_prop_ro("best_other_score", [](const DecidedReading& r) { return r.reading.facts.best_other_score; })
        .def_prop_ro("prior_weight", [](const DecidedReading& r) { return r.reading.facts.prior_weight; })
        .def_prop_ro("mixed_words", [](const DecidedReading& r) { return r.reading.mixed_words; })
        .def_prop_ro("misread", [](const DecidedReading& r) { return r.reading.misread; })
        .def_prop_ro("unknown_score", [](const DecidedReading& r) { return r.reading.unknown_odds.score; })
        .def_prop_ro("log_known", [](const DecidedReading& r) { return r.reading.unknown_odds.log_known; })
        .def_prop_ro("poor_fit", [](const DecidedReading& r) { return r.reading.poor_fit; })
        .def_prop_ro("running_words", [](const DecidedReading& r) { return r.reading.words.count; })
        .def_prop_ro("running_letters", [](const DecidedReading& r) { return r.reading.words.letters; })
        .def_prop_ro("tokens", [](const DecidedReading& r) { return r.reading.words.tokens; })
        .def_prop_ro("boilerplate", [](const DecidedReading& r) { return r.reading.boilerplate; })
        .def_prop_ro("preferred", [](const DecidedReading& r) { return r.reading.preferred; })
        .def_prop_ro("outside_allowlist", [](const DecidedReading& r) { return r.reading.outside_allowlist; })
        .def_prop_ro("junk_score", [](const DecidedReading& r) { return r.reading.junk.score; })
        .def_prop_ro("placeholder_score", [](const DecidedReading& r) { return r.reading.placeholder_score; })
        .def_prop_ro("junk_kind", [](const DecidedReading& r) { return std::string(junk_kind_name(r.reading.junk.kind)); })
        .def_prop_ro("label", [](const DecidedReading& r) { return r.decision.label; })
        .def_prop_ro("reason", [](const DecidedReading& r) { return static_cast<int>(r.decision.reason); })
        .def_prop_ro("confidence", [](const DecidedReading& r) { return r.decision.confidence; })
        .def_prop_ro("settled", [](const DecidedReading& r) { return r.decision.settled; })
        .def_prop_ro("filed_by_hints", [](const DecidedReading& r) { return r.reading.filed_by_hints; })
        .def_prop_ro("informative_letters",
                     [](const DecidedReading& r) { return informative_letters(r.reading) * letter_weight(r.reading.group) / 2.0; })
        .def_prop_ro("has_hints", [](const DecidedReading& r) { return !r.reading.hints.empty(); })
        .def_prop_ro("reliable", [](const DecidedReading& r) { return r.decision.reliable; });
}

// Functions of the text stage, for tests and tools.
static void bind_text_functions(nb::module_& m) {
    m.def(
        "cut_sentences",
        [](nb::handle text, bool fine) {
            std::vector<uint32_t> cuts;
            cut_sentences(span_of(text_of(text)), fine ? kFineCuts : CutOptions(), cuts);
            return cuts;
        },
        nb::arg("text"), nb::arg("fine") = false);
    m.def("mask_debris", [](nb::handle text) {
        std::vector<Byte> masked;
        const Span span = span_of(text_of(text));
        return mask_debris(span, masked) ? nb::bytes(masked.data(), masked.size()) : nb::bytes(span.begin, span.size());
    });
    m.def("mask_code", [](nb::handle text, nb::handle unmasked) {
        std::vector<Byte> masked;
        const Span span = span_of(text_of(text)), original = span_of(text_of(unmasked));
        if (span.size() != original.size()) throw nb::value_error("the texts differ in size");
        return mask_code(span, original.begin, masked) ? nb::bytes(masked.data(), masked.size()) : nb::bytes(span.begin, span.size());
    });
    m.def("is_common_word", [](const TextReader& reader, uint16_t label, nb::handle word) {
        bool result = false;
        each_word(span_of(text_of(word)), [&](const char32_t* letters, int length, uint8_t) {
            result = CommonWords{&reader.model(), label}.contains(letters, length);
            return false;
        });
        return result;
    });
    m.def("count_latin_names", [](nb::handle text) { return count_latin_names(span_of(text_of(text))); });
    m.def("top_features", &list_top_features);
    m.def("unknown_features", [](const TextReader& reader, nb::handle text) {
        const std::string_view utf8 = text_of(text);
        Scorer& scorer = local_scorer(reader.model(), 0);
        const Span span = span_of(utf8);
        scorer.add(span);
        if (scorer.has_latin_beside_other_script()) scorer.discount_latin_names(count_latin_names(span));
        Outcome outcome = scorer.rank(kMaxTextGuesses, reader.priors());
        rerank_look_alikes(reader.model(), &span, 1, outcome.guesses);
        const ScoredText read{outcome.guesses, outcome.facts.best_other_score, outcome.features, outcome.unseen, &span, 1, 0};
        UnknownFeatures features = score_features(reader.model(), read);
        if (!features.is_applicable) return std::vector<int32_t>();
        add_coverage_features(reader.model(), read, features);
        return std::vector<int32_t>(std::begin(features.values), std::end(features.values));
    });
}

void bind_text(nb::module_& m) {
    bind_reading(m);
    m.def("to_probability", &to_probability, "Returns the probability of a log-probability in 1/1024 nats, rounded down to six decimals.");
    nb::class_<Priors>(m, "Priors")
        .def("__init__", &init_priors, nb::arg("model"), nb::arg("by_label"), nb::arg("allowed").none(),
             nb::arg("fade") = std::make_tuple(0u, 0, kFullWeight))
        .def(
            "weight",
            [](const Priors& priors, const Loaded& loaded, size_t label, int32_t score, uint32_t features) {
                if (label >= loaded.model.label_count()) throw nb::index_error("no such label");
                return priors.weight(loaded.model.info(label), score, features);
            },
            nb::arg("model"), nb::arg("label"), nb::arg("score"), nb::arg("features"))
        .def("faded", &Priors::faded, nb::arg("log_prior"), nb::arg("weight"));
    nb::class_<Policy>(m, "Policy")
        .def(nb::init<>())
        .def_rw("min_letters", &Policy::min_letters)
        .def_rw("reliable_letters", &Policy::reliable_letters)
        .def_rw("rare_letters", &Policy::rare_letters)
        .def_rw("reliable_letters_very_sure", &Policy::reliable_letters_very_sure)
        .def_rw("reliable_words", &Policy::reliable_words)
        .def_rw("reliable_long_words", &Policy::reliable_long_words)
        .def_rw("long_words_letters", &Policy::long_words_letters)
        .def_rw("very_sure_log_prob", &Policy::very_sure_log_prob)
        .def_rw("boilerplate", &Policy::boilerplate)
        .def_rw("reliable_log_prob", &Policy::reliable_log_prob)
        .def_rw("rare_log_prior", &Policy::rare_log_prior)
        .def_rw("rare_neighbour_log_prior", &Policy::rare_neighbour_log_prior)
        .def_rw("rare_scale", &Policy::rare_scale)
        .def_rw("min_log_prob", &Policy::min_log_prob)
        .def_rw("main_share", &Policy::main_share)
        .def_rw("level_share", &Policy::level_share)
        .def_rw("min_share", &Policy::min_share)
        .def_rw("long_letters", &Policy::long_letters)
        .def_rw("clear_log_prob", &Policy::clear_log_prob)
        .def_rw("reread_min", &Policy::reread_min)
        .def_rw("text_excludes", &Policy::text_excludes)
        .def_rw("supported_log_prob", &Policy::supported_log_prob)
        .def_rw("look_alikes", &Policy::look_alikes);
    nb::class_<TextReader>(m, "TextReader")
        .def(nb::init<ModelObject, PriorsObject, Policy, StrList, StrList>(), nb::arg("model"), nb::arg("priors"), nb::arg("policy"),
             nb::arg("groups"), nb::arg("unanswered"))
        .def("read", &TextReader::read, nb::arg("text"))
        .def("read_and_answer", &TextReader::read_and_answer, nb::arg("text"), nb::arg("log_prob") = 0)
        .def("answer", &TextReader::answer)
        .def("guesses", &TextReader::guesses)
        .def("languages", &TextReader::languages)
        .def("segments", &TextReader::segments)
        .def("hint_scale", [](const TextReader& self, const DecidedReading& read,
                              int32_t label) { return hint_scale(self.policy(), read.reading, label); })
        .def("classify", &TextReader::classify, nb::arg("text").none())
        .def("classify_many", &TextReader::classify_many);
    bind_text_functions(m);
}
