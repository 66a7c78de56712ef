#!/usr/bin/env bash
# tools/check_includes.sh keeps the table of rooms as tight as the code: it fails when a room includes more than its row
# lists, and when a row lists more than its room includes.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

mkdir -p "$work"/{tools,include/attend,src/{base,text,nn}}
echo '#include "base/a.h"' >"$work/src/text/b.c"
echo '#include "base/a.h"' >"$work/src/nn/c.c"
touch "$work"/src/{base/a.h,text/b.h} "$work/include/attend/plot.h"

# table ROW...: the rows above that of nn, and those that are given
table() { printf '%s\n' base 'text base' "$@" >"$work/tools/rooms.txt"; }
check() { bash "$ATTEND_SOURCE/tools/check_includes.sh" "$work" >"$work/said"; }
# refuses WHAT MESSAGE
refuses() {
    if check; then fail "$1 is allowed"; fi
    equal "$1" "$(cat "$work/said")" "$2"
}

table 'nn base'
check || fail "a table that is right: $(cat "$work/said")"

table 'nn base text'
refuses "a room that nobody needs" "tools/rooms.txt:3: nn lists text, which none of its files includes"
table 'nn base attend/plot'
refuses "a header that nobody needs" "tools/rooms.txt:3: nn lists attend/plot, which none of its files includes"
table
refuses "a room without a row" "src/nn: has no row in tools/rooms.txt
src/nn/c.c:1: includes base/a.h: nn may not include base: tools/rooms.txt"

table 'nn base'
echo '#include "text/b.h"' >>"$work/src/nn/c.c"
refuses "a room that is not listed" "src/nn/c.c:2: includes text/b.h: nn may not include text: tools/rooms.txt"
printf '#include "base/a.h"\n#include "attend/plot.h"\n' >"$work/src/nn/c.c"
refuses "a header that is not listed" "src/nn/c.c:2: includes attend/plot.h: nn may not include it: tools/rooms.txt"
