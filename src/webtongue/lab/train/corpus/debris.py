"""Add what text of the web has between its words: addresses, names of users, tags, Markdown.

Probabilities are calibrated on text with and without it, so that they hold for both.
"""

from __future__ import annotations

import random
from collections.abc import Callable

__all__ = ["add_debris"]

HOSTS = ("example.com", "www.example.org", "t.example/", "blog.example.net", "example.co.uk", "pic.example.com")
PATHS = ("/", "/2024/05/news", "/index.php?id=17", "/p/9fK2xQ", "/watch?v=dQw4", "/en/about.html", "/img/0012.jpg", "")
USERS = ("anna_92", "jo", "the_real_max", "newsdesk", "user1234", "kamil.k", "xX_lee_Xx")


def _draw_url(rng: random.Random) -> str:
    return rng.choice(("https://", "http://", "")) + rng.choice(HOSTS) + rng.choice(PATHS)


def _add_link(words: list[str], rng: random.Random) -> None:
    place = rng.randrange(len(words))
    words[place] = f"[{words[place]}](https://{rng.choice(HOSTS)}{rng.choice(PATHS)})"


def _mark_word(words: list[str], rng: random.Random) -> None:
    place, mark = rng.randrange(len(words)), rng.choice(("**", "_", "`", "#", "~~"))
    words[place] = f"{mark}{words[place]}{'' if mark == '#' else mark}"


def _add_url(words: list[str], rng: random.Random) -> None:
    words.append(_draw_url(rng))


def _add_user(words: list[str], rng: random.Random) -> None:
    words.insert(rng.choice((0, len(words))), f"@{rng.choice(USERS)}")


KINDS: tuple[Callable[[list[str], random.Random], None], ...] = (_add_url, _add_url, _add_user, _mark_word, _add_link)


def add_debris(text: str, rng: random.Random) -> str:
    """Return a text with an address, the name of a user, or marks of Markdown.

    >>> add_debris("un texte", random.Random(3))
    'un texte example.co.uk/index.php?id=17'
    """
    words = text.split(" ")
    rng.choice(KINDS)(words, rng)
    return " ".join(words)
