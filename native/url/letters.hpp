// Letters as they are compared in URLs: lower case, Latin ones without marks.
#pragma once
#include <cstdint>

#include "base/bytes.hpp"
#include "base/scripts.hpp"

namespace webtongue {

inline bool is_url_letter(char32_t code) { return code < 128 ? is_alpha(static_cast<Byte>(code)) : is_letter(code); }

char32_t fold_beyond_ascii(char32_t code);
inline char32_t plain_letter(char32_t code) { return code < 128 ? lower(static_cast<Byte>(code)) : fold_beyond_ascii(code); }

}  // namespace webtongue
