#!/usr/bin/env bash
# Shows how much of its files each fuzz target covers: coverage.sh [TARGET...]. The inputs are those of corpus/ and
# those that run.sh has found. The files are those that the target names in its comment.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools/setup.sh --check fuzz fuzz-coverage
build="build-fuzz-coverage"
found=${FUZZ_BUILD:-build-fuzz}/corpus

flags="-fprofile-instr-generate -fcoverage-mapping"
cmake --preset fuzz -B "$build" -DATTEND_SANITIZE= -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" >/dev/null
cmake --build "$build" --parallel "${JOBS:-$(nproc)}" --target fuzz >/dev/null
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets <"$build/fuzz/targets"

# The paths after "Aimed at:", up to the end of the comment.
aims() { # TARGET
    awk '/Aimed at:/ { on = 1 } on { for (i = 1; i <= NF; i++) if ($i ~ /^src\//) print $i } /\*\// { exit }' \
        "tests/fuzz/$1.c"
}

for name in "${targets[@]}"; do
    folders=("tests/fuzz/corpus/$name")
    [ ! -d "$found/$name" ] || folders+=("$found/$name")
    LLVM_PROFILE_FILE=$build/$name.raw "$build/fuzz/$name" -runs=0 -rss_limit_mb=4096 "${folders[@]}" >/dev/null 2>&1
    llvm-profdata merge -o "$build/$name.data" "$build/$name.raw"
    mapfile -t files < <(aims "$name")
    llvm-cov export -summary-only -instr-profile="$build/$name.data" "$build/fuzz/$name" |
        jq -r --arg name "$name" '[.data[0].files[] | {path: ("src/" + (.filename | sub("^(.*/)?src/"; ""))), lines: .summary.lines} |
            select(.path | IN($ARGS.positional[]))] | unique_by(.path) |
            "\($name)\t\(1000 * (map(.lines.covered) | add) / (map(.lines.count) | add) | round / 10) %\t" +
            (map("\(.path[4:]) \(.lines.percent | round)") | join(", "))' --args "${files[@]}"
done
