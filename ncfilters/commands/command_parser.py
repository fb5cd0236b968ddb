"""The option parser of all commands: usage errors of one line, help in two lengths, addresses in place of files.

parser = CommandParser(prog="nc-segment", description="Pages to segments.", epilog="example:\\n  nc-segment page.html")
"""

from __future__ import annotations

import argparse
import os
import re
from typing import Any, NoReturn

from ..streams import console
from ..text.lazy_pattern import lazy_pattern

# How similar an option must be to an unknown one to be suggested, of 1.
MIN_SIMILARITY = 0.75
# Addresses, which are no files but for nc-spark; those of archives and records.
ADDRESSES, TOOLS_OF_ADDRESSES = ("http://", "https://"), ("nc-spark",)
_CRAWL = lazy_pattern(r"\.(?:warc|wet|jsonl|msgpack|parquet)(?:\.\w+)?$", re.I)


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """The format of --help. The parser makes one for each option, to check it."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=console.terminal_columns() - 2)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        """The names of an option, and once what it takes."""
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"


class Help(argparse.Action):
    """Prints the help: -h a screen, --help all options."""

    def __call__(self, parser: argparse.ArgumentParser, _: Any, __: Any, option: str | None = None) -> None:
        from . import help_pages  # start-up: for help only

        short = option == "-h"
        print(help_pages.short_help(parser, console.terminal_columns()) if short else parser.format_help(), end="")
        parser.exit()


class CommandParser(argparse.ArgumentParser):
    """The option parser of a command."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, allow_abbrev=False, formatter_class=HelpFormatter, add_help=False)
        self.add_argument(
            "-h", "--help", action=Help, nargs=0, default=argparse.SUPPRESS, help="print the most used options, or all"
        )

    def format_help(self) -> str:
        """All options, by group."""
        from . import help_pages  # start-up: as above

        self.usage = self.usage or self._short_usage()
        return help_pages.full_help(self, self._get_formatter())

    def format_usage(self) -> str:
        """The usage without single options: there are too many."""
        self.usage = self.usage or self._short_usage()
        return super().format_usage()

    def error(self, message: str) -> NoReturn:
        """Ends the command after a usage error, in one line."""
        console.warn(self.prog, f"{message}{self._suggestion(message)}; try {self.prog} --help")
        raise SystemExit(2)

    def parse_intermixed_args(self, args: Any = None, namespace: Any = None) -> Any:
        """The same. An address among the files ends the command: it says how to fetch the page."""
        self.usage = self.usage or self._short_usage()  # argparse would format all options
        out = super().parse_intermixed_args(args, namespace)
        for name in getattr(out, "files", ()):
            if name.lower().startswith(ADDRESSES) and self.prog not in TOOLS_OF_ADDRESSES and not os.path.exists(name):
                console.warn(self.prog, f"{name}: an address, not a file; to fetch it: {self._fetching(name)}")
                raise SystemExit(2)
        return out

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Ends the command after --help and --version; the status is 1 if their output cannot be written."""
        super().exit(console.exit_status(self.prog, lambda: status), message)

    def _short_usage(self) -> str:
        values = [_positional(action) for action in self._get_positional_actions()]
        return " ".join(["%(prog)s [OPTION]...", *values])

    def _fetching(self, address: str) -> str:
        """The command that fetches what is at an *address*, and reads it with this one if it reads such things."""
        if _CRAWL.search(address.partition("?")[0]):
            return f"curl -L '{address}' | {self.prog}"
        tool = self.prog if "--url" in self._option_string_actions else "nc-segment"
        return f"curl -L '{address}' | {tool} --url '{address}'"

    def _suggestion(self, message: str) -> str:
        """What to add to the message: the choices of a missing argument, or an option that resembles an unknown one."""
        if message.startswith("the following arguments are required: "):
            choices = next((action.choices for action in self._get_positional_actions() if action.choices), ())
            return f" ({', '.join(map(str, choices))})" if choices else ""
        if not (unknown := re.match(r"unrecognized arguments: (--[\w-]+)", message)):
            return ""
        from difflib import get_close_matches  # start-up: only for usage errors

        similar = get_close_matches(unknown[1], self._option_string_actions, 1, MIN_SIMILARITY)
        return f" (similar: {similar[0]})" if similar else ""


def _positional(action: argparse.Action) -> str:
    """A positional argument as usage has it."""
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    return {"*": f"[{name}]...", "?": f"[{name}]", "+": f"{name}..."}.get(str(action.nargs), name)
