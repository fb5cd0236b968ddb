"""Usage errors: one line that names the cause, status 2, and nothing written, before any input is read."""

from __future__ import annotations

import importlib
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import CRAWL
from word_lm_corpus import DATA

ERRORS = [
    ("nc-clean -m nosuch", "unknown model 'nosuch'"),
    ("nc-clean -m en -m auto", "-m auto cannot be combined with other models"),
    ("nc-clean -m ncleaner-en --without title", "need roles, which ncleaner-en does not write: -m auto does"),
    ("nc-clean -j 0", "'0' is not a number of processes"),
    ("nc-clean nosuch.jsonl", "nosuch.jsonl: No such file or directory"),
    ("nc-clean -o nosuch/corpus.jsonl", "nosuch/corpus.jsonl: No such file or directory"),
    ("nc-clean -o . -f jsonl", "-o writes text or Parquet only"),
    ("nc-clean -o corpus.pdf", ".pdf names no format (-f does); to write to a folder: -o corpus.pdf/"),
    ("nc-clean --all -o corpus.wet.gz", "--all cannot be combined with -f wet"),
    ("nc-clean --resume in/one.jsonl", "--resume requires -o DIR"),
    ("nc-clean --resume -o out", "--resume reads files: name some"),
    ("nc-clean --resume -o out in", "in: not a file"),
    ("nc-clean --resume -o out -n 1 in/one.jsonl", "cannot be combined with -n"),
    ("nc-clean --resume -o out/x{}.jsonl in/one.jsonl", "a name begins with {}"),
    ("nc-clean --resume -o in/one.jsonl in/one.jsonl", "name a folder, or in/{}.jsonl.zst"),
    ("nc-clean --resume -o corpus.txt in/one.jsonl", "-o corpus.txt: --resume writes a file for each input"),
    ("nc-corpus count", "argument verb: invalid choice: 'count'"),
    ("nc-corpus filter --rules c5", "--rules: no rule 'c5': sets are c4, gopher, fineweb"),
    ("nc-corpus filter --rules ''", "--rules: no rule ''"),
    ("nc-corpus filter --seed 0", "filter: --seed is an option of split"),
    ("nc-corpus filter -f json", "filter: -f json: formats are jsonl, msgpack"),
    ("nc-corpus filter none.jsonl", "none.jsonl: No such file or directory"),
    ("nc-corpus stats --rules c4", "stats: --rules is an option of filter"),
    ("nc-corpus stats --drop", "stats: --drop is an option of filter"),
    ("nc-corpus stats -f jsonl", "stats: -f jsonl: formats are table, markdown, json"),
    ("nc-corpus stats --report none/x.html", "none/x.html: No such file or directory"),
    ("nc-corpus stats --report in/one.jsonl in/one.jsonl", "is an input, too"),
    ("nc-corpus conllu -f tsv", "conllu: -f tsv: formats are text"),
    ("nc-corpus keyness -f msgpack a b", "keyness: -f msgpack: formats are table, markdown, tsv, json"),
    ("nc-corpus keyness a", "keyness: two corpora are needed, A and B, not 1"),
    ("nc-corpus split", "split: -o DIR is required"),
    ("nc-corpus split -o /dev/null", "/dev/null: File exists"),
    *(
        (f"nc-corpus split --shares={shares}", "is not three shares such as 98,1,1")
        for shares in ("98,1", "0,0,0", "98,1,-1", "a,b,c", "1,1,1,1", "", "'98;1;1'")
    ),
    ("nc-dedup --near --paragraphs", "not allowed with"),
    ("nc-dedup --near --ngrams 3", "--ngrams"),
    ("nc-dedup --near --ignore-digits", "--ignore-digits is for exact duplicates and --paragraphs"),
    ("nc-dedup --threshold 2 --near", "not a share"),
    ("nc-dedup --ngrams 0", "not a number from 1 to 1000"),
    ("nc-dedup --ngrams in/one.jsonl", "before a file, give the number: --ngrams 5 in/one.jsonl"),
    ("nc-dedup --paragraphs --prefer best", "--prefer is for exact duplicates and --near"),
    ("nc-dedup --resume", "--resume requires --state, -o and files"),
    ("nc-dedup --state /none/a.db in/one.jsonl", "unable to open"),
    ("nc-dedup --state '' in/one.jsonl", "the name of the file is empty"),
    ("nc-dedup --state x -o x in/one.jsonl", "-o x: is --state, too"),
    ("nc-dedup -o x.jsonl --report ./x.jsonl in/one.jsonl", "--report ./x.jsonl: is -o, too"),
    ("nc-dedup -o x.parquet in/one.jsonl", "writes records"),
    *(
        (f"nc-dedup {option} in/one.jsonl in/one.jsonl", "in/one.jsonl: is an input, too")
        for option in ("-o", "--state", "--report")
    ),
    ("nc-inspect none.html", "none.html: No such file or directory"),
    ("nc-inspect -m no-such-model", "unknown model 'no-such-model'"),
    ("nc-inspect --export a.html", "--export: there is no document"),
    ("nc-inspect --labels .", ".: Is a directory"),
    ("nc-inspect --port 1e4", "not a port"),
    ("nc-model", "the following arguments are required"),
    ("nc-model look", "invalid choice: 'look'"),
    ("nc-model show -n -1 en", "-1"),
    ("nc-model show -n x", "x"),
    ("nc-model show -f xml", "invalid choice: 'xml'"),
    *((f"nc-model {words}", f"nc-model: {words[:4]}: ") for words in ("show", "diff", "diff en", "diff en en en")),
    (f"nc-model import {DATA}/storable/bigrams.st", "import: -o FILE is required"),
    (f"nc-model import {DATA}/storable/bigrams.st -o none/x.model", "none/x.model: No such file or directory"),
    (f"nc-model import {DATA}/storable/bigrams.st -o .", ".: Is a directory"),
    (f"nc-model import {DATA}/harbour-2.arpa -o x.model", "a model of KenLM: nc-score -m"),
    ("nc-model import -o x.model", "import: give one file"),
    ("nc-model import en.model -o x.model", "import: en.model: already an ncfilters model"),
    ("nc-render -f text --as blocks", "--as blocks cannot be combined with -f text"),
    ("nc-render --width 19", "--width 19: must be 0, or at least 20"),
    ("nc-render --width -1", "--width -1: must be 0, or at least 20"),
    ("nc-score -m auto -m en", "-m auto cannot be combined with other models"),
    ("nc-score -m auto --set variant=improved", "--set requires a model of the kind 'rules'; give one with -m"),
    ("nc-score -m ncleaner-en --set length-low=10", "ncleaner-en: a model of kind 'ngram'; the options of jusText"),
    ("nc-score -m de", "unknown model 'de': xx is for any language, and auto for the language of each document"),
    ("nc-score --tokens words", "--tokens requires a model that computes perplexity; give one with -m"),
    *([(f"nc-score -m {DATA}/harbour-2.arpa --tokens none.model", "none.model: ")] if find_spec("kenlm") else []),
    ("nc-score -m ncleaner-en --normalise lower", "require a model that computes perplexity"),
    ("nc-score -m none.bin", "none.bin: No such file or directory"),
    ("nc-score -m none.arpa", "none.arpa: No such file or directory"),
    ("nc-score --limit 8000", "--limit requires a model that computes perplexity; give one with -m"),
    ("nc-score -m en --limit 8000", "--limit 8000 requires a model that computes perplexity: en is of kind"),
    ("nc-score -m justext-en --limit 2.5", "--limit 2.5 requires a model"),
    ("nc-score --stoplist en --limit 8000", "--limit 8000 requires a model"),
    *(
        (f"nc-score --limit={limit}", f"argument --limit: '{limit}' is not a perplexity")
        for limit in ("0", "-1", "nan", "inf", "many", "", "64M")
    ),
    ("nc-score -m ncleaner-en --explain", "ncleaner-en is of kind 'ngram'"),
    ("nc-score --explain 0", "'0'"),
    ("nc-score --explain crawl.jsonl", "--explain 3 crawl.jsonl"),
    ("nc-select -o out -f jsonl", "-o writes text or Parquet only: omit -f"),
    ("nc-select --set max-heading-distance=9", "--set requires --decide justext"),
    *(
        (f"nc-select --lang={codes}", "is not a list of language codes, such as en,de")
        for codes in ("", "english", "'en;de'", "e")
    ),
    *(
        (f"nc-select --min-quality={wrong}", f"argument --min-quality: '{wrong}' is not a number from 0 to 1")
        for wrong in ("1.1", "-0.1", "nan", "inf", "much", "")
    ),
    ("nc-select --with texts", "role: expected title, "),
    ("nc-select --with table --without table,title", "role: table cannot be both included and excluded"),
    ("nc-select --decide viterbi -t 1", "threshold: requires the method threshold or justext"),
    ("nc-select --decide justext --favour recall", "favour: cannot be combined with the method justext"),
    ("nc-select --set no-headings=1", "no-headings takes yes or no"),
    ("nc-select --set sure=1", "is not NAME=VALUE with one of the names max-heading-distance,"),
    ("nc-select --name {nothing}", "'{nothing}': "),
    ("nc-select --as pdf", "invalid choice: 'pdf'"),
    ("nc-warc nowhere", "nowhere: No such file or directory"),
    ("nc-train ngram --fit --differential -o x.model", "--fit is for"),
    *((f"nc-train {kind}", "-o FILE, --cv K or --tune WHAT is required") for kind in ("ngram", "word", "stoplist")),
    ("nc-train ngram -o nowhere/x.model", "nowhere/x.model: No such file or directory"),
    ("nc-train ngram -o .", ".: Is a directory"),
    ("nc-train word --tune f", "--tune is for ngram"),
    ("nc-train ngram -m ncleaner-en -o x.model", "--model is for --tune"),
    ("nc-train ngram --plot figures --cv 3", "--plot is for --tune"),
    ("nc-train ngram -n 2,3 -o x.model", "-n: one value, or --tune entropy or f"),
    *((f"nc-train ngram --tune f -n={n}", "is not a value or a list such as 1,2,3") for n in ("3,x", "3,", "", "1.5")),
    ("nc-train ngram --tune f --folding ascii,latin", "is not a value or a list such as ascii,nonlexical"),
    *(
        (f"nc-train {words} -o x.model", "")
        for words in (
            *("ngram -n 9", "ngram -n 0", "ngram -q 1", "ngram -q nan", "ngram --characters -1", "ngram --max-pages 0"),
            *("word -n 4", "word -n 1", "word --estimator pyplexity-misaligned", "word --perplexity-limit -1"),
            *("stoplist -n 0", "stoplist --coverage 1.1", "stoplist --cv 2", "ngram --cv 1", "word --cv 0"),
        )
    ),
]


@pytest.mark.parametrize(("command", "message"), ERRORS, ids=[command.replace(f"{DATA}/", "") for command, _ in ERRORS])
def test_usage_errors(
    command: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    name, *words = shlex.split(command)
    if name == "nc-inspect":
        pytest.importorskip("starlette", reason="Starlette, of the extra web, is not installed")
    page = CRAWL.read_bytes().splitlines(keepends=True)[0]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "one.jsonl").write_bytes(page)
    monkeypatch.chdir(tmp_path)
    main = importlib.import_module(f"ncfilters.commands.{name.removeprefix('nc-')}").main
    try:
        status = main(words)
    except SystemExit as end:
        status = end.code
    out, err = capfd.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith(f"{name}: ") and message in err and "Traceback" not in err
    assert (tmp_path / "in" / "one.jsonl").read_bytes() == page and not (tmp_path / "x.model").exists()
