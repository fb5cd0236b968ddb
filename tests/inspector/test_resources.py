"""Templates, style sheets and scripts."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from ncfilters.inspector.resources import script_json, static_folder, static_text, templates

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
