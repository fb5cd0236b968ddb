"""Pages scored by models that were trained without their sites, and the texts of peers: the files behind accuracy.py.

    work = Work(WorkOptions(Path("work"), Path("data")))
    work.make(["en", "xx"])             # runs the jobs whose files are missing, several at a time
    work.path("en")                     # records with scored segments, as nc-train --scored writes them

Each result is a file that a command of the filters writes; `jobs` lists the commands.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shlex
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bench.peers import extract_texts, installed_peers
from bench.support import ROOT, Record, json_line, log, read_lines, run_shell
from ncfilters.dataset.gold import domain
from ncfilters.dataset.labelled_pages import fold_places
from ncfilters.features import schema

SETS = ("wcxb-dev", "cleaneval-dev", "dragnet-dev", "l3s-dev", "daniel-dev")
# Pages of which snippets alone are known; `xx` learns from them, too.
SNIPPET_SET = "snippets-dev"
FOLDS = 5
# Seeds of further cross-validations: of the folds, the initial weights and the order of pages.
SEEDS = (1, 2)
# Ablations and the learning curve are tested on this number of folds, and trained on sites of the others.
TEST_FOLDS = 2
# The learning curve: shares of the training sites.
SHARES = {"an eighth": 0.125, "a quarter": 0.25, "half": 0.5}
# Embedded content, as ablations leave it out: the origins of segments, up to a colon.
EMBEDDED_ORIGINS = {
    "noscript": ("noscript",),
    "json-ld": ("json-ld",),
    "other": ("hydration", "shadow", "template", "srcdoc", "meta"),
}
# The parameters of models/make.
NGRAM_OPTIONS = {
    "ncleaner-en": "-n 3 -q 0.5",
    "ncleaner-nonlexical": "-n 6 -q 0.4 --folding nonlexical",
    "ncleaner-LANG": "-n 3 -q 0.8 --folding frequent --characters 20 --bias 3 --context 15",
}
LANGUAGES = ("el", "pl", "ru", "zh")


class PageSelection(NamedTuple):
    """Segmented pages: of which sets, in which language (any if empty), and by which profile of nc-segment."""

    sets: Sequence[str]
    lang: str = ""
    profile: str = "visual"


# The set that the n-gram models of English learn from, and the set of several languages.
NGRAM_SET, LANGUAGE_SET = "wcxb-dev", "daniel-dev"
INPUTS = {
    "all": PageSelection(SETS),
    "all and snippets": PageSelection((*SETS, SNIPPET_SET)),
    "english": PageSelection(SETS, "en"),
    "wcxb": PageSelection([NGRAM_SET]),
    "all but wcxb": PageSelection([name for name in SETS if name != NGRAM_SET]),
    "english but wcxb": PageSelection([name for name in SETS if name != NGRAM_SET], "en"),
    "daniel": PageSelection([LANGUAGE_SET]),
    "all but daniel": PageSelection([name for name in SETS if name != LANGUAGE_SET]),
    "paragraphs en": PageSelection(SETS, "en", "justext"),
    **{f"daniel {lang}": PageSelection([LANGUAGE_SET], lang) for lang in LANGUAGES},
    **{f"paragraphs {lang}": PageSelection([LANGUAGE_SET], lang, "justext") for lang in LANGUAGES},
}


class Job(NamedTuple):
    """A shell command that writes the file {out}, and the results it reads: names in braces stand for their files."""

    command: str
    reads: tuple[str, ...]


def jobs() -> dict[str, Job]:
    """The command of each result, the longest first."""
    groups = schema.GROUPS
    validated = {"xx": ("structure --no-words", "all and snippets"), "en": ("structure", "english")}
    out = {
        **{name: _cross_validation(*arguments) for name, arguments in validated.items()},
        **{
            of_seed(name, seed): _cross_validation(f"{kind} --seed {seed}", pages)
            for name, (kind, pages) in validated.items()
            for seed in SEEDS
        },
        "xx, unseen": _training("--no-words", "all but daniel", "daniel"),
        "complete": _training("", "train", "test"),
        **{f"without {group}": _training(f"--without {group}", "train", "test") for group in groups},
        **{f"without {kind}": _training("", f"train, no {kind}", f"test, no {kind}") for kind in EMBEDDED_ORIGINS},
        **{share: _training("", f"train, {share}", "test") for share in SHARES},
        "ncleaner-nonlexical": _ngram_model("ncleaner-nonlexical", "all but wcxb"),
        "ncleaner-en": _ngram_model("ncleaner-en", "english but wcxb"),
        **{
            f"ncleaner-{lang}": _cross_validation(f"ngram {NGRAM_OPTIONS['ncleaner-LANG']}", f"daniel {lang}")
            for lang in LANGUAGES
        },
        "perplexity-en": _scoring("perplexity-en", "english"),
        "justext-en, improved": _scoring("justext-en --set variant=improved", "english"),
    }
    return out | {f"justext-{lang}": _scoring(f"justext-{lang}", f"paragraphs {lang}") for lang in ("en", *LANGUAGES)}


def of_seed(name: str, seed: int) -> str:
    """The name of a result that is cross-validated with another seed."""
    return f"{name}, seed {seed}"


def _cross_validation(kind: str, pages: str) -> Job:
    return Job(f"nc-train {kind} --cv {FOLDS} --scored {{out}} {{{pages}}}", (pages,))


def _ngram_model(name: str, others: str) -> Job:
    """Cross-validated on the set that it learns from; the other pages are scored by the model of the whole set."""
    model = "{out}.model"
    training = f"nc-train ngram {NGRAM_OPTIONS[name]} --cv {FOLDS} --scored {{out}} -o {model} {{wcxb}}"
    return Job(f"{training} && nc-score -m {model} {{{others}}} >>{{out}}", ("wcxb", others))


def _training(options: str, train: str, test: str) -> Job:
    model = "{out}.model"
    training = f"nc-train structure {options} -o {model} {{{train}}}"
    return Job(f"{training} && nc-score -m {model} {{{test}}} >{{out}}", (train, test))


def _scoring(model: str, pages: str) -> Job:
    return Job(f"nc-score -m {model} {{{pages}}} >{{out}}", (pages,))


@dataclass(frozen=True)
class WorkOptions:
    """Where results are kept and gold sets are; the number of pages of each set (all if None; see `spread`), and of
    jobs at a time (one per core if None)."""

    folder: Path
    data: Path
    pages: int | None = None
    processes: int | None = None


class Work:
    """A folder of results. It has one subfolder for each state of the program and of the data."""

    def __init__(self, options: WorkOptions) -> None:
        self.files = {name: _set_file(options.data, name) for name in (*SETS, SNIPPET_SET)}
        self._number, self._processes = options.pages, options.processes or os.cpu_count() or 1
        self.folder = options.folder / _state(self.files.values(), self._number)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._jobs = jobs()

    def path(self, name: str) -> Path:
        """The file of a result."""
        return result_path(self.folder, name)

    def make(self, names: Iterable[str]) -> None:
        """Runs the jobs of these results whose files are missing, several at a time."""
        requested = set(names)
        missing = [name for name in self._jobs if name in requested and not self.path(name).exists()]
        for name in dict.fromkeys(name for job in missing for name in self._jobs[job].reads):
            self.prepare(name)
        with ThreadPoolExecutor(self._processes) as pool:
            try:
                list(pool.map(self._run, missing))
            except BaseException:  # after an interrupt or a failure no further job starts
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def prepare(self, name: str) -> None:
        """Writes an input of jobs, unless it exists: segmented pages, and parts of the English ones."""
        if self.path(name).exists():
            return
        if name in INPUTS:
            self._once(name, partial(_write, lines=self._segmented(INPUTS[name])))
        else:
            self.prepare("english")
            self._split_english()

    def records(self, name: str) -> Iterator[Record]:
        """The records of a result."""
        with self.path(name).open("rb") as file:
            yield from map(json.loads, file)

    def pages(self, name: str) -> Iterator[Record]:
        """The pages of a set that are used."""
        self._sample(name)
        return self.records(f"pages {name}")

    def peers(self, name: str) -> dict[str, dict[str, str]]:
        """For each peer that is installed, the text of each page of a set, in the page's language."""
        out = {}
        for title, peer in installed_peers():

            def write(path: Path, peer: Any = peer) -> None:
                pages = list(self.pages(name))
                texts = extract_texts(peer, [(page["html"], page.get("lang") or "en") for page in pages])
                _write(path, (json_line({"id": page["id"], "text": text}) for page, text in zip(pages, texts)))

            self._once(f"{title} {name}", write)
            out[title] = {page["id"]: page["text"] for page in self.records(f"{title} {name}")}
        return out

    def _run(self, name: str) -> None:
        job = self._jobs[name]
        paths = {read: self.path(read) for read in job.reads}
        self._once(name, partial(_run_job, job.command, paths))

    def _once(self, name: str, write: Callable[[Path], None]) -> None:
        """Writes a result unless it exists. An incomplete file has another name."""
        if self.path(name).exists():
            return
        start = time.monotonic()
        log(f"{name} …")
        part = self.path(name).with_suffix(".part")
        write(part)
        part.rename(self.path(name))
        for model in self.folder.glob(f"{part.name}.*"):
            model.unlink()
        log(f"{name}: {time.monotonic() - start:.0f} s")

    def _sample(self, name: str) -> None:
        """Writes the pages of a set that are used."""

        def write(path: Path) -> None:
            lines = read_lines(self.files[name])
            _write(path, lines if self._number is None else [lines[at] for at in spread(lines, self._number)])

        self._once(f"pages {name}", write)

    def _segmented(self, selection: PageSelection) -> Iterator[bytes]:
        for name in selection.sets:
            self._sample(name)
            segmented, pages = f"{selection.profile} {name}", {"pages": self.path(f"pages {name}")}
            command = f"nc-segment --profile {selection.profile} {{pages}} >{{out}}"
            self._once(segmented, partial(_run_job, command, pages))
            with self.path(segmented).open("rb") as file:
                for line in file:
                    if not selection.lang or json.loads(line).get("lang") == selection.lang:
                        yield line

    def _split_english(self) -> None:
        """Writes the English pages to train on and to test on, shares of them, and both without embedded content."""
        train, test = split(list(self.records("english")))
        parts = {"train": train, "test": test}
        parts |= {f"train, {name}": share_of_sites(train, share) for name, share in SHARES.items()}
        for kind, origins in EMBEDDED_ORIGINS.items():
            parts[f"train, no {kind}"] = [without_origins(page, origins) for page in train]
            parts[f"test, no {kind}"] = [without_origins(page, origins) for page in test]
        for name, pages in parts.items():
            self._once(name, partial(_write, lines=map(json_line, pages)))


