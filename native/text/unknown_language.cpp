#include "text/unknown_language.hpp"

#include <algorithm>

#include "base/checks.hpp"

namespace webtongue {
namespace {

#include "tables/unknown_language.inc"

constexpr uint32_t kMinFeatures = 60;  // shorter text varies too much
constexpr uint32_t kMediumFeatures = 192,
                   kLongFeatures = 576;  // texts of about 70 and 200 characters, which have weights of their own
constexpr uint32_t kMaxLookups = 1280;  // features that are looked up for the coverage
constexpr int kMinClusters = 2;  // a script with this many clusters has languages that the model lacks
constexpr int64_t kShareScale = 1024;
constexpr uint64_t kNameFeatures = 4;  // unseen features that are ignored: a name or a spelled-out number has as many
constexpr int64_t kNameUnseenShare = 1311;  // 2% of 65535, since names are unseen in every language
constexpr int64_t kScoreUnit = 32;
constexpr int32_t kMaxLead = 12 * LOG_SCALE;
constexpr uint32_t kGrowthFeatures = 500;  // features after which a text may score half as much per feature
constexpr int64_t kWeightScale = 1024;  // scale of the weights

bool has_many_languages(const Model& model, uint16_t label) {
    const Model::Range range = model.range_of(model.group_of(label));
    return range.last - range.first >= kMinClusters;
}

int32_t share(uint64_t part, uint64_t total, int32_t if_empty) {
    return total ? static_cast<int32_t>(part * kShareScale / total) : if_empty;
}

// The first weight is the bias.
int32_t weigh_features(const int64_t* weights, int count, const UnknownFeatures& features_of_text) {
    int64_t sum = weights[0];
    for (int i = 0; i < count; ++i) sum += weights[i + 1] * features_of_text.values[i] / kShareScale;
    return static_cast<int32_t>(sum / kWeightScale);
}

}  // namespace

UnknownFeatures score_features(const Model& model, const ScoredText& text) {
    UnknownFeatures out;
    if (text.guesses.empty() || text.features < kMinFeatures) return out;
    const Guess& best = text.guesses.front();
    if (!has_many_languages(model, best.label)) return out;
    const LabelInfo& info = model.info(best.label);
    out.is_applicable = true;
    const int64_t count = text.features, score = best.score;
    const int32_t lead = text.guesses.size() > 1 ? best.log_prob - text.guesses[1].log_prob : kMaxLead;
    out.values[kScoreToLow] = std::min(score_to_low(info, best.score, text.features), static_cast<int32_t>(2 * kShareScale));
    out.values[kUnseenToHigh] = static_cast<int32_t>(
        std::min<int64_t>(int64_t{text.unseen} * 65535 * kShareScale / (count * (info.high_unseen + kNameUnseenShare)), 6 * kShareScale));
    out.values[kLead] = std::min(lead, kMaxLead);
    out.values[kUncertainty] = std::min(-best.log_prob, 4 * LOG_SCALE);
    out.values[kSize] = static_cast<int32_t>(scale_bucket(text.features) * kShareScale / 4);
    out.values[kScore] = static_cast<int32_t>(std::clamp<int64_t>(score * kShareScale / (count * kScoreUnit), 0, 4 * kShareScale));
    out.values[kOutscored] =
        static_cast<int32_t>(std::clamp<int64_t>((text.best_other_score - score) * kShareScale / (count * kScoreUnit), 0, 2 * kShareScale));
    return out;
}

void add_coverage_features(const Model& model, const ScoredText& text, UnknownFeatures& out) {
    int thinning_bits = text.thinning_bits;
    for (uint32_t features = text.features; features > kMaxLookups; features >>= 1) ++thinning_bits;
    CoverageReader label(model, text.guesses.front().label, thinning_bits);
    for (size_t i = 0; i < text.count; ++i) label.add(text.spans[i]);
    const Coverage& coverage = label.counts();
    out.values[kNgramsDistinctive] = share(coverage.ngrams_distinctive, coverage.ngrams, kShareScale);
    out.values[kDistinctiveOfKnown] = share(coverage.ngrams_distinctive, coverage.ngrams_known, 0);
    out.values[kWordsKnown] = share(coverage.words_known, coverage.words, out.values[kNgramsDistinctive]);
    out.values[kNegative] = share(coverage.negative, coverage.features, 0);
}

bool fits(const Model& model, const Guess& best, uint32_t features, uint32_t unseen, int slack) {
    const LabelInfo& info = model.info(best.label);
    const uint64_t names = std::min<uint64_t>(unseen, kNameFeatures);
    return int64_t{best.score} * 1600 >= int64_t{info.low_score} * features * (100 - slack) &&
           (unseen - names) * 6553500 <= uint64_t{info.high_unseen} * features * static_cast<uint64_t>(100 + slack);
}

bool fits_at_length(const Model& model, const Guess& best, uint32_t features, uint32_t unseen) {
    const LabelInfo& info = model.info(best.label);
    const uint64_t names = std::min<uint64_t>(unseen, kNameFeatures);
    const uint64_t growth = kGrowthFeatures + features;
    return int64_t{best.score} * 16 * static_cast<int64_t>(growth) >= int64_t{info.low_score} * features * int64_t{kGrowthFeatures} &&
           (unseen - names) * 65535 * kGrowthFeatures <= uint64_t{info.high_unseen} * features * growth;
}

bool is_poor_fit(const Model& model, const Guess& best, uint32_t features, uint32_t unseen) {
    const LabelInfo& info = model.info(best.label);
    return features >= kMinFeatures && !has_many_languages(model, best.label) &&
           int64_t{best.score} * 160 < int64_t{info.low_score} * features * 7 &&
           int64_t{unseen} * 65535 * 4 > int64_t{info.high_unseen} * features * 5;
}

int32_t unknown_score(const Model& model, const ScoredText& text) {
    UnknownFeatures features_of_text = score_features(model, text);
    if (!features_of_text.is_applicable) return INT32_MIN;
    const int size = (text.features >= kMediumFeatures) + (text.features >= kLongFeatures);
    const int row = 2 * size + (model.info(text.guesses.front().label).tier > 1);
    if (weigh_features(FIRST_WEIGHTS[row], kScoreFeatureCount, features_of_text) <= 0) return INT32_MIN;
    add_coverage_features(model, text, features_of_text);
    return weigh_features(UNKNOWN_WEIGHTS[row], kUnknownFeatureCount, features_of_text);
}

int32_t log_known(const Model& model, int32_t unknown_score) {
    if (unknown_score == INT32_MIN) return 0;
    const int64_t nats = int64_t{unknown_score} * LOG_SCALE / 100, more = std::max<int64_t>(nats, 0);
    return static_cast<int32_t>(-more - model.log_of((uint64_t{1} << 30) + model.exp_of(nats < 0 ? -nats : nats)));
}

UnknownOdds apply_unknown_odds(const Model& model, const ScoredText& text) {
    UnknownOdds out;
    if (!is_enabled(Check::unknown_language)) return out;
    out.score = unknown_score(model, text);
    out.log_known = log_known(model, out.score);
    for (Guess& guess : text.guesses) guess.log_prob += out.log_known;
    return out;
}

}  // namespace webtongue
