"""Named tuples that are checked when they are made.

    class _Limits(NamedTuple):
        low: int = 0
        high: int = 9

    class Limits(Checked, _Limits):
        def check(self) -> None:
            if self.low > self.high:
                raise ValueError("low: expected at most high")

    Limits(3, 2)    # ValueError

The options that each run of a filter needs are such tuples: to load the module `dataclasses` takes longer than to load
all modules of a filter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any


class Checked:
    """The check of a class that also inherits from a named tuple, whose fields and types it has."""

    __slots__ = ()

    if not TYPE_CHECKING:  # the parameters are those of the named tuple

        def __new__(cls, *values: Any, **fields: Any) -> Any:
            """The tuple, checked."""
            made = super().__new__(cls, *values, **fields)
            made.check()
            return made

    def check(self) -> None:
        """Raises ValueError for values that are not accepted."""
        raise NotImplementedError
