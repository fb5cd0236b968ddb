"""A session whose executors run this program."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")
pytestmark = pytest.mark.slow


def test_executors_run_this_program_with_this_python(spark: Any) -> None:
    def place(_: int) -> tuple[str, str]:
        import ncfilters

        return str(Path(ncfilters.__file__).resolve().parent.parent), sys.executable

    found = spark.sparkContext.parallelize([0], 1).map(place).collect()
    assert found == [(str(Path(__file__).resolve().parent.parent.parent), sys.executable)]


def test_settings_are_those_of_the_caller_and_defaults(spark: Any) -> None:
    conf = spark.sparkContext.getConf()
    assert conf.get("spark.master") == "local[2]"
    assert conf.get("spark.executorEnv.OPENBLAS_NUM_THREADS") == "1"
    assert "SerialGC" in conf.get("spark.driver.extraJavaOptions")
    assert conf.get("spark.executor.defaultJavaOptions") == "-XX:TieredStopAtLevel=1"
