// The text stage as Python holds it: a model, priors, and the numbers to decide by.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/loaded.hpp"
#include "text/reader.hpp"

namespace webtongue {

class TextReader {
public:
    TextReader(nb::object model, nb::object priors, Policy policy, nb::list groups, nb::list unanswered);

    const Model& model() const { return loaded_.model; }
    const Priors& priors() const { return priors_; }
    const Policy& policy() const { return policy_; }

    // (label, confidence, script, reliable, tier, reason, group, group confidence)
    nb::tuple answer(const Read& read) const;
    nb::object label_of(const Decision& decision) const;  // a label, or und, zxx, mul
    nb::object name(int32_t label) const { return nb::borrow(PyList_GET_ITEM(loaded_.names.ptr(), label)); }
    nb::object script_of(const Read& read) const;
    nb::object group_of(const Decision& decision) const;

    nb::list guesses(const Read& read, size_t most) const;    // (label, probability)
    nb::tuple languages(const Read& read) const;              // (label, share)
    nb::list segments(const Read& read) const;                // (begin, end, label, letters it stands for)
    nb::object read(nb::handle text) const;
    nb::tuple read_and_answer(nb::handle text) const;
    nb::object classify(nb::handle text) const;
    nb::tuple classify_many(const nb::list& texts) const;

private:
    Read read_all(std::string_view utf8) const;

    nb::object model_, priors_object_;  // kept alive
    const Loaded& loaded_;
    const Priors& priors_;
    Policy policy_;
    nb::list groups_;             // names of the groups of look-alikes
    nb::list unanswered_;         // by reason: und, zxx or mul
    nb::list scripts_;            // of each label
    nb::list written_;            // names of scripts, by number
};

}  // namespace webtongue
