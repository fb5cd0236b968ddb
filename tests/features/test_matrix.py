"""The numbers of segments, family by family, on a small invented page."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ncfilters.features.document import ModelInput
from ncfilters.features.matrix import feature_matrix
from ncfilters.features.schema import FAMILIES, NAMES
from ncfilters.features.segment_table import build_table
from ncfilters.record import Segment

RIVER = "We walked along the river for a whole day. Then it rained, and we went home."  # 76 characters, 16 words
BRIDGE = "The bridge was closed, so we had to take the narrow road back."  # 62 characters, 13 words


def _segment(text: str, kind: str, path: str, **fields: Any) -> Segment:
    return {"text": text, "type": kind, "path": path, "tag": path.rpartition("/")[2], "links": 0, **fields}


PAGE: list[Segment] = [
    _segment("Home", "l", "body/nav/ul/li", links=4, rule="nav", marker="*"),  # 0
    _segment("News", "l", "body/nav/ul/li", links=4, rule="nav", marker="*"),  # 1
    _segment("A walk", "h", "body/main/h1"),  # 2
    _segment(RIVER, "p", "body/main/p"),  # 3
    _segment(BRIDGE, "p", "body/main/p"),  # 4
    _segment("More", "h", "body/main/h2", bold=True),  # 5
    _segment("Home", "l", "body/footer/ul/li", links=4, rule="footer", hidden="display"),  # 6
    _segment("© 2020 (us)", "p", "body/footer/p", rule="copyright", origin="json-ld:text"),  # 7
]
CHARS = 4 + 4 + 6 + 76 + 62 + 4 + 4 + 11
PROSE = 76 + 62


def _numbers(page: list[Segment]) -> NDArray[np.float32]:
    return feature_matrix(build_table(ModelInput(page)))


def _of(name: str, page: list[Segment] = PAGE) -> list[float]:
    column = _numbers(page)[:, NAMES.index(name)]
    return [round(value, 4) for value in column.tolist()]


def _log(n: float) -> float:
    return round(math.log1p(n), 4)


EXPECTED: dict[str, Sequence[float]] = {
    # characters
    "chars": [_log(n) for n in (4, 4, 6, 76, 62, 4, 4, 11)], "words": [_log(n) for n in (1, 1, 2, 16, 13, 1, 1, 3)],
    "word_length": [4, 4, 3, 4.75, round(62 / 13, 4), 4, 4, round(11 / 3, 4)], "link_density": [1, 1, 0, 0, 0, 0, 1, 0],
    "link_all": [1, 1, 0, 0, 0, 0, 1, 0],
    "upper": [0.25, 0.25, round(1 / 6, 4), round(2 / 76, 4), round(1 / 62, 4), 0.25, 0.25, 0],
    "digit": [0] * 7 + [round(4 / 11, 4)], "punctuation": [0] * 7 + [round(2 / 11, 4)],
    "foreign": [0] * 7 + [round(1 / 11, 4)], "sentences": [0, 0, 0, 2, 1, 0, 0, 0],
    "commas": [0, 0, 0, round(1 / 16, 4), round(1 / 13, 4), 0, 0, 0],
    "title": [1, 1, 0.5, 0.125, round(1 / 13, 4), 1, 1, 0], "ends_stop": [0, 0, 0, 1, 1, 0, 0, 0],
    "ends_other": [0] * 7 + [1], "starts_upper": [1] * 7 + [0], "starts_other": [0] * 7 + [1],
    # flags and categories
    "marker": [1, 1, 0, 0, 0, 0, 0, 0], "bold": [0, 0, 0, 0, 0, 1, 0, 0], "type=h": [0, 0, 1, 0, 0, 1, 0, 0],
    "tag=li": [1, 1, 0, 0, 0, 0, 1, 0], "tag=other": [0] * 8, "rule=nav": [1, 1, 0, 0, 0, 0, 0, 0],
    "hidden=display": [0] * 6 + [1, 0], "origin=json-ld": [0] * 7 + [1],
    # position
    "position": [n / 8 for n in range(8)],
    "index": [_log(n) for n in range(8)],
    "index_end": [_log(n) for n in reversed(range(8))],
    "char_position": [round(n / CHARS, 4) for n in (0, 4, 8, 14, 90, 152, 156, 160)],
    "prose_before": [round(n / PROSE, 4) for n in (0, 0, 0, 0, 76, 138, 138, 138)],
    "depth": [0.4, 0.4, 0.3, 0.3, 0.3, 0.3, 0.4, 0.3],
    # repeats
    "repeats_short": [1, 0, 0, 0, 0, 0, 1, 0], "repeats_before": [0] * 8,
    "repeats_count": [_log(1), 0, 0, 0, 0, 0, _log(1), 0], "is_h1": [0, 0, 1, 0, 0, 0, 0, 0],
    # groups: main has the segments 2 to 5, up1 of the lists are nav/ul and footer/ul, of the last footer
    "up0_n": [_log(n) for n in (2, 2, 1, 2, 2, 1, 1, 1)],
    "up1_n": [_log(n) for n in (2, 2, 4, 4, 4, 4, 1, 1)],
    "up1_chars": [_log(n) for n in (8, 8, 148, 148, 148, 148, 4, 11)],
    "up2_n": [_log(n) for n in (2, 2, 5, 5, 5, 5, 1, 5)],
    "up1_links": [1, 1, 0, 0, 0, 0, 1, 0],
    "up1_prose": [0, 0] + [round(138 / 148, 4)] * 4 + [0, 0],
    "up1_share": [round(n / CHARS, 4) for n in (8, 8, 148, 148, 148, 148, 4, 11)],
    "up1_prose_share": [0, 0, 1, 1, 1, 1, 0, 0],
    "up1_words": [1, 1, 8, 8, 8, 8, 1, 3],
    "up1_first": [0, 0.5, 0, 0.25, 0.5, 0.75, 0, 0],
    "sig2_n": [_log(n) for n in (3, 3, 1, 2, 2, 1, 3, 1)],
    "sig2_first": [0, round(1 / 3, 4), 0, 0, 0.5, 0, 2, 0],
    # neighbours
    "link_density-1": [-1, 1, 1, 0, 0, 0, 0, 1], "h+2": [1, 0, 0, 1, 0, 0, -1, -1],
    "ruled+1": [1, 0, 0, 0, 0, 1, 1, -1], "place-1": [0, 1, 0, 0, 1, 0, 0, 0], "place+1": [1, 0, 0, 1, 0, 0, 0, 0],
    "sig+1": [1, 0, 0, 1, 0, 0, 0, 0],
    # windows
    "before3_links": [0, 1, 1, round(2 / 3, 4), round(1 / 3, 4), 0, 0, round(1 / 3, 4)],
    "after3_prose": [round(n / 3, 4) for n in (1, 2, 2, 1, 0, 0, 0, 0)],
    # landmarks
    "from_h1": [n / 25 for n in range(-2, 6)],
    "from_first_prose": [n / 25 for n in range(-3, 5)],
    "from_last_prose": [n / 25 for n in range(-4, 4)],
    "to_prose": [_log(3), _log(2), _log(1), _log(1), 5, 5, 5, 5],
    "since_prose": [5, 5, 5, 5, _log(1), _log(1), _log(2), _log(3)],
    # sections: 0 and 1, then 2 to 4, then 5 to 7
    "since_heading": [_log(n) for n in (0, 1, 2, 0, 1, 2, 0, 1)],
    "section_n": [_log(n) for n in (2, 2, 3, 3, 3, 3, 3, 3)],
    "section_prose": [0, 0] + [round(138 / 144, 4)] * 3 + [0, 0, 0],
    # main text
    "main_same": [0, 0, 1, 1, 1, 1, 0, 0], "main_up": [3, 3, 1, 1, 1, 1, 3, 2], "main_down": [1, 1, 0, 0, 0, 0, 1, 1],
    "main_before": [_log(2), _log(1), 0, 0, 0, 0, 0, 0], "main_after": [0, 0, 0, 0, 0, 0, _log(1), _log(2)],
    # title and description: a page without both (test_title_overlap has more)
    "title_share": [0] * 8,
    # page
    "page_n": [_log(8)] * 8, "page_chars": [_log(CHARS)] * 8, "page_links": [round(12 / CHARS, 4)] * 8,
    "page_prose": [round(PROSE / CHARS, 4)] * 8, "page_paragraphs": [_log(2)] * 8, "page_headings": [0.25] * 8,
    "page_lists": [round(12 / CHARS, 4)] * 8, "page_ruled": [round(23 / CHARS, 4)] * 8,
}  # fmt: skip


@pytest.mark.parametrize("name", EXPECTED)
def test_numbers_of_the_page(name: str) -> None:
    assert _of(name) == pytest.approx(EXPECTED[name], abs=2e-3 if "before3" in name else 1.1e-4)


def test_every_family_is_tested() -> None:
    unseen = {family for family, names in FAMILIES.items() if not set(names) & set(EXPECTED)}
    assert not unseen


def test_pages_of_other_kinds() -> None:
    # long text that repeats
    page = [_segment(text, "p", "body/p") for text in (RIVER, BRIDGE, RIVER, "Go", RIVER, "Go")]
    assert _of("repeats_before", page) == [0, 0, 1, 0, 1, 0]
    assert _of("repeats_after", page) == [1, 0, 1, 0, 0, 0]
    assert _of("repeats_short", page) == [0, 0, 0, 1, 0, 1]
    assert _of("repeats_count", page) == [_log(n) for n in (2, 0, 2, 1, 2, 1)]
    assert _of("repeats_page", page) == [round(152 / (3 * 76 + 62 + 4), 4)] * 6
    # a page without prose has no main text
    menu = [_segment("Home", "l", "body/nav/li"), _segment("News", "l", "body/div/div/p")]
    for name in FAMILIES["main"]:
        assert _of(name, menu) == [0, 0]
    assert _of("from_first_prose", menu) == _of("from_last_prose", menu) == [4, 4]
    # of two main texts the first counts
    page = [_segment(BRIDGE, "p", "body/div/p"), _segment(BRIDGE, "p", "body/main/p")]
    assert _of("main_same", page) == [1, 0]
    assert _of("main_up", page) == [1, 2]
    assert _of("main_down", page) == [0, 1]
    # chinese prose is prose
    page = [_segment("我们今天去公园散步，然后回家吃饭。", "p", "body/p")]
    assert _of("page_paragraphs", page) == [_log(1)]
    assert _of("ends_stop", page) == [1]
    assert _of("words", page) == [_log(round(17 / 1.5))]


def _invented(seed: int, size: int) -> list[Segment]:
    rnd = random.Random(seed)
    words = "the a river went 12 Home, (see) 我们今天。 über “so.” x|y ก… www.example.org".split()
    out = []
    for _ in range(size):
        path = "/".join(["body", *rnd.choices(["div#a.b", "div#c.b", "ul", "li", "p", "main"], k=rnd.randint(0, 7))])
        segment = _segment(" ".join(rnd.choices(words, k=rnd.choice([0, 1, 2, 20]))), rnd.choice("phl"), path)
        segment["links"] = rnd.choice([0, 0, 3, len(segment["text"])])
        if rnd.random() < 0.3:
            segment["rule"] = rnd.choice(["nav", "unheard of"])
        if rnd.random() < 0.1:
            segment["origin"] = "srcdoc"
        out.append(segment)
    return out


def test_reading_changes_nothing_and_long_and_empty_pages_have_numbers() -> None:
    page = _invented(3, 40)
    before = json.dumps(page)
    _numbers(page)
    assert json.dumps(page) == before
    page = (_invented(5, 500) * 100)[:50_000]
    found = _numbers(page)
    assert np.isfinite(found).all() and np.abs(found).max() <= 60
    assert _numbers([]).shape == (0, len(NAMES))


BARE = [{"text": "Plain text.", "type": "p"}, {"text": "- item", "type": "l"}]


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(_invented(9, 200), id="random"),
        pytest.param(PAGE[:1], id="one segment"),
        pytest.param(BARE, id="plain text"),
        pytest.param([_segment("", "p", "")] * 3, id="empty texts"),
        pytest.param([_segment("a" * 100_000, "h", "body/p", links=10**9)], id="long"),
        pytest.param([_segment("x", "p", "/".join("d" * 400), links=-5)] * 2, id="deep"),
        pytest.param([_segment("x\0y\nz \ud800", "p", "//a//")], id="odd characters"),
    ],
)
def test_numbers_are_bounded(page: list[Segment]) -> None:
    found = _numbers(page)
    assert found.shape == (len(page), len(NAMES)) and found.dtype == np.float32
    assert np.isfinite(found).all()
    assert np.abs(found).max() <= 60
    for names in FAMILIES.values():
        if all("=" in name for name in names):
            columns = found[:, [NAMES.index(name) for name in names]]
            assert set(columns.sum(axis=1).tolist()) <= {0, 1}
