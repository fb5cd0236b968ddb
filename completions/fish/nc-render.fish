# Completion of nc-render for fish; completions/make wrote it.
function __nc_models
    set -l program (realpath (command -v nc-score) 2>/dev/null)
    set -l root (dirname (dirname "$program"))
    for path in (string split : -- "$NC_MODELS")/*.model $root/models/*.model \
            $root/lib/python3*/site-packages/ncfilters/models/*.model
        basename $path .model
    end
end
complete -c nc-render -s h -l help -d 'print the most used options, or all'
complete -c nc-render -l version -d 'print the version'
complete -c nc-render -l strict -d 'stop at the first record that fails'
complete -c nc-render -s v -l verbose -d 'report counts on standard error at the end'
complete -c nc-render -s q -l quiet -d 'no progress, hints and remarks on standard error'
complete -c nc-render -l unbuffered -d 'write each record immediately'
complete -c nc-render -l max-record -l limit -x -d 'maximum length of a record'
complete -c nc-render -s f -l format -x -a "jsonl msgpack text" -d 'output format'
complete -c nc-render -l url -x -d 'the address of the page, by which links are resolved'
complete -c nc-render -l html-field -x -d 'the field with the HTML of the page'
complete -c nc-render -l text-field -x -d 'the field with plain text'
complete -c nc-render -l parser -x -a "lexbor html5lib" -d 'HTML parser'
complete -c nc-render -l profile -x -a "visual justext" -d 'blocks as a browser displays them, or paragraphs of jusText'
complete -c nc-render -l no-embedded -d 'leave out embedded content'
complete -c nc-render -l dense -d 'accept pages with more tags, blocks and segments than their size allows'
complete -c nc-render -l as -x -a "blocks text" -d 'form of the page'
complete -c nc-render -l width -x -d 'columns of a plain-text dump'
complete -c nc-render -l keep -d 'keep html in records'
