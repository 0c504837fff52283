#include "url/classifier.hpp"

#include <algorithm>
#include <cmath>

namespace webtongue {
namespace {

constexpr std::string_view ENGLISH = "eng_Latn";
constexpr std::string_view NEUTRAL_URL = "http://0.com/";
constexpr int32_t MAX_LOG_PROB_GAP = 16 * LOG_SCALE;  // labels further behind the best are dropped

int32_t to_log(double nats) { return static_cast<int32_t>(std::lround(nats * LOG_SCALE)); }

std::vector<std::string_view> all_labels(const UrlModel& model, const std::vector<std::string>& others) {
    std::vector<std::string_view> labels;
    for (size_t id = 0; id < model.label_count(); ++id) labels.push_back(model.label(id));
    labels.insert(labels.end(), others.begin(), others.end());
    return labels;
}

// Removes labels of languages that the model has, with their priors.
std::vector<std::string> outside_model(const UrlModel& model, const std::vector<std::string>& labels, std::vector<int32_t>& priors) {
    std::vector<std::string> kept;
    for (size_t i = 0; i < labels.size(); ++i) {
        bool known = false;
        for (size_t id = 0; id < model.label_count() && !known; ++id) known = labels[i].substr(0, 3) == model.label(id).substr(0, 3);
        if (known) continue;
        priors[kept.size()] = priors[i];
        kept.push_back(labels[i]);
    }
    priors.resize(kept.size());
    return kept;
}

}  // namespace

int32_t UrlEvidence::of_model(uint32_t label, int32_t floor) const {
    return named[label] ? std::max(known[label], average + floor) + codes[label] : known[label];
}

int32_t UrlEvidence::of_other(int index, int32_t floor) const {
    const Other& other = others[index];
    return other.named ? std::max(level + other.regional, average + floor) + other.code : level + other.regional;
}

UrlClassifier::UrlClassifier(const UrlModel& model, std::string_view rules, std::string_view codes, std::vector<std::string> others,
                             std::vector<int32_t> priors, UrlLimits limits)
    : model_(model),
      others_(outside_model(model, others, priors)),
      priors_(std::move(priors)),
      tables_{Suffixes(rules), UrlCodes(codes, all_labels(model, others_))},
      limits_(limits) {
    const double evenness = limits_.evenness;
    double mass = 0;
    for (size_t id = 0; id < model_.label_count(); ++id) mass += std::exp(evenness * prior(id) / LOG_SCALE);
    for (size_t id = 0; id < label_count(); ++id) {
        const double log = std::min(prior(id) / static_cast<double>(LOG_SCALE), -1e-3);
        const bool known = id < model_.label_count();
        code_priors_.push_back(to_log(known ? log - (evenness - 1) * log + std::log(mass) : log));
        if (known && label(id) == ENGLISH) english_ = static_cast<int>(id);
    }
    for (int r = 1; r < 1000; ++r) logits_[r] = to_log(std::log(r / (1000.0 - r)));
    logits_[0] = 0;
    UrlFeatures neutral;
    url_features(NEUTRAL_URL, tables_, neutral);
    neutral_key_ = neutral.keys[0];  // the first feature of a host is its top level domain
    neutral_kind_ = neutral.kinds[0];
}

std::string_view UrlClassifier::label(size_t id) const {
    return id < model_.label_count() ? model_.label(id) : others_[id - model_.label_count()];
}

int32_t UrlClassifier::prior(size_t id) const {
    return id < model_.label_count() ? model_.training_prior(id) : priors_[id - model_.label_count()];
}

UrlEvidence::Other* UrlClassifier::find_other(uint16_t label, UrlEvidence& out) const {
    for (int i = 0; i < out.other_count; ++i)
        if (out.others[i].label == label) return out.others + i;
    if (out.other_count == MAX_OTHER_LABELS) return nullptr;
    out.others[out.other_count] = {label, 0, 0, false};
    return out.others + out.other_count++;
}

void UrlClassifier::add_regional(CodeRange range, int32_t* top, UrlEvidence& out) const {
    for (uint32_t i = range.begin; i < range.end; ++i) {
        const CodeRow& row = tables_.codes.row(i);
        const int32_t nats = row.values[0] * LOG_SCALE / 100;
        if (row.label < model_.label_count()) top[row.label] += nats;
        else if (UrlEvidence::Other* other = find_other(row.label, out)) other->regional += nats;
    }
}

void UrlClassifier::add_codes(const UrlFeatures& features, UrlEvidence& out) const {
    for (int m = 0; m < features.mention_count; ++m) {
        const UrlMention& mention = features.mentions[m];
        for (uint32_t i = mention.range.begin; i < mention.range.end; ++i) {
            const CodeRow& row = tables_.codes.row(i);
            const int reliability = row.values[static_cast<int>(mention.place)];
            if (reliability == 0) continue;
            const int32_t nats = logits_[reliability] - code_priors_[row.label];
            if (row.label < model_.label_count()) {
                out.codes[row.label] = out.named[row.label] ? std::max(out.codes[row.label], nats) : nats;
                out.named[row.label] = true;
            } else if (UrlEvidence::Other* other = find_other(row.label, out)) {
                other->code = other->named ? std::max(other->code, nats) : nats;
                other->named = true;
            }
        }
    }
}

void UrlClassifier::collect_evidence(std::string_view url, UrlFeatures& features, UrlEvidence& out) const {
    url_features(url, tables_, features);
    out.reason = features.reason;
    if (out.reason == UrlReason::none) score_features(features, out);
}

void UrlClassifier::shape_evidence(const UrlFeatures& features, int32_t* out) const {
    UrlFeatures shape;
    shape.add(neutral_key_, neutral_kind_);
    shape.is_home = features.is_home;
    for (int i = 0; i < features.count; ++i)
        if (is_shape(features.kinds[i])) shape.add(features.keys[i], features.kinds[i]);
    UrlScores scores;
    model_.score(shape, scores);
    for (size_t k = 0; k < model_.label_count(); ++k) out[k] = scores.bias[k] + scores.top[k] + scores.words[k] - prior(k);
}

void UrlClassifier::score_features(const UrlFeatures& features, UrlEvidence& out) const {
    UrlScores scores;
    model_.score(features, scores);
    add_regional(features.tld, scores.top, out);
    add_regional(features.script, scores.top, out);
    add_codes(features, out);
    if (!scores.is_known && !features.is_national && features.mention_count == 0 && out.other_count == 0) out.reason = UrlReason::nothing;
    const size_t count = model_.label_count();
    out.is_plain = !features.is_national && features.mention_count == 0;
    if (english_ >= 0 && !out.is_plain) {
        const int32_t floor = scores.words[english_] + limits_.english_floor;
        for (size_t k = 0; k < count; ++k) scores.words[k] = std::max(scores.words[k], floor);
    }
    int32_t with_top[URL_LABELS], with_all[URL_LABELS], sorted[URL_LABELS];
    for (size_t k = 0; k < count; ++k) {
        with_top[k] = scores.bias[k] + scores.top[k];
        with_all[k] = with_top[k] + scores.words[k];
        out.known[k] = with_all[k] - prior(k);
        out.words[k] = scores.words[k];
        out.host[k] = scores.host[k];
        sorted[k] = scores.words[k];
    }
    out.average = model_.log_sum(with_all, count);
    std::nth_element(sorted, sorted + count / 2, sorted + count);
    out.level = model_.log_sum(with_top, count) + sorted[count / 2];
}

void UrlClassifier::rank(std::string_view url, const UrlPolicy& policy, uint32_t max_guesses, UrlOutcome& out) const {
    UrlFeatures features;
    UrlEvidence evidence;
    collect_evidence(url, features, evidence);
    out.reason = evidence.reason;
    out.count = 0;
    if (out.reason != UrlReason::none) return;
    int32_t totals[URL_LABELS + MAX_OTHER_LABELS];
    uint32_t count = static_cast<uint32_t>(model_.label_count());
    for (uint32_t k = 0; k < count; ++k) {
        totals[k] = prior(k) + evidence.of_model(k, limits_.code_floor) + policy.offsets[k];
        out.guesses[k] = {static_cast<uint16_t>(k), totals[k]};
    }
    for (int i = 0; i < evidence.other_count; ++i, ++count) {
        const uint16_t label = evidence.others[i].label;
        totals[count] = prior(label) + evidence.of_other(i, limits_.code_floor) + policy.offsets[label];
        out.guesses[count] = {label, totals[count]};
    }
    const int32_t top = *std::max_element(totals, totals + count);
    if (top < URL_IMPOSSIBLE / 2) {
        out.reason = UrlReason::not_allowed;
        return;
    }
    const int32_t log_mass = model_.log_sum(totals, count);
    UrlGuess* const end =
        std::remove_if(out.guesses, out.guesses + count, [&](const UrlGuess& guess) { return guess.log_prob < top - MAX_LOG_PROB_GAP; });
    out.count = std::min(max_guesses, static_cast<uint32_t>(end - out.guesses));
    std::partial_sort(out.guesses, out.guesses + out.count, end, [](const UrlGuess& a, const UrlGuess& b) {
        return a.log_prob != b.log_prob ? a.log_prob > b.log_prob : a.label < b.label;
    });
    for (uint32_t i = 0; i < out.count; ++i) {
        const bool is_doubtful = evidence.is_plain && out.guesses[i].label == english_;
        out.guesses[i].log_prob = std::min(is_doubtful ? limits_.max_plain_english : 0, out.guesses[i].log_prob - log_mass);
    }
    if (out.guesses[0].log_prob < policy.min_log_prob) out.reason = UrlReason::too_little;
}

}  // namespace webtongue
