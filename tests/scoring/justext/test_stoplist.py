"""Stop lists: counted, written, read, found by name, and refused with the reason."""

from __future__ import annotations

import pickle
import re
import sys
from collections import Counter
from pathlib import Path

import pytest

from ncfilters.errors import ModelError, UsageError
from ncfilters.scoring.justext import stoplist
from ncfilters.text.words import words as words_of

TEXTS = ["The cat and the dog.", "THE END, and 42 of 1984; 3d", ""]
COUNTS = Counter(the=5, of=3, and_=3, a=2, cat=1, dog=1)  # 15 running words


def refused(path: Path, why: str) -> None:
    with pytest.raises(ModelError, match=f"^{re.escape(str(path))}: .*{why}") as raised:
        stoplist.read_stoplist(path)
    assert "\n" not in str(raised.value)


# ---- counted and chosen ---------------------------------------------------------------------------------------
def test_words_are_counted_and_weighted() -> None:
    assert stoplist.count_words(TEXTS) == {"the": 3, "and": 2, "cat": 1, "dog": 1, "end": 1, "of": 1, "3d": 1}
    assert stoplist.count_words(iter([])) == {}
    assert stoplist.count_words(["42 – 1984 ___ ½ ²"]) == {}
    assert stoplist.count_words(["the", "don't", "42"], [5, 2, 9]) == {"the": 5, "don": 2, "t": 2}
    assert stoplist.count_words(["a b", "a"], iter([10**12, 1])) == {"a": 10**12 + 1, "b": 10**12}
    assert stoplist.count_words(["我的书, 我的"]) == {"我": 2, "的": 2, "书": 1}
    assert stoplist.count_words(["กำ กิน"]).keys() == {"ก", "กิ", "น", "ำ"}


@pytest.mark.parametrize(
    ("size", "coverage", "wanted"),
    [
        (1, None, ["the"]),
        (3, None, ["the", "and_", "of"]),  # equally frequent: in order of characters
        (100, None, ["the", "and_", "of", "a", "cat", "dog"]), (None, 0.01, ["the"]), (None, 5 / 15, ["the"]),
        (None, 0.34, ["the", "and_"]),
        (None, 0.8, ["the", "and_", "of", "a"]),  # 13 of 15
        (None, 1.0, ["the", "and_", "of", "a", "cat", "dog"]), (2, 0.8, ["the", "and_"]), (5, 0.34, ["the", "and_"]),
    ],
)  # fmt: skip
def test_size_and_coverage_select_frequent_words(size: int | None, coverage: float | None, wanted: list[str]) -> None:
    assert stoplist.most_frequent_words(COUNTS, size, coverage) == wanted
    backwards = dict(reversed(COUNTS.items()))
    assert stoplist.most_frequent_words(backwards, size, coverage) == wanted


def test_coverage_is_the_share_of_running_words() -> None:
    even = {chr(ord("a") + number): 3 for number in range(10)}
    for some in range(1, 11):
        assert len(stoplist.most_frequent_words(even, None, some / 10)) == some
    with pytest.raises(ValueError, match="no training data"):
        stoplist.most_frequent_words(stoplist.count_words(["42", ""]), 10)
    assert stoplist.coverage_of(COUNTS, ["the", "a", "a", "never"]) == 7 / 15
    assert stoplist.coverage_of(COUNTS, stoplist.most_frequent_words(COUNTS, coverage=0.7)) >= 0.7
    assert stoplist.coverage_of({}, ["the"]) == 0


