#include "url/features.hpp"

#include <algorithm>
#include <bitset>
#include <cstring>

#include "base/bytes.hpp"
#include "text/features.hpp"
#include "url/letters.hpp"

namespace webtongue {
namespace {

constexpr char32_t CJK_FIRST = 0x2E80, CJK_LAST = 0xFB00;
constexpr int CJK_ORDER = 3;
constexpr int MAX_BRIEF_LETTERS = 3;  // up to this many letters beside a digit are ignored: "h264", "a7ebb5ad"

uint64_t seed_of(UrlKind kind) { return HASH_SEED + HASH_WORD * (static_cast<uint64_t>(kind) + 1); }

bool is_ascii_digit(char32_t c) { return c - '0' < 10; }

uint64_t hash_codes(UrlKind kind, const char32_t* codes, int count) {
    uint64_t state = seed_of(kind);
    for (int i = 0; i < count; ++i) state = hash_step(state, plain_letter(codes[i]));
    return hash_last(state);
}
uint64_t hash_bytes(UrlKind kind, std::string_view bytes) {
    uint64_t state = seed_of(kind);
    for (char c : bytes) state = hash_step(state, static_cast<unsigned char>(c));
    return hash_last(state);
}
uint64_t hash_number(UrlKind kind, uint64_t type, uint64_t number) {
    return hash_last(hash_step(hash_step(seed_of(kind), static_cast<char32_t>(type)), static_cast<char32_t>(number)));
}

// Words that occur in every other URL.
bool is_trivial(const char32_t* word, int length) {
    static constexpr std::string_view WORDS[] = {"www", "http", "https", "index", "html", "htm", "shtml",
                                                 "php", "asp",  "aspx",  "jsp",   "com",  "net", "org"};
    if (length > 5) return false;
    for (std::string_view known : WORDS) {
        if (static_cast<int>(known.size()) != length) continue;
        if (std::equal(known.begin(), known.end(), word, [](char a, char32_t b) { return static_cast<char32_t>(a) == b; })) return true;
    }
    return false;
}

// Splits code points into words and adds their features.
class Words {
public:
    Words(const UrlCodes& codes, UrlFeatures& out, uint8_t flag) : codes_(codes), out_(out), flag_(flag) { word_[0] = BOUNDARY; }

    void read(const char32_t* codes, int count) {
        previous_word_ = 0;
        for (int i = 0; i < count; ++i) {
            const char32_t code = codes[i];
            if (!is_url_letter(code)) {
                flush(is_ascii_digit(code));
                after_digit_ = is_ascii_digit(code);
                continue;
            }
            if (code >= 0x300 && code < 0x370) continue;  // combining marks are ignored
            const bool upper = code >= 'A' && code <= 'Z';
            if (length_ > 0 && ((upper && after_lower_) || length_ == MAX_URL_WORD_LETTERS)) flush(false);
            after_lower_ = code >= 'a' && code <= 'z';
            const char32_t folded = plain_letter(code);
            if (code >= 128) add_letter(code, folded);
            word_[++length_] = folded;
        }
        flush(false);
        after_digit_ = false;
    }

private:
    void add(uint64_t key, UrlKind kind) { out_.add(key, static_cast<uint8_t>(kind) | flag_); }

    // Adds a feature for a letter that English lacks, or for a script.
    void add_letter(char32_t code, char32_t folded) {
        if (folded < 128) add(hash_number(UrlKind::mark, 0, lower_of(code)), UrlKind::mark);
        else if (length_ == 0 && !seen_scripts_[script_of(code)]) {
            seen_scripts_[script_of(code)] = true;
            add(hash_number(UrlKind::script, 0, script_of(code)), UrlKind::script);
            out_.script = codes_.find_script(script_of(code));
        }
    }

    void flush(bool digit) {
        const int length = length_;
        length_ = 0;
        after_lower_ = false;
        const bool has_digit = after_digit_ || digit;
        if (length == 0) return;
        after_digit_ = false;
        const bool cjk = word_[1] >= CJK_FIRST && word_[1] < CJK_LAST;
        if ((length < 2 && !cjk) || (length <= MAX_BRIEF_LETTERS && has_digit && !cjk)) return;
        word_[length + 1] = BOUNDARY;
        uint64_t state = seed_of(UrlKind::word);
        for (int i = 1; i <= length; ++i) state = hash_step(state, word_[i]);
        add(hash_last(state), UrlKind::word);
        if (previous_word_) add(hash_last(hash_step(previous_word_, static_cast<char32_t>(state >> 32))), UrlKind::words);
        previous_word_ = state;
        if (is_trivial(word_ + 1, length)) return;
        if (cjk) grams(1, length + 1, 1, CJK_ORDER);
        else if (length >= 3) grams(0, length + 2, MIN_URL_NGRAM, MAX_URL_NGRAM);
    }

