#include "text/pieces.hpp"

#include <algorithm>

#include "text/sentences.hpp"

namespace webtongue {
namespace {

constexpr int kPasses = 3;
constexpr int32_t kLog256 = 5678;  // ln(256), 1/1024 nats
constexpr int64_t kSwitch = 2 * NATS;  // how unlikely it is that a language changes between two sentences of one block

constexpr uint32_t kOwnScript = 25;    // hundredths of a piece's letters in the page's script that make the others names in it
constexpr double kSure = 0.9;          // of a piece that only has to be in some language of its script

constexpr uint32_t kTermLetters = 20;  // below this they say nothing

struct Candidate {
    int32_t label;
    int64_t chance;   // log, without a norm
    size_t before = 0;  // the candidate of the piece before that leads here
};

class PieceJudge {
public:
    PieceJudge(const PieceContext& context, const std::vector<PieceRead>& found, int32_t page)
        : context_(context), found_(found), page_(page), labels_(found.size(), kNoLabel) {
        if (page != kNoLabel) shares_.push_back({page, 1.0});
    }

    // A piece is in the language that its text and the rest of the page make likeliest: what other pieces are in is a better prior than
    // what the web is in, and a few passes settle both.
    std::vector<int32_t> run() {
        for (int pass = 0; pass < kPasses; ++pass) {
            for (size_t first = 0, last; first < found_.size(); first = last) {
                for (last = first + 1; last < found_.size() && context_.sample.pieces[last].goes_on;) ++last;
                label_block(first, last);
            }
            estimate_shares();
        }
        return std::move(labels_);
    }

private:
    // The likeliest labels of neighbouring sentences together: a change of language costs something.
    void label_block(size_t first, size_t last) {
        const auto is_plain = [](const PieceRead& found) { return found.plain; };
        if (last - first == 1 || std::all_of(&found_[first], &found_[first] + (last - first), is_plain)) {  // most blocks
            for (size_t i = first; i < last; ++i) labels_[i] = label_alone(found_[i]);
            return;
        }
        std::vector<std::vector<Candidate>> path;
        std::vector<size_t> pieces;
        for (size_t i = first; i < last; ++i) {
            labels_[i] = kNoLabel;
            std::vector<Candidate> here;
            each_candidate(found_[i], [&](int32_t label, int64_t chance) { here.push_back({label, chance}); });
            if (here.empty()) continue;
            if (!path.empty()) follow(path.back(), here);
            path.push_back(std::move(here));
            pieces.push_back(i);
        }
        if (path.empty()) return;
        size_t at = best_of(path.back());
        for (size_t k = path.size(); k-- > 0;) {
            labels_[pieces[k]] = path[k][at].label;
            at = path[k][at].before;
        }
    }

    int32_t label_alone(const PieceRead& found) const {
        int32_t best = kNoLabel;
        int64_t most = 0;
        each_candidate(found, [&](int32_t label, int64_t chance) {
            if (best == kNoLabel || chance > most) best = label, most = chance;
        });
        return best;
    }

    static size_t best_of(const std::vector<Candidate>& of) {
        return static_cast<size_t>(
            std::max_element(of.begin(), of.end(), [](const Candidate& a, const Candidate& b) { return a.chance < b.chance; }) -
            of.begin());
    }

    static void follow(const std::vector<Candidate>& before, std::vector<Candidate>& here) {
        const size_t best = best_of(before);
        for (Candidate& candidate : here) {
            candidate.before = best;
            int64_t most = before[best].chance - kSwitch;
            for (size_t i = 0; i < before.size(); ++i)
                if (before[i].label == candidate.label && before[i].chance >= most) candidate.before = i, most = before[i].chance;
            candidate.chance += most;
        }
    }

    // Labels that a piece may have and their chances; the page's languages may come twice.
    template <class Take>
    void each_candidate(const PieceRead& found, Take&& take) const {
        if (found.letters < kPieceLetters) return;
        if (found.plain) return take(page_, 0);
        if (!found.is_language) return;
        if (are_terms(found)) return take(page_, 0);
        for (const Guess& guess : found.guesses) take(int32_t{guess.label}, chance(found, guess.label));
        for (const auto& share : shares_)
            if (context_.model.group_of(static_cast<size_t>(share.first)) == found.group) take(share.first, chance(found, share.first));
    }

