"""The text of segments on one line and in lines; text in XML."""

from __future__ import annotations

from made_segments import code, p

from ncfilters.selection.forms.lines import has_lines, in_xml, line, lines, without_controls, xml_attribute, xml_text


def test_lines_of_the_page_are_kept() -> None:
    poem = p("Roses \nare red", lines=True)
    assert (line(poem), lines(poem), has_lines(poem)) == ("Roses are red", "Roses\nare red", True)
    assert lines(code("\n  a\r\n\tb \n")) == "  a\n\tb"
    assert lines(p("a\n b")) == "a b"
    assert not has_lines(p("a\n b"))


def test_characters_that_xml_does_not_have() -> None:
    assert in_xml("a\0b\ufffe\ud800c\x0c") == "abc"
    assert xml_text("<a & \x01b>") == "&lt;a &amp; b&gt;"
    assert xml_attribute('"a\nb\u2028c"') == "&quot;a b c&quot;"
    assert without_controls("a\0b\tc\nd\x7f") == "a b\tc\nd "
