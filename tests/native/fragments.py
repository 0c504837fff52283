"""Fragments of markup that Hypothesis concatenates."""

from __future__ import annotations

from hypothesis import strategies as st

FRAGMENTS = [
    *"abcé中ж", " ", "  ", "\n", "\n\n", "\t", "\r\n", "\f", "\v", "\0", "\x01", "\x1a", "\u00a0", "word", "more words here",
    "a sentence that is longer than sixteen bytes, twice over", "<", ">", "/", "=", '"', "'", "&", ";", "-", "!", "?", "]",
    "<p>", "</p>", "<P CLASS=x>", "<div>", "</div>", "<span>", "</span>", "<b>", "</b>", "<i", "<br>", "<br/>", "<hr>",
    "<h1>", "</h1>", "<H2 >", "<ul>", "</ul>", "<li>", "</li>", "<dl>", "<dt>", "<dd>", "</dl>", "<table>", "<tr>", "<td>",
    "<th>", "</td>", "</tr>", "</table>", "<tbody>", "</thead>", "<caption>", "<nav>", "</nav>", "<footer>", "</footer>",
    "<select>", "<option>", "<optgroup>", "</option>", "</select>", "<button>", "<object>", "</object>", "<foo>", "</foo>",
    "<foo-bar/>", "<o:p>", "<_x>", "<é>", "</é>", "<body>", "<head>", "</head>", "</html>",
    "<html lang=en>", "<html lang='de' xml:lang=\"fr\">", "<p lang=fr>", "<p lang=''>", "<span lang=' el '>", "<i xml:lang=ja>",
    "<div lang>", "<td lang=zh-TW>", "<li lang=fr lang=de>", "<title lang=pt>", "<a lang=nl href=n>", "<img lang=fi alt=f>",
    "<a href=x>", '<a href="y&amp;z" hreflang=de>', "<A NAME=q>", "</a>", "<area href=w alt='u &lt v'>", "<a href>",
    "<img alt=''>", '<img alt="an image &copy=1">', "<input alt=z>", "<image alt=i>", "<img src=s alt='<b>'>",
    "<title>", "</title>", "<title/>", "<script>", "</script>", "<script >", "</SCRIPT x>", "<script/>", "<!-- <script>",
    "<style>", "</style>", "<textarea>", "</textarea>", "<noscript>", "</noscript>", "<iframe>", "</iframe>", "<xmp>", "</xmp>",
    "<plaintext>", "<template>", "</template>", "<svg>", "</svg>", "<svg/>", "<math>", "</math>", "<foreignObject>",
    "</foreignObject>", "<desc>", "</desc>", "<mi>", "</mi>", "<mo>", "<path d='M0'/>",
    "<!--", "-->", "--!>", "<!-->", "<!--->", "<!doctype html>", "<!x", "<![CDATA[", "]]>", "]>", "<?php", "?>", "<?xml ",
    "</>", "</ x>", "</1>", "</", "<p ", "a=b", " c='d>e'", ' f="g', " lang=ru", " href = h ", "/>",
    "&amp;", "&amp", "&lt;p&gt;", "&eacute", "&notit;", "&nGt;", "&nbsp;", "&shy;", "&#65;", "&#x42", "&#0;", "&#1;", "&#128;",
    "&#xD800;", "&#99999999999;", "&#10;", "&Tab;", "&#", "&#x", "&CounterClockwiseContourIntegral;", "&zzz;", "&copy=",
    "<meta charset=utf-8>", "<meta charset=' koi8-r '/>", "<meta http-equiv=Content-Type content='text/html; charset=utf-8'>",
    "<meta http-equiv=content-type content='text/html; charset=\"koi8-r'>", "<meta http-equiv=content-language content=pl>",
    "<meta content='charset = koi8-r;' http-equiv=content-type>", "<meta name=description content='What it &amp is'>",
    "<meta property=og:locale content=sv_SE>", "<meta name=keywords lang=hu content=' '>", "<meta name=DC.Language content=is>",
    "<meta name=language>", "<meta itemprop=inLanguage content=lt>", "<link rel='alternate x' hreflang=fr href=f>",
    "<link rel=Canonical href=c>", "<link rel=alternate hreflang=fr>", "<base href=b>", "<base>",
    '<script type="application/ld+json">', '"inLanguage": "es"', '"inLanguage":["a","b"]', '"inLanguage"',
    '<?xml version="1.0" encoding="koi8-r"?>', "<?xml encoding='utf-8'", "<body lang=cy>", "<body xml:lang=mt lang=' '>",
    "<rss xml:lang=ga>", "<rss>", "<rdf:RDF>", "<feed xml:lang='is'>", "<channel>", "<language>", "</language>", "<Language>fo</Language>",
    "<language/>", "<item>", "<meta name=citation_language content=eu>", "<meta name=dcterms:language content=gl>", "<meta name=lang content=br>",
]  # fmt: skip
RAW = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff", b"\xe4", b"\xc0\x80", b"\x80", b"\xed\xa0\x80", b"\xf4\x90"]

