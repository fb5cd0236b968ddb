"""What a segment is on its page (its role), and which roles are content (a content policy).

POLICIES["main"].roles        # frozenset({"title", "text", "caption", "table", "code"})

Annotators disagree about content: titles, bylines, captions, comments. So models tell the role of a segment, and the
user says which roles belong to the text.
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings.

from typing import NamedTuple

# title: the headline of the page; byline: who wrote it; date: when it was published; text: paragraphs, headings and
# lists of the main content, forum posts among them; caption: of a figure; table, code: cells and listings of the main
# content; comment: of a reader, under an article; related: links and teasers to other pages; boilerplate: the rest.
ROLES = ("title", "byline", "date", "text", "caption", "table", "code", "comment", "related", "boilerplate")


class ContentPolicy(NamedTuple):
    """What counts as content: the *roles*, and in *description* whose taste it is."""

    roles: frozenset[str]
    description: str


DEFAULT_POLICY = "main"


def score_field(policy: str) -> str:
    """The field of segments with their score under a content policy."""
    return "score" if policy == DEFAULT_POLICY else f"score_{policy}"


# Structure models score segments under each of these policies.
POLICIES: dict[str, ContentPolicy] = {
    "main": ContentPolicy(
        frozenset(("title", "text", "caption", "table", "code")),
        "what a reader calls the text of the page, as WCXB's annotators do; no comments under an article",
    ),
    "article": ContentPolicy(
        frozenset(("title", "text", "table", "code")), "the article alone, as in DAnIEL, Dragnet and L3S-GN1"
    ),
    "all": ContentPolicy(
        frozenset(("title", "byline", "date", "text", "caption", "table", "code", "comment")),
        "everything that somebody wrote for this page, as in CleanEval: comments, bylines and dates as well",
    ),
}
