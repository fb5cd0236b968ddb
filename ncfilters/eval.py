"""nc-eval: selected text beside its gold text; how good it is, and whether another system is better.

    nc-segment pages.jsonl | nc-score | nc-select -f jsonl | nc-eval --gold pages.jsonl
    nc-eval --gold pages.jsonl ours.jsonl theirs.jsonl

Each FILE is a system: records with `text`, or a folder of texts. The first is what the others are compared with.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import stream
from .record import Record
from .summary import tables
from .table import lines

if TYPE_CHECKING:
    from .gold import Gold
    from .results import Facts, Results, System

TOOL = "nc-eval"

# In the order they are shown; those that apply to none of the pages are left out.
NAMES = ("words", "cleaneval", "segments", "unlabelled", "similarity", "bag", "rouge", "required", "forbidden")
FORMATS = ("table", "tsv", "json", "markdown", "cleaneval")
# Parts of a measure, as a report names them.
PARTS = {"P": "precision", "R": "recall", "F": "F"}


# ---- reading ------------------------------------------------------------------------------------------------


def named(argument: str) -> tuple[str, str]:
    """The name and the file of a system given as FILE or NAME=FILE."""
    name, equals, path = argument.partition("=")
    if equals and name and not os.path.exists(argument):
        return name, path
    return ("standard input", "-") if argument == "-" else (Path(argument).name.split(".")[0], argument)


def systems(args: argparse.Namespace) -> tuple[list[System], dict[str, Gold], int]:
    """What each system made of the pages, the gold of their records where there is no --gold, and the status."""
    from .folder import Incomings
    from .gold import gold_of, key_of
    from .results import System

    out: list[System] = []
    golds: dict[str, Gold] = {}
    status = 0
    for name, path in map(named, args.files or ["-"]):
        system = System(name if name not in [other.name for other in out] else path)

        def take(page: Record, system: System = system) -> Record:
            if not args.gold and (key := key_of(page)) is not None:
                golds.setdefault(key, gold_of(page))
            return system.take(page)

        source = Incomings([path], args.limit, text_only=True)
        status = max(status, stream.consumed(TOOL, source, take, args))
        out.append(system)
    return out, golds, status


def matched(found: Sequence[System], golds: dict[str, Gold], args: argparse.Namespace) -> dict[str, Gold]:
    """The gold that is measured with: of all its pages, or with --skip-missing of those that every system has.

    Says what is missing; raises UsageError where nothing matches.
    """
    where = args.gold or "the records"
    for system in found:
        missing = [key for key in golds if key not in system.texts]
        if len(missing) == len(golds):
            known = f"{_some(golds)} there, {_some(system.texts)} here" if system.texts else "there is no text"
            raise stream.UsageError(f"{system.name}: no page that {where} has gold for ({known}); they match by id")
        if missing:
            fate = "left out" if args.skip_missing else "counted as empty (--skip-missing leaves them out)"
            stream.say(
                TOOL,
                f"{system.name}: {len(missing)} of {len(golds)} pages are missing, such as {_some(missing)}: {fate}",
            )
        if unknown := [key for key in system.texts if key not in golds]:
            stream.say(TOOL, f"{system.name}: {len(unknown)} pages without gold are left out, such as {_some(unknown)}")
    if args.skip_missing:
        golds = {key: gold for key, gold in golds.items() if all(key in system.texts for system in found)}
        if not golds:
            raise stream.UsageError("no page that all systems have: nothing to compare")
    return golds


def _some(keys: Any) -> str:
    return ", ".join(repr(key) for key, _ in zip(keys, range(3))) or "none"


# ---- writing -------------------------------------------------------------------------------------------------


def long(found: Facts) -> Iterator[str]:
    """Facts as TSV, a line each, numbers in full."""
    if found:
        columns = list(found[0])
        yield "\t".join(columns) + "\n"
        for fact in found:
            yield "\t".join("" if fact[name] is None else str(fact[name]) for name in columns) + "\n"


def as_cleaneval(results: Results, unlabelled: bool) -> Iterator[str]:
    """The table that cleaneval.py prints, to the last digit, and its line `total` (-t) at the end."""
    from .measures import MARKER, cleaneval_aligned, counts

    yield "file\tF\tP\tR\tF.tag\tP.tag\tR.tag\tTP\tFP\tFN\tTP.tag\tFP.tag\tFN.tag\n"
    total = [0] * 6
    for key, gold in results.golds.items():
        diff = cleaneval_aligned(results.systems[0].texts.get(key, ""), gold, results.ascii, unlabelled)
        found = [*counts(diff), *counts(diff, MARKER.match)]
        total = [a + b for a, b in zip(total, found)]
        yield _cleaneval_line(key, found)
    yield _cleaneval_line("total", total)


def _cleaneval_line(name: str, found: Sequence[int]) -> str:
    from .measures import scores

    cells = []
    for counted in (found[:3], found[3:]):
        # its F of nothing is 0
        precision, recall, f = scores((counted[0], counted[1], counted[2])) if counted[0] else (0.0, 0.0, 0.0)
        cells += [f"{100 * value:.2f}" for value in (f, precision, recall)]
    return "\t".join([name, *cells, *map(str, found)]) + "\n"


def worst(results: Results, number: int) -> Iterator[str]:
    """The pages where the systems differ most in the F of words (of one system, those with the lowest), aligned."""
    from .alignment import shown
    from .measures import words_aligned

    values = [[value or 0.0 for value in results.values(n, "words", "F")] for n in range(len(results.systems))]
    apart = [max(page) - min(page) if len(values) > 1 else 1 - page[0] for page in zip(*values)]
    for place in sorted(range(len(apart)), key=lambda place: (-apart[place], place))[:number]:
        key = results.keys[place]
        gold = results.golds[key]
        yield f"# {key} {gold.fields.get('url') or ''}".rstrip() + "\n"
        for system, page in zip(results.systems, values):
            diff = words_aligned(system.texts.get(key, ""), gold, results.ascii)
            yield f"## {system.name}: words F {100 * page[place]:.2f}\n{shown(diff)}\n"
        yield "\n"


def write_alignments(results: Results, folder: str) -> None:
    """A file ID.align for each page (in a folder for each system, if several), as cleaneval.py writes them. Raises
    OSError."""
    from .alignment import written
    from .measures import cleaneval_aligned
    from .sink import Files

    for system in results.systems:
        into = os.path.join(folder, system.name) if len(results.systems) > 1 else folder
        files = Files(into, ".align", lambda page: str(page["diff"]))
        for key, gold in results.golds.items():
            diff = cleaneval_aligned(system.texts.get(key, ""), gold, results.ascii)
            files.write({"id": key, "diff": written(diff)})


def write_report(results: Results, path: str, by: str | None) -> None:
    """One HTML page with figures, histograms and every page's words. Raises OSError."""
    from . import report
    from .measures import cleaneval_aligned
    from .results import signatures

    of = results.group(by) if by else [""] * len(results.keys)

    def pages(number: int) -> Iterator[report.Page]:
        values = {name: results.values(number, "words", part) for part, name in PARTS.items()}
        for place, (key, gold) in enumerate(results.golds.items()):
            row = {name: 100 * (values[name][place] or 0.0) for name in values}
            diff = cleaneval_aligned(results.systems[number].texts.get(key, ""), gold, results.ascii)
            yield report.Page(key, str(gold.fields.get("url") or ""), of[place], row, diff)

    table = next(tables(results, None, ()))
    signed = [fact["signature"] for fact in signatures(results)]
    parts = {system.name: list(pages(number)) for number, system in enumerate(results.systems)}
    with open(path, "w", encoding="utf-8", errors="replace") as file:
        file.writelines(report.html("nc-eval", [table.header, *table.rows], parts, signed))


