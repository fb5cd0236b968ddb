"""The language of a text, by script, profiles, frequency on the web, and stop words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from resiliparse.parse import lang as resiliparse

from ncfilters.text import language

TEXTS = {
    record["lang"]: record["text"]
    for record in map(json.loads, Path(__file__).parents[1].joinpath("data/languages.jsonl").open(encoding="utf-8"))
}


@pytest.mark.parametrize("code", TEXTS)
def test_two_sentences(code: str) -> None:
    found, probability = language.identify(TEXTS[code])
    assert found == code and probability > 0.9


@pytest.mark.parametrize("code", sorted(TEXTS.keys() - {"lv"}))
def test_half_a_sentence_is_enough_with_stop_words(code: str) -> None:
    assert language.identify(TEXTS[code][:90])[0] == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The word μῆνις begins the Iliad; it is its subject, as every schoolchild knows.", "en"),
        ("Canon EOS R6 配备 24.2MP CMOS 传感器，支持 4K 60p 视频录制", "zh"),
        ("東京タワー", "ja"),
        ("서울(漢城)의 마지막 전차", "ko"),
        ("DIE LETZTE STRASSENBAHN VERLÄSST DEN HAFEN", "de"),
        ("ქართული ენა", "ka"),
        ("𠀀𠀁𠀂𠀃", "zh"),
        ("ᚠᚢᚦ ᚠᚢᚦ", "und"),
        ("12:45 – 13:00, 24 °C", "und"),
        ("\ud800 ...", "und"),
        ("", "und"),
    ],
)
def test_scripts(text: str, code: str) -> None:
    assert language.identify(text)[0] == code


def test_short_text_is_less_certain() -> None:
    chances = [language.identify(TEXTS["el"][:size])[1] for size in (2, 20, 100)]
    assert chances == sorted(chances) and chances[0] < 0.8
    assert language.identify("Shop")[1] < 0.8 and language.identify("")[1] == 0


def test_long_text_is_read_in_part() -> None:
    assert language.identify(TEXTS["de"] * 11 + TEXTS["ru"] * 10_000)[0] == "de"


def test_all_languages_of_the_library_have_a_script() -> None:
    for code in resiliparse.supported_langs():
        assert language.same_script(code, "en") == language.is_latin(code)
        assert language.is_latin(code) or language.same_script(code, code)


def test_languages_of_one_script() -> None:
    assert language.same_script("uk", "ru") and language.same_script("de", "nn")
    assert not language.same_script("uk", "en") and not language.same_script("zh", "ja")


def test_languages() -> None:
    assert language.is_language("de") and language.is_language("deu") and language.is_language("zh")
    assert not language.is_language("und") and not language.is_language("frederic") and not language.is_language("xx")


def test_the_short_search_for_other_scripts_misses_none() -> None:
    signs = map(chr, range(0x110000))
    assert not [c for c in signs if language._OTHER_SCRIPT.match(c) and not language._may_have_other_script(c)]


def test_the_library_knows_no_more_languages_than_are_asked_for() -> None:
    found = resiliparse.detect_fast("text", cutoff=language.MAX_RANK, n_results=language.NUM_PROFILES)
    assert len(language._LATIN) < len(found) < language.NUM_PROFILES
