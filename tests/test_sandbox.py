"""The recipe for bubblewrap in docs/security.md runs nc-segment, and hides network, other files and processes."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

_COMMAND = "nc-segment < crawl.jsonl > segments.jsonl"


def _sandboxed(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs *program* in the place of nc-segment, with the checkout in the sandbox. Skips without bubblewrap."""
    if not shutil.which("bwrap"):
        pytest.skip("bubblewrap is not installed")
    (recipe,) = re.findall(r"```text\n(python=.*?)\n```", (ROOT / "docs/security.md").read_text(), re.S)
    assert _COMMAND in recipe
    command = recipe.replace(_COMMAND, f'--ro-bind "{ROOT}" "{ROOT}" {program}')
    environment = {**os.environ, "VIRTUAL_ENV": sys.prefix, "PYTHONPATH": str(ROOT)}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**environment, "PATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode and done.stderr.startswith("bwrap: "):
        pytest.skip(f"no sandbox can be made here: {done.stderr.strip()}")
    return done


def test_the_sandbox_segments_a_page(tmp_path: Path) -> None:
    (tmp_path / "crawl.jsonl").write_text('{"id": "a", "html": "<p>Rain fell on the hills all night."}\n')
    done = _sandboxed(f"python3 {ROOT}/bin/nc-segment < crawl.jsonl", tmp_path)
    assert not done.stderr and '"text":"Rain fell on the hills all night."' in done.stdout


def test_the_sandbox_hides_network_files_and_processes(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        reaches = {
            f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 5)": "refused",
            f"open('{__file__}-', 'w')": "Read-only file system",
            f"open('{tmp_path / 'private'}')": "No such file",
            f"import os; os.kill({os.getpid()}, 0)": "No such process",
        }
        (tmp_path / "private").write_text("a")
        for statement, error in reaches.items():
            done = _sandboxed(f'python3 -c "{statement}"', tmp_path)
            assert done.returncode and error in done.stderr, statement
