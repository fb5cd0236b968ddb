"""Characters, words, tokens and their numbers."""

from __future__ import annotations

import json
import re
import unicodedata
from array import array
from pathlib import Path
from types import ModuleType

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from resiliparse.parse import lang as resiliparse
from uncompiled import in_both_forms

from ncfilters.page.metadata.titles import host_name
from ncfilters.text import char_classes as classes
from ncfilters.text import language, scripts
from ncfilters.text import words as words_of_western
from ncfilters.text.char_classes import (
    BRACKET,
    CLASS_OF,
    CLASSES,
    COMMA,
    DIGIT,
    LETTER,
    MARK,
    PLAIN,
    SIGN,
    SPACE,
    STOP,
    UPPER,
    WIDE,
    space_table,
)
from ncfilters.text.char_classes import END as END_OF_CHAR_STATS
from ncfilters.text.lazy_pattern import LazyPattern, lazy_pattern, lazy_regex
from ncfilters.text.scripts import primary
from ncfilters.text.words import END, MARKS, characters, is_western, tokens, words


# ---- char_classes ----
def test_classes_of_bytes() -> None:
    assert len(CLASS_OF) == 256 and max(CLASS_OF) < CLASSES
    assert [CLASS_OF[byte] for byte in b"aZ \0"] == [PLAIN, UPPER, SPACE, SPACE]
    assert CLASS_OF["中".encode()[0]] == WIDE
    assert "A-bß".encode().translate(space_table("AB")) == "a  ß".encode()


# ---- host_name ----
@pytest.mark.parametrize(("url", "host"), [
    ("https://www.News.example:8080/a?b#c", "news.example"), ("http://blog.news.example", "blog.news.example"),
    ("//a.example/b", "a.example"), ("a.example/b", ""), ("http://[::1", ""), ("", ""),
])  # fmt: skip
def test_the_host_of_an_address(url: str, host: str) -> None:
    assert host_name(url) == host


# ---- tags of languages ----
@pytest.mark.parametrize(("tag", "code"), [
    ("en", "en"), ("zh-CN", "zh"), ("pt_BR", "pt"), (" EN-us", "en"), ("eng", "en"), ("zho,eng", "zh"), ("nb", "no"),
    ("gsw", "gsw"), ("und", ""), ("", ""), (None, ""), (7, ""), (["en"], ""),
])  # fmt: skip
def test_primary(tag: object, code: str) -> None:
    assert primary(tag) == code


# ---- words ----
def test_words_in_ascii_are_like_those_of_other_texts() -> None:
    assert words("The BRIDGE's 2nd—pier, café № 5!") == ["the", "bridge", "s", "2nd", "pier", "café", "5"]
    text = "".join(f"a{chr(code)}B_1 " for code in range(128))
    assert words(text) == words("é " + text)[1:]


@pytest.mark.parametrize(("text", "expected"), [
    ("大桥关闭", ["大", "桥", "关", "闭"]), ("2026年5月 iPhone版", ["2026", "年", "5", "月", "iphone", "版"]),
    ("はい、カタカナ", ["は", "い", "カ", "タ", "カ", "ナ"]), ("สะพาน", list("สะพาน")),
    ("다리는 닫혀", ["다리는", "닫혀"]), ("Мост ЗАКРЫТ", ["мост", "закрыт"]), ("", []), ("— … !", []),
])  # fmt: skip
def test_a_word_in_scripts_without_spaces_is_a_character(text: str, expected: list[str]) -> None:
    assert words(text) == expected


# ---- sentence_ends ----
@pytest.mark.parametrize(("text", "expected"), [
    ("He left.", True), ('He said "no."', True), ("你好。", True), ("(He left.)", True), ("News", False), ("a:", False),
])  # fmt: skip
def test_closing_quotes_do_not_hide_a_full_stop(text: str, expected: bool) -> None:
    assert scripts.ends_with(text, scripts.FULL_STOPS) == expected


