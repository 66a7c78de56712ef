#!/bin/sh
# Manual pages of the program and of each of its commands.
# Usage: tools/man.sh PROGRAM FOLDER
set -eu
here=$(dirname "$0")
version=$("$1" --version)
mkdir -p "$2"

# page FILE [COMMAND]
page() {
    file=$1
    shift
    "$program" "$@" --help >"$file.help"
    awk -v version="${version#attend }" -f "$here/man.awk" "$file.help" >"$file"
    rm "$file.help"
}

program=$1
page "$2/attend.1"
for command in $("$1" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do page "$2/attend-$command.1" "$command"; done
