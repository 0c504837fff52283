#include "text/decide.hpp"

#include <algorithm>

#include "text/hinted.hpp"

namespace webtongue {
namespace {

constexpr uint32_t kFeaturesOfLetter = 2;  // that a letter of a new word brings, at the least

Decision refused(Reason reason, double confidence = 0) {
    Decision out;
    out.reason = reason;
    out.confidence = confidence;
    return out;
}

Reason why_nothing(const Policy& policy, const Reading& r) {
    if (r.letters == 0) return Reason::no_letters;
    return r.letters < policy.few_letters ? Reason::too_short : Reason::unknown_script;
}

// Letters that tell something: those of words that come again do not, nor does one letter a thousand times.
uint32_t telling_letters(const Reading& r) { return std::min(r.letters, r.features / kFeaturesOfLetter); }

// A label that is rare by the priors needs some text, and more than a guess.
bool is_too_rare(const Model& model, const Priors& priors, const Policy& policy, const Guess& best, const Reading& r) {
    return priors.by_slot[model.info(best.label).slot] + hinted_nats(r, best.label) - priors.highest < policy.rare &&
           (telling_letters(r) < policy.rare_letters || best.log_prob < policy.rare_sure);
}

// No language holds the page, or two hold it alike and nothing prefers one.
Reason why_several(const Policy& policy, const Reading& r, const std::vector<Holder>& holders) {
    if (holders.size() < 2 || holders[1].share < policy.second) return Reason::none;
    if (holders[0].share < policy.holds) return Reason::several_languages;
    return are_level(policy, holders) && r.preferred == kNoLabel ? Reason::two_languages : Reason::none;
}

double hundredths(int32_t score) { return rounded(1 / (1 + std::exp(-score / 100.0))); }

}  // namespace

bool are_alike(const Policy& policy, int32_t a, int32_t b) {
    const int16_t group = policy.look_alikes[static_cast<size_t>(a)];
    return a == b || (group != kNoGroup && group == policy.look_alikes[static_cast<size_t>(b)]);
}

std::vector<Holder> holders_of(const Policy& policy, const std::vector<Share>& shares) {
    std::vector<Holder> out;
    uint64_t whole = 0;
    for (const Share& share : shares) {
        whole += share.letters;
        auto at = std::find_if(out.begin(), out.end(), [&](const Holder& h) { return are_alike(policy, h.label, share.label); });
        if (at == out.end()) out.push_back({share.label, static_cast<double>(share.letters)});
        else at->share += static_cast<double>(share.letters);
    }
    for (Holder& holder : out) holder.share = rounded(holder.share / static_cast<double>(whole));
    std::stable_sort(out.begin(), out.end(), [](const Holder& a, const Holder& b) { return a.share > b.share; });
    return out;
}

bool are_level(const Policy& policy, const std::vector<Holder>& holders) {
    return holders.size() > 1 && holders[0].share - holders[1].share <= policy.level;
}

Decision decide(const Model& model, const Priors& priors, const Policy& policy, const Reading& r) {
    if (r.junk.score > 0) return refused(Reason::not_language, hundredths(r.junk.score));
    if (r.misread) return refused(Reason::misread);
    if (r.unasked != kNoLabel && r.letters >= policy.few_letters) return refused(Reason::not_asked);
    if (r.guesses.empty() || r.letters < policy.few_letters) return refused(why_nothing(policy, r));
    const Guess& best = r.guesses.front();
    if (is_too_rare(model, priors, policy, best, r)) return refused(Reason::too_rare);
    Decision out;
    if (r.shares.size() > 1 || (r.shares.size() == 1 && r.shares.front().label != best.label)) out.holders = holders_of(policy, r.shares);
    out.reason = why_several(policy, r, out.holders);
    if (out.reason != Reason::none) {
        out.confidence = chance_of(r.doubt.known);
        return out;
    }
    if (r.doubt.unknown > 0 || (r.poor_fit && r.shares.empty())) return refused(Reason::unknown_language);
    out.label = best.label;
    out.confidence = chance_of(best.log_prob);
    const bool borrowed = is_borrowed(policy, r, best.label);
    if (borrowed && out.holders.empty()) out.holders = {{r.by_text.front().label, 1.0}};
    out.reliable = !is_turned(r, best.label) && !r.filed_by_hints && best.log_prob >= policy.sure &&
                   telling_letters(r) >= policy.enough_letters && r.words.count >= policy.enough_words && !r.boilerplate;
    out.tier = model.info(best.label).tier;
    out.group = policy.look_alikes[best.label];
    for (const Guess& guess : r.guesses)
        if (are_alike(policy, guess.label, best.label)) out.group_confidence += chance_of(guess.log_prob);
    out.group_confidence = std::min(1.0, rounded(out.group_confidence));
    out.settled = r.hints.empty() && r.letters >= policy.long_text && r.words.count >= policy.enough_words &&
                  best.log_prob >= policy.clear && out.group == kNoGroup && out.holders.size() < 2 && !r.boilerplate;
    if (borrowed) return out;  // the text is in what it is in
    auto main =
        std::find_if(out.holders.begin(), out.holders.end(), [&](const Holder& h) { return are_alike(policy, h.label, best.label); });
    if (main == out.holders.end() && !out.holders.empty()) main = out.holders.begin();  // it reads a little otherwise as a whole
    if (main != out.holders.end()) main->label = best.label;
    return out;
}

std::vector<JudgedPiece> shown_pieces(const Policy& policy, const Read& read) {
    const Decision& decision = read.decision;
    std::vector<JudgedPiece> out = read.reading.pieces;
    for (JudgedPiece& piece : out) {
        // Pieces that say too little each are in the language that they are in together.
        if (piece.label == kNoLabel && !piece.aside && read.reading.shares.empty())
            piece.label = decision.holders.empty() ? decision.label : decision.holders.front().label;
        if (piece.label == kNoLabel) continue;
        const auto same = [&](const Holder& h) { return are_alike(policy, h.judged, piece.label); };
        const auto holder = std::find_if(decision.holders.begin(), decision.holders.end(), same);
        if (holder != decision.holders.end()) piece.label = holder->label;
        else if (decision.label != kNoLabel && are_alike(policy, decision.label, piece.label)) piece.label = decision.label;
    }
    return out;
}

}  // namespace webtongue