def test_text_is_cut_behind_quotes_and_scripts_agree_on_letters() -> None:
    text = 'He said "no."  She left. 好。」 3.5'
    assert [match.end() for match in scripts.cut_pattern().finditer(text)] == [15, 25, 28]
    by_block, by_script = re.compile(f"[{scripts.UNSPACED_ALL}]"), regex.compile(f"[{scripts.UNSPACED_SCRIPTS}]")
    for code in (*range(0x3041, 0x3097), *range(0x4E00, 0x9FA6), *range(0x0E01, 0x0E31), 0x1780, 0x1000, 0x20000):
        assert by_block.match(chr(code)) and by_script.match(chr(code)), unicodedata.name(chr(code))


@pytest.mark.parametrize(
    ("text", "expected"), [("Go on: x", True), ("กา กา", True), ("好。好", True), ("3.5 a", False)]
)
def test_prose_has_an_end_of_a_sentence(text: str, expected: bool) -> None:
    assert bool(scripts._prose_patterns()[0].search(text)) == expected


# ---- tokens ----
@pytest.mark.parametrize(("text", "expected"), [
    ("It's 3.5 % of 90s.", ["It's", "3.5", "%", "of", "90s", "."]), ("我的書 book", ["我", "的", "書", "book"]),
    ("カ゚ 2月", ["カ゚", "2", "月"]), ("กำ", ["ก", "ำ"]), ("Wait... what…", ["Wait", "...", "what", "…"]),
    (" \n\u3000", []), ("", []),
])  # fmt: skip
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@given(st.text())
def test_nothing_but_white_space_is_left_out(text: str) -> None:
    assert "".join(tokens(text)) == regex.sub(r"\s", "", text)


@pytest.mark.parametrize("piece", ["a'", "1,", "a1.", "'a", "1a-"])
def test_a_token_of_many_parts_takes_little_memory(piece: str) -> None:
    found = tokens(piece * 1_000_000)
    assert sum(map(len, found)) == len(piece) * 1_000_000
    assert len(found) < 10_000


# ---- lazy_pattern ----
def test_a_pattern_does_what_that_of_re_does() -> None:
    text = "It rained all day."
    for flags in (0, re.I):
        lazy, compiled = lazy_pattern(r"(i)t|a", flags), re.compile(r"(i)t|a", flags)
        assert lazy.findall(text) == compiled.findall(text)
        assert lazy.sub("-", text) == compiled.sub("-", text)
        assert lazy.split(text) == compiled.split(text)
        assert [one.span() for one in lazy.finditer(text, 3)] == [one.span() for one in compiled.finditer(text, 3)]
        assert (lazy.pattern, lazy.flags, lazy.groups) == (compiled.pattern, compiled.flags, compiled.groups)
    assert lazy_pattern(rb"\w+").fullmatch(b"word")
    assert isinstance(lazy, LazyPattern) and lazy.compiled == compiled


def test_patterns_fail_when_they_are_used() -> None:
    broken = lazy_pattern("(")
    with pytest.raises(re.error):
        broken.search("text")
    with pytest.raises(AttributeError):
        lazy_pattern("a").replace("a", "b")  # type: ignore[attr-defined]
    assert lazy_regex(r"\p{Lu}\w+").findall("Ann and Zoë") == ["Ann", "Zoë"]
    assert lazy_regex(r"ann.\p{L}", re.I | re.S).fullmatch("ANN\nL")
    assert not lazy_regex(r"ann.\p{L}").fullmatch("ANN\nL")


# ---- scripts ----
SETS = [scripts.EAST_ASIAN, scripts.UNSPACED, scripts.UNSPACED_ALL, scripts.UNSPACED_IN_LINES]


@pytest.mark.parametrize(("text", "language"), [
    ("Ως", "el"), ("Да", "ru"), ("你好", "zh"), ("ひ", "ja"), ("Zażółć", "en"), ("12", "en"), ("", "en"), ("กา", "en"),
])  # fmt: skip
def test_the_script_tells_the_language(text: str, language: str) -> None:
    assert scripts.likely_language(text) == language


@pytest.mark.parametrize("ranges", SETS)
def test_no_set_has_letters_of_spaced_scripts(ranges: str) -> None:
    assert not re.search(f"[{ranges}]", "Aé Ω Ж א ع हि 한 ა")


