"""jusText's context-free rules against the package justext, and the parameters that it does not have."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ncfilters.errors import ModelError
from ncfilters.features.document import ModelInput
from ncfilters.scoring import registry
from ncfilters.scoring.justext.rules import (
    CLASSES,
    SPACELESS_PARAMETERS,
    JusTextParameters,
    JusTextRules,
    is_heading,
    rules_model,
)

Segment = dict[str, Any]

STOP = frozenset("the of and to a in is it that was".split())
TEXT = "it is the end of a story that was told in the valley and to the sea "  # mostly stop words
DIGITS = "0123456789"


def classes(segments: Sequence[Segment], words: Any = STOP, **parameters: Any) -> list[str]:
    found: list[str] = rules_model(words, JusTextParameters(**parameters)).evidence([ModelInput(segments)])[0]["class"]
    return found


def one(
    text: str, path: str = "html/body/p", links: int = 0, words: Any = STOP, beside: str = "", **parameters: Any
) -> str:
    return classes([{"text": text, "path": path, "links": links}, {"text": beside}], words, **parameters)[0]


# ---- the package justext ------------------------------------------------------------------------------------
class Path_:
    """The path as the package's paragraphs have it."""

    def __init__(self, dom: str) -> None:
        self.dom, self.xpath = dom, ""


def paragraph(segment: Segment) -> Any:
    from justext.paragraph import Paragraph

    out = Paragraph(Path_(segment["path"].replace("/", ".")))
    out.append_text(segment["text"])
    out.chars_count_in_links = segment["links"]
    return out


