"""The shape of the network of a structure model (see `network`)."""

from __future__ import annotations

# Averages are taken over groups (see `categories.GROUP_KINDS`) and the document; and over windows of so many segments
# before and after.
POOLS = ("up1", "up2", "up3", "up4", "sig", "sig2", "document")
POOL_WINDOWS = (3, 10)
AVERAGES = len(POOLS) + 2 * len(POOL_WINDOWS)
# Widths: the first layer, its projection that is averaged, the second layer, the embeddings of names and of phrases.
HIDDEN, SHARED, SECOND, NAME, WORD = 32, 8, 32, 4, 4
# Features are standard deviations from the mean, at most so many.
MAX_DEVIATION = 4.0
# Sums of weights count as at least this.
LEAST_WEIGHT = 1e-6


def array_shapes(columns: int, names: int, phrases: int, outputs: int) -> dict[str, tuple[int, ...]]:
    """The shapes of the weights for these numbers of features, names, phrases and outputs."""
    return {
        "names": (names, NAME),
        "words": (phrases, WORD),
        "first": (columns + NAME + 2 * WORD, HIDDEN),
        "first_bias": (HIDDEN,),
        "shared": (HIDDEN, SHARED),
        "second": (HIDDEN + SHARED * AVERAGES, SECOND),
        "second_bias": (SECOND,),
        "last": (SECOND, outputs),
        "last_bias": (outputs,),
    }
