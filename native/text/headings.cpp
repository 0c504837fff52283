#include "text/headings.hpp"

#include <algorithm>
#include <cstdlib>

namespace webtongue {
namespace {

constexpr uint32_t kMaxHeadingBytes = 400;
constexpr uint32_t kMaxHeadings = 16;
constexpr int64_t kMinLead = 3 * LOG_SCALE;  // minimum log-likelihood ratio of a whole title or heading
constexpr int64_t kMinPartLead = LOG_SCALE;  // minimum for one of several parts of it

constexpr int32_t kNeither = -1;

// The log-likelihood ratio of a range of text between two labels, in 1/LOG_SCALE nats.
int64_t compare_labels(const Model& model, const Scan& scan, uint32_t begin, uint32_t end, int32_t first_label, int32_t second_label) {
    Scorer scorer(model);
    scorer.add({scan.text.get() + begin, scan.text.get() + end});
    scorer.count();  // processes the pending features
    const uint16_t slots[2] = {model.info(static_cast<size_t>(first_label)).slot, model.info(static_cast<size_t>(second_label)).slot};
    const uint8_t clusters[2] = {static_cast<uint8_t>(slots[0] / LANES_PER_ROW), static_cast<uint8_t>(slots[1] / LANES_PER_ROW)};
    int32_t totals[2 * LANES_PER_ROW] = {};
    scorer.score_clusters(clusters, 2, totals);
    const int64_t ahead = int64_t{totals[slots[0] % LANES_PER_ROW]} - totals[LANES_PER_ROW + slots[1] % LANES_PER_ROW];
    return ahead * model.scale_after(scorer.features(), 1) >> 16;
}

// True at a separator: a title often has one part per language.
bool is_separator(const Byte* at, const Byte* end) {
    if (*at == '|' || *at == '\n' || *at == '/') return true;  // masking turns a bar into a line feed
    return end - at > 2 && at[0] == 0xE2 && at[1] == 0x80 && (at[2] == 0x93 || at[2] == 0x94);  // dashes
}

// Adds one vote per part of a title or heading for one of the two languages.
void count_votes(const Model& model, const Scan& scan, uint32_t begin, uint32_t end, int32_t first_label, int32_t second_label,
                 uint32_t* votes) {
    const Byte* text = scan.text.get();
    const uint32_t heading_begin = begin;
    for (uint32_t at = begin; at <= end; ++at) {
        if (at < end && !is_separator(text + at, text + end)) continue;
        const int64_t ahead = compare_labels(model, scan, begin, at, first_label, second_label);
        if (std::abs(ahead) >= (begin == heading_begin && at == end ? kMinLead : kMinPartLead)) ++votes[ahead < 0];
        begin = at + 1;
    }
}

int32_t preferred_in(const Model& model, const Scan& scan, Kind kind, int32_t first_label, int32_t second_label) {
    uint32_t begin = 0, votes[2] = {}, read_count = 0;
    for (const Block& block : scan.blocks) {
        if (block.kind == kind && block.text_end > begin && read_count++ < kMaxHeadings)
            count_votes(model, scan, begin, std::min(block.text_end, begin + kMaxHeadingBytes), first_label, second_label, votes);
        begin = block.text_end + 1;
    }
    if (votes[0] > 2 * votes[1]) return first_label;
    return votes[1] > 2 * votes[0] ? second_label : kNeither;
}

}  // namespace

int32_t preferred_by_headings(const Model& model, const Scan& scan, int32_t first_label, int32_t second_label) {
    const int32_t title_label = preferred_in(model, scan, Kind::title, first_label, second_label);
    return title_label == kNeither ? preferred_in(model, scan, Kind::heading, first_label, second_label) : title_label;
}

}  // namespace webtongue
