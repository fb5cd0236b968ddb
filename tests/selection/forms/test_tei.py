"""TEI: its elements, and that it is valid."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from made_segments import SOME, Segment, code, h, item, p

from ncfilters.selection.formats import OUTPUT_FORMS
from ncfilters.selection.forms.elements import tei


def body(*segments: Segment, **document: Any) -> str:
    return tei(list(segments), document).partition("<body>\n")[2].partition("\n</body>")[0]


def cell(text: str, row: int, column: int, **more: Any) -> Segment:
    return p(text, table=1, cells=[{"start": 0, "end": len(text), "row": row, "column": column, **more}])


ALL = [
    h("Title", 1),
    p(
        "a b c d e f g h i",
        spans=[[2 * at, 2 * at + 1, kind] for at, kind in enumerate(["em", "strong", "sup", "del", "code"])],
    ),
    p("a b\nc", lines=True, spans=[[2, 3, "link", "https://x/?a&b"]]), h("Part", 2),
    p("Formula", spans=[[0, 7, "math", "x<y", "display"]]), item("one"), item("two", 2, "3.", "ol"),
    {**h("Heading in a quote", 3), "quote": 1}, p("a", quote=2),
    p("x", figure=[{"src": "https://x/i", "alt": "An image"}, {"src": "https://x/j", "after": True}]),
    p("The mill", tag="figcaption"), {**p("Names"), "table": 1, "tag": "caption"}, cell("a", 0, 0, rows=2, header=True),
    cell("b", 0, 1, columns=2), cell("d", 1, 2), {**code("x = 1\n  y"), "code_language": "python"}, h("Another", 2),
    p("Text.1", spans=[[5, 6, "note", "n"], [0, 0, "image", {"src": "https://x/k", "alt": "k"}]]),
    p("Note.", note={"id": "n"}),
]  # fmt: skip
META = {
    "title": "T", "author": ["A", "B"], "date": "2026-05-01", "site": "S", "language": "en", "license": "CC BY",
    "description": "D", "categories": ["C"],
}  # fmt: skip
DOCUMENTS: list[tuple[list[Segment], dict[str, Any]]] = [
    (ALL, {"id": "a", "url": "https://x/a?b&c", "lang": "en", "head": META}), (ALL[:10], {"id": 7}),
    (SOME, {"id": "b"}), ([], {}), ([h("Only a title", 3)], {}), ([{**h("In an item", 2), "depth": 1, "item": 1}], {}),
]  # fmt: skip


def test_sections_nest_by_level() -> None:
    page = [h("A", 1), p("a"), h("B", 3), h("C", 2), p("c")]
    assert body(*page).replace("\n", "") == (
        '<div n="1"><head>A</head><p>a</p><div n="3"><head>B</head></div><div n="2"><head>C</head><p>c</p></div></div>'
    )


def test_a_heading_that_is_all_bold_is_not() -> None:
    bold = {"spans": [[0, 5, "strong"]]}
    assert "<head>a &lt; b</head>" in body({**h("a < b", 2), **bold})
    assert '<ab type="head" n="2">a &lt; b</ab>' in body({**h("a < b", 2), **bold, "depth": 1, "item": 1})


def test_spans_lists_and_tables() -> None:
    text = body(*ALL)
    for part in (
        '<p><hi rend="italic">a</hi> <hi rend="bold">b</hi> <hi rend="superscript">c</hi> <del>d</del> <code>e</code>',
        '<p>a <ref target="https://x/?a&amp;b">b</ref><lb/>\nc</p>',
        '<formula notation="TeX" rend="display">x&lt;y</formula>',
        '<list rend="bulleted">\n<item>one\n<list rend="numbered">\n<item n="3">two</item>',
        '<quote>\n<ab type="head" n="3">Heading in a quote</ab>\n<quote>\n<p>a</p>',
        '<figure>\n<head>The mill</head>\n<graphic url="https://x/j"/>\n</figure>',
        '<graphic url="https://x/i"><desc>An image</desc></graphic>',
        '<table>\n<head>Names</head>\n<row>\n<cell role="label" rows="2">a</cell>\n<cell cols="2">b</cell>',
        '<ab><code lang="python" xml:space="preserve">x = 1\n  y</code></ab>',
    ):
        assert part in text
    (name,) = re.findall('<note xml:id="(.*?)"', text)
    assert f'<ref type="note" target="#{name}">1</ref>' in text


# What trafilatura's schema lacks of TEI P5: the module for tables, formulas and figures (chapter 15), and <code>.
MODULE = """<!ENTITY % model.listLike "list | table">
<!ENTITY % model.divPart "%model.lLike; |%model.pLike; |lg |sp | figure">
<!ENTITY % model.segLike "seg | code | formula">
"""
ELEMENTS = """
<!ELEMENT table ((head)*, (row)+)> <!ATTLIST table rend CDATA #IMPLIED>
<!ELEMENT row (cell)+> <!ATTLIST row role CDATA #IMPLIED>
<!ELEMENT cell %macro.specialPara;>
<!ATTLIST cell role CDATA #IMPLIED rows CDATA #IMPLIED cols CDATA #IMPLIED>
<!ELEMENT figure (head | p | figDesc | graphic)*>
<!ELEMENT formula (#PCDATA)> <!ATTLIST formula notation CDATA #IMPLIED rend CDATA #IMPLIED>
<!ELEMENT code (#PCDATA)> <!ATTLIST code lang CDATA #IMPLIED xml:space CDATA #IMPLIED>
"""


def schema(tmp_path: Path, extended: bool) -> Any:
    etree = pytest.importorskip("lxml.etree", reason="lxml is not installed")
    trafilatura = pytest.importorskip("trafilatura", reason="trafilatura, which has the schema, is not installed")
    text = (Path(trafilatura.__file__).parent / "data" / "tei_corpus.dtd").read_text(encoding="utf-8")
    if extended:  # the first declaration of an entity counts
        head, mark, rest = text.partition("<!ENTITY % model.lLike ")
        lines = MODULE.splitlines(keepends=True)
        text = lines[0] + lines[2] + head + mark + rest + ELEMENTS
        text = text.replace('<!ENTITY % model.divPart "', lines[1] + '<!ENTITY % model.divPart "', 1)
    (tmp_path / "tei.dtd").write_text(text, encoding="utf-8")
    return etree, etree.DTD(str(tmp_path / "tei.dtd"))


def corpus(documents: list[tuple[list[Segment], dict[str, Any]]]) -> bytes:
    form = OUTPUT_FORMS["xml"]
    whole = form.head + "".join([form.text(*document) + "\n" for document in documents]) + form.tail
    return whole.encode()


@pytest.mark.oracle
def test_documents_are_valid(tmp_path: Path) -> None:
    etree, dtd = schema(tmp_path, extended=True)
    assert dtd.validate(etree.fromstring(corpus(DOCUMENTS))), dtd.error_log


@pytest.mark.oracle
def test_documents_without_tables_are_valid_by_trafilaturas_schema(tmp_path: Path) -> None:
    etree, dtd = schema(tmp_path, extended=False)
    simple = [s for s in SOME if s.get("tag") != "tr" and not s.get("pre")]
    assert dtd.validate(etree.fromstring(corpus([(simple, {"id": "a", "head": META}), (ALL[2:4], {})]))), dtd.error_log
    assert not dtd.validate(etree.fromstring(corpus([([], {})]).replace(b"<p/>", b"<nosuch/>")))
