"""Stages in a process of their own, for tasks that have failed before.

Careful(stages, at_death)(items)    # the outcomes; that of at_death for an item with which the process dies
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..streams.worker_processes import ForkServer, Unsendable, WorkerDied, WorkerProcess


class Careful:
    """The same as *stages*, but an item that ends the process of the stages has the outcome of *at_death*."""

    def __init__(self, stages: Callable[[Sequence[Any]], list[Any]], at_death: Callable[[Any, str], Any]) -> None:
        self._stages, self._at_death = stages, at_death
        self._server = ForkServer(stages)
        self._worker: WorkerProcess | None = None

    def __call__(self, items: Sequence[Any]) -> list[Any]:
        """The outcomes of items. Where the process dies, each is worked on alone."""
        self._worker = self._worker or self._server.start()
        try:
            outcomes: list[Any] = self._worker.work(items)
            return outcomes
        except Unsendable:
            return self._stages(items)
        except WorkerDied as death:
            self._worker = None
            if len(items) == 1:
                return [self._at_death(items[0], str(death))]
            return [outcome for item in items for outcome in self([item])]

    def close(self) -> None:
        """Ends the process."""
        if self._worker:
            self._worker.kill()
        self._server.close()
