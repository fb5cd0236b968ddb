"""What elements are called."""

from __future__ import annotations

import pytest
from operations import assert_linear_time

from ncfilters.words import element_names
from ncfilters.words.element_names import SIGN, signs_of


@pytest.mark.parametrize(
    ("names", "signs"),
    [
        ("ul ul.ingredientless ul.ingredients-filter ul.ingredientsFilter", "list"),
        ("td.sum th", "cell"),
        ("div:dialog#cart", "dialog"),
        # names begin after a sign and end where letters end
        ("div#ingredients-44 div.gz-list_ingredient div.INGREDIENT", "ingredients"),
        ("ul.ingredients ul.ingredients-filter.ingredients", "list ingredients"),
        ("p.footnote2", "note supplement"),
        # `-` stands for `-`, `_` or nothing
        ("div.drop-down-menu div.drop_down_menu div.dropdown-menu div.dropDownMenu", "choices"),
        ("div.quoted", "quotation"),  # a name with `*` ends anywhere
        # parts stand anywhere; the longest word wins
        ("div.articleComments section#disqus_thread div.commentary-comments", "comment"),
        ("div.planMobileCopy", "mobile"),
        (" ul-x div.myingredient ingredient div.drop.down.menu div.unquoted div.commentary div.multifaceted", ""),
    ],
)
def test_signs(names: str, signs: str) -> None:
    expected = sum(SIGN[sign] for sign in signs.split())
    for name in names.split(" "):
        assert signs_of([name]) == signs_of(["p", name])[1:] == [expected], name


def test_names_do_not_run_into_each_other() -> None:
    assert signs_of(["div.drop", "down-menu", "p.foot\u2028note"]) == [0, 0, 0]


def test_names_are_forgotten_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(element_names, "MAX_KNOWN", 3)
    element_names._known.clear()
    names = ["ul", "ol", "p", "dl", "li"]
    assert signs_of(names[:2]) == signs_of(names[:2]) and len(element_names._known) == 2
    assert signs_of(names) == [SIGN["list"], SIGN["list"], 0, SIGN["definitions"], SIGN["item"]]
    assert signs_of(["ul"]) == [SIGN["list"]] and len(element_names._known) == 5


def test_linear() -> None:
    def learn(names: list[str]) -> None:
        element_names._known.clear()
        signs_of(names)

    assert_linear_time(learn, lambda size: [f"div.ingredients-filter{at}" for at in range(size)], 1000)
    assert_linear_time(learn, lambda size: ["div." + "commentary-comment_" * size], 1000)
