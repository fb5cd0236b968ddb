"""Are roles recognised, are titles kept, and what is kept besides the main text?

Makes tables of bench/accuracy.md. The labels are those of `labelling`.
"""

from __future__ import annotations

import json
import multiprocessing
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.heldout import SETS
from bench.support import Record, log, markdown, run_shell
from ncfilters.dataset import labelling
from ncfilters.dataset.gold import Gold
from ncfilters.dataset.head_labels import title_of
from ncfilters.dataset.labelled_pages import label_page
from ncfilters.dataset.labelling import ANY
from ncfilters.evaluation.metrics import precision_recall_f
from ncfilters.record import EMBEDDED, Segment
from ncfilters.roles import ROLES
from ncfilters.text.words import words

# The roles whose macro F is reported: those that every kind of page has and that gold standards tell.
MEASURED_ROLES = ("title", "byline", "date", "comment", "caption", "text")
# A segment is nearly the title if it shares at least this part of the words of both.
MIN_TITLE_OVERLAP = 0.8


def names_of(mask: int) -> tuple[str, ...]:
    """The roles of a bit mask."""
    return tuple(name for place, name in enumerate(ROLES) if mask >> place & 1)


Scores = tuple[float | None, float | None, float | None]


@dataclass
class RoleCounts:
    """Counts of segments by role. *right* and *missed*: of segments with one known role, the predicted and the others.
    *wrong*: of segments predicted to have a role that their label excludes; those with one known role, and those with
    several (in *excluded*)."""

    right: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    excluded: Counter[str] = field(default_factory=Counter)
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, masks: Iterable[int], predicted: Iterable[str | None]) -> None:
        """Adds the segments of a page: the masks of the roles that they may have (see `labelling`), and their
        predicted roles (None: not predicted, which counts as missed)."""
        for mask, role in zip(masks, predicted):
            if mask == ANY:
                continue
            known = names_of(mask)
            if len(known) > 1:
                if role is not None and role not in known:
                    self.excluded[role] += 1
            elif role == known[0]:
                self.right[role] += 1
            else:
                self.missed[known[0]] += 1
                self.confusions[known[0], role or ""] += 1
                if role is not None:
                    self.wrong[role] += 1

    def merge(self, other: RoleCounts) -> None:
        """Adds the counts of other pages."""
        for name in ("right", "missed", "wrong", "excluded", "confusions"):
            getattr(self, name).update(getattr(other, name))

    def scores(self, role: str, strict: bool = False) -> Scores:
        """Precision, recall and F of a role (0 to 1) over the segments with one known role; None where nothing is
        predicted or known. If *strict*, the role also counts as wrong where a label of several roles excludes it."""
        right = self.right[role]
        wrong = self.wrong[role] + (self.excluded[role] if strict else 0)
        if not right + self.missed[role]:
            return None, None, None
        precision, recall, f = precision_recall_f((right, wrong, self.missed[role]))
        return (precision if right + wrong else None), recall, f

    def macro_f(self, roles: Sequence[str] = MEASURED_ROLES, strict: bool = False) -> float | None:
        """The mean F of those of *roles* that some segment is known to have; None if there are none."""
        found = [f for _, _, f in (self.scores(role, strict) for role in roles) if f is not None]
        return sum(found) / len(found) if found else None


def gold_title(gold: Gold) -> str:
    """The title of a page for measurement: as the gold standard names it, or else the first line of its text."""
    return title_of(gold) or next((line.strip() for line in gold.plain.splitlines() if line.strip()), "")


def is_title_kept(segments: Iterable[Segment], title: str) -> bool | None:
    """Whether a segment with the words of the title, or nearly these, is kept (its field `keep`); None if the page has
    no such segment. Embedded content and `<title>` do not count."""
    name = words(title)
    if not name:
        return None
    found = [
        segment.get("keep") is True
        for segment in segments
        if segment.get("rule") != EMBEDDED and segment.get("tag") != "title" and _is_nearly(segment["text"], name)
    ]
    return any(found) if found else None


def _is_nearly(text: str, name: list[str]) -> bool:
    size = sum(map(len, name))
    if not 0.5 * size <= len(text) <= 3 * size + 20:
        return False
    found = words(text)
    if found == name:
        return True
    common = sum((Counter(found) & Counter(name)).values())
    return len(name) > 2 and common >= MIN_TITLE_OVERLAP * max(len(found), len(name))


