# Completion of nc-eval for fish; completions/make wrote it.
function __nc_models
    set -l program (realpath (command -v nc-score) 2>/dev/null)
    set -l root (dirname (dirname "$program"))
    for path in (string split : -- "$NC_MODELS")/*.model $root/models/*.model \
            $root/lib/python3*/site-packages/ncfilters/models/*.model
        basename $path .model
    end
end
complete -c nc-eval -s h -l help -d 'print the most used options, or all'
complete -c nc-eval -l version -d 'print the version'
complete -c nc-eval -l strict -d 'stop at the first record that fails'
complete -c nc-eval -s v -l verbose -d 'report counts on standard error at the end'
complete -c nc-eval -s q -l quiet -d 'no progress, hints and remarks on standard error'
complete -c nc-eval -l unbuffered -d 'write each record immediately'
complete -c nc-eval -l max-record -l limit -x -d 'maximum length of a record'
complete -c nc-eval -l gold -r -d 'gold text, if it is not in the records'
complete -c nc-eval -l gold-field -x -d 'the field with the gold text'
complete -c nc-eval -l text-field -x -d 'field with the text'
complete -c nc-eval -s m -l measure -x -a "words cleaneval segments unlabelled similarity bag rouge required forbidden" -d 'metric'
complete -c nc-eval -s f -l format -x -a "table tsv json markdown cleaneval" -d 'output format'
complete -c nc-eval -l pages -d 'write the figures of each page'
complete -c nc-eval -l by -x -d 'add figures for each value of a field, such as page_type or lang'
complete -c nc-eval -s a -l ascii -d 'ignore characters outside ASCII'
complete -c nc-eval -s u -l unlabelled -d '-f cleaneval'
complete -c nc-eval -l skip-missing -d 'evaluate only pages that every system has'
complete -c nc-eval -l min-quality -x -d 'show what nc-select --min-quality Q would keep'
complete -c nc-eval -l worst -x -d 'add the alignments of the N pages with the largest differences'
complete -c nc-eval -l align -r -a '(__fish_complete_directories)' -d 'write an alignment of each page to a file in DIR'
complete -c nc-eval -l html -r -d 'write one HTML page with all figures and texts'
complete -c nc-eval -l plot -r -a '(__fish_complete_directories)' -d 'write plots'
complete -c nc-eval -s j -l jobs -x -d 'number of processes'
complete -c nc-eval -l savings -d 'measure what cleaning saves, instead of accuracy'
complete -c nc-eval -l before -r -d 'the pages before cleaning, if not in the records of the first system'
complete -c nc-eval -l html-field -x -d 'field with the page\'s HTML'
complete -c nc-eval -l no-index -d 'only count documents, bytes and words'
complete -c nc-eval -l queries -x -d 'number of queries, sampled from the text'
complete -c nc-eval -l seed -x -d 'random seed of the queries'
complete -c nc-eval -l repeats -x -d 'number of runs'
complete -c nc-eval -l carbon -x -d 'kg of CO2 per kWh'
complete -c nc-eval -l watts -x -d 'power of the computer'
complete -c nc-eval -l cleaning-seconds -x -d 'CPU seconds of the cleaning'
