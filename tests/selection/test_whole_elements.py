"""Elements that are kept or dropped as a whole: tables, code, items, quotes; footnotes, formulas and images."""

from __future__ import annotations

from typing import Any

from ncfilters.selection.policies import policy
from ncfilters.selection.scored_table import table_of
from ncfilters.selection.selector import SelectionOptions, select_text
from ncfilters.selection.whole_elements import keep_headings, keep_images, keep_whole

WORDS = "one two three four"


def page(*fields: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"text": WORDS, "type": "p", "path": "body/p", "score": 1.0, **more} for more in fields]


def kept(segments: list[dict[str, Any]], marks: str) -> str:
    """The decisions, as + and -."""
    return "".join("-+"[keep] for keep in keep_whole(table_of(segments), [mark == "+" for mark in marks]))


def test_segments_without_markup_stay_as_they_are() -> None:
    assert kept(page({}, {}, {}), "+-+") == "+-+"
    assert kept(page({"item": 1}, {"item": 1}), "--") == "--"


def test_a_table_is_kept_or_dropped_as_a_whole() -> None:
    rows = page({"table": 1}, {}, {"table": 1}, {"table": 2}, {"table": 1})
    assert kept(rows, "+----") == "+-+-+"
    assert kept(page(*[{"table": 1}] * 5), "+----") == "-----"


def test_a_box_of_links_is_no_table() -> None:
    box = {"table": 1, "path": "body/div.navbox/table/tbody/tr"}
    assert kept(page({}, box, box), "+++") == "+--"


def test_the_rest_of_an_item_goes_with_its_beginning() -> None:
    items = page({"item": 1}, {"item": 1}, {"item": 2}, {"item": 2})
    assert kept(items, "+--+") == "++-+"
    assert kept(page({"code": 1}, {"code": 1}), "+-") == "++"


def test_lines_of_one_quote_stay_together() -> None:
    quote = {"quote": 1, "path": "body/article/blockquote.tweet/p"}
    outside = {**quote, "path": "body/article/blockquote.tweet"}
    assert kept(page({}, quote, outside, {}), "+-++") == "++++"
    assert kept(page(quote, {}, outside), "-++") == "-++"  # two quotes of the same class


def test_a_footnote_is_kept_with_its_mark() -> None:
    mark, note = {"spans": [[0, 3, "note", "n1"]]}, {"note": {"id": "n1"}}
    assert kept(page(mark, {}, note, {"note": {"id": "n2"}}, {"note": 7}), "+----") == "+-+--"
    assert kept(page({}, mark, note), "+--") == "+--"
    assert kept(page(mark, {"note": {"id": ["n1"]}}), "+-") == "+-"  # of no use, as one without an id


def test_a_displayed_formula_is_kept_below_text() -> None:
    formula = {"spans": [[0, len(WORDS), "math", "x^2", "display"]]}
    assert kept(page({}, formula, formula, {}), "+--+") == "++++"
    assert kept(page({}, formula, {}), "--+") == "--+"
    assert kept(page({}, {"spans": [[0, 3, "math", "x"]]}, {}), "+-+") == "+-+"


def test_a_heading_goes_with_what_is_kept_below_it() -> None:
    title = {"level": 2, "path": "body/article/h2", "score": -0.5}
    table = {"path": "body/article/table/tr"}

    def decided(*fields: dict[str, Any], before: str, after: str) -> str:
        marks = [[mark == "+" for mark in row] for row in (before, after)]
        return "".join("-+"[keep] for keep in keep_headings(table_of(page(*fields)), *marks))

    assert decided({}, title, table, before="+--", after="+-+") == "+++"
    assert decided({}, title, table, before="+-+", after="+-+") == "+-+"
    assert decided({}, {**title, "score": -3.5}, table, before="+--", after="+-+") == "+-+"
    assert decided({}, {**title, "path": "body/aside/h2"}, table, before="+--", after="+-+") == "+-+"
    assert decided({}, {"score": -0.5}, table, before="+--", after="+-+") == "+-+"


def test_the_image_of_a_dropped_caption_stays_with_the_text() -> None:
    image = {"src": "a.png", "alt": "A"}
    segments = page({}, {"role": "caption", "figure": [image]}, {}, {"figure": [image]}, {})
    first, *rest = keep_images(table_of(segments), [True, False, True, False, True])
    assert first["figure"] == [{**image, "after": True}]
    assert rest[1]["figure"] == [{**image, "after": True}]  # of the short segment after it
    assert "figure" not in segments[0]
    assert keep_images(table_of(segments), [False, False, True, False, False]) == segments


def test_selection_keeps_elements_whole() -> None:
    segments = page({"spans": [[0, 3, "note", "n1"]]}, {"score": -3.0, "text": "The note.", "note": {"id": "n1"}})
    document = {"segments": segments, "page": {"odds": 3.0}}
    assert select_text(document, policy())["text"] == f"{WORDS}\nThe note."
    assert [
        segment["keep"] for segment in select_text(document, policy(), SelectionOptions(mark_segments=True))["segments"]
    ]


def test_code_between_text_that_is_kept() -> None:
    code = {"code": 1}
    assert kept(page({}, code, code, {}), "+--+") == "++++"
    assert kept(page({}, code, code, {}), "+---") == "+---"
    assert kept(page({}, code, {}), "+-+") == "+++"
    assert kept(page({}, code, {}), "+--") == "+--"


def test_images_of_short_segments_go_to_what_is_kept() -> None:
    photo, icon = {"src": "https://a.org/rain.jpg"}, {"src": "https://a.org/ads/1.png"}
    segments = page({}, {"figure": [photo, icon]}, {})
    assert keep_images(table_of(segments), [True, False, True])[0]["figure"] == [{**photo, "after": True}]
    menu = page({}, {"figure": [photo], "rule": "nav"}, {})
    assert keep_images(table_of(menu), [True, False, True]) == menu
    long = page({}, {"figure": [photo], "text": WORDS * 50}, {})
    assert keep_images(table_of(long), [True, False, True]) == long


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
        for segments in (page(holder, {**holder, **images}, {}), page(holder, images, holder)):
            assert keep_images(table_of(segments), [True, False, True])[0]["figure"] == [{**photo, "after": True}]
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
