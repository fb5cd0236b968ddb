"""MathML as TeX, for formulas that come without their TeX.

    page = "<math><mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac></math>"
    tex_of_mathml(table_of(parse_html(page).css_first("math")), 0)    # '\\frac{a}{b^2}'

Presentation MathML alone, as pages have it: layout, operators, Greek letters, functions, matrices and text.
"""

from __future__ import annotations

from collections.abc import Callable

from ...native.element_names import BLANK, COMMENT, TEXT, UNKNOWN
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..tree.elements import children

# Elements that a formula may be nested in; deeper ones are read as text.
MAX_DEPTH = 40
# Characters of a formula.
MAX_CHARS = 20_000

_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξπρςστυφχψωϑϕϖϱϵΓΔΘΛΞΠΣΥΦΨΩ",
        "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho varsigma sigma tau upsilon "
        "varphi chi psi omega vartheta phi varpi varrho epsilon Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi "
        "Omega".split(),
        strict=True,
    )
)
_SIGNS = dict(
    zip(
        "∑∏∫∬∭∮∂∇∞±∓×÷·⋅∗∘•≤≥≠≈≡≅∼≃∝≪≫∈∉∋⊂⊃⊆⊇∪∩∅∀∃¬∧∨⊕⊗⊥∥∠→←↔⇒⇐⇔↦↑↓⟨⟩⌊⌋⌈⌉…⋯⋮⋱ℓℏ′″†‡⟶⟹⟺∖∣√∐⋃⋂⊢⊨△□ℜℑℵ",
        "sum prod int iint iiint oint partial nabla infty pm mp times div cdot cdot ast circ bullet leq geq neq approx "
        "equiv cong sim simeq propto ll gg in notin ni subset supset subseteq supseteq cup cap emptyset forall exists "
        "neg wedge vee oplus otimes perp parallel angle to leftarrow leftrightarrow Rightarrow Leftarrow "
        "Leftrightarrow mapsto uparrow downarrow langle rangle lfloor rfloor lceil rceil ldots cdots vdots ddots ell "
        "hbar prime prime\\prime dagger ddagger longrightarrow Longrightarrow Longleftrightarrow setminus mid surd "
        "coprod bigcup bigcap vdash models triangle square Re Im aleph".split(),
        strict=True,
    )
)
_COMMANDS = {sign: f"\\{name}" for sign, name in (_GREEK | _SIGNS).items()}
_BLACKBOARD = dict(zip("ℕℤℚℝℂℙℍ𝔼", "NZQRCPHE", strict=True))

_COMMANDS |= {sign: f"\\mathbb{{{letter}}}" for sign, letter in _BLACKBOARD.items()}
_COMMANDS |= {"−": "-", "–": "-", "\xa0": " ", "⁡": "", "⁢": "", "⁣": "", "⁤": "", "\u200b": "", "∶": ":"}
_COMMANDS |= {"{": "\\{", "}": "\\}", "%": "\\%", "#": "\\#", "&": "\\&", "$": "\\$", "_": "\\_", "\\": "\\backslash"}
_FUNCTIONS = frozenset(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max "
    "min Pr sec sin sinh sup tan tanh".split()
)
_FONTS = {
    "bold": "mathbf",
    "bold-italic": "boldsymbol",
    "double-struck": "mathbb",
    "script": "mathcal",
    "fraktur": "mathfrak",
    "sans-serif": "mathsf",
    "monospace": "mathtt",
}
_ACCENTS = {
    "^": "hat", "ˆ": "hat", "¯": "bar", "‾": "overline", "―": "overline", "˜": "tilde", "~": "tilde", "→": "vec",
    "⃗": "vec", "˙": "dot", ".": "dot", "¨": "ddot", "⏞": "overbrace", "ˇ": "check", "˘": "breve", "_": "underline",
    "⏟": "underbrace", "\u0302": "hat", "\u0304": "bar", "\u0303": "tilde", "\u0307": "dot",
}  # fmt: skip
_LIMITS = frozenset(
    ("\\sum", "\\prod", "\\lim", "\\max", "\\min", "\\sup", "\\inf", "\\bigcup", "\\bigcap", "\\coprod")
)
_SKIPPED = frozenset(("annotation", "annotation-xml", "mphantom", "none", "mprescripts", "maligngroup", "malignmark"))
_TOKENS = frozenset(("mi", "mn", "mo", "ms", "mtext"))
_TOKEN = lazy_pattern(r"\\[a-zA-Z]+$")
_TEXT_SPECIAL = lazy_pattern(r"[{}%#&$_\\]")
_FENCES = {"(": "(", ")": ")", "[": "[", "]": "]", "|": "|", "‖": "\\|", "{": "\\{", "}": "\\}", "": "."}


def tex_of_mathml(page: PageTable, row: int) -> str:
    """The TeX of a `<math>` element; empty if it has no text. Linear in its size."""
    return " ".join(_tex(page, row, 0).split())[:MAX_CHARS]