def write_plots(results: Results, folder: str) -> None:
    """Figures: the gain in precision over the first system (NCleaner, figure 3), calibration. Raises OSError."""
    from . import figures
    from .results import predictions

    where = Path(folder)
    where.mkdir(parents=True, exist_ok=True)
    baseline = results.values(0, "words", "P")
    for number, system in enumerate(results.systems):
        if number:
            both = zip(results.values(number, "words", "P"), baseline)
            gains = [100 * (ours - theirs) for ours, theirs in both if ours is not None and theirs is not None]
            figure = figures.precision_gains(gains, system.name, results.systems[0].name)
            figures.save(figure, where, f"precision-gains-{number}")
        if predicted := predictions(system, results, number):
            qualities, precisions = ([100 * pair[place] for pair in predicted] for place in (0, 1))
            figure = figures.calibration(qualities, precisions)
            figures.save(figure, where, f"calibration-{number}" if len(results.systems) > 1 else "calibration")


# ---- the command --------------------------------------------------------------------------------------------


def options() -> argparse.ArgumentParser:
    """What the command understands."""
    parser = stream.parser(
        TOOL, "How good selected text is, beside its gold text.", f"{TOOL} --gold pages.jsonl ours.jsonl theirs.jsonl"
    )
    parser.add_argument("--gold", metavar="FILE|DIR", help="where the gold text is, if not in the records themselves")
    parser.add_argument("--gold-field", metavar="NAME", help="the field that has the gold text (default: gold)")
    parser.add_argument("--text-field", metavar="NAME", help="the field that has the text (default: text)")
    parser.add_argument(
        "-m",
        "--measure",
        action="append",
        choices=NAMES,
        metavar="MEASURE",
        help=f"a measure; may be given again (default: all that apply): {', '.join(NAMES)}",
    )
    parser.add_argument("-f", "--format", choices=FORMATS, default="table", help="how to write (default: %(default)s)")
    parser.add_argument("--pages", action="store_true", help="the figures of each page instead (tsv, json)")
    parser.add_argument("--by", metavar="FIELD", help="figures for each value of a field, such as page_type or lang")
    parser.add_argument("-a", "--ascii", action="store_true", help="leave characters outside ASCII out")
    parser.add_argument("-u", "--unlabelled", action="store_true", help="-f cleaneval: all segment markers are <p>")
    parser.add_argument("--skip-missing", action="store_true", help="measure only pages that every system has")
    parser.add_argument(
        "--min-quality",
        type=float,
        action="append",
        metavar="Q",
        help="show what nc-select --min-quality would keep (default: 0.8 and 0.9)",
    )
    parser.add_argument("--worst", type=int, metavar="N", help="show the N pages where systems differ most, aligned")
    parser.add_argument("--align", metavar="DIR", help="write an alignment of each page")
    parser.add_argument("--html", metavar="FILE", help="write one HTML page with everything")
    parser.add_argument("--plot", metavar="DIR", help="write figures (PNG, SVG)")
    parser.add_argument("-j", "--jobs", type=int, metavar="N", help="processes (default: one for each core)")
    return parser


