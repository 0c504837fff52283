// A URL cut into host, path and query, and their characters decoded.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace webtongue {

constexpr size_t URL_BYTES = 2048;     // looked at; what follows says little and could cost much
constexpr size_t URL_LONGEST = 65536;  // no server takes a longer one

enum class UrlReason : uint8_t { none, empty, not_url, no_page, nothing, not_text, too_long, user, ipv6, missing, not_asked, too_little };

// Parts as views into the URL, raw.
struct UrlParts {
    UrlReason reason = UrlReason::none;
    bool numeric = false;  // the host is an IP address
    std::string_view host, path, query;
};
UrlParts split_url(std::string_view url);

// Code points of a part, percent-decoded, into room for URL_BYTES of them: never more of them than bytes.
int decode_part(std::string_view part, bool plus, char32_t* out);

// RFC 3492: the code points of a host's label without its "xn--", at most 63 bytes. False where it is no punycode, and the
// label is then read as it stands.
bool decode_punycode(std::string_view label, char32_t* out, int& count);

}  // namespace webtongue
