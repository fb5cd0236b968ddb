"""nc-clean --resume: the names of the outputs, and the settings that all of a folder share.

nc-clean --resume crawl/*.warc.gz -o out/
nc-clean --resume crawl/*.warc.gz -o 'out/{}.jsonl.zst'
"""

from __future__ import annotations

import argparse
import os
from typing import Any

from ..errors import ModelError, UsageError
from ..installed import DEFAULT_QUALITY_MODEL, __version__
from ..record import Record
from ..scoring import registry
from ..scoring.auto import AUTO
from ..selection.formats import OUTPUT_FORMS
from ..streams.output_file import GZIP_SUFFIX, format_of
from ..streams.output_per_input import FilePattern
from . import options

# What stands for the name of an input in -o.
INPUT = "{}"
# Options that do not change what is written for an input.
_OTHER = frozenset(("files", "jobs", "output", "resume", "strict", "to_file", "unbuffered", "verbose"))


def file_pattern(args: argparse.Namespace) -> FilePattern:
    """The names of the outputs; sets the format that they ask for. Raises UsageError."""
    if args.output is None:
        raise UsageError(f"--resume requires -o DIR, or a name with {INPUT} for that of the input")
    if args.number is not None or args.name:
        raise UsageError("--resume cannot be combined with -n and --name")
    folder, name = os.path.split(args.output)
    if INPUT not in name:
        if os.path.isfile(args.output) or format_of(name) and not os.path.isdir(args.output):
            example = os.path.join(folder, INPUT + ".jsonl.zst")
            raise UsageError(f"-o {args.output}: --resume writes a file for each input; name a folder, or {example}")
        args.format = args.format or "text"
        return FilePattern(args.output, _suffix(args), args.gzip)
    stem, suffix = name.split(INPUT, 1)
    if stem or not suffix.startswith("."):
        raise UsageError(f"-o {args.output}: a name begins with {INPUT} and has a suffix, such as {INPUT}.jsonl.zst")
    args.format = args.format or format_of(name) or "text"
    args.gzip = args.gzip or args.format == "wet" and suffix.lower().endswith(GZIP_SUFFIX)
    return FilePattern(folder or ".", suffix, args.gzip)


def _suffix(args: argparse.Namespace) -> str:
    if args.format == "text":
        return OUTPUT_FORMS["plain" if args.all else args.form].suffix
    if args.format == "wet":
        return ".warc.wet" + (GZIP_SUFFIX if args.gzip else "")
    return f".{args.format}"


def settings(args: argparse.Namespace, standard: argparse.Namespace) -> Record:
    """What makes the outputs what they are: the version, the options that are not the default, and the checksums of
    models. *standard* are the options of a command line without any. Raises UsageError."""
    defaults = vars(standard)
    given = {name: value for name, value in vars(args).items() if value != defaults[name]}
    if "element_rules" in given:  # what the file says
        given["element_rules"] = options.element_rules(args)
    return {
        "ncfilters": __version__,
        "options": {name: _plain(value) for name, value in sorted(given.items()) if name not in _OTHER},
        "models": _models(args),
    }


def _models(args: argparse.Namespace) -> dict[str, str]:
    names = (args.model or [AUTO]) if hasattr(args, "model") else []  # nc-select has no models for segments
    try:
        if AUTO in names:  # it may take any that is installed
            return {name: registry.read_header(path)["sha256"] for name, path in registry.installed_models().items()}
        if DEFAULT_QUALITY_MODEL in registry.installed_models():
            names = [*names, DEFAULT_QUALITY_MODEL]
        return {name: registry.read_model(registry.find(name))[0]["sha256"] for name in names}
    except ModelError as error:
        raise UsageError(str(error)) from None


def _plain(value: Any) -> Any:
    """The value of an option as JSON."""
    if isinstance(value, frozenset | set):
        return sorted(map(str, value))
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
