#!/usr/bin/env bash
# attend distill: the rows are what translate says, attend train reads them, an interrupted run continues to the same bytes,
# and bad input is one line.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
head -n 400 "$demo/train.hi" >"$work/src"
head -n 400 "$demo/train.en" >"$work/tgt"
for seed in 1 2; do
    "$ATTEND" train --train-src "$work/src" --train-tgt "$work/tgt" --split none --tokenizer spaces --emb 16 --hidden 24 \
        --max-updates 150 --lr 0.01 --threads 1 --seed $seed --model "$work/t$seed" 2>"$work/log" || fail "$(cat "$work/log")"
done
models=(--model "$work/t1" --model "$work/t2")
distill() { "$ATTEND" distill "${models[@]}" "$@" 2>"$work/log" || fail "$(cat "$work/log")"; }

# The text is what translate says, of files, of a table, and without targets.
"$ATTEND" translate "${models[@]}" --input "$work/src" >"$work/said" 2>/dev/null
paste "$work/src" "$work/said" >"$work/wanted"
distill --train-src "$work/src" --output "$work/one"
cmp "$work/one" "$work/wanted" || fail "other text than translate"
grep -q "^400 rows of 400 lines in $work/one$" "$work/log" || fail "$(cat "$work/log")"
for left in part progress lock; do [ ! -e "$work/one.$left" ] || fail "a file is left: one.$left"; done
paste "$work/tgt" "$work/src" | gzip >"$work/table.gz"
distill --train "$work/table.gz" --columns tgt,src --output "$work/two"
cmp "$work/two" "$work/wanted" || fail "a table gives other text"
distill --train-src - --output "$work/three" <"$work/src"
cmp "$work/three" "$work/wanted" || fail "standard input gives other text"
distill --train-src "$work/src" --batch-sentences 3 --threads 1 --output "$work/four"
cmp "$work/four" "$work/wanted" || fail "other batches give other text"

# All of the n best, in their order; with --keep the given pair before them.
head -n 50 "$work/src" >"$work/few" && head -n 50 "$work/tgt" >"$work/few.tgt"
"$ATTEND" translate "${models[@]}" --input "$work/few" --nbest 3 2>/dev/null |
    awk -F ' [|][|][|] ' 'NR == FNR { line[NR - 1] = $0; next } { print line[$1] "\t" $2 }' "$work/few" - >"$work/wanted"
distill --train-src "$work/few" --nbest 3 --output "$work/best"
cmp "$work/best" "$work/wanted" || fail "other rows than the n-best list"
distill --train-src "$work/few" --train-tgt "$work/few.tgt" --nbest 3 --keep --output "$work/kept"
equal "rows with the given pairs" "$(wc -l <"$work/kept")" 200
awk 'NR % 4 == 1' "$work/kept" | cmp - <(paste "$work/few" "$work/few.tgt") || fail "the given pairs are not there"
awk 'NR % 4 != 1' "$work/kept" | cmp - "$work/best" || fail "--keep changed the others"

# Of the n best, the one closest to the target: the target itself where it is among them, else the best of all.
distill --train-src "$work/few" --train-tgt "$work/few.tgt" --nbest 3 --closest accuracy --output "$work/near"
awk -F '\t' 'NR == FNR { target[$1] = $2; next } { if (!($1 in first)) { first[$1] = $2; order[n++] = $1 }
    if ($2 == target[$1]) found[$1] = 1 } END { for (i = 0; i < n; i++) print order[i] "\t" (order[i] in found ? target[order[i]] : first[order[i]]) }' \
    <(paste "$work/few" "$work/few.tgt") "$work/best" >"$work/wanted"
cmp "$work/near" "$work/wanted" || fail "--closest accuracy chose others"
grep -vqFf "$work/near" <(awk 'NR % 3 == 1' "$work/best") || fail "--closest never mattered"
distill --train-src "$work/few" --train-tgt "$work/few.tgt" --nbest 3 --closest chrf --output "$work/near.chrf"
distill --train-src "$work/few" --nbest 1 --output "$work/first"
near() { "$ATTEND" eval --metric chrf --hyp <(cut -f 2 "$1") --ref "$work/few.tgt" | sed 's/[^0-9.]*\([0-9.]*\).*/\1/'; }
awk -v a="$(near "$work/near.chrf")" -v b="$(near "$work/first")" 'BEGIN { exit !(a > b) }' || fail "--closest chrf is not closer"