def some(chance: random.Random) -> Segment:
    """A segment near the thresholds."""
    words = ["the", "Of", "AND", "valley", "x", "\u03a3\u039f\u03a3", "bridge", "it", "İs", "select", "a\u00a0b"]
    weights = [chance.random() for _ in words]
    text = " ".join(chance.choices(words, weights, k=chance.choice([0, 1, 5, 12, 15, 20, 45, 50, 60])))
    text += chance.choice([""] * 12 + [" ©", " &copy; 2001", " &copyright"])
    path = "html/body/" + chance.choice(
        ["p", "div/p", "h1", "h2/b", "select/option", "my-select", "x-h3", "h7x", "ul/li"]
    )
    links = chance.choice([0, 0, 0, 1, len(text) // 5, len(text) // 5 + 1, len(text)])
    return {"text": text, "path": path, "links": links}


@pytest.mark.oracle
def test_classes_are_those_of_the_package() -> None:
    core = pytest.importorskip("justext.core")
    chance = random.Random(1)
    seen = set()
    for _ in range(400):
        segments = [some(chance) for _ in range(10)]
        paragraphs = [paragraph(segment) for segment in segments]
        for segment, other in zip(segments, paragraphs):
            segment["text"] = other.text  # with the package's white space
        low = chance.choice([0, 0.1, 0.3])
        high = chance.choice([0, 0.32])
        core.classify_paragraphs(paragraphs, STOP, 70, 200, low, high, 0.2)
        wanted = [other.cf_class for other in paragraphs]
        seen |= set(wanted)
        assert classes(segments, stopwords_low=low, stopwords_high=high) == wanted
        assert [is_heading(segment) for segment in segments] == [other.heading for other in paragraphs]
    assert seen == set(CLASSES)


# ---- context-free rules -------------------------------------------------------------------------------------
def test_thresholds_of_the_rules() -> None:
    # link density above the limit is bad
    long = DIGITS * 8
    assert one(DIGITS * 2, max_link_density=0.5) == "short"
    assert one(DIGITS * 2, links=20, max_link_density=0.5) == "bad"
    assert one(long, links=41, max_link_density=0.5) == "bad"
    assert one(TEXT * 2, links=int(len(TEXT) * 2 * 0.5), max_link_density=0.5) == "neargood"
    assert one(TEXT * 2, links=int(len(TEXT) * 2 * 0.5) + 1, max_link_density=0.5) == "bad"
    # short is below length low
    assert one("x" * 69) == "short"
    assert one("x" * 70) == "bad"
    assert one("x" * 69, links=1) == "bad"
    assert one("0 1 2 3 4 5 6 7 8 9", links=2, max_link_density=1, length_low=1000) == "bad"
    # good is above length high
    assert one(("the " * 50)[:200], length_high=200) == "neargood"
    assert one(("the " * 51)[:201], length_high=200) == "good"
    # stop word density at the limit suffices
    # 0 of 10, then 3 of 10 and 32 of 100 words to the number
    assert one("x y z u v w q r s t", length_low=0) == "bad"
    assert one("the of and u v w q r s t", length_low=0, length_high=5) == "neargood"
    assert one("the " * 31 + "x " * 69, length_low=0) == "neargood"
    assert one("the " * 32 + "x " * 68, length_low=0) == "good"
    assert one("the of u v w q r s t", length_low=0) == "bad"
    # a high limit below the low one takes precedence
    assert one("0 1 2 3 4 5 6 7 8 9", length_low=0, stopwords_high=0, length_high=18) == "good"
    assert one("0 1 2 3 4 5 6 7 8 9", length_low=0, stopwords_high=0, length_high=19) == "neargood"


@pytest.mark.parametrize("sign", ["©", "&copy;", "&copyright"])
def test_copyright_signs_are_bad(sign: str) -> None:
    assert one(TEXT * 4) == "good"
    assert one(TEXT * 4 + sign) == "bad"


def test_segments_in_select_and_plain_text() -> None:
    assert one(TEXT * 4, "html/body/select/option") == "bad"
    assert one(TEXT * 4, "html/body/my-selection/p") == "bad"
    assert one(TEXT * 4, "body/div#select.selected/p.select") == "good"
    assert one(TEXT * 4, "html/body/my-selection/p", variant="improved") == "good"
    assert one(TEXT * 4, "html/body/select#x/option", variant="improved") == "bad"
    assert classes([{"text": TEXT * 4}, {"text": "Home"}, {"text": ""}]) == ["good", "short", "short"]
    assert is_heading({"text": "A title", "type": "h"})
    assert not is_heading({"text": "A title", "type": "p"})


@pytest.mark.parametrize(("path", "is_one"), [
    ("html/body/h2", True), ("body/div#main.post/h3.title/span", True), ("body/div.h2/p#h1", False), ("head/th", False),
])  # fmt: skip
def test_headings_are_elements_not_classes(path: str, is_one: bool) -> None:
    assert is_heading({"text": "A title", "path": path, "type": "p"}) is is_one


def test_densities_and_scores_of_classes() -> None:
    segment = {"text": TEXT * 200, "links": int(len(TEXT) * 200 * 0.2) + 1}
    evidence = rules_model(STOP).evidence([ModelInput([segment, {"text": "it was Bob"}])])[0]
    assert evidence["link_density"] == [0.2, 0.0]
    assert evidence["class"] == ["bad", "short"]
    assert evidence["stopword_density"][1] == 0.667
    segments = [{"text": "x" * 99}, {"text": "x"}, {"text": TEXT * 2}, {"text": TEXT * 4}]
    evidence = rules_model(STOP).evidence([ModelInput(segments)])[0]
    assert evidence["class"] == list(CLASSES)
    assert evidence["score"] == sorted(evidence["score"])
    assert [bits > 0 for bits in evidence["score"]] == [False, False, True, True]


def test_the_java_edition_has_rules_of_its_own() -> None:
    assert one("A title", "html/body/h1") == "short"
    assert one("A title", "html/body/h1", variant="java") == "good"
    assert one("A title", "html/body/h1", variant="java", no_headings=True) == "short"
    assert one("A title", "html/body/h2", variant="java") == "short"
    assert one("A title ©", "html/body/h1", variant="java") == "bad"
    assert one(TEXT * 4, "html/body/img", variant="java") == "bad"
    assert one(TEXT * 4, "html/body/img") == "good"
    assert classes([{"text": TEXT * 4, "tag": "img"}], variant="java") == ["bad"]


# ---- the improved variant -----------------------------------------------------------------------------------
IMPROVED: Any = {"beside": TEXT * 4, "variant": "improved"}  # beside a good segment, so that no other is promoted


def test_rules_of_the_improved_variant() -> None:
    # long segments with copyright are short
    assert one(TEXT * 4 + "©", **IMPROVED) == "short"
    assert one("© " + TEXT, **IMPROVED) == "bad"
    assert one("x" * 300 + "©", **IMPROVED) == "bad"
    # list items are short instead of bad
    item = "html/body/ul/li"
    assert one("A bridge of stone and wood", item, links=3) == "bad"
    assert one("A bridge of stone and wood", item, links=3, **IMPROVED) == "short"
    assert one("A bridge of stone and wood", "html/body/p", links=3, **IMPROVED) == "bad"
    assert one("x" * 100, item, **IMPROVED) == "short"
    assert one("x" * 100, item, links=50, **IMPROVED) == "bad"
    # short pages promote their best segments
    lines = [
        {"text": "Is it the sea?"},
        {"text": "Nobody", "path": "body/h2"},
        {"text": "Is it the", "path": "body/h2"},
    ]
    assert classes(lines) == ["short"] * 3
    assert classes(lines, variant="improved") == ["good", "short", "short"]
    assert classes([*lines, {"text": TEXT * 2}], variant="improved") == ["short", "short", "short", "good"]
    assert classes([*lines, {"text": TEXT * 2}, {"text": TEXT * 4}], variant="improved")[3] == "neargood"


def test_words_of_scripts_without_spaces() -> None:
    chinese = "的是在"
    parameters = JusTextParameters(**SPACELESS_PARAMETERS)
    sentence = "我在北京的大学里学习中文,老师是很好的人,大家都在说话。这是我的书,那是你的书。"
    evidence = rules_model(chinese, parameters).evidence([ModelInput.of_texts([sentence, sentence * 2])])[0]
    # 9 of 35 characters: comma and full stop are none
    assert evidence["stopword_density"] == [0.257, 0.257]
    assert evidence["class"] == ["neargood", "good"]
    assert one(sentence * 2, words=chinese) == "bad"  # two words
    density = rules_model(["ของ", "ที่", "ก"], JusTextParameters(**SPACELESS_PARAMETERS)).evidence(
        [ModelInput.of_texts(["ของที่ก้ก"])]
    )[0]
    assert density["stopword_density"] == [round(7 / 9, 3)]  # ก้ is not ก


# ---- parameters and files -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"length_low": -1}, "length_low: expected a whole number of characters, at least 0, got -1"),
        ({"length_high": 1.5}, "length_high: expected a whole number of characters, at least 0, got 1.5"),
        ({"stopwords_low": 1.01}, "stopwords_low: expected a number from 0 to 1, got 1.01"),
        ({"stopwords_high": float("nan")}, "stopwords_high: expected a number from 0 to 1, got nan"),
        ({"max_link_density": "1"}, "max_link_density: expected a number from 0 to 1, got '1'"),
        ({"variant": "perl"}, "variant: expected python, java, improved, got 'perl'"),
        ({"spaceless": 1}, "spaceless: expected a boolean, got 1"),
    ],
)
def test_parameters_out_of_range_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        JusTextParameters(**given)