@pytest.mark.parametrize(("size", "coverage", "why"), [
    (None, None, "a size or a coverage"), (0, None, "size is 0"), (-1, 0.5, "size is -1"), (None, 0.0, "coverage is 0"),
    (None, 1.5, "coverage is 1.5"), (3, float("nan"), "coverage is nan"),
])  # fmt: skip
def test_size_and_coverage_out_of_range_are_refused(size: int | None, coverage: float | None, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        stoplist.most_frequent_words(COUNTS, size, coverage)


# ---- files ----------------------------------------------------------------------------------------------------
def test_a_list_is_a_text_file_with_comments(tmp_path: Path) -> None:
    about = {
        "language": "en", "name": "", "credits": "Corpus A, CC BY 4.0\nCorpus B, free", "words counted": 15,
        "command": "nc-train stoplist: -o x",
    }  # fmt: skip
    stoplist.write_stoplist(tmp_path / "x.txt", ["the", "été", "的"], about)
    assert (tmp_path / "x.txt").read_bytes() == (
        "# language: en\n# credits: Corpus A, CC BY 4.0\n# credits: Corpus B, free\n# words counted: 15\n"
        "# command: nc-train stoplist: -o x\nthe\nété\n的\n"
    ).encode()
    words, said = stoplist.read_stoplist(tmp_path / "x.txt")
    assert words == {"the", "été", "的"}
    assert said == {key: str(value) for key, value in about.items() if value}


def test_comments_of_lists(tmp_path: Path) -> None:
    stoplist.write_stoplist(
        tmp_path / "x", ["the"], {"credits": "one\ntwo\r\nthree\x85four\u2028five", "command": "\udcff"}
    )
    words, said = stoplist.read_stoplist(tmp_path / "x")
    assert words == {"the"}
    assert said["credits"].split("\n") == ["one", "two", "three", "four", "five"]
    (tmp_path / "x").write_bytes("\ufeff# no key here\r\n\r\nThe\r\n  Été \nDON'T\nthe".encode())
    assert stoplist.read_stoplist(tmp_path / "x") == ({"the", "été", "don't"}, {})


@pytest.mark.parametrize(("content", "why"), [
    (b"", "no word"), (b"# language: en\n\n \n", "no word"), ("# a\nthe\nété\n".encode("latin-1"), "line 3: not UTF-8"),
    ("the\n".encode("utf-16"), "line 1: not UTF-8"), ("the\n".encode("utf-16-le"), "line 1: must be a single word"),
    (b"the\nof the\n", "line 2: must be a single word"), (b"PK\x03\x04\n", "line 1: must be a single word"),
    (b"the\na\0b\n", "line 2: must be a single word"),
    *((pickle.dumps(frozenset({"the"}), protocol), "a pickle") for protocol in range(2, 6)),
])  # fmt: skip
def test_files_that_are_no_list_are_refused(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "x").write_bytes(content)
    refused(tmp_path / "x", why)


def test_missing_files_are_errors(tmp_path: Path) -> None:
    refused(tmp_path / "missing", "No such file")
    refused(tmp_path, "directory")
    with pytest.raises(UsageError, match="No such file"):
        stoplist.write_stoplist(tmp_path / "nowhere" / "x", ["the"], {})


# ---- the lists that come with the program ---------------------------------------------------------------------
SHIPPED = stoplist.installed_stoplists()

# Two sentences of everyday prose in languages of many families: near the rules' threshold for a paragraph, 0.32.
PROSE = {
    "af": "Die kinders speel in die tuin omdat dit vandag nie reën nie. Hulle sal later saam met hul ouers eet.",
    "ar": "كان الرجل في البيت عندما وصل الخبر إلى المدينة. ثم قال إنه لا يعرف ما الذي حدث بعد ذلك في هذا اليوم.",
    "ca": "El meu germà va dir que no podia venir perquè havia de treballar tot el dia amb els seus companys.",
    "cs": "Když jsem byl malý, bydleli jsme na vesnici a každý den jsme chodili do školy pěšky přes les.",
    "cy": "Mae'r plant yn chwarae yn yr ardd oherwydd nad yw hi'n bwrw glaw heddiw, ac yna byddant yn mynd i'r tŷ.",
    "de": "Als wir gestern nach Hause kamen, war es schon dunkel, und wir hatten den ganzen Tag nichts gegessen.",
    "el": "Όταν ήμουν μικρός, μέναμε σε ένα χωριό και κάθε μέρα πηγαίναμε στο σχολείο με τα πόδια μέσα από το δάσος.",
    "en": "When we came home yesterday it was already dark, and we had not eaten anything for the whole of the day.",
    "es": "Mi hermano dijo que no podía venir porque tenía que trabajar todo el día con sus compañeros de la oficina.",
    "et": "Kui ma olin väike, siis me elasime maal ja iga päev käisime koolis jala, sest see ei olnud meist kaugel.",
    "eu": "Txikia nintzenean herri batean bizi ginen, eta egunero oinez joaten ginen eskolara, baina ez zen urruti.",
    "fi": "Kun olin pieni, asuimme maalla ja kävimme joka päivä koulussa jalan, koska se ei ollut kovin kaukana.",
    "fr": "Mon frère a dit qu'il ne pouvait pas venir parce qu'il devait travailler toute la journée avec les autres.",
    "hi": "जब मैं छोटा था तब हम एक गाँव में रहते थे और हर दिन स्कूल जाते थे, क्योंकि वह हमारे घर से बहुत दूर नहीं था।",
    "hu": "Amikor kicsi voltam, egy faluban laktunk, és minden nap gyalog mentünk az iskolába, mert az közel volt.",
    "id": "Ketika saya masih kecil, kami tinggal di sebuah desa dan setiap hari kami pergi ke sekolah dengan kaki.",
    "ja": "子供のころ、私たちは小さな村に住んでいて、毎日歩いて学校に行っていました。それは遠くなかったからです。",
    "la": "Cum puer essem, in vico habitabamus et cotidie ad scholam pedibus ibamus, quod non longe ab eo erat.",
    "pl": "Kiedy byłem mały, mieszkaliśmy na wsi i codziennie chodziliśmy do szkoły, bo nie było to daleko od nas.",
    "ru": "Когда я был маленьким, мы жили в деревне и каждый день ходили в школу, потому что это было не так далеко.",
    "sr": "Када сам био мали, живели смо на селу и сваки дан смо ишли у школу, јер то није било далеко од нас.",
    "sv": "När jag var liten bodde vi på landet, och varje dag gick vi till skolan eftersom det inte var så långt dit.",
    "tr": "Ben küçükken bir köyde otururduk ve her gün okula yürüyerek giderdik, çünkü o bizim için çok uzak değildi.",
    "vi": "Khi tôi còn nhỏ, chúng tôi sống ở một ngôi làng và mỗi ngày đều đi bộ đến trường vì nó không xa lắm.",
    "zh": "我小的时候，我们住在一个村子里，每天都走路去上学，因为学校离我们家不是很远。后来我们就到城里去了。",
    "zh-hant": "我小的時候，我們住在一個村子裡，每天都走路去上學，因為學校離我們家不是很遠。後來我們就到城裡去了。",
}


def density(words: frozenset[str], text: str) -> float:
    found = words_of(text)
    return sum(word in words for word in found) / len(found)


def test_lists_of_a_hundred_languages_have_their_own_words() -> None:
    assert len(SHIPPED) >= 100
    assert len({name for name, _ in SHIPPED.values()}) == len(SHIPPED)
    assert {"en", "zh", "ja", "th", "km", "be-tarask", "war"} <= SHIPPED.keys()
    assert sum(path.stat().st_size for _, path in SHIPPED.values()) < 1_500_000
    for code, text in PROSE.items():
        words = stoplist.find_stoplist(code)[0]
        own = density(words, text)
        assert own > 0.34 and density(words, "Xylograph Quokka Zyzzyva Brontosaurus") == 0, code
        for other in ("ar", "el", "en", "fi", "hi", "ru", "tr", "vi"):
            if code not in (other, "sr", "af"):
                assert density(stoplist.find_stoplist(other)[0], text) < own, f"{code} is read as {other}"


@pytest.mark.parametrize("code", SHIPPED)
def test_installed_lists_are_complete(code: str) -> None:
    name, path = SHIPPED[code]
    words, about = stoplist.read_stoplist(path)
    assert about["kind"] == "stoplist"
    assert (about["language"], about["name"]) == (code, name)
    assert re.search("CC BY|GPL|MIT|MPL|Apache", about["credits"])
    assert 15 <= len(words) == int(about["words"]) < 7000
    assert 0.6 <= float(about["coverage"]) < 0.87
    assert "/" not in about["command"].replace("models/make-stoplists", "").split("--credit")[0]
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert len(lines) == len(words)  # no word twice
    for word in lines:
        assert word == word.lower()
        assert words_of(word) == [word], "a word that no text can have"
        assert not any(map(str.isdecimal, word))


@pytest.mark.parametrize("code", ["ar", "el", "hi", "ka", "ko", "ru", "th", "zh"])
def test_lists_of_other_scripts_have_no_latin_letters(code: str) -> None:
    assert not [word for word in stoplist.find_stoplist(code)[0] if re.search("[a-z]", word)]


# ---- lists by name --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "code"), [
    ("en", "en"), ("EN", "en"), ("English", "en"), ("english", "en"), ("Norwegian Bokmål", "nb"),
    ("Norwegian_Bokmal", "nb"), ("zh-hant", "zh-hant"), ("ZH_Hant", "zh-hant"), ("serbo croatian", "sh"),
])  # fmt: skip
def test_lists_are_found_by_code_and_name(name: str, code: str) -> None:
    words, about = stoplist.find_stoplist(name)
    assert about["language"] == code
    assert words == stoplist.read_stoplist(SHIPPED[code][1])[0]


