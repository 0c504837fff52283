#include "url/parts.hpp"

#include <algorithm>
#include <cstring>

#include "base/bytes.hpp"
#include "text/features.hpp"

namespace webtongue {
namespace {

bool is_numeric(std::string_view host) {
    return std::all_of(host.begin(), host.end(), [](char c) { return c == '.' || is_digit(c); });
}

bool is_plausible_host(std::string_view host) {
    if (host.empty() || host.size() > 255 || host.front() == '.') return false;
    if (host.find('.') == std::string_view::npos) return false;
    return std::all_of(host.begin(), host.end(), [](char c) {
        return static_cast<signed char>(c) < 0 || is_alpha(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '%';
    });
}

}  // namespace

bool is_national_host(std::string_view host) {
    const size_t dot = host.rfind('.');
    const std::string_view tld = dot == std::string_view::npos ? host : host.substr(dot + 1);
    return tld.size() == 2 || (!tld.empty() && static_cast<signed char>(tld[0]) < 0) || tld.substr(0, 4) == "xn--";
}

int decode_part(std::string_view part, bool plus, char32_t* out) {
    bool plain_ascii = true;
    for (char c : part) plain_ascii &= (static_cast<signed char>(c) >= 0) & (c != '%') & (c != '+');
    if (plain_ascii) {
        std::copy(part.begin(), part.end(), out);
        return static_cast<int>(part.size());
    }
    unsigned char bytes[MAX_URL_READ_BYTES];
    size_t size = 0;
    for (size_t i = 0; i < part.size(); ++i) {
        char c = part[i];
        if (c == '%' && i + 2 < part.size() && hex_value(part[i + 1]) >= 0 && hex_value(part[i + 2]) >= 0) {
            c = static_cast<char>(hex_value(part[i + 1]) * 16 + hex_value(part[i + 2]));
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
        const uint32_t previous_index = index;
        uint64_t weight = 1;
        for (uint32_t k = base;; k += base) {
            if (at >= label.size()) return false;
            const char c = label[at++];
            const uint32_t digit = is_alpha(c)   ? static_cast<uint32_t>((c | 0x20) - 'a')
                                   : is_digit(c) ? static_cast<uint32_t>(c - '0' + 26)
                                                 : base;
            if (digit >= base || digit * weight > 0x10FFFFu * 64ull) return false;
            index += static_cast<uint32_t>(digit * weight);
            const uint32_t threshold = k <= bias ? low : k >= bias + high ? high : k - bias;
            if (digit < threshold) break;
            weight *= base - threshold;
            if (weight > 0xFFFFFFFull) return false;
        }
        const uint32_t total = static_cast<uint32_t>(count) + 1;
        uint32_t delta = previous_index == 0 ? (index - previous_index) / damp : (index - previous_index) / 2;
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

UrlParts split_url(std::string_view url) {
    UrlParts out;
    while (!url.empty() && static_cast<unsigned char>(url.front()) <= ' ') url.remove_prefix(1);
    while (!url.empty() && static_cast<unsigned char>(url.back()) <= ' ') url.remove_suffix(1);
    if (url.empty()) return out.reason = UrlReason::empty, out;
    if (url.size() > MAX_URL_BYTES) return out.reason = UrlReason::too_long, out;
    url = url.substr(0, MAX_URL_READ_BYTES);
    size_t at = 0;
    while (at < url.size() && (is_alpha(url[at]) || (at > 0 && (is_digit(url[at]) || url[at] == '+' || url[at] == '-' || url[at] == '.'))))
        ++at;
    if (at > 0 && at < url.size() && url[at] == ':') {
        if (url.substr(at, 3) == "://") url.remove_prefix(at + 3);
        else if (at + 1 >= url.size() || !is_digit(url[at + 1]) || url.substr(0, at).find('.') == std::string_view::npos)
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
    if (!is_plausible_host(host)) return out.reason = UrlReason::not_url, out;
    out.is_ip = is_numeric(host);
    size_t query = 0;
    while (query < rest.size() && rest[query] != '?' && rest[query] != '#') ++query;
    out.host = host;
    out.path = rest.substr(0, query);
    out.query = query < rest.size() ? rest.substr(query + 1) : std::string_view{};
    return out;
}

}  // namespace webtongue
