#!/usr/bin/env python3
"""Perplexity compared with PyPlexity: the same values from the same counts, CPU time and memory.

    python bench/perplexity.py ../shared/data/clean-text-en.jsonl.xz --peer-python peer/bin/python
    python bench/perplexity.py ../shared/data/clean-text-en.jsonl.xz -n 500 --bigrams 10000     # a quick look

Prints two tables (docs/from-pyplexity.md quotes them): of TEXTS, which are records with `text`, one sentence each; and
of random text with a given number of different bigrams. Bigrams are counted in the texts, and PyPlexity gets
dictionaries of the probabilities that follow. Each program runs in a separate process. PyPlexity requires old
libraries, and so a separate environment; without it the tables have only our figures:

    python -m venv peer && peer/bin/pip install pyplexity 'numpy<2'
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

# Sentences that are scored; PyPlexity is slow.
MAX_SENTENCES = 20_000
# Random text: different words, and words per sentence.
VOCABULARY, SENTENCE_LENGTH = 200_000, 12


@dataclass(frozen=True)
class Figures:
    """MB of memory after loading and after scoring, CPU seconds, and the perplexity of each sentence."""

    load: float
    memory: float
    seconds: float
    perplexities: list[float]


def resident_megabytes() -> float:
    """The resident memory of this process, pages of mapped files included."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def least_cpu(work: Callable[[], object], runs: int) -> float:
    """The least CPU time of several runs, in seconds."""
    out = []
    for _ in range(runs):
        start = time.process_time()
        work()
        out.append(time.process_time() - start)
    return min(out)


# ---- the processes; their imports are in functions, as PyPlexity's environment has no ncfilters -------------------


def measure_ours(folder: Path) -> Figures:
    """Measures our model in a folder on its sentences."""
    from ncfilters.scoring import registry
    from ncfilters.scoring.word_lm import model as imported  # noqa: F401  (before memory is measured)

    texts = json.loads((folder / "sentences.json").read_text())
    before = resident_megabytes()
    model: Any = registry.load(str(folder / "x.model"))
    load = resident_megabytes() - before
    perplexities = model.perplexities(texts).tolist()
    memory = resident_megabytes() - before
    return Figures(load, memory, least_cpu(lambda: model.perplexities(texts), 5), perplexities)


def measure_peer(folder: Path) -> Figures:
    """Measures PyPlexity with the probabilities in a folder on its sentences."""
    from pyplexity.perpl_model import BigramPerplexityModel

    texts = json.loads((folder / "sentences.json").read_text())
    before = resident_megabytes()
    tables: list[dict[bytes, float]] = []
    for name in ("bigrams", "unigrams"):
        tables.append({})
        with (folder / name).open("rb") as file:
            for line in file:
                key, value = line[:-1].rsplit(b"\t", 1)
                tables[-1][key] = float(value)
    model = BigramPerplexityModel(tables)
    memory = resident_megabytes() - before
    perplexities = [model.compute_sentence(text) for text in texts]
    seconds = least_cpu(lambda: [model.compute_sentence(text) for text in texts], 2)
    return Figures(memory, memory, seconds, perplexities)


