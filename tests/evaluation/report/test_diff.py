"""Alignments for people to read."""

from __future__ import annotations

from ncfilters.evaluation.report.diff import CONTEXT, shown, written

DIFF = [("equal", ["", "<p>", "A", "title"]), ("delete", ["<h>", "Share", "this"]), ("insert", ["lost"])]


def test_as_cleaneval_writes_it() -> None:
    assert written(DIFF) == (
        "========================================\n"
        " <p> A title\n"
        "<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<< (false positive)\n"
        "<h> Share this\n"
        ">>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>> (false negative)\n"
        "lost\n"
    )
    assert written([]) == ""


def test_as_wdiff_shows_it() -> None:
    assert shown(DIFF[1:]) == "[-\n<h> Share this-] {+lost+}"
    assert shown([("equal", ["A", "title"]), ("delete", ["Share"])]) == "A title [-Share-]"
    assert shown([]) == ""


def test_markers_begin_lines() -> None:
    assert shown([("equal", ["", "<p>", "a", "<L>", "b"])]) == "<p> a\n<L> b"


def test_long_right_stretches_are_cut_short_and_no_others() -> None:
    words = [f"w{n}" for n in range(2 * CONTEXT + 3)]
    text = shown([("equal", words), ("delete", words), ("insert", words)])
    begin, _, rest = text.partition(" (… 3 words …) ")
    assert begin.split() == words[:CONTEXT]
    right, wrong, missed = rest.replace("{+", "[-").split(" [-")
    assert right.split() == words[-CONTEXT:]
    assert wrong.removesuffix("-]").split() == missed.removesuffix("+}").split() == words
    assert shown([("equal", words[1:])]) == " ".join(words[1:])
