"""Delimiters of emphasis that parsers of Markdown see as such (CommonMark, section 6.2).

    opener = Token("open", "**")
    opener.partner = Token("close", "**", opener)
    flanked([Token("text", "a"), opener, Token("text", "(b)"), opener.partner])    # a ( ** b ** )

Where the characters around a delimiter let no parser see it, it moves inwards, past punctuation, or is left out.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

# Rounds of moving delimiters inwards. What is then still wrong is left out.
_ROUNDS = 8
_MATES = dict(zip("()[]{}", ")(][}{"))


@dataclass(slots=True)
class Token:
    """A piece of text, an opening or closing delimiter with its partner, something without text (`object`), or other
    markup (`raw`), which may be inline code."""

    kind: str
    text: str
    partner: Token | None = None
    in_link: bool = False
    code: str = ""


def flanked(tokens: list[Token]) -> list[Token]:
    """Tokens whose delimiters a parser sees as such."""
    if not any(token.kind == "open" for token in tokens):
        return _merged(tokens)
    for _ in range(_ROUNDS):
        tokens = _merged(tokens)
        if not _repair(tokens) and not _drop_mispaired(tokens):
            return tokens
    return _merged([token for token in tokens if token.kind not in ("open", "close")])


def _merged(tokens: list[Token]) -> list[Token]:
    """Tokens without empty ones, and with one text where several touch."""
    out: list[Token] = []
    for token in tokens:
        if token.kind == "text" and out and out[-1].kind == "text":
            out[-1].text += token.text
        elif token.text:
            out.append(token)
    return out


def _repair(tokens: list[Token]) -> bool:
    """Moves delimiters that a parser would not see inwards, or empties them; whether there were any. A bracket stays
    with the other one of its pair."""
    runs = _wrong_runs(tokens)
    wrong = {id(token) for start, end in runs for token in tokens[start:end]}
    for start, end in reversed(runs):
        run = tokens[start:end]
        inner = end if run[0].kind == "open" else start - 1
        text = tokens[inner].text if 0 <= inner < len(tokens) and tokens[inner].kind == "text" else ""
        moved = text[:1] if inner == end else text[-1:]
        parts_pair = moved in _MATES and _MATES[moved] in text and id(run[0].partner) not in wrong
        if len({token.kind for token in run}) > 1 or len(text) < 2 or parts_pair:
            for token in run:
                if token.partner and (token.kind == "open" or len({t.kind for t in run}) == 1):
                    token.text = token.partner.text = ""
            continue
        in_link = tokens[inner].in_link
        if inner == end:
            first, rest = Token("text", moved, in_link=in_link), Token("text", text[1:], in_link=in_link)
            tokens[start : end + 1] = [first, *run, rest]
        else:
            rest, last = Token("text", text[:-1], in_link=in_link), Token("text", moved, in_link=in_link)
            tokens[start - 1 : end] = [rest, *run, last]
    return bool(runs)


def _drop_mispaired(tokens: list[Token]) -> bool:
    """Empties delimiters that open, but that a parser would take for the end of one before them: those that could also
    close, by the rule of three of CommonMark. Whether there were any."""
    runs: dict[int, tuple[str, int]] = {}  # of each delimiter: the character, and the length of its run modulo three
    num_open: Counter[tuple[str, int]] = Counter()
    wrong: list[Token] = []
    for start, end in _runs(tokens):
        run, length = tokens[start:end], sum(len(token.text) for token in tokens[start:end])
        before, after = _around(tokens, start, end)
        may_close = not before.isspace() and (not _is_punctuation(before) or _is_space(after) or _is_mark(after))
        num_open.subtract(runs[id(token.partner)] for token in run if id(token.partner) in runs)
        character, rest = run[0].text[0], length % 3
        is_wrong = may_close and any(num_open[character, r] > 0 for r in range(3) if (r + rest) % 3 or not rest)
        for token in run:
            if token.kind == "open" and is_wrong:
                wrong.append(token)
            elif token.kind == "open":
                runs[id(token)] = (character, rest)
                num_open[character, rest] += 1
    for token in wrong:
        if token.partner:
            token.text = token.partner.text = ""
    return bool(wrong)


def _wrong_runs(tokens: list[Token]) -> list[tuple[int, int]]:
    """The runs of delimiters of one character that a parser would not see as they are meant."""
    out = []
    for start, end in _runs(tokens):
        before, after = _around(tokens, start, end)
        if end == start + 1 and (after if tokens[start].kind == "open" else before).isalnum():
            continue  # most
        kinds = {token.kind for token in tokens[start:end]}
        length = sum(len(token.text) for token in tokens[start:end])
        opens = not after.isspace() and (not _is_mark(after) or _is_space(before) or _is_punctuation(before))
        closes = not before.isspace() and (not _is_mark(before) or _is_space(after) or _is_punctuation(after))
        if "open" in kinds and not opens or "close" in kinds and not closes or len(kinds) > 1 and length != 3:
            out.append((start, end))
    return out


def _runs(tokens: list[Token]) -> Iterator[tuple[int, int]]:
    """The runs of delimiters of one character: the places of the first, and after the last."""
    at = 0
    while at < len(tokens):
        start, first = at, tokens[at]
        at += 1
        if first.kind in ("open", "close"):
            while at < len(tokens) and tokens[at].kind in ("open", "close") and tokens[at].text[0] == first.text[0]:
                at += 1
            yield start, at


def _around(tokens: list[Token], start: int, end: int) -> tuple[str, str]:
    """The characters before and after a run."""
    return tokens[start - 1].text[-1] if start else "\n", tokens[end].text[0] if end < len(tokens) else "\n"


def _is_space(character: str) -> bool:
    return character in "\t\n\r" or unicodedata.category(character) == "Zs"


def _is_mark(character: str) -> bool:
    """Whether some edition of CommonMark takes a character for punctuation."""
    return unicodedata.category(character)[0] in "PS"


def _is_punctuation(character: str) -> bool:
    """Whether all editions do."""
    return unicodedata.category(character)[0] == "P" or character in "$+<=>^`|~"
