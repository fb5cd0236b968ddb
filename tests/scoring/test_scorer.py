"""nc-score: segments in, evidence for each out."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgpack
import pytest
from word_lm_corpus import train

from ncfilters.errors import RecordError
from ncfilters.features.document import Document
from ncfilters.scoring import registry, scorer
from ncfilters.scoring.char_ngram.alphabet import Alphabet
from ncfilters.scoring.char_ngram.model import CharNgramModel, NgramParameters

Verb = Callable[..., tuple[int, bytes, str]]

SENTENCE = "The committee met on Tuesday and agreed to repair the old bridge."
MENU = "Home | About us | Contact | Log in"


def document(name: str = "a", *texts: str) -> dict[str, Any]:
    return {
        "id": name,
        "segments": [{"text": text, "type": "p", "path": "body/p", "links": 0, "mine": 1} for text in texts],
        "other": {"x": [1, None]},
    }


def small(clean: str = "clean", dirty: str = "dirt") -> CharNgramModel:
    return CharNgramModel.train(NgramParameters(2, 0.5, Alphabet("ascii")), [(clean, 1)], [(dirty, 1)])


def records(out: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


class Loud:
    """A model that says more than a score."""

    kind = "loud"

    def evidence(self, documents: Sequence[Document]) -> list[dict[str, list[Any]]]:
        return [
            {"score": [1.5 for _ in d.segments], "class": [s["text"].upper() for s in d.segments]} for d in documents
        ]

    def header(self) -> dict[str, Any]:
        return {}

    def arrays(self) -> dict[str, Any]:
        return {}


# ---- the scorer -----------------------------------------------------------------------------------------------


def test_one_model_gives_score_alone() -> None:
    result = scorer.scorer([("m", small())])([document("a", "clean", "dirt")])[0]
    assert isinstance(result, dict)
    assert result["segments"] == [
        {**segment, "score": value}
        for segment, value in zip(
            document("a", "clean", "dirt")["segments"],
            small().evidence([Document.of_texts(["clean", "dirt"])])[0]["score"],
        )
    ]
    assert result["segments"][0]["score"] > 0 > result["segments"][1]["score"]
    assert result["other"] == {"x": [1, None]}


def test_several_models_give_scores_by_name_and_the_first_as_score() -> None:
    models = [("one", small()), ("two", small("dirt", "clean")), ("./three.model", small("x", "y"))]
    result = scorer.scorer(models)([document("a", "clean")])[0]
    assert isinstance(result, dict)
    segment = result["segments"][0]
    assert list(segment["scores"]) == ["one", "two", "./three.model"]
    assert segment["score"] == segment["scores"]["one"] == -segment["scores"]["two"] > 0
    for name, one in models:
        assert segment["scores"][name] == one.evidence([Document.of_texts(["clean"])])[0]["score"][0]


def test_what_else_the_first_model_knows_goes_on_the_segment() -> None:
    result = scorer.scorer([("loud", Loud()), ("two", small())])([document("a", "clean")])[0]
    assert isinstance(result, dict)
    segment = result["segments"][0]
    assert (segment["score"], segment["class"]) == (1.5, "CLEAN")
    assert list(segment["scores"]) == ["loud", "two"]
    result = scorer.scorer([("two", small()), ("loud", Loud())])([document("a", "clean")])[0]
    assert isinstance(result, dict)
    assert "class" not in result["segments"][0]


def test_scoring_leaves_the_rest_of_the_record_as_it_is() -> None:
    given = {**document("a", "clean"), "head": {"title": "A title"}, "url": "http://a.org/"}
    segments = given["segments"]
    (scored,) = scorer.scorer([("loud", Loud())])([given])
    assert isinstance(scored, dict)
    assert type(scored["segments"]) is list and scored["segments"] is segments
    assert scored["head"] == {"title": "A title"} and scored["url"] == "http://a.org/"


def test_documents_score_together_as_alone() -> None:
    work = scorer.scorer([("m", small())])
    names = [("a", "clean", "dirt"), ("b",), ("c", "", "c l e a n"), ("d", "dirt" * 50)]
    together = work([document(*name) for name in names])
    assert together == [work([document(*name)])[0] for name in names]


def test_a_bad_document_spoils_no_other() -> None:
    work = scorer.scorer([("m", small())])
    bad = {"id": "x", "segments": [{"text": "t"}, {"text": 7}]}
    first, error, missing, last = work([document("a", "clean"), bad, {"id": "y"}, document("b", "dirt")])
    assert [first, last] == [work([document("a", "clean")])[0], work([document("b", "dirt")])[0]]
    assert isinstance(error, RecordError) and str(error) == "segments[1].text: a string is wanted, not a number"
    assert isinstance(missing, RecordError) and str(missing) == "segments: missing"


@pytest.mark.parametrize("wrong", [None, [], 1.0])
def test_scores_that_are_none(wrong: Any) -> None:
    bad = document("x", "clean")
    bad["segments"][0]["scores"] = wrong
    good, error = scorer.scorer([("one", small()), ("two", small())])([document("a", "clean"), bad])
    assert isinstance(good, dict) and list(good["segments"][0]["scores"]) == ["one", "two"]
    assert isinstance(error, RecordError) and str(error).startswith("segments[0].scores: an object is wanted, not ")
    assert isinstance(scorer.scorer([("one", small())])([bad])[0], dict)


@pytest.mark.parametrize("path", ["body/p", None], ids=["structure", "plain text"])
@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("path", 7, "a string is wanted, not a number"),
        ("path", None, "a string is wanted, not null"),
        ("path", ["body"], "a string is wanted, not an array"),
        ("tag", {}, "a string is wanted, not an object"),
        ("rule", True, "a string is wanted, not true or false"),
        ("origin", None, "a string is wanted, not null"),
        ("hidden", ["aria"], "a string is wanted, not an array"),
        ("hidden", 1, "a string is wanted, not a number"),
        ("links", 1.5, "a number is wanted, not a decimal number"),
        ("links", True, "a number is wanted, not true or false"),
    ],
)
def test_a_field_of_another_type(path: str | None, field: str, value: Any, says: str) -> None:
    """It is read by the second model alone; the record keeps nothing of what the first one says."""

    def page(name: str, **fields: Any) -> dict[str, Any]:
        found = document(name, SENTENCE, MENU)
        for segment in found["segments"]:
            segment.update({"path": path} if path else {})
        found["segments"][1].update(fields)
        return found

    work = scorer.scorer([("one", small()), ("en", registry.load("en"))])
    bad = page("x", **{field: value})
    first, error, last = work([page("a"), bad, page("b")])
    assert [first, last] == [work([page("a")])[0], work([page("b")])[0]]
    assert isinstance(error, RecordError) and str(error) == f"segments[1].{field}: {says}"
    assert bad == page("x", **{field: value})


def test_another_model_takes_away_what_one_of_structure_said_of_the_page() -> None:
    """nc-select would take scores of n-grams for calibrated ones."""
    page = document("a", SENTENCE, MENU)
    for segment in page["segments"]:
        segment["path"] = "body/p"
    (scored,) = scorer.scorer([("en", registry.load("en"))])([page])
    assert isinstance(scored, dict) and "page" in scored
    (again,) = scorer.scorer([("one", small())])([scored])
    assert isinstance(again, dict) and "page" not in again


# ---- perplexity -----------------------------------------------------------------------------------------------


@pytest.fixture
def perplexity(tmp_path: Path) -> Path:
    """A model that has a perplexity."""
    path = tmp_path / "p.model"
    registry.write_model(path, train([SENTENCE, "The bridge is old."]), {})
    return path


def test_a_limit_of_perplexity(verb: Verb, perplexity: Path) -> None:
    stdin = [document("a", SENTENCE, MENU, "")]
    usual = records(verb(scorer.main, "-m", perplexity, stdin=stdin)[1])[0]
    status, out, err = verb(scorer.main, "-m", perplexity, "--limit", "16", stdin=stdin)
    assert (status, err) == (0, "")
    (found,) = records(out)
    for here, there in zip(found["segments"][:2], usual["segments"][:2]):
        assert here["perplexity"] == there["perplexity"]
        assert here["score"] == pytest.approx(there["score"] + math.log2(16 / 8000), abs=0.011)
    assert found["segments"][0]["score"] > 0 > found["segments"][1]["score"]
    # without words a text has the limit, whatever it is
    assert (usual["segments"][2]["perplexity"], usual["segments"][2]["score"]) == (8000, 0)
    assert (found["segments"][2]["perplexity"], found["segments"][2]["score"]) == (16, 0)
    assert found["models"] == [usual["models"][0] + "+limit=16"]


def test_a_limit_is_for_the_models_that_have_one(verb: Verb, perplexity: Path) -> None:
    status, out, _ = verb(scorer.main, "-m", "en", "-m", perplexity, "--limit", "1e3", stdin=[document("a", SENTENCE)])
    assert status == 0
    assert [name.partition("+")[2] for name in records(out)[0]["models"]] == ["", "limit=1000"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["-m", "en", "--limit", "8000"], "--limit 8000: for models that have a perplexity: en is of kind 'structure'"),
        (["--limit", "8000"], "--limit 8000: for models that have a perplexity: en is of kind 'structure'"),
        (["-m", "justext-en", "--limit", "2.5"], "--limit 2.5: for models"),
        (["--stoplist", "en", "--limit", "8000"], "--limit 8000: for models"),
    ],
)
def test_a_limit_for_other_models(verb: Verb, options: list[str], why: str) -> None:
    status, out, err = verb(scorer.main, *options, stdin=[document("a", SENTENCE)])
    assert (status, out, err.count("\n")) == (2, b"", 1)
    assert err.startswith(f"nc-score: {why}")


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf", "many", "", "64M", "10k", "1G"])
def test_a_limit_that_is_none(perplexity: Path, limit: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        scorer.main(["-m", str(perplexity), f"--limit={limit}"])
    assert caught.value.code == 2
    told = capsys.readouterr().err
    assert f"argument --limit: '{limit}' is no perplexity" in told
    assert (f"--max-record {limit}\n" in told) == limit.endswith(("M", "k", "G"))


def test_a_long_record(verb: Verb, perplexity: Path) -> None:
    stdin = [document("a", SENTENCE * 50), document("b", SENTENCE)]
    status, out, err = verb(scorer.main, "-m", perplexity, "--max-record", "1K", stdin=stdin)
    assert status == 1 and "the limit is 1,024 (--max-record)" in err
    assert [("error" in record) for record in records(out)] == [True, False]


def test_a_sentence_of_100_000_words(verb: Verb, perplexity: Path) -> None:
    texts = ["the bridge " * 50_000, "大桥。" * 50_000, "мост " * 100_000, "w" * 500_000]
    started = time.perf_counter()
    status, out, err = verb(scorer.main, "-m", perplexity, stdin=[document("a", *texts)])
    assert (status, err) == (0, "") and time.perf_counter() - started < 3
    found = [segment["perplexity"] for segment in records(out)[0]["segments"]]
    assert found[0] < 100 and found[1:] == pytest.approx([1e6] * 3, rel=1e-3)


# ---- the command ----------------------------------------------------------------------------------------------


def test_the_default_is_en(verb: Verb) -> None:
    status, out, err = verb(scorer.main, stdin=[document("a", SENTENCE, MENU)])
    assert (status, err) == (0, "")
    assert records(out) == records(verb(scorer.main, "-m", "en", stdin=[document("a", SENTENCE, MENU)])[1])
    segments = records(out)[0]["segments"]
    assert segments[0]["score"] > max(segments[1]["score"], 0)
    assert "scores" not in segments[0]


def test_records_pass_through_in_order(verb: Verb) -> None:
    documents = [document(str(number), SENTENCE, *[MENU] * (number % 3)) for number in range(30)]
    status, out, _ = verb(scorer.main, stdin=documents)
    assert status == 0
    got = records(out)
    for record in got:
        assert record.pop("nc") == 1
        assert record.pop("models") == [registry.signature("en", registry.read_header(registry.find("en")))]
        assert record.pop("page").keys() == {"odds", "type", "types"}
        for segment in record["segments"]:
            del segment["score"]
    assert got == documents


def test_several_models_from_names_and_files(verb: Verb, tmp_path: Path) -> None:
    path = tmp_path / "my.model"
    registry.write_model(path, small(), {})
    status, out, _ = verb(
        scorer.main, "-m", path, "-m", "ncleaner-nonlexical", "--model", "en", stdin=[document("a", "clean")]
    )
    assert status == 0
    segment = records(out)[0]["segments"][0]
    assert list(segment["scores"]) == [str(path), "ncleaner-nonlexical", "en"]
    assert (
        segment["score"]
        == segment["scores"][str(path)]
        == small().evidence([Document.of_texts(["clean"])])[0]["score"][0]
    )


def test_scoring_again_gives_the_same(verb: Verb) -> None:
    once = verb(scorer.main, "-m", "en", stdin=[document("a", SENTENCE, MENU)])[1]
    assert verb(scorer.main, "-m", "en", stdin=once)[1] == once


def test_message_pack_comes_out_as_it_came_in(verb: Verb) -> None:
    status, out, _ = verb(scorer.main, stdin=msgpack.packb(document("a", SENTENCE)))
    assert status == 0
    assert msgpack.unpackb(out)["segments"][0]["score"] > 0
    assert records(verb(scorer.main, "-f", "jsonl", stdin=msgpack.packb(document("a", SENTENCE)))[1])


def test_errors_go_on_with_the_stream(verb: Verb) -> None:
    earlier = {"id": "e", "error": {"stage": "nc-segment", "message": "html: missing"}, "nc": 1}
    bad = [earlier, document("a", SENTENCE), {"id": "b", "segments": [{"type": "p"}]}, {"id": "c", "html": "x"}]
    status, out, err = verb(scorer.main, stdin=bad)
    assert status == 1
    first, second, third, fourth = records(out)
    assert first == earlier
    assert second["segments"][0]["score"] > 0
    assert third["error"] == {"stage": "nc-score", "message": "segments[0].text: missing"}
    assert fourth["error"] == {"stage": "nc-score", "message": "segments: missing"}
    told = [re.sub(r"record \d+", "record", line) for line in err.splitlines()]
    assert told == ["nc-score: record (b): segments[0].text: missing", "nc-score: record (c): segments: missing"]


def test_an_error_tells_the_number_of_its_record(verb: Verb) -> None:
    bad = {"id": "bad"}
    _, _, err = verb(
        scorer.main, stdin=[document("a", SENTENCE), bad, document("b", SENTENCE), bad, document("c", MENU)]
    )
    assert re.findall(r"record (\d+)", err) == ["2", "4"]


@pytest.mark.parametrize("text", ["", "\0", "\ud83d", "😀", "\u202e", "a" * 100_000])
def test_odd_texts(verb: Verb, text: str) -> None:
    status, out, _ = verb(scorer.main, "-m", "en", "-m", "ncleaner-en", stdin=[document("a", text, SENTENCE)])
    assert status == 0
    segments = records(out)[0]["segments"]
    assert all(isinstance(value, float) for segment in segments for value in segment["scores"].values())
    alone = verb(scorer.main, "-m", "ncleaner-en", stdin=[document("a", SENTENCE)])[1]
    assert segments[1]["scores"]["ncleaner-en"] == records(alone)[0]["segments"][0]["score"]


def test_unknown_and_damaged_models_are_usage_errors(verb: Verb, tmp_path: Path) -> None:
    status, out, err = verb(scorer.main, "-m", "nosuch", stdin=[document("a", "x")])
    assert (status, out) == (2, b"")
    assert re.fullmatch(r"nc-score: unknown model 'nosuch': there is en, .*\n", err)
    (tmp_path / "bad.model").write_bytes(b"ncfilters model 1\n{}\n\n")
    status, out, err = verb(scorer.main, "-m", "en", "-m", tmp_path / "bad.model", stdin=[document("a", "x")])
    assert (status, out) == (2, b"")
    assert err == f"nc-score: {tmp_path / 'bad.model'}: cut short, or damaged\n"


def test_list_models(verb: Verb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry.write_model(tmp_path / "mine.model", small(), {"language": "tlh", "description": "Made for a test."})
    (tmp_path / "broken.model").write_bytes(b"\x80\x04K\x01.")
    monkeypatch.setenv("NC_MODELS", str(tmp_path))
    assert scorer.main(["--list-models"]) == 0
    status, out, err = verb(scorer.main, "--list-models")
    assert (status, err) == (0, "")
    lines = {line.split()[0]: line for line in out.decode().splitlines()}
    assert {"mine", "broken", "en", "ncleaner-en", "ncleaner-nonlexical"} <= lines.keys()
    assert lines["mine"].split(maxsplit=3) == ["mine", "ngram", "tlh", "Made for a test."]
    assert re.match(r"broken +damaged .*broken\.model: a pickle", lines["broken"])
    assert lines["ncleaner-nonlexical"].split()[1:3] == ["ngram", "xx"]
