"""What the class and the id of an element say of it: whether it is the page's own, a name, the day of a change.

is_foreign_name("related-posts")    # True
is_name_class("post-author")    # True
"""

from __future__ import annotations

import re
from functools import lru_cache

from ...text.lazy_pattern import lazy_pattern

# Elements that are not the page's own: what readers write, what is beside the article, what leads to others. An hCard
# (`vcard`) is none, nor are the widgets and columns of which site builders make the whole page. The words that tell it
# wherever they stand in a class or an id, and the others, with the pattern that says where they do; in small letters,
# because a pattern that ignores case takes twice as long to compile.
_CERTAIN = (
    "comment|reply|replies|disqus|related|recommend|trending|popular|teaser|more-|readnext|read-next|alsolike|also-like|"
    "carousel|latest|testimonial|quote|listing|menu|forumlist|forum-list|review-"
).split("|")
_OTHERS = "respon|sidebar|widget|footer|newsletter|promo|card|nav".split("|")
_FOREIGN = lazy_pattern(
    r"respon(?:d|se)|"
    r"(?<!with)(?<!has)(?<!no)(?<!with[-_])(?<!has[-_])(?<!no[-_])sidebar(?!-left|-right)|"
    r"(?<!elementor-)(?<!wrapper_)(?<!\bcel)widget|footer|newsletter(?!-post)|promo(?!ted)|"
    r"(?<!\bv)(?<!\bh-)(?<!message)card(?:s|-|_|$| )|card-?list|\bnav"
)
# The article of WordPress, whose classes name its categories, too.
_ENTRY = lazy_pattern(r"\bhentry\b")
# What tells of the author: only an element that is the name is read there.
_BIOGRAPHY = lazy_pattern(r"author-?(?:bio|box|desc|card)|about-?(?:the-?)?author")
# The footers of an article: of an element within one (a part of its class), and of `<footer>` itself.
_ENTRY_FOOTER = lazy_pattern(r"\b(?:entry|post|article|story)[\w-]*[-_]footer[\w-]*")
_OWN_FOOTER = lazy_pattern(r"\b(?:entry|post|article)[-_]|\bmeta\b|[-_]meta\b", re.I)
_ANSWER = lazy_pattern(r"(?:Comment|Answer)$")
_MODIFIED = ("updat", "modif", "aktuali", "обновл", "edited")
# What the word for an author begins with and that is none.
_AUTHORIZED = lazy_pattern(r"authori[sz]", re.I)
_NAME_CLASS = lazy_pattern(r"name|link|^(?:\S+ )?(?:[\w-]*[_-])?author$|^(?:\S+ )?byline$|fn\b|vcard\b", re.I)


@lru_cache(maxsize=4096)  # pages repeat their classes, and sites theirs
def is_foreign_name(named: str, is_name: bool = False) -> bool:
    """Whether a class and an id say that an element is not the page's own; *is_name*: of one that is a name."""
    rest = named.lower()
    if "hentry" in named and _ENTRY.search(named):
        return False
    if "author" in rest:
        if not is_name and _BIOGRAPHY.search(rest):
            return True
        rest = _BIOGRAPHY.sub("", rest) if is_name else rest
    rest = _ENTRY_FOOTER.sub("", rest) if "footer" in rest else rest
    if any(map(rest.__contains__, _CERTAIN)):
        return True
    return any(map(rest.__contains__, _OTHERS)) and _FOREIGN.search(rest) is not None


def is_answer(item_type: str) -> bool:
    """Whether an item is what a reader writes."""
    return _ANSWER.search(item_type) is not None


def is_name_class(named: str) -> bool:
    """Whether a class and an id say that an element is a name."""
    return _NAME_CLASS.search(named) is not None


def is_own_footer(named: str) -> bool:
    """Whether a class and an id say that a footer is that of the article."""
    return _OWN_FOOTER.search(named) is not None


def is_update(text: str) -> bool:
    """Whether a text and classes say that a time is that of a change."""
    return any(map(text.lower().__contains__, _MODIFIED))


def is_authorized(named: str) -> bool:
    """Whether a class has the word "authorised", or begins with it."""
    return _AUTHORIZED.search(named) is not None
