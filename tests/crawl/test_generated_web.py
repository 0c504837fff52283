"""The generated web of examples/web: where a crawl of the documentation starts."""

from __future__ import annotations

from tests.crawl.loopback import Plan, Settings


def test_a_language_has_a_seed_under_a_reserved_name() -> None:
    from web.pages import build_answer

    plan = Plan(Settings())
    for label, tag in (("deu_Latn", "de"), ("isl_Latn", "is")):
        answer = build_answer(plan, f"{tag}.example", "/")
        assert (answer.status, answer.headers["Location"]) == (302, plan.seed(label))
        assert plan.label_at(answer.headers["Location"]) == label


def test_other_reserved_names_have_no_pages() -> None:
    from web.pages import build_answer

    plan = Plan(Settings())
    for name, path in (("xx.example", "/"), ("intern.example", "/"), ("de.example", "/robots.txt"), ("example", "/")):
        assert build_answer(plan, name, path).status == 404
