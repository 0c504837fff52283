#include "url/features.hpp"

#include <algorithm>
#include <cstring>

#include "base/bytes.hpp"
#include "text/features.hpp"
#include "url/letters.hpp"

namespace webtongue {
namespace {

constexpr char32_t CJK_FIRST = 0x2E80, CJK_LAST = 0xFB00;
constexpr int CJK_ORDER = 3;
constexpr int BRIEF = 3;  // letters that say nothing beside a digit: "h264", "a7ebb5ad"

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
uint64_t hash_number(UrlKind kind, uint64_t what, uint64_t number) {
    return hash_last(hash_step(hash_step(seed_of(kind), static_cast<char32_t>(what)), static_cast<char32_t>(number)));
}

// Words that stand in every other URL.
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

// Cuts code points into words and hands on their features.
class Words {
public:
    Words(UrlFeatures& out, uint8_t flag) : out_(out), flag_(flag) { word_[0] = BOUNDARY; }

    void read(const char32_t* codes, int count) {
        before_ = 0;
        for (int i = 0; i < count; ++i) {
            const char32_t code = codes[i];
            if (!is_url_letter(code)) {
                flush(is_ascii_digit(code));
                digit_ = is_ascii_digit(code);
                continue;
            }
            if (code >= 0x300 && code < 0x370) continue;  // combining marks: as if the letter had none
            const bool upper = code >= 'A' && code <= 'Z';
            if (length_ > 0 && ((upper && lower_) || length_ == URL_WORD)) flush(false);
            lower_ = code >= 'a' && code <= 'z';
            const char32_t letter_as = plain_letter(code);
            if (code >= 128) note(code, letter_as);
            word_[++length_] = letter_as;
        }
        flush(false);
        digit_ = false;
    }

private:
    void add(uint64_t key, UrlKind kind) { out_.add(key, static_cast<uint8_t>(kind) | flag_); }

    // A letter that English lacks, or a script.
    void note(char32_t code, char32_t letter_as) {
        if (letter_as < 128) add(hash_number(UrlKind::mark, 0, lower_of(code)), UrlKind::mark);
        else if (length_ == 0) add(hash_number(UrlKind::script, 0, script_of(code)), UrlKind::script);
    }

    void flush(bool digit) {
        const int length = length_;
        length_ = 0;
        lower_ = false;
        const bool beside = digit_ || digit;
        if (length == 0) return;
        digit_ = false;
        const bool cjk = word_[1] >= CJK_FIRST && word_[1] < CJK_LAST;
        if ((length < 2 && !cjk) || (length <= BRIEF && beside && !cjk)) return;
        word_[length + 1] = BOUNDARY;
        uint64_t state = seed_of(UrlKind::word);
        for (int i = 1; i <= length; ++i) state = hash_step(state, word_[i]);
        add(hash_last(state), UrlKind::word);
        if (before_) add(hash_last(hash_step(before_, static_cast<char32_t>(state >> 32))), UrlKind::words);
        before_ = state;
        if (is_trivial(word_ + 1, length)) return;
        if (cjk) grams(1, length + 1, 1, CJK_ORDER);
        else if (length >= 3) grams(0, length + 2, URL_LOW_ORDER, URL_HIGH_ORDER);
    }

    // All n-grams of an order at a time: loops that a processor foresees.
    void grams(int first, int last, int low, int high) {
        const char32_t* word = word_ + first;
        const int length = last - first;
        uint64_t states[URL_WORD + 2];
        for (int i = 0; i <= length - low; ++i) {
            uint64_t state = seed_of(UrlKind::gram);
            for (int k = 0; k < low - 1; ++k) state = hash_step(state, word[i + k]);
            states[i] = state;
        }
        for (int order = low; order <= std::min(high, length); ++order) {
            const int count = std::min(length - order + 1, URL_FEATURES - out_.count);
            for (int i = 0; i < count; ++i) {
                states[i] = hash_step(states[i], word[i + order - 1]);
                out_.keys[out_.count + i] = hash_last(states[i]);
            }
            std::memset(out_.kinds + out_.count, static_cast<uint8_t>(UrlKind::gram) | flag_, static_cast<size_t>(count));
            out_.texts += count;
            out_.count += count;
        }
    }

