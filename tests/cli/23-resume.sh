#!/usr/bin/env bash
# Stopping and resuming: Ctrl-C, SIGTERM, SIGKILL, the same command again, other settings, other text.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

head -n 1000 "$demo/train.hi" >"$work/train.hi"
head -n 1000 "$demo/train.en" >"$work/train.en"
head -n 50 "$demo/valid.hi" >"$work/valid.hi"
head -n 50 "$demo/valid.en" >"$work/valid.en"
files=(--train-src "$work/train.hi" --train-tgt "$work/train.en" --valid-src "$work/valid.hi" --valid-tgt "$work/valid.en")
shape=(--tokenizer spaces --emb 16 --hidden 24 --batch-tokens 150 --dropout 0.2 --threads 1 --shuffle-window 5)
args=("${files[@]}" "${shape[@]}" --max-epochs 3 --average 2)
"$ATTEND" train "${args[@]}" --model "$work/whole" --log "$work/whole.log" 2>"$work/log" || fail "$(cat "$work/log")"

# Each signal stops the run with one line that says how to resume; the same command resumes, to the same bytes.
for signal in INT TERM; do
    "$ATTEND" train "${args[@]}" --model "$work/$signal" --log "$work/$signal.log" 2>"$work/log" &
    child=$!
    for _ in $(seq 300); do
        if grep -q '"progress"' "$work/$signal.log" 2>/dev/null; then break; fi
        sleep 0.02
    done
    kill -$signal $child
    status=0
    wait $child || status=$?
    equal "exit code after SIG$signal" "$status" $((128 + $(kill -l $signal)))
    equal "what is said" "$(grep -c "stopped at update [0-9]*, epoch [0-9]*; the state is saved in $work/$signal.ckpt: continue with --resume" "$work/log")" 1
    "$ATTEND" train "${args[@]}" --model "$work/$signal" --log "$work/$signal.log" 2>"$work/log"
    grep -q "resumed after update" "$work/log" || fail "it began anew: $(cat "$work/log")"
    cmp "$work/whole" "$work/$signal" || fail "SIG$signal: another model"
    cmp "$work/whole.ckpt" "$work/$signal.ckpt" || fail "SIG$signal: another checkpoint"
    grep -q '"event":"resume"' "$work/$signal.log" || fail "the log does not tell of going on"
    "$ATTEND" plot --log "$work/$signal.log" >/dev/null || fail "the log cannot be drawn"
done
[ -z "$(find "$work" -name '*.keep-*' -o -name '*.tmp')" ] || fail "files are left behind: $(ls "$work")"

# Whole layers that are left out are the same ones after resuming, and some are left out.
deep=("${files[@]}" --tokenizer spaces --emb 16 --hidden 24 --encoder transformer --encoder-layers 3 --threads 1 --max-epochs 1)
"$ATTEND" train "${deep[@]}" --model "$work/all" 2>"$work/log" || fail "$(cat "$work/log")"
deep+=(--encoder-layer-drop 0.5)
"$ATTEND" train "${deep[@]}" --model "$work/drop" 2>"$work/log" || fail "$(cat "$work/log")"
for updates in 7 20; do
    "$ATTEND" train "${deep[@]}" --max-updates $updates --resume --model "$work/parts" 2>"$work/log" || fail "$(cat "$work/log")"
done
"$ATTEND" train "${deep[@]}" --resume --model "$work/parts" 2>"$work/log" || fail "$(cat "$work/log")"
grep -q "resumed after update 20" "$work/log" || fail "it began anew: $(cat "$work/log")"
cmp "$work/drop" "$work/parts" || fail "layer drop: another model"
if cmp -s "$work/drop" "$work/all"; then fail "no layer was left out"; fi
refused 2 "encoder-layer-drop leaves out layers of a transformer encoder, and --encoder is recurrent" \
    "$ATTEND" train "${files[@]}" --tokenizer spaces --encoder-layer-drop 0.1 --model "$work/refused"

