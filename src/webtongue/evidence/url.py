"""Evidence from a page's URL, to be combined with that of other sources.

The hint has the evidence of a URL (native/url/classifier) without a prior: log-likelihood ratios against a language without
evidence, as in ``identify_url`` and in link scores. Two things are different here: the evidence of words for a rare language is
shrunk, and Chinese is split by script if a code or the top level domain names a region.
"""

from __future__ import annotations

import math
from functools import cache

from webtongue import _kernel
from webtongue.evidence.hint import EvidenceContext, Hint, Limits
from webtongue.policy import EVIDENCE
from webtongue.records import dataclass
from webtongue.url.codes import web_shares
from webtongue.url.explain import printable
from webtongue.url.model import UrlModel
from webtongue.url.scripts import chinese_script

__all__ = ["MAX_HOST_NATS", "MIN_TRUSTED_PROBABILITY", "UrlEvidence", "collect", "url_evidence", "url_hint", "weigh"]

MIN_NATS = 0.25  # smaller values are left out
# Lower probabilities are too uncertain: the evidence of words for a language that stays below is shrunk. Without this limit,
# hotel.com is evidence for Catalan.
MIN_TRUSTED_PROBABILITY = 0.03
# Limit of the words of a host under a generic domain such as .com: the name is a brand and may resemble any language.
MAX_HOST_NATS = 1.5
# Settings of the kernel's hint.
SETTINGS = (MIN_TRUSTED_PROBABILITY, MAX_HOST_NATS, EVIDENCE.url_words_weight, MIN_NATS)
MAX_QUOTED_CHARS = 200  # shorter ASCII URLs are quoted unchanged
# Weight of the log of a language's web share in the choice of ``Hint.label``; the nats include no prior. Without it, the label
# of a URL under .рф would be one of a dozen small languages, whose likelihood ratios are higher than that of Russian.
LABEL_PRIOR_WEIGHT = 0.5
RARE_LABEL_PRIOR = LABEL_PRIOR_WEIGHT * math.log(1e-8)  # for a language without a web share
# The script of Chinese by region. SCRIPT_PROBABILITY is a bound, not a measured rate: no list of URLs has the scripts of pages.
SCRIPT_PROBABILITY = 0.9
LIKELY_NATS, UNLIKELY_NATS = math.log(2 * SCRIPT_PROBABILITY), math.log(2 * (1 - SCRIPT_PROBABILITY))


@dataclass(frozen=True, slots=True)
class UrlEvidence:
    """The URL model, and the priors by which the label of a hint is chosen."""

    model: UrlModel
    label_priors: dict[str, float]  # weighted log web share by language


def collect(context: EvidenceContext) -> Hint | None:
    """Return the hint of a page's URL."""
    url = context.page.url
    return url_hint(url, context.config.url_evidence()) if url else None


def weigh(context: EvidenceContext, limits: Limits) -> _kernel.SourceHint | None:
    """Return the same hint in the form of the combiner; with names only if Chinese may have to be split by script."""
    url, config = context.page.url, context.config
    if not url:
        return None
    evidence = config.url_evidence()
    kernel = evidence.model.kernel
    hint, has_chinese = kernel.weigh(url, *SETTINGS, config.kernel, *limits)
    if has_chinese:
        nats = url_hint(url, evidence).nats
        return config.kernel.hint(dict(nats), *limits) if nats else None
    return hint


def url_hint(url: str, evidence: UrlEvidence) -> Hint:
    """Return the hint of a URL, without nats for a text that is no URL. Never raises.

    >>> from webtongue.url.model import load
    >>> hint = url_hint("https://example.is/frettir/", url_evidence(load()))
    >>> hint.label, hint.nats["isl"] > 5
    ('isl', True)
    """
    _, nats = evidence.model.kernel.hint(url, *SETTINGS)
    priors = evidence.label_priors
    label, best = "", 0.0
    for key, value in nats.items():
        if value > 0 and (not label or value + priors.get(key, RARE_LABEL_PRIOR) > best):
            label, best = key, value + priors.get(key, RARE_LABEL_PRIOR)
    if label == "zho":
        label = _split_chinese(url, nats)
    return Hint("url", url if len(url) < MAX_QUOTED_CHARS and url.isascii() else printable(url), label, nats)


def _split_chinese(url: str, nats: dict[str, float]) -> str:
    """Return the label of Chinese and split its nats by script, where the URL names a region."""
    script = chinese_script(url)
    if not script:
        return "zho"
    total = nats.pop("zho", 0.0)
    nats["zho_Hant"] = total + (LIKELY_NATS if script == "Hant" else UNLIKELY_NATS)
    nats["zho_Hans"] = total + (UNLIKELY_NATS if script == "Hant" else LIKELY_NATS)
    return f"zho_{script}"


@cache
def url_evidence(model: UrlModel) -> UrlEvidence:
    """Return a URL model with the priors of languages."""
    return UrlEvidence(
        model, {language: LABEL_PRIOR_WEIGHT * math.log(share) for language, share in web_shares().items()}
    )
