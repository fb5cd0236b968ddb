"""Options that several commands share."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from examples import COMMANDS, option_parser
from examples import options as command_options

from ncfilters.commands import options, segment
from ncfilters.commands.command_parser import MOST_USED, short_help
from ncfilters.commands.completion import PLACES, script, write
from ncfilters.errors import UsageError
from ncfilters.page import page_options
from ncfilters.page.tree import html_parser


def filter_args(*argv: str) -> argparse.Namespace:
    parser = options.filter_parser("nc-test", "Tests.", "nc-test crawl.jsonl")
    options.add_format(parser, "text")
    options.add_fields(parser, "html", "text")
    options.add_gold(parser)
    return parser.parse_intermixed_args(argv)


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What a parser that ends the program prints: of help on standard output, of an error on standard error."""

    def ended(parse: Callable[..., Any], *arguments: str, status: int = 2) -> str:
        with pytest.raises(SystemExit) as end:
            parse(arguments)
        assert end.value.code == status
        return "".join(capsys.readouterr())

    return ended


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
    stream = options.stream_options("nc-test", filter_args())
    assert (stream.max_record, stream.strict, stream.output_format, stream.fields) == (256 << 20, False, None, {})
    assert options.stream_options("nc-test", filter_args("-f", "text")).output_format is None
    assert options.text_sink(filter_args("-f", "text"), str) is not None
    assert options.text_sink(filter_args(), str) is None


def test_start_up_compiles_no_source() -> None:
    """The first call of `compile` takes 2 ms. NamedTuple calls it for annotations that are strings."""
    for start in ("", "import builtins; del builtins.compile; "):  # the first one compiles modules that have changed
        code = f"{start}from ncfilters.commands import segment; segment.main(['--quiet'])"
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, "")


def test_the_parsers_are_those_of_the_pages() -> None:
    assert tuple(html_parser.PARSERS) == page_options.PARSERS


# ---- the option parser of commands ----
@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("--verbos", "unrecognized arguments: --verbos (similar: --verbose)"),
        ("--colour", "unrecognized arguments: --colour"),
        ("--str", "unrecognized arguments: --str (similar: --strict)"),  # options are not abbreviated
        ("-z", "unrecognized arguments: -z"),
        ("--quiet=x", "argument -q/--quiet: ignored explicit argument 'x'"),
        *(
            (f"--field={x}", f"argument --field: '{x}' is not html|text=NAME")
            for x in ("html", "html=", "gold=x", "=x")
        ),
    ],
)
def test_a_usage_error_is_one_line(argument: str, message: str, printed: Callable[..., str]) -> None:
    assert printed(lambda words: filter_args(*words), argument) == f"nc-test: {message}; try nc-test --help\n"


def test_a_missing_argument_is_named_with_its_choices(printed: Callable[..., str]) -> None:
    parser = options.filter_parser("nc-test", "A test.", "nc-test", [("kind", {"choices": ["long", "short"]})])
    told = printed(parser.parse_intermixed_args)
    assert told == "nc-test: the following arguments are required: kind (long, short); try nc-test --help\n"


@pytest.mark.parametrize(("name", "fetching"), [
    ("https://a.example/b?c=d", "curl -L 'https://a.example/b?c=d' | nc-segment --url 'https://a.example/b?c=d'"),
    ("HTTP://a.example", "curl -L 'HTTP://a.example' | nc-segment --url 'HTTP://a.example'"),
    ("https://a.example/b.warc.gz?c", "curl -L 'https://a.example/b.warc.gz?c' | nc-segment"),
])  # fmt: skip
def test_an_address_among_the_files_says_how_to_fetch_it(name: str, fetching: str, printed: Callable[..., str]) -> None:
    told = printed(segment.option_parser().parse_intermixed_args, "--markup", name)
    assert told == f"nc-segment: {name}: an address, not a file; to fetch it: {fetching}\n"


def test_a_file_may_have_the_name_of_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "http:" / "a.example").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert segment.option_parser().parse_intermixed_args(["http://a.example"]).files == ["http://a.example"]


# What the options of all commands must not exceed.
MAX_OPTIONS = 233


def test_all_commands_have_few_options() -> None:
    found = {command: len(list(command_options(command))) for command in COMMANDS}
    print(sum(found.values()), found)
    assert sum(found.values()) <= MAX_OPTIONS


@pytest.mark.parametrize(("command", "option", "instead"), [
    ("nc-select", "--per-char", "scores of models are of segments"),
    ("nc-score", "--length-low=5", "--set length-low=N of nc-score sets it"),
    ("nc-clean", "-t", "the pipe nc-segment | "), ("nc-spark", "--policy=article", "--clean 'OPTIONS' takes it"),
    ("nc-eval", "--max-record=1G", "NC_MAX_RECORD in the environment"),
    ("nc-segment", "--html-field=clean", "--field html=NAME"), ("nc-warc", "--unbuffered", "with NC_UNBUFFERED=1"),
])  # fmt: skip
def test_an_option_that_left_names_what_replaces_it(
    command: str, option: str, instead: str, printed: Callable[..., str]
) -> None:
    told = printed(option_parser(command).parse_intermixed_args, option)
    assert told.startswith(f"{command}: {option.partition('=')[0]} is gone: {instead}")


