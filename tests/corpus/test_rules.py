"""The rules that filter documents, and states: what is permanent, and what is refused."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from ncfilters.corpus.rules import ENOUGH_SENTENCES, RULES, SETS, Measures, broken, chosen
from ncfilters.corpus.state import State
from ncfilters.errors import UsageError
from ncfilters.text.words import tokens

# Words that differ, so that nothing repeats.
WORDS = [f"w{number:03}x" for number in range(900)]


def names(text: str, rules: str = "c4,gopher,fineweb", language: str = "en") -> list[str]:
    return [mark["rule"] for mark in broken(Measures(text, language), chosen(rules), language)]


def lines(count: int, *others: str) -> str:
    """*count* lines that differ, and *others*."""
    return "\n".join([*(f"line {WORDS[number]} it is what it is" for number in range(count)), *others])


# rule, the last text that keeps it, the first that breaks it
EDGES = [
    ("c4.sentences", "It rained all day long. " * 3, "It rained all day long. " * 2),
    ("c4.lorem-ipsum", "lorem", "Lorem ipsum"),
    ("c4.curly-brackets", "a }", "a {"),
    ("gopher.words", " ".join(WORDS[:50]), " ".join(WORDS[:49])),
    ("gopher.words", "a " * 100_000, "a " * 100_001),
    ("gopher.word-length", "abc abc", "abc ab"),
    ("gopher.word-length", "abcdefghij", "abcdefghijk"),
    ("gopher.hashes", "# " + "a " * 9, "# " + "a " * 8),
    ("gopher.ellipses", "… " + "a " * 9, "… " + "a " * 8),
    ("gopher.bullet-lines", "- a\n" * 9 + "b", "- a\n" * 10 + "b"),
    ("gopher.ellipsis-lines", "a…\n" * 3 + "b\n" * 7, "a…\n" * 4 + "b\n" * 7),
    ("gopher.alphabetic-words", "a b c d 5", "a b c 4 5"),
    ("gopher.stop-words", "the of", "the the"),
    ("gopher.repeated-lines", "a\nb\nc\nd\ne\nf\ng\na\na\na", "a\nb\nc\nd\ne\nf\na\na\na"),
    ("gopher.repeated-paragraphs", "\n\n".join("abcdefgaaa"), "\n\n".join("abcdefaaa")),
    ("gopher.repeated-line-chars", f"aaaa\n{'x' * 10}\naaaa", f"aaaa\n{'x' * 9}\naaaa"),
    ("gopher.repeated-paragraph-chars", f"aaaa\n\n{'x' * 8}\n\naaaa", f"aaaa\n\n{'x' * 7}\n\naaaa"),
    # two "a b" are 6 characters
    ("gopher.top-2-gram", f"a b c a b {'x' * 20}", f"a b c a b {'x' * 19}"),
    ("gopher.top-3-gram", f"a b c d a b c {'x' * 42}", f"a b c d a b c {'x' * 41}"),
    ("gopher.top-4-gram", f"a b c d e a b c d {'x' * 70}", f"a b c d e a b c d {'x' * 69}"),
    ("fineweb.ended-lines", lines(21, "a.", "b.", "c."), lines(22, "a.", "b.", "c.")),
    ("fineweb.short-lines", "a\n" * 66 + f"{'z' * 30}\n" * 34, "a\n" * 67 + f"{'z' * 30}\n" * 33),
    ("fineweb.repeated-line-chars", f"aaaa\n{'x' * 33}\naaaa", f"aaaa\n{'x' * 32}\naaaa"),
    ("fineweb.line-breaks", "a\nb\nc\nd e f g h i j", "a\nb\nc\nd\ne f g h i j"),
]  # fmt: skip
# A repeated n-gram of one-letter words: n characters of the limit's number.
EDGES += [
    (
        f"gopher.repeated-{n}-grams",
        f"{' '.join('abcdefghij'[:n])} {' '.join('abcdefghij'[:n])} {'x' * (size - 4 * n)}",
        f"{' '.join('abcdefghij'[:n])} {' '.join('abcdefghij'[:n])} {'x' * (size - 4 * n - 1)}",
    )
    # the least size of a text in which n characters are not above the threshold
    for n, size in ((5, 34), (6, 43), (7, 54), (8, 67), (9, 82), (10, 100))
]


def test_rules_have_edges_and_are_0_for_an_empty_text() -> None:
    assert {name for name, _, _ in EDGES} == {rule.name for rule in RULES}
    assert {rule.measure(Measures("", "")) for rule in RULES} == {0}


@pytest.mark.parametrize(("rule", "kept", "broken_by"), EDGES, ids=[name for name, _, _ in EDGES])
def test_a_rule_holds_up_to_its_threshold(rule: str, kept: str, broken_by: str) -> None:
    assert (names(kept, rule), names(broken_by, rule)) == ([], [rule])


def test_rules_of_languages_and_sets() -> None:
    assert names("今天下雨了。", "gopher.stop-words,gopher.word-length,c4.sentences", "zh") == []
    assert names("Es regnete.", "gopher.stop-words,gopher.word-length", "de") == []
    assert names("ab ab", "gopher.stop-words,gopher.word-length", "de") == ["gopher.word-length"]
    assert names("ab ab", "gopher.stop-words", "") == ["gopher.stop-words"]
    assert [rule.name for rule in chosen("gopher.words, c4")] == [
        "c4.sentences",
        "c4.lorem-ipsum",
        "c4.curly-brackets",
        "gopher.words",
    ]
    assert chosen(",".join(SETS)) == list(RULES)
    for wrong in ("", "c5", "gopher.", "gopher,,c4"):
        with pytest.raises(ValueError, match="no rule"):
            chosen(wrong)


@pytest.mark.parametrize(("name", "text", "value"), [
    ("gopher.words", "One two, 3 – !", 3), ("gopher.words", "我的書。", 3), ("gopher.word-length", "One three.", 4),
    ("gopher.hashes", "# a b c", 1 / 4), ("gopher.ellipses", "a... b… c", 2 / 5),
    ("gopher.bullet-lines", "• a\n  - b\n\nc\nd", 1 / 2), ("gopher.ellipsis-lines", "a...\nb… \n\nc", 2 / 3),
    ("gopher.alphabetic-words", "a 1b 2 .", 1 / 2), ("gopher.stop-words", "the the of The", 2),
    ("gopher.repeated-lines", "a\nb\n\na\na", 1 / 2), ("gopher.repeated-line-chars", "ab\nc\nab", 2 / 7),
    ("fineweb.repeated-line-chars", "ab\nc\nab", 2 / 5), ("gopher.repeated-paragraphs", "a\nb\n\na\n\na\nb", 1 / 3),
    ("gopher.repeated-paragraph-chars", "a\n\na", 1 / 4),
    ("c4.sentences", "It rained all day here. It stopped at night again.\nMenu\nNobody went out before that!", 3),
    ("c4.sentences", "It rained all day long. " * 50, ENOUGH_SENTENCES),
    ("c4.lorem-ipsum", "Lorem Ipsum lorem ipsum", 2), ("c4.curly-brackets", "a { b }", 1),
    ("fineweb.ended-lines", "a.\nb?\n\nc\n你。", 3 / 4), ("fineweb.short-lines", f"{'x' * 29}\n{'x' * 30}", 1 / 2),
    ("fineweb.line-breaks", "a b\n\nc d", 1 / 2),
])  # fmt: skip
def test_the_measure_of_a_rule(name: str, text: str, value: float) -> None:
    (rule,) = chosen(name)
    assert rule.measure(Measures(text, "en")) == pytest.approx(value)


# ---- datatrove ----------------------------------------------------------------------------------------------------
def made_texts(count: int) -> Iterator[str]:
    """Documents of which about half break some rule."""
    rnd = random.Random(7)
    common = "the be to of and that have with rain town harbour bridge people evening".split()
    for _ in range(count):
        pool = [*common, *rnd.sample(WORDS, 300)] if rnd.random() < 0.8 else rnd.sample(WORDS, rnd.randint(3, 60))
        made = []
        for _ in range(rnd.randint(1, 30)):
            line = " ".join(rnd.choice(pool) for _ in range(rnd.randint(1, 15)))
            line = rnd.choice(["", "", "", "- ", "# ", "12 3 4 "]) + line + rnd.choice([".", ".", "", "…", "...", "!"])
            made += [line] * rnd.choice([1, 1, 1, 1, 1, 2, 3])
        yield "\n".join(made)


# a rule's set → the filter of datatrove and the options with which it has the thresholds of the paper
PEERS = {
    "gopher-quality": ("GopherQualityFilter", {}),
    "gopher-repetition": ("GopherRepetitionFilter", {}),
    "fineweb": ("FineWebQualityFilter", {"char_duplicates_ratio": 0.1, "short_line_length": 29}),
}


@pytest.mark.oracle
@pytest.mark.parametrize("peer", PEERS)
def test_datatrove_decides_the_same(peer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same words. Where it differs otherwise: the thresholds of fineweb themselves, which the
    paper drops; empty lines, which are lines of its Gopher; C4 counts 5 sentences in lines of 3 words, as the first
    version of the paper, and looks for "lorem ipsum" and brackets only in lines that it keeps."""
    filters = pytest.importorskip("datatrove.pipeline.filters", reason="datatrove is not installed")
    data = pytest.importorskip("datatrove.data", reason="datatrove is not installed")
    name, their_options = PEERS[peer]
    theirs = getattr(filters, name)(**their_options)
    monkeypatch.setattr(f"{type(theirs).__module__}.split_into_words", lambda text, language: tokens(text))
    gopher = [rule.name for rule in chosen("gopher")]
    repetition = {rule for rule in gopher if "repeated" in rule or ".top" in rule}
    own = {"gopher-quality": set(gopher) - repetition, "gopher-repetition": repetition}.get(peer, {"fineweb"})
    decisions = []
    for text in made_texts(400):
        decision = theirs.filter(data.Document(text, "1"))
        kept = decision if isinstance(decision, bool) else decision[0]
        decisions.append(kept)
        assert kept is (names(text, ",".join(own)) == []), (decision, names(text, ",".join(own)), text)
    assert 40 < sum(decisions) < 360


