# Completion of nc-tune for fish; completions/make wrote it.
function __nc_models
    set -l program (realpath (command -v nc-score) 2>/dev/null)
    set -l root (dirname (dirname "$program"))
    for path in (string split : -- "$NC_MODELS")/*.model $root/models/*.model \
            $root/lib/python3*/site-packages/ncfilters/models/*.model
        basename $path .model
    end
end
complete -c nc-tune -s h -l help -d 'print the most used options, or all'
complete -c nc-tune -l version -d 'print the version'
complete -c nc-tune -a "entropy f threshold curve" -d 'what to compute'
complete -c nc-tune -l strict -d 'stop at the first record that fails'
complete -c nc-tune -s v -l verbose -d 'report counts on standard error at the end'
complete -c nc-tune -l quiet -d 'no progress, hints and remarks on standard error'
complete -c nc-tune -l unbuffered -d 'write each record immediately'
complete -c nc-tune -l max-record -l limit -x -d 'maximum length of a record'
complete -c nc-tune -l html-field -x -d 'the field with the HTML of the page'
complete -c nc-tune -l text-field -x -d 'the field with plain text'
complete -c nc-tune -l gold -r -d 'gold text, if it is not in the records'
complete -c nc-tune -l gold-field -x -d 'the field with the gold text'
complete -c nc-tune -s n -x -d 'lengths of n-grams'
complete -c nc-tune -s q -x -d 'interpolation weights'
complete -c nc-tune -l folding -x -a "ascii nonlexical frequent" -d 'the alphabet'
complete -c nc-tune -l characters -x -d 'frequent'
complete -c nc-tune -l cv -x -d 'number of folds, by domain'
complete -c nc-tune -l seed -x -d 'the random seed'
complete -c nc-tune -s m -l model -r -a "auto (__nc_models)" -d 'threshold'
complete -c nc-tune -l target-precision -x -d 'threshold'
complete -c nc-tune -l test -r -d 'curve'
complete -c nc-tune -l size -x -d 'curve'
complete -c nc-tune -l subsets -x -d 'curve'
complete -c nc-tune -s f -l format -x -a "table tsv json markdown" -d 'output format'
complete -c nc-tune -l plot -r -a '(__fish_complete_directories)' -d 'write figures'
