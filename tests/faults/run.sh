#!/usr/bin/env bash
# Every allocation, read, write, fsync, rename, thread and socket call fails once in turn, in every command:
#     ATTEND=build/attend tests/faults/run.sh MOST [SCENARIO...]
# MOST is the number of calls of each kind that fail in each scenario, spread over their call paths; paths: one call of
# each path; every: every call.
#
# After a failed call there must be either an error line and exit code 1, or exit code 0 and exactly the output of an
# undisturbed run. There must be no crash, no partial file and no temporary file. A training run that failed is resumed
# and ends with the same bytes. A server answers 5xx, and the next request as usual. A sanitizer must find no leak and
# no invalid access.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
: "${ATTEND:?the program}"
most=${1:?MOST: a number, paths or every}
shift
ATTEND=$(cd "$(dirname "$ATTEND")" && pwd)/$(basename "$ATTEND")
build=$(dirname "$ATTEND")
injector=$build/attend_faults.so arm=$build/faults_arm
demo=$here/../../demo
if [[ $(nm -D "$ATTEND") == *__tsan_init* ]]; then
    echo "skipped: the thread sanitizer must be loaded before the injector"
    exit 77
fi
sanitized=$(nm -D "$ATTEND" | grep -c __asan_init)
# The injector is loaded before the sanitizer, which does not see the calls that it fails.
export ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1}:verify_asan_link_order=0:exitcode=99:detect_leaks=1
export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$here/../lsan.supp:print_suppressions=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}

work=$(mktemp -d)
server=
end() {
    [ -z "$server" ] || kill -KILL "$server" 2>/dev/null
    rm -rf "$work"
}
trap end EXIT
tried=0 bad=0

# ---- Scenarios: each in its own folder, whose files are compared with those of an undisturbed run ------------------

training=(train --train-src train.hi.gz --train-tgt train.en --valid-src valid.hi --valid-tgt valid.en --config train.yaml
    --average 2 --valid-every 2 --patience 0 --save-every 2 --log m.log --model m)
scenario_train() { inject "${training[@]}"; }
scenario_resume() { inject "${training[@]}" --resume --max-updates 6; }
scenario_subwords() {
    inject train --train pairs.tsv.zst --split 0.9,0.1 --tokenizer sentencepiece --vocab-size 60 --subword-sampling 0.1 \
        --emb 4 --hidden 5 --max-updates 3 --threads 2 --shuffle-window 1 --model m
}
scenario_translate() { inject translate --model model --input valid.hi --output out --alignment json --beam 3 --nbest 2 --threads 2; }
scenario_controlled() {
    inject translate --model model --input valid.hi.gz --alignment soft --words --require "a film" --ban the --lexicon lexicon \
        --unk-replace --threads 1
}
scenario_convert() { inject convert --model model --int8 --output out; }
scenario_score() { inject score --model subwords --src valid.hi --tgt valid.en; }
scenario_align() { inject align --model model --src valid.hi --tgt valid.en --words; }
scenario_eval() { inject eval --hyp valid.hi --ref valid.en --metric bleu,chrf,ter,rougel --resamples 20; }
scenario_plot() { inject plot --model model --output out.svg "mai ghar ja raha hoon"; }
scenario_page() { inject plot --model model --src valid.hi --output out.html; }
scenario_curves() { inject plot --log m.log --output out.svg; }
scenario_paint() { inject plot --model model --output out.png "mai ghar"; }
scenario_explain() { inject explain --model model "mai ghar ja raha hoon"; }
scenario_trouble() { inject trouble --model model --src valid.hi --tgt valid.en; }
scenario_info() { inject info --model subwords --config; }
scenarios=(train resume subwords translate controlled convert score align eval plot page curves paint explain trouble info serve)

# Runs the program in the folder of the case. Its output goes to ../stdout and ../stderr, its exit code to $code.
inject() {
    code=0
    timeout 120 env LD_PRELOAD="$injector" FAULTS="$work/faults" "$ATTEND" "$@" >../stdout 2>../stderr </dev/null || code=$?
}

