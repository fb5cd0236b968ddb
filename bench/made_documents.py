"""Documents for tests and benchmarks of duplicates: of random words, some of them copies of others, with changes."""

from __future__ import annotations

import random
from typing import Any

VOCABULARY = [f"w{number}" for number in range(3000)]


def made_documents(count: int, seed: int) -> list[dict[str, Any]]:
    """Documents of paragraphs of random words: a third are new, a third are copies in which words change, a third are
    made of paragraphs of others and new ones."""
    made = random.Random(seed)
    out: list[dict[str, Any]] = []
    for number in range(count):
        kind = made.randrange(3) if out else 0
        if kind == 0:
            paragraphs = [_paragraph(made) for _ in range(made.randint(1, 8))]
        elif kind == 1:
            paragraphs = [_changed(made, one) for one in made.choice(out)["text"].split("\n")]
        else:
            paragraphs = [
                made.choice(made.choice(out)["text"].split("\n")) if made.random() < 0.5 else _paragraph(made)
                for _ in range(made.randint(1, 8))
            ]
        out.append({"id": f"d{number}", "url": f"http://s{number % 7}.example/{number}", "text": "\n".join(paragraphs)})
    return out


def _paragraph(made: random.Random) -> str:
    return " ".join(made.choices(VOCABULARY, k=made.choice((1, 3, 8, 20, 60))))


def _changed(made: random.Random, text: str) -> str:
    share = made.choice((0, 0.02, 0.1, 0.3))
    return " ".join(made.choice(VOCABULARY) if made.random() < share else word for word in text.split())
