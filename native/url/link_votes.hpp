// Votes of the links to a page about its language, added one at a time in bounded memory and independent of their order.
//
// A link gives a distribution over languages: a mixture of the rates of links from pages in the linking page's language, of its anchor
// text and of its hreflang. Pages of a host are averaged, then hosts of a registered domain, so that each domain has one vote however
// many pages it has. docs/links.md has the formula, and tests/twins/evidence/links.py is the readable twin.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "url/suffixes.hpp"

namespace webtongue {

// A language by the three letters of ISO 639-3, the first in the highest byte, which keeps their order; 0 for none.
using Language = uint32_t;
Language to_language(std::string_view code);  // 0 unless it has three bytes
std::string to_code(Language language);

// The beginning of an anchor text in ASCII, with one space between words.
std::string clean_ascii_anchor(std::string_view anchor);

// Where links of pages in one language lead: to pages in the same language, to English ones, and to any by their share of the web.
struct LinkRate {
    double keep = 0, english = 0, free = 1;
};

struct LinkRates {
    std::unordered_map<Language, LinkRate> own, foreign;  // links within a registered domain, and between two
    LinkRate any_own, any_foreign;  // for languages without a row
    std::unordered_map<Language, double> shares;  // shares of the web's pages
    double min_share;
    double power;  // n linking domains count as n to this power
    double uninformative;  // the probability that all links of a page carry no information
    double anchor, hreflang;  // weights of anchor text of a page of unknown language, and of hreflang
    double max_nats;  // bound on the nats of all links together

    double share(Language language) const;
};

struct LanguageValue {
    Language language;
    double value;
};

// The mass of each named language, ordered by language, and the free mass, which is spread by web share.
struct LinkDistribution {
    std::vector<LanguageValue> mass;
    double free = 1;
};

// The information of one link. Of several links of one page the highest counts.
struct LinkVote {
    double confidence = 0;
    Language language = 0, hreflang = 0;
    std::string anchor;

    bool is_empty() const { return !language && !hreflang && anchor.empty(); }
    bool operator<(const LinkVote& other) const;
};

// The values of the keys with the lowest hashes of all keys seen so far, at most `max_size` of them. The highest hash in a full map never
// rises, so that a key that is in the map at the end has been in it since it was first added: the contents do not depend on the order.
template <class Value>
class BoundedMap {
public:
    explicit BoundedMap(size_t max_size) : max_size_(max_size) {}

    // The value of a key, created if it is new; null if its hash is too high for the map.
    Value* find_or_add(uint64_t hash, std::string_view key, const Value& initial);
    auto begin() const { return values_.begin(); }
    auto end() const { return values_.end(); }
    size_t size() const { return values_.size(); }

private:
    size_t max_size_;
    std::map<std::pair<uint64_t, std::string>, Value> values_;
};

class LinkVotes {
public:
    LinkVotes(const Suffixes& suffixes, std::string_view url);

    // Adds a link, unless it comes from the page itself or carries no information.
    void add(std::string_view url, const LinkVote& vote);

    struct Counts {
        size_t links = 0, sites = 0;
        std::map<Language, size_t> languages, hreflangs;
    };
    Counts counts() const;

    // The nats of all languages that links name, ordered by language. `classify` returns the distribution of an anchor text.
    template <class Classify>
    std::vector<LanguageValue> nats(const LinkRates& rates, Classify&& classify) const;

private:
    using Pages = BoundedMap<LinkVote>;
    using Hosts = BoundedMap<Pages>;

    const Suffixes& suffixes_;
    std::string page_, domain_;
    BoundedMap<Hosts> domains_;
};

// The parts of LinkVotes::nats: the distribution of one link, their average, and the nats of all domains together.
struct SiteVote {
    bool is_own;
    LinkDistribution distribution;
};
LinkDistribution link_distribution(const LinkVote& vote, bool is_own, const LinkDistribution& anchor, const LinkRates& rates);
LinkDistribution average(const std::vector<LinkDistribution>& distributions);
std::vector<LanguageValue> site_nats(const std::vector<SiteVote>& sites, const LinkRates& rates);

template <class Classify>
std::vector<LanguageValue> LinkVotes::nats(const LinkRates& rates, Classify&& classify) const {
    std::vector<SiteVote> sites;
    std::vector<LinkDistribution> hosts, pages;
    for (const auto& [domain, domain_hosts] : domains_) {
        const bool is_own = !domain.second.empty() && domain.second == domain_;
        hosts.clear();
        for (const auto& host : domain_hosts) {
            pages.clear();
            for (const auto& page : host.second) {
                const LinkVote& vote = page.second;
                // Beside a known language, anchor text would have a twentieth of its weight (docs/links.md), and is not read.
                const bool reads_anchor = !vote.anchor.empty() && !vote.language;
                pages.push_back(link_distribution(vote, is_own, reads_anchor ? classify(vote.anchor) : LinkDistribution(), rates));
            }
            hosts.push_back(average(pages));
        }
        SiteVote site{is_own, average(hosts)};
        if (!site.distribution.mass.empty()) sites.push_back(std::move(site));
    }
    return site_nats(sites, rates);
}

}  // namespace webtongue
