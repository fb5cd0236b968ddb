"""nc-train: pages with gold text in, a model and its card out."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ncfilters import align, learners, model, train
from ncfilters import material as materials
from ncfilters.material import Material
from ncfilters.ngram import Ngram

Verb = Callable[..., tuple[int, bytes, str]]
Page = dict[str, Any]

SUBJECTS = ["The committee", "A neighbour", "The old captain", "Her brother", "Every visitor", "The harbour master"]
VERBS = ["remembered", "described", "had forgotten", "walked along", "wrote about", "was looking for"]
OBJECTS = ["the bridge in winter", "a narrow road", "the first ferry", "some letters", "a quiet morning", "the market"]
MENU = [
    "Home",
    "Login",
    "Contact us",
    "Sitemap",
    "Subscribe now",
    "Share this",
    "Print page",
    "Related stories",
    "Next >>",
]


def sentence(rnd: random.Random) -> str:
    return f"{rnd.choice(SUBJECTS)} {rnd.choice(VERBS)} {rnd.choice(OBJECTS)}."


def page(number: int) -> Page:
    """An invented page with its gold text."""
    rnd = random.Random(number)
    gold = [" ".join(sentence(rnd) for _ in range(rnd.randint(2, 5))) for _ in range(4)]
    before, after = (rnd.sample(MENU, 4) for _ in range(2))
    html = "".join(f"<div>{item}</div>" for item in before)
    html += "".join(f"<p>{text}</p>" for text in gold)
    html += "".join(f"<div>{item}</div>" for item in after)
    return {"id": f"page {number}", "html": f"<body>{html}</body>", "gold": "\n\n".join(gold)}


PAGES = [page(number) for number in range(12)]
CHINESE: Page = {
    "html": "<div>首页</div><div>登录</div><div>联系我们</div>"
    "<p>大桥关闭，五月重新开放。市长说：我们在修。</p><div>版权声明</div>",
    "gold": "大桥关闭，五月重新开放。市长说：我们在修。",
}


def learned(pages: list[Page]) -> Material:
    return Material([materials.page(dict(some)) for some in pages])


def texts(some: list[tuple[str, float]]) -> list[str]:
    return [text for text, _ in some]


# ---- labels ---------------------------------------------------------------------------------------------------


def test_segments_of_the_gold_text_are_clean_and_others_dirty() -> None:
    some = page(1)
    material = learned([some])
    assert texts(material.texts(True)) == some["gold"].split("\n\n") == texts(material.gold())
    assert len(material.texts(False)) + material.seen()["segments marked by rules"] == 8
    assert set(texts(material.texts(False))) <= set(MENU)
    assert material.seen()["pages"] == 1


def test_cleaneval_markup_as_gold() -> None:
    html = "<body><div>Log in here</div><h1>The bridge</h1><p>It is closed for good.</p><div>Other stories</div></body>"
    material = learned([{"html": html, "gold": {"markup": "URL: http://x/\n<h>The bridge\n<p>It is closed for good."}}])
    assert texts(material.texts(True)) == ["The bridge", "It is closed for good."]


def test_cleaneval_markers_part_the_gold_text() -> None:
    markup = "URL: http://x/\n\n<h>The bridge\n<p>It is closed for good.\n<l>May\n<l>June\n"
    page = {"html": "<h1>The bridge</h1><p>It is closed for good.<ul><li>May<li>June</ul>", "gold": {"markup": markup}}
    assert texts(learned([page]).gold()) == ["The bridge", "It is closed for good.", "May", "June"]


def test_a_chinese_page() -> None:
    material = learned([CHINESE])
    assert texts(material.texts(True)) == [CHINESE["gold"]]
    assert set(texts(material.texts(False))) <= {"首页", "登录", "联系我们", "版权声明"}
    trained = learners.ngram(material_of_chinese(), 2, 0.5, "frequent", 50, False)
    assert trained.header()["characters"]
    clean, dirty = trained.evidence([[{"text": "大桥关闭。"}, {"text": "登录"}]])[0]["score"]
    assert clean > 0 > dirty


def material_of_chinese() -> Material:
    return learned(
        [{"segments": [{"text": "登录"}, {"text": "大桥关闭。"}, {"text": "首页"}], "gold": "大桥关闭。"}] * 3
    )


def test_half_of_the_words_make_a_segment_clean() -> None:
    assert align.CLEAN_SHARE == 0.5
    segments = [{"text": "one two three four"}, {"text": "five six seven eight"}, {"text": "a b c d e"}]
    material = learned([{"segments": segments, "gold": "one two five a b"}])
    assert texts(material.texts(True)) == ["one two three four"]
    assert texts(material.texts(False)) == ["five six seven eight", "a b c d e"]


def test_marked_and_wordless_segments_teach_nothing() -> None:
    segments = [{"text": "Home | About", "rule": "bars"}, {"text": "***"}, {"text": "text"}, {"text": "other"}]
    material = learned([{"segments": segments, "gold": "text"}])
    assert (texts(material.texts(True)), texts(material.texts(False))) == (["text"], ["other"])
    assert material.seen()["segments marked by rules"] == 1


def test_longer_pages_and_segments_weigh_more_but_not_as_much_as_they_are_longer() -> None:
    material = learned([{"segments": [{"text": "word " * 40}, {"text": "word"}, {"text": "no"}], "gold": "word " * 41}])
    (_, long), (_, short) = materials.by_segment(material.texts(True))
    assert long < short and long * 200 > short * 5


def test_a_page_whose_gold_is_not_found_is_left_out() -> None:
    material = learned([{**page(1), "gold": "Nothing of this stands on that page, quite another story."}, page(2)])
    assert (material.seen()["pages"], material.seen()["pages left out"]) == (2, 1)
    assert texts(material.texts(True)) == page(2)["gold"].split("\n\n")


def test_an_empty_gold_text_makes_the_whole_page_dirty() -> None:
    material = learned([{"segments": [{"text": "one"}, {"text": "two"}], "gold": ""}])
    assert (material.texts(True), texts(material.texts(False))) == ([], ["one", "two"])


def test_pages_are_read_as_nc_segment_reads_them() -> None:
    text = "Home\n\nThe bridge is closed.\n\nLogin"
    material = learned([{"text": text, "gold": "The bridge is closed."}])
    assert texts(material.texts(True)) == ["The bridge is closed."]


# ---- models of them -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("differential", [False, True], ids=["labels", "differential"])
@pytest.mark.parametrize(("fold", "n"), [("ascii", 3), ("nonlexical", 6), ("frequent", 3)])
def test_a_model_tells_the_classes_apart(fold: str, n: int, differential: bool) -> None:
    made = learners.ngram(learned(PAGES), n, 0.5, fold, 30, differential)
    rnd = random.Random("new")
    clean = [{"text": sentence(rnd)} for _ in range(8)]
    dirty = [{"text": text} for text in MENU]
    got_clean, got_dirty = (found["score"] for found in made.evidence([clean, dirty]))
    assert min(got_clean) > 0
    assert max(got_dirty) < (0 if fold != "nonlexical" or not differential else min(got_clean))


def test_differential_is_dump_less_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    # where the gold text is, segment for segment, what was found clean, both ways count the same, but for the weights
    monkeypatch.setattr(materials, "SEGMENT_WEIGHT", 0.0)
    material = learned(PAGES)
    assert sorted(material.gold()) == sorted(material.texts(True))
    some, other = (learners.ngram(material, 3, 0.5, "ascii", 0, differential) for differential in (False, True))
    sample = [[{"text": text} for text in [*MENU, sentence(random.Random(3))]]]
    assert some.evidence(sample)[0]["score"] == pytest.approx(other.evidence(sample)[0]["score"], abs=0.02)


def test_differential_hardly_minds_where_the_gold_text_has_its_paragraphs() -> None:
    joined = [{**some, "gold": some["gold"].replace("\n\n", " ")} for some in PAGES]
    some, other = (learners.ngram(learned(pages), 3, 0.5, "ascii", 0, True) for pages in (PAGES, joined))
    rnd = random.Random("new")
    sample = [[{"text": sentence(rnd)} for _ in range(8)]]
    assert other.evidence(sample)[0]["score"] == pytest.approx(some.evidence(sample)[0]["score"], rel=0.3)


def test_differential_counts_may_be_negative() -> None:
    more = [{**some, "gold": some["gold"] + "\n\nGold that stands on no page"} for some in PAGES]
    material = learned(more)
    made = learners.ngram(material, 3, 0.5, "ascii", 0, True)
    assert isinstance(made, Ngram)
    assert (made.dirty < 0).any()


def test_frequent_keeps_the_most_frequent_characters() -> None:
    made = learners.ngram(learned([CHINESE] * 2), 2, 0.5, "frequent", 3, False)
    every = CHINESE["gold"] + "".join(text for text, _ in learned([CHINESE]).texts(False))
    kept = made.header()["characters"]
    assert len(kept) == 3 and list(kept) == sorted(kept)
    assert min(every.count(c) for c in kept) >= max(every.count(c) for c in every if c not in kept)


def test_an_empty_class_is_named() -> None:
    all_clean = learned([{"segments": [{"text": "text"}], "gold": "text"}])
    with pytest.raises(ValueError, match="no dirty segment in 1 pages"):
        learners.ngram(all_clean, 3, 0.5, "ascii", 0, False)
    with pytest.raises(ValueError, match="no clean segment in 0 pages"):
        learners.ngram(learned([]), 3, 0.5, "ascii", 0, False)


@pytest.mark.parametrize(("n", "q"), [(0, 0.5), (9, 0.5), (3, 0.0), (3, 1.0)])
def test_parameters_out_of_range(n: int, q: float) -> None:
    with pytest.raises(ValueError, match="[nq] is "):
        learners.ngram(learned(PAGES[:2]), n, q, "ascii", 0, False)


# ---- the command ----------------------------------------------------------------------------------------------


def test_the_command_writes_model_and_card(verb: Verb, tmp_path: Path) -> None:
    to = tmp_path / "mine.model"
    about = ["--language", "en", "--description", "For — tests.", "--credit", "Pages, CC0", "--credit", "More, CC BY"]
    status, out, err = verb(train.main, "ngram", "-n", "4", "-q", "0.4", "-o", to, *about, stdin=PAGES)
    assert (status, out) == (0, b"")
    material = learned(PAGES)
    for what, number in [
        ("pages", 12),
        ("clean segments", len(material.texts(True))),
        ("dirty segments", len(material.texts(False))),
        ("clean characters", sum(map(len, texts(material.texts(True))))),
        ("dirty characters", sum(map(len, texts(material.texts(False))))),
    ]:
        assert f"nc-train: {what}: {number:,}\n" in err
    made = model.load(str(to))
    assert made.header() == {"n": 4, "q": 0.4, "folding": "ascii"}
    expected = learners.ngram(material, 4, 0.4, "ascii", 200, False)
    sample = [[{"text": text} for text in [*MENU, "A neighbour remembered the bridge."]]]
    assert made.evidence(sample) == expected.evidence(sample)
    header = model.read(to)[0]
    assert (header["language"], header["description"]) == ("en", "For — tests.")
    assert header["credits"] == ["Pages, CC0", "More, CC BY"]
    card = (tmp_path / "mine.md").read_text(encoding="utf-8")
    assert card == train.card("mine", header)
    for line in [
        "# mine",
        "For — tests.",
        "- kind: ngram",
        "- language: en",
        "- n: 4",
        "- q: 0.4",
        "- folding: ascii",
        "- Pages, CC0",
        "- More, CC BY",
        "- pages: 12",
        f"- clean segments: {len(material.texts(True)):,}",
        f"    {header['command']}",
    ]:
        assert line in card.splitlines()
    assert header["sha256"] in card
    assert str(tmp_path / "input") not in header["command"]
    assert header["command"].endswith(" input")


def test_the_same_pages_give_the_same_bytes(run: Callable[..., Any], tmp_path: Path) -> None:
    made = []
    for seed in ("0", "1"):
        done = run("nc-train", "ngram", "--folding", "frequent", "-o", "x.model", stdin=PAGES, PYTHONHASHSEED=seed)
        assert done.returncode == 0, done.stderr
        made.append(((tmp_path / "x.model").read_bytes(), (tmp_path / "x.md").read_bytes()))
    assert made[0] == made[1]


def test_differential_reads_the_same_pages(verb: Verb, tmp_path: Path) -> None:
    to = tmp_path / "x.model"
    status, _, err = verb(train.main, "ngram", "--differential", "-o", to, stdin=PAGES)
    assert status == 0
    expected = learners.ngram(learned(PAGES), 3, 0.5, "ascii", 200, True)
    sample = [[{"text": text} for text in MENU]]
    assert model.load(str(to)).evidence(sample) == expected.evidence(sample)
    assert "--differential" in model.read(to)[0]["command"]


def sites(number: int) -> list[Page]:
    """Pages of that many sites, with boilerplate in whole sentences that no other site has."""
    out = []
    for at in range(number):
        some = page(at)
        teasers = "".join(f"<div>{SUBJECTS[at % 6]} was told {word} {at}</div>" for word in ("never", "again", "today"))
        html = some["html"].replace("</body>", teasers + "</body>")
        out.append({**some, "html": html, "url": f"http://site{at % 4}.example/{at}"})
    return out


def test_fit_finds_a_bias_and_a_context_and_keeps_the_counts(verb: Verb, tmp_path: Path) -> None:
    out = {}
    for name, options in (("plain", []), ("fit", ["--fit"])):
        path = tmp_path / f"{name}.model"
        assert verb(train.main, "ngram", "-n", "2", "-o", path, *options, stdin=sites(12))[0] == 0
        out[name] = model.load(str(path))
    plain, fitted = out["plain"], out["fit"]
    assert isinstance(plain, Ngram) and isinstance(fitted, Ngram)
    assert (plain.bias, plain.context) == (0, 0) != (fitted.bias, fitted.context)
    assert (fitted.keys == plain.keys).all() and (fitted.clean == plain.clean).all()
    assert "- bias: " in (tmp_path / "fit.md").read_text()


def test_fit_wants_labels(verb: Verb, tmp_path: Path) -> None:
    to = tmp_path / "my.model"
    status, _, err = verb(train.main, "ngram", "--fit", "--differential", "-o", to, stdin=PAGES)
    assert status == 2 and "--fit wants" in err


def test_gold_in_another_field(verb: Verb, tmp_path: Path) -> None:
    pages = [{"body": some["html"], "cleaned": some["gold"]} for some in PAGES]
    fields = ["--html-field", "body", "--gold-field", "cleaned"]
    assert verb(train.main, "ngram", "-o", tmp_path / "a.model", *fields, stdin=pages)[0] == 0
    assert verb(train.main, "ngram", "-o", tmp_path / "b.model", stdin=PAGES)[0] == 0
    read = [model.load(str(tmp_path / name)).arrays() for name in ("a.model", "b.model")]
    assert all((read[0][name] == read[1][name]).all() for name in read[0])


def test_pages_without_gold_are_named_and_the_others_learned_from(verb: Verb, tmp_path: Path) -> None:
    status, _, err = verb(
        train.main, "ngram", "-o", tmp_path / "x.model", stdin=[PAGES[0], {"id": "bad", "html": "<p>x"}, PAGES[1]]
    )
    assert status == 1
    assert "nc-train: record 2 (bad): gold: missing" in err
    assert "nc-train: pages: 2\n" in err
    assert (tmp_path / "x.model").exists()


@pytest.mark.parametrize(
    ("pages", "message"),
    [
        ([], "nothing to learn from: no clean segment in 0 pages"),
        ([{"html": "<p>Some text"}], "nothing to learn from: no clean segment in 0 pages"),
        (
            [{"html": "<p>Some text", "gold": "Something different"}],
            "nothing to learn from: no clean segment in 1 pages",
        ),
        ([{"html": "<p>Some text", "gold": "Some text"}], "nothing to learn from: no dirty segment in 1 pages"),
    ],
    ids=["nothing", "no gold", "no match", "all clean"],
)
def test_nothing_to_learn_from(verb: Verb, tmp_path: Path, pages: list[Page], message: str) -> None:
    status, out, err = verb(train.main, "ngram", "-o", tmp_path / "x.model", stdin=pages)
    assert (status, out) == (2, b"")
    assert f"nc-train: {message}" in err
    assert not (tmp_path / "x.model").exists()


def test_strict_stops_at_the_first_bad_page_and_writes_nothing(verb: Verb, tmp_path: Path) -> None:
    bad = [PAGES[0], {"html": "<p>x"}, *PAGES[1:]]
    status, _, err = verb(train.main, "ngram", "--strict", "-o", tmp_path / "x.model", stdin=bad)
    assert status == 1
    assert "record 2: gold: missing" in err
    assert not (tmp_path / "x.model").exists()


@pytest.mark.parametrize(
    "options", [["-n", "9"], ["-n", "0"], ["-q", "1"], ["-n", "8", "--folding", "frequent", "--characters", "3000"]]
)
def test_bad_parameters_are_usage_errors(verb: Verb, tmp_path: Path, options: list[str]) -> None:
    many = {**PAGES[0], "html": PAGES[0]["html"] + "<p>" + "".join(map(chr, range(0x4E00, 0x5000)))}
    status, _, err = verb(train.main, "ngram", "-o", tmp_path / "x.model", *options, stdin=[many, PAGES[1]])
    assert status == 2
    assert "Traceback" not in err and err.splitlines()[-1].startswith(f"nc-train: {options[0][1]} is ")
    assert not (tmp_path / "x.model").exists()


def test_a_folder_that_is_not_there_is_a_usage_error(verb: Verb, tmp_path: Path) -> None:
    status, _, err = verb(train.main, "ngram", "-o", tmp_path / "nowhere" / "x.model", stdin=PAGES)
    assert status == 2
    assert err.splitlines()[-1] == f"nc-train: {tmp_path / 'nowhere' / 'x.model'}: No such file or directory"
    assert "pages" not in err  # before any is read


def test_a_folder_is_no_model_file(verb: Verb, tmp_path: Path) -> None:
    status, _, err = verb(train.main, "ngram", "-o", tmp_path, stdin=PAGES)
    assert (status, err) == (2, f"nc-train: {tmp_path}: Is a directory\n")


def test_a_full_disk(verb: Verb) -> None:
    status, out, err = verb(train.main, "ngram", "-o", "/dev/full", stdin=PAGES)
    assert (status, out) == (1, b"")
    assert err.splitlines()[-1] == "nc-train: /dev/full: No space left on device"
