// The Python face of the text stage: texts in, readings and answers out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "bind/text_reader.hpp"
#include "text/sentences.hpp"
#include "text/telling.hpp"

namespace webtongue {
namespace {

Span bytes_of(std::string_view utf8) {
    const Byte* p = reinterpret_cast<const Byte*>(utf8.data());
    return {p, p + utf8.size()};
}

void init_priors(Priors* self, const Loaded& loaded, const View<int32_t>& by_label, const Asked& asked) {
    if (by_label.shape(0) != loaded.model.label_count()) throw nb::value_error("priors: one for each label of the model is needed");
    new (self) Priors(loaded.model, by_label.data(), mask_of(loaded, asked));
}

nb::list numbers_of(const std::vector<Guess>& guesses, size_t most) {
    nb::list out;
    for (size_t i = 0; i < guesses.size() && i < most; ++i) out.append(nb::make_tuple(guesses[i].label, guesses[i].log_prob));
    return out;
}

nb::list guesses_of(const Read& read, size_t most) { return numbers_of(read.reading.guesses, most); }

// Before hints were weighed in.
nb::list by_text_of(const Read& read, size_t most) {
    return numbers_of(read.reading.by_text.empty() ? read.reading.guesses : read.reading.by_text, most);
}

nb::list shares_of(const Read& read) {
    nb::list out;
    for (const Share& share : read.reading.shares) out.append(nb::make_tuple(share.label, share.letters));
    return out;
}

nb::list telling_of(const TextReader& reader, nb::handle text, uint16_t label, uint16_t rival, size_t most) {
    const size_t count = reader.model().label_count();
    if (label >= count || rival >= count) throw nb::value_error("telling_features: a label that the model does not have");
    nb::list out;
    for (const Telling& one : telling_features(reader.model(), bytes_of(text_of(text)), label, rival, most))
        out.append(nb::make_tuple(nb::str(one.gram.data(), one.gram.size()), one.nats));
    return out;
}

}  // namespace

TextReader::TextReader(nb::object model, nb::object priors, Policy policy, nb::list groups, nb::list unanswered)
    : model_(std::move(model)),
      priors_object_(std::move(priors)),
      loaded_(nb::cast<const Loaded&>(model_)),
      priors_(nb::cast<const Priors&>(priors_object_)),
      policy_(std::move(policy)),
      groups_(std::move(groups)),
      unanswered_(std::move(unanswered)) {
    policy_.look_alikes.resize(loaded_.model.label_count(), kNoGroup);
    for (const int16_t group : policy_.look_alikes)
        if (group < kNoGroup || group >= static_cast<int16_t>(nb::len(groups_))) throw nb::value_error("a group that has no name");
    for (const nb::handle name : loaded_.names) {
        const std::string label = nb::cast<std::string>(name);
        scripts_.append(nb::str(label.c_str() + std::min<size_t>(4, label.size())));
    }
    for (size_t i = 0; i < script_count(); ++i) written_.append(nb::str(i == SCRIPT_COMMON ? "" : script_name(static_cast<uint8_t>(i))));
}

nb::object TextReader::label_of(const Decision& decision) const {
    return decision.label != kNoLabel ? name(decision.label)
                                      : nb::borrow(PyList_GET_ITEM(unanswered_.ptr(), static_cast<int>(decision.reason)));
}

nb::object TextReader::script_of(const Read& read) const {
    if (read.decision.label != kNoLabel) return nb::borrow(PyList_GET_ITEM(scripts_.ptr(), read.decision.label));
    const bool named = read.decision.reason <= Reason::misread;  // in no language that is known, yet in a script
    return nb::borrow(PyList_GET_ITEM(written_.ptr(), named ? read.reading.written : uint8_t{SCRIPT_COMMON}));
}

nb::object TextReader::group_of(const Decision& decision) const {
    return decision.group == kNoGroup ? nb::borrow(PyList_GET_ITEM(written_.ptr(), SCRIPT_COMMON))
                                      : nb::borrow(PyList_GET_ITEM(groups_.ptr(), decision.group));
}

nb::tuple TextReader::answer(const Read& read) const {
    const Decision& d = read.decision;
    return nb::make_tuple(label_of(d), d.confidence, script_of(read), d.reliable, d.tier, static_cast<int>(d.reason), group_of(d),
                          d.group_confidence);
}

nb::list TextReader::guesses(const Read& read, size_t most) const {
    nb::list out;
    const auto& found = read.reading.guesses;
    for (size_t i = 0; i < found.size() && i < most; ++i) out.append(nb::make_tuple(name(found[i].label), chance_of(found[i].log_prob)));
    return out;
}

nb::tuple TextReader::languages(const Read& read) const {
    const int32_t label = read.decision.label;
    if (read.decision.holders.empty()) return label == kNoLabel ? nb::make_tuple() : nb::make_tuple(nb::make_tuple(name(label), 1.0));
    nb::list out;
    for (const Holder& holder : read.decision.holders)
        if (holder.share >= policy_.second) out.append(nb::make_tuple(name(holder.label), holder.share));
    return nb::tuple(out);
}

nb::list TextReader::segments(const Read& read) const {
    nb::list out;
    for (const JudgedPiece& p : join_pieces(shown_pieces(policy_, read)))
        out.append(nb::make_tuple(p.page_begin, p.page_end, name(p.label), p.weight));
    return out;
}

Read TextReader::read_all(std::string_view utf8) const {
    Read out;
    out.reading = read_text(loaded_.model, bytes_of(utf8), priors_, &policy_);
    out.decision = decide(loaded_.model, priors_, policy_, out.reading);
    return out;
}

nb::tuple TextReader::read_and_answer(nb::handle text) const {
    Read found = read_all(text_of(text));
    nb::tuple said = answer(found);
    return nb::make_tuple(nb::cast(std::move(found)), said);
}

nb::object TextReader::read(nb::handle text) const { return nb::cast(read_all(text_of(text))); }

nb::object TextReader::classify(nb::handle text) const { return label_of(read_all(text_of(text)).decision); }

nb::tuple TextReader::classify_many(const nb::list& texts) const {
    nb::list labels, chances;
    for (const nb::handle text : texts) {
        const Read read = read_all(text_of(text));
        labels.append(label_of(read.decision));
        chances.append(read.decision.confidence);
    }
    return nb::make_tuple(labels, chances);
}

}  // namespace webtongue

