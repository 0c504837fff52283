#include "text/reader.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "text/alone.hpp"
#include "text/asked.hpp"
#include "text/boilerplate.hpp"
#include "text/headings.hpp"
#include "text/nonlanguage.hpp"
#include "text/pieces.hpp"
#include "text/sentences.hpp"
#include "text/simd.hpp"

namespace webtongue {
namespace {

constexpr size_t kPieceGuesses = 6;
constexpr size_t kOwnClusters = 4;    // of a piece that are looked at
constexpr size_t kSentenceClusters = 2;  // of a sentence that it is scored in, whatever the rest of the page is scored in
constexpr int32_t kNearEnough = NATS * 4 / 3;  // by how much a piece's own best cluster may be ahead of the page's
constexpr uint64_t kFeaturesInByte = 2;
constexpr int kThinnest = 3;
constexpr int32_t kPieceWindow = 5 * NATS;
constexpr int64_t kPieceTrust = 75;   // hundredths: forty characters out of a page, names and headings among them, are no clean sentence
constexpr uint64_t kMostlyPlain = 50; // hundredths of the running text that must be in the page's language for a first_pass to do
constexpr size_t kList = 200;          // bytes of a text that has room for a list, which reads like language
constexpr int32_t kAloneUnknown = 500;  // hundredths of a nat: letters of a script that its one language does not put together so
constexpr int32_t kKnown = -100;       // hundredths of a nat: an unknown language is less likely than that for a piece that hardly fits
constexpr size_t kMostCut = 4096;      // bytes of a text that is cut into sentences: longer ones are read as pages are
constexpr size_t kJunkSample = 4096;  // bytes of text shown to the search for junk

// Look-alikes among the guesses are told apart, and what else the best one goes by, from the text that they are of.
void judge_guesses(const Model& model, const Span* read, size_t count, int thinness, Reading& out) {
    ask_decisive(model, read, count, out.guesses);
    out.score = out.guesses.front().score;
    out.poor_fit = is_poor_fit(model, out.guesses.front(), out.features, out.unseen);
    out.doubt = doubt(model, {out.guesses, out.elsewhere, out.features, out.unseen, read, count, thinness});
    if (!reads_alone(out.group, read, count)) out.doubt.unknown = kAloneUnknown;
    out.weigh(running_words(out.group, read, count));
}

class Reader {
public:
    Reader(const Model& model, const Scan& scan, const ReadOptions& options)
        : model_(model), scan_(scan), options_(options), sample_(take_sample(scan, options.sample)) {}

    // A text that was read as a whole, once more sentence by sentence.
    Reading run(Reading whole) {
        found_.resize(sample_.pieces.size());
        out_ = std::move(whole);
        settled_ = true;
        for (const Guess& guess : out_.guesses) add_cluster(static_cast<uint8_t>(model_.info(guess.label).slot / LANES_PER_ROW));
        uint64_t features = 0;
        for (uint32_t i = 0; i < found_.size(); ++i) {
            unread_.push_back(i);
            read_piece(i);
            features += found_[i].features;
        }
        if (out_.features < features) fresh_ = static_cast<uint32_t>(out_.features * uint64_t{kAllFresh} / features);
        choose_clusters();
        judge_page();
        judge_pieces();
        choose_main();
        return std::move(out_);
    }

