"""The service: answers over HTTP, and a page to see why. :mod:`webtongue.serve.running` runs it; :func:`app.application` is
the ASGI application, for those who run it themselves."""
