"""Alignments for people to read."""

from __future__ import annotations

from ncfilters.evaluation.report.diff import CONTEXT_WORDS, cleaneval_diff, inline_diff

DIFF = [("equal", ["", "<p>", "A", "title"]), ("delete", ["<h>", "Share", "this"]), ("insert", ["lost"])]


def test_the_format_of_cleaneval() -> None:
    assert cleaneval_diff(DIFF) == (
        "========================================\n"
        " <p> A title\n"
        "<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<< (false positive)\n"
        "<h> Share this\n"
        ">>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>> (false negative)\n"
        "lost\n"
    )
    assert cleaneval_diff([]) == ""


def test_the_format_of_wdiff() -> None:
    assert inline_diff(DIFF[1:]) == "[-\n<h> Share this-] {+lost+}"
    assert inline_diff([("equal", ["A", "title"]), ("delete", ["Share"])]) == "A title [-Share-]"
    assert inline_diff([]) == ""


def test_markers_start_lines() -> None:
    assert inline_diff([("equal", ["", "<p>", "a", "<L>", "b"])]) == "<p> a\n<L> b"


def test_only_long_correct_runs_are_shortened() -> None:
    words = [f"w{n}" for n in range(2 * CONTEXT_WORDS + 3)]
    text = inline_diff([("equal", words), ("delete", words), ("insert", words)])
    begin, _, rest = text.partition(" (… 3 words …) ")
    assert begin.split() == words[:CONTEXT_WORDS]
    right, wrong, missed = rest.replace("{+", "[-").split(" [-")
    assert right.split() == words[-CONTEXT_WORDS:]
    assert wrong.removesuffix("-]").split() == missed.removesuffix("+}").split() == words
    assert inline_diff([("equal", words[1:])]) == " ".join(words[1:])
