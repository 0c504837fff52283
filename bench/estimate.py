"""Coverage and width of the intervals of `webtongue estimate`, on generated webs whose answers are known (docs/estimate.md).

python bench/estimate.py [--data ../shared/data] [--webs addresses,silent] [--pages 1000000] [--budget 20000]
    [--repeats 1000] [--shape first|fresh] [--seed 1] [--curve]
python bench/estimate.py speed [--data ../shared/data]     # phase 1, addresses a second of one core
"""

from __future__ import annotations

import argparse
import lzma
import tempfile
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from estimate_web import KINDS, SHAPES, Web, generate
from numpy.typing import NDArray

from webtongue.census.config import Config
from webtongue.census.estimate.addresses import write_addresses
from webtongue.census.estimate.draw import draw_hosts
from webtongue.census.estimate.estimator import Sample, estimate, make_frame
from webtongue.census.estimate.frame import open_frame, read_cells
from webtongue.census.estimate.index import read_index
from webtongue.census.estimate.strata import NO_LABEL, Cell, Design, form_strata
from webtongue.identifier import Identifier

Ints = NDArray[np.int64]
CLASSES = (0.0, 1e-5, 1e-4, 1e-3, 1e-2, 5e-2, 1.0)  # bounds of shares in the output
BAR = (1e-3, 5e-2)


@dataclass(frozen=True, slots=True)
class Population:
    """All pages of a web, sorted by stratum and host."""

    design: Design
    labels: tuple[str, ...]
    answer: Ints
    model: Ints
    host_starts: list[Ints]  # For each stratum, the index of the first page of each host and the end of the last.
    shares: NDArray[np.float64]


def write_index(web: Web, path: Path) -> None:
    """Write the index of a web as Common Crawl does."""
    count = len(web.urls)
    columns: dict[str, Any] = {
        "url": web.urls,
        "fetch_status": pa.array(np.full(count, 200, np.int16)),
        "content_mime_detected": pa.array(["text/html"] * count).dictionary_encode(),
        "content_languages": pa.array([code or None for code in web.index_languages], pa.string()).dictionary_encode(),
        "warc_filename": pa.array(["crawl.warc.gz"] * count).dictionary_encode(),
        "warc_record_offset": np.arange(count),
        "warc_record_length": np.full(count, 10_000),
    }
    pq.write_table(pa.table(columns), path, row_group_size=1 << 18)


def stratify(web: Web, budget: int, is_simple: bool = False) -> Population:
    """Return the population of a web by the real phase 1; a simple random sample has one stratum and no predictions."""
    with tempfile.TemporaryDirectory() as folder:
        write_index(web, Path(folder) / "index.parquet")
        batches = read_index(f"{folder}/index.parquet", Config())
        addresses = write_addresses(batches, Path(folder) / "addresses.parquet", Identifier())
        with open_frame(addresses) as connection:
            cells = read_cells(connection, addresses)
            query = 'SELECT label, class, national, large, host, "offset" FROM predictions'
            rows = connection.execute(query).fetchnumpy()
    if is_simple:
        design = form_strata([Cell(NO_LABEL, 4, False, False, len(web.urls), 0.0)], budget)
        return _sort(web, design, np.zeros(len(web.urls), np.int64), np.full(len(web.urls), -1), rows)
    design = form_strata(cells, budget)
    names = [*addresses.labels, NO_LABEL]
    key = ((rows["label"].astype(np.int64) + 1) * 8 + rows["class"]) * 4 + rows["national"] * 2 + rows["large"]
    cell_keys = [
        ((names.index(c.label) + 1 if c.label != NO_LABEL else 0) * 8 + c.class_number) * 4
        + c.is_national * 2
        + c.is_large
        for c in cells
    ]
    order = np.argsort(cell_keys)
    cell = order[np.searchsorted(np.array(cell_keys)[order], key)]
    return _sort(web, design, design.stratum[cell], cell, rows)


