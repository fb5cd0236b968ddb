"""Classes of bytes."""

from __future__ import annotations

from ncfilters.text.char_classes import CLASS_OF, CLASSES, PLAIN, SPACE, UPPER, WIDE, space_table


def test_each_byte_has_a_class() -> None:
    assert len(CLASS_OF) == 256 and max(CLASS_OF) < CLASSES
    assert [CLASS_OF[byte] for byte in b"aZ \0"] == [PLAIN, UPPER, SPACE, SPACE]
    assert CLASS_OF["中".encode()[0]] == WIDE


def test_other_characters_become_spaces() -> None:
    assert "A-bß".encode().translate(space_table("AB")) == "a  ß".encode()