# attend train reads the result, in the way that is printed.
distill --train-src "$work/src" --output "$work/one" --overwrite
read -r -a flags < <(sed -n 's/^train on them: attend train //p' "$work/log")
"$ATTEND" train "${flags[@]}" --split none --tokenizer spaces --emb 8 --hidden 12 --max-updates 3 --threads 1 --model "$work/student" \
    2>"$work/log" || fail "$(cat "$work/log")"
grep -q "^400 training pairs" "$work/log" || fail "$(cat "$work/log")"

# Features and languages keep their columns.
awk 'BEGIN { OFS = "\t" } { print $1, $2, NR % 2 ? "N;PL" : "V", "x", NR % 2 ? "de" : "fr" }' <(paste "$work/few" "$work/few.tgt" | tr ' ' '_') >"$work/rich"
rich=(--columns "src,tgt,kind,_,to" --features kind --language-columns "_,to" --source-lang en)
"$ATTEND" train --train "$work/rich" "${rich[@]}" --split none --tokenizer char --emb 8 --hidden 12 --max-updates 3 --threads 1 \
    --model "$work/many" 2>"$work/log" || fail "$(cat "$work/log")"
"$ATTEND" distill --model "$work/many" --train "$work/rich" "${rich[@]}" --keep --max-length 0.1 --output "$work/rich.out" 2>"$work/log" ||
    fail "$(cat "$work/log")"
awk -F '\t' 'BEGIN { OFS = "\t" } { print $1, $2, $3, "en", $5 }' "$work/rich" >"$work/wanted"
grep -Fxf "$work/wanted" "$work/rich.out" | cmp - "$work/wanted" || fail "features or languages are lost"
grep -q -- "--columns src,tgt,features,from,to --features features --language-columns from,to" "$work/log" || fail "$(cat "$work/log")"
read -r -a flags < <(sed -n 's/^train on them: attend train //p' "$work/log")
"$ATTEND" train "${flags[@]}" --split none --tokenizer char --emb 8 --hidden 12 --max-updates 3 --threads 1 --model "$work/many2" \
    2>"$work/log" || fail "$(cat "$work/log")"

# ---- Interrupted ----
head -n 8000 "$demo/train.hi" >"$work/long"
slow=("$ATTEND" distill "${models[@]}" --train-src "$work/long" --beam 12 --nbest 2 --threads 1)
"${slow[@]}" --output "$work/whole" 2>"$work/log" || fail "$(cat "$work/log")"
interrupt() { # SIGNAL OUTPUT: after the first block
    "${slow[@]}" --output "$2" 2>"$work/stderr" &
    child=$! status=0
    for _ in $(seq 1000); do
        [ ! -e "$2.progress" ] || break
        sleep 0.01
    done
    kill "-$1" $child 2>/dev/null || fail "it ended before it was interrupted"
    wait $child 2>/dev/null || status=$?
    [ ! -e "$2" ] || fail "$1: the output is there before it is complete"
}
for signal in KILL TERM INT; do
    interrupt $signal "$work/$signal"
    equal "exit code after SIG$signal" "$status" $((128 + $(kill -l $signal)))
    [ $signal = KILL ] || grep -q "stopped after [0-9]* of $(wc -l <"$work/long") lines; the same command continues" "$work/stderr" ||
        fail "$(cat "$work/stderr")"
    head -c 1000000 "$work/whole" >>"$work/$signal.part" # as a block that was being written
    "${slow[@]}" --output "$work/$signal" 2>"$work/log" || fail "$(cat "$work/log")"
    grep -q " of them done before" "$work/log" || fail "$signal: it began anew: $(cat "$work/log")"
    cmp "$work/whole" "$work/$signal" || fail "$signal: other bytes after continuing"
done

# Samples depend on the line, so they continue too.
slow+=(--sample --seed 7)
"${slow[@]}" --output "$work/samples" 2>"$work/log" || fail "$(cat "$work/log")"
interrupt KILL "$work/sampled"
cp "$work/sampled.part" "$work/again.part" && cp "$work/sampled.progress" "$work/again.progress"
"${slow[@]}" --threads 2 --output "$work/sampled" 2>"$work/log" || fail "$(cat "$work/log")"
cmp "$work/samples" "$work/sampled" || fail "other samples after continuing"