def _sort(web: Web, design: Design, stratum: Ints, cell: Ints, rows: Any) -> Population:
    labels = tuple(dict.fromkeys([*web.labels, *(c.model for c in design.cells if c.model)]))
    numbers = {name: number for number, name in enumerate(labels)} | {"": -1}
    models = np.array([numbers[c.model] for c in design.cells] + [-1])
    order = np.lexsort((rows["host"], stratum))
    stratum, host = stratum[order], rows["host"][order]
    answer, model = web.truth[rows["offset"]][order], models[cell][order]
    changes = np.flatnonzero((np.diff(stratum) != 0) | (np.diff(host) != 0)) + 1
    starts = np.concatenate([[0], changes])
    bounds = np.searchsorted(stratum, np.arange(len(design.pages) + 1))
    host_starts = [
        np.append(starts[(starts >= bounds[h]) & (starts < bounds[h + 1])], bounds[h + 1])
        for h in range(len(design.pages))
    ]
    return Population(
        design, labels, answer, model, host_starts, np.bincount(answer, minlength=len(labels)) / len(answer)
    )


def draw_simple(population: Population, rng: np.random.Generator) -> Sample:
    """Return a simple random sample of pages: each page is its own cluster."""
    fetches = int(population.design.fetches.sum())
    index = rng.choice(len(population.answer), fetches, replace=False)
    none = np.full(fetches, -1)
    return Sample(
        np.zeros(fetches, np.int64), np.arange(fetches), np.ones(fetches, np.int64), population.answer[index], none
    )


def draw(population: Population, rng: np.random.Generator) -> Sample:
    """Return one sample; the fetch is a look-up of the true answer."""
    pages, strata, sizes_of, places = [], [], [], []
    for stratum, fetches in enumerate(population.design.fetches.tolist()):
        starts = population.host_starts[stratum]
        sizes = np.diff(starts)
        hosts = draw_hosts(sizes, fetches, rng)
        first = np.flatnonzero(np.diff(hosts, prepend=-1))
        counts = np.diff(first, append=fetches)
        chosen = starts[hosts] + (rng.random(fetches) * sizes[hosts]).astype(np.int64)
        for place in first[counts > 1]:
            host, count = hosts[place], counts[np.searchsorted(first, place)]
            chosen[place : place + count] = starts[host] + rng.choice(sizes[host], count, replace=False)
        pages.append(chosen)
        strata.append(np.full(fetches, stratum))
        sizes_of.append(sizes[hosts])
        places.append(hosts)
    index = np.concatenate(pages)
    stratum_of, host_of, host_pages = (np.concatenate(columns) for columns in (strata, places, sizes_of))
    return Sample(stratum_of, host_of, host_pages, population.answer[index], population.model[index])


@dataclass(frozen=True, slots=True)
class Outcome:
    """The intervals of all repeats: coverage, width and estimates by label."""

    covered: NDArray[np.float64]
    width: NDArray[np.float64]
    mean: NDArray[np.float64]


def repeat(population: Population, repeats: int, seed: int, draw: Any = draw) -> Outcome:
    """Return coverage, median width and mean estimate of each label."""
    frame = make_frame(population.design, population.labels)
    total = float(population.design.pages.sum())
    rng = np.random.default_rng(seed)
    covered, means = np.zeros((2, len(population.labels)))
    widths = np.zeros((repeats, len(population.labels)))
    for i in range(repeats):
        result = estimate(draw(population, rng), population.design, frame)
        low, high = result.low / total, result.high / total
        covered += (low <= population.shares + 1e-12) & (population.shares <= high + 1e-12)
        means += result.total / total
        widths[i] = high - low
    return Outcome(covered / repeats, np.median(widths, axis=0), means / repeats)


