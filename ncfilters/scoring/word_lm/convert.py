"""Models of other programs made into our word models, and ours into what other programs read.

converted(Path("bigrams-bnc.st"))       # the word model, from PyPlexity's file
sys.stdout.buffer.writelines(arpa_of(model))
"""

from __future__ import annotations

import argparse
import errno
import os
from array import array
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import ModelError, UsageError
from ...streams.compression import unpacked
from .. import base, registry
from ..card import write_card

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .backoff import Backoff
    from .interpolated import Word
    from .storable import Batches


def make(path: Path, args: argparse.Namespace, command: str) -> None:
    """Makes a model of a file, and its card. Raises UsageError, ModelError and OSError."""
    if not args.output:
        raise UsageError("import: -o FILE is wanted, for the model")
    if path.suffix == registry.SUFFIX:
        raise UsageError(f"import: {path}: a model of ours already")
    output = Path(args.output)
    if output.is_dir() or not output.parent.is_dir():  # better before the work than after it
        raise UsageError(f"{output}: {os.strerror(errno.EISDIR if output.is_dir() else errno.ENOENT)}")
    made, seen = converted(path, args.tokens, args.estimator)
    if args.limit is not None:
        made.limit = args.limit
    about = {
        "description": args.description or f"Imported from {path.name}.",
        "language": args.language,
        "credits": args.credit,
        "seen": seen,
        "command": command,
    }
    try:
        header = registry.write_model(output, made, about)
        write_card(output, header)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(output)) from None


def export(path: Path, output: str | None) -> None:
    """Writes a word model as an ARPA file, to standard output without *output*. Raises ModelError and OSError."""
    from ...streams.writers import Output

    blocks = arpa_of(str(path), registry.read_model(path)[1])
    descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666) if output else 1
    try:
        out = Output(watched=False, descriptor=descriptor)
        for block in blocks:
            out.write(block)
        out.flush()
    except ValueError as error:
        raise ModelError(f"{path}: {error}") from None
    except OSError as error:
        raise error if not output else OSError(error.errno, error.strerror, output) from None
    finally:
        if output:
            os.close(descriptor)


def converted(
    path: Path, tokens: str = "spaces", estimator: str = "pyplexity"
) -> tuple[Word | Backoff, dict[str, int]]:
    """The word model of an ARPA file, or of one of PyPlexity's, and how many n-grams it has, and what was left out.

    *tokens* is how texts are cut for what is in an ARPA file, *estimator* what the probabilities of PyPlexity's file
    are put together by. Raises ModelError.
    """
    from . import arpa, storable

    try:
        with path.open("rb", buffering=0) as raw:
            stream, head = unpacked(raw)
            if head.startswith(storable.MAGIC):
                return _of_storable(stream, str(path), estimator)
        if head[:1] == b"\x80":
            raise ModelError(f"{path}: a pickle, which could run code")
        if head.startswith(b"mmap lm "):
            raise ModelError(f"{path}: a binary file of KenLM: score with it as it is, or import its ARPA file")
        return _of_arpa(path, tokens)
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror or os.strerror(errno.EIO)}") from None
    except (arpa.ArpaError, storable.StorableError) as error:
        raise ModelError(str(error)) from None
    except ValueError as error:
        raise ModelError(f"{path}: {error}") from None


def _of_arpa(path: Path, tokens: str) -> tuple[Backoff, dict[str, int]]:
    """The model of an ARPA file."""
    from . import arpa
    from .backoff import Backoff

    words, orders = arpa.read_file(path)
    seen = {_ngrams(order): len(some[0]) for order, some in enumerate(orders, 1)}
    return Backoff.of(words, orders, "arpa", tokens), seen


def _ngrams(order: int) -> str:
    return "single words" if order == 1 else f"n-grams of {order} words"


# ---- PyPlexity's files ----------------------------------------------------------------------------------------


def _of_storable(stream: Any, name: str, estimator: str) -> tuple[Word, dict[str, int]]:
    """The model of PyPlexity's tables: of bigrams and single words, or of trigrams, bigrams and single words.

    Keys that are not so many words, apart by a space each, are left out: PyPlexity never finds them.
    """
    from . import storable
    from .interpolated import Word

    longest, tables = storable.hashes(stream, name)
    if longest not in (2, 3):
        for batches in tables:  # what is in them may say more
            deque(batches, 0)
        raise ValueError(
            f"an array of {longest}: tables of bigrams and single words are wanted, or of trigrams and these"
        )
    numbers: dict[bytes, int] = {}
    orders = [_table(batches, order, numbers) for order, batches in zip(range(longest, 0, -1), tables)][::-1]
    seen = {_ngrams(order): len(values) for order, (_, values, _) in enumerate(orders, 1)}
    if left_out := sum(number for *_, number in orders):
        seen["left out, of another number of words or no UTF-8"] = left_out
    full = [(rows, values) for rows, values, _ in orders]
    if longest == 3:
        full[1] = _with_histories(*full[1], full[2][0][:, :-1], len(numbers))
    return Word.of_probabilities([word.decode() for word in numbers], full, estimator), seen


def _table(batches: Batches, order: int, numbers: dict[bytes, int]) -> tuple[NDArray[Any], NDArray[Any], int]:
    """The n-grams of a table as rows of numbers of words, which are added to *numbers*, and their values; and how many
    entries are no n-grams of this length."""
    import numpy as np

    ids, found, left_out = array("I"), array("d"), 0
    for keys, values in batches:
        for key, value in zip(keys, values):
            words = key.split(b" ")
            try:
                if len(words) != order:
                    raise ValueError
                row = [numbers[word] if word in numbers else _added(word, numbers) for word in words]
            except ValueError:
                left_out += 1
                continue
            ids.extend(row)
            found.append(value)
    rows = np.frombuffer(ids, np.uint32) if ids else np.zeros(0, np.uint32)
    return rows.reshape(-1, order), np.array(found), left_out


def _added(word: bytes, numbers: dict[bytes, int]) -> int:
    """The number of a new word. Raises ValueError for what is none."""
    if not word.decode():  # raises it, too
        raise ValueError
    return numbers.setdefault(word, len(numbers))


def _with_histories(
    rows: NDArray[Any], values: NDArray[Any], histories: NDArray[Any], words: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Bigrams and their values, those that trigrams begin with among them: they have 0 where they have none."""
    import numpy as np

    keys, wanted = (some[:, 0].astype(np.uint64) * np.uint64(words) + some[:, 1] for some in (rows, histories))
    missing = np.setdiff1d(wanted, keys)
    more = np.stack([missing // np.uint64(words), missing % np.uint64(words)], axis=1).astype(rows.dtype)
    return np.concatenate([rows, more]), np.concatenate([values, np.zeros(len(more))])


# ---- ARPA out -------------------------------------------------------------------------------------------------


def arpa_of(name: str, of: base.StorableModel) -> Iterator[bytes]:
    """A word model of a back-off kind as an ARPA file, in blocks. Raises ModelError for other kinds, and ValueError
    for words that cannot stand in one."""
    if of.kind != "word":
        raise ModelError(f"{name}: a model of kind '{of.kind}': an ARPA file has n-grams of words")
    from .arpa import written
    from .backoff import Backoff

    if not isinstance(of, Backoff):
        raise ModelError(
            f"{name}: its estimator is '{getattr(of, 'estimator', '')}': its probabilities do not sum to 1, and texts "
            "have no end in it, so it is no back-off model as ARPA files have them; train with --estimator kneser-ney"
        )
    return written(*of.ngrams())
