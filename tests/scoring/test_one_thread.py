"""BLAS has one thread within the context, and its own number after it."""

from __future__ import annotations

import threading
from typing import Any

import numpy  # noqa: F401
import pytest
from threadpoolctl import ThreadpoolController

from ncfilters.scoring.one_thread import OneThread


def threads() -> list[int]:
    found: list[dict[str, Any]] = ThreadpoolController().select(user_api="blas").info()
    return [library["num_threads"] for library in found]


@pytest.fixture
def two_threads() -> Any:
    if not threads():
        pytest.skip("numpy has a BLAS that threadpoolctl does not know")
    with ThreadpoolController().limit(limits=2, user_api="blas"):
        if threads() != [2]:
            pytest.skip("this BLAS has one thread only")
        yield


@pytest.mark.usefixtures("two_threads")
def test_one_thread_within_and_as_many_as_before_after() -> None:
    context = OneThread()
    for _ in range(2):
        with context:
            assert threads() == [1]
        assert threads() == [2]


@pytest.mark.usefixtures("two_threads")
def test_an_error_restores_the_number() -> None:
    context = OneThread()
    with pytest.raises(ZeroDivisionError), context:
        raise ZeroDivisionError
    assert threads() == [2]


@pytest.mark.usefixtures("two_threads")
def test_contexts_of_several_threads_overlap() -> None:
    context = OneThread()
    entered, leave = threading.Event(), threading.Event()
    seen: list[list[int]] = []

    def overlap() -> None:
        with context:
            seen.append(threads())
            entered.set()
            leave.wait(10)
        seen.append(threads())

    other = threading.Thread(target=overlap)
    with context:
        other.start()
        assert entered.wait(10)
    leave.set()
    other.join()
    assert seen == [[1], [2]]
    assert threads() == [2]
