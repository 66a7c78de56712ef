#!/usr/bin/env bash
# Checks that the shared library exports what debian/libattend0.symbols lists, so that no function vanishes unnoticed:
# check_symbols.sh [--update] BUILD. With --update it adds new functions to the list, under the version of the project.
# It never removes any: programs that use them would no longer start.
set -euo pipefail
update=
[ "${1:-}" != --update ] || { update=1 && shift; }
build=${1:?usage: check_symbols.sh [--update] BUILD}
here=$(cd "$(dirname "$0")/.." && pwd)
list=$here/debian/libattend0.symbols
export LC_ALL=C

# The version itself is a symbol too, of type A.
exported() {
    "${NM:-nm}" --dynamic --defined-only --format=posix "$build/libattend.so" |
        awk '{ sub(/@@/, "@", $1); print $2 == "A" ? $1 "@" $1 : $1 }' | sort
}
listed() { awk '/^ / { print $1 }' "$list" | sort; }

new=$(comm -13 <(listed) <(exported))
if [ -n "$update" ] && [ -n "$new" ]; then
    version=$(sed -n 's/^project(attend VERSION \([0-9.]*\).*/\1/p' "$here/CMakeLists.txt")
    { sed -n '/^ /p' "$list" && awk -v version="$version" '{ print " " $1 " " version }' <<<"$new"; } | sort >"$list.rows"
    { sed '/^ /d' "$list" && cat "$list.rows"; } >"$list.new"
    rm "$list.rows"
    mv "$list.new" "$list"
    new=
fi
status=0
while read -r name; do
    [ -z "$name" ] || { echo "libattend.so no longer exports $name: programs that use it would not start"; status=1; }
done < <(comm -23 <(listed) <(exported))
while read -r name; do
    [ -z "$name" ] || { echo "debian/libattend0.symbols does not list $name; add it: tools/check_symbols.sh --update $build"; status=1; }
done <<<"$new"
exit $status