def result_path(folder: Path, name: str) -> Path:
    """The file of a result in a folder."""
    return folder / f"{name.replace(',', '').replace(' ', '-')}.jsonl"


# ---- pages ----------------------------------------------------------------------------------------------------


def spread(lines: Sequence[bytes], number: int) -> list[int]:
    """The positions of *number* pages, ascending: as many of each page type or language, and of different sites as far
    as possible."""
    pages = list(map(json.loads, lines))
    order = sorted(range(len(pages)), key=_occurrences([domain(page) for page in pages]).__getitem__)
    kinds = _occurrences([pages[at].get("page_type") or pages[at].get("lang") for at in order])
    return sorted(at for _, at in sorted(zip(kinds, order))[:number])


def _occurrences(values: Sequence[Any]) -> list[int]:
    """How often each value occurs before its position."""
    seen: Counter[Any] = Counter()
    out = []
    for value in values:
        out.append(seen[value])
        seen[value] += 1
    return out


def split(pages: Sequence[Record]) -> tuple[list[Record], list[Record]]:
    """Pages to train on and to test on, by the folds of nc-train --cv."""
    pages = [page for page in pages if page["segments"]]
    folds = fold_places([domain(page) for page in pages], FOLDS)
    train, test = folds[TEST_FOLDS:], folds[:TEST_FOLDS]
    return [pages[at] for fold in train for at in fold], [pages[at] for fold in test for at in fold]