@dataclass(frozen=True)
class OtherText:
    """Of the text that is kept of a page: the number of *words*, of those that are not in the gold text (*other*), and
    these by role: as labels tell it, or else as predicted."""

    words: int
    other: int
    roles: Counter[str]

    @property
    def share(self) -> float:
        """The share of the words that are not in the gold text (0 to 1)."""
        return self.other / self.words if self.words else 0.0


def other_text(segments: Sequence[Segment], gold: str, masks: Sequence[int]) -> OtherText:
    """What is kept of a page (`keep`) that is not in its gold text. *masks* are the roles that segments may have."""
    kept = [(segment, mask) for segment, mask in zip(segments, masks) if segment.get("keep") is True]
    counts, matched, _ = labelling.matched_words([segment["text"] for segment, _ in kept], gold)
    roles: Counter[str] = Counter()
    for (segment, mask), count, match in zip(kept, counts, matched):
        if count > match:
            roles[_role(segment, mask)] += count - match
    return OtherText(sum(counts), sum(counts) - sum(matched), roles)


def _role(segment: Segment, mask: int) -> str:
    names = names_of(mask)
    role = segment.get("role")
    if len(names) == 1:
        return names[0]
    if role in names:
        return str(role)
    return " or ".join(names) if len(names) <= len(ROLES) // 3 else "unknown"


# The sets whose title is known: from a field, the first headline, or the first line of the gold text.
TITLE_SETS = ("wcxb-dev", "l3s-dev", "daniel-dev")
# The sets whose gold text is an article without comments and links to others.
ARTICLE_SETS = ("dragnet-dev", "l3s-dev")
MODELS = ("en", "xx")
MAX_OTHER = 0.25

ROLES_TEXT = """
## Roles

F of predicted roles over segments whose role is known from the gold standard (`segments`), and its mean over
{roles}. In the columns `strict`, a role is also wrong where the gold standard
allows several roles and this is none of them.

"""
TITLES = """
## Titles

Pages whose title is a segment (or nearly), and the share of them on which nc-select keeps it. The title is that of the
gold standard: a field (wcxb-dev), the first headline (l3s-dev), the first line of the gold text (daniel-dev).

"""
OTHERS = """
## What is kept besides the main text

Pages on which more than a quarter of the words that nc-select keeps are not in the gold text; the share of all kept
words that are not; and their roles (as the labels tell them, or else as predicted).

"""


@dataclass(frozen=True)
class PageFacts:
    """What is measured of a page: its set and kind, the counts of roles, whether its title is kept (None: it is no
    segment), and what is kept besides the gold text."""

    set: str
    kind: str
    lang: str
    counts: RoleCounts
    title: bool | None
    other: OtherText


def page_facts(line: bytes) -> PageFacts | None:
    """The facts of a record whose segments have `keep`; None if training does not use the page, or its gold has
    snippets alone."""
    record: Record = json.loads(line)
    if "error" in record:
        return None
    page = label_page(record, keep_record=True, partial=True)
    if not page.is_usable or page.gold.is_partial:
        return None
    segments = record["segments"]
    counts = RoleCounts()
    places = [place for place, words in enumerate(page.words) if words]
    counts.add([page.roles[place] for place in places], [segments[place].get("role") for place in places])
    return PageFacts(
        set_of(record),
        record.get("page_type") or "",
        page.gold.lang,
        counts,
        is_title_kept(segments, gold_title(page.gold)),
        other_text(segments, page.gold.plain, page.roles),
    )


def set_of(record: Record) -> str:
    """The set of a page: the part of its id before the slash."""
    return str(record.get("id")).partition("/")[0].removesuffix("-dev") + "-dev"


def select(scored: Path, options: str) -> list[PageFacts]:
    """The facts of scored pages, as nc-select with these options decides."""
    log(f"{scored.name}: nc-select {options}")
    with tempfile.TemporaryDirectory() as folder:
        selected = Path(folder) / "selected.jsonl"
        run_shell(f"nc-select --all -f jsonl {options} {scored} >{selected}")
        with multiprocessing.Pool() as pool, selected.open("rb") as file:
            return [facts for facts in pool.imap(page_facts, file, 16) if facts is not None]


# ---- tables ---------------------------------------------------------------------------------------------------


