#include "text/chunks.hpp"

#include <algorithm>

#include "text/sentences.hpp"

namespace webtongue {
namespace {

constexpr int kPasses = 3;
constexpr int32_t kLog256 = 5678;  // ln(256) in 1/LOG_SCALE nats
constexpr int64_t kSwitchCost = 2 * LOG_SCALE;  // cost of a change of language between two sentences of one block

constexpr uint32_t kOwnScriptPercent = 25;  // percent of letters in the page's script from which Latin words in a chunk are names or terms
constexpr double kMinForeignProbability = 0.9;  // minimum probability of a cluster for a Latin chunk to be foreign text

constexpr uint32_t kMinTermLetters = 20;  // fewer Latin letters are always names or terms

struct Candidate {
    int32_t label;
    int64_t score;  // unnormalised log-probability
    size_t previous = 0;  // index of the best candidate of the previous chunk
};

class ChunkLabeler {
public:
    ChunkLabeler(const ChunkContext& context, const std::vector<ScoredChunk>& chunk, int32_t page_label)
        : context_(context), chunks_(chunk), page_label_(page_label), labels_(chunk.size(), kNoLabel) {
        if (page_label != kNoLabel) shares_.push_back({page_label, 1.0});
    }

    // Labels every chunk by its text and by the other chunks: the languages of the page are a better prior than those of the web, and a
    // few passes estimate both.
    std::vector<int32_t> run() {
        for (int pass = 0; pass < kPasses; ++pass) {
            for (size_t first = 0, last; first < chunks_.size(); first = last) {
                for (last = first + 1; last < chunks_.size() && context_.sample.chunks[last].continues_block;) ++last;
                label_block(first, last);
            }
            estimate_shares();
        }
        return std::move(labels_);
    }

private:
    // The likeliest sequence of labels for the sentences of a block, where a change of language has a cost (Viterbi).
    void label_block(size_t first, size_t last) {
        const auto matches_page = [](const ScoredChunk& chunk) { return chunk.matches_page; };
        if (last - first == 1 || std::all_of(&chunks_[first], &chunks_[first] + (last - first), matches_page)) {  // most blocks
            for (size_t i = first; i < last; ++i) labels_[i] = label_single(chunks_[i]);
            return;
        }
        std::vector<std::vector<Candidate>> paths;
        std::vector<size_t> indices;
        for (size_t i = first; i < last; ++i) {
            labels_[i] = kNoLabel;
            std::vector<Candidate> candidates;
            each_candidate(chunks_[i], [&](int32_t label, int64_t score) { candidates.push_back({label, score}); });
            if (candidates.empty()) continue;
            if (!paths.empty()) extend(paths.back(), candidates);
            paths.push_back(std::move(candidates));
            indices.push_back(i);
        }
        if (paths.empty()) return;
        size_t at = best_of(paths.back());
        for (size_t k = paths.size(); k-- > 0;) {
            labels_[indices[k]] = paths[k][at].label;
            at = paths[k][at].previous;
        }
    }

    int32_t label_single(const ScoredChunk& chunk) const {
        int32_t best = kNoLabel;
        int64_t best_score = 0;
        each_candidate(chunk, [&](int32_t label, int64_t score) {
            if (best == kNoLabel || score > best_score) best = label, best_score = score;
        });
        return best;
    }

    static size_t best_of(const std::vector<Candidate>& candidates) {
        return static_cast<size_t>(std::max_element(candidates.begin(), candidates.end(),
                                                    [](const Candidate& a, const Candidate& b) { return a.score < b.score; }) -
                                   candidates.begin());
    }

    static void extend(const std::vector<Candidate>& previous, std::vector<Candidate>& candidates) {
        const size_t best = best_of(previous);
        for (Candidate& candidate : candidates) {
            candidate.previous = best;
            int64_t best_score = previous[best].score - kSwitchCost;
            for (size_t i = 0; i < previous.size(); ++i)
                if (previous[i].label == candidate.label && previous[i].score >= best_score)
                    candidate.previous = i, best_score = previous[i].score;
            candidate.score += best_score;
        }
    }

    // Calls take(label, score) for every label that a chunk may have. The languages of the page may come twice.
    template <class Take>
    void each_candidate(const ScoredChunk& chunk, Take&& take) const {
        if (chunk.letters < kMinChunkLetters) return;
        if (chunk.matches_page) return take(page_label_, 0);
        if (!chunk.is_language) return;
        if (are_terms(chunk)) return take(page_label_, 0);
        for (const Guess& guess : chunk.guesses) take(int32_t{guess.label}, score(chunk, guess.label));
        for (const auto& share : shares_)
            if (context_.model.group_of(static_cast<size_t>(share.first)) == chunk.group) take(share.first, score(chunk, share.first));
    }

