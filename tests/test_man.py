"""The man pages document each option of the commands, no other, and every value and default of it."""

from __future__ import annotations

import argparse
import configparser
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from examples import COMMANDS, ROOT, options

from ncfilters.commands.command_parser import GONE

PAGES = sorted((ROOT / "man").glob("nc-*.[1-8]"))
SECTIONS = ["NAME", "DESCRIPTION", "EXAMPLES", "SEE ALSO"]
COMMAND_SECTIONS = ["SYNOPSIS", "OPTIONS", "EXIT STATUS"]

_ESCAPE = re.compile(r"\\f(?:[BIRP]|\[\w*\])|\\&")
_MACRO = re.compile(r"\.(?:B|I|R|SM|BI|BR|IB|IR|RB|RI)\s+")
_OPTION = re.compile(r"(?<!\S)--?[A-Za-z0-9][\w-]*")


def sections(roff: str) -> dict[str, str]:
    """The text of each section by its heading, subsections included."""
    parts = re.split(r"^\.SH +(.+)$", roff, flags=re.M)
    return {heading.strip('" '): text for heading, text in zip(parts[1::2], parts[2::2])}


def plain(line: str) -> str:
    """A line of roff without fonts, quotes and escaped hyphens."""
    words = _MACRO.sub("", line).replace('"', "") if _MACRO.match(line) else line
    return _ESCAPE.sub("", words).replace("\\-", "-")


def documented(page: Path) -> dict[frozenset[str], str]:
    """What the OPTIONS of a page say: the option strings of each entry and its text."""
    out: dict[frozenset[str], str] = {}
    for entry in sections(page.read_text(encoding="utf-8"))["OPTIONS"].split("\n.TP\n")[1:]:
        tag, _, text = entry.partition("\n")
        names = frozenset(_OPTION.findall(plain(tag).replace(",", " ")))
        assert names, f"no option in {tag!r}"
        assert names not in out, f"{', '.join(sorted(names))} twice"
        out[names] = "\n".join(plain(line) for line in text.splitlines())
    return out


def test_each_command_has_a_page_that_is_installed() -> None:
    assert COMMANDS and {page.stem for page in PAGES if page.suffix == ".1"} == {*COMMANDS}
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    listed = {
        (folder, str(path.relative_to(ROOT)))
        for folder, patterns in setup["options.data_files"].items()
        for pattern in patterns.split()
        for path in ROOT.glob(pattern)
        if folder.startswith("share/man")
    }
    assert listed == {(f"share/man/man{page.suffix[1:]}", f"man/{page.name}") for page in PAGES}


@pytest.mark.parametrize("command", COMMANDS)
def test_options_are_those_of_the_page(command: str) -> None:
    defined = {frozenset(action.option_strings) for action in options(command)}
    assert set(documented(ROOT / "man" / f"{command}.1")) == defined


@pytest.mark.parametrize("command", COMMANDS)
def test_values_and_defaults_are_those_of_the_page(command: str) -> None:
    entries = documented(ROOT / "man" / f"{command}.1")
    for action in options(command):
        names, default = frozenset(action.option_strings), action.default
        text = entries[names]
        if other := re.search(r"\bof\s(nc-\w+) ?\(1\)", text):  # "one of those of"
            text += documented(ROOT / "man" / f"{other[1]}.1").get(names, "")
        missing = {str(choice) for choice in action.choices or ()} - set(re.findall(r"[\w-]+", text))
        assert not missing, f"{action.option_strings}: {missing} not in {text!r}"
        if default is None or default == argparse.SUPPRESS or isinstance(default, (bool, list)):
            continue  # the page describes these in words
        value = f"{default:g}" if isinstance(default, (int, float)) else default or "empty"
        found = re.search(rf"Default: (?:\\\(lq)?{re.escape(value)}(?![\w-])", " ".join(text.split()))
        assert found, f"{value!r} is not in {text!r}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page_has_its_sections(page: Path) -> None:
    text_by_heading = sections(page.read_text(encoding="utf-8"))
    for heading in SECTIONS + (COMMAND_SECTIONS if page.suffix == ".1" else []):
        assert text_by_heading.get(heading, "").strip(), f"no {heading}"
    assert ".nf" in text_by_heading["EXAMPLES"]
    assert plain(text_by_heading["NAME"].strip()).startswith(f"{page.stem} - ")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_referred_to_exist(page: Path) -> None:
    ours = {f"{other.stem}({other.suffix[1:]})" for other in PAGES}
    text = "\n".join(plain(line) for line in page.read_text(encoding="utf-8").splitlines())
    referred = {name + section for name, section in re.findall(r"\b(nc-\w+) ?(\(\d\))", text)}
    assert referred <= ours
    assert referred - {f"{page.stem}({page.suffix[1:]})"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_mandoc_has_no_warning(page: Path) -> None:
    if not shutil.which("mandoc"):
        pytest.skip("mandoc is not installed")
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", str(page)], capture_output=True, text=True)
    assert (done.stdout + done.stderr, done.returncode) == ("", 0)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_man_has_no_warning(page: Path) -> None:
    if not shutil.which("man") or not shutil.which("groff"):
        pytest.skip("man with groff is not installed")
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80", "MAN_KEEP_FORMATTING": ""}
    done = subprocess.run(
        ["man", "--warnings", "-P", "cat", "-l", str(page)], capture_output=True, text=True, env=environment
    )
    if "option" in done.stderr and done.returncode:
        pytest.skip(f"this man does not know --warnings: {done.stderr.strip()}")
    assert (done.stderr, done.returncode) == ("", 0)
    assert re.search(rf"^{page.stem.upper()}\({page.suffix[1:]}\)", done.stdout)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_speaks_of_an_option_that_left(page: Path) -> None:
    known = {name for command in COMMANDS for action in options(command) for name in action.option_strings}
    words = set(re.findall(r"(?<![\w-])--[a-z][\w-]+", page.read_text(encoding="utf-8").replace("\\-", "-")))
    assert not {name for gone in GONE if (name := gone.split()[-1]) not in known} & words
