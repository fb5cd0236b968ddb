"""Fields that a page says itself."""

from __future__ import annotations

import pytest

from ncfilters.page.metadata.page_fields import Reader, page_fields

URL = "https://www.puddle.org/2012/05/03/rain"


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("date", "2024-05-03T10:00:00Z", "2024-05-03"),
        ("date", "2024-02-30", "2012-05-03"),  # of the address
        ("date", "1714694400", "2024-05-03"),
        ("modified", "3 May 2024", "2024-05-03"),
        ("modified", "2024-13-01", None),
        ("language", "en_us", "en-US"),
        ("language", "zh-hant", "zh-hant"),
        ("language", "en us", None),
        ("canonical", "https://a.org/b#c", "https://a.org/b#c"),
        ("canonical", "/b", "https://www.puddle.org/b"),
        ("canonical", "https://a.org/a b", None),
        ("canonical", "ftp://a.org/b", None),
        ("canonical", "javascript:alert(1)", None),
        ("license", "CC BY", "CC BY"),
        ("license", "none", None),
        ("image", "https://a.org/#primaryimage", None),
        ("image", "x.png", "https://www.puddle.org/2012/05/03/x.png"),
        ("image", "https:////pictures.puddle.org/x.png", "https://pictures.puddle.org/x.png"),
        ("image", "https://puddle.org", None),
        ("image", "/data/avatars/l/7.jpg", None),
        ("image", "/favicon-32x32.png", None),
        ("image", "/i/blank.gif", None),
        ("image", "/avatars-of-ducks.png", "https://www.puddle.org/avatars-of-ducks.png"),
        ("categories", "purpose:feed", None),
        ("categories", "WXYZ:RAIN,SNOW,AB1", None),
        ("categories", "Weather:Rain", ["Weather:Rain"]),
        ("categories", "rain;snow ;; rain, a & b", ["rain", "snow", "a & b"]),
        ("categories", "y" * 81, None),
    ],
)
def test_fields(field: str, text: str, value: object) -> None:
    found = page_fields(Reader({field: [("meta", (text, "x"))]}, URL))[field]
    assert (found and found[0]) == value


def test_the_language_and_the_address_of_elements_come_first() -> None:
    said = {"language": [("meta", ("de", "x"))], "date": [("meta", ("03/04/2025", "x"))]}
    found = page_fields(Reader(said, URL), "en_us", "/rain")
    assert found["language"] == ("en-US", "html lang") and found["date"] == ("2025-03-04", "x")
    assert found["canonical"] == ("https://www.puddle.org/rain", "rel=canonical")
    assert page_fields(Reader(said, URL))["date"] == ("2025-04-03", "x")


def test_long_texts_and_many_categories() -> None:
    many = [("a", (", ".join(f"c{n}" for n in range(start, 300)), "x")) for start in (0, 5)]
    found = page_fields(Reader({"categories": many, "image": [("a", (f"https://a.org/{'b' * 2000}", "x"))]}, URL))
    assert found["categories"] is not None and len(found["categories"][0]) == 20 and found["image"] is None
