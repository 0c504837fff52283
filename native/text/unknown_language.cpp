#include "text/unknown_language.hpp"

#include <algorithm>

namespace webtongue {
namespace {

#include "tables/unknown_language.inc"

constexpr uint32_t kEnough = 60;       // features: shorter text scatters too much
constexpr uint32_t kMiddling = 192, kLong = 576;  // features from which text has weights of its own: some 70 and 200 characters
constexpr uint32_t kLookedUp = 1280;   // features that a second look takes at most
constexpr int kManyClusters = 2;       // of a script with so many languages that some are missing
constexpr int64_t kOne = 1024;
constexpr uint64_t kNames = 4;          // unseen features that say nothing: a name or a number written out has as many
constexpr int64_t kNamesShare = 1311;  // 2% of 65535: names are unseen in every language
constexpr int64_t kLeastLow = 512;     // 1/16 weight units: a lower low score comes from too little text to measure it on
constexpr int64_t kUnits = 32;
constexpr int32_t kSureLead = 12 * NATS;
constexpr int64_t kScale = 1024;       // of the weights

bool many_languages(const Model& model, uint16_t label) {
    const Model::Range range = model.range_of(model.group_of(label));
    return range.last - range.first >= kManyClusters;
}

int32_t share(uint64_t part, uint64_t whole, int32_t otherwise) { return whole ? static_cast<int32_t>(part * kOne / whole) : otherwise; }

// The first of the weights is the bias.
int32_t weigh(const int64_t* weights, int count, const UnknownFeatures& found) {
    int64_t sum = weights[0];
    for (int i = 0; i < count; ++i) sum += weights[i + 1] * found.values[i] / kOne;
    return static_cast<int32_t>(sum / kScale);
}

}  // namespace

UnknownFeatures first_look(const Model& model, const ReadText& text) {
    UnknownFeatures out;
    if (text.guesses.empty() || text.features < kEnough) return out;
    const Guess& best = text.guesses.front();
    if (!many_languages(model, best.label)) return out;
    const LabelInfo& info = model.info(best.label);
    out.known = true;
    const int64_t count = text.features, score = best.score, low = std::max<int64_t>(info.low_score, kLeastLow);
    const int32_t lead = text.guesses.size() > 1 ? best.log_prob - text.guesses[1].log_prob : kSureLead;
    out.values[kScoreBesideLow] = static_cast<int32_t>(std::clamp<int64_t>(score * 16 * kOne / (count * low), 0, 2 * kOne));
    out.values[kUnseenBesideHigh] =
        static_cast<int32_t>(std::min<int64_t>(int64_t{text.unseen} * 65535 * kOne / (count * (info.high_unseen + kNamesShare)), 6 * kOne));
    out.values[kLead] = std::min(lead, kSureLead);
    out.values[kDoubt] = std::min(-best.log_prob, 4 * NATS);
    out.values[kSize] = static_cast<int32_t>(scale_bucket(text.features) * kOne / 4);
    out.values[kScore] = static_cast<int32_t>(std::clamp<int64_t>(score * kOne / (count * kUnits), 0, 4 * kOne));
    out.values[kOutscored] = static_cast<int32_t>(std::clamp<int64_t>((text.elsewhere - score) * kOne / (count * kUnits), 0, 2 * kOne));
    return out;
}

void second_look(const Model& model, const ReadText& text, UnknownFeatures& out) {
    int thinness = text.thinness;
    for (uint32_t features = text.features; features > kLookedUp; features >>= 1) ++thinness;
    CoverageReader label(model, text.guesses.front().label, thinness);
    for (size_t i = 0; i < text.count; ++i) label.add(reinterpret_cast<const char*>(text.stretches[i].begin), text.stretches[i].size());
    const Coverage& found = label.counts();
    out.values[kGramsWell] = share(found.well, found.grams, kOne);
    out.values[kWellOfKnown] = share(found.well, found.known, 0);
    out.values[kWordsKnown] = share(found.words_known, found.words, out.values[kGramsWell]);
    out.values[kAgainst] = share(found.against, found.features, 0);
}

bool fits(const Model& model, const Guess& best, uint32_t features, uint32_t unseen, int slack) {
    const LabelInfo& info = model.info(best.label);
    const uint64_t names = std::min<uint64_t>(unseen, kNames);
    return int64_t{best.score} * 1600 >= int64_t{info.low_score} * features * (100 - slack) &&
           (unseen - names) * 6553500 <= uint64_t{info.high_unseen} * features * static_cast<uint64_t>(100 + slack);
}

bool is_poor_fit(const Model& model, const Guess& best, uint32_t features, uint32_t unseen) {
    const LabelInfo& info = model.info(best.label);
    return features >= kEnough && !many_languages(model, best.label) &&
           int64_t{best.score} * 160 < int64_t{info.low_score} * features * 7 &&
           int64_t{unseen} * 65535 * 4 > int64_t{info.high_unseen} * features * 5;
}

int32_t unknown_score(const Model& model, const ReadText& text) {
    UnknownFeatures found = first_look(model, text);
    if (!found.known) return INT32_MIN;
    const int size = (text.features >= kMiddling) + (text.features >= kLong);
    const int row = 2 * size + (model.info(text.guesses.front().label).tier > 1);
    if (weigh(FIRST_WEIGHTS[row], kFirstLook, found) <= 0) return INT32_MIN;
    second_look(model, text, found);
    return weigh(UNKNOWN_WEIGHTS[row], kUnknownFeatures, found);
}

int32_t log_known(const Model& model, int32_t unknown_score) {
    if (unknown_score == INT32_MIN) return 0;
    const int64_t nats = int64_t{unknown_score} * NATS / 100, more = std::max<int64_t>(nats, 0);
    return static_cast<int32_t>(-more - model.log_of((uint64_t{1} << 30) + model.exp_of(nats < 0 ? -nats : nats)));
}

Doubt doubt(const Model& model, const ReadText& text) {
    Doubt out;
    out.unknown = unknown_score(model, text);
    out.known = log_known(model, out.unknown);
    for (Guess& guess : text.guesses) guess.log_prob += out.known;
    return out;
}

}  // namespace webtongue
