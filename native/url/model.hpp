// The URL model: a memory-mapped table with a row of weights for each feature it knows, and the scorer that reads URLs.
//
// Integers throughout: weights are int8, sums are exact, probabilities come from tables in the file. A URL gives the same
// bits on every machine.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "url/features.hpp"

namespace webtongue {

constexpr uint32_t URL_LABELS = 48;   // int8 weights of a row: three loads of 16
constexpr int URL_BUCKET = 8;         // rows that share a bucket; a feature lies in one of two buckets, found by its tag
constexpr int32_t URL_IMPOSSIBLE = -(1 << 28);
// Kinds of address that parts weigh differently in: on a country's domain or a generic one, a home page or one below it, with a
// part that names a language or without.
constexpr int URL_SETTINGS = 8;
constexpr int URL_VOICES = 2 * URL_PARTS;  // what each part says by its structure, and by its text

struct UrlGuess {
    uint16_t label;
    int32_t log_prob;  // 1/1024 nats
};

struct UrlOutcome {
    UrlReason reason = UrlReason::none;
    uint32_t telling = 0;               // features known to the model that tell one language from another
    uint32_t count = 0;
    UrlGuess guesses[URL_LABELS];       // best first; as many as were asked for
};

// What may be answered, 1/1024 nats.
struct UrlPolicy {
    const int32_t* offsets;  // added for each label; URL_IMPOSSIBLE where it may not be answered
    int32_t least;           // log-probability below which the best guess is no answer
};

class UrlModel {
public:
    // Reads from memory that outlives the model; throws std::invalid_argument where something is off. No value of a weight
    // can make the scorer read or write out of bounds.
    explicit UrlModel(Span file);

    size_t label_count() const { return names_.size(); }
    std::string_view label(size_t id) const { return names_[id]; }
    int32_t own_prior(size_t id) const { return priors_[id]; }
    std::string_view manifest() const { return manifest_; }

    void rank(std::string_view url, const UrlTables& tables, const UrlPolicy& policy, uint32_t most, UrlOutcome& out) const;
    // What each part says for each label, 1/1024 nats, URL_PARTS x label_count(); false where the address cannot be read.
    bool weigh(std::string_view url, const UrlTables& tables, int32_t* out) const;

private:
    using Voices = int32_t[URL_VOICES][URL_LABELS];
    // Sums of each voice, which ones have any (a bit each); returns how many features tell languages apart.
    uint32_t listen(const UrlFeatures& features, Voices& sums, uint32_t& heard) const;
    int64_t loudness(const UrlFeatures& features, int voice) const;
    int32_t log_of(uint64_t mass) const;

    std::vector<std::string_view> names_;
    const int32_t* priors_ = nullptr;   // log prior of each label in training, 1/1024 nats
    const int32_t* bias_ = nullptr;     // of each setting and label
    const uint32_t* mix_ = nullptr;     // of each setting and voice: its weight times 4096
    const uint16_t* tags_ = nullptr;    // bucket by bucket, 0 where a place is empty
    const int8_t* rows_ = nullptr;      // first places of all buckets, then second ones: those in use most lie together
    uint64_t buckets_ = 0;
    const uint32_t* scales_ = nullptr;   // [0]: structural units to 1/1024 nats times 65536; [n]: the same of text units
    const uint32_t* exps_ = nullptr;
    const uint32_t* logs_ = nullptr;
    std::string_view manifest_;
};

}  // namespace webtongue
