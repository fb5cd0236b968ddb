"""nc-train: pages with gold text in, a model out.

    nc-train ngram -n 3 -q 0.5 -o my.model pages.jsonl && nc-segment crawl.jsonl | nc-score -m ./my.model | nc-select

Each page is segmented and aligned with its gold text (see `align`): its segments are clean or dirty. With
--differential, as in the papers, the dirty counts are those of the whole page less those of the gold text.
"""

from __future__ import annotations

import argparse
import errno
import os
import shlex
from collections import Counter
from pathlib import Path
from typing import Any

from . import model, record, segment, stream
from .record import Record, RecordError

TOOL = "nc-train"

# A page weighs as the square root of its text, and so does, nearly, a segment: else a few long pages and paragraphs
# would make the model, which then decides about short segments. Exponents from 0.5 to 0.7 are within half a point of
# F on the CleanEval development set.
PAGE_WEIGHT, SEGMENT_WEIGHT = -0.5, -0.6
# Pages of whose gold text less than this share is found are left out: something else is wrong with them.
MIN_FOUND = 0.2


class Material:
    """Labelled segments with the weights of their pages, gathered page by page; and what was seen on the way."""

    def __init__(self) -> None:
        self.clean: list[tuple[str, float]] = []
        self.dirty: list[tuple[str, float]] = []
        self.gold: list[tuple[str, float]] = []
        self.seen: Counter[str] = Counter()

    def learn(self, page: Record) -> Record:
        """Takes in a page with `gold` and `segments`, or what nc-segment reads. Raises RecordError without gold."""
        from . import align

        gold = gold_text(page)
        if "segments" not in page:
            page = segment.segmented(page)
        segments = record.parts(page, "segments", {"text": (str,)})
        texts = [found["text"] for found in segments]
        shares = align.shares(texts, gold)
        page_words = sum(len(align.words(text)) * (share or 0) for text, share in zip(texts, shares))
        self.seen["pages"] += 1
        if page_words < MIN_FOUND * len(align.words(gold)):
            self.seen["pages left out"] += 1
            return page
        labelled = [
            (" ".join(text.split()), share >= align.CLEAN_SHARE)
            for text, share, found in zip(texts, shares, segments)
            if share is not None and "rule" not in found
        ]
        for clean, into in ((True, self.clean), (False, self.dirty)):
            self._add(into, [text for text, is_clean in labelled if is_clean is clean])
        self._add(self.gold, [found["text"] for found in segment.of_text(gold)])
        self.seen["segments marked by rules"] += sum("rule" in found for found in segments)
        return page

    def _add(self, into: list[tuple[str, float]], texts: list[str]) -> None:
        size = sum(map(len, texts)) + len(texts)
        into += [(text, size**PAGE_WEIGHT) for text in texts]


def gold_text(page: Record) -> str:
    """The page's gold text: `gold`, which may be CleanEval markup, or in it `text`, as it is, or `markup`. Raises
    RecordError."""
    from . import align

    gold: Any = page.get("gold")
    if isinstance(gold, dict):
        is_markup = gold.get("text") is None
        gold = gold.get("markup" if is_markup else "text")
    else:
        is_markup = isinstance(gold, str) and align.is_markup(gold)
    if not isinstance(gold, str):
        raise RecordError("gold: missing: the cleaned text, or an object with text or markup")
    return align.plain(gold) if is_markup else gold


