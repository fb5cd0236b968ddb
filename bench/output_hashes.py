#!/usr/bin/env python3
"""Records hashes of the output of each command, and compares two records: for changes that must not change output.

    python bench/output_hashes.py ../shared/data --every 20 -o before.json
    python bench/output_hashes.py ../shared/data --every 20 --compare before.json

Prints the entries that differ. The commands run on every N-th page of all sets, on pages made at random (20,000
divided by N) and on the WARC sample. An entry is the exit status and the SHA-256 digest of the
output, or of the files that a command writes. Exit status: 0; 1 if an entry differs.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import hashlib
import json
import lzma
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.made_pages import SAMPLED_PAGES, LineMaker, pages_of
from ncfilters.selection.formats import OUTPUT_FORMS

ROOT = Path(__file__).resolve().parent.parent
# Sets on which all commands run; sets, and made pages, on which the stages run, with and without markup.
SETS = ("wcxb-dev", "cleaneval-dev", "daniel-dev")
OTHER_SETS = ("dragnet-dev", "l3s-dev", "snippets-dev", "fundus-dev", "recipes-dev")
MADE, NUM_MADE = "made", 20_000
TIMEOUT = 3600  # seconds a command

# name → command, for each set. `$S` is the sample of the set. They run in this order: some read the output of others.
SEGMENTS = {
    "segments": "nc-segment $S.jsonl | tee $S.segments",
    "sentences": "nc-segment --sentences $S.jsonl | tee $S.sentences",
    "justext-segments": "nc-segment --profile justext $S.jsonl | tee $S.justext",
    "dump": "nc-render --as text $S.jsonl | tee $S.dump",
}
FORMS = [name for name in OUTPUT_FORMS if name != "text"]
STAGES = {
    "segment": "nc-segment $S.jsonl | tee $S.segments",
    "segment-markup": "nc-segment --markup $S.jsonl | tee $S.marked",
    "score": "nc-score $S.segments | tee $S.scored",
    "score-markup": "nc-score $S.marked | tee $S.marked-scored",
    "select": "nc-select $S.scored",
    "select-jsonl": "nc-select -f jsonl $S.scored",
    **{f"markup-{form}": f"nc-select --as {form} $S.marked-scored" for form in FORMS},
    "markup-jsonl": "nc-select -f jsonl --as markdown --front-matter $S.marked-scored",
    "clean": "nc-clean -f jsonl $S.jsonl",
    "clean-markdown": "nc-clean --as markdown $S.jsonl",
}
SCORES = {
    "score-en": "nc-score -m en $S.segments | tee $S.en",
    "score-ncleaner": "nc-score -m ncleaner-en $S.segments | tee $S.ncleaner",
    "score-perplexity": "nc-score -m perplexity-en $S.sentences | tee $S.perplexity",
    "score-justext": "nc-score -m justext-en $S.justext | tee $S.rules",
    "score-dump": "nc-segment $S.dump | nc-score -m en | tee $S.dump-en",
}
SET_COMMANDS = {
    "normalize": "nc-normalize $S.jsonl",
    "normalize-text": "nc-normalize -f text $S.jsonl",
    "normalize-html5lib": "head -20 $S.jsonl | nc-normalize --parser html5lib",
    "render": "nc-render $S.jsonl",
    "render-text": "nc-render -f text $S.jsonl",
    "segment-msgpack": "nc-segment -f msgpack $S.jsonl",
    "segment-blocks": "nc-render $S.jsonl | nc-segment --keep",
    **{f"score-{name}": f"nc-score -m {name} $S.segments" for name in ("xx", "ncleaner-nonlexical", "ncleaner-zh")},
    "score-two": "nc-score -m ncleaner-en -m en $S.segments",
    "score-explain": "nc-score --explain 2 $S.segments",
    "score-improved": "nc-score -m justext-en --set variant=improved $S.segments",
    "score-java": "nc-score -m justext-en --set variant=java $S.justext",
    "score-msgpack": "nc-score -f msgpack -m xx $S.segments",
    **{f"as-{form}": f"nc-select --as {form} $S.en" for form in FORMS},
    **{f"format-{form}": f"nc-select -f {form} $S.en" for form in ("jsonl", "msgpack", "wet")},
    **{
        f"decide-{how.replace(' ', '-')}": f"nc-select -f jsonl --decide {how} $S.en"
        for how in ("threshold", "expected", "viterbi", "justext", "justext --set variant=java")
    },
    "favour-precision": "nc-select --favour precision $S.en",
    "favour-recall": "nc-select --favour recall $S.en",
    "select-all": "nc-select --all $S.en",
    "select-all-jsonl": "nc-select --all -f jsonl $S.en",
    "select-all-vertical": "nc-select --all --as vertical $S.en",
    "select-no-rules": "nc-select --no-rules -t 3 $S.ncleaner",
    "select-ncleaner": "nc-select -f jsonl $S.ncleaner",
    "select-viterbi": "nc-select --decide viterbi $S.ncleaner",
    "select-quality": "nc-select --min-quality 0.9 -f jsonl $S.en",
    "select-justext": "nc-select --decide justext $S.rules",
    "select-justext-all": "nc-select --decide justext --all $S.rules",
    "select-dump": "nc-select -f jsonl $S.dump-en",
    "select-folder": "nc-select -o $S-folder --as markdown $S.en; cat $(find $S-folder -type f | LC_ALL=C sort)",
    "eval": "nc-select -f jsonl --as cleaneval $S.en > $S.e1; nc-select -f jsonl --as cleaneval $S.ncleaner > $S.e2; "
    "nc-eval --gold $S.jsonl $S.e1 $S.e2 --worst 2 --by lang",
    **{f"eval-{form}": f"nc-eval --gold $S.jsonl $S.e1 $S.e2 -f {form}" for form in ("tsv", "json", "markdown")},
    "eval-pages": "nc-eval --gold $S.jsonl $S.e1 --pages -f tsv; nc-eval --gold $S.jsonl $S.e1 --pages -f json",
    "eval-align": "nc-eval --gold $S.jsonl $S.e1 --align $S-align; cat $(find $S-align -type f | LC_ALL=C sort)",
    "eval-cleaneval": "nc-eval --gold $S.jsonl $S.e1 -f cleaneval; nc-eval -a -u --gold $S.jsonl $S.e1 -f cleaneval",
    "pipeline": f"{sys.executable} $BENCH/pipeline_text.py $S.jsonl",
}
TRAIN_SET = "mixed"  # pages of all sets, few enough to train on
TRAINED = {
    "ngram": "ngram -n 3 -q 0.5",
    "ngram-nonlexical": "ngram -n 6 -q 0.4 --folding nonlexical",
    "ngram-frequent": "ngram --folding frequent --characters 30 --bias 3 --context 15",
    "ngram-fit": "ngram --fit --folding frequent --characters 20",
    "ngram-differential": "ngram --differential",
    "structure": "structure",
    "structure-no-words": "structure --no-words",
    "structure-without": "structure --without names,around,page",
}
WORD_MODELS = {
    "pyplexity": "-n 2",
    "misaligned": "-n 3 --estimator pyplexity-misaligned",
    "interpolated": "-n 2 --estimator interpolated --lines",
}
ONCE = {
    "warc": "nc-warc $DATA/crawl-sample.warc.gz",
    "warc-msgpack": "nc-warc -f msgpack -n 20 $DATA/crawl-sample.warc.gz",
    "warc-match": "nc-warc --url-match 'e.*com' $DATA/crawl-sample.warc.gz",
    "warc-pipe": "nc-warc -n 30 $DATA/crawl-sample.warc.gz | nc-segment | nc-score | nc-select",
    **{
        f"train-{name}": f"nc-train {options} -o {name}.model $IN >/dev/null; cat {name}.model {name}.md"
        for name, options in TRAINED.items()
    },
    **{
        f"train-word-{name}": (
            f"nc-train word {options} -o w{name}.model $CLEAN >/dev/null; cat w{name}.model w{name}.md"
        )
        for name, options in WORD_MODELS.items()
    },
    "train-stoplist": "nc-train stoplist -n 100 -o s.txt $CLEAN; cat s.txt",
    "train-cv": "nc-train ngram --cv 3 --scored cv.jsonl $IN; cat cv.jsonl",
    "train-structure-cv": "nc-train structure --cv 2 --scored scv.jsonl $IN; cat scv.jsonl",
    "train-quality": "nc-train quality -o q.model scv.jsonl > /dev/null; cat q.model q.md",
    "tune-entropy": "nc-train ngram --tune entropy -n 2,3 -q 0.3,0.5 --cv 3 $IN",
    "tune-f": "nc-train ngram --tune f -n 2,3 -q 0.5 --cv 3 $IN",
    "tune-threshold": "nc-train ngram --tune threshold --cv 3 $IN",
    "tune-curve": "nc-train ngram --tune curve $IN",
    "model-show": "nc-model show ngram.model structure.model winterpolated.model q.model",
    "model-show-all": "nc-model show -f json en xx ncleaner-en ncleaner-nonlexical perplexity-en quality justext-en",
    "model-check": "nc-model check",
    "model-diff": "nc-model diff ./ngram.model ncleaner-en",
    "model-import": "nc-model import $DATA/storable/bigrams.st -o i.model >/dev/null; cat i.model i.md",
    "list-models": "nc-score --list-models",
}


def main(argv: list[str] | None = None) -> int:
    """The command; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of gold sets")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th page of each set")
    parser.add_argument("--compare", type=Path, metavar="FILE", help="compare with this record")
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="only entries whose names contain TEXT, and what they read"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the record here")
    parser.add_argument("--bin", type=Path, default=ROOT / "bin", metavar="DIR", help="the commands (default: bin/)")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as name:
        options = RecordOptions(args.data.resolve(), args.bin.resolve(), args.every, args.only)
        record = Recorder(options, Path(name)).record()
    if args.output:
        args.output.write_text(json.dumps(record, indent=0, sort_keys=True) + "\n")
    if not args.compare:
        return 0
    before = json.loads(args.compare.read_text())
    different = [name for name in sorted(record) if before.get(name) != record[name]]
    for name in different:
        print(f"{name}: {before.get(name)} is now {record[name]}")
    print(f"{len(record)} entries, {len(different)} differ")
    return 1 if different else 0