TABLES = "CREATE TABLE entries (key INTEGER PRIMARY KEY)"
MEMORY = 1 << 24


def state(path: Path, settings: dict[str, object] | None = None) -> State:
    return State(str(path), settings or {"kind": "x"}, TABLES, MEMORY)


def filled(path: Path, count: int = 20_000) -> None:
    one = state(path)
    one.add("INSERT INTO entries VALUES (?)", [(number * 7,) for number in range(count)])
    one.commit({"n": count})
    one.close()


def test_what_is_committed_stays_and_others_wait(tmp_path: Path) -> None:
    filled(tmp_path / "a", 3)
    one = state(tmp_path / "a")
    one.add("INSERT INTO entries VALUES (?)", [(1,)])
    one.close()
    one = state(tmp_path / "a")
    assert one.rows("SELECT key FROM entries") == [(0,), (7,), (14,)]
    assert one.meta()["n"] == 3
    one = state(tmp_path / "b")
    with pytest.raises(UsageError, match="in use by another process"):
        state(tmp_path / "b")
    one.close()
    state(tmp_path / "b").close()


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"kind": "y"}, "made with kind: x, and now with kind: y"), ({"kind": "x", "n": 5}, "no n, and now with n: 5")],
)
def test_other_settings_are_refused(settings: dict[str, object], message: str, tmp_path: Path) -> None:
    filled(tmp_path / "a", 3)
    with pytest.raises(UsageError, match=message):
        state(tmp_path / "a", settings)


