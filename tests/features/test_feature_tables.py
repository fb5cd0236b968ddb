"""Tables of segments, their tree of paths, and their features."""

from __future__ import annotations

import math
import subprocess
import sys
from array import array
from types import ModuleType
from typing import Any

import pytest
from made_pages import document
from page_elements import elements_of
from uncompiled import both_forms, in_both_forms

from ncfilters.features import schema
from ncfilters.features.document import NO_HEAD, Head, ModelInput, running_texts
from ncfilters.features.matrix import feature_matrix
from ncfilters.features.schema import (
    AFTER,
    BEFORE,
    CATEGORIES,
    DESCRIPTIONS,
    EMBEDDED,
    FAMILIES,
    FLAGS,
    GROUP_FAMILIES,
    GROUP_KINDS,
    GROUPS,
    H1,
    KINDS,
    LINKS,
    NAMES,
    NUMBERS,
    OTHER,
    OWN,
    READS,
    RULED,
    SCRIPT_DEPENDENT,
    STEPS_UP,
    TYPE_H,
    left_out_columns,
)
from ncfilters.features.schema import PROSE as PROSE_OF_SEGMENT_TABLE
from ncfilters.features.segment_table import build_table
from ncfilters.features.title_overlap import MAX_TEXT_CHARS, distinct_words
from ncfilters.head import MAX_TITLE_CHARS
from ncfilters.page.blocks.block_table import BlockTable
from ncfilters.record import Segment


# ---- schema ----
def test_names_and_parts_of_features() -> None:
    assert len(set(NAMES)) == len(NAMES) == sum(map(len, FAMILIES.values()))
    assert set(DESCRIPTIONS) == set(NAMES)
    assert all(description and "\n" not in description for description in DESCRIPTIONS.values())
    assert set(NAMES) > SCRIPT_DEPENDENT
    kinds = [NAMES.index(name) for family in ("flags", *CATEGORIES) for name in FAMILIES[family]]
    parts = [schema.OWN_COLUMNS, schema.PLACE_COLUMNS, schema.PAGE_COLUMNS, *schema.GROUP_COLUMNS, kinds]
    assert sorted(column for part in parts for column in part) == list(range(len(NAMES)))
    assert set(FLAGS) == set(FAMILIES["flags"])
    names = [NAMES[column] for column in schema.OWN_COLUMNS]
    assert names[schema.POSITION] == "position" and names[schema.SINCE_FIRST] == "up0_first"
    assert names[schema.WINDOWS] == "before3_chars" and names[schema.BESIDE_MAIN] == "main_before"
    assert names[schema.HEAD] == "title_share" and names[schema.HEAD + schema.OF_TITLE] == "description_share"


# ---- columns ----
# ---- feature_groups ----
def test_groups_of_features() -> None:
    families = [family for group in GROUP_FAMILIES.values() for family in group]
    assert sorted(families) == sorted(FAMILIES)
    assert set(GROUP_FAMILIES) < set(GROUPS)
    flags = dict(zip(NAMES, left_out_columns(("position", "page"), NAMES)))
    assert flags["index"] and flags["repeats_short"] and flags["page_n"] and not flags["chars"]
    assert sum(flags.values()) == sum(len(FAMILIES[family]) for family in ("position", "repeats", "page"))
    assert not any(left_out_columns(("names", "words", "around", "fragments", "portals"), NAMES))
    assert {field: names[-1] == OTHER for field, names in CATEGORIES.items()} == {
        field: field != "type" for field in CATEGORIES
    }
    assert all(len(set(names)) == len(names) for names in CATEGORIES.values())
    assert (*(f"up{steps}" for steps in STEPS_UP), "sig", "sig2") == GROUP_KINDS


# ---- categories ----
def test_the_schema_needs_no_numpy() -> None:
    program = "import sys; import ncfilters.features.schema; assert 'numpy' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


# ---- segment_features ----
NAMES_OF_SEGMENT_FEATURES = ["segment_table", "shared_features", "segment_features"]
FORMS = [both_forms(f"ncfilters.features.{name}") for name in NAMES_OF_SEGMENT_FEATURES]


def features(forms: list[ModuleType], seed: int, block: int) -> Any:
    segment_table, shared_features, segment_features = forms
    table = segment_table.build_table(document(seed))
    shared = shared_features.SharedFeatures(table)
    shared.compute()
    found = segment_features.SegmentFeatures(table, shared)
    found.survey()
    out = array("f")
    for start in range(0, table.size, block):
        stop = min(start + block, table.size)
        part = array("f", bytes(4 * OWN * (stop - start)))
        found.fill(part, OWN, start, stop)
        out += part
    return bytes(out), bytes(shared.groups), bytes(shared.places), bytes(shared.page), bytes(table.numbers)


