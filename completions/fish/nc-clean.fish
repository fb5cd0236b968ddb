# Completion of nc-clean for fish; completions/make wrote it.
function __nc_models
    set -l program (realpath (command -v nc-score) 2>/dev/null)
    set -l root (dirname (dirname "$program"))
    for path in (string split : -- "$NC_MODELS")/*.model $root/models/*.model \
            $root/lib/python3*/site-packages/ncfilters/models/*.model
        basename $path .model
    end
end
complete -c nc-clean -s h -l help -d 'print the most used options, or all'
complete -c nc-clean -l version -d 'print the version'
complete -c nc-clean -l strict -d 'stop at the first record that fails'
complete -c nc-clean -s v -l verbose -d 'report counts on standard error at the end'
complete -c nc-clean -s q -l quiet -d 'no progress, hints and remarks on standard error'
complete -c nc-clean -l unbuffered -d 'write each record immediately'
complete -c nc-clean -l max-record -x -d 'maximum length of a record'
complete -c nc-clean -s j -l jobs -x -d 'number of processes that work'
complete -c nc-clean -s o -l output -r -d 'write to a file, whose name says format and compression'
complete -c nc-clean -l resume -d 'write a file for each input to the folder of -o, and skip inputs that are complete there'
complete -c nc-clean -l verify -d 'with --resume'
complete -c nc-clean -s m -l model -r -a "auto (__nc_models)" -d 'score with this model'
complete -c nc-clean -l url -x -d 'the address of the page, by which links are resolved'
complete -c nc-clean -l html-field -x -d 'the field with the HTML of the page'
complete -c nc-clean -l text-field -x -d 'the field with plain text'
complete -c nc-clean -l parser -x -a "lexbor html5lib" -d 'HTML parser'
complete -c nc-clean -l profile -x -a "visual justext" -d 'blocks as a browser displays them, or paragraphs of jusText'
complete -c nc-clean -l no-embedded -d 'leave out embedded content'
complete -c nc-clean -l dense -d 'accept pages with more tags, blocks and segments than their size allows'
complete -c nc-clean -l drop-elements -x -d 'drop the text of elements, whatever the model says'
complete -c nc-clean -l keep-elements -x -d 'keep the text of elements, whatever the model says'
complete -c nc-clean -l element-rules -r -d 'such selectors for sites'
complete -c nc-clean -l sentences -d 'split segments into sentences, including existing segments of the input'
complete -c nc-clean -l language -x -d 'language of all documents, such as en'
complete -c nc-clean -l markup -l no-markup -d 'record links, emphasis, code, images, levels of headings, depths of lists and quotes, which the forms markdown, html and xml show, and metadata'
complete -c nc-clean -l metadata -l no-metadata -d 'write title, author, date, site and others into head, as --markup does'
complete -c nc-clean -s f -l format -x -a "text jsonl msgpack wet parquet" -d 'output format'
complete -c nc-clean -l as -x -a "plain text cleaneval markdown html xml vertical conllu" -d 'output form of the text'
complete -c nc-clean -l front-matter -d 'write the metadata of documents in YAML before their Markdown'
complete -c nc-clean -l chunks -x -d 'write records with pieces of Markdown of at most N words, each with its headings, for retrieval'
complete -c nc-clean -l bullets -l no-bullets -d 'write the bullets and numbers of list items in the form plain'
complete -c nc-clean -l color -x -a "auto always never" -d 'write --all in colours, with bars and folded lines'
complete -c nc-clean -l decide -x -a "auto threshold expected viterbi page justext" -d 'decision policy'
complete -c nc-clean -l favour -x -a "precision balance recall" -d 'operating point'
complete -c nc-clean -s t -l threshold -x -d 'keep segments with a higher score, in bits of log2 odds'
complete -c nc-clean -l per-char -d 'divide scores by the length of the segment'
complete -c nc-clean -l no-rules -d 'decide by score also on segments that nc-segment marks as boilerplate'
complete -c nc-clean -l all -d 'write all segments, each with its decision'
complete -c nc-clean -l tag -x -d 'keep all segments in the text, those not selected inside an element NAME'
complete -c nc-clean -l lang -x -d 'drop documents in other languages than these, such as en or en,de'
complete -c nc-clean -l min-quality -x -d 'drop documents with predicted word precision below Q'
complete -c nc-clean -l quality-model -r -a "auto (__nc_models)" -d 'model that predicts the quality'
complete -c nc-clean -l name -x -d 'name the files of -o after the metadata of documents, such as {date}-{title}'
complete -c nc-clean -l gzip -d 'compress each record of a WET file'
complete -c nc-clean -l shard-size -x -d 'about the size of the files of -f parquet -o DIR'
complete -c nc-clean -l keep -d 'keep segments in records'
complete -c nc-clean -l links -x -a "keep drop reference" -d 'write links as they are, as their text alone, or in Markdown with their addresses at the end'
complete -c nc-clean -l images -x -a "keep drop" -d 'write images or not'
complete -c nc-clean -l tables -x -a "keep text drop" -d 'write tables as such, their rows as text, or nothing of them'
complete -c nc-clean -l policy -x -a "main article all" -d 'what counts as content'
function __nc_roles
    printf '%s\n' title byline date text caption table code comment related boilerplate
end
complete -c nc-clean -l with -x -a "(__fish_complete_list , __nc_roles)" -d 'also keep segments of these roles, separated by commas'
function __nc_roles
    printf '%s\n' title byline date text caption table code comment related boilerplate
end
complete -c nc-clean -l without -x -a "(__fish_complete_list , __nc_roles)" -d 'drop segments of these roles'
complete -c nc-clean -l head-title -d 'write the title of the page\'s head if no segment is the title'
complete -c nc-clean -l max-heading-distance -x -d 'maximum number of characters between a heading and its text'
complete -c nc-clean -l no-headings -d 'treat headings as other segments'
complete -c nc-clean -l variant -x -a "python java" -d 'edition of jusText'
complete -c nc-clean -l sure -x -d 'derive classes from scores'
complete -c nc-clean -s n -l number -x -d 'stop after N records'
complete -c nc-clean -l url-match -x -d 'select pages of archives and folders whose URL'
complete -c nc-clean -l mime -x -d 'select these content types'
complete -c nc-clean -l check-digests -d 'a WARC record whose block or payload has another digest is an error'
