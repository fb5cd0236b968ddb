"""Pages for the comparison of columns with the Python modules: scored segments with odd texts, paths and fields."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from ncfilters.record import Record
from ncfilters.roles import ROLES

_WORDS = [
    "rain",
    "Rain",
    "RAIN",
    "the",
    "a_b",
    "I'm",
    "Straße",
    "STRASSE",
    "中文字",
    "ไทย",
    "\u212a",
    "ﬁ",
    "👍",
    "–",
    "\x1f",
    "\u3000",
    "é",
    "e\u0301",
    "…",
    '"',
    "\\",
    "1,000",
]
_STEPS = [
    "body",
    "article",
    "article#a.b",
    "div",
    "div.x-y",
    "table",
    "table-row",
    "tableé",
    "table.t",
    "tr",
    "ul",
    "ol#ż",
    "li",
    "menu",
    "dl",
    "dt",
    "dd",
    "dt-x",
    "h1",
    "h2#id",
    "h3x",
    "h4é",
    "header",
    "p",
    "",
    "...",
]
_breaks = st.sampled_from([" ", " ", "\n", "\r\n", " \r", "\n\n", "\t", "\x85\n"])
_texts = st.one_of(
    st.lists(st.tuples(st.sampled_from(_WORDS), _breaks), max_size=12).map(
        lambda pairs: "".join(word + space for word, space in pairs)
    ),
    st.lists(st.sampled_from(_WORDS), max_size=30).map(" ".join),
    st.sampled_from(["", " ", "\n", "It rained all day", "It rained, all day!", "so it went on " * 12, "row\tcell"]),
)
_paths = st.lists(st.sampled_from(_STEPS), max_size=7).map("/".join)
_few_paths = st.sampled_from(["body/article/p", "body/article/ul/li", "body/nav/ul/li", "body/x/h2", "body/dl/dt"])
_scores = st.one_of(
    st.floats(-9, 9).map(lambda score: round(score, 2)),
    st.integers(-3, 3),
    st.sampled_from([0.0, -0.0, 1e-7, 999.5, -1000, 12.345678901234]),
)
_shares = st.integers(0, 1000).map(lambda number: number / 1000)
_OPTIONAL: dict[str, Any] = {
    "rule": st.sampled_from(["nav", "embedded", "links"]),
    "origin": st.sampled_from(["json-ld", "noscript", "shadow"]),
    "hidden": st.sampled_from(["display", "aria"]),
    "marker": st.sampled_from(["*", "1."]),
    "tag": st.sampled_from(["tr", "p", "h1"]),
    "pre": st.booleans(),
    "lines": st.booleans(),
    "links": st.integers(0, 40),
    "score_article": _scores | st.none(),
    "score_all": _scores,
    "other": st.sampled_from([None, [1, {"a": "b\n"}], {"score": 7}, "x", -1.5e-3, 10**20]),
}
_required = {"text": _texts, "type": st.sampled_from("phl"), "score": _scores}
_plain = st.fixed_dictionaries(_required, optional={**_OPTIONAL, "path": _paths | _few_paths})
_with_roles = st.fixed_dictionaries(
    {**_required, "path": _few_paths | _paths, "role": st.sampled_from(ROLES), "role_probability": _shares},
    optional=_OPTIONAL,
)
# Segments of a page.
pages = st.lists(_plain, max_size=12) | st.lists(_with_roles, max_size=25)
# What nc-score says of a page.
evidence = st.fixed_dictionaries(
    {"odds": st.sampled_from([-8.0, -7.0, 3, 5.5])},
    optional={
        "types": st.dictionaries(
            st.sampled_from(["article", "documentation", "listing", "collection"]), st.sampled_from([0, 0.1, 0.25, 0.8])
        )
    },
)
# Fields of records that are not read from columns.
rest: Record = {"id": "a", "url": "https://example.org/x", "head": {"title": "It rained all day | Example"}}
