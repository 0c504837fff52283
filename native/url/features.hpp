// A URL to its parts, tokens and features: the one definition shared by training and scoring.
//
// A URL is cut into host labels, path segments and query pairs, percent-decoded, IDN labels decoded, lower-cased and
// Latin letters freed of their marks. Words are runs of letters; camelCase breaks them. What a part says by where it
// stands (top level domain, /de/, lang=it) is a structural feature; words, pairs of words and n-grams are text features.
// tests/twins/url.py holds the readable twin.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace webtongue {

constexpr size_t URL_BYTES = 2048;      // looked at; what follows says little and could cost much
constexpr size_t URL_LONGEST = 65536;  // no server takes a longer one
constexpr int URL_WORD = 48;            // letters of a word: longer runs are cut
constexpr int URL_FEATURES = 768;       // of one URL
constexpr int URL_CODE = 8;             // characters of a segment or value that may be a code: "pt-br", "deutsch"
constexpr int URL_LOW_ORDER = 3, URL_HIGH_ORDER = 5;  // 6-grams added nothing to words and cost a fifth of the time

enum class UrlReason : uint8_t { none, empty, not_url, no_page, nothing, not_text, too_long, user, ipv6 };

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

// Public suffixes: rules hashed from their last byte to their first.
class Suffixes {
public:
    explicit Suffixes(std::string_view rules);  // one a line, as the Public Suffix List has them
    // Where the public suffix of a lower-case host begins: its last label where no rule applies.
    size_t find(std::string_view host) const;

private:
    uint64_t flags_of(uint64_t hash) const;
    void add(std::string_view rule, uint64_t flag);
    std::vector<uint64_t> slots_;  // hash and flags in one
    std::vector<uint64_t> seen_;   // a bit for each rule's hash: most names are no rule, and this much stays in cache
    uint64_t mask_ = 0;
};

// Parts as views into the URL, raw.
struct UrlParts {
    UrlReason reason = UrlReason::none;
    bool numeric = false;  // the host is an IP address
    std::string_view host, path, query;
};
UrlParts split_url(std::string_view url);

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
