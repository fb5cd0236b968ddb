"""Authors by their biographies."""

from __future__ import annotations

import pytest

from ncfilters.segmentation.author_biography import author_of_biography, author_with_biography

BIOGRAPHY = "Ann Lee is a writer. She lives by the sea with two ducks."


@pytest.mark.parametrize(
    "below, names",
    [
        (("About Ann Lee", BIOGRAPHY), ["Ann Lee"]),
        (("Ann Lee", "Head of Ducks", BIOGRAPHY.replace("Ann Lee", "Ann")), ["Ann Lee"]),
        (("Ann Lee", BIOGRAPHY, "Bob Ray", BIOGRAPHY.replace("Ann Lee", "Bob Ray")), []),
        (("Ann Lee", BIOGRAPHY, "Ann Lee", BIOGRAPHY), ["Ann Lee"]),
        (("Bob Ray", BIOGRAPHY), []),
        (("Duck Press", "Duck Press is the best press of the valley, and was for fifty years."), []),
        (("Duck Press", "Duck Press is a writer of the valley, and was for fifty years."), []),
        ((BIOGRAPHY,), []),
    ],
)
def test_authors(below: tuple[str, ...], names: list[str]) -> None:
    segments = [{"text": text} for text in ("Rain", *["It rained."] * 8, *below)]
    assert author_of_biography(segments, ["Duck Press"]) == names


def test_the_beginning_of_a_page_is_no_biography() -> None:
    segments = [{"text": text} for text in ("Ann Lee", BIOGRAPHY, *["It rained."] * 8)]
    assert author_of_biography(segments) == []
    hidden = [{"text": "Rain"}, {"text": "Ann Lee", "origin": "hidden"}, {"text": BIOGRAPHY}]
    assert author_of_biography(hidden) == []


@pytest.mark.parametrize(
    "texts, names",
    [
        (("Rain", "Ann Lee", "Text.", "Ann Lee is a writer. She lives in a shed by the sea."), ["Ann Lee"]),
        (("Rain", "ANN LEE", "Text.", "Ann Lee is a writer. She lives in a shed by the sea."), ["Ann Lee"]),
        (("Rain", "Ann Lee", "Text.", "Ann Lee Limited is a company. It makes sheds for editors."), []),
        (("Rain", "Puddle Coffee", "Text.", "Puddle Coffee is a drink that is made of puddles and beans."), []),
        (("Rain", "Ann Lee", "Text."), []),
        (("Ann Lee is a writer. She lives in a shed by the sea.", "Rain", "Ann Lee"), []),
    ],
)
def test_name_at_the_title_and_biography_below(texts: tuple[str, ...], names: list[str]) -> None:
    assert author_with_biography([{"text": text} for text in texts], texts.index("Rain")) == names
