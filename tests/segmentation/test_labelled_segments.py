"""Author and date by labels, wherever they are."""

from __future__ import annotations

import pytest

from ncfilters.segmentation.labelled_segments import labelled_statements


@pytest.mark.parametrize(
    "texts, expected",
    [
        (["Rain", "Written by Ann Lee", "Published: 3 May 2024"], {"author": ["Ann Lee"], "date": "2024-05-03"}),
        (["Written by", "Ann Lee"], {"author": ["Ann Lee"]}),
        (["Written by Ann Lee", "Written by Bo Xi"], {}),
        (["Last updated", "4 May 2024"], {"modified": "2024-05-04"}),
        (["Posted by Ann Lee on 3 May 2024"], {"author": ["Ann Lee"], "date": "2024-05-03"}),
        (["Posted by Ann Lee"], {}),
        (["written by the sea", "Published by us"], {}),
        ([], {}),
    ],
)
def test_labels(texts: list[str], expected: dict[str, object]) -> None:
    assert labelled_statements([{"text": text} for text in texts]) == expected


def test_what_is_no_label_of_the_page() -> None:
    link = {"text": "3 May 2024", "spans": [[0, 10, "link", "/other"]]}
    assert labelled_statements([{"text": "Published"}, link]) == {}
    comment = {"text": "Posted by Ann Lee on 3 May 2024", "path": "body/div.comments"}
    assert labelled_statements([comment]) == {"date": "2024-05-03"}
    assert labelled_statements([{"text": "Written by Ann Lee", "origin": "json-ld"}]) == {}


def test_a_labelled_person_after_whom_the_site_is_named() -> None:
    assert labelled_statements([{"text": "Author: Ann Lee"}], ["Ann Lee"]) == {"author": ["Ann Lee"]}