# ---- the help of commands ----
SCREEN_LINES, SCREEN_COLUMNS = 32, 80
OPTION = re.compile(r"^  (-[\w-]+)", re.M)


@pytest.mark.parametrize("command", sorted(MOST_USED))
def test_the_short_help_is_a_screen_of_at_most_ten_options(command: str) -> None:
    parser, most_used = option_parser(command), MOST_USED[command].split()
    lines = short_help(parser).splitlines()
    assert len(lines) <= SCREEN_LINES and max(map(len, lines)) <= SCREEN_COLUMNS
    assert 5 <= len(OPTION.findall("\n".join(lines))) == len(most_used) <= 10
    assert set(most_used) <= {action.dest for action in parser._actions}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_long_help_has_each_option_once(command: str) -> None:
    parser = option_parser(command)
    names = OPTION.findall(parser.format_help())
    assert sorted(names) == sorted(action.option_strings[0] for action in parser._actions if action.option_strings)


def test_the_options_of_the_stages_have_the_groups_of_all() -> None:
    headings = re.findall(r"^(\w[\w ]*):$", option_parser("nc-clean").format_help(), re.M)
    own = ["input", "model", "what is content", "form", "output", "crawl", "general", "example", "see also"]
    assert headings == own


def test_minus_h_is_short_and_help_is_long(printed: Callable[..., str]) -> None:
    parse = option_parser("nc-select").parse_intermixed_args
    short, long = (printed(parse, option, status=0) for option in ("-h", "--help"))
    assert "--policy" in short and "--decide" not in short
    assert short.endswith("\nall options: nc-select --help, man nc-select\n")
    assert "--policy" in long and "--decide" in long
    assert long.startswith("usage: nc-select [OPTION]... [FILE]...\n")
    assert long.endswith("example:\n  nc-segment crawl.jsonl | nc-score | nc-select\n\nsee also:\n  man nc-select\n")


def test_a_command_with_few_options_has_one_help(printed: Callable[..., str]) -> None:
    parser = options.filter_parser("nc-test", "Tests.", "nc-test crawl.jsonl", [("kind", {"choices": ["a", "b"]})])
    assert len({printed(parser.parse_intermixed_args, option, status=0) for option in ("-h", "--help")}) == 1
    assert parser.format_usage() == "usage: nc-test [OPTION]... KIND [FILE]...\n"


# ---- completion of commands ----
@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("completions")
    places = write(out, COMMANDS)
    assert [place for place, _ in places] == [place for place, _ in PLACES.values()]
    assert [len(files) for _, files in places] == [len(COMMANDS)] * len(PLACES)
    return out


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("shell", PLACES)
def test_every_option_is_completed(shell: str, command: str) -> None:
    text = script(shell, command, option_parser(command))
    for action in command_options(command):
        for name in action.option_strings:
            assert (f"-l {name[2:]}" if shell == "fish" and name.startswith("--") else name) in text or shell == "fish"


@pytest.mark.parametrize("shell", PLACES)
def test_shells_read_the_scripts(shell: str, folder: Path) -> None:
    if not (program := shutil.which(shell)):
        pytest.skip(f"{shell} is not installed")
    for command in COMMANDS:
        file = folder / shell / PLACES[shell][1].format(command)
        done = subprocess.run([program, "-n", str(file)], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("line", "offered"), [
    ("nc-select --fav", "--favour"), ("nc-select --policy art", "article"),
    ("nc-score --model ncleaner-non", "ncleaner-nonlexical"), ("nc-train struct", "structure"),
    ("nc-segment -- my", "my page.html"),
])  # fmt: skip
def test_bash_offers(line: str, offered: str, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "my page.html").write_text("x")
    command = line.split()[0]
    code = (
        f"source {folder / 'bash' / command}; COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1));"
        f"_shtab_{command.replace('-', '_')}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    environment = {**os.environ, "PATH": f"{ROOT / 'bin'}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "--norc", "-c", code], capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert offered in done.stdout.splitlines()


@pytest.mark.parametrize(("read", "good", "wrong"), [
    (options.count, ["0", "7", "1000000000"], ["-1", "1.5", "x", "", "10000000000"]),
    (options.number("a port", most=65535), ["0", "65535"], ["65536", "1e4"]),
    (options.number("a share", 0, 1, float), ["0", "0.5", "1"], ["1.01", "-0.1", "nan", "x"]),
])  # fmt: skip
def test_numbers_have_a_range(read: Any, good: list[str], wrong: list[str]) -> None:
    assert [read(text) for text in good] == [pytest.approx(float(text)) for text in good]
    for text in wrong:
        with pytest.raises(argparse.ArgumentTypeError, match=f"^'{text}' is not a "):
            read(text)
