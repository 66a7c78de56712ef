#!/bin/sh
# Makes manual pages of the program and of each command.
# Usage: tools/man.sh PROGRAM FOLDER [EMULATOR...], where the emulator runs programs of another machine.
set -eu
here=$(dirname "$0")
program=$1
folder=$2
shift 2
version=$("$@" "$program" --version)
date=$("$here/release_date.sh")
mkdir -p "$folder"

# page FILE HELP PROGRAM... [COMMAND]
page() {
    file=$1
    help=$2
    shift 2
    "$@" "$help" >"$file.help"
    awk -v version="${version#attend }" -v date="$date" -f "$here/man.awk" "$file.help" >"$file"
    rm "$file.help"
}

set -- "$@" "$program"
page "$folder/attend.1" --help "$@"
for command in $("$@" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do page "$folder/attend-$command.1" --help-all "$@" "$command"; done
