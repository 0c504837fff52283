"""A twin of every table in plain Python over a list of rows, with which the SQL is compared.

Each function takes the rows of a census as dictionaries and gives the rows of its table, in order. Nothing here is shared with the SQL:
intervals leave out one host after the other, and likelihood ratios are sums over the four cells.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import combinations
from typing import Any

from webtongue.census.entities import entities

Row = Mapping[str, Any]
Table = list[tuple[Any, ...]]
SPECIAL = ("und", "zxx", "mul")
SOURCES = ("text", "prior", "declared", "encoding", "url", "country", "links", "host")
HOME = re.compile(r"[^:/?#]+://[^/?#]*/?([?#].*)?", re.DOTALL)
CAI = {
    "damaged": ("characters_lost", "misread", "unreadable", "not_bytes"),
    "no model": ("unknown_script", "unknown_language", "not_asked"),
    "too little text": ("empty", "missing", "no_letters", "too_short", "too_rare"),
    "no strong language": ("several_languages", "two_languages"),
}


def pages(rows: Iterable[Row], portal: bool = False) -> list[Row]:
    """Rows that count as pages: of a census by Cai's unit one home page a server."""
    result = [row for row in rows if row["status"] == "identified" and row["fetch_status"] == 200]
    if not portal:
        return result
    homes: dict[str, Row] = {}
    for row in result:
        if row["url"] is not None and HOME.fullmatch(row["url"]):
            server = row["ip"] if row["ip"] is not None else row["url_host_name"]
            if server not in homes or place(row) < place(homes[server]):
                homes[server] = row
    return list(homes.values())


def place(row: Row) -> tuple[Any, ...]:
    return row["url"], row["warc_filename"] or "", row["warc_record_offset"] or 0


@cache
def named(entity: str, key: str, value: str) -> dict[str, Any]:
    return {row[key]: row[value] for row in entities()[entity].to_pylist()}


def language(label: str) -> str:
    return str(named("language", "label", "name").get(label, label))


def country(code: str) -> str:
    return str(named("country", "country", "name").get(code, code))


def label_of(row: Row) -> str:
    return row["label"] if row["label"] is not None else "und"


def country_of(row: Row) -> str:
    return row["country"] if row["country"] is not None else "ZZ"


def text(value: str | None) -> str:
    return value if value is not None else ""


def by_count(counts: Mapping[Any, int]) -> Table:
    """Keys and counts, the largest first, then by key."""
    return [(*key, count) for key, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))]


def captures_by_status(rows: list[Row], _: list[Row]) -> Table:
    return by_count(Counter((row["fetch_status"] or 0, text(row["record_type"]), text(row["status"])) for row in rows))


def captures_by_type(rows: list[Row], _: list[Row]) -> Table:
    return by_count(Counter((text(row["content_mime_type"]), text(row["content_mime_detected"])) for row in rows))


def problems(rows: list[Row], _: list[Row]) -> Table:
    return by_count(Counter((row["problem"], text(row["record_type"])) for row in rows if row["problem"]))


def problem_list(rows: list[Row], _: list[Row]) -> Table:
    result = [
        (text(row["warc_filename"]), row["warc_record_offset"], text(row["url"]), row["problem"], text(row["problem_detail"]))
        for row in rows
        if row["problem"]
    ]  # fmt: skip
    return sorted(result, key=lambda row: (row[0], row[1] is None, row[1] or 0, row[2]))


def servers(rows: list[Row]) -> Counter[str]:
    """Servers of captures of every status, each in one country."""
    countries: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row["ip"] is not None:
            countries[row["ip"]] |= {row["country"]} - {None}
    return Counter(min(result, default="ZZ") for result in countries.values())


