// The text stage for Python: a model with priors and thresholds.
#pragma once

#include "bind/models.hpp"
#include "text/reader.hpp"

namespace webtongue {

// Label, confidence, script, reliable, tier, reason, group, group confidence.
using Answer = std::tuple<nb::str, double, nb::str, bool, int, int, nb::str, double>;
using LabelShare = std::tuple<nb::str, double>;
using Segment = std::tuple<uint32_t, uint32_t, nb::str, uint32_t>;  // begin, end, label, letters it represents

using ModelObject = nb::typed<nb::object, Loaded>;
using PriorsObject = nb::typed<nb::object, Priors>;

class TextReader {
public:
    TextReader(ModelObject model, PriorsObject priors, Policy policy, StrList groups, StrList unanswered);

    const Model& model() const { return loaded_.model; }
    const Priors& priors() const { return priors_; }
    const Policy& policy() const { return policy_; }

    Answer answer(const DecidedReading& read) const;
    DecidedReading read_all(std::string_view utf8, int32_t log_prob = 0, Depth depth = Depth::quick) const;  // needs no GIL
    nb::str label_of(const Decision& decision) const;  // a label, or und, zxx, mul
    nb::str name(int32_t label) const { return nb::borrow<nb::str>(PyList_GetItem(loaded_.names.ptr(), label)); }
    nb::str script_of(const DecidedReading& read) const;
    nb::str group_of(const Decision& decision) const;

    std::vector<LabelShare> guesses(const DecidedReading& read, size_t max_guesses) const;
    nb::typed<nb::tuple, LabelShare, nb::ellipsis> languages(const DecidedReading& read) const;
    std::vector<Segment> segments(const DecidedReading& read) const;
    DecidedReading read(nb::handle text) const;
    std::tuple<DecidedReading, Answer> read_and_answer(nb::handle text, int32_t log_prob = 0) const;
    nb::str classify(nb::handle text) const;
    std::tuple<std::vector<nb::str>, std::vector<double>> classify_many(const AnyList& texts) const;

private:
    nb::object model_, priors_object_;  // owned, so that the references below stay valid
    const Loaded& loaded_;
    const Priors& priors_;
    Policy policy_;
    StrList groups_;             // names of the look-alike groups
    StrList unanswered_;         // und, zxx or mul per reason
    nb::list scripts_;            // script of each label
    nb::list script_names_;            // names of scripts by id
};

}  // namespace webtongue
