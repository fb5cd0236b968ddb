"""What each kind of model learns of pages and texts."""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import Any

import pytest
from invented import CHINESE, MENU, PAGES, learned, sentence

from ncfilters.dataset import labelled_pages as materials
from ncfilters.features.document import Document
from ncfilters.scoring import registry
from ncfilters.scoring.char_ngram.model import CharNgramModel
from ncfilters.scoring.justext import stoplist
from ncfilters.training import learners
from ncfilters.training.learners import LEARNERS

# ---- character models -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("differential", [False, True], ids=["labels", "differential"])
@pytest.mark.parametrize(("fold", "n"), [("ascii", 3), ("nonlexical", 6), ("frequent", 3)])
def test_a_model_tells_the_classes_apart(fold: str, n: int, differential: bool) -> None:
    made = learners.ngram(learned(PAGES), n, 0.5, fold, 30, differential)
    rnd = random.Random("new")
    clean = Document.of_texts([sentence(rnd) for _ in range(8)])
    dirty = Document.of_texts(MENU)
    got_clean, got_dirty = (found["score"] for found in made.evidence([clean, dirty]))
    assert min(got_clean) > 0
    assert max(got_dirty) < (0 if fold != "nonlexical" or not differential else min(got_clean))


def test_differential_is_dump_less_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    # where the gold text is, segment for segment, what was found clean, both ways count the same, but for the weights
    monkeypatch.setattr(materials, "SEGMENT_WEIGHT", 0.0)
    material = learned(PAGES)
    assert sorted(material.gold_texts()) == sorted(material.texts(True))
    some, other = (learners.ngram(material, 3, 0.5, "ascii", 0, differential) for differential in (False, True))
    sample = [Document.of_texts([*MENU, sentence(random.Random(3))])]
    assert some.evidence(sample)[0]["score"] == pytest.approx(other.evidence(sample)[0]["score"], abs=0.02)


def test_differential_hardly_minds_where_the_gold_text_has_its_paragraphs() -> None:
    joined = [{**some, "gold": some["gold"].replace("\n\n", " ")} for some in PAGES]
    some, other = (learners.ngram(learned(pages), 3, 0.5, "ascii", 0, True) for pages in (PAGES, joined))
    rnd = random.Random("new")
    sample = [Document.of_texts([sentence(rnd) for _ in range(8)])]
    assert other.evidence(sample)[0]["score"] == pytest.approx(some.evidence(sample)[0]["score"], rel=0.3)


def test_differential_counts_may_be_negative() -> None:
    more = [{**some, "gold": some["gold"] + "\n\nGold that stands on no page"} for some in PAGES]
    material = learned(more)
    made = learners.ngram(material, 3, 0.5, "ascii", 0, True)
    assert isinstance(made, CharNgramModel)
    assert (made.dirty < 0).any()


def test_frequent_keeps_the_most_frequent_characters() -> None:
    made = learners.ngram(learned([CHINESE] * 2), 2, 0.5, "frequent", 3, False)
    every = CHINESE["gold"] + "".join(text for text, _ in learned([CHINESE]).texts(False))
    kept = made.header()["characters"]
    assert len(kept) == 3 and list(kept) == sorted(kept)
    assert min(every.count(c) for c in kept) >= max(every.count(c) for c in every if c not in kept)


def test_an_empty_class_is_named() -> None:
    all_clean = learned([{"segments": [{"text": "text"}], "gold": "text"}])
    with pytest.raises(ValueError, match=r"no dirty segment \(pages: 1\)"):
        learners.ngram(all_clean, 3, 0.5, "ascii", 0, False)
    with pytest.raises(ValueError, match="no page with gold text"):
        learners.ngram(learned([]), 3, 0.5, "ascii", 0, False)


@pytest.mark.parametrize(("n", "q"), [(0, 0.5), (9, 0.5), (3, 0.0), (3, 1.0)])
def test_parameters_out_of_range(n: int, q: float) -> None:
    with pytest.raises(ValueError, match="[nq] is "):
        learners.ngram(learned(PAGES[:2]), n, q, "ascii", 0, False)


def test_a_model_of_chinese_pages() -> None:
    segments = [{"text": "登录"}, {"text": "大桥关闭。"}, {"text": "首页"}]
    trained = learners.ngram(learned([{"segments": segments, "gold": "大桥关闭。"}] * 3), 2, 0.5, "frequent", 50, False)
    assert trained.header()["characters"]
    clean, dirty = trained.evidence([Document.of_texts(["大桥关闭。", "登录"])])[0]["score"]
    assert clean > 0 > dirty


# ---- kinds ----------------------------------------------------------------------------------------------------


