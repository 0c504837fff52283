"""Print verdicts with their evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from webtongue import labels
from webtongue.analysis import Analysis
from webtongue.cli.console import Terminal
from webtongue.cli.options import get_country_credit
from webtongue.cli.rows import MIN_ENCODING_CONFIDENCE
from webtongue.cli.sources import Item
from webtongue.evidence.conflict import describe_conflict
from webtongue.identifier import Identifier
from webtongue.markup import Block
from webtongue.verdict import Evidence, Segment, Verdict

__all__ = ["print_explanations", "print_facts"]

MAX_ROWS = 12  # segments and blocks of a page
MAX_BLOCK_CHARS = 90
MAX_VALUE_CHARS = 400  # characters of the value of a source
MAX_LANG_CHARS = 12  # characters of a lang attribute
WIDE_COLUMNS = 80  # terminals from this width on have long bars
BAR_CHARS, SHORT_BAR_CHARS = 20, 10  # length of the longest bar
NARROW_PADDING = (0, 2, 0, 0)
TIERS = {1: "much modern text", 2: "some modern text", 3: "little modern text beside scripture"}


def print_explanations(answers: Iterable[tuple[Item, Verdict | Analysis]], ident: Identifier) -> None:
    """Print each Verdict with its evidence, an Analysis with its blocks too, and then the credit of the IP-to-country table."""
    terminal = Terminal()
    credit = ""
    for item, answer in answers:
        verdict = answer.verdict if isinstance(answer, Analysis) else answer
        print_facts(terminal, item.name, _list_facts(verdict))
        _print_evidence(terminal, verdict)
        if len(verdict.segments) > 1:
            _print_segments(terminal, verdict.segments)
        if isinstance(answer, Analysis) and answer.blocks:
            _print_blocks(terminal, answer.blocks)
        terminal.print()
        credit = credit or get_country_credit(item.page, verdict, ident)
    if credit:
        terminal.write(credit)


def print_facts(terminal: Terminal, name: str, facts: dict[str, str]) -> None:
    """Print the name of an item and its facts, one on a line; untrusted text is escaped, empty facts are left out."""
    terminal.print(Text(terminal.escape(name), style="bold"))
    table = Table.grid(padding=NARROW_PADDING)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for key, value in facts.items():
        if value:
            table.add_row(f"  {key}", Text(terminal.escape(value)))
    terminal.print(table)


def _list_facts(v: Verdict) -> dict[str, str]:
    return {
        "label": v.label + (f" ({v.language}), " if v.language != v.label else ", ") + labels.name(v.label),
        "why": v.why + (f" ({v.reason.value})" if v.reason else ""),
        "sure": "" if v.reason else f"{v.confidence:.1%}, {'reliable' if v.reliable else 'not reliable'}",
        "group": f"{v.group} {v.group_confidence:.1%}: {', '.join(labels.members(v.group))}" if v.group else "",
        "tier": f"{v.tier}, {TIERS[v.tier]}" if v.tier in TIERS else "",
        "languages": ", ".join(f"{label} {share:.0%}" for label, share in v.languages),
        "encoding": _format_encoding(v),
        "declared": _format_declared(v),
        "country": v.country,
        "conflict": describe_conflict(v),
        "guesses": ", ".join(f"{guess.label} {guess.probability:.1%}" for guess in v.guesses),
    }


def _format_encoding(v: Verdict) -> str:
    if not v.encoding:
        return ""
    is_guess = v.encoding_confidence < MIN_ENCODING_CONFIDENCE
    return f"{v.encoding} {v.encoding_confidence:.1%}" + (", a guess" if is_guess else "")


def _format_declared(v: Verdict) -> str:
    declared = (v.declared_language, v.agrees), (v.declared_encoding, v.encoding_agrees)
    return ", ".join(value + (" (the page differs)" if agrees is False else "") for value, agrees in declared if value)


def _print_evidence(terminal: Terminal, v: Verdict) -> None:
    """Print sources with a weight as bars, and below them the other sources."""
    weighted = [e for e in v.evidence if e.weight]
    if weighted:
        max_weight = max(abs(e.weight) for e in weighted)
        max_chars = BAR_CHARS if terminal.width >= WIDE_COLUMNS else SHORT_BAR_CHARS
        rows = []
        for e in weighted:
            bar = ("#" if e.weight > 0 else "-") * round(max_chars * abs(e.weight) / max_weight)
            rows.append([*_format_source(terminal, e), f"{e.weight:+.1f}", bar])
        headings = ("source", "says", "label", "bits", "")
        _print_table(terminal, "evidence", headings, rows, padding=NARROW_PADDING)
        terminal.print(Padding(Text(_format_bits_legend(v), style="dim"), (0, 0, 0, 2)))
    rows = [_format_source(terminal, e) for e in v.evidence if not e.weight]
    if rows:
        title = "without weight" if weighted else "evidence"
        _print_table(terminal, title, ("source", "says", "label"), rows, padding=NARROW_PADDING)


def _format_source(terminal: Terminal, e: Evidence) -> list[str | Text]:
    return [e.source, terminal.escape(terminal.cut(e.value, MAX_VALUE_CHARS)), e.label]


def _format_bits_legend(v: Verdict) -> str:
    names = [guess.label for guess in v.guesses[:2]]
    runner_up = names[1] if len(names) > 1 else "all others"
    total = sum(e.weight for e in v.evidence)
    return (
        f"bits for {names[0] if names else v.label} against {runner_up}, {total:+.1f} in all; one bit doubles the odds"
    )


def _print_segments(terminal: Terminal, segments: Sequence[Segment]) -> None:
    rows = [[f"{s.begin}-{s.end}", s.label, f"{s.share:.0%}"] for s in segments[:MAX_ROWS]]
    _print_table(terminal, "segments", ("bytes", "label", "share"), rows, len(segments) - MAX_ROWS)


def _print_blocks(terminal: Terminal, blocks: Sequence[Block]) -> None:
    rows: list[list[str | Text]] = []
    for block in blocks[:MAX_ROWS]:
        text = Text(terminal.escape(terminal.cut(block.text, MAX_BLOCK_CHARS)))
        if block.noise:
            text.append(f"  ({', '.join(block.noise)})", style="dim")
        lang = terminal.escape(terminal.cut(block.lang, MAX_LANG_CHARS))
        rows.append([f"{block.begin}-{block.end}", block.kind, lang, text])
    _print_table(terminal, "blocks", ("bytes", "kind", "lang", "text"), rows, len(blocks) - MAX_ROWS)


def _print_table(
    terminal: Terminal,
    title: str,
    headings: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    hidden: int = 0,
    padding: tuple[int, int, int, int] = (0, 1, 0, 1),
) -> None:
    """Print an indented table of escaped texts; ``hidden`` is the number of rows that are left out."""
    table = Table(
        box=None, header_style="dim", title=f"  {title}", title_justify="left", title_style="bold", padding=padding
    )
    for number, heading in enumerate(headings):
        is_wrapped = heading in ("says", "text")
        justify = "right" if heading == "bits" else "left"
        table.add_column(("" if number else "  ") + heading, overflow="fold", no_wrap=not is_wrapped, justify=justify)  # type: ignore[arg-type]
    for first, *rest in rows:
        table.add_row(Text(f"  {first}"), *(Text(cell) if isinstance(cell, str) else cell for cell in rest))
    if hidden > 0:
        table.add_row(Text(f"  and {hidden:,} more", style="dim"))
    terminal.print(table)
