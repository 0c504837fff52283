"""Synthetic rows of a census, in any number, with all columns of the schema and the distributions of the web.

Hosts have a main language, a server, a country and a domain; a few hosts have very many pages; languages are as common as the priors
say. Everything comes from the seed. Addresses are of example domains, texts are none.

    write(Path("OUT"), 1_000_000)                 # OUT/rows/part-*.parquet and OUT/census.json
    table([{"url": "http://a.example/", "label": "isl_Latn"}])   # a few rows by hand, the rest filled in
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from webtongue import labels
from webtongue.census.schema import BITS, rows_schema
from webtongue.files import read_rows as data_rows

GROUP = 1 << 16  # rows of a group, as a census is written; so many are made at a time
GROUPS = 8  # of a part
PAGES_OF_HOST = 8  # pages a host has, on average
HOSTS_OF_SERVER = 2
LANGUAGES = 160  # of the commonest, each in its usual script
FROM_TIME, TIME_SPAN = 1_700_000_000_000, 30 * 86_400_000  # milliseconds: a crawl takes a month
SPECIAL = ("und", "zxx", "mul")
REASONS = {
    "und": ("empty", "too_short", "no_letters", "unknown_language", "too_rare", "misread"),
    "zxx": ("not_language",),
}
REASONS["mul"] = ("several_languages", "two_languages")
ENCODINGS = (
    "utf-8",
    "windows-1252",
    "windows-1251",
    "shift_jis",
    "gbk",
    "iso-8859-2",
    "euc-kr",
    "big5",
    "windows-1254",
)
CHARSETS = {"shift_jis": "jpn", "gbk": "zho", "euc-kr": "kor", "big5": "zho", "windows-1254": "tur"}
MIMES = ("text/html", "application/xhtml+xml", "text/plain", "image/png", "application/pdf", "application/json")
STATUSES = ("identified", "skipped", "revisit", "failed")
PROBLEMS = ("damaged", "cut", "too_large", "bomb", "bad_http", "bad_coding", "timeout")
CODES = ("xx-klingonese", "{{lang}}", "english-only", "=cmd()", "default")
HTTP = (200, 301, 404, 403, 500)
GENERIC = ("com", "org", "net", "info")

Ints = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class Hosts:
    """What is true of each host: a language, a domain, a server with a country."""

    names: pa.Array
    domains: pa.Array
    tlds: pa.Array
    language: Ints  # number of the label
    server: Ints
    ips: pa.Array
    country: Ints  # of a server
    labels: tuple[str, ...]
    countries: tuple[str, ...]


def chosen_labels() -> tuple[list[str], Any]:
    """The commonest labels and their shares of the web's pages."""
    result = []
    for code, log_share in data_rows("priors.tsv"):
        label = labels.parse(code)
        if label is not None and label.script:
            result.append((str(labels.fold(label)), 10 ** float(log_share)))
    best = dict(sorted(result, key=lambda pair: (-pair[1], pair[0]))[:LANGUAGES])
    shares = np.array(list(best.values()))
    return list(best), shares / shares.sum()


def homes(names: list[str]) -> tuple[tuple[str, ...], Any]:
    """Countries, and for each label the chance of each."""
    at = {label: i for i, label in enumerate(names)}
    table = [(country, spoken, float(product)) for country, spoken, product in data_rows("countries.tsv")]
    weights = np.full((len(names), len(table)), 1e-9)
    for column, (_, spoken, product) in enumerate(table):
        for part in spoken.split():
            label, share = part.split(":")[:2]
            if label in at:
                weights[at[label], column] += float(share) * product
    weights += 0.02 * weights.sum(axis=0) / weights.sum() * weights.sum(axis=1)[:, None]  # and some servers anywhere
    return tuple(country for country, _, _ in table), weights / weights.sum(axis=1)[:, None]


