"""What the class and the id of an element tell of it: whether it is the page's own, a name, the day of a change.

is_foreign_name("related-posts")    # True
is_name_class("post-author")    # True
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ...text.lazy_pattern import lazy_pattern
from .element_reading import may_have_word, names_around

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# Elements that are not the page's own: what readers write, what is beside the article, what leads to others. An hCard
# (`vcard`) is none, nor are the widgets and columns of which site builders make the whole page. The words that tell it
# wherever they stand in a class or an id, and the others, with the pattern that says where they do; in small letters,
# because a pattern that ignores case takes twice as long to compile.
CERTAIN_WORDS = (
    "comment|reply|replies|disqus|related|recommend|trending|popular|teaser|more-|readnext|read-next|alsolike|also-like|"
    "carousel|latest|testimonial|quote|listing|menu|forumlist|forum-list|review-"
)
_OTHER_WORDS = "respon|sidebar|widget|footer|newsletter|promo|card|nav"
_FOREIGN = lazy_pattern(
    r"respon(?:d|se)|"
    r"(?<!with)(?<!has)(?<!no)(?<!with[-_])(?<!has[-_])(?<!no[-_])sidebar(?!-left|-right)|"
    r"(?<!elementor-)(?<!wrapper_)(?<!\bcel)widget|footer|newsletter(?!-post)|promo(?!ted)|"
    r"(?<!\bv)(?<!\bh-)(?<!message)card(?:s|-|_|$| )|card-?list|\bnav"
)
# For speed: a class or an id that this matches has one of these words; that of a biography, below, has "author".
FOREIGN_WORDS = f"{CERTAIN_WORDS}|{_OTHER_WORDS}"
TELLING_WORDS = f"{FOREIGN_WORDS}|author"
_TELLING_SET = frozenset(TELLING_WORDS.split("|"))
_CERTAIN, _OTHERS = CERTAIN_WORDS.split("|"), _OTHER_WORDS.split("|")
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


def is_foreign_name(named: str, is_name: bool = False) -> bool:
    """Whether a class and an id say that an element is not the page's own; *is_name*: of one that is a name."""
    return may_have_word(named, _TELLING_SET) and tells_foreign(named, is_name)


@lru_cache(maxsize=4096)  # pages repeat their classes, and sites theirs
def tells_foreign(named: str, is_name: bool) -> bool:
    """The same of a class and an id that may have one of TELLING_WORDS."""
    if "hentry" in named and _ENTRY.search(named):
        return False
    rest = named.lower()
    if "author" in rest:
        if not is_name and _BIOGRAPHY.search(rest):
            return True
        rest = _BIOGRAPHY.sub("", rest) if is_name else rest
    rest = _ENTRY_FOOTER.sub("", rest) if "footer" in rest else rest
    if any(map(rest.__contains__, _CERTAIN)):
        return True
    return any(map(rest.__contains__, _OTHERS)) and _FOREIGN.search(rest) is not None


def is_foreign(node: LexborNode, is_name: bool = False) -> bool:
    """Whether an ancestor of an element, below `<body>`, says that it is not the page's own; *is_name*: of one that is
    a name."""
    for tag, named, item_type in names_around(node, TELLING_WORDS):
        if tag and not (tag == "footer" and is_own_footer(named)):
            return True
        if is_foreign_name(named, is_name) or item_type and _ANSWER.search(item_type):
            return True
    return False


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
