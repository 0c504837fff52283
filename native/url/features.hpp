// A URL to its parts, tokens and features: the one definition shared by training and scoring.
//
// A URL is cut into host labels, path segments and query pairs, percent-decoded, IDN labels decoded, lower-cased and
// Latin letters freed of their marks. Words are runs of letters; camelCase breaks them. What a part says by where it
// stands (top level domain, /de/, lang=it) is a structural feature; words, pairs of words and n-grams are text features.
// tests/twins/url/features.py holds the readable twin.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "url/parts.hpp"
#include "url/suffixes.hpp"

namespace webtongue {

constexpr int URL_WORD = 48;            // letters of a word: longer runs are cut
constexpr int URL_FEATURES = 768;       // of one URL
constexpr int URL_CODE = 8;             // characters of a segment or value that may be a code: "pt-br", "deutsch"
constexpr int URL_LOW_ORDER = 3, URL_HIGH_ORDER = 5;  // 6-grams added nothing to words and cost a fifth of the time

// Feature kinds; those from `word` on are text, and are weighed by how many of them there are.
enum class UrlKind : uint8_t {
    tld,
    suffix,
    domain,
    subdomain,
    segment,
    pair,
    value,
    extension,
    hyphens,
    shape,
    word,
    words,
    gram,
    mark,
    script
};
constexpr uint8_t URL_HOST = 0x80;  // set in the kind of a text feature that comes from the host
constexpr bool is_text(uint8_t kind) { return (kind & 0x7F) >= static_cast<uint8_t>(UrlKind::word); }

struct UrlFeatures {
    UrlReason reason = UrlReason::none;
    int count = 0, texts = 0;      // features; how many of them are text
    bool national = false;         // the top level domain is a country's, or in a script of its own
    uint64_t keys[URL_FEATURES];
    uint8_t kinds[URL_FEATURES];

    void add(uint64_t key, uint8_t kind) {
        if (count == URL_FEATURES) return;
        keys[count] = key;
        kinds[count++] = kind;
        texts += is_text(kind);
    }
};
void url_features(std::string_view url, const Suffixes& suffixes, UrlFeatures& out);

}  // namespace webtongue