def servers_by_country(rows: list[Row], _: list[Row]) -> Table:
    result = servers(rows)
    return [
        (code, country(code), count, count / result.total())
        for code, count in sorted(result.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


def clusters(result: list[Row]) -> list[Counter[str]]:
    """Labels of the pages of each host; a page without one stands alone."""
    hosts: defaultdict[Any, Counter[str]] = defaultdict(Counter)
    for number, row in enumerate(result):
        key = row["url_host_name"] if row["url_host_name"] is not None else number
        hosts[key][label_of(row)] += 1
    return list(hosts.values())


def interval(label: str, hosts: list[Counter[str]]) -> tuple[float, float, float]:
    """A label's share of pages with Wilson's interval, for as many pages as would vary like leaving out one host after the other."""
    total, own = sum(host.total() for host in hosts), sum(host[label] for host in hosts)
    share = own / total
    without = [(own - h[label]) / (total - h.total()) for h in hosts if h.total() < total]
    variance = sum((one - share) ** 2 for one in without)
    if len(hosts) < 2:
        effective = 1.0
    elif share == 1 or variance < 1e-18:
        effective = float(len(hosts))
    else:
        effective = max(1.0, min(total, share * (1 - share) / variance))
    alike = max(total**2 / sum(host.total() ** 2 for host in hosts) - 1, 1.0)
    z = 1.96 + 2.37 / alike + 2.82 / alike**2 + 2.56 / alike**3
    middle = (share + z**2 / (2 * effective)) / (1 + z**2 / effective)
    half = z / (1 + z**2 / effective) * math.sqrt(share * (1 - share) / effective + z**2 / (4 * effective**2))
    return share, max(0.0, middle - half), min(1.0, middle + half)


def tiers(result: list[Row]) -> dict[str, int]:
    out: dict[str, int] = {}
    for row in result:
        out[label_of(row)] = max(out.get(label_of(row), 0), row["tier"] or 0)
    return out


def pages_by_language(_: list[Row], result: list[Row]) -> Table:
    hosts, tier, tags = clusters(result), tiers(result), named("language", "label", "tag")
    reliable = Counter(label_of(row) for row in result if row["reliable"])
    short = Counter(label_of(row) for row in result if row["letters"] is not None and row["letters"] < 60)
    counted = sorted(by_count(Counter((label_of(row),) for row in result)), key=lambda pair: -reliable[pair[0]])
    return [
        (
            label,
            tags.get(label, label),
            language(label),
            tier[label],
            count,
            reliable[label],
            short[label],
            *interval(label, hosts),
        )
        for label, count in counted
    ]


def pages_by_text(_: list[Row], result: list[Row]) -> Table:
    out = []
    for name, low, high in (
        ("under 60", -1, 59),
        ("60 to 199", 60, 199),
        ("200 or more", 200, 10**9),
        ("", None, None),
    ):
        these = [
            r
            for r in result
            if (r["letters"] is None if low is None else r["letters"] is not None and low <= r["letters"] <= high)
        ]
        known = sum(label_of(row) not in SPECIAL for row in these)
        if these:
            out.append((name, len(these), sum(bool(row["reliable"]) for row in these), known, len(these) / len(result)))
    return out


def crossed(result: list[Row]) -> Counter[tuple[str, str]]:
    return Counter((label_of(row), country_of(row)) for row in result)


def languages_of_country(_: list[Row], result: list[Row]) -> Table:
    of_country = Counter(country_of(row) for row in result)
    cells = sorted(crossed(result).items(), key=lambda c: (-of_country[c[0][1]], c[0][1], -c[1], c[0][0]))
    return [(code, country(code), label, language(label), n, n / of_country[code]) for (label, code), n in cells]


def countries_of_language(_: list[Row], result: list[Row]) -> Table:
    of_label = Counter(label_of(row) for row in result)
    cells = sorted(crossed(result).items(), key=lambda c: (-of_label[c[0][0]], c[0][0], -c[1], c[0][1]))
    return [(label, language(label), code, country(code), n, n / of_label[label]) for (label, code), n in cells]


def unknown_by_reason(_: list[Row], result: list[Row]) -> Table:
    counts: Counter[tuple[str, str]] = Counter()
    for row in result:
        if label_of(row) in SPECIAL:
            reason = "characters_lost" if row["problem"] == "characters_lost" else text(row["reason"])
            cai = next((name for name, codes in CAI.items() if reason in codes), "")
            if reason == "too_rare" and row["declared_language"] is None:
                cai = "no declaration"
            counts[reason, cai] += 1
    return [(*row, row[-1] / counts.total()) for row in by_count(counts)]


def evidence_coverage(_: list[Row], result: list[Row]) -> Table:
    spoke: Counter[str] = Counter(dict.fromkeys(SOURCES, 0))
    beside = {"declared": "declared_language", "encoding": "charset_language"}
    for row in result:
        for source in SOURCES:
            spoke[source] += row[f"bits_{source}"] is not None or row.get(beside.get(source, "")) is not None
    decided = Counter(row["identified_by"] for row in result if row["identified_by"])
    out = []
    for source in {*spoke, *decided} if result else ():
        count = max(spoke[source], decided[source])
        out.append((source, count, count / len(result), decided[source], decided[source] / len(result)))
    return sorted(out, key=lambda row: (-row[1], row[0]))


def approach_coverage(_: list[Row], result: list[Row]) -> Table:
    approaches = ("encoding", "language", "text")
    named = {name: sum(row[f"by_{name}"] is not None for row in result) for name in approaches}
    decided = {
        name: sum(row[f"by_{name}"] is not None and row["identified_by"] == name for row in result)
        for name in approaches
    }
    named["all"] = decided["all"] = sum(any(row[f"by_{name}"] is not None for name in approaches) for row in result)
    if not named["all"]:
        return []
    pages = len(result)
    return [(name, named[name], named[name] / pages, decided[name], decided[name] / pages) for name in named]


def charset_coverage(_: list[Row], result: list[Row]) -> Table:
    iso, tags = named("language", "label", "iso639_3"), named("language", "label", "tag")
    every, by_charset = Counter(map(label_of, result)), Counter[str]()
    for row in result:
        label = label_of(row)
        names = {label, iso.get(label), tags.get(label)} - {None}
        by_charset[label] += row["charset_language"] in names
    return [
        (label, language(label), by_charset[label], count, by_charset[label] / count)
        for label, count in by_count(Counter({(label,): n for label, n in every.items() if label not in SPECIAL}))
    ]


def languages_against_population(_: list[Row], result: list[Row]) -> Table:
    of_country, cells, tags = Counter(map(country_of, result)), crossed(result), named("language", "label", "tag")
    out = []
    for row in entities()["spoken"].to_pylist():
        code, label = row["country"], row["label"]
        if of_country[code]:
            count = cells[label, code]
            share = count / of_country[code]
            ratio = share / row["share"] if row["share"] else None
            order = (-of_country[code], code, -row["share"], label)
            out.append(
                (
                    order,
                    (code, country(code), tags.get(label, label), language(label), count, share, row["share"], ratio),
                )
            )
    return [row for _, row in sorted(out)]


def foreign_languages(_: list[Row], result: list[Row]) -> Table:
    of_country = Counter(map(country_of, result))
    official = {(row["label"], row["country"]) for row in entities()["spoken"].to_pylist() if row["official"]}
    best: dict[str, tuple[int, str]] = {}
    for (label, code), count in crossed(result).items():
        if label not in SPECIAL and code != "ZZ" and (label, code) not in official:
            best[code] = min(best.get(code, (0, "")), (-count, label))
    return sorted(
        ((code, country(code), label, language(label), -less, -less / of_country[code]) for code, (less, label) in best.items()),
        key=lambda row: (-row[4], row[0]),
    )  # fmt: skip


def ranks(rows: list[Row], result: list[Row]) -> Table:
    homes = named("language", "label", "home")
    spread = servers(rows)
    order = [code for code, _ in sorted(spread.items(), key=lambda pair: (-pair[1], pair[0])) if code != "ZZ"]
    out = []
    counts = by_count(Counter((label_of(row),) for row in result if label_of(row) not in SPECIAL))
    for rank, (label, count) in enumerate(counts, 1):
        home = homes.get(label) or ""
        there = home in order
        out.append((
            rank, label, language(label), count, home, country(home), spread[home] if there else None,
            order.index(home) + 1 if there else None,
        ))  # fmt: skip
    return out


def unrecognised_declarations(_: list[Row], result: list[Row]) -> Table:
    return by_count(Counter((row["unrecognised_language"],) for row in result if row["unrecognised_language"]))


def encodings_by_language(_: list[Row], result: list[Row]) -> Table:
    of_label = Counter(map(label_of, result))
    cells = Counter((label_of(row), text(row["content_charset"])) for row in result)
    order = sorted(cells.items(), key=lambda c: (-of_label[c[0][0]], c[0][0], -c[1], c[0][1]))
    return [(label, language(label), encoding, n, n / of_label[label]) for (label, encoding), n in order]


def declared_encodings(_: list[Row], result: list[Row]) -> Table:
    return by_count(Counter((text(row["declared_encoding"]), text(row["content_charset"])) for row in result))


def likelihood_ratio(both: int, of_one: int, of_other: int, total: int) -> float:
    """Dunning's (1993) of the table of two by two, signed."""
    cells = {
        (True, True): both, (True, False): of_one - both, (False, True): of_other - both,
        (False, False): total - of_one - of_other + both,
    }  # fmt: skip
    out = 0.0
    for (one, other), count in cells.items():
        expected = (of_one if one else total - of_one) * (of_other if other else total - of_other) / total
        out += 2 * count * math.log(count / expected) if count else 0.0
    return out if both * total >= of_one * of_other else -out


def languages_by_tld(_: list[Row], result: list[Row]) -> Table:
    of_tld, of_label = Counter(text(row["url_host_tld"]) for row in result), Counter(map(label_of, result))
    cells = Counter((text(row["url_host_tld"]), label_of(row)) for row in result)
    order = sorted(cells.items(), key=lambda c: (-of_tld[c[0][0]], c[0][0], -c[1], c[0][1]))
    return [
        (
            tld,
            label,
            language(label),
            n,
            n / of_tld[tld],
            likelihood_ratio(n, of_tld[tld], of_label[label], len(result)),
        )
        for (tld, label), n in order
    ]


def declared_against_found(_: list[Row], result: list[Row]) -> Table:
    some = [row for row in result if row["declared_language"]]
    cells = Counter((row["declared_language"], label_of(row)) for row in some)
    reliable = Counter((row["declared_language"], label_of(row)) for row in some if row["reliable"])
    return [(said, label, language(label), n, reliable[said, label]) for said, label, n in by_count(cells)]


def pages_by_host(_: list[Row], result: list[Row]) -> Table:
    hosts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in result:
        if row["url_host_name"] is not None:
            hosts[row["url_host_name"]][label_of(row)] += 1
    out = []
    for host, counts in sorted(hosts.items(), key=lambda pair: (-pair[1].total(), pair[0])):
        label, count = min(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        languages = {label.partition("_")[0] for label in set(counts) - set(SPECIAL)}
        out.append((host, counts.total(), label, count / counts.total(), len(languages)))
    return out


def hosts_by_language(_: list[Row], result: list[Row]) -> Table:
    hosts, domains = defaultdict(set), defaultdict(set)
    for row in result:
        hosts[label_of(row)] |= {row["url_host_name"]} - {None}
        domains[label_of(row)] |= {row["url_host_registered_domain"]} - {None}
    there = sorted((label for label in hosts if hosts[label]), key=lambda label: (-len(hosts[label]), label))
    return [(label, language(label), len(hosts[label]), len(domains[label])) for label in there]


def held(row: Row) -> list[str]:
    """Labels on a page, the largest first; one language in two scripts is no second language."""
    labels = [share["label"] for share in row["languages"] or ()]
    return labels if len({label[:3] for label in labels}) > 1 else labels[:1]


def multilingual(_: list[Row], result: list[Row]) -> Table:
    counts = Counter(len(held(row)) for row in result)
    return [(languages, count, count / len(result)) for languages, count in sorted(counts.items())]


def language_pairs(_: list[Row], result: list[Row]) -> Table:
    counts: Counter[tuple[str, str]] = Counter()
    for row in result:
        counts.update(combinations(held(row)[:4], 2))
    return by_count(counts)


def second_pass(_: list[Row], result: list[Row]) -> Table:
    some: defaultdict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for row in result:
        if row["first_label"] is not None:
            some[row["first_label"], row["label"]].append((row["first_confidence"], row["confidence"]))
    out = []
    for first, last, count in by_count({key: len(values) for key, values in some.items()}):
        before, after = (sum(values) / count for values in zip(*some[first, last], strict=True))
        out.append((first, last, count, before, after))
    return out


def summary(rows: list[Row], result: list[Row]) -> Table:
    times = [row["fetch_time"] for row in rows if row["fetch_time"] is not None]
    spread = servers(rows)
    labels = set(map(label_of, result)) - set(SPECIAL)
    reliable = [row for row in result if row["reliable"]]
    return [
        ("captures", len(rows)),
        ("identified", sum(row["status"] == "identified" for row in rows)),
        ("pages", len(result)),
        ("reliable_pages", len(reliable)),
        ("unreliable_pages", len(result) - len(reliable)),
        ("little_text_pages", sum(row["letters"] is not None and row["letters"] < 60 for row in result)),
        ("languages", len({label.partition("_")[0] for label in labels})),
        ("labels", len(labels)),
        ("hosts", len({row["url_host_name"] for row in result} - {None})),
        ("domains", len({row["url_host_registered_domain"] for row in result} - {None})),
        ("servers", spread.total()),
        ("countries", len(set(spread) - {"ZZ"})),
        ("reliable", len(reliable) / len(result) if result else None),
        ("failed", sum(row["status"] == "failed" for row in rows)),
        *((name, said(times, pick)) for name, pick in (("first_fetch", min), ("last_fetch", max))),
    ]


def said(times: list[Any], pick: Callable[[list[Any]], Any]) -> str | None:
    """A time as SQL writes it, in UTC."""
    if not times:
        return None
    out = pick(times).strftime("%Y-%m-%d %H:%M:%S.%f")
    return out.rstrip("0").rstrip(".")


TWINS: dict[str, Callable[[list[Row], list[Row]], Table]] = {
    twin.__name__: twin
    for twin in (
        summary, captures_by_status, captures_by_type, problems, problem_list, servers_by_country, pages_by_language, pages_by_text,
        languages_of_country, countries_of_language, unknown_by_reason, evidence_coverage, approach_coverage, charset_coverage,
        languages_against_population, foreign_languages, ranks, unrecognised_declarations, encodings_by_language,
        declared_encodings, languages_by_tld, declared_against_found, pages_by_host, hosts_by_language, multilingual,
        language_pairs, second_pass,
    )
}  # fmt: skip
