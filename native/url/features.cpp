#include "url/features.hpp"

#include <algorithm>
#include <cstring>

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
constexpr uint64_t RULE = 1, WILDCARD = 2, EXCEPTION = 4, FLAGS = 7;
constexpr uint64_t SEEN_BITS = 1 << 17;  // one in twelve names that are no rule passes
constexpr uint64_t REVERSE_STEP = 0x100000001B3ull;

uint64_t seed_of(UrlKind kind) { return HASH_SEED + HASH_WORD * (static_cast<uint64_t>(kind) + 1); }

bool is_alpha(char c) { return static_cast<unsigned char>((c | 0x20) - 'a') < 26; }
bool is_digit(char32_t c) { return c - '0' < 10; }
char lower_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
int hex_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char low = static_cast<char>(c | 0x20);
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

// A letter as words have it: lower case, Latin without marks.
char32_t plain(char32_t code) {
    if (code < 128) return code >= 'A' && code <= 'Z' ? code + 32 : code;
    uint8_t base = 0;
    if (code >= LATIN_FIRST && code < LATIN_LAST) base = LATIN_BASE[code - LATIN_FIRST];
    else if (code >= VIET_FIRST && code < VIET_LAST) base = LATIN_BASE[LATIN_LAST - LATIN_FIRST + (code - VIET_FIRST)];
    return base ? base : lower_of(code);
}

// Code points of a part, percent-decoded; never more of them than bytes.
int decode_part(std::string_view part, bool plus, char32_t* out) {
    bool plain_ascii = true;
    for (char c : part) plain_ascii &= (static_cast<signed char>(c) >= 0) & (c != '%') & (c != '+');
    if (plain_ascii) {
        std::copy(part.begin(), part.end(), out);
        return static_cast<int>(part.size());
    }
    unsigned char bytes[URL_BYTES];
    size_t size = 0;
    for (size_t i = 0; i < part.size(); ++i) {
        char c = part[i];
        if (c == '%' && i + 2 < part.size() && hex_of(part[i + 1]) >= 0 && hex_of(part[i + 2]) >= 0) {
            c = static_cast<char>(hex_of(part[i + 1]) * 16 + hex_of(part[i + 2]));
            i += 2;
        } else if (c == '+' && plus) {
            c = ' ';
        }
        bytes[size++] = static_cast<unsigned char>(c);
    }
    int count = 0;
    const unsigned char *at = bytes, *end = bytes + size;
    while (at < end) out[count++] = next_code(at, end);
    return count;
}

