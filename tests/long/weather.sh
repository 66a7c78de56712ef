#!/usr/bin/env bash
# Changes in the environment while the program runs: a disk that fills up, limits on files, a clock that runs backward,
# a corpus and a model that are replaced or truncated:
#     ATTEND=build/attend tests/long/weather.sh
# The full disk is a small file system, which only root can mount. tests/cli/18-weather.sh runs it too.
set -euo pipefail
: "${ATTEND:?the program}"
ATTEND=$(cd "$(dirname "$ATTEND")" && pwd)/$(basename "$ATTEND")
build=$(dirname "$ATTEND")
demo=$(cd "$(dirname "$0")/../../demo" && pwd)
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0 # the clock must be loaded before a sanitizer
work=$(mktemp -d)
child=''
mounted=''
end() {
    [ -z "$child" ] || kill -KILL "$child" 2>/dev/null || true
    [ -z "$mounted" ] || umount "$work/disk"
    rm -rf "$work"
}
trap end EXIT
fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# refused PATTERN COMMAND...: exit code 1, and one error line that matches.
refused() {
    local pattern=$1 code=0
    shift
    "$@" >"$work/stdout" 2>"$work/stderr" </dev/null || code=$?
    [ "$code" = 1 ] || fail "'$*' exited with $code: $(tail -n 3 "$work/stderr")"
    grep -qE "^attend( [a-z]+)?: .*$pattern" "$work/stderr" || fail "'$*' said $(tail -n 1 "$work/stderr"), not '$pattern'"
    [ "$(grep -cE '^attend( [a-z]+)?: ' "$work/stderr")" = 1 ] || fail "'$*' said more than one error line"
}
nothing_left() { # FOLDER
    [ -z "$(find "$1" -name '*.tmp' -o -name '*.lock' -o -name 'attend-*')" ] || fail "left behind: $(ls "$1")"
}

head -n 300 "$demo/train.hi" >"$work/train.hi"
head -n 300 "$demo/train.en" >"$work/train.en"
head -n 20 "$demo/valid.hi" >"$work/valid.hi"
head -n 20 "$demo/valid.en" >"$work/valid.en"
train() { # MODEL OPTION...
    "$ATTEND" train --train-src "$work/train.hi" --train-tgt "$work/train.en" --valid-src "$work/valid.hi" --valid-tgt \
        "$work/valid.en" --tokenizer spaces --emb 16 --hidden 24 --valid-every 3 --max-updates 9 --average 2 --threads 2 \
        --model "$@"
}
train "$work/whole" 2>/dev/null
size=$(stat -c %s "$work/whole.ckpt")

