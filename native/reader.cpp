#include "reader.hpp"

#include <algorithm>

#include "misread.hpp"

namespace webtongue {
namespace {

constexpr size_t kPageGuesses = 16;
constexpr size_t kPieceGuesses = 8;
constexpr int kPasses = 3;
constexpr int32_t kLog256 = 5678;     // ln(256), 1/1024 nats
constexpr int kPieceSlack = 30;       // hundredths: short text scatters more than the text the bounds were taken from
constexpr size_t kJunkSample = 4096;  // bytes of text shown to the search for junk

struct PieceGuesses {
    std::vector<Guess> guesses;
    std::vector<int32_t> totals;  // of all slots: the page may turn out to be in a language that was no guess
    uint32_t letters = 0, features = 0, unseen = 0;
    int32_t heat = 0;
    uint8_t group = 0;
    bool read = false;
};

// 0, n/2, n/4, 3n/4, ...: whatever number is read, it is spread over the page.
std::vector<uint32_t> spread(uint32_t n) {
    std::vector<uint32_t> order;
    uint32_t top = 1;
    while (top < n) top *= 2;
    for (uint32_t i = 0; i < top; ++i) {
        uint32_t reversed = 0;
        for (uint32_t bit = 1, from = i; bit < top; bit *= 2, from /= 2) reversed = reversed * 2 + (from & 1);
        if (reversed < n) order.push_back(reversed);
    }
    return order;
}

class Reader {
public:
    Reader(const Model& model, const Scan& scan, const ReadOptions& options)
        : model_(model), scan_(scan), options_(options), whole_(local_scorer(model, 0)), part_(local_scorer(model, 1)),
          sample_(take_sample(scan, options.sample)) {}

    PageReading run(bool stop_early) {
        found_.resize(sample_.pieces.size());
        uint64_t bytes = 0;
        for (const Stretch& stretch : sample_.stretches) bytes += stretch.end - stretch.begin;
        thinness_ = (bytes >= options_.plenty[0]) + (bytes >= options_.plenty[1]);
        const std::vector<uint32_t> order = spread(static_cast<uint32_t>(sample_.pieces.size()));
        uint32_t read = 0, few = options_.few;
        for (const uint64_t size : options_.longer) few += sample_.eligible >= size;
        for (const uint32_t i : order) {
            read_piece(i);
            if (stop_early && ++read >= few && read < order.size() && agreed_ && first_ != kNoLabel &&
                settled()) {
                out_.early = true;
                break;
            }
        }
        judge_page();
        judge_pieces();
        sum_shares();
        find_junk();
        return std::move(out_);
    }

private:
    bool settled() {
        const std::vector<Guess> best = whole_.rank(2, *options_.priors).guesses;
        return !best.empty() && (best.size() < 2 || best[0].log_prob - best[1].log_prob >= options_.settled);
    }

    void read_piece(uint32_t i) {
        part_.reset();
        part_.thin_out(thinness_);
        const Piece& piece = sample_.pieces[i];
        for (uint32_t s = piece.first_stretch; s < piece.last_stretch; ++s) {
            const Stretch& stretch = sample_.stretches[s];
            part_.add(reinterpret_cast<const char*>(scan_.text.get()) + stretch.begin, stretch.end - stretch.begin);
        }
        Outcome outcome = part_.rank(kPieceGuesses, *options_.priors);
        whole_.absorb(part_);
        PieceGuesses& found = found_[i];
        found.letters = outcome.letters;
        found.features = outcome.features;
        found.unseen = outcome.unseen;
        found.group = outcome.group;
        found.heat = part_.heat();
        found.totals.assign(part_.totals(), part_.totals() + part_.slot_count());
        found.guesses = std::move(outcome.guesses);
        found.read = true;
        if (found.guesses.empty() || found.letters < options_.letters) return;
        const int32_t label = found.guesses.front().label;
        if (first_ == kNoLabel) first_ = label;
        agreed_ &= label == first_;
    }

    void judge_page() {
        Outcome outcome = whole_.rank(kPageGuesses, *options_.priors);
        out_.guesses = std::move(outcome.guesses);
        out_.features = outcome.features;
        out_.unseen = outcome.unseen;
        out_.letters = outcome.letters;
        out_.group = outcome.group;
        out_.group_letters = outcome.group_letters;
        if (out_.guesses.empty()) return;
        out_.score = out_.guesses.front().score;
        out_.bold = options_.priors->too_bold(model_, out_.guesses.front(), out_.letters);
    }