// RFC 3492; false where the label is no punycode, and the label is then read as it stands.
bool decode_punycode(std::string_view label, char32_t* out, int& count) {
    constexpr uint32_t base = 36, low = 1, high = 26, skew = 38, damp = 700;
    const size_t dash = label.rfind('-');
    size_t at = dash == std::string_view::npos ? 0 : dash + 1;
    count = 0;
    for (size_t i = 0; i + 1 < at; ++i) {
        const auto basic = static_cast<unsigned char>(label[i]);
        if (basic >= 0x80) return false;
        out[count++] = basic;
    }
    uint32_t code = 128, index = 0, bias = 72;
    while (at < label.size()) {
        const uint32_t before = index;
        uint64_t weight = 1;
        for (uint32_t k = base;; k += base) {
            if (at >= label.size()) return false;
            const char c = label[at++];
            const uint32_t digit = is_alpha(c)                               ? static_cast<uint32_t>((c | 0x20) - 'a')
                                   : is_digit(static_cast<unsigned char>(c)) ? static_cast<uint32_t>(c - '0' + 26)
                                                                             : base;
            if (digit >= base || digit * weight > 0x10FFFFu * 64ull) return false;
            index += static_cast<uint32_t>(digit * weight);
            const uint32_t least = k <= bias ? low : k >= bias + high ? high : k - bias;
            if (digit < least) break;
            weight *= base - least;
            if (weight > 0xFFFFFFFull) return false;
        }
        const uint32_t total = static_cast<uint32_t>(count) + 1;
        uint32_t delta = before == 0 ? (index - before) / damp : (index - before) / 2;
        delta += delta / total;
        uint32_t k = 0;
        for (; delta > (base - low) * high / 2; k += base) delta /= base - low;
        bias = k + (base - low + 1) * delta / (delta + skew);
        code += index / total;
        index %= total;
        if (code > 0x10FFFF || total > 63) return false;
        std::memmove(out + index + 1, out + index, sizeof(char32_t) * (total - 1 - index));
        out[index++] = code;
        ++count;
    }
    return true;
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
            const bool letter = code < 128 ? is_alpha(static_cast<char>(code)) : is_letter(code);
            if (!letter) {
                flush(is_digit(code));
                digit_ = is_digit(code);
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

bool is_numeric(std::string_view host) {
    return std::all_of(host.begin(), host.end(), [](char c) { return c == '.' || is_digit(static_cast<unsigned char>(c)); });
}

bool plausible_host(std::string_view host) {
    if (host.empty() || host.size() > 255 || host.front() == '.') return false;
    if (host.find('.') == std::string_view::npos) return false;
    return std::all_of(host.begin(), host.end(), [](char c) {
        return static_cast<signed char>(c) < 0 || is_alpha(c) || is_digit(static_cast<unsigned char>(c)) || c == '-' || c == '.' ||
               c == '_' || c == '%';
    });
}

}  // namespace

Suffixes::Suffixes(std::string_view rules) {
    const size_t lines = static_cast<size_t>(std::count(rules.begin(), rules.end(), '\n')) + 1;
    size_t size = 64;
    while (size < lines * 2) size *= 2;
    slots_.assign(size, 0);
    seen_.assign(SEEN_BITS / 64, 0);
    mask_ = size - 1;
    for (size_t at = 0; at < rules.size();) {
        size_t end = rules.find('\n', at);
        if (end == std::string_view::npos) end = rules.size();
        const std::string_view rule = rules.substr(at, end - at);
        if (rule.substr(0, 2) == "*.") add(rule.substr(2), WILDCARD);
        else if (rule.substr(0, 1) == "!") add(rule.substr(1), EXCEPTION);
        else if (!rule.empty() && rule.front() != '#') add(rule, RULE);
        at = end + 1;
    }
}

namespace {
uint64_t reverse_step(uint64_t state, char c) { return (state ^ static_cast<unsigned char>(c)) * REVERSE_STEP; }
}  // namespace

void Suffixes::add(std::string_view rule, uint64_t flag) {
    uint64_t hash = HASH_SEED;
    for (size_t i = rule.size(); i-- > 0;) hash = reverse_step(hash, rule[i]);
    const uint64_t bit = hash >> 44 & (SEEN_BITS - 1);
    seen_[bit / 64] |= uint64_t{1} << bit % 64;
    for (uint64_t at = hash >> 20;; ++at) {
        uint64_t& slot = slots_[at & mask_];
        if (slot != 0 && (slot ^ hash) > FLAGS) continue;
        slot = (hash & ~FLAGS) | (slot & FLAGS) | flag;
        return;
    }
}

uint64_t Suffixes::flags_of(uint64_t hash) const {
    const uint64_t bit = hash >> 44 & (SEEN_BITS - 1);
    if (!(seen_[bit / 64] >> bit % 64 & 1)) return 0;
    for (uint64_t at = hash >> 20;; ++at) {
        const uint64_t slot = slots_[at & mask_];
        if (slot == 0) return 0;
        if ((slot ^ hash) <= FLAGS) return slot & FLAGS;
    }
}

size_t Suffixes::find(std::string_view host) const {
    uint64_t hash = HASH_SEED, above = 0;
    size_t found = std::string_view::npos, previous = host.size();
    for (size_t i = host.size(); i-- > 0;) {
        if (host[i] != '.') {
            hash = reverse_step(hash, host[i]);
            if (i > 0 && host[i - 1] != '.') continue;
            const uint64_t flags = flags_of(hash);
            if (flags & EXCEPTION) return previous;
            if ((flags & RULE) || (above & WILDCARD) || found == std::string_view::npos) found = i;
            else if (!(flags & WILDCARD) && previous - i > 64) return found;
            above = flags;
            previous = i;
        } else {
            hash = reverse_step(hash, '.');
        }
    }
    return found == std::string_view::npos ? 0 : found;
}

UrlParts split_url(std::string_view url) {
    UrlParts out;
    while (!url.empty() && static_cast<unsigned char>(url.front()) <= ' ') url.remove_prefix(1);
    while (!url.empty() && static_cast<unsigned char>(url.back()) <= ' ') url.remove_suffix(1);
    if (url.empty()) return out.reason = UrlReason::empty, out;
    if (url.size() > URL_LONGEST) return out.reason = UrlReason::too_long, out;
    url = url.substr(0, URL_BYTES);
    size_t at = 0;
    while (at < url.size() && (is_alpha(url[at]) || (at > 0 && (is_digit(static_cast<unsigned char>(url[at])) || url[at] == '+' ||
                                                                url[at] == '-' || url[at] == '.'))))
        ++at;
    if (at > 0 && at < url.size() && url[at] == ':') {
        if (url.substr(at, 3) == "://") url.remove_prefix(at + 3);
        else if (at + 1 >= url.size() || !is_digit(static_cast<unsigned char>(url[at + 1])) ||
                 url.substr(0, at).find('.') == std::string_view::npos)
            return out.reason = UrlReason::no_page, out;  // data:, javascript:, mailto:
    } else if (url.substr(0, 2) == "//") {
        url.remove_prefix(2);
    }
    size_t end = 0;
    while (end < url.size() && url[end] != '/' && url[end] != '?' && url[end] != '#' && url[end] != '\\') ++end;
    std::string_view host = url.substr(0, end), rest = url.substr(end);
    if (host.find('@') != std::string_view::npos) return out.reason = UrlReason::user, out;
    if (!host.empty() && host.front() == '[') return out.reason = UrlReason::ipv6, out;
    const size_t port = host.rfind(':');
    if (port != std::string_view::npos && is_numeric(host.substr(port + 1))) host = host.substr(0, port);
    while (!host.empty() && host.back() == '.') host.remove_suffix(1);
    if (!plausible_host(host)) return out.reason = UrlReason::not_url, out;
    out.numeric = is_numeric(host);
    size_t query = 0;
    while (query < rest.size() && rest[query] != '?' && rest[query] != '#') ++query;
    out.host = host;
    out.path = rest.substr(0, query);
    out.query = query < rest.size() ? rest.substr(query + 1) : std::string_view{};
    return out;
}

void url_features(std::string_view url, const Suffixes& suffixes, UrlFeatures& out) {
    out.count = out.texts = 0;
    out.national = false;
    const UrlParts parts = split_url(url);
    out.reason = parts.reason;
    if (parts.reason != UrlReason::none) return;
    if (!parts.numeric) {
        char host[256];
        std::transform(parts.host.begin(), parts.host.end(), host, lower_ascii);
        host_features(std::string_view(host, parts.host.size()), suffixes, out);
    }
    if (parts.path.size() > 1) path_features(parts.path, out);
    if (!parts.query.empty()) query_features(parts.query, out);
    const uint64_t shape = (parts.path.size() > 1 ? 1u : 0u) | (parts.query.empty() ? 0u : 2u) | (parts.numeric ? 4u : 0u);
    out.add(hash_number(UrlKind::shape, 0, shape), static_cast<uint8_t>(UrlKind::shape));
}

}  // namespace webtongue
