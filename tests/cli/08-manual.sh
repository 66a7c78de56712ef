#!/usr/bin/env bash
# The manual pages of the headers: every function of the library has one, it shows the function and what the header says of
# it, and man has nothing to complain about.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
"$ATTEND_SOURCE/tools/man3.sh" 1.2.3 "$work/man3" "$ATTEND_SOURCE"/include/attend/*.h

# ---- A header with everything that a header can have ----

cat >"$work/toy.h" <<'END'
/* Toys: what children play with.
 *
 *     attend_toy_wind(toy, 3); // a block stays as it is */
#ifndef TOY_H
#define TOY_H
#include "attend/status.h"
/* ---- Winding ---- */

/** How a toy `moves`. See attend_toy_wind. */
enum attend_toy_way {
    ATTEND_TOY_ROLLS, /**< on wheels,
                         if it has any */
    ATTEND_TOY_JUMPS,
};
/** A toy. */
struct attend_toy {
    /** Called when it stops. */
    void (*stopped)(void *context, int turns);
    int turns, most; /**< left */
    bool
        broken; /**< .so it is */
};
/* not for readers */
/** Wind it up. */
ATTEND_API enum attend_status attend_toy_wind(struct attend_toy *toy, const char *in_which_direction,
                                              struct attend_error *err);
ATTEND_API void attend_toy_drop(struct attend_toy *toy);
ATTEND_DEFAULTS(toy)
#endif
END
tr '\n' ' ' <<'END' | tr -s ' ' >"$work/wanted"
NAME attend_toy.h, attend_toy_wind, attend_toy_drop, attend_toy_defaults - Toys
SYNOPSIS #include <attend/toy.h> cc program.c $(pkg-config --cflags --libs attend)
DESCRIPTION Toys: what children play with. attend_toy_wind(toy, 3); // a block stays as it is
DECLARATIONS Winding enum attend_toy_way { How a toy moves. See attend_toy_wind.
ATTEND_TOY_ROLLS on wheels, if it has any ATTEND_TOY_JUMPS };
struct attend_toy { A toy. void (*stopped)(void *context, int turns) Called when it stops.
int turns, most left bool broken .so it is };
enum attend_status attend_toy_wind(struct attend_toy *toy, const char *in_which_direction, struct attend_error *err);
Wind it up. void attend_toy_drop(struct attend_toy *toy);
struct attend_toy_options attend_toy_defaults(void);
SEE ALSO attend_status.h(3), attend(1)
END
toy=$work/attend_toy.h.3
awk -v version=1.2.3 -v date=2026-01-31 -f "$ATTEND_SOURCE/tools/man3.awk" "$work/toy.h" >"$toy"
equal "the title" "$(head -n 1 "$toy")" '.TH ATTEND_TOY.H 3 "2026-01-31" "attend 1.2.3" "Library Functions"'

# ---- Every function is there ----

count=0
while read -r name; do
    name=${name/%_fill/_defaults}
    page=$work/man3/$name.3
    [ -e "$page" ] || fail "$name has no manual page"
    grep -qF "$name(" "$work/$(sed -n 's/^\.so //p' "$page")" || fail "the page of $name does not show it"
    count=$((count + 1))
done < <(sed -n 's/^ \(attend_[a-z0-9_]*\)@.*/\1/p' "$ATTEND_SOURCE/debian/libattend0.symbols")
[ $count -gt 200 ] || fail "only $count functions are listed"

# ---- What a reader sees ----

man --version >/dev/null 2>&1 || { echo "the rest is skipped: there is no man"; exit 77; }
shown() { LC_ALL=C MANWIDTH=80 MANROFFOPT='' man --warnings -l "$1" 2>"$work/log" | col -bx; }
equal "the page of a toy" "$(shown "$toy" | sed '1d;$d' | tr -s ' \n' '  ' | sed 's/^ //')" "$(cat "$work/wanted")"
for page in "$work"/man3/*.h.3; do
    shown "$page" >"$work/text"
    [ ! -s "$work/log" ] || fail "$(basename "$page"): $(head -n 3 "$work/log")"
    ! grep -nE '\*/|/\*\*|\\f|`' "$work/text" || fail "$(basename "$page") shows marks that are not for readers"
done
