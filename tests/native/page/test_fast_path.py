"""The straight way of a page through the kernel says what the long way says, and the same on both instruction sets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from webtongue import Identifier, _kernel, markup, pipeline
from webtongue.page import Page
from webtongue.verdict import Verdict

IDENT = Identifier()
EXAMPLES = sorted(p for p in (Path(__file__).parents[3] / "examples" / "pages").iterdir() if p.suffix != ".jsonl")
TEXTS = (
    "The library opens at nine in the morning and closes at six in the evening, except on Sundays. ",
    "Die Bücherei öffnet morgens um neun Uhr und schließt abends um sechs, außer sonntags. ",
    "Библиотека открывается в девять часов утра и закрывается в шесть вечера, кроме воскресенья. ",
    "図書館は日曜日を除いて朝九時に開き、夕方六時に閉まります。",
    "도서관은 일요일을 제외하고 아침 아홉 시에 열고 저녁 여섯 시에 닫습니다. ",
    "Biblioteket åbner klokken ni om morgenen og lukker klokken seks om aftenen, undtagen om søndagen. ",
    "for (int i = 0; i < n; ++i) { if (a[i] != b[i]) return false; } ",
    "x", "12 345", "Ã¼ber das GrÃ¼n ", "Hkkjr esa cgqr lh Hkk\"kk,¡ cksyh tkrh gSaA ", "???",
)  # fmt: skip
STARTS = (
    b"<!doctype html>", b"<!DOCTYPE HTML PUBLIC 'x'>", b" \n<!doctype html><title>T</title>", b"<!doctypehtml>", b"<html lang=de>",
    b"<HTML>", b"<htmlx>", b"<?xml version='1.0'?><html xmlns='x'>", b"<?xml?>", b"<?xml version='1.0'?><rss>", b"<?xmlx ?>", b"<p>", b"<h3>\n", b"<h3/>", b"<h7>", b"<a", b"<!-- -->", b"</p>", b"<FONT color=x>",
    b"", b"\xef\xbb\xbf<!doctype html>", b"\xff\xfe<!doctype html>", b"<!doctype html>\x1b$B", b"<!doctype html>~{", b"<!doctype html>+AOk-",
    b"<!doctype html>+AOk- +AOkA6QDpAOkA6Q-", b"<!doctype html>+-", b"<!doctype html>1+1", b"<!doctype html>\0", b"<!doctype html>\x01", b"%PDF-1.4",
    b"<!--x--><html>", b"\x0b<html\x0b>", b"<?xml version='1.0'?>" + b" " * 5000 + b"<html>",
)  # fmt: skip


def by_the_long_way(raw: bytes) -> Verdict:
    return pipeline.judge(*pipeline.decode(markup.read(Page(raw)), IDENT.reader), IDENT.reader)


def blocks_of(texts: list[tuple[str, int]]) -> bytes:
    return "".join(f"<p>{text * times}</p>" for text, times in texts).encode()


pages = st.lists(st.tuples(st.sampled_from(TEXTS), st.integers(1, 12)), max_size=12).map(blocks_of)


@settings(max_examples=300)
@given(start=st.sampled_from(STARTS), body=pages, tail=st.binary(max_size=8))
@example(start=STARTS[0], body=TEXTS[1].encode("latin-1") * 20, tail=b"")
@example(start=STARTS[0], body=TEXTS[2].encode() * 40, tail=b"\xff")
@example(start=STARTS[0], body=(TEXTS[0] + "é").encode() * 40, tail=b"")
def test_both_ways_say_the_same(start: bytes, body: bytes, tail: bytes) -> None:
    raw = start + body + tail
    assert IDENT.identify(raw).to_dict() == by_the_long_way(raw).to_dict()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples(path: Path) -> None:
    raw = path.read_bytes()
    verdict = IDENT.identify(raw)
    assert verdict.to_dict() == by_the_long_way(raw).to_dict() == IDENT.identify_page(Page(raw)).to_dict()


@pytest.fixture
def baseline() -> Iterator[None]:
    _kernel.force_baseline(True)
    yield
    _kernel.force_baseline(False)


def test_both_instruction_sets_say_the_same(baseline: None) -> None:
    raws = [path.read_bytes() for path in EXAMPLES]
    raws += [b"<!doctype html>" + blocks_of([(text, 3), (other, 2)] * 6) for text in TEXTS for other in TEXTS]
    plain = [IDENT.identify(raw).to_dict() for raw in raws]
    _kernel.force_baseline(False)
    assert plain == [IDENT.identify(raw).to_dict() for raw in raws]


def test_what_is_found_explains_itself() -> None:
    verdict = IDENT.identify(b"<!doctype html><html lang=en>" + blocks_of([(TEXTS[0], 5)]))
    assert isinstance(verdict.details, pipeline.Straight)
    assert verdict.details.markup.blocks[0].text.startswith("The library")
    assert verdict.declared_language == "eng_Latn"
    assert [e.source for e in verdict.evidence] == ["text", "bytes", "html-lang"]
