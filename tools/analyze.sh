#!/usr/bin/env bash
# Runs static analyzers: analyze.sh BUILD [TOOL...], where BUILD is configured with compile_commands.json. The tools are
# cppcheck, clang and gcc; all by default.
#
# Every finding is either fixed or justified in tools/analysis.supp. Prints the others and exits with 1. Justifications
# that no finding needs any more are only reported. JOBS is the number of files read in parallel.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?the build folder}
shift
[ $# -gt 0 ] || set -- cppcheck clang gcc
jobs=${JOBS:-$(nproc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

units() { find src cli -name '*.c' ! -name '*_test.c' | sort; }

# ---- Tools: each prints FILE:LINE: CHECK: MESSAGE ----

# cppcheck writes a line in pieces, so each process hands its lines over when it is done.
run_cppcheck() {
    # shellcheck disable=SC2016
    units | xargs -P "$jobs" -n 8 bash -c 'said=$(cppcheck "$@" 2>&1); [ -z "$said" ] || printf "%s\n" "$said"' _ \
        --quiet --std=c11 --language=c --enable=warning,performance,portability \
        -I include -I src -D_GNU_SOURCE -DATTEND_ANALYZE -DATTEND_VERSION='""' -DATTEND_MODULE_PATH='""' \
        --suppress=missingInclude --suppress=arrayIndexThenCheck --template='{file}:{line}: {id}: {message}' || true
}

# The clang-tidy checks of clang's static analyzer, including those that .clang-tidy leaves out because they take a
# minute longer and need ATTEND_ANALYZE.
run_clang() {
    { units | xargs -P "$jobs" -n 4 clang-tidy -p "$build" --quiet --extra-arg=-DATTEND_ANALYZE --checks='-*,clang-analyzer-*,
        -clang-analyzer-valist.Uninitialized,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling' 2>/dev/null || true; } |
        sed -nE "s,^$PWD/,,; s/^([^:]+:[0-9]+):[0-9]+: (error|warning): (.*) \[clang-analyzer-([A-Za-z0-9.]*).*/\1: \4: \3/p"
}

run_gcc() {
    jq -r '.[] | select(.file | endswith(".c")) | .command' "$build/compile_commands.json" | grep -v '/assets\.c$' |
        sed -E 's/ -o [^ ]+ -c / -c /; s/ -Werror / /; s/^ccache //; s/$/ -DATTEND_ANALYZE -O1 -fanalyzer -S -o \/dev\/null/
            s/$/ -fdiagnostics-plain-output/' |
        tr '\n' '\0' | xargs -0 -P "$jobs" -I{} bash -c '{}' 2>&1 |
        sed -nE "s,^$PWD/,,; s/^cc1:/gcc:0:0:/; s/^([^:]+:[0-9]+):[0-9]+: warning: (.*) \[-Wanalyzer-([a-z-]+)\]$/\1: \3: \2/p"
}

# ---- Compare findings with justifications ----

for tool in "$@"; do
    "run_$tool" | sort -u | sed "s/^/$tool /" >>"$work/found"
done
awk -v tools="$*" '
    BEGIN { n = split(tools, t, " "); for (i = 1; i <= n; i++) used[t[i]] = 1 }
    FILENAME ~ /analysis\.supp$/ { if (used[$1]) argued[$1 " " $2 " " $3] = 1; next }
    {
        split($2, place, ":"); check = $3; sub(/:$/, "", check)
        key = $1 " " place[1] " " check
        met[key] = 1
        all = $1 " * " check
        met[all] = 1
        if (!(key in argued) && !(all in argued)) { print; bad = 1 }
    }
    END {
        for (key in argued) if (!(key in met)) print "tools/analysis.supp: nothing finds this any more: " key
        exit bad
    }' tools/analysis.supp "$work/found"
