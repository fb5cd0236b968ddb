# Completion of nc-corpus for fish; completions/make wrote it.
function __nc_models
    set -l program (realpath (command -v nc-score) 2>/dev/null)
    set -l root (dirname (dirname "$program"))
    for path in (string split : -- "$NC_MODELS")/*.model $root/models/*.model \
            $root/lib/python3*/site-packages/ncfilters/models/*.model
        basename $path .model
    end
end
complete -c nc-corpus -s h -l help -d 'print the most used options, or all'
complete -c nc-corpus -l version -d 'print the version'
complete -c nc-corpus -a "stats keyness filter split vertical conllu" -d 'count documents'
complete -c nc-corpus -l strict -d 'stop at the first record that fails'
complete -c nc-corpus -s v -l verbose -d 'report counts on standard error at the end'
complete -c nc-corpus -s q -l quiet -d 'no progress, hints and remarks on standard error'
complete -c nc-corpus -l unbuffered -d 'write each record immediately'
complete -c nc-corpus -l max-record -l limit -x -d 'maximum length of a record'
complete -c nc-corpus -s f -l format -x -a "table markdown json tsv jsonl msgpack text" -d 'output format'
complete -c nc-corpus -l text-field -x -d 'the field with the text'
complete -c nc-corpus -s n -l number -x -d 'the number of sites'
complete -c nc-corpus -l rules -x -d 'sets of rules'
complete -c nc-corpus -l drop -d 'drop documents that break a rule, instead of marking them'
complete -c nc-corpus -l report -r -d 'write one HTML page with tables and plots, instead of tables'
complete -c nc-corpus -l sort -x -a "log-ratio log-likelihood" -d 'sort by the size of the difference, or by the evidence for it'
complete -c nc-corpus -l min-frequency -x -d 'only terms that occur at least N times in the corpus where they are key'
complete -c nc-corpus -l min-documents -x -d 'only terms that occur in at least N documents there'
complete -c nc-corpus -l terms -x -d 'forget the rarest of more than N words or bigrams of a corpus'
complete -c nc-corpus -l min-likelihood -x -d 'only terms with at least this log-likelihood'
complete -c nc-corpus -s o -l output -r -a '(__fish_complete_directories)' -d 'the folder of train.jsonl, dev.jsonl and test.jsonl'
complete -c nc-corpus -l by -x -a "site hash" -d 'documents of one site, or of one text, stay together'
complete -c nc-corpus -l shares -x -d 'the shares of the parts'
complete -c nc-corpus -l seed -x -d 'another number gives another split'
complete -c nc-corpus -l registry -r -d 'write a registry file for the Sketch Engine, too'
