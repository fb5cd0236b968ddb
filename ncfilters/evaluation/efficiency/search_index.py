"""An actual inverted index, by the search engine tantivy: how large it is, what building and searching it costs.

    with Index(["The bridge is closed.", "It opens in May."]) as index:
        index.ranking(analysed("closed bridges"))     # [0]: the texts that have any of the words, best first

Words are runs of letters and digits in lower case, of 40 bytes at most; what ranks is BM25 (k1 1.2, b 0.75). The index
has positions, as one for phrases needs, and no texts. tantivy is an extra, imported when an index is wanted.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from importlib.metadata import version
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ...errors import UsageError

if TYPE_CHECKING:
    from .corpus_counts import Texts

# Bytes that the engine may gather before it writes, in its one thread.
HEAP = 64_000_000
# Bytes of a word; longer ones (addresses, data) are not indexed. The engine's own default.
LONGEST = 40
# Pages of results: what a search shows.
HITS = 10
# Words of a sampled query.
WORDS = (2, 3, 4)
# Texts without words that are drawn before a query is given up.
TRIES = 10
_ANALYSER = "words"


def engine() -> str:
    """The engine's name and version. Raises UsageError where it is not installed."""
    try:
        import tantivy
    except ImportError:
        raise UsageError("an index needs tantivy: pip install 'ncfilters[search]'") from None
    assert tantivy  # first, so that one that has gone is missed
    return f"tantivy {version('tantivy')}"


@lru_cache(maxsize=1)
def _analyser() -> Any:
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    words = TextAnalyzerBuilder(Tokenizer.simple())
    return words.filter(Filter.remove_long(LONGEST)).filter(Filter.lowercase()).build()


def analysed(text: str) -> list[str]:
    """The words of *text* that are indexed."""
    found: list[str] = _analyser().analyze(text)
    return found


class Index:
    """The index of some texts, in a temporary folder until it is closed.

    `bytes` is its size on disk, `seconds` the CPU time that building it took, of all threads: one that indexes, and
    this one, which reads the texts. Raises OSError where there is no room.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        import tantivy

        self._folder = tempfile.TemporaryDirectory(prefix="nc-index-")
        schema = tantivy.SchemaBuilder()
        schema.add_unsigned_field("number", fast=True)
        schema.add_text_field("text", tokenizer_name=_ANALYSER)
        self._schema = schema.build()
        index = tantivy.Index(self._schema, path=self._folder.name)
        index.register_tokenizer(_ANALYSER, _analyser())
        self.seconds = _timed(lambda: _fill(index, texts))
        self.bytes = sum(file.stat().st_size for file in os.scandir(self._folder.name))
        index.reload()
        self._searcher = index.searcher()

    def __enter__(self) -> Index:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Deletes it."""
        self._folder.cleanup()

    def __len__(self) -> int:
        return int(self._searcher.num_docs)

    def ranking(self, words: Sequence[str], most: int | None = None) -> list[int]:
        """The texts, by their place among those given, that have any of *words*, best first; the *most* best."""
        found = self._searcher.search(self._query(words), limit=most or max(len(self), 1), count=False)
        numbers: list[Any] = self._searcher.fast_field_values("number", [address for _, address in found.hits])
        return numbers

    def time(self, queries: Sequence[Sequence[str]]) -> float:
        """The CPU seconds in which *queries* are answered, HITS texts each, one after the other."""
        prepared = [self._query(words) for words in queries]
        search = self._searcher.search

        def ask() -> None:
            for query in prepared:
                search(query, limit=HITS, count=False)

        return _timed(ask)

    def _query(self, words: Sequence[str]) -> Any:
        from tantivy import Occur, Query

        terms = [Query.term_query(self._schema, "text", word) for word in dict.fromkeys(words)]
        return Query.boolean_query([(Occur.Should, term) for term in terms])


def _fill(index: Any, texts: Iterable[str]) -> None:
    import tantivy

    writer = index.writer(HEAP, 1)
    for number, text in enumerate(texts):
        document = tantivy.Document()
        document.add_unsigned("number", number)
        document.add_text("text", text)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


def _timed(work: Callable[[], None]) -> float:
    """CPU seconds of this process, its threads included: other people's work on the machine does not count."""
    start = time.process_time()
    work()
    return time.process_time() - start


def sampled(texts: Texts, number: int, seed: int) -> list[list[str]]:
    """Queries: runs of 2 to 4 words of texts drawn at random, the same for the same texts and *seed*.

    They are fewer than *number* where most texts have no words.
    """
    draw = random.Random(seed)
    out: list[list[str]] = []
    for _ in range(number * TRIES if len(texts) else 0):
        if len(out) == number:
            break
        words = analysed(texts[draw.randrange(len(texts))])
        length = draw.choice(WORDS)
        start = draw.randrange(max(len(words) - length, 0) + 1)
        if words:
            out.append(words[start : start + length])
    return out