def main(argv: list[str] | None = None) -> int:
    """The command; the exit status."""
    args = options().parse_intermixed_args(argv)

    def start() -> int:
        from . import gold
        from .results import Results

        _check(args)
        golds = gold.read(args.gold, args.limit, args.gold_field) if args.gold else None
        found, own, status = systems(args)
        if status and args.strict:
            return status
        golds = golds if golds is not None else own
        if not golds:
            raise stream.UsageError("no gold text: no record has a field gold; say where it is with --gold")
        golds = matched(found, golds, args)
        if args.format == "cleaneval":
            sys.stdout.writelines(as_cleaneval(Results(found, golds, (), args.ascii), args.unlabelled))
            return status
        results = Results(found, golds, args.measure or NAMES, args.ascii, args.jobs)
        if args.align:
            write_alignments(results, args.align)
        if args.html:
            write_report(results, args.html, args.by)
        if args.plot:
            write_plots(results, args.plot)
        sys.stdout.writelines(_written(results, args))
        return status

    return stream.guarded(TOOL, start)


def _check(args: argparse.Namespace) -> None:
    """Raises UsageError for options that do not go together."""
    if args.pages and args.format not in ("tsv", "json"):
        raise stream.UsageError("--pages wants -f tsv or -f json")
    if args.format == "cleaneval" and len(args.files) > 1:
        raise stream.UsageError("-f cleaneval is for one system")
    if args.unlabelled and args.format != "cleaneval":
        raise stream.UsageError("-u wants -f cleaneval; other formats show both")
    if (args.worst is not None and args.worst < 1) or (args.jobs is not None and args.jobs < 1):
        raise stream.UsageError("--worst and -j want a number from 1 on")
    args.min_quality = args.min_quality or [0.8, 0.9]
    if args.measure:
        needs = [what for what in ("worst", "html", "plot") if getattr(args, what)]
        if needs and "words" not in args.measure:
            raise stream.UsageError(f"--{needs[0]} wants the measure words")


def _written(results: Results, args: argparse.Namespace) -> Iterator[str]:
    """The report in the format asked for."""
    from . import results as facts

    if args.format == "json":
        yield json.dumps(_everything(results, args), indent=1, ensure_ascii=False) + "\n"
    elif args.format == "tsv":
        yield from long(facts.pages(results) if args.pages else _figures(results, args))
    else:
        for table in tables(results, args.by, args.min_quality):
            yield from lines(table, args.format)
            yield "\n"
        if args.worst:
            yield from worst(results, args.worst)


def _figures(results: Results, args: argparse.Namespace) -> Facts:
    """Figures, and those of groups."""
    from . import results as facts

    found = [{"group": "", **fact} for fact in facts.figures(results)]
    return found + (facts.groups(results, args.by) if args.by else [])


def _everything(results: Results, args: argparse.Namespace) -> dict[str, Any]:
    from . import results as facts

    out: dict[str, Any] = {"figures": facts.figures(results)}
    if args.by:
        out["groups"] = facts.groups(results, args.by)
    if len(results.systems) > 1:
        out["comparisons"] = facts.comparisons(results)
    for number, system in enumerate(results.systems):
        if system.quality and "words" in results.names:
            out.setdefault("calibration", []).extend(facts.calibration(system, results, number))
            predicted = facts.predictions(system, results, number)
            for minimum in args.min_quality:
                out.setdefault("quality", []).extend(
                    {"system": system.name, **fact} for fact in facts.apart(predicted, minimum)
                )
    if args.pages:
        out["pages"] = facts.pages(results)
    out["signatures"] = facts.signatures(results)
    return out