using namespace webtongue;

static void bind_reading(nb::module_& m) {
    nb::class_<Read>(m, "Reading")
        .def("guesses", &guesses_of)
        .def("by_text", &by_text_of)
        .def_prop_ro("shares", &shares_of)
        .def_prop_ro("features", [](const Read& r) { return r.reading.features; })
        .def_prop_ro("unseen", [](const Read& r) { return r.reading.unseen; })
        .def_prop_ro("letters", [](const Read& r) { return r.reading.letters; })
        .def_prop_ro("group_letters", [](const Read& r) { return r.reading.group_letters; })
        .def_prop_ro("group", [](const Read& r) { return r.reading.group; })
        .def_prop_ro("score", [](const Read& r) { return r.reading.score; })
        .def_prop_ro("elsewhere", [](const Read& r) { return r.reading.elsewhere; })
        .def_prop_ro("mixed_words", [](const Read& r) { return r.reading.mixed_words; })
        .def_prop_ro("misread", [](const Read& r) { return r.reading.misread; })
        .def_prop_ro("unknown", [](const Read& r) { return r.reading.doubt.unknown; })
        .def_prop_ro("known", [](const Read& r) { return r.reading.doubt.known; })
        .def_prop_ro("poor_fit", [](const Read& r) { return r.reading.poor_fit; })
        .def_prop_ro("running_words", [](const Read& r) { return r.reading.words.count; })
        .def_prop_ro("tokens", [](const Read& r) { return r.reading.words.tokens; })
        .def_prop_ro("boilerplate", [](const Read& r) { return r.reading.boilerplate; })
        .def_prop_ro("preferred", [](const Read& r) { return r.reading.preferred; })
        .def_prop_ro("unasked", [](const Read& r) { return r.reading.unasked; })
        .def_prop_ro("junk_score", [](const Read& r) { return r.reading.junk.score; })
        .def_prop_ro("junk_kind", [](const Read& r) { return std::string(junk_kind_name(r.reading.junk.kind)); })
        .def_prop_ro("label", [](const Read& r) { return r.decision.label; })
        .def_prop_ro("reason", [](const Read& r) { return static_cast<int>(r.decision.reason); })
        .def_prop_ro("confidence", [](const Read& r) { return r.decision.confidence; })
        .def_prop_ro("settled", [](const Read& r) { return r.decision.settled; })
        .def_prop_ro("filed_by_hints", [](const Read& r) { return r.reading.filed_by_hints; })
        .def_prop_ro("is_weighed", [](const Read& r) { return !r.reading.hints.empty(); })
        .def_prop_ro("reliable", [](const Read& r) { return r.decision.reliable; });
}

