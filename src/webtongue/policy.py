"""The numbers that decide answers, each with the measurement or the judgement that set it.

A fitted number names the tool that fits it; the others are judgements, made on held-out text and by what users expect. The kernel
receives its numbers from here (:func:`kernel_policy`). Fitted weights of evidence sources are in ``data/evidence_weights.json``,
models in ``models/``.
"""

from __future__ import annotations

import math

from webtongue import _kernel
from webtongue.records import dataclass

__all__ = ["EVIDENCE", "FONTS", "LOG_SCALE", "PAGE", "TEXT", "URL", "kernel_policy"]

LOG_SCALE = 1024  # the kernel's logarithms are integers in 1/1024 nats


@dataclass(frozen=True, slots=True)
class TextPolicy:
    """When a reading of text is a label, ``und``, ``zxx`` or ``mul``, and when it is reliable."""

    min_letters: int = 2  # fewer letters carry no information in any model
    reliable_letters: int = 20  # minimum for a reliable answer, in letters of an alphabet: a Han character is three
    reliable_letters_very_sure: int = 15  # the same from very_sure_probability on
    reliable_words: int = 4  # different words in a row; fewer are a list, a form or a repetition (tests/quality)
    # Two or three long words are enough: sentences in Zulu, Quechua or Uzbek have few words. With the two numbers above, this
    # refuses 21% of right answers to 30 letters in place of 26% (bench/debris.py), and surely wrong answers stay at 0.08%
    # (bench/confidently_wrong.py).
    reliable_long_words: int = 2
    long_words_letters: int = 22
    reliable_probability: float = 0.9
    very_sure_probability: float = 0.98
    main_share: float = 0.45  # minimum share of the main language in the running text; below it the page is `mul`
    level_share: float = 0.1  # shares that differ by less are level: samples of forty characters are not more precise
    min_share: float = 0.05  # a language with less is a quotation or a name, not a language of the page
    long_letters: int = 300  # minimum letters of a long text; about 500 letters of a long page are read
    clear_probability: float = 0.97  # from this probability on a long text is settled: no hints are collected
    outside_nats: float = 4.0  # penalty of languages outside an allowlist
    # The same for look-alikes of an allowed language: a caller who allows one language of a group wants the text of the group.
    outside_look_alike_nats: float = 8.0
    # Priors fade with the amount of text, if it fits its best label: with this many n-grams and words they count half, with more
    # less. The fit is the text's score relative to the label's low score (native/text/model.hpp): below the first number priors do
    # not fade, above the second they fade fully. Compared by tools/weights/fit_priors.py.
    prior_half_features: int = 60
    prior_fade_fits: tuple[float, float] = (0.7, 0.9)
    rare_log_prior: float = -8.0  # relative to the commonest label; a label below this, 1 in 3,000, is rare
    # The probabilities of labels below this log prior in the same cluster as the best label are added to that of the best label.
    rare_neighbour_log_prior: float = -5.0
    # Minimum probability of a label: 1 - exp(log prior / this many nats), .12 at a log prior of -1, .5 at -5.5, .67 at -9.
    # Compared by tools/weights/fit_priors.py.
    rare_scale_nats: float = 8.0
    # With a lower probability by the text, no label is answered: bytes that are hardly text in any encoding have such ones. Without
    # it, 22% of random strings of 20 bytes got a label.
    min_probability: float = 0.01
    rare_letters: int = 12  # minimum letters for a rare label

    @property
    def prior_fade(self) -> tuple[int, int, int]:
        """The numbers of fading priors, in the form that the kernel takes."""
        min_fit, full_fit = self.prior_fade_fits
        return self.prior_half_features, round(min_fit * LOG_SCALE), round(full_fit * LOG_SCALE)


@dataclass(frozen=True, slots=True)
class PagePolicy:
    """When an encoding is trusted."""

    guessed_encoding: float = 0.5  # an encoding of lower confidence is a guess, and its text counts less
    min_encoding_confidence: float = 0.001
    # Additional weight of the prior of an encoding against random bytes, which resemble text best in one of many rare encodings.
    # With 0 / 0.5 / 1, of 15,000 random strings of 12 to 40 bytes 1 / 1 / 0 got a reliable language and 176 / 120 / 100 any; 87
    # texts of 13 to 60 bytes in Tamil and Vietnamese encodings were right with each (tests/quality/damaged_bytes.py).
    random_prior_weight: float = 1.0
    unreadable_encoding: float = 0.3  # confidence of an encoding whose text fits no language
    short_text_chars: int = 600  # a text up to this length is read whole; longer ones are sampled like a page


