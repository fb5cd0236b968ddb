"""Sentences: where readers end them, nothing lost, and joined again."""

from __future__ import annotations

import pytest
import sentencex

from ncfilters.segmentation import sentences
from ncfilters.selection.policies import threshold_policy
from ncfilters.selection.selector import SelectionOptions, select_text

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


def test_script_gives_the_language() -> None:
    assert sentences.split_text("Ο κ. Νίκου ήρθε. Ναι.") == ["Ο κ. Νίκου ήρθε.", "Ναι."]


@pytest.mark.parametrize(
    "text", ["", "   ", "\n\n", "a", "...", "No stop", "Z\xa0.[你", "B\u3000.", "a\u2028b. C", "x\r\ny"]
)
def test_spans_are_of_the_text_itself(text: str) -> None:
    spans = sentences.sentence_spans(text, "ja")
    assert all(text[a:b] == text[a:b].strip() != "" for a, b in spans)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())


def test_line_breaks_end_sentences() -> None:
    assert sentences.split_text("one\ntwo. Three\n") == ["one", "two.", "Three"]


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
        ("What is it? A test.", 0, 0),
        ("One here.", 1, 0),
        ("Two there.", 1, 11),
        ("Three", 1, 22),
        ("第一。", 2, 0),
        ("第二。", 2, 3),
        ("第三。", 2, 6),
        ("", 3, 0),
    ]
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


def test_kept_sentences_are_joined_and_others_tagged() -> None:
    scores = (1, -1, 2)
    cut = sentences.split_segments([{"text": "One. Two. Three.", "type": "p", "links": 0}], "en")
    document = {"id": "a", "segments": [{**s, "score": x, "perplexity": 8e3 + x} for s, x in zip(cut, scores)]}
    assert select_text(document, threshold_policy())["text"] == "One. Three."
    assert (
        select_text(document, threshold_policy(), SelectionOptions(tag="ppl"))["text"]
        == "One. <ppl 7999.00>Two.</ppl> Three."
    )
    for segment in document["segments"]:
        del segment["perplexity"]
    assert (
        select_text(document, threshold_policy(), SelectionOptions(tag="x"))["text"] == "One. <x -1.00>Two.</x> Three."
    )


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
    (joined,) = sentences.join_sentences([first, second], ["See <b>this</b>.", "And that one here."])
    assert "spans" not in joined
