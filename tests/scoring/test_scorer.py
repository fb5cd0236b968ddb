"""The scorer, and its threads."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import pytest
from threadpoolctl import ThreadpoolController

from ncfilters.errors import RecordError
from ncfilters.features.document import ModelInput
from ncfilters.scoring import registry
from ncfilters.scoring.base import Model, NamedModel
from ncfilters.scoring.char_ngram.model import CharNgramModel, CharNgramParameters
from ncfilters.scoring.char_ngram.ngrams import Alphabet
from ncfilters.scoring.scorer import OneThread, Scorer

SENTENCE = "The committee met on Tuesday and agreed to repair the old bridge."
MENU = "Home | About us | Contact | Log in"


def document(name: str = "a", *texts: str) -> dict[str, Any]:
    return {
        "id": name,
        "segments": [{"text": text, "type": "p", "path": "body/p", "links": 0, "mine": 1} for text in texts],
        "other": {"x": [1, None]},
    }


def small(clean: str = "clean", dirty: str = "dirt") -> CharNgramModel:
    return CharNgramModel.train(CharNgramParameters(2, 0.5, Alphabet("ascii")), [(clean, 1)], [(dirty, 1)])


class Loud(Model):
    """A model that writes more than a score."""

    kind = "loud"

    def evidence(self, documents: Sequence[ModelInput]) -> list[dict[str, list[Any]]]:
        return [
            {"score": [1.5 for _ in d.segments], "class": [s["text"].upper() for s in d.segments]} for d in documents
        ]


def test_one_model_writes_score_alone() -> None:
    result = Scorer([NamedModel("m", small())])([document("a", "clean", "dirt")])[0]
    assert isinstance(result, dict)
    assert result["segments"] == [
        {**segment, "score": value}
        for segment, value in zip(
            document("a", "clean", "dirt")["segments"],
            small().evidence([ModelInput.of_texts(["clean", "dirt"])])[0]["score"],
        )
    ]
    assert result["segments"][0]["score"] > 0 > result["segments"][1]["score"]
    assert result["other"] == {"x": [1, None]}


def test_several_models_write_scores_by_name() -> None:
    models = [
        NamedModel("one", small()),
        NamedModel("two", small("dirt", "clean")),
        NamedModel("./three.model", small("x", "y")),
    ]
    result = Scorer(models)([document("a", "clean")])[0]
    assert isinstance(result, dict)
    segment = result["segments"][0]
    assert list(segment["scores"]) == ["one", "two", "./three.model"]
    assert segment["score"] == segment["scores"]["one"] == -segment["scores"]["two"] > 0
    for named in models:
        assert segment["scores"][named.name] == named.model.evidence([ModelInput.of_texts(["clean"])])[0]["score"][0]


def test_other_fields_are_those_of_the_first_model_or_stay() -> None:
    result = Scorer([NamedModel("loud", Loud()), NamedModel("two", small())])([document("a", "clean")])[0]
    assert isinstance(result, dict)
    segment = result["segments"][0]
    assert (segment["score"], segment["class"]) == (1.5, "CLEAN")
    assert list(segment["scores"]) == ["loud", "two"]
    result = Scorer([NamedModel("two", small()), NamedModel("loud", Loud())])([document("a", "clean")])[0]
    assert isinstance(result, dict)
    assert "class" not in result["segments"][0]
    given = {**document("a", "clean"), "head": {"title": "A title"}, "url": "http://a.org/"}
    segments = given["segments"]
    (scored,) = Scorer([NamedModel("loud", Loud())])([given])
    assert isinstance(scored, dict)
    assert type(scored["segments"]) is list and scored["segments"] is segments
    assert scored["head"] == {"title": "A title"} and scored["url"] == "http://a.org/"


def test_batches_and_invalid_records_are_scored_alone() -> None:
    work = Scorer([NamedModel("m", small())])
    names = [("a", "clean", "dirt"), ("b",), ("c", "", "c l e a n"), ("d", "dirt" * 50)]
    together = work([document(*name) for name in names])
    assert together == [work([document(*name)])[0] for name in names]
    work = Scorer([NamedModel("m", small())])
    bad = {"id": "x", "segments": [{"text": "t"}, {"text": 7}]}
    first, error, missing, last = work([document("a", "clean"), bad, {"id": "y"}, document("b", "dirt")])
    assert [first, last] == [work([document("a", "clean")])[0], work([document("b", "dirt")])[0]]
    assert isinstance(error, RecordError) and str(error) == "segments[1].text: expected a string, got a number"
    assert isinstance(missing, RecordError) and str(missing) == "segments: missing"


@pytest.mark.parametrize("wrong", [None, [], 1.0])
def test_scores_of_a_wrong_type_are_an_error(wrong: Any) -> None:
    bad = document("x", "clean")
    bad["segments"][0]["scores"] = wrong
    good, error = Scorer([NamedModel("one", small()), NamedModel("two", small())])([document("a", "clean"), bad])
    assert isinstance(good, dict) and list(good["segments"][0]["scores"]) == ["one", "two"]
    assert isinstance(error, RecordError) and str(error).startswith("segments[0].scores: expected an object, got ")
    assert isinstance(Scorer([NamedModel("one", small())])([bad])[0], dict)


@pytest.mark.parametrize("path", ["body/p", None], ids=["structure", "plain text"])
@pytest.mark.parametrize(("field", "value", "says"), [
    ("path", 7, "expected a string, got a number"), ("path", None, "expected a string, got null"),
    ("path", ["body"], "expected a string, got an array"), ("tag", {}, "expected a string, got an object"),
    ("rule", True, "expected a string, got a boolean"), ("origin", None, "expected a string, got null"),
    ("hidden", ["aria"], "expected a string, got an array"), ("hidden", 1, "expected a string, got a number"),
    ("links", 1.5, "expected an integer, got a decimal number"), ("links", True, "expected an integer, got a boolean"),
])  # fmt: skip
def test_fields_of_a_wrong_type_are_an_error(path: str | None, field: str, value: Any, says: str) -> None:
    """Only the second model reads it; the record is left as it was."""

    def page(name: str, **fields: Any) -> dict[str, Any]:
        found = document(name, SENTENCE, MENU)
        for segment in found["segments"]:
            segment.update({"path": path} if path else {})
        found["segments"][1].update(fields)
        return found

    work = Scorer([NamedModel("one", small()), registry.load_named("en")])
    bad = page("x", **{field: value})
    first, error, last = work([page("a"), bad, page("b")])
    assert [first, last] == [work([page("a")])[0], work([page("b")])[0]]
    assert isinstance(error, RecordError) and str(error) == f"segments[1].{field}: {says}"
    assert bad == page("x", **{field: value})


def test_pages_of_earlier_runs_and_signatures() -> None:
    page = document("a", SENTENCE, MENU)
    for segment in page["segments"]:
        segment["path"] = "body/p"
    (scored,) = Scorer([registry.load_named("en")])([page])
    assert isinstance(scored, dict) and "page" in scored
    (again,) = Scorer([NamedModel("one", small())])([scored])
    assert isinstance(again, dict) and "page" not in again
    models = [NamedModel("one", small(), "one@123"), NamedModel("two", small())]
    (scored,) = Scorer(models)([document("a", "clean")])
    assert isinstance(scored, dict) and scored["models"] == ["one@123"]


@pytest.mark.parametrize(("segments", "message"), [
    (None, "segments: missing"), ([{"text": "a"}, {"text": 7}], r"segments\[1\].text: expected a string, got a number"),
    ([{}], r"segments\[0\].text: missing"), ([7], r"segments\[0\]: expected an object"),
])  # fmt: skip
def test_an_error_names_the_segment(segments: Any, message: str) -> None:
    record = {} if segments is None else {"segments": segments}
    with pytest.raises(RecordError, match=message):
        raise next(result for result in Scorer([NamedModel("m", small())])([record]) if isinstance(result, RecordError))


def threads() -> list[int]:
    found: list[dict[str, Any]] = ThreadpoolController().select(user_api="blas").info()
    return [library["num_threads"] for library in found]


@pytest.fixture
def two_threads() -> Any:
    if not threads():
        pytest.skip("numpy has a BLAS that threadpoolctl does not know")
    with ThreadpoolController().limit(limits=2, user_api="blas"):
        if threads() != [2]:
            pytest.skip("this BLAS has one thread only")
        yield


@pytest.mark.usefixtures("two_threads")
def test_one_thread_within_and_as_many_as_before_after() -> None:
    context = OneThread()
    for _ in range(2):
        with context:
            assert threads() == [1]
        assert threads() == [2]
    with pytest.raises(ZeroDivisionError), context:
        raise ZeroDivisionError
    assert threads() == [2]


@pytest.mark.usefixtures("two_threads")
def test_contexts_of_several_threads_overlap() -> None:
    context = OneThread()
    entered, leave = threading.Event(), threading.Event()
    seen: list[list[int]] = []

    def overlap() -> None:
        with context:
            seen.append(threads())
            entered.set()
            leave.wait(10)
        seen.append(threads())

    other = threading.Thread(target=overlap)
    with context:
        other.start()
        assert entered.wait(10)
    leave.set()
    other.join()
    assert seen == [[1], [2]]
    assert threads() == [2]
