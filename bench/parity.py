#!/usr/bin/env python3
"""How near `--profile justext` and jusText's rules are to the package justext: paragraphs with the same final class.

    pip install . justext && python bench/parity.py ../shared/data

Both have the package's stop lists. A paragraph is the same if its text and its class (text or boilerplate) are, in
order.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from ncfilters.features.document import Document
from ncfilters.page.profiles import PageOptions
from ncfilters.scoring.justext import stoplist  # noqa: E402
from ncfilters.scoring.justext.rules import JusTextParameters, JusTextRules, rules_model  # noqa: E402
from ncfilters.segmentation import segmenter
from ncfilters.selection.justext_context import neighbour_policy  # noqa: E402

SETS = ("cleaneval-dev", "wcxb-dev", "daniel-dev")
LANGUAGES = {"en": "English", "el": "Greek", "pl": "Polish", "ru": "Russian"}
Paragraphs = list[tuple[str, bool]]


def theirs(html: str, words: frozenset[str]) -> Paragraphs:
    """The package's paragraphs and whether each is text; without a stop list it counts no stop words."""
    import justext

    options = {} if words else {"stopwords_low": 0, "stopwords_high": 0}
    found = justext.justext(html.encode(), words, encoding="utf-8", **options)
    return [(paragraph.text, not paragraph.is_boilerplate) for paragraph in found]


def ours(html: str, rules: JusTextRules) -> Paragraphs:
    """The same of the filters."""
    segments: list[dict[str, Any]] = segmenter.segment_html(html, PageOptions(profile="justext"))
    for field, values in rules.evidence([Document(segments)])[0].items():
        for part, value in zip(segments, values):
            part[field] = value
    return list(zip((part["text"] for part in segments), neighbour_policy()(segments)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder of gold sets")
    parser.add_argument("-n", type=int, default=1, help="every so many pages (default: all)")
    args = parser.parse_args()
    for name in SETS:
        there = same = size = same_size = 0
        with lzma.open(args.data / f"{name}.jsonl.xz") as lines:
            for line in list(lines)[:: args.n]:
                page = json.loads(line)
                language = LANGUAGES.get(page["lang"])
                words = stoplist.find_stoplist(f"justext:{language}")[0] if language else frozenset()
                none = {} if words else {"stopwords_low": 0.0, "stopwords_high": 0.0}
                try:
                    wanted = theirs(page["html"], words)
                except Exception as error:  # a page that the package cannot read
                    print(f"{page['id']}: {error}", file=sys.stderr)
                    continue
                got = ours(page["html"], rules_model(words, JusTextParameters(**none)))
                blocks = SequenceMatcher(None, wanted, got, autojunk=False).get_matching_blocks()
                there += len(wanted)
                size += sum(len(text) for text, _ in wanted)
                same += sum(block.size for block in blocks)
                same_size += sum(len(wanted[at][0]) for block in blocks for at in range(block.a, block.a + block.size))
        shares = f"{100 * same / there:.2f} % of {there:,} paragraphs, {100 * same_size / size:.2f} % of text"
        print(f"{name}: {shares}", flush=True)


if __name__ == "__main__":
    main()
