"""Files of models, whole and damaged, and models by name."""

from __future__ import annotations

import copy
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from model_files import ABOUT, ORACLE_ENTRY, Oracle, trained, written

from fuzz import small_models
from ncfilters.errors import ModelError, RecordError
from ncfilters.features.document import ModelInput
from ncfilters.scoring import inspection, registry
from ncfilters.scoring.inspection import one_line, write_card
from ncfilters.scoring.scorer import AutoScorer, OtherLanguages, Scorer


# ---- other_languages ----
def message(language: str, *records: dict[str, object]) -> str:
    others = OtherLanguages("mine", language)
    others.count(records)
    return others.message()


def test_documents_in_another_language_are_counted() -> None:
    pl, de, en = ({"lang": "pl", "lang_probability": 0.99}, {"lang": "deu"}, {"lang": "en-GB", "lang_probability": 1})
    assert message("en", pl, en, de, pl) == (
        "mine is for en; 3 of 4 documents are in another language (pl 2, de 1): -m auto chooses the model of each"
    )
    assert "1 of 2 documents is in" in message("en", en, pl)
    assert message("pl", pl) == message("xx", pl) == message("", pl) == ""
    assert message("en", {}, {"lang": "und"}, {"lang": "pl", "lang_probability": 0.5}, {"lang": 7}) == ""
    assert "(de 1, fr 1, it 1, pl 1, ru 1, …)" in message(
        "en", *({"lang": code} for code in "de fr it pl ru zh".split())
    )


# ---- inspection_report ----
def test_tables_and_lists_in_reports(tmp_path: Path) -> None:
    rows = [{"ngram": "中文", "odds": 1.0}, {"ngram": "ab", "odds": -12.5}, {"ngram": "é", "odds": 0.0}]
    assert inspection.text_table(rows) == "ngram    odds\n中文     1.00\nab     -12.50\né        0.00\n"
    assert inspection.text_table([]) == "none\n"
    path = written(tmp_path / "x.model", trained(), names=[str(number) for number in range(100)])
    report = inspection.description_report([inspection.describe(path, 0)])
    assert "… (100)" in report
    assert len(report.splitlines()) < 50


def test_model_list_has_a_line_for_each_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "one.model", trained())
    (tmp_path / "two.model").write_bytes(b"x")
    monkeypatch.setattr(registry, "model_folders", lambda: [tmp_path])
    one, two, rules = inspection.model_list().splitlines()
    assert one.split(maxsplit=3) == ["one", "ngram", "en", "For tests — é."]
    assert two.split()[:2] == ["two", "damaged"]
    assert rules.startswith("justext-LANG  rules ")


# ---- base ----
@pytest.mark.parametrize(("name", "kind"), [
    ("en", (True, True, True, True, False)), ("ncleaner-en", (False, False, False, True, False)),
    ("perplexity-en", (True, False, False, False, True)), ("justext-en", (False, True, False, False, False)),
])  # fmt: skip
def test_kinds_do_what_they_say(name: str, kind: tuple[bool, ...]) -> None:
    model = registry.load(name)
    known = model.mapped, bool(model.reads), model.explains, bool(model.most_informative(1)), model.limit is not None
    assert known == kind


# ---- inspection ----
def test_descriptions_comparisons_and_cards_of_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "x.model", trained())
    described = inspection.describe(path, 2)
    assert described["header"] == registry.read_header(path)
    assert described["signature"] == registry.signature("x", described["header"])
    assert described["telling"] == trained().most_informative(2)
    assert "telling" not in inspection.describe(path, 0)
    assert inspection.verify(path)["ok"]
    registry.card_path(path).write_text(f"sha256: {'0' * 64}", encoding="utf-8")
    result = inspection.verify(path)
    assert not result["ok"] and "another model" in result["problems"][0]
    registry.card_path(path).unlink()
    result = inspection.verify(path)
    assert result["ok"] and result["notes"] == ["there is no card x.md"]
    first = written(tmp_path / "x.model", trained())
    second = written(tmp_path / "y.model", trained(q=0.4), language="xx")
    found = inspection.compare(first, second, 3)
    assert not found["same"] and found["arrays"] == []
    assert found["fields"] == {"language": ["en", "xx"], "parameters.q": [0.5, 0.4]}
    assert len(found["compared"]["changed"]) == 3
    assert inspection.compare(first, first, 3)["same"]
    monkeypatch.setitem(registry.KINDS, "oracle", ORACLE_ENTRY)
    second = written(tmp_path / "z.model", Oracle([1]))
    with pytest.raises(ModelError, match="cannot be compared"):
        inspection.compare(first, second, 3)