# If nothing is left to do, it says so quickly and changes nothing. The checkpoint is a model too.
cp "$work/whole" "$work/INT.keep-999" # as a run leaves it that is cut off at its very end
"$ATTEND" train "${args[@]}" --model "$work/INT" 2>"$work/log"
equal "lines" "$(wc -l <"$work/log")" 1
[ ! -e "$work/INT.keep-999" ] || fail "a model that no checkpoint names stays"
grep -q "there is nothing left to do" "$work/log" || fail "$(cat "$work/log")"
cmp "$work/whole" "$work/INT" || fail "a finished training changed its model"
echo "mai ghar ja raha hoon" | "$ATTEND" translate --model "$work/INT.ckpt" >/dev/null

# Other settings make another run, except for those that --resume may change.
refused 2 "is the model of another run: its --hidden is 24, not 30; use --overwrite to start again" \
    "$ATTEND" train "${args[@]}" --hidden 30 --model "$work/INT"
refused 2 "its --hidden is 24, not 30; use --overwrite" "$ATTEND" train "${args[@]}" --hidden 30 --resume --model "$work/INT"
refused 2 "its --max-epochs is 3, not 4; use --resume to continue with the new value, --overwrite" \
    "$ATTEND" train "${args[@]}" --max-epochs 4 --model "$work/INT"
"$ATTEND" train "${args[@]}" --max-epochs 4 --lr 0.0005 --resume --model "$work/INT" --log "$work/INT.log" 2>"$work/log" ||
    fail "$(cat "$work/log")"
grep -q '"lr":0.0005' "$work/INT.log" || fail "the new rate was not taken"
refused 2 "exclude each other" "$ATTEND" train "${args[@]}" --resume --overwrite --model "$work/INT"
sed 's/mai/mein/' "$work/train.hi" >"$work/other.hi"
refused 2 "the training text differs from that of" "$ATTEND" train "${args[@]}" --train-src "$work/other.hi" --max-epochs 9 --resume \
    --model "$work/TERM"
"$ATTEND" train "${args[@]}" --resume --max-updates 2 --model "$work/new" 2>"$work/log"
grep -q "going on" "$work/log" && fail "--resume without a checkpoint went on from something"

# Missing and damaged files.
cp "$work/whole" "$work/alone"
refused 2 "alone exists, but its checkpoint" "$ATTEND" train "${args[@]}" --model "$work/alone"
cp "$work/whole.ckpt" "$work/lost.ckpt"
refused 2 "lost is missing, but its checkpoint .*lost.ckpt exists; use --overwrite" "$ATTEND" train "${args[@]}" --max-epochs 9 --resume --model "$work/lost"
head -c 5000 "$work/whole.ckpt" >"$work/TERM.ckpt"
refused 1 "TERM.ckpt: " "$ATTEND" train "${args[@]}" --model "$work/TERM"
"$ATTEND" train "${args[@]}" --max-updates 2 --overwrite --model "$work/TERM" 2>/dev/null

# A folder that cannot be written is reported before the first update. (Root may write anywhere.)
mkdir "$work/closed"
chmod a-w "$work/closed"
[ "$(id -u)" = 0 ] || refused 1 "closed/m: cannot be written" "$ATTEND" train "${args[@]}" --model "$work/closed/m"

# Two runs at once: the second is refused.
"$ATTEND" train "${args[@]}" --max-epochs 100000 --patience 0 --model "$work/busy" --log "$work/busy.log" 2>/dev/null &
child=$!
for _ in $(seq 300); do
    if grep -q '"progress"' "$work/busy.log" 2>/dev/null; then break; fi
    sleep 0.02
done
refused 2 "busy.lock: is locked by another running process" "$ATTEND" train "${args[@]}" --model "$work/busy"
kill -KILL $child
wait $child || true
touch "$work"/busy{,.ckpt}.99-0.tmp # as a run leaves them that is killed while it writes
"$ATTEND" train "${args[@]}" --max-updates 3 --overwrite --model "$work/busy" 2>"$work/log" || fail "$(cat "$work/log")"
[ -z "$(find "$work" -name '*.tmp')" ] || fail "halves of files stay: $(ls "$work")"

# Killed at random moments. With a sanitizer that takes too long.
[ -z "${ATTEND_QUICK:-}" ] || exit 0
ATTEND=$ATTEND bash "$ATTEND_SOURCE/tests/long/kill.sh" "${ATTEND_KILLS:-4}"
