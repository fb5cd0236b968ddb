# Completion of nc-inspect for fish; completions/make wrote it.
function __nc_models
    set -l program (realpath (command -v nc-score) 2>/dev/null)
    set -l root (dirname (dirname "$program"))
    for path in (string split : -- "$NC_MODELS")/*.model $root/models/*.model \
            $root/lib/python3*/site-packages/ncfilters/models/*.model
        basename $path .model
    end
end
complete -c nc-inspect -s h -l help -d 'print the most used options, or all'
complete -c nc-inspect -l version -d 'print the version'
complete -c nc-inspect -s m -l model -r -a "auto (__nc_models)" -d 'model that is chosen first'
complete -c nc-inspect -l labels -r -d 'label pages by clicks, and append them to this file'
complete -c nc-inspect -l export -r -d 'write a report on the first document to an HTML file, and serve nothing'
complete -c nc-inspect -l demo -d 'public demonstration'
complete -c nc-inspect -l host -x -d 'address to serve at'
complete -c nc-inspect -l port -x -d 'port to serve at'
complete -c nc-inspect -l allow-host -x -d 'answer to this host name, too, as behind a proxy'
complete -c nc-inspect -l open -d 'open a browser'
complete -c nc-inspect -l max-record -x -d 'maximum length of a record'
