"""The API documentation in Chromium: every operation is listed and can be tried out, and no request goes elsewhere."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from tests.browser import PATIENCE, browser
from tests.serve.pages import OpenPage, open_page
from tests.serve.servers import Service, run_service
from webtongue.serve.files import SWAGGER_UI
from webtongue.serve.openapi import OPERATIONS

__all__ = ["browser"]  # a fixture

RESULT = ".live-responses-table tbody"


def try_operation(opened: OpenPage, operation: str, **fields: str) -> tuple[str, Any]:
    """Execute an operation and return the status and the JSON that the page shows."""
    block = opened.page.locator(f"#operations-{operation}")
    block.locator(".opblock-summary-control").click(timeout=PATIENCE)
    block.locator(".try-out__btn").click(timeout=PATIENCE)
    for name, value in fields.items():
        block.locator(f"tr[data-param-name={name}] input").fill(value, timeout=PATIENCE)
    block.locator(".execute").click(timeout=PATIENCE)
    status = block.locator(f"{RESULT} .response-col_status").inner_text(timeout=PATIENCE)
    return status.strip(), json.loads(block.locator(f"{RESULT} .response-col_description code").first.inner_text())


def assert_quiet(opened: OpenPage) -> None:
    assert opened.console == [] and opened.page.evaluate("window.violations") == []
    assert all(url.startswith((opened.root, "data:")) for url in opened.requests), opened.requests


def test_operations_are_listed_and_can_be_tried_out(browser: Any, service: Service) -> None:
    for opened in open_page(browser, service, path="docs", ready=".opblock"):
        methods, paths = opened.texts(".opblock-summary-method"), opened.texts(".opblock-summary-path")
        listed = {(path.replace("\u200b", ""), method.lower()) for method, path in zip(methods, paths, strict=True)}
        assert listed == {(operation.path, operation.method) for operation in OPERATIONS}
        assert "OAS 3.1" in opened.text(".info") and opened.page.locator(".auth-wrapper").count() == 0
        status, row = try_operation(opened, "url-get_v1_url", url="https://www.example.com/nachrichten/wirtschaft/")
        assert (status, row["label"]) == ("200", "deu_Latn")
        status, row = try_operation(opened, "identify-post_v1_identify")  # with the first example
        assert (status, row["label"]) == ("200", "deu_Latn") and row["explanation"]
        assert_quiet(opened)


def test_with_a_key_and_below_a_root_path(browser: Any) -> None:
    with run_service(
        "--no-access-log", "--root-path", "/tongue", environment={"WEBTONGUE_API_KEYS": "sesame"}
    ) as service:
        for opened in open_page(browser, service, path="tongue/docs", ready=".opblock"):
            opened.page.click(".auth-wrapper .authorize", timeout=PATIENCE)
            form = opened.page.locator(".auth-container", has_text="X-API-Key")
            form.locator("input").fill("sesame", timeout=PATIENCE)
            form.locator("button.authorize").click(timeout=PATIENCE)
            opened.page.click(".btn-done", timeout=PATIENCE)
            status, row = try_operation(opened, "url-get_v1_url", url="https://www.example.com/nachrichten/wirtschaft/")
            assert (status, row["label"]) == ("200", "deu_Latn")
            assert any(url.startswith(f"{service.root}tongue/v1/url?") for url in opened.requests)
            assert_quiet(opened)


def test_the_policy_allows_no_inline_code_and_no_other_host(service: Service) -> None:
    policy = service.request("GET", "/docs").headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "connect-src 'self'" in policy
    assert "unsafe" not in policy and "http" not in policy and "*" not in policy


def test_files_match_the_manifest() -> None:
    manifest = json.loads((SWAGGER_UI / "manifest.json").read_text("utf-8"))
    assert manifest["name"] == "swagger-ui-dist" and manifest["license"] == "Apache-2.0"
    assert {path.name for path in SWAGGER_UI.iterdir()} == {*manifest["files"], "manifest.json"}
    for name, checksum in manifest["files"].items():
        assert hashlib.sha256((SWAGGER_UI / name).read_bytes()).hexdigest() == checksum, name
