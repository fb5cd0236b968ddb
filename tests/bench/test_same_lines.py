"""Lines that are written with the compiled cores and without are the same."""

from __future__ import annotations

import pytest

from bench import same_lines
from bench.same_lines import LineMaker, differing, written
from ncfilters.page.compiled_core import COMPILED, core

PAGES = ["<title>a</title><p>One <b>two</b><table><tr><td>3<td>4</table>" * 5]


@pytest.mark.skipif(core() is None, reason="no compiled core")
@pytest.mark.parametrize("options", [[], ["--markup"]])
def test_random_lines_are_the_same(options: list[str]) -> None:
    maker = LineMaker(1, PAGES)
    lines = [maker.line() for _ in range(150)]
    assert differing(lines, options) == []
    out = b"".join(written(lines, COMPILED, options)[0])
    assert out.count(b'"error"') < 80 and out.count(b'"origin":') > 20


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    maker = LineMaker(2, [])
    lines = [maker.line() for _ in range(9)]
    monkeypatch.setattr(same_lines, "written", lambda some, walk, _: (walk if lines[5] in some else "", b""))
    assert differing(lines, []) == [lines[5]]