def args(**more: Any) -> argparse.Namespace:
    given = {"n": 3, "q": 0.5, "folding": "ascii", "characters": 200, "differential": False, "cv": None}
    given |= {"perplexity_limit": 8000.0, "min_count": 1, "size": 500, "coverage": None, "language": "en"}
    given |= {"estimator": "pyplexity", "tokens": "pyplexity", "lines": False, "memory": 1 << 30, "temp": None}
    given |= {"bias": 0.0, "context": 0.0, "fit": False, "scored": None, "name": ""}
    return argparse.Namespace(**{**given, **more})


ABOUT = {"description": "", "language": "", "credits": ["A", "B"], "seen": {"texts": 2}, "command": "x"}


def test_words_are_learned_from_gold_text_and_from_plain_texts_alike(tmp_path: Path) -> None:
    made = []
    for records in (
        [
            {"gold": "Some text here.", "html": "<p>Not this"},
            {"gold": {"markup": "URL: http://x/\n<h>Another\n<p>text."}},
        ],
        [{"text": "Some text here."}, {"text": "\n\nAnother\n\n\ntext."}],
        [{"text": "Some text here."}, {"text": "URL: http://x/\n<h>Another\n<p>text."}],
    ):
        learner = LEARNERS["word"].of(args(n=2))
        for record in records:
            learner.learn(dict(record))
        learner.write(tmp_path / "x.model", ABOUT)
        assert learner.seen()["texts"] == 2
        made.append(registry.load(str(tmp_path / "x.model")))
    sample = [Document.of_texts(["Some text", "another text.", "Not this", "h Another p text", "URL"])]
    scores = [each.evidence(sample)[0]["perplexity"] for each in made]
    assert scores[0] == scores[1] == scores[2]
    assert max(scores[0][:2]) < min(scores[0][2:])


@pytest.mark.parametrize("lines", [False, True])
def test_each_line_has_a_beginning_of_its_own(lines: bool, tmp_path: Path) -> None:
    learner = LEARNERS["word"].of(args(n=2, lines=lines, estimator="interpolated", tokens="words"))
    learner.learn({"text": "one two\n\n three\n \nfour"})
    assert learner.seen() == {"texts": 1, "characters": 22, "sentences": 3}
    learner.write(tmp_path / "x.model", ABOUT)
    found = registry.load(str(tmp_path / "x.model")).evidence([Document.of_texts(["three", "two"])])
    first, other = found[0]["perplexity"]
    assert first == pytest.approx(1 / (0.8 * 1 / 3 + 0.2 * 1 / 4 + 1e-6), rel=1e-6)
    assert other == pytest.approx(1 / (0.2 * 1 / 4 + 1e-6), rel=1e-6)


def test_a_stop_list_says_what_it_is_of(tmp_path: Path) -> None:
    learner = LEARNERS["stoplist"].of(args(size=2))
    learner.learn({"text": "the cat and the dog and the bird"})
    learner.learn({"gold": "The end"})
    learner.write(tmp_path / "x.txt", ABOUT)
    words, about = stoplist.read_stoplist(tmp_path / "x.txt")
    assert words == {"the", "and"}
    assert (about["credits"], about["words"], about["coverage"], about["kind"]) == ("A\nB", "2", "0.6", "stoplist")


@pytest.mark.parametrize("kind", ["word", "stoplist"])
@pytest.mark.parametrize("text", [None, "", " \n", "***"])
def test_nothing_is_learned_of_no_text(kind: str, text: str | None, tmp_path: Path) -> None:
    learner = LEARNERS[kind].of(args(n=2))
    if text is not None:
        learner.learn({"text": text})
    if (kind, text) == ("word", "***"):
        return  # that is a word to this kind
    with pytest.raises(ValueError, match="^nothing to learn from: no (text|word)"):
        learner.write(tmp_path / "x", ABOUT)
    assert not (tmp_path / "x").exists()


def test_a_stop_list_is_no_model_of_pages() -> None:
    with pytest.raises(ValueError, match="cannot be cross-validated"):
        LEARNERS["stoplist"].of(args()).trained(learned(PAGES[:1]))


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("ngram", {"n": 9}),
        ("ngram", {"q": 1.0}),
        ("ngram", {"characters": -1}),
        ("word", {"n": 4}),
        ("word", {"n": 2, "estimator": "pyplexity-misaligned"}),
        ("word", {"n": 2, "temp": "/nowhere/at/all"}),
        ("word", {"n": 2, "perplexity_limit": 0.0}),
        ("word", {"n": 2, "min_count": 0}),
        ("stoplist", {"size": 0}),
        ("stoplist", {"coverage": 1.5}),
    ],
)
def test_parameters_are_checked_by_kind(kind: str, wrong: dict[str, Any]) -> None:
    LEARNERS[kind].check(args(n=LEARNERS[kind].n))
    with pytest.raises(ValueError):
        LEARNERS[kind].check(args(**{"n": LEARNERS[kind].n, **wrong}))
