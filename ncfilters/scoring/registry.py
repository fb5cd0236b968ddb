"""Models by name: where their files are, and which kind reads each.

    model = load("ncleaner-en")
    model.evidence([ModelInput.of_texts(["Is this clean?"])])    # [{"score": [3.1]}]

A new kind of model implements the protocols of `base` and has an entry in KINDS.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import reduce
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from ..errors import ModelError
from ..installed import DEFAULT_QUALITY_MODEL, installed_folder
from . import file_format
from .base import MappedModel, Model, NamedModel, StorableModel
from .quality import QualityModel

if TYPE_CHECKING:  # start-up: the commonest path does without pathlib
    from pathlib import Path

    from numpy.typing import NDArray

    ModelOfParts = Callable[[dict[str, Any], Mapping[str, NDArray[Any]]], StorableModel]

SUFFIX = ".model"
# The names of jusText's rules are this prefix and the language code of a stop list.
STOPLIST_MODEL_PREFIX = "justext-"
# Those of n-gram models for one language are this prefix and its code.
NGRAM_MODEL_PREFIX = "ncleaner-"
# The suffixes of other programs' models, which are used as they are (see `kenlm`).
FOREIGN_SUFFIXES = (".bin", ".binary", ".klm", ".mmlm", ".arpa", ".arpa.gz", ".arpa.xz", ".arpa.bz2")
# kind → the module and the object in it that make a model of the header's parameters and the arrays. A module is
# imported when a file needs it: that keeps the start-up of a command short, which needs one kind or none.
KINDS = {
    "ngram": "ncfilters.scoring.char_ngram.model:CharNgramModel.from_parts",
    "word": "ncfilters.scoring.word_lm.interpolated:InterpolatedModel.from_parts",
    "quality": "ncfilters.scoring.quality:QualityModel.from_parts",
    "rules": "ncfilters.scoring.justext.rules:JusTextRules.from_parts",
    "structure": "ncfilters.scoring.structure.model:StructureModel.from_parts",
}


# ---- where models are ---------------------------------------------------------------------------------------


def model_folders() -> list[str]:
    """The folders that are searched for models: those of NC_MODELS (a list like PATH), then the installed one."""
    listed = [folder for folder in os.environ.get("NC_MODELS", "").split(os.pathsep) if folder]
    return [*listed, installed_folder()]


def installed_models() -> dict[str, Path]:
    """The file of each model that can be given by name. The first folder with a name takes precedence."""
    from pathlib import Path  # start-up

    return {name: Path(file) for name, file in _installed_files().items()}


def _installed_files() -> dict[str, str]:
    out: dict[str, str] = {}
    for folder in model_folders():
        try:
            files = sorted(os.listdir(folder))
        except OSError:  # no folder: no models
            continue
        for file in files:
            if file.endswith(SUFFIX):
                out.setdefault(model_name(file), os.path.join(folder, file))
    return out


def stoplist_models() -> dict[str, Path]:
    """The stop list of each `justext-LANG`, jusText's rules with an installed stop list."""
    from .justext import stoplist  # start-up: commands that list no models do without the tokenizer

    return {STOPLIST_MODEL_PREFIX + code: path for code, (_, path) in stoplist.installed_stoplists().items()}


def find(name: str) -> Path:
    """The file of a model, or the stop list of justext-LANG. A name with a slash or the suffix of a model is a file
    itself. Raises ModelError for an unknown name."""
    from pathlib import Path  # start-up

    return Path(_file_of(name))


def _file_of(name: str) -> str:
    """The same as a string."""
    if os.sep in name or name.endswith((SUFFIX, *FOREIGN_SUFFIXES)):
        from pathlib import Path  # start-up: not for installed models

        return str(Path(name))
    models = _installed_files()
    if name in models:
        return models[name]
    if name.startswith(STOPLIST_MODEL_PREFIX):
        from .justext import stoplist  # start-up: as above

        if path := stoplist.installed_stoplist(name.removeprefix(STOPLIST_MODEL_PREFIX)):
            return str(path)
        lists = ", ".join(stoplist_models()) or "none"
        raise ModelError(f"unknown model '{name}'; installed stop lists: {lists}")
    from ..text.language import is_language  # start-up: its tables are for names that are no model

    if is_language(name) and "xx" in models:
        raise ModelError(
            f"unknown model '{name}': xx is for any language, and auto for the language of each document; "
            f"installed models: {', '.join(models) or 'none'}"
        )
    known = ", ".join([*models, *([STOPLIST_MODEL_PREFIX + "LANG"] if models else [])]) or "none"
    file = f"./{name}" if os.path.exists(name) else f"./{name}{SUFFIX}"
    raise ModelError(f"unknown model '{name}'; installed models: {known} (to use a file: {file})")


def model_name(path: Path | str) -> str:
    """The name of the model in a file."""
    return os.path.basename(path).removesuffix(SUFFIX)