def share_of_sites(pages: Sequence[Record], share: float) -> list[Record]:
    """The pages of a share of the sites. A larger share includes a smaller one."""
    sites = sorted({domain(page) for page in pages})
    random.Random(0).shuffle(sites)
    chosen = set(sites[: max(round(share * len(sites)), 2)])
    return [page for page in pages if domain(page) in chosen]


def without_origins(page: Record, origins: Sequence[str]) -> Record:
    """A page without the segments of these origins."""
    kept = [part for part in page["segments"] if part.get("origin", "").partition(":")[0] not in origins]
    return {**page, "segments": kept}


def _write(path: Path, lines: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(lines)


def _set_file(data: Path, name: str) -> Path:
    for path in (data / f"{name}.jsonl", data / f"{name}.jsonl.xz"):
        if path.exists():
            return path
    raise SystemExit(f"accuracy.py: {data}: there is no {name}.jsonl or {name}.jsonl.xz")


def _state(files: Iterable[Path], number: int | None) -> str:
    """A digest of what results depend on: the program, its commands, the data, the number of pages."""
    sizes = [(file.name, file.stat().st_size) for file in files]
    digest = hashlib.sha256(f"{sizes} {number} {jobs()}".encode())
    for source in sorted((ROOT / "ncfilters").rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


def _run_job(command: str, files: Mapping[str, Path], out: Path) -> None:
    """Runs a command on files, {out} among them."""
    for name, file in {**files, "out": out}.items():
        command = command.replace(f"{{{name}}}", shlex.quote(str(file)))
    run_shell(command)
