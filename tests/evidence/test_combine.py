"""All evidence together: what sources say is added up, weighed and shown; what is settled stays."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import webtongue
from tests.twins.evidence import combine as twin
from webtongue import Identifier, _kernel
from webtongue.errors import UsageError
from webtongue.evidence import registry
from webtongue.evidence.combine import main_of_shares
from webtongue.extra_columns import BITS
from webtongue.policy import EVIDENCE

IDENT = Identifier()
EXAMPLES = Path(__file__).parents[2] / "examples" / "pages"
SURE = 0.99999
LONG = (
    "Die Bibliothek öffnet um neun Uhr und schließt um sechs, außer an Sonntagen und Feiertagen. Bücher können jederzeit "
    "zurückgegeben werden: neben der Tür steht ein Kasten, der jeden Morgen geleert wird. Wer einen Ausweis braucht, bringt "
    "ein Foto und etwas Geduld mit, denn am Schalter sitzt nur eine Person, und die trinkt gern Kaffee mit den Leuten. "
    "Im Keller liegen alte Zeitungen, die niemand mehr liest, außer einem Lehrer, der seit Jahren nach einem Rätsel sucht."
)


KEYS = {"isl": (4,), "srp": (1, 2), "srp_Latn": (2,), "eng": (7,)}
SITE_CAP = 5.0
COMBINER = _kernel.Combiner(KEYS, 8, SITE_CAP, _kernel.HintScaling(0.4, 100.0, 400.0, 300.0))


def random_hints(rnd: random.Random) -> list[tuple[dict[str, float], float, float, bool]]:
    """Hints in the kernel's form; one key is of a language that the model does not have."""
    keys = [*KEYS, "tlh"]
    return [
        (
            {key: rnd.uniform(-20, 20) for key in rnd.sample(keys, rnd.randint(0, 4))},
            rnd.uniform(0, 2),
            rnd.choice([6.0, 9.0]),
            rnd.random() < 0.7,
        )
        for _ in range(rnd.randint(0, 4))
    ]


def in_kernel(hints: list[tuple[dict[str, float], float, float, bool]]) -> list[_kernel.SourceHint]:
    return [COMBINER.hint(*hint) for hint in hints]


def test_sums_and_parts_equal_the_twin() -> None:
    rnd = random.Random(3)
    limited = 0
    for _ in range(400):
        hints = random_hints(rnd)
        expected = twin.sum_hints(KEYS, hints, SITE_CAP)
        assert COMBINER.sum(in_kernel(hints)) == pytest.approx(expected)
        limited += twin.site_scale(KEYS, hints, SITE_CAP) < 1
        parts = COMBINER.parts(in_kernel(hints), [2, 7, -1])
        assert [sum(column) for column in zip(*parts, strict=True)][:2] == pytest.approx(
            [expected.get(2, 0.0), expected.get(7, 0.0)] if hints else []
        )
        assert all(part[2] == 0 for part in parts)
    assert limited > 20


def test_posteriors_equal_the_twin() -> None:
    rnd = random.Random(4)
    for _ in range(300):
        hints = random_hints(rnd)
        base = {key: rnd.uniform(-5, 5) for key in rnd.sample([*KEYS, "tlh"], rnd.randint(1, 4))}
        priors = np.log(np.array([rnd.uniform(0.01, 1) for _ in range(8)]))
        labels = rnd.sample(range(8), 3)
        logs = COMBINER.posterior(in_kernel(hints), base, priors, labels)
        assert np.exp(logs) == pytest.approx(twin.posterior(KEYS, SITE_CAP, hints, base, priors, labels))


