"""Prices that pages declare."""

from typing import Any

import pytest

from ncfilters.page.metadata.prices import MAX_OFFERS, offered_price, price_with_currency


@pytest.mark.parametrize(
    "offers, expected",
    (
        ({"price": "60.00", "priceCurrency": "USD"}, "60.00 USD"),
        ({"price": 60, "priceCurrency": "eur"}, "60 EUR"),
        ({"@type": "AggregateOffer", "lowPrice": "9.5", "highPrice": "1,200.00"}, "9.50–1200.00"),
        ([{"price": "1099.0"}, {"price": "3418.98"}, {"price": "1099.0"}], "1099.00–3418.98"),
        ({"priceSpecification": [{"price": "5", "priceCurrency": "GBP"}]}, "5 GBP"),
        ([{"price": "5", "priceCurrency": "GBP"}, {"price": "6", "priceCurrency": "USD"}], ""),
        ({"price": "0.00", "priceCurrency": "USD"}, ""),
        ({"price": None}, ""),
        ("free", ""),
        (None, ""),
    ),
)
def test_the_price_of_offers(offers: Any, expected: str) -> None:
    assert offered_price({"@type": "Product", "offers": offers}) == expected


def test_too_many_offers_have_no_price() -> None:
    assert offered_price({"offers": [{"price": number} for number in range(1, MAX_OFFERS + 2)]}) == ""


def test_offers_within_each_other_end() -> None:
    offers: dict[str, Any] = {}
    offers["offers"] = [offers, offers]
    assert offered_price(offers) == ""


@pytest.mark.parametrize(
    "text, code, expected",
    (
        ("$60.00", "usd", "60.00 USD"),
        ("59,99€", "EUR", "59.99 EUR"),
        ("1.060,5", "EUR", "1060.50 EUR"),
        ("1'299.50", "CHF", "1299.50 CHF"),
        ("1.299", "EUR", "1299 EUR"),
        ("5700.000", "USD", "5700.00 USD"),
        ("12", "dollars", "12"),
        ("on demand", "USD", ""),
        ("-60", "USD", ""),
        ("1e309", "USD", ""),
    ),
)
def test_a_price_with_its_currency(text: str, code: str, expected: str) -> None:
    assert price_with_currency(text, code) == expected