    UrlFeatures& out_;
    const uint8_t flag_;
    char32_t word_[URL_WORD + 2];
    int length_ = 0;
    bool lower_ = false, digit_ = false;
    uint64_t before_ = 0;  // the word before this one in the same part
};

// Whether a part may be a code or a short name: letters, and hyphens or underscores within.
bool is_code(const char32_t* codes, int count) {
    if (count < 2 || count > URL_CODE) return false;
    for (int i = 0; i < count; ++i) {
        const bool joint = codes[i] == '-' || codes[i] == '_';
        if (joint ? i == 0 || i + 1 == count : !is_letter(codes[i])) return false;
    }
    return true;
}

uint64_t bucket(int count) { return count < 2 ? static_cast<uint64_t>(count) : count < 4 ? 2 : count < 8 ? 3 : 4; }

// Says which language a part names, if it names one.
class Said {
public:
    Said(const UrlTables& tables, UrlFeatures& out, uint8_t flag) : names_(tables.names), out_(out), flag_(flag) {}

    bool read(UrlPlace place, const char32_t* codes, int count) {
        const UrlSaid said = names_.find(codes, count);
        if (said.language == 0) return false;
        out_.said = true;
        out_.add(said_key(place, said), static_cast<uint8_t>(UrlKind::said) | flag_);
        return true;
    }

private:
    const UrlNames& names_;
    UrlFeatures& out_;
    const uint8_t flag_;
};

void host_features(std::string_view host, const UrlTables& tables, UrlFeatures& out) {
    const size_t suffix = tables.suffixes.find(host);
    const size_t tld = host.rfind('.') == std::string_view::npos ? 0 : host.rfind('.') + 1;
    const auto add = [&](uint64_t key, UrlKind kind) { out.add(key, static_cast<uint8_t>(kind) | URL_HOST); };
    add(hash_bytes(UrlKind::tld, host.substr(tld)), UrlKind::tld);
    out.national = host.size() - tld == 2 || static_cast<signed char>(host[tld]) < 0 || host.substr(tld, 4) == "xn--";
    if (suffix < tld) add(hash_bytes(UrlKind::suffix, host.substr(suffix)), UrlKind::suffix);
    add(hash_number(UrlKind::hyphens, 0, bucket(static_cast<int>(std::count(host.begin(), host.end(), '-')))), UrlKind::hyphens);
    if (suffix == 0) return;
    const std::string_view names = host.substr(0, suffix - 1);
    const size_t dot = names.rfind('.');
    const size_t own = dot == std::string_view::npos ? 0 : dot + 1;
    add(hash_bytes(UrlKind::domain, host.substr(own)), UrlKind::domain);
    Words words(out, URL_HOST);
    Said said(tables, out, URL_HOST);
    char32_t codes[URL_BYTES];
    for (size_t at = 0; at <= names.size();) {
        size_t end = names.find('.', at);
        if (end == std::string_view::npos) end = names.size();
        const std::string_view label = names.substr(at, end - at);
        const bool before = at < own && label != "www" && !label.empty();
        if (before) add(hash_bytes(UrlKind::subdomain, label), UrlKind::subdomain);
        int count = 0;
        if (label.substr(0, 4) != "xn--" || label.size() > 63 || !decode_punycode(label.substr(4), codes, count))
            count = decode_part(label, false, codes);
        if (!before || !said.read(UrlPlace::label, codes, count)) words.read(codes, count);
        at = end + 1;
    }
}

bool is_cut(char32_t c) { return c == '.' || c == '-' || c == '_'; }

// Whether a piece of a file's name is its type: html, php.
bool is_type(const char32_t* codes, int count) {
    char32_t low[URL_CODE];
    if (count > URL_CODE) return false;
    std::transform(codes, codes + count, low, plain_letter);
    return is_trivial(low, count);
}

// The second of two pieces of a file's name that are not its type: "fr" of index.fr.html and of index_fr.html.
bool ending_of(const char32_t* codes, int count, int& first, int& last) {
    int pieces = 0;
    for (int begin = 0, i = 0; i <= count && pieces < 3; ++i) {
        if (i < count && !is_cut(codes[i])) continue;
        const bool type = begin > 0 && codes[begin - 1] == '.' && is_type(codes + begin, i - begin);
        if (!type && ++pieces == 2) first = begin, last = i;
        begin = i + 1;
    }
    return pieces == 2;
}

// The last segment of a path: its type, and what the rest says. True where it is not to be read as words.
bool file_features(const char32_t* codes, int count, UrlPlace place, Said& said, UrlFeatures& out) {
    int dot = count;
    while (dot > 0 && codes[dot - 1] != '.') --dot;
    if (dot > 0 && count - dot >= 2 && count - dot <= 5)
        out.add(hash_codes(UrlKind::extension, codes + dot, count - dot), static_cast<uint8_t>(UrlKind::extension));
    if (said.read(place, codes, dot > 0 ? dot - 1 : count)) return true;
    int first = 0, last = 0;
    if (ending_of(codes, count, first, last)) said.read(UrlPlace::ending, codes + first, last - first);
    return false;
}

void path_features(std::string_view path, const UrlTables& tables, UrlFeatures& out) {
    char32_t codes[URL_BYTES];
    const int count = decode_part(path, false, codes);
    Words words(out, 0);
    Said said(tables, out, 0);
    int hyphens = 0, begin = 0;
    for (int i = 0; i <= count; ++i) {
        if (i < count && codes[i] == '-') ++hyphens;
        if (i < count && codes[i] != '/') continue;
        const char32_t* segment = codes + begin;
        const int length = i - begin;
        const UrlPlace place = begin <= 1 ? UrlPlace::first : UrlPlace::later;
        if (is_code(segment, length)) out.add(hash_codes(UrlKind::segment, segment, length), static_cast<uint8_t>(UrlKind::segment));
        const bool named = i == count ? file_features(segment, length, place, said, out) : said.read(place, segment, length);
        if (!named) words.read(segment, length);
        begin = i + 1;
    }
    out.add(hash_number(UrlKind::hyphens, 1, bucket(hyphens)), static_cast<uint8_t>(UrlKind::hyphens));
}

// Whether the key of a query asks for a language.
bool asks(const char32_t* codes, int count) {
    static constexpr std::string_view KEYS[] = {"hl", "l", "ln", "lng", "lc", "idioma", "idiom", "sprache", "lingua", "taal", "culture"};
    const auto same = [&](std::string_view key) {
        return std::equal(key.begin(), key.end(), codes, [](char a, char32_t b) { return static_cast<char32_t>(a) == plain_letter(b); });
    };
    if (count >= 4 && (same("lang") || same("loca"))) return true;
    return std::any_of(std::begin(KEYS), std::end(KEYS),
                       [&](std::string_view key) { return static_cast<int>(key.size()) == count && same(key); });
}

void query_features(std::string_view query, const UrlTables& tables, UrlFeatures& out) {
    char32_t codes[URL_BYTES];
    const int count = decode_part(query, true, codes);
    Words words(out, URL_QUERY);
    Said said(tables, out, URL_QUERY);
    const auto add = [&](uint64_t key, UrlKind kind) { out.add(key, static_cast<uint8_t>(kind) | URL_QUERY); };
    int begin = 0, equals = -1;
    for (int i = 0; i <= count; ++i) {
        if (i < count && codes[i] == '=' && equals < 0) equals = i;
        if (i < count && codes[i] != '&' && codes[i] != ';' && codes[i] != '#') continue;
        const int value = equals + 1;
        if (equals >= 0 && is_code(codes + value, i - value)) {
            add(hash_codes(UrlKind::pair, codes + begin, i - begin), UrlKind::pair);
            add(hash_codes(UrlKind::value, codes + value, i - value), UrlKind::value);
        }
        const UrlPlace place = equals >= 0 && asks(codes + begin, equals - begin) ? UrlPlace::asked : UrlPlace::value;
        if (equals < 0 || !said.read(place, codes + value, i - value)) words.read(codes + begin, i - begin);
        begin = i + 1;
        equals = -1;
    }
}

}  // namespace

uint64_t said_key(UrlPlace place, UrlSaid said) {
    return hash_number(UrlKind::said, static_cast<uint64_t>(place) * URL_FORMS + static_cast<uint64_t>(said.form), said.language);
}

void url_features(std::string_view url, const UrlTables& tables, UrlFeatures& out) {
    out.count = out.texts = 0;
    out.national = out.home = out.said = false;
    const UrlParts parts = split_url(url);
    out.reason = parts.reason;
    if (parts.reason != UrlReason::none) return;
    if (!parts.numeric) {
        char host[256];
        std::transform(parts.host.begin(), parts.host.end(), host, [](char c) { return static_cast<char>(lower(static_cast<Byte>(c))); });
        host_features(std::string_view(host, parts.host.size()), tables, out);
    }
    out.home = parts.path.size() <= 1 && parts.query.empty();
    if (parts.path.size() > 1) path_features(parts.path, tables, out);
    if (!parts.query.empty()) query_features(parts.query, tables, out);
    const uint64_t shape = (parts.path.size() > 1 ? 1u : 0u) | (parts.query.empty() ? 0u : 2u) | (parts.numeric ? 4u : 0u);
    out.add(hash_number(UrlKind::shape, 0, shape), static_cast<uint8_t>(UrlKind::shape));
}

}  // namespace webtongue
