"""Models by name: where they are found, the installed models, and their cards."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from model_files import trained

from ncfilters.errors import ModelError
from ncfilters.features.document import ModelInput
from ncfilters.scoring import registry

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
    assert before["en"] == ROOT / "models" / "en.model"
    monkeypatch.setenv("NC_MODELS", f"{tmp_path / 'one'}:{tmp_path / 'missing'}::{tmp_path / 'two'}")
    assert registry.find("en") == tmp_path / "one" / "en.model"
    assert registry.find("mine") == tmp_path / "two" / "mine.model"
    assert registry.installed_models().keys() == before.keys() | {"mine"}
    assert registry.find("ncleaner-en") == before["ncleaner-en"]
    monkeypatch.setenv("NC_MODELS", f"{tmp_path / 'two'}:{tmp_path / 'one'}")
    assert registry.find("en") == tmp_path / "two" / "en.model"
    monkeypatch.setenv("NC_MODELS", "")
    assert registry.installed_models() == before


def test_names_and_files_are_distinct(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    with pytest.raises(ModelError, match=r"unknown model 'some'; installed models: .*en.*\./some\.model"):
        registry.load("some")
    assert registry.load("some.model").kind == registry.load("./some.model").kind == "ngram"
    path.rename("some")
    assert registry.load("./some").kind == "ngram"


def test_without_models_none_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("ncleaner-en", {"n": 3, "q": 0.5, "folding": "ascii"}),
        ("ncleaner-nonlexical", {"n": 6, "q": 0.4, "folding": "nonlexical"}),
    ],
)
def test_models_of_the_papers_have_their_parameters(name: str, parameters: dict[str, Any]) -> None:
    assert registry.read_header(registry.find(name))["parameters"] == parameters


# ---- kinds ----------------------------------------------------------------------------------------------------
def test_kinds_of_models(path: Path) -> None:
    with pytest.raises(ModelError, match="^quality: a model of kind 'quality' does not score segments"):
        registry.load("quality")
    named = registry.load_named(str(path))
    assert (named.name, named.model.kind) == (str(path), "ngram")
    assert named.signature == f"some@{registry.read_header(path)['sha256'][:12]}"
    header, model = registry.read_model(registry.find("justext-en"))
    assert (header["kind"], model.kind, header["language"]) == ("rules", "rules", "en")
    with pytest.raises(ModelError, match="unknown model 'justext-xx'; installed stop lists: .*justext-en"):
        registry.find("justext-xx")


def test_the_default_quality_model_is_optional(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = registry.find_quality(None, required=False)
    assert found is not None and found.kind == "quality"
    monkeypatch.setattr(registry, "model_folders", lambda: [tmp_path])
    assert registry.find_quality(None, required=False) is None
    with pytest.raises(ModelError, match="unknown model 'quality'"):
        registry.find_quality(None, required=True)


def test_the_registry_does_not_load_the_kinds() -> None:
    code = "import sys; from ncfilters.scoring import registry; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"numpy", "ncfilters.scoring.structure.model"} & set(done.stdout.split())