def compare(kind: str, arguments: argparse.Namespace) -> None:
    """Print coverage and width of one web."""
    started = time.perf_counter()
    web = generate(kind, arguments.pages, arguments.data, arguments.seed, SHAPES[arguments.shape])
    population, simple = stratify(web, arguments.budget), stratify(web, arguments.budget, is_simple=True)
    ours = repeat(population, arguments.repeats, 2 * arguments.seed - 1)
    srs = repeat(simple, arguments.repeats, 2 * arguments.seed, draw_simple)
    count = len(simple.labels)
    shares, ratio = population.shares[:count], ours.width[:count] / srs.width
    print_population(kind, population)
    real = shares > 0
    print(
        f"coverage {ours.covered[:count][real].mean():.2%} pooled over {real.sum()} labels; {srs.covered[real].mean():.2%} simple"
    )
    print("share            labels  coverage  of a simple sample   width ratio: median  least  most   bias")
    for low, high in pairwise(CLASSES):
        some = np.flatnonzero((shares > low) & (shares <= high))
        if len(some):
            bias = np.median(ours.mean[some] / shares[some] - 1)
            print(
                f"{low:8.3%}-{high:8.3%} {len(some):5} {ours.covered[some].mean():9.2%} {srs.covered[some].mean():14.2%} "
                f"{np.median(ratio[some]):22.3f} {ratio[some].min():10.3f} {ratio[some].max():5.2f} {bias:+7.2%}"
            )
    some = np.flatnonzero((shares >= BAR[0]) & (shares <= BAR[1]))
    seconds = time.perf_counter() - started
    print(
        f"languages of {BAR[0]:.1%} to {BAR[1]:.0%}: median ratio {np.median(ratio[some]):.3f} of {len(some)}; {seconds:.0f} s",
        flush=True,
    )
    if arguments.curve:
        print_curve(population, ratio, ours.covered)


def print_population(kind: str, population: Population) -> None:
    """Print the size of a web and the quality of its predictions."""
    design, model = population.design, population.model
    hosts = sum(map(len, population.host_starts)) - len(design.pages)
    weights = f"weights {design.weights.min():.0f} to {design.weights.max():.0f}"
    print(f"\n{kind}: {len(model):,} pages, {hosts:,} hosts by stratum, {len(design.pages)} strata, {weights}")
    right = model == population.answer
    print(
        f"predictions used {np.mean(model >= 0):.1%}, right {right[model >= 0].mean():.1%}; answers predicted {right.mean():.1%}"
    )


def print_curve(population: Population, ratio: NDArray[np.float64], covered: NDArray[np.float64]) -> None:
    """Print every label: how well it is predicted, and its intervals."""
    print("label        share  right of predicted  predicted of all  ratio  coverage")
    shares = population.shares[: len(ratio)]
    for i in np.argsort(-shares)[: int((shares > 0).sum())]:
        own, found = population.answer == i, population.model == i
        hits = int((own & found).sum())
        print(
            f"{population.labels[i]:9} {shares[i]:9.4%} {hits / max(found.sum(), 1):10.0%} {hits / own.sum():18.0%} "
            f"{ratio[i]:13.2f} {covered[i]:8.1%}"
        )


def speed(arguments: argparse.Namespace) -> None:
    """Print the speed of phase 1: from Parquet to classified addresses, and with the predictions of hosts and strata.

    The addresses are real ones (url/dev.tsv.xz), repeated. Seconds are those of all threads together.
    """
    with lzma.open(arguments.data / "url" / "dev.tsv.xz", "rt", encoding="utf-8") as lines:
        urls = [line.partition("\t")[0] for line in lines] * 8
    web = Web(urls, [""] * len(urls), np.zeros(len(urls), np.int64), ())
    with tempfile.TemporaryDirectory() as folder:
        write_index(web, Path(folder) / "index.parquet")
        ident = Identifier()
        for _ in range(arguments.rounds):
            start = time.process_time()
            path = Path(tempfile.mkdtemp(dir=folder)) / "addresses.parquet"
            addresses = write_addresses(read_index(f"{folder}/index.parquet", Config()), path, ident)
            classified = time.process_time()
            with open_frame(addresses) as connection:
                form_strata(read_cells(connection, addresses), arguments.budget)
            end = time.process_time()
            rates = [addresses.pages / seconds for seconds in (classified - start, end - start)]
            size = path.stat().st_size / addresses.pages
            print(f"{rates[0]:,.0f} addresses a second of one core; {rates[1]:,.0f} with strata; {size:.1f} bytes each")


def main() -> None:
    """Parse the options and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("compare", "speed"), default="compare")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--webs", default=",".join(KINDS))
    parser.add_argument("--shape", choices=sorted(SHAPES), default="first", help="parameters of the webs")
    parser.add_argument("--seed", type=int, default=1, help="of the webs and the draws")
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--budget", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=5, help="of speed")
    parser.add_argument("--curve", action="store_true", help="print every label")
    arguments = parser.parse_args()
    if arguments.what == "speed":
        speed(arguments)
        return
    for kind in arguments.webs.split(","):
        compare(kind, arguments)


if __name__ == "__main__":
    main()
