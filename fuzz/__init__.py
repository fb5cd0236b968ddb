"""Targets of a fuzzer that is guided by coverage (`python -m fuzz.run html`), and the inputs that are kept."""

import sys
from pathlib import Path

# the strategies and small models of the tests
_TESTS = str(Path(__file__).resolve().parent.parent / "tests")
if _TESTS not in sys.path:
    sys.path.append(_TESTS)
