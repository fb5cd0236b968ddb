"""Pages and lines made at random."""

from __future__ import annotations

import orjson

from bench.made_pages import LineMaker, PageMaker

PAGES = ["<title>a</title><p>One <b>two</b><table><tr><td>3<td>4</table>" * 5]


def test_a_seed_makes_the_same_pages() -> None:
    pages = [PageMaker(1, PAGES).page() for _ in range(2)]
    assert pages[0] == pages[1] != PageMaker(2, PAGES).page()


def test_most_lines_are_records_with_pages() -> None:
    maker = LineMaker(1, PAGES)
    found = 0
    for _ in range(100):
        line = maker.line()
        assert line.count(b"\n") == 1
        try:
            found += "html" in orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
    assert found > 80
