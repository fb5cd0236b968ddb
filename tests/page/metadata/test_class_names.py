"""What classes and ids tell of elements."""

from __future__ import annotations

from ncfilters.page.metadata.class_names import is_answer, is_foreign_name, is_name_class, is_own_footer, is_update
from ncfilters.page.metadata.statements import Statements
from tests.page.metadata.test_page_elements import elements


def statements(html: str) -> dict[str, Statements]:
    return elements(html).statements


def test_names() -> None:
    assert is_name_class("post-author") and is_name_class("x byline") and not is_name_class("author-bio")
    assert is_own_footer("entry-footer") and not is_own_footer("page-footer")
    assert is_update("Updated: 3 May") and is_update("обновлено") and not is_update("3 May")


def test_biographies_are_foreign_unless_the_element_is_the_name() -> None:
    assert is_foreign_name("author-bio") and not is_foreign_name("author-bio", is_name=True)
    assert is_foreign_name("author-bio related", is_name=True)


def test_what_readers_write() -> None:
    assert is_answer("https://schema.org/Comment") and is_answer("Answer") and not is_answer("Article")


FOREIGN = (
    "comment reply replies respond Response disqus related recommended left-sidebar my-widget trending popular TEASER "
    "page-footer more-posts read-next readnext also-like alsolike newsletter promo carousel latest testimonial quotes "
    "card cards card-deck cardlist listing subnav-nav menu forumlist forum-list review-box kommentar-reply\u00e9"
)


def test_elements_in_what_is_not_of_the_page_do_not_count() -> None:
    for name in FOREIGN.split():
        for attribute in ("class", "id"):
            assert statements(f"<div {attribute}='{name}'><p class=author>Ann Lee</p></div>") == {}, name
    for name in ("vcard", "newsletter-post", "has-sidebar", "hentry related", "article", "promoted", "author-box"):
        assert statements(f"<div class='{name}'><p class=author>Ann Lee</p></div>"), name
    assert statements("<div class=author-bio><p class=meta-author-x>Ann Lee</p></div>") == {}


def test_authorized_is_no_author() -> None:
    html = (
        "<a class=authorized-dealer>Duck Dealer</a><a class=AuthoriserName>Bob Ray</a><i class=author-name>Ann Lee</i>"
    )
    assert statements(html) == {"byline": {"name": [("Ann Lee", "class author-name")]}}


def test_elements_whose_names_sound_foreign() -> None:
    for name in ("MessageCard js-card-x", "p-body-main--withSidebar"):
        day = f"<div class='{name.split()[0]}'><time>3 May 2024</time></div>"
        assert statements(day)["time"] == {"date": [("3 May 2024", "time")]}
    footer = "<footer class=article-footer-wrap><div class=article-footer><time>3 May 2024</time></div></footer>"
    assert statements(footer)["time"] == {"date": [("3 May 2024", "time")]}
    assert statements("<div class=card><time>3 May 2024</time></div>") == {}
    assert statements("<div class=page-footer><time>3 May 2024</time></div>") == {}
