// Python bindings of URL features and of the URL model.
#include <algorithm>
#include <cmath>

#include "bind/combiner.hpp"
#include "bind/url_model.hpp"
#include "train/url.hpp"
#include "url/classifier.hpp"
#include "url/features.hpp"
#include "url/model.hpp"

using namespace webtongue;

namespace {

template <class T>
using AnyOut = nb::ndarray<T, nb::c_contig, nb::device::cpu>;  // one or two dimensions

// The features of many URLs: starts, keys, kinds, and per URL its reason, number of text features, and whether it is on a national domain,
// is a home page, names a language.
auto features_of(const UrlTables& tables, const nb::bytes& blob, View<uint64_t> offsets) {
    const size_t count = count_spans(offsets, blob.size());
    std::vector<uint64_t> starts{0}, keys;
    std::vector<uint8_t> kinds;
    std::vector<uint32_t> facts;
    {
        const char* text = blob.c_str();
        nb::gil_scoped_release release;
        UrlFeatures features;
        for (size_t i = 0; i < count; ++i) {
            url_features({text + offsets.data()[i], offsets.data()[i + 1] - offsets.data()[i]}, tables, features);
            keys.insert(keys.end(), features.keys, features.keys + features.count);
            kinds.insert(kinds.end(), features.kinds, features.kinds + features.count);
            starts.push_back(keys.size());
            facts.push_back(static_cast<uint32_t>(features.reason));
            facts.push_back(static_cast<uint32_t>(features.text_count));
            facts.push_back(static_cast<uint32_t>(features.is_national));
            facts.push_back(static_cast<uint32_t>(features.is_home));
        }
    }
    return std::make_tuple(to_array(std::move(starts)), to_array(std::move(keys)), to_array(std::move(kinds)), to_array(std::move(facts)));
}

// Training rows. Throws unless all features are within the table of weights.
UrlRows make_rows(View<uint64_t> starts, View<uint32_t> ids, View<uint8_t> parts, View<float> values, size_t weights) {
    const size_t count = count_spans(starts, ids.shape(0));
    if (parts.shape(0) != ids.shape(0) || values.shape(0) != ids.shape(0))
        throw nb::value_error("parts and values must have one entry per feature");
    for (size_t i = 0; i < ids.shape(0); ++i)
        if (ids.data()[i] >= weights / URL_LABELS) throw nb::value_error("a feature is outside the table");
    return {starts.data(), ids.data(), parts.data(), values.data(), count};
}

double fit(View<uint64_t> starts, View<uint32_t> ids, View<uint8_t> parts, View<float> values, View<uint32_t> order, View<uint16_t> truth,
           View<float> row_weights, float rate, float drop_host, float drop_top, float drop_domain, float smooth, uint64_t seed,
           uint32_t labels, AnyOut<float> weights, AnyOut<float> sums, AnyOut<float> bias, AnyOut<float> bias_sums) {
    const UrlRows rows = make_rows(starts, ids, parts, values, weights.size());
    if (labels == 0 || labels > URL_LABELS || bias.size() != URL_LABELS || bias_sums.size() != URL_LABELS ||
        sums.size() != weights.size() || truth.shape(0) != rows.count || row_weights.shape(0) != rows.count)
        throw nb::value_error("fit_urls: the shapes of the arrays do not match");
    for (size_t i = 0; i < order.shape(0); ++i)
        if (order.data()[i] >= rows.count) throw nb::value_error("order has an index outside the rows");
    for (size_t i = 0; i < rows.count; ++i)
        if (truth.data()[i] >= labels) throw nb::value_error("truth has an unknown label");
    const UrlFit config{labels, rate, drop_host, drop_top, drop_domain, smooth};
    nb::gil_scoped_release release;
    return fit_urls(rows, order.data(), order.shape(0), truth.data(), row_weights.data(), config, seed, weights.data(), sums.data(),
                    bias.data(), bias_sums.data());
}

void bind_training(nb::module_& m) {
    m.def("url_features", &features_of, nb::arg("tables"), nb::arg("blob"), nb::arg("offsets"));
    m.def("fit_urls", &fit);
    m.def("predict_urls", [](View<uint64_t> starts, View<uint32_t> ids, View<uint8_t> parts, View<float> values,
                             AnyOut<const float> weights, AnyOut<const float> bias, AnyOut<float> out) {
        const UrlRows rows = make_rows(starts, ids, parts, values, weights.size());
        if (bias.size() != URL_LABELS || out.size() != rows.count * URL_LABELS)
            throw nb::value_error("predict_urls: the shapes of the arrays do not match");
        nb::gil_scoped_release release;
        predict_urls(rows, weights.data(), bias.data(), out.data());
    });
}

const int32_t* offsets_of(const LoadedUrls& loaded, const View<int32_t>& offsets) {
    if (offsets.shape(0) != loaded.classifier.label_count()) throw nb::value_error("offsets must have one entry per label of the model");
    return offsets.data();
}

// The best label (-1 for none), its log-probability and the reason of each URL.
auto classify_urls(const LoadedUrls& loaded, const AnyList& urls, const View<int32_t>& priors, int32_t min_log_prob) {
    const int32_t* offsets = offsets_of(loaded, priors);
    const size_t count = urls.size();
    std::vector<std::string_view> texts(count);
    std::vector<int16_t> ids(count, -1);
    std::vector<int32_t> logs(count, 0);
    std::vector<uint8_t> reasons(count, 0);
    for (size_t i = 0; i < count; ++i)
        reasons[i] = static_cast<uint8_t>(url_text(PyList_GetItem(urls.ptr(), static_cast<Py_ssize_t>(i)), texts[i]));
    {
        nb::gil_scoped_release release;
        UrlOutcome outcome;
        for (size_t i = 0; i < count; ++i) {
            if (reasons[i]) continue;
            loaded.classifier.rank(texts[i], {offsets, min_log_prob}, 1, outcome);
            reasons[i] = static_cast<uint8_t>(outcome.reason);
            if (outcome.reason != UrlReason::none) continue;
            ids[i] = static_cast<int16_t>(outcome.guesses[0].label);
            logs[i] = outcome.guesses[0].log_prob;
        }
    }
    return std::make_tuple(to_array(std::move(ids)), to_array(std::move(logs)), to_array(std::move(reasons)));
}

// The same for a column of URLs in UTF-8, as Arrow stores it, with a hash of each host (0 for none) and whether its domain is a country's.
auto classify_column(const LoadedUrls& loaded, const View<uint8_t>& data, const View<int64_t>& starts, const View<int32_t>& priors,
                     int32_t min_log_prob) {
    const int32_t* offsets = offsets_of(loaded, priors);
    const size_t count = count_spans(starts, data.shape(0));
    std::vector<int16_t> ids(count, -1);
    std::vector<int32_t> logs(count, 0);
    std::vector<uint64_t> hosts(count, 0);
    std::vector<uint8_t> national(count, 0);
    {
        nb::gil_scoped_release release;
        const char* text = reinterpret_cast<const char*>(data.data());
        UrlOutcome outcome;
        for (size_t i = 0; i < count; ++i) {
            const std::string_view url(text + starts.data()[i], static_cast<size_t>(starts.data()[i + 1] - starts.data()[i]));
            const std::string_view host = split_url(url).host;
            if (!host.empty()) hosts[i] = hash_lower(span_of(host)), national[i] = is_national_host(host);
            loaded.classifier.rank(url, {offsets, min_log_prob}, 1, outcome);
            if (outcome.reason != UrlReason::none) continue;
            ids[i] = static_cast<int16_t>(outcome.guesses[0].label);
            logs[i] = outcome.guesses[0].log_prob;
        }
    }
    return std::make_tuple(to_array(std::move(ids)), to_array(std::move(logs)), to_array(std::move(hosts)), to_array(std::move(national)));
}

auto rank_url(const LoadedUrls& loaded, nb::handle url, const View<int32_t>& priors, int32_t min_log_prob, uint32_t max_guesses) {
    const int32_t* offsets = offsets_of(loaded, priors);
    UrlOutcome outcome;
    std::string_view text;
    outcome.reason = url_text(url, text);
    if (outcome.reason == UrlReason::none) loaded.classifier.rank(text, {offsets, min_log_prob}, max_guesses, outcome);
    std::vector<int> ids;
    std::vector<int32_t> logs;
    for (uint32_t i = 0; i < outcome.count; ++i) {
        ids.push_back(outcome.guesses[i].label);
        logs.push_back(outcome.guesses[i].log_prob);
    }
    return std::make_tuple(static_cast<int>(outcome.reason), ids, logs);
}

using NatsByLanguage = nb::typed<nb::dict, nb::str, double>;

// The evidence of a URL without a prior: the reason, and nats by language against a language without evidence.
auto url_nats(const LoadedUrls& loaded, nb::handle url) {
    NatsByLanguage out{nb::dict()};
    const UrlReason reason = each_nats(loaded, url, [&](size_t label, double nats) { out[loaded.keys[label]] = nats; });
    return std::make_tuple(static_cast<int>(reason), out);
}

// The same beside a text, where the shape of a URL is no evidence, without nats below `min_nats`.
auto url_hint(const LoadedUrls& loaded, nb::handle url, double trust, double max_host, double words_weight, double min_nats) {
    NatsByLanguage out{nb::dict()};
    const UrlReason reason = each_hint(loaded, url, {trust, max_host, words_weight}, [&](size_t label, double nats) {
        if (std::abs(nats) >= min_nats) out[loaded.keys[label]] = nats;
    });
    return std::make_tuple(static_cast<int>(reason), out);
}

// The same as a hint of the combiner, None if it is empty, and whether it supports Chinese, which the caller splits by script.
std::tuple<std::optional<SourceHint>, bool> weigh_url(const LoadedUrls& loaded, nb::handle url, double trust, double max_host,
                                                      double words_weight, double min_nats, const Combiner& combiner, double weight,
                                                      double cap, bool is_site) {
    const size_t model_labels = loaded.model.label_count();
    std::vector<std::pair<size_t, double>> values;
    each_hint(loaded, url, {trust, max_host, words_weight}, [&](size_t label, double nats) {
        if (std::abs(nats) < min_nats) return;
        if (label >= model_labels)  // two of these may be scripts of one language: the last counts
            for (auto& previous : values)
                if (previous.first >= model_labels && loaded.keys[previous.first].equal(loaded.keys[label])) {
                    previous.second = nats;
                    return;
                }
        values.emplace_back(label, nats);
    });
    if (values.empty()) return {std::nullopt, false};
    SourceHint hint{{}, 0, weight, cap, is_site};
    bool has_chinese = false;
    for (const auto& [label, nats] : values) {
        combiner.add_nats(loaded.keys[label], nats, hint);
        has_chinese |= nats > 0 && loaded.classifier.label(label).substr(0, 3) == "zho";
    }
    return {std::move(hint), has_chinese};
}

// The evidence of top level domain, host, path and query for each label in 1/LOG_SCALE nats; empty for an invalid URL.
std::vector<std::vector<int32_t>> part_evidence(const LoadedUrls& loaded, nb::handle url) {
    std::vector<std::vector<int32_t>> out;
    std::string_view text;
    const size_t labels = loaded.model.label_count();
    std::vector<int32_t> evidence(URL_PARTS * labels);
    if (url_text(url, text) != UrlReason::none || !loaded.model.part_evidence(text, loaded.classifier.tables(), evidence.data()))
        return out;
    for (size_t part = 0; part < URL_PARTS; ++part)
        out.emplace_back(evidence.begin() + part * labels, evidence.begin() + (part + 1) * labels);
    return out;
}

// The languages that parts of a URL name: place, label and reliability in thousandths of each meaning.
std::vector<std::tuple<int, int, int>> name_languages(const LoadedUrls& loaded, nb::handle url) {
    std::vector<std::tuple<int, int, int>> out;
    std::string_view text;
    if (url_text(url, text) != UrlReason::none) return out;
    UrlFeatures features;
    url_features(text, loaded.classifier.tables(), features);
    for (int m = 0; m < features.mention_count; ++m)
        for (uint32_t i = features.mentions[m].range.begin; i < features.mentions[m].range.end; ++i) {
            const CodeRow& row = loaded.classifier.tables().codes.row(i);
            const int place = static_cast<int>(features.mentions[m].place);
            if (row.values[place]) out.emplace_back(place, row.label, row.values[place]);
        }
    return out;
}

void bind_url_model(nb::module_& m) {
    nb::class_<LoadedUrls>(m, "UrlModel")
        .def(nb::init<View<uint8_t>, nb::bytes, nb::bytes, std::vector<std::string>, std::vector<int32_t>, int32_t, int32_t, int32_t,
                      double>(),
             nb::arg("memory"), nb::arg("rules"), nb::arg("codes"), nb::arg("others"), nb::arg("priors"), nb::arg("english_floor"),
             nb::arg("max_plain_english"), nb::arg("code_floor"), nb::arg("evenness"))
        .def_prop_ro("model_labels", [](const LoadedUrls& l) { return l.model.label_count(); })
        .def_prop_ro("labels",
                     [](const LoadedUrls& l) {
                         std::vector<std::string> out;
                         for (size_t id = 0; id < l.classifier.label_count(); ++id) out.emplace_back(l.classifier.label(id));
                         return out;
                     })
        .def_prop_ro("own_priors",
                     [](const LoadedUrls& l) {
                         std::vector<int32_t> out;
                         for (size_t id = 0; id < l.classifier.label_count(); ++id) out.push_back(l.classifier.prior(id));
                         return out;
                     })
        .def_prop_ro("code_priors", [](const LoadedUrls& l) { return l.classifier.code_priors(); })
        .def_prop_ro("manifest", [](const LoadedUrls& l) { return to_bytes(l.model.manifest()); })
        .def("classify", &classify_urls, nb::arg("urls"), nb::arg("offsets"), nb::arg("min_log_prob"),
             "Returns the best label (-1 for none), log-probability and reason of each URL.")
        .def("classify_column", &classify_column, nb::arg("data"), nb::arg("starts"), nb::arg("offsets"), nb::arg("min_log_prob"),
             "Returns the best label (-1 for none), log-probability, hash of the host and kind of domain of each URL in a buffer.")
        .def("rank", &rank_url, nb::arg("url").none(), nb::arg("offsets"), nb::arg("min_log_prob"), nb::arg("max_guesses") = 8,
             "Returns the reason, labels and log-probabilities.")
        .def("nats", &url_nats, nb::arg("url").none(), "Returns the reason, and nats by language against a language without evidence.")
        .def("weigh", &weigh_url, nb::arg("url").none(), nb::arg("trust"), nb::arg("max_host"), nb::arg("words_weight"),
             nb::arg("min_nats"), nb::arg("combiner"), nb::arg("weight"), nb::arg("cap"), nb::arg("is_site"))
        .def("hint", &url_hint, nb::arg("url").none(), nb::arg("trust"), nb::arg("max_host"), nb::arg("words_weight"), nb::arg("min_nats"),
             "Returns the reason, and nats by language beside a text, where the shape of a URL is no evidence.")
        .def("mentions", &name_languages, nb::arg("url").none(), "Returns the place, label and reliability of languages that parts name.")
        .def("part_evidence", &part_evidence, nb::arg("url").none(),
             "Returns the evidence of each part for each label in 1/1024 nats; empty for an invalid URL.");
}

auto split(const nb::bytes& url) {
    const UrlParts parts = split_url(view_of(url));
    return std::make_tuple(static_cast<int>(parts.reason), parts.is_ip, to_bytes(parts.host), to_bytes(parts.path), to_bytes(parts.query));
}

}  // namespace

