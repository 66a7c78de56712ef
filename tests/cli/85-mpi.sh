#!/usr/bin/env bash
# Training with several processes: the same losses as with one, one writer, and no loss when a process dies.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

command -v mpirun >/dev/null || { echo "skipped: no mpirun"; exit 77; }
[ -e "$(dirname "$ATTEND")/attend-mpi.so" ] || { echo "skipped: built without MPI"; exit 77; }
[ -z "${ATTEND_QUICK:-}" ] || { echo "skipped: MPI itself does not pass the sanitizers"; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ranks() { # N COMMAND...
    local n=$1
    shift
    timeout 120 mpirun --oversubscribe -n "$n" "$@"
}

head -n 3000 "$demo/train.hi" >"$work/train.hi"
head -n 3000 "$demo/train.en" >"$work/train.en"
args=(--train-src "$work/train.hi" --train-tgt "$work/train.en" --valid-src "$demo/valid.hi" --valid-tgt "$demo/valid.en"
    --emb 16 --hidden 24 --batch-tokens 300 --lr 0.005 --threads 1 --valid-every 20 --log-every 1)

# One, two and three processes give the same loss at every update within float tolerance; batches of one pair leave
# processes without a share.
losses() { sed -n 's/.*"progress".*"loss":\([^,]*\),.*/\1/p' "$1"; }
near() { paste "$1" "$2" | awk '{ d = $1 - $2; if (d < 0) d = -d; if (d > 2e-4 * $1) { print; bad = 1 } } END { exit bad || NR == 0 }'; }
"$ATTEND" train "${args[@]}" --max-updates 40 --model "$work/one" --log "$work/one.log" 2>/dev/null
losses "$work/one.log" >"$work/one.loss"
for n in 2 3; do
    ranks $n "$ATTEND" train "${args[@]}" --max-updates 40 --model "$work/n$n" --log "$work/n$n.log" 2>"$work/log" ||
        fail "$n processes: $(cat "$work/log")"
    losses "$work/n$n.log" >"$work/n$n.loss"
    near "$work/one.loss" "$work/n$n.loss" || fail "$n processes have other losses than one"
    [ "$(grep -c "in each of $n processes" "$work/log")" = 1 ] || fail "not exactly one process reported: $(cat "$work/log")"
done
# Random numbers agree in all processes.
drawn=("${args[@]}" --tokenizer sentencepiece --vocab-size 200 --subword-sampling 0.2 --word-dropout 0.1 --max-updates 20)
"$ATTEND" train "${drawn[@]}" --model "$work/d1" --log "$work/d1.log" 2>/dev/null
ranks 2 "$ATTEND" train "${drawn[@]}" --model "$work/d2" --log "$work/d2.log" 2>/dev/null
near <(losses "$work/d1.log") <(losses "$work/d2.log") || fail "drawn pieces: other losses"
small=("${args[@]}" --batch-sentences 1 --max-updates 5)
"$ATTEND" train "${small[@]}" --model "$work/s1" --log "$work/s1.log" 2>/dev/null
ranks 2 "$ATTEND" train "${small[@]}" --model "$work/s2" --log "$work/s2.log" 2>/dev/null
near <(losses "$work/s1.log") <(losses "$work/s2.log") || fail "batches of one pair: other losses"

# A process is killed: the job ends with an error, and its checkpoint can be resumed, here in one process.
ranks 2 "$ATTEND" train "${args[@]}" --max-epochs 100000 --patience 0 --save-every 5 --model "$work/killed" 2>"$work/log" &
job=$!
for _ in $(seq 300); do
    [ ! -s "$work/killed.ckpt" ] || break
    sleep 0.1
done
pkill -KILL -n -f "train .*--model $work/killed" || fail "no process to kill"
status=0
wait $job || status=$?
[ "$status" != 0 ] || fail "a job that lost a process ended well"
"$ATTEND" train "${args[@]}" --max-epochs 100000 --patience 0 --resume --max-updates 100 --model "$work/killed" 2>"$work/log" ||
    fail "the checkpoint of a killed job does not go on: $(cat "$work/log")"
grep -q "resumed after update" "$work/log" || fail "it began anew: $(cat "$work/log")"

# Usage errors are printed once, and a host with other text is detected.
ranks 2 "$ATTEND" train --model "$work/x" >"$work/out" 2>&1 && fail "a job without text ended well"
[ "$(grep -c "are needed" "$work/out")" = 1 ] || fail "not said exactly once: $(cat "$work/out")"
# shellcheck disable=SC2016
ranks 2 bash -c 'head -n $((1000 + OMPI_COMM_WORLD_RANK)) "$2.hi" >"$2.$OMPI_COMM_WORLD_RANK.hi"
    head -n $((1000 + OMPI_COMM_WORLD_RANK)) "$2.en" >"$2.$OMPI_COMM_WORLD_RANK.en"
    exec "$1" train --train-src "$2.$OMPI_COMM_WORLD_RANK.hi" --train-tgt "$2.$OMPI_COMM_WORLD_RANK.en" --emb 8 --hidden 8 \
        --tokenizer char --max-updates 2 --threads 1 --model "$2.model"' _ "$ATTEND" "$work/train" >"$work/out" 2>&1 &&
    fail "processes with different text trained"
grep -q "do not have the same text" "$work/out" || fail "$(cat "$work/out")"
