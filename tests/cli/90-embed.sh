#!/usr/bin/env bash
# What is installed is enough to build and run a program against, by pkg-config alone; linked either way.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
build=$(dirname "$ATTEND")
if [ -n "${ATTEND_QUICK:-}" ]; then
    echo "skipped: a program without the sanitizer cannot load a library with it"
    exit 77
fi
for tool in cmake pkg-config cc; do
    command -v "$tool" >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
cmake --install "$build" --prefix "$work/prefix" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
mv "$work/prefix" "$work/moved" # what was installed may be moved
PKG_CONFIG_PATH=$(dirname "$(find "$work/moved" -name attend.pc)")
export PKG_CONFIG_PATH
LD_LIBRARY_PATH=$(pkg-config --variable=libdir attend)
export LD_LIBRARY_PATH

model=$ATTEND_SOURCE/tests/data/model-v1.safetensors
check() { # PROGRAM
    equal "translations" "$("$1" "$model" "a b c" "h g f" | grep -v '^ ' | paste -sd/)" "c b a/f g h"
    "$1" "$model" "a b c" | grep -qE '^  </s> <- [a-z</>]+ \([01]\.[0-9]{2}\)$' || fail "it does not say where it looked"
    refused 1 "missing: cannot be opened" "$1" "$work/missing" a
    refused 1 "usage: embed MODEL" "$1"
}
read -ra flags <<<"$(pkg-config --cflags --libs attend)"
cc -Wall -Wextra -Werror -o "$work/embed" "$ATTEND_SOURCE/examples/embed.c" "${flags[@]}" 2>"$work/log" || fail "$(cat "$work/log")"
check "$work/embed"

read -ra flags <<<"$(pkg-config --static --cflags --libs attend)"
cc -o "$work/alone" "$ATTEND_SOURCE/examples/embed.c" "${flags[@]/#-lattend/-l:libattend.a}" 2>"$work/log" ||
    fail "$(cat "$work/log")"
unset LD_LIBRARY_PATH
check "$work/alone"
"$work/moved/bin/attend" --version >/dev/null || fail "the installed program does not run"
[ -s "$work/moved/share/man/man1/attend-train.1" ] || fail "there is no manual page of attend train"
