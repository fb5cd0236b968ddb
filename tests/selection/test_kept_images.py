"""Images of captions and short segments that are dropped stay with the text around them."""

from __future__ import annotations

from typing import Any

from ncfilters.selection.kept_images import keep_images
from ncfilters.selection.scored_table import table_of

WORDS = "one two three four"


def page(*fields: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"text": WORDS, "type": "p", "path": "body/p", "score": 1.0, **more} for more in fields]


def test_the_image_of_a_dropped_caption_stays_with_the_text() -> None:
    image = {"src": "a.png", "alt": "A"}
    segments = page({}, {"role": "caption", "figure": [image]}, {}, {"figure": [image]}, {})
    first, *rest = keep_images(table_of(segments), [True, False, True, False, True])
    assert first["figure"] == [{**image, "after": True}]
    assert rest[1]["figure"] == [{**image, "after": True}]  # of the short segment after it
    assert "figure" not in segments[0]
    assert keep_images(table_of(segments), [False, False, True, False, False]) == segments


def test_images_of_short_segments_go_to_what_is_kept() -> None:
    photo, icon = {"src": "https://a.org/rain.jpg"}, {"src": "https://a.org/ads/1.png"}
    segments = page({}, {"figure": [photo, icon]}, {})
    assert keep_images(table_of(segments), [True, False, True])[0]["figure"] == [{**photo, "after": True}]
    menu = page({}, {"figure": [photo], "rule": "nav"}, {})
    assert keep_images(table_of(menu), [True, False, True]) == menu
    long = page({}, {"figure": [photo], "text": WORDS * 50}, {})
    assert keep_images(table_of(long), [True, False, True]) == long


def test_linked_images_of_references_and_bylines_go_with_them() -> None:
    photo = {"src": "https://a.org/rain.jpg", "link": "https://a.org/rain"}
    for more in (
        {"role": "related"},
        {"role": "byline"},
        {"role": "caption", "spans": [[0, 3, "link", photo["link"]]]},
    ):
        segments = page({}, {"figure": [photo], **more}, {})
        assert keep_images(table_of(segments), [True, False, True]) == segments
    segments = page({}, {"figure": [photo], "role": "caption"}, {})
    assert keep_images(table_of(segments), [True, False, True])[0]["figure"] == [{**photo, "after": True}]


def test_images_have_no_place_in_another_table() -> None:
    photo = {"src": "a.jpg", "row": 0, "column": 1}
    for table, expected in ((1, {**photo, "after": True}), (2, {"src": "a.jpg", "after": True})):
        segments = page({"table": 1}, {"table": table, "figure": [photo]}, {"table": 1})
        assert keep_images(table_of(segments), [True, False, True])[0]["figure"] == [expected]


def test_images_go_into_no_other_table_item_or_quote() -> None:
    photo, other, own = ({"src": f"https://a.org/{name}.jpg"} for name in ("rain", "snow", "own"))
    images = {"figure": [photo]}
    for holder in ({"table": 1}, {"item": 1}, {"quote": 1}):
        below = page(holder, {"figure": [{**photo, "after": True}]}, {"figure": [other]}, {"figure": [own]})
        found = keep_images(table_of(below), [True, False, False, True])
        assert ("figure" in found[0], found[3]["figure"]) == (False, [photo, other, own])
        segments = page(holder, {**holder, **images}, {})
        assert keep_images(table_of(segments), [True, False, True])[0]["figure"] == [{**photo, "after": True}]
        segments = page(holder, images, holder)
        outside = {name: 0 for name in ("quote", "table") if name in holder}
        found = keep_images(table_of(segments), [True, False, True])
        assert found[0]["figure"] == [{**photo, **outside, "after": True}]
    items = page({"item": 1}, {"item": 2, **images}, {"item": 2})
    found = keep_images(table_of(items), [True, False, True])
    assert [segment.get("figure") for segment in found] == [None, [photo], [photo]]


def test_a_photograph_in_its_caption_goes_to_what_is_kept() -> None:
    photo, sign = {"src": "https://a.org/rain.jpg", "alt": ""}, {"src": "https://a.org/zoom.gif", "alt": ""}
    spans = [[0, 0, "image", photo], [0, 0, "image", sign]]
    for fields in ({"role": "caption"}, {"tag": "figure"}, {"tag": "p"}):
        segments = page({}, {"spans": spans, **fields}, {})
        assert keep_images(table_of(segments), [True, False, True])[0]["figure"] == [{**photo, "after": True}]
    for others in ({"text": WORDS * 50}, {"rule": "nav"}):
        other = page({}, {"spans": spans, **others}, {})
        assert keep_images(table_of(other), [True, False, True]) == other


def test_captions_of_a_gallery_do_not_count_as_distance() -> None:
    photos = [{"src": f"https://a.org/{number}.jpg", "alt": ""} for number in range(6)]
    captions = page(*[{"figure": [photo], "role": "caption"} for photo in photos])
    gallery = [*page({}), *captions, *page({})]
    decisions = [True, *[False] * 6, True]
    first = keep_images(table_of(gallery), decisions)[0]
    assert [image["src"] for image in first["figure"]] == [one["src"] for one in photos]
    far = [*page({}), *captions[:1], *page({}, {}, {}, {}, {})]
    assert keep_images(table_of(far), [True, *[False] * 5, True]) == far
