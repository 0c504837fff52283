#include "text/nonlanguage.hpp"

#include "coding/misread.hpp"

#include <algorithm>

namespace webtongue {
namespace {

constexpr int32_t kLittleJunk = 120;  // hundredths of a nat: of 1,000 files of code put into a page, a few more are then taken for prose
constexpr uint32_t kProse = 8;        // words in a row: as many as are counted
constexpr uint64_t kMostly = 50;      // hundredths of the running text

bool is_titled(const Scan& scan) {  // a plain file is not
    return std::any_of(scan.blocks.begin(), scan.blocks.end(),
                       [](const Block& block) { return block.kind == Kind::title || block.kind == Kind::heading; });
}

bool reads_surely(const Policy& policy, const Reading& r) {
    return !r.guesses.empty() && r.guesses.front().log_prob >= policy.sure && r.words.count >= kProse && r.doubt.unknown == INT32_MIN;
}

}  // namespace

void keep_prose(const Scan& scan, const Policy& policy, Reading& out) {
    if (out.junk.score <= 0 || out.junk.score > kLittleJunk || !reads_surely(policy, out) || !is_titled(scan)) return;
    uint64_t all = 0, read = 0;
    for (const JudgedPiece& piece : out.pieces) {
        if (piece.aside) continue;
        all += piece.weight;
        if (piece.label != kNoLabel) read += piece.weight;
    }
    if (read * 100 >= all * kMostly) out.junk.score = 0;
}

void look_for_nonlanguage(const Model& model, Span text, bool has_room, Reading& out) {
    out.misread = looks_misread(text);
    const bool fit = !out.guesses.empty() && fits(model, out.guesses.front(), out.features, out.unseen, 0);
    if (has_room || !fit || !looks_plain(text)) out.junk = look_for_junk(text);
}

}  // namespace webtongue
