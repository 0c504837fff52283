// Extracts parts, tokens and features of a URL: the one definition shared by training and scoring.
//
// A URL is split into host labels, path segments and query pairs, percent-decoded, with IDN labels decoded, letters lower-cased and
// Latin letters without marks. Words are runs of letters, split at camelCase. Parts with a meaning by their position (top level domain,
// news/, page=2) are structural features; words, pairs of words and n-grams are text features. A label, segment or value that names a
// language (/de/, lang=it) is a mention, which the table of codes weighs, and no feature. tests/twins/url/features.py is the readable twin.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "url/codes.hpp"
#include "url/parts.hpp"
#include "url/suffixes.hpp"

namespace webtongue {

constexpr int MAX_URL_WORD_LETTERS = 48;  // longer runs of letters are split
constexpr int MAX_URL_FEATURES = 768;
constexpr int MAX_URL_CODE_CHARS = 8;  // longest segment or value that may be a code: "pt-br", "deutsch"
constexpr int MIN_URL_NGRAM = 3, MAX_URL_NGRAM = 5;  // 6-grams did not improve accuracy beside words and took a fifth of the time

// Feature kinds. Those from `word` on are text features, which are divided by the square root of their number.
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
    script,
    word,
    words,
    gram,
    mark
};
constexpr uint8_t URL_HOST = 0x80, URL_QUERY = 0x40;  // flags in the kind of a feature from the host or the query
constexpr uint8_t URL_KIND_MASK = 0x3F;
constexpr bool is_text(uint8_t kind) { return (kind & URL_KIND_MASK) >= static_cast<uint8_t>(UrlKind::word); }

// True for features of the shape of a URL, which does not depend on its language.
constexpr bool is_shape(uint8_t kind) {
    const auto plain = static_cast<UrlKind>(kind & URL_KIND_MASK);
    return plain == UrlKind::extension || plain == UrlKind::hyphens || plain == UrlKind::shape;
}

// The parts of a URL, each with its own weight.
enum class UrlPart : uint8_t { top, host, path, query };
constexpr int URL_PARTS = 4;
constexpr UrlPart part_of(uint8_t kind) {
    if ((kind & URL_KIND_MASK) <= static_cast<uint8_t>(UrlKind::suffix)) return UrlPart::top;
    return kind & URL_HOST ? UrlPart::host : kind & URL_QUERY ? UrlPart::query : UrlPart::path;
}

constexpr int MAX_URL_MENTIONS = 16;
constexpr int MIN_NAMED_RELIABILITY = 300;  // a part that is right less often, in thousandths, is also read as words
// A part that names a language: its meanings, and where it is.
struct UrlMention {
    CodeRange range;
    UrlPlace place;
};

struct UrlFeatures {
    UrlReason reason = UrlReason::none;
    int count = 0, text_count = 0;  // all features, and text features
    bool is_national = false;  // the top level domain belongs to a country or is not in ASCII
    bool is_home = false;  // neither path nor query
    int mention_count = 0;
    UrlMention mentions[MAX_URL_MENTIONS];
    CodeRange tld;  // evidence of the top level domain for labels outside the model
    CodeRange script;  // evidence of the last letters that are not Latin, for the same
    uint64_t keys[MAX_URL_FEATURES];
    uint8_t kinds[MAX_URL_FEATURES];

    void add(uint64_t key, uint8_t kind) {
        if (count == MAX_URL_FEATURES) return;
        keys[count] = key;
        kinds[count++] = kind;
        text_count += is_text(kind);
    }
};

// Tables for extracting features.
struct UrlTables {
    Suffixes suffixes;
    UrlCodes codes;
};
void url_features(std::string_view url, const UrlTables& tables, UrlFeatures& out);

}  // namespace webtongue