def measure_in_process(role: str, python: str, folder: Path) -> Figures:
    """Runs a measurement in a separate process."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    command = [python, __file__, "--role", role, str(folder)]
    done = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=True)
    return Figures(**json.loads(done.stdout.splitlines()[-1]))


# ---- the tables ---------------------------------------------------------------------------------------------------


def prepare(folder: Path, training: Sequence[str], sentences: Sequence[str]) -> int:
    """Writes the model, PyPlexity's probabilities and the sentences; the number of different bigrams."""
    import numpy as np

    from ncfilters.scoring import registry
    from ncfilters.scoring.word_lm.interpolated import InterpolatedModel
    from ncfilters.training.word_lm_trainer import train_word_model

    model = train_word_model(training)
    assert isinstance(model, InterpolatedModel)
    registry.write_model(folder / "x.model", model, {})
    (folder / "sentences.json").write_text(json.dumps(sentences))
    words = [word.encode() for word in model.trie.vocabulary.words()]
    unigrams, bigrams = model.trie.ngrams()
    counts = model.counts_at(1, unigrams[:, 0])
    with (folder / "unigrams").open("wb") as file:
        for word, probability in zip(words, model.unigram_probabilities(unigrams[:, 0], counts).tolist()):
            file.write(b"%s\t%r\n" % (word, probability))
    probabilities = model.counts_at(2, np.arange(len(bigrams))) / counts[bigrams[:, 0]]
    with (folder / "bigrams").open("wb") as file:
        for (first, second), probability in zip(bigrams.tolist(), probabilities.tolist()):
            file.write(b"%s %s\t%r\n" % (words[first], words[second], probability))
    return len(bigrams)


def print_table(title: str, training: Sequence[str], sentences: Sequence[str], peer: str | None) -> None:
    """Prints the table of one text."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bigrams = prepare(folder, training, sentences)
        size = (folder / "x.model").stat().st_size
        ours = measure_in_process("ours", sys.executable, folder)
        theirs = measure_in_process("peer", peer, folder) if peer else None
    words = sum(map(len, map(str.split, sentences)))
    print(f"{title}: {bigrams:,} bigrams, {len(sentences):,} sentences of {words:,} words; the model file has")
    print(f"{size / bigrams:.1f} bytes a bigram, vocabulary included\n")
    print("| | CPU, ns a word | memory to load, MB | and to score, MB |\n|---|---|---|---|")
    for label, figures in (("ncfilters", ours), ("pyplexity", theirs)):
        if figures:
            nanoseconds = figures.seconds / words * 1e9
            print(f"| {label} | {nanoseconds:,.0f} | {figures.load:,.1f} | {figures.memory:,.1f} |")
    if theirs:
        difference = max(abs(a / b - 1) for a, b in zip(ours.perplexities, theirs.perplexities))
        print(f"\n{theirs.seconds / ours.seconds:.0f} times its speed, {theirs.memory / ours.memory:.0f} times less")
        print(f"memory; perplexities differ by at most {difference:.1e} of their value\n")


def random_sentences(bigrams: int) -> list[str]:
    """Sentences with about as many different bigrams."""
    rng = random.Random(1)
    words = [f"word{number}" for number in range(VOCABULARY)]
    return [" ".join(rng.choices(words, k=SENTENCE_LENGTH)) for _ in range(bigrams // SENTENCE_LENGTH)]


def option_parser() -> argparse.ArgumentParser:
    """The options of the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path, metavar="TEXTS", help="records with text, one sentence each")
    parser.add_argument("-n", type=int, metavar="N", help="use N records (default: all)")
    parser.add_argument("--peer-python", metavar="PYTHON", help="a Python that has the package pyplexity")
    parser.add_argument(
        "--bigrams", type=int, default=3_000_000, metavar="N", help="bigrams of the random text (default: %(default)s)"
    )
    parser.add_argument("--role", choices=["ours", "peer"], help=argparse.SUPPRESS)
    return parser


def main() -> None:
    """The command."""
    args = option_parser().parse_args()
    if args.role:
        figures = (measure_ours if args.role == "ours" else measure_peer)(args.texts)
        print(json.dumps(vars(figures)))
        return
    from bench.support import read_pages  # not in PyPlexity's environment

    texts = [record["text"] for record in read_pages(args.texts, args.n) if record["text"].strip()]
    step = max(1, len(texts) // MAX_SENTENCES)
    print_table(args.texts.name, texts, texts[::step][:MAX_SENTENCES], args.peer_python)
    if args.bigrams:
        texts = random_sentences(args.bigrams)
        print_table("random text", texts, texts[:MAX_SENTENCES], args.peer_python)


if __name__ == "__main__":
    main()