    // A piece is in the language that its text and the rest of the page make likeliest: what other pieces are in is
    // a better prior than what the web is in, and a few passes settle both.
    void judge_pieces() {
        if (!out_.guesses.empty()) shares_.push_back({out_.guesses.front().label, 1.0});
        std::vector<int32_t> labels(found_.size(), kNoLabel);
        for (int pass = 0; pass < kPasses; ++pass) {
            for (size_t i = 0; i < found_.size(); ++i) labels[i] = label_of(found_[i]);
            estimate_shares(labels);
        }
        for (size_t i = 0; i < found_.size(); ++i) {
            const Piece& piece = sample_.pieces[i];
            out_.pieces.push_back({scan_.blocks[piece.first_block].page_begin, scan_.blocks[piece.last_block - 1].page_end,
                                   piece.weight, labels[i]});
        }
    }

    void estimate_shares(const std::vector<int32_t>& labels) {
        std::vector<std::pair<int32_t, double>> shares;
        double total = 0;
        for (size_t i = 0; i < labels.size(); ++i) {
            if (labels[i] == kNoLabel) continue;
            total += sample_.pieces[i].weight;
            auto at = std::find_if(shares.begin(), shares.end(), [&](const auto& s) { return s.first == labels[i]; });
            if (at == shares.end()) shares.push_back({labels[i], sample_.pieces[i].weight});
            else at->second += sample_.pieces[i].weight;
        }
        if (shares.empty()) return;
        for (auto& share : shares) share.second /= total;
        shares_ = std::move(shares);
    }

    // The log of a label's chance on this page: what the page has of it, and a little of what the web has.
    int32_t page_prior(int32_t label) const {
        const int32_t web = options_.priors->by_slot[model_.info(static_cast<size_t>(label)).slot] - options_.strange;
        for (const auto& share : shares_)
            if (share.first == label) return std::max(web, static_cast<int32_t>(model_.log_of(static_cast<uint64_t>(share.second * 256 * 1073741824.0)) - kLog256));
        return web;
    }

    int32_t label_of(const PieceGuesses& found) const {
        if (!found.read) return shares_.empty() ? kNoLabel : shares_.front().first;
        if (found.letters < options_.letters || found.guesses.empty()) return kNoLabel;
        if (!fits(model_, found.guesses.front(), found.features, found.unseen, kPieceSlack)) return kNoLabel;
        int32_t best = kNoLabel;
        int64_t most = 0;
        const auto consider = [&](int32_t label) {
            const int64_t score = found.totals[model_.info(static_cast<size_t>(label)).slot];
            const int64_t chance = (score * found.heat >> 16) + page_prior(label);
            if (best == kNoLabel || chance > most) best = label, most = chance;
        };
        for (const Guess& guess : found.guesses) consider(guess.label);
        for (const auto& share : shares_)
            if (model_.group_of(static_cast<size_t>(share.first)) == found.group) consider(share.first);
        return best;
    }

    void sum_shares() {
        for (const JudgedPiece& piece : out_.pieces) {
            const int32_t label = piece.label;
            if (label == kNoLabel) continue;
            auto share = std::find_if(out_.shares.begin(), out_.shares.end(), [label](const auto& s) { return s.first == label; });
            if (share == out_.shares.end()) out_.shares.push_back({label, piece.weight});
            else share->second += piece.weight;
        }
        std::stable_sort(out_.shares.begin(), out_.shares.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    }

    // Text that reads as text of its language does, and has no signs of code, is language: the rest is looked into.
    void find_junk() {
        if (out_.letters < options_.letters) {  // next to nothing to read: what is there instead?
            out_.junk = look_for_junk({scan_.text.get(), scan_.text.get() + scan_.visible_size});
            return;
        }
        std::vector<Byte> text;
        for (const Stretch& stretch : sample_.stretches) {
            if (text.size() >= kJunkSample) break;
            text.insert(text.end(), scan_.text.get() + stretch.begin, scan_.text.get() + stretch.end);
            text.push_back('\n');
        }
        const Span shown{text.data(), text.data() + text.size()};
        out_.misread = looks_misread(shown);
        const bool fit = !out_.guesses.empty() && fits(model_, out_.guesses.front(), out_.features, out_.unseen, 0);
        if (!fit || !looks_plain(shown)) out_.junk = look_for_junk(shown);
    }

    const Model& model_;
    const Scan& scan_;
    const ReadOptions& options_;
    Scorer &whole_, &part_;
    Sample sample_;
    std::vector<PieceGuesses> found_;
    PageReading out_;
    std::vector<std::pair<int32_t, double>> shares_;
    int32_t first_ = kNoLabel;
    bool agreed_ = true;
    int thinness_ = 0;
};

}  // namespace

bool fits(const Model& model, const Guess& best, uint32_t features, uint32_t unseen, int slack) {
    const LabelInfo& info = model.info(best.label);
    return int64_t{best.score} * 1600 >= int64_t{info.low_score} * features * (100 - slack) &&
           uint64_t{unseen} * 6553500 <= uint64_t{info.high_unseen} * features * static_cast<uint64_t>(100 + slack);
}

PageReading read_page(const Model& model, const Scan& scan, const ReadOptions& options, bool stop_early) {
    return Reader(model, scan, options).run(stop_early);
}

}  // namespace webtongue
