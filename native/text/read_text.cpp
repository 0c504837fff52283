// Reads a short text sentence by sentence, and as a whole if that leaves doubts.
#include <cstring>
#include <new>

#include "text/allowlist.hpp"
#include "text/code_spans.hpp"
#include "text/debris.hpp"
#include "text/latin_names.hpp"
#include "text/nonlanguage.hpp"
#include "text/placeholder.hpp"
#include "text/reader.hpp"
#include "text/two_scripts.hpp"

namespace webtongue {
namespace {

constexpr size_t kMinListBytes = 200;  // a text of this size without running words may be a list, which scores like language
constexpr size_t kMinSampledBytes = 60;  // a longer sentence is read at one position in two at first
constexpr size_t kMaxSentenceTextBytes = 4096;  // longer texts are not split into sentences

// A text as a page with one block.
Scan make_scan(Span utf8) {
    Scan out;
    out.text.reset(static_cast<Byte*>(std::malloc(utf8.size())));
    if (!out.text) throw std::bad_alloc();
    std::memcpy(out.text.get(), utf8.begin, utf8.size());
    out.text_size = out.visible_size = utf8.size();
    const auto size = static_cast<uint32_t>(utf8.size());
    out.blocks.push_back({size, 0, size, 0, Kind::paragraph, 0});
    return out;
}

Reading read_parts(const Model& model, Span utf8, const Priors& priors, const Policy& policy, const CutOptions& cuts, Reading page_totals) {
    ReadOptions options;
    options.sample.cuts = cuts;
    options.priors = &priors;
    options.policy = &policy;
    options.sample.max_complete_bytes = kMaxSentenceTextBytes;
    const Scan scan = make_scan(utf8);
    return read_sentences(model, scan, options, std::move(page_totals));
}

// Reads every sentence once and adds up their scores. Returns false if the text has to be read as a whole.
bool read_once(const Model& model, Span utf8, const Priors& priors, const Policy& policy, Reading& out) {
    std::vector<uint32_t> cuts;
    cut_sentences(utf8, CutOptions(), cuts);
    if (cuts.empty() && utf8.size() < kMinSampledBytes) return false;
    ReadOptions options;
    options.priors = &priors;
    options.policy = &policy;
    const Scan scan = make_scan(utf8);
    return read_text_once(model, scan, options, take_parts(scan, cuts), out);
}

// Reads a text as a whole, and once more sentence by sentence. If it does not fit its language, the second reading is in finer parts.
Reading read_whole(const Model& model, Span utf8, const Priors& priors, const Policy* policy, size_t guesses) {
    Reading out;
    Scorer& scorer = local_scorer(model, 0);
    out.mixed_words = scorer.add(utf8);
    const bool has_two_scripts = scorer.has_latin_beside_other_script();
    if (has_two_scripts) scorer.discount_latin_names(count_latin_names(utf8));
    Outcome outcome = scorer.rank(guesses, priors);
    if (has_two_scripts && outcome.group != GROUPS.latin) prefer_language_of_latin_part(model, scorer, priors, outcome);
    out.guesses = std::move(outcome.guesses);
    out.main_script = outcome.main_script;
    out.features = outcome.features;
    out.unseen = outcome.unseen;
    out.letters = outcome.letters;
    out.group = outcome.group;
    out.group_letters = outcome.group_letters;
    out.facts = outcome.facts;
    if (out.guesses.empty()) return out;
    assess_guesses(model, &utf8, 1, 0, out);
    if (!policy || utf8.size() > kMaxSentenceTextBytes) return out;
    CutOptions options = fits_at_length(model, out.guesses.front(), out.features, out.unseen) ? CutOptions() : kFineCuts;
    if (has_two_scripts) options.max_letters = UINT32_MAX;  // cut between the scripts
    std::vector<uint32_t> cuts;
    cut_sentences(utf8, options, cuts);
    return cuts.empty() ? out : read_parts(model, utf8, priors, *policy, options, std::move(out));
}

// Reads a text with its debris masked. `unmasked` is the text with its debris, empty if there is none.
Reading read_masked(const Model& model, Span utf8, Span unmasked, const Priors& priors, const Policy* policy, size_t guesses, Depth depth) {
    Reading out;
    const bool may_read_once = policy && depth == Depth::quick && utf8.size() <= kMaxSentenceTextBytes;
    if (!may_read_once || !read_once(model, utf8, priors, *policy, out)) out = read_whole(model, utf8, priors, policy, guesses);
    const bool is_debris = !unmasked.empty() && out.letters < kMinLettersBesideDebris;
    const bool may_be_list = utf8.size() >= kMinListBytes && out.words.count < kMaxRunningWords;
    detect_nonlanguage(model, is_debris ? unmasked : utf8, may_be_list, out);
    drop_disallowed_guess(model, priors, out);
    return out;
}

Span span_of(const std::vector<Byte>& text) { return {text.data(), text.data() + text.size()}; }

}  // namespace

Reading read_text(const Model& model, Span unmasked, const Priors& priors, const Policy* policy, size_t guesses, Depth depth) {
    std::vector<Byte> without_debris, without_code, without_placeholder;
    const bool has_debris = mask_debris(unmasked, without_debris);
    const Span text = has_debris ? span_of(without_debris) : unmasked;
    const Span utf8 = mask_code(text, unmasked.begin, without_code) ? span_of(without_code) : text;
    Reading out = read_masked(model, utf8, has_debris ? unmasked : Span(), priors, policy, guesses, depth);
    if (may_be_placeholder(model, out) && mask_placeholder(utf8, without_placeholder)) {
        Reading rest = read_masked(model, span_of(without_placeholder), Span(), priors, policy, guesses, depth);
        if (is_other_language(model, rest)) return rest;
    }
    return out;
}

}  // namespace webtongue
