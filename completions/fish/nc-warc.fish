# Completion of nc-warc for fish; completions/make wrote it.
function __nc_models
    set -l program (realpath (command -v nc-score) 2>/dev/null)
    set -l root (dirname (dirname "$program"))
    for path in (string split : -- "$NC_MODELS")/*.model $root/models/*.model \
            $root/lib/python3*/site-packages/ncfilters/models/*.model
        basename $path .model
    end
end
complete -c nc-warc -s h -l help -d 'print the most used options, or all'
complete -c nc-warc -l version -d 'print the version'
complete -c nc-warc -l strict -d 'stop at the first record that fails'
complete -c nc-warc -s v -l verbose -d 'report counts on standard error at the end'
complete -c nc-warc -s q -l quiet -d 'no progress, hints and remarks on standard error'
complete -c nc-warc -l unbuffered -d 'write each record immediately'
complete -c nc-warc -l max-record -l limit -x -d 'maximum length of a record'
complete -c nc-warc -s f -l format -x -a "jsonl msgpack" -d 'output format'
complete -c nc-warc -s n -l number -x -d 'stop after N records'
complete -c nc-warc -l url-match -x -d 'select pages of archives and folders whose URL'
complete -c nc-warc -l mime -x -d 'select these content types'
complete -c nc-warc -l check-digests -d 'a WARC record whose block or payload has another digest is an error'
