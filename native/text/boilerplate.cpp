#include "text/boilerplate.hpp"

#include <algorithm>

#include "markup/noise.hpp"

namespace webtongue {
namespace {

constexpr size_t kMaxNoticeBytes = 1024;  // a longer text is a page with content
constexpr int32_t kBoilerplateLogProb = -kLn2;  // probability 1/2: English boilerplate says little about the site

bool is_notice(const Block& block) { return block.flags & kNotice && (block.kind == Kind::title || block.kind == Kind::heading); }

}  // namespace

Reading read_boilerplate(const Model& model, const Scan& scan, const Sample& sample, const Policy& policy) {
    Reading out;
    const auto label = static_cast<uint16_t>(policy.boilerplate);
    for (const TextSpan& span : sample.spans)
        each_word(text_in(scan, span), [&](const char32_t*, int length, uint8_t) {
            out.letters += static_cast<uint32_t>(length);
            return true;
        });
    out.group = out.main_script = model.group_of(label);
    out.group_letters = out.letters;
    out.boilerplate = true;
    if (out.letters) out.guesses.push_back({label, 0, kBoilerplateLogProb});
    return out;
}

void discount_title_only(const Scan& scan, Reading& out) {
    const auto beside = [](const Block& block) { return block.kind == Kind::title || block.kind >= Kind::alt; };
    if (std::all_of(scan.blocks.begin(), scan.blocks.end(), beside)) out.words.count = 0;
}

void detect_notice(const Model& model, const Scan& scan, const Policy& policy, Reading& out) {
    if (policy.boilerplate == kNoLabel || scan.text_size > kMaxNoticeBytes || out.guesses.empty()) return;
    if (std::none_of(scan.blocks.begin(), scan.blocks.end(), is_notice)) return;
    const Guess& best = out.guesses.front();
    const auto label = static_cast<uint16_t>(policy.boilerplate);
    if (best.label != label && (best.log_prob >= policy.reliable_log_prob || out.words.count >= kMinRunningWords)) return;
    const uint32_t letters = out.letters;
    out = Reading();
    out.letters = out.group_letters = letters;
    out.group = out.main_script = model.group_of(label);
    out.boilerplate = true;
    out.guesses.push_back({label, 0, kBoilerplateLogProb});
}

}  // namespace webtongue
