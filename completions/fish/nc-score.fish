# Completion of nc-score for fish; completions/make wrote it.
function __nc_models
    set -l program (realpath (command -v nc-score) 2>/dev/null)
    set -l root (dirname (dirname "$program"))
    for path in (string split : -- "$NC_MODELS")/*.model $root/models/*.model \
            $root/lib/python3*/site-packages/ncfilters/models/*.model
        basename $path .model
    end
end
complete -c nc-score -s h -l help -d 'print the most used options, or all'
complete -c nc-score -l version -d 'print the version'
complete -c nc-score -l strict -d 'stop at the first record that fails'
complete -c nc-score -s v -l verbose -d 'report counts on standard error at the end'
complete -c nc-score -s q -l quiet -d 'no progress, hints and remarks on standard error'
complete -c nc-score -l unbuffered -d 'write each record immediately'
complete -c nc-score -l max-record -x -d 'maximum length of a record'
complete -c nc-score -s f -l format -x -a "jsonl msgpack" -d 'output format'
complete -c nc-score -s m -l model -r -a "auto (__nc_models)" -d 'score with this model'
complete -c nc-score -l limit -x -d 'perplexity that has the score 0, for models that compute perplexity'
complete -c nc-score -l explain -x -d 'add the N strongest reasons for and against each score'
complete -c nc-score -l list-models -d 'print the installed models and exit'
complete -c nc-score -l normalise -x -a "none lower ccnet" -d 'normalise texts like the training texts of the model'
complete -c nc-score -l tokens -x -a "spaces words pyplexity" -d 'separate the tokens of texts by spaces, for models of other programs'
complete -c nc-score -l sentencepiece -r -d 'separate the pieces of words of a SentencePiece model by spaces'
complete -c nc-score -l stoplist -r -d 'stop words'
complete -c nc-score -l profile -x -a "justext improved" -d 'the rules of jusText, or improved rules'
complete -c nc-score -l variant -x -a "python java" -d 'the edition of jusText'
complete -c nc-score -l length-low -x -d 'segments of fewer characters are short or bad'
complete -c nc-score -l length-high -x -d 'segments of more characters may be good'
complete -c nc-score -l stopwords-low -x -d 'segments with a lower stop-word density, 0 to 1, are bad'
complete -c nc-score -l stopwords-high -x -d 'segments with at least this stop-word density may be good'
complete -c nc-score -l max-link-density -x -d 'segments with a higher link density, 0 to 1, are bad'
complete -c nc-score -l copyright-length -x -d '© makes only segments of up to N characters bad'
complete -c nc-score -l no-headings -d 'do not classify headings as good'
complete -c nc-score -l spaceless -d 'words are characters'
complete -c nc-score -l select-exact -d 'select must be the whole name of an element'
complete -c nc-score -l list-items -d 'list items that would be bad are short, so that their neighbours decide'
complete -c nc-score -l short-pages -d 'on a page without good segments, the best segments are good'