def test_another_version_is_refused(tmp_path: Path) -> None:
    one = state(tmp_path / "a")
    one.commit({"version": 99})
    one.close()
    with pytest.raises(UsageError, match="version 99"):
        state(tmp_path / "a")


@pytest.mark.parametrize("share", [0.001, 0.3, 0.9])
def test_a_file_that_is_cut_is_refused(share: float, tmp_path: Path) -> None:
    filled(tmp_path / "a")
    whole = (tmp_path / "a").read_bytes()
    (tmp_path / "a").write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(UsageError, match="truncated|no state|malformed|not a database"):
        state(tmp_path / "a")


def test_files_that_are_no_state(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"{}\n" * 100)
    (tmp_path / "folder").mkdir()
    with sqlite3.connect(tmp_path / "foreign") as foreign:
        foreign.execute("CREATE TABLE meta (name TEXT, value TEXT)")
        foreign.execute("INSERT INTO meta VALUES ('settings', 'no JSON')")
    with sqlite3.connect(tmp_path / "other") as other:
        other.execute("CREATE TABLE pages (id TEXT)")
    for name in ("foreign", "other"):
        with pytest.raises(UsageError, match="no state of nc-dedup"):
            state(tmp_path / name)
    for name, message in (("a", "no state"), ("folder", "Is a directory"), ("none/a", "unable to open")):
        with pytest.raises(UsageError, match=message):
            state(tmp_path / name)
    with pytest.raises(UsageError, match="there is no such state"):
        State(str(tmp_path / "b"), None, "", MEMORY)


def test_merging_refuses_what_does_not_fit(tmp_path: Path) -> None:
    one, other = state(tmp_path / "a"), state(tmp_path / "b", {"kind": "y"})
    with pytest.raises(UsageError, match="other settings"):
        one.merge(other, "INSERT INTO entries SELECT key FROM other.entries")
    other = state(tmp_path / "c")
    other.commit({"run": {"complete": False}})
    with pytest.raises(UsageError, match="unfinished run"):
        one.merge(other, "INSERT INTO entries SELECT key FROM other.entries")
