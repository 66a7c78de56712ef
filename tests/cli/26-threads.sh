#!/usr/bin/env bash
# The number of threads changes no byte of a translation, and only the last digits of training (docs/training.md).
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

head -n 400 "$demo/train.hi" >"$work/src"
head -n 400 "$demo/train.en" >"$work/tgt"
# train NAME THREADS: a model and the losses of its 60 updates.
train() {
    "$ATTEND" train --train-src "$work/src" --train-tgt "$work/tgt" --model "$work/$1" --log "$work/$1.jsonl" --tokenizer spaces \
        --emb 16 --hidden 24 --dropout 0.2 --max-updates 60 --log-every 5 --threads "$2" 2>"$work/log" || fail "$(cat "$work/log")"
    sed -n 's/.*"event":"progress".*"loss":\([0-9.]*\).*/\1/p' "$work/$1.jsonl" >"$work/$1.loss"
}

# ---- Training: same threads, same bytes; other threads, the same up to rounding ----
train one 1
train two 2
train again 2
cmp "$work/two" "$work/again" || fail "the same training on two threads gave other bytes"
[ "$(wc -l <"$work/one.loss")" -ge 10 ] || fail "losses are missing: $(cat "$work/one.jsonl")"
# alike WHAT FILE FILE: the numbers, one per line, differ by at most a factor of 1e-4.
alike() {
    equal "lines: $1" "$(wc -l <"$2")" "$(wc -l <"$3")"
    paste "$2" "$3" | awk '{ d = $1 - $2; if (d < 0) d = -d; s = $1 < 0 ? -$1 : $1; if (d > 1e-4 * s) { print; bad = 1 } } END { exit bad }' ||
        fail "$1 depends on the number of threads"
}
alike "the loss" "$work/one.loss" "$work/two.loss"
for name in one two; do
    "$ATTEND" score --model "$work/$name" --src "$work/src" --tgt "$work/tgt" | cut -f1 >"$work/$name.score"
done
alike "what was learned" "$work/one.score" "$work/two.score"

# ---- Translating: the same bytes, including scores and attention ----
head -n 60 "$work/src" >"$work/in"
for flags in "--beam 5 --alignment json" "--beam 1 --scores" "--sample --seed 3 --nbest 2"; do
    for threads in 1 2 3; do
        # shellcheck disable=SC2086 # several flags
        "$ATTEND" translate --model "$work/one" --input "$work/in" --threads $threads $flags >"$work/out.$threads" 2>/dev/null
    done
    cmp "$work/out.1" "$work/out.2" || fail "$flags: two threads write other bytes than one"
    cmp "$work/out.1" "$work/out.3" || fail "$flags: three threads write other bytes than one"
done

# ---- --threads N uses N threads; without it, one for each core that the process may use ----
threads() { "$@" bench --no-peak --json --updates 1 --emb 4 --hidden 4 --vocab 9 --batch-sentences 8 --length 2 ${count:+--threads "$count"} |
    sed 's/.*"threads":\([0-9]*\).*/\1/'; }
for count in 1 2 5; do
    equal "--threads $count" "$(threads "$ATTEND")" "$count"
done
count=
processors=$(nproc)
found=$(threads "$ATTEND")
if [ "$found" -lt 1 ] || [ "$found" -gt "$processors" ]; then fail "$found threads on $processors processors"; fi
if command -v taskset >/dev/null; then
    first=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
    equal "threads on one processor" "$(threads taskset -c "$first" "$ATTEND")" 1
fi
