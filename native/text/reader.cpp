#include "text/reader.hpp"

#include <algorithm>

#include "base/checks.hpp"
#include "text/allowlist.hpp"
#include "text/boilerplate.hpp"
#include "text/chunks.hpp"
#include "text/headings.hpp"
#include "text/latin_names.hpp"
#include "text/nonlanguage.hpp"
#include "text/placeholder.hpp"
#include "text/sentences.hpp"
#include "text/simd.hpp"
#include "text/single_language_script.hpp"

namespace webtongue {
namespace {

constexpr size_t kMaxChunkGuesses = 6;
constexpr size_t kMaxChunkClusters = 4;  // clusters of a chunk that are considered
constexpr size_t kMaxSentenceClusters = 2;  // clusters that a sentence adds to those of the page
constexpr int32_t kMaxClusterLead = LOG_SCALE * 4 / 3;  // maximum lead of a chunk's best cluster over the page's clusters
constexpr uint64_t kFeaturesPerByte = 2;
constexpr int kMaxThinningBits = 3;
constexpr int32_t kMaxChunkGap = 5 * LOG_SCALE;  // guesses of a chunk further behind the best are dropped
// Scale of a chunk's scores in percent: forty characters of a page with names and headings are less reliable than a clean sentence.
constexpr int64_t kChunkTrustPercent = 75;
constexpr uint64_t kMinMatchingPercent = 50;  // percent of the running text that must match the page for the first pass to be final
constexpr int32_t kImplausibleTextScore = 500;  // hundredths of a nat, for text that fails reads_like_its_language()
constexpr int32_t kMaxUnknownScore = -100;  // hundredths of a nat; a chunk with a poor fit counts as language up to this score

class Reader {
public:
    Reader(const Model& model, const Scan& scan, const ReadOptions& options)
        : Reader(model, scan, options, take_sample(scan, options.sample)) {}
    Reader(const Model& model, const Scan& scan, const ReadOptions& options, Sample sample)
        : model_(model), scan_(scan), options_(options), sample_(std::move(sample)) {}

    // Reads a text that was read as a whole once more, sentence by sentence.
    Reading run(Reading page_totals) {
        scored_.resize(sample_.chunks.size());
        reading_ = std::move(page_totals);
        page_decided_ = true;
        for (const Guess& guess : reading_.guesses) add_cluster(static_cast<uint8_t>(model_.info(guess.label).slot / LANES_PER_ROW));
        uint64_t features = 0;
        for (uint32_t i = 0; i < scored_.size(); ++i) {
            unread_.push_back(i);
            read_chunk(i);
            features += scored_[i].features;
        }
        if (reading_.features < features) fresh_share_ = static_cast<uint32_t>(reading_.features * uint64_t{kFreshScale} / features);
        label_by_score();
        return std::move(reading_);
    }

    // Reads a text once, sentence by sentence. Returns false if it has to be read as a whole: see read_text_once().
    bool run_text(Reading& out) {
        scored_.resize(sample_.chunks.size());
        run_first_pass(kTextPlan);
        if (!page_decided_ || depends_on_latin_part_ || reading_.unknown_odds.score > kMaxUnknownScore ||
            !fits_at_length(model_, reading_.guesses.front(), reading_.features, reading_.unseen))
            return false;
        read_unmatched();
        out = std::move(reading_);
        return true;
    }

    Reading run() {
        if (is_boilerplate(sample_, *options_.policy)) return read_boilerplate(model_, scan_, sample_, *options_.policy);
        uint64_t bytes = 0;
        for (const TextSpan& span : sample_.spans) bytes += span.end - span.begin;
        while (thinning_bits_ < kMaxThinningBits && (bytes * kFeaturesPerByte) >> thinning_bits_ > options_.budget) ++thinning_bits_;
        scored_.resize(sample_.chunks.size());
        run_first_pass(kPagePlan);
        read_unmatched();
        detect_nonlanguage(model_, scan_, sample_, options_.unmasked, reading_);
        clear_junk_of_prose(scan_, *options_.policy, reading_);
        discount_title_only(scan_, reading_);
        detect_notice(model_, scan_, *options_.policy, reading_);
        drop_disallowed_guess(model_, *options_.priors, reading_);
        return std::move(reading_);
    }

private:
    void read_unmatched() {
        for (const uint32_t i : unread_) read_chunk(i);
        label_by_score();
    }

