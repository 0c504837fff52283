// Python bindings of the training kernels, used by webtongue.lab.train only.
#include "bind/arrays.hpp"
#include "text/features.hpp"
#include "text/single_language_script.hpp"
#include "train/presence.hpp"
#include "train/table.hpp"

using namespace webtongue;

namespace {

Lines lines_of(const nb::bytes& blob, const View<uint64_t>& offsets) {
    if (offsets.shape(0) == 0) throw nb::value_error("offsets must have one more entry than there are lines");
    return {blob.c_str(), offsets.data(), count_spans(offsets, blob.size())};
}

template <class T>
auto view(const Table& table, const std::vector<T>& values, std::initializer_list<size_t> shape) {
    return nb::ndarray<nb::numpy, const T>(values.data(), shape, nb::find(&table));
}

void bind_counts(nb::module_& m) {
    nb::class_<Counts>(m, "Counts")
        .def(nb::init<>())
        .def("add",
             [](Counts& counts, uint16_t label, uint8_t group, const nb::bytes& blob, View<uint64_t> offsets, View<float> weights,
                uint32_t min_count) {
                 const Lines lines = lines_of(blob, offsets);
                 if (weights.shape(0) != lines.count) throw nb::value_error("weights must have one entry per line");
                 nb::gil_scoped_release release;
                 counts.add(label, group, lines, weights.data(), min_count);
             })
        .def("sort", &Counts::sort, nb::call_guard<nb::gil_scoped_release>())
        .def("__len__", [](const Counts& counts) { return counts.pairs().size(); })
        .def("profiles", [](const Counts& counts, Out2<float> out) { counts.profiles(out.data(), out.shape(0), out.shape(1)); });
}

void bind_table(nb::module_& m) {
    nb::class_<Table>(m, "Table")
        .def("__init__",
             [](Table* self, const Counts& counts, const std::vector<uint32_t>& slots, const std::vector<float>& label_weights,
                const std::vector<uint8_t>& groups, size_t rows, size_t lines, size_t dense, float floor, float keep) {
                 const size_t labels = slots.size();
                 if (label_weights.size() != labels || groups.size() != labels || lines == 0 || rows == 0)
                     throw nb::value_error(
                         "Table: slots, label weights and groups must have one entry per label, and rows and lines must not be 0");
                 nb::gil_scoped_release release;
                 for (const Counts::Pair& pair : counts.pairs())
                     if (pair.label >= labels || slots[pair.label] >= MAX_TABLE_SLOTS)
                         throw nb::value_error("Table: a label without a slot");
                 new (self) Table(counts, slots, label_weights, groups, TableConfig{rows, lines, dense, floor, keep});
             })
        .def("fit",
             [](Table& table, const nb::bytes& blob, View<uint64_t> offsets, View<uint32_t> slots, uint32_t first, uint32_t last,
                float rate, float damp, float scale, float power, float drop, uint64_t seed) {
                 const Lines lines = lines_of(blob, offsets);
                 if (slots.shape(0) != lines.count || first >= last || last > table.clusters())
                     throw nb::value_error("fit: slots must have one entry per line, and the clusters must be within the table");
                 for (size_t i = 0; i < lines.count; ++i)
                     if (slots.data()[i] / LANES < first || slots.data()[i] / LANES >= last)
                         throw nb::value_error("fit: a slot is outside the clusters");
                 nb::gil_scoped_release release;
                 return table.fit(lines, slots.data(), first, last, FitConfig{rate, damp, scale, power, drop}, seed);
             })
        .def("prepare", &Table::prepare)
        .def_prop_ro("clusters", &Table::clusters)
        .def("arrays", [](const Table& t) {
            return std::make_tuple(view(t, t.keys(), {t.keys().size()}), view(t, t.starts(), {t.starts().size()}),
                                   view(t, t.cluster(), {t.cluster().size()}), view(t, t.weights(), {t.cluster().size(), size_t{LANES}}),
                                   view(t, t.pair_keys(), {t.pair_keys().size()}), view(t, t.pair_slots(), {t.pair_slots().size()}),
                                   view(t, t.pair_weights(), {t.pair_weights().size()}));
        });
}

void bind_presence(nb::module_& m) {
    m.def("line_keys", [](const nb::bytes& blob, View<uint64_t> offsets, int kinds) {
        LineKeys counted;
        {
            const Lines lines = lines_of(blob, offsets);
            nb::gil_scoped_release release;
            counted = keys_of_lines(lines, kinds);
        }
        return std::make_tuple(to_array(std::move(counted.keys)), to_array(std::move(counted.ends)));
    });
    m.def("presence", [](const nb::bytes& blob, View<uint64_t> offsets, uint32_t min_count, int kinds) {
        Presence counted;
        {
            const Lines lines = lines_of(blob, offsets);
            nb::gil_scoped_release release;
            counted = count_presence(lines, min_count, kinds);
        }
        return std::make_tuple(to_array(std::move(counted.keys)), to_array(std::move(counted.lines)));
    });
}

}  // namespace

void bind_train(nb::module_& m) {
    m.def("homoglyph", [](uint32_t letter, uint8_t group) { return static_cast<uint32_t>(homoglyph(letter, group)); });
    m.def(
        "script_units",
        [](const char* script, const nb::bytes& utf8) {
            const Span text = span_of(utf8);
            return script_units(GROUPS.by_script[script_by_name(script)], &text, 1);
        },
        "Returns the units of a text in a script with a single label.");
    m.def("script_group", [](const char* name) { return GROUPS.by_script[script_by_name(name)]; });
    m.def("hash_text", [](const nb::bytes& text) {
        uint64_t state = HASH_SEED;
        const auto* bytes = static_cast<const unsigned char*>(text.data());
        for (size_t i = 0; i < text.size(); ++i) state = hash_step(state, bytes[i]);
        return hash_last(state);
    });
    m.def("line_groups", [](const nb::bytes& blob, View<uint64_t> offsets, Out<uint8_t> groups, Out<uint8_t> shares) {
        const Lines lines = lines_of(blob, offsets);
        if (groups.shape(0) != lines.count || shares.shape(0) != lines.count)
            throw nb::value_error("line_groups: groups and shares must have one entry per line");
        nb::gil_scoped_release release;
        line_groups(lines, groups.data(), shares.data());
    });
    bind_counts(m);
    bind_table(m);
    bind_presence(m);
}
