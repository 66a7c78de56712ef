#!/usr/bin/env bash
# Changes in the environment while the program runs: all of tests/long/weather.sh, which is quick enough.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
[ -e "$(dirname "$ATTEND")/attend_clock.so" ] || { echo "skipped: built without the tests"; exit 77; }
if [[ $(nm -D "$ATTEND") == *__tsan_init* ]]; then
    echo "skipped: the thread sanitizer wants to be loaded before the clock"
    exit 77
fi
exec bash "$ATTEND_SOURCE/tests/long/weather.sh"