    void label_by_score() {
        choose_clusters();
        score_page();
        label_all_chunks();
        choose_main_language();
    }

    // Uses the result of the first pass if that is enough. `unread_` are the chunks that have to be read in full.
    void run_first_pass(const ReadingPlan& plan) {
        FirstPass first_pass(model_, scan_, sample_, *options_.priors, plan);
        const bool fits_label = first_pass.read(local_scorer(model_, 0));
        fresh_share_ = first_pass.fresh_share();
        depends_on_latin_part_ = first_pass.depends_on_latin_part();
        reading_.mixed_words = first_pass.mixed_words();
        page_decided_ =
            options_.requested.empty() && fits_label && matching_percent(first_pass) >= kMinMatchingPercent && use_first_pass(first_pass);
        for (uint32_t i = 0; i < scored_.size(); ++i) {
            scored_[i].matches_page = page_decided_ && (first_pass.chunks()[i].matches_page || !is_enabled(Check::chunks));
            if (scored_[i].matches_page) scored_[i].letters = first_pass.chunks()[i].letters;
            else unread_.push_back(i);
        }
    }

    // Returns false if the text may be in an unknown language: the first pass reads too little to tell.
    bool use_first_pass(const FirstPass& first_pass) {
        const Outcome& outcome = first_pass.outcome();
        copy_counts(outcome, outcome.group, outcome.group_letters);
        reading_.guesses = outcome.guesses;
        reading_.facts = outcome.facts;
        assess_best();
        if (reading_.unknown_odds.score > 0) return false;
        for (size_t i = 0; i < first_pass.choice().count; ++i) add_cluster(first_pass.choice().cluster[i]);
        return true;
    }

    // Percent of the running text that matches the page.
    uint64_t matching_percent(const FirstPass& first_pass) const {
        uint64_t total = 1, matching = 0;
        for (size_t i = 0; i < scored_.size(); ++i) {
            if (sample_.chunks[i].is_secondary) continue;
            total += sample_.chunks[i].weight;
            if (first_pass.chunks()[i].matches_page) matching += sample_.chunks[i].weight;
        }
        return matching * 100 / total;
    }

    void copy_counts(const Outcome& counts, uint8_t group, uint32_t group_letters) {
        reading_.group = group;
        reading_.group_letters = group_letters;
        reading_.features = counts.features;
        reading_.unseen = counts.unseen;
        reading_.letters = counts.letters;
        reading_.main_script = counts.main_script;
    }

    void read_chunk(uint32_t i) {
        ScoredChunk& scored = scored_[i];
        scored.scorer = &local_scorer(model_, i + 1);
        scored.scorer->set_thinning(thinning_bits_);
        const Chunk& chunk = sample_.chunks[i];
        for (uint32_t s = chunk.first_span; s < chunk.last_span; ++s) {
            const TextSpan& span = sample_.spans[s];
            scored.scorer->add(text_in(scan_, span));
        }
        if (scored.scorer->has_latin_beside_other_script())
            for (uint32_t s = chunk.first_span; s < chunk.last_span; ++s)
                scored.scorer->discount_latin_names(count_latin_names(text_in(scan_, sample_.spans[s])));
        const Outcome counts = scored.scorer->count();
        scored.letters = counts.letters;
        scored.features = counts.features;
        scored.unseen = counts.unseen;
        scored.scale = static_cast<int32_t>(model_.scale_after(scored.features, 1) * kChunkTrustPercent / 100);
        scored.group = scored.scorer->heaviest_group(*options_.priors);
    }

