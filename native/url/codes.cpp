#include "url/codes.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/scripts.hpp"
#include "text/features.hpp"
#include "url/letters.hpp"

namespace webtongue {
namespace {

constexpr std::string_view SCRIPT_CODES[] = {"hans", "hant", "latn", "cyrl", "arab"};
constexpr uint64_t TOKEN = 1, LOCALE = 2, PAIR = 3, REGION = 4, TLD = 5, SCRIPT = 6, SPOKEN = 7;  // kinds of keys
constexpr size_t PREFIX_COUNT = 26 * 26 * 27;

bool is_separator(char32_t c) { return c == '-' || c == '_'; }

// An index for the first three letters, or both of two; PREFIX_COUNT if they are not all ASCII.
size_t prefix_index(const char32_t* codes, int count) {
    size_t out = 0;
    for (int i = 0; i < 3; ++i) {
        if (i == count) return out * 27 + 26;
        const char32_t letter = (codes[i] | 0x20) - 'a';
        if (letter >= 26 || codes[i] >= 128) return PREFIX_COUNT;
        out = out * (i < 2 ? 26 : 27) + letter;
    }
    return out;
}

uint64_t key_of(uint64_t kind, const char32_t* codes, int count) {
    uint64_t state = hash_step(HASH_SEED, static_cast<char32_t>(kind));
    for (int i = 0; i < count; ++i) state = hash_step(state, plain_letter(codes[i]));
    return hash_last(state) | 1;
}

// The key of a name: letters without marks and separators (bahasa-indonesia is bahasaindonesia); 0 if there are other characters.
uint64_t name_key(const char32_t* codes, int count) {
    char32_t letters[MAX_CODE_CHARS];
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        if (is_separator(codes[i]) || codes[i] == ' ' || (codes[i] >= 0x300 && codes[i] < 0x370)) continue;
        if (!is_url_letter(codes[i])) return 0;
        letters[kept++] = codes[i];
    }
    return kept < 2 ? 0 : key_of(TOKEN, letters, kept);
}

bool is_script(const char32_t* codes, int count) {
    return count == 4 && std::any_of(std::begin(SCRIPT_CODES), std::end(SCRIPT_CODES), [&](std::string_view script) {
               return std::equal(script.begin(), script.end(), codes,
                                 [](char a, char32_t b) { return static_cast<char32_t>(a) == plain_letter(b); });
           });
}

uint64_t pair_key(uint64_t kind, const char32_t* first, const char32_t* second) {
    const char32_t codes[] = {first[0], first[1], second[0], second[1]};
    return key_of(kind, codes, 4);
}

bool is_same(const char32_t* first, const char32_t* second) {
    return plain_letter(first[0]) == plain_letter(second[0]) && plain_letter(first[1]) == plain_letter(second[1]);
}

// The next field of a line.
std::string_view next_field(std::string_view& line) {
    const size_t end = std::min(line.find('\t'), line.size());
    const std::string_view field = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return field;
}

uint16_t parse_number(std::string_view text) {
    unsigned value = 0;
    for (char c : text)
        if (c >= '0' && c <= '9') value = std::min(value * 10 + static_cast<unsigned>(c - '0'), 999u);
    return static_cast<uint16_t>(value);
}

}  // namespace

UrlCodes::UrlCodes(std::string_view table, const std::vector<std::string_view>& labels) {
    const size_t lines = static_cast<size_t>(std::count(table.begin(), table.end(), '\n')) + 1;
    size_t size = 64;
    while (size < lines * 2) size *= 2;
    slots_.assign(size, {});
    mask_ = size - 1;
    known_prefixes_.assign(PREFIX_COUNT + 1, false);
    known_prefixes_[PREFIX_COUNT] = true;
    std::unordered_map<std::string_view, uint16_t> numbers;
    for (std::string_view label : labels) numbers.emplace(label, static_cast<uint16_t>(numbers.size()));
    for (size_t at = 0; at < table.size();) {
        const size_t end = std::min(table.find('\n', at), table.size());
        const std::string_view line = table.substr(at, end - at);
        at = end + 1;
        if (!line.empty() && line.front() != '#') add_line(line, numbers);
    }
}

void UrlCodes::add_line(std::string_view line, const std::unordered_map<std::string_view, uint16_t>& numbers) {
    const std::string_view token = next_field(line), form = next_field(line), label = next_field(line);
    char32_t codes[MAX_CODE_CHARS] = {};
    int count = 0;
    const auto *next = reinterpret_cast<const unsigned char*>(token.data()), *end = next + token.size();
    while (next < end && count < MAX_CODE_CHARS) codes[count++] = next_code(next, end);
    if (form == "region") return add_region(codes, count, label);
    if (form == "alias") return aliases_.push_back({std::u32string(codes, codes + count), std::string(label)}), void();
    const auto label_number = numbers.find(label);
    const uint64_t key = form == "tld"                   ? key_of(TLD, codes, count)
                         : form == "script"              ? key_of(SCRIPT, codes, count)
                         : count == 4 && codes[3] == '*' ? key_of(LOCALE, codes, 2)
                         : count == 5 && codes[2] == '-' ? pair_key(PAIR, codes, codes + 3)
                                                         : name_key(codes, count);
    if (label_number == numbers.end() || key == 0) return;
    known_prefixes_[prefix_index(codes, count)] = true;
    CodeRow row;
    row.label = label_number->second;
    for (uint16_t& value : row.values) value = parse_number(next_field(line));
    rows_.push_back(row);
    const auto index = static_cast<uint32_t>(rows_.size());
    const CodeRange before = lookup(key);
    add(key, {before.end == index - 1 && before ? before.begin : index - 1, index});
}

