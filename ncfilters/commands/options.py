"""Options that several commands share, the options of the stream loop that they set, and what a manifest says of them.

parser = filter_parser("nc-segment", "Pages to segments.", "nc-segment crawl.jsonl")
add_format(parser)
"""

from __future__ import annotations

import argparse
import errno
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import ModelError, RecordError, UsageError, as_usage_errors
from ..installed import DEFAULT_QUALITY_MODEL, __version__
from ..record import Record, is_error
from ..streams.console import exit_status
from ..streams.runner import MAX_RECORD, StreamOptions
from .command_parser import ADDRESSES, CommandParser

if TYPE_CHECKING:
    from pathlib import Path

    from ..streams.writers import Output, Sink

# The highest limit of a record (bytes), and the highest number of things.
MAX_BYTES, MAX_NUMBER = 1 << 40, 10**9
# Options that do not change what is written for an input.
_OTHER = frozenset(("files", "jobs", "output", "resume", "strict", "to_file", "unbuffered", "verbose"))
# Commands whose -q is the weight of shorter histories.
TOOLS_WITH_Q = ("nc-train",)
_GENERAL = """
--strict: stop at the first record that fails
-v --verbose: report counts on standard error at the end
-q --quiet: no progress, hints and remarks on standard error; only failures
"""


def plain_parser(tool: str, what: str, example: str) -> CommandParser:
    """An option parser with the options of every command."""
    epilog = f"example:\n  {example}\n\nsee also:\n  man {tool}"
    out = CommandParser(prog=tool, description=what, epilog=epilog)
    out.add_argument("--version", action="version", version=f"{tool} {__version__}", help="print the version")
    return out


def filter_parser(
    tool: str, what: str, example: str, before: Sequence[tuple[str, dict[str, Any]]] = ()
) -> argparse.ArgumentParser:
    """An option parser with the options of every filter. Other arguments may come *before* the files."""
    out = plain_parser(tool, what, example)
    for name, how in before:
        out.add_argument(name, **how)
    out.add_argument(
        "files", nargs="*", default=[], metavar="FILE", help="input files; standard input if there are none, or for -"
    )
    add(out, _GENERAL.replace("-q ", "") if tool in TOOLS_WITH_Q else _GENERAL)
    out.set_defaults(unbuffered=bool(os.environ.get("NC_UNBUFFERED")))
    return out


def add(to: argparse._ActionsContainer, text: str, **how: Any) -> None:
    """Adds the options of a *text*, a line each, which goes on in indented lines: `-n --number N: what it does`.

    An option without a value is a flag; a value such as `first|last` is one of these. A line without an option begins
    a group: `title: what it says`. By the last name of an option, *how* has further arguments of `add_argument`, or
    one of them: the type, or the default; a list is that of an option that may be given several times.
    """
    group = to
    for line in re.sub(r"\n +", " ", text).strip().splitlines():
        head, _, what = line.partition(": ")
        names = [word for word in head.split() if word.startswith("-")]
        if not names:
            group = to.add_argument_group(head, what or None)
            continue
        given, value = how.get(names[-1].lstrip("-").replace("-", "_"), {}), head.split()[-1]
        if callable(given):
            given = {"type": given}
        elif isinstance(given, list):
            given = {"action": "append", "default": given}
        elif not isinstance(given, dict):
            given = {"type": type(given), "default": given}
        if value.islower() and "|" in value:
            given = {"choices": value.split("|"), **given}
        elif value != names[-1]:
            given = {"metavar": value, **given}
        elif value.startswith("--no-"):
            given = {"action": "store_false", "dest": value[5:]}
        group.add_argument(*names, help=what, **given or {"action": "store_true"})


def command(
    option_parser: Callable[[], argparse.ArgumentParser],
) -> Callable[[Callable[[argparse.Namespace], int]], Callable[..., int]]:
    """Makes what a command does with its options the `main` of the command, which returns the exit status."""

    def of_options(work: Callable[[argparse.Namespace], int]) -> Callable[..., int]:
        def main(argv: list[str] | None = None) -> int:
            parser = option_parser()
            args = parser.parse_intermixed_args(argv)
            # numpy's linear algebra starts threads, which cost 0.1 s of CPU and are of no use to small products
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
            return exit_status(parser.prog, lambda: work(args))

        return main

    return of_options