# ---- card ----
CARD = """\
# some

For tests — é.

- kind: ngram
- language: en
- n: 3
- q: 0.5
- folding: ascii

Learned from:

- A corpus, CC0
- Another, CC BY 4.0
- pages: 1,497
- pages left out: 3

Made by

    nc-train ngram

Checksum (sha256 of header and arrays): {sha256}
"""


def test_a_card_has_parameters_corpora_and_checksum(tmp_path: Path) -> None:
    path = tmp_path / "some.model"
    header = registry.write_model(path, trained(), ABOUT)
    write_card(path, header)
    assert (tmp_path / "some.md").read_text(encoding="utf-8") == CARD.format(**header)


@pytest.mark.parametrize(("value", "line"), [
    (1234567, "1,234,567"), (True, "true"), ("a\nb", "a\ufffdb"), ("a\x1b[31mé\t", "a\ufffd[31mé\ufffd"),
    ([1, "é"], '[1, "é"]'), (list(range(30)), "0, 1, 2, 3, 4, … (30)"),
])  # fmt: skip
def test_values_are_on_one_line(value: object, line: str) -> None:
    assert one_line(value) == line


# ---- auto ----
POLISH = "Ostatni wieczorny tramwaj odjeżdża z portu dziesięć po jedenastej, a nikt nie wie dlaczego."
ENGLISH = "The last tram of the evening leaves the harbour at ten past eleven, and nobody knows why."


def page(text: str, plain: bool = False, **fields: Any) -> dict[str, Any]:
    place = {} if plain else {"path": "body/p", "tag": "p", "links": 0}
    return {**fields, "segments": [{"text": text, "type": "p", **place}]}


def names(records: list[Any]) -> list[str]:
    return [record["models"][0].partition("@")[0] for record in records]


@pytest.mark.parametrize(("record", "name"), [
    (page("?", lang="en"), "en"), (page("?", lang="en-GB"), "en"), (page("?", lang="eng"), "en"),
    (page("?", lang="en", lang_probability=0.9), "en"), (page("?", lang="en", lang_probability=0.5), "xx"),
    (page("?", lang="pl", lang_probability=1), "xx"), (page("?", lang="und", lang_probability=0), "xx"),
    (page("?", lang=["en"]), "xx"), (page("?", plain=True, lang="en"), "en"),
    (page("?", plain=True, lang="pl"), "ncleaner-pl"), (page("?", plain=True, lang="fr"), "xx"), (page(ENGLISH), "en"),
    (page(POLISH), "xx"),
])  # fmt: skip
def test_model_of_a_language(record: dict[str, Any], name: str) -> None:
    assert names(AutoScorer()([record])) == [name]


def test_a_language_is_found_and_a_model_of_its_name_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (record,) = AutoScorer()([page(POLISH)])
    assert isinstance(record, dict) and record["lang"] == "pl" and record["lang_probability"] > 0.9
    (tmp_path / "pl.model").write_bytes(Path(registry.find("ncleaner-pl")).read_bytes())
    monkeypatch.setenv("NC_MODELS", str(tmp_path))
    assert names(AutoScorer()([page(POLISH), page(POLISH, lang="cs")])) == ["pl", "xx"]


def test_scores_in_the_order_of_the_records_and_errors_of_wrong_ones() -> None:
    records = [page(f"{number} {text}", id=number) for number, text in enumerate([ENGLISH, POLISH] * 5)]
    found = AutoScorer()(copy.deepcopy(records))
    for name, start in (("en", 0), ("xx", 1)):
        expected = Scorer([registry.load_named(name)])(copy.deepcopy(records[start::2]))
        for one, other in zip(found[start::2], expected):
            assert isinstance(one, dict) and isinstance(other, dict)
            assert (
                one["segments"] == other["segments"] and one["id"] == other["id"] and one["models"] == other["models"]
            )
    wrong: list[dict[str, Any]] = [{}, {"segments": [7]}, {"segments": [{"text": "x", "links": "1"}]}]
    results = AutoScorer()([page(ENGLISH), *wrong, page(POLISH)])
    assert [isinstance(result, RecordError) for result in results] == [False, True, True, True, False]
    assert str(results[3]) == "segments[0].links: expected an integer, got a string"


