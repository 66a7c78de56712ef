#!/usr/bin/env bash
# Checks that installed files do not name folders of the build machine: check_paths.sh BUILD. Prints those that do and
# exits with 1, or with 77 if sanitizers are on, which keep such names for their reports.
set -euo pipefail
build=${1:?the build folder}
export LC_ALL=C

cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
if [ -n "$(cached ATTEND_SANITIZE)" ]; then
    echo "skipped: sanitizers name the sources in their reports"
    exit 77
fi

# A pattern that matches a folder as a whole path, not as the end of a longer one.
pattern() { printf '(^|[^[:alnum:]_./-])%s(/|[^[:alnum:]_.-]|$)' "$(printf %s "$1" | sed 's/[][\.*^$+?(){}|]/\\&/g')"; }

found=0
for folder in "$(cached CMAKE_HOME_DIRECTORY)" "$(cached CMAKE_CACHEFILE_DIR)"; do
    for file in "$build/attend" "$build/libattend.so" "$build/libattend.a" "$build"/attend-*.so; do
        [ -e "$file" ] || continue
        count=$(grep -aoE "$(pattern "$folder")" "$file" | wc -l) || true
        [ "$count" -eq 0 ] || { echo "$(basename "$file"): names $folder $count times" && found=1; }
    done
done
exit $found
