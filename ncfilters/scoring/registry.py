"""Models by name: where their files are, and which kind reads each.

    model = load("ncleaner-en")
    model.evidence([ModelInput.of_texts(["Is this clean?"])])    # [{"score": [3.1]}]

A new kind of model derives from `base.Model` and has an entry in KINDS.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..errors import ModelError
from ..installed import DEFAULT_QUALITY_MODEL, installed_folder
from . import file_format
from .base import Model, NamedModel
from .quality import QualityModel

if TYPE_CHECKING:  # start-up: the commonest path does without pathlib
    from pathlib import Path

SUFFIX = ".model"
# The names of jusText's rules are this prefix and the language code of a stop list.
STOPLIST_MODEL_PREFIX = "justext-"
# Those of n-gram models for one language are this prefix and its code.
NGRAM_MODEL_PREFIX = "ncleaner-"
# The suffixes of other programs' models, which are used as they are (see `kenlm`).
FOREIGN_SUFFIXES = (".bin", ".binary", ".klm", ".mmlm", ".arpa", ".arpa.gz", ".arpa.xz", ".arpa.bz2")
# kind → the module and the class that make a model of the header's parameters and the arrays. A module is imported when
# a file needs it: that keeps the start-up of a command short, which needs one kind or none.
KINDS = {
    "ngram": "ncfilters.scoring.char_ngram.model:CharNgramModel",
    "word": "ncfilters.scoring.word_lm.interpolated:InterpolatedModel",
    "quality": "ncfilters.scoring.quality:QualityModel",
    "rules": "ncfilters.scoring.justext.rules:JusTextRules",
    "structure": "ncfilters.scoring.structure.model:StructureModel",
}


# ---- where models are ---------------------------------------------------------------------------------------


def model_folders() -> list[str]:
    """The folders that are searched for models: those of NC_MODELS (a list like PATH), then the installed one."""
    listed = [folder for folder in os.environ.get("NC_MODELS", "").split(os.pathsep) if folder]
    return [*listed, installed_folder()]


def installed_models() -> dict[str, str]:
    """The file of each model that can be given by name. The first folder with a name takes precedence."""
    out: dict[str, str] = {}
    for folder in model_folders():
        for name, file in _files(folder, SUFFIX).items():
            out.setdefault(name, file)
    return out


def stoplist_models() -> dict[str, str]:
    """The stop list of each `justext-LANG`, jusText's rules with an installed stop list."""
    lists = _files(os.path.join(installed_folder(), "stoplists"), ".txt")
    return {STOPLIST_MODEL_PREFIX + code: file for code, file in lists.items()}


def _files(folder: str, suffix: str) -> dict[str, str]:
    """The files in a folder with this suffix, by their names without it, sorted; none where there is no folder."""
    files = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return {file.removesuffix(suffix): os.path.join(folder, file) for file in files if file.endswith(suffix)}


def find(name: str) -> str:
    """The file of a model, or the stop list of justext-LANG. A name with a slash or the suffix of a model is a file
    itself. Raises ModelError for an unknown name."""
    if os.sep in name or name.endswith((SUFFIX, *FOREIGN_SUFFIXES)):
        return os.path.normpath(name)
    models = installed_models()
    if name in models:
        return models[name]
    if name.startswith(STOPLIST_MODEL_PREFIX):
        lists = stoplist_models()
        if name in lists:
            return lists[name]
        raise ModelError(f"unknown model '{name}'; installed stop lists: {', '.join(lists) or 'none'}")
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
    return load_named(name).model


def load_named(name: str) -> NamedModel:
    """The same with its name and signature. Raises ModelError."""
    path = find(name)
    header, model = read_model(path)
    if isinstance(model, QualityModel):
        raise ModelError(
            f"{model_name(path)}: a model of kind '{model.kind}' does not score segments: "
            "nc-select takes it from a folder of NC_MODELS, to predict the precision of pages"
        )
    return NamedModel(name, model, signature(model_name(path), header), header.get("language") or "")


def find_quality(name: str | None, required: bool) -> QualityModel | None:
    """The quality model with that name or in that file. Without a name, the default one; None where that is not
    installed and not *required*. Raises ModelError."""
    if name is None and not required and DEFAULT_QUALITY_MODEL not in installed_models():
        return None
    return load_quality(name or DEFAULT_QUALITY_MODEL)


def load_quality(name: str) -> QualityModel:
    """The quality model with that name or in that file. Raises ModelError."""
    _, model = read_model(find(name))
    if not isinstance(model, QualityModel):
        raise ModelError(
            f"{name}: a model of kind '{model.kind}' scores segments; only the kind 'quality' predicts quality"
        )
    return model


def read_model(path: Path | str, verify: bool = False) -> tuple[dict[str, Any], Model]:
    """The header of a model file and the model, of any kind.

    A stop list (`.txt`) is jusText's rules with that list. For it and for the models of other programs, a
    header is created. With *verify* the checksum of mapped arrays is checked, whatever their size. Raises ModelError.
    """
    file = os.fspath(path)
    if file.endswith((".txt", *FOREIGN_SUFFIXES)):
        from pathlib import Path  # start-up: only these files need it, and what reads them

        if file.endswith(".txt"):
            from .justext.stoplist import rules_of_file  # as above

            return rules_of_file(Path(file))
        from .word_lm.kenlm import load_language_model  # as above

        return load_language_model(Path(file))
    header, arrays = _read_parts(file, verify)
    module, _, kind = KINDS[header["kind"]].partition(":")
    try:
        model: Model = getattr(import_module(module), kind).from_parts(header["parameters"], arrays)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from None
    except Exception as error:  # parameters and arrays can be wrong in a way of each kind's own
        raise ModelError(f"{path}: the parts of the model do not fit: {error}") from None
    return header, model


def read_header(path: Path | str) -> dict[str, Any]:
    """The header of a model file of a known kind, its checksum checked. Raises ModelError."""
    return _read_parts(path, False)[0]


def _read_parts(path: Path | str, verify: bool) -> tuple[dict[str, Any], file_format.Arrays]:
    """The header of a model file of a known kind and its arrays. Raises ModelError."""
    header, arrays = file_format.read_file(path, verify)
    if header["kind"] not in KINDS:
        raise ModelError(f"{path}: a model of kind '{header['kind']}'; known are {', '.join(KINDS)}")
    return header, arrays


def write_model(path: Path, model: Model, about: dict[str, Any]) -> dict[str, Any]:
    """Writes a model file and returns its header, which includes *about* (language, corpora, licences, command …).

    Raises OSError and UsageError.
    """
    header = {"kind": model.kind, **about, "parameters": model.header()}
    return file_format.write_file(path, header, model.arrays(), model.mapped)
