"""Posts in the blocks of a page."""

from __future__ import annotations

from ncfilters.page.page_options import PageOptions
from ncfilters.page.profiles import page_blocks

POST = (
    "<li id=post{0}><p><b class=username>{1}</b> <time datetime=2024-05-0{0}>{0} d</time></p><p>Joined: 2010</p>"
    "<div class=content><p>It rained on day {0}.</p></div><div class=signature>Me</div></li>"
)


def test_marks() -> None:
    html = f"<h1>Rain</h1><ol>{POST.format(1, 'Ann')}{POST.format(2, 'Bob')}</ol><p>Page 1 of 1"
    for options in (PageOptions(), PageOptions(markup=True), PageOptions(embedded=False)):
        page = page_blocks(html, options)
        assert [*page.posts] == [
            {"author": "Ann", "date": "2024-05-01", "path": "body/ol/li#post1"},
            {"author": "Bob", "date": "2024-05-02", "path": "body/ol/li#post2"},
        ]
        marks = [(block.get("post"), block.get("part")) for block in page.blocks.records()]
        parts = ["byline", "furniture", None, "furniture"]
        assert marks == [(None, None), *[(n, part) for n in (0, 1) for part in parts], (None, None)]


def test_comments_and_what_is_not_told() -> None:
    html = "<ul>" + "".join(
        f"<li id=comment-{n}><b class=fn>Ann</b><div class=comment-content>Rain {n}.</div></li>" for n in (1, 2)
    )
    assert [block.get("part") for block in page_blocks(html).blocks.records()][1] == "comment"
    declared = '<script type=application/ld+json>{"@type": "DiscussionForumPosting", "headline": "Rain"}</script>'
    assert [block.get("part") for block in page_blocks(declared + html).blocks.records()][1] is None
    html = "".join(
        f"<div id=post{n}><p><b class=username>Ann</b></p><p>It rained all day in the town {n}.</p></div>"
        for n in (1, 2)
    )
    assert [block.get("part") for block in page_blocks(html).blocks.records()][:2] == ["byline", "rest"]


def test_who_changed_a_post_is_no_text_of_it() -> None:
    notes = ["Edited May 3, 2024 by Ann", "Last edited by: Ann, 3 May 2024", "*edited to note that it rained by May"]
    html = "".join(
        f"<div id=post{n}><b class=username>Ann</b><div class=content><p>Rain {n}.<p>{note}</div></div>"
        for n, note in enumerate(notes)
    )
    parts = [block.get("part") for block in page_blocks(html).blocks.records()]
    assert parts == ["byline", None, "furniture"] * 2 + ["byline", None, None]


def test_a_quotation_that_no_element_names() -> None:
    quotes = [
        "<div><div><label>Quote:</label></div> <div><p>Originally Posted by <b>Bob</b><p>It rained.</div></div>",
        "<div><p>Originally posted by Bob<p>It rained.</div>",
        "<p>Originally posted by Bob<p>It rained.",
    ]
    for quote, number in zip(quotes, (3, 2, 0), strict=True):
        html = "".join(
            f"<div id=post{n}><p class=username>Ann</p><div class=content>{quote}<p>Here, too.</div></div>"
            for n in (1, 2)
        )
        parts = [block.get("part") for block in page_blocks(html).blocks.records()]
        own = parts[: len(parts) // 2]
        assert own == ["byline", *["rest"] * number, *[None] * (len(own) - 1 - number)]
        assert own[-1] is None
