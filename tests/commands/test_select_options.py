"""The options of nc-select: values that are accepted, and messages for others."""

from __future__ import annotations

import argparse

import pytest

from ncfilters.commands import select_options
from ncfilters.commands.options import filter_parser


def parsed(*args: str) -> argparse.Namespace:
    parser = filter_parser("nc-select", "Selects.", "nc-select")
    select_options.add_options(parser)
    select_options.add_own(parser)
    return parser.parse_args(args)


def test_defaults() -> None:
    args = parsed()
    assert (args.form, args.decide, args.policy, args.lang, args.rules) == ("plain", "auto", "main", None, True)
    assert args.included == args.excluded == frozenset()


def test_values() -> None:
    args = parsed("--lang", "en-GB,de", "--with", "comment,date", "--min-quality", "0.5", "--set", "no-headings=yes")
    assert args.lang == {"en", "de"}
    assert args.included == {"comment", "date"}
    assert (args.min_quality, args.settings) == (0.5, [("no_headings", True)])


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--lang", "English", "'English' is not a list of language codes"),
        ("--with", "texts", "'texts' is not a role"),
        ("--min-quality", "1.5", "'1.5' is not a number from 0 to 1"),
        ("--set", "no-headings=1", "no-headings takes yes or no"),
        ("--set", "sure=1", "is not NAME=VALUE with one of the names max-heading-distance,"),
        ("--name", "{nothing}", "'{nothing}': "),
        ("--as", "pdf", "invalid choice: 'pdf'"),
    ],
)
def test_values_that_are_not_accepted(
    option: str, value: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parsed(f"{option}={value}")
    assert message in capsys.readouterr().err
