"""Pages scored by models that have not seen their sites, and what peers make of them: the work behind accuracy.py.

    with Work(Path("work"), Path("data"), number=None) as work:
        work.make(["en", "xx"])             # two at a time; what is there already is not made again
        work.path("en")                     # records with scored segments, as nc-train --scored writes them

Every result is a file that a command of the filters made; the commands are those of `jobs`.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import multiprocessing
import os
import random
import shlex
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from papers import PEERS, _extracted, say  # noqa: E402

from ncfilters.dataset import labelled_pages  # noqa: E402
from ncfilters.dataset.gold import domain  # noqa: E402
from ncfilters.features import feature_groups

Record = dict[str, Any]

BIN = HERE.parent / "bin"
SETS = ("wcxb-dev", "cleaneval-dev", "daniel-dev")
FOLDS = 5
# What ablations and the learning curve are tested on: so many of the folds. They are trained on sites of the others.
TESTED = 2
# The learning curve: shares of the sites in training.
SHARES = {"an eighth": 0.125, "a quarter": 0.25, "half": 0.5}
# What pages do not show, as ablations leave it out: the origins of segments, by what stands before a colon.
EMBEDDED = {
    "noscript": ("noscript",),
    "json-ld": ("json-ld",),
    "other": ("hydration", "shadow", "template", "srcdoc", "meta"),
}
# The parameters of models/make.
NGRAMS = {
    "ncleaner-en": "-n 3 -q 0.5",
    "ncleaner-nonlexical": "-n 6 -q 0.4 --folding nonlexical",
    "ncleaner-LANG": "-n 3 -q 0.8 --folding frequent --characters 20 --bias 3 --context 15",
}
LANGUAGES = ("el", "pl", "ru", "zh")


class Input(NamedTuple):
    """Segmented pages: of which sets, in which language (any if empty), and segmented how."""

    sets: Sequence[str]
    lang: str = ""
    profile: str = "visual"


INPUTS = {
    "all": Input(SETS),
    "english": Input(SETS, "en"),
    "english, 2 sets": Input(SETS[:2], "en"),
    "daniel": Input(SETS[2:]),
    "paragraphs en": Input(SETS, "en", "justext"),
    **{f"daniel {lang}": Input(SETS[2:], lang) for lang in LANGUAGES},
    **{f"paragraphs {lang}": Input(SETS[2:], lang, "justext") for lang in LANGUAGES},
}


class Job(NamedTuple):
    """A shell command that writes the file {out}, and the results that it reads: names in braces stand for files."""

    command: str
    reads: tuple[str, ...]


def jobs() -> dict[str, Job]:
    """Every result that a command makes, by name; those that take longest first."""
    out = {
        "xx": _validated("structure --no-words", "all"),
        "en": _validated("structure", "english"),
        "xx, unseen": _trained("--no-words", "english, 2 sets", "daniel"),
        "complete": _trained("", "train", "test"),
        **{f"without {group}": _trained(f"--without {group}", "train", "test") for group in feature_groups.GROUPS},
        **{f"without {kind}": _trained("", f"train, no {kind}", f"test, no {kind}") for kind in EMBEDDED},
        **{share: _trained("", f"train, {share}", "test") for share in SHARES},
        "ncleaner-nonlexical": _validated(f"ngram {NGRAMS['ncleaner-nonlexical']}", "all"),
        "ncleaner-en": _validated(f"ngram {NGRAMS['ncleaner-en']}", "english"),
        **{f"ncleaner-{x}": _validated(f"ngram {NGRAMS['ncleaner-LANG']}", f"daniel {x}") for x in LANGUAGES},
        "perplexity-en": _scored("perplexity-en", "english"),
        "justext-en, improved": _scored("justext-en --profile improved", "english"),
    }
    return out | {f"justext-{lang}": _scored(f"justext-{lang}", f"paragraphs {lang}") for lang in ("en", *LANGUAGES)}


def _validated(kind: str, pages: str) -> Job:
    return Job(f"nc-train {kind} --cv {FOLDS} --scored {{out}} {{{pages}}}", (pages,))


def _trained(options: str, train: str, test: str) -> Job:
    model = "{out}.model"
    train_it = f"nc-train structure {options} -o {model} {{{train}}}"
    return Job(f"{train_it} && nc-score -m {model} {{{test}}} >{{out}}", (train, test))


def _scored(model: str, pages: str) -> Job:
    return Job(f"nc-score -m {model} {{{pages}}} >{{out}}", (pages,))


class Work:
    """A folder of results, made for one state of the program and of the data: another has a folder of its own in it.

    *number*: of each set so many pages (see `spread`); all if None. So many *processes* at a time.
    """

    def __init__(self, folder: Path, data: Path, number: int | None, processes: int | None = None) -> None:
        self.files = {name: _found(data, name) for name in SETS}
        self.number, self.processes = number, processes or os.cpu_count() or 1
        self.folder = folder / _state(self.files.values(), number)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._jobs = jobs()

    def path(self, name: str) -> Path:
        """Where a result is."""
        return self.folder / f"{name.replace(',', '').replace(' ', '-')}.jsonl"

    def make(self, names: Iterable[str]) -> None:
        """Makes the results of jobs that are not there yet, several at a time."""
        asked = set(names)
        wanted = [name for name in self._jobs if name in asked and not self.path(name).exists()]
        for name in dict.fromkeys(name for job in wanted for name in self._jobs[job].reads):
            self.prepare(name)
        with ThreadPoolExecutor(self.processes) as pool:
            try:
                list(pool.map(self._run, wanted))
            except BaseException:  # an interrupt, or a command that failed: what has not begun is not begun
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def prepare(self, name: str) -> None:
        """Makes what jobs read, unless it is there: segmented pages, and parts of the English ones."""
        if self.path(name).exists():
            return
        if name in INPUTS:
            self._once(name, partial(_write, lines=self._lines_of(INPUTS[name])))
        else:
            self.prepare("english")
            self._split()

    def records(self, name: str) -> Iterator[Record]:
        """The records of a result."""
        with self.path(name).open("rb") as file:
            yield from map(json.loads, file)

    def pages(self, name: str) -> Iterator[Record]:
        """The pages of a set."""
        self._chosen(name)
        return self.records(f"pages {name}")

    def peers(self, name: str) -> dict[str, dict[str, str]]:
        """Of each peer that is installed, the text of each page of a set."""
        out = {}
        for peer, (package, _) in PEERS.items():
            if is_installed(package):
                called = f"{peer} {version(package)}"
                self._once(f"{called} {name}", partial(_peer, peer, self.pages(name)))
                out[called] = {page["id"]: page["text"] for page in self.records(f"{called} {name}")}
        return out

    def _run(self, name: str) -> None:
        job = self._jobs[name]
        paths = {read: self.path(read) for read in job.reads}
        self._once(name, partial(_shell, job.command, paths))

    def _once(self, name: str, write: Callable[[Path], None]) -> None:
        """Has a result written, unless it is there; a part of one is never taken for it."""
        if self.path(name).exists():
            return
        start = time.monotonic()
        say(f"{name} …")
        part = self.path(name).with_suffix(".part")
        write(part)
        part.rename(self.path(name))
        for model in self.folder.glob(f"{part.name}.*"):
            model.unlink()
        say(f"{name}: {time.monotonic() - start:.0f} s")

    def _chosen(self, name: str) -> None:
        """Writes the pages of a set that are looked at."""

        def write(path: Path) -> None:
            lines = _lines(self.files[name])
            _write(path, lines if self.number is None else [lines[at] for at in spread(lines, self.number)])

        self._once(f"pages {name}", write)

    def _lines_of(self, some: Input) -> Iterator[bytes]:
        """The segmented pages."""
        for name in some.sets:
            self._chosen(name)
            segmented, pages = f"{some.profile} {name}", {"pages": self.path(f"pages {name}")}
            command = f"nc-segment --profile {some.profile} {{pages}} >{{out}}"
            self._once(segmented, partial(_shell, command, pages))
            with self.path(segmented).open("rb") as file:
                yield from (line for line in file if not some.lang or json.loads(line).get("lang") == some.lang)

    def _split(self) -> None:
        """Writes the English pages to train on and to test on, and what is left of them without one thing or other."""
        train, test = split(list(self.records("english")))
        parts = {"train": train, "test": test} | {f"train, {name}": few(train, part) for name, part in SHARES.items()}
        for kind, origins in EMBEDDED.items():
            parts[f"train, no {kind}"] = [shown(page, origins) for page in train]
            parts[f"test, no {kind}"] = [shown(page, origins) for page in test]
        for name, pages in parts.items():
            self._once(name, partial(_write, lines=map(_line, pages)))


def spread(lines: Sequence[bytes], number: int) -> list[int]:
    """Which pages a small run takes, in order: of each type or language alike, and of different sites as far as there
    are any."""
    pages = list(map(json.loads, lines))
    order = sorted(range(len(pages)), key=_ranks([domain(page) for page in pages]).__getitem__)
    kinds = _ranks([pages[at].get("page_type") or pages[at].get("lang") for at in order])
    return sorted(at for _, at in sorted(zip(kinds, order))[:number])


def _ranks(values: Sequence[Any]) -> list[int]:
    """How often each value has been there before."""
    seen: Counter[Any] = Counter()
    out = []
    for value in values:
        out.append(seen[value])
        seen[value] += 1
    return out


# ---- pages ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Site:
    """A page and its site, for folds."""

    page: Record
    domain: str


def split(pages: Sequence[Record]) -> tuple[list[Record], list[Record]]:
    """Pages to train on and to test on: the folds that nc-train --cv makes of them."""
    sites: Sequence[Any] = [_Site(page, domain(page)) for page in pages if page["segments"]]
    parts: list[list[Any]] = labelled_pages.folds(sites, FOLDS)
    train, test = parts[TESTED:], parts[:TESTED]
    return [site.page for part in train for site in part], [site.page for part in test for site in part]


def few(pages: Sequence[Record], share: float) -> list[Record]:
    """The pages of a share of the sites; of a larger share, these and others."""
    sites = sorted({domain(page) for page in pages})
    random.Random(0).shuffle(sites)
    chosen = set(sites[: max(round(share * len(sites)), 2)])
    return [page for page in pages if domain(page) in chosen]


def shown(page: Record, origins: Sequence[str]) -> Record:
    """A page without the segments of these origins."""
    kept = [part for part in page["segments"] if part.get("origin", "").partition(":")[0] not in origins]
    return {**page, "segments": kept}


def _line(page: Record) -> bytes:
    return json.dumps(page, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def _write(path: Path, lines: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(lines)


def _found(data: Path, name: str) -> Path:
    for path in (data / f"{name}.jsonl", data / f"{name}.jsonl.xz"):
        if path.exists():
            return path
    raise SystemExit(f"accuracy.py: {data}: no {name}.jsonl or {name}.jsonl.xz in it")


def _lines(path: Path) -> list[bytes]:
    with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as file:
        return list(file)


def _state(files: Iterable[Path], number: int | None) -> str:
    """What results depend on, as a name: the program, its commands, the data, how many pages."""
    sizes = [(file.name, file.stat().st_size) for file in files]
    digest = hashlib.sha256(f"{sizes} {number} {jobs()}".encode())
    for source in sorted((HERE.parent / "ncfilters").glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


# ---- commands and peers ---------------------------------------------------------------------------------------


def _shell(command: str, files: Mapping[str, Path], out: Path) -> None:
    """Runs a command on files, {out} among them. Records that fail are told on standard error, and no end of it."""
    path = os.pathsep.join([str(BIN), str(Path(sys.executable).parent), os.environ["PATH"]])
    # one thread each: threads that wait for each other over small matrices make training many times slower
    environment = {**os.environ, "PATH": path, "OPENBLAS_NUM_THREADS": "1"}
    for name, file in {**files, "out": out}.items():
        command = command.replace(f"{{{name}}}", shlex.quote(str(file)))
    done = subprocess.run(
        command, shell=True, executable="bash", stdout=subprocess.DEVNULL, env=environment, check=False
    )
    if done.returncode > 1:
        raise SystemExit(f"{command}: exit status {done.returncode}")


def is_installed(package: str) -> bool:
    """Whether a package is there."""
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def _peer(peer: str, pages: Iterator[Record], path: Path) -> None:
    """Writes what a peer makes of pages, each in its language."""
    with multiprocessing.Pool() as pool:
        asked = ((PEERS[peer][1], page.get("lang") or "en", page["html"], page["id"]) for page in pages)
        made = pool.imap(_extract, asked, 8)
        _write(path, (_line({"id": key, "text": text}) for key, text in made))


def _extract(asked: tuple[Callable[[str, str], str], str, str, str]) -> tuple[str, str]:
    function, lang, html, key = asked
    return key, _extracted(function, lang, html)
