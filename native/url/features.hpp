// A URL to its parts, tokens and features: the one definition shared by training and scoring.
//
// A URL is cut into host labels, path segments and query pairs, percent-decoded, IDN labels decoded, lower-cased and
// Latin letters freed of their marks. Words are runs of letters; camelCase breaks them. What a part says by where it
// stands (top level domain, /de/, lang=it) is a structural feature; words, pairs of words and n-grams are text features.
// A label, segment or value that is the code or name of a language says so by one feature, and is not read as words.
// tests/twins/url/features.py holds the readable twin.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "url/names.hpp"
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
    said,
    word,
    words,
    gram,
    mark,
    script
};
constexpr uint8_t URL_HOST = 0x80, URL_QUERY = 0x40;  // set in the kind of what comes from the host, from the query
constexpr uint8_t URL_KIND = 0x3F;
constexpr bool is_text(uint8_t kind) { return (kind & URL_KIND) >= static_cast<uint8_t>(UrlKind::word); }

// The parts of an address that speak, each with a weight of its own.
enum class UrlPart : uint8_t { top, host, path, query };
constexpr int URL_PARTS = 4;
constexpr UrlPart part_of(uint8_t kind) {
    if ((kind & URL_KIND) <= static_cast<uint8_t>(UrlKind::suffix)) return UrlPart::top;
    return kind & URL_HOST ? UrlPart::host : kind & URL_QUERY ? UrlPart::query : UrlPart::path;
}

// Where a language is said: a label before the registered name, the first segment of the path, a later one, the end of a
// file's name (index_fr.html), the value of a key that asks for a language, any other value.
enum class UrlPlace : uint8_t { label, first, later, ending, asked, value };
constexpr int URL_PLACES = 6;
uint64_t said_key(UrlPlace place, UrlSaid said);

struct UrlFeatures {
    UrlReason reason = UrlReason::none;
    int count = 0, texts = 0;      // features; how many of them are text
    bool national = false;         // the top level domain is a country's, or in a script of its own
    bool home = false;             // neither path nor query
    bool said = false;             // a part names a language
    uint64_t keys[URL_FEATURES];
    uint8_t kinds[URL_FEATURES];

    void add(uint64_t key, uint8_t kind) {
        if (count == URL_FEATURES) return;
        keys[count] = key;
        kinds[count++] = kind;
        texts += is_text(kind);
    }
};

// What reading an address needs to know.
struct UrlTables {
    Suffixes suffixes;
    UrlNames names;
};
void url_features(std::string_view url, const UrlTables& tables, UrlFeatures& out);

}  // namespace webtongue
