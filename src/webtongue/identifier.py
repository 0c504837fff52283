"""The object that holds settings and answers: immutable, shared by threads, picklable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webtongue import address, batch, explain, fuse, pipeline
from webtongue.chances import Chances, chances
from webtongue.contents import Contents, contents_of
from webtongue.hints.geo import Geo, load_geo
from webtongue.page import NO_HEADERS, Inlink, Page, inlinks_of
from webtongue.prefilter import Prefilter, prefilter
from webtongue.text.model import DEFAULT, TextReader, asked_labels, load, reader
from webtongue.url import identify_url, identify_urls
from webtongue.url import model as url_model
from webtongue.url.hint import AddressReader, address_reader
from webtongue.verdict import Verdict

__all__ = ["Identifier"]


def _addresses() -> AddressReader:
    """Addresses as evidence; the URL model is loaded when first asked for."""
    return address_reader(url_model.load())


@dataclass(frozen=True, slots=True)
class Identifier:
    """Says what pages are in. Immutable, shared by threads, pickled by its settings.

    ``priors``: "web" weighs languages by how common they are online, so that a thousand rare ones do not take pages from
    the common; "uniform" is for sentences that may be in any language; or a mapping of labels to weights.
    ``languages``: labels or tags that may be answered, None for all; text in none of them is ``und``.
    ``evidence``: the sources to listen to beside the text, of :data:`webtongue.fuse.SOURCES`; None for all, () for none.
    ``model``: a model file, None for the one shipped.
    ``geo``: an MMDB file that knows the countries of addresses, None for the one that is installed, if one is.

    >>> Identifier(languages=["da", "nb", "sv"]).identify_text("Var ligger biblioteket, och när öppnar det?").language
    'sv'
    """

    priors: str | Mapping[str, float] = "web"
    languages: Sequence[str] | None = None
    evidence: Sequence[str] | None = None
    model: str | None = None
    geo: str | None = None
    reader: TextReader = field(init=False, repr=False, compare=False)
    _stages: list[pipeline.Stages] = field(init=False, repr=False, compare=False, default_factory=list)
    _urls: list[url_model.UrlReader] = field(init=False, repr=False, compare=False, default_factory=list)
    _addresses: list[address.AddressStage] = field(init=False, repr=False, compare=False, default_factory=list)
    _geo: list[Geo | None] = field(init=False, repr=False, compare=False, default_factory=list)
    _fusion: fuse.Fusion = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.languages, str):
            raise TypeError("languages is a list of labels or tags, not one string")
        if self.evidence is not None and not isinstance(self.evidence, str):
            object.__setattr__(self, "evidence", tuple(self.evidence))
        loaded = load(Path(self.model) if self.model else DEFAULT)
        object.__setattr__(self, "reader", reader(loaded, self.priors, self.languages))
        fusion = fuse.fusion(self.reader, self.evidence, _addresses, self._countries)
        object.__setattr__(self, "_fusion", fusion)
        if self.geo is not None:
            self._countries()  # a file that cannot be used is refused here, not at the first page

    def __reduce__(self) -> tuple[Any, ...]:
        return (Identifier, (self.priors, self.languages, self.evidence, self.model, self.geo))

    @property
    def labels(self) -> list[str]:
        """Every label that can be answered."""
        return list(self.reader.model.labels)

    def labels_of(self, languages: Sequence[str]) -> list[str]:
        """The labels that tags, labels or groups name: a language in any script, unless it is said.

        >>> Identifier().labels_of(["sr", "nor", "zh-TW"])
        ['nno_Latn', 'nob_Latn', 'srp_Cyrl', 'srp_Latn', 'zho_Hant']
        """
        return asked_labels(self.reader.model, languages)

    @property
    def tiers(self) -> dict[str, int]:
        """What each label learnt from: 1 much modern text, 2 some, 3 hardly any beside scripture."""
        return dict(zip(self.reader.model.labels, self.reader.model.tiers, strict=True))

    @property
    def stages(self) -> pipeline.Stages:
        """The models that pages go by; put together when first asked for."""
        try:
            return self._stages[0]
        except IndexError:
            self._stages.append(pipeline.stages(self.reader, self._fusion))
            return self._stages[0]

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
        """The verdict on one page, from its bytes and what is known of where they came from and who links to them.

        ``country`` is that of the server, where the caller knows it; ``host`` how many other pages of its host are in each
        language.

        >>> Identifier().identify("<html lang=is><p>Halló".encode(), "https://example.is/").language
        'is'
        """
        links = () if inlinks is None else inlinks_of(inlinks)
        headers = NO_HEADERS if headers is None else headers
        return pipeline.identify(Page(raw, url, headers, ip, country, links, host), self.stages)

    def identify_page(self, page: Page) -> Verdict:
        """The verdict on a page that is made already."""
        return pipeline.identify(page, self.stages)

    def contents(self, page: Page, *, is_text: bool = False) -> Contents:
        """The verdict on a page with the page's text, block by block; ``is_text``: nothing in it is markup, and it is UTF-8.

        >>> Identifier().contents(Page("<p>Einar<p>Bókasafnið er opið alla daga".encode("cp1252"))).blocks[1].text
        'Bókasafnið er opið alla daga'
        """
        return contents_of(page, self.stages, is_text=is_text)

    def identify_row(self, page: Page) -> dict[str, Any]:
        """The row that :meth:`identify_batch` has for a page, at once: for answers that need no evidence.

        >>> Identifier().identify_row(Page("Hvar er bókasafnið?".encode()))["label"]
        'isl_Latn'
        """
        return batch.identify_row(page, self.stages)

    def telling(self, text: str, label: str, rival: str, most: int = 64) -> tuple[explain.Telling, ...]:
        """The words and n-grams that tell a text's label from a rival, in bits, the loudest first; each counts once.

        >>> Identifier().telling("Ik weet het niet", "nld_Latn", "deu_Latn")[0].gram
        ' het '
        """
        known = self.reader.model.numbers
        return explain.telling(text, label, rival, most, self.reader) if label in known and rival in known else ()

    def rival(self, text: str, label: str) -> str:
        """What the beginning of a text might be in beside its label, for texts that leave no doubt; empty where nothing is near."""
        return explain.rival_of(text, label, self.reader)

    def prefilter(self, languages: Sequence[str]) -> Prefilter:
        """Tells pages that cannot hold some languages, many times as fast as they are identified.

        >>> page = b"<p>The library is open every day of the week, and admission is free for everyone.</p>" * 8
        >>> Identifier().prefilter(["is", "fo"]).may_hold(Page(page))
        False
        """
        return prefilter(self.labels_of(languages))

    def chances(self, languages: Sequence[str]) -> Chances:
        """Says how likely pages that were not fetched yet are in these languages, by their addresses and by links to them.

        >>> page = Page(b"", "https://www.example.com/nachrichten/wirtschaft-und-gesellschaft/")
        >>> Identifier().chances(["de"]).of([page])[0]["de"] > 0.9
        True
        """
        return chances(self._address_stage, self._fusion.sources, {name: self.labels_of([name]) for name in languages})

    def identify_text(self, text: str) -> Verdict:
        """The verdict on text that is decoded already: no markup is looked for."""
        if not isinstance(text, str):
            raise TypeError(f"text is str, not {type(text).__name__}; bytes go to identify()")
        return pipeline.identify_text(text, self.stages)

    @property
    def attribution(self) -> str:
        """What the makers of the table of addresses ask to be said, with a link, wherever countries by address are shown."""
        geo = self._countries()
        return geo.attribution if geo is not None else ""

    def _countries(self) -> Geo | None:
        """The table of addresses; opened when first asked for."""
        if not self._geo:
            self._geo.append(load_geo(self.geo))
        return self._geo[0]

    def country(self, ip: str) -> str:
        """The country of an internet address by the table of addresses; empty where that has none, or there is no table."""
        geo = self._countries()
        return geo.locate(ip).country if geo is not None else ""

    @property
    def url_reader(self) -> url_model.UrlReader:
        """The URL model with this Identifier's priors and languages; loaded when first asked for."""
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
        """The verdict on a page by its URL alone, or with what else is known of it before it is fetched, as in :meth:`identify`.

        ``anchor`` is the words of a link to it.

        >>> Identifier().identify_url("https://www.example.com/nachrichten/wirtschaft-und-gesellschaft/").language
        'de'
        >>> links = [Inlink("https://example.is/", "is"), Inlink("https://example.org/", "is")]
        >>> Identifier().identify_url("https://example.com/4711", inlinks=links).language
        'is'
        """
        if not isinstance(url, str):
            raise TypeError(f"a URL is str, not {type(url).__name__}")
        if not anchor and all(known is None for known in (ip, country, host, inlinks)):
            return identify_url(url, self.url_reader)
        page = Page(b"", url, NO_HEADERS, ip, country, () if inlinks is None else inlinks_of(inlinks), host)
        said = self.identify_text(anchor).guesses if anchor else ()
        return address.identify_address(page, anchor or "", said, self._address_stage)

    @property
    def _address_stage(self) -> address.AddressStage:
        """The models that addresses go by; put together when first asked for."""
        if not self._addresses:
            self._addresses.append(address.stage(self.url_reader, self._fusion, self.priors))
        return self._addresses[0]

    def identify_urls(self, urls: Iterable[str | None]) -> list[Verdict]:
        """Verdicts on many URLs, in their order; None is a row without a URL."""
        if isinstance(urls, str):
            raise TypeError("identify_urls takes many URLs; one goes to identify_url()")
        return identify_urls(list(urls), self.url_reader)

    def classify_urls(self, urls: Sequence[str | None]) -> dict[str, Any]:
        """Columns of many URLs: ``label`` and ``reason`` as lists, ``confidence`` as an array."""
        import numpy as np

        ids, logs, reasons = self.url_reader.classify(list(urls))
        names = [*self.url_reader.labels, "und"]  # -1 is the last
        said = url_model.REASONS
        return {
            "label": [names[i] for i in ids.tolist()],
            "confidence": np.where(ids >= 0, np.exp(logs / url_model.NATS), 0.0).astype("f4"),
            "reason": [said[reason][0].value for reason in reasons.tolist()],
        }

    def classify(self, text: str) -> str:
        """The label of a text and nothing else: what :meth:`identify_text` says, unless a font drew the text or it was misread."""
        try:
            return self.reader.kernel.classify(text)
        except UnicodeEncodeError:  # lone surrogates
            return self.reader.kernel.classify(text.encode("utf-8", "replace"))

    def classify_many(self, texts: Sequence[str]) -> tuple[list[str], list[float]]:
        """The label of each text and its probability, as :meth:`identify_text` answers."""
        try:
            return self.reader.kernel.classify_many(list(texts))
        except UnicodeEncodeError:
            return self.reader.kernel.classify_many([text.encode("utf-8", "replace") for text in texts])

    def identify_many(self, pages: Iterable[Page | bytes | None], threads: int | None = None) -> list[Verdict]:
        """Verdicts on many pages, in their order, on several threads (the kernel releases the GIL)."""
        return list(self.identify_stream(pages, threads))

    def identify_stream(self, pages: Iterable[Page | bytes | None], threads: int | None = None) -> Iterator[Verdict]:
        """The same as they come, an iterator in and an iterator out: a few hundred pages are held at a time.

        A Verdict holds its page until it is asked to explain itself; ``verdict.detached()`` lets go of it.

        >>> pages = (f"<p>{word}</p>".encode() for word in ("Ευχαριστώ πολύ", "Спасибо большое, до свидания"))
        >>> [v.language for v in Identifier().identify_stream(pages)]
        ['el', 'ru']
        """
        return batch.identify_stream(pages, self.stages, threads)

    def identify_batch(self, columns: Any, threads: int | None = None, *, details: Iterable[str] = ()) -> Any:
        """Columns in, columns out: what a census, Spark or a service calls.

        In: ``raw`` and, if known, ``url``, ``headers``, ``ip``, ``country``, ``inlinks`` and ``host``, all of one length (None,
        NaN where a value is missing); a mapping of lists, arrays or series, an Arrow table or batch, a data frame. Out: a
        column for each name in :data:`webtongue.batch.COLUMNS`: lists, NumPy arrays for numbers; an Arrow table where one
        came in. ``details`` names further columns that a census keeps (:data:`webtongue.details.DETAILS`).

        >>> out = Identifier().identify_batch({"raw": ["ქართული ენა".encode(), b"%PDF-1.4", None]})
        >>> out["label"], out["reason"]
        (['kat_Geor', 'zxx', 'und'], ['', 'binary', 'missing'])
        """
        return batch.identify_batch(columns, self.stages, threads, details)