    // Chooses the likeliest clusters of the running text, and those of a chunk if none of the former is close for it.
    void choose_clusters() {
        if (!page_decided_) choose_for_page();
        for (const uint16_t label : options_.requested) add_cluster(static_cast<uint8_t>(model_.info(label).slot / LANES_PER_ROW));
        for (const uint32_t i : unread_) {
            const ScoredChunk& scored = scored_[i];
            if (scored.group == SCRIPT_COMMON || scored.letters < kMinChunkLetters) continue;
            const ClusterChoice choice = scored.scorer->choose(scored.group, *options_.priors, kMaxChunkClusters);
            if (choice.count > 0 && !covers_best_cluster(choice)) add_cluster(choice.cluster[0]);
            for (size_t k = 0; k < kMaxSentenceClusters && k < choice.count && sample_.is_complete; ++k) add_cluster(choice.cluster[k]);
        }
    }

    void choose_for_page() {
        Scorer& page_totals = local_scorer(model_, 0);
        for (size_t i = 0; i < scored_.size(); ++i)
            if (!sample_.chunks[i].is_secondary) page_totals.merge(*scored_[i].scorer);
        const uint8_t group = page_totals.heaviest_group(*options_.priors);
        copy_counts(page_totals.count(), group, page_totals.letters_in(group));
        if (reading_.group != SCRIPT_COMMON) {
            const ClusterChoice page = page_totals.choose(reading_.group, *options_.priors, kMaxPageClusters);
            for (size_t i = 0; i < page.count; ++i) add_cluster(page.cluster[i]);
        }
    }

    // True if one of the page's clusters is as good as the best cluster of the chunk, or nearly.
    bool covers_best_cluster(const ClusterChoice& choice) const {
        for (size_t i = 0; i < choice.count && choice.upper_bound[i] >= choice.upper_bound[0] - kMaxClusterLead; ++i)
            if (std::find(clusters_.begin(), clusters_.end(), choice.cluster[i]) != clusters_.end()) return true;
        return false;
    }

    void add_cluster(uint8_t cluster) {
        if (clusters_.size() < kMaxScoredClusters && std::find(clusters_.begin(), clusters_.end(), cluster) == clusters_.end())
            clusters_.push_back(cluster);
    }

    void score_page() {
        const size_t slots = clusters_.size() * LANES_PER_ROW;
        std::vector<int32_t> page_totals(slots, 0);
        totals_.resize(unread_.size() * slots);
        for (size_t at = 0; at < unread_.size(); ++at) {
            const size_t i = unread_[at];
            ScoredChunk& scored = scored_[i];
            if (scored.group == SCRIPT_COMMON) continue;
            scored.totals = totals_.data() + at * slots;
            scored.scorer->score_clusters(clusters_.data(), clusters_.size(), scored.totals);
            RankingFacts facts;
            scored.guesses = rank_scores(model_, clusters_.data(), clusters_.size(), scored.totals, scored.group, scored.features,
                                         *options_.priors, kMaxChunkGuesses, kMaxChunkGap, &facts);
            scored.prior_weight = facts.prior_weight;
            scored.is_language = is_language(i, facts.best_other_score);
            if (!sample_.chunks[i].is_secondary)
                for (size_t slot = 0; slot < slots; ++slot) page_totals[slot] += scored.totals[slot];
        }
        if (reading_.group == SCRIPT_COMMON || page_decided_) return;
        scale_by_fresh_share(fresh_share_, reading_.features, reading_.unseen, page_totals.data(), page_totals.size());
        reading_.guesses = rank_scores(model_, clusters_.data(), clusters_.size(), page_totals.data(), reading_.group, reading_.features,
                                       *options_.priors, kMaxPageGuesses, kMaxPosteriorGap, &reading_.facts, options_.requested);
        assess_best();
    }

