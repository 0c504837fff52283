#include "text/first_pass.hpp"

#include <algorithm>

#include "text/features.hpp"
#include "text/latin_names.hpp"
#include "text/two_scripts.hpp"
#include "text/unknown_language.hpp"

namespace webtongue {
namespace {

constexpr int32_t kSureLogProb = -LOG_SCALE / 100;  // at this log-probability no more positions are read
constexpr int32_t kCommonPriorGap = LOG_SCALE;  // a label this close to the highest prior may occur on any page

// Collects the features of a chunk, each once.
struct Keys {
    std::vector<uint64_t>& keys;
    Repeats& repeats;
    uint16_t chunk;
    void feature(uint64_t key, int, uint8_t) {
        if (repeats.is_new(key, chunk)) keys.push_back(key);
    }
};

}  // namespace

void scale_by_fresh_share(uint32_t fresh_share, uint32_t& features, uint32_t& unseen, int32_t* totals, size_t slots) {
    const auto part = [fresh_share](uint32_t count) { return static_cast<uint32_t>(uint64_t{count} * fresh_share / kFreshScale); };
    features = part(features);
    unseen = part(unseen);
    for (size_t i = 0; i < slots; ++i) totals[i] = static_cast<int32_t>(int64_t{totals[i]} * fresh_share / kFreshScale);
}

FirstPass::FirstPass(const Model& model, const Scan& scan, const Sample& sample, const Priors& priors, const ReadingPlan& plan,
                     Buffers& buffers)
    : model_(model),
      scan_(scan),
      sample_(sample),
      priors_(priors),
      plan_(plan),
      codes_(buffers.codes),
      words_(buffers.words),
      chunks_(buffers.chunks),
      keys_(buffers.keys),
      chunk_of_(buffers.chunk_of),
      kept_hits_(buffers.kept_hits),
      text_repeats_(buffers.text_repeats) {
    codes_.clear();
    words_.clear();
    chunks_.clear();
    keys_.clear();
    chunk_of_.clear();
    kept_hits_.clear();
}

FirstPass::Buffers& FirstPass::local_buffers() {
    thread_local Buffers buffers;
    return buffers;
}

void FirstPass::read_words() {
    size_t bytes = 0;
    for (const TextSpan& span : sample_.spans) bytes += span.end - span.begin;
    codes_.reserve(bytes + bytes / 2 + 2);
    words_.reserve(bytes / 4 + 2);
    chunks_.reserve(sample_.chunks.size());
    for (const Chunk& chunk : sample_.chunks) {
        const auto first = static_cast<uint32_t>(words_.size());
        uint32_t letters = 0;
        for (uint32_t s = chunk.first_span; s < chunk.last_span; ++s) {
            const TextSpan& span = sample_.spans[s];
            mixed_words_ += each_word(text_in(scan_, span), [&](const char32_t* word, int length, uint8_t group) {
                words_.push_back({static_cast<uint32_t>(codes_.size()), static_cast<uint16_t>(length), group});
                codes_.insert(codes_.end(), word, word + length + 1);
                letters += static_cast<uint32_t>(length);
                return true;
            });
        }
        chunks_.push_back({first, static_cast<uint32_t>(words_.size()), letters, local_repeats().start_text(), false});
    }
    codes_.push_back(BOUNDARY);
}

// Adds the n-grams from every position of a chunk that is `offset` modulo `step`, a power of two.
void FirstPass::add_places(size_t chunk, uint32_t step, uint32_t offset) {
    Keys sink{keys_, local_repeats(), chunks_[chunk].text_id};
    for (uint32_t w = chunks_[chunk].first_word; w < chunks_[chunk].last_word; ++w) {
        const Word& word = words_[w];
        const char32_t* codes = &codes_[word.start];
        for (uint32_t at = (offset - word.start) & (step - 1); at <= word.length; at += step) {
            ngrams_at(codes, word.length, static_cast<int>(at), word.group, sink);
            if (at == 0) word_feature(codes, word.length, word.group, sink);
        }
    }
    // The int16 sums of a chunk hold this many features; the rest is counted for no chunk.
    chunk_of_.resize(std::min(keys_.size(), chunk_of_.size() + Scorer::MAX_HELD_FEATURES), static_cast<uint16_t>(chunk));
    chunk_of_.resize(keys_.size(), static_cast<uint16_t>(chunks_.size()));
}

bool FirstPass::read(Scorer& page_scorer) {
    read_words();
    uint32_t places = 0;
    for (size_t i = 0; i < chunks_.size(); ++i) {
        if (sample_.chunks[i].is_secondary) continue;
        for (uint32_t w = chunks_[i].first_word; w < chunks_[i].last_word; ++w) {
            places += words_[w].length + 1u;
            page_scorer.letters(words_[w].group, words_[w].length);
        }
    }
    const bool has_two_scripts = page_scorer.has_latin_beside_other_script();
    if (has_two_scripts)
        for (const Chunk& chunk : sample_.chunks)
            for (uint32_t s = chunk.first_span; s < chunk.last_span && !chunk.is_secondary; ++s)
                page_scorer.discount_latin_names(count_latin_names(text_in(scan_, sample_.spans[s])));
    const uint32_t latin_letters = page_scorer.letters_in(GROUPS.latin);
    depends_on_latin_part_ = has_two_scripts && (latin_letters >= kMinLatinPartLetters);
    uint32_t max_step = 1;
    while (max_step < plan_.max_step && max_step * 2 * plan_.min_places <= places) max_step *= 2;
    add_chunks(false, max_step, 0);
    const size_t fresh = plan_.is_text ? move_fresh_first(0) : keys_.size();
    if (plan_.is_text) fresh_share_ = static_cast<uint32_t>(fresh * kFreshScale / std::max<size_t>(keys_.size(), 1));
    else measure_fresh_share();
    KeptHits* const kept_hits = is_single() ? nullptr : &kept_hits_;
    page_scorer.add_features(keys_.data(), fresh, kept_hits, 0);
    if (fresh < keys_.size() && kept_hits)
        local_scorer(model_, 1).add_features(keys_.data() + fresh, keys_.size() - fresh, &kept_hits_, fresh);
    rank(page_scorer);
    for (uint32_t step = max_step; is_contested() ? step > 1 : step > plan_.min_step && !is_sure(); step /= 2) {
        const size_t before = keys_.size();
        add_chunks(false, step, step / 2);
        const size_t last = plan_.is_text ? move_fresh_first(before) : keys_.size();
        page_scorer.add_features(keys_.data() + before, last - before, nullptr, 0);
        keys_.resize(before);
        chunk_of_.resize(before);
        rank(page_scorer);
    }
    if (outcome_.guesses.empty() || !fits(model_, outcome_.guesses.front(), outcome_.features, outcome_.unseen, kChunkSlackPercent))
        return false;
    if (is_single()) return chunks_.front().matches_page = true;
    const size_t before = keys_.size();
    add_chunks(true, max_step, 0);
    local_scorer(model_, 1).add_features(keys_.data() + before, keys_.size() - before, &kept_hits_, before);
    compare_chunks();
    return true;
}

// Chunks of one page repeat each other, and a repeated n-gram carries as little information here as within a chunk.
void FirstPass::measure_fresh_share() {
    Repeats& repeats = local_repeats();
    const uint16_t page = repeats.start_text();
    uint32_t fresh_share = 0;
    for (const uint64_t key : keys_) fresh_share += repeats.is_new(key, page);
    if (!keys_.empty()) fresh_share_ = static_cast<uint32_t>(uint64_t{fresh_share} * kFreshScale / keys_.size());
}

// Moves the keys from `first` on that are new in the text before those that repeat one of an earlier sentence. Returns their end.
size_t FirstPass::move_fresh_first(size_t first) {
    if (text_id_ == 0) text_id_ = text_repeats_.start_text();
    size_t fresh = first;
    for (size_t i = first; i < keys_.size(); ++i) {
        if (!text_repeats_.is_new(keys_[i], text_id_)) continue;
        std::swap(keys_[fresh], keys_[i]);
        std::swap(chunk_of_[fresh++], chunk_of_[i]);
    }
    return fresh;
}

void FirstPass::add_chunks(bool is_secondary, uint32_t step, uint32_t offset) {
    for (size_t i = 0; i < chunks_.size(); ++i)
        if (sample_.chunks[i].is_secondary == is_secondary) add_places(i, step, offset);
}

// True for a text of one sentence, which has nothing to be compared with.
bool FirstPass::is_single() const { return plan_.is_text && chunks_.size() == 1; }

bool FirstPass::is_sure() const { return !outcome_.guesses.empty() && outcome_.guesses.front().log_prob >= kSureLogProb; }

// True if a rarer label has a higher score than the best one: the prior alone must not decide while there is more to read.
bool FirstPass::is_contested() const {
    return std::any_of(outcome_.guesses.begin(), outcome_.guesses.end(),
                       [this](const Guess& guess) { return guess.score > outcome_.guesses.front().score; });
}

void FirstPass::rank(Scorer& page_scorer) {
    outcome_ = page_scorer.count();
    outcome_.group = page_scorer.heaviest_group(priors_);
    if (outcome_.group == SCRIPT_COMMON) return;
    outcome_.group_letters = page_scorer.letters_in(outcome_.group);
    choice_ = page_scorer.choose(outcome_.group, priors_, kMaxPageClusters);
    int32_t totals[kMaxPageClusters * LANES_PER_ROW];
    page_scorer.score_clusters(choice_.cluster, choice_.count, totals);
    if (!plan_.is_text) scale_by_fresh_share(fresh_share_, outcome_.features, outcome_.unseen, totals, choice_.count * LANES_PER_ROW);
    outcome_.guesses = rank_scores(model_, choice_.cluster, choice_.count, totals, outcome_.group, outcome_.features, priors_,
                                   kMaxPageGuesses, kMaxPosteriorGap, &outcome_.facts);
}

bool FirstPass::is_own_script(const ChunkWords& chunk) const {
    const auto is_own = [this](const Word& word) { return word.group == outcome_.group; };
    const auto first = words_.begin() + chunk.first_word, last = words_.begin() + chunk.last_word;
    if (std::all_of(first, last, is_own)) return true;
    uint32_t weights[256] = {};
    for (auto word = first; word < last; ++word) weights[word->group] += word->length * letter_weight(word->group);
    return std::max_element(std::begin(weights), std::end(weights)) - weights == outcome_.group;
}

// A chunk matches the page unless a common language scores as well on it as the page's language, or its score is far below that of
// typical text in the page's language.
void FirstPass::compare_chunks() {
    const LabelInfo& info = model_.info(outcome_.guesses.front().label);
    Clusters clusters{static_cast<uint8_t>(info.slot / LANES_PER_ROW)};
    for (const uint16_t slot : priors_.top_slots[outcome_.group]) {
        const auto cluster = static_cast<uint8_t>(slot / LANES_PER_ROW);
        if (slot != kNoSlot && std::find(clusters.begin(), clusters.end(), cluster) == clusters.end()) clusters.push_back(cluster);
    }
    std::vector<size_t> competitors;  // indices of their scores
    for (size_t i = 0; i < clusters.size() * LANES_PER_ROW; ++i) {
        const size_t slot = clusters[i / LANES_PER_ROW] * size_t{LANES_PER_ROW} + i % LANES_PER_ROW;
        if (slot != info.slot && !priors_.barred[slot] &&
            priors_.chunk_prior(static_cast<uint16_t>(slot)) >= priors_.highest - kCommonPriorGap)
            competitors.push_back(i);
    }
    std::vector<RowSums> sums((chunks_.size() + 1) * clusters.size());
    score_texts(model_, kept_hits_, chunk_of_.data(), clusters, sums.data());
    std::vector<int32_t> features(chunks_.size() + 1);
    for (const uint16_t chunk : chunk_of_) ++features[chunk];
    int64_t all_own = 0, all_features = 0;
    for (size_t i = 0; i < chunks_.size(); ++i) {
        if (sample_.chunks[i].is_secondary) continue;
        all_own += sums[i * clusters.size()].lanes[info.slot % LANES_PER_ROW];
        all_features += features[i];
    }
    for (size_t i = 0; i < chunks_.size(); ++i) {
        const int16_t* scores = sums[i * clusters.size()].lanes;
        const int64_t own_score = scores[info.slot % LANES_PER_ROW];
        int64_t best_competitor = INT16_MIN;
        for (const size_t at : competitors) best_competitor = std::max<int64_t>(best_competitor, scores[at]);
        chunks_[i].matches_page = chunks_[i].letters < kMinChunkLetters ||
                                  (is_own_script(chunks_[i]) && own_score * (100 - plan_.min_lead) >= best_competitor * 100 &&
                                   own_score * 1600 >= int64_t{info.low_score} * features[i] * (100 - plan_.slack) &&
                                   own_score * 100 * all_features >= all_own * features[i] * plan_.min_relative_score);
    }
}

}  // namespace webtongue
