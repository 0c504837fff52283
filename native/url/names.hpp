// What a part of an address says of its language as a whole: a code (fr, fr-ca), or a language's name (francais, french).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace webtongue {

// How a language is said. The first five are the kinds of data/address_names.tsv; `locale` is a code and a region or script.
enum class UrlForm : uint8_t { code, long_code, country, native, english, locale };
constexpr int URL_FORMS = 6;

struct UrlSaid {
    uint32_t language = 0;  // its three letters, the first one highest; 0 where nothing is said
    UrlForm form = UrlForm::code;
};

// Forms, hashed without what is no letter: bahasa-indonesia is bahasaindonesia.
class UrlNames {
public:
    explicit UrlNames(std::string_view table);  // lines of form, language and kind, with tabs between
    UrlSaid find(const char32_t* codes, int count) const;

private:
    struct Slot {
        uint64_t hash = 0;
        UrlSaid said;
    };
    UrlSaid look(const char32_t* codes, int count) const;
    void add(std::string_view form, UrlSaid said);
    std::vector<Slot> slots_;
    std::vector<bool> begins_;  // by the first three letters: most parts are no name, and are not hashed
    uint64_t mask_ = 0;
};

}  // namespace webtongue