    // Adds all n-grams of one order at a time, in loops with predictable branches.
    void grams(int first, int last, int low, int high) {
        const char32_t* word = word_ + first;
        const int length = last - first;
        uint64_t states[MAX_URL_WORD_LETTERS + 2];
        for (int i = 0; i <= length - low; ++i) {
            uint64_t state = seed_of(UrlKind::gram);
            for (int k = 0; k < low - 1; ++k) state = hash_step(state, word[i + k]);
            states[i] = state;
        }
        for (int order = low; order <= std::min(high, length); ++order) {
            const int count = std::min(length - order + 1, MAX_URL_FEATURES - out_.count);
            for (int i = 0; i < count; ++i) {
                states[i] = hash_step(states[i], word[i + order - 1]);
                out_.keys[out_.count + i] = hash_last(states[i]);
            }
            std::memset(out_.kinds + out_.count, static_cast<uint8_t>(UrlKind::gram) | flag_, static_cast<size_t>(count));
            out_.text_count += count;
            out_.count += count;
        }
    }

    const UrlCodes& codes_;
    UrlFeatures& out_;
    const uint8_t flag_;
    std::bitset<256> seen_scripts_;
    char32_t word_[MAX_URL_WORD_LETTERS + 2];
    int length_ = 0;
    bool after_lower_ = false, after_digit_ = false;
    uint64_t previous_word_ = 0;  // hash of the previous word in the same part
};

// True if a part may be a code or a short name: letters, with hyphens or underscores inside.
bool is_code(const char32_t* codes, int count) {
    if (count < 2 || count > MAX_URL_CODE_CHARS) return false;
    for (int i = 0; i < count; ++i) {
        const bool separator = codes[i] == '-' || codes[i] == '_';
        if (separator ? i == 0 || i + 1 == count : !is_letter(codes[i])) return false;
    }
    return true;
}

uint64_t count_bucket(int count) { return count < 2 ? static_cast<uint64_t>(count) : count < 4 ? 2 : count < 8 ? 3 : 4; }

// Adds a part that names a language. Returns true if it is right often enough not to be read as words.
bool add_mention(UrlPlace place, CodeRange range, const UrlCodes& codes, UrlFeatures& out) {
    const int reliability = codes.reliability(range, place);
    if (reliability > 0 && out.mention_count < MAX_URL_MENTIONS) out.mentions[out.mention_count++] = {range, place};
    return reliability >= MIN_NAMED_RELIABILITY;
}

// A top level domain, or the country code that it stands for in another script.
std::string_view plain_tld(std::string_view tld, const UrlCodes& table) {
    const bool is_encoded = tld.substr(0, 4) == "xn--";
    if (tld.empty() || tld.size() > 63 || (!is_encoded && static_cast<signed char>(tld.front()) >= 0)) return tld;
    char32_t codes[MAX_URL_READ_BYTES];
    int count = 0;
    if (!is_encoded || !decode_punycode(tld.substr(4), codes, count)) count = decode_part(tld, false, codes);
    const std::string_view country = table.find_alias(codes, count);
    return country.empty() ? tld : country;
}

void host_features(std::string_view host, const UrlTables& tables, UrlFeatures& out) {
    const size_t suffix = tables.suffixes.find(host);
    const size_t tld = host.rfind('.') == std::string_view::npos ? 0 : host.rfind('.') + 1;
    const auto add = [&](uint64_t key, UrlKind kind) { out.add(key, static_cast<uint8_t>(kind) | URL_HOST); };
    const std::string_view country = plain_tld(host.substr(tld), tables.codes);
    out.tld = tables.codes.find_tld(country);
    add(hash_bytes(UrlKind::tld, country), UrlKind::tld);
    out.is_national = is_national_host(host);
    if (suffix < tld) add(hash_bytes(UrlKind::suffix, host.substr(suffix)), UrlKind::suffix);
    add(hash_number(UrlKind::hyphens, 0, count_bucket(static_cast<int>(std::count(host.begin(), host.end(), '-')))), UrlKind::hyphens);
    if (suffix == 0) return;
    const std::string_view names = host.substr(0, suffix - 1);
    const size_t dot = names.rfind('.');
    const size_t registered_name = dot == std::string_view::npos ? 0 : dot + 1;
    add(hash_bytes(UrlKind::domain, host.substr(registered_name)), UrlKind::domain);
    Words words(tables.codes, out, URL_HOST);
    char32_t codes[MAX_URL_READ_BYTES];
    for (size_t at = 0; at <= names.size();) {
        size_t end = names.find('.', at);
        if (end == std::string_view::npos) end = names.size();
        const std::string_view label = names.substr(at, end - at);
        const bool before = at < registered_name && label != "www" && !label.empty();
        int count = 0;
        if (label.substr(0, 4) != "xn--" || label.size() > 63 || !decode_punycode(label.substr(4), codes, count))
            count = decode_part(label, false, codes);
        at = end + 1;
        if (before && add_mention(UrlPlace::label, tables.codes.find(codes, count), tables.codes, out)) continue;
        if (before) add(hash_bytes(UrlKind::subdomain, label), UrlKind::subdomain);
        words.read(codes, count);
    }
}

bool is_separator(char32_t c) { return c == '.' || c == '-' || c == '_'; }

bool equals(std::string_view text, const char32_t* codes, int count) {
    return static_cast<int>(text.size()) == count &&
           std::equal(text.begin(), text.end(), codes, [](char a, char32_t b) { return static_cast<char32_t>(a) == plain_letter(b); });
}

// True for a two-letter file type that is also a language code: .pl, .cs.
bool is_program_type(const char32_t* codes, int count) {
    static constexpr std::string_view TYPES[] = {"am", "av", "cs", "do", "la", "mk", "ml", "pl", "ps", "sh", "so", "ss", "ts"};
    return std::any_of(std::begin(TYPES), std::end(TYPES), [&](std::string_view type) { return equals(type, codes, count); });
}

// The length of a key that selects a language at the start of a segment (lang-fr, language=de), with its separator; 0 for none.
int find_segment_key(const char32_t* codes, int count) {
    static constexpr std::string_view KEYS[] = {"lang", "lng", "language", "locale"};
    for (std::string_view key : KEYS) {
        const int size = static_cast<int>(key.size());
        if (count <= size + 2 || !equals(key, codes, size)) continue;
        if (codes[size] == '=' || codes[size] == '-' || codes[size] == '_' || codes[size] == ':') return size + 1;
    }
    return 0;
}

// Adds mentions in the chunks of a segment: "fr" in index.fr, index_fr, my-index-fr and fr_index.
void chunk_mentions(const char32_t* codes, int count, const UrlCodes& table, UrlFeatures& out) {
    int first = 0, last = count;
    while (first < count && !is_separator(codes[first])) ++first;
    while (last > 0 && !is_separator(codes[last - 1])) --last;
    if (last == 0 || last == count || first == 0) return;
    if (first == 2 && last == 3 && count == 5) return;  // de-it: a locale with a rare region or a pair of languages, in either order
    const UrlPlace place = codes[last - 1] == '.' ? UrlPlace::dot : first == last - 1 ? UrlPlace::ending : UrlPlace::tail;
    add_mention(place, table.find(codes + last, count - last), table, out);
    if (codes[first] != '-') add_mention(UrlPlace::start, table.find(codes, first), table, out);
}

// Adds the features of a file name's type and returns its length without the type.
int file_features(const char32_t* codes, int count, const UrlCodes& table, UrlFeatures& out) {
    int dot = count;
    while (dot > 0 && codes[dot - 1] != '.') --dot;
    if (dot == 0) return count;
    const char32_t* type = codes + dot;
    const int length = count - dot;
    if (length >= 2 && length <= 5) out.add(hash_codes(UrlKind::extension, type, length), static_cast<uint8_t>(UrlKind::extension));
    if (dot > 1 && length == 2 && !is_program_type(type, length)) add_mention(UrlPlace::dot, table.find(type, length), table, out);
    return dot - 1;
}

// Adds the mentions of a path segment. Returns true if it names a language as a whole and must not be read as words.
bool segment_mentions(const char32_t* codes, int count, UrlPlace place, const UrlCodes& table, UrlFeatures& out) {
    if (UrlCodes::is_cased_locale(codes, count)) place = UrlPlace::language_key;  // as explicit as a key, wherever it stands
    if (add_mention(place, table.find(codes, count), table, out)) return true;
    if (const int key = find_segment_key(codes, count))
        if (add_mention(UrlPlace::language_key, table.find(codes + key, count - key), table, out)) return true;
    chunk_mentions(codes, count, table, out);
    return false;
}

void path_features(std::string_view path, const UrlTables& tables, UrlFeatures& out) {
    char32_t codes[MAX_URL_READ_BYTES];
    const int count = decode_part(path, false, codes);
    Words words(tables.codes, out, 0);
    int hyphens = 0, begin = 0;
    for (int i = 0; i <= count; ++i) {
        if (i < count && codes[i] == '-') ++hyphens;
        if (i < count && codes[i] != '/') continue;
        const char32_t* segment = codes + begin;
        const int length = i - begin;
        const UrlPlace place = begin <= 1 ? UrlPlace::first : UrlPlace::later;
        begin = i + 1;
        const bool is_pair =
            length == 2 && i + 3 <= count && (i + 3 == count || codes[i + 3] == '/') && is_code(segment, 2) && is_code(codes + i + 1, 2);
        if (is_pair && add_mention(place, tables.codes.find_pair(segment, codes + i + 1), tables.codes, out)) {
            i += 3;
            begin = i + 1;
            continue;
        }
        const int name = i == count ? file_features(segment, length, tables.codes, out) : length;
        if (segment_mentions(segment, name, place, tables.codes, out)) continue;
        if (is_code(segment, length)) out.add(hash_codes(UrlKind::segment, segment, length), static_cast<uint8_t>(UrlKind::segment));
        words.read(segment, length);
    }
    out.add(hash_number(UrlKind::hyphens, 1, count_bucket(hyphens)), static_cast<uint8_t>(UrlKind::hyphens));
}

// True if a query key selects a language: lang, clang, languageId, locale, hl.
bool is_language_key(const char32_t* codes, int count) {
    static constexpr std::string_view KEYS[] = {"hl",      "l",      "lan",  "ln",      "lc",    "lg",    "idioma", "idiom",
                                                "sprache", "lingua", "taal", "culture", "jezik", "jazyk", "kieli"};
    if (count >= 3 && (equals("lng", codes, 3) || equals("lng", codes + count - 3, 3))) return true;
    if (count >= 4 && equals("loca", codes, 4)) return true;
    for (int i = 0; i + 4 <= count; ++i)
        if (equals("lang", codes + i, 4)) return true;
    return std::any_of(std::begin(KEYS), std::end(KEYS), [&](std::string_view key) { return equals(key, codes, count); });
}

void query_features(std::string_view query, const UrlTables& tables, UrlFeatures& out) {
    char32_t codes[MAX_URL_READ_BYTES];
    const int count = decode_part(query, true, codes);
    Words words(tables.codes, out, URL_QUERY);
    const auto add = [&](uint64_t key, UrlKind kind) { out.add(key, static_cast<uint8_t>(kind) | URL_QUERY); };
    int begin = 0, equals_at = -1;
    for (int i = 0; i <= count; ++i) {
        if (i < count && codes[i] == '=' && equals_at < 0) equals_at = i;
        if (i < count && codes[i] != '&' && codes[i] != ';' && codes[i] != '#') continue;
        const int value = equals_at + 1;
        const UrlPlace place =
            equals_at >= 0 && is_language_key(codes + begin, equals_at - begin) ? UrlPlace::language_key : UrlPlace::value;
        if (equals_at < 0 || !add_mention(place, tables.codes.find(codes + value, i - value), tables.codes, out)) {
            if (equals_at >= 0 && is_code(codes + value, i - value)) {
                add(hash_codes(UrlKind::pair, codes + begin, i - begin), UrlKind::pair);
                add(hash_codes(UrlKind::value, codes + value, i - value), UrlKind::value);
            }
            words.read(codes + begin, i - begin);
        }
        begin = i + 1;
        equals_at = -1;
    }
}

}  // namespace

void url_features(std::string_view url, const UrlTables& tables, UrlFeatures& out) {
    out.count = out.text_count = 0;
    out.mention_count = 0;
    out.tld = out.script = {};
    out.is_national = out.is_home = false;
    const UrlParts parts = split_url(url);
    out.reason = parts.reason;
    if (parts.reason != UrlReason::none) return;
    if (!parts.is_ip) {
        char host[256];
        std::transform(parts.host.begin(), parts.host.end(), host, [](char c) { return static_cast<char>(lower(static_cast<Byte>(c))); });
        host_features(std::string_view(host, parts.host.size()), tables, out);
    }
    out.is_home = parts.path.size() <= 1 && parts.query.empty();
    if (parts.path.size() > 1) path_features(parts.path, tables, out);
    if (!parts.query.empty()) query_features(parts.query, tables, out);
    const uint64_t shape = (parts.path.size() > 1 ? 1u : 0u) | (parts.query.empty() ? 0u : 2u) | (parts.is_ip ? 4u : 0u);
    out.add(hash_number(UrlKind::shape, 0, shape), static_cast<uint8_t>(UrlKind::shape));
}

}  // namespace webtongue
