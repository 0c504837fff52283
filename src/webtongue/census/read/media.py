"""Media types that hold no text to identify: their records are counted, and their bodies are not unpacked.

What is missing or unknown is kept, and so is ``application/octet-stream``: servers say that of pages too, and the identifier
looks at the bytes. Only a name that ends like a file without text settles it then.
"""

from __future__ import annotations

from urllib.parse import urlsplit

__all__ = ["holds_no_text", "is_binary_name", "mime_of"]

FAMILIES = ("image/", "audio/", "video/", "font/", "model/")  # SVG among images: a drawing with a word or two
# Each with the reason: what a census of text would find in it.
TYPES = frozenset(
    (
        # Documents that need a reader of their own; as bytes they are packed or tagged text of no language.
        "application/pdf", "application/x-pdf", "application/postscript", "application/msword", "application/rtf",
        "application/vnd.ms-excel", "application/vnd.ms-powerpoint", "application/epub+zip", "application/vnd.ms-fontobject",
        "application/x-dvi", "application/x-mobipocket-ebook", "image/vnd.djvu",
        # Archives: whatever they hold are other files.
        "application/zip", "application/x-zip-compressed", "application/gzip", "application/x-gzip", "application/x-tar",
        "application/x-bzip2", "application/x-xz", "application/zstd", "application/x-7z-compressed", "application/vnd.rar",
        "application/x-rar-compressed", "application/java-archive", "application/x-rpm", "application/warc",
        "application/vnd.debian.binary-package", "application/vnd.android.package-archive", "application/x-iso9660-image",
        # Programs and their parts.
        "application/x-shockwave-flash", "application/x-msdownload", "application/x-msdos-program", "application/wasm",
        "application/x-java-applet", "application/x-executable", "application/x-font-woff", "application/x-font-ttf",
        "application/font-woff", "application/font-woff2", "application/font-sfnt", "application/x-protobuf",
        # Code and style: comments at most, which say nothing of the page they serve.
        "text/css", "text/javascript", "application/javascript", "application/x-javascript", "application/ecmascript",
        # Sound and film under other names.
        "application/ogg", "application/mp4", "application/x-mpegurl", "application/vnd.apple.mpegurl", "application/dash+xml",
        # What crawlers note of their own work: answers of name servers.
        "text/dns",
    )
)  # fmt: skip
OFFICE = ("application/vnd.openxmlformats-officedocument", "application/vnd.oasis.opendocument")  # zip files too
NAMES = (
    ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".ico", ".bmp", ".tif", ".tiff", ".svg", ".psd", ".mp3", ".ogg",
    ".wav", ".flac", ".m4a", ".mp4", ".webm", ".avi", ".mov", ".mkv", ".mpg", ".mpeg", ".flv", ".swf", ".woff", ".woff2",
    ".ttf", ".otf", ".eot", ".pdf", ".ps", ".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx", ".odt", ".ods", ".epub",
    ".djvu", ".zip", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z", ".rar", ".tar", ".jar", ".apk", ".exe", ".msi", ".dmg",
    ".iso", ".deb", ".rpm", ".bin", ".dll", ".so", ".class", ".wasm", ".css", ".js", ".mjs", ".map",
)  # fmt: skip
OCTETS = frozenset(
    ("application/octet-stream", "binary/octet-stream", "application/x-download", "application/force-download")
)


def mime_of(content_type: str) -> str:
    """A media type in lower case, without its parameters.

    >>> mime_of("Text/HTML; charset=utf-8"), mime_of("text/html,text/plain")
    ('text/html', 'text/html')
    """
    mime = content_type.partition(";")[0]
    return (mime.partition(",")[0] if "," in mime else mime).strip().lower()


def holds_no_text(mime: str, url: str = "") -> bool:
    """Whether a body of this type, from this address, is passed over.

    >>> holds_no_text("image/png"), holds_no_text("text/html"), holds_no_text("")
    (True, False, False)
    >>> holds_no_text("application/octet-stream", "https://example.org/a.iso"), holds_no_text("application/octet-stream")
    (True, False)
    """
    if mime == "text/html":
        return False
    if mime in OCTETS:
        return is_binary_name(url)
    return mime in TYPES or mime.startswith(FAMILIES) or mime.startswith(OFFICE)


def is_binary_name(url: str) -> bool:
    """Whether an address or a file name ends like that of a file without text."""
    if "?" in url or "#" in url:
        try:
            url = urlsplit(url).path
        except ValueError:  # no address at all
            return False
    return url[-8:].lower().endswith(NAMES)
