"""Splits cover each file once, in order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ncfilters.spark.splits import InputFile, Split, tasks


@given(st.lists(st.integers(0, 500), max_size=20), st.integers(1, 200), st.integers(0, 3))
def test_each_byte_is_in_one_split_and_tasks_have_a_bounded_size(sizes: list[int], split_size: int, cores: int) -> None:
    made = tasks([InputFile(str(number), size) for number, size in enumerate(sizes)], split_size, cores)
    splits = [split for task in made for split in task]
    assert splits == sorted(splits)
    for number, size in enumerate(sizes):
        own = [split for split in splits if split.file == number]
        assert [split.start for split in own] == [0, *(split.end for split in own)][: len(own)]
        assert sum(split.end - split.start for split in own) == size
    assert all(sum(split.end - split.start for split in task) <= split_size for task in made)


def test_short_files_share_a_task() -> None:
    assert tasks([InputFile("a", 60), InputFile("b", 60), InputFile("c", 250)], 130) == [
        [Split(0, 0, 60), Split(1, 0, 60)],
        [Split(2, 0, 130)],
        [Split(2, 130, 250)],
    ]


def test_the_last_tasks_are_shorter_so_that_executors_end_together() -> None:
    sizes = [task[0].end - task[0].start for task in tasks([InputFile("a", 2000)], 100, cores=2)]
    assert sizes[:16] == [100] * 16 and sizes[16:] == [25] * 16


def test_a_short_input_is_for_all_cores() -> None:
    assert [len(task) for task in tasks([InputFile(name, 25) for name in "abcd"], 100, cores=2)] == [1, 1, 1, 1]
    assert len(tasks([InputFile("a", 60)], 100, cores=2)) == 3
