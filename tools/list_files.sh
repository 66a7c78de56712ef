#!/usr/bin/env bash
# Prints the files of the project, each with a NUL behind it: what git knows and is there, or in an unpacked source
# archive everything but the output of builds.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -e .git ]; then
    git ls-files -z | while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done
else
    find . -path './build*' -prune -o -type f -printf '%P\0'
fi
