"""The folder of a user in which examples run: a crawl, pages with gold text, archives, models, all made
from the pages and texts of the project (tests/data); and the runs.

write_user_files(folder)    # page.html, crawl.jsonl, crawl.warc.gz, pages.jsonl, cleaned/, original/, …
run_block(["nc-segment page.html > segments.jsonl", "wc -l segments.jsonl"], checkout(folder, "README.md"))
# [Run(command="nc-segment …", output="", status=0), Run(command="wc -l …", output="1 segments.jsonl\\n", status=0)]
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import lzma
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import archives
import invented
from examples import ROOT, Block

DATA = ROOT / "tests" / "data"
# The type of one of the project's own pages, by the first word of its name.
PAGE_TYPES = {"news": "article", "blog": "article", "wiki": "article", "recipe": "article", "docs": "documentation"}
# What crawl.warc.gz has beside the crawl, for examples that choose pages by their address.
ADDRESSES = {
    "news-harbour-bridge": "https://news.example.org/harbour-bridge",
    "wiki-lighthouse": "https://en.wikipedia.org/wiki/Lighthouse",
}
GREEK = ["Η γέφυρα", "Το λιμάνι", "Ο γείτονας", "Η αγορά", "Το πλοίο", "ένας δρόμος", "άνοιξε", "έκλεισε", "περίμενε"]
GREEK_MENU = ["Αρχική", "Επικοινωνία", "Σύνδεση", "Όλα τα δικαιώματα διατηρούνται", "Εγγραφή", "Αναζήτηση"]

# What the project's own commands make of the files: models, and the texts of two systems with gold text.
COMMANDS = """
set -e -o pipefail
nc-train ngram -n 2 -o before.model pages.jsonl
nc-train ngram -o after.model pages.jsonl
nc-train ngram -o my.model pages.jsonl
nc-segment --keep pages.jsonl | nc-score | nc-select --as cleaneval -f jsonl | tee out.jsonl ours.jsonl > new.jsonl
nc-segment pages.jsonl | nc-score -m ncleaner-nonlexical | nc-select -f jsonl | tee theirs.jsonl > old.jsonl
for page in original/*.html; do nc-render -f text $page > dumps/$(basename $page .html).txt; done
nc-warc crawl.warc.gz | nc-segment | nc-score | nc-select -f wet | gzip > crawl.warc.wet.gz
"""

Page = dict[str, Any]


def write_user_files(folder: Path) -> None:
    """Writes all files into the folder, which may have others."""
    crawl = [json.loads(line) for line in (DATA / "crawl.jsonl").read_text(encoding="utf-8").splitlines()]
    own = own_pages()
    invented_pages = [{**invented.page(n), "id": f"invented-{n}", "page_type": "article"} for n in range(36)]
    shutil.copy(DATA / "crawl.jsonl", folder / "crawl.jsonl")
    write_pages(folder, crawl)
    write_lines(folder / "dump.jsonl", ({"id": page["id"], "content": page["html"]} for page in crawl))
    write_archive(folder / "crawl.warc.gz", crawl, own)
    write_training_pages(folder, own, own + invented_pages)
    write_texts(folder)
    write_models_of_others(folder)


def own_pages() -> list[Page]:
    """The project's own pages with their gold text; each is a site of its own."""
    out = []
    for path in sorted((DATA / "pages" / "original").glob("*.html")):
        kind = path.stem.split("-")[0]
        page = {"id": path.stem, "url": f"https://www.{path.stem}.example/", "html": path.read_text(encoding="utf-8")}
        lang = path.stem.split("-")[1] if kind == "other" else "en"
        gold = (DATA / "pages" / "cleaned" / f"{path.stem}.txt").read_text(encoding="utf-8")
        out.append({**page, "lang": lang, "page_type": PAGE_TYPES.get(kind, kind), "gold": gold})
    return out


def greek_page(number: int) -> Page:
    """An invented page in Greek with its gold text, of one of twelve sites."""
    rnd = random.Random(number)
    gold = [
        " ".join(f"{' '.join(rnd.sample(GREEK, 6)).capitalize()}." for _ in range(rnd.randint(2, 4))) for _ in range(3)
    ]
    menu = "".join(f"<div>{item}</div>" for item in rnd.sample(GREEK_MENU, 4))
    html = f"<body>{menu}{''.join(f'<p>{text}</p>' for text in gold)}{menu}</body>"
    url = f"http://www.site{number % 12}.gr.example/{number}"
    return {"id": f"greek-{number}", "url": url, "html": html, "gold": "\n\n".join(gold)}


def write_pages(folder: Path, crawl: list[Page]) -> None:
    """page.html, and mirror/ as wget writes it."""
    html = {page["id"]: page["html"] for page in crawl}
    (folder / "page.html").write_text(html["blog"], encoding="utf-8")
    files = {"mirror/news/tram.html": html["news"], "mirror/shop/kettle.html": html["product"]}
    archives.write(folder, {name: text.encode() for name, text in files.items()})


def write_archive(path: Path, crawl: list[Page], pages: list[Page]) -> None:
    """A WARC file with the crawl and with pages of ADDRESSES, each record compressed."""
    by_id = {page["id"]: page["html"] for page in pages}
    found = [(page["url"], page["html"]) for page in crawl] + [(url, by_id[id]) for id, url in ADDRESSES.items()]
    records = [archives.archived(n, archives.http(html), url=url) for n, (url, html) in enumerate(found)]
    missing = archives.http("<p>Not found.", status="404 Not Found")
    records.append(archives.archived(len(found), missing, url="https://news.example.org/gone"))
    path.write_bytes(b"".join(map(gzip.compress, records)))


def write_lines(path: Path, records: Iterable[Any]) -> None:
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")


def write_training_pages(folder: Path, own: list[Page], pages: list[Page]) -> None:
    """Pages with gold text, as records and as folders, and the sets of DATA."""
    write_lines(folder / "pages.jsonl", pages)
    shutil.copy(DATA / "pages-with-gold.jsonl", folder)
    write_lines(folder / "greek.jsonl", map(greek_page, range(36)))
    for name in ("original", "cleaned"):
        shutil.copytree(DATA / "pages" / name, folder / name)
    marked = {page["id"]: [f"<p>{text}\n" for text in page["gold"].split("\n\n")] for page in pages}
    archives.write(folder, {f"gold/{id}-cleaned.txt": "".join(texts).encode() for id, texts in marked.items()})
    (folder / "dumps").mkdir()
    (folder / "DATA").mkdir()
    for number, name in enumerate(("wcxb-dev", "cleaneval-dev", "dragnet-dev", "l3s-dev", "daniel-dev")):
        with lzma.open(folder / "DATA" / f"{name}.jsonl.xz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(page) + "\n" for page in own[number::5])


def write_texts(folder: Path) -> None:
    """Clean text as lines, records and compressed files."""
    text = (DATA / "harbour.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line]
    write_lines(folder / "texts.jsonl", ({"text": line} for line in lines))
    (folder / "corpus").mkdir()
    for half in (0, 1):
        (folder / "corpus" / f"{half}.txt.gz").write_bytes(gzip.compress("\n".join(lines[half::2]).encode() + b"\n"))
    archives.write(folder, {"books/harbour.txt": text.encode()})


def write_models_of_others(folder: Path) -> None:
    """Models of other programs."""
    shutil.copy(DATA / "storable" / "bigrams.st", folder / "bigrams_bnc.st")
    shutil.copy(DATA / "harbour-2.arpa", folder / "model.arpa")
    shutil.copy(DATA / "harbour-3-pruned.bin", folder / "en.arpa.bin")
    if importlib.util.find_spec("sentencepiece"):
        import sentencepiece  # optional

        sentencepiece.SentencePieceTrainer.train(
            input=str(DATA / "harbour.txt"), model_prefix=str(folder / "en.sp"), vocab_size=200, minloglevel=2
        )


# ---- runs examples in a folder that looks like a user's ----
CHANGED = {"CONTRIBUTING.md": ("ncfilters", "tests")}  # what a document changes, besides bin
PROGRAMS = ("jq", "parallel", "zstd", "xz", "lynx", "git", "less", "make", "snakemake")  # what an example may want
# library → the command that wants it
LIBRARIES = {
    "kenlm": r"\.arpa|\.binary", "sentencepiece": r"sp\.model", "justext": "justext:[A-Z]", "matplotlib": "--plot",
    "scipy": r"nc-(?:train|eval)", "starlette": "nc-inspect",
}  # fmt: skip
TIMEOUT = 600  # seconds: what takes longer hangs
# Separates the outputs of commands; their exit status follows.
_SEPARATOR = "\x1e"
_MESSAGE = re.compile(r"nc-[a-z]+: ")


@dataclass(frozen=True)
class Run:
    """A command of an example: what it printed on standard output and standard error, and its exit status."""

    command: str
    output: str
    status: int


def checkout(folder: Path, document: str) -> Path:
    """Makes the folder look like the checkout; what the document changes is a copy. `curl` prints page.html."""
    for path in ROOT.iterdir():
        if not (folder / path.name).exists():
            (folder / path.name).symlink_to(path)
    for name in ("bin", *CHANGED.get(document, ())):
        (folder / name).unlink()
        shutil.copytree(ROOT / name, folder / name, symlinks=True)
    (folder / "bin" / "curl").write_text("#!/bin/sh\nexec cat page.html\n")
    (folder / "bin" / "curl").chmod(0o755)
    return folder


def write(files: Sequence[Block], folder: Path) -> None:
    """Writes the files that a document shows; what a file has already stays before it."""
    for block in files:
        with (folder / block.title).open("a", encoding="utf-8") as file:
            file.write(f"{block.code}\n")


def matches(wanted: Sequence[str], got: str) -> bool:
    """Whether the output is what a document shows, wherever messages stand in it."""
    lines = messages_last("".join(f"{line}\n" for line in wanted)).splitlines()
    pattern = "".join(
        r"(?:.*\n)*" if line == "…" else re.escape(line.rstrip()).replace("…", ".*") + r"[ ]*\n" for line in lines
    )
    got = messages_last(got)
    return re.fullmatch(pattern, got if got.endswith("\n") or not got else got + "\n") is not None


def messages_last(output: str) -> str:
    """*output* with the messages of filters after all else: in a pipe they come at any time."""
    lines = output.splitlines(keepends=True)
    return "".join(sorted(lines, key=lambda line: _MESSAGE.match(line) is not None))


def missing(code: str) -> list[str]:
    """The programs and libraries that a piece of shell wants and that are not installed."""
    programs = [name for name in PROGRAMS if re.search(rf"\b{name}\b(?!\.)", code) and not shutil.which(name)]
    libraries = [name for name, use in LIBRARIES.items() if re.search(use, code) and not importlib.util.find_spec(name)]
    return programs + libraries


def run_block(commands: Sequence[str], folder: Path) -> list[Run]:
    """Runs the commands in one shell, as a terminal shows them: with standard error among standard output."""
    path = os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("NC_", "PYTEST_"))}
    environment |= {"PATH": path, "LC_ALL": "C.UTF-8", "COLUMNS": "80", "PYTHONPATH": str(folder), "HOME": str(folder)}
    lines = [f"{command}\nprintf '{_SEPARATOR}%s{_SEPARATOR}' $?" for command in commands]
    done = subprocess.run(
        ["bash", "-c", "\n".join(["set -o pipefail", *lines])],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=TIMEOUT,
        check=False,
    )
    output = done.stdout.decode(errors="backslashreplace")
    for place in (folder, ROOT):
        output = output.replace(str(place), "/home/user")
    parts = output.split(_SEPARATOR)
    assert len(parts) == 2 * len(commands) + 1, f"{commands} ended before the end:\n{parts[-1]}"
    return [
        Run(command, messages_last(parts[2 * n]) if "|" in command else parts[2 * n], int(parts[2 * n + 1]))
        for n, command in enumerate(commands)
    ]