def _tex(page: PageTable, row: int, depth: int) -> str:
    if page.tag[row] == TEXT:
        return _escaped(page.text_of(row).strip())
    if page.tag[row] < UNKNOWN:
        return ""
    name = page.name_of(row).rpartition(":")[2]
    if name in _SKIPPED:
        return ""
    if depth > MAX_DEPTH or name in _TOKENS:
        return _token(page, row, name)
    if name == "mspace":
        return "\\quad " if (page.attribute_of(row, "width") or "").startswith(("1em", "2em")) else ""
    shown = [at for at in children(page, row) if page.tag[at] != COMMENT and not page.flags[at] & BLANK]
    parts = [_tex(page, at, depth + 1) for at in shown]
    if name == "mfenced":
        return _fenced(page.attributes_of(row), parts)
    layout = _LAYOUTS.get(name)
    if layout is not None and len(parts) >= _NUM_PARTS.get(name, 1):
        return layout(parts)
    return _joined(parts)


def _token(page: PageTable, row: int, name: str) -> str:
    text = " ".join(page.text_below(row).split())
    if name in ("mtext", "ms"):
        escaped = _TEXT_SPECIAL.sub(lambda sign: "\\" + sign[0] if sign[0] != "\\" else "", text)
        return f"\\text{{{escaped}}}" if text else "\\ "
    if name == "mi":
        font = _FONTS.get(page.attribute_of(row, "mathvariant") or "")
        if text in _FUNCTIONS:
            return f"\\{text}"
        if font:
            return f"\\{font}{{{_escaped(text)}}}"
        if len(text) > 1 and text.isalpha() and text.isascii():
            return f"\\mathrm{{{text}}}"
    if name == "mo" and text in _FUNCTIONS:
        return f"\\{text}"
    return _escaped(text)


def _escaped(text: str) -> str:
    return _joined([_COMMANDS.get(sign, sign) for sign in text])


def _joined(parts: list[str]) -> str:
    """The parts in a row, with a space after a command before a letter."""
    out: list[str] = []
    for part in parts:
        if part and out and part[0].isalpha() and _TOKEN.search(out[-1]):
            out.append(" ")
        if part:
            out.append(part)
    return "".join(out)


def _group(part: str) -> str:
    """A part in braces, unless it is one character."""
    return part if len(part) == 1 and part not in "^_" else f"{{{part}}}"


def _base(part: str) -> str:
    """What a script stands at: in braces if it has scripts of its own."""
    return f"{{{part}}}" if "^" in part or "_" in part else part


def _fenced(attributes: dict[str, str | None], parts: list[str]) -> str:
    before, after = attributes.get("open", "("), attributes.get("close", ")")
    separators = attributes.get("separators", ",")
    separator = (separators or "").strip()[:1]
    inner = separator.join(parts)
    return f"\\left{_FENCES.get(before or '', before)}{inner}\\right{_FENCES.get(after or '', after)}"


def _sub(parts: list[str]) -> str:
    return f"{_base(parts[0])}_{_group(parts[1])}"


def _sup(parts: list[str]) -> str:
    if parts[1] and set(parts[1].split("\\")) <= {"prime", ""} and parts[1]:
        return parts[0] + "'" * parts[1].count("prime")
    return f"{_base(parts[0])}^{_group(parts[1])}"


def _over(parts: list[str]) -> str:
    sign = parts[1].strip()
    for mark, name in _ACCENTS.items():
        if sign in (mark, _COMMANDS.get(mark)):
            return f"\\{name}{{{parts[0]}}}"
    return _sup(parts) if parts[0] in _LIMITS else f"\\overset{{{parts[1]}}}{{{parts[0]}}}"


def _under(parts: list[str]) -> str:
    if parts[1].strip() in ("_", "\\_", "¯", "‾"):
        return f"\\underline{{{parts[0]}}}"
    if parts[1].strip() == "⏟":
        return f"\\underbrace{{{parts[0]}}}"
    return _sub(parts) if parts[0] in _LIMITS else f"\\underset{{{parts[1]}}}{{{parts[0]}}}"


def _table(parts: list[str]) -> str:
    return "\\begin{matrix}" + " \\\\ ".join(parts) + "\\end{matrix}"


_LAYOUTS: dict[str, Callable[[list[str]], str]] = {
    "mfrac": lambda parts: f"\\frac{{{parts[0]}}}{{{parts[1]}}}",
    "msqrt": lambda parts: f"\\sqrt{{{_joined(parts)}}}",
    "mroot": lambda parts: f"\\sqrt[{parts[1]}]{{{parts[0]}}}",
    "msub": _sub,
    "msup": _sup,
    "msubsup": lambda parts: f"{_base(parts[0])}_{_group(parts[1])}^{_group(parts[2])}",
    "mover": _over,
    "munder": _under,
    "munderover": lambda parts: f"{_base(parts[0])}_{_group(parts[1])}^{_group(parts[2])}",
    "mtable": _table,
    "mtr": " & ".join,
    "mlabeledtr": lambda parts: " & ".join(parts[1:]),
    "menclose": lambda parts: f"\\boxed{{{_joined(parts)}}}",
    # a formula with several forms: the first is the one to show
    "semantics": lambda parts: parts[0],
}
_NUM_PARTS = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "msubsup": 3, "mover": 2, "munder": 2, "munderover": 3}
