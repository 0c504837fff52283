"""Corpora of users for the tests of training and evaluation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.running import Done, run
from tests.lab.methods.texts import CORPUS

JAPANESE = "図書館は毎日朝九時から夕方六時まで開いています。子どもは親と一緒に来て、本を三冊借りることができます。"


CODES = {"deu_Latn": "deu", "eng_Latn": "en", "ell_Grek": "el", "ita_Latn": "ita_Latn"}


URLS = (
    "http://www.example.de/wetter/\tde\nhttp://www.example.it/notizie/\tit\nhttp://example.de/a\tde\nhttp://b.it/\tit\n"
)


def save(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def json_lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    return save(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def label_folders(folder: Path, suffix: str = ".txt", encoding: str = "utf-8") -> Path:
    """Write a folder for each label, with a document in each file."""
    for label, texts in CORPUS.items():
        for number, text in enumerate(texts):
            markup = f"<html><body><p>{text}</p></body></html>" if suffix == ".html" else str(text)
            save(folder / CODES[label] / f"{number}{suffix}", markup.encode(encoding))
    return folder


def source_folders(folder: Path) -> Path:
    """Write a folder for one source, with a file for each label."""
    for label, texts in CORPUS.items():
        save(folder / "mine" / f"{label}.txt", "\n".join(map(str, texts)))
    return folder


def rows_of(key: str = "text") -> list[dict[str, Any]]:
    return [{"label": label, key: str(text)} for label, texts in CORPUS.items() for text in texts]


def train(path: Path, out: Path, *arguments: str, method: str = "nfc") -> Done:
    return run("train", "--method", method, str(path), "-o", str(out), *arguments)


def right(report: Path) -> dict[str, int]:
    scores = json.loads(report.read_text("utf-8"))["sets"][0]["scores"]
    return {score["system"]: score["accuracy"]["right"] for score in scores}
