"""ncfilters: crawled web pages to clean text, as Unix filters or from Python.

    >>> import ncfilters
    >>> page = ncfilters.extract("<title>Rain</title><a href=/>Home</a><p>It rained all day in the town.</p>")
    >>> page.title, page.text
    ('Rain', 'It rained all day in the town.')

The modules are loaded on first use, so that the commands start fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .installed import __version__

if TYPE_CHECKING:
    from .errors import ModelError as ModelError
    from .errors import RecordError as RecordError
    from .pipeline import Document as Document
    from .pipeline import Pipeline as Pipeline
    from .pipeline import PipelineOptions as PipelineOptions
    from .pipeline import clean as clean
    from .pipeline import extract as extract
    from .pipeline import extract_many as extract_many
    from .selection.options import ContentOptions as ContentOptions

# The module of each public name.
_MODULES = {
    **dict.fromkeys(("Document", "extract", "extract_many", "Pipeline", "PipelineOptions", "clean"), "pipeline"),
    **dict.fromkeys(("ModelError", "RecordError"), "errors"),
    "ContentOptions": "selection.options",
}
__all__ = [  # noqa: RUF022 (by use)
    "extract",
    "extract_many",
    "Document",
    "clean",
    "Pipeline",
    "PipelineOptions",
    "ContentOptions",
    "RecordError",
    "ModelError",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'ncfilters' has no attribute '{name}'")
    from importlib import import_module  # start-up: the commands import this package without them

    return getattr(import_module(f".{_MODULES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