piece = st.one_of(
    st.sampled_from(FRAGMENTS).map(str.encode),
    st.sampled_from(FRAGMENTS).map(str.encode),
    st.sampled_from(FRAGMENTS).map(str.encode),
    st.sampled_from(RAW),
    st.text(max_size=6).map(lambda s: s.encode("utf-8", "replace")),
    st.binary(max_size=4),
)


# Few pieces that matter to each other, so that their combinations are met: glued from all, most never are.
THEMES = [
    ["<rss>", "<RDF:rdf xml:lang=fo>", "<feed xml:lang=''>", "<channel>", "<language>", "is", "</language>", "<![CDATA[", "]]>", "<item>", "</", " "],
    ["<html>", "<html lang=''>", "<html lang=is>", "<html xml:lang=fo>", "<body lang=cy>", "<body lang='' xml:lang=mt>", "<body>", "a", "<p>"],
    ["<!--", "-", "--", "-->", "--!>", "!", ">", "a", "<!", "<!-->"],
    ["<ul>", "<li>", "<li lang=fr>", "</li>", "</ul>", "<ol lang=de>", "<dl>", "<dt lang=el>", "<dd>", "</dl>", "a", "<p>", "</p>"],
    ["<table>", "<tr lang=fr>", "<td>", "<td lang=de>", "</td>", "</tr>", "</table>", "<tbody>", "</thead>", "a", "<b lang=nl>", "</b>"],
    ["<script>", "</script>", "<!--", "-->", "<script ", "</script", "a", ">", "-", "<SCRIPT/"],
    ["<svg>", "</svg>", "<math>", "</math>", "<desc>", "</desc>", "<mi>", "</mi>", "<p>", "</p>", "<style>", "<title>", "a", "<g/>", "<svg/>"],
    ["<![CDATA[", "]", "]]>", ">", "<svg>", "</svg>", "a", "<a>", "</a>", "?>", "<?"],
    ["<a href=x>", "<a lang=fr>", "</a>", "a ", " b", "<p>", "<b>", "</b>", "<div>", "</div>", "<area href=y>", "<nav>", "</nav>"],
    ["<p", "<a", " ", "/", "=", '"', "'", "lang", "href", "x", ">", "alt"],
    ["<p lang=fr>", "</p>", "<i lang=de>", "</i>", "<div>", "</div>", "<b>", "</b>", "a", "<h1>", "</h1>", "<object>", "</object>"],
    ["<template>", "</template>", "<title>", "</title>", "<p lang=x>", "a", "</p>", "<select>", "</select>", "<option>"],
    ["&", "#", "x", "1", "amp", "lt", ";", "not", "=", "a", " "],
    ["<xmp>", "</xmp>", "<textarea>", "</textarea>", "<noscript>", "</noscript>", "a", "<p>", "&amp;", "</xmp"],
]  # fmt: skip


@st.composite
def markup(draw: st.DrawFn, max_parts: int = 40) -> bytes:
    """Glued fragments, of all kinds or of one theme, now and then cut off in the middle."""
    theme = draw(st.sampled_from([None, None, None, None, *THEMES]))
    pieces = piece if theme is None else st.sampled_from(theme).map(str.encode)
    page = b"".join(draw(st.lists(pieces, max_size=max_parts)))
    return page[: draw(st.integers(0, len(page)))] if draw(st.integers(0, 3)) == 0 else page
