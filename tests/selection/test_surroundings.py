"""What is dropped around the text of a page, and between its paragraphs."""

from __future__ import annotations

import pytest

from ncfilters.record import Record
from ncfilters.selection.decision import policy
from ncfilters.selection.options import PolicyOptions
from ncfilters.selection.surroundings import (
    MAX_NOTE,
    MIN_ARTICLE,
    MIN_WORDS,
    boilerplate_words,
    drop_boilerplate,
    drop_comments,
    drop_notices,
    drop_tail,
)
from ncfilters.words.element_names import LANDMARK_TAGS

from .steps import ARTICLE, FORUM, after, assert_linear_step, content, page_with, row, words

# ---- what is no text, whatever its score


def test_landmarks_go_and_other_rules_stay() -> None:
    rules = [*sorted(LANDMARK_TAGS), "bars", "links", None]
    rows = [row() if rule is None else row(rule=rule) for rule in rules]
    assert after(drop_boilerplate, *rows) == "-" * len(LANDMARK_TAGS) + "+++"
    assert after(drop_boilerplate) == "" and after(drop_boilerplate, row(score=-1.0)) == "-"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([words(3, rule="widget"), words(7), words(99, score=-1.0)], "-+-"),
        ([words(4, rule="widget"), words(7), words(99, score=-1.0)], "++-"),  # much of the text
        ([words(99, "body/div.modal/div:dialog#cart/p", rule="widget"), words(1)], "-+"),
        ([words(MAX_NOTE - 1, origin="noscript"), words(99), words(1, origin="noscript")], "-+-"),
        ([words(MAX_NOTE - 1, origin="noscript"), words(99), words(2, origin="noscript")], "+++"),
        ([row(origin="template")], "+"),
        ([row("Results", "body/h2.visually-hidden")], "-"),
        ([row("Results", "body/div/p.card__a11y.screen-reader-only")], "-"),
        ([row("Results", "body/div.sr-only/p")], "+"),
        ([row("Results", "body/table/tr/td.sr-only")], "+"),
        ([row("Rain", "body/h2.visually-hidden", role="title")], "+"),
        ([words(MAX_NOTE + 1, "body/div.printfooter")], "+"),
    ],
)
def test_widgets_notes_and_texts_for_screen_readers(rows: list[Record], expected: str) -> None:
    assert after(drop_boilerplate, *rows) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [(name, "-+") for name in ("div.select-menu-list", "ul.dropdown-menu", "div#sort.dropdownMenu", "ul.listbox")]
    + [(name, "-+") for name in ("aside.product-facets", "div.printfooter", "p.visible-print-block", "div.print-only")]
    + [(name, "++") for name in ("ul.menu", "div.dropdown-content", "div.multifaceted", "div.selection")]
    + [(name, "++") for name in ("div.hide-for-print", "div.blueprint-only", "div.printing")],
)
def test_lists_of_choices_and_short_texts_for_paper_go(name: str, expected: str) -> None:
    assert after(drop_boilerplate, row("Abkhazian", f"body/{name}/li"), words(9)) == expected


@pytest.mark.parametrize("label", ["Advertisement", "- Anzeige -", "ADVERTISEMENT · Scroll to continue", "Loading..."])
def test_labels_of_advertisements_go(label: str) -> None:
    texts = [label, f"The word {label}", "Advertisements on television"]
    assert after(drop_boilerplate, *map(row, texts)) == "-++"


@pytest.mark.parametrize(
    ("segment", "reason"),
    [
        (row("Home", rule="nav"), "rule nav"),
        (row("Switch on scripts.", origin="noscript"), "note for browsers without scripts"),
        (row("Anzeige"), "label of an advertisement"),
        (row("Oldest first", "body/ul.listbox/li"), "list of choices"),
        (row("Your cart", "body/div:dialog/p"), "dialog"),
        (row("Results list", "body/h2.sr-only"), "text for screen readers"),
        (row("Retrieved from", "body/div.printfooter"), "text for paper"),
    ],
)
def test_what_is_dropped_has_a_reason(segment: Record, reason: str) -> None:
    assert boilerplate_words(page_with(segment), 0, False, PolicyOptions()) == reason


