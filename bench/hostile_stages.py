"""The stages that `bench/hostile.py` measures: each makes a line of a line, as its command does.

work_of("score")(warm_line("segment"))
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import orjson

from bench.hostile_pages import ORDINARY

Work = Callable[[bytes], bytes]


def segment(**options: Any) -> Work:
    """nc-segment."""
    from ncfilters.page.profiles import PageOptions
    from ncfilters.segmentation.head_fields import complete_head
    from ncfilters.segmentation.page_language import with_language
    from ncfilters.segmentation.segmenter import segment_record

    options_of_pages = PageOptions(**options)

    def work(line: bytes) -> bytes:
        return orjson.dumps(complete_head(with_language(segment_record(orjson.loads(line), options_of_pages))))

    return work


def normalize() -> Work:
    """nc-normalize."""
    from ncfilters.page.tidy import tidy_html

    return lambda line: tidy_html(orjson.loads(line)["html"]).encode("utf-8", "replace")


def score(model: str) -> Work:
    """nc-score."""
    from ncfilters.scoring import registry
    from ncfilters.scoring.one_thread import one_thread
    from ncfilters.scoring.scorer import Scorer

    scorer = Scorer([registry.load_named(model)])

    def work(line: bytes) -> bytes:
        with one_thread:
            return orjson.dumps(scorer([orjson.loads(line)])[0])

    return work


def select(form: str, **options: Any) -> Work:
    """nc-select."""
    from ncfilters.scoring import registry
    from ncfilters.selection import policies
    from ncfilters.selection.selector import SelectionOptions, select_text

    policy = policies.policy(policies.PolicyOptions(**options))
    quality = registry.find_quality(None, False)
    chosen = SelectionOptions(form)

    def work(line: bytes) -> bytes:
        return orjson.dumps(select_text(orjson.loads(line), policy, chosen, quality))

    return work


# stage → the stage whose output it reads, and what makes it
STAGES: dict[str, tuple[str, Callable[[], Work]]] = {
    "segment": ("", lambda: segment()),
    "markup": ("", lambda: segment(markup=True)),
    "dense": ("", lambda: segment(markup=True, dense=True)),
    "justext": ("", lambda: segment(profile="justext")),
    "normalize": ("", normalize),
    "score": ("segment", lambda: score("en")),
    "score ncleaner-en": ("segment", lambda: score("ncleaner-en")),
    "score perplexity-en": ("segment", lambda: score("perplexity-en")),
    "score justext-en": ("justext", lambda: score("justext-en")),
    "scored": ("markup", lambda: score("en")),
    "plain": ("scored", lambda: select("plain")),
    "markdown": ("scored", lambda: select("markdown")),
    "html": ("scored", lambda: select("html")),
    "xml": ("scored", lambda: select("xml")),
    "vertical": ("scored", lambda: select("vertical")),
    "justext decision": ("score justext-en", lambda: select("plain", method="justext")),
}


@cache
def work_of(stage: str) -> Work:
    """The work of a stage, loaded once and tried on a page."""
    before, make = STAGES[stage]
    work = make()
    work(warm_line(before))
    return work


@cache
def warm_line(stage: str) -> bytes:
    """An ordinary page as the stages after this one read it."""
    line = orjson.dumps({"id": "a", "url": "http://a.example/", "html": ORDINARY})
    return work_of(stage)(warm_line(STAGES[stage][0])) if stage else line


def with_inputs(stages: Sequence[str]) -> list[str]:
    """The stages and those whose output they read, each after its input."""
    out: dict[str, None] = {}

    def add(stage: str) -> None:
        if stage:
            add(STAGES[stage][0])
            out[stage] = None

    for stage in stages:
        add(stage)
    return list(out)
