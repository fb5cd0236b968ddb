"""What commands print for -h, a screen with the options that are used most, and for --help, all of them by group.

short_help(option_parser())    # 'usage: nc-clean [OPTION]... [FILE ...]\\n\\n…'

Options are known by the names of their attributes (argparse's `dest`), which mean the same in all commands.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from textwrap import wrap

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
# Columns of the names of options on a screen.
MAX_NAMES = 22


def short_help(parser: argparse.ArgumentParser, columns: int) -> str:
    """The usage, the options that are used most, by group, and an example, in so many *columns*; all the help of a
    command with few options."""
    if parser.prog not in MOST_USED:
        return parser.format_help()
    wanted = MOST_USED[parser.prog].split()
    chosen = [action for action in _actions(parser) if action.dest in wanted]
    out = [parser.format_usage(), *wrap(parser.description or "", columns, break_on_hyphens=False), ""]
    for group, actions in _by_group(chosen).items():
        out.append(f"{group}:")
        for action in actions:
            out += _lines(action, about(parser, action), columns)
    example = (parser.epilog or "").partition("\n\n")[0]
    return "\n".join([*out, "", example, "", f"all options: {parser.prog} --help, man {parser.prog}"]) + "\n"


def full_help(parser: argparse.ArgumentParser, formatter: argparse.HelpFormatter) -> str:
    """The usage, and all options by group."""
    formatter.add_usage(parser.usage, [], [])
    formatter.add_text(parser.description)
    sections = _by_group(_actions(parser))
    own = {group.title: group.description for group in parser._action_groups}  # argparse has no public list
    for group, actions in sections.items():
        formatter.start_section(group)
        formatter.add_text(own.get(group))
        formatter.add_arguments(actions)
        formatter.end_section()
    formatter.add_text(parser.epilog)
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


def _lines(action: argparse.Action, text: str, columns: int) -> list[str]:
    """An option on a screen: its names, what it takes, and its help."""
    names = ", ".join(name for name in action.option_strings if not name.startswith("--no-") or len(name) < 3)
    names = names or ", ".join(action.option_strings)
    if action.nargs != 0:
        value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
        names += f" [{value}]" if action.nargs == "?" else f" {value}"
    if action.choices:
        text += f": {', '.join(map(str, action.choices))}"
    rest = wrap(text, columns - MAX_NAMES - 4, break_on_hyphens=False)
    if len(names) > MAX_NAMES:
        return [f"  {names}", *(f"{'':{MAX_NAMES + 4}}{line}" for line in rest)]
    return [f"  {name:{MAX_NAMES}}  {line}" for name, line in zip([names] + [""] * len(rest), rest)]
