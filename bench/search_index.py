"""An inverted index by the search engine tantivy: its size, and the cost of building and searching it.

    with Index(["The bridge is closed.", "It opens in May."]) as index:
        index.ranking(index_words("closed bridges"))     # [0]: the texts with any of the words, best first

Words are runs of letters and digits in lower case, of at most 40 bytes; the ranking is BM25 (k1 1.2, b 0.75). The index
has positions, which phrase queries need, and does not store the texts.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any

import tantivy

# Bytes that the engine collects in memory before it writes to disk, in its single thread.
HEAP_BYTES = 64_000_000
# Bytes of a word; longer ones (addresses, data) are not indexed. The engine's default.
MAX_WORD_BYTES = 40
# Results of a query.
MAX_HITS = 10
_ANALYSER = "words"


def engine() -> str:
    """The name and version of the engine."""
    return f"tantivy {version('tantivy')}"


@lru_cache(maxsize=1)
def _analyser() -> Any:
    words = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    return words.filter(tantivy.Filter.remove_long(MAX_WORD_BYTES)).filter(tantivy.Filter.lowercase()).build()


def index_words(text: str) -> list[str]:
    """The words of *text* as the index has them."""
    words: list[str] = _analyser().analyze(text)
    return words


class Index:
    """The index of some texts, in a temporary folder (`path`) until it is closed.

    `bytes` is its size on disk; `seconds` is the CPU time to build it, of all threads: the one that indexes, and this
    one, which reads the texts. Raises OSError if there is no disk space.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="nc-index-")
        self.path = Path(self._folder.name)
        schema = tantivy.SchemaBuilder()
        schema.add_unsigned_field("number", fast=True)
        schema.add_text_field("text", tokenizer_name=_ANALYSER)
        self._schema = schema.build()
        index = tantivy.Index(self._schema, path=str(self.path))
        index.register_tokenizer(_ANALYSER, _analyser())
        self.seconds = _cpu_seconds(lambda: _fill(index, texts))
        self.bytes = sum(file.stat().st_size for file in self.path.iterdir())
        index.reload()
        self._searcher = index.searcher()

    def __enter__(self) -> Index:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Deletes the index."""
        self._folder.cleanup()

    def __len__(self) -> int:
        return int(self._searcher.num_docs)

    def ranking(self, words: Sequence[str]) -> list[int]:
        """The positions of the texts that have any of *words*, best first."""
        result = self._searcher.search(self._query(words), limit=max(len(self), 1), count=False)
        numbers: list[Any] = self._searcher.fast_field_values("number", [address for _, address in result.hits])
        return numbers

    def time(self, queries: Sequence[Sequence[str]]) -> float:
        """The CPU seconds to answer *queries*, one after the other, with MAX_HITS texts each."""
        prepared = [self._query(words) for words in queries]
        search = self._searcher.search

        def run_queries() -> None:
            for query in prepared:
                search(query, limit=MAX_HITS, count=False)

        return _cpu_seconds(run_queries)

    def _query(self, words: Sequence[str]) -> Any:
        terms = [tantivy.Query.term_query(self._schema, "text", word) for word in dict.fromkeys(words)]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in terms])


def _fill(index: Any, texts: Iterable[str]) -> None:
    writer = index.writer(HEAP_BYTES, 1)
    for number, text in enumerate(texts):
        document = tantivy.Document()
        document.add_unsigned("number", number)
        document.add_text("text", text)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


def _cpu_seconds(work: Callable[[], None]) -> float:
    """The CPU seconds of this process with its threads: other load on the machine does not count."""
    start = time.process_time()
    work()
    return time.process_time() - start
