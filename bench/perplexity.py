"""Perplexity beside PyPlexity: the same figures for the same counts, CPU time and memory, in processes of their own.

    python bench/perplexity.py TEXTS.jsonl --peer-python peer/bin/python

TEXTS are records with `text`, a sentence each, from which bigrams are counted; PyPlexity gets dictionaries of the
probabilities that these counts give. A second table is of made-up text of so many different bigrams. PyPlexity wants
old libraries, and so an environment of its own; without it our figures stand alone:

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
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

# Sentences that the peer scores at most: it is slow.
SENTENCES = 20_000
# Words and words a sentence of the made-up text.
VOCABULARY, LENGTH = 200_000, 12


def resident() -> float:
    """The memory that this process has, in MB: pages of files among them."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def best(score, times: int) -> float:
    """The least CPU time of several runs, in seconds."""
    out = []
    for _ in range(times):
        started = time.process_time()
        score()
        out.append(time.process_time() - started)
    return min(out)


def ours(folder: Path) -> dict[str, object]:
    """Our figures for the model and the sentences in a folder."""
    from ncfilters.scoring import registry
    from ncfilters.scoring.word_lm import interpolated  # noqa: F401  (imported before memory is measured)

    texts = json.loads((folder / "sentences.json").read_text())
    before = resident()
    loaded = registry.load(str(folder / "x.model"))
    load = resident() - before
    found = loaded.perplexities(texts)
    return {
        "load": load,
        "memory": resident() - before,
        "seconds": best(lambda: loaded.perplexities(texts), 5),
        "perplexities": found.tolist(),
    }


def peers(folder: Path) -> dict[str, object]:
    """PyPlexity's figures for the same counts and sentences."""
    from pyplexity.perpl_model import BigramPerplexityModel

    texts = json.loads((folder / "sentences.json").read_text())
    before = resident()
    tables: list[dict[bytes, float]] = []
    for name in ("bigrams", "unigrams"):
        tables.append({})
        with (folder / name).open("rb") as file:
            for line in file:
                key, value = line[:-1].rsplit(b"\t", 1)
                tables[-1][key] = float(value)
    loaded = BigramPerplexityModel(tables)
    memory = resident() - before
    found = [loaded.compute_sentence(text) for text in texts]
    seconds = best(lambda: [loaded.compute_sentence(text) for text in texts], 2)
    return {"load": memory, "memory": memory, "seconds": seconds, "perplexities": found}


def prepare(folder: Path, training: list[str], sentences: list[str]) -> int:
    """Writes the model, the probabilities for the peer and the sentences; the number of different bigrams."""
    import numpy as np

    from ncfilters.scoring import registry
    from ncfilters.training.word_lm_trainer import train_word_model

    made = train_word_model(training)
    registry.write_model(folder / "x.model", made, {})
    (folder / "sentences.json").write_text(json.dumps(sentences))
    words = [word.encode() for word in made.trie.vocabulary.words()]
    ones, twos = made.trie.ngrams()
    counts = made.counts_at(1, ones[:, 0])
    with (folder / "unigrams").open("wb") as file:
        for word, share in zip(words, made.unigram_probabilities(ones[:, 0], counts).tolist()):
            file.write(b"%s\t%r\n" % (word, share))
    shares = made.counts_at(2, np.arange(len(twos))) / counts[twos[:, 0]]
    with (folder / "bigrams").open("wb") as file:
        for (one, two), share in zip(twos.tolist(), shares.tolist()):
            file.write(b"%s %s\t%r\n" % (words[one], words[two], share))
    return len(twos)


def measured(role: str, python: str, folder: Path) -> dict[str, object]:
    """What a process of its own measures."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [python, __file__, "--role", role, str(folder)], stdout=subprocess.PIPE, env=environment, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def compare(title: str, training: list[str], sentences: list[str], peer: str | None) -> None:
    """Prints a table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bigrams = prepare(folder, training, sentences)
        size = (folder / "x.model").stat().st_size
        mine = measured("ours", sys.executable, folder)
        theirs = measured("peer", peer, folder) if peer else None
    words = sum(map(len, map(str.split, sentences)))
    print(
        f"{title}: {bigrams:,} bigrams, {len(sentences):,} sentences of {words:,} words; {size / bigrams:.1f} bytes a"
    )
    print("bigram in the file, vocabulary included\n")
    print("| | CPU, ns a word | memory to load, MB | and to score, MB |\n|---|---|---|---|")
    for label, some in (("ncfilters", mine), ("pyplexity", theirs)):
        if some:
            nanoseconds = some["seconds"] / words * 1e9
            print(f"| {label} | {nanoseconds:,.0f} | {some['load']:,.1f} | {some['memory']:,.1f} |")
    if theirs:
        speed = theirs["seconds"] / mine["seconds"]
        apart = max(abs(a / b - 1) for a, b in zip(mine["perplexities"], theirs["perplexities"]))
        print(f"\n{speed:.0f} times its speed, {theirs['memory'] / mine['memory']:.0f} times less memory;")
        print(f"perplexities differ by a share of {apart:.1e} at most\n")


def invented(bigrams: int) -> list[str]:
    """Made-up sentences of about so many different bigrams."""
    rng = random.Random(1)
    words = [f"word{number}" for number in range(VOCABULARY)]
    return [" ".join(rng.choices(words, k=LENGTH)) for _ in range(bigrams // LENGTH)]


def main() -> None:
    """The tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path)
    parser.add_argument("--peer-python", metavar="PYTHON", help="a Python that has the package pyplexity")
    parser.add_argument("--bigrams", type=int, default=3_000_000, metavar="N", help="of the made-up text (%(default)s)")
    parser.add_argument("--role", choices=["ours", "peer"], help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.role:
        print(json.dumps((ours if args.role == "ours" else peers)(args.texts)))
        return
    with args.texts.open() as file:
        texts = [text for line in file if (text := json.loads(line)["text"]).strip()]
    compare(str(args.texts.name), texts, texts[:: max(1, len(texts) // SENTENCES)][:SENTENCES], args.peer_python)
    if args.bigrams:
        more = invented(args.bigrams)
        compare("made up", more, more[:SENTENCES], args.peer_python)


if __name__ == "__main__":
    main()
