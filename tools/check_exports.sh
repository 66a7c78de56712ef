#!/usr/bin/env bash
# Checks that every exported symbol starts with attend_: check_exports.sh BUILD_DIR. For a cross build, set NM.
set -euo pipefail
build=${1:?usage: check_exports.sh BUILD_DIR}

status=0
check() { # LIBRARY NM-OPTION...
    local library=$1 names foreign
    shift
    # Type A is the version of the symbols (src/exports.map).
    names=$("${NM:-nm}" "$@" --defined-only --format=posix "$library" | awk 'NF > 1 && $2 != "A" { print $1 }')
    if ! grep -q '^attend_' <<<"$names"; then
        echo "$library: exports nothing that starts with attend_"
        status=1
    fi
    foreign=$(grep -v '^attend_' <<<"$names" || true)
    while IFS= read -r name; do
        [ -z "$name" ] || { echo "$library: exports $name, which does not start with attend_"; status=1; }
    done <<<"$foreign"
}
check "$build/libattend.a" --extern-only
check "$build/libattend.so" --dynamic
exit $status