def made_hosts(count: int, seed: int = 1) -> Hosts:
    """So many hosts."""
    rng = np.random.default_rng(seed)
    names, shares = chosen_labels()
    countries, chances = homes(names)
    servers = max(1, count // HOSTS_OF_SERVER)
    language = rng.choice(len(names), count, p=shares)
    server = rng.permutation(np.arange(count) % servers)
    main = np.zeros(servers, np.int64)
    main[server] = language  # a server is where one of its hosts is at home
    reach = chances.cumsum(axis=1)
    country = np.empty(servers, np.int64)
    for i in np.unique(main):
        here = np.flatnonzero(main == i)
        country[here] = np.searchsorted(reach[i], rng.random(len(here)) * reach[i, -1])
    tld = [
        countries[c].lower() if own else GENERIC[g]
        for c, own, g in zip(country[server], rng.random(count) < 0.5, rng.integers(0, 4, count), strict=True)
    ]
    numbers = np.arange(count)
    domains = [f"example{n - n % 5 if n % 5 == 1 else n}.{tld[n - n % 5 if n % 5 == 1 else n]}" for n in numbers]
    hosts = [f"{'shop' if n % 5 == 1 else 'www'}.{domain}" for n, domain in zip(numbers, domains, strict=True)]
    ips = [
        f"2001:db8::{n:x}" if n % 20 == 7 else f"{n >> 24 & 127}.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}"
        for n in (np.arange(servers) + (11 << 24)).tolist()
    ]
    tlds = [domain.rpartition(".")[2] for domain in domains]
    return Hosts(
        pa.array(hosts), pa.array(domains), pa.array(tlds), language, server, pa.array(ips), country,
        tuple(names), countries,
    )  # fmt: skip


def coded(index: Any, names: Iterable[str] | pa.Array, where: Any = None) -> pa.Array:
    """A dictionary column; null where ``where`` is False."""
    names = names if isinstance(names, pa.Array) else pa.array(list(names), pa.string())
    mask = None if where is None else ~np.asarray(where)
    numbers = pa.array(np.asarray(index).astype(np.int32), mask=mask)
    return compact(pa.DictionaryArray.from_arrays(numbers, names))


def compact(column: pa.Array) -> pa.Array:
    """The same with those names only that come in it, each once."""
    if len(column.dictionary) <= len(column) // 16:
        return column
    return column.cast(pa.string()).dictionary_encode()


def block(hosts: Hosts, count: int, seed: int, wide: bool = False) -> pa.Table:
    """So many rows; ``wide`` fills the columns that no table reads, too."""
    rng = np.random.default_rng(seed)
    many = len(hosts.language)
    zipf = np.minimum((many ** rng.random(count) - 1).astype(np.int64), many - 1)
    host = np.where(rng.random(count) < 0.5, zipf, rng.integers(0, many, count))
    status = rng.choice(4, count, p=(0.93, 0.045, 0.015, 0.01))
    http = rng.choice(len(HTTP), count, p=(0.9, 0.04, 0.04, 0.01, 0.01))
    identified = status == 0
    columns: dict[str, Any] = {
        **_where(hosts, host, rng),
        **_what(rng, status, http, count),
        **_answer(hosts, host, identified, rng),
        **_declared(hosts, host, identified, rng),
        "model": coded(np.zeros(count), ["0123456789abcdef"], identified),
        "version": coded(np.zeros(count), ["0.1.0"]),
    }
    if wide:
        columns |= _wide(hosts, columns["label"], rng)
    return filled(columns, count)


def filled(columns: Mapping[str, Any], count: int) -> pa.Table:
    """Columns in the schema's order; those that are not given are null."""
    schema = rows_schema()
    arrays = [
        columns[field.name].cast(field.type) if field.name in columns else pa.nulls(count, field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def _where(hosts: Hosts, host: Ints, rng: Any) -> dict[str, Any]:
    import pyarrow.compute as pc

    count = len(host)
    names = coded(host, hosts.names)
    paths = pa.array(np.where(rng.random(count) < 0.1, 0, rng.integers(1, 10**8, count)))
    path = pc.if_else(pc.equal(paths, 0), "/", pc.binary_join_element_wise("/page", paths.cast(pa.string()), ""))
    server = hosts.server[host]
    country = hosts.country[server]
    return {
        "url": pc.binary_join_element_wise("http://", names.cast(pa.string()), path, ""),
        "url_host_name": names,
        "url_host_tld": coded(host, hosts.tlds),
        "url_host_registered_domain": coded(host, hosts.domains),
        "ip": coded(server, hosts.ips, server % 50 != 3),
        "country": coded(country, hosts.countries, server % 50 > 3),
        "fetch_time": pa.array(FROM_TIME + rng.integers(0, TIME_SPAN, count), pa.timestamp("ms", "UTC")),
        "warc_filename": coded(rng.integers(0, 20, count), [f"part-{n:05}.warc.gz" for n in range(20)]),
        "warc_record_offset": pa.array(np.arange(count) * 9000),
        "warc_record_length": pa.array(rng.integers(500, 60_000, count)),
        "crawl": coded(np.zeros(count), ["MADE-1"]),
    }


def _what(rng: Any, status: Ints, http: Ints, count: int) -> dict[str, Any]:
    failed, skipped = status == 3, status == 1
    mime = np.where(skipped, rng.integers(3, 6, count), np.minimum(rng.geometric(0.85, count) - 1, 2))
    detected = np.where(rng.random(count) < 0.97, mime, 0)
    kind = np.where(status == 2, 1, np.where(failed & (rng.random(count) < 0.5), 2, 0))
    lost = (status == 0) & (rng.random(count) < 0.003)
    return {
        "fetch_status": pa.array(np.array(HTTP)[http].astype(np.int16)),
        "content_digest": pa.array([f"{n:016X}" for n in rng.integers(0, 1 << 62, count)]),
        "content_mime_type": coded(mime, MIMES),
        "content_mime_detected": coded(detected, MIMES),
        "record_type": coded(kind, ("response", "revisit", "damaged")),
        "subset": coded(http != 0, ("warc", "crawldiagnostics")),
        "status": coded(status, STATUSES),
        "problem": coded(
            np.where(lost, len(PROBLEMS), rng.integers(0, len(PROBLEMS), count)),
            (*PROBLEMS, "characters_lost"), failed | lost,
        ),
        "problem_detail": pa.array(np.where(failed, "bytes that are no record", None), pa.string()),
    }  # fmt: skip


def _answer(hosts: Hosts, host: Ints, there: Any, rng: Any) -> dict[str, Any]:
    count, known = len(host), len(hosts.labels)
    names = (*hosts.labels, *SPECIAL)
    english = hosts.labels.index("eng_Latn")
    draw = rng.random(count)
    label = np.where(draw < 0.84, hosts.language[host], np.where(draw < 0.91, english, rng.integers(0, known, count)))
    label = np.where(draw > 0.93, known + rng.choice(3, count, p=(0.7, 0.2, 0.1)), label)
    special = label >= known
    reasons = [REASONS[name] for name in SPECIAL]
    flat = [reason for some in reasons for reason in some]
    first = np.cumsum([0, *(len(some) for some in reasons)])
    which = np.clip(label - known, 0, 2)
    reason = first[which] + (rng.random(count) * np.diff(first)[which]).astype(np.int64)
    sure = np.where(special, 0.4, np.clip(1 - rng.exponential(0.06, count), 0.2, 1)).astype(np.float32)
    tiers = np.array([1 if i < 100 else 2 if i < 130 else 3 for i in range(known)] + [0, 0, 0])
    mixed = ~special & (rng.random(count) < 0.06)
    other = np.where(label == english, hosts.language[host], english)
    mixed &= other != label
    codes = [name[:3] for name in names]
    pair = coded(
        np.where(mixed, known + 3 + label * known + other, label), [*codes, *(f"{a},{b}" for a in codes[:known] for b in codes[:known])],
        there & ~special,
    )  # fmt: skip
    settled = there & (rng.random(count) < 0.02)
    return {
        "label": coded(label, names, there),
        "language": coded(label, [labels.bcp47(name) for name in names], there),
        "script": coded(label, [name[4:] for name in names], there),
        "confidence": pa.array(sure, mask=~there),
        "reliable": pa.array(~special & (sure >= 0.9), mask=~there),
        "tier": pa.array(tiers[label].astype(np.int16), mask=~there),
        "reason": coded(reason, flat, there & special),
        "content_languages": pair,
        "languages": _shares(label, other, mixed, there & ~special, names),
        "text_bytes": pa.array(rng.lognormal(7, 1.4, count).astype(np.int64), mask=~there),
        "letters": pa.array(rng.lognormal(6.5, 1.4, count).astype(np.int32), mask=~there),
        "identified_by": coded(rng.choice(4, count, p=(0.9, 0.05, 0.03, 0.02)), ("text", "declared", "url", "host"), there & ~special),
        "first_label": coded(np.where(rng.random(count) < 0.5, other, label), names, settled),
        "first_confidence": pa.array((sure * 0.7).astype(np.float32), mask=~settled),
        "first_reliable": pa.array(np.zeros(count, bool), mask=~settled),
        **{
            f"bits_{source}": pa.array(rng.normal(3, 2, count).astype(np.float32), mask=~(there & (rng.random(count) < share)))
            for source, share in zip(BITS, (0.98, 1, 0.7, 0.3, 0.9, 0.95, 0.2, 0.1), strict=True)
        },
    }  # fmt: skip


def _shares(label: Ints, other: Ints, mixed: Any, there: Any, names: tuple[str, ...]) -> pa.Array:
    """Lists of one or two labels with their shares."""
    sizes = there.astype(np.int64) + (there & mixed)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    flat = np.empty(offsets[-1], np.int64)
    share = np.ones(offsets[-1], np.float32)
    flat[offsets[:-1][there]] = label[there]
    flat[offsets[1:][there & mixed] - 1] = other[there & mixed]
    share[offsets[:-1][there & mixed]] = 0.7
    share[offsets[1:][there & mixed] - 1] = 0.3
    result = np.array(names, dtype=object)[flat]
    structs = pa.StructArray.from_arrays([pa.array(result, pa.string()), pa.array(share)], ["label", "share"])
    return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), structs)


def _declared(hosts: Hosts, host: Ints, there: Any, rng: Any) -> dict[str, Any]:
    count = len(host)
    own = hosts.language[host]
    says = there & (rng.random(count) < 0.7)
    wrong = rng.random(count) < 0.06
    declared = np.where(wrong, hosts.labels.index("eng_Latn"), own)
    encoding = np.minimum(rng.geometric(0.93, count) - 1, len(ENCODINGS) - 1)
    stated = there & (rng.random(count) < 0.8)
    stated_as = np.where(rng.random(count) < 0.97, encoding, 0)
    charset = coded(
        stated_as, [CHARSETS.get(name, "") for name in ENCODINGS], stated & (np.isin(stated_as, [3, 4, 6, 7, 8]))
    )
    return {
        "declared_language": coded(declared, hosts.labels, says),
        "agrees": pa.array(~wrong, mask=~says),
        "unrecognised_language": coded(rng.integers(0, len(CODES), count), CODES, there & (rng.random(count) < 0.004)),
        "content_charset": coded(encoding, ENCODINGS, there),
        "declared_encoding": coded(stated_as, ENCODINGS, stated),
        "encoding_agrees": pa.array(stated_as == encoding, mask=~stated),
        "encoding_confidence": pa.array(np.ones(count, np.float32), mask=~there),
        "charset_language": charset,
        "by_encoding": charset,
        "by_language": coded(declared, hosts.labels, says & (host % 3 > 0)),
        "by_text": coded(own, hosts.labels, there & (host % 5 > 0)),
    }


def _wide(hosts: Hosts, label: pa.Array, rng: Any) -> dict[str, Any]:
    """Columns that settling and extraction read."""
    count = len(label)
    some = pa.StructArray.from_arrays(
        [label.cast(pa.string()), pa.array(-rng.exponential(900, count).astype(np.float32))],
        ["label", "log_likelihood"],
    )
    return {
        "likeliest": pa.ListArray.from_arrays(pa.array(np.arange(count + 1, dtype=np.int32)), some),
        "inlinks_used": pa.array(rng.integers(0, 3, count).astype(np.int32)),
        "reading": pa.array([b"\x00" * 24] * count, pa.binary()),
    }


# What a row by hand is where it says nothing else.
PLAIN: Mapping[str, Any] = {
    "url": "http://www.example.com/", "fetch_status": 200, "fetch_time": FROM_TIME, "record_type": "response", "status": "identified",
    "label": "eng_Latn", "confidence": 0.99, "reliable": True, "tier": 1, "content_mime_type": "text/html",
    "content_mime_detected": "text/html", "content_charset": "utf-8", "ip": "192.0.2.1", "country": "US", "letters": 900,
    "text_bytes": 1000, "warc_filename": "a.warc.gz", "warc_record_offset": 0, "identified_by": "text", "bits_text": 9.0,
}  # fmt: skip


def table(given: Iterable[Mapping[str, Any]]) -> pa.Table:
    """Rows by hand: what a row does not say is as PLAIN has it, and what follows from its URL and label is filled in."""
    made = []
    for row in given:
        full = {**PLAIN, **row}
        host = (full["url"] or "").partition("://")[2].partition("/")[0]
        full.setdefault("url_host_name", host)
        full.setdefault("url_host_tld", host.rpartition(".")[2])
        full.setdefault("url_host_registered_domain", ".".join(host.split(".")[-2:]))
        label = full["label"]
        if label:
            full.setdefault("language", labels.bcp47(label) if labels.parse(label) else label)
            full.setdefault("script", label[4:])
            full.setdefault("languages", [] if label in SPECIAL else [{"label": label, "share": 1.0}])
        shares = full.get("languages") or []
        full.setdefault("content_languages", ",".join(dict.fromkeys(share["label"][:3] for share in shares)) or None)
        made.append(full)
    return pa.Table.from_pylist(made, schema=rows_schema())


def save(out: Path, *tables: pa.Table, config: Mapping[str, Any] | None = None) -> Path:
    """A census of these parts."""
    (out / "rows").mkdir(parents=True, exist_ok=True)
    for number, part in enumerate(tables):
        pq.write_table(part, out / "rows" / f"part-{number:06}.parquet", compression="zstd", row_group_size=GROUP)
    (out / "census.json").write_text(json.dumps({"config": dict(config or {}), "attribution": "made for tests"}))
    return out


def pages(out: Path, counts: Any, prefix: str, names: Sequence[str]) -> Path:
    """A census of pages that have a host and a label only: so many of each host (a row) in each label (a column)."""
    count = int(counts.sum())
    host, label = (np.repeat(index.ravel(), counts.ravel()) for index in np.indices(counts.shape))
    columns = {
        "url_host_name": coded(host, [f"{prefix}{number}.example" for number in range(len(counts))]),
        "label": coded(label, names),
        "status": coded(np.zeros(count), ["identified"]),
        "fetch_status": pa.array(np.full(count, 200, np.int16)),
        "tier": pa.array(np.ones(count, np.int16)),
    }
    return save(out, filled(columns, count))


def write(
    out: Path, rows: int, seed: int = 1, hosts: Hosts | None = None, wide: bool = False, portal: bool = False
) -> Path:
    """A census of so many rows."""
    hosts = hosts or made_hosts(max(1, rows // PAGES_OF_HOST), seed)
    (out / "rows").mkdir(parents=True, exist_ok=True)
    for number, begin in enumerate(range(0, rows, GROUP * GROUPS)):
        path = out / "rows" / f"part-{number:06}.parquet"
        with pq.ParquetWriter(path, rows_schema(), compression="zstd") as writer:
            for first in range(begin, min(begin + GROUP * GROUPS, rows), GROUP):
                made = block(hosts, min(GROUP, rows - first), seed + 1 + first, wide)
                writer.write_table(made, row_group_size=GROUP)
    (out / "census.json").write_text(json.dumps({"config": {"portal": portal}, "attribution": "made for tests"}))
    return out