    Reading run() {
        if (is_boilerplate(sample_, *options_.policy)) return read_boilerplate(model_, scan_, sample_, *options_.policy);
        uint64_t bytes = 0;
        for (const Stretch& stretch : sample_.stretches) bytes += stretch.end - stretch.begin;
        while (thinness_ < kThinnest && (bytes * kFeaturesInByte) >> thinness_ > options_.budget) ++thinness_;
        found_.resize(sample_.pieces.size());
        take_first_pass();
        for (const uint32_t i : unread_) read_piece(i);
        choose_clusters();
        judge_page();
        judge_pieces();
        choose_main();
        find_junk();
        judge_title_alone(scan_, out_);
        judge_notice(model_, scan_, *options_.policy, out_);
        keep_asked_guesses(model_, *options_.priors, out_);
        return std::move(out_);
    }

private:
    // What a first look says of the page, if that will do; `unread_` are the pieces that have to be read in full.
    void take_first_pass() {
        FirstPass first_pass(model_, scan_, sample_, *options_.priors);
        const bool read = first_pass.read(local_scorer(model_, 0));
        fresh_ = first_pass.fresh();
        out_.mixed_words = first_pass.mixed_words();
        settled_ = options_.wanted.empty() && read && plain_share(first_pass) >= kMostlyPlain && take_outcome(first_pass);
        for (uint32_t i = 0; i < found_.size(); ++i) {
            found_[i].plain = settled_ && first_pass.pieces()[i].plain;
            if (found_[i].plain) found_[i].letters = first_pass.pieces()[i].letters;
            else unread_.push_back(i);
        }
    }

    // False where the text may be in no language that is known: too little was read to say that.
    bool take_outcome(const FirstPass& first_pass) {
        const Outcome& seen = first_pass.outcome();
        take_counts(seen, seen.group, seen.group_letters);
        out_.guesses = seen.guesses;
        out_.elsewhere = seen.elsewhere;
        judge_best();
        if (out_.doubt.unknown > 0) return false;
        for (size_t i = 0; i < first_pass.chosen().count; ++i) add_cluster(first_pass.chosen().cluster[i]);
        return true;
    }

    // Of the running text, in hundredths.
    uint64_t plain_share(const FirstPass& first_pass) const {
        uint64_t all = 1, plain = 0;
        for (size_t i = 0; i < found_.size(); ++i) {
            if (sample_.pieces[i].aside) continue;
            all += sample_.pieces[i].weight;
            if (first_pass.pieces()[i].plain) plain += sample_.pieces[i].weight;
        }
        return plain * 100 / all;
    }

    void take_counts(const Outcome& counts, uint8_t group, uint32_t group_letters) {
        out_.group = group;
        out_.group_letters = group_letters;
        out_.features = counts.features;
        out_.unseen = counts.unseen;
        out_.letters = counts.letters;
        out_.written = counts.written;
    }

    void read_piece(uint32_t i) {
        PieceRead& found = found_[i];
        found.scorer = &local_scorer(model_, i + 1);
        found.scorer->thin_out(thinness_);
        const Piece& piece = sample_.pieces[i];
        for (uint32_t s = piece.first_stretch; s < piece.last_stretch; ++s) {
            const Stretch& stretch = sample_.stretches[s];
            found.scorer->add(reinterpret_cast<const char*>(scan_.text.get()) + stretch.begin, stretch.end - stretch.begin);
        }
        const Outcome counts = found.scorer->count();
        found.letters = counts.letters;
        found.features = counts.features;
        found.unseen = counts.unseen;
        found.scale = static_cast<int32_t>(model_.scale_after(found.features, 1) * kPieceTrust / 100);
        found.group = found.scorer->heaviest_group(*options_.priors);
    }

    // The likeliest of the running text, and the likeliest of a piece where none of these will do for it.
    void choose_clusters() {
        if (!settled_) choose_for_page();
        for (const uint16_t label : options_.wanted) add_cluster(static_cast<uint8_t>(model_.info(label).slot / LANES_PER_ROW));
        for (const uint32_t i : unread_) {
            const PieceRead& found = found_[i];
            if (found.group == SCRIPT_COMMON || found.letters < kPieceLetters) continue;
            const Choice own = found.scorer->choose(found.group, *options_.priors, kOwnClusters);
            if (own.count > 0 && !near_enough(own)) add_cluster(own.cluster[0]);
            for (size_t k = 0; k < kSentenceClusters && k < own.count && sample_.whole; ++k) add_cluster(own.cluster[k]);
        }
    }

