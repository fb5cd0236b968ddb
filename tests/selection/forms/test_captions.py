"""Images at their captions."""

from __future__ import annotations

from typing import Any

from made_segments import p

from ncfilters.selection.forms.captions import is_sign, with_images_at_captions


def image(**more: Any) -> dict[str, Any]:
    return {"src": "https://a.org/rain.jpg", "caption": "Rain.", **more}


def test_images_before_and_after_their_caption() -> None:
    caption = p("Rain.", tag="figcaption")
    expected = [p("It rained."), {**caption, "figure": [image()]}]
    assert with_images_at_captions([p("It rained.", figure=[image(after=True)]), caption]) == expected
    assert with_images_at_captions([caption, p("It rained.", figure=[image()])]) == expected[::-1]


def test_other_images_stay() -> None:
    other = {"src": "https://a.org/snow.jpg"}
    page = [p("It rained.", figure=[other, image(after=True)]), p("Rain.", tag="figcaption")]
    assert with_images_at_captions(page)[0]["figure"] == [other]
    for stays in (
        [p("It rained.", figure=[other]), p("Rain.")],
        [p("It rained.", figure=[image()]), p("Rain.")],
        [p("It rained.", figure=[image(after=True)]), p("Snow.")],
        [p("It rained.", figure=[image(after=True)]), p("Rain.", table=1)],
    ):
        assert list(with_images_at_captions(stays)) == stays


def test_drawings_that_say_what_is_beside_them() -> None:
    sign = {"src": "https://a.org/GlutenFree.svg?v=1", "alt": "GlutenFree"}
    assert is_sign(sign, {"text": "Gluten free"})
    assert not is_sign(sign, {"text": "Free of gluten"})
    assert not is_sign({**sign, "src": "https://a.org/GlutenFree.jpg"}, {"text": "Gluten free"})
    assert not is_sign({**sign, "alt": "…"}, {"text": "!"})
    assert not is_sign({"src": "a.svg"}, {"text": "Gluten free"})