def role_rows(model: str, pages: Sequence[PageFacts]) -> Iterator[list[str]]:
    """Rows: F of each role, and macro F, of each set and of all."""
    for name in (*SETS, ""):
        counts = RoleCounts()
        for page in pages:
            if name in ("", page.set):
                counts.merge(page.counts)
        if not (counts.right or counts.wrong):  # the model does not tell roles
            continue
        cells = [_percent(counts.scores(role)[2]) for role in ROLES]
        known = counts.right.total() + counts.missed.total()
        macro = [_percent(counts.macro_f()), _percent(counts.macro_f(strict=True))]
        yield [f"`{model}`", name or "all", f"{known:,}", *macro, *cells]


def role_details(model: str, pages: Sequence[PageFacts]) -> Iterator[list[str]]:
    """Rows: precision and recall of each measured role over all sets, and what it is taken for most often."""
    counts = RoleCounts()
    for page in pages:
        counts.merge(page.counts)
    if not counts.right:
        return
    for role in MEASURED_ROLES:
        precision, recall, f = counts.scores(role)
        strict = counts.scores(role, strict=True)
        taken = Counter({other: n for (known, other), n in counts.confusions.items() if known == role})
        yield [
            f"`{model}`",
            role,
            f"{counts.right[role] + counts.missed[role]:,}",
            *map(_percent, (precision, recall, f, strict[0], strict[2])),
            ", ".join(f"{other or 'none'} {n:,}" for other, n in taken.most_common(3)),
        ]


def title_rows(model: str, pages: Sequence[PageFacts]) -> Iterator[list[str]]:
    """Rows: of each set the pages with a title, and the share that keeps it."""
    views = [(name, "") for name in TITLE_SETS] + [("wcxb-dev", "article")]
    for name, kind in (*views, ("", "")):
        some = [page for page in pages if page.set in (name or TITLE_SETS) and kind in ("", page.kind)]
        found = [page.title for page in some if page.title is not None]
        if some:
            label = f"{name}, {kind}s" if kind else name or "all"
            yield [f"`{model}`", label, f"{len(some):,}", f"{len(found):,}", _percent(_share(found))]


def other_rows(model: str, policy: str, pages: Sequence[PageFacts]) -> Iterator[list[str]]:
    """Rows: of each set of articles the share of pages with much other text, and the roles of this text."""
    for name in ARTICLE_SETS:
        some = [page.other for page in pages if page.set == name]
        if not some:
            continue
        roles: Counter[str] = Counter()
        for other in some:
            roles.update(other.roles)
        total, kept = roles.total() or 1, sum(other.words for other in some) or 1
        listed = ", ".join(f"{role} {100 * count / total:.0f}" for role, count in roles.most_common(6))
        much = _percent(_share([other.share > MAX_OTHER for other in some]))
        yield [f"`{model}`", name, policy, f"{len(some):,}", much, _percent(roles.total() / kept), listed]


def tables(scored: Mapping[str, Path]) -> Iterator[str]:
    """The tables of pages that models scored, with their texts."""
    rows: dict[str, list[list[str]]] = {name: [] for name in ("roles", "details", "titles", "others")}
    for model, path in scored.items():
        pages = select(path, "")
        rows["roles"] += role_rows(model, pages)
        rows["details"] += role_details(model, pages)
        rows["titles"] += title_rows(model, pages)
        rows["others"] += other_rows(model, "main", pages)
        if any(page.counts.right for page in pages):
            rows["others"] += other_rows(model, "article", select(path, "--policy article"))
    yield ROLES_TEXT.format(roles=", ".join(MEASURED_ROLES))
    yield from _table(["model", "pages of", "segments", "macro F", "strict", *ROLES], rows["roles"], 2)
    yield "\n"
    columns = ["model", "role", "segments", "P", "R", "F", "strict P", "strict F", "taken for"]
    yield from _table(columns, rows["details"], 2)
    yield TITLES
    yield from _table(["model", "pages of", "pages", "title is a segment", "and is kept"], rows["titles"], 2)
    yield OTHERS
    columns = ["model", "pages of", "policy", "pages", "pages > 25 %", "words", "roles"]
    yield from _table(columns, rows["others"], 3)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> Iterator[str]:
    if not rows:
        yield "The models do not tell roles.\n"
        return
    for line in markdown(columns, rows, left):
        yield line if line.endswith("\n") else line + "\n"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f}"


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None
