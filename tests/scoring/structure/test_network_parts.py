"""The parts of the network over the structure of a page."""

from __future__ import annotations

import random
import re
from array import array
from dataclasses import replace
from math import exp, log
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from made_pages import document
from numpy.typing import NDArray
from page_elements import elements_of
from structure_pages import NEW, PLAIN_TEXT, scores
from uncompiled import both_forms, in_both_forms

from ncfilters.errors import ModelError
from ncfilters.features.document import Head, ModelInput
from ncfilters.features.phrase_vocabulary import PhraseIndex
from ncfilters.features.schema import FAMILIES, GROUP_KINDS, NAMES, OWN
from ncfilters.features.segment_table import build_table
from ncfilters.features.shared_features import SharedFeatures
from ncfilters.record import Segment
from ncfilters.scoring import registry
from ncfilters.scoring.structure import embeddings, inference
from ncfilters.scoring.structure.attribution import (
    AROUND,
    INPUTS,
    MAX_WEIGHS,
    POOL_REASONS,
    SMOOTHING_REASON,
    in_words,
    largest_contributions,
    mean_effects,
    pool_contributions,
)
from ncfilters.scoring.structure.inference import (
    AVERAGES,
    HIDDEN,
    MAX_DEVIATION,
    POOLS,
    SECOND,
    SHARED,
    WORD,
    array_shapes,
    infer,
    pool,
)
from ncfilters.scoring.structure.model import StructureModel, with_element_roles
from ncfilters.scoring.structure.network import Inputs, Network, pools, smooth_logits
from ncfilters.scoring.structure.outputs import CONTENT_FEATURES, SMOOTHING, content_features, type_features
from ncfilters.training.examples import name_rows


# ---- shapes ----
def test_the_second_layer_reads_all_averages() -> None:
    assert set(POOLS) == {*GROUP_KINDS, "document"} - {"up0"}
    shapes = array_shapes(100, 5, 6, 3)
    assert shapes["second"] == (32 + 8 * AVERAGES, SECOND)
    assert (shapes["names"], shapes["last"]) == ((5, 4), (32, 3))


# ---- pools ----
def test_averages_over_groups_are_those_of_training(trained: StructureModel) -> None:
    table, weights = build_table(NEW[0]), trained.parameters.network.weights
    shared = SharedFeatures(table)
    shared.compute()
    hidden = np.random.default_rng(1).normal(size=(len(table), HIDDEN)).astype(np.float32)
    of_places, totals = pool(trained.layers, table, shared, hidden.ravel())
    averages = pools(table).averages(hidden @ weights["shared"])[:, : SHARED * len(POOLS)]
    second = weights["second"][HIDDEN : HIDDEN + SHARED * len(POOLS)]
    expected = averages @ second + weights["second_bias"]
    found = np.asarray(of_places).reshape(-1, SECOND)[np.asarray(table.places.place)]
    assert found == pytest.approx(expected, abs=1e-4)
    assert len(totals) == (SHARED + 1) * (len(table) + 1)


# ---- element_roles ----
ROW = {"text": "Height\t140 m", "tag": "tr", "path": "body/table/tbody/tr"}
CODE = {"text": "make\nmake install", "tag": "pre", "path": "body/main/pre", "pre": True}


@pytest.mark.parametrize("segment, role", [
    (ROW, "table"), ({**ROW, "text": "A cell that is laid out by a table."}, "text"), (CODE, "code"),
    ({**CODE, "path": "body/main/div/code"}, "code"), ({**CODE, "path": "body/pre"}, "text"),
    ({"text": "Some text."}, "text"),
])  # fmt: skip
def test_elements_tell_what_kind_of_text_it_is(segment: dict[str, Any], role: str) -> None:
    assert with_element_roles(build_table(ModelInput([segment])), ["text"]) == [role]


def test_elements_leave_other_roles() -> None:
    table = build_table(ModelInput([ROW, CODE]))
    assert with_element_roles(table, ["comment", "boilerplate"]) == ["comment", "boilerplate"]


