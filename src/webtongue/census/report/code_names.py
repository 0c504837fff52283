"""The words that the report has for the codes of the census tables."""

from __future__ import annotations

__all__ = ["APPROACHES", "OWN_SOURCES", "REASONS", "SOURCES", "SUMMARY"]

REASONS = {
    "missing": "No page was there",
    "not_bytes": "No page was there",
    "unreadable": "Could not be read",
    "too_short": "Too little text",
    "too_rare": "Too little text for a rare language",
    "unknown_language": "Fits no known language",
    "not_asked": "Not one of the requested languages",
    "misread": "Decoded wrongly before",
    "binary": "Not text: a binary format",
    "media_type": "Not text: by its media type",
    "not_language": "Code, data or lists",
    "placeholder_text": "Placeholder text",
    "two_languages": "Two languages, equally strong",
}
SOURCES = {
    "prior": "How common languages are",
    "declared": "Declared language",
    "charset": "Declared charset",
    "url": "Address (URL)",
    "country": "Country of the server",
    "links": "Linking pages",
    "host": "Other pages of the host",
}
APPROACHES = {
    "encoding": "Declared encoding",
    "language": "Declared language",
    "text": "Text",
    "all": "All together",
}
OWN_SOURCES = "the text, what the page declares, and where it was found"
SUMMARY = {
    "identified": "captures with text, identified",
    "pages": "pages: identified captures with status 200",
    "reliable_pages": "pages with a reliable answer",
    "unreliable_pages": "pages without a reliable answer",
    "little_text_pages": "pages with fewer than 60 letters",
    "labels": "labels (a language in one script)",
    "hosts": "hosts with pages",
    "domains": "registered domains with pages",
    "servers": "servers: IP addresses of captures",
    "reliable": "share of reliable answers",
    "failed": "records that could not be used",
    "first_fetch": "first capture",
    "last_fetch": "last capture",
}
