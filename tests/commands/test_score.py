"""nc-score: its options, models by name and file, and errors."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Verb
from word_lm_corpus import DATA, train

from ncfilters.commands import model, score
from ncfilters.features.document import ModelInput
from ncfilters.scoring import registry
from ncfilters.scoring.char_ngram.model import CharNgramModel, CharNgramParameters
from ncfilters.scoring.char_ngram.ngrams import Alphabet
from ncfilters.scoring.justext.rules import rules_model
from ncfilters.scoring.word_lm.parameters import NORMALIZATIONS

SENTENCE = "The committee met on Tuesday and agreed to repair the old bridge."
ARTICLE = (
    "The committee met on Tuesday and agreed to repair the old bridge, which has been closed since the flood of May.",
    "Work begins in the autumn. Until then walkers use the ferry, said the mayor, who had voted against it herself.",
    "It is the third time in a century that the town has to pay for the bridge, and nobody expects it to be the last.",
)
MENU = "Home | About us | Contact | Log in"
STOP_WORDS = frozenset("the of and to a in is it that was".split())


def document(name: str = "a", *texts: str) -> dict[str, Any]:
    segments = [{"text": text, "type": "p", "path": "body/p", "links": 0, "mine": 1} for text in texts]
    return {"id": name, "segments": segments, "other": {"x": [1, None]}}


def small(clean: str = "clean", dirty: str = "dirt") -> CharNgramModel:
    return CharNgramModel.train(CharNgramParameters(2, 0.5, Alphabet("ascii")), [(clean, 1)], [(dirty, 1)])


def records(out: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


# ---- records and models ----
def test_the_default_is_the_model_of_the_language(verb: Verb) -> None:
    given = [{**document("a", *ARTICLE, MENU), "lang": lang} for lang in ("en", "pl")]
    status, out, err = verb(score.main, stdin=given)
    assert (status, err) == (0, "")
    assert out == verb(score.main, "-m", "auto", stdin=given)[1]
    assert [records(out)[0]] == records(verb(score.main, "-m", "en", stdin=given[:1])[1])
    assert [records(out)[1]] == records(verb(score.main, "-m", "xx", stdin=given[1:])[1])
    segments = records(out)[0]["segments"]
    assert segments[0]["score"] > max(segments[-1]["score"], 0)
    assert "scores" not in segments[0]


def test_records_keep_their_order_and_fields(verb: Verb) -> None:
    documents = [document(str(number), SENTENCE, *[MENU] * (number % 3)) for number in range(30)]
    status, out, _ = verb(score.main, "-m", "en", stdin=documents)
    assert status == 0
    got = records(out)
    for record in got:
        assert record.pop("nc") == 1
        assert record.pop("models") == [registry.signature("en", registry.read_header(registry.find("en")))]
        assert record.pop("page").keys() == {"odds", "type", "types"}
        for segment in record["segments"]:
            for field in ("score", "score_article", "score_all", "role", "role_probability"):
                del segment[field]
    assert got == documents


def test_documents_in_other_languages_are_reported_once(verb: Verb) -> None:
    documents = [{**document("a", SENTENCE), "lang": lang} for lang in ("en", "pl", "de", "pl")]
    status, out, err = verb(score.main, "-m", "en", stdin=documents)
    assert (status, len(records(out))) == (0, 4)
    assert err.startswith("nc-score: en is for en; 3 of 4 documents are in another language (pl 2, de 1): -m auto")
    assert verb(score.main, "-m", "xx", stdin=documents)[2] == ""


def test_several_models_from_names_and_files(verb: Verb, tmp_path: Path) -> None:
    path = tmp_path / "my.model"
    registry.write_model(path, small(), {})
    names = [path, "ncleaner-nonlexical", "en"]
    status, out, _ = verb(score.main, *(f"-m{name}" for name in names), stdin=[document("a", "clean")])
    segment = records(out)[0]["segments"][0]
    assert (status, list(segment["scores"])) == (0, [*map(str, names)])
    expected = small().evidence([ModelInput.of_texts(["clean"])])[0]["score"][0]
    assert segment["score"] == segment["scores"][str(path)] == expected


@pytest.mark.parametrize("text", ["", "\0", "\ud83d", "😀", "\u202e", "a" * 100_000])
def test_unusual_texts_are_scored(verb: Verb, text: str) -> None:
    status, out, _ = verb(score.main, "-m", "en", "-m", "ncleaner-en", stdin=[document("a", text, SENTENCE)])
    assert status == 0
    segments = records(out)[0]["segments"]
    assert all(isinstance(value, float) for segment in segments for value in segment["scores"].values())
    alone = verb(score.main, "-m", "ncleaner-en", stdin=[document("a", SENTENCE)])[1]
    assert segments[1]["scores"]["ncleaner-en"] == records(alone)[0]["segments"][0]["score"]


def test_list_models_has_damaged_ones_too(verb: Verb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry.write_model(tmp_path / "mine.model", small(), {"language": "tlh", "description": "Made for a test."})
    (tmp_path / "broken.model").write_bytes(b"\x80\x04K\x01.")
    monkeypatch.setenv("NC_MODELS", str(tmp_path))
    assert score.main(["--list-models"]) == 0
    status, out, err = verb(score.main, "--list-models")
    assert (status, err) == (0, "")
    lines = {line.split()[0]: line for line in out.decode().splitlines()}
    assert {"mine", "broken", "en", "ncleaner-en", "ncleaner-nonlexical"} <= lines.keys()
    assert lines["mine"].split(maxsplit=3) == ["mine", "ngram", "tlh", "Made for a test."]
    assert re.match(r"broken +damaged .*broken\.model: refused: a pickle", lines["broken"])
    assert lines["ncleaner-nonlexical"].split()[1:3] == ["ngram", "xx"]


# ---- perplexity ----
@pytest.fixture
def perplexity(tmp_path: Path) -> Path:
    """A model that has a perplexity."""
    path = tmp_path / "p.model"
    registry.write_model(path, train([SENTENCE, "The bridge is old."]), {})
    return path


def test_limit_shifts_the_scores_of_perplexity(verb: Verb, perplexity: Path) -> None:
    stdin = [document("a", SENTENCE, MENU, "")]
    usual = records(verb(score.main, "-m", perplexity, stdin=stdin)[1])[0]
    status, out, err = verb(score.main, "-m", perplexity, "--limit", "16", stdin=stdin)
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


def test_limit_is_for_models_with_perplexity_only(verb: Verb, perplexity: Path) -> None:
    status, out, _ = verb(score.main, "-m", "en", "-m", perplexity, "--limit", "1e3", stdin=[document("a", SENTENCE)])
    assert status == 0
    assert [name.partition("+")[2] for name in records(out)[0]["models"]] == ["", "limit=1000"]


def test_very_long_sentences_are_scored(verb: Verb, perplexity: Path) -> None:
    texts = ["the bridge " * 50_000, "大桥。" * 50_000, "мост " * 100_000, "w" * 500_000]
    status, out, err = verb(score.main, "-m", perplexity, stdin=[document("a", *texts)])
    assert (status, err) == (0, "")
    found = [segment["perplexity"] for segment in records(out)[0]["segments"]]
    assert found[0] < 100 and found[1:] == pytest.approx([1e6] * 3, rel=1e-3)


# ---- the options of jusText ----
def page(*segments: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"id": "a", "segments": [{"type": "p", "path": "body/p", "links": 0, **segment} for segment in segments]}]


def test_signatures_have_the_options_of_justext(verb: Verb, tmp_path: Path) -> None:
    name = tmp_path / "justext-xx.model"
    registry.write_model(name, rules_model(STOP_WORDS), {})
    options = ["--set", "length-low=5", "--set", "variant=improved"]
    out, plain = (verb(score.main, "-m", name, *some, stdin=page({"text": "Home"}))[1] for some in (options, []))
    assert b'+length_low=5+variant=improved"]' in out and b"+" not in plain


# ---- nc-score with perplexity models ----
BINARY = DATA / "harbour-3-pruned.bin"
ARPA = DATA / "harbour-3-pruned.arpa"


@pytest.fixture
def theirs() -> Any:
    return pytest.importorskip("kenlm").Model(str(BINARY))


def scored(verb: Verb, *args: str | Path) -> dict[str, Any]:
    stdin = [{"segments": [{"text": "The captain forgot the nets."}]}]
    status, out, err = verb(score.main, *args, stdin=stdin)
    assert (status, err) == (0, "")
    (record,) = records(out)
    return record


@pytest.mark.oracle
def test_texts_are_normalised_and_the_signature_says_so(verb: Verb, theirs: Any) -> None:
    plain = scored(verb, "-m", BINARY)
    assert plain["segments"][0]["perplexity"] == pytest.approx(theirs.perplexity("The captain forgot the nets."), 1e-6)
    signature = plain["models"][0]
    assert signature.startswith("harbour-3-pruned.bin@")
    lower = scored(verb, "-m", BINARY, "--normalise", "lower")
    assert lower["segments"][0]["perplexity"] == pytest.approx(theirs.perplexity("the captain forgot the nets."), 1e-6)
    assert lower["models"] == [f"{signature}+normalise=lower"]
    cut = scored(verb, "-m", BINARY, "--tokens", "words", "--limit", "300", "--normalise", "ccnet")
    perplexity = theirs.perplexity("the captain forgot the nets .")
    assert cut["segments"][0]["perplexity"] == pytest.approx(perplexity, 1e-6)
    assert cut["segments"][0]["score"] == pytest.approx(np.log2(300 / perplexity), abs=0.006)
    assert cut["models"] == [f"{signature}+normalise=ccnet+tokens=words+limit=300"]


def test_all_normalizations_are_options() -> None:
    assert f"--normalise {'|'.join(NORMALIZATIONS)}:" in score._OPTIONS


def test_only_perplexity_models_get_normalised_texts(verb: Verb) -> None:
    pytest.importorskip("kenlm")
    both = scored(verb, "-m", "ncleaner-en", "-m", ARPA, "--tokens", "words")
    alone = scored(verb, "-m", "ncleaner-en")
    assert both["segments"][0]["score"] == alone["segments"][0]["score"]
    assert both["models"][0] == alone["models"][0]
    assert both["models"][1].endswith("+tokens=words")


def test_a_tokenization_in_the_header_is_not_overridden(verb: Verb, tmp_path: Path) -> None:
    path = tmp_path / "own.model"
    assert model.main(["import", str(DATA / "storable" / "bigrams.st"), "-o", str(path)]) == 0
    status, _, err = verb(score.main, "-m", path, "--tokens", "words")
    assert status == 2 and err == f"nc-score: {path}: its header already names a tokenization: pyplexity\n"
    assert scored(verb, "-m", path, "--normalise", "lower")["models"][0].endswith("+normalise=lower")
