// The Python face of URL features and of the URL model.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "bind/loaded.hpp"
#include "train/url.hpp"
#include "url/features.hpp"
#include "url/model.hpp"

using namespace webtongue;

namespace {

template <class T>
using AnyOut = nb::ndarray<T, nb::c_contig, nb::device::cpu>;  // of one dimension or two

// Features of many URLs in a row: starts, keys, kinds, and what each URL is (reason, text features, national domain, home page, names a
// language).
nb::tuple features_of(const UrlTables& tables, const nb::bytes& blob, View<uint64_t> offsets) {
    const size_t count = stretches_in(offsets, blob.size());
    std::vector<uint64_t> starts{0}, keys;
    std::vector<uint8_t> kinds;
    std::vector<uint32_t> facts;
    {
        const char* text = blob.c_str();
        nb::gil_scoped_release release;
        UrlFeatures found;
        for (size_t i = 0; i < count; ++i) {
            url_features({text + offsets.data()[i], offsets.data()[i + 1] - offsets.data()[i]}, tables, found);
            keys.insert(keys.end(), found.keys, found.keys + found.count);
            kinds.insert(kinds.end(), found.kinds, found.kinds + found.count);
            starts.push_back(keys.size());
            facts.push_back(static_cast<uint32_t>(found.reason));
            facts.push_back(static_cast<uint32_t>(found.texts));
            facts.push_back(static_cast<uint32_t>(found.national));
            facts.push_back(static_cast<uint32_t>(found.home));
            facts.push_back(static_cast<uint32_t>(found.said));
        }
    }
    return nb::make_tuple(to_array(std::move(starts)), to_array(std::move(keys)), to_array(std::move(kinds)), to_array(std::move(facts)));
}

// Rows whose features all lie within a table of weights.
UrlRows rows_of(View<uint64_t> starts, View<uint32_t> ids, View<uint8_t> parts, View<float> values, size_t weights) {
    const size_t count = stretches_in(starts, ids.shape(0));
    if (parts.shape(0) != ids.shape(0) || values.shape(0) != ids.shape(0)) throw nb::value_error("parts and values: one a feature");
    for (size_t i = 0; i < ids.shape(0); ++i)
        if (ids.data()[i] >= weights / URL_LABELS) throw nb::value_error("a feature lies outside the table");
    return {starts.data(), ids.data(), parts.data(), values.data(), count};
}

double fit(View<uint64_t> starts, View<uint32_t> ids, View<uint8_t> parts, View<float> values, View<uint32_t> order, View<uint16_t> truth,
           View<float> worth, float rate, float drop_host, float drop_top, float drop_domain, float smooth, uint64_t seed, uint32_t labels,
           AnyOut<float> weights, AnyOut<float> sums, AnyOut<float> bias, AnyOut<float> bias_sums) {
    const UrlRows rows = rows_of(starts, ids, parts, values, weights.size());
    if (labels == 0 || labels > URL_LABELS || bias.size() != URL_LABELS || bias_sums.size() != URL_LABELS ||
        sums.size() != weights.size() || truth.shape(0) != rows.count || worth.shape(0) != rows.count)
        throw nb::value_error("fit_urls: shapes do not belong together");
    for (size_t i = 0; i < order.shape(0); ++i)
        if (order.data()[i] >= rows.count) throw nb::value_error("order lies outside the rows");
    for (size_t i = 0; i < rows.count; ++i)
        if (truth.data()[i] >= labels) throw nb::value_error("a label that there is not");
    const UrlFit config{labels, rate, drop_host, drop_top, drop_domain, smooth};
    nb::gil_scoped_release release;
    return fit_urls(rows, order.data(), order.shape(0), truth.data(), worth.data(), config, seed, weights.data(), sums.data(), bias.data(),
                    bias_sums.data());
}

void bind_training(nb::module_& m) {
    m.def("url_features", &features_of, nb::arg("tables"), nb::arg("blob"), nb::arg("offsets"));
    m.def("fit_urls", &fit);
    m.def("predict_urls", [](View<uint64_t> starts, View<uint32_t> ids, View<uint8_t> parts, View<float> values,
                             AnyOut<const float> weights, AnyOut<const float> bias, AnyOut<float> out) {
        const UrlRows rows = rows_of(starts, ids, parts, values, weights.size());
        if (bias.size() != URL_LABELS || out.size() != rows.count * URL_LABELS)
            throw nb::value_error("predict_urls: shapes do not belong together");
        nb::gil_scoped_release release;
        predict_urls(rows, weights.data(), bias.data(), out.data());
    });
}

std::string_view text_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

// A URL model with its tables and the mapped memory it reads from.
struct LoadedUrls {
    View<uint8_t> memory;
    UrlModel model;
    UrlTables tables;

