"""N-grams counted on disk: what comes out does not hang on how much memory there was."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from ncfilters.scoring import registry
from ncfilters.text import hash_table
from ncfilters.text.tokenizers import cut
from ncfilters.training import ngram_counter, run_merger
from ncfilters.training.ngram_counter import Counting
from ncfilters.training.word_lm_trainer import train


def corpus(texts: int, seed: int = 1) -> list[str]:
    rng = random.Random(seed)
    words = [f"w{number}é" for number in range(200)]
    return [" ".join(rng.choices(words, range(200, 0, -1), k=rng.randrange(15))) for _ in range(texts)]


def counted(texts: list[str], n: int, starts: int, end: str | None) -> list[dict[tuple[str, ...], int]]:
    """The n-grams of each length, slowly."""
    out: list[Counter[tuple[str, ...]]] = [Counter() for _ in range(n)]
    for (words,) in (cut([text], "words").words() for text in texts):
        run = ["<s>"] * starts + words + ([end] if end else [])
        if not words:
            continue
        for order in range(1, n + 1):
            for at in range(starts - (order < n), len(run)):
                if at - order + 1 >= 0:
                    out[order - 1][tuple(run[at - order + 1 : at + 1])] += 1
    return [dict(each) for each in out]


@pytest.mark.parametrize("memory", [1, 10_000, 1 << 30])
@pytest.mark.parametrize(
    ("n", "starts", "end"), [(2, 1, None), (3, 2, None), (2, 1, "</s>"), (3, 1, "</s>"), (5, 1, "</s>")]
)
def test_what_is_counted(n: int, starts: int, end: str | None, memory: int) -> None:
    texts = corpus(150)
    with Counting(n, "words", "<s>", starts, end, memory) as counts:
        counts.add(texts)
        merged = counts.merged()
        words = merged.vocabulary()
        found = [
            {tuple(words[at] for at in row): int(count) for row, count in zip(ids.tolist(), numbers)}
            for ids, numbers in merged.tables()
        ]
        for ids, _ in merged.tables():
            assert ids.tolist() == sorted(ids.tolist())
    wanted = counted(texts, n, starts, end)
    assert found[1:] == wanted[1:]
    assert {key: count for key, count in found[0].items() if count} == wanted[0]
    assert merged.words == sum(len(words) for words in cut(texts, "words").words())


@pytest.mark.parametrize("estimator", ["pyplexity", "interpolated", "kneser-ney"])
@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("min_count", [1, 3])
def test_little_memory_gives_the_same_file(
    estimator: str, n: int, min_count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = corpus(400)
    for name, some, memory in (("much", texts, 1 << 30), ("little", texts[::-1], 20_000), ("least", texts, 1)):
        made = train(some, n, estimator, min_count=min_count, memory=memory, folder=str(tmp_path))
        registry.write_model(tmp_path / name, made, {})
    assert (tmp_path / "much").read_bytes() == (tmp_path / "little").read_bytes() == (tmp_path / "least").read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"much", "little", "least"}  # what was in the way is gone


def test_little_memory_is_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches and blocks are as long as is said, so that the test above tests something."""
    lengths: list[int] = []
    blocks: list[int] = []
    whole, pieces = ngram_counter.cut, run_merger.Merged._pieces
    monkeypatch.setattr(
        ngram_counter, "cut", lambda texts, how: lengths.append(sum(map(len, texts))) or whole(texts, how)
    )

    def watched(*args: object) -> object:
        for some in pieces(*args):  # type: ignore[arg-type]
            blocks.append(sum(len(piece) for _, piece in some))
            yield some

    monkeypatch.setattr(run_merger.Merged, "_pieces", watched)
    train(corpus(2000), 3, memory=200_000)
    assert len(lengths) > 10 and max(lengths) < 6000
    assert len(blocks) > 10 and max(blocks) <= 2 * 200_000 // ngram_counter.PER_ENTRY


def test_many_different_counts_are_kept_exactly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where they are too many for a book, they stand for themselves."""
    texts = corpus(500)
    usual = train(texts, 3)
    monkeypatch.setattr(run_merger, "CODES", 3)
    plain = train(texts, 3)
    assert [book for _, book in plain.counts] == [None] * 3  # type: ignore[union-attr]
    registry.write_model(tmp_path / "x.model", plain, {})
    found = registry.load(str(tmp_path / "x.model"))
    assert found.perplexities(texts).tolist() == usual.perplexities(texts).tolist()  # type: ignore[attr-defined]
    assert hash_table.CODES == 1 << 16


def test_files_go_when_something_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), Counting(2, "words", "<s>", 1, None, 1, str(tmp_path)) as counts:
        counts.add(["some text", "and more"])
        assert list(tmp_path.iterdir())
        raise RuntimeError
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        Counting(2, "words", "<s>", 1, None, folder=str(tmp_path / "nowhere"))
