"""nc-score: scores segments as clean text or boilerplate.

nc-segment crawl.jsonl | nc-score -m en -m ncleaner-nonlexical | jq '.segments[].scores'
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from ..errors import ModelError, RecordError, UsageError, as_usage_errors
from ..record import Record
from ..scoring import registry
from ..scoring.base import NamedModel
from ..scoring.justext.rules import JusTextParameters, JusTextRules
from ..scoring.scorer import AUTO, BATCH_BYTES, AutoScorer, OtherLanguages, Scorer
from ..streams.console import warn
from ..streams.runner import run_filter
from . import options

TOOL = "nc-score"
DEFAULT_REASONS = 3
# The parameters of jusText that --set sets, and what they take; that of nc-select sets the other one.
RULE_PARAMETERS: dict[str, type] = {
    **dict.fromkeys(("length-low", "length-high"), int),
    **dict.fromkeys(("stopwords-low", "stopwords-high", "max-link-density"), float),
    "variant": str,
    "no-headings": bool,
}
RULE_OPTIONS = ("stoplist", "settings")


_OPTIONS = """
--limit P: perplexity that has the score 0, for models that compute perplexity
--explain N: add the N strongest reasons for and against each score (default: %(const)s); for models of the kind
    structure
--list-models: print the installed models and exit
text normalization: for models that compute perplexity
--normalise none|lower|ccnet: normalise texts like the training texts of the model (default: none)
--tokens HOW|FILE: separate the tokens of texts by spaces, for models of other programs: spaces, words, pyplexity, or
    the pieces of words of a SentencePiece model (default: spaces)
