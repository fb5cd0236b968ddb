"""What the site takes from outside docs/: the manual pages, the measurements of bench/, CONTRIBUTING and CHANGELOG.

MkDocs calls these functions while it builds; see `hooks` in mkdocs.yml.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
# file of the checkout → page of the site
INCLUDED = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md"}


def on_files(files: Files, config: Any, **_: Any) -> Files:
    """Adds the pages that do not lie in docs/."""
    for source, page in INCLUDED.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    for path in sorted((ROOT / "bench").glob("*.md")):
        if not path.stem.endswith("-notes"):
            files.append(File.generated(config, f"bench/{path.name}", abs_src_path=str(path)))
    for path in sorted((ROOT / "bench").glob("*/*.png")):
        files.append(File.generated(config, str(path.relative_to(ROOT)), abs_src_path=str(path)))
    for path in sorted((ROOT / "man").glob("nc-*.[1-8]")):
        files.append(File.generated(config, f"man/{path.name}.md", content=manual_page(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links to files outside docs/ lead to their pages in the site."""
    if page.file.src_uri in INCLUDED.values():
        markdown = markdown.replace("](docs/", "](")
    for source, target in INCLUDED.items():
        markdown = markdown.replace(f"](../{source}", f"]({target}")
    markdown = re.sub(r"\]\(\.\./(man/nc-\w+\.\d)\)", r"](\1.md)", markdown)
    return markdown.replace("](../bench/", "](bench/")


def manual_page(path: Path) -> str:
    """A manual page as HTML, by mandoc."""
    title = f"# {path.stem}({path.suffix[1:]})\n\n"
    if shutil.which("mandoc") is None:
        return f"{title}Read it with `man {path.stem}`. (It is not on this site, which was built without mandoc.)\n"
    command = ["mandoc", "-T", "html", "-O", "fragment", str(path)]
    html = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    html = re.sub(r'(?s)<table class="(?:head|foot)">.*?</table>', "", html)
    html = re.sub(r"(?s)<(/?)h([12])\b", lambda found: f"<{found[1]}h{int(found[2]) + 1}", html)
    return title + re.sub(r"<b>(nc-\w+)</b>\((\d)\)", r'<a href="../\1.\2/">\1(\2)</a>', html)
