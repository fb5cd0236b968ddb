"""The names of authors, the patterns that find them, and the labels beside them."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ncfilters.page.metadata.author_names import (
    MAX_NAME_CHARS,
    author_names,
    inverted_name,
    is_byline,
    is_copyright,
    is_full_name,
    is_role,
    organization_name,
    without_labels,
)

SLOW_MACHINES = settings(suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("text, names", [
    ("Ann Lee", ["Ann Lee"]), ("By ANN LEE and Bob O'Neill | Staff Writer", ["Ann Lee", "Bob O'Neill"]),
    ("Written by: Sean Peek, Senior Analyst Updated Sep 17, 2025", ["Sean Peek"]),
    ("by Emily Cadloff · October 10, 2021", ["Emily Cadloff"]),
    ("Genevieve Carlton, Ph.D.", ["Genevieve Carlton, Ph.D."]), ("Ann Lee <ann@gazette.org>", ["Ann Lee"]),
    ("Ann Lee <ann_lee at gazette dot org>, Bob Ray <bob@gazette.org>", ["Ann Lee", "Bob Ray"]),
    ("Di Mario Rossi", ["Mario Rossi"]), ("di Mario Rossi e Anna Bianchi", ["Mario Rossi", "Anna Bianchi"]),
    ("Di Stefano", ["Di Stefano"]), ("Par Jean Dupont le 3 mai 2020", ["Jean Dupont"]),
    ("von Karl Müller am 3. Mai", ["Karl Müller"]), ("Por Ana Gómez el", ["Ana Gómez"]),
    ("Di Mario Rossi il 3 maggio", ["Mario Rossi"]), ("Door Jan de Vries op 3 mei 2020", ["Jan de Vries"]),
    ("Av Kari Nordmann, 3. mai", ["Kari Nordmann"]), ("Door Jan", ["Door Jan"]),
    ("Författare: Anna Svensson", ["Anna Svensson"]), ("Yazan: Ali Kaya", ["Ali Kaya"]),
    ("Γράφει ο Γιώργος Παπάς", ["Γιώργος Παπάς"]), ("文／王小明", ["王小明"]),
    ("Lizzie Streit, MS, RDN, LD", ["Lizzie Streit, MS, RDN, LD"]),
    ("Thomas Broderick, Nalea Ko, and April Fulton", ["Thomas Broderick", "Nalea Ko", "April Fulton"]),
    ("Rui Ma, Heba Ledwon & Suparn Patra", ["Rui Ma", "Heba Ledwon", "Suparn Patra"]),
    ("By A. J. Neal on May 3", ["A. J. Neal"]), ("Jean-Luc Aufranc (CNXSoft)", ["Jean-Luc Aufranc"]),
    ("annette thurmon", ["Annette Thurmon"]), ("Posted by felixen", ["felixen"]),
    ("Von Jürgen Müller", ["Jürgen Müller"]), ("Автор: Иван Петров", ["Иван Петров"]), ("记者：王小明", ["王小明"]),
    ("Keith Barry Senior Autos Reporter", ["Keith Barry"]),
    ("Posted by Erich Schmidt, Software Engineer", ["Erich Schmidt"]),
    ("Posted by Krishna Bharat, Distinguished Scientist", ["Krishna Bharat"]), ("Article Launched", []),
    ("Erik van Vulpen", ["Erik van Vulpen"]), ("Ann&nbsp;Lee", ["Ann Lee"]), ("luizjr4", ["luizjr4"]),
    ("Published August 7, 2023 by Ann Lee", ["Ann Lee"]), ("Ann Lee, ann lee", ["Ann Lee"]),
    ("Ann Lee Ann Lee", ["Ann Lee"]), ("Anna della Croce", ["Anna della Croce"]),
    ("Maria & Katerina", ["Maria", "Katerina"]), ("Ann Lee, Home and Digital Security Expert", ["Ann Lee"]),
    ("Ann Lee, Head of Rain and Snow Development", ["Ann Lee"]),
    ("Ann Lee and Bob Ray, Extension duck educators", ["Ann Lee", "Bob Ray"]),
    ("Ann Lee, Staff Writer, and Bob Ray", ["Ann Lee", "Bob Ray"]), ("By Ann on May 3", ["Ann"]),
    ("Ali Kaya ve Ayşe Demir", ["Ali Kaya", "Ayşe Demir"]),
    ("Jan Kowalski i Anna Nowak", ["Jan Kowalski", "Anna Nowak"]), ("Ann Lee mit AP", ["Ann Lee"]),
    ("Ana Ruiz con EFE", ["Ana Ruiz"]), ("Josep Puig i Cadafalch", ["Josep Puig i Cadafalch"]),
    ("By Ann Lee Twitter", ["Ann Lee"]), ("Newsletter", []),
])  # fmt: skip
def test_names(text: str, names: list[str]) -> None:
    assert author_names(text) == names


@pytest.mark.parametrize(
    "text",
    ["", "admin", "adminn", "Staff", "By Staff", "Podium Staff", "Editorial Team", "Paycom Blog Contributor",
     "@gazette", "ann@gazette.org", "https://www.facebook.com/ann", "Guest", "Anonymous", "by",
     "Community Editor", "andrew.keaveney", "TaxSlayerPro.com",
     "7 minutes", "3", "WGN-TV", "{{ author }}", "Center for Rain and Research", "Duck Hospital",
     "Duck Press Ann lives", "Reviewed by Ann Lee", "Edited by Bob Lee", "undefined",
     "<b>Ann</b>", "Read more about our authors here, and subscribe to the newsletter", "Photo by Ann Lee", "-"],
)  # fmt: skip
def test_no_names(text: str) -> None:
    assert author_names(text) == []


def test_names_of_catalogues_sites_and_roles() -> None:
    assert author_names("By The Daily Puddle", ["Daily Puddle", "the daily puddle"]) == []
    assert author_names("Ann Lee, Puddle News", ["Puddle"]) == ["Ann Lee"]
    assert author_names("puddle1", ["Puddle"]) == []
    for name in ("Duck & Drake", "Rain Expert", "Man in the Rain"):
        assert author_names(name, [name]) == []
    assert inverted_name("Lee, Ann B.") == "Ann B. Lee"
    assert inverted_name("Ann Lee, PhD") == "Ann Lee, PhD"
    assert inverted_name("Lee, Ann, and Bob") == "Lee, Ann, and Bob"
    assert is_byline("By Ann Lee") and is_byline("Written by Ann") and not is_byline("Bypass closed")
    assert is_byline("Posted on 3 May 2024 by Ann") and is_byline("作者：王明") and is_byline("Autorin: Ann Lee")
    assert is_role("Senior Writer") and not is_role("Ann Lee")
    assert is_full_name("Ann Lee") and is_full_name("Erik van Vulpen") and not is_full_name("Rain in the valley")


@SLOW_MACHINES
@given(st.text(max_size=300))
def test_any_text_gives_short_names(text: str) -> None:
    assert all(0 < len(name) <= MAX_NAME_CHARS + 40 for name in author_names(text))


@pytest.mark.parametrize("text, expected", [
    ("By Podium Staff", "Podium Staff"), ("Swoogo November 26th, 2024", "Swoogo"),
    ("By 3i Ducks on May 3, 2024", "3i Ducks"), ("Center for Rain and Research", "Center for Rain and Research"),
    ("Editorial Team", ""), ("admin", ""), ("Edited by Ann Lee", ""), ("a@b.org", ""), ("What is rain?", ""),
])  # fmt: skip
def test_organizations(text: str, expected: str) -> None:
    assert organization_name(text) == expected


ENDS = (
    "on Monday; in Rain; for the Gazette; from Saltmarsh; via Puddle; at Noon; published; Posted by; updated; "
    "last updated; reviewed by Bob; Edited by Bob; medically reviewed; Photo Bob; photos; Illustrator Bob; "
    "illustrations; tuesday; www.a.example; & photos; , on; - x; | x; @x; (x); [x]; 3 May; May 3; \u00b7 x; b@a.example"
)


@pytest.mark.parametrize("end", ENDS.split("; "))
def test_what_follows_a_name_is_left_out(end: str) -> None:
    assert author_names(f"By Ann Lee {end}")[:1] == ["Ann Lee"]


LABELLED = (
    "*|* Veröffentlicht|* last updated|Erstellt von *|Zeige alle Beiträge von *|Skrevet af * - Opdateret:|* 稿源："
)


def test_labels_are_no_part_of_names() -> None:
    for text in LABELLED.split("|"):
        assert without_labels(text.replace("*", "Ann Lee")) == "Ann Lee", text
    for label in "Son Güncelleme|Last Edited|Autor|Yazar|Publicado||Автор|Nachrichten|Новости".split("|"):
        assert author_names(label) == [], label
    for name in "Ann Lee (Diary)|Nguyen Van Son|Edward Said|James Last|von Arnim|Di Maio".split("|"):
        assert without_labels(name) == name


def test_owners_of_pictures_agencies_companies_and_addresses_are_no_authors() -> None:
    for text in ("Copyright Ann Lee, AP", "© Ann Lee", "Foto: Ann Lee"):
        assert is_copyright(text) and author_names(text) == []
    assert not is_copyright("Ann Copyright") and not is_copyright(" ")
    assert author_names("Ann Lee, AP") == ["Ann Lee"]
    assert author_names("By Ann Lee, TNN") == ["Ann Lee"]
    assert author_names("gazette.org, Frankfurt, Germany", ["gazette.org"]) == []
    assert author_names("gazette.org, Ann Lee", ["gazette.org"]) == ["Ann Lee"]
    assert author_names("Ministerium für Regen und Schnee") == []
    assert author_names("Vincent van der Lee") == ["Vincent van der Lee"]
    assert organization_name("Gazette und AFP") == "Gazette und AFP"
    assert organization_name("posted by TidyPuddle on ") == "TidyPuddle"
    for text in ("PUDDLE CO.,INC", "Puddle Works, Inc.", "Puddle Works, GmbH"):
        assert author_names(text) == [] and organization_name(text)
    assert author_names("Ann Lee, Puddle, Inc.") == ["Ann Lee"]
    assert author_names("Xiaoying You") == ["Xiaoying You"] and author_names("Min Lee") == ["Min Lee"]
    assert author_names("5 min read") == [] and author_names("About you") == []
