"""Segments that are searched: in C the same, or more, as one by one."""

import re

import orjson
import pytest

from ncfilters.page.metadata.site_name import title_key
from ncfilters.page.page_options import PageOptions
from ncfilters.record import Segment
from ncfilters.segmentation import segmenter
from ncfilters.segmentation.json_segments import marked_segments
from ncfilters.segmentation.page_segments import (
    Biographies,
    PageSegments,
    Words,
    biographies,
    first_heading,
    have_roles,
    that_say,
    with_key,
    with_start,
    with_word,
)
from tests.page.test_walks import needs_core

HTML = (
    "<p>Rain<h1>The Rain in É</h1><p>By <a href=/authors/lee>Ann Lee</a><p>posted today<p>ÉTÉ<p>\u200bPo\u200bsted<br>x"
    "<p>Author<p>ﬁnd<p>a<pre>By  code</pre><p>cost \\(x\\) by"
    '<script type="application/ld+json">{"@type":"Article","articleBody":"By somebody else, of rain."}</script>'
)
OPTIONS = PageOptions(markup=True)


def both() -> tuple[list[Segment], PageSegments]:
    """The segments of the page, and the same in the core."""
    found = marked_segments(HTML, OPTIONS, "http://site.example/")
    assert found is not None
    return segmenter.head_and_segments(HTML, OPTIONS, "http://site.example/")[1], found.segments


@needs_core
def test_segments_are_read_as_dicts() -> None:
    expected, found = both()
    assert len(found) == len(expected) > 8
    for own, other in zip(found, expected):
        assert own["text"] == other["text"] and own["tag"] == other["tag"] and own["path"] == other["path"]
        links = [span for span in other.get("spans", ()) if span[2] == "link"]
        assert own.get("origin") == other.get("origin")
        assert [span for span in own.get("spans", ()) if span[2] == "link"] == links
    assert found[-1] is found[len(found) - 1] and found[1:3] == [found[1], found[2]]
    with pytest.raises(IndexError):
        found[len(found)]


@needs_core
@pytest.mark.parametrize("text", ["by ann LEE", "rain!", "ÉTÉ", "the rain in é", "cost (x by"])
def test_keys_are_found(text: str) -> None:
    expected, found = both()
    key = title_key(text)
    wanted = [number for number in with_key(expected, key, 60) if title_key(expected[number]["text"]) == key]
    some = with_key(found, key, 60)
    assert wanted and set(wanted) <= set(some)
    assert all(
        title_key(found[n]["text"]) == key for n in some if found[n]["text"].isascii() and "type" not in found[n]
    )


@needs_core
@pytest.mark.parametrize(
    ("word", "least", "most"), [("rain", 0, 60), ("ann", 0, 60), ("été", 1, 9), ("by", 0, 11), ("", 0, 3)]
)
def test_words_are_found(word: str, least: int, most: int) -> None:
    expected, found = both()
    wanted = list(with_word(expected, word, least, most))
    assert set(wanted) <= set(with_word(found, word, least, most)) and wanted == sorted(wanted) != []


@needs_core
@pytest.mark.parametrize(("starts", "most"), [("by", 200), ("by|poste", 60), ("au", 60), ("ét", 60)])
def test_starts_are_found(starts: str, most: int) -> None:
    expected, found = both()
    heads = tuple(starts.split("|"))
    wanted = {n for n in with_start(expected, starts, most) if expected[n]["text"].casefold().startswith(heads)}
    assert wanted and wanted <= set(with_start(found, starts, most)) < set(range(len(expected)))


@needs_core
def test_others_are_left_out() -> None:
    _, found = both()
    assert 1 not in with_word(found, "snow", 0, 60) or not found[1]["text"].isascii()
    assert 0 not in with_word(found, "snow", 0, 60) and 0 not in with_start(found, "by", 60)


@needs_core
def test_the_first_heading() -> None:
    expected, found = both()
    assert first_heading(found) == first_heading(expected) == 1
    none = marked_segments("<p>a", OPTIONS, None)
    assert none is not None and first_heading(none.segments) is None


@needs_core
def test_segments_of_the_core_have_no_roles() -> None:
    expected, found = both()
    assert have_roles(expected) and not have_roles(found)
    assert not any("role" in orjson.loads(orjson.dumps(segment)) for segment in found)


@needs_core
def test_what_segments_may_say() -> None:
    expected, found = both()
    everything = list(range(len(found)))
    words = Words("posted|xyz", "h1", "/authors")
    some = that_say(found, everything, 200, words)
    said = [expected[number]["text"] for number in some if expected[number]["text"].isascii()]
    assert "By Ann Lee" in said and "posted today" in said and "Rain" not in said and "Author" not in said
    assert "The Rain in É" in [expected[number]["text"] for number in some]
    assert that_say(expected, everything, 200, words) == everything
    assert that_say(found, [2], 4, words) == []
    with pytest.raises(IndexError):
        that_say(found, [len(found)], 4, words)


BEGINNINGS = (
    "Ann Lee is a writer by the sea, with two ducks.",
    "Ann is-not a writer",
    "Ann-Marie O'Neill, (born 1970) was the first editor.",
    "Ann (1970) writes of ducks, and she is well.",
    "Ann () writes of ducks, and she is well.",
    "Ann (a (b)) writes of ducks, and she is well.",
    f"Ann ({'x' * 41}) writes of ducks, and she is well.",
    "A B C D has ducks and a director.",
    "A B C D E has ducks and a director.",
    "Ann, Bob has ducks and a director.",
    "Ann isn't a writer, and issues nothing.",
    "9 Anns is a writer.",
    "Zo\u00eb is a writer.",
    "Ann is \u2013 perhaps",
    "Ann Lee is",
    "Ann Lee has",
    "Ann is old.",
    "Ann is one of the writers \u2013 of the sheriff.",
    "Ann is \u201cwriter\u201d to them.",
    "Ann is a WR\u0131TER.",
    "Ann is old" + " as \u4e2d\u6587" * 14 + " x shelters",
    f"Ann is old{' as it' * 14} x shelters",
    f"Ann is old{' as it' * 14} xy shelters",
    "_Ann is a writer.",
    f"Ann is old{' as the sea' * 20}, she says.",
    f"Ann is old{' as the sea' * 20} \u00e9, she says.",
)
SOUGHT = Biographies(8, 300, "is|has|was|writes", "she|writer|director|editor", 100)


@needs_core
def test_biographies_are_found() -> None:
    html = "".join(f"<p>{text}</p>" for text in BEGINNINGS)
    page = marked_segments(html, OPTIONS, None)
    assert page is not None and len(page.segments) == len(BEGINNINGS)
    pattern = re.compile(
        rf"([^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){{0,3}}?),?(?: \([^()]{{1,40}}\))? (?:{SOUGHT.verbs})\b"
    )
    person = re.compile(rf"\b(?:{SOUGHT.words})\b", re.I)
    texts = [segment["text"] for segment in page.segments]
    wanted = [
        number
        for number, text in enumerate(texts)
        if 8 <= len(text) <= 300 and pattern.match(text) and person.search(text[:100])
    ]
    assert len(wanted) == 10 and list(biographies(page.segments, 0, SOUGHT)) == wanted
    assert list(biographies(page.segments, 3, SOUGHT)) == [number for number in wanted if number >= 3]
    assert list(biographies([{"text": "a"}] * 3, 1, SOUGHT)) == [1, 2]