def test_lists_are_found_by_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").write_text("Foo\nbar\n")
    (tmp_path / "en").write_text("foo\n")
    assert stoplist.find_stoplist(str(tmp_path / "mine"))[0] == {"foo", "bar"}
    monkeypatch.chdir(tmp_path)
    assert stoplist.find_stoplist("mine")[0] == {"foo", "bar"}
    assert stoplist.find_stoplist("./en")[0] == {"foo"}
    assert len(stoplist.find_stoplist("en")[0]) > 100  # the language, not the file
    with pytest.raises(ModelError, match="nowhere/x.txt: No such file"):
        stoplist.find_stoplist("nowhere/x.txt")


@pytest.mark.parametrize(("name", "why"), [
    ("Englsh", r"^Englsh: no such stop list\. .*such as English.*installed are .*\ben\b"),
    ("Klingon", r"^Klingon: no such stop list.*Give a code such as en"), ("", "no such stop list"),
    ("..", "no such stop list|directory"), ("xx", "no such stop list"),
])  # fmt: skip
def test_unknown_names_are_errors_with_suggestions(name: str, why: str) -> None:
    with pytest.raises(ModelError, match=why) as raised:
        stoplist.find_stoplist(name)
    assert "\n" not in str(raised.value)


def test_lists_of_the_package_justext_are_found() -> None:
    justext = pytest.importorskip("justext")
    words, about = stoplist.find_stoplist("justext:English")
    assert words == justext.get_stoplist("English")
    assert about["name"] == "English"
    assert stoplist.find_stoplist("justext:norwegian bokmal")[1]["name"] == "Norwegian_Bokmal"
    with pytest.raises(ModelError, match=r"^justext:Englsh: no such list\. It has Afrikaans, .*Yoruba$"):
        stoplist.find_stoplist("justext:Englsh")
    with pytest.raises(ModelError, match="^justext:: "):
        stoplist.find_stoplist("justext:")


def test_a_missing_package_justext_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "justext", None)
    with pytest.raises(ModelError, match="^justext:English: .*not installed: pip install justext$"):
        stoplist.find_stoplist("justext:English")
