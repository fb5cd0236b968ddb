"""nc-model: what models are, whether their files are sound, how two of them differ, and those of other programs.

    nc-model show en; nc-model check; nc-model diff en ./my.model
    nc-model import lm.arpa -o lm.model; nc-model arpa lm.model | build_binary /dev/stdin lm.bin

Content is gathered as JSON has it; text is that, laid out.
"""

from __future__ import annotations

import argparse
import errno
import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from typing import Any

from ..errors import ModelError, UsageError
from ..scoring import base, inspection_report, registry
from ..streams import console
from . import options

TOOL = "nc-model"

# Fields of a header that differ between any two models, or are compared otherwise.
_OWN = ("arrays", "bytes", "content", "sha256")
_CHECKSUM = re.compile(r"sha256\b.*?\b([0-9a-f]{64})\b")

# What a verb gives: for each model (diff: for both) its content, and the exit status.
Result = tuple[list[dict[str, Any]], int]


def described(path: Path, count: int) -> dict[str, Any]:
    """What a model is: name, signature, file, its size in bytes, header, and *count* of what is most telling, where
    its kind can say so. Raises ModelError."""
    header, loaded = registry.read_model(path)
    out = {**_named(path, header), "size": path.stat().st_size, "header": header}
    if count and isinstance(loaded, base.InspectableModel):
        out["telling"] = loaded.most_informative(count)
    return out


def verified(path: Path) -> dict[str, Any]:
    """Whether a model's file is sound, and its card agrees: file, `ok`, and `problems` or `notes`. Raises nothing."""
    try:
        header, _ = registry.read_model(path, verify=True)
    except ModelError as error:
        return {"file": str(path), "ok": False, "problems": [str(error).removeprefix(f"{path}: ")], "notes": []}
    problems, notes = _card(registry.card_path(path), header["sha256"])
    return {**_named(path, header), "ok": not problems, "problems": problems, "notes": notes}


def _card(path: Path, checksum: str) -> tuple[list[str], list[str]]:
    """What is wrong with a card, and what is worth saying."""
    try:
        found = _CHECKSUM.search(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return [], [f"there is no card {path.name}"]
    except (OSError, ValueError) as error:
        return [f"the card {path.name} cannot be read: {getattr(error, 'strerror', None) or 'not UTF-8'}"], []
    if not found:
        return [], [f"the card {path.name} has no checksum"]
    if found[1] != checksum:
        return [f"the card {path.name} is of another model: the checksum in it is {found[1][:12]}…"], []
    return [], []


def difference(first: Path, second: Path, count: int) -> dict[str, Any]:
    """How two models of one kind differ: whether they are the `same`; which `fields` of their headers and which
    `arrays` are not; and what their kind says of them. Raises ModelError."""
    (header, one), (other_header, other) = registry.read_model(first), registry.read_model(second)
    if one.kind != other.kind:
        raise ModelError(f"{first} is of kind {one.kind}, {second} of kind {other.kind}: nothing to compare")
    fields = _differing(_flat(header), _flat(other_header))
    arrays = sorted(_differing(_bytes(one), _bytes(other)))
    out = {
        "first": _named(first, header),
        "second": _named(second, other_header),
        "same": not fields and not arrays,
        "fields": fields,
        "arrays": arrays,
    }
    if not out["same"] and isinstance(one, base.InspectableModel):
        out["compared"] = one.differences(other, count)
    return out


def _flat(header: dict[str, Any]) -> dict[str, Any]:
    """The fields of a header, those within objects as outer.inner."""
    out = {}
    for key, value in header.items():
        if isinstance(value, dict):
            out.update({f"{key}.{inner}": more for inner, more in value.items()})
        elif key not in _OWN:
            out[key] = value
    return out


def _bytes(of: base.StorableModel) -> dict[str, tuple[str, bytes]]:
    return {name: (array.dtype.str, array.tobytes()) for name, array in of.arrays().items()}


def _differing(one: dict[str, Any], other: dict[str, Any]) -> dict[str, list[Any]]:
    """What is not the same in both, of each; None where there is nothing."""
    pairs = {key: [one.get(key), other.get(key)] for key in {**one, **other}}
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}


