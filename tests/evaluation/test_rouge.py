"""ROUGE-LSum, against rouge_score and by hand."""

from __future__ import annotations

import random

import pytest

from ncfilters.evaluation import rouge

PAGE = """The bridge over the Neckar is closed. It opens again in May, they say.
Nobody knows why it takes so long! The mayor said: "We are working on it." She left.

Opening hours
Monday to Friday, 9 to 17
The bridge is closed on Sunday, and on Monday it is closed too."""
EXTRACTED = """Home News Contact
The bridge over the Neckar is closed. It opens in May, they say.
The mayor said: "We work on it." She left. It is closed on Monday
Opening hours Monday to Friday
The bridge, the bridge, the bridge is closed"""


def _words(text: str) -> list[list[str]]:
    return [sentence.split() for sentence in rouge.rouge_sentences(text)]


def _reference(text: list[list[str]], gold: list[list[str]]) -> tuple[float, ...]:
    scorer = pytest.importorskip("rouge_score.rouge_scorer", reason="rouge_score is not installed")
    tokenizers = pytest.importorskip("rouge_score.tokenizers")

    class WhiteSpace(tokenizers.Tokenizer):
        def tokenize(self, text: str) -> list[str]:
            return text.split()

    measure = scorer.RougeScorer(["rougeLsum"], use_stemmer=False, tokenizer=WhiteSpace())
    target, prediction = ("\n".join(map(" ".join, side)) for side in (gold, text))
    return tuple(measure.score(target, prediction)["rougeLsum"])


def test_by_hand() -> None:
    # "the bridge is closed" and "today" of the gold text; "is" is not in the text a second time
    text = [["the", "old", "bridge", "is", "closed"], ["today"]]
    gold = [["the", "bridge", "is", "closed", "now"], ["it", "is", "today"]]
    assert rouge.rouge_lsum(text, gold) == (5 / 6, 5 / 8, 2 * (5 / 6) * (5 / 8) / (5 / 6 + 5 / 8))
    assert rouge.rouge_lsum([["it", "was", "closed"]], [["it", "was"], ["open"]]) == (2 / 3, 2 / 3, 2 / 3)


def test_the_union_joins_parts_of_a_sentence() -> None:
    assert rouge.rouge_lsum([["a", "b", "x"], ["y", "c", "d"]], [["a", "b", "c", "d"]])[:2] == (4 / 6, 1)


def test_words_out_of_order_do_not_match() -> None:
    assert rouge.rouge_lsum([["d", "c", "b", "a"]], [["a", "b", "c", "d"]])[:2] == (1 / 4, 1 / 4)


def test_a_word_matches_at_most_as_often_as_it_occurs() -> None:
    assert rouge.rouge_lsum([["a"]], [["a", "b"], ["a"], ["c", "a"], ["a"]])[:2] == (1, 1 / 6)


def test_repeated_gold_sentences_match_repeatedly() -> None:
    assert rouge.rouge_lsum([["a", "x", "b"], ["a", "b"]], [["a", "b"], ["a", "b"]])[:2] == (4 / 5, 1)
    assert rouge.rouge_lsum([["b", "a"], ["b", "a"]], [["a", "b"], ["a", "b"]])[:2] == (2 / 4, 2 / 4)


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("text", "gold", "hits"),
    [
        # of "a" and "b", as long as each other, the walk takes "a": with "b" the union would be both
        (["b a", "a x"], ["a b"], 1),
        # a last word that matches is taken at the last place …
        (["a", "b a"], ["a b a"], 2),
        # … and one before words that match nothing at the first
        (["a x", "b a"], ["a b a"], 3),
    ],
)
def test_the_choice_among_subsequences_is_rouge_scores(text: list[str], gold: list[str], hits: int) -> None:
    sides = [sentence.split() for sentence in text], [sentence.split() for sentence in gold]
    expected = tuple(hits / sum(map(len, side)) for side in sides)
    assert rouge.rouge_lsum(*sides)[:2] == expected
    assert _reference(*sides)[:2] == expected


@pytest.mark.parametrize(
    ("text", "gold", "expected"),
    [
        ([], [], (1, 1, 1)),
        ([[]], [[], []], (1, 1, 1)),
        ([["a"]], [], (0, 1, 0)),
        ([["a"]], [[]], (0, 1, 0)),
        ([], [["a"]], (0, 0, 0)),
        ([[]], [["a"]], (0, 0, 0)),
        ([["a"]], [["b"]], (0, 0, 0)),
        ([["a"], []], [[], ["a"]], (1, 1, 1)),
    ],
)
def test_sides_without_words(text: list[list[str]], gold: list[list[str]], expected: tuple[float, ...]) -> None:
    assert rouge.rouge_lsum(text, gold) == expected


@pytest.mark.oracle
@pytest.mark.parametrize("width", [1, 20, 4000])
@pytest.mark.parametrize("columns", [1, 3, 512])
def test_random_sentences_score_as_in_rouge_score(width: int, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rouge, "MAX_GROUP_WORDS", width)
    monkeypatch.setattr(rouge, "MAX_COLUMNS", columns)
    chance = random.Random(1000 * width + columns)

    def some(words: str) -> list[list[str]]:
        longest = chance.choice([3, 12, 40])
        return [chance.choices(words, k=chance.randint(1, longest)) for _ in range(chance.randint(1, 6))]

    for _ in range(150):
        # few words are many ties; words of one side alone are columns and places that nothing matches
        common = "abcdefgh"[: chance.randint(1, 8)]
        text = some(common + "xyz"[: chance.randint(0, 3)])
        gold = some(common + "uvw"[: chance.randint(0, 3)])
        assert rouge.rouge_lsum(text, gold) == _reference(text, gold), (text, gold)


@pytest.mark.oracle
def test_a_page_scores_as_in_rouge_score() -> None:
    page, extracted = _words(PAGE), _words(EXTRACTED)
    for text, gold in [(extracted, page), (page, extracted), (page[:3], page), (page, page)]:
        assert rouge.rouge_lsum(text, gold) == _reference(text, gold)
    assert rouge.rouge_lsum(page, page) == (1, 1, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is closed. Why? Nobody knows! Ask", ["It is closed.", "Why?", "Nobody knows!", "Ask"]),
        ("a heading\n\n  a line \r\nanother\n", ["a heading", "a line", "another"]),
        ("Version 3.5 of www.example.org", ["Version 3.5 of www.example.org"]),
        ("Well... what?! Yes", ["Well...", "what?!", "Yes"]),
        ("“It is.” He (who?) left.", ["“It is.”", "He (who?)", "left."]),
        ("Dr. Who", ["Dr.", "Who"]),
        ("大桥关闭。为什么？没人知道！好", ["大桥关闭。", "为什么？", "没人知道！", "好"]),
        ("「はい。」と言った。本当！？はい", ["「はい。」", "と言った。", "本当！？", "はい"]),
        ("one\u2028two\u00a0", ["one", "two"]),
        ("", []),
        (" \n\t\n", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert rouge.rouge_sentences(text) == expected


@pytest.mark.parametrize("run", ["." * 100_000, "." + ")" * 100_000, "。" * 100_000, ".)" * 50_000, " " * 100_000])
def test_long_runs_of_punctuation_are_split_without_loss(run: str) -> None:
    assert "".join(rouge.rouge_sentences(run + "x")) == (run + "x").strip()
