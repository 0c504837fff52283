#include "text/junk.hpp"

#include <algorithm>

#include "text/junk_tally.hpp"

namespace webtongue {
namespace {

using junk::Tally;

Tally count_windows(Span text) {
    Tally out;
    if (text.size() <= kMaxJunkWindows * kJunkWindowBytes) {
        out.read(text);
        return out;
    }
    for (size_t i = 0; i < kMaxJunkWindows; ++i) {
        const Byte* begin = text.begin + (text.size() - kJunkWindowBytes) / (kMaxJunkWindows - 1) * i;
        out.read({begin, begin + kJunkWindowBytes});
    }
    return out;
}

#include "tables/junk.inc"  // JUNK_BIAS, JUNK_WEIGHTS

// Evidence for the kind of junk, weighted by how rare it is in other kinds. It is used only for the reported kind.
struct Sign {
    JunkFeature feature;
    JunkKind kind;
    int32_t weight;
};
constexpr Sign SIGNS[] = {{kIdentifiers, JunkKind::Code, 2},     {kCalls, JunkKind::Code, 3},
                          {kBlockEnds, JunkKind::Code, 2},       {kGlued, JunkKind::Code, 2},
                          {kKeywords, JunkKind::Code, 2},        {kJsonPairs, JunkKind::Json, 6},
                          {kQuotes, JunkKind::Json, 1},          {kDigits, JunkKind::Numbers, 1},
                          {kNumberTokens, JunkKind::Numbers, 2}, {kEncodedTokens, JunkKind::Encoded, 3},
                          {kMixed, JunkKind::Encoded, 1},        {kControls, JunkKind::Encoded, 2},
                          {kUnits, JunkKind::Css, 12},           {kAddresses, JunkKind::Urls, 3},
                          {kTags, JunkKind::Markup, 6},          {kAngles, JunkKind::Markup, 2}};

constexpr uint32_t MIN_BYTES = 16;  // one or two words are never enough: "stanp(e)", "iPhone", "uNcwabakazi"
constexpr int32_t CLEAR_SCORE = 200;  // the score that a rule gives: above the threshold, below that of most code
constexpr int WEIGHT_BITS = 10;  // weights are in hundredths of a nat per 1024 units of a value

}  // namespace

JunkValues junk_features(Span utf8_text) { return count_windows(utf8_text).values(); }

namespace {

Junk judge(const Tally& counts) {
    const JunkValues values = counts.values();
    const bool is_short = values[kShort] > 0;
    int64_t sum = JUNK_BIAS[is_short];
    for (size_t i = 0; i < kJunkFeatures; ++i) sum += static_cast<int64_t>(JUNK_WEIGHTS[is_short][i]) * values[i];
    Junk out{static_cast<int32_t>(sum >> WEIGHT_BITS), JunkKind::None};
    if (counts.is_wordless()) out.score = std::max(out.score, CLEAR_SCORE);
    if (counts.is_name_list() && out.score < CLEAR_SCORE) return {CLEAR_SCORE, JunkKind::Names};
    if (counts.bytes() < MIN_BYTES) out.score = std::min(out.score, 0);
    if (out.score <= 0) return out;
    int32_t signs[kJunkKinds] = {0, 1};  // code by default
    for (const Sign& s : SIGNS) signs[static_cast<size_t>(s.kind)] += s.weight * values[s.feature];
    size_t best = 1;
    for (size_t kind = 2; kind < kJunkKinds; ++kind)
        if (signs[kind] > signs[best]) best = kind;
    out.kind = static_cast<JunkKind>(best);
    return out;
}

}  // namespace

Junk detect_junk(Span utf8_text) { return judge(count_windows(utf8_text)); }

JunkCounts count_junk(Span utf8_text) {
    const Tally counts = count_windows(utf8_text);
    return {judge(counts), counts.bytes(), counts.run_bytes()};
}

const char* junk_kind_name(JunkKind kind) {
    constexpr const char* NAMES[kJunkKinds] = {"", "code", "json", "numbers", "encoded", "css", "urls", "names", "markup"};
    return NAMES[static_cast<size_t>(kind)];
}

bool looks_like_prose(Span text) {
    size_t signs = 0;
    for (const Byte* p = text.begin; p < text.end; ++p) signs += CODE_SIGNS.is_sign[*p];
    return signs * kProseSignShare < text.size();
}

}  // namespace webtongue
