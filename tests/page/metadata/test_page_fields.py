"""Fields that a page says itself."""

from __future__ import annotations

import random

import pytest
from no_memory import failures_without_memory

from ncfilters.page.metadata.page_fields import Reader, page_fields, page_fields_in_python, prepared_core
from ncfilters.page.metadata.page_sources import ByField
from tests.page.test_walks import needs_core

URL = "https://www.puddle.org/2012/05/03/rain"
URLS = (URL, "", "http://puddle.org/a?b=c", "https://puddle.org", "/x", "https://[", "HTTPS://puddle.org/")
# What the fields may say, right or wrong.
TEXTS = {
    "date": "2024-05-03|2024-05-03T10:00:00Z|2024-02-30|2024-02-29|2023-02-29|1990-01-01|2100-01-01|2024-05-031|"
    "2024-5-3|2024-05-0\u0663|2024-05-03\u0663|3 May 2024|03/04/2024|2024-W01-1|20240503|x|2024-13-01|2024-00-10",
    "language": "en|EN|en_us|en-US-x-abcdefgh|de-Latn-DE-1996|a|abcd|en-|-en|en us| en |zh-hant|en-a-b|e\u00f1",
    "canonical": "https://a.org/b|http://a.b.c/d?e=f&g|https://a.org|https://a/b|/b|b|//a.org/b|https://a.org/b?|https://a.org/b#c|"
    "https://a..org/b|https://-.-/~|https://a.org/b\n|https://a.org/\u00e9|ftp://a.org/b|https://a.org/a b|http://|https|"
    "https://a.org/x&y|https://a_b.org/%20,+=@!|https://a.org/b:c(d)*e?f=g;h:(*)&|https://a.org/b;|https://a.org:80/b",
    "categories": "rain, snow|rain;snow ;; rain|a &amp; b|a & b|a &;b &|a&#x41;| |"
    ",|\u96e8\u3001\u96ea,\u00a0x|" + "y" * 81 + "," + "z" * 80,
    "license": "CC BY|https://a.org/l|none",
}  # fmt: skip
TEXTS["modified"], TEXTS["image"] = (
    TEXTS["date"],
    TEXTS["canonical"] + "|https://a.org/#primaryimage|#IMAGE|x#image\n|#i\u0131mage|image|#1image|#a#image" * 3,
)


def random_statements(rng: random.Random) -> ByField:
    """What some sources say of the fields."""
    out: ByField = {}
    for field, texts in TEXTS.items():
        said = [
            (rng.choice("ab"), (rng.choice(texts.split("|")), f"x {n}")) for n in range(rng.choice((0, 1, 1, 2, 4)))
        ]
        if said or rng.random() < 0.5:
            out[field] = said
    return out


@needs_core
@pytest.mark.parametrize("seed", range(4))
def test_the_core_reads_as_python_does(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(2_000):
        reader = Reader(random_statements(rng), rng.choice(URLS))
        language = rng.choice(("", *TEXTS["language"].split("|")))
        canonical = rng.choice(("", *TEXTS["canonical"].split("|")))
        given = (reader, language, canonical)
        assert page_fields(*given) == page_fields_in_python(*given), (reader.by_field, reader.url, language, canonical)


def test_long_texts_and_many_categories() -> None:
    many = [("a", (", ".join(f"c{n}" for n in range(start, 300)), "x")) for start in (0, 5)]
    long = f"https://a.org/{'b' * 2000}"
    for said in ({"categories": many}, {"categories": [("a", ("\ud800, b", "x"))]}, {"image": [("a", (long, "x"))]}):
        assert page_fields(Reader(said, URL)) == page_fields_in_python(Reader(said, URL))
    assert len(page_fields(Reader({"categories": many}, URL))["categories"][0]) == 20  # type: ignore[index]


@needs_core
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_without_memory_there_is_an_error_and_no_other_result() -> None:
    core = prepared_core()
    texts = {"date": "2024-05-03", "image": "https://a.org/b", "categories": "rain, snow", "language": "en"}
    given = ({field: [("a", (text, "x"))] for field, text in texts.items()}, URL, "en_us", "https://a.org/c")
    assert failures_without_memory(lambda: core.page_fields(*given), 60) > 5
