"""No columns: jusText's paragraphs are blocks of `justext_blocks`."""

from __future__ import annotations

from typing import Any


def paragraphs_in_columns(source: Any, options: Any) -> Any:
    """None."""
    return None
