#include "text/telling.hpp"

#include <algorithm>
#include <cstdlib>
#include <unordered_set>

#include "base/utf8.hpp"
#include "text/decisive_keys.hpp"
#include "text/scorer.hpp"

namespace webtongue {
namespace {

// The features of a text, each once, with the letters they were made of.
class Gathered {
public:
    Gathered() : take_pair_{*this}, pairs_(take_pair_, KIND_PAIRS) {}

    bool operator()(const char32_t* word, int length, uint8_t group) {
        for (int first = 0; first <= length; ++first) {
            at_ = word + first;
            place_features(word, length, first, group, *this);
        }
        at_ = word;
        whole_ = length + 2;
        whole_feature(word, length, group, *this);
        pairs_(word, length, group);
        before_ = letters(word, length + 1);
        return keys.size() < kMostTelling;
    }
    void feature(uint64_t key, int order, uint8_t) {
        if (!seen_.insert(key).second) return;
        keys.push_back(key);
        grams.push_back(letters(at_, order == ORDER_WORD ? whole_ : order));
    }

    std::vector<uint64_t> keys, pair_keys;
    std::vector<std::string> grams, pair_grams;

private:
    struct TakePair {
        Gathered& into;
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
        pair_grams.push_back(before_ + letters(at_, whole_));
    }

    std::unordered_set<uint64_t> seen_;
    TakePair take_pair_;
    DecisiveKeys<TakePair> pairs_;
    const char32_t* at_ = nullptr;
    int whole_ = 0;
    std::string before_;  // the word before, and a space before it
};

// What each key is worth to the scorer, weight units.
std::vector<int32_t> scored(const Model& model, const std::vector<uint64_t>& keys, uint16_t label, uint16_t rival) {
    Kept kept;
    local_scorer(model, 0).add_features(keys.data(), keys.size(), &kept, 0);
    std::vector<uint16_t> texts(keys.size());
    for (size_t i = 0; i < texts.size(); ++i) texts[i] = static_cast<uint16_t>(i);  // a text of its own each
    const size_t ours = model.info(label).slot, theirs = model.info(rival).slot;
    Clusters clusters{static_cast<uint8_t>(ours / LANES_PER_ROW)};
    if (theirs / LANES_PER_ROW != clusters[0]) clusters.push_back(static_cast<uint8_t>(theirs / LANES_PER_ROW));
    std::vector<RowSums> sums(keys.size() * clusters.size());
    score_each(model, kept, texts.data(), clusters, sums.data());
    std::vector<int32_t> out(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) {
        const RowSums& first = sums[i * clusters.size()];
        const RowSums& second = sums[(i + 1) * clusters.size() - 1];
        out[i] = first.of[ours % LANES_PER_ROW] - second.of[theirs % LANES_PER_ROW];
    }
    return out;
}

// What a key is worth where the labels are look-alikes, 1/1024 nats.
int32_t decided(const Decisive& decisive, uint64_t key, uint16_t label, uint16_t rival) {
    const uint8_t number = decisive.group_of(label);
    if (number == kNoLookAlikes || number != decisive.group_of(rival)) return 0;
    const int32_t found = decisive.find(number, key);
    if (found < 0) return 0;
    const int8_t* weights = decisive.weights_of(number, found);
    return (weights[decisive.lane_of(number, label)] - weights[decisive.lane_of(number, rival)]) * decisive.group(number).trust;
}

}  // namespace

std::vector<Telling> telling_features(const Model& model, Span text, uint16_t label, uint16_t rival, size_t most) {
    Gathered found;
    each_word(reinterpret_cast<const char*>(text.begin), text.size(), found);
    std::vector<Telling> out;
    if (found.keys.empty()) return out;
    const std::vector<int32_t> units = scored(model, found.keys, label, rival);
    const int64_t scale = model.scale_after(static_cast<uint32_t>(found.keys.size()), model.info(label).tier);
    const auto add = [&](std::string& gram, int64_t nats) {
        if (nats != 0) out.push_back({std::move(gram), static_cast<int32_t>(nats)});
    };
    for (size_t i = 0; i < found.keys.size(); ++i)
        add(found.grams[i], units[i] * scale / 65536 + decided(model.decisive(), found.keys[i], label, rival));
    for (size_t i = 0; i < found.pair_keys.size(); ++i)
        add(found.pair_grams[i], decided(model.decisive(), found.pair_keys[i], label, rival));
    std::stable_sort(out.begin(), out.end(), [](const Telling& a, const Telling& b) { return std::abs(a.nats) > std::abs(b.nats); });
    if (out.size() > most) out.resize(most);
    return out;
}

}  // namespace webtongue
