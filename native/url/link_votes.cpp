#include "url/link_votes.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/bytes.hpp"
#include "url/parts.hpp"

namespace webtongue {
namespace {

// At most 64 x 8 x 16 links are kept for a page. More do not change its language, and a link farm gains nothing by them.
constexpr size_t kMaxSites = 64, kMaxHostsPerSite = 8, kMaxPagesPerHost = 16;
constexpr size_t kMaxAnchorBytes = 200;
constexpr Language kEnglish = 'e' << 16 | 'n' << 8 | 'g';
constexpr double kDecimals = 1e6;  // nats are rounded, so that the order of sums never shows

uint64_t hash_of(std::string_view text) {
    uint64_t h = 0xCBF29CE484222325u;
    for (const char c : text) h = (h ^ static_cast<Byte>(c)) * 0x100000001B3u;
    h = (h ^ h >> 33) * 0xFF51AFD7ED558CCDu;
    h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53u;
    return h ^ h >> 33;
}

std::string to_lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = static_cast<char>(lower(static_cast<Byte>(c)));
    return out;
}

// A URL for comparison: without scheme, fragment and trailing slashes, and with the host in lower case.
std::string normalise_url(std::string_view url) {
    while (!url.empty() && static_cast<Byte>(url.front()) <= ' ') url.remove_prefix(1);
    while (!url.empty() && static_cast<Byte>(url.back()) <= ' ') url.remove_suffix(1);
    url = url.substr(0, url.find('#'));
    const size_t scheme = url.find("://");
    if (scheme != std::string_view::npos) url = scheme + 3 < url.size() ? url.substr(scheme + 3) : url.substr(0, scheme);
    const size_t slash = std::min(url.find('/'), url.size());
    std::string out = to_lower(url.substr(0, slash));
    out += url.substr(slash);
    while (!out.empty() && out.back() == '/') out.pop_back();
    return out;
}

// A key that no URL has.
std::string key_of(const LinkVote& vote) {
    std::string out(1, '\0');
    out.append(reinterpret_cast<const char*>(&vote.confidence), sizeof vote.confidence);
    return out + to_code(vote.language) + to_code(vote.hreflang) + vote.anchor;
}

struct Site {
    std::string host, domain;
};

// Host and registered domain of a URL; for an IP address both are the host.
Site site_of(std::string_view url, const Suffixes& suffixes) {
    const UrlParts parts = split_url(url);
    Site site{to_lower(parts.host), {}};
    const size_t suffix = parts.is_ip || site.host.empty() ? 0 : suffixes.find(site.host);
    const size_t dot = suffix < 2 ? std::string::npos : site.host.rfind('.', suffix - 2);
    site.domain = suffix < 2 || dot == std::string::npos ? site.host : site.host.substr(dot + 1);
    return site;
}

// A mixture of two distributions, the second with this weight.
LinkDistribution mix(const LinkDistribution& first, const LinkDistribution& second, double weight) {
    LinkDistribution out;
    auto a = first.mass.begin(), b = second.mass.begin();
    while (a != first.mass.end() || b != second.mass.end()) {
        const bool has_a = a != first.mass.end() && (b == second.mass.end() || a->language <= b->language);
        const bool has_b = b != second.mass.end() && (a == first.mass.end() || b->language <= a->language);
        const Language language = has_a ? a->language : b->language;
        out.mass.push_back({language, (1 - weight) * (has_a ? a->value : 0.0) + weight * (has_b ? b->value : 0.0)});
        a += has_a;
        b += has_b;
    }
    out.free = (1 - weight) * first.free + weight * second.free;
    return out;
}

double mass_of(const LinkDistribution& distribution, Language language) {
    for (const LanguageValue& part : distribution.mass)
        if (part.language == language) return part.value;
    return 0;
}

std::vector<Language> languages_of(const std::vector<const LinkDistribution*>& distributions) {
    std::vector<Language> out;
    for (const LinkDistribution* distribution : distributions)
        for (const LanguageValue& part : distribution->mass) out.push_back(part.language);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

const LinkRate& rate_of(const LinkRates& rates, Language language, bool is_own) {
    const auto& table = is_own ? rates.own : rates.foreign;
    const auto row = table.find(language);
    return row != table.end() ? row->second : is_own ? rates.any_own : rates.any_foreign;
}

// Mixes in the probability of uninformative links and scales to at most `max_nats`. `other` is the log of a language that no link names.
void limit(std::vector<LanguageValue>& logs, double other, const LinkRates& rates) {
    double named_share = 0, smallest = HUGE_VAL, top = other;
    for (const LanguageValue& log : logs) {
        named_share += rates.share(log.language);
        smallest = std::min(smallest, rates.share(log.language));
        top = std::max(top, log.value);
    }
    double total = 0;
    for (const LanguageValue& log : logs) total += rates.share(log.language) * std::exp(log.value - top);
    total += std::max(1 - named_share, smallest) * std::exp(other - top);
    const auto mixed = [&](double log) { return std::log(rates.uninformative + (1 - rates.uninformative) * std::exp(log - top) / total); };
    const double base = mixed(other);
    double highest = 0, lowest = 0;
    for (LanguageValue& log : logs) {
        log.value = mixed(log.value) - base;
        highest = std::max(highest, log.value);
        lowest = std::min(lowest, log.value);
    }
    const double spread = highest - lowest, scale = spread > 0 ? std::min(1.0, rates.max_nats / spread) : 1.0;
    for (LanguageValue& log : logs) log.value = std::round(scale * log.value * kDecimals) / kDecimals;
}

}  // namespace

std::string clean_ascii_anchor(std::string_view anchor) {
    std::string out;
    for (const char c : anchor.substr(0, kMaxAnchorBytes)) {
        const bool is_white = c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f');  // as in str.split()
        if (!is_white) out += c;
        else if (!out.empty() && out.back() != ' ') out += ' ';
    }
    if (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
}

Language to_language(std::string_view code) {
    if (code.size() != 3) return 0;
    return static_cast<Language>(static_cast<Byte>(code[0]) << 16 | static_cast<Byte>(code[1]) << 8 | static_cast<Byte>(code[2]));
}

std::string to_code(Language language) {
    return {static_cast<char>(language >> 16), static_cast<char>(language >> 8), static_cast<char>(language)};
}

double LinkRates::share(Language language) const {
    const auto row = shares.find(language);
    return row == shares.end() ? min_share : std::max(row->second, min_share);
}

bool LinkVote::operator<(const LinkVote& other) const {
    return std::tie(confidence, language, hreflang, anchor) < std::tie(other.confidence, other.language, other.hreflang, other.anchor);
}

template <class Value>
Value* BoundedMap<Value>::find_or_add(uint64_t hash, std::string_view key, const Value& initial) {
    const std::pair<uint64_t, std::string> place(hash, key);
    const auto found = values_.lower_bound(place);
    if (found != values_.end() && found->first == place) return &found->second;
    if (values_.size() == max_size_) {
        const auto highest = std::prev(values_.end());
        if (highest->first < place) return nullptr;
        values_.erase(highest);
    }
    return &values_.emplace(place, initial).first->second;
}

LinkVotes::LinkVotes(const Suffixes& suffixes, std::string_view url)
    : suffixes_(suffixes), page_(normalise_url(url)), domain_(site_of(url, suffixes).domain), domains_(kMaxSites) {}

void LinkVotes::add(std::string_view url, const LinkVote& vote) {
    std::string page = normalise_url(url);
    if (vote.is_empty() || (!page.empty() && page == page_)) return;
    if (page.empty()) page = key_of(vote);  // pages of unknown URL are told apart by their votes
    const Site site = site_of(url, suffixes_);
    Hosts* hosts = domains_.find_or_add(hash_of(site.domain), site.domain, Hosts(kMaxHostsPerSite));
    Pages* pages = hosts ? hosts->find_or_add(hash_of(site.host), site.host, Pages(kMaxPagesPerHost)) : nullptr;
    LinkVote* previous = pages ? pages->find_or_add(hash_of(page), page, vote) : nullptr;
    if (previous && *previous < vote) *previous = vote;
}

LinkVotes::Counts LinkVotes::counts() const {
    Counts out;
    out.sites = domains_.size();
    for (const auto& domain : domains_)
        for (const auto& host : domain.second)
            for (const auto& page : host.second) {
                ++out.links;
                if (page.second.language) ++out.languages[page.second.language];
                if (page.second.hreflang) ++out.hreflangs[page.second.hreflang];
            }
    return out;
}

LinkDistribution link_distribution(const LinkVote& vote, bool is_own, const LinkDistribution& anchor, const LinkRates& rates) {
    LinkDistribution out;
    if (vote.language) {
        const LinkRate& rate = rate_of(rates, vote.language, is_own);
        LinkDistribution by_language{{{vote.language, rate.keep}}, rate.free};
        if (rate.english > 0) {
            if (vote.language == kEnglish) by_language.mass[0].value += rate.english;
            else by_language.mass.insert(by_language.mass.begin() + (vote.language < kEnglish), {kEnglish, rate.english});
        }
        out = mix(out, by_language, vote.confidence);
    }
    if (!anchor.mass.empty()) out = mix(out, anchor, rates.anchor);
    if (vote.hreflang) out = mix(out, {{{vote.hreflang, 1.0}}, 0.0}, rates.hreflang);
    return out;
}

LinkDistribution average(const std::vector<LinkDistribution>& distributions) {
    std::vector<const LinkDistribution*> informed;
    for (const LinkDistribution& distribution : distributions)
        if (!distribution.mass.empty()) informed.push_back(&distribution);
    if (informed.empty()) return {};
    if (informed.size() == 1) return *informed.front();
    const double count = static_cast<double>(informed.size());
    LinkDistribution out;
    out.free = 0;
    for (const Language language : languages_of(informed)) {
        double mass = 0;
        for (const LinkDistribution* distribution : informed) mass += mass_of(*distribution, language);
        out.mass.push_back({language, mass / count});
    }
    for (const LinkDistribution* distribution : informed) out.free += distribution->free;
    out.free /= count;
    return out;
}

std::vector<LanguageValue> site_nats(const std::vector<SiteVote>& sites, const LinkRates& rates) {
    std::vector<const LinkDistribution*> distributions;
    for (const SiteVote& site : sites) distributions.push_back(&site.distribution);
    std::vector<LanguageValue> logs;
    for (const Language language : languages_of(distributions)) logs.push_back({language, 0});
    if (logs.empty()) return logs;
    const auto foreign = static_cast<double>(std::count_if(sites.begin(), sites.end(), [](const SiteVote& site) { return !site.is_own; }));
    const double foreign_weight = foreign > 1 ? std::pow(foreign, rates.power - 1) : 1;
    double other = 0;
    for (const SiteVote& site : sites) {
        const double weight = site.is_own ? 1 : foreign_weight, free = site.distribution.free, log_free = std::log(free);
        other += weight * log_free;
        for (LanguageValue& log : logs) {
            const double mass = mass_of(site.distribution, log.language);
            log.value += weight * (mass > 0 ? std::log(mass / rates.share(log.language) + free) : log_free);
        }
    }
    limit(logs, other, rates);
    return logs;
}

}  // namespace webtongue
