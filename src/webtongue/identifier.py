"""The Identifier: an object with settings that identifies pages, texts and URLs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from webtongue import explain, pipeline
from webtongue.analysis import Analysis
from webtongue.columns import urls_of
from webtongue.evidence import registry
from webtongue.evidence.combine import EvidenceConfig, evidence_config
from webtongue.evidence.geo import Geo, Located, load_geo
from webtongue.evidence.url import UrlEvidence, url_evidence
from webtongue.model_set import Models, load_models
from webtongue.page import NO_HEADERS, Inlink, Page, check_inlinks
from webtongue.policy import LOG_SCALE, PAGE
from webtongue.records import dataclass, field
from webtongue.text.model import DEFAULT, TextReader, allowed_labels, load, reader
from webtongue.url import identify_url, identify_urls
from webtongue.url import model as url_model
from webtongue.verdict import Verdict

if TYPE_CHECKING:
    from webtongue.link_scorer import LinkScorer
    from webtongue.text.prefilter import Prefilter
    from webtongue.url_only import UrlConfig

__all__ = ["Identifier"]


def _url_evidence() -> UrlEvidence:
    """Return the evidence source for URLs; the first call loads the URL model."""
    return url_evidence(url_model.load())


@dataclass(frozen=True, slots=True)
class Identifier:
    """Identifies pages, texts and URLs. Immutable, thread-safe, pickled by its settings.

    >>> Identifier(languages=["da", "nb", "sv"]).identify_text("Var ligger biblioteket, och när öppnar det?").language
    'sv'
    """

    _FIELD_DOCS = {
        "priors": '"web" weights languages by how common they are online, so that pages are not mistaken for one of a thousand '
        'rare labels; "uniform" is for sentences in any language; or a mapping of labels to weights.',
        "languages": "Labels or tags that may be answered, None for all; text in any other language is `und`.",
        "evidence": "The sources to use in addition to the text, of docs/evidence.md; None for all, () for none.",
        "model": "A model file, None for the shipped one.",
        "geo": "An MMDB file that maps IP addresses to countries, None for DB-IP's, which the package contains.",
        "reader": "The text model with the priors and languages.",
    }

    priors: str | Mapping[str, float] = "web"
    languages: Sequence[str] | None = None
    evidence: Sequence[str] | None = None
    model: str | None = None
    geo: str | None = None
    reader: TextReader = field(init=False, repr=False, compare=False)
    _models: list[Models] = field(init=False, repr=False, compare=False, default_factory=list)
    _urls: list[url_model.UrlReader] = field(init=False, repr=False, compare=False, default_factory=list)
    _url_configs: list[UrlConfig] = field(init=False, repr=False, compare=False, default_factory=list)
    _geo: list[Geo] = field(init=False, repr=False, compare=False, default_factory=list)
    _evidence: EvidenceConfig = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.languages, str):
            raise TypeError("languages is a list of labels or tags, not one string")
        if self.evidence is not None and not isinstance(self.evidence, str):
            object.__setattr__(self, "evidence", tuple(self.evidence))
        loaded = load(Path(self.model) if self.model else DEFAULT)
        object.__setattr__(self, "reader", reader(loaded, self.priors, self.languages))
        sources = registry.select(self.evidence)
        config = evidence_config(self.reader, sources, _url_evidence, self._load_geo)
        object.__setattr__(self, "_evidence", config)
        if self.geo is not None:
            self._load_geo()  # raises for a file that cannot be used, before the first page

    def __reduce__(self) -> tuple[Any, ...]:
        return (Identifier, (self.priors, self.languages, self.evidence, self.model, self.geo))

    @property
    def labels(self) -> list[str]:
        """All labels of the model."""
        return list(self.reader.model.labels)

    def labels_of(self, languages: Sequence[str]) -> list[str]:
        """Return the labels that tags, labels or groups name; a language without a script names all of its scripts.

        >>> Identifier().labels_of(["sr", "nor", "zh-TW"])
        ['nno_Latn', 'nob_Latn', 'srp_Cyrl', 'srp_Latn', 'zho_Hant']
        """
        return allowed_labels(self.reader.model, languages)

    @property
    def tiers(self) -> dict[str, int]:
        """The training text of each label: 1 much modern text, 2 some, 3 hardly any beside scripture."""
        return dict(zip(self.reader.model.labels, self.reader.model.tiers, strict=True))

    @property
    def models(self) -> Models:
        """The models of all stages; the first access loads them."""
        try:
            return self._models[0]
        except IndexError:
            self._models.append(load_models(self.reader, self._evidence))
            return self._models[0]

    def identify(
        self,
        raw: bytes,
        url: str | None = None,
        headers: Mapping[str, str] | None = None,
        ip: str | None = None,
        inlinks: Iterable[Inlink | Mapping[str, Any]] | None = None,
        *,
        country: str | None = None,
        host: Mapping[str, float] | None = None,
    ) -> Verdict:
        """Return the verdict on a page, from its bytes, URL, headers, server and the pages that link to it.

        ``country`` is that of the server, if it is known; ``host`` has the number of other pages of the host by language.

        >>> Identifier().identify("<html lang=is><p>Halló".encode(), "https://example.is/").language
        'is'
        """
        links = check_inlinks(inlinks)
        headers = NO_HEADERS if headers is None else headers
        if type(host) is dict:
            host = host.copy()  # the evidence is computed later, and the caller goes on counting
        return self.analyze(Page(raw, url, headers, ip, country, links, host)).verdict

    def analyze(self, page: Page, *, is_text: bool = False) -> Analysis:
        """Return the analysis of a page: its verdict, blocks of text, segments, links, declarations and evidence.

        ``is_text``: the page is UTF-8 text in which nothing is markup.

        >>> Identifier().analyze(Page("<p>Einar<p>Bókasafnið er opið alla daga".encode("cp1252"))).blocks[1].text
        'Bókasafnið er opið alla daga'
        """
        if not isinstance(page, Page):
            raise TypeError(f"analyze takes a Page, not {type(page).__name__}; bytes go to identify()")
        return pipeline.analyze_text(page, self.models) if is_text else pipeline.analyze(page, self.models)

    def second_pass(self, packed: bytes, page: Page, encoding: str = "") -> Analysis:
        """Return the analysis of a page from :attr:`Analysis.packed`, with the evidence that ``page`` has now.

        Raise ValueError if the bytes were not packed by this release and model.

        >>> packed = Identifier().analyze(Page(b"<p>Trenutno nedostupno")).packed
        >>> later = Page(b"", "https://example.com/", country="HR", inlinks=(Inlink("https://example.hr/", "hr"),))
        >>> Identifier().second_pass(packed, later).verdict.label
        'hrv_Latn'
        """
        return pipeline.second_pass(packed, page, encoding, self.models)

    def top_features(self, text: str, label: str, runner_up: str, limit: int = 64) -> tuple[explain.Feature, ...]:
        """Return the words and n-grams that separate a text's label from the runner-up, in bits, the strongest first.

        >>> Identifier().top_features("Ik weet het niet", "nld_Latn", "deu_Latn")[0].gram
        ' het '
        """
        numbers = self.reader.model.numbers
        if label not in numbers or runner_up not in numbers:
            return ()
        return explain.top_features(text, label, runner_up, limit, self.reader)

    def runner_up(self, text: str, label: str) -> str:
        """Return the likeliest label of the beginning of a text other than ``label``; empty if there is none."""
        return explain.runner_up(text, label, self.reader)

    def prefilter(self, languages: Sequence[str]) -> Prefilter:
        """Return a filter that rejects pages without text in some languages, many times faster than identifying them.

        >>> page = b"<p>The library is open every day of the week, and admission is free for everyone.</p>" * 8
        >>> Identifier().prefilter(["is", "fo"]).may_hold(Page(page))
        False
        """
        from webtongue.text.prefilter import prefilter

        return prefilter(self.labels_of(languages))

    def link_scorer(self, languages: Sequence[str]) -> LinkScorer:
        """Return a scorer of pages before they are fetched: the probability of these languages by URL, links and host.

        >>> page = Page(b"", "https://www.example.com/nachrichten/wirtschaft-und-gesellschaft/")
        >>> Identifier().link_scorer(["de"]).score([page])[0]["de"] > 0.9
        True
        """
        from webtongue.link_scorer import link_scorer

        wanted = {name: self.labels_of([name]) for name in languages}
        return link_scorer(self._url_config, self._evidence.source_names, wanted)

    def identify_text(self, text: str) -> Verdict:
        """Return the verdict on a decoded text; nothing in it is read as markup."""
        if not isinstance(text, str):
            raise TypeError(f"text is str, not {type(text).__name__}; bytes go to identify()")
        return pipeline.identify_text(text, self.models)

    @property
    def attribution(self) -> str:
        """The credit that the licence of the IP-to-country table requires wherever its countries are shown."""
        return self._load_geo().attribution

    def _load_geo(self) -> Geo:
        """Return the IP-to-country table; the first call opens it."""
        if not self._geo:
            self._geo.append(load_geo(self.geo))
        return self._geo[0]

    def country(self, ip: str) -> str:
        """Return the country of an IP address; empty if it is unknown."""
        return self.locate(ip).country

    def locate(self, ip: str) -> Located:
        """Return the country of an IP address and its range in the IP-to-country table; empty without a table."""
        return self._load_geo().locate(ip)

    @property
    def url_reader(self) -> url_model.UrlReader:
        """The URL model with this Identifier's priors and languages; the first access loads it."""
        if not self._urls:
            self._urls.append(url_model.reader(url_model.load(), self.priors, self.languages, self.tiers))
        return self._urls[0]

    def identify_url(
        self,
        url: str,
        ip: str | None = None,
        anchor: str | None = None,
        *,
        inlinks: Iterable[Inlink | Mapping[str, Any]] | None = None,
        country: str | None = None,
        host: Mapping[str, float] | None = None,
    ) -> Verdict:
        """Return the verdict on a page by its URL and other evidence that is available before it is fetched.

        ``anchor`` is the anchor text of a link to the page; the other arguments are those of :meth:`identify`.

        >>> Identifier().identify_url("https://www.example.com/nachrichten/wirtschaft-und-gesellschaft/").language
        'de'
        >>> links = [Inlink("https://example.is/", "is"), Inlink("https://example.org/", "is")]
        >>> Identifier().identify_url("https://example.com/4711", inlinks=links).language
        'is'
        """
        if not isinstance(url, str):
            raise TypeError(f"a URL is str, not {type(url).__name__}")
        if not anchor and all(hint is None for hint in (ip, country, host, inlinks)):
            return identify_url(url, self.url_reader)
        page = Page(b"", url, NO_HEADERS, ip, country, check_inlinks(inlinks), host)
        guesses = self.identify_text(anchor).guesses if anchor else ()
        from webtongue.url_only import identify_url_with_evidence

        return identify_url_with_evidence(page, anchor or "", guesses, self._url_config)

    @property
    def _url_config(self) -> UrlConfig:
        """The settings of URL-only answers; the first access creates them."""
        if not self._url_configs:
            from webtongue.url_only import url_config

            self._url_configs.append(url_config(self.url_reader, self._evidence, self.priors))
        return self._url_configs[0]

    def identify_urls(self, urls: Iterable[str | None], *, explain: bool = True) -> list[Verdict]:
        """Return verdicts on many URLs, in their order; None stands for a missing URL.

        Without ``explain`` the verdicts have no guesses and no evidence.
        """
        return identify_urls(urls_of(urls, "identify_urls"), self.url_reader, with_evidence=explain)

    def classify_urls(self, urls: Iterable[str | None]) -> dict[str, Any]:
        """Return columns for URLs: ``label`` and ``reason`` as lists, ``confidence`` as an array."""
        import numpy as np

        items = urls_of(urls, "classify_urls")
        ids, logs, reasons = self.url_reader.classify(items)
        return {
            "label": [
                self.url_reader.label_of(i, url) if i >= 0 else "und"
                for i, url in zip(ids.tolist(), items, strict=True)
            ],
            "confidence": np.where(ids >= 0, np.exp(logs / LOG_SCALE), 0.0).astype("f4"),
            "reason": [url_model.REASONS[reason][0].value for reason in reasons.tolist()],
        }

    def classify(self, text: str) -> str:
        """Return the label of a text alone: that of :meth:`identify_text`; short texts are not repaired or converted from fonts."""
        if isinstance(text, str) and len(text) > PAGE.short_text_chars:
            return self.identify_text(text).label
        try:
            return self.reader.kernel.classify(text)
        except UnicodeEncodeError:  # lone surrogates
            return self.reader.kernel.classify(text.encode("utf-8", "replace"))

    def classify_many(self, texts: Iterable[str], threads: int | None = None) -> tuple[list[str], list[float]]:
        """Return the label of each text and its probability, as :meth:`classify` answers, computed on several threads."""
        from webtongue import batch

        return batch.classify_many(batch.texts_of(texts, "classify_many"), self.models, threads)

    def identify_texts(self, texts: Iterable[str], threads: int | None = None) -> list[Verdict]:
        """Return verdicts on decoded texts, in their order, computed on several threads (the kernel releases the GIL).

        ``texts`` is a list, a series or an Arrow array without missing values, or an iterator.

        >>> [v.language for v in Identifier().identify_texts(["Wie spät ist es in Wien?", "Missä kirjasto on?"])]
        ['de', 'fi']
        """
        from webtongue import batch

        return batch.identify_texts(batch.texts_of(texts, "identify_texts"), self.models, threads)

    def identify_many(self, pages: Iterable[Page | bytes | None], threads: int | None = None) -> list[Verdict]:
        """Return verdicts on pages, in their order, computed on several threads (the kernel releases the GIL).

        None and NaN, which stand for missing pages, have a verdict with a reason; any other value that is no page raises TypeError.
        """
        return list(self._identify_stream(pages, threads, "identify_many"))

    def identify_stream(self, pages: Iterable[Page | bytes | None], threads: int | None = None) -> Iterator[Verdict]:
        """Yield verdicts on pages in their order; a few hundred pages are in memory at a time.

        A Verdict refers to its page until its explanation is computed; ``verdict.detached()`` releases the page.

        >>> pages = (f"<p>{word}</p>".encode() for word in ("Ευχαριστώ πολύ", "Спасибо большое, до свидания"))
        >>> [v.language for v in Identifier().identify_stream(pages)]
        ['el', 'ru']
        """
        return self._identify_stream(pages, threads, "identify_stream")

    def _identify_stream(self, pages: Any, threads: int | None, function: str) -> Iterator[Verdict]:
        from webtongue import batch
        from webtongue.columns import items_of

        if isinstance(pages, bytes | bytearray | memoryview | Page):
            raise TypeError(f"{function} takes many pages; one goes to identify()")
        if isinstance(pages, str):
            raise TypeError(f"{function} takes pages as bytes; decoded text goes to identify_text()")
        items = items_of(pages, function, "pages", "identify_batch()")
        return batch.identify_stream(items, self.models, threads)

    @overload
    def identify_batch(
        self, columns: Mapping[str, Any], threads: int | None = None, *, extra: Iterable[str] = ()
    ) -> dict[str, Any]: ...
    @overload
    def identify_batch(self, columns: Any, threads: int | None = None, *, extra: Iterable[str] = ()) -> Any: ...
    def identify_batch(self, columns: Any, threads: int | None = None, *, extra: Iterable[str] = ()) -> Any:
        """Return columns of answers for columns of pages.

        Input: ``raw`` and optionally ``url``, ``headers``, ``ip``, ``country``, ``inlinks`` and ``host``, all of one length (None
        or NaN for missing values); a mapping of lists, arrays or series, an Arrow table or batch, or a data frame. Output: a
        column for each name in :data:`webtongue.schema.COLUMN_NAMES`: lists, NumPy arrays for numbers, or an Arrow table if one
        was given. ``extra`` names further columns of :data:`webtongue.extra_columns.EXTRA_COLUMNS`.

        >>> answers = Identifier().identify_batch({"raw": ["ქართული ენა".encode(), b"%PDF-1.4", None]})
        >>> answers["label"], answers["reason"]
        (['kat_Geor', 'zxx', 'und'], ['', 'binary', 'missing'])
        """
        from webtongue import batch

        return batch.identify_batch(columns, self.models, threads, extra)
