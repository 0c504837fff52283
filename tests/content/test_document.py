"""The main text of a page: which blocks, in which form."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

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
        f"# Boats\n\n{LONG}\n\n1. one\n    - two\n\n> {MORE}\n\n```\na = 1\n  b = <2>\n```\n\n"
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
        ("# no heading", "\\# no heading"), ("- no item", "\\- no item"), ("1. no item", "1\\. no item"), ("> no quotation", "\\> no quotation"),
        ("*a* [c](d) <e> `f`", "\\*a\\* \\[c\\](d) \\<e\\> \\`f\\`"), ("#tag", "#tag"), ("-1 degree", "-1 degree"),
    ],
)  # fmt: skip
def test_paragraphs_are_escaped(text: str, escaped: str) -> None:
    assert to_markdown(ContentBlock("paragraph", text)) == escaped


ODD_LINES = (
    "1. a", "12) b", "1.", "- a", "-", "--", "---", "- - -", "===", "=", "+ a", "+", "# a", "###", "####### a", "> a", "~~~", "```", "***", "___",
    "&amp; &#39; & &x", "a \\\\ b", "<b>", "![a](b)", "[a]: b", "| a |", "a_b_", "*a*", "~~a~~", "1.5 m", "-1", "#tag", "= 2", "a`b``c", "C #", "a \\#",
)  # fmt: skip


@pytest.mark.parametrize("line", ODD_LINES)
@pytest.mark.parametrize("kind", ["paragraph", "item", "quote", "heading"])
def test_a_markdown_parser_reads_the_same_text(kind: str, line: str) -> None:
    block = ContentBlock(kind, line, int(kind in ("item", "heading")))
    tokens = MarkdownIt("commonmark").enable("strikethrough").parse(to_markdown(block))
    opening = {"paragraph": [], "item": ["list_item_open"], "quote": ["blockquote_open"], "heading": ["heading_open"]}
    structure = [
        token.type
        for token in tokens
        if (token.type.endswith("_open") and token.tag not in ("p", "ul")) or token.type in ("hr", "fence")
    ]
    assert structure == opening[kind]
    (inline,) = [token for token in tokens if token.type == "inline"]
    assert "".join(token.content for token in inline.children or ()) == line


def test_nested_items_are_nested_for_a_markdown_parser() -> None:
    for is_ordered in (False, True):
        blocks = [
            ContentBlock("item", "a", 1, is_ordered),
            ContentBlock("item", "b", 2),
            ContentBlock("item", "c", 1, is_ordered),
        ]
        tokens = MarkdownIt("commonmark").parse(join_markdown([to_markdown(block) for block in blocks]))
        assert [(token.content, token.level) for token in tokens if token.type == "inline"] == [
            ("a", 3),
            ("b", 5),
            ("c", 3),
        ]


def test_the_caption_of_a_table_is_no_row() -> None:
    html = f"<p>{LONG}</p><table><caption>Sizes</caption><tr><th>Name<th>Size<tr><td>x<td>3 m</table><p>{MORE}</p>"
    blocks = webtongue.extract(html).blocks
    assert [(block.kind, block.text) for block in blocks[1:3]] == [
        ("paragraph", "Sizes"),
        ("table", "Name\tSize\nx\t3 m"),
    ]


def test_joined_markdown() -> None:
    blocks = [
        ContentBlock("item", "a", 1),
        ContentBlock("item", "b", 1),
        ContentBlock("paragraph", "- c"),
        ContentBlock("item", "d", 1),
    ]
    assert join_markdown([to_markdown(block) for block in blocks]) == "- a\n- b\n\n\\- c\n\n- d"


def rendered(body: str, encoding: str = "utf-8") -> str:
    """Return what a Markdown parser makes of a part of a page between two paragraphs."""
    html = f"<meta charset={encoding}><main><p>{LONG}</p>{body}<p>{MORE}</p></main>"
    markdown = webtongue.extract(html.encode(encoding, "xmlcharrefreplace")).markdown
    parser = MarkdownIt("commonmark").enable("table")
    return (
        parser.render(markdown.removeprefix(LONG).removesuffix(MORE))
        .replace("\n", "")
        .replace("<p>", "")
        .replace("</p>", "")
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<ul><li>עיר<br>רחוב 1<li>גן</ul>", "<ul><li>עיררחוב 1</li><li>גן</li></ul>"),
        ("<ol><li><p>一</p><p>もっと</p></li><li><p>二</p></li></ol>", "<ol><li>一もっと</li><li>二</li></ol>"),
        ("<ul><li>أ<ul><li>ب<li>ج</ul>نهاية</li><li>د</ul>", "<ul><li>أ<ul><li>ب</li><li>ج</li></ul>نهاية</li><li>د</li></ul>"),
        (
            "<ol><li>โหลด<pre>pip a\n\n  b</pre><li>เริ่ม<blockquote>ดี</blockquote><li>จบ</ol>",
            "<ol><li>โหลด<pre><code>pip a  b</code></pre></li><li>เริ่ม<blockquote>ดี</blockquote></li><li>จบ</li></ol>",
        ),
        (
            "<ol><li>Цены<table><tr><th>А<th>Б<tr><td>1<td>2</table><li>Конец</ol>",
            "<ol><li>Цены<table><thead><tr><th>А</th><th>Б</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody>"
            "</table></li><li>Конец</li></ol>",
        ),
        ("<ul><li><h3>कार्ड</h3><p>यह पहला पाठ है।</p></li></ul>", "<h3>कार्ड</h3>यह पहला पाठ है।"),
        (
            "<blockquote><p>하나.</p><p>둘.</p></blockquote><ul><li>셋<blockquote>넷</blockquote></ul><blockquote>다섯</blockquote>",
            "<blockquote>하나.둘.</blockquote><ul><li>셋<blockquote>넷</blockquote></li></ul><blockquote>다섯</blockquote>",
        ),
    ],
)  # fmt: skip
def test_what_is_in_an_item_stays_in_it(body: str, expected: str) -> None:
    assert rendered(body) == expected


def test_ordered_items_are_numbered() -> None:
    items = "".join(f"<li>στοιχείο {i}<ol><li>μέσα {i}</ol>" for i in range(1, 102))
    lines = webtongue.extract(f"<p>{LONG}</p><ol>{items}</ol><p>{MORE}</p><ol><li>νέο</ol>").markdown.splitlines()
    assert [lines[i] for i in (2, 3, 4, 202, 203)] == [
        "1. στοιχείο 1", "    1. μέσα 1", "2. στοιχείο 2", "101. στοιχείο 101", "     1. μέσα 101",
    ]  # fmt: skip
    assert lines[-1] == "1. νέο"


def test_items_of_pages_whose_tags_are_not_read_stay_items() -> None:
    html = f"<p>{LONG}</p><ul><li>eins<br>zwei<li>drei</ul><p>{MORE}</p>"
    assert "- eins\n- zwei\n- drei" in webtongue.extract(html.encode("utf-16")).markdown


def test_what_continues_a_missing_item_stands_on_its_own() -> None:
    assert join_markdown(["    a", "        ```\n        b\n          c\n        ```", "    1. d"]) == (
        "a\n\n```\nb\n  c\n```\n\n1. d"
    )


@pytest.mark.parametrize(
    "encoding", ["utf-8", "iso-8859-1", "windows-1251", "shift_jis", "gb18030", "euc-kr", "utf-16"]
)
def test_code_keeps_its_lines_in_every_encoding(encoding: str) -> None:
    words = {"iso-8859-1": "für", "windows-1251": "для", "shift_jis": "温泉", "gb18030": "豆腐", "euc-kr": "김치"}.get(
        encoding, "für"
    )
    html = f"<meta charset={encoding}><p>{LONG}</p><pre>\n\tif {words}:\r\n\t\ta &lt; <b>2</b>\n</pre><p>{MORE} {words}</p>"
    headers = {"content-type": f"text/html; charset={encoding}"}
    document = webtongue.extract(html.encode(encoding), headers=headers)
    assert [block.text for block in document.blocks if block.kind == "code"] == [f"\tif {words}:\n\t\ta < 2"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("<pre>a<br>  b<br><br>c</pre><pre>d</pre>", ["a\n  b\n\nc", "d"]),
        ("<pre><div>a</div><div> b</div></pre>", ["a\n b"]),
        ("<table><tr><td><pre>1\n2</pre></td><td><pre>a = 1\nb = 2</pre></td></tr></table>", ["a = 1\nb = 2"]),
        ("<pre>y = 3</pre><pre>x = 4\n</pre>", ["y = 3", "x = 4"]),
    ],
)
def test_a_listing_is_one_block(body: str, code: list[str]) -> None:
    assert [text for kind, text in kinds(f"<p>{LONG}</p>{body}<p>{MORE}</p>") if kind == "code"] == code


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        (
            "<tr><th rowspan=2>Ort<th colspan=2>Preis<tr><th>Kind<th>Groß<tr><td>Kiel<td>1<td>2",
            [("Ort", "Preis", ""), ("", "Kind", "Groß"), ("Kiel", "1", "2")],
        ),
        (
            '<tr><TD ROWSPAN="2">都市<td>値段<tr><td>百円<tr><td>村<td>十円',
            [("都市", "値段"), ("", "百円"), ("村", "十円")],
        ),
        ("<tr><td colspan=2>א<td>ב<tr><td>ג<td>ד<td>ה", [("א", "", "ב"), ("ג", "ד", "ה")]),
        ("<tr><td rowspan=3><td>ก<td>ข<tr><td>ค<td>ง<tr><td>จ<td>ฉ", [("ก", "ข"), ("ค", "ง"), ("จ", "ฉ")]),
        ("<tr><td rowspan=99999999>а<td>б<tr><td>в<tr><td rowspan=0>г", [("а", "б"), ("", "в"), ("", "г")]),
    ],
)  # fmt: skip
def test_cells_over_several_rows_and_columns(table: str, rows: list[tuple[str, ...]]) -> None:
    document = webtongue.extract(f"<p>{LONG}</p><table>{table}</table><p>{MORE}</p>")
    assert [list(block.rows) for block in document.blocks if block.kind == "table"] == [rows]