    // True if Latin letters on a page of another script are names and terms: they are not nearly all of the chunk, or not clearly in one
    // language.
    bool are_terms(const ScoredChunk& chunk) const {
        if (page_label_ == kNoLabel || chunk.group != ASCII_LETTERS.group) return false;
        const uint8_t group = context_.model.group_of(static_cast<size_t>(page_label_));
        if (group == chunk.group) return false;
        if (chunk.letters < kMinTermLetters) return true;
        if (chunk.scorer->letters_in(group) * letter_weight(group) * 100 >= chunk.letters * letter_weight(chunk.group) * kOwnScriptPercent)
            return true;
        double cluster_probability = 0;
        const auto cluster = [this](const Guess& guess) { return context_.model.info(guess.label).slot / LANES_PER_ROW; };
        for (const Guess& guess : chunk.guesses)
            if (cluster(guess) == cluster(chunk.guesses.front())) cluster_probability += to_probability(guess.log_prob);
        return cluster_probability < kMinForeignProbability;
    }

    int64_t score(const ScoredChunk& chunk, int32_t label) const {
        const uint16_t slot = context_.model.info(static_cast<size_t>(label)).slot;
        const auto place = std::find(context_.clusters.begin(), context_.clusters.end(), slot / LANES_PER_ROW) - context_.clusters.begin();
        const int64_t score = chunk.totals[static_cast<size_t>(place) * LANES_PER_ROW + slot % LANES_PER_ROW];
        return (score * chunk.scale >> 16) + page_prior(chunk, label);
    }

    // The log prior of a label on this page: its share of the page, and a small part of its prior on the web.
    int32_t page_prior(const ScoredChunk& chunk, int32_t label) const {
        const uint16_t slot = context_.model.info(static_cast<size_t>(label)).slot;
        const int32_t global_prior = context_.priors.faded(context_.priors.chunk_prior(slot), chunk.prior_weight) - context_.foreign_cost;
        for (const auto& share : shares_)
            if (share.first == label) {
                const auto share_mass = static_cast<uint64_t>(share.second * 256 * 1073741824.0);
                return std::max(global_prior, static_cast<int32_t>(context_.model.log_of(share_mass) - kLog256));
            }
        return global_prior;
    }

    void estimate_shares() {
        std::vector<std::pair<int32_t, double>> shares;
        double total = 0;
        for (size_t i = 0; i < labels_.size(); ++i) {
            if (labels_[i] == kNoLabel) continue;
            const double weight = context_.sample.chunks[i].weight;
            total += weight;
            const auto at = std::find_if(shares.begin(), shares.end(), [&](const auto& s) { return s.first == labels_[i]; });
            if (at == shares.end()) shares.push_back({labels_[i], weight});
            else at->second += weight;
        }
        if (shares.empty()) return;
        for (auto& share : shares) share.second /= total;
        shares_ = std::move(shares);
    }

    const ChunkContext& context_;
    const std::vector<ScoredChunk>& chunks_;
    const int32_t page_label_;
    std::vector<int32_t> labels_;
    std::vector<std::pair<int32_t, double>> shares_;
};

// Gives two chunks that begin at the same offset a range each: the second follows the first, or takes its second half.
void separate(LabeledChunk& previous, LabeledChunk& chunk) {
    if (chunk.page_end > previous.page_end) {
        chunk.page_begin = previous.page_end;
        return;
    }
    chunk.page_end = previous.page_end;
    chunk.page_begin = previous.page_end = previous.page_begin + (previous.page_end - previous.page_begin) / 2;
}

}  // namespace

std::vector<int32_t> label_chunks(const ChunkContext& context, const std::vector<ScoredChunk>& chunk, int32_t page_label) {
    return ChunkLabeler(context, chunk, page_label).run();
}

std::vector<Share> sum_shares(const std::vector<LabeledChunk>& chunks) {
    std::vector<Share> out;
    const auto is_main = [](const LabeledChunk& chunk) { return chunk.label != kNoLabel && !chunk.is_secondary; };
    const bool has_main = std::any_of(chunks.begin(), chunks.end(), is_main);
    for (const LabeledChunk& chunk : chunks) {
        if (!is_main(chunk) && !(has_main && chunk.is_banner && chunk.label != kNoLabel && chunk.weight > 0)) continue;
        const auto share = std::find_if(out.begin(), out.end(), [&](const Share& s) { return s.label == chunk.label; });
        if (share == out.end()) out.push_back({chunk.label, chunk.weight});
        else share->letters += chunk.weight;
    }
    std::stable_sort(out.begin(), out.end(), [](const Share& a, const Share& b) { return a.letters > b.letters; });
    return out;
}

std::vector<LabeledChunk> join_chunks(std::vector<LabeledChunk> chunks) {
    std::stable_sort(chunks.begin(), chunks.end(), [](const LabeledChunk& a, const LabeledChunk& b) {
        return a.page_begin != b.page_begin ? a.page_begin < b.page_begin : a.page_end < b.page_end;
    });
    std::vector<LabeledChunk> out;
    for (LabeledChunk& chunk : chunks) {
        if (chunk.label == kNoLabel) continue;
        if (!out.empty() && out.back().label == chunk.label) {
            out.back().page_end = std::max(out.back().page_end, chunk.page_end);
            out.back().weight += chunk.weight;
            continue;
        }
        if (!out.empty() && chunk.page_begin <= out.back().page_begin) separate(out.back(), chunk);
        else if (!out.empty())
            out.back().page_end = std::min(out.back().page_end, chunk.page_begin);  // a sampled chunk may overlap the next
        out.push_back(chunk);
    }
    return out;
}

}  // namespace webtongue
