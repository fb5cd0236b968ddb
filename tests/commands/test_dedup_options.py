"""Options of nc-dedup that exclude each other, and wrong values."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ncfilters.commands import dedup

Verb = Callable[..., tuple[int, bytes, str]]
DOCUMENTS = [{"id": "a", "text": "It rained."}]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--near", "--exact"], "not allowed with"),
        (["--near", "--ngrams", "3"], "--ngrams"),
        (["--near", "--ignore-digits"], "--ignore-digits requires --exact or --paragraphs"),
        (["--threshold", "2", "--near"], "not a share"),
        (["--ngrams", "0"], "not a number from 1 to 1000"),
        (["--paragraphs", "--two-pass"], "--two-pass requires --exact or --near"),
        (["--prefer", "best"], "--prefer requires --two-pass"),
        (["--resume"], "--resume requires --state, -o and files"),
        (["--state", "/none/a.db"], "unable to open"),
        (["--state", ""], "the name of the file is empty"),
        (["--state", "x", "-o", "x"], "-o x: is --state, too"),
        (["-o", "x.jsonl", "--report", "./x.jsonl"], "--report ./x.jsonl: is -o, too"),
        (["-o", "x.parquet"], "writes records"),
    ],
)
def test_usage_errors(options: list[str], message: str, verb: Verb) -> None:
    try:
        status, out, err = verb(dedup.main, *options, stdin=DOCUMENTS)
    except SystemExit as error:
        assert error.code == 2
        return
    assert (status, out) == (2, b"") and message in err


def test_a_file_is_no_length_of_ngrams(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text("")
    with pytest.raises(SystemExit):
        dedup.main(["--ngrams", str(path)])
    assert f"before it, give the number: --ngrams 5 {path}" in capsys.readouterr().err


def test_an_input_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"text": "a"}\n')
    for option in ("-o", "--state", "--report"):
        assert dedup.main([option, str(path), str(path)]) == 2
    assert path.read_text() == '{"text": "a"}\n'