void UrlCodes::add_region(const char32_t* codes, int count, std::string_view languages) {
    add(key_of(REGION, codes, count), {0, languages.empty() ? 2u : 1u});
    for (size_t at = 0; at + 2 <= languages.size() && count == 2; at += 3) {
        const char32_t language[] = {static_cast<unsigned char>(languages[at]), static_cast<unsigned char>(languages[at + 1])};
        add(pair_key(SPOKEN, codes, language), {0, 1});
    }
}

void UrlCodes::add(uint64_t hash, CodeRange range) {
    for (uint64_t place = hash >> 20;; ++place) {
        Slot& slot = slots_[place & mask_];
        if (slot.hash != 0 && slot.hash != hash) continue;
        slot = {hash, range};
        return;
    }
}

CodeRange UrlCodes::lookup(uint64_t hash) const {
    for (uint64_t place = hash >> 20;; ++place) {
        const Slot& slot = slots_[place & mask_];
        if (slot.hash == hash) return slot.range;
        if (slot.hash == 0) return {};
    }
}

bool UrlCodes::is_region(const char32_t* codes, int count) const { return static_cast<bool>(lookup(key_of(REGION, codes, count))); }

bool UrlCodes::goes_with(const char32_t* language, const char32_t* region, int count) const {
    constexpr char32_t ENGLISH[] = {'e', 'n'};
    if (is_script(region, count) || (count == 2 && is_same(language, region))) return true;
    const CodeRange range = lookup(key_of(REGION, region, count));
    if (!range) return false;
    return range.end == 2 || is_same(language, ENGLISH) || (count == 2 && lookup(pair_key(SPOKEN, region, language)));
}

bool UrlCodes::is_cased_locale(const char32_t* codes, int count) {
    const auto is_between = [&](int at, char32_t low, char32_t high) { return codes[at] >= low && codes[at] <= high; };
    return count == 5 && is_between(0, 'a', 'z') && is_between(1, 'a', 'z') && is_separator(codes[2]) && is_between(3, 'A', 'Z') &&
           is_between(4, 'A', 'Z');
}

CodeRange UrlCodes::find_locale(const char32_t* codes, int count) const {
    if (is_cased_locale(codes, count) && is_region(codes + 3, 2))
        if (const CodeRange range = lookup(key_of(LOCALE, codes, 2))) return range;
    int first = 0;
    while (first < count && !is_separator(codes[first])) ++first;
    int second = first + 1;
    while (second < count && !is_separator(codes[second])) ++second;
    const char32_t* tail = codes + first + 1;
    const int tail_count = second - first - 1;
    if (second < count) {  // zh-hans-cn
        if (first != 2 || count - second != 3 || !is_script(tail, tail_count)) return {};
        return lookup(key_of(LOCALE, codes, 2));
    }
    if (first == 2 && tail_count == 2)
        if (const CodeRange pair = lookup(pair_key(PAIR, codes, tail))) return pair;
    if (first == 2 && goes_with(codes, tail, tail_count))
        if (const CodeRange range = lookup(key_of(LOCALE, codes, 2))) return range;
    return tail_count == 2 && goes_with(tail, codes, first) ? lookup(key_of(LOCALE, tail, 2)) : CodeRange{};
}

CodeRange UrlCodes::find(const char32_t* codes, int count) const {
    if (count < 2 || count > MAX_CODE_CHARS) return {};
    const bool joined = std::any_of(codes, codes + count, is_separator);
    if (joined && count <= 10)
        if (const CodeRange range = find_locale(codes, count)) return range;
    if ((joined && count < 6) || !known_prefixes_[prefix_index(codes, count)]) return {};
    const uint64_t key = name_key(codes, count);
    return key ? lookup(key) : CodeRange{};
}

CodeRange UrlCodes::find_pair(const char32_t* first, const char32_t* second) const {
    if (const CodeRange pair = lookup(pair_key(PAIR, first, second))) return pair;
    const CodeRange as_first = lookup(key_of(LOCALE, first, 2)), as_second = lookup(key_of(LOCALE, second, 2));
    if (is_same(first, second)) return as_first;
    const bool can_begin = as_first && is_region(second, 2), can_end = as_second && is_region(first, 2);
    return can_begin == can_end ? CodeRange{} : can_begin ? as_first : as_second;
}

CodeRange UrlCodes::find_tld(std::string_view tld) const {
    char32_t codes[MAX_CODE_CHARS];
    if (tld.size() > MAX_CODE_CHARS) return {};
    std::transform(tld.begin(), tld.end(), codes, [](char c) { return static_cast<char32_t>(static_cast<unsigned char>(c)); });
    return lookup(key_of(TLD, codes, static_cast<int>(tld.size())));
}

CodeRange UrlCodes::find_script(uint8_t script) const {
    char32_t codes[4];
    std::transform(script_name(script), script_name(script) + 4, codes, [](char c) { return static_cast<char32_t>(c); });
    return lookup(key_of(SCRIPT, codes, 4));
}

std::string_view UrlCodes::find_alias(const char32_t* codes, int count) const {
    for (const Alias& alias : aliases_)
        if (static_cast<int>(alias.name.size()) == count && std::equal(alias.name.begin(), alias.name.end(), codes)) return alias.country;
    return {};
}

int UrlCodes::reliability(CodeRange range, UrlPlace place) const {
    int best = 0;
    for (uint32_t i = range.begin; i < range.end; ++i) best = std::max<int>(best, rows_[i].values[static_cast<int>(place)]);
    return best;
}

}  // namespace webtongue
