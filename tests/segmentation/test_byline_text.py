"""Authors beside a day in a short text."""

from __future__ import annotations

import pytest

from ncfilters.segmentation.byline_text import author_after_label, authors_beside_day, is_day


@pytest.mark.parametrize(
    "text, names",
    [
        ("Dec. 19, 2025 · Ann Lee on behalf of the club", ["Ann Lee"]),
        ("Dec 17, 2025 Julian K. Lee", ["Julian K. Lee"]),
        ("Ann Lee | Senior Writer | July 2, 2025", ["Ann Lee"]),
        ("Friday, May 3, 2024 at 10:30 · Ann Lee", ["Ann Lee"]),
        ("03/01/2017 by Ann Lee, Head of the Duck Committee", ["Ann Lee"]),
        ("by Ann · Dec 20, 2025 at 3:00 am · One comment", ["Ann"]),
        ("March 15, 2022 · 3 min read · By Puddle Online", ["Puddle Online"]),
        ("May 3, 2017 By Ann Lee 4 Comments", ["Ann Lee"]),
        ("May 3, 2017 by admin", []),
        ("Last Modified: May 3, 2017", []),
        ("Special Ducks – Ends May 3, 2017", []),
        ("Ann Lee", []),
        ("3 May 2024\nAnn Lee", []),
        ("Ann Lee and the ducks of the valley " * 3 + "3 May 2024", []),
    ],
)
def test_authors_beside_a_day(text: str, names: list[str]) -> None:
    assert authors_beside_day(text) == names


@pytest.mark.parametrize(
    "text, names",
    [
        ("作者：王小明", ["王小明"]),
        ("2024年05月03日 10:20 来源：雨报 作者: 王小明", ["王小明"]),
        ("2024-05-03 作者： 实习记者 王小明 字号", ["王小明"]),
        ("文／王小明", ["王小明"]),
        ("文・山田太郎", ["山田太郎"]),
        ("记者：春雨初始，南方下雨", []),
        ("作者: 佚名", []),
        ("文化新闻", []),
        ("Author: Ann Lee", []),
    ],
)
def test_authors_after_labels(text: str, names: list[str]) -> None:
    assert author_after_label(text) == names


def test_links_are_categories() -> None:
    assert authors_beside_day("3 May 2024 · Machine Ducks") == ["Machine Ducks"]
    assert authors_beside_day("3 May 2024 · Machine Ducks", [(13, 26)]) == []
    assert authors_beside_day("3 May 2024 · Ann Lee in Ducks", [(24, 29)]) == ["Ann Lee"]
    assert authors_beside_day("3 May 2024 · By Ann Lee", [(16, 23)], ["Puddle"]) == ["Ann Lee"]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("3 May 2024", True),
        ("· May 3, 2024, 10:30", True),
        ("May 3, 2024 By The Duck Team", True),
        ("May 3, 2024 in Ducks", False),
        ("3 May 2024 – 4 May 2024", False),
        ("Ducks", False),
    ],
)
def test_days(text: str, expected: bool) -> None:
    assert is_day(text) is expected