# Make the inputs of all cases.
prepare() {
    local all=$work/files
    mkdir -p "$all"
    head -n 100 "$demo/train.hi" | gzip -n >"$all/train.hi.gz"
    head -n 100 "$demo/train.en" >"$all/train.en"
    head -n 5 "$demo/valid.hi" >"$all/valid.hi"
    head -n 5 "$demo/valid.en" >"$all/valid.en"
    gzip -nk "$all/valid.hi"
    paste <(head -n 60 "$demo/train.hi") <(head -n 60 "$demo/train.en") | zstd -q >"$all/pairs.tsv.zst"
    printf 'ghar\thome\nmai\tI\n' >"$all/lexicon"
    printf '%s\n' 'tokenizer: spaces' 'emb: 6' 'hidden: 7' 'batch-tokens: 300' 'max-updates: 4' 'threads: 2' \
        'log-every: 1' >"$all/train.yaml"
    (cd "$all" && "$ATTEND" "${training[@]}" --source-lang hi --target-lang en && mv m model && mv m.log model.log && rm m.ckpt &&
        "$ATTEND" train --train pairs.tsv.zst --tokenizer sentencepiece --vocab-size 60 --emb 4 --hidden 5 --max-updates 2 \
            --threads 1 --source-lang en --target-lang hi --model subwords && rm subwords.ckpt) 2>"$work/log" || { cat "$work/log"; exit 1; }
}

# begin SCENARIO: make a new folder for it
begin() {
    rm -rf "$work/case"
    cp -r "$work/files" "$work/case"
    cd "$work/case" || exit 1
    case $1 in
    resume) "$ATTEND" "${training[@]}" --max-updates 2 2>/dev/null ;;
    curves) mv model.log m.log ;;
    convert | translate) echo "what was there before" >out ;;
    esac
}

# ---- What must hold -------------------------------------------------------------------------------------------------

problem() { # SCENARIO KIND N WHAT
    bad=$((bad + 1))
    echo "FAILED: $1: $2 $3: $4"
    echo "    at $("$arm" "$work/faults" hit)"
    [ ! -s "$work/stderr" ] || tail -n 4 "$work/stderr" | cut -c 1-300 | sed 's/^/    | /'
}

# The error line; lines of progress do not start like this.
error_lines() { grep -E "^attend( [a-z]+)?: " "$work/stderr" | grep -vE "met the length limit|unknown to the model|than any source in training"; }

# may_stay KIND NAME: files that may be left if removing failed, and a lock whose holder cannot be determined
may_stay() {
    case "$1 $2" in
    unlink\ * | look\ *.lock | lock\ *.lock) return 0 ;;
    esac
    return 1
}

# The files of two folders that differ, except logs, which contain times. After a failed unlink a lock may be left.
differing() { # FOLDER FOLDER [KIND]
    local but=()
    [ "${3:-}" != unlink ] || but=(-x '*.lock')
    diff -rq -x '*.log' "${but[@]}" "$1" "$2"
}

check_message() {
    local line
    line=$(error_lines)
    [ "$(error_lines | wc -l)" = 1 ] || { echo "it printed $(error_lines | wc -l) error lines"; return; }
    grep -qE '^attend( [a-z]+)?: .{8}' <<<"$line" || echo "the message is empty"
    ! grep -qE 'Success|\(null\)|Interrupted' <<<"$line" || echo "the message gives no reason"
}

# Files are unchanged or complete; output lines may be written in part.
check_files() { # SCENARIO KIND
    local name
    for name in *; do
        case $name in
        *.tmp | *.lock | attend-??????) may_stay "$2" "$name" || echo "it leaves $name" ;;
        m | m.ckpt | m.log | m.keep-*) ;; # needed by resume
        *)
            cmp -s "$name" "$work/start/$name" || cmp -s "$name" "$work/clean/$name" || is_beginning "$name" ||
                echo "$name is neither the old nor the new one"
            ;;
        esac
    done
}

