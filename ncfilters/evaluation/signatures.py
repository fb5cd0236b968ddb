"""Signatures: how a figure is computed, so that two figures can be compared (Post 2018, sacreBLEU).

signatures(evaluation)[0]["signature"]    # 'measure:words|norm:cleaneval, no markers|…|gold:0a1b2c3d4e5f|…'
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable
from importlib.metadata import version

from ..dataset.gold import Gold
from ..installed import __version__
from .metrics import METRICS
from .results import Evaluation, Facts


def signatures(results: Evaluation) -> Facts:
    """How the figures are computed: for each metric its normalisation and library versions, with the data; for each
    system its texts and models."""
    out = []
    data = [f"pages:{len(results.keys)}", f"gold:{_digest(_gold_texts(results.golds))}", f"ncfilters:{__version__}"]
    for name in results.names:
        metric = METRICS[name]
        fields = [f"measure:{name}", f"norm:{metric.normalisation}", f"ascii:{'yes' if results.ascii else 'no'}"]
        if metric.library:
            fields.append(f"by:{metric.library} {_library_version(metric.library)}")
        out.append({"measure": name, "source": metric.source, "signature": "|".join([*fields, *data])})
    if len(results.systems) > 1:
        tests = f"tests:paired t, Wilcoxon|intervals:95 %|by:scipy {_library_version('scipy')}"
        out.append({"measure": "comparison", "source": "Evert 2008, section 4", "signature": "|".join([tests, *data])})
    for system in results.systems:
        texts = _digest((key, system.texts.get(key, "")) for key in results.keys)
        models = f"models:{'+'.join(sorted(system.models)) or 'unknown'}"
        out.append({"system": system.name, "signature": f"system:{system.name}|text:{texts}|{models}"})
    return out


def _gold_texts(golds: dict[str, Gold]) -> Iterable[tuple[str, str]]:
    return (
        (key, "\0".join([gold.marked, gold.plain, *gold.required, "", *gold.forbidden])) for key, gold in golds.items()
    )


def _digest(texts: Iterable[tuple[str, str]]) -> str:
    """12 hexadecimal digits of the SHA-256 of texts and their ids; the order of the texts makes no difference."""
    digest = hashlib.sha256()
    for key, text in sorted(texts):
        digest.update(f"{key}\0{text}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]


def _library_version(library: str) -> str:
    return f"python {platform.python_version()}" if library == "difflib" else version(library)
