"""The help of commands: a screen for -h, all options by group for --help."""

from __future__ import annotations

import argparse
import importlib
import re

import pytest
from examples import COMMANDS

from ncfilters.commands import help_pages, options

SCREEN_LINES, SCREEN_COLUMNS = 32, 80
OPTION = re.compile(r"^  (-[\w-]+)", re.M)


def parser_of(command: str) -> argparse.ArgumentParser:
    module = importlib.import_module(f"ncfilters.commands.{command.removeprefix('nc-')}")
    parser: argparse.ArgumentParser = module.option_parser()
    return parser


def printed(parser: argparse.ArgumentParser, option: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as ended:
        parser.parse_intermixed_args([option])
    assert ended.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("command", sorted(help_pages.MOST_USED))
def test_the_short_help_is_a_screen_of_at_most_ten_options(command: str) -> None:
    parser = parser_of(command)
    lines = help_pages.short_help(parser, SCREEN_COLUMNS).splitlines()
    assert len(lines) <= SCREEN_LINES
    assert max(map(len, lines)) <= SCREEN_COLUMNS
    names = OPTION.findall("\n".join(lines))
    assert 5 <= len(names) <= 10
    assert set(help_pages.MOST_USED[command].split()) <= {action.dest for action in parser._actions}
    assert len(names) == len(help_pages.MOST_USED[command].split())


@pytest.mark.parametrize("command", COMMANDS)
def test_the_long_help_has_each_option_once(command: str) -> None:
    parser = parser_of(command)
    names = OPTION.findall(parser.format_help())
    assert sorted(names) == sorted(action.option_strings[0] for action in parser._actions if action.option_strings)


def test_the_options_of_the_stages_have_the_groups_of_all() -> None:
    text = parser_of("nc-clean").format_help()
    headings = re.findall(r"^(\w[\w ]*):$", text, re.M)
    own = ["input", "model", "what is content", "form", "output", "crawl", "general", "example", "see also"]
    assert headings == own


def test_minus_h_is_short_and_help_is_long(capsys: pytest.CaptureFixture[str]) -> None:
    short = printed(parser_of("nc-select"), "-h", capsys)
    assert "--policy" in short and "--decide" not in short
    assert short.endswith("\nall options: nc-select --help, man nc-select\n")
    long = printed(parser_of("nc-select"), "--help", capsys)
    assert "--policy" in long and "--decide" in long
    assert long.startswith("usage: nc-select [OPTION]... [FILE]...\n")
    assert long.endswith("example:\n  nc-segment crawl.jsonl | nc-score | nc-select\n\nsee also:\n  man nc-select\n")


def test_a_command_with_few_options_has_one_help(capsys: pytest.CaptureFixture[str]) -> None:
    parser = options.filter_parser("nc-test", "Tests.", "nc-test crawl.jsonl", [("kind", {"choices": ["a", "b"]})])
    assert printed(parser, "-h", capsys) == printed(parser, "--help", capsys)
    assert parser.format_usage() == "usage: nc-test [OPTION]... KIND [FILE]...\n"
