#!/usr/bin/env bash
# Runs fuzz targets: run.sh [TARGET...], by default all. SECONDS_EACH is the time per target (60), JOBS the number of
# parallel targets (1), FUZZ_BUILD the build folder (build-fuzz). Inputs that reach new code go to
# build-fuzz/corpus/TARGET, and a line per run to build-fuzz/tally.tsv. A crash, leak, timeout or excessive memory fails;
# its input is kept in build-fuzz/found.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1

build=${FUZZ_BUILD:-build-fuzz}
seconds=${SECONDS_EACH:-60}
jobs=${JOBS:-1}
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets <"$build/fuzz/targets"

# Maximum bytes of an input: large inputs are slow and find little that small ones do not.
declare -A longest=([model]=8192 [tokenizer]=8192 [http]=2048 [header]=4096 [stream]=4096 [npy]=2048 [sound]=4096 [image]=2048 [source]=2048 [log]=2048 [matrices]=1024)

export ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=1:strict_string_checks=1
export UBSAN_OPTIONS=print_stacktrace=1
LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0
export LSAN_OPTIONS

# The number after a word, in the last line of a log that has it.
figure() { # WORD FILE
    sed -n "s/.*$1 \([0-9][0-9]*\).*/\1/p" "$2" | tail -n 1
}

run_one() { # TARGET
    local name=$1 log=$build/log/$1.txt found=$build/found/$1- corpus=$build/corpus/$1 result=ok
    mkdir -p "$build/log" "$build/found" "$corpus"
    local flags=(-max_total_time="$seconds" -max_len="${longest[$name]:-512}" -timeout=10 -rss_limit_mb=2048
        -print_final_stats=1 -artifact_prefix="$found")
    [ ! -e "tests/fuzz/$name.dict" ] || flags+=(-dict="tests/fuzz/$name.dict")
    "$build/fuzz/$name" "${flags[@]}" "$corpus" "tests/fuzz/corpus/$name" >"$log" 2>&1 || result=FAILED
    local executions cov features
    executions=$(figure 'stat::number_of_executed_units:' "$log")
    executions=${executions:-$(sed -n 's/^#\([0-9]*\).*/\1/p' "$log" | tail -n 1)}
    cov=$(figure 'cov:' "$log")
    features=$(figure 'ft:' "$log")
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "${executions:-0}" "$seconds" "${cov:-0}" "${features:-0}" "$result" \
        >>"$build/tally.tsv"
    printf '%-10s %10s executions  %5s s  %7s/s  cov %6s  ft %6s  %s\n' "$name" "${executions:-0}" "$seconds" \
        $((${executions:-0} / (seconds > 0 ? seconds : 1))) "${cov:-0}" "${features:-0}" "$result"
    [ "$result" = ok ] || report "$name" "$log"
    [ "$result" = ok ]
}

report() { # TARGET LOG
    local input
    grep -m 1 -E 'ERROR: |runtime error|does not hold' "$2"
    input=$(sed -n 's/.*Test unit written to //p' "$2" | tail -n 1)
    echo "    log: $2"
    [ -z "$input" ] || echo "    to reproduce: $build/fuzz/$1 $input"
}

failed=0
running=0
for target in "${targets[@]}"; do
    if [ "$running" -ge "$jobs" ]; then
        wait -n || failed=1
        running=$((running - 1))
    fi
    run_one "$target" &
    running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
    wait -n || failed=1
    running=$((running - 1))
done
exit $failed
