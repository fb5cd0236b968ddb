"""jusText's paragraphs in the compiled core; `tests/segmentation/test_json_segments.py` compares them with Python."""

from __future__ import annotations

import pytest

from ncfilters.errors import RecordError
from ncfilters.page import compiled_core, justext_blocks
from ncfilters.page.html_source import source_of
from ncfilters.page.justext_columns import blocks_of_html, paragraphs_in_columns
from ncfilters.page.page_options import PageOptions

OPTIONS = PageOptions(profile="justext")

pytestmark = pytest.mark.skipif(
    compiled_core.core() is None, reason="no compiled core here: python setup.py build_ext --inplace"
)


def text(html: str, options: PageOptions = OPTIONS) -> str:
    """The texts of all paragraphs."""
    joined: str = compiled_core.core().column_text(paragraphs_in_columns(source_of(html), options), True)
    return joined


def test_texts() -> None:
    html = "<head><title>t</title></head><p>one<input>two <b>three</b><p>four<script>five</script><form>six</form>"
    assert text(html) == "onetwo threefoursix" == "".join(b["text"] for b in justext_blocks.blocks_of_html(html))
    assert text("") == ""


def test_another_parser_is_for_python() -> None:
    assert paragraphs_in_columns(source_of("<p>one"), OPTIONS._replace(parser="html5lib")) is None


def test_names_beyond_ascii_are_for_python() -> None:
    with pytest.raises(ValueError, match="another name"):
        text("<p>one<aé>two")


def test_dense_pages() -> None:
    with pytest.raises(RecordError):
        text("<p>x" * 100_000)
    with pytest.raises(OverflowError):
        text("<p>xxxxxxxxxxxxx" * 20_000)
    assert text("<p>x" * 20_000, OPTIONS._replace(dense=True)) == "x" * 20_000


def test_long_paths_and_texts() -> None:
    assert text("<i>" * 4_000 + "deep") == "deep"
    assert text("<p>" + "a b\n" * 100_000) == ("a b\n" * 100_000).rstrip()


def test_blocks() -> None:
    html = "<p>one <a href=/>two</a><ul><li>é 中文 🙂"
    expected = justext_blocks.blocks_of_html(html)
    assert blocks_of_html(source_of(html), OPTIONS, 2) == expected and len(expected) == 2
    with pytest.raises(OverflowError, match="blocks"):
        blocks_of_html(source_of(html), OPTIONS, 1)
    for unusual in ("<p>one<aé>two", "<p>one\ud800"):
        assert blocks_of_html(source_of(unusual), OPTIONS, 9) == justext_blocks.blocks_of_html(unusual)
    other = OPTIONS._replace(parser="html5lib")
    assert blocks_of_html(source_of(html), other, 9) == justext_blocks.blocks_of_html(html, "html5lib")
    with pytest.raises(ValueError, match="parser"):
        blocks_of_html(source_of(html), OPTIONS._replace(parser="other"), 9)
