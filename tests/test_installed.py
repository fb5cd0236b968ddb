"""The installed models: where they are."""

from __future__ import annotations

from pathlib import Path

from ncfilters.installed import installed_folder


def test_models_cards_and_stop_lists_are_installed() -> None:
    folder = Path(installed_folder())
    assert (folder / "en.model").is_file()
    assert (folder / "en.md").is_file()
    assert (folder / "stoplists" / "en.txt").is_file()
