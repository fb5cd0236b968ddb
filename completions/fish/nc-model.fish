# Completion of nc-model for fish; completions/make wrote it.
function __nc_models
    set -l program (realpath (command -v nc-score) 2>/dev/null)
    set -l root (dirname (dirname "$program"))
    for path in (string split : -- "$NC_MODELS")/*.model $root/models/*.model \
            $root/lib/python3*/site-packages/ncfilters/models/*.model
        basename $path .model
    end
end
complete -c nc-model -s h -l help -d 'print the most used options, or all'
complete -c nc-model -l version -d 'print the version'
complete -c nc-model -a "show check diff import arpa" -d 'describe models'
complete -c nc-model -a "auto (__nc_models)" -d 'models by name or file'
complete -c nc-model -s n -x -d 'print the N most informative n-grams of each class, or the N most changed'
complete -c nc-model -s f -l format -x -a "text json" -d 'the output format'
complete -c nc-model -s o -l output -r -d 'the output file'
complete -c nc-model -l tokens -x -a "spaces words pyplexity" -d 'the tokenization of texts for the model of an ARPA file'
complete -c nc-model -l estimator -x -a "pyplexity pyplexity-misaligned" -d 'how PyPlexity\'s probabilities are interpolated'
complete -c nc-model -l limit -x -d 'the perplexity of a score of 0'
complete -c nc-model -l language -x -d 'the language, for the card'
complete -c nc-model -l description -x -d 'a sentence for the card'
complete -c nc-model -l credit -x -d 'a corpus and its licence, for the card'
