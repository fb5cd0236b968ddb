"""The tables of a corpus."""

from __future__ import annotations

from ncfilters.corpus.statistics import Statistics
from ncfilters.evaluation.report.corpus_tables import corpus_tables


def test_tables_have_a_row_for_each_group_and_columns_with_values() -> None:
    counts = Statistics()
    counts.add({"text": "It rained.", "url": "http://a.example/", "lang": "en", "quality": 0.5})
    counts.add({"text": "Es regnete sehr.", "lang": "de", "duplicate": "near"})
    tables = {table.title: table for table in corpus_tables(counts.facts(5))}
    assert list(tables) == ["Counts", "By language", "By year", "Largest sites", "Duplicates"]
    assert tables["By language"].header == [
        "language",
        "documents",
        "words",
        "% of words",
        *("types", "quality", "duplicates"),
    ]
    assert tables["By language"].rows == [
        ["de", "1", "3", "60.0", "3", "–", "1"],
        ["en", "1", "2", "40.0", "2", "0.500", "0"],
    ]
    assert tables["Duplicates"].rows == [["near", "1", "3", "60.0", "1"]]


def test_an_empty_corpus_has_one_table() -> None:
    (table,) = corpus_tables(Statistics().facts(5))
    assert ["words of a document, mean", "–"] in table.rows
