#!/usr/bin/env bash
# Checks the include table: check_includes.sh [--rows] [ROOT]. Tests may include anything.
#   1. A room of src includes its own headers and what its row in tools/rooms.txt lists.
#   2. Each word of a row is needed by a file of the room, and names a room that stands above it.
#   3. The program (cli) includes attend/*.h and its own headers, and no library.
#   4. Each external library is included by exactly one file.
# Prints file:line and the rule for each violation and exits with 1; with --rows, prints the rows that the sources need.
set -euo pipefail
rows_only=
[ "${1:-}" != --rows ] || { rows_only=1 && shift; }
cd "${1:-$(dirname "$0")/..}"
table=tools/rooms.txt

# To add a library, add its name and a pattern of its headers.
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
icu            unicode/[a-z]+\.h
sndfile        sndfile\.h
fftw           fftw3\.h
png            png\.h
jpeg           (turbo)?jpeg(lib)?\.h
sentencepiece  sentencepiece.*
'

sources=()
for folder in src cli include; do
    [ -d "$folder" ] || continue
    while IFS= read -r file; do sources+=("$file"); done < <(
        find "$folder" -type f \( -name '*.[ch]' -o -name '*.cc' \) ! -name '*_test.*' | sort)
done
[ ${#sources[@]} -gt 0 ] || { echo "check_includes.sh: no sources under $PWD" >&2; exit 2; }

# One row per include: file, line, bracket or quote, header.
includes() {
    awk '
    /^[ \t]*#[ \t]*include[ \t]*[<"]/ {
        what = $0
        sub(/^[ \t]*#[ \t]*include[ \t]*/, "", what)
        kind = substr(what, 1, 1)
        what = substr(what, 2)
        sub(/[>"].*/, "", what)
        print FILENAME "\t" FNR "\t" kind "\t" what
    }' "${sources[@]}"
}

includes | awk -F '\t' -v table="$table" -v libraries="$libraries" -v rows_only="$rows_only" \
    -v folders="$(cd src && echo */)" '
function say(text) { if (!rows_only) print text; bad = 1 }
function wrong(rule) { say($1 ":" $2 ": includes " $4 ": " rule) }
function library_of(what,    l) {
    for (l in pattern) if (what ~ ("(^|/)" pattern[l] "$")) return l
    return ""
}
function meet(room) {
    if (!(room in known)) say("src/" room ": has no row in " table)
    if (!(room in known)) order[++rooms] = room
    known[room] = 1
}
function check_public(room, name) {
    if (name == "attend/status.h") return
    sub(/\.h$/, "", name)
    if ((room, "attend") in listed) name = "attend"
    needed[room, name] = 1
    if (!((room, name) in listed)) wrong(room " may not include it: " table)
}
function check_room(room, what,    other) {
    if (what ~ /^attend\//) { check_public(room, what); return }
    other = what
    sub(/\/.*/, "", other)
    if (what !~ /\// || !(other in folder)) { wrong("write \"room/name.h\""); return }
    if (other == room) return
    meet(other)
    needed[room, other] = 1
    if (!((room, other) in listed)) wrong(room " may not include " other ": " table)
}
function read_table(    line, n, i, word) {
    while ((getline line < table) > 0) {
        at++
        sub(/#.*/, "", line)
        n = split(line, word, " ")
        if (!n) continue
        for (i = 2; i <= n; i++) {
            listed[word[1], word[i]] = at
            if (word[i] !~ /^attend(\/|$)/ && !(word[i] in known))
                say(table ":" at ": " word[1] " lists " word[i] ", which does not stand above it")
        }
        known[word[1]] = 1
        order[++rooms] = word[1]
    }
    if (!rooms) { print "check_includes.sh: " table " is missing or empty" > "/dev/stderr"; exit 2 }
}
# The rows that the sources need, in the order of the table.
function print_rows(    i, j, key, part, row, words) {
    for (i = 1; i <= rooms; i++) {
        row = ""
        for (j = 1; j <= rooms; j++) if ((order[i], order[j]) in needed) row = row " " order[j]
        words = ""
        for (key in needed) {
            split(key, part, SUBSEP)
            if (part[1] == order[i] && part[2] ~ /^attend/) words = words " " part[2]
        }
        printf "%-8s%s%s\n", order[i], row, words
    }
}
BEGIN {
    n = split(libraries, line, "\n")
    for (i = 1; i <= n; i++) if (split(line[i], word, " ")) pattern[word[1]] = word[2]
    n = split(folders, word, "/ *")
    for (i = 1; i < n; i++) folder[word[i]] = 1
    read_table()
    for (i = 1; i <= rooms; i++)
        if (!(order[i] in folder) && order[i] != "cli") say(table ": there is no src/" order[i])
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
        if (part[1] == "cli" && $4 ~ /^attend\//) needed["cli", "attend"] = 1
    } else if ($3 == "\"") { meet(part[2]); check_room(part[2], $4) }
    else if ($4 ~ /^attend\//) wrong("write \"attend/name.h\"")
}
END {
    if (!rooms) exit 2
    for (key in listed) if (!(key in needed)) {
        split(key, part, SUBSEP)
        say(table ":" listed[key] ": " part[1] " lists " part[2] ", which none of its files includes")
    }
    if (rows_only) { print_rows(); exit 0 }
    exit bad
}'
