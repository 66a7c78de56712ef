#!/usr/bin/env bash
# Training: it learns, is deterministic, stops on request, and reports what is wrong with its input.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

# Reversing sequences of 2 to 6 of 8 letters, which needs attention to the right place.
awk 'BEGIN { seed = 7
    for (line = 0; line < 2400; line++) {
        seed = (seed * 1103515245 + 12345) % 2147483648; n = 2 + int(seed / 65536) % 5; s = ""; r = ""
        for (i = 0; i < n; i++) {
            seed = (seed * 1103515245 + 12345) % 2147483648
            c = substr("abcdefgh", 1 + int(seed / 65536) % 8, 1)
            s = s (i ? " " : "") c; r = c (i ? " " : "") r
        }
        print s "\t" r } }' | sort -u >"$work/pairs"
cut -f1 "$work/pairs" | awk 'NR % 8 == 0' >"$work/valid.src"
cut -f2 "$work/pairs" | awk 'NR % 8 == 0' >"$work/valid.tgt"
cut -f1 "$work/pairs" | awk 'NR % 8' >"$work/train.src"
cut -f2 "$work/pairs" | awk 'NR % 8' >"$work/train.tgt"
files=(--train-src "$work/train.src" --train-tgt "$work/train.tgt" --valid-src "$work/valid.src"
    --valid-tgt "$work/valid.tgt")
small=(--tokenizer spaces --emb 16 --hidden 32 --threads 2)

epochs=14 wanted=95
[ -z "${ATTEND_QUICK:-}" ] || epochs=1 wanted=0 # cli-25 learns under a sanitizer
"$ATTEND" train "${files[@]}" "${small[@]}" --lr 0.01 --batch-tokens 250 --dropout 0 --max-epochs $epochs --seed 3 \
    --model "$work/reverse" 2>"$work/log" || fail "$(cat "$work/log")"
accuracy=$("$ATTEND" translate --model "$work/reverse" --beam 1 <"$work/valid.src" |
    "$ATTEND" eval --ref "$work/valid.tgt" | sed 's/accuracy \([0-9]*\).*/\1/')
[ "$accuracy" -ge $wanted ] || fail "reversing reached $accuracy %, not $wanted: $(tail -n 3 "$work/log")"
grep -q "^epoch 1  update" "$work/log" || fail "no line for an epoch"
if grep -q $'\r' "$work/log"; then fail "a log that is not a terminal holds carriage returns"; fi

# The same seed and threads give the same bytes; another seed gives others.
for run in 1 2; do
    "$ATTEND" train "${files[@]}" "${small[@]}" --max-epochs 2 --seed 5 --model "$work/same$run" 2>/dev/null
done
cmp "$work/same1" "$work/same2" || fail "the same seed gave different models"
"$ATTEND" train "${files[@]}" "${small[@]}" --max-epochs 2 --seed 6 --model "$work/other" 2>/dev/null
if cmp -s "$work/same1" "$work/other"; then fail "another seed gave the same model"; fi

# Ctrl-C: one line, and the best model is kept.
"$ATTEND" train "${files[@]}" "${small[@]}" --max-epochs 100000 --patience 0 --model "$work/stopped" 2>"$work/log" &
child=$!
for _ in $(seq 300); do
    if [ -s "$work/stopped" ]; then break; fi
    sleep 0.1
done
kill -INT $child
status=0
wait $child || status=$?
equal "exit code after an interrupt" "$status" 130
grep -q "stopped at update" "$work/log" || fail "nothing said about the stop: $(tail -n 2 "$work/log")"
"$ATTEND" info --model "$work/stopped" >/dev/null || fail "the model of a stopped training cannot be read"

# What is refused leaves everything as it was.
train() { "$ATTEND" train "${small[@]}" --max-updates 1 --model "$work/new" "$@"; }
refused 2 "is the model of another run: its --tokenizer is spaces, not auto" "$ATTEND" train "${files[@]}" --model "$work/same1"
cmp "$work/same1" "$work/same2" || fail "a refused training changed the model"
refused 1 "none.src: cannot be opened" train --train-src "$work/none.src" --train-tgt "$work/train.tgt"
: >"$work/empty"
refused 1 "empty: holds no pair that can be used" train --train-src "$work/empty" --train-tgt "$work/empty"
head -n 10 "$work/train.tgt" >"$work/ten"
refused 1 "train.src has [0-9]+ lines and .*ten has 10" train --train-src "$work/train.src" --train-tgt "$work/ten"
printf 'a b\nc \xff d\n' >"$work/bad"
printf 'a\nb\n' >"$work/good"
refused 1 "bad:2: invalid UTF-8 at byte 3" train --train-src "$work/bad" --train-tgt "$work/good"
printf 'a b\nc \0 d\n' >"$work/nul"
refused 1 "nul:2: NUL at byte 3" train --train-src "$work/nul" --train-tgt "$work/good"
refused 1 "/none/new: cannot be written" "$ATTEND" train "${files[@]}" --model "$work/none/new"
refused 2 "go together" train --train-src "$work/good" --train-tgt "$work/good" --valid-src "$work/good"

# A YAML file has the same names as the flags; flags take precedence.
cat >"$work/config.yaml" <<YAML
# sizes
emb: 8
hidden: 10
cell: lstm
train-src: $work/good
train-tgt: $work/good
YAML
"$ATTEND" train --hidden 12 --config "$work/config.yaml" --max-updates 1 --model "$work/configured" 2>/dev/null
"$ATTEND" info --model "$work/configured" >"$work/info"
for line in 'emb +8' 'hidden +12' 'cell +lstm'; do
    grep -qE "^$line\$" "$work/info" || fail "the configuration was not taken: $(cat "$work/info")"
done
printf 'emb: 8\nhiden: 10\n' >"$work/wrong.yaml"
refused 2 "wrong.yaml:2: unknown option --hiden; did you mean --hidden" train --config "$work/wrong.yaml"

# Combinations that do not work are refused, with those that do.
both=(--train-src "$work/good" --train-tgt "$work/good")
refused 2 "\-\-heads needs --attention dot, general, scaled_dot or cosine" train "${both[@]}" --heads 2
refused 2 "\-\-heads must divide --hidden" train "${both[@]}" --attention dot --heads 5
refused 2 "\-\-coverage needs --attention additive" train "${both[@]}" --attention dot --coverage
refused 2 "\-\-input-feeding needs --placement luong" train "${both[@]}" --input-feeding
refused 2 "\-\-start copy needs as many --encoder-layers as --decoder-layers" train "${both[@]}" --start copy --decoder-layers 2
refused 2 "need --readout-size equal to --emb" train "${both[@]}" --tie target --readout-size 5
refused 2 "same tokenizer on both sides" train "${both[@]}" --tie all --src-tokenizer char
refused 2 "\-\-residual needs at least two layers" train "${both[@]}" --residual
[ ! -e "$work/new" ] || fail "a failed training left a model"

# Pairs with an empty side are skipped and counted.
printf 'a\n\nb\n' >"$work/holes"
printf 'x\ny\nz\n' >"$work/full"
"$ATTEND" train "${small[@]}" --max-updates 1 --model "$work/holey" --train-src "$work/holes" --train-tgt "$work/full" \
    2>"$work/log"
grep -q "2 training pairs" "$work/log" || fail "$(cat "$work/log")"
grep -q "1 pair left out, empty side, the first at $work/holes:2" "$work/log" || fail "$(cat "$work/log")"