@pytest.mark.parametrize("seed", range(30))
def test_blocks_and_forms_give_the_same(seed: int) -> None:
    installed = [forms[-1] for forms in FORMS]
    expected = features(installed, seed, 10_000)
    for form in FORMS[-1]:
        assert features([*installed[:-1], form], seed, 7) == expected
    assert len(expected[0]) == 4 * OWN * len(document(seed))


# ---- phrase_vocabulary ----
FORMS_OF_PHRASE_VOCABULARY = in_both_forms("features.phrase_vocabulary")


@FORMS_OF_PHRASE_VOCABULARY
def test_phrases_and_their_numbers(form: ModuleType) -> None:
    texts = ["Read more…", "12 Comments (3):", "Home", "", "?!", "É Ñandú", "x" * 39, "word " * 8]
    assert form.segment_phrases(build_table(ModelInput.of_texts(texts))) == [
        ("=read more…", "read", "more…"), ("=00 comments 0", "00", "comments"), ("=home", "home"), (), (),
        ("=é ñandú", "é", "ñandú"), ("=" + "x" * 39, "x" * 39), ("word", "word"),
    ]  # fmt: skip
    index = form.PhraseIndex({"=comments": 7, "comments": 3, "read": 5, "on": 2, "=home": 1, "=read": 4})
    assert index.numbers("Comments") == (7, 3, -1)
    assert index.numbers("read on") == (-1, 5, 2)
    assert index.numbers("Read") == (4, 5, -1)
    assert index.numbers("Comments " * 20) == (-1, 3, 3)
    assert index.numbers("unknown") == index.numbers("") == (-1, -1, -1)
    texts = ["A b c", "a B", "A, b; c", "zz" * 30, "1 2 3", "tab\there", "nul\0here", " x  y "]
    found = form.segment_phrases(build_table(ModelInput.of_texts(texts)))
    vocabulary = {phrase: number for number, phrase in enumerate(dict.fromkeys(p for row in found for p in row))}
    index = form.PhraseIndex(vocabulary)
    for text, row in zip(texts, found):
        assert [vocabulary[phrase] for phrase in row] == [number for number in index.numbers(text) if number >= 0]


# ---- document ----
NO_KINDS = ("@no og", "@no ld")


@pytest.mark.parametrize(
    "fields, expected",
    [
        ({}, NO_HEAD),
        ({"head": None, "url": None}, NO_HEAD),
        ({"head": ["title"], "url": 7}, NO_HEAD),
        ({"head": {"title": 1, "description": None, "kinds": "og:x"}}, Head(names=NO_KINDS)),
        ({"head": {"title": "One", "kinds": ["og:x", 5, "Shop"]}}, Head("One", "", ("@og:x", "@shop", "@no ld"))),
        ({"head": {"description": "One.", "kinds": ["Shop"]}}, Head("", "One.", ("@shop", *NO_KINDS))),
        (
            {"url": "https://www.shop.example.org/"},
            Head(names=("@host www", "@host shop", "@host example", "@top org", "@depth 0")),
        ),
        (
            {"url": "http://a.b/Blog/2024/05/it-rained-and-rained-again?x=/y"},
            Head(names=("@top b", "@path blog", "@depth 4", "@last 5", "@number")),
        ),
        ({"url": "mailto:"}, Head(names=("@depth 0",))),
        ({"url": ""}, NO_HEAD),
    ],
)
def test_the_head_is_read_from_head_and_url(fields: dict[str, Any], expected: Head) -> None:
    segments = [{"text": "a"}]
    document = ModelInput.of_record({"segments": segments, **fields})
    assert document == ModelInput(segments, expected)
    assert document.segments is segments  # models write to the record's own segments


def test_heads_are_missing_or_cut() -> None:
    assert ModelInput.of_texts(["a", "b"]) == ModelInput([{"text": "a"}, {"text": "b"}], NO_HEAD)
    assert [len(ModelInput.of_texts(texts)) for texts in ([], ["a", "b"])] == [0, 2]
    fields = {"title": "a b " * 10**6, "description": "c" * 10**7, "kinds": ["k"] * 10**6}
    head = Head.of_record({"head": fields})
    assert len(head.title) == len(head.description) == MAX_TITLE_CHARS and len(head.names) == 3
    assert len(Head.of_record({"url": "http://" + "/a-b" * 9999}).names) < 20
    poem, code = {"text": "Roses are red.\nViolets", "lines": True}, {"text": "if x:\n  y", "pre": True}
    assert running_texts([ModelInput([poem]), ModelInput([code])]) == ["Roses are red. Violets", "if x:\n  y"]


