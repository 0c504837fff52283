"""The datatrove steps, run by the executor of datatrove."""

from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from webtongue import Identifier
from webtongue.content.quality import QualityLimits
from webtongue.integrations.datatrove import BATCH_DOCUMENTS, DropNearDuplicates, Extract, FilterQuality, Identify

TEXTS = {
    "el": "Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα.",
    "ru": "<html><body><p>Библиотека открыта каждый день, вход свободный.</p></body></html>",
    "de": "Die Bibliothek ist jeden Tag geöffnet, der Eintritt ist frei.",
}


def test_documents_keep_their_order_and_none_is_lost() -> None:
    texts = [*TEXTS.values(), "", None, 5, "\ud800", b"bytes"] * (BATCH_DOCUMENTS // 4)
    documents = [SimpleNamespace(text=text, metadata={"n": n}) for n, text in enumerate(texts)]
    result = list(Identify()(iter(documents)))
    assert [d.metadata["n"] for d in result] == list(range(len(texts)))
    assert [d.metadata["language"] for d in result[:3]] == [*TEXTS]
    assert [d.metadata["language_reason"] for d in result[3:6]] == ["empty", "missing", "not_bytes"]
    assert result[0].metadata["language_label"] == "ell_Grek"
    assert result[0].metadata["language_script"] == "Grek"
    assert result[0].metadata["language_reliable"] is True
    assert json.dumps(result[0].metadata)
    assert list(Identify()(None)) == []


def test_settings_are_pickled_and_the_url_is_used() -> None:
    step = pickle.loads(pickle.dumps(Identify(Identifier(languages=["hr", "sr"]), url="at")))
    short = SimpleNamespace(text="<p>Trenutno nedostupno", metadata={"at": "https://example.hr/"})
    greek = SimpleNamespace(text=TEXTS["el"], metadata={"at": 7})
    assert [d.metadata["language"] for d in step([short, greek])] == ["hr", "und"]


def test_in_a_pipeline(tmp_path: Path) -> None:
    pytest.importorskip("datatrove", reason="datatrove is not installed: pip install 'webtongue[integrations]'")
    from datatrove.executor.local import LocalPipelineExecutor
    from datatrove.pipeline.filters import LambdaFilter
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers import JsonlWriter

    for number in range(2):
        lines = [
            json.dumps({"text": t, "id": f"{number}-{tag}", "url": "https://example.org/"}) for tag, t in TEXTS.items()
        ]
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / f"{number}.jsonl").write_text("\n".join(lines), "utf-8")
    LocalPipelineExecutor(
        pipeline=[
            JsonlReader(str(tmp_path / "in")),
            Identify(Identifier(languages=["el", "ru", "de"])),
            LambdaFilter(lambda document: document.metadata["language"] != "de"),
            JsonlWriter(str(tmp_path / "out")),
        ],
        tasks=2,
        workers=2,
        logging_dir=str(tmp_path / "logs"),
    ).run()
    result = [
        json.loads(line)
        for path in (tmp_path / "out").glob("*.jsonl.gz")
        for line in gzip.decompress(path.read_bytes()).splitlines()
    ]
    assert sorted((row["id"], row["metadata"]["language"]) for row in result) == [
        ("0-el", "el"), ("0-ru", "ru"), ("1-el", "el"), ("1-ru", "ru"),
    ]  # fmt: skip


def test_main_text_quality_and_near_duplicates() -> None:
    long = "The old ferry crosses the river six times a day, and in summer many people have to wait on the bank for an hour."
    more = "Nobody in the village remembers when the bakery was opened, but everyone knows that its oven has never gone cold."
    more += " The boat is old and the sea is cold, and the house of the captain is on the hill" * 4 + "".join(
        f" and {n}" for n in range(150)
    )
    page = f"<title>Boats</title><nav>Home</nav><h1>Boats</h1><p>{long}</p><p>{more}</p>"
    pages = [page, page.replace("hour", "week"), "<nav>Home</nav>", f"<p>{'# ' * 90}{long}</p>"]
    documents = [SimpleNamespace(text=html, id=str(i), metadata={}) for i, html in enumerate(pages)]
    steps = (
        Extract(markdown=True),
        FilterQuality(QualityLimits(max_symbols=0.2, min_stop_words=0.1)),
        DropNearDuplicates(12),
    )
    stream: Any = documents
    for step in steps:
        stream = step(stream)
    [kept] = stream
    assert kept.id == "0" and kept.text == f"# Boats\n\n{long}\n\n{more}"
    assert kept.metadata["title"] == "Boats" and kept.metadata["stop_word_share"] > 0.3
