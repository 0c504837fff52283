#include "text/headings.hpp"

#include <algorithm>
#include <cstdlib>

namespace webtongue {
namespace {

constexpr uint32_t kPreferring = 400;  // bytes of a title or heading that are read
constexpr uint32_t kAsked = 16;        // titles or headings that are asked
constexpr int64_t kPrefers = 3 * NATS; // by how much one of two languages must be likelier there
constexpr int64_t kPartPrefers = NATS; // and in one of several parts of it

constexpr int32_t kNeither = -1;

// How much likelier a stretch of text is in one label than in another, in 1/1024 nats.
int64_t lead(const Model& model, const Scan& scan, uint32_t begin, uint32_t end, int32_t one, int32_t other) {
    Scorer scorer(model);
    scorer.add(reinterpret_cast<const char*>(scan.text.get()) + begin, end - begin);
    scorer.count();  // drains
    const uint16_t slots[2] = {model.info(static_cast<size_t>(one)).slot, model.info(static_cast<size_t>(other)).slot};
    const uint8_t clusters[2] = {static_cast<uint8_t>(slots[0] / LANES_PER_ROW), static_cast<uint8_t>(slots[1] / LANES_PER_ROW)};
    int32_t totals[2 * LANES_PER_ROW] = {};
    scorer.score_in(clusters, 2, totals);
    const int64_t ahead = int64_t{totals[slots[0] % LANES_PER_ROW]} - totals[LANES_PER_ROW + slots[1] % LANES_PER_ROW];
    return ahead * model.scale_after(scorer.features(), 1) >> 16;
}

// Whether a title is cut here: it often has a part in each language.
bool is_bar(const Byte* at, const Byte* end) {
    if (*at == '|' || *at == '/') return true;
    return end - at > 2 && at[0] == 0xE2 && at[1] == 0x80 && (at[2] == 0x93 || at[2] == 0x94);  // dashes
}

// Votes for each of two languages, of the parts of a title or heading.
void ask(const Model& model, const Scan& scan, uint32_t begin, uint32_t end, int32_t one, int32_t other, uint32_t* votes) {
    const Byte* text = scan.text.get();
    const uint32_t first = begin;
    for (uint32_t at = begin; at <= end; ++at) {
        if (at < end && !is_bar(text + at, text + end)) continue;
        const int64_t ahead = lead(model, scan, begin, at, one, other);
        if (std::abs(ahead) >= (begin == first && at == end ? kPrefers : kPartPrefers)) ++votes[ahead < 0];
        begin = at + 1;
    }
}

int32_t preferred_by(const Model& model, const Scan& scan, Kind kind, int32_t one, int32_t other) {
    uint32_t begin = 0, votes[2] = {}, asked = 0;
    for (const Block& block : scan.blocks) {
        if (block.kind == kind && block.text_end > begin && asked++ < kAsked)
            ask(model, scan, begin, std::min(block.text_end, begin + kPreferring), one, other, votes);
        begin = block.text_end + 1;
    }
    if (votes[0] > 2 * votes[1]) return one;
    return votes[1] > 2 * votes[0] ? other : kNeither;
}

}  // namespace

int32_t preferred_by_headings(const Model& model, const Scan& scan, int32_t one, int32_t other) {
    const int32_t by_title = preferred_by(model, scan, Kind::title, one, other);
    return by_title == kNeither ? preferred_by(model, scan, Kind::heading, one, other) : by_title;
}

}  // namespace webtongue
