"""Options show a text in another way; which words are text does not depend on them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.made_pages import PageMaker
from bench.same_text import VARIANTS, differing
from bench.support import read_pages

CRAWL = Path(__file__).parents[1] / "data" / "crawl.jsonl"


@pytest.mark.parametrize("variant", VARIANTS)
def test_words_of_our_pages(variant: str) -> None:
    pages = [json.loads(line) for line in CRAWL.read_text().splitlines()]
    assert differing(pages, variant) == []


# with markup, all after a start tag of code that is never closed is one block of code, which is shown by other rules
@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "markup"])
def test_words_of_made_pages(variant: str) -> None:
    whole = [json.loads(line)["html"] for line in CRAWL.read_text().splitlines()]
    maker = PageMaker(5, whole)
    pages = [{"id": number, "html": maker.page()} for number in range(60)]
    assert differing(pages, variant) == []


def test_words_of_real_pages(data: Callable[[str], Path]) -> None:
    pages = read_pages(data("data/wcxb-dev.jsonl.xz"), 40)
    assert {variant: differing(pages, variant) for variant in VARIANTS} == dict.fromkeys(VARIANTS, [])