# ---- layers ----
def test_a_kind_adds_what_its_columns_add(trained: StructureModel) -> None:
    parameters, layers = trained.parameters, trained.layers
    weights = parameters.network.weights["first"].astype(np.float64)

    def normal(column: int, value: float) -> float:
        bounded = (value - parameters.means[column]) * parameters.scales[column]
        return float(np.clip(bounded, -MAX_DEVIATION, MAX_DEVIATION))

    columns = [NAMES.index(name) for name in ("bold", "type=h", "rule=nav")]
    expected = sum((normal(column, 1) - normal(column, 0)) * weights[column] for column in columns)
    found = layers.of_kind(((1, -1, 0, -1, -1), (True, False, False)))
    assert list(found) == pytest.approx(list(expected), abs=1e-5)
    assert layers.of_kind(((1, -1, 0, -1, -1), (True, False, False))) is found
    layers = trained.layers
    assert len(layers.own) == (OWN + 2 * WORD) * HIDDEN and len(layers.own_low) == OWN + 2 * WORD


# ---- reason_words ----
@pytest.mark.parametrize(("name", "words"), [
    ("chars", "number of characters"), ("sig_chars", "the same path but for ids: number of characters"),
    ("ends_stop+1", "segment 1 after: whether a full stop ends it"),
    ("punctuation", "share of ASCII punctuation but .!?,;:"), ("from_h1", "segments since the first h1"),
    ("around: 3 before", "the 3 segments before"), ("word:=read more", "the text 'read more'"),
    ("word:1 if", "the words '1 if'"), ("heading:our", "'our' in the heading above"),
    ("name:form", "'form' on the path"), ("name:@path blog", "'path blog' in the head or the address of the page"),
])  # fmt: skip
def test_words(name: str, words: str) -> None:
    assert in_words(name) == words


def test_all_reasons_have_words_of_their_own() -> None:
    names = [*NAMES, *POOL_REASONS, SMOOTHING_REASON]
    words = [in_words(name) for name in names]
    assert set(AROUND) == {*POOL_REASONS, SMOOTHING_REASON}
    assert len(set(words)) == len(names)
    for text in words:
        assert not re.search(r"\w_\w|\blog of\b|\b1 if\b|-1 if|, in \d|^around|^alike", text), text


# ---- scores ----
FORMS = in_both_forms("scoring.structure.outputs")


@FORMS
def test_smoothing_moves_logits_to_the_mean_of_their_group(form: ModuleType) -> None:
    logits = array("f", [2, 0, 7, -1, 0, 7, 99, 0, 7, -4, 1, 7])
    groups, chars = array("i", [0, 0, 1, 2]), array("f", [0, 2, 5, 5])
    mean = (1 * 2 + 3 * -1) / 4
    own, rest = form.SMOOTHING, 1 - form.SMOOTHING
    expected = [rest * 2 + own * mean, 0, -rest + own * mean, 0, form.MAX_LOGIT, 0, -4, 1]
    assert form.smooth_logits(logits, 3, 2, groups, chars).tolist() == pytest.approx(expected)
    assert form.first_outputs(logits, 3, 2).tolist() == [2, 0, -1, 0, 99, 0, -4, 1]


@FORMS
def test_calibration_is_a_factor_and_a_shift(form: ModuleType) -> None:
    odds = form.calibrated(array("f", [2, 2, -4, 3]), [(0.5, 1.0), (1.0, 0.0)])
    assert odds.tolist() == [2, 2, -1, 3]
    assert form.bits(odds, 0, 2) == [round(2 / log(2), 2), round(-1 / log(2), 2)]


@FORMS
def test_the_role_is_the_most_probable_one(form: ModuleType) -> None:
    logits = array("f", [9, 0, 1, 0, 9, 2, 2, 1])
    roles, probabilities = form.roles(logits, 4, 1, ("a", "b", "c"))
    assert roles == ["b", "a"]
    assert probabilities == [round(1 / (1 + 2 * exp(-1)), 3), round(1 / (2 + exp(-1)), 3)]


