"""The judgements of people: one line of ``OUT/audit/judgements.jsonl`` each, the last one of a judge for an item counts."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from webtongue import labels
from webtongue.census.audit.items import AUDIT, MAX_FILE_BYTES, Item, read_items
from webtongue.errors import UsageError
from webtongue.files import open_regular_file

__all__ = [
    "ANSWERS", "UNCLEAR", "Agreement", "Judgement", "add_judgement", "agreement", "export_lines", "make_judgement",
    "read_judgements",
]  # fmt: skip

JUDGEMENTS = "judgements.jsonl"
ANSWERS = ("right", "wrong", "none", "several", "unclear")
UNCLEAR = "unclear"
MAX_NAME_CHARS = 60


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says about a page."""

    item: str
    judge: str
    answer: str  # one of ANSWERS
    language: str = ""  # the label of the page's language, if the answer is wrong and the judge knows it
    time: str = ""

    def truth(self, label: str) -> str:
        """Return the label of the page by this judgement; ``und`` for another language that is not named, empty if unclear."""
        named = {"right": label, "none": "zxx", "several": "mul", "wrong": self.language or "und"}
        return named.get(self.answer, "")


def make_judgement(item: Item, judge: str, answer: str, language: str = "") -> Judgement:
    """Return a judgement; raise UsageError for an answer or a language that there is not."""
    if answer not in ANSWERS:
        raise UsageError(f"an answer is one of {', '.join(ANSWERS)}, not {answer!r}")
    label = ""
    if answer == "wrong" and language.strip():
        parsed = labels.parse(language.strip()[:MAX_NAME_CHARS])
        if parsed is None or parsed.language in labels.SPECIAL:
            raise UsageError(
                f"{language[:MAX_NAME_CHARS]!r} is no language; write it like 'is', 'isl_Latn' or 'Icelandic'"
            )
        label = str(labels.fold(parsed))
        if label == item.label:
            raise UsageError(f"{label} is the answer: judge it as right")
    return Judgement(item.id, judge, answer, label, datetime.now(UTC).isoformat(timespec="seconds"))


def add_judgement(out: Path, judgement: Judgement) -> None:
    """Append a judgement, on a line of its own after one that was cut off; it is on disk when this returns."""
    path = out / AUDIT / JUDGEMENTS
    if path.is_symlink():
        raise UsageError(f"{path} is a symbolic link: all files of a census must lie in its own folder")
    with path.open("a+b") as file:
        is_cut_off = file.seek(0, os.SEEK_END) > 0 and file.seek(-1, os.SEEK_END) >= 0 and file.read(1) != b"\n"
        file.write(b"\n" * is_cut_off + json.dumps(asdict(judgement)).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def read_judgements(out: Path) -> dict[tuple[str, str], Judgement]:
    """Return the last judgement of each judge for each item, by judge and item; a line that was cut off is ignored."""
    path = out / AUDIT / JUDGEMENTS
    if not path.exists():
        return {}
    if path.is_symlink():
        raise UsageError(f"{path} is a symbolic link: all files of a census must lie in its own folder")
    with open_regular_file(str(path)) as file:
        lines = file.read(MAX_FILE_BYTES).split(b"\n")
    last: dict[tuple[str, str], Judgement] = {}
    for line in lines:
        judgement = _parse(line)
        if judgement is not None:
            last[judgement.judge, judgement.item] = judgement
    return last


def _parse(line: bytes) -> Judgement | None:
    try:
        value = json.loads(line)
        judgement = Judgement(**value)
    except (TypeError, ValueError, RecursionError):
        return None
    is_text = all(isinstance(part, str) for part in asdict(judgement).values())
    return judgement if is_text and judgement.answer in ANSWERS else None


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two judges agree: the items that both judged, the share of equal judgements, and Cohen's kappa."""

    judges: tuple[str, str]
    items: int
    equal: float
    kappa: float


def agreement(items: Sequence[Item], judgements: Mapping[tuple[str, str], Judgement]) -> list[Agreement]:
    """Return the agreement of every two judges that judged a common item.

    >>> page = Item("1", "", "isl_Latn", "", 1.0, "", "", 1.0, True, "", "", (), "")
    >>> same = {(judge, "1"): Judgement("1", judge, "right") for judge in ("a", "b")}
    >>> agreement([page], same)
    [Agreement(judges=('a', 'b'), items=1, equal=1.0, kappa=1.0)]
    """
    by_id = {item.id: item.label for item in items}
    judges = sorted({judge for judge, _ in judgements})
    found = []
    for number, first in enumerate(judges):
        for second in judges[number + 1 :]:
            common = [
                item for judge, item in judgements if judge == first and (second, item) in judgements and item in by_id
            ]
            pairs = [
                tuple(judgements[judge, item].truth(by_id[item]) or UNCLEAR for judge in (first, second))
                for item in common
            ]
            if pairs:
                found.append(Agreement((first, second), len(pairs), *_kappa(pairs)))
    return found


def _kappa(pairs: Sequence[tuple[str, ...]]) -> tuple[float, float]:
    """Return the share of equal judgements and Cohen's kappa (1960); 1 if both always say the same one thing."""
    equal = sum(a == b for a, b in pairs) / len(pairs)
    first, second = (Counter(pair[i] for pair in pairs) for i in (0, 1))
    chance = sum(first[name] * second[name] for name in first) / len(pairs) ** 2
    return equal, 1.0 if chance == 1 else (equal - chance) / (1 - chance)


def export_lines(out: Path) -> Iterator[dict[str, Any]]:
    """Yield an object for each judgement: the item without its text, the judge and the judgement."""
    items = {item.id: item for item in read_items(out)}
    for judgement in read_judgements(out).values():
        if judgement.item in items:
            page = items[judgement.item]
            about = {
                name: getattr(page, name) for name in ("url", "label", "stratum", "weight", "confidence", "country")
            }
            yield {**asdict(judgement), "truth": judgement.truth(page.label), **about}
