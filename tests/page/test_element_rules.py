"""Rules of the user for elements: selectors, files of them, and the elements that they are about."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncfilters.native.page_table import table_of
from ncfilters.page.element_rules import ElementRules, SelectorError, SiteRules, element_rules, marked_rows
from ncfilters.page.tree.html_parser import parse_html

PAGE = "<aside class=a>One<p id=x>two</p></aside><div class='b c'><span>three</span></div>"


def marks(rules: ElementRules, url: str | None = None, html: str = PAGE) -> dict[str, str]:
    """The rules of elements, by their ids and classes."""
    table = table_of(parse_html(html).root)
    found = marked_rows(table, rules, url)
    return {
        table.attribute_of(row, "id") or table.attribute_of(row, "class") or "": name for row, name in found.items()
    }


def test_elements_have_the_name_of_the_selector() -> None:
    assert marks(element_rules("aside, .b", "#x")) == {"a": "drop aside", "b c": "drop .b", "x": "keep #x"}
    assert marks(element_rules()) == {}
    assert marks(element_rules("article")) == {}


def test_what_is_kept_is_not_dropped() -> None:
    assert marks(element_rules(".a", ".a")) == {"a": "keep .a"}


def test_commas_in_brackets_and_quotes_separate_no_selectors() -> None:
    (rules,) = element_rules(r""":is(aside, p), [title="a, b"], .a\,b""", " ")
    assert rules == SiteRules(drop=(":is(aside, p)", '[title="a, b"]', r".a\,b"))


@pytest.mark.parametrize(
    "text, caret",
    [
        ("aside, ..b", 8),
        ("a[", 2),
        ("div > > p", 6),
        (":foo", 1),
        ("p:not(x", 7),
        ("a,,b", 2),
        ("a, b,", 5),
        ("p:contains('x')", 2),
        ("@media", 0),
        ("p { }", 2),
        ("#", 1),
    ],
)
def test_a_wrong_selector_has_a_caret_under_the_place(text: str, caret: int) -> None:
    with pytest.raises(SelectorError, match="^drop_elements: no CSS selector\n") as raised:
        element_rules(drop=text)
    assert raised.value.shown == (f"  {text}", f"  {' ' * caret}^")


def test_a_file_has_rules_for_hosts(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text("""["Example.org"]\ndrop = ["aside", ".b"]\n["*"]\nkeep = "#x"\n""")
    rules = element_rules(file=file)
    assert rules == (SiteRules("example.org", ("aside", ".b")), SiteRules("*", (), ("#x",)))
    everywhere, there = {"x": "keep #x"}, {"a": "drop aside", "b c": "drop .b", "x": "keep #x"}
    assert marks(rules) == marks(rules, "https://notexample.org/") == everywhere
    assert marks(rules, "https://example.org/a") == marks(rules, "https://www.example.org:80/") == there


@pytest.mark.parametrize(
    "text, message",
    [
        ("x", r"rules.toml: Expected '='"),
        ("a = 1", r'rules.toml: \["a"\]: expected drop and keep'),
        ("[a]\nremove = 'p'", r'rules.toml: \["a"\]: expected drop and keep'),
        ("[a]\ndrop = 1", r'rules.toml: \["a"\] drop: expected a string or an array of strings'),
        ("[a]\ndrop = ['p', 1]", r'rules.toml: \["a"\] drop: expected a string or an array'),
        ("[a]\nkeep = ['p', 'a[']", r'rules.toml: \["a"\] keep: no CSS selector\n  a\[\n    \^'),
    ],
)
def test_a_wrong_file_is_an_error(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=message):
        element_rules(file=file)
