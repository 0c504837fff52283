"""The sections, figures and tables of the report as one list: what each is called, which rows it shows, and how.

``rows`` names rows of views.py or a table of the census. Braces in a sentence stand for a fact of views.py. What a census
does not have is left out: a sentence with a missing fact, a figure or table without rows, a section that needs a missing fact.
"""

from __future__ import annotations

from webtongue.census.report.answer_figures import ANSWER_SECTIONS
from webtongue.census.report.estimate_section import ESTIMATE_SECTION
from webtongue.census.report.formats import format_count, one_line
from webtongue.census.report.model import PAGES_AND_SHARE, Column, DataTable, Figure, Section, number, share, text
from webtongue.census.report.views import MAX_ROWS

__all__ = ["SECTIONS"]

LANGUAGE_COLUMNS = (
    text("Language", "name"),
    text("Label", "label"),
    Column("Tier", "tier", lambda tier: format_count(tier or None)),
    number("Pages", "pages"),
    number("Reliable", "reliable"),
    number("Little text", "little_text"),
    share("Share", "share"),
    Column("95% interval", "interval", one_line),
    share("Corrected", "corrected"),
    Column("95% interval", "corrected_interval", one_line),
    number("Hosts", "hosts"),
)

SECTIONS = (
    Section(
        "languages",
        "What pages are written in",
        (
            "The language of {unknown_share} of the pages is undetermined.",
            "{reliable_share} of the answers are reliable.",
            "{little_text_pages} have fewer than 60 letters, and {little_text_answers} of them have a language all the same.",
        ),
        (
            Figure(
                "languages",
                "The {largest_languages}",
                "bars",
                "Bars of the share of pages by language.",
                "language_bars",
                DataTable("Pages by language", "languages", LANGUAGE_COLUMNS, limit=100),
                (
                    "Bars are pages with status 200, by their main language, as counted; thin lines are 95% intervals.",
                    "{pages_by_language_note}",
                    "The table also has shares {corrected} for pages that the identifier takes for another language (see Methods).",
                    "Correction changes these most, beyond the interval of the count: {most_corrected}.",
                    "{judged_pages} of the answers were judged by people, whose judgements correct the shares of their languages.",
                ),
                has_intervals=True,
            ),
        ),
        (
            DataTable(
                "Pages by amount of text",
                "pages_by_text",
                (
                    text("Letters", "letters"),
                    *PAGES_AND_SHARE,
                    number("Reliable", "reliable"),
                    number("With a language", "with_language"),
                ),
                "{pages_by_text_note}",
            ),
            DataTable(
                "Languages known from scripture alone",
                "scripture",
                LANGUAGE_COLUMNS,
                "{scripture_pages} in {scripture_languages} that the model learnt almost only from scripture. They were not "
                "verified on modern text: treat them as candidates.",
                limit=50,
            ),
            DataTable(
                "Answers judged by people",
                "precision_by_language",
                (
                    text("Answer", "name"),
                    number("Judged", "judged"),
                    share("Right", "precision"),
                    Column("95% interval", "interval", one_line),
                    number("Unclear", "unclear"),
                ),
                "{precision_by_language_note}",
            ),
            DataTable(
                "Rank of languages and of countries",
                "ranks",
                (
                    text("Language", "name"),
                    number("Rank", "rank"),
                    number("Pages", "pages"),
                    text("Home country", "country_name"),
                    number("Rank of that country", "country_rank"),
                    number("Servers there", "servers"),
                ),
                "{ranks_note}",
            ),
        ),
        needs="pages",
    ),
    Section(
        "language",
        "A language across countries",
        (
            "Where the pages of a language are served from. Choose a language to update the map, the bars and the table.",
        ),
        (
            Figure(
                "language",
                "Pages of a language by country",
                "language",
                "World map and bars of the pages of the chosen language by country; the table has the same numbers.",
                notes=(
                    "The country is that of the server that sent the page, by its IP address. Hosting is often bought abroad, so "
                    "this is not a map of readers or writers.",
                    "The {left_out_pairs} smallest pairs of a language and a country are counted as others.",
                ),
                picker="Language",
            ),
        ),
    ),
    Section(
        "country",
        "The languages of a country",
        (
            "What the pages on the servers of a country are written in. Choose a country to update the bars and the table.",
        ),
        (
            Figure(
                "country",
                "Pages of a country by language",
                "country",
                "Bars of the pages in the chosen country by language; the table has the same numbers.",
                notes=(
                    "Share of people: the part of the {population} that can write the language, from the Unicode CLDR. People "
                    "know several languages, so these shares add up to more than 100%.",
                ),
                picker="Country",
            ),
        ),
    ),
    Section(
        "both",
        "Languages by country",
        ("The strongest shade is the main language of a country; a row that is shaded throughout is used everywhere.",),
        (
            Figure(
                "both",
                "{matrix_languages} languages that many of {matrix_countries} large countries have",
                "cells",
                "Matrix of languages by countries; a cell is shaded by the share of the country's pages in the language.",
                notes=(
                    "A cell is a share of the country's pages. Smaller languages, and large ones that few countries have, are "
                    "not shown, so a column does not add up to 100%.",
                ),
            ),
        ),
    ),
    Section(
        "servers",
        "Where the servers are",
        (
            "{servers} in {server_countries} and regions: {top_countries}.",
            "The countries of {servers_without_countries} are unknown: run the census with a geolocation file (--geo).",
            "A server is an IP address that answered, with any status.",
        ),
        (
            Figure(
                "servers",
                "Servers by country",
                "map",
                "World map of servers by country in six classes.",
                table=DataTable(
                    "Servers by country",
                    "servers",
                    (text("Country", "name"), number("Servers", "servers"), share("Share", "share")),
                    limit=MAX_ROWS + 1,  # One row is that of unknown countries.
                ),
                notes=(
                    "Not on the map: {unknown_servers} of unknown country.",
                    "Without a place on the map: {unmapped_countries}.",
                ),
            ),
        ),
        needs="servers",
    ),
    Section(
        "encodings",
        "Encodings",
        ("{top_encodings}.", "{not_utf8} of the {encoded_pages} are in another encoding than UTF-8."),
        (
            Figure(
                "encodings",
                "Encodings of all pages",
                "bars",
                "Bars of the share of pages by encoding.",
                "encodings",
                DataTable("Pages by encoding", "encodings", (text("Encoding", "name"), *PAGES_AND_SHARE)),
                ("The encoding is the one {detected}, whatever the page declares.",),
            ),
            Figure(
                "legacy",
                "Languages with most pages outside UTF-8",
                "bars",
                "Bars of the share of a language's pages outside UTF-8.",
                "legacy",
                DataTable(
                    "Pages outside UTF-8 by language",
                    "legacy",
                    (text("Language", "name"), number("Pages", "pages"), share("Share of the language", "share")),
                ),
                ("A bar is the share of the language's pages. Languages are sorted by the number of such pages.",),
            ),
            Figure(
                "encodings-by-language",
                "Encodings of the languages with most pages outside UTF-8",
                "cells",
                "Matrix of languages by encodings; a cell is shaded by the share of the language's pages.",
                notes=("A cell is the share of a language's pages in an encoding.",),
            ),
        ),
        (
            DataTable(
                "Declared encodings that differ from the detected one",
                "different_encodings",
                (text("Declared", "declared"), text("Detected", "found"), number("Pages", "pages")),
                "Names are compared as they are written; two names may mean the same encoding.",
            ),
        ),
        needs="top_encodings",
    ),
    Section(
        "declared",
        "Declared and identified languages",
        (
            "{declaring_pages} declare a language, in {declarations}.",
            "Where both the declaration and the identified language are known, {agreement} agree.",
        ),
        (
            Figure(
                "declared",
                "Declared language (rows) and identified language (columns)",
                "cells",
                "Matrix of declared by identified languages; a cell is shaded by the share of the pages with that declaration.",
                notes=(
                    "A cell is the share of the pages with a declaration. Declarations are grouped by the language that they name.",
                ),
            ),
        ),
        (
            DataTable(
                "The most frequent contradictions",
                "contradictions",
                (
                    text("Declared", "declared"),
                    text("Identified", "name"),
                    number("Pages", "pages"),
                    number("Reliable", "reliable"),
                ),
                "Varieties and scripts of a language count as contradictions, such as zh on a page in traditional characters.",
            ),
            DataTable(
                "Declarations that name no language",
                "unrecognised_declarations",
                (text("Declared", "code"), number("Pages", "pages")),
            ),
        ),
        needs="declaring_pages",
    ),
    Section(
        "mixed",
        "Pages in several languages",
        ("{mixed_pages} contain more than one language.",),
        (
            Figure(
                "mixed",
                "Pages by number of languages",
                "bars",
                "Bars of the share of pages by their number of languages.",
                "mixed",
                DataTable("Pages by number of languages", "mixed", (text("Languages", "count"), *PAGES_AND_SHARE)),
                ("A language counts if it has at least 5% of the running text of a page.",),
            ),
        ),
        (
            DataTable(
                "Languages that share pages",
                "language_pairs",
                (text("Main language", "label"), text("Other language", "other"), number("Pages", "pages")),
            ),
        ),
        needs="mixed_pages",
    ),
    *ANSWER_SECTIONS,
    ESTIMATE_SECTION,
)
