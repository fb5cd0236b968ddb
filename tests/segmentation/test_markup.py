"""Markup, sentences and formulas of segments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sentencex
from operations import assert_linear

from ncfilters import record
from ncfilters.native.page_table import table_of
from ncfilters.page.blocks.block_table import table_of as table_of_of_block_table
from ncfilters.page.markup.page_links import links_of_page
from ncfilters.page.metadata.declarations import declared_address
from ncfilters.page.profiles import PageOptions
from ncfilters.page.tree.html_parser import parse_html
from ncfilters.page.tree.survey import survey
from ncfilters.segmentation import markup, sentences
from ncfilters.segmentation.cleaning import clean_text
from ncfilters.segmentation.markup import cleaned_positions, mark_delimited
from ncfilters.segmentation.segmenter import segment_html
from ncfilters.selection.decision import policy
from ncfilters.selection.options import PolicyOptions
from ncfilters.selection.selector import select_text

MARKUP = PageOptions(markup=True)
PAGES = sorted((Path(__file__).parent.parent / "data" / "markup").glob("*.html"))


def marked(html: str) -> list[tuple[Any, ...]]:
    """The text that each span of a page covers, its kind and its value."""
    return [
        (segment["text"][start:end], *entry)
        for segment in segment_html(html, MARKUP)
        for start, end, *entry in segment.get("spans", ())
    ]


@pytest.mark.parametrize(
    ("html", "spans"),
    [
        ("<p>&shy;a&#8203; <i>b&#8203; c</i>", [("b c", "em")]),
        ("<p>e&#769; e&#769; <b>e&#769;a</b>", [("éa", "strong")]),
        ("<p>e<b>&#769; a</b>", [("a", "strong")]),
        ("<p>&#8203; <b>&#8203;</b> a", []),
        ("<h2>Title <a href=#x>¶</a></h2>", []),
        ("<h2><a href=#x>Title ¶</a></h2>", [("Title", "link", "#x")]),
        ("<p>Roses are <i>red</i>,<br>violets are <b>blue</b>.", [("red", "em"), ("blue", "strong")]),
        ("<h1>One <i>two</i><br><b>three</b> four</h1>", [("two", "em"), ("three", "strong")]),
        ("<pre>a</pre><pre>b</pre><pre><b>c</b> d</pre>", [("c", "strong")]),
        ("<table><tr><td>a&#8203;<td>&#8203;<td><i>b</i></table>", [("b", "em")]),
    ],
)
def test_spans(html: str, spans: list[tuple[Any, ...]]) -> None:
    assert marked(html) == spans


def test_lines_and_images_of_paragraphs() -> None:
    html = "<p>Roses are <i>red</i>,<br>violets <a href=x>are &#8203; blue</a>,<br><b>Sugar</b> is sweet."
    (segment,) = segment_html(html, MARKUP)
    text = segment["text"]
    assert [text[start:end] for start, end, *_ in segment["spans"]] == ["red", "are blue", "Sugar"]
    first, last = segment_html("<p>&#8203;<img src=a></p><p>A text.</p><p><img src=b>&#8203;</p>", MARKUP)[:1] * 2
    assert first["figure"] == [{"src": "a", "alt": ""}, {"src": "b", "alt": "", "after": True}]
    assert last is first


@pytest.mark.parametrize(
    "text", ["a\u200b  b", "\u200b \u200ba b\u200b ", "e\u0301x e\u0301", "a\x92b", "\u1100\u1161\u11a8 b", "a\n\n b"]
)
def test_positions_after_cleaning(text: str) -> None:
    new = clean_text(text)
    positions = cleaned_positions(text, new, range(len(text) + 1))
    assert positions == sorted(positions)
    assert (positions[0], positions[-1]) == (0, len(new))
    for at, place in enumerate(positions):
        if not text[at:] or not text[at - 1 : at].isspace() and text[at].isascii():
            assert clean_text(text[:at]) == new[:place].rstrip()


def test_text_is_the_same() -> None:
    html = (
        "<h1>A <b>title</b>¶</h1><p>One<br>two <img src=x> <i>three</i><ul><li>a<p>b</ul><table><tr><td>a<td>b</table>"
    )
    plain = [(segment["text"], segment["type"]) for segment in segment_html(html)]
    assert [(segment["text"], segment["type"]) for segment in segment_html(html, MARKUP)] == plain


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_spans_are_in_the_text_and_nested(page: Path) -> None:
    html = page.read_text(errors="replace")
    segments = segment_html(html, MARKUP)
    assert [segment["text"] for segment in segments] == [segment["text"] for segment in segment_html(html)]
    record.check_markup(segments, "segments")
    for segment in segments:
        ends = [len(segment["text"])]
        before = (0, -len(segment["text"]))
        for start, end, kind, *_ in segment.get("spans", ()):
            assert before <= (start, -end)
            before = (start, -end) if start < end or kind != "image" else (start, -len(segment["text"]))
            while len(ends) > 1 and ends[-1] <= start:
                ends.pop()
            assert end <= ends[-1] or start == end
            if start < end:
                ends.append(end)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_have_the_text_of_their_elements(page: Path) -> None:
    html = page.read_text(errors="replace")
    tree = parse_html(html)
    assert tree.root is not None
    table = table_of(tree.root)
    links = links_of_page(table, declared_address(survey(table)))
    texts: dict[str | None, list[Any]] = {}
    for node in tree.css("a[href]"):
        texts.setdefault(links.resolve(node.attributes["href"]), []).append(node)
    for segment in segment_html(html, MARKUP):
        for start, end, kind, *value in segment.get("spans", ()):
            if kind == "link" and not any(map(_is_rewritten, texts[value[0]])):
                own = _letters(segment["text"][start:end])
                assert any(own in _letters(node.text(deep=True)) for node in texts[value[0]])


def _is_rewritten(link: Any) -> bool:
    """Whether a link is in an element whose text is written in another way, or holds one."""
    return link.parent.tag in ("sup", "sub") or bool(link.css("sup, sub, math, script, style"))


def _letters(text: str) -> str:
    return "".join(clean_text(text).replace("¶", "").split())


def spans_of(text: str, **fields: Any) -> list[Any]:
    return marked_of_delimited_formulas({"text": text, **fields}).get("spans", [])


def marked_of_delimited_formulas(segment: dict[str, Any]) -> dict[str, Any]:
    """A segment with its formulas."""
    table = table_of_of_block_table([segment])
    mark_delimited(table)
    return table.record(0)


@pytest.mark.parametrize("text, expected", [
    (r"If \(x\) is", [[3, 8, "math", "x"]]), (r"\[ x \]", [[0, 7, "math", "x", "display"]]),
    ("A $$x^2$$ b", [[2, 9, "math", "x^2", "display"]]),
    (r"\begin{align}x\end{align}", [[0, 25, "math", r"\begin{align}x\end{align}", "display"]]),
    (r"\(a\) and \(b\)", [[0, 5, "math", "a"], [10, 15, "math", "b"]]), ("From $5 to $6, $$", []), (r"C:\(temp", []),
    (r"\(\)", []), (r"\begin{itemize}x\end{itemize}", []),
])  # fmt: skip
def test_formulas(text: str, expected: list[Any]) -> None:
    assert spans_of(text) == expected


@pytest.mark.parametrize("text, expected", [
    ("If $x^2$ is $n$ or $a_1 + b$", ["x^2", "n", "a_1 + b"]), (r"$\alpha$ costs $5 or $6", [r"\alpha"]),
    ("$n$ alone, $HOME_DIR/$USER and $PATH:$X", []), ("From $5-$6 to US$7 and $8$", []),
    (r"$x_i$ is in $\mathbb{R}$, and the word $word$ is not", ["x_i", r"\mathbb{R}"]), ("$ x^2 $ and $x^2$3", []),
])  # fmt: skip
def test_single_dollars(text: str, expected: list[str]) -> None:
    assert [span[3] for span in spans_of(text)] == expected


def test_other_spans_and_linear_time() -> None:
    assert spans_of(r"\(a_b\)", spans=[[2, 3, "em"]]) == [[0, 7, "math", "a_b"]]
    assert spans_of(r"\(a\)", spans=[[0, 5, "link", "b"]]) == [[0, 5, "link", "b"], [0, 5, "math", "a"]]
    assert spans_of(r"\(a\)", spans=[[0, 5, "code"]]) == [[0, 5, "code"]]
    assert spans_of(r"x\(a\)", spans=[[0, 4, "em"]]) == [[0, 4, "em"]]
    assert spans_of(r"\(a\)", code=1) == spans_of(r"\(a\)", pre=True) == []
    for text in (r"\(a", r"\(a\)", "$$a", r"\begin{align}a"):
        assert_linear(spans_of, lambda size, text=text: text * size, 500)


@pytest.mark.parametrize("opened", ["\\(", "\\[", "\\begin{align}", "\\( \\begin{align} \\[ "])
def test_formulas_after_delimiters_without_an_end_are_found(opened: str) -> None:
    text: Any = opened * (12_000 // len(opened)) + " x" * 2_100 + r" \(a\) $$b$$ \[c\] \begin{align}d\end{align}"
    assert [text[first:last] for first, last, *_ in spans_of(text)] == [
        r"\(a\)", "$$b$$", r"\[c\]", r"\begin{align}d\end{align}"
    ]  # fmt: skip


@pytest.mark.parametrize("text", [r"\(a \(b\) ", r"\[ \( x\] y\) ", r"\begin{align} \(x\end{align} ", "$a$ \\(\\) $$ "])
def test_long_texts_have_the_formulas_of_short_ones(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for minimum in (0, 1 << 40):
        monkeypatch.setattr(markup, "MIN_SEARCHED", minimum)
        found.append(spans_of(text * 300))
    assert found[0]
    assert found[0] == found[1]


# language → texts, with "|" between their sentences
SENTENCES = {
    "en": [
        "Mr. Brown and Dr. Lee met at 4 p.m. in St. Louis.|They left early.",
        "Prices rose 3.5% to $2.40.|Nobody minded.",
        "“Wait!” she cried.|“What for?” he asked.",
        "T. S. Eliot wrote it.|Read vol. 2, pp. 10-12, for more.",
        "See No. 7 of e.g. www.example.org/a.b for details...|It is short.",
        "He said no.|Then he went home.",
        "1. Open it.|2. Close it.",
    ],
    "el": ["Ο κ. Νίκου ήρθε στις 9 π.μ. χθες.|Γιατί;|Κανείς δεν ξέρει.", "Είναι το 4,5%, δηλ. 900 άτομα.|Αυτό είναι."],
    "pl": [
        "Prof. Nowak mieszka przy ul. Krótkiej 5.|To blisko.",
        "W 1999 r. sprzedano 2,5 mln szt. towaru, m.in. chleb.|I co?",
    ],
    "ru": ["А. П. Чехов родился в 1860 г. в Таганроге.|Он жил на ул. Чехова, д. 3.", "Ничего.|«Да!» — сказал он."],
    "zh": ["今天下雨。|你去哪儿？|价格是3.5元。", "他说：“我走了。”|真的！"],
}


@pytest.mark.parametrize("language", SENTENCES)
def test_sentences_end_where_readers_end_them(language: str) -> None:
    for item in SENTENCES[language]:
        expected = item.split("|")
        text = ("" if language == "zh" else " ").join(expected)
        assert sentences.split_text(text, language) == expected


def test_sentences_end_with_lines_in_the_language_of_the_script() -> None:
    assert sentences.split_text("Ο κ. Νίκου ήρθε. Ναι.") == ["Ο κ. Νίκου ήρθε.", "Ναι."]
    assert sentences.split_text("one\ntwo. Three\n") == ["one", "two.", "Three"]


@pytest.mark.parametrize(
    "text", ["", "   ", "\n\n", "a", "...", "No stop", "Z\xa0.[你", "B\u3000.", "a\u2028b. C", "x\r\ny"]
)
def test_spans_are_of_the_text_itself(text: str) -> None:
    spans = sentences.sentence_spans(text, "ja")
    assert all(text[a:b] == text[a:b].strip() != "" for a, b in spans)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())


@pytest.mark.parametrize(
    "text", ["word " * 100_000, "e.g. " * 100_000, "字" * 300_000, "A. " * 100_000, "a" * 1_000_000]
)
def test_long_texts_are_cut_into_windows(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    segment = sentencex.segment

    def record_size(code: str, part: str) -> list[str]:
        sizes.append(len(part))
        return segment(code, part)

    monkeypatch.setattr(sentencex, "segment", record_size)
    split = sentences.split_text(text, "en")
    assert "".join("".join(split).split()) == "".join(text.split())
    assert max(sizes) <= sentences.WINDOW_CHARS and sum(sizes) < 1.2 * len(text)


def test_segments_are_split_and_joined_again() -> None:
    segments = [
        {"text": "What is it? A test.", "type": "h", "links": 0},
        {"text": "One here.  Two there. Three", "type": "p", "links": 9, "path": "body/p"},
        {"text": "第一。第二。第三。", "type": "p", "links": 0},
        {"text": "", "type": "p", "links": 0},
    ]
    cut = sentences.split_segments(segments)
    assert [(s["text"], s["segment"], s["start"]) for s in cut] == [
        ("What is it? A test.", 0, 0), ("One here.", 1, 0), ("Two there.", 1, 11), ("Three", 1, 22), ("第一。", 2, 0),
        ("第二。", 2, 3), ("第三。", 2, 6), ("", 3, 0),
    ]  # fmt: skip
    assert [s["links"] for s in cut[1:4]] == [3, 4, 2] and cut[2]["path"] == "body/p"
    assert [s["text"] for s in sentences.join_sentences(cut)] == [
        "What is it? A test.",
        "One here. Two there. Three",
        "第一。第二。第三。",
        "",
    ]
    assert [s["text"] for s in sentences.join_sentences([cut[1], cut[3], cut[4], cut[6]])] == [
        "One here. Three",
        "第一。第三。",
    ]


def test_kept_sentences_are_joined() -> None:
    scores = (1, -1, 2)
    cut = sentences.split_segments([{"text": "One. Two. Three.", "type": "p", "links": 0}], "en")
    document = {"id": "a", "segments": [{**s, "score": x} for s, x in zip(cut, scores)]}
    assert select_text(document, policy(PolicyOptions("threshold")))["text"] == "One. Three."


def test_markup_is_split_and_joined_again() -> None:
    text = "See this. And that one here."
    segment = {
        "text": text,
        "type": "p",
        "spans": [[0, 14, "strong"], [4, 18, "link", "x"], [9, 9, "image", {"src": "y"}], [15, 27, "em"]],
        "figure": [{"src": "a"}, {"src": "b", "after": True}],
        "quote": 1,
    }
    first, second = sentences.split_segments([segment], "en")
    assert first["spans"] == [[0, 9, "strong"], [4, 9, "link", "x"], [9, 9, "image", {"src": "y"}]]
    assert second["spans"] == [[0, 8, "link", "x"], [0, 4, "strong"], [5, 17, "em"]]
    assert (first["figure"], second["figure"]) == ([{"src": "a"}], [{"src": "b", "after": True}])
    (joined,) = sentences.join_sentences([first, second])
    assert {name: joined[name] for name in segment} == segment
