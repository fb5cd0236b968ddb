"""What is too deep, and where scripts end (with the parser: test_limits)."""

from __future__ import annotations

import random
from types import ModuleType

import pytest
from selectolax.lexbor import LexborHTMLParser
from uncompiled import both_forms

both = both_forms("ncfilters.page.tree.deep_markup")
FORMS = pytest.mark.parametrize("form", both, ids=lambda form: form.__name__)


@FORMS
@pytest.mark.parametrize(
    "text",
    [
        "a",
        "<!--",
        "<!-- </b --> <x>",
        "<!--<script></script>--",
        "<!--<script>-->",
        "<!--><script>",
        "<!--<scripts>",
        "</scripts>",
    ],
)
def test_scripts_end_where_the_parser_ends_them(form: ModuleType, text: str) -> None:
    page = f"<script>{text}</SCRIPT ><b>c</b>" + "<div>" * 3_000
    tree = LexborHTMLParser(page)
    assert [node.text() for node in tree.css("b, script")] == [text, "c"]
    limited = form.limit_depth(page.encode(), len(page)).decode()
    assert limited.startswith(f"<script>{text}</SCRIPT >") and limited.count("<div>") < 3_000


@FORMS
@pytest.mark.parametrize(
    ("html", "number"),
    [
        ("<div>" * 1001, 1000),
        ("<DIV>" * 1001, 1000),
        ("<div>a</div>" * 2000, 4000),
        ("<p>" * 5000, 5000),
        ("<lin\u212a>" * 1001, 1000),
        ("<a<b>" * 1001, 2000),
        ("<averyveryverylongname>" * 1001, 1000),
        ("</div>" * 10 + "<div>" * 1000, 1010),
        ("<div/x>" * 1001, 1000),
        ("< div>" * 2000 + "<//div>" * 3 + "<1>" * 2000, 4003),
        ("<!--<div>-->" * 1001, 2002),
        ("<div" * 1001, 1001),
        ("<", 1),
        ("a</", 1),
        ("", 0),
    ],
)
def test_tags_that_are_too_deep_are_dropped(form: ModuleType, html: str, number: int) -> None:
    assert form.limit_depth(html.encode(), 1_000_000).count(b"<") == number


@FORMS
@pytest.mark.parametrize("name", ["q._![+d[3pkqb", "a4:f*$c\\hdxua"])
def test_long_names_are_not_taken_for_others(form: ModuleType, name: str) -> None:
    html = f"<{name}>" * 3_000  # in a table of numbers made of names, they may be td and p
    assert form.limit_depth(html.encode(), 1_000_000).count(b"<") == form.MAX_DEPTH


NAMES = "div span section table td p b a object svg math x-y template select option title form h1 rt li dd dt tr g mi"
PARTS = [
    f"<{end}{name}{close}>"
    for name in NAMES.split()
    for end in ("", "/")
    for close in ("", "/", " a='b'/", " a=b/", ' c="d" e')
]
for rare in [
    "<!-- a -->|<!-->|<!--->|<!--x--!>|<!--|-->|<script>|</script>|<SCRIPT/>|</Script |<style>|</style|<DIV\u00a0/>",
    "<x-yz = />|<foreignObject>|<textarea>|</textarea>|</TITLE >|<plaintext>|<p\ta='> '>|</>|<?>|\u3000|<a<b>|<",
    "<![CDATA[|]]>|<!x |> |\"|'|</averyveryverylongname>|<averyveryverylongname>|</i|<i>|<d\u017f>|</p>|-|!",
]:
    PARTS += rare.split("|")


def test_both_forms_drop_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rnd, changed = random.Random(11), 0
    for number in range(2_000):
        html = "".join(rnd.choices(rnd.sample(PARTS, 14) if number % 3 else PARTS, k=60))
        found = set()
        for form in both:
            monkeypatch.setattr(form, "MAX_DEPTH", number % 9)
            monkeypatch.setattr(form, "FREE_DEPTH", number % 5)
            monkeypatch.setattr(form, "FREE_LOOKS", number % 60)
            monkeypatch.setattr(form, "LOOKS", number % 2)
            found.add(form.limit_depth(html.encode(), len(html), number % 4))
        assert len(found) == 1, html
        changed += html.encode() not in found
    assert changed > 1_000