    // Latin letters in a page of another script: names and terms, unless they are nearly all of the piece and plainly in one language.
    bool are_terms(const PieceRead& found) const {
        if (page_ == kNoLabel || found.group != ASCII_LETTERS.group) return false;
        const uint8_t group = context_.model.group_of(static_cast<size_t>(page_));
        if (group == found.group) return false;
        if (found.letters < kTermLetters) return true;
        if (found.scorer->letters_in(group) * letter_weight(group) * 100 >= found.letters * letter_weight(found.group) * kOwnScript)
            return true;
        double sure = 0;
        const auto cluster = [this](const Guess& guess) { return context_.model.info(guess.label).slot / LANES_PER_ROW; };
        for (const Guess& guess : found.guesses)
            if (cluster(guess) == cluster(found.guesses.front())) sure += chance_of(guess.log_prob);
        return sure < kSure;
    }

    int64_t chance(const PieceRead& found, int32_t label) const {
        const uint16_t slot = context_.model.info(static_cast<size_t>(label)).slot;
        const auto place = std::find(context_.clusters.begin(), context_.clusters.end(), slot / LANES_PER_ROW) - context_.clusters.begin();
        const int64_t score = found.totals[static_cast<size_t>(place) * LANES_PER_ROW + slot % LANES_PER_ROW];
        return (score * found.scale >> 16) + page_prior(label);
    }

    // The log of a label's chance on this page: what the page has of it, and a little of what the web has.
    int32_t page_prior(int32_t label) const {
        const int32_t web = context_.priors.likely(context_.model.info(static_cast<size_t>(label)).slot) - context_.foreign;
        for (const auto& share : shares_)
            if (share.first == label) {
                const auto part = static_cast<uint64_t>(share.second * 256 * 1073741824.0);
                return std::max(web, static_cast<int32_t>(context_.model.log_of(part) - kLog256));
            }
        return web;
    }

    void estimate_shares() {
        std::vector<std::pair<int32_t, double>> shares;
        double total = 0;
        for (size_t i = 0; i < labels_.size(); ++i) {
            if (labels_[i] == kNoLabel) continue;
            const double weight = context_.sample.pieces[i].weight;
            total += weight;
            const auto at = std::find_if(shares.begin(), shares.end(), [&](const auto& s) { return s.first == labels_[i]; });
            if (at == shares.end()) shares.push_back({labels_[i], weight});
            else at->second += weight;
        }
        if (shares.empty()) return;
        for (auto& share : shares) share.second /= total;
        shares_ = std::move(shares);
    }

    const PieceContext& context_;
    const std::vector<PieceRead>& found_;
    const int32_t page_;
    std::vector<int32_t> labels_;
    std::vector<std::pair<int32_t, double>> shares_;
};

// Two pieces that begin together need a place each: the second goes behind the first, or takes the second half of it.
void place_behind(JudgedPiece& before, JudgedPiece& piece) {
    if (piece.page_end > before.page_end) {
        piece.page_begin = before.page_end;
        return;
    }
    piece.page_end = before.page_end;
    piece.page_begin = before.page_end = before.page_begin + (before.page_end - before.page_begin) / 2;
}

}  // namespace

std::vector<int32_t> label_pieces(const PieceContext& context, const std::vector<PieceRead>& found, int32_t page) {
    return PieceJudge(context, found, page).run();
}

std::vector<Share> sum_shares(const std::vector<JudgedPiece>& pieces) {
    std::vector<Share> out;
    for (const JudgedPiece& piece : pieces) {
        if (piece.label == kNoLabel || piece.aside) continue;
        const auto share = std::find_if(out.begin(), out.end(), [&](const Share& s) { return s.label == piece.label; });
        if (share == out.end()) out.push_back({piece.label, piece.weight});
        else share->letters += piece.weight;
    }
    std::stable_sort(out.begin(), out.end(), [](const Share& a, const Share& b) { return a.letters > b.letters; });
    return out;
}

std::vector<JudgedPiece> join_pieces(std::vector<JudgedPiece> pieces) {
    std::stable_sort(pieces.begin(), pieces.end(), [](const JudgedPiece& a, const JudgedPiece& b) {
        return a.page_begin != b.page_begin ? a.page_begin < b.page_begin : a.page_end < b.page_end;
    });
    std::vector<JudgedPiece> out;
    for (JudgedPiece& piece : pieces) {
        if (piece.label == kNoLabel) continue;
        if (!out.empty() && out.back().label == piece.label) {
            out.back().page_end = std::max(out.back().page_end, piece.page_end);
            out.back().weight += piece.weight;
            continue;
        }
        if (!out.empty() && piece.page_begin <= out.back().page_begin) place_behind(out.back(), piece);
        else if (!out.empty())
            out.back().page_end = std::min(out.back().page_end, piece.page_begin);  // a sampled piece may reach into the next
        out.push_back(piece);
    }
    return out;
}

}  // namespace webtongue
