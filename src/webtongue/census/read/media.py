"""Media types without text: their records are counted, and their bodies are not decoded.

Missing and unknown types are kept, and so is ``application/octet-stream``: servers send pages with it too, and the identifier
looks at the bytes. Such a body is skipped only if the name of the file shows that it has no text.
"""

from __future__ import annotations

from urllib.parse import urlsplit

__all__ = ["has_no_text", "is_binary_name", "parse_media_type"]

PREFIXES_WITHOUT_TEXT = (
    "image/", "audio/", "video/", "font/", "model/",  # SVG images have a word or two at most
    "application/vnd.openxmlformats-officedocument", "application/vnd.oasis.opendocument",  # ZIP files
)  # fmt: skip
TYPES_WITHOUT_TEXT = frozenset(
    (
        # Documents that need a reader of their own: their bytes are compressed or marked up.
        "application/pdf", "application/x-pdf", "application/postscript", "application/msword", "application/rtf",
        "application/vnd.ms-excel", "application/vnd.ms-powerpoint", "application/epub+zip", "application/vnd.ms-fontobject",
        "application/x-dvi", "application/x-mobipocket-ebook", "image/vnd.djvu",
        # Archives of other files.
        "application/zip", "application/x-zip-compressed", "application/gzip", "application/x-gzip", "application/x-tar",
        "application/x-bzip2", "application/x-xz", "application/zstd", "application/x-7z-compressed", "application/vnd.rar",
        "application/x-rar-compressed", "application/java-archive", "application/x-rpm", "application/warc",
        "application/vnd.debian.binary-package", "application/vnd.android.package-archive", "application/x-iso9660-image",
        # Programs, fonts and binary data.
        "application/x-shockwave-flash", "application/x-msdownload", "application/x-msdos-program", "application/wasm",
        "application/x-java-applet", "application/x-executable", "application/x-font-woff", "application/x-font-ttf",
        "application/font-woff", "application/font-woff2", "application/font-sfnt", "application/x-protobuf",
        # Code and style sheets: their comments say nothing about the language of a page.
        "text/css", "text/javascript", "application/javascript", "application/x-javascript", "application/ecmascript",
        # Audio and video under other names.
        "application/ogg", "application/mp4", "application/x-mpegurl", "application/vnd.apple.mpegurl", "application/dash+xml",
        # Answers of name servers, which crawlers record.
        "text/dns",
    )
)  # fmt: skip
BINARY_SUFFIXES = (
    ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".ico", ".bmp", ".tif", ".tiff", ".svg", ".psd", ".mp3", ".ogg",
    ".wav", ".flac", ".m4a", ".mp4", ".webm", ".avi", ".mov", ".mkv", ".mpg", ".mpeg", ".flv", ".swf", ".woff", ".woff2",
    ".ttf", ".otf", ".eot", ".pdf", ".ps", ".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx", ".odt", ".ods", ".epub",
    ".djvu", ".zip", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z", ".rar", ".tar", ".jar", ".apk", ".exe", ".msi", ".dmg",
    ".iso", ".deb", ".rpm", ".bin", ".dll", ".so", ".class", ".wasm", ".css", ".js", ".mjs", ".map",
)  # fmt: skip
UNSPECIFIED_TYPES = frozenset(
    ("application/octet-stream", "binary/octet-stream", "application/x-download", "application/force-download")
)


def parse_media_type(content_type: str) -> str:
    """Return the media type of a Content-Type header in lower case, without parameters.

    >>> parse_media_type("Text/HTML; charset=utf-8"), parse_media_type("text/html,text/plain")
    ('text/html', 'text/html')
    """
    media_type = content_type.partition(";")[0]
    return (media_type.partition(",")[0] if "," in media_type else media_type).strip().lower()


def has_no_text(media_type: str, url: str = "") -> bool:
    """Return True if a body of this type from this URL is skipped.

    >>> has_no_text("image/png"), has_no_text("text/html"), has_no_text("")
    (True, False, False)
    >>> has_no_text("application/octet-stream", "https://example.org/a.iso"), has_no_text("application/octet-stream")
    (True, False)
    """
    if media_type == "text/html":
        return False
    if media_type in UNSPECIFIED_TYPES:
        return is_binary_name(url)
    return media_type in TYPES_WITHOUT_TEXT or media_type.startswith(PREFIXES_WITHOUT_TEXT)


def is_binary_name(url: str) -> bool:
    """Return True if a URL or file name ends like that of a file without text."""
    if "?" in url or "#" in url:
        try:
            url = urlsplit(url).path
        except ValueError:  # not a URL
            return False
    return url[-8:].lower().endswith(BINARY_SUFFIXES)
