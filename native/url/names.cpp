#include "url/names.hpp"

#include <algorithm>

#include "text/features.hpp"
#include "url/letters.hpp"

namespace webtongue {
namespace {

constexpr int LONGEST = 24;  // characters of a form: no name of a language that pages are offered in has more
constexpr std::string_view KINDS[] = {"code", "long", "country", "native", "english"};
constexpr std::string_view SCRIPTS_SAID[] = {"hans", "hant", "latn", "cyrl", "arab"};

bool is_joint(char32_t c) { return c == '-' || c == '_'; }

// Whether what follows a code is a region or a script: not so in "en-vivo".
bool is_region(const char32_t* codes, int count) {
    const auto all = [&](auto is) {
        return std::all_of(codes, codes + count, [&](char32_t c) { return c < 128 && is(static_cast<Byte>(c)); });
    };
    if (count == 2) return all(is_alpha);
    if (count == 3) return all(is_digit);
    return count == 4 && std::any_of(std::begin(SCRIPTS_SAID), std::end(SCRIPTS_SAID), [&](std::string_view script) {
               return std::equal(script.begin(), script.end(), codes,
                                 [](char a, char32_t b) { return static_cast<char32_t>(a) == plain_letter(b); });
           });
}

// Where the hyphen or underscore of a code with a region is; 0 where a part is none.
int joint_of(const char32_t* codes, int count) { return count > 4 && is_joint(codes[2]) && is_region(codes + 3, count - 3) ? 2 : 0; }

constexpr size_t BEGINNINGS = 26 * 26 * 27;

// A number for the first three letters of a part, or for both of two; BEGINNINGS where they are not all of ASCII.
size_t beginning_of(const char32_t* codes, int count) {
    size_t out = 0;
    for (int i = 0; i < 3; ++i) {
        if (i == count) return out * 27 + 26;
        const char32_t letter = (codes[i] | 0x20) - 'a';
        if (letter >= 26 || codes[i] >= 128) return BEGINNINGS;
        out = out * (i < 2 ? 26 : 27) + letter;
    }
    return out;
}

uint32_t packed(std::string_view language) {
    uint32_t out = 0;
    for (char c : language) out = out << 8 | static_cast<unsigned char>(c);
    return out;
}

// Letters and their marks only; 0 where something else than joints stands between them.
uint64_t hash_of(const char32_t* codes, int count) {
    uint64_t state = HASH_SEED;
    int letters = 0;
    for (int i = 0; i < count; ++i) {
        if (is_joint(codes[i]) || codes[i] == ' ' || (codes[i] >= 0x300 && codes[i] < 0x370)) continue;
        if (!is_url_letter(codes[i])) return 0;
        state = hash_step(state, plain_letter(codes[i]));
        ++letters;
    }
    return letters < 2 ? 0 : hash_last(state) | 1;
}

}  // namespace

UrlNames::UrlNames(std::string_view table) {
    const size_t lines = static_cast<size_t>(std::count(table.begin(), table.end(), '\n')) + 1;
    size_t size = 64;
    while (size < lines * 2) size *= 2;
    slots_.assign(size, {});
    begins_.assign(BEGINNINGS + 1, false);
    begins_[BEGINNINGS] = true;
    mask_ = size - 1;
    for (size_t at = 0; at < table.size();) {
        const size_t end = std::min(table.find('\n', at), table.size());
        const std::string_view line = table.substr(at, end - at);
        const size_t first = line.find('\t'), second = line.find('\t', first + 1);
        at = end + 1;
        if (first == std::string_view::npos || second == std::string_view::npos) continue;
        const auto* kind = std::find(std::begin(KINDS), std::end(KINDS), line.substr(second + 1));
        if (kind == std::end(KINDS)) continue;
        add(line.substr(0, first), {packed(line.substr(first + 1, second - first - 1)), static_cast<UrlForm>(kind - KINDS)});
    }
}

void UrlNames::add(std::string_view form, UrlSaid said) {
    char32_t codes[LONGEST] = {};
    int count = 0;
    const auto *at = reinterpret_cast<const unsigned char*>(form.data()), *end = at + form.size();
    while (at < end && count < LONGEST) codes[count++] = next_code(at, end);
    const uint64_t hash = hash_of(codes, count);
    if (hash == 0) return;
    begins_[beginning_of(codes, count)] = true;
    for (uint64_t place = hash >> 20;; ++place) {
        Slot& slot = slots_[place & mask_];
        if (slot.hash != 0 && slot.hash != hash) continue;
        slot = {hash, said};
        return;
    }
}

UrlSaid UrlNames::look(const char32_t* codes, int count) const {
    if (!begins_[beginning_of(codes, count)]) return {};
    const uint64_t hash = hash_of(codes, count);
    if (hash == 0) return {};
    for (uint64_t place = hash >> 20;; ++place) {
        const Slot& slot = slots_[place & mask_];
        if (slot.hash == hash) return slot.said;
        if (slot.hash == 0) return {};
    }
}

UrlSaid UrlNames::find(const char32_t* codes, int count) const {
    if (count < 2 || count > LONGEST) return {};
    if (const int joint = joint_of(codes, count)) {
        UrlSaid head = look(codes, joint);
        if (head.language != 0 && head.form == UrlForm::code) return head.form = UrlForm::locale, head;
    }
    return look(codes, count);
}

}  // namespace webtongue
