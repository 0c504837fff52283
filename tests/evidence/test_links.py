"""Evidence from the links to a page: rates, limits, hostile links, garbage, order."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.twins.evidence import links as twin
from webtongue.evidence.link_rates import rates
from webtongue.evidence.link_votes import MAX_NATS
from webtongue.evidence.links import LinkVotes, links_hint
from webtongue.page import Inlink
from webtongue.verdict import Guess

PAGE = "https://www.honest.example.org/page"
LANGUAGES = ["isl", "eng", "fra", "deu", "swh", "hrv", ""]
WORDS = {"heim": [Guess("isl_Latn", 0.8), Guess("fao_Latn", 0.1)], "home": [Guess("eng_Latn", 0.9)], "8": []}


def words(text: str) -> list[Guess]:
    return WORDS.get(text, [])


inlinks = st.lists(
    st.builds(
        Inlink,
        st.builds(
            "https://{}.{}/{}".format,
            st.sampled_from(["www", "a", "b"]),
            st.sampled_from(["example.org", "one.is", "two.fr", "three.co.uk"]),
            st.integers(0, 9),
        ),
        st.sampled_from(LANGUAGES),
        st.sampled_from([0.0, 0.3, 0.9, 1.0]),
        st.sampled_from(["", *WORDS]),
        st.sampled_from(["", "", "is", "en-US", "x-default"]),
    ),
    max_size=30,
    unique_by=lambda link: link.url,
)


@given(inlinks)
def test_nats_equal_the_twin(links: list[Inlink]) -> None:
    url = "https://www.example.org/own-page"
    for classify in (None, words):
        nats = links_hint(links, classify, url).nats
        assert nats == pytest.approx(twin.nats(links, url, rates(), classify), abs=1e-5)


@given(inlinks, st.randoms(use_true_random=False))
def test_order_changes_nothing(links: list[Inlink], chance: random.Random) -> None:
    shuffled = list(links)
    chance.shuffle(shuffled)
    assert links_hint(shuffled, words, PAGE) == links_hint(links, words, PAGE)


def test_order_changes_nothing_beyond_the_limits() -> None:
    chance = random.Random(4)
    links = [
        Inlink(f"https://h{i % 31}.d{i % 977}.example/{i}", chance.choice(LANGUAGES), chance.random())
        for i in range(20_000)
    ]
    first = links_hint(links, None, PAGE)
    for _ in range(3):
        chance.shuffle(links)
        assert links_hint(links, None, PAGE) == first


def test_memory_is_bounded() -> None:
    anchors: list[str] = []

    def read(text: str) -> list[Guess]:
        anchors.append(text)
        return []

    votes = LinkVotes(None, read)
    for i in range(30_000):
        votes.add(Inlink(f"https://h{i % 11}.d{i % 301}.com/{i}", "", anchor="x" * 10_000, hreflang="is"))
    sites, hosts, pages = 64, 8, 16  # as in native/url/link_votes.cpp
    links, _, site_count = votes.hint().value.partition(":")[0].partition(" links from ")
    assert site_count == f"{sites} sites" and 0 < int(links) <= sites * hosts * pages
    assert len(anchors) == int(links) and max(map(len, anchors)) == 200


def test_votes_equal_the_hint_of_all_links_at_every_step() -> None:
    votes = LinkVotes(PAGE)
    links = [Inlink(f"https://d{i}.is/", LANGUAGES[i % 5]) for i in range(12)]
    for i, link in enumerate(links):
        votes.add(link)
        assert votes.hint() == links_hint(links[: i + 1], None, PAGE)


def test_links_without_information() -> None:
    for links in (
        [],
        [Inlink()],
        [Inlink("https://a.is/")],
        [Inlink(language="und")],
        [Inlink(language="is", confidence=0)],
    ):
        hint = links_hint(links)
        assert not hint.nats and not hint.label
    assert links_hint([]).value == ""


def test_languages_in_any_form() -> None:
    forms = ["is", "isl", "isl_Latn", "is-IS", "Icelandic"]
    assert len({str(links_hint([Inlink("https://a.is/", form)]).nats) for form in forms}) == 1


def test_a_link_from_a_rare_language_has_more_nats_than_an_english_one() -> None:
    hint = links_hint([Inlink("https://a.is/", "is"), Inlink("https://b.com/", "en")])
    assert hint.label == "isl" and hint.nats["isl"] > hint.nats["eng"] + 2
    assert hint.value == "2 links from 2 sites: eng 1, isl 1"


def test_links_of_the_own_site_have_more_nats() -> None:
    link = [Inlink("https://shop.example.fr/", "fr")]
    assert links_hint(link, None, "https://www.example.fr/x").nats["fra"] > links_hint(link).nats["fra"]


def test_confidence_counts() -> None:
    nats = [links_hint([Inlink("https://a.fr/", "fr", sure)]).nats["fra"] for sure in (0.2, 0.5, 0.9, 1.0)]
    assert nats == sorted(nats) and nats[0] < nats[-1]


def test_hreflang_counts() -> None:
    hint = links_hint([Inlink("https://www.example.org/", "en", hreflang="is")], None, "https://www.example.org/is")
    assert hint.label == "isl" and "hreflang isl 1" in hint.value


def test_anchor_text_counts() -> None:
    link = Inlink("https://a.org/", "", anchor="heim")
    assert not links_hint([link]).nats
    assert links_hint([link], words).label == "isl"


def test_links_without_information_do_not_dilute() -> None:
    informed = [Inlink("https://a.is/1", "is")]
    silent = [Inlink(f"https://a.is/x{i}", "", anchor="8") for i in range(9)]
    silent += [Inlink(f"https://b{i}.is/", "", anchor="8") for i in range(9)]
    assert links_hint(informed + silent, words).nats == links_hint(informed, words).nats


def test_a_farm_of_one_domain_is_one_vote() -> None:
    single = links_hint([Inlink("https://spam.example.com/", "vi")])
    farm = [Inlink(f"https://h{i % 100}.example.com/{i}", "vi") for i in range(10_000)]
    assert links_hint(farm).nats == pytest.approx(single.nats)
    honest = [Inlink(f"https://d{i}.is/", "is") for i in range(3)]
    assert links_hint(honest + farm).label == "isl"


def test_a_host_of_many_pages_does_not_outvote_its_domain() -> None:
    links = [Inlink(f"https://big.platform.com/{i}", "vi") for i in range(5000)]
    links += [Inlink("https://small.platform.com/", "is")]
    even = [Inlink("https://big.platform.com/", "vi"), Inlink("https://small.platform.com/", "is")]
    assert links_hint(links).nats == pytest.approx(links_hint(even).nats)


def test_repeated_links_of_a_page_count_once() -> None:
    links = [Inlink("https://a.is/", "is"), Inlink("https://b.com/", "en")]
    again = [Inlink("https://a.is/#top", "is"), Inlink("http://A.is", "is")] * 50
    assert links_hint(links + again).nats == links_hint(links).nats


@pytest.mark.parametrize("form", [PAGE, PAGE + "#x", PAGE + "/", PAGE.replace("https", "http"), " " + PAGE])
def test_links_of_a_page_to_itself_are_left_out(form: str) -> None:
    assert not links_hint([Inlink(form, "vi")] * 3, None, PAGE).nats


@pytest.mark.parametrize("language", ["vi", "en", "is", "zu", "kas"])
@pytest.mark.parametrize("domains", [1, 10, 1000, 10_000])
def test_no_number_of_links_overrides_a_clear_text(language: str, domains: int) -> None:
    """A text that is right 9,999 times in 10,000 keeps its label against any label at 1 in 10,000."""
    links = [Inlink(f"https://farm{i}.com/", language, hreflang=language, anchor="heim") for i in range(domains)]
    nats = links_hint(links, words, PAGE).nats
    assert max(nats.values()) - min(0.0, *nats.values()) <= MAX_NATS + 1e-6
    text = {"fra": math.log(0.9999)} | {name: math.log(1e-4) for name in nats if name != "fra"}
    assert max(text, key=lambda name: text[name] + nats.get(name, 0.0)) == "fra"


GARBAGE = ["", " ", "\x00", "\ud800", "x" * 100_000, "http://", "://", "http://[::1]/", "http://192.0.2.7/", "javascript:0", "{{lang}}",
           "http://a@b/", "http://...", "en-US-x-twain", "zxx", "mul", "é" * 500, "http://xn--a-ecp.ru/", "#", "-", "\n\t", "http://com/"]  # fmt: skip


def test_garbage_is_never_an_exception() -> None:
    chance = random.Random(13)
    odd = [float("nan"), float("inf"), -1.0, 7.0, 0.5, None, "1"]

    def guess(text: str) -> list[Guess]:
        return [Guess(chance.choice(GARBAGE), chance.choice([float("nan"), -2.0, 0.4, 5.0])) for _ in range(3)]

    for _ in range(600):
        links = []
        for _ in range(chance.randrange(6)):
            url, language, anchor, hreflang = (chance.choice([*GARBAGE, "is", "https://a.is/"]) for _ in range(4))
            links.append(Inlink(url, language, chance.choice(odd), anchor, hreflang))  # type: ignore[arg-type]
        for classify in (None, guess):
            hint = links_hint(links, classify, chance.choice(GARBAGE))
            assert all(math.isfinite(value) for value in hint.nats.values())
            assert hint.value.isprintable() and all(len(name) == 3 and name.isascii() for name in hint.nats)


def test_values_of_a_wrong_type_are_ignored() -> None:
    link = Inlink(None, 7, "much", b"x", ["is"])  # type: ignore[arg-type]
    assert not links_hint([link]).nats
    for url in (None, 7, b"https://a.is/"):
        assert links_hint([Inlink(url, "is")], None, PAGE).nats == links_hint([Inlink("", "is")], None, PAGE).nats  # type: ignore[arg-type]


def test_rates_are_probabilities_above_zero() -> None:
    for rate in rates().table.values():
        assert rate.keep > 0.3 and rate.free > 0 and rate.english >= 0
        assert rate.keep + rate.english + rate.free == pytest.approx(1, abs=1e-4)
    assert rates().share("no such language") == rates().share("kas") > 0
