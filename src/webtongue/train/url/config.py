"""Settings of a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UrlConfig:
    """Settings of a run, compared on domains held out of the training list (docs/url.md)."""

    least_urls: int = 150  # of a language
    least_domains: int = 2  # that a feature must be seen in
    domain_urls: int = 2  # that a registered domain must have to be a feature of its own
    least_made: int = 8  # times a feature of made URLs must be seen where no URL has it
    made: int = 10_000  # URLs made of text, a language
    made_worth: float = 0.3  # of a made URL against a real one
    scale: float = 1.0  # of text features: 4 lost 1.1 points, 2 lost 0.3
    passes: int = 3
    rate: float = 0.15  # 0.3 lost 0.3 points
    drop_host: float = 0.3  # of the steps hide the host: 0.1 lost 0.6 points
    drop_top: float = 0.2  # of the steps hide the top level domain alone
    drop_domain: float = 0.5  # of the steps hide the registered domain alone
    smooth: float = 0.02  # weak labels are wrong in up to 8 of 100 URLs
    country: float = 5.0  # domains that speak for a country's main language before any is seen
    trust: float = 0.8  # in what top level domains say at the outset
    rarity: float = 0.5  # power of how rare a language is, on generic domains and on others, in the worth of its URLs
    gold_worth: float = 3.0  # of a URL whose label is sure: gained 1.2 points on those, and lost none on the others
    crowd: float = 0.5  # power of how many URLs a domain has by which each of them is worth less
    # How far priors go back from those of worths to how common languages are: 0 lost 5 points over all languages, 1 lost 2.
    lift: float = 0.85
    buckets: int = 19_900  # of 8 features: 7.96 MB
    first_passes: int = 1  # over all features, to choose those that are kept
    folds: int = 10
    seed: int = 7
