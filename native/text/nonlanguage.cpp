#include "text/nonlanguage.hpp"

#include "base/checks.hpp"
#include "charset/mojibake.hpp"

#include <algorithm>

#include "text/features.hpp"
#include "text/first_pass.hpp"

namespace webtongue {
namespace {

// Hundredths of a nat. Of 1,000 source files embedded in a page, only a few more are classified as prose with this limit.
constexpr int32_t kMaxProseJunkScore = 120;
// Hundredths of a nat. Single lines of programs often score between this and 0, and one sentence in 6,000 does (tests/quality,
// lingua_sentences). Such text is doubtful, and its guesses are lowered by the probability that the score stands for.
constexpr int32_t kMinDoubtfulScore = -150;
constexpr uint32_t kMinProseWords = 8;  // running words of confident prose: the maximum count, kMaxRunningWords
// Of 276 lists of members that look like names, all but Vietnamese ones have up to 12 percent common words; menus of home pages have 44
// and more (tests/quality).
constexpr uint64_t kMinCommonPercent = 25;
// A name is the same in many languages. If no language has at least this log-probability, its language is unknown without hints.
constexpr int32_t kMinNameLogProb = -kLn2;  // probability 1/2
constexpr int32_t kMinTitleLogProb = -1233;  // probability 0.3: the same for capitalised words that are common in the language
constexpr int32_t kNameUnknownScore = 20;  // hundredths of a nat
constexpr size_t kMaxJunkSampleBytes = 4096;  // bytes of the sample that are checked for junk
constexpr uint64_t kMinLabeledPercent = 50;  // minimum percentage of the running text that has a label

bool has_title(const Scan& scan) {  // plain text files have neither title nor headings
    return std::any_of(scan.blocks.begin(), scan.blocks.end(),
                       [](const Block& block) { return block.kind == Kind::title || block.kind == Kind::heading; });
}

bool is_confident(const Policy& policy, const Reading& reading) {
    return !reading.guesses.empty() && reading.guesses.front().log_prob >= policy.reliable_log_prob &&
           reading.words.count >= kMinProseWords && reading.unknown_odds.score == INT32_MIN;
}

// The percentage of words that are common in the best label's language.
uint64_t common_percent(const Model& model, Span text, const Reading& reading) {
    const CommonWords common{&model, reading.guesses.front().label};
    uint64_t words = 0, common_words = 0;
    each_word(text, [&](const char32_t* word, int length, uint8_t group) {
        if (group == reading.group && length > 1) ++words, common_words += common.contains(word, length);
        return true;
    });
    return words ? common_words * 100 / words : 0;
}

// Adds the sample of the main or of the secondary text, up to a maximum.
void add_sample(const Scan& scan, const Sample& sample, bool is_secondary, std::vector<Byte>& text) {
    for (const Chunk& chunk : sample.chunks)
        for (uint32_t s = chunk.first_span; s < chunk.last_span && chunk.is_secondary == is_secondary; ++s) {
            if (text.size() >= kMaxJunkSampleBytes) return;
            const Span span = text_in(scan, sample.spans[s]);
            text.insert(text.end(), span.begin, span.end);
            text.push_back('\n');
        }
}

}  // namespace

void clear_junk_of_prose(const Scan& scan, const Policy& policy, Reading& out) {
    if (out.junk.score <= 0 || out.junk.score > kMaxProseJunkScore || !is_confident(policy, out) || !has_title(scan)) return;
    uint64_t total_weight = 0, labeled_weight = 0;
    for (const LabeledChunk& chunk : out.chunks) {
        if (chunk.is_secondary) continue;
        total_weight += chunk.weight;
        if (chunk.label != kNoLabel) labeled_weight += chunk.weight;
    }
    if (labeled_weight * 100 >= total_weight * kMinLabeledPercent) out.junk.score = 0;
}

void detect_nonlanguage(const Model& model, Span text, bool may_be_list, Reading& out) {
    out.misread = is_enabled(Check::mojibake) && looks_like_mojibake(text);
    const bool fits_label = !out.guesses.empty() && fits_at_length(model, out.guesses.front(), out.features, out.unseen);
    if (!is_enabled(Check::junk) || (!may_be_list && fits_label && looks_like_prose(text))) return;
    out.junk = detect_junk(text);
    if (out.junk.kind == JunkKind::Names && !out.guesses.empty() && common_percent(model, text, out) >= kMinCommonPercent) {
        out.junk = {};
        if (!is_list(out.words)) out.lower(kListLogProb);
    } else if (out.junk.score <= 0 && out.junk.score > kMinDoubtfulScore) {
        out.lower(log_known(model, out.junk.score));
    }
}

void detect_nonlanguage(const Model& model, const Scan& scan, const Sample& sample, const Byte* unmasked, Reading& out) {
    if (out.letters < kMinChunkLetters) {  // with hardly any letters, all visible text is checked
        const bool has_text = out.letters >= kMinLettersBesideDebris || !unmasked;
        const Byte* const text = has_text ? scan.text.get() : unmasked;
        out.junk = detect_junk({text, text + scan.visible_size});
        return;
    }
    std::vector<Byte> text;
    add_sample(scan, sample, false, text);
    detect_nonlanguage(model, {text.data(), text.data() + text.size()}, false, out);
    if (out.junk.score <= 0) return;
    add_sample(scan, sample, true, text);
    const Junk with_secondary = detect_junk({text.data(), text.data() + text.size()});
    if (with_secondary.score < out.junk.score) out.junk = with_secondary;
}

void discount_name(const Model& model, const Span* spans, size_t count, Reading& out) {
    const Guess& best = out.guesses.front();
    if (!is_enabled(Check::names) || best.log_prob >= kMinNameLogProb) return;
    if (!is_name(out.group, spans, count, best.log_prob < kMinTitleLogProb ? CommonWords() : CommonWords{&model, best.label})) return;
    out.unknown_odds = {std::max(out.unknown_odds.score, kNameUnknownScore), 0};
    out.lower(log_known(model, out.unknown_odds.score));
}

}  // namespace webtongue
