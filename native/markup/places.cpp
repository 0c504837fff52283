#include "markup/places.hpp"

#include <algorithm>

namespace webtongue {
namespace {

struct Entry {
    const char* name;
    uint32_t marks;
};

constexpr Entry kMarks[] = {
    {"article", kMarkMain | kMarkContainer},
    {"aside", kMarkAside | kMarkContainer},
    {"blockquote", kMarkQuote},
    {"body", kMarkContainer},
    {"button", kMarkControl},
    {"caption", kMarkCaption},
    {"center", kMarkContainer},
    {"details", kMarkContainer},
    {"dialog", kMarkHidden},
    {"div", kMarkContainer},
    {"dl", kMarkList},
    {"dt", kMarkTerm},
    {"fieldset", kMarkContainer},
    {"figcaption", kMarkCaption},
    {"footer", kMarkContainer},
    {"form", kMarkContainer},
    {"h1", 1},
    {"h2", 2},
    {"h3", 3},
    {"h4", 4},
    {"h5", 5},
    {"h6", 6},
    {"header", kMarkHeader | kMarkContainer},
    {"label", kMarkControl},
    {"legend", kMarkControl},
    {"listing", kMarkCode},
    {"main", kMarkMain | kMarkContainer},
    {"menu", kMarkList},
    {"nav", kMarkContainer},
    {"ol", kMarkList | kMarkOrdered},
    {"option", kMarkControl},
    {"pre", kMarkCode},
    {"section", kMarkContainer},
    {"td", kMarkContainer},
    {"th", kMarkContainer | kMarkHeaderCell},
    {"ul", kMarkList},
    {"xmp", kMarkCode},
};

constexpr uint64_t kHashStart = 0xCBF29CE484222325u, kHashFactor = 0x100000001B3u;  // FNV-1a

bool is_capital(Byte c) { return is_alpha(c) && !(c & 0x20); }

// The next state of a hash of letters, without regard to case.
uint64_t add_letter(uint64_t hash, Byte c) { return (hash ^ (c | 0x20)) * kHashFactor; }

}  // namespace

ClassWords::ClassWords(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        uint64_t hash = kHashStart;
        for (const char c : word) hash = add_letter(hash, static_cast<Byte>(c));
        hashes_.push_back(hash);
    }
    std::sort(hashes_.begin(), hashes_.end());
}

bool ClassWords::contain(Span value) const {
    uint64_t hash = kHashStart;
    const auto is_listed = [&] { return hash != kHashStart && std::binary_search(hashes_.begin(), hashes_.end(), hash); };
    bool after_small = false;
    for (const Byte* p = value.begin; p < value.end; ++p) {
        if (!is_alpha(*p) || (after_small && is_capital(*p))) {
            if (is_listed()) return true;
            hash = kHashStart;
        }
        if (is_alpha(*p)) hash = add_letter(hash, *p);
        after_small = is_alpha(*p) && !is_capital(*p);
    }
    return is_listed();
}

uint32_t marks_of(Span name) {
    for (const Entry& entry : kMarks)
        if (equals_lower(name, entry.name)) return entry.marks;
    return 0;
}

uint32_t marks_of(const Attribute& a, const ClassWords& words) {
    constexpr uint32_t kNoMark = 0;
    if (equals_lower(a.name, "class") || equals_lower(a.name, "id") || equals_lower(a.name, "role"))
        return (words.contain(a.value) ? uint32_t{kMarkChrome} : kNoMark) | (equals_lower(a.value, "main") ? uint32_t{kMarkMain} : kNoMark);
    if (equals_lower(a.name, "hidden")) return kMarkHidden;
    return equals_lower(a.name, "aria-hidden") && equals_lower(a.value, "true") ? uint32_t{kMarkHidden} : kNoMark;
}

}  // namespace webtongue
