"""The count of documents in another language than that of the model."""

from __future__ import annotations

from ncfilters.scoring.other_languages import OtherLanguages


def message(language: str, *records: dict[str, object]) -> str:
    others = OtherLanguages("mine", language)
    others.count(records)
    return others.message()


def test_documents_in_another_language_are_counted() -> None:
    pl, de, en = ({"lang": "pl", "lang_probability": 0.99}, {"lang": "deu"}, {"lang": "en-GB", "lang_probability": 1})
    assert message("en", pl, en, de, pl) == (
        "mine is for en; 3 of 4 documents are in another language (pl 2, de 1): -m auto chooses the model of each"
    )
    assert "1 of 2 documents is in" in message("en", en, pl)
    assert message("pl", pl) == message("xx", pl) == message("", pl) == ""


def test_uncertain_documents_are_not_counted() -> None:
    assert message("en", {}, {"lang": "und"}, {"lang": "pl", "lang_probability": 0.5}, {"lang": 7}) == ""


def test_list_is_short() -> None:
    assert "(de 1, fr 1, it 1, pl 1, ru 1, …)" in message(
        "en", *({"lang": code} for code in "de fr it pl ru zh".split())
    )