@pytest.mark.parametrize(
    ("head", "url", "label"),
    [
        ("<html lang=is><p>Halló", None, "isl_Latn"),
        ("<p>Halló", "https://example.is/", "isl_Latn"),
        ("<html lang=hu><p>Halló", None, "hun_Latn"),
        ("<html lang=en><p>Guten Morgen zusammen", None, "deu_Latn"),
        ("<html lang=ja><title>東京都庁</title>", None, "jpn_Jpan"),
        ("<p>Gdje je knjižnica i kada se otvara", "https://primjer.hr/", "hrv_Latn"),
        ("<p>Gde je biblioteka i kada se otvara", "https://primer.rs/", "srp_Latn"),
        ("<html lang=nb><p>Hvor er biblioteket", None, "nob_Latn"),
        ("<html lang=da><p>Hvor er biblioteket", None, "dan_Latn"),
        ("<html lang=id><p>Di mana perpustakaan itu", None, "ind_Latn"),
        ("<html lang=ms><p>Di mana perpustakaan itu", "https://contoh.my/", "msa_Latn"),
    ],
)
def test_hints_decide_where_text_is_short(head: str, url: str | None, label: str) -> None:
    assert IDENT.identify(head.encode(), url).label == label


@pytest.mark.parametrize("tag", ["is", "en", "ja", "zh-TW", "nl", "{{lang}}", "xx", ""])
def test_long_clear_text_is_never_turned(tag: str) -> None:
    page = f"<html lang='{tag}'><p>{LONG}</p>".encode()
    links = [{"url": f"https://spam{n}.example/", "language": "fr", "anchor": "cliquez ici"} for n in range(500)]
    v = IDENT.identify(page, "https://www.example.is/", inlinks=links, country="IS", host={"isl": 9000})
    assert v.label == "deu_Latn"
    assert v.reliable


def test_sources_are_switched_and_missing_ones_change_nothing() -> None:
    page = "<html lang=is><p>Halló".encode()
    assert Identifier(evidence=()).identify(page, "https://example.is/").label == "hun_Latn"
    assert Identifier(evidence=["url"]).identify(page, "https://example.is/").label == "isl_Latn"
    assert Identifier(evidence=["country"]).identify(page, "https://example.is/").label == "hun_Latn"
    bare = "<p>Halló".encode()
    assert IDENT.identify(bare).guesses == Identifier(evidence=()).identify(bare).guesses
    with pytest.raises(UsageError, match="unknown: 'gut feeling'"):
        Identifier(evidence=["gut feeling"])
    with pytest.raises(TypeError, match="not one string"):
        Identifier(evidence="url")


@pytest.mark.parametrize("tag", ["ko", "ja", "ru", "hi", "ar", "el"])
def test_no_language_is_answered_whose_script_is_not_on_the_page(tag: str) -> None:
    hints = {"country": tag.upper(), "host": {tag: 900}, "inlinks": [{"url": "https://a.example/", "language": tag}]}
    for text in ("Apache HTTP Server", "Login", "Available languages and modules of it", "2010 X", "ok"):
        label = IDENT.identify(
            f"<html lang={tag}><title>{text}</title><p>{text}".encode(), "https://a.jp/", **hints
        ).label
        assert label in ("und", "zxx") or label.endswith("_Latn")


def test_an_answer_that_rests_on_hints_is_not_reliable() -> None:
    v = IDENT.identify("<html lang=is><p>Halló".encode(), "https://example.is/")
    assert v.label == "isl_Latn"
    assert not v.reliable


@pytest.mark.parametrize(
    "body",
    [
        "<title>301 Moved Permanently</title><h1>Moved Permanently</h1><p>The document has moved <a href=/>here</a>.</p>",
        "<head><title>Document Moved</title></head><body><h1>Object Moved</h1>This document may be found <a>here</a></body>",
        "<title>403 Forbidden</title><center><h1>403 Forbidden</h1></center><hr><center>nginx</center>",
        "<title>Hello world!</title><p>Welcome to WordPress. This is your first post. Edit or delete it, then start writing!",
        "<title>Welcome to nginx!</title><h1>Welcome to nginx!</h1><p>If you see this page, the web server is installed.",
    ],
)
def test_bodies_of_servers_are_english_on_any_host(body: str) -> None:
    for tag, top in (("de", "de"), ("ja", "jp"), ("pt", "com.br"), ("ru", "ru"), ("is", "is")):
        hints = {"country": top[-2:].upper(), "host": {tag: 900}}
        for head in ("", f"<html lang={tag}>"):
            assert IDENT.identify(f"{head}{body}".encode(), f"https://www.example.{top}/", **hints).label == "eng_Latn"


