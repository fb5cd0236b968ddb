"""Makes tantivy look as if it were not installed."""

import sys

sys.modules["tantivy"] = None  # type: ignore[assignment]
