"""nc-eval --savings: what cleaning saves."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ncfilters.commands import eval as command

ROOT = Path(__file__).resolve().parents[2]
Verb = Callable[..., tuple[int, bytes, str]]
PAGES = [
    {
        "id": f"p/{n}",
        "html": f"<nav>Home News About Contact Imprint</nav><p>The page number {n} says w{n} and w{n * n}.",
        "text": f"The page number {n} says w{n} and w{n * n}.",
    }
    for n in range(200)
]


@pytest.fixture
def engine() -> None:
    pytest.importorskip("tantivy", reason="tantivy is not installed")


def values(facts: list[dict[str, Any]]) -> dict[tuple[str, str], Any]:
    return {(fact["system"], fact["figure"]): fact["value"] for fact in facts}


def test_json_has_counts_indexes_and_costs(engine: None, verb: Verb) -> None:
    status, out, err = verb(command.main, "--savings", "-f", "json", "--cleaning-seconds", 2, stdin=PAGES)
    found = json.loads(out)
    facts = values(found["savings"])
    assert (status, err) == (0, "")
    assert facts["(text of the pages)", "words"] - facts["input", "words"] == 5 * 200
    assert 0 < facts["input", "index bytes"] < facts["(text of the pages)", "index bytes"]
    assert facts["input", "cleaning: kg CO2"] == pytest.approx(2 / 3600 * 0.341 * 0.17)
    million = facts["input", "million queries: CPU hours"]
    assert million == pytest.approx(facts["input", "query milliseconds"] * 1000 / 3600)
    assert ("input", "break-even queries") in facts
    index = next(one["signature"] for one in found["signatures"] if one["what"] == "index")
    assert re.fullmatch(r"by:tantivy [\d.]+\|time:CPU, one thread\|repeats:3\|queries:1000\|seed:1\|from:input", index)


def test_figures_other_than_times_are_reproducible(engine: None, verb: Verb) -> None:
    times = ("seconds", "milliseconds", "hours", "kWh", "CO2", "queries")
    found = []
    for _ in range(2):
        _, out, _ = verb(command.main, "--savings", "-f", "tsv", "--queries", 5, "--repeats", 1, stdin=PAGES)
        rows = list(csv.DictReader(io.StringIO(out.decode()), delimiter="\t", quoting=csv.QUOTE_NONE))
        found.append([row for row in rows if not row["figure"].endswith(times)])
    assert found[0] == found[1]
    assert "index bytes" in {row["figure"] for row in found[0]}


def test_tables_depend_on_the_options(engine: None, verb: Verb) -> None:
    _, out, _ = verb(command.main, "--savings", "--cleaning-seconds", 1e9, stdin=PAGES)
    titles = [part.splitlines()[0] for part in out.decode().strip().split("\n\n")]
    assert titles == [
        "What is left",
        "Inverted index",
        "Costs, by equation 9",
        "Queries after which the cleaning is paid",
        "Signatures",
    ]
    _, out, _ = verb(command.main, "--savings", "--queries", 0, "--cleaning-seconds", 5, stdin=PAGES)
    titles = [part.splitlines()[0] for part in out.decode().strip().split("\n\n")]
    assert titles == ["What is left", "Inverted index", "Costs, by equation 9", "Signatures"]
    assert "million" not in out.decode()


def test_energy_rates_are_options(engine: None, verb: Verb) -> None:
    rates = ("--carbon", 1, "--watts", 1000, "--cleaning-seconds", 3600)
    _, out, _ = verb(command.main, "--savings", "-f", "json", *rates, stdin=PAGES)
    facts = values(json.loads(out)["savings"])
    assert facts["input", "cleaning: kg CO2"] == facts["input", "cleaning: kWh"] == pytest.approx(1)


def test_without_texts_there_are_no_queries(engine: None, verb: Verb) -> None:
    status, out, _ = verb(command.main, "--savings", "-f", "json", stdin=[{**page, "text": ""} for page in PAGES])
    facts = values(json.loads(out)["savings"])
    assert status == 0
    assert facts["input", "documents"] == 0
    assert ("input", "query milliseconds") not in facts


def test_without_the_engine_there_are_only_counts(verb: Verb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tantivy", None)
    status, out, err = verb(command.main, "--savings", "-f", "json", stdin=PAGES)
    found = json.loads(out)
    assert status == 0
    assert err.count("\n") == 1
    assert "pip install 'ncfilters[search]'" in err
    assert {fact["figure"] for fact in found["savings"]} == {"documents", "bytes", "words"}
    assert [one["what"] for one in found["signatures"]] == ["counts"]


def test_the_whole_pipe(tmp_path: Path) -> None:
    pages = "".join(json.dumps({"id": page["id"], "html": page["html"]}) + "\n" for page in PAGES[:5])
    path = os.pathsep.join([str(ROOT / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    pipe = "nc-segment --keep | nc-score | nc-select -f jsonl | nc-eval --savings --no-index -f json"
    done = subprocess.run(
        pipe, shell=True, input=pages, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PATH": path}
    )
    facts = values(json.loads(done.stdout)["savings"])
    assert done.stderr == ""
    assert facts["(pages)", "bytes"] == sum(len(page["html"]) for page in PAGES[:5])
    assert facts["(text of the pages)", "documents"] == 5


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_memory_does_not_grow_with_the_pages() -> None:
    pages = (
        "import json\n"
        "for n in range(100):\n"
        "    text = ' '.join(f'word{n}x{m}' for m in range(10_000))\n"
        "    print(json.dumps({'id': n, 'html': f'<script>{\"x\" * 2_000_000}</script><p>{text}', 'text': text}))\n"
    )
    program = (
        "import sys\n"
        "from ncfilters.commands.eval import main\n"
        "main(['--savings', '--no-index', '-f', 'json'])\n"
        "lines = open('/proc/self/status').readlines()\n"
        "print(next(line.split()[1] for line in lines if line.startswith('VmHWM')), file=sys.stderr)"
    )
    with subprocess.Popen([sys.executable, "-c", pages], stdout=subprocess.PIPE) as source:
        done = subprocess.run([sys.executable, "-c", program], stdin=source.stdout, capture_output=True, cwd=ROOT)
    found = values(json.loads(done.stdout)["savings"])
    held = found["(pages)", "bytes"] + found["standard input", "bytes"]
    assert held > 200_000_000
    assert int(done.stderr) * 1024 < held / 2


def test_no_pages_in_common_are_a_usage_error(verb: Verb, tmp_path: Path) -> None:
    status, _, err = verb(command.main, "--savings", "--no-index", stdin=[{"id": 1, "text": "x"}])
    assert status == 2 and "no page before cleaning" in err
    pages = tmp_path / "pages"
    pages.write_text(json.dumps({"id": "1", "html": "x"}) + "\n")
    status, _, err = verb(command.main, "--savings", "--before", pages, stdin=[{"id": 2, "text": "x"}])
    assert status == 2 and "no text has the id of a page before cleaning, such as '1'" in err