@pytest.mark.parametrize(
    ("character", "expected"), [("你", True), ("。", True), ("ひ", True), ("a", False), ("", False)]
)
def test_east_asian_characters_include_punctuation(character: str, expected: bool) -> None:
    assert scripts.is_east_asian(character) == expected


# ---- western ----
# Text of characters that may be Western, or nearly.
TEXTS = st.text(
    st.characters(max_codepoint=0x2FF) | st.sampled_from("’“”…–€→■🙂❤\ufe0f²\u2070\u1e00\u0300ªǅǀ 。.aA\x1c\x85\u2028")
)


@pytest.mark.parametrize("category", ["L", "Lu", "Ll", "Lo", "M", "N"])
def test_characters_of_a_category_are_those_of_regex(category: str) -> None:
    found = characters(category)
    own = re.compile(f"[{found}]" if found else r"(?!)")
    other = regex.compile(rf"\p{{{category}}}")
    assert all(bool(own.match(chr(code))) == bool(other.match(chr(code))) for code in (*range(END), *MARKS))


def test_western_text_has_no_other_letters() -> None:
    assigned = {*range(END, 0x32400), *range(0xE0000, 0xE0200)} - {*MARKS}
    beyond = [chr(code) for code in assigned if is_western(chr(code))]
    assert len(beyond) > 1_000
    assert not any(regex.search(r"[\p{L}\p{M}\p{N}]", character) for character in beyond)
    assert not any(unicodedata.category(character)[0] in "LMN" for character in beyond)


@given(TEXTS)
def test_words_of_western_text_are_those_of_regex(text: str) -> None:
    assert words_of_western.words(text) == words_of_western.word_pattern().findall(text.lower())


# ---- language ----
TEXTS_OF_LANGUAGE = {
    record["lang"]: record["text"]
    for record in map(json.loads, Path(__file__).parents[1].joinpath("data/languages.jsonl").open(encoding="utf-8"))
}


@pytest.mark.parametrize("code", TEXTS_OF_LANGUAGE)
def test_two_sentences(code: str) -> None:
    found, probability = language.identify(TEXTS_OF_LANGUAGE[code])
    assert found == code and probability > 0.9


@pytest.mark.parametrize("code", sorted(TEXTS_OF_LANGUAGE.keys() - {"lv"}))
def test_half_a_sentence_is_enough_with_stop_words(code: str) -> None:
    assert language.identify(TEXTS_OF_LANGUAGE[code][:90])[0] == code


@pytest.mark.parametrize(("text", "code"), [
    ("The word μῆνις begins the Iliad; it is its subject, as every schoolchild knows.", "en"),
    ("Canon EOS R6 配备 24.2MP CMOS 传感器，支持 4K 60p 视频录制", "zh"), ("東京タワー", "ja"),
    ("서울(漢城)의 마지막 전차", "ko"), ("DIE LETZTE STRASSENBAHN VERLÄSST DEN HAFEN", "de"), ("ქართული ენა", "ka"),
    ("𠀀𠀁𠀂𠀃", "zh"), ("ᚠᚢᚦ ᚠᚢᚦ", "und"), ("12:45 – 13:00, 24 °C", "und"), ("\ud800 ...", "und"), ("", "und"),
])  # fmt: skip
def test_scripts(text: str, code: str) -> None:
    assert language.identify(text)[0] == code


def test_certainty_grows_with_the_text() -> None:
    chances = [language.identify(TEXTS_OF_LANGUAGE["el"][:size])[1] for size in (2, 20, 100)]
    assert chances == sorted(chances) and chances[0] < 0.8
    assert language.identify("Shop")[1] < 0.8 and language.identify("")[1] == 0
    assert language.identify(TEXTS_OF_LANGUAGE["de"] * 11 + TEXTS_OF_LANGUAGE["ru"] * 10_000)[0] == "de"


