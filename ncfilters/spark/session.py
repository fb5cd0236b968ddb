"""The session of Spark, in which executors find this program and its Python.

spark = session("nc-spark", "local[*]", {"spark.executor.memory": "2g"})
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

# Where this program is.
_ROOT = str(Path(__file__).resolve().parent.parent.parent)
# What Spark does unless its configuration says otherwise.
_DEFAULTS = {
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": "false",
    # threads of numpy's linear algebra are of no use to small products
    "spark.executorEnv.OPENBLAS_NUM_THREADS": "1",
    # the driver only plans: half of its CPU was spent on compiling what runs once
    "spark.driver.defaultJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    # executors pass on what Python makes: compiling their code for speed took more than it saved
    "spark.executor.defaultJavaOptions": "-XX:TieredStopAtLevel=1",
    # documents and errors of a task are written side by side, in their order, and need not be sorted
    "spark.sql.maxConcurrentOutputFileWriters": "2",
    "spark.sql.parquet.compression.codec": "zstd",
}


def session(name: str, master: str | None, settings: Mapping[str, str]) -> Any:
    """A `SparkSession`. The master is that of the configuration unless it is given, and local[*] without one."""
    # pyspark, which takes a second
    from pyspark import SparkConf
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf = SparkConf()
    for key, value in _DEFAULTS.items():
        conf.setIfMissing(key, value)
    for key, value in settings.items():
        conf.set(key, value)
    conf.set("spark.executorEnv.PYTHONPATH", _python_path(conf.get("spark.executorEnv.PYTHONPATH", "") or ""))
    if master:
        conf.setMaster(master)
    conf.setIfMissing("spark.master", "local[*]")
    return SparkSession.builder.appName(name).config(conf=conf).getOrCreate()


def _python_path(given: str) -> str:
    return os.pathsep.join([_ROOT, *filter(None, [given])])