    // True if a chunk fits its best label. A complete sentence with many names may also pass the test for unknown languages.
    bool is_language(size_t i, int32_t best_other_score) {
        ScoredChunk& scored = scored_[i];
        if (scored.guesses.empty()) return false;
        if (fits(model_, scored.guesses.front(), scored.features, scored.unseen, kChunkSlackPercent)) return true;
        if (!sample_.is_complete || scored.letters < kSentenceLetters ||
            is_poor_fit(model_, scored.guesses.front(), scored.features, scored.unseen))
            return false;
        std::vector<Span> read;
        add_spans(i, read);
        return unknown_score(model_, {scored.guesses, best_other_score, scored.features, scored.unseen, read.data(), read.size(),
                                      thinning_bits_}) <= kMaxUnknownScore;
    }

    void add_spans(size_t i, std::vector<Span>& out) const {
        for (uint32_t s = sample_.chunks[i].first_span; s < sample_.chunks[i].last_span; ++s)
            out.push_back(text_in(scan_, sample_.spans[s]));
    }

    // Assesses the best guess on the running text of the chunks that `is_included` accepts.
    template <class Predicate>
    void assess_best(Predicate&& is_included) {
        if (reading_.guesses.empty()) return;
        std::vector<Span> read;
        for (size_t i = 0; i < sample_.chunks.size(); ++i)
            if (!sample_.chunks[i].is_secondary && is_included(i)) add_spans(i, read);
        assess_guesses(model_, read.data(), read.size(), thinning_bits_, reading_);
    }
    void assess_best() {
        assess_best([](size_t) { return true; });
    }

    // The main language is the one that hints name, or the one with most of the running text. If two have about the same share, the
    // title or the headings decide. If the text as a whole has another label, or none because it is mixed, the page is ranked again by
    // the chunks in the main language.
    void choose_main_language() {
        if (reading_.shares.empty() || reading_.guesses.empty() || reading_.outside_allowlist != kNoLabel) return;
        if (reading_.shares.size() == 1 && reading_.shares.front().label == reading_.guesses.front().label) return;  // the usual case
        const std::vector<LanguageShare> languages = sum_languages(*options_.policy, reading_.shares);
        int32_t main = languages[0].label;
        if (const int32_t hinted_label = find_language(languages, options_.main); hinted_label != kNoLabel) {
            main = reading_.preferred = hinted_label;
            reading_.filed_by_hints = hinted_label != languages[0].label;
        } else if (are_balanced(*options_.policy, languages)) {
            reading_.preferred = preferred_by_headings(model_, scan_, languages[0].label, languages[1].label);
            if (reading_.preferred != kNoLabel) main = reading_.preferred;
        }
        const bool is_mixed = languages.size() > 1 && languages[1].share >= options_.policy->min_share;
        if (!are_look_alikes(*options_.policy, main, reading_.guesses.front().label) || (is_mixed && reading_.unknown_odds.score > 0))
            rank_main_language(main);
    }

    // The language of the page that equals a label or is its look-alike.
    int32_t find_language(const std::vector<LanguageShare>& languages, int32_t label) const {
        if (label == kNoLabel) return kNoLabel;
        const auto same = [&](const LanguageShare& h) { return are_look_alikes(*options_.policy, h.label, label); };
        const auto scored = std::find_if(languages.begin(), languages.end(), same);
        return scored == languages.end() ? kNoLabel : scored->label;
    }