def test_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "installed_folder", lambda: tmp_path)
    with pytest.raises(ModelError, match="neither xx nor ncleaner-nonlexical is installed"):
        AutoScorer()


NUM_KINDS = len(small_models.model_parts())
TRIES = 12


def damaged(whole: bytes) -> Iterator[bytes]:
    """Files that are cut, and files with a flipped bit."""
    at = random.Random(1)
    for _ in range(TRIES):
        place = at.randrange(len(whole))
        yield whole[:place]
        yield whole[:place] + bytes([whole[place] ^ 1 << at.randrange(8)]) + whole[place + 1 :]


def is_refused(path: Path, data: bytes) -> bool:
    """Whether the file is refused; if not, its scores are finite."""
    path.write_bytes(data)
    try:
        small_models.use_model(path)  # fails if a score is not finite
    except ModelError as error:
        assert path.name in str(error)
        return True
    return False


@pytest.mark.parametrize("number", range(NUM_KINDS))
def test_damage_of_our_models_is_always_noticed(number: int, tmp_path: Path) -> None:
    whole = small_models.packed(*small_models.model_parts()[number])
    assert not is_refused(tmp_path / "x.model", whole)
    assert all(is_refused(tmp_path / "x.model", data) for data in damaged(whole) if data != whole)


@pytest.mark.parametrize("number", range(NUM_KINDS))
def test_forged_models_are_refused_or_score(number: int, tmp_path: Path) -> None:
    for data in small_models.forged_files(*small_models.model_parts()[number]):
        is_refused(tmp_path / "x.model", data)


