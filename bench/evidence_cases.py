"""What ours and CLD2 answer for pages with all that is known of them: what all parts of bench/evidence.py stand on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pycld2
import sets

from webtongue import Identifier
from webtongue.evidence.combine import evidence_config
from webtongue.evidence.weights import load
from webtongue.lab.evaluate.measures import Share, compute_calibration_error
from webtongue.lab.evaluate.pages import FOLDS, LabelledPage, add_links, assign_fold, is_right, iter_labelled_pages
from webtongue.lab.evaluate.peers import parse_code, resolve_answer
from webtongue.page import Page
from webtongue.reference.countries import tld

BATCH = 256
TEXT, FUSED, CLD2 = "text", "fused", "CLD2"
ESCAPED = {0x00, 0x1B}  # bytes of UTF-16 and ISO 2022, which are UTF-8 by chance
Pages = Sequence[LabelledPage]


@dataclass(frozen=True, slots=True)
class Told:
    """An answer, its confidence, and whether it is right."""

    label: str
    confidence: float
    right: bool


@dataclass(slots=True)
class Idents:
    """Identifiers by evidence and fold of a site.

    With a folder of weights, ``evidence_weights.0.json`` to ``.4.json``, each fitted by tools/weights/fit_evidence.py without the
    sites of its fold, every answer is out of fold; without one, the weights are those that ship.
    """

    folder: Path | None = None
    _made: dict[tuple[Any, int], Identifier] = field(default_factory=dict)

    def fold(self, site: str) -> int:
        return assign_fold(site) if self.folder else 0

    def of(self, evidence: Sequence[str] | None, fold: int) -> Identifier:
        key = (None if evidence is None else tuple(evidence), fold)
        if key not in self._made:
            self._made[key] = make_identifier(
                evidence, self.folder / f"evidence_weights.{fold}.json" if self.folder else None
            )
        return self._made[key]


def make_identifier(evidence: Sequence[str] | None, weights: Path | None) -> Identifier:
    """An Identifier with other weights than those that ship."""
    ident = Identifier(evidence=evidence)
    if weights is not None:
        config = evidence_config(
            ident.reader, ident._evidence.sources, ident._evidence.url_evidence, ident._evidence.geo, load(weights)
        )
        object.__setattr__(ident, "_evidence", config)
    return ident


def cases(data: str) -> list[LabelledPage]:
    """Every page of dev/html whose label is known, with its address and the pages that link to it, by their text alone."""
    return add_links(
        list(iter_labelled_pages(sets.require_folder(Path(data) / "dev" / "html"))), Identifier(evidence=())
    )


def changed(item: LabelledPage, **what: Any) -> LabelledPage:
    """A page with other bytes or another address."""
    return replace(item, page=replace(item.page, **what))


def ask(some: Pages, idents: Idents, evidence: Sequence[str] | None) -> list[Told]:
    """Our answers, each page by the weights of its site's fold."""
    found: dict[int, Told] = {}
    for fold in range(FOLDS):
        places = [i for i, item in enumerate(some) if idents.fold(item.site) == fold]
        for start in range(0, len(places), BATCH):
            part = places[start : start + BATCH]
            told = idents.of(evidence, fold).identify_batch(columns([some[i].page for i in part]))
            for i, label, sure in zip(part, told["label"], told["confidence"].tolist(), strict=True):
                found[i] = Told(label, sure, is_right(label, some[i].wanted))
    return [found[i] for i in range(len(some))]


def columns(pages: Sequence[Page]) -> dict[str, list[Any]]:
    return {name: [getattr(page, name) for page in pages] for name in ("raw", "url", "inlinks")}


def ask_cld2(some: Pages) -> list[Told]:
    """CLD2 with the hints it takes: the top level domain; it reads ``lang`` for itself. Old encodings are decoded for it."""
    return [_ask_cld2(item) for item in some]


def _ask_cld2(item: LabelledPage) -> Told:
    url, raw = item.page.url, item.page.raw
    hints = {"hintTopLevelDomain": top} if url and (top := tld(url)) and top.isascii() else {}
    try:
        found = pycld2.detect(in_utf8(raw, item.row.get("encoding") or ""), isPlainText=False, **hints)
    except pycld2.error:
        return Told("und", 0.0, False)
    said = parse_code(found[2][0][1])
    got = next((label for label in sorted(item.wanted) if resolve_answer(said, label) == label), said)
    return Told(got, 1.0 if found[0] else 0.5, is_right(got, item.wanted))


def in_utf8(raw: bytes, encoding: str) -> bytes:
    """A page as CLD2 takes it; the encoding is the one its set knows, which a page that was cut is no longer in."""
    try:
        raw.decode()
        if not ESCAPED & set(raw):
            return raw
    except UnicodeDecodeError:
        pass
    try:
        return raw.decode(encoding, "replace").encode()
    except LookupError:
        return raw.decode("windows-1252", "replace").encode()


def share(told: Iterable[Told]) -> Share:
    found = [one.right for one in told]
    return Share(sum(found), len(found))


def ece(told: Sequence[Told]) -> float:
    """Expected calibration error; ``und`` and the like name no language, and claim nothing."""
    answers = [(one.confidence, one.right) if "_" in one.label else (0.0, False) for one in told]
    return compute_calibration_error([sure for sure, _ in answers], [right for _, right in answers])