    void choose_for_page() {
        Scorer& whole = local_scorer(model_, 0);
        for (size_t i = 0; i < found_.size(); ++i)
            if (!sample_.pieces[i].aside) whole.absorb(*found_[i].scorer);
        const uint8_t group = whole.heaviest_group(*options_.priors);
        take_counts(whole.count(), group, whole.letters_in(group));
        if (out_.group != SCRIPT_COMMON) {
            const Choice page = whole.choose(out_.group, *options_.priors, kPageClusters);
            for (size_t i = 0; i < page.count; ++i) add_cluster(page.cluster[i]);
        }
    }

    // Whether one of the page's clusters is as good as the piece's own best, or nearly.
    bool near_enough(const Choice& own) const {
        for (size_t i = 0; i < own.count && own.upper_bound[i] >= own.upper_bound[0] - kNearEnough; ++i)
            if (std::find(clusters_.begin(), clusters_.end(), own.cluster[i]) != clusters_.end()) return true;
        return false;
    }

    void add_cluster(uint8_t cluster) {
        if (clusters_.size() < kMostScored && std::find(clusters_.begin(), clusters_.end(), cluster) == clusters_.end())
            clusters_.push_back(cluster);
    }

    void judge_page() {
        const size_t slots = clusters_.size() * LANES_PER_ROW;
        std::vector<int32_t> whole(slots, 0);
        totals_.resize(unread_.size() * slots);
        for (size_t at = 0; at < unread_.size(); ++at) {
            const size_t i = unread_[at];
            PieceRead& found = found_[i];
            if (found.group == SCRIPT_COMMON) continue;
            found.totals = totals_.data() + at * slots;
            found.scorer->score_in(clusters_.data(), clusters_.size(), found.totals);
            int32_t elsewhere = 0;
            found.guesses = rank_scores(model_, clusters_.data(), clusters_.size(), found.totals, found.group, found.features,
                                        *options_.priors, kPieceGuesses, kPieceWindow, &elsewhere);
            found.is_language = is_language(i, elsewhere);
            if (!sample_.pieces[i].aside)
                for (size_t slot = 0; slot < slots; ++slot) whole[slot] += found.totals[slot];
        }
        if (out_.group == SCRIPT_COMMON || settled_) return;
        count_once(fresh_, out_.features, out_.unseen, whole.data(), whole.size());
        out_.guesses = rank_scores(model_, clusters_.data(), clusters_.size(), whole.data(), out_.group, out_.features, *options_.priors,
                                   kPageGuesses, kWindow, &out_.elsewhere, options_.wanted);
        judge_best();
    }

    // Whether a piece reads like text of its best label. A sentence may also hold many names: then it is asked as a text would be.
    bool is_language(size_t i, int32_t elsewhere) {
        PieceRead& found = found_[i];
        if (found.guesses.empty()) return false;
        if (fits(model_, found.guesses.front(), found.features, found.unseen, kPieceSlack)) return true;
        if (!sample_.whole || found.letters < kSentenceLetters || is_poor_fit(model_, found.guesses.front(), found.features, found.unseen))
            return false;
        std::vector<Span> read;
        add_stretches(i, read);
        return unknown_score(model_, {found.guesses, elsewhere, found.features, found.unseen, read.data(), read.size(), thinness_}) <=
               kKnown;
    }

    void add_stretches(size_t i, std::vector<Span>& out) const {
        const Byte* text = scan_.text.get();
        for (uint32_t s = sample_.pieces[i].first_stretch; s < sample_.pieces[i].last_stretch; ++s)
            out.push_back({text + sample_.stretches[s].begin, text + sample_.stretches[s].end});
    }

