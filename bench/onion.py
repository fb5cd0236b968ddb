"""The definition of duplicates of onion (Pomikálek 2011), word by word, as its program has it: slow, and easy to check.

onion([[["a", "b", "c"]], [["x", "a", "b", "c"]]], NgramRules(2))    # [(False, [False]), (True, [True])]
"""

from __future__ import annotations

from ncfilters.corpus.ngram_duplicates import NgramRules

Words = list[str]


def onion(documents: list[list[Words]], rules: NgramRules) -> list[tuple[bool, list[bool]]]:
    """Which documents and paragraphs are duplicates: the loop of onion over tokens, with its counters."""
    seen: set[tuple[str, ...]] = set()
    out = []
    for paragraphs in documents:
        own: set[tuple[str, ...]] = set()
        of_paragraph: list[list[tuple[str, ...]]] = []
        buffer: list[str] = []
        bad, covered, total = [], 0, 0
        for paragraph in paragraphs:
            bad_tokens, previous = 0, rules.n
            of_paragraph.append([])
            for token in paragraph:
                previous = max(previous - 1, 0)
                buffer.append(token)
                if len(buffer) < rules.n:
                    continue
                ngram = tuple(buffer[-rules.n :])
                if ngram in own or ngram in seen:
                    bad_tokens += rules.n - previous
                    previous = rules.n
                own.add(ngram)
                of_paragraph[-1].append(ngram)
            bad.append(bool(paragraph) and bad_tokens / len(paragraph) > rules.threshold)
            covered, total = covered + bad_tokens, total + len(paragraph)
        if rules.max_gap is not None:
            places = [place for place, is_bad in enumerate(bad) if is_bad]
            for one, other in zip(places, places[1:]):
                if sum(map(len, paragraphs[one + 1 : other])) <= rules.max_gap:
                    bad[one + 1 : other] = [True] * (other - one - 1)
        is_duplicate = total > 0 and covered / total > rules.threshold
        if not is_duplicate:
            seen.update(ngram for some, is_bad in zip(of_paragraph, bad) if not is_bad for ngram in some)
        nothing_left = any(bad) and not any(paragraph for paragraph, is_bad in zip(paragraphs, bad) if not is_bad)
        out.append((is_duplicate or nothing_left, bad))
    return out