void bind_url(nb::module_& m) {
    nb::class_<Suffixes>(m, "Suffixes")
        .def("__init__", [](Suffixes* self, const nb::bytes& rules) { new (self) Suffixes(view_of(rules)); })
        .def(
            "find", [](const Suffixes& s, const nb::bytes& host) { return s.find(view_of(host)); },
            "Returns the offset of the public suffix of a lower-case host.");
    nb::class_<UrlTables>(m, "UrlTables")
        .def("__init__", [](UrlTables* self, const nb::bytes& rules, const nb::bytes& codes, const std::vector<std::string>& labels) {
            new (self) UrlTables{Suffixes(view_of(rules)), UrlCodes(view_of(codes), {labels.begin(), labels.end()})};
        });
    m.def(
        "url_mentions",
        [](const UrlTables& tables, const nb::bytes& url) {
            UrlFeatures features;
            url_features(view_of(url), tables, features);
            std::vector<std::tuple<int, int, int>> out;
            for (int m = 0; m < features.mention_count; ++m)
                for (uint32_t i = features.mentions[m].range.begin; i < features.mentions[m].range.end; ++i)
                    out.emplace_back(static_cast<int>(features.mentions[m].place), static_cast<int>(i), tables.codes.row(i).label);
            return out;
        },
        nb::arg("tables"), nb::arg("url"),
        "Returns the place, the number of the row in the table and the label of each meaning of each mention.");
    m.def("split_url", &split);
    bind_training(m);
    bind_url_model(m);
}