# ---- shared_features ----
FORMS_OF_SHARED_FEATURES = in_both_forms("features.shared_features")
PROSE = "We walked along the river for a whole day, and then it rained."


@FORMS_OF_SHARED_FEATURES
def test_logs_and_shares_are_bounded(form: ModuleType) -> None:
    assert form.log_count(1) == pytest.approx(0.6931472)
    assert form.log_count(1 << 40) == form.log_count((1 << 14) - 1) == pytest.approx(9.7040605)
    assert (form.share(0, 0), form.share(1, 4)) == (0, 0.25)


@FORMS_OF_SHARED_FEATURES
@pytest.mark.parametrize(
    ("page", "element", "segments"),
    [
        ([(PROSE, "body/div/p"), (PROSE, "body/main/p"), (PROSE, "body/main/div")], "main", (1, 2)),
        ([("Home", "body/nav/p")], "", (0, 0)),
        ([(PROSE, "body/div/p"), (PROSE, "body/main/p")], "div", (0, 0)),  # the first of two
    ],
)
def test_the_main_text_is_the_parent_with_most_prose(
    form: ModuleType, page: list[tuple[str, str]], element: str, segments: tuple[int, int]
) -> None:
    table = build_table(ModelInput([{"text": text, "path": path} for text, path in page]))
    shared = form.SharedFeatures(table)
    shared.compute()
    assert (shared.main_group >= 0) == bool(element)
    if element:
        assert table.places.elements.name_of(table.places.members[shared.main_group]) == element
        assert (shared.main_first, shared.main_last) == segments


@pytest.mark.parametrize("seed", range(20))
def test_both_forms_give_the_same(seed: int) -> None:
    table = build_table(document(seed))
    found = []
    for form in both_forms("ncfilters.features.shared_features"):
        shared = form.SharedFeatures(table)
        shared.compute()
        found.append([bytes(part) for part in (shared.groups, shared.places, shared.page, shared.first, shared.each)])
    assert found[0] == found[-1]


# ---- segment_table ----
FORMS_OF_SEGMENT_TABLE = in_both_forms("features.segment_table")


def segment(text: str, kind: str, path: str, **fields: Any) -> Segment:
    return {"text": text, "type": kind, "path": path, "tag": path.rpartition("/")[2], "links": 0, **fields}


PAGE: list[Segment] = [
    segment("Home", "l", "body/nav/ul/li", links=4, rule="nav"),
    segment("A walk", "h", "body/main/h1"),
    segment("We walked along the river for a whole day. Then it rained.", "p", "body/main/p"),
    segment("More", "h", "body/main/h2", bold=True),
    segment("Home", "l", "body/footer/ul/li", links=400, rule="unheard of", origin="json-ld:text"),
]


def marked(table: Any, mark: int) -> list[bool]:
    return [value & mark != 0 for value in table.marks]


@FORMS_OF_SEGMENT_TABLE
def test_tables_of_segments(form: ModuleType) -> None:
    table = form.build_table(ModelInput(PAGE, Head("A walk")))
    assert (len(table), table.head.title) == (5, "A walk")
    assert table.texts[:2] == ["Home", "A walk"]
    assert len(form.build_table(ModelInput([]))) == 0
    long = segment("word " * 40, "h", "body/h2")
    table = form.build_table(ModelInput([*PAGE, long, PAGE[0]]))
    assert list(table.heading) == [-1, -1, 1, 1, 3, 3, 3]
    assert list(form.build_table(ModelInput(PAGE)).numbers)[LINKS::NUMBERS] == [4, 0, 0, 0, 4]
    table = form.build_table(ModelInput(PAGE))
    assert marked(table, PROSE_OF_SEGMENT_TABLE) == [False, False, True, False, False]
    chars = len(PAGE[2]["text"])
    assert (table.chars, table.prose_chars) == (4 + 6 + chars + 4 + 4, chars)


@FORMS_OF_SEGMENT_TABLE
def test_equal_texts_are_known(form: ModuleType) -> None:
    table = form.build_table(ModelInput(PAGE))
    assert list(table.same) == [0, 1, 2, 3, 0]
    assert marked(table, BEFORE) == [False, False, False, False, True]
    assert marked(table, AFTER) == [True, False, False, False, False]