def _named(path: Path, header: dict[str, Any]) -> dict[str, Any]:
    name = registry.model_name(path)
    return {"name": name, "signature": registry.signature(name, header), "file": str(path)}


# ---- the verbs ----------------------------------------------------------------------------------------------


def show(names: list[str], count: int) -> Result:
    """What each model is. Raises UsageError or ModelError."""
    if not names:
        raise UsageError("show: which model? nc-score --list-models says what there is")
    return [described(path, count) for path in _found(names)], 0


def check(names: list[str], count: int) -> Result:
    """Whether each model is sound, all there are without names. Raises UsageError or ModelError."""
    paths = _found(names) if names else list(registry.installed_models().values())
    if not paths:
        raise UsageError("check: there are no models")
    out = [verified(path) for path in paths]
    return out, 0 if all(result["ok"] for result in out) else 1


def diff(names: list[str], count: int) -> Result:
    """How two models differ. Raises UsageError or ModelError."""
    if len(names) != 2:
        raise UsageError(f"diff: two models are compared, not {len(names)}")
    first, second = _found(names)
    out = difference(first, second, count)
    return [out], 0 if out["same"] else 1


def _found(names: list[str]) -> list[Path]:
    """The files of models; a file that is not there is no damaged model. Raises ModelError."""
    paths = [registry.find(name) for name in names]
    for path in paths:
        if not os.path.exists(path):
            raise ModelError(f"{path}: {os.strerror(errno.ENOENT)}")
    return paths


VERBS: dict[str, tuple[Callable[[list[str], int], Result], Callable[[list[dict[str, Any]]], str]]] = {
    "show": (show, inspection_report.shown),
    "check": (check, inspection_report.checked),
    "diff": (diff, inspection_report.differing),
}
# what makes models, or files of other programs (see `conversion`)
CONVERSIONS = ("import", "arpa")


def option_parser() -> argparse.ArgumentParser:
    """What the command understands."""
    parser = options.plain_parser(TOOL, "Look into models, verify, compare and convert them.", f"{TOOL} show en | less")
    parser.add_argument(
        "verb",
        choices=[*VERBS, *CONVERSIONS],
        help="say what models are, verify their files, compare two; make a model of another program's, or an ARPA file",
    )
    parser.add_argument("models", nargs="*", metavar="NAME|PATH", help="models by name or file (check: default all)")
    parser.add_argument(
        "-n",
        type=_count,
        default=20,
        metavar="N",
        help="so many of the most telling n-grams of each class, or the most changed (default: %(default)s)",
    )
    parser.add_argument(
        "-f", "--format", choices=["text", "json"], default="text", help="how to write (default: %(default)s)"
    )
    group = parser.add_argument_group("import and arpa")
    group.add_argument("-o", "--output", metavar="FILE", help="where to (arpa: default standard output)")
    group.add_argument(
        "--tokens",
        choices=["spaces", "words", "pyplexity"],
        default="spaces",
        help="how texts are cut into the words of an ARPA file (default: %(default)s)",
    )
    group.add_argument(
        "--estimator",
        choices=["pyplexity", "pyplexity-misaligned"],
        default="pyplexity",
        help="what PyPlexity's probabilities are put together by (default: %(default)s)",
    )
    group.add_argument(
        "--limit", type=options.perplexity, metavar="P", help="the perplexity of a score of 0 (default: 8000)"
    )
    group.add_argument("--language", default="", metavar="CODE", help="the language")
    group.add_argument("--description", metavar="TEXT", help="a sentence")
    group.add_argument("--credit", action="append", default=[], metavar="TEXT", help="a corpus and its licence")
    return parser


def _count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 0")
    return int(text)