"""
_JUSTEXT = """
jusText: parameters of models of the kind rules (default: the model's own)
--stoplist FILE|NAME: stop words: a file, a language (en), or a list of the package justext (justext:English)"""


def option_parser() -> argparse.ArgumentParser:
    parser = options.filter_parser(
        TOOL, "Score segments as clean text or boilerplate.", f"nc-segment crawl.jsonl | {TOOL} | nc-select"
    )
    options.add_format(parser)
    add_model(parser)
    count = options.number("a number above 0", 1, before_file=f"--explain {DEFAULT_REASONS}")
    explain = {"nargs": "?", "type": count, "const": DEFAULT_REASONS}
    options.add(parser, _OPTIONS, limit=options.perplexity, explain=explain)
    options.add_setting(parser, _JUSTEXT, RULE_PARAMETERS)
    return parser


_MODEL = f"""
-m --model NAME|PATH: score with this model; may be given several times (default: {AUTO}, the best model for the
    language of each document)
"""


def add_model(parser: argparse.ArgumentParser) -> None:
    """The option that selects models, which nc-clean has, too."""
    options.add(parser, _MODEL, model=[])


@options.command(option_parser)
def main(args: argparse.Namespace) -> int:
    if args.list_models:
        from ..scoring import inspection  # start-up: other runs print no report

        print(inspection.model_list(), end="")
        return 0
    if _uses_auto(args):
        with as_usage_errors(ModelError):
            auto = AutoScorer(args.explain or 0)
        return run_filter(args.files, auto, options.stream_options(TOOL, args, auto.batch_bytes))
    with as_usage_errors(ModelError):
        models = load_models(args)
    first = models[0]
    if args.explain and not first.model.explains:
        raise UsageError(
            f"--explain: {first.name} is of kind '{first.model.kind}'; only the kind 'structure' explains scores"
        )
    score, others = Scorer(models, args.explain or 0), OtherLanguages(first.name, first.language)

    def process(records: list[Record]) -> Sequence[Record | RecordError | None]:
        others.count(records)
        return score(records)

    status = run_filter(args.files, process, options.stream_options(TOOL, args, BATCH_BYTES))
    if not args.quiet and (message := others.message()):
        warn(TOOL, message)
    return status


def _uses_auto(args: argparse.Namespace) -> bool:
    """Whether each document has the model for its language. The options of jusText alone ask for its rules. Raises
    UsageError."""
    needs_rules = any(getattr(args, name) for name in RULE_OPTIONS)
    if AUTO not in args.model and (args.model or needs_rules):
        return False
    if len(args.model) > 1:
        raise UsageError(f"-m {AUTO} cannot be combined with other models")
    for name in ("limit", "normalise", "tokens", *RULE_OPTIONS):
        if getattr(args, name):
            what = "of the kind 'rules'" if name in RULE_OPTIONS else "that computes perplexity"
            raise UsageError(f"--{'set' if name == 'settings' else name} requires a model {what}; give one with -m")
    return True


# ---- models with the parameters that options give: their signature has these ---------------------------------------


def load_models(args: argparse.Namespace) -> list[NamedModel]:
    """The models that the options ask for, with the parameters that they give. Raises UsageError and ModelError."""
    out = [registry.load_named(name) for name in args.model]
    if args.stoplist is not None or args.settings:
        out = _with_rule_parameters(out, args)
    computes_perplexity = any(named.model.limit is not None for named in out)
    if args.normalise or args.tokens:
        if not computes_perplexity:
            raise UsageError("--normalise and --tokens require a model that computes perplexity")
        out = _with_normalization(out, args)
    if args.limit is not None:
        if not computes_perplexity:
            kinds = ", ".join(f"{named.name} is of kind '{named.model.kind}'" for named in out)
            raise UsageError(f"--limit {args.limit:g} requires a model that computes perplexity: {kinds}")
        for place, named in enumerate(out):
            if named.model.limit is not None:
                named.model.limit = args.limit
                out[place] = named._replace(signature=f"{named.signature}+limit={args.limit:g}")
    return out


def _with_normalization(models: list[NamedModel], args: argparse.Namespace) -> list[NamedModel]:
    """The models; those that compute perplexity read normalised texts. Raises UsageError and ModelError."""
    from ..scoring.word_lm.parameters import normalized_model, text_normalizer  # start-up: few models need it

    normalize = text_normalizer(args.normalise or "none", args.tokens)
    given = (("normalise", args.normalise), ("tokens", os.path.basename(args.tokens or "")))
    suffix = "".join(f"+{name}={value}" for name, value in given if value)
    out = []
    for named in models:
        if named.model.limit is not None:
            if named.model.tokens != "spaces" and args.tokens:
                raise UsageError(f"{named.name}: its header already names a tokenization: {named.model.tokens}")
            named = named._replace(model=normalized_model(named.model, normalize), signature=named.signature + suffix)
        out.append(named)
    return out


def _with_rule_parameters(models: list[NamedModel], args: argparse.Namespace) -> list[NamedModel]:
    """The models, or else the rules themselves, with the parameters and the stop list that jusText's options give.
    Raises UsageError for models of another kind and for values out of range, and ModelError."""
    words = None
    if args.stoplist is not None:
        from ..scoring.justext.stoplist import find_stoplist  # start-up: most runs have no such option

        words = find_stoplist(args.stoplist)[0]
    given = [("stoplist", args.stoplist), *dict(args.settings).items()]
    suffix = "".join(f"+{name}={value}" for name, value in given if value is not None)
    out = []
    for named in models or [NamedModel("justext", JusTextRules(frozenset(), JusTextParameters()), "justext")]:
        if not isinstance(named.model, JusTextRules):
            why = f"a model of kind '{named.model.kind}'; the options of jusText require the kind 'rules'"
            raise UsageError(f"{named.name}: {why}")
        try:
            rules = named.model.with_parameters(words, **dict(args.settings))
        except ValueError as error:
            parameter, colon, cause = str(error).partition(":")
            option = parameter.replace("_", "-")
            raise UsageError((f"--set {option}" if option in RULE_PARAMETERS else parameter) + colon + cause) from None
        out.append(named._replace(model=rules, signature=named.signature + suffix))
    return out
