"""Links against their bars: `python bench/links.py [--data DIR] [--pages N] [--links N] [graph] [farm] [sql] [linked] [votes]`.

graph: seconds, memory and rounds of propagation over a generated web with the measured rates of links, and how many of its short
pages are right before and after. farm: the same with a tenth of the domains turned into farms that link to honest pages. sql: the
same graph as tables of DuckDB, and how far its answers are from NumPy's. linked: the short pages of dev/html/linked_html by text
alone, by INLINKS (Hayati 2004) and with our hint. votes: microseconds a link that a crawler finds.
"""

from __future__ import annotations

import math
import resource
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import sets
import timing

import webtongue
from webtongue.evaluate.archives import archive
from webtongue.links import Links, LinkVotes, Pages, hayati, links_hint, propagate
from webtongue.links.rates import ANY, ENGLISH, FOREIGN, OWN, rates
from webtongue.markup import read
from webtongue.page import Inlink, Page

LABELS, PAGES_A_HOST, HOSTS_A_DOMAIN, CHANCE_SHORT, CHANCE_OWN = 1000, 6, 1.2, 0.3, 0.5
SHORT = 50  # characters: as the paper's table 5.1


@dataclass(frozen=True)
class Web:
    """A generated graph with the truth."""

    pages: Pages
    links: Links
    truth: np.ndarray
    short: np.ndarray