# Another run is not continued.
refused 2 "its --seed is '7', not '8'; --overwrite starts again" "${slow[@]}" --seed 8 --output "$work/again"
refused 2 "its --keep is 'false', not 'true'" "${slow[@]}" --keep --train-tgt "$work/long" --output "$work/again"
refused 2 "its --model is '[0-9a-f ]*', not '[0-9a-f]*'" "$ATTEND" distill --model "$work/t1" "${slow[@]:6}" --output "$work/again"
sed -i '5s/.*/ghar/' "$work/long"
refused 2 "again.progress: the text has changed since" "${slow[@]}" --output "$work/again"
echo '{"settings":' >"$work/again.progress"
refused 1 "again.progress: is damaged" "${slow[@]}" --output "$work/again"
: >"$work/sampled.part"
sed 's/.*/{"settings":{},"done":1,"rows":1,"cut_off":0,"bytes":9,"text":"0"}/' "$work/again.progress" >"$work/sampled.progress"
refused 2 "its --beam is ''" "${slow[@]}" --output "$work/sampled"
"${slow[@]}" --limit 3 --output "$work/x" 2>/dev/null && fail "an unknown option is taken"
"${slow[@]}" --overwrite --output "$work/again" 2>"$work/log" || fail "$(cat "$work/log")"
exec 9>"$work/locked.lock"
flock 9
refused 2 "locked" "${slow[@]}" --output "$work/locked"
exec 9>&-

# ---- Refused ----
one=("$ATTEND" distill "${models[@]}")
refused 2 "one: exists already; use --overwrite" "${one[@]}" --train-src "$work/src" --output "$work/one"
refused 2 "\-\-output is needed" "${one[@]}" --train-src "$work/src"
refused 2 "\-\-model is needed" "$ATTEND" distill --train-src "$work/src" --output "$work/x"
refused 2 "is needed" "${one[@]}" --output "$work/x"
refused 2 "is needed" "${one[@]}" --train "$work/table.gz" --train-src "$work/src" --output "$work/x"
refused 2 "closest chooses among --nbest 2 or more" "${one[@]}" --train-src "$work/few" --train-tgt "$work/few.tgt" --closest chrf --output "$work/x"
refused 2 "one of bleu" "${one[@]}" --train-src "$work/few" --closest best --output "$work/x"
refused 1 "few:1: has no target, and --keep needs one" "${one[@]}" --train-src "$work/few" --keep --output "$work/x"
refused 1 "few:1: has no target, and --closest needs one" "${one[@]}" --train-src "$work/few" --nbest 2 --closest chrf --output "$work/x"
refused 2 "nbest 6 .*beam" "${one[@]}" --train-src "$work/few" --nbest 6 --output "$work/x"
printf 'mai\tghar\n' >"$work/tab"
refused 1 "tab:1: has a tab, which a table cannot hold" "${one[@]}" --train-src "$work/tab" --output "$work/x"
printf 'mai\n\xff\nghar\n' >"$work/bad"
refused 1 "bad:2: .*UTF-8" "${one[@]}" --train-src "$work/bad" --output "$work/x"
distill --train-src "$work/bad" --skip-broken --output "$work/skipped"
equal "rows without the broken one" "$(wc -l <"$work/skipped")" 2
grep -q "1 pair left out, invalid UTF-8, the first at $work/bad:2" "$work/log" || fail "$(cat "$work/log")"
refused 1 "few.tgt has 50|few has 50|pair line for line" "${one[@]}" --train-src "$work/src" --train-tgt "$work/few.tgt" --output "$work/x"
refused 1 "holds no pair" "${one[@]}" --train-src /dev/null --output "$work/x"
refused 1 "nothing: cannot be opened|nothing: No such file|nothing" "${one[@]}" --train-src "$work/nothing" --output "$work/x"
refused 1 "none/x" "${one[@]}" --train-src "$work/few" --output "$work/none/x"
for left in x x.part; do [ ! -e "$work/$left" ] || fail "a refused run left $left"; done
