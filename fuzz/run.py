#!/usr/bin/env python3
"""Fuzzes one target with atheris, guided by the coverage of the Python code.

    pip install 'ncfilters[fuzz]'
    python -m fuzz.run html -max_total_time=600

Options after the name are libFuzzer's. It starts from the inputs kept in `fuzz/corpus/TARGET.txt`, a line of base64
each, and from the seeds of the target. New inputs are in the folder `$NC_FUZZ/TARGET` (default: /tmp/nc-fuzz). What
breaks a promise is written beside it and named on standard error: it is kept (`write_corpus`) and fixed, and the tests
replay the corpus.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import pkgutil
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "fuzz" / "corpus"
# Seconds and megabytes that one input may take.
LIMITS = ("-timeout=20", "-rss_limit_mb=3000")
# The packages whose coverage guides a target.
PACKAGES = {
    "records": ("streams",),
    "warc": ("streams",),
    "html": ("page", "segmentation"),
    "structured": ("page", "segmentation"),
    "models": ("scoring", "features", "text"),
    "forms": ("selection",),
}


def main(argv: list[str]) -> None:
    """Runs the fuzzer, which ends the process."""
    import atheris

    name = argv[1]
    with atheris.instrument_imports(include=["ncfilters"]):
        from fuzz import seeds, targets

        for module in modules(PACKAGES[name]):  # those that are imported when they are needed have to be guided, too
            with contextlib.suppress(ImportError):
                import_module(module)
    target = targets.TARGETS[name]
    folder = Path(os.environ.get("NC_FUZZ", "/tmp/nc-fuzz")) / name
    folder.mkdir(parents=True, exist_ok=True)
    for data in [*read_corpus(name), *seeds.seeds(name)]:
        (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
    words = folder.with_suffix(".dict")
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in seeds.WORDS.get(name, [])))
    options = [*LIMITS, f"-artifact_prefix={folder}-", *([f"-dict={words}"] if name in seeds.WORDS else []), *argv[2:]]
    atheris.Setup([argv[0], str(folder), *options], target)
    atheris.Fuzz()


def modules(packages: tuple[str, ...]) -> list[str]:
    """The names of all modules of packages of the program. Coverage guides only through those that are not compiled."""
    paths = [str(ROOT / "ncfilters" / package) for package in packages]
    prefixes = [f"ncfilters.{package}." for package in packages]
    found = [module for path, prefix in zip(paths, prefixes) for module in pkgutil.walk_packages([path], prefix)]
    return [module.name for module in found]


def read_corpus(name: str) -> list[bytes]:
    """The inputs kept for a target."""
    path = CORPUS / f"{name}.txt"
    return [base64.b64decode(line) for line in path.read_text().splitlines()] if path.exists() else []


def write_corpus(name: str, inputs: list[bytes]) -> None:
    """Keeps inputs for a target, the shortest first."""
    CORPUS.mkdir(exist_ok=True)
    lines = [base64.b64encode(data).decode() for data in sorted(set(inputs), key=lambda data: (len(data), data))]
    (CORPUS / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))


def _escaped(word: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word.encode())


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main(sys.argv)
