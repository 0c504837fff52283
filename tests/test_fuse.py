"""All evidence together: what sources say is added up, weighed and shown; what is settled stays."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import webtongue
from tests.twins import fuse as twin
from webtongue import Identifier, _kernel
from webtongue.details import BITS
from webtongue.errors import UsageError
from webtongue.fuse import SOURCES, main_of, weights

IDENT = Identifier()
EXAMPLES = Path(__file__).parent.parent / "examples" / "pages"
SURE = 0.99999
LONG = (
    "Die Bibliothek öffnet um neun Uhr und schließt um sechs, außer an Sonntagen und Feiertagen. Bücher können jederzeit "
    "zurückgegeben werden: neben der Tür steht ein Kasten, der jeden Morgen geleert wird. Wer einen Ausweis braucht, bringt "
    "ein Foto und etwas Geduld mit, denn am Schalter sitzt nur eine Person, und die trinkt gern Kaffee mit den Leuten. "
    "Im Keller liegen alte Zeitungen, die niemand mehr liest, außer einem Lehrer, der seit Jahren nach einem Rätsel sucht."
)


def test_sums_equal_the_twin() -> None:
    rnd = random.Random(3)
    numbers = {"isl": (4,), "srp": (1, 2), "srp_Latn": (2,), "eng": (7,)}
    for _ in range(300):
        keys = ["isl", "srp", "srp_Latn", "eng", "tlh"]
        said = [
            {k: rnd.uniform(-20, 20) for k in rnd.sample(keys, rnd.randint(0, 4))} for _ in range(rnd.randint(0, 3))
        ]
        factors = [rnd.uniform(0, 2) for _ in said]
        most = [rnd.choice([6.0, 9.0]) for _ in said]
        expected = twin.sum_hints(numbers, said, factors, most)
        assert _kernel.sum_hints(numbers, said, factors, most) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("head", "url", "label"),
    [
        ("<html lang=is><p>Halló", None, "isl_Latn"),
        ("<p>Halló", "https://example.is/", "isl_Latn"),
        ("<html lang=hu><p>Halló", None, "hun_Latn"),
        ("<html lang=en><p>Guten Morgen zusammen", None, "deu_Latn"),
        ("<html lang=ja><title>東京都庁</title>", None, "jpn_Jpan"),
        ("<html lang=ko><title>Apache HTTP Server</title>", None, "kor_Hang"),
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


def test_an_answer_by_hints_alone_is_not_reliable_and_its_text_stays() -> None:
    v = IDENT.identify(b"<html lang=ko><title>Apache HTTP Server</title><p>Available languages and modules of it")
    assert v.label == "kor_Hang"
    assert not v.reliable
    assert [label for label, _ in v.languages] == ["eng_Latn"]


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
                "inlinks": rnd.choice([None, [{"url": "https://a.example/", "language": "is"}], "no links"]),
                "host": rnd.choice([None, {"isl": 30}, {"de": 3, "en": 1}]),
            }
        )
    batch = IDENT.identify_batch({name: [row[name] for row in rows] for name in rows[0]})
    for i, row in enumerate(rows):
        v = IDENT.identify(row["raw"], row["url"], inlinks=row["inlinks"], country=row["country"], host=row["host"])
        assert (batch["label"][i], batch["country"][i]) == (v.label, v.country)
        assert batch["confidence"][i] == pytest.approx(v.confidence, abs=1e-6)
        assert batch["languages"][i] == v.languages


def test_the_main_language_of_several() -> None:
    fusion, numbers = IDENT.stages.fusion, IDENT.reader.model.numbers
    english, czech = numbers["eng_Latn"], numbers["ces_Latn"]
    turn = weights().turn
    assert main_of([(english, 520), (czech, 480)], -1, {czech: turn}, fusion) == czech
    assert main_of([(english, 520), (czech, 480)], -1, {czech: 0.3}, fusion) == -1
    assert main_of([(english, 930), (czech, 70)], -1, {czech: 50.0}, fusion) == -1
    assert main_of([(english, 520), (czech, 480)], english, {czech: 1.0}, fusion) == -1


def test_every_source_says_its_bits() -> None:
    v = IDENT.identify(
        "<html lang=is><p>Halló".encode(), "https://example.is/", inlinks=[webtongue.Inlink("https://a.is/", "is")],
        country="IS", host={"isl": 5},
    )  # fmt: skip
    weight = {e.source: e.weight for e in v.evidence}
    assert {"text", "prior", *SOURCES} - {"encoding"} <= weight.keys()
    assert all(weight[source] > 0 for source in ("declared", "url", "country", "links", "host"))
    assert weight["text"] < 0


def test_long_text_that_agrees_with_its_declaration_is_what_decides() -> None:
    by_text = Identifier(evidence=())
    judged = 0
    for path in sorted(EXAMPLES.glob("*.html")):
        alone, found = (ident.identify(path.read_bytes()) for ident in (by_text, IDENT))
        bits = {one.source: one.weight for one in found.evidence if one.source in BITS}
        if alone.label != found.label or alone.confidence < SURE or "declared" not in bits:
            continue
        judged += 1
        assert bits["text"] == max(bits.values()), (path.name, bits)
        assert sum(bits.values()) >= 13, (path.name, bits)  # the text alone says as much
    assert judged >= 20
