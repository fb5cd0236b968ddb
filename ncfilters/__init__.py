"""ncfilters: crawled web pages to clean text, as Unix filters or from Python.

    >>> import ncfilters
    >>> ncfilters.clean("<nav><a href='/'>Home</a></nav><p>The text that somebody wrote.</p>")
    'The text that somebody wrote.'

The modules are loaded on first use, so that the commands start fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .version import __version__

if TYPE_CHECKING:
    from .pipeline import Pipeline as Pipeline
    from .pipeline import PipelineOptions as PipelineOptions
    from .pipeline import clean as clean

__all__ = ["Pipeline", "PipelineOptions", "__version__", "clean"]


def __getattr__(name: str) -> Any:
    if name not in ("Pipeline", "PipelineOptions", "clean"):
        raise AttributeError(f"module 'ncfilters' has no attribute '{name}'")
    from . import pipeline  # start-up: the commands import this package without it

    return getattr(pipeline, name)
