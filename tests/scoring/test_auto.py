"""Each document is scored by the best installed model for its language."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from ncfilters.errors import ModelError, RecordError
from ncfilters.scoring import registry
from ncfilters.scoring.auto import AutoScorer
from ncfilters.scoring.scorer import Scorer

POLISH = "Ostatni wieczorny tramwaj odjeżdża z portu dziesięć po jedenastej, a nikt nie wie dlaczego."
ENGLISH = "The last tram of the evening leaves the harbour at ten past eleven, and nobody knows why."


def page(text: str, plain: bool = False, **fields: Any) -> dict[str, Any]:
    place = {} if plain else {"path": "body/p", "tag": "p", "links": 0}
    return {**fields, "segments": [{"text": text, "type": "p", **place}]}


def names(records: list[Any]) -> list[str]:
    return [record["models"][0].partition("@")[0] for record in records]


@pytest.mark.parametrize(
    ("record", "name"),
    [
        (page("?", lang="en"), "en"),
        (page("?", lang="en-GB"), "en"),
        (page("?", lang="eng"), "en"),
        (page("?", lang="en", lang_probability=0.9), "en"),
        (page("?", lang="en", lang_probability=0.5), "xx"),
        (page("?", lang="pl", lang_probability=1), "xx"),
        (page("?", lang="und", lang_probability=0), "xx"),
        (page("?", lang=["en"]), "xx"),
        (page("?", plain=True, lang="en"), "en"),
        (page("?", plain=True, lang="pl"), "ncleaner-pl"),
        (page("?", plain=True, lang="fr"), "xx"),
        (page(ENGLISH), "en"),
        (page(POLISH), "xx"),
    ],
)
def test_model_of_a_language(record: dict[str, Any], name: str) -> None:
    assert names(AutoScorer()([record])) == [name]


def test_language_of_a_record_without_one() -> None:
    (record,) = AutoScorer()([page(POLISH)])
    assert isinstance(record, dict) and record["lang"] == "pl" and record["lang_probability"] > 0.9


def test_a_model_that_is_named_like_the_language_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pl.model").write_bytes(registry.find("ncleaner-pl").read_bytes())
    monkeypatch.setenv("NC_MODELS", str(tmp_path))
    assert names(AutoScorer()([page(POLISH), page(POLISH, lang="cs")])) == ["pl", "xx"]


def test_scores_are_those_of_the_models_in_the_order_of_the_records() -> None:
    records = [page(f"{number} {text}", id=number) for number, text in enumerate([ENGLISH, POLISH] * 5)]
    found = AutoScorer()(copy.deepcopy(records))
    for name, start in (("en", 0), ("xx", 1)):
        expected = Scorer([registry.load_named(name)])(copy.deepcopy(records[start::2]))
        for one, other in zip(found[start::2], expected):
            assert isinstance(one, dict) and isinstance(other, dict)
            assert (
                one["segments"] == other["segments"] and one["id"] == other["id"] and one["models"] == other["models"]
            )


def test_only_wrong_records_fail() -> None:
    wrong: list[dict[str, Any]] = [{}, {"segments": [7]}, {"segments": [{"text": "x", "links": "1"}]}]
    results = AutoScorer()([page(ENGLISH), *wrong, page(POLISH)])
    assert [isinstance(result, RecordError) for result in results] == [False, True, True, True, False]
    assert str(results[3]) == "segments[0].links: expected an integer, got a string"


def test_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "installed_folder", lambda: tmp_path)
    with pytest.raises(ModelError, match="neither xx nor ncleaner-nonlexical is installed"):
        AutoScorer()