# ---- after the end of an article

ASIDE, LISTING = row("Read on.", "body/main/aside/p", 0.3), {"article": 0.5, "listing": 0.3, "forum": 0.2}


@pytest.mark.parametrize(
    ("tail", "expected"),
    [
        ([row("Ann Lee", "body/main/aside/h3", 0.5), row(path="body/main/aside/p", score=1.9)], "--"),
        ([row(path="body/footer/p", score=1.0, role="related")], "-"),
        ([row(path="body/main/article/p", score=0.5), row(path="body/main/div/p", score=2.1)], "++"),
        ([ASIDE, words(20, "body/main/article/p", 4.0)], "++"),  # before the last text
        ([words(200, "body/main/aside/p", 0.5)], "+"),  # of which the article is a small part
        # supplements
        ([row(path="body/main/div/p", score=0.5, role="comment")], "+"),
        ([row(path="body/main/div/p", score=0.5, role="byline")], "+"),
        ([row("Does it rain there in the summer?", "body/main/div/h3", 0.5)], "+"),
        ([row(path="body/main/ol.references/li", score=0.5)], "+"),
    ],
)
def test_text_of_low_scores_outside_of_the_article_goes(tail: list[Record], expected: str) -> None:
    article = [words(MIN_WORDS, "body/main/article/p", 5.0), words(16, "body/main/article/div/p", 4.0)]
    title = row("Rain", "body/main/div/h1", 1.0, role="title")
    for evidence in ARTICLE, {"odds": 5.0}:  # of a model that predicts no types
        assert after(drop_tail, title, *article, *tail, evidence=evidence) == "+++" + expected
    with_roles = [segment | {"role": segment.get("role", "text")} for segment in (title, *article, *tail)]
    assert after(drop_tail, *with_roles) == "+++" + expected


@pytest.mark.parametrize(
    ("article", "evidence"),
    [
        (words(MIN_WORDS - 1, "body/main/article/p", 5.0), ARTICLE),  # none
        (words(MIN_WORDS, "body/main/article/p", 0.9), ARTICLE),  # perhaps none
        (words(MIN_WORDS, "body/main/article/p", float("nan")), ARTICLE),
        (words(MIN_WORDS, "body/main/article/p", 5.0), FORUM),
        (words(MIN_WORDS, "body/main/article/p", 5.0), {"odds": 5.0, "types": LISTING}),
    ],
)
def test_the_tail_of_other_pages_stays(article: Record, evidence: Record) -> None:
    assert after(drop_tail, article, ASIDE, before="++", evidence=evidence) == "++"
    assert after(drop_tail) == "" and after(drop_tail, row(score=-1.0)) == "-"


# ---- comments

TEXT, WET = words(MIN_ARTICLE, score=5.0), row("I got wet.")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("div.commentText", "+-+"), ("div#readerComments", "+-+"), ("ol.commentlist", "+-+")]
    + [("div.artikel-kommentar", "+-+"), ("section#disqus_thread", "+-+")]
    + [("div.commentary", "+++"), ("div.commentator-name", "+++"), ("div.command", "+++")],
)
def test_elements_of_comments_go(name: str, expected: str) -> None:
    assert after(drop_comments, TEXT, row("I got wet.", f"body/{name}/p"), row("Rain.")) == expected


@pytest.mark.parametrize(
    "label",
    ["Comments", "3 Comments", "Reader comments (12)", "No responses yet", "27 thoughts on “Rain”", "Leave a Reply"]
    + ["{ 2 comments… read them below or add one }"]
    + ["Kommentare (3)", "KOMENTARZE", "Комментарии: 0", "Dodaj komentarz", "Commentaires", "评论"],
)
def test_what_follows_a_label_of_comments_goes(label: str) -> None:
    heading = row(label, "body/main/h2")
    assert after(drop_comments, TEXT, heading, WET) == "+--"
    assert after(drop_comments, row("Rain. " * 9), heading, TEXT) == "+++"  # above the article
    assert after(drop_comments, TEXT, {**heading, "links": 8}, WET) == "+++"  # leads to comments
    assert after(drop_comments, TEXT, row(label), WET) == "+++"  # in a sentence