    LoadedUrls(View<uint8_t> from, const nb::bytes& rules, const nb::bytes& names)
        : memory(from), model({memory.data(), memory.data() + memory.size()}), tables{Suffixes(text_of(rules)), UrlNames(text_of(names))} {}
};

const int32_t* offsets_of(const LoadedUrls& loaded, const View<int32_t>& offsets) {
    if (offsets.shape(0) != loaded.model.label_count()) throw nb::value_error("offsets: one for each label of the model");
    return offsets.data();
}

// The text of a str or bytes, or why there is none: None and NaN are rows without a URL, lone surrogates no text.
UrlReason url_text(nb::handle url, std::string_view& out) {
    if (url.is_none() || (PyFloat_Check(url.ptr()) && std::isnan(PyFloat_AS_DOUBLE(url.ptr())))) return UrlReason::missing;
    if (PyUnicode_Check(url.ptr())) {
        Py_ssize_t size = 0;
        const char* data = PyUnicode_AsUTF8AndSize(url.ptr(), &size);
        if (data == nullptr) return PyErr_Clear(), UrlReason::not_text;
        out = {data, static_cast<size_t>(size)};
        return UrlReason::none;
    }
    if (!PyBytes_Check(url.ptr())) throw nb::type_error("a URL is str or bytes");
    out = {PyBytes_AS_STRING(url.ptr()), static_cast<size_t>(PyBytes_GET_SIZE(url.ptr()))};
    return UrlReason::none;
}

// Best label (-1: none), its log-probability and the reason of each URL.
nb::tuple classify_urls(const LoadedUrls& loaded, const nb::list& urls, const View<int32_t>& priors, int32_t least) {
    const int32_t* offsets = offsets_of(loaded, priors);
    const size_t count = urls.size();
    std::vector<std::string_view> texts(count);
    std::vector<int16_t> ids(count, -1);
    std::vector<int32_t> logs(count, 0);
    std::vector<uint8_t> reasons(count, 0);
    for (size_t i = 0; i < count; ++i)
        reasons[i] = static_cast<uint8_t>(url_text(PyList_GET_ITEM(urls.ptr(), static_cast<Py_ssize_t>(i)), texts[i]));
    {
        nb::gil_scoped_release release;
        UrlOutcome outcome;
        for (size_t i = 0; i < count; ++i) {
            if (reasons[i]) continue;
            loaded.model.rank(texts[i], loaded.tables, {offsets, least}, 1, outcome);
            reasons[i] = static_cast<uint8_t>(outcome.reason);
            if (outcome.reason != UrlReason::none) continue;
            ids[i] = static_cast<int16_t>(outcome.guesses[0].label);
            logs[i] = outcome.guesses[0].log_prob;
        }
    }
    return nb::make_tuple(to_array(std::move(ids)), to_array(std::move(logs)), to_array(std::move(reasons)));
}

nb::tuple rank_url(const LoadedUrls& loaded, nb::handle url, const View<int32_t>& priors, int32_t least, uint32_t most) {
    const int32_t* offsets = offsets_of(loaded, priors);
    UrlOutcome outcome;
    std::string_view text;
    outcome.reason = url_text(url, text);
    if (outcome.reason == UrlReason::none) loaded.model.rank(text, loaded.tables, {offsets, least}, most, outcome);
    nb::list ids, logs;
    for (uint32_t i = 0; i < outcome.count; ++i) {
        ids.append(outcome.guesses[i].label);
        logs.append(outcome.guesses[i].log_prob);
    }
    return nb::make_tuple(static_cast<int>(outcome.reason), ids, logs);
}

// How ratios are looked up: the log-probability of each label at the first step, nats by step, and the name of each label in a dict.
// Held apart from calls, since taking arrays apart takes as long as reading a URL.
struct UrlRatios {
    std::vector<int32_t> lowest;
    std::vector<double> steps;
    int shift;
    std::vector<nb::str> keys;
    std::vector<int32_t> none;  // no priors but the model's own
    double least;               // nats: less is silence
    std::vector<double> shares;  // priors as probabilities
    double trust;                // below which a chance is hardly known

