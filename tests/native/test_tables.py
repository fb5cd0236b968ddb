"""The compiled helpers beside their plain forms: names, numbers, sets, bytes."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from array import array
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser
from uncompiled import both_forms, in_both_forms, is_compiled

from ncfilters.native.element_names import (
    BLANK,
    COMMENT,
    EMPTY,
    HIDDEN,
    ID,
    TAG_NAMES,
    TAG_NUMBERS,
    TEXT,
    columns_of_nodes,
    number_of_tag,
    tag_groups,
)
from ncfilters.text.scripts import UNSPACED_ALL


# ---- node_columns ----
def test_nodes_names_and_groups() -> None:
    root = LexborHTMLParser("<p>One<p>Two").body
    assert root is not None
    columns = columns_of_nodes(list(root.traverse(include_text=True)))
    assert columns[1:4] == ([-1, 0, 1, 0, 3], [-1, -1, -1, 1, -1], [5, 3, 3, 5, 5])
    number = number_of_tag("ul")
    assert number_of_tag("ul") == number == TAG_NUMBERS["ul"]
    assert TAG_NAMES[number] == "ul"
    groups = tag_groups({1: "ul ol", 2: "ol"})
    assert (groups[number_of_tag("ul")], groups[number_of_tag("ol")], groups[0]) == (1, 3, 0)


# ---- white_space ----
FORMS = in_both_forms("native.text_counts")
SPACES = [*"\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2003\u2028\u2029\u202f\u205f\u3000"]
TEXTS = st.lists(st.sampled_from([*SPACES, " ", "a", "b c", "é", "中", "\U0001f642", "\u200b", "\x00"])).map("".join)


@FORMS
@given(text=TEXTS | st.text())
def test_runs_of_white_space_are_one_space(form: ModuleType, text: str) -> None:
    assert form.num_words([text, ""]) == [len(text.split()), 0]
    collapsed = form.collapse_spaces(text)
    assert collapsed == " ".join(text.split())
    assert hash(collapsed) == hash(" ".join(text.split())) and collapsed.isascii() == " ".join(text.split()).isascii()


@FORMS
def test_long_texts_are_split_in_pieces(form: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    if hasattr(form, "MAX_SPLIT_CHARS"):
        monkeypatch.setattr(form, "MAX_SPLIT_CHARS", 8)
    text = " one  two\nthree\u2003four " * 9
    assert form.collapse_spaces(text) == " ".join(text.split())


# ---- pair_numbers ----
@FORMS
def test_pairs_are_numbered(form: ModuleType) -> None:
    numbers = form.PairNumbers()
    assert [numbers.add(*pair) for pair in [(7, 1), (-1, 2), (7, 1), (1, 7), (-1, 2)]] == [0, 1, 0, 2, 1]
    assert numbers.size == 3
    numbers = form.PairNumbers()
    assert numbers.find(0, 0) == -1 and numbers.size == 0
    numbers.add(0, 0)
    assert numbers.find(0, 0) == 0 and numbers.find(0, -1) == numbers.find(-1, 0) == -1
    rnd = random.Random(1)
    pairs = [(rnd.choice([-1, 0, 1, 2**31 - 1]), rnd.randrange(-2000, 2000)) for _ in range(20000)]
    numbers, known = form.PairNumbers(), {}
    for pair in pairs:
        assert numbers.add(*pair) == known.setdefault(pair, len(known))
    assert numbers.size == len(known) and all(numbers.find(*pair) == at for pair, at in known.items())


# ---- character_set ----
@FORMS
def test_characters_of_a_set(form: ModuleType) -> None:
    signs = form.CharacterSet("|a-cé¶一-丙\U0001f300-\U0001f302-")
    for text in ("|", "b", "é", "一", "丁", "\U0001f302", "-", "|ab", "xb", "\U0001f400|"):
        assert signs.is_in(text) is True, text
    for text in ("", "d", "è", "四", "\U0001f303", "\U00020000", "`"):
        assert signs.is_in(text) is False and signs.has_all(text) is (text == ""), text
    assert signs.has_all("ab|é\U0001f300-") is True
    assert signs.has_all("abx") is signs.has_all("abc\U00020000") is False
    signs = form.CharacterSet("a-c一\ud800-\udfff")
    assert [signs.count(text) for text in ("", "xy", "abxc", "é一\U00020000x\ud801")] == [0, 0, 3, 2]
    signs = form.CharacterSet(UNSPACED_ALL)
    assert signs.count("ฝน rain 我的 book \U00020000 é") == 5
    assert [signs.count(text) for text in ("", "rain", "\u0dff\u0e00\u0eff\u0f00")] == [0, 0, 2]


@given(st.text(), st.lists(st.tuples(st.characters(max_codepoint=0x3FFFF), st.characters(max_codepoint=0x3FFFF))))
def test_both_forms_find_the_same(text: str, pairs: list[tuple[str, str]]) -> None:
    ranges = "".join(f"{min(pair)}-{max(pair)}" for pair in pairs if not {*pair} & {*"[]\\^-&~|"}) or "a"
    sets = [form.CharacterSet(ranges) for form in both_forms("ncfilters.native.text_counts")]
    assert len({(own.is_in(text), own.has_all(text), own.count(text)) for own in sets}) == 1


# ---- text_counts ----
@FORMS
@pytest.mark.parametrize("space", [" ", "\n", "\v", "\x1c", "\x85", "\xa0", "\u3000", "\u2029"])
def test_words_are_between_white_space(form: ModuleType, space: str) -> None:
    texts = ["", space, f"one{space}two", f"{space}one{space}{space}two {space}", "a\u200bb", "é中😀"]
    assert form.num_words(texts) == [len(text.split()) for text in texts]


@FORMS
def test_common_lengths(form: ModuleType) -> None:
    pairs = [("", "a"), ("abc", "abd"), ("ab", "abc"), ("aé一", "aé二"), ("aé", "aé一"), ("body/div.a", "body/div.b")]
    for text, other in [*pairs, ("body/p", "body/p")]:
        wanted = len(os.path.commonprefix([text, other]))
        assert form.common_length(text, other) == form.common_length(other, text) == wanted, text


# ---- text_counts ----
SINGLES = (("\u3040", "\u30ff"), ("\u3400", "\u9fff"), ("\uf900", "\ufaff"))
PATTERN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\\W_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
# Letters of many scripts, with case and without; digits; marks, signs, spaces of one to four bytes; half a character.
CHARACTERS = "aZ9_ .’“—…·×÷éÉßİſµª²½\xa0\xad΄ΑΣσςюЖ҂א־،عًéẞ€™⁴‿⁀ⅷ①。、中文かカナ한ไท्क𝐀😀\udc80\u2028\t\n\x00\x1f"


def overlap(form: ModuleType, words: dict[str, int], text: str) -> list[int]:
    out = array("i", [7, 7, 7])
    assert form.WordSet(words, SINGLES).overlap(text, out) == (out[0] > 0)
    return out.tolist()


@FORMS
@pytest.mark.parametrize(("text", "counts"), [
    ("The bridge, the RIVER.", [3, 2, 1]), ("bridge bridge", [1, 1, 0]), ("no such word", [0, 0, 0]),
    ("中中a文", [3, 1, 1]), ("", [0, 0, 0]),
])  # fmt: skip
def test_words_are_counted_once(form: ModuleType, text: str, counts: list[int]) -> None:
    assert overlap(form, {"bridge": 1, "river": 3, "中": 3}, text) == counts


@FORMS
def test_words_are_those_of_the_pattern(form: ModuleType) -> None:
    assert overlap(form, {}, "a b") == [0, 0, 0]
    chance = random.Random(0)
    for _ in range(300):
        text = "".join(chance.choices(CHARACTERS, k=chance.randrange(200))).lower()
        words = set(PATTERN.findall(text))
        known = {word: 1 for word in words if chance.random() < 0.5} | {"unseen": 2}
        shared = len(known) - 1
        assert overlap(form, known, text) == ([len(words), shared, 0] if shared else [0, 0, 0])
    with pytest.raises(ValueError, match="too long"):
        overlap(form, {"a": 1}, "a" * 2001)


# ---- page_table ----
NAME = "ncfilters.native.page_table"
PAGES = (
    "<p>One <b>two</b>",
    "<!doctype html><title>a</title><!-- b --><p id=c class='d e' hidden>f é 中<b data-g>h<br></b> i",
    "<svg xlink:href=j><foreignObject>k<title>l</title></foreignObject></svg><x-y z>m</x-y>",
    "<p> <pre>\n\xa0</pre>\x00<table><td>1<td>2</table>",
    "",
)
FORMS_OF_PAGE_TABLE = pytest.mark.parametrize("form", both_forms(NAME), ids=lambda form: form.__name__)


def rows(table: Any) -> list[tuple[Any, ...]]:
    out = []
    for row in range(table.size):
        own: Any = None
        if table.tag[row] == TEXT:
            own = table.text_of(row)
        elif table.tag[row] >= 0:
            own = table.name_of(row), table.attributes_of(row), table.text_below(row), table.has_text(row)
        columns = [getattr(table, name)[row] for name in ("tag", "parent", "before", "end", "flags")]
        out.append((*columns, own, table.node_of(row).mem_id))
    return out


@FORMS_OF_PAGE_TABLE
def test_a_row_for_each_node_in_order(form: ModuleType) -> None:
    number_of_tag("p")
    table = form.table_of(LexborHTMLParser("<p id=a hidden>One<!-- two --> <b>three").body)
    assert [*table.tag][1:4] == [TAG_NUMBERS["p"], TEXT, COMMENT]
    assert [*table.parent] == [-1, 0, 1, 1, 1, 1, 5]
    assert [*table.before] == [-1, -1, -1, 2, 3, 4, -1]
    assert [*table.end] == [7, 7, 3, 4, 5, 7, 7]
    assert table.flags[1] == ID | HIDDEN and table.flags[4] == BLANK
    assert table.text_below(1) == "One three"
    assert table.attribute_of(1, "id") == "a" and table.attribute_of(1, "class") is None
    assert table.attribute_of(1, "hidden") in (None, "") and "hidden" in table.attributes_of(1)
    table = form.table_of(LexborHTMLParser("<p></p>").body)
    assert not table.has_text(0) and table.text_below(0) == "" and not table.flags[0] & EMPTY


@pytest.mark.skipif(not is_compiled(NAME), reason="the module is not compiled")
@pytest.mark.parametrize("page", PAGES)
def test_both_forms_have_the_same_rows(page: str) -> None:
    root = LexborHTMLParser(page).root
    plain, compiled = (rows(form.table_of(root)) for form in both_forms(NAME))
    assert compiled == plain


@pytest.mark.skipif(not is_compiled(NAME), reason="the module is not compiled")
def test_without_the_known_structures_the_table_is_read_by_nodes() -> None:
    compiled = both_forms(NAME)[1]
    root = LexborHTMLParser(PAGES[1]).root
    wanted = rows(compiled.table_of(root))
    compiled.read_by_nodes()
    try:
        table = compiled.table_of(root)
        assert table.nodes is not None and rows(table) == wanted
    finally:
        assert compiled.probe()
    assert compiled.table_of(root).nodes is None


def test_names_of_attributes_stay_where_rules_name_more_tags() -> None:
    # freed memory is overwritten: once the names were freed, and the table that points to them grew until it was full
    code = """
from selectolax.lexbor import LexborHTMLParser
from ncfilters.native import element_names, page_table
for number in range(40):
    element_names.number_of_tag(f"x-{number}")
    table = page_table.table_of(LexborHTMLParser("<p data-tex=a eeimg=b>x").body)
print(table.flags[1] == element_names.TEX)
"""
    environment = {**os.environ, "PYTHONMALLOC": "debug", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout == "True\n", done.stderr
