"""Every setting of every method: one of answering changes what a fitted model says, one of fitting is refused there."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from tests.lab.methods.test_interface import fit
from tests.lab.methods.texts import CORPUS, NEW
from webtongue import Inlink, ModelError, Page, UsageError
from webtongue.lab import methods
from webtongue.lab.methods.rank_order import RankOrder, RankOrderSettings

GERMAN = NEW["deu_Latn"]
PAGE = Page(
    f"<title>{NEW['eng_Latn']}</title><meta name=keywords content='casa, barche'><p>{CORPUS['ita_Latn'][0]}<p>{GERMAN}".encode()
)
STRANGE = Page(b"<p>zzqx jjkw vvyx qqzj wwxk zzqv jjxq kkwv zqxj wkvq")
DECLARED = Page(f"<html lang=it><p>{GERMAN}".encode())
LINKS = [Inlink("https://a.example/", language) for language in ("it", "el", "el")]
LINKED, LINKED_ONCE = (Page(b"<p>das Boot und wir", inlinks=tuple(links)) for links in (LINKS, LINKS[:1]))
# For each setting of answering a value, and a document of which something else is said with it.
CHANGES: dict[str, dict[str, tuple[Any, methods.Document]]] = {
    "common_words": {"least_probability": (1e-6, GERMAN)},
    "composite": {
        "border": (1.0, GERMAN), "factor": (5.0, GERMAN), "manner": ("parallel", DECLARED), "approaches": (["text"], DECLARED),
        "floor": (10_000, GERMAN), "short": (1, STRANGE),
    },
    "inlinks": {"min_length": (1, LINKED), "max_inlinks": (1, LINKED), "own_wins": (True, LINKED_ONCE)},
    "ip": {"countries": ("nowhere.mmdb", "192.0.2.1")},
    "kikui": {"threshold": (0.0, GERMAN), "utf8": (False, Page(NEW["ell_Grek"].encode()))},
    "markov": {"alphabet": (30, GERMAN)},
    "martins_silva": {
        "title": (9, PAGE), "metadata": (9, PAGE), "largest": (9, PAGE), "least": (10_000, GERMAN), "clear": (1.0, PAGE),
        "declared": (False, DECLARED),
    },
    "naive_bayes": {"priors": (False, GERMAN)},
    "nfc_tld": {
        "manner": ("instead", Page(b"la casa", "https://example.de/")), "border": (0.0, Page(b"la casa", "https://example.de/")),
        "added": (9.0, Page(b"la casa", "https://example.de/")),
    },
    "rank_order": {"border": (1.0, GERMAN), "factor": (5.0, GERMAN)},
    "relative_entropy": {"added": (9.0, GERMAN)},
    "suzuki": {"rule": ("bounds", PAGE), "upper": (0.1, GERMAN), "lower": (0.99, GERMAN)},
    "url": {"priors": ("uniform", "https://example.com/nachrichten/")},
}  # fmt: skip
# Settings beside which alone another one matters.
BESIDE: dict[tuple[str, str], dict[str, Any]] = {
    ("suzuki", "upper"): {"rule": "bounds", "lower": 0.9},
    ("suzuki", "lower"): {"rule": "bounds", "upper": 0.1, "lower": 0.1},
    ("nfc_tld", "manner"): {"border": 1.0},
    ("nfc_tld", "border"): {"manner": "in_doubt", "border": 1.0},
    ("martins_silva", "clear"): {"clear": 9.0},
    ("martins_silva", "largest"): {"clear": 9.0},
}


def names_of(name: str) -> list[str]:
    return [field.name for field in fields(methods.method(name).default_settings())]


EVERY = [(name, setting) for name in sorted(methods.NAMES) for setting in names_of(name)]


def said(model: methods.Method, document: methods.Document) -> object:
    try:
        return model.answer(document), model.score(document)
    except (UsageError, ModelError) as error:  # as of an address without a file of countries
        return str(error)


def another(value: Any) -> Any:
    """A value of the same kind."""
    if value == "top":
        return "suffix"  # levels of a domain are two
    if is_dataclass(value):
        return {"fold": not value.fold}  # type: ignore[attr-defined]
    if isinstance(value, bool | str):
        return not value if isinstance(value, bool) else f"{value}x"
    return (*value, "x") if isinstance(value, tuple) else value + 1


@pytest.mark.parametrize(("name", "setting"), EVERY)
def test_a_setting_changes_something_or_is_refused(name: str, setting: str) -> None:
    kind = methods.method(name)
    fitted = kind.fit({}) if not kind.learns else fit(name)
    if setting in kind.answer_settings or not kind.learns:
        value, document = CHANGES[name][setting]
        before = fitted.with_settings(BESIDE.get((name, setting), {}))
        assert said(before, document) != said(before.with_settings({setting: value}), document)
    else:
        was = getattr(fitted.settings, setting)
        with pytest.raises(UsageError, match=f"{setting} is a setting of fitting.*webtongue train --method {name}"):
            fitted.with_settings({setting: another(was)})


@pytest.mark.parametrize("name", sorted(methods.NAMES))
def test_settings_of_answering_are_settings(name: str) -> None:
    assert methods.method(name).answer_settings <= set(names_of(name))


def test_what_is_as_fitted_is_no_fault() -> None:
    model = fit("nfc")
    assert model.with_settings({"features": model.settings.features}).settings == model.settings
    with pytest.raises(UsageError, match="no setting"):
        model.with_settings({"feature": 3})


def test_shipped_models_go_by_a_border() -> None:
    """`--set border=1`, which once did nothing."""
    for name in ("composite", "rank_order"):
        assert methods.ready(name, None, {"border": 1.0}).answer(GERMAN).label == "und"
        assert methods.ready(name, None, {"border": 0.0}).answer(GERMAN).label == "deu_Latn"
    with pytest.raises(UsageError, match="features"):
        methods.ready("nfc", None, {"features": 5})


def test_a_border_takes_the_place_of_the_models_own() -> None:
    model = RankOrder.fit(CORPUS, RankOrderSettings(border_quantile=0.5))
    assert model.answer(GERMAN).label == "und"
    assert model.with_settings({"border": 0.0}).answer(GERMAN).label == "deu_Latn"
    assert model.with_settings({"border": 400.0}).answer(GERMAN).label == "deu_Latn"
    assert model.with_settings({"factor": 2.0}).answer(GERMAN).label == "und"
