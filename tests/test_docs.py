"""The documents are whole: each option that they name exists, each table is complete, each link leads somewhere.

What their examples print is compared in test_examples.
"""

from __future__ import annotations

import configparser
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

import pytest
from examples import COMMANDS, ROOT, examples, invocations, option_parser, options

from ncfilters.commands.command_parser import GONE

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
MANUAL = sorted((ROOT / "man").glob("nc-*.[1-8]"))
CARDS = sorted((ROOT / "models").glob("*.md"))
BENCHMARKS = sorted((ROOT / "bench").glob("*.md"))
# options of jusText and PyPlexity that the documents translate, and of GNU parallel
FOREIGN = {
    *("--stop-list", "--length-low", "--length-high", "--stopwords-low", "--stopwords-high", "--max-link-density"),
    *("--max-heading-distance", "--no-headings"),
    *("--perpl-limit", "--warc-input", "--pipe", "--joblog", "--resume-failed"),
}
MAX_README_WORDS = 1000


def names(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def shell_blocks(path: Path) -> list[str]:
    """The pieces of shell in a document or a manual page."""
    return [block.code for block in examples(path) if block.language == "sh"]


@pytest.mark.parametrize("page", names(PAGES + MANUAL))
def test_commands_accept_the_options_of_the_examples(page: str) -> None:
    for code in shell_blocks(ROOT / page):
        for command, arguments in invocations(code):
            errors = StringIO()
            try:
                with redirect_stderr(errors):
                    option_parser(command).parse_intermixed_args(arguments)
            except SystemExit as end:
                assert not end.code, f"{command} {' '.join(arguments)}\n{errors.getvalue()}"


@pytest.mark.parametrize("page", names(PAGES))
def test_options_in_the_text_exist(page: str) -> None:
    text = re.sub(r"^ *```.*?^ *```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.M | re.S)
    known = {option for command in COMMANDS for action in options(command) for option in action.option_strings}
    for code in re.findall(r"`([^`\n]+)`", text):
        for command in re.findall(r"\bnc-[a-z]+[^|;)]*", code):
            name, *words = command.split()
            if name not in COMMANDS:
                continue
            own = {option for action in options(name) for option in action.option_strings}
            own |= {gone.removeprefix(f"{name} ") for gone in GONE} if page == "CHANGELOG.md" else set()
            unknown = [word for word in words if re.match(r"--?[a-zA-Z]", word) and word.split("=")[0] not in own]
            assert not unknown, f"{name} has no {', '.join(unknown)}: `{code}`"
        if re.match(r"--[a-z]", code) and page != "CHANGELOG.md":
            assert code.split()[0].split("=")[0] in known | FOREIGN, f"no command has `{code}`"


@pytest.mark.parametrize("page", names(PAGES + MANUAL))
def test_pipes_that_write_a_file_fail_with_any_of_their_filters(page: str) -> None:
    for code in shell_blocks(ROOT / page):
        for line in code.splitlines():
            if re.search(r"\bnc-\w+[^#]*[^|]\|[^|#]*[^#2]> ?\S", line):
                assert "pipefail" in code, line


def extras() -> list[str]:
    setup = configparser.ConfigParser(interpolation=None)
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    return list(setup["options.extras_require"])


PACKAGES = sorted(path.parent.name for path in (ROOT / "ncfilters").glob("*/__init__.py"))
MODELS = sorted(path.stem for path in (ROOT / "models").glob("*.model"))


@pytest.mark.parametrize(("page", "things"), [
    ("docs/commands.md", [f"`{name}`" for name in COMMANDS]),
    ("docs/architecture.md", [f"`{name}/`" for name in PACKAGES]),
    ("docs/python.md", [f"`ncfilters.{name}`" for name in PACKAGES]),
    ("docs/models.md", [f"`{name}`" for name in MODELS if not re.fullmatch("ncleaner-(pl|ru|zh)", name)]),
    ("docs/index.md", [f"| `{name}` |" for name in extras()]),
])  # fmt: skip
def test_tables_are_complete(page: str, things: list[str]) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert things
    assert [thing for thing in things if thing not in text] == []


def test_readme_is_two_screens() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) < MAX_README_WORDS


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and MkDocs make them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ +(.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", names(PAGES + CARDS + BENCHMARKS))
def test_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    text = re.sub(r"^```.*?^```|`[^`\n]+`", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"\w+:", target):
            continue
        file, _, anchor = target.partition("#")
        other = path.parent / file if file else path
        assert other.exists(), f"{target} is not there"
        if anchor:
            assert anchor in anchors(other), f"{file} has no heading {anchor}"


def test_site_builds_strictly_and_needs_no_network(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    pytest.importorskip("mkdocstrings")
    pytest.importorskip("material")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    loaded = re.compile(r"<(?:script|img|iframe)[^>]+src=\"?https?:|<link[^>]+rel=\"?(?!canonical)[^>]+href=\"?https?:")
    for file in tmp_path.rglob("*.html"):
        found = loaded.search(file.read_text(encoding="utf-8"))
        assert not found, f"{file.name} loads {found[0]}"
