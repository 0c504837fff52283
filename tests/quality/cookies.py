"""Pages about cookies, with banners and without: the text that an author wrote decides, whatever it is about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.quality.kinds import page
from tests.quality.tables import rows
from webtongue.labels import fold

__all__ = ["CASES", "Case", "cases"]

REMINDER = "Forgotten your password? Enter your address and we will send you a new one."
CASES = (
    "recipe",
    "form beside English",
    "article beside an English banner",
    "article beside a banner in German",
    "policy",
    "banner alone",
)


@dataclass(frozen=True, slots=True)
class Case:
    """A page, the language of its text, and the language of its banner or of a foreign note, if it has one."""

    name: str
    raw: bytes
    label: str
    beside: str = ""


def texts() -> dict[str, dict[str, str]]:
    """Return the texts of each language by their kinds."""
    table: dict[str, dict[str, str]] = {}
    for label, kind, text in rows("cookies.tsv"):
        table.setdefault(label, {})[kind] = text
    return table


def cases() -> Iterator[Case]:
    """Yield one page of each kind for each language."""
    table = texts()
    english, german = (_banner(table[label]) for label in ("eng_Latn", "deu_Latn"))
    for name, text in table.items():
        label = str(fold(name))
        recipe, form = (f"<p>{text[kind].replace('. ', '.</p><p>')}</p>" for kind in ("recipe", "form"))
        login = "<form><input name=u><input name=p><button>Login</button></form>"
        yield Case("recipe", page(f"<h1>Cookies</h1>{recipe}"), label)
        yield Case(
            "form beside English",
            page(f"{form}{form.replace('cookie', 'Cookie')}{login}<p>{REMINDER}</p>"),
            label,
            "eng_Latn",
        )
        if label != "eng_Latn":
            yield Case("article beside an English banner", page(f"{recipe}{english}"), label, "eng_Latn")
        if label != "deu_Latn":
            yield Case("article beside a banner in German", page(f"{german}{form}"), label, "deu_Latn")
        yield Case("policy", page(f"<h1>Cookies</h1>{form}<p>{text['banner']}</p>{english}"), label, "eng_Latn")
        yield Case("banner alone", page(_banner(text)), label)


def _banner(text: dict[str, str]) -> str:
    return f"<div class=x><p>{text['banner']}</p><button>{text['button']}</button></div>"
