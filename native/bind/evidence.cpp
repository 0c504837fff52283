// Python bindings of the evidence combiner.
#include "bind/combiner.hpp"

using namespace webtongue;

void bind_evidence(nb::module_& m) {
    nb::class_<HintScaling>(m, "HintScaling")
        .def(nb::init<double, double, double, double>(), nb::arg("list_share"), nb::arg("letters"), nb::arg("clear_letters"),
             nb::arg("group_letters"))
        .def("outside_group", &HintScaling::outside_group, nb::arg("amount"), nb::arg("clarity"))
        .def("inside_group", &HintScaling::inside_group, nb::arg("amount"));
    nb::class_<SourceHint>(m, "SourceHint").def_prop_ro("nats", [](const SourceHint& hint) {
        std::vector<std::tuple<int32_t, double>> out;
        for (const LabelNats& value : hint.nats) out.emplace_back(value.label, value.nats);
        return out;
    });
    nb::class_<Combiner>(m, "Combiner")
        .def(nb::init<LabelNumbers, size_t, double, HintScaling>(), nb::arg("labels"), nb::arg("label_count"), nb::arg("site_cap"),
             nb::arg("scaling"))
        .def("hint", &Combiner::hint, nb::arg("nats"), nb::arg("weight"), nb::arg("cap"), nb::arg("is_site"))
        .def("sum", &Combiner::sum, nb::arg("hints"))
        .def("parts", &Combiner::parts, nb::arg("hints"), nb::arg("labels"))
        .def("posterior", &Combiner::posterior, nb::arg("hints"), nb::arg("base"), nb::arg("log_priors"), nb::arg("labels"));
}