# ---- page_classifier ----
def test_pages_have_odds_and_types(trained: StructureModel) -> None:
    bare = [
        ModelInput([segment for segment in page.segments if "post-body" not in segment["path"]], page.head)
        for page in NEW
    ]
    with_text, without = trained.evidence_with_pages(NEW)[1], trained.evidence_with_pages(bare)[1]
    odds = [[page["odds"] for page in pages if page] for pages in (with_text, without)]
    assert len(odds[0]) == len(odds[1]) == len(NEW)
    assert min(odds[0]) > 0 > max(odds[1])
    pages = trained.evidence_with_pages(NEW)[1]
    assert [page and page["type"] for page in pages] == ["article", "listing", "article", "listing"]
    for page in pages:
        assert page is not None
        assert sum(page["types"].values()) == pytest.approx(1, abs=0.002)
        assert page["types"][page["type"]] == max(page["types"].values())


@pytest.mark.parametrize(
    ("sizes", "log_odds"),
    [((3, 9, 1), (0.5, -1, 2)), ((5,), (1,)), ((2, 2, 8, 4), (-3, 0.1, 1.5, -0.2)), ((4, 4, 9), (1, 1, 1))],
)
def test_expected_f_is_that_of_the_best_cut(sizes: tuple[int, ...], log_odds: tuple[float, ...]) -> None:
    table = build_table(ModelInput([{"text": "word " * n, "type": "p"} for n in sizes]))
    expected_f = content_features(table, array("f", log_odds))[list(CONTENT_FEATURES).index("fscore")]
    words = [value + 1 for value in sizes]  # a space ends each
    own = sorted(zip([1 / (1 + exp(-value)) for value in log_odds], words), reverse=True)
    total = sum(p * w for p, w in own)
    cuts = [own[: k + 1] for k in range(len(own))]
    best = max(2 * sum(p * w for p, w in cut) / (sum(w for _, w in cut) + total) for cut in cuts)
    assert expected_f == pytest.approx(best)


def test_documents_without_segments_have_features_of_zero() -> None:
    nothing = array("f")
    table = build_table(ModelInput([]))
    assert not any(content_features(table, nothing)) and not any(type_features(table, nothing, nothing, nothing, []))


# ---- parameters ----
def test_embeddings_smoothing_and_calibration_are_those_of_training(trained: StructureModel) -> None:
    table = build_table(NEW[0])
    rows = name_rows(table, dict(trained.parameters.names))
    assert rows.nnz > len(table)
    expected = rows @ trained.parameters.network.weights["names"]
    assert trained.parameters.name_embeddings(table) == pytest.approx(expected, abs=1e-5)
    logits, groups = np.array([[2, 0], [-1, 0], [-4, 1]], np.float32), np.array([0, 0, 2])
    mean = (1 * 2 + 3 * -1) / 4
    expected = [(1 - SMOOTHING) * 2 + SMOOTHING * mean, -(1 - SMOOTHING) + SMOOTHING * mean, -4]
    smoothed = smooth_logits(logits, groups, np.array([0, 2, 5], np.float32))
    assert smoothed[:, 0] == pytest.approx(expected) and smoothed[:, 1].tolist() == [0, 0, 1]
    logits = np.arange(len(table), dtype=np.float32)[:, None]
    assert (trained.parameters.smooth(logits, table) != logits).any()
    assert (replace(trained.parameters, surroundings=False).smooth(logits, table) == logits).all()
    parameters = replace(trained.parameters, calibrations={"main": (0.5, 1.0), "all": (1.0, 0.0)})
    assert parameters.calibrate(np.array([[2, 2], [-4, 3]], np.float32)).tolist() == [[2, 2], [-1, 3]]
    assert parameters.calibration == (0.5, 1.0)


