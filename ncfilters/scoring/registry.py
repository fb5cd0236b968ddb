"""Model files: a header anyone can read, then arrays. Kinds of model, and where models are found.

    model = load("ncleaner-en")
    model.evidence([Document.of_texts(["Is this clean?"])])    # [{"score": [3.1]}]

What a file looks like is in `modelfile`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from ..errors import ModelError as ModelError
from ..features.document import Document
from . import file_format
from .file_format import MAGIC as MAGIC
from .file_format import MAX_HEADER as MAX_HEADER

if TYPE_CHECKING:
    from numpy.typing import NDArray

SUFFIX = ".model"
# What names of jusText's rules begin with; the code of a stop list's language follows.
RULES = "justext-"
# What names of other programs' models end with, which are used as they are (see `kenlm_files`).
FOREIGN = (".bin", ".binary", ".klm", ".mmlm", ".arpa", ".arpa.gz", ".arpa.xz", ".arpa.bz2", ".arpa.zst")


class Stored(Protocol):
    """What a model file holds, whatever its kind. One whose arrays are to be mapped to memory has `mapped`, True."""

    @property
    def kind(self) -> str:
        """The kind's name."""

    def header(self) -> dict[str, Any]:
        """The parameters, as JSON."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What it learned."""


@runtime_checkable
class Inspectable(Protocol):
    """What nc-model asks of kinds that can say what they learned. Rows are best first, their numbers rounded."""

    def telling(self, count: int) -> dict[str, list[dict[str, Any]]]:
        """For `clean` and for `dirty`, up to *count* rows of what speaks most for it."""

    def compared(self, other: Any, count: int) -> dict[str, Any]:
        """How another model of this kind differs: figures, and up to *count* rows `changed`."""


class Model(Stored, Protocol):
    """What nc-score knows of a model. One that reads more of segments than their text has `reads`, types by field, and
    fails on others; one that gives them a perplexity has `limit`, which may be set: that of a score of 0."""

    def evidence(self, documents: Sequence[Document]) -> list[dict[str, list[Any]]]:
        """For each document, each field the model writes and its values for the segments. One is `score` (bits)."""


@runtime_checkable
class OfPages(Protocol):
    """What nc-score asks of kinds that also judge pages as a whole."""

    def with_pages(
        self, documents: Sequence[Document]
    ) -> tuple[list[dict[str, list[Any]]], list[dict[str, Any] | None]]:
        """The evidence, as `Model` has it, and for each document the record's field `page`; None for none."""


@runtime_checkable
class Explaining(Protocol):
    """What nc-score --explain asks of kinds that can say why."""

    def reasons(self, documents: Sequence[Document], count: int) -> list[list[dict[str, Any]] | None]:
        """For each document the field `reasons` of each segment: `for` and `against`, each up to *count* pairs of name
        and bits. None for a document of whose scores it can say nothing."""


