"""An item that ends its process has an outcome, and so have all others."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence

from ncfilters.spark.careful import Careful


def stages(items: Sequence[str]) -> list[str]:
    if "fatal" in items:
        os.kill(os.getpid(), signal.SIGKILL)
    return [item.upper() for item in items]


def test_only_the_fatal_item_has_the_outcome_of_death() -> None:
    careful = Careful(stages, lambda item, how: f"{item} {how}")
    assert careful(["a", "b"]) == ["A", "B"]
    died = "fatal was ended by Killed (signal 9)"
    assert careful(["a", "fatal", "b", "fatal"]) == ["A", died, "B", died]
    assert careful(["c"]) == ["C"]
    careful.close()
