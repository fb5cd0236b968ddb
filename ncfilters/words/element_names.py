"""What elements are called, by purpose: their tags, and words of their ids and classes. The place to add one.

    signs_of(["ul.ingredients", "p"])    # [SIGN["list"] | SIGN["ingredients"], 0]

A purpose is a sign, a bit of a number. A word of NAMES begins after `.`, `#`, `-` or `_`, or with the one that it has,
and ends where its letters end, or anywhere if it has `*`; a word of PARTS may stand anywhere in a name. `-` stands for
`-`, `_` or nothing; letters are small.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from itertools import accumulate, chain, product

# Tags of elements that decisions look for. Most begin a block (see `page.tree.elements`).
TAGS = {
    "list": "ul ol menu dir",
    "item": "li",
    "table": "table",
    "row": "tr",
    "cell": "td th",
    "term": "dt",
    "definition": "dd",
    "definitions": "dl",
    "code": "pre",
    "quote": "blockquote",
    "aside": "aside",
    "heading": "h1 h2 h3 h4 h5 h6",
    "button": "button",
    "opener": "summary",
    "formula": "math",
}
# Tags of all other elements of HTML, obsolete ones as well, by what they are for a block.
OTHER_TAGS = {
    "block": "address article body caption center details dialog div fieldset figcaption figure footer form frameset "
    "head header hgroup html legend main nav optgroup option p search section select tbody tfoot thead",
    "preformatted": "listing xmp plaintext",
    "noscript": "noscript",
    "shadow root": "shadow-root",
    "link": "a",
    "bold": "b strong",
    "break": "br hr",
    "control": "input textarea",
    "sub": "sub",
    "sup": "sup",
    "cite": "cite",
    # Their content is invisible. <noscript> and <template shadowrootmode> are not here, because on some forums they
    # contain whole threads.
    "invisible": "script style iframe noembed noframes svg canvas audio video datalist annotation annotation-xml",
    "passed over": "template title",  # a <title> outside the head, that is (see `metadata`)
    "textless": "img picture source track map area embed link meta base",
    "inline": "abbr acronym applet bdi bdo big blink code col colgroup data del dfn em font frame i ins kbd label mark "
    "marquee meter nobr object output param progress q rp rt ruby s samp small span strike time tt u var wbr",
}

NAMES = {
    "ingredients": "ingredient ingredients",
    "recipe notes": "recipe-note recipe-notes recipes-note recipes-notes",
    # what changes units and portions of a recipe, or keeps the screen on; tables of nutrients
    "recipe tool": "unit-conversion scale cook-mode prevent-sleep nutrition",
    "quotation": "quote*",
    # lists of choices that are no <select>
    "choices": "select-menu drop-down-menu listbox combobox facet facets",
    # what is printed on paper alone, such as the address of the page (MediaWiki, Bootstrap, Foundation)
    "printed": "print-footer print-header print-only visible-print show-for-print only-print",
    # by Bootstrap, WordPress, XenForo, Foundation, Stack Exchange, Drupal, Amazon, Naver, Samsung, eBay and others
    "spoken": "sr-only visually-hidden screen-reader screen-reader-text screen-reader-only hidden-visually show-for-sr"
    " visible-sr caption-sr sr-text hidden-accessible element-invisible assistive-text offscreen text-hide"
    " sr-clipped fb-clipped",
    # navigation of wikis and of many systems
    "menu": ".navbox .ambox .catlinks .breadcrumb .breadcrumbs .pagination .sistersitebox .toc"
    " #catlinks #breadcrumb #breadcrumbs #pagination #toc",
    "formula": ".katex-display .mwe-math .ltx-equation .math .equation #math #equation",
    # with the width of a screen: `hide-tablet`, `visible-mobile`
    "hidden": "hid*",
    "shown": "show* visible*",
    "note": ".footnote .footnotes .endnote .endnotes #footnote #footnotes #endnote #endnotes",
}
PARTS = {
    "comment": "comment komment coment koment guestbook talkback disqus livefyre",
    # what belongs to an article although it stands below it
    "supplement": "faq accordion question answer toggle collaps recipe footnote reference citation source",
    "quotation": "unfurl onebox ipsquote",
    "dialog": ":dialog",
    # one of several elements with the same text, of which a screen of any width shows one
    "mobile": "mobile",
    "desktop": "desktop",
    "tablet": "tablet",
    "variant": "ssr-variant",  # of Framer
    "note": "#fn",
}
# Of these purposes nothing is text, whatever its score; with the reason that nc-select --all gives.
REASONS = {"choices": "list of choices", "dialog": "dialog"}
# Longer words that say something else.
OTHER_NAMES = (
    "ingredient-filter ingredient-search ingredient-page ingredient-guide ingredient-card"
    " ingredients-filter ingredients-search ingredients-page ingredients-guide ingredients-card"
)
OTHER_PARTS = "commentary commentari commentator commentating"

# Parts of the page that nc-segment marks with a rule. Models read these marks: after a change they are trained again.
# Elements whose name is a rule. Of the text in them on the WCXB development pages, more than 97 % is boilerplate, also
# of what models keep there of sites that they do not know; a <header> inside <main> or <article> is content.
LANDMARK_TAGS = frozenset(("nav", "footer", "dialog", "select"))
# Words in ids and classes of parts that are on every page of a site. Of the text in such elements that no other rule
# marks, 93 to 99 % is boilerplate on the development pages. Only WIDGET_TAGS count, because <body> often has the names
# of parts of the page.
WIDGET_TAGS = frozenset("div ul ol li aside form table td p".split())
WIDGET_WORDS = frozenset(
    "modal popup consent cookie cookies related social sharing login signup subscribe copyright breadcrumb "
    "breadcrumbs disclaimer disclaimers legal gfield gform popmake pum".split()
)
# A regular expression of names of several words: of a tooltip and nothing else, of a box about the author, and of small
# print. Of the text in them that no other rule marks, 97 % or more is boilerplate.
WIDGET_NAMES = (
    r"[.#]tool-?tip(?:s|-?text|[-_]{1,2}(?:text|content|bubble|inner|body|box|message|description|popup|panel))?(?=[.#]|$)"
    r"|[.#_-](?:about[-_]?)?author[-_]{0,2}(?:bio|block|box|desc|description|details|info|profile|summary)(?=[.#_-]|$)"
    r"|[.#_-](?:fine|small)-?print(?=[.#_-]|$)"
)
# Of the roles that an author may declare (WAI-ARIA 1.2), those of parts whose text is boilerplate, by their names in
# paths: all 10,100 words in them that models keep of sites that they do not know, on the WCXB development pages. That
# of no other landmark is.
ROLES = {"dialog": "dialog", "alertdialog": "dialog", "contentinfo": "contentinfo", "tooltip": "tooltip"}
RULES_OF_ROLES = {"dialog": "dialog", "contentinfo": "footer", "tooltip": "widget"}

SIGN = {purpose: 1 << at for at, purpose in enumerate(dict.fromkeys((*TAGS, *NAMES, *PARTS)))}
SIGN_OF_TAG: dict[str, int] = {}
for _purpose, _tags in TAGS.items():
    for _tag in _tags.split():
        SIGN_OF_TAG[_tag] = SIGN_OF_TAG.get(_tag, 0) | SIGN[_purpose]

MAX_KNOWN = 1 << 14  # names; sites repeat theirs from page to page
_known: dict[str, int] = {}
_TAG = re.compile(r"[^:#.]*")


@cache
def _spellings() -> list[tuple[str, int, bool, bool]]:
    """Each word as it may be written, the longest first; its sign, 0 for a word of OTHER_NAMES and OTHER_PARTS; and
    whether it begins, and whether it ends, where letters do."""
    out: dict[tuple[str, bool, bool], int] = {}
    for table, is_name in ((NAMES, True), (PARTS, False), ({"": OTHER_NAMES}, True), ({"": OTHER_PARTS}, False)):
        for purpose, words in table.items():
            for word in words.split():
                begins, ends = is_name and word[0] not in ".#", is_name and not word.endswith("*")
                parts = word.rstrip("*").split("-")
                for signs in product(("-", ""), repeat=len(parts) - 1):
                    key = "".join(chain.from_iterable(zip(parts, (*signs, "")))), begins, ends
                    out[key] = out.get(key, 0) | SIGN.get(purpose, 0)
    spellings = [(word, sign, begins, ends) for (word, begins, ends), sign in out.items()]
    return sorted(spellings, key=lambda own: -len(own[0]))


def all_tags() -> frozenset[str]:
    """The tags of all elements of HTML."""
    return frozenset(" ".join((*TAGS.values(), *OTHER_TAGS.values())).split())


def signs_of(names: list[str]) -> list[int]:
    """The signs of elements by their names in paths, `tag:role#id.class`."""
    new = [name for name in dict.fromkeys(names) if name not in _known]
    if new:
        if len(_known) + len(new) > MAX_KNOWN:
            _known.clear()
            new = list(dict.fromkeys(names))
        _learn(new)
    return [_known[name] for name in names]


def _learn(names: list[str]) -> None:
    """Adds names to those that are known. Each word is searched once in all of them."""
    signs = [SIGN_OF_TAG.get(_TAG.match(name)[0], 0) for name in names]  # type: ignore[index]
    lines = [name.replace("_", "-").lower() for name in names]
    lower = "\n".join(lines)
    starts = list(accumulate([len(line) + 1 for line in lines], initial=0))
    taken: dict[int, int] = {}  # the start and the end of each of the other words
    for word, sign, begins, ends in _spellings():
        at = lower.find(word)
        while at >= 0:
            end = at + len(word)
            is_word = not begins or lower[at - 1 : at] in ("-", ".", "#")
            if is_word and not (ends and lower[end : end + 1].isalpha()) and taken.get(at, 0) < end:
                if sign:
                    signs[bisect_right(starts, at) - 1] |= sign
                else:
                    taken[at] = end
            at = lower.find(word, end)
    _known.update(zip(names, signs))