def _ngram(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Model:
    from .char_ngram.model import CharNgramModel

    return CharNgramModel.restored(header, arrays)


def _word(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Model:
    from .word_lm.interpolated import restored

    return restored(header, arrays)


def _quality(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Stored:
    from .quality import QualityModel

    return QualityModel.restored(header)


def _rules(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Model:
    from .justext.rules import JusTextRules

    return JusTextRules.restored(header)


def _structure(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Model:
    from .structure.model import StructureModel

    return StructureModel.restored(header, arrays)


# kind → how to make a model of a file's header and arrays
KINDS: dict[str, Callable[[dict[str, Any], dict[str, NDArray[Any]]], Stored]] = {
    "ngram": _ngram,
    "word": _word,
    "quality": _quality,
    "rules": _rules,
    "structure": _structure,
}
# kinds that score no segments → what they are for
ELSEWHERE = {"quality": "nc-select --quality-model, which predicts the precision of pages"}


def folders() -> list[Path]:
    """Where models are looked for by name: NC_MODELS (a list, as PATH is), then what came with the program."""
    named = [Path(folder) for folder in os.environ.get("NC_MODELS", "").split(os.pathsep) if folder]
    installed = Path(str(resources.files("ncfilters") / "models")).resolve()
    return [*named, *([installed] if installed.is_dir() else [])]


def names() -> dict[str, Path]:
    """The models there are, by name."""
    out: dict[str, Path] = {}
    for folder in folders():
        for path in sorted(folder.glob("*" + SUFFIX)):
            out.setdefault(bare(path), path)
    return out


def load(name: str) -> Model:
    """The model of that name, or in that file, to score segments with. Raises ModelError."""
    return load_from(find(name))[1]


def load_from(path: Path) -> tuple[dict[str, Any], Model]:
    """The header of a model file and the model, which scores segments. Raises ModelError."""
    header, found = stored(path)
    if found.kind in ELSEWHERE:
        raise ModelError(
            f"{bare(path)}: a model of kind '{found.kind}' scores no segments: it is for {ELSEWHERE[found.kind]}"
        )
    return header, cast(Model, found)


def stored(path: Path, verify: bool = False) -> tuple[dict[str, Any], Stored]:
    """The header of a model file and the model, of any kind; of a stop list jusText's rules with it, and of another
    program's model a header made for it. Raises ModelError. With *verify* the checksum of mapped arrays is checked,
    however long that takes."""
    if path.suffix == ".txt":
        return _with_stoplist(path)
    if path.name.endswith(FOREIGN):
        from .word_lm import kenlm

        return kenlm.loaded(path)
    header, payload = read(path, verify)
    try:
        return header, KINDS[header["kind"]](header["parameters"], file_format.arrays(header, payload))
    except ImportError as error:
        raise ModelError(f"{path}: a {header['kind']} model needs a library that is not installed: {error}") from None
    except Exception as error:  # each kind of model finds its own
        raise ModelError(f"{path}: the parts of the model do not fit: {error}") from None


def _with_stoplist(path: Path) -> tuple[dict[str, Any], Stored]:
    from .justext import rules as justext_rules
    from .justext import stoplist

    try:
        words, about = stoplist.read(path)
        rules = justext_rules.of_language(words, about.get("language", ""))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except (stoplist.StopListError, ValueError, OSError) as error:
        raise ModelError(str(error)) from None
    language = about.get("name") or path.stem
    header = {
        "kind": rules.kind,
        "language": about.get("language", ""),
        "description": f"jusText's rules with our stop list: {language}.",
        "credits": about.get("credits", "").splitlines(),
        "command": about.get("command", ""),
        "parameters": rules.header(),
        "sha256": digest,
    }
    return header, rules


def rules() -> dict[str, Path]:
    """The stop lists there are, by the name of jusText's rules with them: justext-en, …"""
    from .justext import stoplist

    return {RULES + code: path for code, (_, path) in stoplist.available().items()}


def find(name: str) -> Path:
    """The file of a model, or the stop list of justext-LANG. Raises ModelError."""
    if os.sep in name or name.endswith((SUFFIX, *FOREIGN)):
        return Path(name)
    there = names()
    if name not in there and name.startswith(RULES):
        lists = rules()
        if name in lists:
            return lists[name]
        raise ModelError(f"unknown model '{name}': there is {', '.join(lists) or 'no stop list'}")
    if name not in there:
        known = ", ".join([*there, *([RULES + "LANG"] if there else [])]) or "none"
        file = f"./{name}" if os.path.exists(name) else f"./{name}{SUFFIX}"
        raise ModelError(f"unknown model '{name}': there is {known} (or give a file: {file})")
    return there[name]


def signature(name: str, header: dict[str, Any]) -> str:
    """What stands for a model and no other, such as ncleaner-en@3fa94c0e12ab: bare name and start of the checksum."""
    return f"{name}@{header['sha256'][:12]}"


def bare(path: Path) -> str:
    """The name of the model in a file."""
    return path.name.removesuffix(SUFFIX)


def card(path: Path) -> Path:
    """The file beside a model's that has its card."""
    return path.with_name(bare(path) + ".md")


def read(path: Path, verify: bool = False) -> tuple[dict[str, Any], bytes | memoryview]:
    """The header of a model file and its arrays' bytes, checked (see `stored`). Raises ModelError."""
    header, payload = file_format.read(path, verify)
    if header["kind"] not in KINDS:
        raise ModelError(f"{path}: a model of kind '{header['kind']}'; known are {', '.join(KINDS)}")
    return header, payload


def write(path: Path, model: Stored, about: dict[str, Any]) -> dict[str, Any]:
    """Writes a model file and returns its header, *about* (language, corpora, licences, command …) in it. Raises
    OSError."""
    header = {"kind": model.kind, **about, "parameters": model.header()}
    return file_format.write(path, header, model.arrays(), getattr(model, "mapped", False))
