"""The option parser of all commands: usage errors of one line, help in two lengths, addresses in place of files.

parser = CommandParser(prog="nc-segment", description="Pages to segments.", epilog="example:\\n  nc-segment page.html")
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterable
from typing import Any, NoReturn

from ..streams import console
from ..text.lazy_pattern import lazy_pattern

# How similar an option must be to an unknown one to be suggested, of 1.
MIN_SIMILARITY = 0.75
# Addresses, which are no files but for nc-spark; those of archives and records.
ADDRESSES, TOOLS_OF_ADDRESSES = ("http://", "https://"), ("nc-spark",)
# Options that left, of one command or, without its name, of all; and what takes their place.
_GONE = """
--unbuffered: with NC_UNBUFFERED=1 in the environment, each record is written at once
--tag: --all writes all segments, each with its decision
--per-char: scores of models are of segments, whatever their length
--sure: segments without a class are decided by --decide auto
--variant: --set variant=python|java|improved of nc-score sets it
nc-score --profile: --set variant=improved of nc-score has the improved rules
--copyright-length --select-exact --list-items --short-pages: --set variant=improved of nc-score has the improved rules
--spaceless: stop lists of scripts without spaces have words of characters
--sentencepiece: --tokens FILE takes a SentencePiece model
--gzip: nc-clean -o FILE.warc.wet.gz compresses each record, others go to gzip; nc-spark compresses always
--max-record --limit: NC_MAX_RECORD in the environment bounds records, such as 1G
--html-field --text-field --gold-field: --field html=NAME, text=NAME or gold=NAME says it
--shard-size: files of Parquet have about 512 MB
--quality-model: a quality model of the default's name in a folder of NC_MODELS takes its place
--color: with NO_COLOR in the environment, nothing is coloured
--verify: nc-dedup compares all candidates; nc-clean --resume trusts what it has completed
--no-smoothing: paragraphs of up to 20 words between duplicates are duplicates
--examples: a report has 20 samples
nc-eval --html --plot: --worst N and --align DIR write the texts with their errors
nc-eval --savings --before --no-index --queries --repeats --cleaning-seconds --watts --carbon: bench/retrieval.py has it
nc-eval --seed --html-field: bench/retrieval.py has it
nc-eval --min-quality: the table has the minima 0.8 and 0.9
nc-eval --text-field: jq '.text = .NAME' renames a field
nc-inspect --demo: started at a terminal without files, it has a form to paste a page into
nc-inspect --host --allow-host: it serves this machine; from another one, use ssh -L
nc-model --limit: nc-score --limit sets it
nc-train --size: -n N is the number of words
nc-train --tokens: the estimator says how texts are cut into words
nc-train --min-count: a model has all n-grams of its texts
nc-train --target-precision: --tune threshold has a row for each of ten precisions
nc-train --test --subsets: --tune curve tests ten subsets of each size on held-out folds
nc-model --tokens: nc-score --tokens prepares texts for models of KenLM
nc-train --memory --temp: n-grams are counted in memory
--dense: pages beyond a bound are errors (docs/security.md has the bounds)
nc-spark --split-size: each file is a task
--two-pass: --prefer first|longest|best reads the input twice
--exact: without --near, --paragraphs and --ngrams, exact duplicates are dropped
--check-digests: fastwarc check FILE compares digests
nc-render --no-embedded: embedded segments have the field origin: jq 'del(.segments[] | select(.origin))'
nc-segment --no-embedded: embedded segments have the field origin: jq 'del(.segments[] | select(.origin))'
nc-segment --parser: nc-normalize has it
nc-segment --metadata: --markup records metadata, too
nc-render --profile: nc-segment has it
nc-render --keep: nc-segment reads pages itself, and its --keep keeps html
nc-clean --no-markup: markup is recorded for the forms that show it, and with --markup
nc-clean --mime: nc-warc has it: nc-warc --mime TYPE,… | nc-clean
--memory: a state takes 1 GB of memory, and the rest of it is in temporary files
--min-words: paragraphs of fewer than 10 words are duplicates on the same site alone
--min-frequency --min-documents: terms that occur 5 times, in 3 documents, are compared
--bullets --no-bullets: list items have bullets on standard output, but not in records and files
--registry: nc-corpus(1) has the structures and attributes, for a registry file
--terms: 500,000 words or bigrams of a corpus are counted
--no-headings: --set {}=yes of nc-score and nc-select sets it
--max-heading-distance: --set {}=N of nc-select sets it
--length-low --length-high: --set {}=N of nc-score sets it
--stopwords-low --stopwords-high --max-link-density: --set {}=SHARE of nc-score sets it
nc-clean --parser --profile --no-embedded --sentences --metadata: the pipe nc-segment | nc-score | nc-select has it
nc-clean --no-metadata --head-title --language --decide --threshold: the pipe nc-segment | nc-score | nc-select has it
nc-clean -t --keep: the pipe nc-segment | nc-score | nc-select has it
nc-render --parser --text-field: pages are read by lexbor, from the field html (--field html=NAME)
nc-normalize --text-field: pages are read by lexbor, from the field html (--field html=NAME)
"""
GONE: dict[str, str] = {}
for _line in _GONE.strip().splitlines():
    _names, _, _instead = _line.partition(": ")
    _command = _names.split()[0] if _names.startswith("nc-") else ""
    for _name in _names.removeprefix(_command).split():
        GONE[f"{_command} {_name}".lstrip()] = _instead.replace("{}", _name[2:])
_CRAWL = lazy_pattern(r"\.(?:warc|wet|jsonl|msgpack|parquet)(?:\.\w+)?$", re.I)


# The groups of options, in the order of --help. Others have the group that the command gives them, or none.
GROUPS: dict[str, str] = {
    "input": "files url fields gold language sentences parser profile markers",
    "model": "model list_models limit explain",
    "what is content": "policy included excluded head_title drop_elements keep_elements element_rules favour threshold "
    "decide rules lang min_quality",
    "form": "form markup metadata front_matter chunks bullets links images tables width",
    "output": "output format all keep name",
    "crawl": "jobs resume number url_match mime",
    "general": "strict verbose quiet version help",
}
# The options that are used most, of commands with many.
MOST_USED: dict[str, str] = {
    "nc-segment": "url language sentences markup drop_elements keep_elements element_rules fields format keep",
    "nc-score": "model list_models explain limit format verbose",
    "nc-select": "policy favour threshold lang min_quality form front_matter output format all",
    "nc-clean": "url model policy favour drop_elements form front_matter output all jobs",
    "nc-train": "output gold lang cv tune seed n words",
    "nc-eval": "gold measure by pages worst format align",
    "nc-spark": "paths model clean output format dedup overwrite master conf verbose",
}
_GROUP_OF = {dest: group for group, names in GROUPS.items() for dest in names.split()}


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
        print(short_help(parser) if option == "-h" else parser.format_help(), end="")
        parser.exit()


class CommandParser(argparse.ArgumentParser):
    def __init__(self, **options: Any) -> None:
        # further options that left, with what takes their place
        self.gone: dict[str, str] = {}
        super().__init__(**options, allow_abbrev=False, formatter_class=HelpFormatter, add_help=False)
        self.add_argument(
            "-h", "--help", action=Help, nargs=0, default=argparse.SUPPRESS, help="print the most used options, or all"
        )

    def format_help(self) -> str:
        return _help(self, _by_group(_actions(self)), self.epilog)

    def format_usage(self) -> str:
        """The usage without single options: there are too many."""
        self.usage = self.usage or self._short_usage()
        return super().format_usage()

    def error(self, message: str) -> NoReturn:
        """Ends the command after a usage error, in one line."""
        start, _, unknown = message.partition("unrecognized arguments: ")
        for name in () if start else re.findall(r"(?<!\S)--?[a-z][\w-]*", unknown):
            if instead := GONE.get(f"{self.prog} {name}") or self.gone.get(name) or GONE.get(name):
                message = f"{name} is gone: {instead}"
                break
        console.warn(self.prog, f"{message}{self._suggestion(message)}; try {self.prog} --help")
        raise SystemExit(2)

    def parse_intermixed_args(self, args: Any = None, namespace: Any = None) -> Any:
        """The same. An address among the files ends the command: it says how to fetch what is there."""
        self.usage = self.usage or self._short_usage()  # argparse would format all options
        out = super().parse_intermixed_args(args, namespace)
        for name in getattr(out, "files", ()):
            if name.lower().startswith(ADDRESSES) and self.prog not in TOOLS_OF_ADDRESSES and not os.path.exists(name):
                # crawls are read from standard input, a page by a command that takes its address
                tool = self.prog if "--url" in self._option_string_actions else "nc-segment"
                reading = self.prog if _CRAWL.search(name.partition("?")[0]) else f"{tool} --url '{name}'"
                how = f"curl -L '{name}' | {reading}"
                console.warn(self.prog, f"{name}: an address, not a file; to fetch it: {how}")
                raise SystemExit(2)
        return out

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Ends the command after --help and --version; the status is 1 if their output cannot be written."""
        super().exit(console.exit_status(self.prog, lambda: status), message)

    def _short_usage(self) -> str:
        out = "%(prog)s [OPTION]..."
        for action in self._get_positional_actions():
            name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
            out += " " + {"*": f"[{name}]...", "?": f"[{name}]", "+": f"{name}..."}.get(str(action.nargs), name)
        return out

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