@dataclass(frozen=True)
class RecordOptions:
    """The folders of gold sets and of commands; every N-th page, and entries whose names contain a text."""

    data: Path
    commands: Path
    every: int = 1
    only: str = ""


class Recorder:
    """Runs commands in *folder*, and records their output."""

    def __init__(self, options: RecordOptions, folder: Path) -> None:
        self._options, self._folder = options, folder
        data, self._commands = options.data, options.commands
        path = os.pathsep.join([str(self._commands), str(Path(sys.executable).parent), os.environ["PATH"]])
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith("NC_")} | {
            "PATH": path,
            "DATA": str(data),
            "IN": f"{TRAIN_SET}.jsonl",
            "CLEAN": "clean.jsonl",
            "BENCH": str(ROOT / "bench"),
            "LC_ALL": "C.UTF-8",
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONPATH": str(self._commands.parent),
        }

    def record(self) -> dict[str, str]:
        """The exit status and the digest of each entry."""
        data, every = self._options.data, self._options.every
        for number, name in enumerate(SETS + OTHER_SETS):
            pages = every_nth_line(data / f"{name}.jsonl.xz", every)
            (self._folder / f"{name}.jsonl").write_bytes(b"".join(pages))
            if name not in SETS:
                continue
            with open(self._folder / f"{TRAIN_SET}.jsonl", "ab") as file:
                file.writelines(pages[:: max(1, len(pages) // 40)][: 40 + number])
        maker = LineMaker(1, list(pages_of([data / f"{name}.jsonl.xz" for name in SETS], SAMPLED_PAGES)))
        made = [maker.line() for _ in range(NUM_MADE // every)]
        (self._folder / f"{MADE}.jsonl").write_bytes(b"".join(made))
        (self._folder / "clean.jsonl").write_bytes(b"".join(every_nth_line(data / "clean-text-en.jsonl.xz", every)))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            others = pool.submit(self._all, {name: (name, command, {}) for name, command in ONCE.items()})
            steps = {**SEGMENTS, **SCORES, **SET_COMMANDS}
            of_sets = [
                pool.submit(
                    self._all, {f"{name}/{step}": (step, command, {"S": name}) for step, command in steps.items()}
                )
                for name in SETS
            ] + [
                pool.submit(
                    self._all, {f"{name}/{step}": (step, command, {"S": name}) for step, command in STAGES.items()}
                )
                for name in (*SETS, *OTHER_SETS, MADE)
            ]
            rows = [*others.result(), *(row for one in of_sets for row in one.result())]
        return {name: digest for name, digest in rows if self._options.only in name}

    def _all(self, steps: dict[str, tuple[str, str, dict[str, str]]]) -> list[tuple[str, str]]:
        needed = {**SEGMENTS, **SCORES, **STAGES}
        return [
            self._entry(name, command, more)
            for name, (step, command, more) in steps.items()
            if step in needed or step not in SET_COMMANDS or self._options.only in name
        ]

    def _entry(self, name: str, command: str, more: dict[str, str]) -> tuple[str, str]:
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=self._folder,
            env={**self._environment, **more},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=TIMEOUT,
        )
        # paths of the checkout must not differ between checkouts
        written = done.stdout.replace(str(self._commands.parent).encode(), b"CHECKOUT")
        digest = hashlib.sha256(written).hexdigest()[:16]
        print(f"{name}: {done.returncode} {digest} {len(done.stdout)} bytes", file=sys.stderr)
        return name, f"{done.returncode} {digest}"


def every_nth_line(path: Path, every: int) -> list[bytes]:
    """Every N-th line of a file compressed with xz."""
    with lzma.open(path) as file:
        return [line for number, line in enumerate(file) if number % every == 0]


if __name__ == "__main__":
    sys.exit(main())
