"""The options of decision policies, checked when they are created.

PolicyOptions(method="expected", favour="recall")
PolicyOptions("justext", neighbours=NeighbourOptions(no_headings=True))
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings.

from collections.abc import Iterable
from typing import NamedTuple

from ..checked import Checked
from ..roles import DEFAULT_POLICY, POLICIES, ROLES
from .expected_f import OPERATING_POINTS

METHODS = ("auto", "threshold", "expected", "viterbi", "justext")
MAX_HEADING_DISTANCE = 200  # characters; jusText's default
# Bits from the threshold beyond which a score alone makes its segment good or bad. Of 1, 5, 10, 20 and 40, the best for
# the model ncleaner-en on the CleanEval and WCXB development sets.
DECIDED_BITS = 5.0
# The same for calibrated scores, relative to the threshold of the best expected F. Of 0.1 to 5, the best for en and xx
# together: in F of words, +0.9 over the best expected F alone on Dragnet (258 pages), +0.5 on L3S (164) and -0.5 on
# WCXB (250), all of sites not in training, and -1.1 on DAnIEL (213, xx); with 1 bit, xx loses 6. Few calibrated scores
# are 5 bits from the threshold, so that hardly a segment would be good.
CALIBRATED_DECIDED_BITS = 0.5


class NeighbourOptions(NamedTuple):
    """The parameters of jusText's context-sensitive pass."""

    max_heading_distance: int = MAX_HEADING_DISTANCE  # maximum number of characters between a heading and its text
    no_headings: bool = False  # treat headings as other segments
    published: bool = False  # as the thesis and the Java edition; else as the Python package 3.0.2


class _ContentOptions(NamedTuple):
    policy: str = DEFAULT_POLICY  # one of POLICIES
    included: frozenset[str] = frozenset()  # roles that are always kept
    excluded: frozenset[str] = frozenset()  # roles that are always dropped


class ContentOptions(Checked, _ContentOptions):
    """What counts as content: a content policy, and roles that are kept and dropped besides. Raises ValueError for
    unknown names, and for a role that is both included and excluded."""

    __slots__ = ()

    def check(self) -> None:
        """Raises ValueError for values that are not accepted."""
        if self.policy not in POLICIES:
            raise ValueError(f"content policy: expected {_any_of(POLICIES)}, got {self.policy!r}")
        for role in sorted(self.included | self.excluded):
            if role not in ROLES:
                raise ValueError(f"role: expected {_any_of(ROLES)}, got {role!r}")
        if both := self.included & self.excluded:
            raise ValueError(f"role: {', '.join(sorted(both))} cannot be both included and excluded")

    @property
    def roles(self) -> frozenset[str]:
        """The roles that are content."""
        return (POLICIES[self.policy].roles | self.included) - self.excluded

    @property
    def needs_roles(self) -> bool:
        """Whether segments must have roles."""
        return self.policy != DEFAULT_POLICY or bool(self.included or self.excluded)


class _PolicyOptions(NamedTuple):
    method: str = "auto"  # one of METHODS
    threshold: float | None = None  # bits; makes `auto` `threshold`
    rules: bool = True  # drop segments that nc-segment marked
    favour: str = "balance"  # one of OPERATING_POINTS
    neighbours: NeighbourOptions = NeighbourOptions()  # for the method justext
    content: ContentOptions = ContentOptions()


class PolicyOptions(Checked, _PolicyOptions):
    """Which policy decides, and how. Raises ValueError for values that are not accepted or exclude each other."""

    __slots__ = ()

    def check(self) -> None:
        """Raises ValueError for values that are not accepted or exclude each other."""
        for name, value, accepted in (
            ("method", self.method, METHODS),
            ("favour", self.favour, tuple(OPERATING_POINTS)),
        ):
            if value not in accepted:
                raise ValueError(f"{name}: expected {_any_of(accepted)}, got {value!r}")
        if self.threshold is not None and self.method not in ("auto", "threshold", "justext"):
            raise ValueError("threshold: requires the method threshold or justext")
        if self.favour != "balance" and self.method == "justext":
            raise ValueError("favour: cannot be combined with the method justext")

    @property
    def is_literal(self) -> bool:
        """Whether segments are decided by a threshold or by jusText, and not by the structure of the page."""
        return self.method in ("threshold", "justext") or self.threshold is not None


def _any_of(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}"


DEFAULTS = PolicyOptions()