# ---- help ----


def short_help(parser: argparse.ArgumentParser) -> str:
    """The usage, the options that are used most, and an example; all the help of a command with few options.
    Options are known by the names of their attributes (argparse's `dest`), which mean the same in all commands."""
    if parser.prog not in MOST_USED:
        return parser.format_help()
    import copy  # start-up: help alone needs it

    wanted, chosen = MOST_USED[parser.prog].split(), []
    for action in _actions(parser):
        if action.dest in wanted:
            chosen.append(copy.copy(action))
            chosen[-1].help = about(parser, action).replace("%", "%%")
    example = (parser.epilog or "").partition("\n\n")[0]
    options = [action for members in _by_group(chosen).values() for action in members]
    return _help(parser, {"options": options}, f"{example}\n\nall options: {parser.prog} --help, man {parser.prog}")


def _help(parser: argparse.ArgumentParser, groups: dict[str, list[argparse.Action]], epilog: str | None) -> str:
    """The usage, and options by group."""
    from textwrap import fill  # start-up: help alone needs it

    formatter = parser._get_formatter()
    formatter.add_text(parser.format_usage().rstrip())
    formatter.add_text(fill(parser.description or "", formatter._width, break_on_hyphens=False))
    own = {group.title: group.description for group in parser._action_groups}  # argparse has no public list
    for group, members in groups.items():
        formatter.start_section(group)
        formatter.add_text(own.get(group))
        formatter.add_arguments(members)
        formatter.end_section()
    formatter.add_text(epilog)
    return formatter.format_help()


def about(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """The help of an option without its default and without what follows a colon or semicolon."""
    text = (action.help or "") % {**vars(action), "prog": parser.prog} if action.help else ""
    return re.split(r" \(|[;:]", text, maxsplit=1)[0].strip()


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The options and arguments of a parser that have help."""
    return [action for action in parser._actions if action.help != argparse.SUPPRESS]


def _by_group(actions: Iterable[argparse.Action]) -> dict[str, list[argparse.Action]]:
    """The options of each group, in the order of GROUPS; those of a command's own groups come before the general ones,
    and those without a group first."""
    out: dict[str, list[argparse.Action]] = {"options": [], **{group: [] for group in GROUPS}}
    general = out.pop("general")
    for action in actions:
        own = action.container.title if hasattr(action, "container") else None
        is_plain = own in (None, "options", "positional arguments")
        group = _GROUP_OF.get(action.dest, "options") if is_plain else own
        (general if group == "general" else out.setdefault(group or "", [])).append(action)
    for group, names in GROUPS.items():
        if group in out:
            order = names.split()
            out[group].sort(key=lambda action: order.index(action.dest) if action.dest in order else len(order))
    return {group: found for group, found in {**out, "general": general}.items() if found}
