# Completion of nc-select for fish; completions/make wrote it.
function __nc_models
    set -l program (realpath (command -v nc-score) 2>/dev/null)
    set -l root (dirname (dirname "$program"))
    for path in (string split : -- "$NC_MODELS")/*.model $root/models/*.model \
            $root/lib/python3*/site-packages/ncfilters/models/*.model
        basename $path .model
    end
end
complete -c nc-select -s h -l help -d 'print the most used options, or all'
complete -c nc-select -l version -d 'print the version'
complete -c nc-select -l strict -d 'stop at the first record that fails'
complete -c nc-select -s v -l verbose -d 'report counts on standard error at the end'
complete -c nc-select -s q -l quiet -d 'no progress, hints and remarks on standard error'
complete -c nc-select -l unbuffered -d 'write each record immediately'
complete -c nc-select -l max-record -l limit -x -d 'maximum length of a record'
complete -c nc-select -s f -l format -x -a "text jsonl msgpack wet parquet" -d 'output format'
complete -c nc-select -l as -x -a "plain text cleaneval markdown html xml vertical conllu" -d 'output form of the text'
complete -c nc-select -l front-matter -d 'write the metadata of documents in YAML before their Markdown'
complete -c nc-select -l chunks -x -d 'write records with pieces of Markdown of at most N words, each with its headings, for retrieval'
complete -c nc-select -l bullets -l no-bullets -d 'write the bullets and numbers of list items in the form plain'
complete -c nc-select -l color -x -a "auto always never" -d 'write --all in colours, with bars and folded lines'
complete -c nc-select -l decide -x -a "auto threshold expected viterbi page justext" -d 'decision policy'
complete -c nc-select -l favour -x -a "precision balance recall" -d 'operating point'
complete -c nc-select -s t -l threshold -x -d 'keep segments with a higher score, in bits of log2 odds'
complete -c nc-select -l per-char -d 'divide scores by the length of the segment'
complete -c nc-select -l no-rules -d 'decide by score also on segments that nc-segment marks as boilerplate'
complete -c nc-select -l all -d 'write all segments, each with its decision'
complete -c nc-select -l tag -x -d 'keep all segments in the text, those not selected inside an element NAME'
complete -c nc-select -l lang -x -d 'drop documents in other languages than these, such as en or en,de'
complete -c nc-select -l min-quality -x -d 'drop documents with predicted word precision below Q'
complete -c nc-select -l quality-model -r -a "auto (__nc_models)" -d 'model that predicts the quality'
complete -c nc-select -l name -x -d 'name the files of -o after the metadata of documents, such as {date}-{title}'
complete -c nc-select -l gzip -d 'compress each record of a WET file'
complete -c nc-select -l shard-size -x -d 'about the size of the files of -f parquet -o DIR'
complete -c nc-select -l keep -d 'keep segments in records'
complete -c nc-select -l links -x -a "keep drop reference" -d 'write links as they are, as their text alone, or in Markdown with their addresses at the end'
complete -c nc-select -l images -x -a "keep drop" -d 'write images or not'
complete -c nc-select -l tables -x -a "keep text drop" -d 'write tables as such, their rows as text, or nothing of them'
complete -c nc-select -l policy -x -a "main article all" -d 'what counts as content'
function __nc_roles
    printf '%s\n' title byline date text caption table code comment related boilerplate
end
complete -c nc-select -l with -x -a "(__fish_complete_list , __nc_roles)" -d 'also keep segments of these roles, separated by commas'
function __nc_roles
    printf '%s\n' title byline date text caption table code comment related boilerplate
end
complete -c nc-select -l without -x -a "(__fish_complete_list , __nc_roles)" -d 'drop segments of these roles'
complete -c nc-select -l head-title -d 'write the title of the page\'s head if no segment is the title'
complete -c nc-select -l max-heading-distance -x -d 'maximum number of characters between a heading and its text'
complete -c nc-select -l no-headings -d 'treat headings as other segments'
complete -c nc-select -l variant -x -a "python java" -d 'edition of jusText'
complete -c nc-select -l sure -x -d 'derive classes from scores'
complete -c nc-select -s o -l output -r -a '(__fish_complete_directories)' -d 'write one file per document, named by its id'
