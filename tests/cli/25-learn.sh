#!/usr/bin/env bash
# Every attention learns a task in a second or two that a fixed context cannot learn.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

# pairs TASK COUNT SHORTEST LONGEST: sequences of eight letters and the targets of the task, split into train and valid.
pairs() {
    awk -v task="$1" -v count="$2" -v low="$3" -v high="$4" '
    function next_random() { seed = (seed * 1103515245 + 12345) % 2147483648; return int(seed / 65536) }
    BEGIN { seed = 7; letters = "abcdefgh"
        for (line = 0; line < count; line++) {
            n = low + next_random() % (high - low + 1); source = target = ""; split("", seen)
            for (i = 0; i < n; i++) {
                k = next_random() % 8; c = substr(letters, 1 + k, 1); seen[k]++
                source = source (i ? " " : "") c
                if (task == "reverse") target = c (i ? " " : "") target
                if (task == "shift") target = target (i ? " " : "") substr(letters, 1 + (k + 1) % 8, 1)
            }
            for (k = 0; k < 8 && task == "sort"; k++)
                for (i = 0; i < seen[k]; i++) target = target (target == "" ? "" : " ") substr(letters, 1 + k, 1)
            print source "\t" target
        } }' | sort -u >"$work/pairs"
    awk -F'\t' -v dir="$work" '{ part = NR % 10 ? "train" : "valid"
        print $1 > (dir "/" part ".src"); print $2 > (dir "/" part ".tgt") }' "$work/pairs"
}

# accuracy OPTION...: train, and print the percentage of validation sequences that are right.
accuracy() {
    "$ATTEND" train --train-src "$work/train.src" --train-tgt "$work/train.tgt" --valid-src "$work/valid.src" \
        --valid-tgt "$work/valid.tgt" --model "$work/model" --overwrite --emb 16 --hidden 32 --dropout 0 \
        --label-smoothing 0 --lr 0.01 --batch-tokens 250 --threads 1 "$@" 2>"$work/log" || fail "$(cat "$work/log")"
    "$ATTEND" translate --model "$work/model" --beam 1 <"$work/valid.src" |
        "$ATTEND" eval --ref "$work/valid.tgt" | sed 's/accuracy \([0-9]*\).*/\1/'
}

# learns PERCENT WHAT OPTION...
learns() {
    local wanted=$1 what=$2 got
    shift 2
    got=$(accuracy "$@")
    echo "$what: $got %"
    [ "$got" -ge "$wanted" ] || fail "$what reached $got %, not $wanted"
}

attentions=$(choices attention)
[ "$(wc -w <<<"$attentions")" -ge 9 ] || fail "the table of attentions is too short: $attentions"

# With a sanitizer, which takes twenty times as long, only a few are run.
[ -z "${ATTEND_QUICK:-}" ] || attentions="additive general"

pairs reverse 3000 2 6
for attention in $attentions; do
    case $attention in none | window) continue ;; esac # window only moves forward
    learns 90 "reverse, $attention" --attention "$attention" --max-epochs 12
done
learns 90 "reverse, two layers of LSTM in luong's placement" --cell lstm --encoder-layers 2 --decoder-layers 2 \
    --placement luong --input-feeding --attention general --max-epochs 12
learns 90 "reverse, two layers in the conditional placement" --decoder-layers 2 --placement conditional --max-epochs 12
pairs shift 3000 2 6
for placement in $(choices placement); do
    learns 90 "shift, window, $placement" --attention window --placement "$placement" --max-epochs 10
done
[ -z "${ATTEND_QUICK:-}" ] || exit 0
pairs sort 3000 2 6
learns 90 "sort, additive" --max-epochs 12
learns 90 "sort, scaled_dot with two heads" --attention scaled_dot --heads 2 --max-epochs 12

# At length 30 a fixed context of the same size has lost the sequence.
pairs shift 1500 30 30
learns 80 "shift at length 30, additive" --batch-tokens 1000 --max-epochs 18
fixed=$(accuracy --attention none --batch-tokens 1000 --max-epochs 18)
echo "shift at length 30, none: $fixed %"
[ "$fixed" -le 5 ] || fail "a fixed context learned sequences of 30: $fixed %"
