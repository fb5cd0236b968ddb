"""The program that is installed: its version, and the folder of its models.

os.path.join(installed_folder(), "en.model")
"""

from __future__ import annotations

import os
from functools import cache

__version__ = "0.1.0"
# The model of the quality of pages that is used where none is named.
DEFAULT_QUALITY_MODEL = "quality"
# The editions of jusText: the package of Python, and its translation to Java.
JUSTEXT_VARIANTS = ("python", "java", "improved")


@cache
def installed_folder() -> str:
    """The folder of model files and, in it, `stoplists`."""
    return os.path.realpath(os.path.join(os.path.dirname(__file__), "models"))
