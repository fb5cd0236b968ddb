"""The options of nc-corpus belong to verbs."""

from __future__ import annotations

import pytest

from ncfilters.commands import corpus, corpus_options
from ncfilters.errors import UsageError


def test_every_verb_has_formats_and_every_option_a_verb() -> None:
    assert set(corpus_options.FORMATS) == set(corpus.VERBS)
    assert {verb for verbs in corpus_options.VERBS_OF.values() for verb in verbs} <= set(corpus.VERBS)


def test_options_of_other_verbs_are_refused() -> None:
    corpus_options.check(corpus.option_parser().parse_args(["filter", "--drop", "-f", "msgpack"]))
    for words, message in (
        (["stats", "--drop"], "stats: --drop is an option of filter"),
        (["filter", "--seed", "0"], "filter: --seed is an option of split"),
        (["conllu", "-f", "tsv"], "conllu: -f tsv: formats are text"),
    ):
        with pytest.raises(UsageError, match=message):
            corpus_options.check(corpus.option_parser().parse_args(words))


@pytest.mark.parametrize("shares", ["98,1", "0,0,0", "98,1,-1", "a,b,c", "1,1,1,1", "", "98;1;1"])
def test_shares_are_three_numbers(shares: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        corpus.option_parser().parse_args(["split", "--shares", shares])
    assert "is not three shares such as 98,1,1" in capsys.readouterr().err