def test_languages_and_their_scripts() -> None:
    for code in resiliparse.supported_langs():
        assert language.same_script(code, "en") == language.is_latin(code)
        assert language.is_latin(code) or language.same_script(code, code)
    assert language.same_script("uk", "ru") and language.same_script("de", "nn")
    assert not language.same_script("uk", "en") and not language.same_script("zh", "ja")
    assert language.is_language("de") and language.is_language("deu") and language.is_language("zh")
    assert not language.is_language("und") and not language.is_language("frederic") and not language.is_language("xx")
    signs = map(chr, range(0x110000))
    assert not [c for c in signs if language._OTHER_SCRIPT.match(c) and not language._may_have_other_script(c)]
    found = resiliparse.detect_fast("text", cutoff=language.MAX_RANK, n_results=language.NUM_PROFILES)
    assert len(language._LATIN) < len(found) < language.NUM_PROFILES


# ---- char_stats ----
FORMS = in_both_forms("text.char_stats")


def count(form: ModuleType, text: str) -> list[float]:
    """The numbers of a text, behind a row that stays."""
    out = array("f", bytes(8 * classes.CHAR_COLUMNS))
    room = array("i", [9] * classes.CLASSES)
    form.count_characters(text.encode("utf-8", "surrogatepass"), len(text), room, out, classes.CHAR_COLUMNS)
    assert not any(out[: classes.CHAR_COLUMNS])
    return out[classes.CHAR_COLUMNS :].tolist()


@pytest.mark.parametrize(
    "text, words, sentences, titles",
    [
        ("Is this clean? Yes.", 4, 2, 2), ("no full stop", 3, 0, 0), ("3.5 is no sentence", 4, 0, 0),
        ("He said “Go.”", 3, 1, 1), ("Quoted (here.)", 2, 1, 1), ("«Il est là.»", 3, 1, 0), ("", 0, 0, 0),
        ("***", 0, 0, 0), ("我们今天去公园散步。", 10 / 1.5, 1, 0), ("他说。“好。”", 5 / 1.5, 2, 0),
        ("我用Linux系统", 4 / 1.5 + 1, 0, 0), ("Мы гуляли весь день.", 4, 1, 0), ("وصلنا أمس؟ نعم", 3, 1, 0),
        ("हम कल आए। वह आज आया।", 6, 2, 0),
        ("ก" * 60, 6, 0, 0),  # Thai has no spaces between words
    ],
)  # fmt: skip
@FORMS
def test_words_and_sentences_are_counted(
    form: ModuleType, text: str, words: float, sentences: int, titles: int
) -> None:
    counts = count(form, text)
    assert counts[classes.WORDS] == pytest.approx(words)
    assert counts[classes.SENTENCES] == sentences
    assert counts[classes.TITLES] == titles
    assert counts[classes.CHARS] == len(text)


@FORMS
def test_bytes_of_each_class_nul_and_surrogates_are_counted(form: ModuleType) -> None:
    counts = count(form, "Ab, 12! (c) $é我€;")
    assert (counts[classes.UPPERS], counts[classes.DIGITS], counts[classes.COMMAS]) == (1, 2, 2)
    assert (counts[classes.SYMBOLS], counts[classes.PUNCTUATION], counts[classes.FOREIGN]) == (1, 3, 3)
    assert count(form, "a\0b")[classes.WORDS] == 2
    assert count(form, "a \ud800 b")[classes.WORDS] == 3


@pytest.mark.parametrize("text, first, last", [
    ("Abc.", UPPER, STOP), ("abc", PLAIN, PLAIN), ("1,", DIGIT, COMMA), ("(a)", BRACKET, BRACKET), ("© x…", SIGN, MARK),
    ("é", LETTER, PLAIN), ("“Go!”", SIGN, STOP), ("”", SIGN, MARK), ('"', BRACKET, BRACKET), ("好！", WIDE, STOP),
    ("", END_OF_CHAR_STATS, END_OF_CHAR_STATS),
])  # fmt: skip
@FORMS
def test_first_and_last_bytes_have_classes(form: ModuleType, text: str, first: int, last: int) -> None:
    counts = count(form, text)
    assert (counts[classes.FIRST], counts[classes.LAST]) == (first, last)
