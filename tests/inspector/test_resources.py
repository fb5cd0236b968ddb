"""Templates, style sheets and scripts."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from ncfilters.inspector.analysis import Analysis, Settings
from ncfilters.inspector.resources import report, script_json, static_folder, static_text, templates

CSS = static_text("inspect.css")


@pytest.mark.parametrize("value", ["</script>", "<!--<script>", "\u2028\u2029&", {"a": ["<", None, 1.5]}])
def test_json_does_not_end_a_script(value: Any) -> None:
    text = str(script_json(value))
    assert not set(text) & set("<>&\u2028\u2029")
    assert json.loads(text) == value


def test_nothing_is_loaded_from_elsewhere() -> None:
    for path in static_folder().iterdir():
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|//cdn|@import|url\(", text), path.name
    for name in templates().list_templates():
        source, _, _ = templates().loader.get_source(templates(), name)  # type: ignore[union-attr]
        assert not re.search(r"https?://|\bon\w+=|style=", source), name


def _colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6})", block))


def _luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("selector", [":root {", ':root:not([data-theme="light"]) {', ':root[data-theme="dark"] {'])
def test_texts_have_a_contrast_of_four_and_a_half(selector: str) -> None:
    colours = _colours(CSS.split(selector, 1)[1].split("}", 1)[0])
    pairs = [(text, back) for text in ("text", "muted", "accent", "kept", "dropped") for back in ("back", "panel")]
    for text, back in [*pairs, ("kept", "kept-fill"), ("dropped", "dropped-fill"), ("differs", "back")]:
        light, dark = sorted((_luminance(colours[text]), _luminance(colours[back])), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (text, back)


def test_the_two_dark_themes_are_the_same() -> None:
    blocks = [
        CSS.split(f"{selector} {{", 1)[1].split("}", 1)[0]
        for selector in (':root:not([data-theme="light"])', ':root[data-theme="dark"]')
    ]
    assert _colours(blocks[0]) == _colours(blocks[1])


# ---- export
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
