// Classifies URLs: adds the evidence of words, top level domain and language codes into one score per label.
//
// A label's evidence is the log-likelihood ratio of the URL, up to a constant; no prior is included. The labels of the model come first,
// then labels that only codes, top level domains and scripts are evidence for. tests/twins/url/classifier.py is the readable twin.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "url/features.hpp"
#include "url/model.hpp"

namespace webtongue {

constexpr int32_t URL_IMPOSSIBLE = -(1 << 28);
constexpr int MAX_OTHER_LABELS = 160;  // labels outside the model that one URL is evidence for

// Bounds on the evidence; policy.py documents them. Floors are in 1/LOG_SCALE nats.
struct UrlLimits {
    // The words of a URL may be English on a page in any language. With a country's domain or a code, words put no label further behind
    // English than `english_floor`; without them, English has at most the log-probability `max_plain_english`.
    int32_t english_floor, max_plain_english;
    int32_t code_floor;     // minimum, above the average, of the words and top level domain of a label that a code names
    // Power of the model's priors that reliabilities of codes are adjusted to. They are counted where languages are as common as the
    // model's priors say, but most codes are on sites in several languages, where languages are more evenly distributed.
    double evenness;
};

struct UrlGuess {
    uint16_t label;
    int32_t log_prob;  // in 1/LOG_SCALE nats
};

struct UrlOutcome {
    UrlReason reason = UrlReason::none;
    uint32_t count = 0;
    UrlGuess guesses[URL_LABELS + MAX_OTHER_LABELS];  // best first
};

// What may be returned.
struct UrlPolicy {
    const int32_t* offsets;  // added to each label in 1/LOG_SCALE nats; URL_IMPOSSIBLE for a label that is not allowed
    int32_t min_log_prob;  // minimum log-probability of an answer
};

// The evidence of a URL for the labels of the model, and for others that it supports.
struct UrlEvidence {
    UrlReason reason = UrlReason::none;
    int32_t level = 0;  // the evidence for a label that the URL does not mention
    int32_t average = 0;  // the average evidence of the model's labels under their priors: the log-likelihood of the URL
    int32_t known[URL_LABELS];  // by words and top level domain
    int32_t words[URL_LABELS];  // the part of `known` that comes from words
    int32_t host[URL_LABELS];  // the part of `known` that comes from the words of the host
    bool is_plain = false;  // neither a country's domain nor a code
    int32_t codes[URL_LABELS] = {};  // nats of codes
    bool named[URL_LABELS] = {};  // whether a code names the label
    int other_count = 0;
    struct Other {
        uint16_t label;
        int32_t regional, code;  // by top level domain and script, by codes
        bool named;
    } others[MAX_OTHER_LABELS];

    // All evidence for a label: of the model by its number, of the others by their index.
    int32_t of_model(uint32_t label, int32_t floor) const;
    int32_t of_other(int index, int32_t floor) const;
};

class UrlClassifier {
public:
    // `model` must outlive the classifier. `others` are labels with their log priors; those of a language that the model has are left out.
    UrlClassifier(const UrlModel& model, std::string_view rules, std::string_view codes, std::vector<std::string> others,
                  std::vector<int32_t> priors, UrlLimits limits);

    size_t label_count() const { return model_.label_count() + others_.size(); }
    std::string_view label(size_t id) const;
    int32_t prior(size_t id) const;
    const std::vector<int32_t>& code_priors() const { return code_priors_; }
    const UrlTables& tables() const { return tables_; }
    const UrlLimits& limits() const { return limits_; }
    int english() const { return english_; }  // the number of its label, -1 for none

    // Collects the evidence of a URL, and its features, which `shape_evidence` takes.
    void collect_evidence(std::string_view url, UrlFeatures& features, UrlEvidence& out) const;
    // The part of `known` that is no evidence of the language: that of a URL under .com with the same shape and without words.
    void shape_evidence(const UrlFeatures& features, int32_t* out) const;
    void rank(std::string_view url, const UrlPolicy& policy, uint32_t max_guesses, UrlOutcome& out) const;

private:
    void score_features(const UrlFeatures& features, UrlEvidence& out) const;
    void add_codes(const UrlFeatures& features, UrlEvidence& out) const;
    // Adds evidence of a top level domain or a script: to the labels of the model, or to others.
    void add_regional(CodeRange range, int32_t* top, UrlEvidence& out) const;
    UrlEvidence::Other* find_other(uint16_t label, UrlEvidence& out) const;

    const UrlModel& model_;
    std::vector<std::string> others_;
    std::vector<int32_t> priors_;
    UrlTables tables_;
    UrlLimits limits_;
    std::vector<int32_t> code_priors_;  // subtracted from the log odds of a reliability
    uint64_t neutral_key_ = 0;  // the only feature of a URL under .com without shape and words, and its kind
    uint8_t neutral_kind_ = 0;
    int32_t logits_[1000];  // log odds of a reliability in thousandths
    int english_ = -1;
};

}  // namespace webtongue