@FORMS_OF_SEGMENT_TABLE
def test_values_of_fields_are_categories(form: ModuleType) -> None:
    table = form.build_table(ModelInput(PAGE))
    kinds = [table.kinds[kind] for kind in table.kind]

    def values(field: str) -> list[str]:
        codes = [categories[list(CATEGORIES).index(field)] for categories, _ in kinds]
        return [CATEGORIES[field][code] if code >= 0 else "" for code in codes]

    assert values("type") == ["l", "h", "p", "h", "l"]
    assert values("rule") == ["nav", "", "", "", OTHER]
    assert values("origin") == ["", "", "", "", "json-ld"]
    assert [flags for _, flags in kinds] == [(at == 3, False, False) for at in range(5)]
    assert marked(table, TYPE_H) == [False, True, False, True, False]
    assert marked(table, RULED) == [True, False, False, False, True]
    assert marked(table, H1) == [False, True, False, False, False]
    assert marked(table, EMBEDDED) == [False, False, False, False, True]


@FORMS_OF_SEGMENT_TABLE
def test_a_table_of_blocks_is_read_as_its_records(form: ModuleType) -> None:
    blocks = BlockTable()
    for one in PAGE:
        blocks.append_record(one)
    ours, theirs = form.build_table(ModelInput(blocks)), form.build_table(ModelInput(PAGE))
    assert bytes(ours.numbers) == bytes(theirs.numbers) and bytes(ours.marks) == bytes(theirs.marks)
    assert ours.kinds == theirs.kinds and list(ours.kind) == list(theirs.kind)


@FORMS_OF_SEGMENT_TABLE
@pytest.mark.parametrize("field", READS)
@pytest.mark.parametrize("value", [None, 1.5, True, ["p"]])
def test_fields_of_other_types_are_refused(form: ModuleType, field: str, value: Any) -> None:
    with pytest.raises((ValueError, TypeError, AttributeError)):
        form.build_table(ModelInput([PAGE[0], {**PAGE[1], field: value}]))


# ---- title_overlap ----
def segment_of_title_overlap(text: str, kind: str = "p", tag: str = "p", **fields: Any) -> dict[str, Any]:
    return {"text": text, "type": kind, "path": f"body/{tag}", "tag": tag, "links": 0, **fields}


PAGE_OF_TITLE_OVERLAP = [
    segment_of_title_overlap("Floods: bridge closed, trains cancelled", "l", "li", links=39),  # 0
    segment_of_title_overlap("The old bridge is closed", "h", "h1"),  # 1
    segment_of_title_overlap("By Ann Miller"),  # 2
    segment_of_title_overlap("After a week of rain the council has closed the bridge; it may stay so."),  # 3
    segment_of_title_overlap("Imprint"),  # 4
]
HEAD = Head("The old bridge is closed - The News", "The council has closed the bridge after a week of heavy rain.")


def of(name: str, page: list[dict[str, Any]] = PAGE_OF_TITLE_OVERLAP, head: Head = HEAD) -> list[float]:
    found = feature_matrix(build_table(ModelInput(page, head)))
    return [round(value, 4) for value in found[:, NAMES.index(name)].tolist()]


# the title has 6 different words, the description 7 of four letters or more
EXPECTED = {
    "title_share": [2 / 5, 5 / 5, 0, 3 / 14, 0], "title_found": [2 / 6, 5 / 6, 0, 3 / 6, 0],
    "title_both": [4 / 11, 10 / 11, 0, 6 / 20, 0], "title_there": [1] * 5, "title_is": [0, 1, 0, 0, 0],
    "title_from": [-1 / 25, 0, 1 / 25, 2 / 25, 3 / 25], "title_since": [5, 0, math.log(2), math.log(3), math.log(4)],
    "title_before": [1, 0, 0, 0, 0], "description_share": [2 / 5, 2 / 5, 0, 6 / 14, 0],
    "description_found": [2 / 7, 2 / 7, 0, 6 / 7, 0], "description_is": [0, 0, 0, 1, 0],
    "description_before": [1, 1, 1, 0, 0],
}  # fmt: skip


@pytest.mark.parametrize("name", EXPECTED)
def test_numbers_of_a_page(name: str) -> None:
    assert of(name) == pytest.approx(EXPECTED[name], abs=1e-3)


