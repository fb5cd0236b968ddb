"""nc-model: describes models, verifies their files, compares two, and imports models of PyPlexity.

    nc-model show en; nc-model check; nc-model diff en ./my.model
    nc-model import bigrams_bnc.st -o bnc.model

The text output has the same content as the JSON output.
"""

from __future__ import annotations

import argparse
import errno
import json
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import ModelError, UsageError, as_usage_errors, errors_at
from ..scoring import inspection, registry
from ..streams import console
from . import options

TOOL = "nc-model"
# verb → how what it finds is formatted as text
REPORTS: dict[str, Callable[[list[dict[str, Any]]], str]] = {
    "show": inspection.description_report,
    "check": inspection.verification_report,
    "diff": inspection.comparison_report,
}


_OPTIONS = """
-n N: print the N most informative n-grams of each class, or the N most changed (default: %(default)s)
-f --format text|json: the output format (default: %(default)s)
import
-o --output FILE: the model file, with its card beside it
--estimator pyplexity|pyplexity-misaligned: how PyPlexity's probabilities are interpolated (default: %(default)s)
--language CODE: the language, for the card
--description TEXT: a sentence for the card
--credit TEXT: a corpus and its licence, for the card
"""


def option_parser() -> argparse.ArgumentParser:
    parser = options.plain_parser(TOOL, "Describe, verify, compare and import models.", f"{TOOL} show en | less")
    what = "describe models (show), verify their files (check), compare two models (diff), or convert a model of "
    parser.add_argument("verb", choices=[*REPORTS, "import"], help=f"{what}PyPlexity (import)")
    what = "models by name or file (check: default: all installed models)"
    parser.add_argument("models", nargs="*", default=[], metavar="NAME|PATH", help=what)
    number = {"type": options.count, "default": 20}
    options.add(parser, _OPTIONS, n=number, format="text", estimator="pyplexity", language="", credit=[])
    return parser


def main(argv: list[str] | None = None) -> int:
    argv = sys.argv[1:] if argv is None else argv
    args = option_parser().parse_intermixed_args(argv)
    # numpy's linear algebra starts threads that table look-ups never use: a tenth of a second of CPU
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if args.verb == "import":
        return console.exit_status(TOOL, lambda: _import_model(args, argv))
    results: list[dict[str, Any]] = []

    def start() -> int:
        with as_usage_errors(ModelError):
            found, status = _inspected(args.verb, args.models, args.n)
        results.extend(found)
        return status

    def write() -> int:
        from ..streams.writers import Output  # start-up: orjson

        lines = "".join(json.dumps(result, ensure_ascii=False) + "\n" for result in results)
        out = Output(watched=False)
        # strings of a header may have lone surrogates: JSON escapes them, the text replaces them
        text = lines if args.format == "json" else REPORTS[args.verb](results)
        out.write(text.encode("utf-8", "backslashreplace"))
        out.flush()
        return 0

    status = console.exit_status(TOOL, start)
    # a separate step: if the reader closes the pipe early, the status is still that of the verb
    if results and (failed := console.exit_status(TOOL, write)):
        return 2 if failed == 1 and args.verb == "diff" else failed
    return status


def _inspected(verb: str, names: list[str], count: int) -> tuple[list[dict[str, Any]], int]:
    """What a verb says of the models, or of the two that it compares, and the exit status. Raises UsageError and
    ModelError."""
    if verb == "diff" and len(names) != 2:
        raise UsageError(f"diff: two models are needed, not {len(names)}")
    if verb == "show" and not names:
        raise UsageError("show: a model is needed; nc-score --list-models lists them")
    paths = [Path(registry.find(name)) for name in names] or list(map(Path, registry.installed_models().values()))
    for path in paths:
        if not os.path.exists(path):  # it is no damaged model
            raise ModelError(f"{path}: {os.strerror(errno.ENOENT)}")
    if not paths:
        raise UsageError("check: no models are installed")
    if verb == "show":
        return [inspection.describe(path, count) for path in paths], 0
    if verb == "diff":
        out = inspection.compare(paths[0], paths[1], count)
        return [out], 0 if out["same"] else 1
    verified = [inspection.verify(path) for path in paths]
    return verified, 0 if all(result["ok"] for result in verified) else 1


def _import_model(args: argparse.Namespace, argv: list[str]) -> int:
    """Writes the word model of another program's file, and its card. Raises UsageError and OSError."""
    from ..scoring.inspection import write_card  # start-up: other verbs do not need them
    from ..scoring.word_lm.storable import import_model

    if len(args.models) != 1:
        raise UsageError("import: give one file")
    if not args.output:
        raise UsageError("import: -o FILE is required")
    path = Path(args.models[0])
    if path.suffix == registry.SUFFIX:
        raise UsageError(f"import: {path}: already an ncfilters model")
    output = options.output_path(args.output)
    with as_usage_errors(ModelError):
        model, counts = import_model(path, args.estimator)
    # without folders: they differ from machine to machine
    words = [Path(word).name if word in (args.models[0], args.output) else word for word in argv]
    about = {
        "description": args.description or f"Imported from {path.name}.",
        "language": args.language,
        "credits": args.credit,
        "seen": counts,
        "command": shlex.join([TOOL, *words]),
    }
    with errors_at(str(output)):
        write_card(output, registry.write_model(output, model, about))
    return 0
