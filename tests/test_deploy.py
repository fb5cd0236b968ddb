"""The recipes of a public demonstration start what there is, with limits."""

from __future__ import annotations

import configparser
import json
import re
import shutil
import subprocess

import pytest
from examples import ROOT, option_parser

SERVICE, CONTAINER = ROOT / "deploy" / "nc-inspect-demo.service", ROOT / "deploy" / "Containerfile"


def service() -> configparser.ConfigParser:
    out = configparser.ConfigParser(interpolation=None, strict=False)
    out.optionxform = str  # type: ignore[assignment,method-assign]
    out.read(SERVICE, encoding="utf-8")
    return out


def commands() -> list[list[str]]:
    """The command lines that the recipes start."""
    entry = re.search(r"^ENTRYPOINT (\[.*\])$", CONTAINER.read_text(encoding="utf-8"), re.M)
    assert entry
    return [json.loads(entry[1]), service()["Service"]["ExecStart"].split()]


@pytest.mark.parametrize("command", commands())
def test_the_command_is_the_demonstration(command: list[str]) -> None:
    assert command[0].rpartition("/")[2] == "nc-inspect"
    args = option_parser("nc-inspect").parse_intermixed_args(command[1:])
    assert args.demo and args.port == 8000 and not args.files


def test_the_service_is_bounded() -> None:
    limits = service()["Service"]
    assert limits["DynamicUser"] == limits["NoNewPrivileges"] == "yes"
    assert limits["ProtectSystem"] == "strict" and limits["IPAddressDeny"] == "any" and limits["MemoryMax"]


def test_systemd_accepts_the_unit(tmp_path: object) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed")
    done = subprocess.run([program, "verify", "--man=no", str(SERVICE)], capture_output=True, text=True)
    problems = [line for line in done.stderr.splitlines() if SERVICE.name in line and "is not executable" not in line]
    assert problems == []


def test_the_container_has_no_privileges() -> None:
    text = CONTAINER.read_text(encoding="utf-8")
    assert re.search(r"^USER (?!root)\w+$", text, re.M)
    assert all(path.split()[1] == "." for path in re.findall(r"^COPY .*$", text, re.M) if "--from" not in path)
