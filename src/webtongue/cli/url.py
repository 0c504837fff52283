"""``webtongue url``: identify the language of pages by their URLs alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Annotated

from webtongue.cli.options import AnswerOptions, PageOptions
from webtongue.cli.parameters import Argument, Option
from webtongue.cli.progress import show_count
from webtongue.cli.sources import STDIN, Item, once, standard_input
from webtongue.cli.terminal import escape_surrogates
from webtongue.errors import UsageError
from webtongue.identifier import Identifier
from webtongue.page import NO_HEADERS, Page
from webtongue.page_list import lines
from webtongue.records import replace
from webtongue.verdict import Verdict

if TYPE_CHECKING:
    from webtongue.cli.methods import MethodChoice

__all__ = ["command"]

BATCH_URLS = 1024  # URLs identified at a time
NOT_WITH_METHOD = (
    "--priors, --language, --evidence, --geo and --explain do not apply to a published method: leave them out"
)


def command(
    urls: Annotated[list[str], Argument(metavar="URL|-", help="URLs; - reads them from standard input.")],
    *,
    as_json: Annotated[bool, Option("--json", help="Print a line of JSON for each URL.")] = False,
    explain: Annotated[bool, Option("--explain", help="Show the evidence in bits, and the reasons.")] = False,
    page_options: PageOptions,
    answer_options: AnswerOptions,
    model: Annotated[str | None, Option(help="Use this model file of the method.")] = None,
    method: Annotated[str | None, Option(help="Use a published method that reads URLs, such as tld or cctld.")] = None,
    changes: Annotated[list[str] | None, Option("--set", help="A setting of the method, name=value.")] = None,
) -> None:
    """Identify the language of pages by their URLs, and by what else is known of one page; nothing is fetched."""
    once(urls)
    if as_json and explain:
        raise UsageError("--json and --explain are two output formats: --json has all that --explain shows")
    page = Page(b"", None, NO_HEADERS, page_options.ip, page_options.country, page_options.inlinks)
    if page_options.is_given and (len(urls) != 1 or urls[0] == STDIN):
        raise UsageError("--ip, --country and --inlink describe one URL")
    if method is not None:
        if explain or answer_options.is_given:
            raise UsageError(NOT_WITH_METHOD)
        from webtongue.cli.methods import MethodChoice

        _identify_with_method(_read_urls(urls), page, MethodChoice(method, model, changes or []), as_json)
        return
    if model or changes:
        raise UsageError("--model and --set are of a published method: name it with --method")
    ident = Identifier(**answer_options.settings())
    answers = show_count(
        _identify_one(urls[0], page, ident) if page_options.is_given else _identify_all(_read_urls(urls), ident), "URLs"
    )
    if as_json:
        from webtongue.cli.identify import print_json

        print_json(answers, ident)
    elif explain:
        from webtongue.cli.explain import print_explanations

        print_explanations(answers, ident)
    else:
        from webtongue.cli.rows import print_url_verdicts

        print_url_verdicts(answers)


def _identify_with_method(urls: Iterator[str], page: Page, choice: MethodChoice, as_json: bool) -> None:
    """Print the answers of a published method on URLs."""
    from webtongue.cli.methods import identify_with_method
    from webtongue.lab import methods

    if not methods.method(choice.name).reads_urls:
        names = [name for name in sorted(methods.NAMES) if methods.method(name).reads_urls]
        raise UsageError(
            f"the method {choice.name!r} reads text: use webtongue identify; methods that read URLs are {', '.join(names)}"
        )
    given = {"inlinks": page.inlinks, "ip": page.ip, "country": page.country}
    choice.check_options({name for name, value in given.items() if value})
    source = (Item(url, {"url": escape_surrogates(url)}, replace(page, url=url)) for url in urls)
    identify_with_method(source, choice, as_json)


def _identify_one(url: str, page: Page, ident: Identifier) -> Iterator[tuple[Item, Verdict]]:
    """Yield one URL with its verdict, by all that is known of its page."""
    verdict = ident.identify_url(url, page.ip, inlinks=page.inlinks, country=page.country)
    yield Item(url, {"url": escape_surrogates(url)}, page), verdict


def _identify_all(urls: Iterator[str], ident: Identifier) -> Iterator[tuple[Item, Verdict]]:
    while batch := list(islice(urls, BATCH_URLS)):
        # A batch needs NumPy, whose import takes longer than a URL.
        verdicts = ident.identify_urls(batch) if len(batch) > 1 else [ident.identify_url(batch[0])]
        for url, verdict in zip(batch, verdicts, strict=True):
            yield Item(url, {"url": escape_surrogates(url)}), verdict


def _read_urls(urls: list[str]) -> Iterator[str]:
    for url in urls:
        if url != STDIN:
            yield url
            continue
        for line in lines(standard_input()):
            if line is None:  # a line of many megabytes is not a URL, but it is answered too
                yield ""
            elif line.strip():
                yield line.decode("utf-8", "surrogateescape").rstrip("\r\n")
