#include "train/byte_context.hpp"

#include <algorithm>
#include <cmath>

#include "charset/encoding_ranking.hpp"

namespace webtongue {
namespace {

constexpr float kTiny = 1e-6f;
constexpr double kNats = 1024;

class Trainer {
public:
    Trainer(const ByteModel& model, const ContextFit& config, float* weights, float* sums)
        : model_(model), config_(config), weights_(weights), sums_(sums) {}

    void learn(Span text, const uint8_t* right, const int32_t* offsets) {
        const ByteHistogram histogram = count_high_bytes(text);
        const EncodingRanking ranking(model_, text, histogram, offsets);
        int truth = -1;
        for (uint16_t k = 0; k < model_.class_count(); ++k)
            if (right[k] && ranking.has_table(k) && (truth < 0 || ranking.total(k) > ranking.total(static_cast<uint16_t>(truth))))
                truth = k;
        if (truth < 0) return;
        contexts_.clear();
        bool all[256];
        std::fill(all, all + 256, true);
        find_contexts(text, all, contexts_);
        for (const uint16_t k : ranking.candidates())
            if (!right[k]) duel(ranking, static_cast<uint16_t>(truth), k);
    }

    double loss() const { return duels_ ? loss_ / static_cast<double>(duels_) : 0; }

private:
    void duel(const EncodingRanking& ranking, uint16_t truth, uint16_t other) {
        bool differ[256] = {};
        ranking.find_differing(truth, other, differ);
        plus_.clear();
        minus_.clear();
        for (const ByteContext& context : contexts_) {
            if (!differ[context.middle()]) continue;
            plus_.resize(plus_.size() + CONTEXT_FEATURES);
            minus_.resize(plus_.size());
            context_features(context, model_.letter_tables(), truth, config_.bits, plus_.data() + plus_.size() - CONTEXT_FEATURES);
            context_features(context, model_.letter_tables(), other, config_.bits, minus_.data() + minus_.size() - CONTEXT_FEATURES);
        }
        if (plus_.empty()) return;
        const float value = 1 / std::sqrt(static_cast<float>(plus_.size() / CONTEXT_FEATURES));
        double sum = 0;
        for (const uint32_t id : plus_) sum += weights_[id];
        for (const uint32_t id : minus_) sum -= weights_[id];
        const double lead = ranking.ngram_lead(truth, other) / kNats + value * sum;
        const double wrong = 1 / (1 + std::exp(lead));
        loss_ += lead > 0 ? std::log1p(std::exp(-lead)) : -lead + std::log1p(std::exp(lead));
        ++duels_;
        const float slope = static_cast<float>(wrong) * value;
        for (const uint32_t id : plus_) step(id, -slope);
        for (const uint32_t id : minus_) step(id, slope);
    }

    void step(uint32_t id, float slope) {
        const float s = slope + config_.decay * weights_[id];
        sums_[id] += s * s;
        weights_[id] -= config_.rate * s / std::sqrt(sums_[id] + kTiny);
    }

    const ByteModel& model_;
    const ContextFit config_;
    float *weights_, *sums_;
    std::vector<ByteContext> contexts_;
    std::vector<uint32_t> plus_, minus_;
    double loss_ = 0;
    size_t duels_ = 0;
};

}  // namespace

double fit_contexts(const ByteModel& model, const std::vector<Span>& texts, const uint8_t* right, const int32_t* offsets,
                    const ContextFit& config, float* weights, float* sums) {
    Trainer trainer(model, config, weights, sums);
    for (size_t i = 0; i < texts.size(); ++i) trainer.learn(texts[i], right + i * model.class_count(), offsets);
    return trainer.loss();
}

}  // namespace webtongue
