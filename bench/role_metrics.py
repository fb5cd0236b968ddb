"""Metrics of roles: how well predicted roles agree with labels, whether the title is kept, what is kept besides text.

counts = RoleCounts()
counts.add([mask_of("title"), mask_of("related", "boilerplate")], ["title", "text"])
counts.scores("title"), counts.scores("text")      # (1.0, 1.0, 1.0), (0.0, None, 0.0)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ncfilters.dataset import labelling
from ncfilters.dataset.gold import Gold
from ncfilters.dataset.role_labels import ANY, names_of
from ncfilters.dataset.title_labels import title_of
from ncfilters.evaluation.metrics import precision_recall_f
from ncfilters.record import EMBEDDED, Segment
from ncfilters.roles import ROLES
from ncfilters.text.words import words

# The roles whose macro F is reported: those that every kind of page has and that gold standards tell.
MEASURED_ROLES = ("title", "byline", "date", "comment", "caption", "text")
# A segment is nearly the title if it shares at least this part of the words of both.
MIN_TITLE_OVERLAP = 0.8

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
        """Adds the segments of a page: the masks of the roles that they may have (see `role_labels`), and their
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
