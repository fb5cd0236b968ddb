"""Labels beside names."""

import pytest

from ncfilters.page.metadata.author_names import author_names, organization_name
from ncfilters.page.metadata.label_words import is_copyright, without_labels


@pytest.mark.parametrize(
    "text",
    (
        "Ann Lee",
        "Ann Lee Veröffentlicht",
        "Ann Lee last updated",
        "Erstellt von Ann Lee",
        "Zeige alle Beiträge von Ann Lee",
        "Skrevet af Ann Lee - Opdateret:",
        "Autor Ann Lee",
        "Ann Lee 稿源：",
    ),
)
def test_labels_are_no_part_of_names(text: str) -> None:
    assert without_labels(text) == "Ann Lee"


@pytest.mark.parametrize(
    "text", ("Son Güncelleme", "Last Edited", "Autor", "Yazar", "Publicado", "", "Автор", "Nachrichten", "Новости")
)
def test_labels_alone_are_no_names(text: str) -> None:
    assert author_names(text) == []


@pytest.mark.parametrize(
    "text", ("Ann Lee (Diary)", "Nguyen Van Son", "Edward Said", "James Last", "von Arnim", "Di Maio")
)
def test_names_that_are_like_labels_stay(text: str) -> None:
    assert without_labels(text) == text


def test_owners_of_pictures_are_no_authors() -> None:
    for text in ("Copyright Ann Lee, AP", "© Ann Lee", "Foto: Ann Lee"):
        assert is_copyright(text) and author_names(text) == []
    assert not is_copyright("Ann Copyright") and not is_copyright(" ")


def test_agencies_are_none_beside_their_reporters() -> None:
    assert author_names("Ann Lee, AP") == ["Ann Lee"]
    assert author_names("By Ann Lee, TNN") == ["Ann Lee"]


def test_addresses_and_phrases_are_no_authors() -> None:
    assert author_names("gazette.org, Frankfurt, Germany", ["gazette.org"]) == []
    assert author_names("gazette.org, Ann Lee", ["gazette.org"]) == ["Ann Lee"]
    assert author_names("Ministerium für Regen und Schnee") == []
    assert author_names("Vincent van der Lee") == ["Vincent van der Lee"]
    assert organization_name("Gazette und AFP") == "Gazette und AFP"
    assert organization_name("posted by TidyPuddle on ") == "TidyPuddle"


def test_companies_are_no_persons() -> None:
    for text in ("PUDDLE CO.,INC", "Puddle Works, Inc.", "Puddle Works, GmbH"):
        assert author_names(text) == [] and organization_name(text)
    assert author_names("Ann Lee, Puddle, Inc.") == ["Ann Lee"]


def test_names_that_are_like_words_stay() -> None:
    assert author_names("Xiaoying You") == ["Xiaoying You"] and author_names("Min Lee") == ["Min Lee"]
    assert author_names("5 min read") == [] and author_names("About you") == []
