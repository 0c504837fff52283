"""The HTTP service and its web page. :mod:`webtongue.serve.server` runs it; :func:`app.create_app` returns the ASGI
application, for use with another ASGI server."""

from __future__ import annotations

try:
    import msgspec  # noqa: F401  (nearly every module below needs it)
except ImportError as error:
    from webtongue.errors import MissingExtra

    raise MissingExtra("msgspec", "serve") from error
