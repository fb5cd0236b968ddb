"""The options of nc-segment."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from conftest import ROOT, Verb, record_of

from ncfilters.commands import segment


def texts(record: dict[str, Any]) -> list[str]:
    return [found["text"] for found in record["segments"]]


def test_language_of_sentences(verb: Verb) -> None:
    polish = {"text": "Mieszka przy ul. Krótkiej od dawna. To blisko."}
    assert len(texts(record_of(verb, segment.main, "--sentences", "--language", "pl", **polish))) == 2
    assert (
        record_of(verb, segment.main, "--sentences", **{**polish, "lang": "pl"})["segments"]
        == (record_of(verb, segment.main, "--sentences", "--language", "pl", **polish)["segments"])
    )


def test_language_of_the_text(verb: Verb) -> None:
    record = record_of(verb, segment.main, text="Ostatni wieczorny tramwaj odjeżdża z portu dziesięć po jedenastej.")
    assert (record["lang"], record["lang_probability"] > 0.9) == ("pl", True)
    segments = [{"text": "The tram leaves the harbour at ten past eleven. Nobody knows why."}]
    record = record_of(verb, segment.main, "--sentences", segments=segments)
    assert record["lang"] == "en" and len(record["segments"]) == 2
    record = record_of(verb, segment.main, "--language", "de", text="Der Text.", lang="fr", lang_probability=0.7)
    assert record["lang"] == "de" and "lang_probability" not in record


def test_pages_on_lines_load_little(tmp_path: Path) -> None:
    page = tmp_path / "page.jsonl"
    page.write_text('{"html": "<title>Rain</title><p>It rained all day, and then it stopped. Nobody knows why."}\n')
    code = "import sys; from ncfilters.commands import segment; segment.main(sys.argv[1:])"
    command = [sys.executable, "-c", f"{code}; print(*sys.modules, file=sys.stderr)", "--quiet", str(page)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout)["segments"][0]["text"].startswith("It rained")
    package = "ncfilters.segmentation"
    assert not {"regex", "numpy", f"{package}.sentences", f"{package}.plain_text"} & {*ran.stderr.split()}