# ---- embeddings ----
FORMS_OF_EMBEDDINGS = in_both_forms("scoring.structure.embeddings")
VECTORS = array("f", [1, 0, 0, 1])


@pytest.mark.parametrize(("step", "names"), [
    ("div#main-col.post_body2", ["div", "main", "col", "post", "body"]), ("p", ["p"]),
    ("div.7.wrapInner", ["div", "wrapinner"]), ("div#a\nb", ["div", "a", "b"]), ("", []),
])  # fmt: skip
def test_names_of_a_step(step: str, names: list[str]) -> None:
    assert embeddings.step_names([step]) == [names]
    assert embeddings.step_names(["p", step, "li"]) == [["p"], names, ["li"]]


def test_no_steps_have_no_names() -> None:
    assert embeddings.step_names([]) == []


@FORMS_OF_EMBEDDINGS
def test_names_of_paths_and_heads_are_summed_up(form: ModuleType) -> None:
    elements = elements_of(["nav.menu/div/nav"])
    nodes = form.StepEmbeddings({"nav": 0, "menu": 1}, VECTORS, 2).of_nodes(elements)
    node, decay = elements.add("nav.menu/div/nav"), form.DECAY
    assert nodes[2 * node : 2 * node + 2].tolist() == pytest.approx([1 + decay**2, decay**2])
    index = form.StepEmbeddings({"@og:article": 0, "@top org": 1}, VECTORS, 2)
    assert index.of_head(Head(names=("@top org", "@og:article", "@unknown"))).tolist() == [1, 1]
    assert index.of_head(Head()).tolist() == [0, 0]


@FORMS_OF_EMBEDDINGS
def test_vectors_of_phrases_of_segments_and_of_their_headings(form: ModuleType) -> None:
    texts = [("Read on", "h"), ("Read", "p"), ("None", "p"), ("Read", "p")]
    table = build_table(ModelInput([{"text": text, "type": kind} for text, kind in texts]))
    vectors = form.phrase_vectors(table, PhraseIndex({"read": 0, "on": 1, "=read": 1}), VECTORS, 2)
    assert vectors.tolist() == [0.5, 0.5, 0.5, 0.5, 0, 0, 0.5, 0.5]
    out = array("f", [9] * 10)
    form.fill_phrases(out, 5, 1, vectors, 2, table, 1)
    assert out.tolist() == [9, 0.5, 0.5, 0.5, 0.5, 9, 0, 0, 0.5, 0.5]


# ---- network ----
@pytest.mark.parametrize("windows", ["filled", "some empty"])
def test_gradients_are_those_of_finite_differences(trained: StructureModel, windows: str) -> None:
    # in double precision, away from the kinks of units; the loss is a weighted sum of all outputs
    network = trained.parameters.network
    inputs = trained.parameters.inputs(build_table(NEW[0]))
    size = len(inputs.numbers)
    if windows == "filled":
        inputs.pools.windows = [
            (start, stop, np.where(stop > start, inverse, 0).astype(np.float32))
            for start, stop, inverse in inputs.pools.windows
        ]
    random = np.random.default_rng(1)
    errors = random.standard_normal((size, network.weights["last"].shape[1])).astype(np.float32)
    gradients, below = network.backward(inputs, network.forward(inputs)[1], errors)

    def loss(weights: dict[str, Any], names: Any, phrases: Any) -> float:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("ncfilters.scoring.structure.network.np.float32", np.float64)  # no cast to single precision
            wide = Inputs(inputs.numbers.astype(np.float64), names, phrases, inputs.pools)
            return float((Network(weights).forward(wide)[0].astype(np.float64) * errors).sum())

    weights = {name: weight.astype(np.float64) for name, weight in network.weights.items()}
    names, phrases = inputs.names.astype(np.float64), inputs.phrases.astype(np.float64)
    step = 1e-5
    for name in gradients:
        if name in ("names", "words"):
            continue
        scale = float(np.abs(gradients[name]).max())
        for place in random.integers(0, weights[name].size, 12).tolist():
            up, down = ({**weights, name: weights[name].copy()} for _ in range(2))
            up[name].flat[place] += step
            down[name].flat[place] -= step
            slope = (loss(up, names, phrases) - loss(down, names, phrases)) / (2 * step)
            assert gradients[name].flat[place] == pytest.approx(slope, abs=2e-3 * scale, rel=2e-3), (name, place)
    scale = float(np.abs(below).max())
    for row, column in zip(random.integers(0, size, 12), random.integers(0, names.shape[1], 12)):
        moved = names.copy()
        moved[row, column] += step
        slope = (loss(weights, moved, phrases) - loss(weights, names, phrases)) / step
        assert below[row, column] == pytest.approx(slope, abs=2e-3 * scale, rel=2e-3)


