"""A Verdict with everything it goes by, for people."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from webtongue import coding, labels, markup
from webtongue.cli.known import credit_of
from webtongue.cli.rows import GUESSED
from webtongue.cli.sources import Item
from webtongue.cli.terminal import PIPED_WIDTH, Screen, screen
from webtongue.identifier import Identifier
from webtongue.markup import Block
from webtongue.verdict import Evidence, Verdict

__all__ = ["explained", "facts", "heading", "printer"]

SHOWN = 12  # segments and blocks of a page
SHOWN_CHARACTERS = 90  # of a block
SHOWN_VALUE = 400  # and of what a source says
WIDE = 80  # columns from which bars are long
BAR, SHORT_BAR = 20, 10  # characters of the longest bar
NARROW = (0, 2, 0, 0)  # beside cells, where there is little room
TIERS = {1: "much modern text", 2: "some modern text", 3: "hardly any modern text beside scripture"}


def explained(answers: Iterable[tuple[Item, Verdict]], ident: Identifier) -> None:
    """Print each Verdict with its grounds, and at the end whose table countries come from."""
    where, console = screen(), printer()
    credit = ""
    for item, verdict in answers:
        heading(console, where.shown(item.name))
        facts(console, _facts(verdict, where))
        _evidence(console, where, verdict)
        if len(verdict.segments) > 1:
            _segments(console, verdict)
        if item.page is not None and item.page.raw:
            _blocks(console, where, coding.decode(markup.read(item.page), ident.reader)[0].blocks)
        console.print()
        credit = credit or credit_of(item.page, verdict, ident)
    if credit:
        console.print(Text(credit), soft_wrap=True)


class Printer(Console):
    """A console that ends as all of this does where its reader goes away."""

    def on_broken_pipe(self) -> None:
        """Rich would exit here."""
        raise BrokenPipeError


def printer(width: int = PIPED_WIDTH) -> Console:
    """As wide as the terminal, or as COLUMNS says; ``width`` where there is neither."""
    return Printer(width=None if sys.stdout.isatty() else screen().width or width, highlight=False)


def heading(console: Console, name: str) -> None:
    """What the following lines are of."""
    console.print(Text(name, style="bold"))


def facts(console: Console, found: dict[str, str]) -> None:
    """Names and what they are, a line each; what is empty is left out."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, text in found.items():
        if text:
            table.add_row(f"  {name}", Text(text))
    console.print(table)


def _facts(v: Verdict, where: Screen) -> dict[str, str]:
    return {
        "label": v.label + (f" ({v.language}), " if v.language != v.label else ", ") + labels.name(v.label),
        "why": where.shown(v.why) + (f" ({v.reason.value})" if v.reason else ""),
        "sure": "" if v.reason else f"{v.confidence:.1%}, {'reliable' if v.reliable else 'not reliable'}",
        "group": _group(v),
        "tier": f"{v.tier}, {TIERS[v.tier]}" if v.tier in TIERS else "",
        "languages": ", ".join(f"{label} {share:.0%}" for label, share in v.languages),
        "encoding": _encoding(v),
        "declared": where.shown(_declared(v)),
        "country": where.shown(v.country),
        "guesses": ", ".join(f"{guess.label} {guess.probability:.1%}" for guess in v.guesses),
    }


def _group(v: Verdict) -> str:
    if not v.group:
        return ""
    return f"{v.group} {v.group_confidence:.1%}: {', '.join(labels.members(v.group))}"


def _encoding(v: Verdict) -> str:
    if not v.encoding:
        return ""
    return f"{v.encoding} {v.encoding_confidence:.1%}" + ("" if v.encoding_confidence >= GUESSED else ", a guess")


def _declared(v: Verdict) -> str:
    said = (v.declared_language, v.agrees), (v.declared_encoding, v.encoding_agrees)
    return ", ".join(value + (" (not what was found)" if agrees is False else "") for value, agrees in said if value)


def _evidence(console: Console, where: Screen, v: Verdict) -> None:
    """Sources with a weight as bars, and below them what else was said."""
    weighed = [e for e in v.evidence if e.weight]
    if weighed:
        bars = _titled("evidence", ("source", "says", "label", "bits", ""), NARROW)
        bars.columns[3].justify = "right"
        most = max(abs(e.weight) for e in weighed)
        room = BAR if console.width >= WIDE else SHORT_BAR
        for e in weighed:
            bar = ("#" if e.weight > 0 else "-") * round(room * abs(e.weight) / most)
            bars.add_row(*_texts(e.source, _said(where, e), e.label, f"{e.weight:+.1f}", bar))
        console.print(bars)
        console.print(Padding(Text(_legend(v), style="dim"), (0, 0, 0, 2)))
    others = [e for e in v.evidence if not e.weight]
    if others:
        table = _titled("also said" if weighed else "evidence", ("source", "says", "label"), NARROW)
        for e in others:
            table.add_row(*_texts(e.source, _said(where, e), e.label))
        console.print(table)


def _said(where: Screen, e: Evidence) -> str:
    return where.shown(where.cut(e.value, SHOWN_VALUE))


def _legend(v: Verdict) -> str:
    """What the bars mean."""
    names = [guess.label for guess in v.guesses[:2]]
    rival = names[1] if len(names) > 1 else "all others"
    total = sum(e.weight for e in v.evidence)
    return f"bits for {names[0] if names else v.label} against {rival}, {total:+.1f} in all; one doubles the odds"


def _segments(console: Console, v: Verdict) -> None:
    table = _titled("segments", ("bytes", "label", "share"))
    for s in v.segments[:SHOWN]:
        table.add_row(*_texts(f"{s.begin}-{s.end}", s.label, f"{s.share:.0%}"))
    _more(table, len(v.segments))
    console.print(table)


def _blocks(console: Console, where: Screen, blocks: Sequence[Block]) -> None:
    if not blocks:
        return
    table = _titled("blocks", ("bytes", "kind", "lang", "text"))
    for b in blocks[:SHOWN]:
        text = Text(where.shown(where.cut(b.text, SHOWN_CHARACTERS)))
        if b.noise:
            text.append(f"  ({', '.join(b.noise)})", style="dim")
        table.add_row(*_texts(f"{b.begin}-{b.end}", b.kind, where.shown(where.cut(b.lang, 12))), text)
    _more(table, len(blocks))
    console.print(table)


def _titled(title: str, headings: Sequence[str], padding: tuple[int, int, int, int] = (0, 1, 0, 1)) -> Table:
    table = Table(
        box=None, header_style="dim", title=f"  {title}", title_justify="left", title_style="bold", padding=padding
    )
    for number, heading in enumerate(headings):
        wraps = heading in ("says", "text")
        table.add_column(("  " if not number else "") + heading, overflow="fold", no_wrap=not wraps, ratio=None)
    return table


def _texts(*texts: str) -> list[Any]:
    """Cells that are no markup."""
    first, *rest = texts
    return [Text("  " + first), *map(Text, rest)]


def _more(table: Table, count: int) -> None:
    if count > SHOWN:
        table.add_row(Text(f"  and {count - SHOWN:,} more", style="dim"))
