"""The compiled core of models can be turned off."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ncfilters.scoring.compiled_core import scoring_core

PROGRAM = "from ncfilters.scoring.compiled_core import scoring_core; print(scoring_core() is None)"


def test_the_core_is_not_used_where_python_is_asked_for() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], env={"NC_WALK": "python"}, capture_output=True, text=True)
    assert done.stdout == "True\n"


@pytest.mark.skipif(scoring_core() is None, reason="no compiled core here: python setup.py build_ext --inplace")
@pytest.mark.parametrize("wrong", [None, (), ("a",) * 5, (("a", "a"),) * 5, ((7,),) * 5])
def test_wrong_categories_are_refused(wrong: object) -> None:
    program = f"import ncfilters.scoring._core as core; core.set_categories({wrong!r})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "Error" in done.stderr.splitlines()[-1] and done.returncode == 1