def _convert(args: argparse.Namespace, argv: list[str]) -> int:
    """Makes the model, or the ARPA file. Raises UsageError and OSError."""
    if len(args.models) != 1:
        raise UsageError(f"{args.verb}: one {'file' if args.verb == 'import' else 'model'} is wanted")
    try:
        (path,) = [Path(args.models[0])] if args.verb == "import" else _found(args.models)
        if args.verb == "arpa":
            _export_arpa(path, args.output)
        else:
            _import_model(path, args, shlex.join([TOOL, *_without_folders(argv, {args.models[0], args.output})]))
    except ModelError as error:
        raise UsageError(str(error)) from None
    return 0


def _import_model(path: Path, args: argparse.Namespace, command: str) -> None:
    """Writes the word model of another program's file, and its card. Raises UsageError, ModelError and OSError."""
    from ..scoring.card import write_card  # as above
    from ..scoring.word_lm.convert import convert_model  # start-up: numpy

    if not args.output:
        raise UsageError("import: -o FILE is required, for the model")
    if path.suffix == registry.SUFFIX:
        raise UsageError(f"import: {path}: already a model of ncfilters")
    output = Path(args.output)
    if output.is_dir() or not output.parent.is_dir():  # better before the work than after it
        raise UsageError(f"{output}: {os.strerror(errno.EISDIR if output.is_dir() else errno.ENOENT)}")
    model, counts = convert_model(path, args.tokens, args.estimator)
    if args.limit is not None:
        model.limit = args.limit
    about = {
        "description": args.description or f"Imported from {path.name}.",
        "language": args.language,
        "credits": args.credit,
        "seen": counts,
        "command": command,
    }
    try:
        header = registry.write_model(output, model, about)
        write_card(output, header)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(output)) from None


def _export_arpa(path: Path, output: str | None) -> None:
    """Writes a back-off model as an ARPA file, to standard output without *output*. Raises ModelError and OSError."""
    from ..scoring.word_lm.convert import arpa_file  # start-up: numpy
    from ..streams.writers import Output

    blocks = arpa_file(str(path), registry.read_model(path)[1])
    descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666) if output else 1
    try:
        out = Output(watched=False, descriptor=descriptor)
        for block in blocks:
            out.write(block)
        out.flush()
    except ValueError as error:
        raise ModelError(f"{path}: {error}") from None
    except OSError as error:
        raise error if not output else OSError(error.errno, error.strerror, output) from None
    finally:
        if output:
            os.close(descriptor)


def _without_folders(argv: list[str], paths: Container[str]) -> Iterator[str]:
    """A command line without the folders of its files."""
    return (Path(word).name if word in paths else word for word in argv)


def main(argv: list[str] | None = None) -> int:
    """The command; the exit status."""
    argv = sys.argv[1:] if argv is None else argv
    args = option_parser().parse_intermixed_args(argv)
    # numpy's linear algebra starts threads that table look-ups never use: a tenth of a second of CPU
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if args.verb in CONVERSIONS:
        return console.exit_status(TOOL, lambda: _convert(args, argv))
    work, as_text = VERBS[args.verb]
    results: list[dict[str, Any]] = []

    def start() -> int:
        try:
            found, status = work(args.models, args.n)
        except ModelError as error:
            raise UsageError(str(error)) from None
        results.extend(found)
        return status

    def write() -> int:
        from ..streams.writers import Output

        lines = (json.dumps(result, ensure_ascii=False) + "\n" for result in results)
        out = Output(watched=False)
        # a header's strings may have what UTF-8 has not: JSON can still say it, and text has it replaced
        out.write(("".join(lines) if args.format == "json" else as_text(results)).encode("utf-8", "backslashreplace"))
        out.flush()
        return 0

    status = console.exit_status(TOOL, start)
    # written apart: who closes the pipe early still gets the status, and a diff that cannot be told is trouble
    if results and (failed := console.exit_status(TOOL, write)):
        return 2 if failed == 1 and args.verb == "diff" else failed
    return status
