#!/bin/sh
# Makes manual pages of the library's headers, and for each function a page that leads to its header's.
# Usage: tools/man3.sh VERSION FOLDER HEADER...
set -eu
here=$(dirname "$0")
version=$1
folder=$2
shift 2
date=$("$here/release_date.sh")
mkdir -p "$folder"
for header; do
    page=attend_$(basename "$header").3
    awk -v version="$version" -v date="$date" -f "$here/man3.awk" "$header" >"$folder/$page"
    awk -v list=1 -f "$here/man3.awk" "$header" | while read -r name; do
        echo ".so man3/$page" >"$folder/$name.3"
    done
done
