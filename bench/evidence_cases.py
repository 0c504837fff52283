"""Pages with what is known of them, and what ours and CLD2 answer: what all parts of bench/evidence.py stand on."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import judge
import pycld2
import sets

from webtongue import Identifier, fuse
from webtongue.evaluate.measures import Share, calibration_error
from webtongue.evaluate.peers import answer_label, settle
from webtongue.hints.country import tld
from webtongue.hints.domain import registered_domain
from webtongue.page import Inlink

FOLDS = 5
BATCH = 256
TEXT, FUSED, CLD2 = "text", "fused", "CLD2"


@dataclass(frozen=True, slots=True)
class Case:
    """A page with what is known of it, and the labels that are right for it."""

    name: str
    site: str
    raw: bytes
    wanted: frozenset[str]
    url: str | None = None
    inlinks: tuple[Inlink, ...] = ()
    encoding: str = "utf-8"

    @property
    def set(self) -> str:
        return self.name.partition("/")[0]

    def cut(self, raw: bytes) -> Case:
        return replace(self, raw=raw, encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Told:
    """An answer, its confidence, and whether it is right."""

    label: str
    confidence: float
    right: bool


@dataclass(slots=True)
class Idents:
    """Identifiers by evidence and fold of a site. With a folder of weights, ``fuse-0.json`` to ``fuse-4.json``, each fitted without the
    sites of its fold, every answer is out of fold; without one, the weights that ship."""

    folder: Path | None = None
    _made: dict[tuple[Any, int], Identifier] = field(default_factory=dict)

    def fold(self, site: str) -> int:
        return zlib.crc32(site.encode()) % FOLDS if self.folder else 0

    def of(self, evidence: Sequence[str] | None, fold: int) -> Identifier:
        key = (None if evidence is None else tuple(evidence), fold)
        if key not in self._made:
            self._made[key] = made(evidence, self.folder / f"fuse-{fold}.json" if self.folder else None)
        return self._made[key]


def made(evidence: Sequence[str] | None, weights: Path | None) -> Identifier:
    """An Identifier with other weights than those that ship."""
    ident = Identifier(evidence=evidence)
    if weights is not None:
        found = fuse.weights(weights)
        object.__setattr__(ident, "_fusion", replace(ident._fusion, by=found))
    return ident


def site_of(item: sets.Item) -> str:
    """The site that a page is of: its set with the registered domain of its address, or else the first folder of its path."""
    name, _, path = item.name.partition("/")
    return f"{name}/{registered_domain(item.row.get('url') or '') or path.partition('/')[0]}"


def cases(data: str) -> list[Case]:
    """Every page of dev/html whose label is known, with its address and the pages that link to it."""
    items = [item for item in sets.html_pages(data) if item.raw]
    by_url = {item.row["url"]: item for item in items if item.row.get("inlinks") is not None and item.row.get("url")}
    out = []
    for item in items:
        if wanted := judge.wanted(item.row):
            links = tuple(_inlink(row, by_url) for row in item.row.get("inlinks") or ())
            out.append(
                Case(item.name, site_of(item), item.raw, wanted, item.row.get("url") or None, links, item.row.get("encoding") or "utf-8")
            )
    return out


def _inlink(row: Mapping[str, Any], pages: Mapping[str, sets.Item]) -> Inlink:
    """A link with what text alone says of the linking page, where that page is there; never its gold label."""
    page = pages.get(row.get("url") or "")
    language, confidence = _by_text(page.raw) if page else ("", 1.0)
    return Inlink(row.get("url") or "", language, confidence, row.get("anchor") or "", row.get("hreflang") or "")


@cache
def _by_text(raw: bytes) -> tuple[str, float]:
    verdict = _text().identify(raw)
    return ("", 1.0) if verdict.label in ("und", "zxx", "mul") else (verdict.label, verdict.confidence)


@cache
def _text() -> Identifier:
    return Identifier(evidence=())


def ask(some: Sequence[Case], idents: Idents, evidence: Sequence[str] | None) -> list[Told]:
    """Our answers, each page by the weights of its site's fold."""
    found: list[Told | None] = [None] * len(some)
    for fold in range(FOLDS):
        places = [i for i, case in enumerate(some) if idents.fold(case.site) == fold]
        for start in range(0, len(places), BATCH):
            part = places[start : start + BATCH]
            told = idents.of(evidence, fold).identify_batch(columns([some[i] for i in part]))
            for i, label, sure in zip(part, told["label"], told["confidence"].tolist(), strict=True):
                found[i] = Told(label, sure, judge.is_right(label, some[i].wanted))
    return [one for one in found if one is not None]


def columns(some: Sequence[Case]) -> dict[str, list[Any]]:
    return {
        "raw": [case.raw for case in some],
        "url": [case.url for case in some],
        "inlinks": [case.inlinks for case in some],
    }


def ask_cld2(some: Sequence[Case]) -> list[Told]:
    """CLD2 with the hints it takes: the top level domain; it reads ``lang`` for itself. Old encodings are decoded for it."""
    return [_ask_cld2(case) for case in some]


def _ask_cld2(case: Case) -> Told:
    hints = {"hintTopLevelDomain": top} if case.url and (top := tld(case.url)) and top.isascii() else {}
    try:
        raw = case.raw if case.encoding == "utf-8" else case.raw.decode(case.encoding, "replace").encode()
        found = pycld2.detect(raw, isPlainText=False, **hints)
    except (pycld2.error, LookupError):
        return Told("und", 0.0, False)
    said = answer_label(found[2][0][1])
    got = next((label for label in sorted(case.wanted) if settle(said, label) == label), said)
    return Told(got, 1.0 if found[0] else 0.5, judge.is_right(got, case.wanted))


def share(told: Iterable[Told]) -> Share:
    found = [one.right for one in told]
    return Share(sum(found), len(found))


def ece(told: Sequence[Told]) -> float:
    """Expected calibration error; ``und`` is no answer, and claims nothing: a confidence of 0."""
    answers = [(one.confidence, one.right) if "_" in one.label else (0.0, False) for one in told]
    return calibration_error([sure for sure, _ in answers], [right for _, right in answers])
