# Completion of nc-normalize for fish; completions/make wrote it.
function __nc_models
    set -l program (realpath (command -v nc-score) 2>/dev/null)
    set -l root (dirname (dirname "$program"))
    for path in (string split : -- "$NC_MODELS")/*.model $root/models/*.model \
            $root/lib/python3*/site-packages/ncfilters/models/*.model
        basename $path .model
    end
end
complete -c nc-normalize -s h -l help -d 'print the most used options, or all'
complete -c nc-normalize -l version -d 'print the version'
complete -c nc-normalize -l strict -d 'stop at the first record that fails'
complete -c nc-normalize -s v -l verbose -d 'report counts on standard error at the end'
complete -c nc-normalize -s q -l quiet -d 'no progress, hints and remarks on standard error'
complete -c nc-normalize -l unbuffered -d 'write each record immediately'
complete -c nc-normalize -l max-record -l limit -x -d 'maximum length of a record'
complete -c nc-normalize -s f -l format -x -a "jsonl msgpack text" -d 'output format'
complete -c nc-normalize -l html-field -x -d 'the field with the HTML of the page'
complete -c nc-normalize -l text-field -x -d 'the field with plain text'
complete -c nc-normalize -l parser -x -a "lexbor html5lib" -d 'HTML parser'
complete -c nc-normalize -l dense -d 'accept pages with more tags, blocks and segments than their size allows'
complete -c nc-normalize -l no-markers -d 'write no <h> and <l> before headings and list items, and keep <br>'
