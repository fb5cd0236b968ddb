"""What elements do to the blocks of a page."""

from __future__ import annotations

import pytest

from ncfilters.native.element_names import number_of_tag
from ncfilters.page.blocks import element_kinds


@pytest.mark.parametrize(
    "tag, kind", [("ol", "LIST"), ("h6", "BLOCK"), ("span", "INLINE"), ("title", "SKIPPED"), ("svg", "SKIPPED")]
)
def test_kinds_of_tags(tag: str, kind: str) -> None:
    assert element_kinds.KINDS[number_of_tag(tag)] == getattr(element_kinds, kind)


def test_a_subclass_has_the_other_kinds() -> None:
    assert max(element_kinds.KINDS) < element_kinds.OWN
