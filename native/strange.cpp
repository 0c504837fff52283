#include "strange.hpp"

#include <algorithm>

namespace webtongue {
namespace {

#include "tables/strange.inc"

constexpr uint32_t kEnough = 60;     // features: short text scatters too much
constexpr int kManyClusters = 2;     // of a script with so many languages that some are missing
constexpr int64_t kOne = 1024;
constexpr int64_t kNamesShare = 1311;  // 2% of 65535: names are unseen in every language
constexpr int64_t kUnits = 32;
constexpr int32_t kSureLead = 12 * NATS;
constexpr int64_t kScale = 1024;     // of the weights

}  // namespace

StrangeFeatures strange_features(const Model& model, const std::vector<Guess>& guesses, uint32_t features, uint32_t unseen) {
    StrangeFeatures out;
    if (guesses.empty() || features < kEnough) return out;
    const Guess& best = guesses.front();
    const LabelInfo& info = model.info(best.label);
    const Model::Range range = model.range_of(model.group_of(best.label));
    if (info.low_score <= 0 || range.last - range.first < kManyClusters) return out;
    out.known = true;
    const int64_t count = features, score = best.score;
    const int32_t lead = guesses.size() > 1 ? best.log_prob - guesses[1].log_prob : kSureLead;
    out.values[0] = static_cast<int32_t>(std::clamp<int64_t>(score * 16 * kOne / (count * info.low_score), 0, 2 * kOne));
    out.values[1] = static_cast<int32_t>(std::min<int64_t>(int64_t{unseen} * 65535 * kOne / (count * (info.high_unseen + kNamesShare)), 6 * kOne));
    out.values[2] = std::min(lead, kSureLead);
    out.values[3] = std::min(-best.log_prob, 4 * NATS);
    out.values[4] = static_cast<int32_t>(std::clamp<int64_t>(score * kOne / (count * kUnits), 0, 4 * kOne));
    return out;
}

bool is_unlike(const Model& model, const Guess& best, uint32_t features, uint32_t unseen) {
    const LabelInfo& info = model.info(best.label);
    return features >= kEnough && int64_t{best.score} * 160 < int64_t{info.low_score} * features * 7 &&
           int64_t{unseen} * 65535 * 4 > int64_t{info.high_unseen} * features * 5;
}

int32_t strangeness(const Model& model, const std::vector<Guess>& guesses, uint32_t features, uint32_t unseen) {
    const StrangeFeatures found = strange_features(model, guesses, features, unseen);
    if (!found.known) return INT32_MIN;
    int64_t sum = STRANGE_BIAS;
    for (int i = 0; i < kStrangeFeatures; ++i) sum += int64_t{STRANGE_WEIGHTS[i]} * found.values[i] / kOne;
    return static_cast<int32_t>(sum / kScale);
}

}  // namespace webtongue
