"""The errors that several packages raise and catch.

raise RecordError("html: expected a string, got a number")
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any


class RecordError(ValueError):
    """One record cannot be processed; the stream continues with the next.

    *record* holds the fields of it that could be read. *remedy* is what the user can do about it and all errors like
    it: it is said once for a stream.
    """

    def __init__(self, message: str, record: dict[str, Any] | None = None, remedy: str = "") -> None:
        super().__init__(message)
        self.record, self.remedy = record or {}, remedy


class UsageError(Exception):
    """The command line cannot be carried out: exit status 2. *shown* are lines that show where it is wrong."""

    def __init__(self, message: str, shown: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.shown = shown


class ModelError(Exception):
    """A model is unknown, unreadable or damaged."""


@contextmanager
def as_usage_errors(kind: type[Exception], place: str = "") -> Iterator[None]:
    """Raises errors of this kind as usage errors; the *place*, such as a file, begins their messages."""
    try:
        yield
    except kind as error:
        why = isinstance(error, OSError) and error.strerror or str(error)
        raise UsageError(f"{place}: {why}" if place else why) from None


@contextmanager
def errors_at(path: str) -> Iterator[None]:
    """Adds the path to an OSError that has none, as when a disk is full."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, error.filename or path) from None


# Messages for exceptions of msgpack, which have none.
_MEANINGS = {"StackError": "nested too deeply", "FormatError": "invalid first byte"}


def error_message(error: Exception) -> str:
    """The message of an exception; without one, a description of its class."""
    if isinstance(error, EOFError) or str(error) == "incomplete frame":  # gzip, bzip2 and xz; zstd
        return "compressed content is truncated"
    return str(error) or _MEANINGS.get(type(error).__name__) or type(error).__name__


def require_library(library: str, purpose: str, extra: str = "workshop") -> None:
    """Checks that an optional library can be imported, before the work that needs it.

    *purpose* begins the message: "plots need", "the kind structure needs". Raises UsageError.
    """
    try:
        import_module(library)
    except ImportError:
        raise UsageError(f"{purpose} {library}, which is not installed: pip install 'ncfilters[{extra}]'") from None