void bind_text(nb::module_& m) {
    bind_reading(m);
    m.def("chance_of", &chance_of, "A log-probability in 1/1024 nats as a probability of six decimals.");
    nb::class_<Priors>(m, "Priors").def("__init__", &init_priors, nb::arg("model"), nb::arg("by_label"), nb::arg("asked").none());
    nb::class_<Policy>(m, "Policy")
        .def(nb::init<>())
        .def_rw("few_letters", &Policy::few_letters)
        .def_rw("enough_letters", &Policy::enough_letters)
        .def_rw("rare_letters", &Policy::rare_letters)
        .def_rw("enough_words", &Policy::enough_words)
        .def_rw("boilerplate", &Policy::boilerplate)
        .def_rw("sure", &Policy::sure)
        .def_rw("rare", &Policy::rare)
        .def_rw("rare_sure", &Policy::rare_sure)
        .def_rw("holds", &Policy::holds)
        .def_rw("level", &Policy::level)
        .def_rw("second", &Policy::second)
        .def_rw("long_text", &Policy::long_text)
        .def_rw("clear", &Policy::clear)
        .def_rw("look_alikes", &Policy::look_alikes);
    nb::class_<TextReader>(m, "TextReader")
        .def(nb::init<nb::object, nb::object, Policy, nb::list, nb::list>(), nb::arg("model"), nb::arg("priors"), nb::arg("policy"),
             nb::arg("groups"), nb::arg("unanswered"))
        .def("read", &TextReader::read, nb::arg("text"))
        .def("read_and_answer", &TextReader::read_and_answer, nb::arg("text"))
        .def("answer", &TextReader::answer)
        .def("guesses", &TextReader::guesses)
        .def("languages", &TextReader::languages)
        .def("segments", &TextReader::segments)
        .def("classify", &TextReader::classify, nb::arg("text").none())
        .def("classify_many", &TextReader::classify_many);
    m.def(
        "cut_sentences",
        [](nb::handle text) {
            std::vector<uint32_t> cuts;
            cut_sentences(bytes_of(text_of(text)), cuts);
            return cuts;
        },
        nb::arg("text"));
    m.def("telling_features", &telling_of);
    m.def("unknown_features", [](const TextReader& reader, nb::handle text) {
        const std::string_view utf8 = text_of(text);
        Scorer& scorer = local_scorer(reader.model(), 0);
        scorer.add(utf8.data(), utf8.size());
        Outcome outcome = scorer.rank(kTextGuesses, reader.priors());
        const Span whole = bytes_of(utf8);
        ask_decisive(reader.model(), &whole, 1, outcome.guesses);
        const ReadText read{outcome.guesses, outcome.elsewhere, outcome.features, outcome.unseen, &whole, 1, 0};
        UnknownFeatures found = first_look(reader.model(), read);
        nb::list out;
        if (!found.known) return out;
        second_look(reader.model(), read, found);
        for (const int32_t value : found.values) out.append(value);
        return out;
    });
}