def test_damaged_models_of_pyplexity_are_refused_or_score(tmp_path: Path) -> None:
    whole = (small_models.DATA / "storable" / "bigrams.st").read_bytes()
    for data in damaged(whole):
        is_refused(tmp_path / "x.st", data)


ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted((ROOT / "models").glob("*.model"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A model file."""
    where = tmp_path / "some.model"
    registry.write_model(where, trained(), {"language": "en", "description": "For tests — é."})
    return where


# ---- found by name --------------------------------------------------------------------------------------------
def test_nc_models_takes_precedence_in_its_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, language in (("one", "aa"), ("two", "bb")):
        (tmp_path / folder).mkdir()
        registry.write_model(tmp_path / folder / "en.model", trained(), {"language": language})
    registry.write_model(tmp_path / "two" / "mine.model", trained(), {})
    before = registry.installed_models()
    assert before["en"] == str(ROOT / "models" / "en.model")
    monkeypatch.setenv("NC_MODELS", f"{tmp_path / 'one'}:{tmp_path / 'missing'}::{tmp_path / 'two'}")
    assert registry.find("en") == str(tmp_path / "one" / "en.model")
    assert registry.find("mine") == str(tmp_path / "two" / "mine.model")
    assert registry.installed_models().keys() == before.keys() | {"mine"}
    assert registry.find("ncleaner-en") == before["ncleaner-en"]
    monkeypatch.setenv("NC_MODELS", f"{tmp_path / 'two'}:{tmp_path / 'one'}")
    assert registry.find("en") == str(tmp_path / "two" / "en.model")
    monkeypatch.setenv("NC_MODELS", "")
    assert registry.installed_models() == before


def test_names_and_files_are_distinct(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    with pytest.raises(ModelError, match=r"unknown model 'some'; installed models: .*en.*\./some\.model"):
        registry.load("some")
    assert registry.load("some.model").kind == registry.load("./some.model").kind == "ngram"
    path.rename("some")
    assert registry.load("./some").kind == "ngram"


def test_without_models_only_quality_is_optional(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = registry.find_quality(None, required=False)
    assert found is not None and found.kind == "quality"
    monkeypatch.setattr(registry, "model_folders", lambda: [tmp_path])
    assert registry.find_quality(None, required=False) is None
    with pytest.raises(ModelError, match="unknown model 'quality'"):
        registry.find_quality(None, required=True)
    monkeypatch.setattr(registry, "model_folders", lambda: [tmp_path])
    with pytest.raises(ModelError, match="unknown model 'en'; installed models: none"):
        registry.load("en")


# ---- what is shipped ------------------------------------------------------------------------------------------
def test_documented_models_are_installed_with_their_cards() -> None:
    ncleaner = (f"ncleaner-{name}" for name in "en nonlexical el pl ru zh".split())
    promised = {"en", "quality", "quality-text", "perplexity-en", *ncleaner}
    assert promised <= {path.stem for path in SHIPPED}
    assert {path.stem for path in (ROOT / "models").glob("*.md")} == {path.stem for path in SHIPPED}


@pytest.mark.parametrize("shipped", SHIPPED, ids=lambda path: path.stem)
def test_installed_models_are_complete(shipped: Path) -> None:
    # the n-grams of words are what they are
    assert shipped.stat().st_size <= (20_000_000 if shipped.stem == "perplexity-en" else 3_000_000)
    header = registry.read_header(shipped)
    assert header["language"] and header["description"] and header["credits"] and header["normalised"]
    assert header["command"].startswith("nc-train ")
    card = shipped.with_suffix(".md").read_text(encoding="utf-8")
    assert header["sha256"] in card
    assert header["command"] in card
    assert all(credit in card for credit in header["credits"])
    if header["kind"] == "quality":
        assert registry.read_model(shipped)[1].kind == header["kind"]
        return
    text, menu = SAMPLES.get(header["language"], SAMPLES["en"])
    found = registry.load(shipped.stem).evidence([ModelInput.of_texts([menu, text, text, menu])])[0]["score"]
    # word models may score a menu above 0, but always below a sentence
    between = max(found[0], found[3]) if header["kind"] == "word" else 0
    assert min(found[1:3]) > between >= max(found[0], found[3])


# A sentence and a menu that were written for this test.
SAMPLES = {
    "en": (
        "The committee met on Tuesday and agreed, after a long discussion, to repair the bridge.",
        "Home | About us | Contact | Log in | Privacy policy",
    ),
    "el": (
        "Η επιτροπή συνεδρίασε την Τρίτη και αποφάσισε, ύστερα από μακρά συζήτηση, να επισκευάσει τη γέφυρα, "
        "που είναι κλειστή από τον περασμένο χειμώνα λόγω των πλημμυρών.",
        "Αρχική | Επικοινωνία | Σύνδεση | Όροι χρήσης",
    ),
    "pl": (
        "Komisja zebrała się we wtorek i po długiej dyskusji postanowiła naprawić most, który od zimy pozostaje "
        "zamknięty z powodu powodzi. Prace mają się rozpocząć w maju i potrwać co najmniej pół roku.",
        "Strona główna | Kontakt | Zaloguj się | Regulamin",
    ),
    "ru": (
        "Комиссия собралась во вторник и после долгого обсуждения решила отремонтировать мост, который с зимы "
        "закрыт из-за наводнения. Работы должны начаться в мае и продлятся не менее полугода.",
        "Главная | Контакты | Войти | Реклама",
    ),
    "zh": (
        "委员会星期二开会，经过长时间讨论，决定修复去年冬天因洪水而关闭的大桥。工程将于五月开始，预计至少需要半年。",
        "首页 | 登录 | 联系我们",
    ),
}


def test_models_of_the_papers_have_their_parameters() -> None:
    english, other = (registry.read_header(registry.find(f"ncleaner-{name}")) for name in ("en", "nonlexical"))
    assert english["parameters"] == {"n": 3, "q": 0.5, "folding": "ascii"}
    assert other["parameters"] == {"n": 6, "q": 0.4, "folding": "nonlexical"}


# ---- kinds ----------------------------------------------------------------------------------------------------
def test_kinds_of_models(path: Path) -> None:
    named = registry.load_named(str(path))
    assert (named.name, named.model.kind) == (str(path), "ngram")
    assert named.signature == f"some@{registry.read_header(path)['sha256'][:12]}"
    header, model = registry.read_model(registry.find("justext-en"))
    assert (header["kind"], model.kind, header["language"]) == ("rules", "rules", "en")
    with pytest.raises(ModelError, match="unknown model 'justext-xx'; installed stop lists: .*justext-en"):
        registry.find("justext-xx")


def test_the_registry_does_not_load_the_kinds() -> None:
    code = "import sys; from ncfilters.scoring import registry; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"numpy", "ncfilters.scoring.structure.model"} & set(done.stdout.split())
