// The loaded URL model, and the evidence of a URL by label.
#pragma once

#include <algorithm>
#include <climits>
#include <cmath>
#include <string>
#include <vector>

#include "bind/arrays.hpp"
#include "url/classifier.hpp"

namespace webtongue {

// A URL model with its classifier and mapped memory.
struct LoadedUrls {
    View<uint8_t> memory;
    UrlModel model;
    UrlClassifier classifier;
    std::vector<nb::str> keys;  // the language of each label

    LoadedUrls(View<uint8_t> from, const nb::bytes& rules, const nb::bytes& codes, std::vector<std::string> others,
               std::vector<int32_t> priors, int32_t english_floor, int32_t max_plain_english, int32_t code_floor, double evenness)
        : memory(std::move(from)),
          model(span_of(memory)),
          classifier(model, view_of(rules), view_of(codes), std::move(others), std::move(priors),
                     {english_floor, max_plain_english, code_floor, evenness}) {
        for (size_t id = 0; id < classifier.label_count(); ++id) keys.emplace_back(std::string(classifier.label(id).substr(0, 3)).c_str());
    }
};

// Gets the text of a str or bytes, or the reason why there is none: None and NaN are missing values, lone surrogates are not text.
inline UrlReason url_text(nb::handle url, std::string_view& out) {
    if (url.is_none() || (PyFloat_Check(url.ptr()) && std::isnan(PyFloat_AsDouble(url.ptr())))) return UrlReason::missing;
    if (PyUnicode_Check(url.ptr())) {
        Py_ssize_t size = 0;
        const char* data = PyUnicode_AsUTF8AndSize(url.ptr(), &size);
        if (data == nullptr) return PyErr_Clear(), UrlReason::not_text;
        out = {data, static_cast<size_t>(size)};
        return UrlReason::none;
    }
    if (!PyBytes_Check(url.ptr())) throw nb::type_error("a URL is str or bytes");
    out = {PyBytes_AsString(url.ptr()), static_cast<size_t>(PyBytes_Size(url.ptr()))};
    return UrlReason::none;
}

// Collects the features and the evidence of a URL. Returns the reason why it has none.
inline UrlReason collect_evidence(const LoadedUrls& loaded, nb::handle url, UrlFeatures& features, UrlEvidence& evidence) {
    std::string_view text;
    evidence.reason = url_text(url, text);
    if (evidence.reason == UrlReason::none) loaded.classifier.collect_evidence(text, features, evidence);
    return evidence.reason;
}

// Calls `add(label, nats)` with the evidence of a URL without a prior, against a language without evidence.
template <class Add>
UrlReason each_nats(const LoadedUrls& loaded, nb::handle url, Add add) {
    UrlFeatures features;
    UrlEvidence evidence;
    if (const UrlReason reason = collect_evidence(loaded, url, features, evidence); reason != UrlReason::none) return reason;
    const int32_t floor = loaded.classifier.limits().code_floor;
    const auto nats = [&](int32_t log) { return (log - evidence.level) / static_cast<double>(LOG_SCALE); };
    for (size_t k = 0; k < loaded.model.label_count(); ++k) add(k, nats(evidence.of_model(static_cast<uint32_t>(k), floor)));
    for (int i = 0; i < evidence.other_count; ++i) add(evidence.others[i].label, nats(evidence.of_other(i, floor)));
    return UrlReason::none;
}

// A probability below `trust` is uncertain, and the evidence for a label that stays below it is shrunk. The words of a host that is not
// under a country's domain have at most `max_host` nats if the URL has no language code.
struct HintLimits {
    double trust, max_host, words_weight;
};

inline double median_of(const double* values, size_t count) {
    double sorted[URL_LABELS] = {};
    std::copy_n(values, count, sorted);
    std::nth_element(sorted, sorted + count / 2, sorted + count);
    return sorted[count / 2];
}

// The same beside a text, where the shape of a URL is no evidence: nats against the median language of the model.
template <class Add>
UrlReason each_hint(const LoadedUrls& loaded, nb::handle url, const HintLimits& limits, Add add) {
    UrlFeatures features;
    UrlEvidence evidence;
    if (const UrlReason reason = collect_evidence(loaded, url, features, evidence); reason != UrlReason::none) return reason;
    const auto nats = [](int32_t log) { return log / static_cast<double>(LOG_SCALE); };
    const size_t count = loaded.model.label_count();
    int32_t shape[URL_LABELS];
    loaded.classifier.shape_evidence(features, shape);
    double known[URL_LABELS], host[URL_LABELS], words[URL_LABELS], mass = 0;
    for (size_t k = 0; k < count; ++k) host[k] = nats(evidence.host[k]), words[k] = nats(evidence.words[k]);
    const double usual_host = median_of(host, count), usual_words = median_of(words, count);
    const double limit = evidence.is_plain ? limits.max_host : HUGE_VAL;
    const int english = loaded.classifier.english();
    const int32_t min_known =
        evidence.is_plain && english >= 0 ? evidence.known[english] - shape[english] + loaded.classifier.limits().english_floor : INT32_MIN;
    for (size_t k = 0; k < count; ++k) {
        const double host_excess = host[k] - usual_host - std::clamp(host[k] - usual_host, -limit, limit);
        const double excess = host_excess + (1 - limits.words_weight) * (words[k] - usual_words - host_excess);
        const double share = std::exp(nats(loaded.model.training_prior(k)));
        known[k] = std::log((share * std::exp(nats(std::max(evidence.known[k] - shape[k], min_known)) - excess) + limits.trust) /
                            (share + limits.trust));
    }
    const double median = median_of(known, count);
    for (size_t k = 0; k < count; ++k) mass += std::exp(nats(loaded.model.training_prior(k)) + (known[k] -= median));
    const double average = std::log(mass), floor = average + nats(loaded.classifier.limits().code_floor);
    for (size_t k = 0; k < count; ++k) add(k, evidence.named[k] ? std::max(known[k], floor) + nats(evidence.codes[k]) : known[k]);
    for (int i = 0; i < evidence.other_count; ++i) {
        const UrlEvidence::Other& other = evidence.others[i];
        const double regional = other.regional ? average + nats(other.regional) : 0.0;
        add(other.label, other.named ? std::max(regional, floor) + nats(other.code) : regional);
    }
    return UrlReason::none;
}

}  // namespace webtongue