@dataclass(frozen=True, slots=True)
class FontPolicy:
    """The log-odds that a text is written for a legacy font, and the minimum probability for its conversion."""

    # Fitted by tools/weights/fit_fonts.py: text in fonts, a third of it with English words inside, against text that is garbled,
    # coded or random and looks like a font's (tests/quality/garbled.py).
    bias: float = -19.2
    fit_weight: float = 4.2
    margin_weight: float = 5.5
    share_weight: float = 18.1
    short_weight: float = -24.0
    # Nats per character. Text that was decoded wrongly several times is further from ordinary text than text of any font.
    max_margin: float = 2.5
    # Added if the page names the font; not more, since shared templates and style sheets name fonts that a page does not use.
    named_nats: float = 4.0
    min_probability: float = 0.5

    def log_odds(self, fit: float, margin: float, share: float, characters: int) -> float:
        """Return the log-odds of a font.

        ``fit`` is the mean log-probability of a character in words that read better in the font, relative to text of the font;
        ``margin`` the same relative to ordinary text; ``share`` their share of the text, and ``characters`` their size.
        """
        return (
            self.bias + self.fit_weight * fit + self.margin_weight * min(margin, self.max_margin)
            + self.share_weight * share + self.short_weight / math.sqrt(characters)
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class EvidencePolicy:
    """How evidence from other sources is combined with the text. All numbers are judgements, some made with dev/html in view."""

    # Hints of this size add a label to those that the text is scored for. The text drops labels that are 6 nats behind.
    reread_min_nats: float = 4.0
    text_excludes_nats: float = -6.0  # the text is not in a label with a lower log-probability, one in 400
    supported_probability: float = (
        0.25  # an answer with a lower probability by the text rests on hints and is not reliable
    )
    # The main language of a page in several: the highest sum of share_weight times the log of its share, its hints up to a limit
    # (which is too low to outvote a language of two thirds of the page), and a bonus for the language of title and headings.
    share_weight: float = 6.0
    max_main_nats: float = 3.0
    heading_nats: float = 3.5  # between a declaration of English, which may be a default, and one of another language
    level_lead_nats: float = 1.6  # 5 to 1: the preference that decides between two languages with level shares
    # Weight of the words of a URL beside a text, relative to its country domain and its codes: words are English or brands on pages
    # in any language. Least loss of 0.2, 0.4, 0.7 and 1 with the weights of tools/weights/fit_evidence.py fitted to each: 834, 832,
    # 845 and 853 nats.
    url_words_weight: float = 0.4
    anchor_guesses: int = 5
    # Anchor text against the URL it leads to: least loss on 4,555 links to domains left out of training
    # (tools/weights/fit_anchor.py). Weight 0 gave 93.4% right, this one 94.3%, 1 gave 92.1%.
    anchor_weight: float = 0.35
    min_anchor_probability: float = 1e-4  # probability of a language that is not among the guesses for anchor text


@dataclass(frozen=True, slots=True)
class UrlPolicy:
    """When a URL alone has an answer, and when it is reliable."""

    reliable_probability: float = 0.9  # on held-out domains 97 of 100 such answers are right (bench/url.py)
    min_probability: float = 0.25  # below it, mostly for home pages of opaque names, the answer is `und`
    outside_nats: float = 2.0  # languages outside an allowlist; half of the text's, since a URL has less information
    # The words of a URL may be English on a page in any language. With a country's domain or a code in the URL, words put no
    # language further behind English than this; without them, an English answer is never reliable. On domains held out of training
    # -3.5 costs no accuracy, -3 costs 0.2 points.
    english_floor_nats: float = -3.5
    max_plain_english: float = 0.89
    # The minimum of a language that a code names, by words and top level domain, above the average: sites in several languages
    # translate few URLs. It is above 0, since some labels that reliabilities are counted with are wrong; 0.5 costs 0.04 points
    # on held-out domains.
    code_floor_nats: float = 0.5
    # Power of the language shares for reliabilities of codes. On sites in several languages, languages are about equally common,
    # but the list that reliabilities are counted on has few such sites. A judgement (docs/url.md).
    code_evenness: float = 0.5


TEXT = TextPolicy()
PAGE = PagePolicy()
FONTS = FontPolicy()
EVIDENCE = EvidencePolicy()
URL = UrlPolicy()


def kernel_policy(groups: list[int], boilerplate: int = -1) -> _kernel.Policy:
    """Return the numbers of :data:`TEXT` and :data:`EVIDENCE` in the form that the kernel takes.

    ``groups`` has the number of each label's look-alike group, -1 for none; ``boilerplate`` is the label of
    boilerplate, -1 for none.
    """
    policy = _kernel.Policy()
    policy.min_letters, policy.rare_letters, policy.long_letters = (
        TEXT.min_letters,
        TEXT.rare_letters,
        TEXT.long_letters,
    )
    policy.reliable_letters, policy.reliable_letters_very_sure = TEXT.reliable_letters, TEXT.reliable_letters_very_sure
    policy.reliable_words, policy.reliable_long_words = TEXT.reliable_words, TEXT.reliable_long_words
    policy.long_words_letters, policy.clear_log_prob = TEXT.long_words_letters, _log(TEXT.clear_probability)
    policy.reliable_log_prob, policy.very_sure_log_prob = (
        _log(TEXT.reliable_probability),
        _log(TEXT.very_sure_probability),
    )
    policy.rare_log_prior, policy.rare_scale = _scaled(TEXT.rare_log_prior), _scaled(TEXT.rare_scale_nats)
    policy.min_log_prob = _log(TEXT.min_probability)
    policy.rare_neighbour_log_prior = _scaled(TEXT.rare_neighbour_log_prior)
    policy.main_share, policy.level_share, policy.min_share = TEXT.main_share, TEXT.level_share, TEXT.min_share
    policy.reread_min = _scaled(EVIDENCE.reread_min_nats)
    policy.text_excludes = _scaled(EVIDENCE.text_excludes_nats)
    policy.supported_log_prob = _log(EVIDENCE.supported_probability)
    policy.look_alikes, policy.boilerplate = groups, boilerplate
    return policy


def _log(probability: float) -> int:
    return _scaled(math.log(probability))


def _scaled(nats: float) -> int:
    return round(nats * LOG_SCALE)
