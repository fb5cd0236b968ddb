"""The examples of the documents: their code blocks, shell sessions, and the commands in them.

for block in examples(ROOT / "README.md"):    # or a manual page
    for command, output in session(block.code): ...
"""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# nc-tune alone names what replaces it
COMMANDS = sorted(path.name for path in (ROOT / "bin").glob("nc-*") if path.name != "nc-tune")
# What a command that the example installs is run as: it is there already.
INSTALLATION = re.compile(r"^pip install [^&|]+ && ")
CONTINUED = re.compile(r"(?:\\|\||&&|\|\|)$")
SEPARATOR = re.compile(r"[|&;()<>]+")
PLACEHOLDER = re.compile(r"\$\w+|\{\}")  # shell variables, and what xargs replaces


# A display in a manual page, and what roff has in place of characters.
DISPLAY = re.compile(r"^\.nf\n(?:\.\w.*\n)*(.*?)^\.fi$", re.M | re.S)
ROFF = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "^": "\\(ha", "~": "\\(ti", "`": "\\(ga"}
ROFF_ESCAPE = re.compile(r"\\(?:&|e|-|\((?:aq|ha|ti|ga))")


@dataclass(frozen=True)
class Block:
    """A block of code: its language, its code, the line of the document where the code begins (from 0), and its title,
    which names a file. The language of a manual page is `sh`, or `console` for a session."""

    language: str
    code: str
    line: int
    title: str


def blocks(markdown: str) -> list[Block]:
    """The fenced code blocks of a document."""
    out, opened, lines = [], None, markdown.splitlines()
    for number, line in enumerate(lines):
        if not (fence := re.match(r' *```(\w*)(?: title="(.*)")?', line)):
            continue
        if opened is None:
            opened = fence[1], number + 1, fence[2] or ""
        else:
            language, start, title = opened
            out.append(Block(language, "\n".join(lines[start:number]), start, title))
            opened = None
    assert opened is None, f"the block that begins in line {opened} is not closed"
    return out


def manual_blocks(roff: str) -> list[Block]:
    """The displays in the section EXAMPLES of a manual page."""
    section = re.search(r"^\.SH EXAMPLES$.*?(?=^\.SH |\Z)", roff, re.M | re.S)
    out = []
    for display in DISPLAY.finditer(section[0]) if section else ():
        code = from_roff(display[1]).rstrip("\n")
        line = roff.count("\n", 0, section.start() + display.start(1)) if section else 0
        out.append(Block("console" if code.startswith("$ ") else "sh", code, line, ""))
    return out


def from_roff(text: str) -> str:
    """The characters that a display shows."""
    characters = {escape: character for character, escape in ROFF.items()} | {"\\&": ""}
    return ROFF_ESCAPE.sub(lambda found: characters[found[0]], text)


def to_roff(line: str) -> str:
    """A line of a display."""
    escaped = "".join(ROFF.get(character, character) for character in line)
    return f"\\&{escaped}" if escaped.startswith(".") else escaped


def examples(page: Path) -> list[Block]:
    """The blocks of code of a document or the examples of a manual page."""
    text = page.read_text(encoding="utf-8")
    return blocks(text) if page.suffix == ".md" else manual_blocks(text)


def help_examples() -> list[Block]:
    """The examples that the commands print with --help."""
    found = (re.search(r"example:\n(.*?)\n\n", option_parser(command).epilog or "", re.S) for command in COMMANDS)
    return [Block("sh", textwrap.dedent(example[1]), 0, "") for example in found if example]


def script(code: str) -> list[str]:
    """The commands of a piece of shell, each with its loops, quotations and continued lines."""
    out, pending = [], ""
    for line in code.splitlines():
        pending = f"{pending}\n{line}" if pending else line
        if not CONTINUED.search(line) and _is_complete(pending):
            out.append(pending)
            pending = ""
    assert not pending, f"{pending!r} goes on behind the end"
    return [command for command in out if command.strip()]


def _is_complete(command: str) -> bool:
    try:
        words = list(_words(command.replace("\n", " ; ")))
    except ValueError:  # a quotation goes on
        return False
    return words.count("do") == words.count("done")


def session(code: str) -> Iterator[tuple[list[str], list[str]]]:
    """The commands of a shell session, each as its lines, with the lines of their output.

    A command begins with `$ `. It goes on in the next line after a backslash, `|` or `&&`, and in lines with `> `.
    """
    lines = code.splitlines()
    assert lines[0].startswith("$ "), f"no command in {code!r}"
    while lines:
        command = [lines.pop(0).removeprefix("$ ")]
        while CONTINUED.search(command[-1]) or (lines and lines[0].startswith("> ")):
            command.append(lines.pop(0).removeprefix("> "))
        output = []
        while lines and not lines[0].startswith("$ "):
            output.append(lines.pop(0))
        yield command, output


def invocations(code: str) -> Iterator[tuple[str, list[str]]]:
    """The nc commands of a piece of shell, each with its arguments, also those inside quoted arguments of others."""
    for line in _logical_lines(code):
        words = list(_words(line))
        for position, word in enumerate(words):
            if word in COMMANDS:
                yield word, _arguments(words[position + 1 :])
            elif re.search(r"\bnc-\w+ .|\| *nc-\w+", word):
                yield from invocations(word)


def option_parser(command: str) -> argparse.ArgumentParser:
    """The option parser of a command."""
    module = importlib.import_module(f"ncfilters.commands.{command.removeprefix('nc-')}")
    out: argparse.ArgumentParser = module.option_parser()
    return out


def options(command: str) -> list[argparse.Action]:
    """The options of a command. argparse has no public list of them."""
    return [action for action in option_parser(command)._actions if action.option_strings]


def _logical_lines(code: str) -> Iterator[str]:
    """Lines of shell, those that go on in the next one joined."""
    pending = ""
    for line in code.splitlines():
        pending += line.removeprefix("$ ")
        if CONTINUED.search(pending):
            pending = pending.removesuffix("\\") + " "
            continue
        try:
            list(_words(pending))
        except ValueError:  # a quotation goes on
            pending += "\n"
            continue
        yield pending
        pending = ""
    assert not pending.strip(), f"{pending!r} goes on behind the end"


def _words(line: str) -> Iterator[str]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.wordchars += "{}$…,:@%+^\\[]!"
    return iter(lexer)


def _arguments(words: list[str]) -> list[str]:
    """The words up to the end of the command, without redirections; placeholders are a number."""
    out: list[str] = []
    while words:
        word = words.pop(0)
        if word in (">", "<", ">>", ">&"):
            if out and out[-1] == "2" and word != "<":
                out.pop()
            words.pop(0)
        elif SEPARATOR.fullmatch(word):
            break
        else:
            out.append(PLACEHOLDER.sub("1", word))
    return out