LABEL, FORECAST = row("Responses", "body/main/h2"), row("A forecast.", score=1.0)
COMMENT = row("I got wet.", "body/div.comment/p")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([TEXT, row("Comments are welcome, as long as they are on rain.", "body/h2"), WET], "+++"),
        ([TEXT, row("Response times", "body/h2"), WET], "+++"),
        ([TEXT, row("Response:", "body/h2"), WET], "+++"),
        ([TEXT, row("Opinion", "body/h2"), WET], "+++"),
        # examples
        ([TEXT, LABEL, FORECAST], "+--"),
        ([TEXT, LABEL, FORECAST, row("rain", "body/main/pre", 1.0, pre=True)], "++++"),
        ([TEXT, LABEL, FORECAST, row("rain", "body/main/table/tr/th", 1.0)], "++++"),
        # text of the article, whatever it is called
        ([TEXT, row("Comments", "body/main/h2", 4.0), row("Use a number sign.", score=4.0)], "+++"),
        ([words(MIN_ARTICLE, score=0.5), words(MIN_ARTICLE, "body/div.comment-content/p", 5.0)], "++"),
        # a page of comments, and what posts decide
        ([COMMENT, COMMENT], "++"),
        ([TEXT, row("I got wet.", "body/ol.comments/li", post=0)], "++"),
        ([], ""),
    ],
)
def test_text_that_is_no_comment_stays(rows: list[Record], expected: str) -> None:
    assert after(drop_comments, *rows) == expected


def test_comments_are_dropped_below_articles_unless_they_are_asked_for() -> None:
    assert after(drop_comments, TEXT, COMMENT, evidence=FORUM) == "++"
    assert after(drop_comments, TEXT, COMMENT, evidence={"odds": 5.0}) == "+-"
    roles = {"role": "text", "role_probability": 0.9}
    page = page_with(TEXT | roles, COMMENT | roles)
    assert [policy(content(name))(page, ARTICLE) for name in ("main", "all")] == [[True, False], [True, True]]


# ---- notices and references

SNOW, HAIL = row("Snow in May", links=11), row("Hail in June", links=12)


@pytest.mark.parametrize(
    "notice",
    [
        row("Read also: Snow in May", links=11),
        row("Lesen Sie auch » Schnee im Mai", links=13),
        row("Читайте также: Снег в мае", links=10),
        row("Tags: rain, snow", links=10),
        row("This entry was posted on 3 May and is filed under Rain."),
        row("👉 Follow us on Twitter"),
        row("Sign up for our newsletter"),
    ],
)
def test_notices_and_references_go(notice: Record) -> None:
    assert after(drop_notices, row(), notice) == "+-"
    assert after(drop_notices, row(), notice, evidence={"odds": 5.0, "types": {"listing": 0.9}}) == "++"
    assert after(drop_notices, row(), notice | {"post": 1}) == "++"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([row("Read also: the report says that it rained.")], "+"),
        ([row("Tags are words that describe a text.")], "+"),
        ([row("Follow us on Twitter", "body/main/h2")], "+"),
        ([row("Follow us on Twitter", "body/main/ul/li")], "+"),
        ([row("Read also:"), SNOW, HAIL, row("Then it snowed."), SNOW], "---++"),
        ([row("See also", "body/h2"), SNOW, HAIL], "+++"),  # the heading of a section
    ],
)
def test_a_label_goes_with_its_links_and_text_stays(rows: list[Record], expected: str) -> None:
    assert after(drop_notices, *rows) == expected


@pytest.mark.parametrize("step", [drop_boilerplate, drop_tail, drop_comments, drop_notices])
def test_linear(step: object) -> None:
    rows = [TEXT, row("Read also:"), SNOW, ASIDE, row("3 comments", "body/h2", 0.5, links=1), row(origin="noscript")]
    assert_linear_step(step, lambda size: rows * size)  # type: ignore[arg-type]
