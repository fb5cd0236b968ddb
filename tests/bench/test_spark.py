"""The benchmark of Spark: what it makes of wall times."""

from __future__ import annotations

import pytest

from bench import spark


def run(records: int, wall: float) -> spark.Run:
    return spark.Run(wall, records)


def test_the_start_and_the_time_of_a_record_are_fitted() -> None:
    start, slope = spark.fitted([run(1, 10.002), run(1_000, 12.0), run(5_000, 20.0)])
    assert (start, slope) == pytest.approx((10.0, 0.002))


def test_the_growth_is_that_of_both_parts() -> None:
    found = {
        f"nc-spark, {cluster}, {size}": run(records, 9 + records * seconds)
        for cluster, seconds in (("one worker", 0.003), ("two workers", 0.0015))
        for size, records in zip(spark.SIZES, (1, 1_000, 5_000))
    }
    assert spark.growth(found)[-1] == "| one over two | 1.00 | 2.00 |"
    found.pop("nc-spark, two workers, all")
    assert len(spark.growth(found)) == 4
    assert spark.growth({}) == []


def test_each_ratio_is_of_two_runs() -> None:
    assert {name for pair in spark.RATIOS.values() for name in pair} <= spark.runs().keys()
