#include "text/first_pass.hpp"

#include <algorithm>

#include "text/features.hpp"
#include "text/unknown_language.hpp"

namespace webtongue {
namespace {

constexpr uint32_t kFirst = 80;              // places that are looked at first, at least, where there are so many
constexpr uint32_t kWidest = 8;              // of so many places one is looked at, at first
constexpr uint32_t kNarrowest = 4;           // and in the end
constexpr int32_t kSure = -NATS / 100;       // log-probability at which no more places are looked at
constexpr int32_t kCommon = NATS;            // behind the likeliest label, by priors: a language that may be on any page
constexpr int kBesideAll = 50;               // hundredths of what all pieces have for a feature that a piece must have
constexpr int kAhead = 5;                    // hundredths by which a piece's score must be ahead of all rivals'

// Of a piece, each once.
struct Keys {
    std::vector<uint64_t>& keys;
    Repeats& repeats;
    uint16_t piece;
    void feature(uint64_t key, int, uint8_t) {
        if (repeats.is_new(key, piece)) keys.push_back(key);
    }
};

}  // namespace

void count_once(uint32_t fresh, uint32_t& features, uint32_t& unseen, int32_t* totals, size_t slots) {
    const auto part = [fresh](uint32_t of) { return static_cast<uint32_t>(uint64_t{of} * fresh / kAllFresh); };
    features = part(features);
    unseen = part(unseen);
    for (size_t i = 0; i < slots; ++i) totals[i] = static_cast<int32_t>(int64_t{totals[i]} * fresh / kAllFresh);
}

FirstPass::FirstPass(const Model& model, const Scan& scan, const Sample& sample, const Priors& priors)
    : model_(model), scan_(scan), sample_(sample), priors_(priors) {}

void FirstPass::read_words() {
    size_t bytes = 0;
    for (const Stretch& stretch : sample_.stretches) bytes += stretch.end - stretch.begin;
    codes_.reserve(bytes + bytes / 2 + 2);
    words_.reserve(bytes / 4 + 2);
    pieces_.reserve(sample_.pieces.size());
    for (const Piece& piece : sample_.pieces) {
        const auto first = static_cast<uint32_t>(words_.size());
        uint32_t letters = 0;
        for (uint32_t s = piece.first_stretch; s < piece.last_stretch; ++s) {
            const Stretch& stretch = sample_.stretches[s];
            mixed_words_ += each_word(reinterpret_cast<const char*>(scan_.text.get()) + stretch.begin, stretch.end - stretch.begin,
                                      [&](const char32_t* word, int length, uint8_t group) {
                                          words_.push_back({static_cast<uint32_t>(codes_.size()), static_cast<uint16_t>(length), group});
                                          codes_.insert(codes_.end(), word, word + length + 1);
                                          letters += static_cast<uint32_t>(length);
                                          return true;
                                      });
        }
        pieces_.push_back({first, static_cast<uint32_t>(words_.size()), letters, local_repeats().begin(), false});
    }
    codes_.push_back(BOUNDARY);
}

// The n-grams from every place of a piece that leaves `offset` when divided by `step`, a power of two.
void FirstPass::add_places(size_t piece, uint32_t step, uint32_t offset) {
    Keys sink{keys_, local_repeats(), pieces_[piece].number};
    for (uint32_t w = pieces_[piece].first_word; w < pieces_[piece].last_word; ++w) {
        const Word& word = words_[w];
        const char32_t* codes = &codes_[word.start];
        for (uint32_t at = (offset - word.start) & (step - 1); at <= word.length; at += step) {
            place_features(codes, word.length, static_cast<int>(at), word.group, sink);
            if (at == 0) whole_feature(codes, word.length, word.group, sink);
        }
    }
    // Sums hold so many; the rest is counted for no piece.
    piece_of_.resize(std::min(keys_.size(), piece_of_.size() + Scorer::MOST_HELD), static_cast<uint16_t>(piece));
    piece_of_.resize(keys_.size(), static_cast<uint16_t>(pieces_.size()));
}

bool FirstPass::read(Scorer& whole) {
    read_words();
    uint32_t places = 0;
    for (size_t i = 0; i < pieces_.size(); ++i) {
        if (sample_.pieces[i].aside) continue;
        for (uint32_t w = pieces_[i].first_word; w < pieces_[i].last_word; ++w) {
            places += words_[w].length + 1u;
            whole.letters(words_[w].group, words_[w].length);
        }
    }
    uint32_t widest = 1;
    while (widest < kWidest && widest * 2 * kFirst <= places) widest *= 2;
    add_pieces(false, widest, 0);
    count_fresh();
    whole.add_features(keys_.data(), keys_.size(), &kept_, 0);
    rank(whole);
    for (uint32_t step = widest; is_contested() ? step > 1 : step > kNarrowest && !is_sure(); step /= 2) {
        const size_t before = keys_.size();
        add_pieces(false, step, step / 2);
        whole.add_features(keys_.data() + before, keys_.size() - before, nullptr, 0);
        keys_.resize(before);
        piece_of_.resize(before);
        rank(whole);
    }
    if (outcome_.guesses.empty() || !fits(model_, outcome_.guesses.front(), outcome_.features, outcome_.unseen, kPieceSlack)) return false;
    const size_t before = keys_.size();
    add_pieces(true, widest, 0);
    local_scorer(model_, 1).add_features(keys_.data() + before, keys_.size() - before, &kept_, before);
    compare_pieces();
    return true;
}

// Pieces of one page repeat each other: what the page has once more says as little as what a piece has once more.
void FirstPass::count_fresh() {
    Repeats& repeats = local_repeats();
    const uint16_t page = repeats.begin();
    uint32_t fresh = 0;
    for (const uint64_t key : keys_) fresh += repeats.is_new(key, page);
    if (!keys_.empty()) fresh_ = static_cast<uint32_t>(uint64_t{fresh} * kAllFresh / keys_.size());
}

void FirstPass::add_pieces(bool aside, uint32_t step, uint32_t offset) {
    for (size_t i = 0; i < pieces_.size(); ++i)
        if (sample_.pieces[i].aside == aside) add_places(i, step, offset);
}

bool FirstPass::is_sure() const { return !outcome_.guesses.empty() && outcome_.guesses.front().log_prob >= kSure; }

// A rarer label reads better than the best one: its prior alone must not decide while there is more to read.
bool FirstPass::is_contested() const {
    return std::any_of(outcome_.guesses.begin(), outcome_.guesses.end(),
                       [this](const Guess& guess) { return guess.score > outcome_.guesses.front().score; });
}

void FirstPass::rank(Scorer& whole) {
    outcome_ = whole.count();
    outcome_.group = whole.heaviest_group(priors_);
    if (outcome_.group == SCRIPT_COMMON) return;
    outcome_.group_letters = whole.letters_in(outcome_.group);
    chosen_ = whole.choose(outcome_.group, priors_, kPageClusters);
    int32_t totals[kPageClusters * LANES_PER_ROW];
    whole.score_in(chosen_.cluster, chosen_.count, totals);
    count_once(fresh_, outcome_.features, outcome_.unseen, totals, chosen_.count * LANES_PER_ROW);
    outcome_.guesses = rank_scores(model_, chosen_.cluster, chosen_.count, totals, outcome_.group, outcome_.features, priors_, kPageGuesses,
                                   kWindow, &outcome_.elsewhere);
}

bool FirstPass::is_own_script(const Seen& piece) const {
    const auto own = [this](const Word& word) { return word.group == outcome_.group; };
    const auto first = words_.begin() + piece.first_word, last = words_.begin() + piece.last_word;
    if (std::all_of(first, last, own)) return true;
    uint32_t of[256] = {};
    for (auto word = first; word < last; ++word) of[word->group] += word->length * letter_weight(word->group);
    return std::max_element(std::begin(of), std::end(of)) - of == outcome_.group;
}

// A piece is plain unless a common language reads as well on it as the page's, or it falls far behind that one's own text.
void FirstPass::compare_pieces() {
    const LabelInfo& info = model_.info(outcome_.guesses.front().label);
    Clusters clusters{static_cast<uint8_t>(info.slot / LANES_PER_ROW)};
    for (const uint16_t slot : priors_.likeliest[outcome_.group]) {
        const auto cluster = static_cast<uint8_t>(slot / LANES_PER_ROW);
        if (slot != kNoSlot && std::find(clusters.begin(), clusters.end(), cluster) == clusters.end()) clusters.push_back(cluster);
    }
    std::vector<size_t> rivals;  // where their scores are
    for (size_t i = 0; i < clusters.size() * LANES_PER_ROW; ++i) {
        const size_t slot = clusters[i / LANES_PER_ROW] * size_t{LANES_PER_ROW} + i % LANES_PER_ROW;
        if (slot != info.slot && !priors_.barred[slot] && priors_.likely(static_cast<uint16_t>(slot)) >= priors_.highest - kCommon)
            rivals.push_back(i);
    }
    std::vector<RowSums> sums((pieces_.size() + 1) * clusters.size());
    score_each(model_, kept_, piece_of_.data(), clusters, sums.data());
    std::vector<int32_t> features(pieces_.size() + 1);
    for (const uint16_t piece : piece_of_) ++features[piece];
    int64_t all_own = 0, all_features = 0;
    for (size_t i = 0; i < pieces_.size(); ++i) {
        if (sample_.pieces[i].aside) continue;
        all_own += sums[i * clusters.size()].of[info.slot % LANES_PER_ROW];
        all_features += features[i];
    }
    for (size_t i = 0; i < pieces_.size(); ++i) {
        const int16_t* scores = sums[i * clusters.size()].of;
        const int64_t own = scores[info.slot % LANES_PER_ROW];
        int64_t rival = INT16_MIN;
        for (const size_t at : rivals) rival = std::max<int64_t>(rival, scores[at]);
        pieces_[i].plain =
            pieces_[i].letters < kPieceLetters || (is_own_script(pieces_[i]) && own * (100 - kAhead) >= rival * 100 &&
                                                   own * 1600 >= int64_t{info.low_score} * features[i] * (100 - kPieceSlack) &&
                                                   own * 100 * all_features >= all_own * features[i] * kBesideAll);
    }
}

}  // namespace webtongue
