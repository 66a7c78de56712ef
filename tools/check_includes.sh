#!/usr/bin/env bash
# Who may include whom: check_includes.sh [ROOT]. Tests are free to include what they test with.
#   1. A layer of src includes its own headers, attend/*.h and the layers that the table allows.
#   2. The program (cli) includes attend/*.h and its own headers, and no library.
#   3. Each external library is included by exactly one file.
# Prints file:line and the rule for each violation and exits with 1.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

# To add a layer: one row. A layer may use what the layers on its row may use.
layers="
base
tensor   base
text     base
metric   base
viz      base
nn       tensor base
model    nn tensor text base
decode   model
train    decode metric
explain  decode metric
serve    explain decode viz
bench    train
mpi
api      base tensor text metric viz nn model decode train explain serve bench
paint    api
"
# To add a library: its name and a pattern of its headers.
libraries='
utf8proc       utf8proc\.h
jansson        jansson\.h
cblas          cblas[a-z_0-9]*\.h
yaml           yaml\.h
zlib           zlib\.h
zstd           zstd[a-z_]*\.h
mpi            mpi\.h
cairo          cairo.*
pango          pango.*
microhttpd     microhttpd\.h
sentencepiece  sentencepiece.*
'

sources=()
for folder in src cli include; do
    [ -d "$folder" ] || continue
    while IFS= read -r file; do sources+=("$file"); done < <(
        find "$folder" -type f \( -name '*.[ch]' -o -name '*.cc' \) ! -name '*_test.*' | sort)
done
[ ${#sources[@]} -gt 0 ] || { echo "check_includes.sh: no sources under $PWD" >&2; exit 2; }

# One row for each include: file, line, bracket or quote, what.
rows=$(awk '
    /^[ \t]*#[ \t]*include[ \t]*[<"]/ {
        what = $0
        sub(/^[ \t]*#[ \t]*include[ \t]*/, "", what)
        kind = substr(what, 1, 1)
        what = substr(what, 2)
        sub(/[>"].*/, "", what)
        print FILENAME "\t" FNR "\t" kind "\t" what
    }' "${sources[@]}")

awk -F '\t' -v layers="$layers" -v libraries="$libraries" '
function allow(layer, other,    n, i, list) {      # and what the other may use in turn
    if ((layer, other) in allowed) return
    allowed[layer, other] = 1
    n = split(row[other], list, " ")
    for (i = 1; i <= n; i++) allow(layer, list[i])
}
function wrong(rule) { print $1 ":" $2 ": includes " $4 ": " rule; bad = 1 }
function library_of(what,    l) {
    for (l in pattern) if (what ~ ("(^|/)" pattern[l] "$")) return l
    return ""
}
function check_layer(layer, what,    other) {
    if (what ~ /^attend\//) return
    other = what
    sub(/\/.*/, "", other)
    if (!(layer in row)) wrong("src/" layer " is not in the table of layers")
    else if (what !~ /\// || !(other in row)) wrong("write \"layer/name.h\"")
    else if (!((layer, other) in allowed)) wrong(layer " may not include " other)
}
BEGIN {
    n = split(layers, line, "\n")
    for (i = 1; i <= n; i++)
        if (split(line[i], word, " ")) {
            row[word[1]] = line[i]
            sub(/^[^ ]+ */, "", row[word[1]])
        }
    for (l in row) allow(l, l)
    n = split(libraries, line, "\n")
    for (i = 1; i <= n; i++) if (split(line[i], word, " ")) pattern[word[1]] = word[2]
}
{
    split($1, part, "/")
    library = $3 == "<" ? library_of($4) : ""
    if (library != "") {
        if (part[1] != "src") wrong("only src may include a library")
        else if (!(library in owner)) owner[library] = $1
        else if (owner[library] != $1) wrong(library " belongs to " owner[library] " alone")
    } else if (part[1] == "include" || part[1] == "cli") {
        if ($4 ~ /\// ? $4 !~ /^(attend|sys)\// : $3 == "\"" && part[1] == "include")
            wrong(part[1] " may include attend/*.h only")
    } else if ($3 == "\"") check_layer(part[2], $4)
    else if ($4 ~ /^attend\//) wrong("write \"attend/name.h\"")
}
END { exit bad }' <<<"$rows"
