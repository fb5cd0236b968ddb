"""The option parser of commands: usage errors of one line, and addresses in place of files."""

from __future__ import annotations

from pathlib import Path

import pytest
from examples import COMMANDS, option_parser
from examples import options as command_options

from ncfilters.commands import options, segment


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--verbos"], "unrecognized arguments: --verbos (similar: --verbose); try nc-test --help"),
        (["--colour"], "unrecognized arguments: --colour; try nc-test --help"),
        (["-z"], "unrecognized arguments: -z; try nc-test --help"),
        (["--quiet=x"], "argument -q/--quiet: ignored explicit argument 'x'; try nc-test --help"),
    ],
)
def test_a_usage_error_is_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        options.filter_parser("nc-test", "Tests.", "nc-test crawl.jsonl").parse_intermixed_args(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err == f"nc-test: {message}\n"


def test_a_missing_argument_is_named_with_its_choices(capsys: pytest.CaptureFixture[str]) -> None:
    parser = options.filter_parser("nc-test", "A test.", "nc-test", [("kind", {"choices": ["long", "short"]})])
    with pytest.raises(SystemExit):
        parser.parse_intermixed_args([])
    told = capsys.readouterr().err
    assert told == "nc-test: the following arguments are required: kind (long, short); try nc-test --help\n"


@pytest.mark.parametrize(
    ("name", "fetching"),
    [
        ("https://a.example/b?c=d", "curl -L 'https://a.example/b?c=d' | nc-segment --url 'https://a.example/b?c=d'"),
        ("HTTP://a.example", "curl -L 'HTTP://a.example' | nc-segment --url 'HTTP://a.example'"),
        ("https://a.example/b.warc.gz?c", "curl -L 'https://a.example/b.warc.gz?c' | nc-segment"),
    ],
)
def test_an_address_among_the_files_says_how_to_fetch_it(
    name: str, fetching: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        segment.option_parser().parse_intermixed_args(["--markup", name])
    assert ended.value.code == 2
    assert capsys.readouterr().err == f"nc-segment: {name}: an address, not a file; to fetch it: {fetching}\n"


def test_a_file_may_have_the_name_of_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "http:" / "a.example").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert segment.option_parser().parse_intermixed_args(["http://a.example"]).files == ["http://a.example"]


# What the options of all commands must not exceed.
MAX_OPTIONS = 232


def test_all_commands_have_few_options() -> None:
    found = {command: len(list(command_options(command))) for command in COMMANDS}
    print(sum(found.values()), found)
    assert sum(found.values()) <= MAX_OPTIONS


@pytest.mark.parametrize(
    ("command", "option", "instead"),
    [
        ("nc-select", "--per-char", "scores of models are of segments"),
        ("nc-score", "--length-low=5", "--set length-low=N of nc-score sets it"),
        ("nc-clean", "--no-embedded", "the pipe has it"),
        ("nc-spark", "--policy=article", "--clean 'OPTIONS' takes it"),
        ("nc-eval", "--max-record=1G", "NC_MAX_RECORD in the environment"),
        ("nc-segment", "--html-field=clean", "--field html=NAME"),
        ("nc-warc", "--unbuffered", "with NC_UNBUFFERED=1"),
    ],
)
def test_an_option_that_left_names_what_replaces_it(
    command: str, option: str, instead: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        option_parser(command).parse_intermixed_args([option])
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith(f"{command}: {option.partition('=')[0]} is gone: {instead}")
