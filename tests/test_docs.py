"""The documents show what the commands do: each session is run, each option exists, each link leads somewhere.

A ```console block is run, and its output compared; a line `…` stands for any lines, `…` in a line for any text. Of a
```sh block only the options are checked: it needs other data, or hours. A ```pycon block is a doctest. A ```python
block with a file as its title is that file, or is appended to it.
`NC_UPDATE=1 pytest tests/test_docs.py` writes what came as the output; read it before you commit it.
"""

from __future__ import annotations

import configparser
import doctest
import os
import re
import shutil
import subprocess
import sys
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

import pytest
from examples import COMMANDS, INSTALLATION, ROOT, Block, blocks, invocations, option_parser, options, session

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
MANUAL = sorted((ROOT / "man").glob("nc-*.[1-8]"))
CARDS = sorted((ROOT / "models").glob("*.md"))
BENCHMARKS = sorted((ROOT / "bench").glob("*.md"))
# options of jusText and PyPlexity that the documents translate
FOREIGN = {"--stop-list", "--perpl-limit", "--warc-input"}
COPIED = ("bin", "ncfilters")  # what a document changes
PROGRAMS = ("jq", "parallel", "zstd", "xz", "lynx", "git")  # what a session may want beside the checkout
MAX_README_WORDS = 1000


def names(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def page_blocks(page: Path, *languages: str) -> list[Block]:
    return [block for block in blocks(page.read_text(encoding="utf-8")) if block.language in languages]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder that looks like the checkout, and may be written to."""
    for path in ROOT.iterdir():
        (tmp_path / path.name).symlink_to(path)
    for name in COPIED:
        (tmp_path / name).unlink()
        shutil.copytree(ROOT / name, tmp_path / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def write(files: list[Block], folder: Path) -> None:
    """Writes the files that a document shows; what a file has already stays before it."""
    for block in files:
        with (folder / block.title).open("a", encoding="utf-8") as file:
            file.write(f"{block.code}\n")


def run(command: str, folder: Path) -> tuple[str, int]:
    """Standard output and standard error of a command in a folder, as a terminal shows them, and its exit status."""
    path = os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NC_")}
    environment |= {"PATH": path, "LC_ALL": "C.UTF-8", "COLUMNS": "80", "PYTHONPATH": str(folder)}
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
        check=False,
    )
    return done.stdout.decode(), done.returncode


def matches(wanted: list[str], got: str) -> bool:
    """Whether the output is what a document shows."""
    pattern = "".join(
        r"(?:.*\n)*" if line == "…" else re.escape(line.rstrip()).replace("…", ".*") + r"[ ]*\n" for line in wanted
    )
    return re.fullmatch(pattern, got if got.endswith("\n") or not got else got + "\n") is not None


def shell_blocks(path: Path) -> list[str]:
    """The pieces of shell in a document or a manual page that are not run."""
    if path.suffix == ".md":
        return [block.code for block in page_blocks(path, "sh")]
    text = path.read_text(encoding="utf-8")
    examples = re.search(r"^\.SH EXAMPLES$(.*?)^\.SH ", text, re.M | re.S)
    assert examples, f"{path.name} has no EXAMPLES"
    plain = examples[1].replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\").replace("\\&", "")
    return re.findall(r"^\.nf\n(?:\.\w.*\n)*(.*?)^\.fi$", plain, re.M | re.S)


@pytest.mark.slow
@pytest.mark.parametrize("page", names([page for page in PAGES if page_blocks(page, "console")]))
def test_sessions_print_what_the_page_shows(page: str, checkout: Path) -> None:
    path, update = ROOT / page, os.environ.get("NC_UPDATE")
    differences = []
    lines, offset = path.read_text(encoding="utf-8").splitlines(), 0
    write([block for block in page_blocks(path, "python") if block.title], checkout)
    for block in page_blocks(path, "console"):
        if missing := [name for name in PROGRAMS if re.search(rf"\b{name}\b", block.code) and not shutil.which(name)]:
            pytest.skip(f"{', '.join(missing)}: not installed")
        place = block.line + offset
        for command, wanted in session(block.code):
            place += len(command)
            got, status = run(INSTALLATION.sub("", "\n".join(command)), checkout)
            if not matches(wanted, got) or status:
                differences.append("\n".join(["", f"$ {command[0]}", *wanted, "--- got ---", got, f"status {status}"]))
                if update:
                    new = got.splitlines()
                    lines[place : place + len(wanted)] = new
                    offset += len(new) - len(wanted)
                    place += len(new) - len(wanted)
            place += len(wanted)
    if update:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    elif differences:
        pytest.fail("".join(differences), pytrace=False)


def test_manual_sessions_print_what_the_page_shows(checkout: Path) -> None:
    for page in MANUAL:
        for code in shell_blocks(page):
            for command, wanted in session(code) if code.startswith("$ ") else ():
                got, status = run("\n".join(command), checkout)
                assert matches(wanted, got), f"{page.name}: {command}\n{got}"
                assert status == 0


@pytest.mark.parametrize("page", names([page for page in PAGES if page_blocks(page, "pycon")]))
def test_python_sessions_print_what_the_page_shows(page: str) -> None:
    code = "\n".join(block.code for block in page_blocks(ROOT / page, "pycon"))
    example = doctest.DocTestParser().get_doctest(code, {}, page, page, 0)
    report = StringIO()
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=report.write)
    if report.getvalue():
        pytest.fail(report.getvalue(), pytrace=False)


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
            unknown = [word for word in words if re.match(r"--?[a-zA-Z]", word) and word.split("=")[0] not in own]
            assert not unknown, f"{name} has no {', '.join(unknown)}: `{code}`"
        if re.match(r"--[a-z]", code) and page != "CHANGELOG.md":
            assert code.split()[0].split("=")[0] in known | FOREIGN, f"no command has `{code}`"


def extras() -> list[str]:
    setup = configparser.ConfigParser(interpolation=None)
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    return list(setup["options.extras_require"])


PACKAGES = sorted(path.parent.name for path in (ROOT / "ncfilters").glob("*/__init__.py"))
MODELS = sorted(path.stem for path in (ROOT / "models").glob("*.model"))


@pytest.mark.parametrize(
    ("page", "things"),
    [
        ("docs/commands.md", [f"`{name}`" for name in COMMANDS]),
        ("docs/architecture.md", [f"`{name}/`" for name in PACKAGES]),
        ("docs/python.md", [f"`ncfilters.{name}`" for name in PACKAGES]),
        ("docs/models.md", [f"`{name}`" for name in MODELS if not re.fullmatch("ncleaner-(pl|ru|zh)", name)]),
        ("docs/index.md", [f"| `{name}` |" for name in extras()]),
    ],
)
def test_tables_are_complete(page: str, things: list[str]) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert things
    assert [thing for thing in things if thing not in text] == []


def test_readme_is_two_screens() -> None:
    words = (ROOT / "README.md").read_text(encoding="utf-8").split()
    assert len(words) < MAX_README_WORDS


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