is_beginning() { [ "$1" = out ] && cmp -n "$(stat -c %s "$1")" -s "$1" "$work/clean/$1"; }

check_same() { # KIND
    differing . "$work/clean" "$1" || echo "the files differ from those of an undisturbed run"
    cmp -s ../stdout "$work/clean.stdout" || echo "it exited with 0, but the output differs"
}

# After any failure, a resumed run ends with the bytes of an undisturbed run.
check_resumed() { # SCENARIO
    "$arm" "$work/faults" memory 0
    "scenario_$1"
    [ "$code" = 0 ] || { echo "resuming exits with $code: $(error_lines)"; return; }
    differing . "$work/clean" || echo "the files differ after resuming"
}

# check SCENARIO KIND N
check() {
    local said=$code first
    "$arm" "$work/faults" hit >"$work/hit"
    {
        case $code in
        0) check_same "$2" ;;
        1) check_message && check_files "$1" "$2" ;;
        *) echo "exit code $code" ;;
        esac
        ! grep -E 'internal error|Sanitizer|runtime error|terminate called' ../stderr || echo "a bug"
    } >"$work/found"
    first=$(head -n 1 "$work/found")
    [ -z "$first" ] || { problem "$1" "$2" "$3" "$first (exit code $said)"; return; }
    case $1 in train | resume | subwords)
        [ "$said" = 0 ] || first=$(check_resumed "$1" | head -n 1)
        [ -z "$first" ] || problem "$1" "$2" "$3" "$first (exit code $said)"
        ;;
    esac
}

# ---- Which calls fail -----------------------------------------------------------------------------------------------

# picks KIND COUNT: the calls to fail, after a traced run
picks() {
    if [ "$most" = every ]; then
        seq "$2"
        return
    fi
    "$arm" "$work/faults" "$1" paths | awk -v most="$most" '
        { n[NR] = $1 }
        END {
            if (most == "paths" || NR <= most) most = NR
            for (i = 0; i < most; i++) print n[int(i * NR / most) + 1]
        }'
}

# The calls to fail, from the traced run: "KIND N" lines.
plan() {
    "$arm" "$work/faults" >"$work/counts"
    while read -r kind count; do
        # The sanitizer's operator new does not throw.
        [ "$kind" != new ] || [ "$sanitized" = 0 ] || continue
        picks "$kind" "$count" | sed "s/^/$kind /"
    done <"$work/counts"
}

run_scenario() { # NAME
    local before=$bad
    begin "$1"
    rm -rf "$work/start" "$work/clean"
    cp -r "$work/case" "$work/start"
    "$arm" "$work/faults" trace
    "scenario_$1"
    [ "$code" = 0 ] || { problem "$1" none 0 "exit code $code without a fault"; return; }
    cp -r "$work/case" "$work/clean"
    cp "$work/stdout" "$work/clean.stdout"
    plan >"$work/plan"
    while read -r kind number <&3; do
        begin "$1"
        "$arm" "$work/faults" "$kind" "$number"
        "scenario_$1"
        check "$1" "$kind" "$number"
        tried=$((tried + 1))
    done 3<"$work/plan"
    echo "$1: $(awk '{ printf "%s%s %d", sep, $1, $2; sep = ", " }' "$work/counts"); $(wc -l <"$work/plan") failed in turn, $((bad - before)) wrongly"
}

# ---- The server: one process, armed again for each request -----------------------------------------------------------

# shellcheck source=serve.bash
. "$here/serve.bash"

prepare
[ $# -gt 0 ] || set -- "${scenarios[@]}"
for name; do
    case $name in
    serve) run_server ;;
    paint) [ ! -e "$build/attend-paint.so" ] || run_scenario paint ;;
    *) run_scenario "$name" ;;
    esac
done
echo "$tried calls failed in turn, $bad of them wrongly"
[ "$bad" = 0 ]
