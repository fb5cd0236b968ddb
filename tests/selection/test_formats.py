"""The table of output forms."""

from __future__ import annotations

from ncfilters.selection.formats import OUTPUT_FORMS


def test_every_form_has_a_suffix_of_its_kind() -> None:
    assert {name: form.suffix for name, form in OUTPUT_FORMS.items()} == {
        "plain": ".txt",
        "text": ".txt",
        "cleaneval": ".txt",
        "markdown": ".md",
        "html": ".html",
        "xml": ".xml",
        "vertical": ".vert",
        "conllu": ".conllu",
    }


def test_text_is_another_name_of_plain() -> None:
    assert OUTPUT_FORMS["text"] == OUTPUT_FORMS["plain"]
