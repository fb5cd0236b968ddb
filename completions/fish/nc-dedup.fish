# Completion of nc-dedup for fish; completions/make wrote it.
function __nc_models
    set -l program (realpath (command -v nc-score) 2>/dev/null)
    set -l root (dirname (dirname "$program"))
    for path in (string split : -- "$NC_MODELS")/*.model $root/models/*.model \
            $root/lib/python3*/site-packages/ncfilters/models/*.model
        basename $path .model
    end
end
complete -c nc-dedup -s h -l help -d 'print the most used options, or all'
complete -c nc-dedup -l version -d 'print the version'
complete -c nc-dedup -l strict -d 'stop at the first record that fails'
complete -c nc-dedup -s v -l verbose -d 'report counts on standard error at the end'
complete -c nc-dedup -s q -l quiet -d 'no progress, hints and remarks on standard error'
complete -c nc-dedup -l unbuffered -d 'write each record immediately'
complete -c nc-dedup -l max-record -l limit -x -d 'maximum length of a record'
complete -c nc-dedup -s f -l format -x -a "jsonl msgpack" -d 'output format'
complete -c nc-dedup -l text-field -x -d 'the field with the text'
complete -c nc-dedup -l exact -d 'a document whose text has been seen, apart from case, white space and Unicode composition'
complete -c nc-dedup -l near -d 'a document that shares most of its 5-grams of words with a kept one'
complete -c nc-dedup -l paragraphs -d 'a paragraph that has been seen'
complete -c nc-dedup -l ngrams -x -d 'a paragraph most of whose words lie in N-grams of words that have been seen, as onion has it'
complete -c nc-dedup -l threshold -x -d '--near'
complete -c nc-dedup -l verify -x -a "exact estimate none" -d '--near'
complete -c nc-dedup -l no-smoothing -d '--ngrams'
complete -c nc-dedup -l min-words -x -d '--paragraphs'
complete -c nc-dedup -l ignore-digits -d 'digits are equal'
complete -c nc-dedup -l two-pass -d 'read the input twice'
complete -c nc-dedup -l prefer -x -a "first longest best" -d 'with --two-pass, which of several duplicates is kept'
complete -c nc-dedup -l state -r -d 'what has been seen, for the next run'
complete -c nc-dedup -l memory -x -d 'memory of the state'
complete -c nc-dedup -l mark -d 'mark duplicates instead of dropping them'
complete -c nc-dedup -s o -l output -r -d 'write to FILE, compressed as its suffix says'
complete -c nc-dedup -l resume -d 'go on with a run that was ended'
complete -c nc-dedup -l report -r -d 'write an HTML page with samples of duplicates'
complete -c nc-dedup -l examples -x -d 'samples of --report'
