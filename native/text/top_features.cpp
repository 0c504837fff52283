#include "text/top_features.hpp"

#include <algorithm>
#include <cstdlib>
#include <unordered_set>

#include "base/utf8.hpp"
#include "text/decisive_keys.hpp"
#include "text/scorer.hpp"

namespace webtongue {
namespace {

// Collects the features of a text, each once, with their letters.
class FeatureCollector {
public:
    FeatureCollector() : take_pair_{*this}, pairs_(take_pair_, KIND_PAIRS) {}

    bool operator()(const char32_t* word, int length, uint8_t group) {
        for (int first = 0; first <= length; ++first) {
            position_ = word + first;
            ngrams_at(word, length, first, group, *this);
        }
        position_ = word;
        word_size_ = length + 2;
        word_feature(word, length, group, *this);
        pairs_(word, length, group);
        previous_word_ = letters(word, length + 1);
        return keys.size() < kMaxCollectedFeatures;
    }
    void feature(uint64_t key, int order, uint8_t) {
        if (!seen_.insert(key).second) return;
        keys.push_back(key);
        ngrams.push_back(letters(position_, order == ORDER_WORD ? word_size_ : order));
    }

    std::vector<uint64_t> keys, pair_keys;
    std::vector<std::string> ngrams, pair_ngrams;

private:
    struct TakePair {
        FeatureCollector& into;
        void operator()(uint64_t key) { into.pair(key); }
    };

    static std::string letters(const char32_t* codes, int count) {
        std::string out(static_cast<size_t>(count) * 4, ' ');
        Byte* const begin = reinterpret_cast<Byte*>(out.data());
        Byte* end = begin;
        for (int i = 0; i < count; ++i) end = put_utf8(end, codes[i]);
        out.resize(static_cast<size_t>(end - begin));
        return out;
    }
    void pair(uint64_t key) {
        if (!seen_.insert(key).second) return;
        pair_keys.push_back(key);
        pair_ngrams.push_back(previous_word_ + letters(position_, word_size_));
    }

    std::unordered_set<uint64_t> seen_;
    TakePair take_pair_;
    DecisiveKeys<TakePair> pairs_;
    const char32_t* position_ = nullptr;
    int word_size_ = 0;
    std::string previous_word_;  // the previous word with a leading space
};

// The scorer's weight of each key for `label` minus that for `runner_up`, in weight units.
std::vector<int32_t> scorer_weights(const Model& model, const std::vector<uint64_t>& keys, uint16_t label, uint16_t runner_up) {
    KeptHits kept_hits;
    local_scorer(model, 0).add_features(keys.data(), keys.size(), &kept_hits, 0);
    std::vector<uint16_t> texts(keys.size());
    for (size_t i = 0; i < texts.size(); ++i) texts[i] = static_cast<uint16_t>(i);  // one text per key
    const size_t label_slot = model.info(label).slot, runner_up_slot = model.info(runner_up).slot;
    Clusters clusters{static_cast<uint8_t>(label_slot / LANES_PER_ROW)};
    if (runner_up_slot / LANES_PER_ROW != clusters[0]) clusters.push_back(static_cast<uint8_t>(runner_up_slot / LANES_PER_ROW));
    std::vector<RowSums> sums(keys.size() * clusters.size());
    score_texts(model, kept_hits, texts.data(), clusters, sums.data());
    std::vector<int32_t> out(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) {
        const RowSums& first = sums[i * clusters.size()];
        const RowSums& second = sums[(i + 1) * clusters.size() - 1];
        out[i] = first.lanes[label_slot % LANES_PER_ROW] - second.lanes[runner_up_slot % LANES_PER_ROW];
    }
    return out;
}

// The log odds of a key if the labels are look-alikes, in 1/LOG_SCALE nats.
int32_t decisive_log_odds(const Decisive& decisive, uint64_t key, uint16_t label, uint16_t runner_up) {
    const uint8_t number = decisive.group_of(label);
    if (number == kNoLookAlikes || number != decisive.group_of(runner_up)) return 0;
    const int32_t feature = decisive.find(number, key);
    if (feature < 0) return 0;
    const int8_t* weights = decisive.weights_of(number, feature);
    return (weights[decisive.lane_of(number, label)] - weights[decisive.lane_of(number, runner_up)]) * decisive.group(number).unit_log;
}

}  // namespace

std::vector<FeatureLogOdds> top_features(const Model& model, Span text, uint16_t label, uint16_t runner_up, size_t max_features) {
    FeatureCollector collector;
    each_word(text, collector);
    std::vector<FeatureLogOdds> out;
    if (collector.keys.empty()) return out;
    const std::vector<int32_t> units = scorer_weights(model, collector.keys, label, runner_up);
    const int64_t scale = model.scale_after(static_cast<uint32_t>(collector.keys.size()), model.info(label).tier);
    const auto add = [&](std::string& ngram, int64_t log_odds) {
        if (log_odds != 0) out.push_back({std::move(ngram), static_cast<int32_t>(log_odds)});
    };
    for (size_t i = 0; i < collector.keys.size(); ++i)
        add(collector.ngrams[i], units[i] * scale / 65536 + decisive_log_odds(model.decisive(), collector.keys[i], label, runner_up));
    for (size_t i = 0; i < collector.pair_keys.size(); ++i)
        add(collector.pair_ngrams[i], decisive_log_odds(model.decisive(), collector.pair_keys[i], label, runner_up));
    std::stable_sort(out.begin(), out.end(),
                     [](const FeatureLogOdds& a, const FeatureLogOdds& b) { return std::abs(a.log_odds) > std::abs(b.log_odds); });
    if (out.size() > max_features) out.resize(max_features);
    return out;
}

}  // namespace webtongue