# ---- A full disk ----
if [ "$(id -u)" = 0 ] && mkdir "$work/disk" && mount -t tmpfs -o size=64m none "$work/disk" 2>/dev/null; then
    mounted=1
    # Room for one checkpoint but not two; for a model but no checkpoint; for half a model.
    for room in $((3 * size / 2)) $((size / 2)) $((size / 6)); do
        rm -rf "${work:?}"/disk/*
        head -c $((64 * 1024 * 1024 - room)) /dev/zero >"$work/disk/filler"
        refused "No space left" train "$work/disk/m"
        nothing_left "$work/disk"
        rm "$work/disk/filler"
        train "$work/disk/m" 2>/dev/null || fail "with room again it does not resume"
        cmp "$work/whole" "$work/disk/m" || fail "a full disk: another model"
        cmp "$work/whole.ckpt" "$work/disk/m.ckpt" || fail "a full disk: another checkpoint"
    done
    head -c 64M /dev/zero >"$work/disk/filler" 2>/dev/null || true
    refused "No space left" "$ATTEND" convert --model "$work/whole" --int8 --output "$work/disk/converted"
    [ ! -e "$work/disk/converted" ] || fail "half of a converted model"
    refused "No space left" "$ATTEND" translate --model "$work/whole" --input "$work/valid.hi" --output "$work/disk/out"
    refused "No space left" "$ATTEND" plot --model "$work/whole" --output "$work/disk/out.svg" "mai ghar"
    nothing_left "$work/disk"
    umount "$work/disk"
    mounted=
else
    echo "skipped: a full disk (not root, or no mounts here)"
fi

# ---- A limit on the size of files, as a quota is; in KiB ----
mkdir "$work/limit"
limited() { (ulimit -f $((size / 2048)) && "$@"); }
refused "File too large" limited train "$work/limit/m"
nothing_left "$work/limit"
train "$work/limit/m" 2>/dev/null
cmp "$work/whole" "$work/limit/m" || fail "a limit on files: another model"

# ---- A clock that goes back an hour at each reading ----
LD_PRELOAD=$build/attend_clock.so train "$work/back" --log "$work/back.log" 2>/dev/null || fail "a clock that is set back"
cmp "$work/whole" "$work/back" || fail "a clock that is set back: another model"
cmp "$work/whole.ckpt" "$work/back.ckpt" || fail "a clock that is set back: another checkpoint"
"$ATTEND" plot --log "$work/back.log" >/dev/null || fail "the log of a clock that is set back"
"$ATTEND" translate --model "$work/whole" <"$work/valid.hi" >"$work/usual" 2>/dev/null
LD_PRELOAD=$build/attend_clock.so "$ATTEND" translate --model "$work/whole" <"$work/valid.hi" 2>/dev/null | cmp - "$work/usual" ||
    fail "translate with a clock that is set back"

# ---- A corpus that is replaced or truncated: training uses what it has read ----
mkfifo "$work/slow"
cp "$work/train.hi" "$work/keep.hi"
# Training reads its source from a pipe; the target file is truncated before the last line arrives.
"$ATTEND" train --train-src "$work/slow" --train-tgt "$work/train.en" --tokenizer spaces --emb 4 --hidden 4 --max-updates 2 \
    --threads 1 --model "$work/cut" 2>"$work/stderr" &
child=$!
exec 3>"$work/slow"
head -n 100 "$work/keep.hi" >&3
cp "$work/train.en" "$work/keep.en"
head -n 50 "$work/keep.en" >"$work/train.en"
tail -n +101 "$work/keep.hi" >&3
exec 3>&-
code=0
wait "$child" || code=$?
child=
# Both outcomes of the race are correct: all was read before the cut, or the files do not match.
[ "$code" = 0 ] || [ "$(grep -c '^attend train: ' "$work/stderr")" = 1 ] || fail "a corpus cut short: $(cat "$work/stderr")"
[ "$code" -le 1 ] || fail "a corpus cut short: exit code $code"
cp "$work/keep.en" "$work/train.en"
# Replaced after training has started: the model is the same.
train "$work/replaced" --max-updates 200 --log "$work/replaced.log" 2>"$work/stderr" &
child=$!
for _ in $(seq 500); do
    ! grep -qs '"event":"start' "$work/replaced.log" || break
    sleep 0.02
done
echo "another text" >"$work/train.hi"
: >"$work/train.en"
wait "$child" || fail "a corpus replaced under way: $(cat "$work/stderr")"
child=
cp "$work/keep.hi" "$work/train.hi"
cp "$work/keep.en" "$work/train.en"
train "$work/undisturbed" --max-updates 200 2>/dev/null
cmp "$work/undisturbed" "$work/replaced" || fail "a corpus replaced under way: another model"

# ---- A model that is replaced while it translates ----
# under_way CHANGE: translates a first line, changes the model by the command, and gives the rest; exit code in $code.
under_way() {
    cp "$work/whole" "$work/model"
    mkfifo "$work/in"
    "$ATTEND" translate --model "$work/model" --batch-sentences 1 <"$work/in" >"$work/out" 2>"$work/stderr" &
    child=$!
    exec 3>"$work/in"
    for _ in $(seq 500); do # until the model is mapped
        ! grep -qs "$work/model" "/proc/$child/maps" || break
        sleep 0.02
    done
    sleep 0.2 # the model is most likely loaded by now; if not, the same must hold
    "$@"
    cat "$work/valid.hi" >&3
    exec 3>&-
    code=0
    wait "$child" || code=$?
    child=
    rm "$work/in"
}
replace() { cp "$work/undisturbed" "$work/new" && mv "$work/new" "$work/model"; }
remove() { rm "$work/model"; }
cut() { : >"$work/model"; }
for change in replace remove; do
    under_way "$change"
    [ "$code" = 0 ] || fail "a model under way: $change: $(cat "$work/stderr")"
    cmp "$work/usual" "$work/out" || fail "a model under way: $change: another translation"
done
under_way cut
if [ "$code" != 0 ] || ! cmp -s "$work/usual" "$work/out"; then
    [ "$code" = 1 ] || fail "a model cut short under way: exit code $code"
    grep -q '^attend: .*cut short while it was in use' "$work/stderr" || fail "a model cut short: $(cat "$work/stderr")"
fi

# The server keeps models in its own memory.
if [ -e "$build/attend-serve.so" ] && command -v curl >/dev/null; then
    cp "$work/whole" "$work/model"
    "$ATTEND" serve --port 0 --model "$work/model" --name m --access-log /dev/null 2>"$work/notes" &
    child=$!
    for _ in $(seq 500); do
        url=$(sed -n 's|.*serving at \(http://127.0.0.1:[0-9]*\)/.*|\1|p' "$work/notes")
        [ -z "$url" ] || break
        sleep 0.02
    done
    ask() { curl -sS -m 60 -H 'Content-Type: application/json' --data-binary '{"q":"mai ghar","model":"m"}' "$url/translate"; }
    first=$(ask)
    : >"$work/model"
    [ "$(ask)" = "$first" ] || fail "a served model cut short: $(ask)"
    kill -HUP "$child" # and a file that is not a model is not loaded
    for _ in $(seq 500); do
        ! grep -q "keeping the models that were loaded before" "$work/notes" || break
        sleep 0.02
    done
    [ "$(ask)" = "$first" ] || fail "after a reload of a cut model: $(ask)"
    kill -TERM "$child"
    wait "$child" || fail "the server ended with $?"
    child=
fi
echo "full disk, limits, clock, corpus and model: all passed"
