# The service in a small image, from a wheel: `make wheel && docker build -t webtongue .`, then
# `docker run --rm -p 127.0.0.1:8000:8000 webtongue`. Options of `webtongue serve` go after the name of the image.
FROM python:3.11-slim
COPY dist/*.whl constraints.txt /wheels/
RUN pip install --no-cache-dir --constraint /wheels/constraints.txt --find-links /wheels 'webtongue[serve]' \
    && rm -rf /wheels \
    && useradd --system --no-create-home webtongue
USER webtongue
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=3s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
ENTRYPOINT ["webtongue", "serve", "--host", "0.0.0.0"]