def test_gradients_times_inputs_sum_up_to_the_score(trained: StructureModel) -> None:
    # with the contribution of the biases, the sum is the first output itself
    network = trained.parameters.network
    logits, activations = network.forward(trained.parameters.inputs(build_table(NEW[0])))
    own, averages = network.logit_gradients(activations)
    assert averages.shape == (len(logits), SHARED * AVERAGES)
    weights = network.weights
    second = (activations.second > 0) * weights["last"][:, 0]
    first = (second @ weights["second"].T)[:, :HIDDEN] * (activations.first > 0)
    constants = first @ weights["first_bias"] + second @ weights["second_bias"] + weights["last_bias"][0]
    total = (activations.inputs * own).sum(axis=1) + (activations.combined[:, HIDDEN:] * averages).sum(axis=1)
    assert total + constants == pytest.approx(logits[:, 0], abs=1e-4)


def test_the_seed_determines_initial_weights() -> None:
    first, again, other = (Network.initial(5, 3, 2, 4, seed).weights for seed in (1, 1, 2))
    for name, weight in first.items():
        assert (weight == again[name]).all()
        assert name.endswith("_bias") or (weight != other[name]).any()
    assert {name: weight.shape for name, weight in first.items()} == array_shapes(5, 3, 2, 4)


# ---- model ----
def test_text_of_new_sites_scores_above_menus(trained: StructureModel) -> None:
    for page, bits in zip(NEW, scores(trained, *NEW)):
        text = [score for segment, score in zip(page.segments, bits) if "post-body" in segment["path"]]
        menu = [score for segment, score in zip(page.segments, bits) if "nav" in segment["path"]]
        assert min(text) > max(menu)
        assert np.mean(text) > 0 > np.mean(menu)


def test_models_read_from_files_and_plain_text(trained: StructureModel, model_file: Path) -> None:
    again = registry.load(str(model_file))
    assert isinstance(again, StructureModel)
    assert again.evidence_with_pages([*NEW, PLAIN_TEXT]) == trained.evidence_with_pages([*NEW, PLAIN_TEXT])
    assert again.reasons(NEW, 3) == trained.reasons(NEW, 3)
    assert again.header() == trained.header()
    evidence, pages = trained.evidence_with_pages([PLAIN_TEXT])
    expected = np.round(trained.plain.score_texts([segment["text"] for segment in PLAIN_TEXT.segments]), 2)
    assert evidence == [{"score": pytest.approx(expected.tolist())}]
    assert pages == [None]
    assert trained.reasons([PLAIN_TEXT], 3) == [None]


def test_documents_of_no_and_of_many_segments_are_scored(trained: StructureModel) -> None:
    assert trained.evidence_with_pages([]) == ([], [])
    assert trained.evidence_with_pages([ModelInput([]), ModelInput([])]) == ([{"score": []}] * 2, [None, None])
    (first, second), pages = trained.evidence_with_pages([ModelInput([]), ModelInput(NEW[0].segments[:1])])
    assert (len(first["score"]), len(second["score"])) == (0, 1)
    assert pages[0] is None and pages[1] is not None and np.isfinite(pages[1]["odds"])
    assert trained.reasons([ModelInput([])], 3) == [None]
    long = ModelInput([*NEW[0].segments, *NEW[1].segments] * 1000)
    long = ModelInput(long.segments[:20_000])
    evidence, pages = trained.evidence_with_pages([NEW[2], long, NEW[3]])
    assert len(evidence[1]["score"]) == len(long)
    assert np.isfinite(evidence[1]["score"]).all()
    assert pages[1] is not None and np.isfinite(pages[1]["odds"])
    for found, alone in zip((evidence[0], evidence[2]), scores(trained, NEW[2], NEW[3])):
        assert found["score"] == alone