def test_which_segment_is_the_title() -> None:
    # pages without informative heads
    nothing = {"from": -2.4, "since": 5.0}
    for name in FAMILIES["head"]:
        assert of(name, head=Head()) == [pytest.approx(nothing.get(name.partition("_")[2], 0))] * 5
        assert of(name, head=Head(" - ", "…")) == of(name, head=Head())
    # the title is the heading rather than a link
    page = [segment_of_title_overlap("The old bridge is closed", "l", "a", links=24), *PAGE_OF_TITLE_OVERLAP[1:]]
    assert of("title_is", page) == [0, 1, 0, 0, 0]
    assert of("title_is", [*page, page[1]]) == [0, 1, 0, 0, 0, 0]
    assert of("title_is", [page[0], *PAGE_OF_TITLE_OVERLAP[2:]]) == [1, 0, 0, 0]
    # one word in common is not enough
    assert of("title_there", [segment_of_title_overlap("Bridge", "h", "h1"), *PAGE_OF_TITLE_OVERLAP[2:]]) == [0] * 4
    # invisible segments are not the title
    hidden = segment_of_title_overlap("The old bridge is closed", "h", "h1", origin="json-ld:headline")
    assert of("title_is", [hidden, *PAGE_OF_TITLE_OVERLAP]) == [0, 0, 1, 0, 0, 0]
    assert of("title_is", [hidden, *PAGE_OF_TITLE_OVERLAP[2:]]) == [0] * 4
    assert of("title_is", [{**hidden, "origin": "noscript"}, *PAGE_OF_TITLE_OVERLAP[2:]]) == [1, 0, 0, 0]


@pytest.mark.parametrize("title, text, share", [
    ("Мост закрыт – Новости", "«Мост» ЗАКРЫТ", 1.0), ("老橋關閉 - 新聞", "老橋關閉。", 1.0),
    ("Γέφυρα: έκλεισε", "Έκλεισε η γέφυρα", 2 / 3), ("Bridge’s end", "BRIDGE'S END", 1.0),
    ("a_b c", "A\0B\nC\ud800", 1.0), ("Мост", "Old bridge", 0.0),
])  # fmt: skip
def test_words_of_many_scripts(title: str, text: str, share: float) -> None:
    assert of("title_share", [segment_of_title_overlap(text)], Head(title)) == [pytest.approx(share, abs=1e-3)]


def test_only_the_beginning_of_a_segment_is_read() -> None:
    beginning = "word " * (MAX_TEXT_CHARS // len("word "))
    assert (
        of("title_share", [segment_of_title_overlap(beginning + "the old bridge is closed"), *PAGE_OF_TITLE_OVERLAP])[0]
        == 0
    )
    found = of("title_share", [segment_of_title_overlap("word " * 99_999), *PAGE_OF_TITLE_OVERLAP] * 3)
    assert found[0] == 0 and found[2] == pytest.approx(1)


def test_words_of_a_text_are_distinct() -> None:
    found = distinct_words("It’s 2 o'clock, 東京 time_zone")
    assert found == {"it", "s", "2", "o", "clock", "東", "京", "time", "zone"}


# ---- places ----
FORMS_OF_PLACES = in_both_forms("features.places")


def places_of(form: ModuleType, paths: list[str]) -> Any:
    elements = elements_of(paths)
    return form.Places(elements, [elements.add(path) for path in paths])


@FORMS_OF_PLACES
def test_places_are_elements_in_order_of_appearance(form: ModuleType) -> None:
    places = places_of(form, ["body/div/p", "body", "body/div", "body/div/p"])
    assert list(places.place) == [0, 1, 2, 0] and places.nodes == [3, 1, 2]
    empty = places_of(form, [])
    assert empty.nodes == [] and list(empty.groups) == []


@FORMS_OF_PLACES
def test_groups_of_a_page(form: ModuleType) -> None:
    paths = [
        "body/nav#x/ul/li",  # 0
        "body/nav#y/ul/li",  # 1
        "body/nav#x/ul/li",  # 2
        "body/nav#x/ul/p",  # 3
        "body/main/ul/li",  # 4
        "body",  # 5
    ]
    grown = places_of(form, paths)

    def partition(name: str) -> list[list[int]]:
        kind = GROUP_KINDS.index(name)
        found: dict[int, list[int]] = {}
        for segment, place in enumerate(grown.place):
            found.setdefault(grown.groups[place * KINDS + kind], []).append(segment)
        assert sorted(found) == list(range(grown.starts[kind], grown.starts[kind + 1])), "ids have gaps"
        return sorted(found.values())

    assert partition("up0") == [[0, 2], [1], [3], [4], [5]]
    assert partition("up1") == [[0, 2, 3], [1], [4], [5]]
    assert partition("up2") == [[0, 2, 3], [1], [4], [5]]
    # three steps up: body; from body itself, the root
    assert partition("up3") == [[0, 1, 2, 3, 4], [5]]
    assert partition("up4") == [[0, 1, 2, 3, 4, 5]]
    assert partition("sig") == [[0, 1, 2], [3], [4], [5]]
    assert partition("sig2") == [[0, 1, 2, 4], [3], [5]]
