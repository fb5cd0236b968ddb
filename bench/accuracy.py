#!/usr/bin/env python3
"""How accurate the models are on pages with gold text: the figures of the README.

    python bench/accuracy.py ../shared/data            # the models as they are shipped
    python bench/accuracy.py --cv ../shared/data       # retrained with CleanEval, ten folds by domain (ten minutes)

Wants the folder of gold sets, and `measure.py` beside it, which defines the measures. `ncleaner-en` and
`ncleaner-nonlexical` are trained on wcxb-dev alone, so that its row here is not a test and the others are.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

BIN = Path(__file__).resolve().parent.parent / "bin"
ENV = {**os.environ, "PATH": os.pathsep.join([str(BIN), str(Path(sys.executable).parent), os.environ["PATH"]])}
MODELS = {"ncleaner-en": "-n 3 -q 0.5", "ncleaner-nonlexical": "-n 6 -q 0.4 --folding nonlexical"}
FOLDS = 10


def measured(data: Path, name: str, command: str) -> dict[str, float | dict[str, float]]:
    """The measures of what a pipe makes of a set."""
    measure = [sys.executable, str(data.parent / "measure.py"), str(data / f"{name}.jsonl.xz"), f"cmd:{command}"]
    if name != "cleaneval-dev":
        measure.insert(2, "--no-seq")
    out = subprocess.run(measure, env=ENV, check=True, capture_output=True, text=True)
    print(out.stderr, end="", file=sys.stderr)
    line: dict[str, float | dict[str, float]] = json.loads(out.stdout)
    return line


def show(what: str, line: dict[str, float | dict[str, float]]) -> None:
    """A row: the measures that are there."""
    keys = ("ce-F", "seq-P", "seq-R", "seq-F", "tags-F", "utags-F", "bag-P", "bag-R", "bag-F", "with", "without")
    print(f"{what:44}", *(f"{key} {line[key]:5.2f}" for key in keys if key in line))
    if "groups" in line:
        print(" " * 44, line["groups"])
    sys.stdout.flush()


def shipped(data: Path) -> None:
    """Each model on each set, from HTML and from plain text."""
    for model in MODELS:
        end = f"nc-segment | nc-score -m {model} | nc-select -f jsonl"
        show(f"cleaneval-dev {model}", measured(data, "cleaneval-dev", f"{end} --as cleaneval"))
        show(
            f"cleaneval-dev {model}, text",
            measured(data, "cleaneval-dev", f"nc-render --as text | {end} --as cleaneval"),
        )
        for name in ("daniel-dev", "wcxb-dev"):
            show(f"{name} {model}", measured(data, name, end))
    looser = "nc-segment | nc-score -m ncleaner-en | nc-select -t -4 -f jsonl --as cleaneval"
    show("cleaneval-dev ncleaner-en, -t -4", measured(data, "cleaneval-dev", looser))
    everything = "nc-segment | nc-score | nc-select -t -1000000000 -f jsonl --as cleaneval"
    show("cleaneval-dev, heuristics only", measured(data, "cleaneval-dev", everything))
    show("cleaneval-dev, all segments", measured(data, "cleaneval-dev", f"{everything} --no-rules"))


def domain(page: dict[str, str]) -> str:
    """The host of a page; a page whose address nobody knows is a host of its own."""
    return page["url"].partition("//")[2].partition("/")[0] or page["id"]


def cross_validated(data: Path) -> None:
    """CleanEval by folds of domains, the other folds and wcxb-dev in training."""
    with tempfile.TemporaryDirectory() as folder:
        segmented = {}
        for name in ("wcxb-dev", "cleaneval-dev"):
            path = Path(folder, f"{name}.jsonl")
            with path.open("wb") as out:
                subprocess.run(["nc-segment", data / f"{name}.jsonl.xz"], stdout=out, env=ENV, check=True)
            segmented[name] = path
        pages = segmented["cleaneval-dev"].read_text().splitlines(keepends=True)
        domains = [domain(json.loads(page)) for page in pages]
        fold_of = {host: number % FOLDS for number, host in enumerate(sorted(set(domains)))}
        for model, parameters in MODELS.items():
            result = Path(folder, "result.jsonl")
            result.write_text("")
            for fold in range(FOLDS):
                train, test = Path(folder, "train.jsonl"), Path(folder, "test.jsonl")
                train.write_text("".join(p for p, d in zip(pages, domains) if fold_of[d] != fold))
                test.write_text("".join(p for p, d in zip(pages, domains) if fold_of[d] == fold))
                command = (
                    f"nc-train ngram {parameters} -o {folder}/m.model {segmented['wcxb-dev']} {train} 2>/dev/null && "
                    f"nc-score -m {folder}/m.model {test} | nc-select -f jsonl --as cleaneval >> {result}"
                )
                subprocess.run(command, shell=True, env=ENV, check=True)
            show(f"cleaneval-dev {model}, {FOLDS}-fold", measured(data, "cleaneval-dev", f"cat {result}"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder of gold sets")
    parser.add_argument("--cv", action="store_true", help="cross-validate on CleanEval instead")
    args = parser.parse_args()
    (cross_validated if args.cv else shipped)(args.data)


if __name__ == "__main__":
    main()