def test_a_model_of_other_features_is_refused(trained: StructureModel, tmp_path: Path) -> None:
    class Other(StructureModel):
        def header(self) -> dict[str, Any]:
            header = super().header()
            return {**header, "features": [*header["features"][:-1], "moon_phase"]}

    other = Other.from_parts(trained.header(), trained.arrays())
    registry.write_model(tmp_path / "other.model", other, {})
    with pytest.raises(ModelError, match="trained on other features .*moon_phase"):
        registry.load(str(tmp_path / "other.model"))


@pytest.mark.parametrize("array", ["typical.around", "whole.odds", "whole.types", "typical.names"])
def test_arrays_of_another_length_or_without_numbers_are_refused(trained: StructureModel, array: str) -> None:
    arrays = trained.arrays()
    own = arrays[array]
    for wrong in (own[:-1], np.where(np.arange(len(own)) == 3, np.nan, own)):
        with pytest.raises(ValueError):
            StructureModel.from_parts(trained.header(), {**arrays, array: wrong})


# ---- inference ----
STEPS = ["div#main.post", "div.menu", "ul", "li#menu-item-7.menu-item", "p", "section", "nav#Über.uns"]
WORDS = "Home News the river went along Read more, 12 (see) über uns 我们 about. contact".split()


def page(seed: int, size: int) -> list[Segment]:
    rnd = random.Random(seed)
    paths = ["/".join(["body", *rnd.choices(STEPS, k=rnd.randint(0, 6))]) for _ in range(size // 4 + 1)]
    return [
        {
            "text": " ".join(rnd.choices(WORDS, k=rnd.choice([0, 1, 2, 30]))),
            "type": rnd.choice("pphl"),
            "path": (path := rnd.choice(paths)),
            "tag": path.rpartition("/")[2].partition("#")[0].partition(".")[0],
            "links": rnd.choice([0, 0, 4]),
            **({"rule": "nav"} if rnd.random() < 0.2 else {}),
        }
        for _ in range(size)
    ]


PAGES = [ModelInput(page(seed, size)) for seed, size in enumerate([40, 1, 0, 700, 3, 33])]


@pytest.fixture(scope="module", params=["en", "xx"])
def shipped(request: pytest.FixtureRequest) -> StructureModel:
    found = registry.load(request.param)
    assert isinstance(found, StructureModel)
    return found


def rows(buffer: Any, width: int) -> NDArray[np.float32]:
    return np.asarray(buffer).reshape(-1, width)


@pytest.mark.parametrize("block", [7, 64, 10_000])
@pytest.mark.parametrize("page", PAGES, ids=len)
def test_inference_is_the_forward_pass(
    shipped: StructureModel, page: ModelInput, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inference, "BLOCK_SEGMENTS", block)
    table, parameters = build_table(page), shipped.parameters
    found = infer(shipped.layers, table)
    inputs = parameters.inputs(table)
    logits, activations = parameters.network.forward(inputs)
    assert rows(found.logits, logits.shape[1]) == pytest.approx(logits, abs=1e-3)
    assert rows(found.hidden, HIDDEN) == pytest.approx(activations.first, abs=1e-3)
    count = len(FAMILIES["characters"])
    assert rows(found.characters, count) == pytest.approx(inputs.numbers[:, :count], abs=1e-4)


def test_both_forms_of_sums_give_the_same_scores(shipped: StructureModel, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [document(seed) for seed in range(60)]
    expected = shipped.evidence_with_pages(pages)
    plain = both_forms("ncfilters.native.sums")[0]
    monkeypatch.setattr(inference, "sums", plain)
    assert shipped.evidence_with_pages(pages) == expected


# ---- attribution ----
# What reasons of words and headings look like.
OF_WORDS = re.compile("^the (?:text|words) '|' in the heading above$")


def test_contributions_of_pools_sum_up_to_gradient_times_input(trained: StructureModel) -> None:
    parameters = trained.parameters
    _, activations = parameters.network.forward(parameters.inputs(build_table(NEW[0])))
    _, gradients = parameters.network.logit_gradients(activations)
    means = parameters.training_means
    expected = ((activations.combined[:, HIDDEN:] - means.averages) * gradients).sum(axis=1)
    assert pool_contributions(activations, gradients, means).sum(axis=1) == pytest.approx(expected, abs=1e-4)


def test_all_reasons_are_gradient_times_input(trained: StructureModel) -> None:
    (reasons,) = trained.reasons([NEW[0]], 10_000)
    assert reasons is not None
    parameters = trained.parameters
    inputs = parameters.inputs(build_table(NEW[0]))
    own, _ = parameters.network.logit_gradients(parameters.network.forward(inputs)[1])
    bits = parameters.calibration[0] / np.log(2)
    columns = inputs.numbers.shape[1]
    for row, sides in enumerate(reasons):
        values = dict(map(tuple, sides["for"] + sides["against"]))  # type: ignore[arg-type]
        numbers = inputs.numbers[row] * own[row, :columns] * bits
        for name, value in zip(NAMES, numbers.tolist()):
            assert values.get(in_words(name), 0.0) == pytest.approx(value, abs=0.0051), name
        phrases = inputs.phrases[row] @ own[row, columns + inputs.names.shape[1] :] * bits
        total = sum(value for name, value in values.items() if OF_WORDS.search(name))
        assert total == pytest.approx(phrases, abs=0.03)


def test_reasons_are_few_and_the_largest(trained: StructureModel) -> None:
    (reasons,) = trained.reasons([NEW[0]], 2)
    assert reasons is not None and len(reasons) == len(NEW[0])
    for sides in reasons:
        assert list(sides) == ["for", "against"]
        for side, sign in (("for", 1), ("against", -1)):
            sizes = [sign * value for _, value in sides[side]]
            assert len(sizes) == 2 and sizes == sorted(sizes, reverse=True) and min(sizes) > 0
    weighs = trained.header()["weighs"]
    assert len(weighs) == MAX_WEIGHS and list(weighs.values()) == sorted(weighs.values(), reverse=True)
    assert weighs.keys() <= set(INPUTS)
    assert largest_contributions({"a": 0.1, "b": 0.20004, "c": 0.2}) == {"b": 0.2, "c": 0.2, "a": 0.1}


def test_informative_names_and_differences(trained: StructureModel) -> None:
    rows = trained.most_informative(5)
    assert [row["reason"] for row in rows["the odds"]] == list(trained.header()["weighs"])[:5]
    effects = mean_effects(trained.parameters)
    assert rows["clean"][0]["bits"] == pytest.approx(max(effects.values()), abs=0.001)
    assert rows["clean"][0]["bits"] > 0 > rows["dirty"][0]["bits"]
    assert len(rows["dirty, n-grams"]) == 5
    arrays = trained.arrays()
    arrays["names"] = arrays["names"] * np.float32(2)
    other = StructureModel.from_parts(trained.header(), arrays)
    differences = trained.differences(other, 10)
    size = len(trained.parameters.names)
    assert differences["names"] == {"first": size, "second": size, "common": size}
    assert differences["changed"]
    for row in differences["changed"]:
        assert row["reason"].startswith("name:")
        assert row["second"] == pytest.approx(2 * row["first"], abs=0.011)
    assert "changed" not in trained.differences(trained, 10)
