#!/usr/bin/env bash
# docs/architecture.md follows a sentence and a pair through the code: each file that it names defines the function.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

mark='`'
named=0
while IFS=: read -r file function; do
    function=${function//[[:space:]]/}
    [ -f "$ATTEND_SOURCE/$file" ] || fail "there is no $file"
    grep -qE "^[a-z].*[ *]$function\(" "$ATTEND_SOURCE/$file" || fail "$file does not define $function"
    named=$((named + 1))
done < <(sed -n '/^## Two ways/,/^## Memory/p' "$ATTEND_SOURCE/docs/architecture.md" | tr '\n' ' ' |
    grep -oE "${mark}[a-z]+/[a-z_/]+\.c: +[a-z_]+$mark" | tr -d "$mark")
[ "$named" -ge 20 ] || fail "only $named functions are named"
