"""The main text of a page: which blocks, in which form."""

from __future__ import annotations

import pytest

import webtongue
from webtongue.content import ContentBlock
from webtongue.content.blocks import join_markdown, to_markdown

LONG = (
    "The old ferry crosses the river six times a day, and in summer many people have to wait on the bank for an hour."
)
MORE = (
    "Nobody in the village remembers when the bakery was opened, but everyone knows that its oven has never gone cold."
)
OTHER = (
    "A second coat of paint should only be applied when the first one has dried for at least one whole day in the sun."
)


def kinds(html: str, **options: bool) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in webtongue.extract(html, **options).blocks]


def test_structure_is_kept() -> None:
    document = webtongue.extract(
        f"<title>Boats</title><h1>Boats</h1><p>{LONG}</p><ol><li>one<ul><li>two</ul></ol><blockquote>{MORE}</blockquote>"
        f"<pre>a = 1\n  b = &lt;2&gt;</pre><table><tr><th>Name<th>Size<tr><td>x|y<td><tr><td>z<td>3 m</table><h3>End</h3><p>{OTHER}</p>"
    )
    assert [block.kind for block in document.blocks] == [
        "heading", "paragraph", "item", "item", "quote", "code", "table", "heading", "paragraph",
    ]  # fmt: skip
    assert document.markdown == (
        f"# Boats\n\n{LONG}\n\n1. one\n  - two\n\n> {MORE}\n\n```\na = 1\n  b = <2>\n```\n\n"
        f"| Name | Size |\n| --- | --- |\n| x\\|y |  |\n| z | 3 m |\n\n### End\n\n{OTHER}"
    )
    assert document.blocks[6].rows == (("Name", "Size"), ("x|y", ""), ("z", "3 m"))
    assert document.text.split("\n")[-4:] == ["x|y\t", "z\t3 m", "End", OTHER]
    assert document.title == "Boats" and document.verdict.language == "en"


@pytest.mark.parametrize(
    "around",
    [
        "<nav><p>{}</p></nav>", "<footer>{}</footer>", "<aside><p>{}</p></aside>", "<div class='left-sidebar'><p>{}</p></div>",
        "<div id=cookieBanner>{}</div>", "<div hidden>{}</div>", "<div role=navigation>{}</div>", "<header><p>{}</p></header>",
        "<p><a href=/x>{}</a></p>", "<button>{}</button>",
    ],
)  # fmt: skip
def test_elements_around_the_main_text_are_dropped(around: str) -> None:
    html = f"<p>{LONG}</p>{around.format(OTHER)}<p>{MORE}</p>"
    assert kinds(html) == [("paragraph", LONG), ("paragraph", MORE)]
    assert ("paragraph", LONG) in (kept := kinds(html, boilerplate=True)) and len(kept) == 3


def test_a_page_whose_elements_are_all_around_keeps_its_text() -> None:
    assert kinds(f"<div class='content sidebar'><p>{LONG}</p><p>{MORE}</p></div>") == [
        ("paragraph", LONG),
        ("paragraph", MORE),
    ]


def test_short_lines_stay_in_containers_of_running_text() -> None:
    html = f"<div><span>mk77</span></div><div><p>{LONG}</p><p>Short one</p></div><div><i>12.03.2024 at</i></div><div>Yes, it does!  Thank you.</div>"
    assert [text for _, text in kinds(html)] == [LONG, "Short one", "Yes, it does! Thank you."]


def test_headings_stay_before_text_only() -> None:
    html = f"<h1>Start</h1><p>{LONG}</p><h2>Part</h2><div><p>{MORE}</p></div><h2>Latest posts</h2><ul><li><a href=/a>{OTHER}</a></ul>"
    assert [text for kind, text in kinds(html) if kind == "heading"] == ["Start", "Part"]


def test_a_heading_that_repeats_title_and_menu_stays() -> None:
    html = f"<title>Ferries</title><nav>Ferries</nav><h1>Ferries</h1><p>{LONG}</p><p>{LONG}</p>"
    assert kinds(html) == [("heading", "Ferries"), ("paragraph", LONG)]


def test_layout_tables_are_no_tables() -> None:
    html = f"<table><tr><td><a href=/>Home</a><td><p>{LONG}</p><p>{MORE} {OTHER}</p></table>"
    assert kinds(html) == [("paragraph", LONG), ("paragraph", f"{MORE} {OTHER}")]


def test_pages_without_text() -> None:
    for raw in (b"", b"\x00" * 500, b"%PDF-1.4", b"<nav>Home</nav>"):
        assert webtongue.extract(raw).text == ""


def test_text_in_legacy_encodings() -> None:
    html = "<meta charset=windows-1251><title>Паром</title><p>Старый паром пересекает реку шесть раз в день, а летом он полон людей и лошадей.</p>"
    document = webtongue.extract(html.encode("windows-1251"))
    assert document.text.startswith("Старый паром") and document.title == "Паром"


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("# no heading", "\\# no heading"), ("- no item", "\\- no item"), ("1. no item", "\\1. no item"), ("> no quotation", "\\> no quotation"),
        ("*a* [c](d) <e> `f`", "\\*a\\* \\[c\\](d) \\<e\\> \\`f\\`"), ("#tag", "#tag"), ("-1 degree", "-1 degree"),
    ],
)  # fmt: skip
def test_paragraphs_are_escaped(text: str, escaped: str) -> None:
    assert to_markdown(ContentBlock("paragraph", text)) == escaped


def test_joined_markdown() -> None:
    blocks = [
        ContentBlock("item", "a", 1),
        ContentBlock("item", "b", 1),
        ContentBlock("paragraph", "- c"),
        ContentBlock("item", "d", 1),
    ]
    assert join_markdown([to_markdown(block) for block in blocks]) == "- a\n- b\n\n\\- c\n\n- d"