def test_batches_and_single_calls_agree() -> None:
    rnd = random.Random(8)
    words = ["Halló", "Hvor er biblioteket", "Gdje je knjižnica", "Guten Tag", "Apache 2.4", "東京", LONG]
    rows = []
    for _ in range(300):  # more than one chunk
        rows.append(
            {
                "raw": f"<html lang={rnd.choice(['is', 'da', 'hr', 'en', 'ja', 'x'])}><p>{rnd.choice(words)}".encode(),
                "url": rnd.choice([None, "https://example.is/", "https://example.com/de/", "::"]),
                "country": rnd.choice([None, None, None, "IS", "HR", "ZZ"]),
                "inlinks": rnd.choice([None, [{"url": "https://a.example/", "language": "is"}], 7]),
                "host": rnd.choice([None, {"isl": 30}, {"de": 3, "en": 1}]),
            }
        )
    batch = IDENT.identify_batch({name: [row[name] for row in rows] for name in rows[0]})
    for i, row in enumerate(rows):
        links = row["inlinks"] if isinstance(row["inlinks"], list) else None  # only a column may have other values
        v = IDENT.identify(row["raw"], row["url"], inlinks=links, country=row["country"], host=row["host"])
        assert (batch["label"][i], batch["country"][i]) == (v.label, v.country)
        assert batch["confidence"][i] == pytest.approx(v.confidence, abs=1e-6)
        assert batch["languages"][i] == v.languages


def test_the_main_language_of_several() -> None:
    config, numbers = IDENT.models.evidence, IDENT.reader.model.numbers
    english, czech = numbers["eng_Latn"], numbers["ces_Latn"]
    turn = EVIDENCE.max_main_nats
    assert main_of_shares([(english, 520), (czech, 480)], -1, {czech: turn}, config) == czech
    assert main_of_shares([(english, 520), (czech, 480)], -1, {czech: 0.3}, config) == -1
    assert main_of_shares([(english, 930), (czech, 70)], -1, {czech: 50.0}, config) == -1
    assert main_of_shares([(english, 520), (czech, 480)], english, {czech: 1.0}, config) == -1


def test_every_source_says_its_bits() -> None:
    v = IDENT.identify(
        "<html lang=is><p>Halló".encode(), "https://example.is/", inlinks=[webtongue.Inlink("https://a.is/", "is")],
        country="IS", host={"isl": 5},
    )  # fmt: skip
    weight = {e.source: e.weight for e in v.evidence}
    assert {"text", "prior", *registry.names()} - {"encoding"} <= weight.keys()
    assert all(weight[source] > 0 for source in ("declared", "url", "country", "links", "host"))
    assert weight["text"] < 0


def test_long_text_that_agrees_with_its_declaration_is_what_decides() -> None:
    by_text = Identifier(evidence=())
    judged = 0
    for path in sorted(EXAMPLES.glob("*.html")):
        text_only, verdict = (ident.identify(path.read_bytes()) for ident in (by_text, IDENT))
        bits = {row.source: row.weight for row in verdict.evidence if row.source in BITS}
        if text_only.label != verdict.label or text_only.confidence < SURE or "declared" not in bits:
            continue
        judged += 1
        assert bits["text"] == max(bits.values()), (path.name, bits)
        assert sum(bits.values()) >= 13, (path.name, bits)  # the text alone has as many
    assert judged >= 20
