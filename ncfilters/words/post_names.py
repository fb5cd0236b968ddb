"""What the names of elements say about threads: which are posts, and what of a post is its author, its day, its text.

post_of_id("js-post-4711"), post_of_class("message message--post")    # (('post', '4711'), 'post')
parts_of_class("post-author") == AUTHOR    # True

The names are those of the software that pages are made with: Discourse, phpBB, vBulletin, XenForo, Invision, Vanilla,
NodeBB, MyBB, SMF, FluxBB, Flarum, bbPress, Stack Exchange, GitHub, Reddit, Hacker News, Steam, WordPress, and what is
named like theirs.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..text.lazy_pattern import lazy_pattern

# Words of the classes of the elements of a post, by what these are: the name of its author, or what has that in it; its
# day; what is none of these; its title; a menu; what is known of its author.
POST_PARTS = {
    "name": "username usernames name fn nickname nick hnuser bigusername screenname displayname login",
    "author": "author authors poster postedby submitter submitted creator byline op user userinfo postprofile member"
    " owner commenter persona profile postleft by",
    "day": "date time datetime timestamp age posted relativetime relative when dateline postdate published",
    "furniture": "signature sig reactions reaction likes like votes vote score share sharing menu controls actions"
    " action buttons toolbar footer foot badge badges banner rank joined stats avatar edited attachments report tools"
    " options extras trophy showcase postsignature modified edit postedit button btn icon tooltip label caption unfurl"
    " ad ads",
    "title": "title headline subject",
    "menu": "popupmenu popupbody postcontrols",
    "panel": "userinfo postprofile profile persona postleft pane",
}
# Last words of these: of a text, and of a signature.
LAST_POST_PARTS = {
    "text": "content body text message msg postcontent copy prose cooked usercontent bbwrapper commtext md postmsg"
    " postbody posttext postmessage messagetext messagecontent msgtext usertext ipstype richtext comment inner",
    "menu": "signature postsignature",
}

# Names whose meaning is kept: pages and sites repeat theirs. What each class of a post has in it, for speed.
MAX_KNOWN = 1 << 14
_CLASS_WORDS = ("post", "comment", "message", "reply", "answer", "comtr", "itemdiscussion", "ipsentry")
# What an element of a post is, as bits (see POST_PARTS). The bits between are those of `post_fields`.
NAME, AUTHOR, TEXT_PART, DAY, FURNITURE, TITLE, MENU, PANEL = 1, 2, 4, 8, 16, 1024, 2048, 4096
_BITS = {
    "name": NAME, "author": AUTHOR, "text": TEXT_PART, "day": DAY, "furniture": FURNITURE, "title": TITLE,
    "menu": FURNITURE | MENU, "panel": PANEL,
}  # fmt: skip

_ID = lazy_pattern(
    r"(?!(?:widget|last|latest|recent|related|popular|new|add|edit|load|quick)[-_])(?:[a-z]+[-_]){0,2}"
    r"(?:el|issue)?(post|comment|cmnt|msg|message|reply|answer|topic|discussion|follow-up|t[13]|pid|pb|p|c)"
    r"(?:[-_]?id)?(?:[-_]?(\d+)(?:_wrap)?|_([a-z0-9]{5,8}))",
    re.I,
)
# Of a class of one word or several, that which says that an element is a post.
_CLASS = lazy_pattern(
    r"(?:(?!add|new|no|last|latest|recent|related|top|menu|icon|btn|button|write|view|load|more|widget|type|single|page|"
    r"blog|status|wp|format|count|num|total)[a-z]+[-_]{1,2}){0,3}"
    r"(?:post|comment|reply|answer|message|postbit|postbitlegacy|blockpost|cpost|comtr|itemcomment|itemdiscussion|"
    r"ipscomment|ipsentry|postitem|messagecard|pagepost|commentpost|tpost)"
    r"(?:[-_]{1,2}(?:item|container|wrap|wrapper|box|node|row|block|card|article|bit|reply|post|comment|thread|single|"
    r"outer|list-item|legacy)){0,2}"
)
# In the path of a block: a quotation, or the preview of another page.
QUOTATION = lazy_pattern(r"/(?:blockquote|aside)(?![\w-])|unfurl|onebox|[.#_-]quote|ipsQuote")
# The address of a member of a site.
_MEMBER = lazy_pattern(
    r"(?:.*[/.?&=-])?(?:users?|members?|profiles?|u|~\w+|people|memberlist\.php|profile\.php|member\.php|author|person)"
    r"(?:$|[/?&.=-]).*",
    re.I,
)
# Classes of all elements of content in TYPO3, which have ids such as `c181`.
_TYPO3 = lazy_pattern(r"(?:^|\s)(?:csc-|frame(?:-|\s|$)|ce-)")
_COMMENT_WORDS = frozenset(("comment", "cmnt", "c", "t1"))
# The article of WordPress, and what its lists of articles are of; the posts of bbPress have these classes, too.
_ENTRY = lazy_pattern(r"\bhentry\b|\btype-(?:post|page|product|attachment)\b")
_BBPRESS = lazy_pattern(r"\btype-(?:reply|topic)\b")

_WORD = lazy_pattern(r"[a-z0-9]+")
_HUMP = lazy_pattern(r"(?<=[a-z0-9])(?=[A-Z])")


def _bits_of_words(parts: dict[str, str]) -> dict[str, int]:
    out: dict[str, int] = {}
    for part, words in parts.items():
        for word in words.split():
            out[word] = out.get(word, 0) | _BITS[part]
    return out


_ANY_WORD, _LAST_WORD = _bits_of_words(POST_PARTS), _bits_of_words(LAST_POST_PARTS)


def post_of_id(identity: str, classes: str = "") -> tuple[str, str] | None:
    """What a post is called and its number, by an id with one; None for the id of another element."""
    match = _ID.fullmatch(identity)
    if match is None or match[1] == "c" and _TYPO3.search(classes):
        return None
    return match[1].lower(), match[2] or match[3]


def post_of_class(classes: str) -> str | None:
    """The class of an element that says it is a post; None if none does, or if it is an article."""
    lower = classes.lower()
    if _ENTRY.search(lower) and not _BBPRESS.search(lower):
        return None
    return next((one for one in lower.split() if _CLASS.fullmatch(one)), None)


@lru_cache(maxsize=MAX_KNOWN)
def is_post_class(classes: str) -> bool:
    """Whether a class of an element says that it is a post."""
    lower = classes.lower()
    return any(map(lower.__contains__, _CLASS_WORDS)) and post_of_class(lower) is not None


def is_post_id(identity: str) -> bool:
    """Whether an id is that of a post: with its number, or with what has a number elsewhere (Reddit)."""
    name = identity.rstrip("0123456789")
    if name == identity:
        return "_" in identity and post_of_id(identity) is not None
    return _is_numbered(name)


@lru_cache(maxsize=MAX_KNOWN)
def _is_numbered(name: str) -> bool:
    return post_of_id(f"{name}0") is not None


def is_comment(word: str) -> bool:
    """Whether a post that is called so by an id or a class is a comment."""
    return word in _COMMENT_WORDS or "comment" in word


def is_member(url: str) -> bool:
    """Whether an address is that of a member of a site."""
    return _MEMBER.fullmatch(url[:200]) is not None


@lru_cache(maxsize=MAX_KNOWN)
def parts_of_class(classes: str) -> int:
    """What an element with such classes is of a post: bits of NAME, AUTHOR, TEXT_PART, DAY, FURNITURE, TITLE, MENU and
    PANEL."""
    out = 0
    # hyphens where capitals begin words: `post-body` for `postBody`
    for one in (classes if classes.islower() else _HUMP.sub("-", classes).lower()).split():
        words = _WORD.findall(one) or [""]
        bits, last = 0, _LAST_WORD.get(words[-1], 0)
        for word in words:
            bits |= _ANY_WORD.get(word, 0)
        if bits & (AUTHOR | DAY):
            last &= ~TEXT_PART
        if bits & AUTHOR and words[-1] in ("link", "a"):
            bits |= NAME
        if bits & NAME:
            bits &= ~AUTHOR
        if one == "quote-modified":  # in Discourse, a quotation of a part
            bits &= ~FURNITURE
        out |= bits | last
    return out


@lru_cache(maxsize=MAX_KNOWN)
def parts_of_id(identity: str) -> int:
    """The text or the furniture of a post by an id with its number: bits as of classes."""
    name = identity.rstrip("0123456789")
    return parts_of_class(name) & (TEXT_PART | FURNITURE) if name != identity else 0