def of_language(chance: np.random.Generator, wanted: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """A page at random in each wanted language."""
    order = np.argsort(truth, kind="stable")
    starts = np.searchsorted(truth[order], np.arange(LABELS + 1))
    low, high = starts[wanted], np.maximum(starts[wanted + 1], starts[wanted] + 1)
    return order[np.minimum(low + (chance.random(len(wanted)) * (high - low)).astype(np.int64), len(order) - 1)]


def leads(chance: np.random.Generator, language: np.ndarray, kind: str, share: np.ndarray) -> np.ndarray:
    """The language that each link leads to: English is 0."""
    some, english = rates().of(ANY, kind), rates().of(ENGLISH, kind)
    keep = np.where(language == 0, english.keep, some.keep)
    toward = np.where(language == 0, 0.0, some.english)
    draw = chance.random(len(language))
    free = chance.choice(LABELS, len(language), p=share)
    return np.where(draw < keep, language, np.where(draw < keep + toward, 0, free))


def text_of(chance: np.random.Generator, truth: np.ndarray, letters: np.ndarray, share: np.ndarray):
    """Two guesses a page: the likelier one is right as often as it says, more often the longer the text."""
    sure = 1 - 0.65 * np.exp(-letters / 60.0)
    sure = np.clip(sure + 0.15 * (chance.random(len(truth)) - 0.5), 0.05, 0.9995)
    other = chance.choice(LABELS, len(truth), p=share)
    other = np.where(other == truth, (truth + 1) % LABELS, other)
    right = chance.random(len(truth)) < sure
    first = np.where(right, truth, other)
    second = np.where(right, other, truth)
    labels = np.stack([first, second], 1)
    return labels, np.stack([sure, np.minimum(1 - sure, sure) / 2], 1)


def generated(pages: int, links: int, seed: int = 8) -> Web:
    chance = np.random.default_rng(seed)
    share = 1 / np.arange(1, LABELS + 1)
    share /= share.sum()
    hosts = np.sort((chance.pareto(1.1, pages) * pages / PAGES_A_HOST / 8).astype(np.int64) % (pages // PAGES_A_HOST))
    domains = (hosts / HOSTS_A_DOMAIN).astype(np.int64)
    of_domain = chance.choice(LABELS, int(domains.max()) + 1, p=share)
    truth = leads(chance, of_domain[domains], OWN, share)
    letters = np.where(
        chance.random(pages) < CHANCE_SHORT, chance.integers(0, SHORT, pages), chance.integers(SHORT, 4000, pages)
    )
    labels, chances = text_of(chance, truth, letters, share)
    source = chance.integers(0, pages, links)
    inside = chance.random(links) < CHANCE_OWN
    starts = np.searchsorted(domains, np.arange(int(domains.max()) + 2))
    low, high = starts[domains[source]], starts[domains[source] + 1]
    near = low + (chance.random(links) * (high - low)).astype(np.int64)
    far = of_language(chance, leads(chance, truth[source], FOREIGN, share), truth)
    target = np.where(inside, near, far)
    names = tuple(f"l{i:03}" for i in range(LABELS))
    table = Pages(names, np.arange(0, 2 * pages + 1, 2), labels.ravel(), chances.ravel(), letters, hosts, domains)
    return Web(table, Links(source, target), truth, letters < SHORT)


def resident() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def watched(call: Callable[[], object]):
    """What a call gives, its seconds, and the most memory of the process while it ran (the graph itself counted)."""
    most, done = [resident()], threading.Event()

    def look() -> None:
        while not done.wait(0.05):
            most[0] = max(most[0], resident())

    watcher = threading.Thread(target=look)
    watcher.start()
    start = time.perf_counter()
    try:
        found = call()
    finally:
        seconds = time.perf_counter() - start
        done.set()
        watcher.join()
    return found, seconds, most[0]


def before(web: Web) -> np.ndarray:
    return web.pages.labels[::2]


def show(web: Web, found) -> None:
    said, _ = found.best()
    linked = np.zeros(len(web.truth), bool)
    linked[web.links.target[web.links.source != web.links.target]] = True
    kinds = (
        ("short pages", web.short & linked),
        ("other pages", ~web.short & linked),
        ("pages without links to them", ~linked),
    )
    for name, which in kinds:
        first, last = (100 * np.mean(answer[which] == web.truth[which]) for answer in (before(web), said))
        print(f"  {which.sum()} {name}: {first:.2f}% right by text alone, {last:.2f}% with links")
    rare = web.short & linked & (web.truth >= 100)
    first, last = (100 * np.mean(answer[rare] == web.truth[rare]) for answer in (before(web), said))
    print(f"  {rare.sum()} short pages of the 900 rarer languages: {first:.2f}%, {last:.2f}%")


def graph(pages: int, links: int) -> None:
    web = generated(pages, links)
    found, seconds, memory = watched(lambda: propagate(web.pages, web.links))
    print(
        f"{links} links between {pages} pages: {seconds:.1f} s, {memory / 1e9:.2f} GB at most, {found.rounds} rounds, "
        f"residual {found.residual:.5f}, converged {found.converged}"
    )
    show(web, found)


def farm(pages: int, links: int) -> None:
    """Farms: in a tenth of the domains every text is long and in language 999, and their links go to honest pages at random."""
    web = generated(pages, links)
    domains = web.pages.domains
    bad = domains % 10 == 3
    labels, chances = web.pages.labels.reshape(-1, 2).copy(), web.pages.probabilities.reshape(-1, 2).copy()
    labels[bad], chances[bad] = (LABELS - 1, 0), (0.999, 0.0005)
    chance = np.random.default_rng(9)
    hostile = bad[web.links.source]
    target = web.links.target.copy()
    target[hostile] = chance.choice(np.flatnonzero(~bad), hostile.sum())
    letters = np.where(bad, 3000, web.pages.letters)
    table = replace(web.pages, labels=labels.ravel(), probabilities=chances.ravel(), letters=letters)
    said, _ = propagate(table, Links(web.links.source, target)).best()
    clean, _ = propagate(web.pages, web.links).best()
    for name, which in (("short", web.short & ~bad), ("other", ~web.short & ~bad)):
        turned = 100 * np.mean((said == LABELS - 1)[which & (web.truth != LABELS - 1)])
        shares = [100 * np.mean(answer[which] == web.truth[which]) for answer in (before(web), clean, said)]
        print(
            f"farms, {which.sum()} honest {name} pages: {shares[0]:.2f}% right by text alone, {shares[1]:.2f}% with links, "
            f"{shares[2]:.2f}% with farms among them, {turned:.3f}% turned to the farms' language"
        )


def sql(pages: int, links: int) -> None:
    import duckdb

    from webtongue.links.sql import propagate_tables

    web = generated(pages, links)
    table, names = web.pages, np.array(web.pages.names)
    rows = {"page": np.arange(pages), "letters": table.letters, "host": table.hosts, "domain": table.domains}
    said = {"page": np.repeat(np.arange(pages), 2), "label": names[table.labels], "probability": table.probabilities}
    pairs = {"source": web.links.source, "target": web.links.target, "weight": np.ones(links)}
    connection = duckdb.connect()
    for name, columns in (("pages", rows), ("chances", said), ("links", pairs)):
        connection.register("columns", columns)
        connection.execute(f"CREATE TABLE {name} AS SELECT * FROM columns")
    done, seconds, memory = watched(lambda: propagate_tables(connection))
    print(f"DuckDB: {seconds:.1f} s, {memory / 1e9:.2f} GB, {done.rounds} rounds, residual {done.residual:.5f}")
    query = "SELECT page, arg_max(label, probability) AS label, max(probability) AS p FROM propagated GROUP BY page"
    got = connection.execute(query).fetchnumpy()
    labels, chances = propagate(table, web.links).best()
    alike = np.mean(names[labels[got["page"]]] == got["label"].astype(str))
    print(
        f"  {100 * alike:.3f}% of answers alike; largest difference {np.abs(chances[got['page']] - got['p']).max():.2g}"
    )


def fused(guesses, nats) -> str:
    """The likeliest label with what links say added; one that text does not name has a little."""
    least = 1e-4
    scores = {g.label: math.log(max(g.probability, least)) for g in guesses}
    known = {label.partition("_")[0] for label in scores}
    for name in nats:
        if name not in known and (label := webtongue.labels.parse(name)):
            scores[str(webtongue.labels.fold(label))] = math.log(least)
    return max(scores, key=lambda x: (scores[x] + nats.get(x.partition("_")[0], 0.0), x), default="und")


def visible(raw: bytes) -> str:
    """The text of a page that a reader sees."""
    return read(Page(webtongue.decode(raw).text.encode("utf-8", "replace"))).text


@dataclass(frozen=True)
class Read:
    """The pages of a set by address: their text, and what is said of them alone."""

    texts: dict[str, str]
    verdicts: dict[str, webtongue.Verdict]
    by_text: dict[str, str]

    @classmethod
    def of(cls, files: dict[str, bytes], rows: list[dict]) -> Read:
        texts = {row["url"]: visible(files[row["path"]]) for row in rows}
        verdicts = {row["url"]: webtongue.identify(files[row["path"]]) for row in rows}
        first = {url: said.guesses[0].label if said.guesses else "und" for url, said in verdicts.items()}
        return cls(texts, verdicts, {text: first[url] for url, text in texts.items()})

    def link(self, row: dict) -> Inlink:
        """A link with what is said of its page; words of pictures are none."""
        verdict = self.verdicts.get(row["url"])
        sure = verdict is not None and verdict.label not in ("und", "zxx", "mul")
        anchor = "" if row["anchor"].startswith("[") else row["anchor"]
        return Inlink(row["url"], verdict.label if sure else "", verdict.confidence if sure else 0.0, anchor)


def answers(row: dict, found: Read) -> dict[str, str]:
    """What each method says of a page."""
    url, links = row["url"], [found.link(link) for link in row["inlinks"]]
    linking = [found.texts[link] for link in dict.fromkeys(link.url for link in links) if link in found.texts]
    own = found.verdicts[url]
    out = {"text alone": own.label, "text alone, first guess": own.guesses[0].label if own.guesses else "und"}
    for least in (hayati.MIN_LENGTH, hayati.MIN_REF_LENGTH):
        said = hayati.inlinks(found.texts[url], linking, found.by_text.__getitem__, min_length=least)
        out[f"INLINKS, MIN_LENGTH {least}"] = said
    words = links_hint(links, lambda text: webtongue.identify_text(text).guesses, url)
    out["text and our links"] = fused(own.guesses, words.nats)
    out["text and our links, words left out"] = fused(own.guesses, links_hint(links, None, url).nats)
    return out


def linked(data: str) -> None:
    files, rows = archive(Path(data) / "dev" / "html" / "linked_html.tar.xz")
    found = Read.of(files, rows)
    counts: dict[tuple[str, str], list[bool]] = {}
    for row in rows:
        if row["role"] == "target":
            size = "below 50" if row["text_chars"] < SHORT else "50 and more"
            truth = {str(webtongue.labels.fold(label)) for label in (row["label"], *row["accept"])}
            for name, said in answers(row, found).items():
                for part in (size, "all"):
                    counts.setdefault((part, name), []).append(said in truth)
    for (part, name), right in sorted(counts.items()):
        print(f"linked_html, {part}: {name}: {sum(right)} of {len(right)} ({100 * np.mean(right):.1f}%)")


def votes() -> None:
    links = [Inlink(f"https://a{i % 5000}.example/{i}", "is", 0.9, "Heim") for i in range(50_000)]

    def run() -> None:
        found = LinkVotes("https://example.org/")
        for link in links:
            found.add(link)

    seconds = timing.least(run, 3, time.process_time)
    found = LinkVotes()
    for link in links:
        found.add(link)
    ask = timing.least(found.hint, 5, time.process_time)
    print(
        f"{1e6 * seconds / len(links):.1f} us a link; {1e3 * ask:.1f} ms to ask for the hint of a page with links of 5,000 sites"
    )


def main() -> None:
    parser = sets.arguments(__doc__)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--links", type=int, default=10_000_000)
    parser.add_argument("parts", nargs="*", default=["graph", "farm", "linked", "votes"])
    args = parser.parse_args()
    for part in args.parts:
        if part in ("graph", "farm", "sql"):
            {"graph": graph, "farm": farm, "sql": sql}[part](args.pages, args.links)
        elif part == "linked":
            linked(args.data)
        elif part == "votes":
            votes()
        else:
            sys.exit(f"{part}: no such part; see --help")


if __name__ == "__main__":
    main()
