# Completion of nc-spark for fish; completions/make wrote it.
function __nc_models
    set -l program (realpath (command -v nc-score) 2>/dev/null)
    set -l root (dirname (dirname "$program"))
    for path in (string split : -- "$NC_MODELS")/*.model $root/models/*.model \
            $root/lib/python3*/site-packages/ncfilters/models/*.model
        basename $path .model
    end
end
complete -c nc-spark -s h -l help -d 'print the most used options, or all'
complete -c nc-spark -l version -d 'print the version'
complete -c nc-spark -l paths -r -d 'read the paths of the inputs from a file, one on each line'
complete -c nc-spark -s o -l output -r -a '(__fish_complete_directories)' -d 'folder or URI to write to'
complete -c nc-spark -s f -l format -x -a "parquet jsonl wet" -d 'output format'
complete -c nc-spark -l gzip -d 'compress files of JSON lines and WET'
complete -c nc-spark -l overwrite -d 'replace what is in the output folder'
complete -c nc-spark -l dedup -x -a "exact near" -d 'leave out duplicates among all documents, those that nc-dedup --two-pass drops'
complete -c nc-spark -l prefer -x -a "first longest best" -d 'with --dedup, which of several duplicates is kept'
complete -c nc-spark -l master -x -d 'Spark\'s master'
complete -c nc-spark -l conf -x -d 'a setting of Spark'
complete -c nc-spark -l split-size -x -d 'bytes of input for a task'
complete -c nc-spark -s v -l verbose -d 'report counts on standard error at the end'
complete -c nc-spark -l max-record -x -d 'maximum length of a record'
complete -c nc-spark -s m -l model -r -a "auto (__nc_models)" -d 'score with this model'
complete -c nc-spark -l html-field -x -d 'the field with the HTML of the page'
complete -c nc-spark -l text-field -x -d 'the field with plain text'
complete -c nc-spark -l parser -x -a "lexbor html5lib" -d 'HTML parser'
complete -c nc-spark -l profile -x -a "visual justext" -d 'blocks as a browser displays them, or paragraphs of jusText'
complete -c nc-spark -l no-embedded -d 'leave out embedded content'
complete -c nc-spark -l dense -d 'accept pages with more tags, blocks and segments than their size allows'
complete -c nc-spark -l drop-elements -x -d 'drop the text of elements, whatever the model says'
complete -c nc-spark -l keep-elements -x -d 'keep the text of elements, whatever the model says'
complete -c nc-spark -l element-rules -r -d 'such selectors for sites'
complete -c nc-spark -l sentences -d 'split segments into sentences, including existing segments of the input'
complete -c nc-spark -l language -x -d 'language of all documents, such as en'
complete -c nc-spark -l markup -l no-markup -d 'record links, emphasis, code, images, levels of headings, depths of lists and quotes, which the forms markdown, html and xml show, and metadata'
complete -c nc-spark -l metadata -l no-metadata -d 'write title, author, date, site and others into head, as --markup does'
complete -c nc-spark -l as -x -a "plain text cleaneval markdown html xml vertical conllu" -d 'output form of the text'
complete -c nc-spark -l front-matter -d 'write the metadata of documents in YAML before their Markdown'
complete -c nc-spark -l bullets -l no-bullets -d 'write the bullets and numbers of list items in the form plain'
complete -c nc-spark -l color -x -a "auto always never" -d 'write --all in colours, with bars and folded lines'
complete -c nc-spark -l decide -x -a "auto threshold expected viterbi page justext" -d 'decision policy'
complete -c nc-spark -l favour -x -a "precision balance recall" -d 'operating point'
complete -c nc-spark -s t -l threshold -x -d 'keep segments with a higher score, in bits of log2 odds'
complete -c nc-spark -l per-char -d 'divide scores by the length of the segment'
complete -c nc-spark -l no-rules -d 'decide by score also on segments that nc-segment marks as boilerplate'
complete -c nc-spark -l all -d 'write all segments, each with its decision'
complete -c nc-spark -l tag -x -d 'keep all segments in the text, those not selected inside an element NAME'
complete -c nc-spark -l lang -x -d 'drop documents in other languages than these, such as en or en,de'
complete -c nc-spark -l min-quality -x -d 'drop documents with predicted word precision below Q'
complete -c nc-spark -l quality-model -r -a "auto (__nc_models)" -d 'model that predicts the quality'
complete -c nc-spark -l keep -d 'keep segments in records'
complete -c nc-spark -l links -x -a "keep drop reference" -d 'write links as they are, as their text alone, or in Markdown with their addresses at the end'
complete -c nc-spark -l images -x -a "keep drop" -d 'write images or not'
complete -c nc-spark -l tables -x -a "keep text drop" -d 'write tables as such, their rows as text, or nothing of them'
complete -c nc-spark -l policy -x -a "main article all" -d 'what counts as content'
function __nc_roles
    printf '%s\n' title byline date text caption table code comment related boilerplate
end
complete -c nc-spark -l with -x -a "(__fish_complete_list , __nc_roles)" -d 'also keep segments of these roles, separated by commas'
function __nc_roles
    printf '%s\n' title byline date text caption table code comment related boilerplate
end
complete -c nc-spark -l without -x -a "(__fish_complete_list , __nc_roles)" -d 'drop segments of these roles'
complete -c nc-spark -l head-title -d 'write the title of the page\'s head if no segment is the title'
complete -c nc-spark -l max-heading-distance -x -d 'maximum number of characters between a heading and its text'
complete -c nc-spark -l no-headings -d 'treat headings as other segments'
complete -c nc-spark -l variant -x -a "python java" -d 'edition of jusText'
complete -c nc-spark -l sure -x -d 'derive classes from scores'
complete -c nc-spark -l url-match -x -d 'select pages of archives and folders whose URL'
complete -c nc-spark -l mime -x -d 'select these content types'
complete -c nc-spark -l check-digests -d 'a WARC record whose block or payload has another digest is an error'
