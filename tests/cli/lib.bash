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

# ... | matches [OPTIONS] PATTERN: like grep -q, but reads to the end. grep -q stops at the first match, and a program that
# writes more then fails, which pipefail takes for a mismatch.
matches() { [ "$(grep -c "$@")" != 0 ]; }

# refused CODE PATTERN COMMAND...: the command exits with CODE and says one line on stderr that matches PATTERN.
refused() {
    local code=$1 pattern=$2 got=0
    shift 2
    "$@" >"$work/stdout" 2>"$work/stderr" </dev/null || got=$?
    [ "$got" = "$code" ] || fail "'$*' exited with $got, not $code: $(cat "$work/stderr")"
    [ "$(wc -l <"$work/stderr")" = 1 ] || fail "'$*' did not say exactly one line: $(cat "$work/stderr")"
    grep -qE -- "$pattern" "$work/stderr" || fail "'$*' said '$(cat "$work/stderr")', not '$pattern'"
}

# choices OPTION [COMMAND]: the names that an option takes, of `train` unless another command is given.
choices() { "$ATTEND" completion bash | sed -n "s/^ *${2:-train}:--$1) words='\(.*\)' ;;/\1/p"; }

# A small model that has learned next to nothing but has real words: quick, and enough for whatever does not judge quality.
tiny_model() { # FILE
    head -n 400 "$demo/train.hi" >"$work/tiny.hi"
    head -n 400 "$demo/train.en" >"$work/tiny.en"
    "$ATTEND" train --train-src "$work/tiny.hi" --train-tgt "$work/tiny.en" --model "$1" --split none --tokenizer spaces --emb 8 --hidden 12 \
        --max-updates 3 --threads 1 2>"$work/log" || fail "$(cat "$work/log")"
}

# copy_source FOLDER: the files of a clone as they are now, without those that nobody has added.
copy_source() {
    mkdir "$1"
    (cd "$ATTEND_SOURCE" && git ls-files -z | while IFS= read -r -d '' file; do
        [ ! -e "$file" ] || printf '%s\0' "$file"
    done | xargs -0 cp --parents -t "$1")
}