    // What else the best guess goes by, from the running text that `wanted` says.
    template <class Wanted>
    void judge_best(Wanted&& wanted) {
        if (out_.guesses.empty()) return;
        std::vector<Span> read;
        for (size_t i = 0; i < sample_.pieces.size(); ++i)
            if (!sample_.pieces[i].aside && wanted(i)) add_stretches(i, read);
        judge_guesses(model_, read.data(), read.size(), thinness_, out_);
    }
    void judge_best() {
        judge_best([](size_t) { return true; });
    }

    // The main language is the one that hints say, or what holds most of the running text; of two that hold it alike, the one that the
    // title is in, or the headings. Where the text as a whole reads like another, or like none since it is a mixture, it is
    // read again for the main one alone.
    void choose_main() {
        if (out_.shares.empty() || out_.guesses.empty() || out_.unasked != kNoLabel) return;
        if (out_.shares.size() == 1 && out_.shares.front().label == out_.guesses.front().label) return;  // most pages
        const std::vector<Holder> holders = holders_of(*options_.policy, out_.shares);
        int32_t main = holders[0].label;
        if (const int32_t hinted = among(holders, options_.main); hinted != kNoLabel) {
            main = out_.preferred = hinted;
            out_.filed_by_hints = hinted != holders[0].label;
        } else if (are_level(*options_.policy, holders)) {
            out_.preferred = preferred_by_headings(model_, scan_, holders[0].label, holders[1].label);
            if (out_.preferred != kNoLabel) main = out_.preferred;
        }
        const bool mixed = holders.size() > 1 && holders[1].share >= options_.policy->second;
        if (!are_alike(*options_.policy, main, out_.guesses.front().label) || (mixed && out_.doubt.unknown > 0)) rank_main(main);
    }

    // The language of a page that is a label or its look-alike.
    int32_t among(const std::vector<Holder>& holders, int32_t label) const {
        if (label == kNoLabel) return kNoLabel;
        const auto same = [&](const Holder& h) { return are_alike(*options_.policy, h.label, label); };
        const auto found = std::find_if(holders.begin(), holders.end(), same);
        return found == holders.end() ? kNoLabel : found->label;
    }

    // Guesses from the pieces that are in a language or its look-alikes.
    void rank_main(int32_t main) {
        const auto is_main = [&](size_t i) {
            return found_[i].totals && out_.pieces[i].label != kNoLabel && are_alike(*options_.policy, out_.pieces[i].label, main);
        };
        std::vector<int32_t> whole(clusters_.size() * LANES_PER_ROW, 0);
        Outcome counts;
        for (size_t i = 0; i < found_.size(); ++i) {
            if (sample_.pieces[i].aside || !is_main(i)) continue;
            for (size_t slot = 0; slot < whole.size(); ++slot) whole[slot] += found_[i].totals[slot];
            counts.features += found_[i].features;
            counts.unseen += found_[i].unseen;
            counts.letters += found_[i].letters;
        }
        count_once(fresh_, counts.features, counts.unseen, whole.data(), whole.size());
        const uint8_t group = model_.group_of(static_cast<size_t>(main));
        std::vector<Guess> guesses = rank_scores(model_, clusters_.data(), clusters_.size(), whole.data(), group, counts.features,
                                                 *options_.priors, kPageGuesses, kWindow, &counts.elsewhere, options_.wanted);
        if (counts.features == 0 || guesses.empty() || !are_alike(*options_.policy, guesses.front().label, main)) return;
        counts.written = group;
        take_counts(counts, group, counts.letters);
        out_.guesses = std::move(guesses);
        out_.elsewhere = counts.elsewhere;
        judge_best(is_main);
    }

