#!/usr/bin/env bash
# The environment of the program: full disks, closed descriptors, limits, and files that are named twice.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
model=$work/model.attend
tiny_model "$model"
head -n 3 "$work/tiny.hi" >"$work/in"
head -n 3 "$work/tiny.en" >"$work/ref"
head -n 3 "$work/tiny.en" >"$work/hyp"
echo "0-0" >"$work/links"

# ---- Output that cannot be written: one line, and exit code 1 ----

# full PATTERN COMMAND...: standard output is a full disk.
full() {
    local code=0 pattern=$1
    shift
    "$@" >/dev/full 2>"$work/stderr" <"$work/in" || code=$?
    equal "'$*' on a full disk: exit code" "$code" 1
    equal "'$*' on a full disk: lines on stderr" "$(grep -c . "$work/stderr")" 1
    grep -q "$pattern" "$work/stderr" || fail "'$*' on a full disk said '$(cat "$work/stderr")'"
}
cannot="the output cannot be written: No space left"
if [ -w /dev/full ]; then
    full "attend: $cannot" "$ATTEND" --help
    full "attend: $cannot" "$ATTEND" --version
    for command in $("$ATTEND" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
        full "attend $command: $cannot" "$ATTEND" "$command" --help
    done
    full "attend eval: $cannot" "$ATTEND" eval --ref "$work/ref" --hyp "$work/hyp"
    full "attend eval: $cannot" "$ATTEND" eval --ref "$work/ref" --hyp "$work/hyp" --json
    full "attend info: $cannot" "$ATTEND" info --model "$model"
    full "attend info: $cannot" "$ATTEND" info --model "$model" --config
    full "attend translate: $cannot" "$ATTEND" translate --model "$model"
    full "attend score: $cannot" "$ATTEND" score --model "$model" --src "$work/in" --tgt "$work/ref"
    full "attend align: $cannot" "$ATTEND" align --model "$model" --src "$work/in" --tgt "$work/ref"
    full "attend align: $cannot" "$ATTEND" align --links "$work/links" --gold "$work/links"
    full "attend trouble: $cannot" "$ATTEND" trouble --model "$model" --src "$work/in"
    full "attend plot: $cannot" "$ATTEND" plot --model "$model" "mai ghar"
    full "attend explain: $cannot" "$ATTEND" explain --model "$model" "mai ghar"
    full "attend bench: $cannot" "$ATTEND" bench --no-peak --emb 4 --hidden 4 --vocab 100 --batch-sentences 2 --length 5 --updates 1 --json
fi
# No message if the reader of the output has gone.
{ "$ATTEND" train --help 2>"$work/stderr" || true; } | true
[ ! -s "$work/stderr" ] || fail "a closed pipe: $(cat "$work/stderr")"

# ---- Closed standard descriptors: messages do not end up in other files ----

# closed_train: train with the descriptors closed that the redirections name. The first files that are opened would get
# their numbers. Lines that are not UTF-8 cause messages while files are open.
sed '5s/$/\xff/' "$work/tiny.hi" >"$work/broken.hi"
closed_train() {
    "$ATTEND" train --train-src "$work/broken.hi" --train-tgt "$work/tiny.en" --model "$work/closed/m" --tokenizer spaces --emb 8 \
        --hidden 12 --max-updates 40 --split 0.9,0.05,0.05 --threads 1 --skip-broken --log "$work/closed/log"
}
mkdir "$work/closed" "$work/open"
closed_train 2>/dev/null || fail "train with its descriptors"
mv "$work"/closed/* "$work/open"
chmod 444 "$work"/tiny.* "$work/broken.hi"
for which in 1 2 3 4 5 6 7; do
    rm -f "$work"/closed/*
    (
        if ((which & 1)); then exec <&-; else exec </dev/null; fi
        if ((which & 2)); then exec >&-; fi
        if ((which & 4)); then exec 2>&-; else exec 2>/dev/null; fi
        closed_train
    ) || fail "train without descriptors, $which"
    for file in m m.ckpt m.valid.src m.test.tgt; do
        cmp "$work/open/$file" "$work/closed/$file" || fail "messages ran into $file, $which"
    done
    ! grep -qv '^{.*}$' "$work/closed/log" || fail "messages ran into the log: $(cat "$work/closed/log")"
done
"$ATTEND" translate --model "$model" --input "$work/in" --output "$work/out" >&- 2>&- <&- || fail "translate without descriptors"
equal "lines of a translation without descriptors" "$(wc -l <"$work/out")" 3
"$ATTEND" translate --model "$model" --input "$work/in" 2>/dev/null | cmp - "$work/out" || fail "messages ran into the translation"
status=0
"$ATTEND" info --model "$model" >&- 2>"$work/stderr" || status=$?
equal "exit code without standard output" "$status" 1
grep -q "attend info: the output cannot be written" "$work/stderr" || fail "no word of the closed output: $(cat "$work/stderr")"
status=0
"$ATTEND" translate --model "$model" <&- >"$work/out" 2>"$work/stderr" || status=$?
equal "exit code without standard input" "$status" 1

# ---- A limit on the size of files: an error, not a signal, and nothing is left behind ----

# limited BLOCKS COMMAND...: run with files limited to BLOCKS KiB. Its messages go through a pipe, which has no limit.
limited() {
    local blocks=$1 status=0
    shift
    said=$( (ulimit -f "$blocks" && exec "$@") 2>&1 >/dev/null) || status=$?
    equal "'$*' beyond the limit: exit code" "$status" 1
    grep -q "^attend $2: .*File too large" <<<"$said" || fail "'$*' beyond the limit said '$said'"
}
mkdir "$work/limit"
train=("$ATTEND" train --train-src "$work/tiny.hi" --train-tgt "$work/tiny.en" --model "$work/limit/m" --tokenizer spaces
    --hidden 16 --max-updates 4 --threads 1)
limited 1 "${train[@]}" # the text that is kept on disk
limited 60 "${train[@]}" --emb 64
equal "files after the limit" "$(ls "$work/limit")" ""
limited 1 "$ATTEND" convert --int8 --model "$model" --output "$work/limit/int8"
# The thread sanitizer writes its own file before main.
if [[ $(nm -D "$ATTEND") != *__tsan_init* ]]; then
    limited 0 "$ATTEND" translate --model "$model" --input "$work/in" --output "$work/out"
    limited 0 "$ATTEND" plot --model "$model" "mai ghar" --output "$work/limit/picture.svg"
fi
equal "files after the limit" "$(ls "$work/limit")" ""

# ---- A model behind a symbolic link: the link stays, its target is written ----

mkdir "$work/store" "$work/links.d"
ln -s ../store/real "$work/links.d/m"
small=(--train-src "$work/tiny.hi" --train-tgt "$work/tiny.en" --split none --tokenizer spaces --emb 8 --hidden 12 --threads 1)
"$ATTEND" train "${small[@]}" --model "$work/links.d/m" --max-updates 3 2>/dev/null || fail "train through a link that leads nowhere yet"
[ -L "$work/links.d/m" ] || fail "training replaced the link"
cmp "$work/store/real" "$model" || fail "the model is not where the link leads"
equal "files beside the link" "$(cd "$work/links.d" && echo *)" "m m.ckpt"
equal "files beside the model" "$(cd "$work/store" && echo *)" "real"
"$ATTEND" train "${small[@]}" --model "$work/links.d/m" --max-updates 6 --resume 2>/dev/null || fail "resume through a link"
[ -L "$work/links.d/m" ] || fail "resuming replaced the link"
(
    flock -n 9 # another training of the same model, by its own name
    refused 2 "real.lock: is locked by another" "$ATTEND" train "${small[@]}" --model "$work/links.d/m" --overwrite
) 9>"$work/store/real.lock"
ln -s real "$work/store/int8"
rm "$work/store/real"
"$ATTEND" convert --int8 --model "$model" --output "$work/store/int8" || fail "convert through a link"
[ -L "$work/store/int8" ] || fail "convert replaced the link"
"$ATTEND" info --model "$work/store/real" | matches int8 || fail "the conversion is not where the link leads"
ln -s loop "$work/links.d/loop"
refused 1 "loop: cannot be opened: Too many levels" "$ATTEND" train "${small[@]}" --model "$work/links.d/loop"
ln -s /no/such/folder/m "$work/links.d/lost"
refused 1 "lost: cannot be written: No such file" "$ATTEND" train "${small[@]}" --model "$work/links.d/lost"

# ---- A file that one setting writes and another names too: refused before anything happens ----

mkdir "$work/twice"
cd "$work/twice"
cp "$work/tiny.hi" "$work/tiny.en" "$work/in" .
cp "$model" model
ln -s model soft.svg
ln model hard.svg
ln -s not-yet to-come
echo "hidden: 12" >config.yaml
sums() { ls -l && sha256sum tiny.hi tiny.en in model config.yaml; }
sums >"$work/sums"
same="is the same file as"
train=("$ATTEND" train --train-src tiny.hi --train-tgt tiny.en)
refused 2 "--log $same --model, new" "${train[@]}" --model new --log new
refused 2 "--log $same --model, new" "${train[@]}" --model new --log ../twice/new
refused 2 "--log $same --model, not-yet" "${train[@]}" --model not-yet --log to-come
refused 2 "--log $same --model, model" "${train[@]}" --model model --log soft.svg --overwrite
refused 2 "--log $same --model, model" "${train[@]}" --model model --log hard.svg --resume
refused 2 "--log $same the one that goes with --model, new.ckpt" "${train[@]}" --model new --log new.ckpt
refused 2 "--log $same the one that goes with --model, new.lock" "${train[@]}" --model new --log ./new.lock
refused 2 "--train-src $same --log" "${train[@]}" --model new --log ./tiny.hi
refused 2 "--train-tgt $same --model" "${train[@]}" --model tiny.en --overwrite
refused 2 "--valid-src $same --log" "${train[@]}" --model new --log in --valid-src in --valid-tgt tiny.en
refused 2 "--config $same --log" "${train[@]}" --model new --log config.yaml --config config.yaml
refused 2 "--init-from $same --log" "${train[@]}" --model new --log model --init-from model
refused 2 "--model $same --output" "$ATTEND" translate --model model --output hard.svg --input in
refused 2 "--input $same --output" "$ATTEND" translate --model model --output ./in --input in
refused 2 "--model $same --output" "$ATTEND" convert --int8 --model model --output soft.svg
refused 2 "--model $same --output" "$ATTEND" plot --model model --output soft.svg "mai ghar"
refused 2 "--model $same --output" "$ATTEND" explain --model model --output soft.svg "mai ghar"
refused 2 "--hyp $same --output" "$ATTEND" eval --hyp soft.svg --ref in --by-length 5 --src in --output hard.svg
refused 2 "--model $same --access-log" "$ATTEND" serve --model in --model model --access-log model
refused 2 "--api-keys $same --access-log" "$ATTEND" serve --model model --api-keys in --access-log in
status=0
# shellcheck disable=SC2094 # this is what is refused
"$ATTEND" translate --model model --output in <in 2>"$work/stderr" || status=$?
equal "exit code with the input as output" "$status" 2
equal "files after all that" "$(sums)" "$(cat "$work/sums")"
# Devices may be given twice. A run may start from the model that it replaces.
"$ATTEND" translate --model model --input /dev/null --output /dev/null || fail "/dev/null twice"
"$ATTEND" train --train-src tiny.hi --train-tgt tiny.en --model model --init-from model --overwrite --max-updates 1 --threads 1 \
    --log /dev/null 2>"$work/stderr" || fail "a model that begins with itself: $(cat "$work/stderr")"