def by_segment(texts: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Segments weighed by their length, too. Not for counts that are subtracted: gold text has other paragraphs."""
    return [(text, weight * (len(text) + 1) ** SEGMENT_WEIGHT) for text, weight in texts]


def ngram(material: Material, n: int, q: float, folding: str, cells: int, differential: bool) -> model.Model:
    """An n-gram model of the material. Raises ValueError for parameters out of range or where a class is empty."""
    from .folding import Folding
    from .ngram import Ngram, count, merged

    if differential:
        clean, dirty = material.gold, [*material.clean, *material.dirty]
    else:
        clean, dirty = by_segment(material.clean), by_segment(material.dirty)
    for kind, texts in (("clean", clean), ("dirty", dirty)):
        if not texts:
            raise ValueError(f"nothing to learn from: no {kind} segment in {material.seen['pages']} pages")
    characters = Counter(c for text, _ in (*clean, *dirty) for c in text) if folding == "frequent" else Counter()
    alphabet = Folding(folding, "".join(sorted(c for c, _ in characters.most_common(cells))))
    # checked before the long count
    Ngram.check(n, q, alphabet)
    keys, clean_counts, dirty_counts = merged(count(n, alphabet, clean), count(n, alphabet, dirty))
    if differential:
        dirty_counts = dirty_counts - clean_counts
    return Ngram(n, q, alphabet, keys, clean_counts, dirty_counts)


def card(name: str, header: dict[str, Any]) -> str:
    """The model's card, in Markdown."""
    lines = [f"# {name}", "", header["description"], ""]
    lines += [
        f"- {key}: {value}"
        for key, value in [("kind", header["kind"]), ("language", header["language"]), *header["parameters"].items()]
        if key != "characters"
    ]
    lines += [
        "",
        "Learned from:",
        "",
        *(f"- {credit}" for credit in header["credits"]),
        *(f"- {what}: {number:,}" for what, number in header["seen"].items()),
        "",
        "Made by",
        "",
        f"    {header['command']}",
        "",
        f"Checksum (sha256 of header and arrays): {header['sha256']}",
        "",
    ]
    return "\n".join(lines)


def options() -> argparse.ArgumentParser:
    """What the command understands."""
    parser = stream.parser(
        TOOL,
        "Pages with gold text to a model.",
        f"{TOOL} ngram -o my.model pages-with-gold.jsonl",
        before=[("kind", {"choices": ["ngram"], "help": "the kind of model"})],
    )
    stream.add_fields(parser)
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the model file; its card goes beside it")
    parser.add_argument(
        "-n", type=int, default=3, metavar="N", help="characters of an n-gram, 1 to 8 (default: %(default)s)"
    )
    parser.add_argument(
        "-q",
        type=float,
        default=0.5,
        metavar="Q",
        help="weight of each shorter history, between 0 and 1 (default: %(default)s)",
    )
    parser.add_argument(
        "--folding",
        choices=["ascii", "nonlexical", "frequent"],
        default="ascii",
        help="how characters are folded (default: %(default)s); frequent is for languages ASCII does not do justice to",
    )
    parser.add_argument(
        "--characters",
        type=int,
        default=200,
        metavar="N",
        help="frequent: so many characters are kept apart (default: %(default)s)",
    )
    parser.add_argument(
        "--differential", action="store_true", help="count pages less gold, as the papers do, without labels"
    )
    parser.add_argument("--gold-field", metavar="NAME", help="the field that has the gold text (default: gold)")
    parser.add_argument("--language", default="", metavar="CODE", help="the language, for the card")
    parser.add_argument(
        "--description", default="Trained with nc-train.", metavar="TEXT", help="a sentence for the card"
    )
    parser.add_argument(
        "--credit", action="append", default=[], metavar="TEXT", help="a corpus and its licence, for the card"
    )
    return parser


def main(argv: list[str] | None = None) -> int:
    """The command; the exit status."""
    import sys

    argv = sys.argv[1:] if argv is None else argv
    args = options().parse_intermixed_args(argv)

    def start() -> int:
        from .source import Source

        path = _place(args.output)
        material = Material()
        source = Source(stream.inputs(args.files), args.limit)
        status = stream.run(
            TOOL, source, stream.each(material.learn), _Nowhere(), args.strict, args.verbose, fields=stream.fields(args)
        )
        if status and args.strict:
            return status
        try:
            trained = ngram(material, args.n, args.q, args.folding, args.characters, args.differential)
        except ValueError as error:
            raise stream.UsageError(str(error)) from None
        used = material.gold if args.differential else material.clean
        seen = {
            **material.seen,
            "clean segments": len(used),
            "clean characters": sum(len(text) for text, _ in used),
            "dirty segments": len(material.dirty),
            "dirty characters": sum(len(text) for text, _ in material.dirty),
        }
        print("".join(f"{TOOL}: {what}: {number:,}\n" for what, number in seen.items()), end="", file=sys.stderr)
        name = path.name.removesuffix(model.SUFFIX)
        command = shlex.join([TOOL, *(Path(word).name if word in args.files else word for word in argv)])
        try:
            header = model.write(
                path,
                trained,
                {
                    "description": args.description,
                    "language": args.language,
                    "credits": args.credit,
                    "seen": seen,
                    "normalised": "segments of nc-segment, white space collapsed, NFC; those marked by rules left out",
                    "command": command,
                },
            )
            path.with_name(name + ".md").write_text(card(name, header), encoding="utf-8")
        except OSError as error:
            print(f"{TOOL}: {error.filename or path}: {error.strerror}", file=sys.stderr)
            return 1
        return status

    return stream.guarded(TOOL, start)


def _place(output: str) -> Path:
    """Where the model goes. Raises UsageError where no file can be: better before the work than after it."""
    path = Path(output)
    if path.is_dir():
        raise stream.UsageError(f"{output}: {os.strerror(errno.EISDIR)}")
    if not path.parent.is_dir():
        raise stream.UsageError(f"{output}: {os.strerror(errno.ENOENT)}")
    return path


class _Nowhere:
    """A sink for who wants no records."""

    def write(self, record: Record) -> None:
        pass

    def close(self) -> None:
        pass
