"""The metadata of a page, with its evidence, and the price that stands in its text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from page_rows import page_of

from ncfilters.head import add_head, declared_title, without_metadata
from ncfilters.page.metadata.declarations import head_of_page
from ncfilters.page.metadata.page_metadata import MAX_SCRIPTS, with_metadata
from ncfilters.page.page_options import PageOptions
from ncfilters.page.profiles import blocks_of_html
from ncfilters.page.tree.survey import survey
from ncfilters.segmentation.segmenter import segment_html

URL = "https://www.puddle.org/2012/05/03/rain"
UGLY = """<!doctype html><html lang=en_us><head><title>It rained all day | The Daily Puddle</title>
<meta property="og:title" content="It rained all day | The Daily Puddle">
<meta property=og:site_name content="The Daily Puddle">
<meta name=author content=admin><meta property="article:author" content="https://www.facebook.com/ann">
<meta name=description content="Rain fell."><meta property="og:image" content="/a%20b.png">
<meta property="og:url" content="javascript:alert(1)"><meta property=article:tag content="Rain, Weather, Rain">
<script type="application/ld+json">/*<![CDATA[*/{"@type": "BlogPosting", "headline": "It rained all day",
"datePublished": "2012-05-03T23:30:00-05:00", "dateModified": "May 4, 2012",
"author": [{"name": "The Daily Puddle"}, {"name": "ANN LEE"}],}/*]]>*/</script></head>
<body><h1>IT RAINED ALL DAY</h1><span class=byline>By Somebody Else</span><p>Rain fell."""


def metadata_of(html: str, url: str = "") -> dict[str, Any]:
    table = page_of(html)
    found = survey(table)
    return with_metadata(head_of_page(table, found), table, found, url)


def test_metadata_of_an_ugly_page() -> None:
    head = metadata_of(UGLY, URL)
    evidence = head.pop("evidence")
    assert {one["field"] for one in head.pop("alternatives")} == {"title", "author"}
    assert head == {
        "title": "It rained all day", "declared_title": "It rained all day | The Daily Puddle",
        "description": "Rain fell.", "kinds": ["author", "ld:BlogPosting"], "author": ["Ann Lee"],
        "date": "2012-05-03", "modified": "2012-05-04", "site": "The Daily Puddle", "language": "en-US",
        "image": "https://www.puddle.org/a%20b.png", "categories": ["Rain", "Weather"],
    }  # fmt: skip
    assert evidence["author"] == "json-ld author" and evidence["site"] == "meta og:site_name"
    assert set(evidence) == set(head) - {"declared_title", "kinds"}


def test_authors_and_teams_in_lists_are_not_those_of_the_page() -> None:
    names = "".join(f"<a rel=author>{name} Lee</a>" for name in ("Ann", "Bo", "Cy", "Di"))
    assert "author" not in metadata_of(f"<title>Rain</title>{names}", URL)
    assert metadata_of("<p class=author-name>Puddle Staff</p>", URL)["author"] == ["Puddle Staff"]
    assert "author" not in metadata_of("<p class=author-name>Rain and Snow</p>", URL)
    names = "".join(f"<p><span class=author>{name}</span>" for name in ("Ann Lee", "Bo Ray, Rain team"))
    assert "author" not in metadata_of(f"<title>Rain</title>{names}", URL)
    names = "".join(f"<i itemprop=author>{name} Lee</i>" for name in "Ann Bo Cy Di Eve Fay Gus Hal Ida Jo Kim".split())
    assert "author" not in metadata_of(names)


FORUM = "https://ducks.example/forum/topic/7"
PUBLISHED = """<script type="application/ld+json">{"@type": "Article",
"publisher": {"@type": "Organization", "name": "Duck Foundation"}}</script>"""


@pytest.mark.parametrize(
    "html, field, value, evidence",
    [
        ("<title>Rain - puddle</title>", "site", "puddle", "title"),
        ("<p>Rain.", "site", "puddle.org", "url"),
        (PUBLISHED + "<title>Rain - Puddle</title>", "site", "Puddle", "title"),
        (PUBLISHED + "<title>Rain - Pond</title>", "site", "Duck Foundation", "json-ld publisher"),
        ("<a rel=author>Ann Lee</a><a rel=author>Bo Ode</a>", "author", ["Ann Lee", "Bo Ode"], "rel=author"),
        ("<title>The engine «Wind-8» is wet</title>", "title", "The engine «Wind-8» is wet", "title"),
        ("<meta property=og:site_name content=http://www.gazette.org/><p>Rain.", "site", "gazette.org",
         "meta og:site_name"),
        ("<title>Rain all day // Puddle</title>", "site", "Puddle", "title"),
        ("<title>Untitled Document</title><h1>Rain</h1>", "title", "Rain", "h1"),
        ("<meta property=og:title content='Rain all day'><nav><h1>Puddles: weather of the day</h1></nav>"
         "<h2>Puddles: Rain all day</h2><title>Puddles: weather of the day</title>", "title", "Rain all day",
         "meta og:title"),
        ("<meta property=og:title content='Rain all day'><h1>Puddles: weather of the day</h1>"
         "<h2>Rain all day</h2><title>Puddles: weather of the day</title>", "title", "Puddles: weather of the day",
         "title"),
        ("<meta property=og:title content='Rain&shy;drops fall'><h1>Rain&shy;drops fall</h1>", "title",
         "Raindrops fall", "meta og:title"),
        ("<p>Rain.", "date", "2012-05-03", "url"),
        ('<meta name=citation_author content="Lee, Ann"><meta name=citation_author content="Ode, Bo">', "author",
         ["Ann Lee", "Bo Ode"], "meta citation_author"),
        ("<title>Rain</title><p class=byline>by Ann Lee</p>", "author", ["Ann Lee"], "class byline"),
        ("<title>R</title><span class=author-name>Ann Lee</span><b class=author-name>Ann Lee</b>", "author",
         ["Ann Lee"], "class author-name"),
        ("<time datetime=2012-05-01>x</time>", "date", "2012-05-01", "time"),
        ("<link rel=license href=https://creativecommons.org/licenses/by/4.0/>", "license",
         "https://creativecommons.org/licenses/by/4.0/", "rel=license"),
        ("<link rel=canonical href=/rain>", "canonical", "https://www.puddle.org/rain", "rel=canonical"),
        ("<title>Puddle guide</title><h1>Puddle guide for ducks</h1>", "title", "Puddle guide for ducks", "h1"),
        ("<title>Rules — puddle 2.4</title>", "title", "Rules", "title"),
        ("<title>Quickstart — Duck Documentation (3.1.x)</title><h1>Quickstart</h1>", "title", "Quickstart", "h1"),
        ("<title>Rain all day | Post | Post</title><meta property=og:site_name content=Post>", "title", "Rain all day",
         "title"),
        ("<title>My Log: Ducks in a row</title><h1><a href=/>My Log</a></h1>", "title", "Ducks in a row", "title"),
        ("<b class=username>duck_42</b><a class=username>bob</a>", "author", ["duck_42"], "post"),
        ("<b class=username>rye_not</b><a class=username>bob</a>", "author", ["rye_not"], "post"),
        ("<title>Puddles are wet</title><h1>The Gazette</h1>", "title", "Puddles are wet", "title"),
        ("<title>Quickstart — Duck Documentation (3.1.x)</title><h1>Quickstart</h1>", "site", "Duck Documentation",
         "title"),
        ("<title>Rain — Duck 3.1.4 documentation</title><h1>Rain</h1>", "site", "Duck documentation", "title"),
        ("<title>Rain</title><h1><a href=/>The Log of Ducks</a></h1>", "site", "The Log of Ducks", "h1"),
        ("<b itemprop=author itemscope><meta itemprop=name content='Ann Lee'></b>", "author", ["Ann Lee"], "itemprop"),
        ("<i itemprop=author itemscope><link itemprop=name content='Ann Lee'></i>", "author", ["Ann Lee"], "itemprop"),
        ("<b class=username>duck_42</b><i data-utime=1709528767>3 h</i>", "date", "2024-03-04", "post"),
    ],
)  # fmt: skip
def test_fields(html: str, field: str, value: Any, evidence: str) -> None:
    head = metadata_of(html, FORUM if "username" in html else URL)
    assert (head[field], head["evidence"][field]) == (value, evidence)


@pytest.mark.parametrize("html", [
    "<meta name=author content='Editorial Staff'>", "<meta name=author content=admin>",
    "<span class=author-name>Ann Lee</span><span class=author-name>Bob Lee</span>",
    "<div itemtype=https://schema.org/Answer itemscope><b itemprop=author>Ann Lee</b></div>",
    "<b class=username>ann</b>", "<div class=comments><b class=byline>By Ann Lee</b></div>",
    "<b class=author>中央社</b>", "<b class=author>正有 2 人评论</b>",
])  # fmt: skip
def test_no_author_is_better_than_a_false_one(html: str) -> None:
    assert "author" not in metadata_of(html, URL)


def test_heads_of_nothing_and_of_an_earlier_stage() -> None:
    assert metadata_of("<p>Rain.") == {"evidence": {}}
    record: dict[str, Any] = {"head": {"title": "Mine", "kinds": ["og:article"]}}
    add_head(record, metadata_of(UGLY, URL))
    assert record["head"]["author"] == ["Ann Lee"] and record["head"]["kinds"] == ["og:article"]
    assert declared_title(record["head"]) == "Mine" and record["head"]["title"] == "It rained all day"


def test_models_read_the_same_head() -> None:
    table = page_of(UGLY)
    plain = head_of_page(table)
    head = with_metadata(plain, table, survey(table), URL)
    assert declared_title(head) == plain["title"]
    assert [head[name] for name in ("description", "kinds")] == [plain[name] for name in ("description", "kinds")]
    assert without_metadata(head) == plain and without_metadata(plain) is plain
    assert without_metadata(metadata_of("<p>Rain.", URL)) == {}
    only_heading = metadata_of("<h1>Rain</h1>", URL)
    assert (only_heading["title"], declared_title(only_heading)) == ("Rain", "")
    head = metadata_of("<title>Untitled Document</title><p>Rain.", URL)
    assert "title" not in head and declared_title(head) == "Untitled Document"


@pytest.mark.parametrize(
    "html, author",
    [
        ("<title>Rain all day - Puddle.org</title><meta name=author content=puddle>", "puddle"),
        ("<meta property=og:site_name content='Ann Lee'><meta name=author content='Ann Lee'>", "Ann Lee"),
        ("<p class=byline>By Puddle Staff</p>", "Puddle Staff"),
        ("<span class='author vcard'>Ann Lee</span>", "Ann Lee"),
        ("<div class=post-author>Ann Lee Dec 18, 2025</div>", "Ann Lee"),
        ("<div class=elementor-widget><h4 class=author-box__name>Ann Lee</h4><p>Ann Lee swims.</p></div>", "Ann Lee"),
        ("<article><footer class=entry-meta><a rel=author>Ann Lee</a></footer></article>", "Ann Lee"),
        ("<article class='post-7 hentry tag-related'><a rel=author>Ann Lee</a></article>", "Ann Lee"),
        ("<div class=page-with-sidebar><a rel=author>Ann Lee</a></div>", "Ann Lee"),
    ],
)
def test_authors_that_are_no_persons_and_those_in_the_blocks_of_site_builders(html: str, author: str) -> None:
    assert metadata_of(html, URL)["author"] == [author]


def test_the_first_author_of_a_thread_in_a_listing() -> None:
    page = (
        "<div class=linklisting><a class='author x'>crumb</a></div><div class=comment><a class=author>levain</a></div>"
    )
    assert metadata_of(page, "https://old.reddit.com/r/bread/comments/1q/jar/")["author"] == ["crumb"]
    assert "author" not in metadata_of(page, "https://bread.org/jar/")


def test_the_author_of_a_thread_is_that_of_its_first_post() -> None:
    page = page_of("<p>Rain.")
    posts = [{"author": "duck", "date": "2024-05-03"}, {"author": "drake"}]
    head = with_metadata({}, page, survey(page), FORUM, posts)
    assert (head["author"], head["date"], head["evidence"]["author"]) == (["duck"], "2024-05-03", "post")
    assert "author" not in with_metadata({}, page, survey(page), URL, posts)


def test_items_are_no_images() -> None:
    said = '<script type=application/ld+json>{"@type": "Article", "image": {"@id": "https://a.org/b/#primaryimage"}}</script>'
    assert "image" not in metadata_of(said, URL)
    assert metadata_of(f"{said}<meta property=og:image content=/c.png>", URL)["image"] == "https://www.puddle.org/c.png"


def test_the_number_of_scripts_is_bounded() -> None:
    other, empty = (f"<script type=application/ld+json>{text}</script>" for text in ('{"a": 1}', ""))
    article = '<script type=application/ld+json>{"@type": "Article", "author": {"name": "Ann Lee"}}</script>'
    for before, expected in ((MAX_SCRIPTS - 1, True), (MAX_SCRIPTS, False)):
        assert ("author" in metadata_of(empty + other * before + article)) is expected


def test_the_price_of_a_product() -> None:
    currency = '<meta property="product:price:currency" content=EUR>'
    amount = '<meta property="product:price:amount" content="9.50">'
    product = '{"@type": "Product", "offers": {"price": 8, "priceCurrency": "GBP"}}'
    offers = f'<script type="application/ld+json">{product}</script>'
    shown = "<p>Mug <b itemprop=price content=7.00>7,-</b><b itemprop=priceCurrency content=USD>$</b>"
    for page, expected in (
        (amount + currency, ("9.50 EUR", "meta product:price:amount")),
        (amount + currency + offers, ("8 GBP", "json-ld offers")),
        (shown, ("7.00 USD", "itemprop")),
        (shown + "<b itemprop=price content=6.00>6,-</b>", (None, None)),
    ):
        head = metadata_of(page, URL)
        assert (head.get("price"), head["evidence"].get("price")) == expected


def linked(*items: dict[str, Any]) -> str:
    return f"<title>Rain</title><script type='application/ld+json'>{json.dumps(items)}</script>"


def person(name: str) -> dict[str, str]:
    return {"@type": "Person", "name": name}


@pytest.mark.parametrize(
    "article, recipe, others, author, evidence",
    [
        ("Bob", "Ann Lee", "", "Ann Lee", "json-ld Recipe author"),
        ("Ann Lee", "Ann", "", "Ann Lee", "json-ld author"),
        ("Ann", "Puddle", "<meta property=og:site_name content=Puddle>", "Puddle", "json-ld Recipe author"),
        ("Ann Lee", "Puddle", "<meta property=og:site_name content=Puddle>", "Ann Lee", "json-ld author"),
    ],
)
def test_authors_of_recipes(article: str, recipe: str, others: str, author: str, evidence: str) -> None:
    items = [
        {"@type": "Article", "headline": "Rain", "author": person(article)},
        {"@type": "Recipe", "name": "Rain", "author": person(recipe)},
    ]
    head = metadata_of(linked(*items) + others, URL)
    assert (head["author"], head["evidence"]["author"]) == ([author], evidence)


def test_full_names_and_names_with_by_come_first() -> None:
    article = {"@type": "Article", "headline": "Rain", "author": person("Ann")}
    assert metadata_of(linked(article) + "<meta name=author content='Ann Lee'>")["author"] == ["Ann Lee"]
    assert metadata_of(linked(article) + "<meta name=author content='Bob Ray'>")["author"] == ["Ann"]
    others = "<p class=author_name>Bob Ray</p><p class=author_name>Cy Fox</p>"
    assert metadata_of(f"<p class=author_name>By Ann Lee</p>{others}")["author"] == ["Ann Lee"]
    assert "author" not in metadata_of(f"<p class=author_name>Ann Lee</p>{others}")


def test_teams_that_an_item_names_as_authors() -> None:
    def authors(*names: str) -> list[str]:
        item = {"@type": "Article", "headline": "Rain", "author": [{"name": name} for name in names]}
        found: list[str] = metadata_of(linked(item))["author"]
        return found

    assert authors("Ann Lee", "Gear Team") == ["Ann Lee", "Gear Team"]
    assert authors("Ann Lee", "The Puddle Press") == ["Ann Lee"]
    assert authors("Regen-Agentur", "PP-Redaktion") == ["Regen-Agentur", "PP-Redaktion"]
    assert authors("Rain24 Redaktion") == ["Rain24 Redaktion"]


def test_those_who_made_pictures_are_no_authors() -> None:
    assert "author" not in metadata_of("<p itemprop=author>Foto: Ann Lee</p>")
    shown = "<figure itemprop=author><img><figcaption itemprop=name>Ann Lee</figcaption></figure>"
    assert metadata_of(shown)["author"] == ["Ann Lee"]


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


def test_prices_in_texts() -> None:
    assert marked(f"{TAGS}<p>$1,060<p>1060 USD<h1>Desk</h1><p>$20") == ["1060 USD"]
    assert marked(f"{TAGS}<h1>Desk</h1><nav>Cart $1060</nav><p>Desk: 1,060 EUR") == ["Desk: 1,060 EUR"]
    other = {**OFFER, "offers": {**OFFER["offers"], "price": 20}}  # type: ignore[dict-item]
    data = f'<script type="application/ld+json">{json.dumps([OFFER, other])}</script>'
    assert marked(f"{data}<h1>Desks</h1><p>$1060") == []
    assert [segment["type"] for segment in segment_html(f"{TAGS}<h1>Desk</h1><div>$1,060</div>")] == ["h", "p"]


@pytest.mark.parametrize(
    "shown", ["1060", "$1,061.00", "1060 reviews", "<li>$1060", "<p hidden>$1060", f"<p>$1060 {'and more ' * 20}"]
)
def test_what_shows_no_price(shown: str) -> None:
    assert marked(f"{TAGS}<h1>Desk</h1>{shown}") == []
