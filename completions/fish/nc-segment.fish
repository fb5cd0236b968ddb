# Completion of nc-segment for fish; completions/make wrote it.
function __nc_models
    set -l program (realpath (command -v nc-score) 2>/dev/null)
    set -l root (dirname (dirname "$program"))
    for path in (string split : -- "$NC_MODELS")/*.model $root/models/*.model \
            $root/lib/python3*/site-packages/ncfilters/models/*.model
        basename $path .model
    end
end
complete -c nc-segment -s h -l help -d 'print the most used options, or all'
complete -c nc-segment -l version -d 'print the version'
complete -c nc-segment -l strict -d 'stop at the first record that fails'
complete -c nc-segment -s v -l verbose -d 'report counts on standard error at the end'
complete -c nc-segment -s q -l quiet -d 'no progress, hints and remarks on standard error'
complete -c nc-segment -l unbuffered -d 'write each record immediately'
complete -c nc-segment -l max-record -l limit -x -d 'maximum length of a record'
complete -c nc-segment -s f -l format -x -a "jsonl msgpack" -d 'output format'
complete -c nc-segment -l url -x -d 'the address of the page, by which links are resolved'
complete -c nc-segment -l html-field -x -d 'the field with the HTML of the page'
complete -c nc-segment -l text-field -x -d 'the field with plain text'
complete -c nc-segment -l parser -x -a "lexbor html5lib" -d 'HTML parser'
complete -c nc-segment -l profile -x -a "visual justext" -d 'blocks as a browser displays them, or paragraphs of jusText'
complete -c nc-segment -l no-embedded -d 'leave out embedded content'
complete -c nc-segment -l dense -d 'accept pages with more tags, blocks and segments than their size allows'
complete -c nc-segment -l drop-elements -x -d 'drop the text of elements, whatever the model says'
complete -c nc-segment -l keep-elements -x -d 'keep the text of elements, whatever the model says'
complete -c nc-segment -l element-rules -r -d 'such selectors for sites'
complete -c nc-segment -l sentences -d 'split segments into sentences, including existing segments of the input'
complete -c nc-segment -l language -x -d 'language of all documents, such as en'
complete -c nc-segment -l markup -d 'record links, emphasis, code, images, levels of headings, depths of lists and quotes, which the forms markdown, html and xml show, and metadata'
complete -c nc-segment -l metadata -d 'write title, author, date, site and others into head, as --markup does'
complete -c nc-segment -l keep -d 'keep blocks, html or text in records'
