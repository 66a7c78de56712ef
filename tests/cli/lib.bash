# What the scripts here share. ATTEND is the program, ATTEND_SOURCE the project's folder.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
demo=$ATTEND_SOURCE/demo

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# equal WHAT GOT WANTED
equal() { [ "$2" = "$3" ] || fail "$1: got '$2', wanted '$3'"; }

# refused CODE PATTERN COMMAND...: the command exits with CODE and says one line on stderr that matches PATTERN.
refused() {
    local code=$1 pattern=$2 got=0
    shift 2
    "$@" >"$work/stdout" 2>"$work/stderr" </dev/null || got=$?
    [ "$got" = "$code" ] || fail "'$*' exited with $got, not $code: $(cat "$work/stderr")"
    [ "$(wc -l <"$work/stderr")" = 1 ] || fail "'$*' did not say exactly one line: $(cat "$work/stderr")"
    grep -qE -- "$pattern" "$work/stderr" || fail "'$*' said '$(cat "$work/stderr")', not '$pattern'"
}

# choices OPTION: the names that an option of `train` takes.
choices() {
    "$ATTEND" train --help | tr -s '\n ' ' ' | sed "s/.*--$1 NAME [^:]*: \([^(]*\) (default.*/\1/" | tr -d ,
}

# A small model that has learnt next to nothing but has real words: quick, and enough for whatever does not judge quality.
tiny_model() { # FILE
    head -n 400 "$demo/train.hi" >"$work/tiny.hi"
    head -n 400 "$demo/train.en" >"$work/tiny.en"
    "$ATTEND" train --train-src "$work/tiny.hi" --train-tgt "$work/tiny.en" --model "$1" --tokenizer spaces --emb 8 --hidden 12 \
        --max-updates 3 --threads 1 2>"$work/log" || fail "$(cat "$work/log")"
}