def test_an_empty_stop_list_needs_thresholds_of_0() -> None:
    with pytest.raises(ValueError, match="the stop list is empty"):
        rules_model([])
    with pytest.raises(ValueError, match="the stop list is empty"):
        rules_model(["two words"], JusTextParameters(stopwords_low=0))
    assert one("x" * 201, words=[], stopwords_low=0, stopwords_high=0) == "good"


def test_rules_are_read_back_from_a_file(tmp_path: Path) -> None:
    rules = rules_model({"The", "of", "ça", "two words"}, JusTextParameters(length_low=12, variant="java"))
    path = tmp_path / "justext-xx.model"
    header = registry.write_model(path, rules, {"language": "xx"})
    assert header["parameters"]["words"] == "of the ça"
    assert header["parameters"]["max_heading_distance"] == 200
    loaded = registry.load(str(path))
    assert isinstance(loaded, JusTextRules)
    assert (loaded.words, loaded.parameters) == (rules.words, rules.parameters)
    path = tmp_path / "none.model"
    rules = rules_model([], JusTextParameters(stopwords_low=0, stopwords_high=0))
    registry.write_model(path, rules, {})
    loaded = registry.load(str(path))
    assert isinstance(loaded, JusTextRules)
    assert loaded.words == frozenset()


@pytest.mark.parametrize("wrong", [{"length_low": -1}, {"stride": 1}, {"words": ""}])
def test_a_file_that_does_not_fit_is_refused(tmp_path: Path, wrong: dict[str, Any]) -> None:
    class Odd(JusTextRules):
        def header(self) -> dict[str, Any]:
            return {**super().header(), **wrong}

    registry.write_model(tmp_path / "odd.model", Odd(STOP, JusTextParameters()), {})
    with pytest.raises(ModelError, match="the parts of the model do not fit"):
        registry.load(str(tmp_path / "odd.model"))


def test_the_improved_variant_keeps_thresholds_of_spaceless_scripts() -> None:
    p = rules_model(STOP, JusTextParameters(**SPACELESS_PARAMETERS)).with_parameters(variant="improved").parameters
    assert (p.stopwords_low, p.stopwords_high, p.variant) == (0.20, 0.25, "improved")
    p = rules_model(STOP).with_parameters(variant="improved", stopwords_low=0.1).parameters
    assert (p.stopwords_low, p.stopwords_high) == (0.1, 0.27)
