"""numpy's linear algebra on one thread, while segments are scored in somebody else's process.

    with one_thread:
        scored = scorer(records)

The products of a page are small: threads that BLAS starts for them wait for each other actively, which takes more CPU
time than the products (measured with OpenBLAS: half of the time of `Pipeline.records`). numpy has no function for the
number of threads; `threadpoolctl` finds the one of each BLAS. The commands set OPENBLAS_NUM_THREADS before numpy is
loaded instead, which a library must not do.
"""

from __future__ import annotations

import sys
from threading import Lock
from typing import Any


class OneThread:
    """A context in which BLAS has one thread; after it, as many as before.

    It has no effect where numpy is not loaded: pages are scored without it.

    In some versions the number belongs to the process, in others to the calling thread. So contexts of several threads
    that overlap all restore the number from before the first of them.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._entered = 0
        self._controller: Any = None
        self._first: Any = None

    def __enter__(self) -> None:
        if "numpy" not in sys.modules:
            return
        with self._lock:
            limit = self._loaded_libraries().limit(limits=1, user_api="blas")
            self._first = self._first if self._entered else limit
            self._entered += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            if self._entered:
                self._entered -= 1
                self._first.restore_original_limits()

    def _loaded_libraries(self) -> Any:
        if self._controller is None:
            from threadpoolctl import ThreadpoolController  # start-up: pages are scored without it

            self._controller = ThreadpoolController()
        return self._controller


# The number of threads belongs to the process, and so does its context.
one_thread = OneThread()