def card_path(path: Path) -> Path:
    """The card beside the file of a model."""
    return path.with_name(model_name(path) + ".md")


def signature(name: str, header: dict[str, Any]) -> str:
    """The identifier of a model, such as ncleaner-en@3fa94c0e12ab: its name and the start of its checksum."""
    return f"{name}@{header['sha256'][:12]}"


# ---- reading and writing ------------------------------------------------------------------------------------


def load(name: str) -> Model:
    """The model with that name, or in that file, to score segments with. Raises ModelError."""
    return load_file(_file_of(name))[1]


def load_named(name: str) -> NamedModel:
    """The same with its name and signature. Raises ModelError."""
    path = _file_of(name)
    header, model = load_file(path)
    return NamedModel(name, model, signature(model_name(path), header), header.get("language") or "")


def load_file(path: Path | str) -> tuple[dict[str, Any], Model]:
    """The header of a model file and the model, which scores segments. Raises ModelError."""
    header, model = read_model(path)
    if isinstance(model, QualityModel):
        raise ModelError(
            f"{model_name(path)}: a model of kind '{model.kind}' does not score segments: "
            "nc-select takes it from a folder of NC_MODELS, to predict the precision of pages"
        )
    return header, cast(Model, model)


def find_quality(name: str | None, required: bool) -> QualityModel | None:
    """The quality model with that name or in that file. Without a name, the default one; None where that is not
    installed and not *required*. Raises ModelError."""
    if name is None and not required and DEFAULT_QUALITY_MODEL not in _installed_files():
        return None
    return load_quality(name or DEFAULT_QUALITY_MODEL)


def load_quality(name: str) -> QualityModel:
    """The quality model with that name or in that file. Raises ModelError."""
    _, model = read_model(_file_of(name))
    if not isinstance(model, QualityModel):
        raise ModelError(
            f"{name}: a model of kind '{model.kind}' scores segments; only the kind 'quality' predicts quality"
        )
    return model


def read_model(path: Path | str, verify: bool = False) -> tuple[dict[str, Any], StorableModel]:
    """The header of a model file and the model, of any kind.

    A stop list (`.txt`) is jusText's rules with that list. For it and for the models of other programs, a
    header is created. With *verify* the checksum of mapped arrays is checked, whatever their size. Raises ModelError.
    """
    file = os.fspath(path)
    if file.endswith((".txt", *FOREIGN_SUFFIXES)):
        from pathlib import Path  # start-up: only these files need it, and what reads them

        if file.endswith(".txt"):
            return _rules_with_stoplist(Path(file))
        from .word_lm import kenlm  # start-up: as above

        return kenlm.load_language_model(Path(file))
    header, payload = read_parts(path, verify)
    try:
        arrays = file_format.arrays_in(header, payload, str(path))
        return header, _model_of_parts(header["kind"])(header["parameters"], arrays)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from None
    except ImportError as error:
        raise ModelError(f"{path}: a {header['kind']} model needs a library that is not installed: {error}") from None
    except Exception as error:  # parameters and arrays can be wrong in a way of each kind's own
        raise ModelError(f"{path}: the parts of the model do not fit: {error}") from None


def read_parts(path: Path | str, verify: bool = False) -> tuple[dict[str, Any], bytes | memoryview]:
    """The header of a model file of a known kind and the bytes of its arrays. Raises ModelError."""
    header, payload = file_format.read_file(path, verify)
    if header["kind"] not in KINDS:
        raise ModelError(f"{path}: a model of kind '{header['kind']}'; known are {', '.join(KINDS)}")
    return header, payload


def read_header(path: Path | str) -> dict[str, Any]:
    """The header of a model file of a known kind, its checksum checked. Raises ModelError."""
    return read_parts(path)[0]


def write_model(path: Path, model: StorableModel, about: dict[str, Any]) -> dict[str, Any]:
    """Writes a model file and returns its header, which includes *about* (language, corpora, licences, command …).

    Raises OSError and UsageError.
    """
    header = {"kind": model.kind, **about, "parameters": model.header()}
    return file_format.write_file(path, header, model.arrays(), isinstance(model, MappedModel) and model.mapped)


def _model_of_parts(kind: str) -> ModelOfParts:
    module, _, names = KINDS[kind].partition(":")
    imported: Any = import_module(module)
    return cast("ModelOfParts", reduce(getattr, names.split("."), imported))


def _rules_with_stoplist(path: Path) -> tuple[dict[str, Any], StorableModel]:
    """The header and the rules of jusText with the stop list in a file. Raises ModelError."""
    # start-up: only stop lists need these
    import hashlib

    from .justext import rules as justext_rules  # as above
    from .justext import stoplist

    try:
        words, about = stoplist.read_stoplist(path)
        rules = justext_rules.rules_for_language(words, about.get("language", ""))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except (ModelError, ValueError, OSError) as error:
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
