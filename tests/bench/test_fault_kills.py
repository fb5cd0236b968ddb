"""Killed processes: nothing is lost or doubled, and a harness that would see it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import fault_kills

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc")


def test_what_is_lost_doubled_and_changed_is_counted() -> None:
    count = fault_kills.Kills()
    lines = [b'{"id": "%d"}' % number for number in range(4)]
    count.compare(lines, lines)
    assert (count.documents, count.lost, count.doubled, count.changed, count.marked) == (4, 0, 0, 0, 0)
    count.compare(lines, [lines[0], lines[0], *lines[2:]])
    assert (count.documents, count.lost, count.doubled) == (8, 1, 1)
    count.compare(lines, [*lines[:2], b'{"id": "2", "text": ""}', b'{"id": "3", "error": {}}'])
    assert (count.changed, count.marked) == (1, 1)


@pytest.mark.slow
def test_a_stage_a_worker_and_nc_clean_are_killed(tmp_path: Path) -> None:
    rows = fault_kills.rows(1, tmp_path, fault_kills.STAGES[1:2])
    assert [name for name, _ in rows] == [
        "nc-segment, in a pipe",
        "nc-clean --resume",
        "the server of workers",
        "a worker of nc-clean, not resumed",
    ]
    for name, count in rows:
        assert (count.lost, count.doubled, count.changed, count.hanging, count.tracebacks) == (0, 0, 0, 0, 0), name
        assert count.kills == 1 and count.documents
    assert fault_kills.table(rows).count("\n") == 1 + len(rows)