    // Ranks the page by the chunks in one language or its look-alikes.
    void rank_main_language(int32_t main) {
        const auto is_main = [&](size_t i) {
            return scored_[i].totals && reading_.chunks[i].label != kNoLabel &&
                   are_look_alikes(*options_.policy, reading_.chunks[i].label, main);
        };
        std::vector<int32_t> page_totals(clusters_.size() * LANES_PER_ROW, 0);
        Outcome counts;
        for (size_t i = 0; i < scored_.size(); ++i) {
            if (sample_.chunks[i].is_secondary || !is_main(i)) continue;
            for (size_t slot = 0; slot < page_totals.size(); ++slot) page_totals[slot] += scored_[i].totals[slot];
            counts.features += scored_[i].features;
            counts.unseen += scored_[i].unseen;
            counts.letters += scored_[i].letters;
        }
        scale_by_fresh_share(fresh_share_, counts.features, counts.unseen, page_totals.data(), page_totals.size());
        const uint8_t group = model_.group_of(static_cast<size_t>(main));
        std::vector<Guess> guesses = rank_scores(model_, clusters_.data(), clusters_.size(), page_totals.data(), group, counts.features,
                                                 *options_.priors, kMaxPageGuesses, kMaxPosteriorGap, &counts.facts, options_.requested);
        if (counts.features == 0 || guesses.empty() || !are_look_alikes(*options_.policy, guesses.front().label, main)) return;
        counts.main_script = group;
        copy_counts(counts, group, counts.letters);
        reading_.guesses = std::move(guesses);
        reading_.facts = counts.facts;
        assess_best(is_main);
    }

    void label_all_chunks() {
        const int32_t page = reading_.guesses.empty() ? kNoLabel : reading_.guesses.front().label;
        const std::vector<int32_t> labels =
            label_chunks({model_, *options_.priors, sample_, clusters_, options_.foreign_cost}, scored_, page);
        for (size_t i = 0; i < scored_.size(); ++i) {
            const Chunk& chunk = sample_.chunks[i];
            const Block &first = scan_.blocks[chunk.first_block], &last = scan_.blocks[chunk.last_block - 1];
            // Text of attributes follows the visible text, wherever it is on the page.
            const uint32_t begin =
                std::min(page_begin_of(scan_, sample_, chunk), last.page_begin < first.page_begin ? last.page_begin : UINT32_MAX);
            reading_.chunks.push_back(
                {begin, std::max(first.page_end, last.page_end), chunk.weight, labels[i], chunk.is_secondary, chunk.is_banner});
        }
        drop_disallowed_chunks(model_, *options_.priors, reading_);
        reading_.shares = sum_shares(reading_.chunks);
    }

    const Model& model_;
    const Scan& scan_;
    const ReadOptions& options_;
    Sample sample_;
    Clusters clusters_;
    std::vector<int32_t> totals_;
    std::vector<ScoredChunk> scored_;
    Reading reading_;
    std::vector<uint32_t> unread_;
    bool page_decided_ = false;
    bool depends_on_latin_part_ = false;
    uint32_t fresh_share_ = kFreshScale;
    int thinning_bits_ = 0;
};

}  // namespace

void assess_guesses(const Model& model, const Span* read, size_t count, int thinning_bits, Reading& out) {
    rerank_look_alikes(model, read, count, out.guesses);
    out.score = out.guesses.front().score;
    out.poor_fit = is_poor_fit(model, out.guesses.front(), out.features, out.unseen);
    out.unknown_odds =
        apply_unknown_odds(model, {out.guesses, out.facts.best_other_score, out.features, out.unseen, read, count, thinning_bits});
    if (is_enabled(Check::script) && !reads_like_its_language(out.group, read, count)) out.unknown_odds.score = kImplausibleTextScore;
    if (is_enabled(Check::running_words))
        out.apply_running_words(count_running_words(out.group, read, count, {&model, out.guesses.front().label}));
    discount_name(model, read, count, out);
    const auto is_latin = [&model](const Guess& guess) { return guess.label == model.latin(); };
    if (std::any_of(out.guesses.begin(), out.guesses.end(), is_latin)) out.placeholder_score = placeholder_score(read, count);
}

Reading read_page(const Model& model, const Scan& scan, const ReadOptions& options) { return Reader(model, scan, options).run(); }

bool read_text_once(const Model& model, const Scan& scan, const ReadOptions& options, Sample sample, Reading& out) {
    return Reader(model, scan, options, std::move(sample)).run_text(out);
}

Reading read_sentences(const Model& model, const Scan& scan, const ReadOptions& options, Reading page_totals) {
    return Reader(model, scan, options).run(std::move(page_totals));
}

}  // namespace webtongue
