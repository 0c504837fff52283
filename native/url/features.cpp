#include "url/features.hpp"

#include <algorithm>
#include <cstring>

#include "base/bytes.hpp"
#include "base/scripts.hpp"
#include "text/features.hpp"

namespace webtongue {
namespace {

constexpr uint8_t LATIN_BASE[] = {
#include "tables/latin.inc"
};
constexpr char32_t LATIN_FIRST = 0xC0, LATIN_LAST = 0x250, VIET_FIRST = 0x1E00, VIET_LAST = 0x1F00;
constexpr char32_t CJK_FIRST = 0x2E80, CJK_LAST = 0xFB00;
constexpr int CJK_ORDER = 3;
constexpr int BRIEF = 3;  // letters that say nothing beside a digit: "h264", "a7ebb5ad"

uint64_t seed_of(UrlKind kind) { return HASH_SEED + HASH_WORD * (static_cast<uint64_t>(kind) + 1); }

bool is_ascii_digit(char32_t c) { return c - '0' < 10; }

// A letter as words have it: lower case, Latin without marks.
char32_t plain(char32_t code) {
    if (code < 128) return code >= 'A' && code <= 'Z' ? code + 32 : code;
    uint8_t base = 0;
    if (code >= LATIN_FIRST && code < LATIN_LAST) base = LATIN_BASE[code - LATIN_FIRST];
    else if (code >= VIET_FIRST && code < VIET_LAST) base = LATIN_BASE[LATIN_LAST - LATIN_FIRST + (code - VIET_FIRST)];
    return base ? base : lower_of(code);
}

uint64_t hash_codes(UrlKind kind, const char32_t* codes, int count) {
    uint64_t state = seed_of(kind);
    for (int i = 0; i < count; ++i) state = hash_step(state, plain(codes[i]));
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
    Words(UrlFeatures& out, bool host) : out_(out), flag_(host ? URL_HOST : 0) { word_[0] = BOUNDARY; }

    void read(const char32_t* codes, int count) {
        before_ = 0;
        for (int i = 0; i < count; ++i) {
            const char32_t code = codes[i];
            const bool letter = code < 128 ? is_alpha(static_cast<Byte>(code)) : is_letter(code);
            if (!letter) {
                flush(is_ascii_digit(code));
                digit_ = is_ascii_digit(code);
                continue;
            }
            if (code >= 0x300 && code < 0x370) continue;  // combining marks: as if the letter had none
            const bool upper = code >= 'A' && code <= 'Z';
            if (length_ > 0 && ((upper && lower_) || length_ == URL_WORD)) flush(false);
            lower_ = code >= 'a' && code <= 'z';
            const char32_t letter_as = plain(code);
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

void host_features(std::string_view host, const Suffixes& suffixes, UrlFeatures& out) {
    const size_t suffix = suffixes.find(host);
    const size_t tld = host.rfind('.') == std::string_view::npos ? 0 : host.rfind('.') + 1;
    const auto add = [&](uint64_t key, UrlKind kind) { out.add(key, static_cast<uint8_t>(kind)); };
    add(hash_bytes(UrlKind::tld, host.substr(tld)), UrlKind::tld);
    out.national = host.size() - tld == 2 || static_cast<signed char>(host[tld]) < 0 || host.substr(tld, 4) == "xn--";
    if (suffix < tld) add(hash_bytes(UrlKind::suffix, host.substr(suffix)), UrlKind::suffix);
    add(hash_number(UrlKind::hyphens, 0, bucket(static_cast<int>(std::count(host.begin(), host.end(), '-')))), UrlKind::hyphens);
    if (suffix == 0) return;
    const std::string_view names = host.substr(0, suffix - 1);
    const size_t dot = names.rfind('.');
    const size_t own = dot == std::string_view::npos ? 0 : dot + 1;
    add(hash_bytes(UrlKind::domain, host.substr(own)), UrlKind::domain);
    Words words(out, true);
    char32_t codes[URL_BYTES];
    for (size_t at = 0; at <= names.size();) {
        size_t end = names.find('.', at);
        if (end == std::string_view::npos) end = names.size();
        const std::string_view label = names.substr(at, end - at);
        if (at < own && label != "www" && !label.empty()) add(hash_bytes(UrlKind::subdomain, label), UrlKind::subdomain);
        int count = 0;
        if (label.substr(0, 4) != "xn--" || label.size() > 63 || !decode_punycode(label.substr(4), codes, count))
            count = decode_part(label, false, codes);
        words.read(codes, count);
        at = end + 1;
    }
}

void path_features(std::string_view path, UrlFeatures& out) {
    char32_t codes[URL_BYTES];
    const int count = decode_part(path, false, codes);
    Words words(out, false);
    int hyphens = 0, begin = 0;
    for (int i = 0; i <= count; ++i) {
        if (i < count && codes[i] == '-') ++hyphens;
        if (i < count && codes[i] != '/') continue;
        if (is_code(codes + begin, i - begin))
            out.add(hash_codes(UrlKind::segment, codes + begin, i - begin), static_cast<uint8_t>(UrlKind::segment));
        if (i == count) {
            int dot = i;
            while (dot > begin && codes[dot - 1] != '.') --dot;
            if (dot > begin && i - dot >= 2 && i - dot <= 5)
                out.add(hash_codes(UrlKind::extension, codes + dot, i - dot), static_cast<uint8_t>(UrlKind::extension));
        }
        words.read(codes + begin, i - begin);
        begin = i + 1;
    }
    out.add(hash_number(UrlKind::hyphens, 1, bucket(hyphens)), static_cast<uint8_t>(UrlKind::hyphens));
}

void query_features(std::string_view query, UrlFeatures& out) {
    char32_t codes[URL_BYTES];
    const int count = decode_part(query, true, codes);
    Words words(out, false);
    int begin = 0, equals = -1;
    for (int i = 0; i <= count; ++i) {
        if (i < count && codes[i] == '=' && equals < 0) equals = i;
        if (i < count && codes[i] != '&' && codes[i] != ';' && codes[i] != '#') continue;
        if (equals >= 0 && is_code(codes + equals + 1, i - equals - 1)) {
            out.add(hash_codes(UrlKind::pair, codes + begin, i - begin), static_cast<uint8_t>(UrlKind::pair));
            out.add(hash_codes(UrlKind::value, codes + equals + 1, i - equals - 1), static_cast<uint8_t>(UrlKind::value));
        }
        words.read(codes + begin, i - begin);
        begin = i + 1;
        equals = -1;
    }
}

}  // namespace

void url_features(std::string_view url, const Suffixes& suffixes, UrlFeatures& out) {
    out.count = out.texts = 0;
    out.national = false;
    const UrlParts parts = split_url(url);
    out.reason = parts.reason;
    if (parts.reason != UrlReason::none) return;
    if (!parts.numeric) {
        char host[256];
        std::transform(parts.host.begin(), parts.host.end(), host, [](char c) { return static_cast<char>(lower(static_cast<Byte>(c))); });
        host_features(std::string_view(host, parts.host.size()), suffixes, out);
    }
    if (parts.path.size() > 1) path_features(parts.path, out);
    if (!parts.query.empty()) query_features(parts.query, out);
    const uint64_t shape = (parts.path.size() > 1 ? 1u : 0u) | (parts.query.empty() ? 0u : 2u) | (parts.numeric ? 4u : 0u);
    out.add(hash_number(UrlKind::shape, 0, shape), static_cast<uint8_t>(UrlKind::shape));
}

}  // namespace webtongue
