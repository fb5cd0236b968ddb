"""jusText's rules in the compiled core: what is written of a line is what Python writes of its record."""

from __future__ import annotations

import random
import sys
from typing import Any

import orjson
import pytest

from ncfilters.record import Record
from ncfilters.scoring.base import NamedModel
from ncfilters.scoring.compiled_core import scoring_core
from ncfilters.scoring.justext.compiled import compiled_rules
from ncfilters.scoring.justext.rules import JusTextParameters, JusTextRules, rules_model
from ncfilters.scoring.line_scorer import choice_of, find_line_model, head_of, line_parser
from ncfilters.scoring.scorer import Scorer
from ncfilters.streams.json_lines import WrittenLine
from ncfilters.streams.writers import json_line

pytestmark = pytest.mark.skipif(
    scoring_core() is None, reason="no compiled core here: python setup.py build_ext --inplace"
)

WORDS = "the of and is το ός σε από στη θεός i̇s и в не ab\u0301 kelvin ⱥ".split()
PARTS = [
    *"the The THE of OF rain fell © &copy; &COPY &copx Θεός ΘΕΌΣ ΣΕ σΕ İs K Kelvin \u212aelvin".split(),
    *"Ⱥ И НЕ 我们 🙂 x".split(),
    *" \t\n\x1c\x1f\x85\u00a0\u2003\u3000",
    " ",
    "word " * 9,
    "the and of is " * 9,
]
PATHS = (
    *"body html/body/p html/body/select/p html/body/selecty/p body/div.select body/ul/li".split(),
    *"body/ul/lib dl/dd#x dt body/div#li/p body/h1 body/ünï/li body/p.ünï li-x/p".split(),
    "",
)
PARAMETERS = (
    JusTextParameters(),
    JusTextParameters(copyright_length=30, select_exact=True, list_items=True),
    JusTextParameters(length_low=10, length_high=40, stopwords_low=0.5, stopwords_high=0.4, max_link_density=0.05),
    JusTextParameters(length_low=0, stopwords_low=0.0, stopwords_high=0.0, max_link_density=1.0, copyright_length=0),
)


def line_of_python(rules: JusTextRules, record: Record) -> bytes:
    [scored] = Scorer([NamedModel("rules", rules, "rules@0")])([orjson.loads(orjson.dumps(record))])
    assert isinstance(scored, dict)
    return json_line({**scored, "nc": 1})


def random_segment(choose: random.Random) -> Record:
    text = "".join(choose.choices(PARTS, k=choose.randint(0, 12)))
    segment: Record = {"text": text, "type": "p"}
    if choose.random() < 0.8:
        segment["path"] = choose.choice(PATHS)
    if choose.random() < 0.8:
        segment["links"] = choose.choice((0, 0, 1, 3, len(text), len(text) + 2))
    return segment


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_classes_are_those_of_python(parameters: JusTextParameters) -> None:
    choose, rules = random.Random(1), rules_model(WORDS, parameters)
    model, left = compiled_rules(rules.header(), {}), 0
    assert model is not None
    seen: set[str] = set()
    for _ in range(800):
        record = {"id": 1, "segments": [random_segment(choose) for _ in range(choose.randint(1, 5))]}
        found = model.score_line(orjson.dumps(record), head_of, b'["rules@0"]')
        if found is None:
            left += 1
            continue
        assert found[0] == line_of_python(rules, record), record
        seen |= {segment["class"] for segment in orjson.loads(found[0])["segments"]}
    assert left < 300 and (parameters.list_items or not left)
    assert seen == {"bad", "short", "neargood", "good"}


def test_the_lower_case_of_each_character() -> None:
    letters = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    lower = {char.lower() for char in letters if char.lower() != char}
    rules = rules_model(lower, JusTextParameters())
    model = compiled_rules(rules.header(), {})
    assert model is not None
    segments = [{"text": " ".join(letters[at : at + 50]), "type": "p"} for at in range(0, len(letters), 50)]
    found = model.score_line(orjson.dumps({"segments": segments}), head_of, b'["rules@0"]')
    assert found is not None and found[0] == line_of_python(rules, {"segments": segments})


@pytest.mark.parametrize("name", ["justext-en", "justext-el", "justext-ru"])
def test_stop_lists_are_models(name: str) -> None:
    found = find_line_model(name)
    assert found is not None and found.language == name[-2:]
    written: Any = line_parser(choice_of(found))(b'{"segments":[{"text":"It is on the table."}]}')
    assert type(written) is WrittenLine
    [segment] = orjson.loads(written.line)["segments"]
    assert segment["class"] == "short" and (segment["stopword_density"] == 0.8) == (name == "justext-en")


@pytest.mark.parametrize("changed", [{"variant": "java"}, {"spaceless": True}, {"short_pages": True}])
def test_other_rules_are_for_python(changed: dict[str, Any]) -> None:
    assert compiled_rules(rules_model(WORDS, JusTextParameters(**changed)).header(), {}) is None
    assert find_line_model("justext-zh") is None


@pytest.mark.parametrize(
    "parameters", [{}, {"words": 7}, {"words": "the", "length_low": 1 << 70}, {"words": "the", "length_low": -1}]
)
def test_parts_that_do_not_fit(parameters: dict[str, Any]) -> None:
    assert compiled_rules(parameters, {}) is None


@pytest.mark.parametrize(
    "segment",
    [
        {"text": "x", "class": "good"},
        {"text": "x", "link_density": 1},
        {"text": "x", "stopword_density": 1},
        {"text": "x", "score": 1},
        {"text": "x", "links": -1},
        {"text": "x", "links": 1 << 30},
        {"text": "x", "links": "1"},
        {"text": "x", "tag": 1},
        {"text": 1},
        {},
    ],
)
def test_unusual_segments_are_for_python(segment: Record) -> None:
    model = compiled_rules(rules_model(WORDS).header(), {})
    assert model is not None
    assert model.score_line(orjson.dumps({"segments": [segment]}), head_of, b"") is None
    assert model.score_line(b'{"segments":[]}', head_of, b"") is None
    assert model.score_segments(None, ("", "", ())) is None
