// Recognises parts of a URL that name a language: a code (fr), a code with a region (fr-ca, ca-fr), a name (francais, french) or the
// code of a country. Each row of data/url_codes.tsv says how often a token is right in each place.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace webtongue {

// Where a language is named: a host label before the registered name, the first path segment, a later one; in a segment or file name the
// last chunk after a dot (index.fr.html), the second of two chunks (index_fr.html, index-fr.html), the last of more
// (guide-to-index-fr.html) or the first one (fr_index.html); the value of a key that selects a language, any other value.
enum class UrlPlace : uint8_t { label, first, later, dot, ending, tail, start, language_key, value };
constexpr int URL_PLACES = 9;
constexpr int MAX_CODE_CHARS = 24;  // no relevant name of a language is longer

// One meaning of a token: a label, and how often it is right in each place, in thousandths; 0 where it is no evidence. Of a top level
// domain or a script the first value is the evidence for the label, in hundredths of a nat.
struct CodeRow {
    uint16_t label = 0;
    uint16_t values[URL_PLACES] = {};
};

// The meanings of a token, as a range of rows.
struct CodeRange {
    uint32_t begin = 0, end = 0;
    explicit operator bool() const { return begin < end; }
};

class UrlCodes {
public:
    // Reads tab-separated lines of token, form, label and values, sorted by token. A token "fr-*" stands for French with any region,
    // "fr-be" for one pair of codes. The form "region" has what may stand for a region and, for a country, the codes of its languages,
    // "alias" the country code of a top level domain in another script, "tld" and "script" give evidence for labels outside the model.
    // Labels are looked up among `labels`; other rows are left out.
    UrlCodes(std::string_view table, const std::vector<std::string_view>& labels);

    // True if the case marks a part as a locale: lv_FI, pt-BR. Then any country may stand beside the language.
    static bool is_cased_locale(const char32_t* codes, int count);
    // The meanings of a whole part of a URL.
    CodeRange find(const char32_t* codes, int count) const;
    // The meanings of two codes in neighbouring path segments (/ca/fr/), if one of them can only be a region.
    CodeRange find_pair(const char32_t* first, const char32_t* second) const;
    CodeRange find_tld(std::string_view tld) const;
    CodeRange find_script(uint8_t script) const;
    // The country code of a top level domain in another script; empty for any other text.
    std::string_view find_alias(const char32_t* codes, int count) const;
    const CodeRow& row(uint32_t index) const { return rows_[index]; }
    // The highest reliability of some meanings in a place.
    int reliability(CodeRange range, UrlPlace place) const;

private:
    struct Slot {
        uint64_t hash = 0;
        CodeRange range;
    };
    CodeRange lookup(uint64_t hash) const;
    CodeRange find_locale(const char32_t* codes, int count) const;
    bool is_region(const char32_t* codes, int count) const;
    bool goes_with(const char32_t* language, const char32_t* region, int count) const;
    void add_region(const char32_t* codes, int count, std::string_view languages);
    void add(uint64_t hash, CodeRange range);
    void add_line(std::string_view line, const std::unordered_map<std::string_view, uint16_t>& numbers);

    struct Alias {
        std::u32string name;
        std::string country;
    };
    std::vector<CodeRow> rows_;
    std::vector<Alias> aliases_;
    std::vector<Slot> slots_;
    std::vector<bool> known_prefixes_;  // by the first three letters: most parts are no token and are not hashed
    uint64_t mask_ = 0;
};

}  // namespace webtongue
