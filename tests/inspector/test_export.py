"""A document as one file."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest

from ncfilters.inspector.analysis import Analysis
from ncfilters.inspector.export import report
from ncfilters.inspector.settings import Settings

DATA = Path(__file__).resolve().parent.parent / "data"
GOLD = json.loads((DATA / "pages-with-gold.jsonl").read_text(encoding="utf-8").splitlines()[0])


@pytest.fixture(scope="module")
def html() -> str:
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, of the extra web, is not installed")
    page = {**GOLD, "html": GOLD["html"] + "<p>Some more text, with </script><script>alert(1)</script> in it.</p>"}
    return report(Analysis(), 0, page, Settings())


def data_of(html: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)
    assert found
    data: dict[str, object] = json.loads(found[1])
    return data


def test_the_report_has_all_texts_and_the_page(html: str) -> None:
    data = data_of(html)
    assert set(data["texts"]) >= {"plain", "markdown", "xml", "cleaneval"}  # type: ignore[call-overload]
    assert "data-nc=" in str(data["page"]) and data["runs"] and data["reasons"]


def test_only_its_own_scripts_may_run(html: str) -> None:
    scripts = re.findall(r"<script>(.*?)</script>", html, re.S)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert len(scripts) == 2 and policy
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"&#39;sha256-{digest}&#39;" in policy[1]
    assert "unsafe-inline" not in policy[1].split("script-src")[1].split(";")[0]


def test_it_loads_nothing(html: str) -> None:
    assert not re.search(r"<(?:link|img|script)\b[^>]*\b(?:src|href)=", html.split('id="data"')[0])
