// The URL model: a memory-mapped table with a row of weights per feature, and the scorer of URLs.
//
// All arithmetic is integer: weights are int8, sums are exact, and probabilities come from tables in the file. A URL gives the same bits
// on every machine.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/probability.hpp"
#include "url/features.hpp"

namespace webtongue {

constexpr uint32_t URL_LABELS = 48;  // a row of int8 weights is three loads of 16
constexpr int URL_BUCKET_ROWS = 8;  // rows per bucket; a feature is in one of two buckets and recognised by its tag
// Kinds of URL with different weights of the parts: national or generic domain, home page or not.
constexpr int URL_SETTINGS = 4;
constexpr int URL_CHANNELS = 2 * URL_PARTS;  // structure and text of each part

// The evidence of a URL for each label of the model in 1/LOG_SCALE nats: by its top level domain, and by its host, path and query.
struct UrlScores {
    bool is_known = false;  // some feature carries information about the language
    const int32_t* bias = nullptr;  // log priors for this kind of URL
    int32_t top[URL_LABELS], words[URL_LABELS];
    int32_t host[URL_LABELS];  // the part of `words` that comes from the words of the host
};

class UrlModel {
public:
    // Reads from memory that outlives the model. Throws std::invalid_argument for an invalid file. No value of a weight can make the
    // scorer read or write out of bounds.
    explicit UrlModel(Span file);

    size_t label_count() const { return names_.size(); }
    std::string_view label(size_t id) const { return names_[id]; }
    int32_t training_prior(size_t id) const { return priors_[id]; }
    std::string_view manifest() const { return manifest_; }

    void score(const UrlFeatures& features, UrlScores& out) const;
    // The logarithm of a sum of exponentials, in 1/LOG_SCALE nats; terms far behind the largest are dropped.
    int32_t log_sum(const int32_t* logs, size_t count) const;
    // The evidence of each part for each label in 1/LOG_SCALE nats, URL_PARTS x label_count(). Returns false for an invalid URL.
    bool part_evidence(std::string_view url, const UrlTables& tables, int32_t* out) const;

private:
    using ChannelSums = int32_t[URL_CHANNELS][URL_LABELS];
    // Sums the weights per channel. `active` has a bit per channel with features. Returns the number of informative features.
    uint32_t sum_channels(const UrlFeatures& features, ChannelSums& sums, uint32_t& active) const;
    int64_t channel_scale(const UrlFeatures& features, int channel) const;
    int32_t log_of(uint64_t mass) const;

    std::vector<std::string_view> names_;
    const int32_t* priors_ = nullptr;  // log prior of each label in training, in 1/LOG_SCALE nats
    const int32_t* bias_ = nullptr;  // per setting and label
    const uint32_t* mix_ = nullptr;  // weight per setting and channel, times 4096
    const uint16_t* tags_ = nullptr;  // bucket by bucket, 0 for an empty slot
    const int8_t* rows_ = nullptr;  // first slots of all buckets, then second ones: the most frequent rows are adjacent
    uint64_t buckets_ = 0;
    const uint32_t* scales_ = nullptr;  // [0] for structural units, [n] for text units of n features: 1/LOG_SCALE nats per unit times 65536
    const uint32_t* exps_ = nullptr;
    const uint32_t* logs_ = nullptr;
    std::string_view manifest_;
};

}  // namespace webtongue
