"""The folder of the models that are installed with the program.

os.path.join(installed_folder(), "en.model")
"""

from __future__ import annotations

import os
from functools import cache


@cache
def installed_folder() -> str:
    """The folder of model files and, in it, `stoplists`."""
    return os.path.realpath(os.path.join(os.path.dirname(__file__), "models"))