    void judge_pieces() {
        const int32_t page = out_.guesses.empty() ? kNoLabel : out_.guesses.front().label;
        const std::vector<int32_t> labels = label_pieces({model_, *options_.priors, sample_, clusters_, options_.foreign}, found_, page);
        for (size_t i = 0; i < found_.size(); ++i) {
            const Piece& piece = sample_.pieces[i];
            const Block &first = scan_.blocks[piece.first_block], &last = scan_.blocks[piece.last_block - 1];
            // Text of attributes comes after the visible text, wherever it stands in the page.
            const uint32_t begin =
                std::min(page_begin_of(scan_, sample_, piece), last.page_begin < first.page_begin ? last.page_begin : UINT32_MAX);
            out_.pieces.push_back({begin, std::max(first.page_end, last.page_end), piece.weight, labels[i], piece.aside});
        }
        keep_asked_pieces(model_, *options_.priors, out_);
        out_.shares = sum_shares(out_.pieces);
    }

    void find_junk() {
        if (out_.letters < kPieceLetters) {  // next to nothing to read: what is there instead?
            out_.junk = look_for_junk({scan_.text.get(), scan_.text.get() + scan_.visible_size});
            return;
        }
        std::vector<Byte> text;
        for (const Stretch& stretch : sample_.stretches) {
            if (text.size() >= kJunkSample) break;
            text.insert(text.end(), scan_.text.get() + stretch.begin, scan_.text.get() + stretch.end);
            text.push_back('\n');
        }
        look_for_nonlanguage(model_, {text.data(), text.data() + text.size()}, false, out_);
        keep_prose(scan_, *options_.policy, out_);
    }

    const Model& model_;
    const Scan& scan_;
    const ReadOptions& options_;
    Sample sample_;
    Clusters clusters_;
    std::vector<int32_t> totals_;
    std::vector<PieceRead> found_;
    Reading out_;
    std::vector<uint32_t> unread_;
    bool settled_ = false;
    uint32_t fresh_ = kAllFresh;
    int thinness_ = 0;
};

}  // namespace

Reading read_page(const Model& model, const Scan& scan, const ReadOptions& options) { return Reader(model, scan, options).run(); }

namespace {

// A text as a page of one block.
Scan scan_of(Span utf8) {
    Scan out;
    out.text.reset(static_cast<Byte*>(std::malloc(utf8.size())));
    if (!out.text) throw std::bad_alloc();
    std::memcpy(out.text.get(), utf8.begin, utf8.size());
    out.text_size = out.visible_size = utf8.size();
    const auto size = static_cast<uint32_t>(utf8.size());
    out.blocks.push_back({size, 0, size, 0, Kind::paragraph, 0});
    return out;
}

Reading read_sentences(const Model& model, Span utf8, const Priors& priors, const Policy& policy, Reading whole) {
    ReadOptions options;
    options.priors = &priors;
    options.policy = &policy;
    options.sample.whole = kMostCut;
    const Scan scan = scan_of(utf8);
    return Reader(model, scan, options).run(std::move(whole));
}

}  // namespace

Reading read_text(const Model& model, Span utf8, const Priors& priors, const Policy* policy, size_t guesses) {
    Reading out;
    Scorer& scorer = local_scorer(model, 0);
    out.mixed_words = scorer.add(reinterpret_cast<const char*>(utf8.begin), utf8.size());
    Outcome outcome = scorer.rank(guesses, priors);
    out.guesses = std::move(outcome.guesses);
    out.written = outcome.written;
    out.features = outcome.features;
    out.unseen = outcome.unseen;
    out.letters = outcome.letters;
    out.group = outcome.group;
    out.group_letters = outcome.group_letters;
    out.elsewhere = outcome.elsewhere;
    if (!out.guesses.empty()) judge_guesses(model, &utf8, 1, 0, out);
    std::vector<uint32_t> cuts;
    if (policy && !out.guesses.empty() && utf8.size() <= kMostCut) cut_sentences(utf8, cuts);
    if (!cuts.empty()) out = read_sentences(model, utf8, priors, *policy, std::move(out));
    look_for_nonlanguage(model, utf8, utf8.size() >= kList, out);
    keep_asked_guesses(model, priors, out);
    return out;
}

}  // namespace webtongue
