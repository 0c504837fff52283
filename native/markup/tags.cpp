#include "markup/tags.hpp"

namespace webtongue {
namespace {

struct Entry {
    const char* name;
    uint8_t id;  // kTagNamed is replaced by a number of its own
    uint32_t flags;
};

constexpr uint32_t kBlockElement = kBreak | kClosesP;

constexpr Entry kTags[] = {
    {"a", kTagA, 0},
    {"address", kTagNamed, kBlockElement},
    {"area", kTagArea, kVoid},
    {"article", kTagNamed, kBlockElement},
    {"aside", kTagNamed, kBlockElement},
    {"audio", kTagNamed, 0},
    {"b", kTagNamed, kBreakout},
    {"base", kTagBase, kVoid},
    {"big", kTagNamed, kBreakout},
    {"blockquote", kTagNamed, kBlockElement | kBreakout},
    {"body", kTagBody, kBreak | kBreakout},
    {"br", kTagNamed, kBreak | kVoid | kBreakout},
    {"button", kTagNamed, kBreak},
    {"caption", kTagNamed, kBreak | kBarrier},
    {"center", kTagNamed, kBlockElement | kBreakout},
    {"code", kTagNamed, kBreakout},
    {"col", kTagNamed, kVoid},
    {"dd", kTagDd, kBlockElement | kItem | kBreakout},
    {"desc", kTagDesc, 0},
    {"details", kTagNamed, kBlockElement},
    {"dialog", kTagNamed, kBlockElement},
    {"dir", kTagNamed, kBlockElement | kList},
    {"div", kTagNamed, kBlockElement | kBreakout},
    {"dl", kTagNamed, kBlockElement | kList | kBreakout},
    {"dt", kTagDt, kBlockElement | kItem | kBreakout},
    {"em", kTagNamed, kBreakout},
    {"embed", kTagNamed, kVoid | kBreakout},
    {"fieldset", kTagNamed, kBlockElement},
    {"figcaption", kTagNamed, kBlockElement},
    {"figure", kTagNamed, kBlockElement},
    {"footer", kTagNamed, kBlockElement | kNavigation},
    {"foreignobject", kTagForeignObject, 0},
    {"form", kTagNamed, kBlockElement},
    {"frame", kTagNamed, kVoid},
    {"frameset", kTagNamed, kBreak},
    {"h1", kTagNamed, kBlockElement | kHeading | kBreakout},
    {"h2", kTagNamed, kBlockElement | kHeading | kBreakout},
    {"h3", kTagNamed, kBlockElement | kHeading | kBreakout},
    {"h4", kTagNamed, kBlockElement | kHeading | kBreakout},
    {"h5", kTagNamed, kBlockElement | kHeading | kBreakout},
    {"h6", kTagNamed, kBlockElement | kHeading | kBreakout},
    {"head", kTagNamed, kBreak | kBreakout},
    {"header", kTagNamed, kBlockElement},
    {"hgroup", kTagNamed, kBlockElement},
    {"hr", kTagNamed, kBlockElement | kVoid | kBreakout},
    {"html", kTagHtml, kBreak},
    {"i", kTagNamed, kBreakout},
    {"iframe", kTagNamed, kSkip},
    {"img", kTagImg, kVoid | kBreakout},
    {"image", kTagImg, kVoid},
    {"input", kTagInput, kVoid | kBreak},
    {"keygen", kTagNamed, kVoid},
    {"legend", kTagNamed, kBreak},
    {"li", kTagLi, kBlockElement | kItem | kBreakout},
    {"link", kTagLink, kVoid},
    {"listing", kTagNamed, kBlockElement | kBreakout},
    {"main", kTagNamed, kBlockElement},
    {"marquee", kTagNamed, kBreak | kBarrier},
    {"math", kTagMath, kForeign},
    {"mi", kTagDesc, 0},  // MathML's letters, numbers and words may contain HTML, as svg's desc
    {"mn", kTagDesc, 0},
    {"mo", kTagDesc, 0},
    {"ms", kTagDesc, 0},
    {"mtext", kTagDesc, 0},
    {"menu", kTagNamed, kBlockElement | kList | kBreakout},
    {"meta", kTagMeta, kVoid | kBreakout},
    {"nav", kTagNamed, kBlockElement | kNavigation},
    {"nobr", kTagNamed, kBreakout},
    {"noembed", kTagNamed, kSkip},
    {"noframes", kTagNamed, kBreak},  // browsers do not show it, but it is all the text of a frameset
    {"noscript", kTagNamed, kSkip},
    {"object", kTagNamed, kBarrier},
    {"ol", kTagNamed, kBlockElement | kList | kBreakout},
    {"optgroup", kTagOptgroup, kBreak},
    {"option", kTagOption, kBreak},
    {"p", kTagP, kBlockElement | kBreakout},
    {"param", kTagNamed, kVoid},
    {"plaintext", kTagPlaintext, kBlockElement | kShow},
    {"pre", kTagNamed, kBlockElement | kBreakout},
    {"ruby", kTagNamed, kBreakout},
    {"s", kTagNamed, kBreakout},
    {"script", kTagScript, kSkip},
    {"search", kTagNamed, kBlockElement},
    {"section", kTagNamed, kBlockElement},
    {"select", kTagNamed, kBreak | kNavigation | kBarrier},
    {"small", kTagNamed, kBreakout},
    {"source", kTagNamed, kVoid},
    {"span", kTagNamed, kBreakout},
    {"strike", kTagNamed, kBreakout},
    {"strong", kTagNamed, kBreakout},
    {"style", kTagNamed, kSkip},
    {"sub", kTagNamed, kBreakout},
    {"summary", kTagNamed, kBlockElement},
    {"sup", kTagNamed, kBreakout},
    {"svg", kTagSvg, kForeign},
    {"table", kTagTable, kBlockElement | kBarrier | kBreakout},
    {"tbody", kTagTbody, kBreak},
    {"td", kTagTd, kBreak | kBarrier},
    {"template", kTagTemplate, kHidden | kBarrier},
    {"textarea", kTagNamed, kSkip | kBreak},
    {"tfoot", kTagTbody, kBreak},
    {"th", kTagTh, kBreak | kBarrier},
    {"thead", kTagTbody, kBreak},
    {"title", kTagTitle, 0},
    {"tr", kTagTr, kBreak},
    {"track", kTagNamed, kVoid},
    {"tt", kTagNamed, kBreakout},
    {"u", kTagNamed, kBreakout},
    {"ul", kTagNamed, kBlockElement | kList | kBreakout},
    {"var", kTagNamed, kBreakout},
    {"video", kTagNamed, 0},
    {"wbr", kTagNamed, kVoid},
    {"xmp", kTagNamed, kBlockElement | kShow},
};
constexpr size_t kTagCount = sizeof(kTags) / sizeof(kTags[0]);
constexpr size_t kSlots = 1024;
constexpr size_t kMaxTagBytes = 16;  // two words; no name of the table is longer

// The lower-cased bytes of a name in two words, zero-padded, for fast comparison and hashing.
struct Key {
    uint64_t low = 0, high = 0;
    bool operator==(const Key& other) const { return low == other.low && high == other.high; }
    size_t hash() const { return ((low ^ (high * 0x9E3779B97F4A7C15u)) * 0xD6E8FEB86659FD93u) >> 54; }
};

uint64_t lower_word(uint64_t w) {
    // Sets bit 5 of every byte in 'A'..'Z'.
    const uint64_t low7 = w & 0x7F7F7F7F7F7F7F7Fu;
    const uint64_t at_least_a = low7 + 0x3F3F3F3F3F3F3F3Fu;
    const uint64_t above_z = low7 + 0x2525252525252525u;
    return w | (((at_least_a & ~above_z & ~w) & 0x8080808080808080u) >> 2);
}

Key key_of(const Byte* p, size_t n, const Byte* readable_end) {
    Key k;
    if (readable_end - p >= 16) {
        std::memcpy(&k.low, p, 8);
        if (n < 8) k.low &= (uint64_t{1} << (8 * n)) - 1;
        if (n > 8) std::memcpy(&k.high, p + 8, 8);
        if (n > 8 && n < 16) k.high &= (uint64_t{1} << (8 * (n - 8))) - 1;
    } else {
        std::memcpy(&k.low, p, n < 8 ? n : 8);
        if (n > 8) std::memcpy(&k.high, p + 8, n - 8);
    }
    k.low = lower_word(k.low);
    k.high = lower_word(k.high);
    return k;
}

struct Table {
    Key keys[kSlots];
    Tag tags[kSlots];
    Table() {
        uint8_t next = kTagNamed;
        for (size_t i = 0; i < kTagCount; ++i) {
            const Byte* name = reinterpret_cast<const Byte*>(kTags[i].name);
            const size_t n = std::strlen(kTags[i].name);
            const Key k = key_of(name, n, name + n);
            size_t slot = k.hash();
            while (keys[slot].low) slot = (slot + 1) % kSlots;
            keys[slot] = k;
            tags[slot] = {kTags[i].id == kTagNamed ? next++ : kTags[i].id, kTags[i].flags};
        }
    }
};
static_assert(kTagNamed + kTagCount + kUnknownIds < 256, "tag ids must fit a byte");
const Table kTable;

}  // namespace

Tag find_tag(Span name, const Byte* page_end) {
    const size_t n = name.size();
    const Key k = key_of(name.begin, n < kMaxTagBytes ? n : kMaxTagBytes, page_end);
    const size_t hash = k.hash();
    if (n <= kMaxTagBytes && n && name.end[-1])  // a NUL at the end would equal padding
        for (size_t slot = hash; kTable.keys[slot].low; slot = (slot + 1) % kSlots)
            if (kTable.keys[slot] == k) return kTable.tags[slot];
    return {static_cast<uint8_t>(255 - hash % kUnknownIds), kUnknown};
}

}  // namespace webtongue
