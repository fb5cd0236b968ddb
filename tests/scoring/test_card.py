"""The cards of models."""

from __future__ import annotations

from pathlib import Path

import pytest
from model_files import ABOUT, trained

from ncfilters.scoring import registry
from ncfilters.scoring.card import one_line, printable, write_card

CARD = """\
# some

For tests — é.

- kind: ngram
- language: en
- n: 3
- q: 0.5
- folding: ascii

Learned from:

- A corpus, CC0
- Another, CC BY 4.0
- pages: 1,497
- pages left out: 3

Made by

    nc-train ngram

Checksum (sha256 of header and arrays): {sha256}
"""


def test_a_card_has_parameters_corpora_and_checksum(tmp_path: Path) -> None:
    path = tmp_path / "some.model"
    header = registry.write_model(path, trained(), ABOUT)
    write_card(path, header)
    assert (tmp_path / "some.md").read_text(encoding="utf-8") == CARD.format(**header)


@pytest.mark.parametrize(
    ("value", "line"),
    [
        (1234567, "1,234,567"),
        (True, "true"),
        ("a\nb", "a\ufffdb"),
        ([1, "é"], '[1, "é"]'),
        (list(range(30)), "0, 1, 2, 3, 4, … (30)"),
    ],
)
def test_values_are_on_one_line(value: object, line: str) -> None:
    assert one_line(value) == line


def test_control_characters_are_replaced() -> None:
    assert printable("a\x1b[31mé\t") == "a\ufffd[31mé\ufffd"
