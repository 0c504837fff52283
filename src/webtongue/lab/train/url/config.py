"""Settings of a training run of the URL model."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UrlConfig:
    """Settings of a training run, compared on domains held out of the training list (docs/generated/figures-url.md).

    Names are part of the manifest in model files.
    """

    least_urls: int = 150  # minimum URLs of a language
    language_domains: int = 40  # minimum domains of a language
    least_domains: int = 2  # minimum domains of a feature
    domain_urls: int = 2  # minimum URLs of a registered domain that becomes a feature
    least_made: int = 12  # minimum synthetic URLs of a feature that no real URL has
    domain_most: int = 1000  # maximum URLs of a domain and language: with 12, five languages lost 1.3 points
    made: int = 10_000  # synthetic URLs for each language, from its text
    made_worth: float = 0.4  # weight of a synthetic URL relative to a real one
    scale: float = 1.0  # factor on text features: 4 lost 1.1 points, 2 lost 0.3
    # Home pages of invented names: 12,000 among a third of the URLs gained 0.2 points on real ones.
    invented: int = 24_000
    # Invented home pages for each real one when channels are weighted: with none, 16 of 100 other invented names got a
    # language other than English at 30% or more, with 0.5, 6 of them, and real home pages lost 4 points of 60.
    invented_share: float = 0.4
    passes: int = 2
    rate: float = 0.15  # learning rate: 0.3 lost 0.3 points
    drop_host: float = 0.3  # share of steps without the features of the host: 0.1 lost 0.6 points
    drop_top: float = 0.2  # share of steps without the top level domain only
    drop_domain: float = 0.5  # share of steps without the registered domain only
    smooth: float = 0.02  # label smoothing: weak labels are wrong in up to 8 of 100 URLs
    country: float = 5.0  # prior count, in domains, for the main language of a country
    trust: float = 0.8  # factor on the initial weights of top level domains
    rarity: float = 0.5  # the weight of a URL falls with this power of the size of its group (fit.weigh_urls)
    # Weight of a URL with a certain label: gained 1.2 points on those, and lost none on the others.
    gold_worth: float = 3.0
    crowd: float = 0.5  # the weight of a URL falls with this power of the number of URLs of its domain
    # Position of the priors between those of the weighted URLs (0) and the frequencies of languages (1): 0 lost 5 points over
    # all languages, 1 lost 2.
    prior_share: float = 0.85
    buckets: int = 17_600  # buckets of 8 features: 7.07 MB, and 5 MB in the browser extension
    first_passes: int = 1  # passes over all features, from which the best are selected
    folds: int = 10
    seed: int = 7