    UrlRatios(std::vector<int32_t> first, std::vector<double> nats, int bits, const nb::list& names, double silence,
              std::vector<double> priors, double known)
        : lowest(std::move(first)),
          steps(std::move(nats)),
          shift(bits),
          none(lowest.size(), 0),
          least(silence),
          shares(std::move(priors)),
          trust(known) {
        if (steps.empty() || shift < 0 || shift > 16 || names.size() != lowest.size() || lowest.size() > URL_LABELS ||
            shares.size() != lowest.size() || !(trust > 0))
            throw nb::value_error("ratios: one number and one name a label, and some steps");
        for (nb::handle name : names) keys.push_back(nb::cast<nb::str>(name));
    }

    double at(int32_t log_prob, size_t label) const {
        const int64_t step = (int64_t{log_prob} - lowest[label]) >> shift;
        return shrunk(steps[static_cast<size_t>(std::clamp<int64_t>(step, 0, static_cast<int64_t>(steps.size()) - 1))], label);
    }

    // A chance of a few in a thousand that is many times a tiny prior is hardly known to be that.
    double shrunk(double nats, size_t label) const { return std::log((shares[label] * std::exp(nats) + trust) / (shares[label] + trust)); }
};

// How much likelier a URL is in each label than in the middle one of them, as a dict without those that are hardly so, the label of
// the most (-1: none), and what the middle one has. Labels too far behind to be ranked are at the first step.
nb::tuple liken_url(const LoadedUrls& loaded, nb::handle url, const UrlRatios& ratios) {
    if (ratios.keys.size() != loaded.model.label_count()) throw nb::value_error("ratios of another model");
    UrlOutcome outcome;
    std::string_view text;
    outcome.reason = url_text(url, text);
    if (outcome.reason == UrlReason::none)
        loaded.model.rank(text, loaded.tables, {ratios.none.data(), 2 * URL_IMPOSSIBLE}, URL_LABELS, outcome);
    nb::dict out;
    int best = -1;
    double middle = 0;
    if (outcome.count) {
        double values[URL_LABELS];
        for (size_t k = 0; k < ratios.keys.size(); ++k) values[k] = ratios.shrunk(ratios.steps[0], k);
        for (uint32_t i = 0; i < outcome.count; ++i)
            values[outcome.guesses[i].label] = ratios.at(outcome.guesses[i].log_prob, outcome.guesses[i].label);
        const size_t count = ratios.keys.size();
        best = static_cast<int>(std::max_element(values, values + count) - values);
        double sorted[URL_LABELS] = {};
        std::copy_n(values, count, sorted);
        std::nth_element(sorted, sorted + count / 2, sorted + count);
        middle = sorted[count / 2];
        for (size_t k = 0; k < count; ++k)
            if (std::abs(values[k] - middle) >= ratios.least) out[ratios.keys[k]] = values[k] - middle;
    }
    return nb::make_tuple(static_cast<int>(outcome.reason), best, out, middle);
}

// What each part says for each label, 1/1024 nats: top level domain, host, path, query; nothing where it is no URL.
std::vector<std::vector<int32_t>> weigh_url(const LoadedUrls& loaded, nb::handle url) {
    std::vector<std::vector<int32_t>> out;
    std::string_view text;
    const size_t labels = loaded.model.label_count();
    std::vector<int32_t> said(URL_PARTS * labels);
    if (url_text(url, text) != UrlReason::none || !loaded.model.weigh(text, loaded.tables, said.data())) return out;
    for (size_t part = 0; part < URL_PARTS; ++part) out.emplace_back(said.begin() + part * labels, said.begin() + (part + 1) * labels);
    return out;
}

void bind_url_model(nb::module_& m) {
    nb::class_<UrlRatios>(m, "UrlRatios")
        .def(nb::init<std::vector<int32_t>, std::vector<double>, int, nb::list, double, std::vector<double>, double>(), nb::arg("lowest"),
             nb::arg("steps"), nb::arg("shift"), nb::arg("keys"), nb::arg("least"), nb::arg("priors"), nb::arg("trust"));
    nb::class_<LoadedUrls>(m, "UrlModel")
        .def(nb::init<View<uint8_t>, nb::bytes, nb::bytes>(), nb::arg("memory"), nb::arg("rules"), nb::arg("names"))
        .def_prop_ro("labels",
                     [](const LoadedUrls& l) {
                         std::vector<std::string> out;
                         for (size_t id = 0; id < l.model.label_count(); ++id) out.emplace_back(l.model.label(id));
                         return out;
                     })
        .def_prop_ro("own_priors",
                     [](const LoadedUrls& l) {
                         std::vector<int32_t> out;
                         for (size_t id = 0; id < l.model.label_count(); ++id) out.push_back(l.model.own_prior(id));
                         return out;
                     })
        .def_prop_ro("manifest", [](const LoadedUrls& l) { return nb::bytes(l.model.manifest().data(), l.model.manifest().size()); })
        .def("classify", &classify_urls, nb::arg("urls"), nb::arg("offsets"), nb::arg("least"),
             "Best label (-1: none), log-probability, reason of each.")
        .def("rank", &rank_url, nb::arg("url").none(), nb::arg("offsets"), nb::arg("least"), nb::arg("most") = 8,
             "Reason, labels and log-probabilities.")
        .def("liken", &liken_url, nb::arg("url").none(), nb::arg("ratios"),
             "Reason, the likeliest label (-1: none), how much likelier the URL is in each than in the middle one, and that one's.")
        .def("weigh", &weigh_url, nb::arg("url").none(), "What each part says for each label, 1/1024 nats; empty where it is no URL.");
}

nb::tuple split(const nb::bytes& url) {
    const UrlParts parts = split_url({url.c_str(), url.size()});
    const auto bytes = [](std::string_view s) { return nb::bytes(s.data(), s.size()); };
    return nb::make_tuple(static_cast<int>(parts.reason), parts.numeric, bytes(parts.host), bytes(parts.path), bytes(parts.query));
}

}  // namespace

void bind_url(nb::module_& m) {
    nb::class_<Suffixes>(m, "Suffixes")
        .def("__init__", [](Suffixes* self, const nb::bytes& rules) { new (self) Suffixes({rules.c_str(), rules.size()}); })
        .def(
            "find", [](const Suffixes& s, const nb::bytes& host) { return s.find({host.c_str(), host.size()}); },
            "Where the public suffix of a lower-case host begins.");
    nb::class_<UrlTables>(m, "UrlTables").def("__init__", [](UrlTables* self, const nb::bytes& rules, const nb::bytes& names) {
        new (self) UrlTables{Suffixes(text_of(rules)), UrlNames(text_of(names))};
    });
    m.def(
        "said_key",
        [](uint8_t place, uint8_t form, uint32_t language) {
            return said_key(static_cast<UrlPlace>(place), {language, static_cast<UrlForm>(form)});
        },
        nb::arg("place"), nb::arg("form"), nb::arg("language"));
    m.def("split_url", &split);
    bind_training(m);
    bind_url_model(m);
}
