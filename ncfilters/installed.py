"""The folder of the models that are installed with the program.

installed_folder().joinpath("en.model")
"""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def installed_folder() -> Path:
    """The folder of model files and, in it, `stoplists`."""
    from importlib import resources  # here, as its import takes 8 ms, which commands without a model need not spend

    return Path(str(resources.files("ncfilters").joinpath("models"))).resolve()