def output_path(output: str) -> Path:
    """The path of a model. Raises UsageError if no file can be written there, before the work."""
    from pathlib import Path  # start-up: filters write to no path

    path = Path(output)
    if path.is_dir() or not path.parent.is_dir():
        raise UsageError(f"{output}: {os.strerror(errno.EISDIR if path.is_dir() else errno.ENOENT)}")
    return path


def refuse(*wrong: tuple[object, str]) -> None:
    """Raises UsageError with the message of the first condition that holds."""
    for holds, message in wrong:
        if holds:
            raise UsageError(message)


def max_record() -> int:
    """The bytes of the longest record, which NC_MAX_RECORD in the environment says. Raises UsageError."""
    text = os.environ.get("NC_MAX_RECORD", "")
    found = re.fullmatch(r"(\d+)([KMG]?)", text, re.I)
    if not text:
        return MAX_RECORD
    if not found or not int(found[1]):
        raise UsageError(f"NC_MAX_RECORD: '{text}' is not a number of bytes such as 1000000 or 256M")
    return min(int(found[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[found[2].upper()], MAX_BYTES)


def stream_options(
    tool: str, args: argparse.Namespace, batch_bytes: int = 0, reads_pages: bool = False
) -> StreamOptions:
    """The options of the stream loop, from the options of a command. -f text is not a format of records."""
    output_format = getattr(args, "format", None)
    return StreamOptions(
        tool,
        max_record=max_record(),
        strict=args.strict,
        verbose=args.verbose,
        quiet=args.quiet,
        to_files=bool(getattr(args, "output", None) or getattr(args, "to_file", None)),
        unbuffered=args.unbuffered,
        output_format=output_format if output_format in ("jsonl", "msgpack") else None,
        fields=dict(getattr(args, "fields", ())),
        batch_bytes=batch_bytes,
        reads_pages=reads_pages,
    )


def text_sink(args: argparse.Namespace, text_of: Callable[[Record], str]) -> Callable[[Output], Sink] | None:
    """For -f text: a sink that prints what *text_of* returns for each record, with an empty line between them."""
    if args.format != "text":
        return None
    from ..streams.writers import Text, TextFrame  # orjson, which --help does not need

    return lambda output: Text(
        output, lambda record: "" if is_error(record) else text_of(record), TextFrame(between="\n")
    )


def add_format(to: argparse.ArgumentParser, *more: str, default: str = "the format of the first input") -> None:
    """The -f option of filters that write records."""
    to.add_argument("-f", "--format", choices=["jsonl", "msgpack", *more], help=f"output format (default: {default})")


def add_fields(to: argparse.ArgumentParser, *ours: str) -> None:
    """The option for the names that other programs give to our fields."""

    def field(text: str) -> tuple[str, str]:
        name, _, theirs = text.partition("=")
        if name not in ours or not theirs:
            raise argparse.ArgumentTypeError(f"'{text}' is not {'|'.join(ours)}=NAME")
        return name, theirs

    text = f"--field {'|'.join(ours)}=NAME: the name that a field has in this input; may be given several times"
    add(to, text, field={"dest": "fields", "action": "append", "default": [], "type": field})


def add_setting(to: argparse.ArgumentParser, group: str, names: Mapping[str, type]) -> None:
    """The option --set at the end of a group, which sets parameters of jusText: *names* are those that the command has,
    and their types. The values are checked where the parameters are."""

    def setting(text: str) -> tuple[str, Any]:
        name, sign, value = text.partition("=")
        if not sign or name not in names:
            raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE with one of the names {', '.join(names)}")
        kind = names[name]
        try:
            return name.replace("-", "_"), {"yes": True, "no": False}[value] if kind is bool else kind(value)
        except (KeyError, ValueError):
            what = {int: "a whole number", float: "a number", bool: "yes or no"}[kind]
            raise argparse.ArgumentTypeError(f"'{text}': {name} takes {what}") from None

    text = f"--set NAME=VALUE: set a parameter of jusText: {', '.join(names)}; may be given several times"
    add(to, f"{group}\n{text}", set={"dest": "settings", "action": "append", "default": [], "type": setting})


def add_url(to: argparse.ArgumentParser) -> None:
    def address(text: str) -> str:
        if text.lower().startswith(ADDRESSES) and text.isprintable() and " " not in text:
            return text
        raise argparse.ArgumentTypeError(f"'{text}' is not an address such as https://example.org/page")

    text = """--url URL: the address of the page, by which links are resolved; for one page (default: the field url of
        the record, or else the address that the page declares)"""
    add(to, text, url=address)


def at_url(args: argparse.Namespace) -> Callable[[Record], Record]:
    """What --url does to a record: it sets the address of the one page. Raises UsageError for several inputs."""
    if args.url and len(args.files) > 1:
        raise UsageError("--url: the address of one page; there are several inputs")
    urls = [args.url]

    def with_url(record: Record) -> Record:
        if args.url and not urls:
            raise RecordError("--url: the address of one page, and this is another")
        return {**record, "url": urls.pop()} if args.url else record

    return with_url


def element_rules(args: argparse.Namespace) -> Any:
    """What the options for elements ask for, or what has been read for them as `elements`. Raises UsageError."""
    if "elements" in args:
        return args.elements
    drop, keep, file = args.drop_elements, args.keep_elements, args.element_rules
    if not (drop or keep or file):
        return ()
    if args.profile == "justext":
        raise UsageError("rules for elements cannot be combined with --profile justext")
    from ..page.element_rules import SelectorError, element_rules  # start-up: few runs have rules

    try:
        return element_rules(", ".join(drop), ", ".join(keep), file)
    except SelectorError as error:
        name = error.args[0]
        option = f"--{name.replace('_', '-')}"
        raise UsageError(name if file and name.startswith(file) else option, error.shown) from None
    except ValueError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None


def number(
    what: str, least: float = 0, most: float = MAX_NUMBER, kind: type = int, before_file: str = ""
) -> Callable[[str], Any]:
    """The type of an option that takes *what*: a number from *least* to *most*, whole if *kind* is int. *before_file*
    is how an option is written whose number may be left out, but for before a file."""

    def read(text: str) -> Any:
        try:
            if least <= (value := kind(text)) <= most:
                return value
        except ValueError:
            pass
        hint = f"; before a file, give the number: {before_file} {text}" if before_file else ""
        raise argparse.ArgumentTypeError(f"'{text}' is not {what}{hint}")

    return read


# Numbers that several commands take.
count = number("a number from 0 on")
perplexity = number("a perplexity, a number above 0", sys.float_info.min, sys.float_info.max, float)


def check_are_distinct(inputs: Sequence[str], written: Mapping[str, str | None]) -> None:
    """Raises UsageError for a file that an option writes and that is an input, or the file of another option: it would
    be replaced. *written* are names of files by their options."""
    seen = {os.path.realpath(name): "an input" for name in inputs if os.path.isfile(name)}
    for option, name in written.items():
        if name and (os.path.isfile(name) or not os.path.exists(name)):  # /dev/null may be several
            if other := seen.get(os.path.realpath(name)):
                raise UsageError(f"{option} {name}: is {other}, too")
            seen[os.path.realpath(name)] = option


def add_gold(to: argparse.ArgumentParser) -> None:
    to.add_argument("--gold", metavar="FILE|DIR", help="gold text, if it is not in the records")


# ---- what a manifest says of a run ----


def settings(args: argparse.Namespace, standard: argparse.Namespace) -> Record:
    """What makes the outputs what they are: the version, the options that are not the default, and the checksums of
    models. *standard* are the options of a command line without any. Raises UsageError."""
    import json  # start-up: most runs have no manifest

    def plain(value: object) -> object:
        return sorted(value) if isinstance(value, frozenset) else str(value)

    defaults = vars(standard)
    given = {name: value for name, value in vars(args).items() if value != defaults[name]}
    if "element_rules" in given:  # what the file says
        given["element_rules"] = element_rules(args)
    options = {name: value for name, value in sorted(given.items()) if name not in _OTHER}
    return {
        "ncfilters": __version__,
        "options": json.loads(json.dumps(options, default=plain)),
        "models": _models(args),
    }


def _models(args: argparse.Namespace) -> dict[str, str]:
    from ..scoring import registry  # start-up: most runs have no manifest
    from ..scoring.scorer import AUTO

    names = (args.model or [AUTO]) if "model" in args else []  # nc-select has no models for segments
    with as_usage_errors(ModelError):
        if AUTO in names:  # it may take any that is installed
            return {name: registry.read_header(path)["sha256"] for name, path in registry.installed_models().items()}
        if DEFAULT_QUALITY_MODEL in registry.installed_models():
            names = [*names, DEFAULT_QUALITY_MODEL]
        return {name: registry.read_model(registry.find(name))[0]["sha256"] for name in names}
