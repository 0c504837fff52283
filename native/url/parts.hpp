// Splits a URL into host, path and query, and decodes their characters.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace webtongue {

constexpr size_t MAX_URL_READ_BYTES = 2048;  // what follows carries little information and could cost much time
constexpr size_t MAX_URL_BYTES = 65536;  // servers do not accept longer URLs

enum class UrlReason : uint8_t { none, empty, not_url, no_page, nothing, not_text, too_long, user, ipv6, missing, not_allowed, too_little };

// Raw parts as views into the URL.
struct UrlParts {
    UrlReason reason = UrlReason::none;
    bool is_ip = false;  // the host is an IP address
    std::string_view host, path, query;
};
UrlParts split_url(std::string_view url);

// True if the top level domain of a host belongs to a country or is not in ASCII.
bool is_national_host(std::string_view host);

// Percent-decodes a part into `out`, an array of at least MAX_URL_READ_BYTES code points. Returns the number of code points.
int decode_part(std::string_view part, bool plus, char32_t* out);

// Decodes a host label without its "xn--", at most 63 bytes, by RFC 3492. Returns false for invalid punycode; the label is then used as
// it is.
bool decode_punycode(std::string_view label, char32_t* out, int& count);

}  // namespace webtongue
