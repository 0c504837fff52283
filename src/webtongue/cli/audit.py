"""``webtongue audit``: let people judge a sample of the answers of a census."""

from __future__ import annotations

import getpass
import json
import sys
import webbrowser
from pathlib import Path
from typing import Annotated

from webtongue import labels
from webtongue.census.folder import census_folder
from webtongue.census.read.remote_io import is_remote
from webtongue.census.shares import format_share
from webtongue.cli.console import Terminal
from webtongue.cli.formatting import print_rows
from webtongue.cli.options import parse_names
from webtongue.cli.output_files import write_file
from webtongue.cli.parameters import Argument, Option
from webtongue.cli.sources import STDIN
from webtongue.cli.terminal import print_stderr
from webtongue.errors import UsageError

__all__ = ["command"]

DEMO_FOLDER = Path("audit-demo")
DEMO_LANGUAGE = "is"
DEMO_CRAWL = "crawl.warc.gz"
# The folder of a clone: the one that the package was imported from, or the working folder. A wheel has none.
EXAMPLES = (Path(__file__).parents[3] / "examples", Path("examples"))


def command(
    out: Annotated[Path | None, Argument(metavar="OUT", help="The folder of a census.")] = None,
    language: Annotated[
        list[str] | None,
        Option("--language", "-l", metavar="LANGS", help="Judge answers in these, such as 'is,fo'; default: all."),
    ] = None,
    count: Annotated[int, Option("-n", "--count", min=1, max=100_000, help="The number of pages to draw.")] = 200,
    by: Annotated[str, Option("--by", metavar="STRATA", help="Draw by label, country or host.")] = "label",
    judge: Annotated[str | None, Option("--judge", metavar="NAME", help="Who judges; default: your user name.")] = None,
    seed: Annotated[int, Option(min=0, help="The seed of the sample.")] = 1,
    prefix: Annotated[
        str, Option(help="Put before the names of archives, to read text that the census did not keep.")
    ] = "",
    port: Annotated[int, Option(min=0, max=65535, help="Listen on this port; 0 takes a free one.")] = 0,
    no_browser: Annotated[
        bool, Option("--no-browser", help="Print the address of the page, and do not open it.")
    ] = False,
    summary: Annotated[bool, Option("--summary", help="Print precision and agreement, and do not judge.")] = False,
    export: Annotated[
        str | None,
        Option("--export", metavar="FILE", help="Write all judgements as JSON Lines; - is standard output."),
    ] = None,
    force: Annotated[bool, Option("--force", help="Replace a file that exists.")] = False,
    demo: Annotated[
        bool, Option("--demo", help="Judge a census of the demo crawl (in a clone of the project).")
    ] = False,
) -> None:
    """Judge a random sample of the answers of a census, on a page of this machine.

    The page shows the text of a capture, its address, the answer and its evidence; keys judge it. Judgements are kept in OUT/audit:
    stop at any time and run the command again to continue. A second judge uses another --judge. `webtongue tables` and `webtongue
    report` then show the precision of answers, and correct counts by the judgements.
    """
    if demo:
        out, language = _make_demo(out or DEMO_FOLDER), language or [DEMO_LANGUAGE]
    if out is None:
        raise UsageError("give the folder of a census, or --demo")
    if is_remote(str(out).replace(":/", "://", 1)):  # a Path has one slash
        raise UsageError("judgements are kept in the folder of a census: copy the census to a disk first")
    if export is not None:
        _export(census_folder(out), export, force)
    elif not summary:
        _judge(out, language, count, by, judge or getpass.getuser(), seed, prefix, port, not no_browser)
    if summary or export is None:
        _print_summary(census_folder(out))


def _make_demo(out: Path) -> Path:
    """Return the folder of a census of the demo crawl, which is made at the first call."""
    from webtongue.census.config import Config
    from webtongue.census.run import census

    examples = next((folder for folder in EXAMPLES if (folder / DEMO_CRAWL).is_file()), None)
    if examples is None:
        raise UsageError(
            f"the demo crawl, examples/{DEMO_CRAWL}, is in a clone of the project: run this there, or give the folder of a census"
        )
    if not (out / "census.json").exists():
        geo = str(examples / "crawl.mmdb")
        census([str(examples / DEMO_CRAWL)], out, Config(keep_text=True, geo=geo, crawl="demo"), workers=1)
    return out


def _judge(
    out: Path,
    language: list[str] | None,
    count: int,
    by: str,
    judge: str,
    seed: int,
    prefix: str,
    port: int,
    opens: bool,
) -> None:
    from webtongue.census.audit.sample import draw_items, parse_languages
    from webtongue.census.audit.server import JudgingServer

    languages = parse_languages(parse_names(language)) if language is not None else ()
    items = draw_items(out, languages, count, by, seed, prefix)
    server = JudgingServer(out, items, judge, port)
    if len(items) > count:
        print_stderr(f"at least one page of each {by} is drawn, more than {count:,}: --language chooses fewer")
    print_stderr(f"{len(items):,} pages to judge at {server.url} (Ctrl-C or Finish ends; judgements are saved at once)")
    if opens:
        webbrowser.open(server.url)
    try:
        server.serve()
    except KeyboardInterrupt:
        print_stderr("stopped; run the command again to continue")


def _export(out: Path, path: str, force: bool) -> None:
    from webtongue.census.audit.judgements import export_lines

    data = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in export_lines(out)).encode("utf-8", "replace")
    if path == STDIN:
        sys.stdout.buffer.write(data)
    else:
        write_file(path, data, force)


def _print_summary(out: Path) -> None:
    from webtongue.census.audit.items import read_items
    from webtongue.census.audit.judgements import agreement, read_judgements
    from webtongue.census.audit.precision import judged_labels

    items, judgements = read_items(out), read_judgements(out)
    terminal = Terminal()
    rows = []
    for label, judged in sorted(judged_labels(items, judgements.values()).items()):
        precision, parsed = judged.precision, labels.parse(label)
        low, high = (format_share(limit, judged.pages) for limit in (precision.low, precision.high))
        interval = f"{low.removesuffix('%')}-{high}"
        name = labels.name(parsed) if parsed else label
        rows.append(
            [name, str(judged.pages), format_share(precision.value, judged.pages), interval, str(judged.unclear)]
        )
    if not rows:
        terminal.write("no page is judged yet")
        return
    columns = ["language", "judged", "right", "95%", "unclear"]
    print_rows(columns, rows, terminal, frozenset(columns[1:]))
    for pair in agreement(items, judgements):
        names = " and ".join(terminal.escape(name) for name in pair.judges)
        terminal.write(f"{names} judged {pair.items:,} pages alike in {pair.equal:.0%}: kappa {pair.kappa:.2f}")
