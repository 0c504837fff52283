"""The HTTP service and its web page. :mod:`webtongue.serve.server` runs it; :func:`app.create_app` returns the ASGI
application, for use with another ASGI server."""
