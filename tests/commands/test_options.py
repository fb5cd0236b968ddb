"""Options that several commands share."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

from ncfilters.commands import options
from ncfilters.errors import UsageError
from ncfilters.page import page_options
from ncfilters.page.tree import html_parser

ROOT = Path(__file__).resolve().parents[2]


def filter_args(*argv: str) -> argparse.Namespace:
    parser = options.filter_parser("nc-test", "Tests.", "nc-test crawl.jsonl")
    options.add_format(parser, "text")
    options.add_fields(parser, "html", "text")
    options.add_gold(parser)
    return parser.parse_args(argv)


@pytest.mark.parametrize(
    ("text", "number"),
    [("1", 1), ("1000000", 1000000), ("2k", 2048), ("256M", 256 << 20), ("1G", 1 << 30), ("9" * 30, options.MAX_BYTES)],
)
def test_a_size_has_an_optional_unit(text: str, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NC_MAX_RECORD", text)
    assert options.stream_options("nc-test", filter_args()).max_record == number


@pytest.mark.parametrize("text", ["0", "0K", "-1", "1.5M", "1T", "K", "1 M"])
def test_a_malformed_size_is_an_error(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NC_MAX_RECORD", text)
    with pytest.raises(UsageError, match="NC_MAX_RECORD: .* is not a number of bytes such as 1000000 or 256M"):
        options.max_record()


def test_a_perplexity_is_a_number_above_0() -> None:
    assert options.perplexity("8e3") == 8000
    for text in ("0", "-1", "nan", "inf", "many"):
        with pytest.raises(argparse.ArgumentTypeError, match=f"^'{text}'"):
            options.perplexity(text)


def test_stream_options_are_those_of_the_command_line() -> None:
    args = filter_args("--strict", "-v", "-f", "msgpack", "--field", "html=body", "--field", "text=x", "a.jsonl")
    stream = options.stream_options("nc-test", args, batch_bytes=7)
    assert args.files == ["a.jsonl"]
    assert (stream.tool, stream.strict, stream.verbose) == ("nc-test", True, True)
    assert (stream.unbuffered, stream.output_format, stream.batch_bytes) == (False, "msgpack", 7)
    assert stream.fields == {"html": "body", "text": "x"}


def test_the_default_stream_options_change_nothing() -> None:
    stream = options.stream_options("nc-test", filter_args())
    assert (stream.max_record, stream.strict, stream.output_format, stream.fields) == (256 << 20, False, None, {})


def test_text_is_no_format_of_records() -> None:
    args = filter_args("-f", "text")
    assert options.stream_options("nc-test", args).output_format is None
    assert options.text_sink(args, str) is not None
    assert options.text_sink(filter_args(), str) is None


@pytest.mark.parametrize("text", ["html", "html=", "gold=x", "=x"])
def test_a_field_is_one_of_ours_and_has_a_name(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        filter_args("--field", text)
    assert f"argument --field: '{text}' is not html|text=NAME" in capsys.readouterr().err


def test_options_are_not_abbreviated(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        filter_args("--str")
    assert ended.value.code == 2
    assert "unrecognized arguments: --str" in capsys.readouterr().err


def test_start_up_compiles_no_source() -> None:
    """The first call of `compile` takes 2 ms. NamedTuple calls it for annotations that are strings."""
    code = "import builtins; del builtins.compile; from ncfilters.commands import segment; segment.main(['--quiet'])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_parsers_are_those_of_the_pages() -> None:
    assert tuple(html_parser.PARSERS) == page_options.PARSERS
