"""The price that a product page declares, in its text."""

from __future__ import annotations

import json

import pytest

from ncfilters.page.page_options import PageOptions
from ncfilters.page.profiles import blocks_of_html
from ncfilters.segmentation.segmenter import segment_html

TAGS = '<meta property="og:price:amount" content="1,060.00"><meta property="og:price:currency" content="USD">'
OFFER = {"@type": "Product", "offers": {"@type": "Offer", "price": 1060.0, "priceCurrency": "USD"}}
DECLARED = [
    TAGS,
    f'<script type="application/ld+json">{json.dumps(OFFER)}</script>',
    '<div itemscope itemtype="https://schema.org/Offer"><meta itemprop=price content=1060></div>',
]


def marked(html: str, markup: bool = False) -> list[str]:
    """The texts of blocks that show the declared price."""
    blocks = blocks_of_html(html, PageOptions(markup=markup))
    return [block["text"] for block in blocks if block.get("declared") == "Offer.price"]


@pytest.mark.parametrize("declared", DECLARED)
@pytest.mark.parametrize("markup", [False, True])
def test_declared_in_tags_data_and_elements(declared: str, markup: bool) -> None:
    page = f"{declared}<div>$1060</div><h1>Desk</h1><div>1060</div><div>Now $1,060</div><div>$1,060.00</div>"
    assert marked(page, markup) == ["Now $1,060"]


@pytest.mark.parametrize("shown", ["US $1,060.00", "1060 kr", "1.060,00 €", "Price: 1 060 USD", "$1,200.00 $1,060.00"])
def test_forms_of_a_price(shown: str) -> None:
    assert marked(f"{TAGS}<h1>Desk</h1><p>{shown}") == [shown]


@pytest.mark.parametrize(
    "shown", ["1060 out of 2000 stars", "1060 day returns", "Size: 1060 oz", "Only 1060 left!", "© 1060 Foo"]
)
def test_numbers_without_a_currency(shown: str) -> None:
    assert marked(f"{TAGS}<h1>Desk</h1><p>{shown}<p>$1,060.00") == ["$1,060.00"]


def test_places_of_a_price() -> None:
    assert marked(f"{TAGS}<p>$1,060<p>1060 USD<h1>Desk</h1><p>$20") == ["1060 USD"]
    assert marked(f"{TAGS}<h1>Desk</h1><nav>Cart $1060</nav><p>Desk: 1,060 EUR") == ["Desk: 1,060 EUR"]


@pytest.mark.parametrize(
    "shown", ["1060", "$1,061.00", "1060 reviews", "<li>$1060", "<p hidden>$1060", f"<p>$1060 {'and more ' * 20}"]
)
def test_what_shows_no_price(shown: str) -> None:
    assert marked(f"{TAGS}<h1>Desk</h1>{shown}") == []


def test_a_page_of_several_products_has_no_price() -> None:
    other = {**OFFER, "offers": {**OFFER["offers"], "price": 20}}  # type: ignore[dict-item]
    data = f'<script type="application/ld+json">{json.dumps([OFFER, other])}</script>'
    assert marked(f"{data}<h1>Desks</h1><p>$1060") == []


def test_a_price_is_no_heading() -> None:
    assert [segment["type"] for segment in segment_html(f"{TAGS}<h1>Desk</h1><div>$1,060</div>")] == ["h", "p"]
