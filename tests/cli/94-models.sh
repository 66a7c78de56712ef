#!/usr/bin/env bash
# Ready models: the list, finding a model by name, and what the cards in models/ promise.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
models=$ATTEND_SOURCE/models
unset ATTEND_MODELS
ready=$(basename -s .safetensors "$models"/*.safetensors)

# ---- The folders and what is in them ----

mkdir -p "$work/one" "$work/two/folder.safetensors" "$work/here"
toy=$ATTEND_SOURCE/tests/data/model-v1.safetensors
cp "$toy" "$work/one/reverse.safetensors"
cp "$toy" "$work/one/bare.safetensors"
printf '# reverse\n\nReverses letters,\nup to four.\n\n| | |\n|---|---|\n| languages | xx |\n| figure | all right |\n\nAnd more.\n' >"$work/one/reverse.md"
cp "$toy" "$work/two/other.safetensors"
cp "$toy" "$work/two/reverse.safetensors" # hidden by the first folder
printf 'not a model' >"$work/two/notes.txt"
export ATTEND_MODELS=$work/one::$work/missing:$work/two

equal "the names" "$("$ATTEND" models --names | grep -vxF "$ready")" \
    "$(printf 'bare\nother\nreverse')"
"$ATTEND" models >"$work/list"
grep -qE '^reverse +0\.[0-9]+ MB  xx .*  all right .*  Reverses letters, up to four\.$' "$work/list" || fail "$(cat "$work/list")"
grep -qE '^bare +0\.[0-9]+ MB .*\(no card\)$' "$work/list" || fail "$(cat "$work/list")"
equal "a card" "$("$ATTEND" models reverse)" "$(cat "$work/one/reverse.md")"
equal "a model without a card" "$("$ATTEND" models bare)" "$work/one/bare.safetensors"
"$ATTEND" models --json >"$work/json"
for part in '"name":"reverse","path":"'"$work"'/one/reverse.safetensors","bytes":'"$(stat -c %s "$toy")" \
    '"summary":"Reverses letters, up to four.","facts":{"languages":"xx","figure":"all right"}' \
    '"folders":\["'"$work/one"'","'"$work/missing"'","'"$work/two"'","'; do
    matches -- "$part" <"$work/json" || fail "no $part in $(cat "$work/json")"
done
"$ATTEND" models reverse --json | matches '^{"name":"reverse",.*"card":"# reverse\\n\\nReverses letters,\\nup' || fail "the JSON of a card"
refused 1 "no model 'revers'; did you mean 'reverse'\? \(looked in $work/one, $work/missing, $work/two, " "$ATTEND" models revers
refused 2 "--model is needed: a file, or the name of a ready model \(attend models\); see" "$ATTEND" translate hello
refused 2 "too many arguments" "$ATTEND" models reverse other

# A card that would disturb a terminal is not shown.
printf '# bare\n\nA \033[31mred card\n' >"$work/one/bare.md"
equal "a card with a control character" "$("$ATTEND" models bare)" "$work/one/bare.safetensors"

# ---- Every command finds a model by its name ----

cd "$work/here"
echo "a b c" >src
echo "c b a" >tgt
found() { # WHAT PATTERN COMMAND...
    local pattern=$2
    "$ATTEND" "${@:3}" >out 2>err || fail "$1: $(cat err)"
    matches -- "$pattern" <out || fail "$1: $(cat out)"
}
found translate '^c b a$' translate --model reverse "a b c"
found "an ensemble" '^c b a$' translate --model reverse --model other "a b c"
found "-m" '^c b a$' translate -m reverse "a b c"
found score '^-[0-9.]*' score --model reverse --src src --tgt tgt
found align '2-0' align --model reverse --reverse-model other --src src --tgt tgt
found plot 'c' plot --model reverse "a b c"
found explain 'c' explain --model reverse --steps "a b c"
found eval '^accuracy 100' eval --model reverse --src src --ref tgt --metric accuracy
found info 'parameters' info --model reverse
found trouble '' trouble --model reverse --src src --tgt tgt
found bench 'tokens' bench --model reverse --src src
"$ATTEND" convert --int8 --model reverse --output small.safetensors
found "a converted model" '^c b a$' translate --model small.safetensors "a b c"
refused 2 "is the same file as" "$ATTEND" convert --int8 --model reverse --output "$work/one/reverse.safetensors"
refused 1 "no model 'reverze'; did you mean 'reverse'\? \(looked in $work/one, " "$ATTEND" translate --model reverze x
refused 1 "no model 'revers'; did you mean 'reverse'" "$ATTEND" align --model revers --src src --tgt tgt
refused 1 "no model 'reverze'; did you mean" "$ATTEND" serve --port 0 --model reverze
refused 1 "no model 'rev'; did you mean 'reverse'\?" "$ATTEND" info --model rev
refused 1 "^attend info: ./reverse: cannot be opened" "$ATTEND" info --model ./reverse
refused 1 "^attend info: reverze.safetensors: cannot be opened" "$ATTEND" info --model reverze.safetensors
mkdir other # a folder is not a model
found "a name beside a folder" '^c b a$' translate --model other "a b c"
echo "not a model" >reverse # a file wins
refused 1 "^attend info: reverse: " "$ATTEND" info --model reverse
rm reverse

# ---- Where the program looks by itself ----

export ATTEND_MODELS=
mkdir -p "$work/bin" "$work/prefix/bin" "$work/prefix/share/attend/models"
ln -s "$ATTEND" "$work/bin/attend"
equal "through a link, a build folder finds the models of its source" "$("$work/bin/attend" models --names)" \
    "$ready"
cp "$ATTEND" "$work/prefix/bin/attend"
cp "$toy" "$work/prefix/share/attend/models/installed.safetensors"
ln -sf "$work/prefix/bin/attend" "$work/bin/attend"
if [ -z "${ATTEND_QUICK:-}" ]; then # a copy of the program finds no libraries of a sanitizer
    equal "through a link, an installed program finds its models" "$("$work/bin/attend" models --names)" installed
    equal "it works" "$("$work/bin/attend" translate --model installed "a b c")" "c b a"
    rm -r "$work/prefix/share"
    "$work/bin/attend" models >out 2>err
    matches "there are no models in $work/prefix/share/attend/models; ATTEND_MODELS" <err || fail "$(cat err)"
    [ ! -s out ] || fail "an empty list: $(cat out)"
fi

# ---- Completion offers the names ----

export ATTEND_MODELS=$work/one
PATH=$(dirname "$ATTEND"):$PATH
"$ATTEND" completion bash >"$work/bash"
complete_line() { # WORD...
    # shellcheck disable=SC2016
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _attend; printf "%s\n" "${COMPREPLY[@]}"' \
        - "$work/bash" "$@"
}
equal "bash: the names" "$(complete_line attend translate --model rev)" reverse
equal "bash: names and files" "$(complete_line attend info --model s | sort)" "$(printf 'small.safetensors\nsrc')"
equal "bash: cards" "$(complete_line attend models rev)" reverse
equal "bash: a model to write" "$(complete_line attend train --model rev)" ""
"$ATTEND" completion zsh >"$work/zsh"
matches -- "--model=.*:MODEL:_attend_models'" <"$work/zsh" || fail "zsh does not offer the names"
"$ATTEND" completion fish >"$work/fish"
if command -v fish >/dev/null; then
    # shellcheck disable=SC2016
    equal "fish: the names" "$(HOME=$work fish -N -c 'source $argv[1]; complete -C "attend translate --model rev"' "$work/fish" | cut -f1)" reverse
fi

# ---- The ready models do what their cards say ----

# `attend` in the cards is the program.
ln -sf "$ATTEND" "$work/bin/attend"
PATH=$work/bin:$PATH

unset ATTEND_MODELS
blocks=$work/blocks
mkdir "$work/cards" # where the commands of the cards are run, with the files that they name
ln -s "$models" "$work/cards/models"
cd "$work/cards"
total=0
for card in "$models"/*.md; do
    name=$(basename "$card" .md)
    [ "$name" != README ] || continue
    [ -s "$models/$name.safetensors" ] || fail "$card has no model"
    total=$((total + $(stat -c %s "$models/$name.safetensors")))
    for fact in languages figure "test set" data license command seed; do
        grep -q "^| $fact | ." "$card" || fail "$card does not say its $fact"
    done
    grep -q '^## Limits$' "$card" || fail "$card does not say its limits"
    "$ATTEND" info --model "$name" | matches 'int8$' || fail "$name is not in int8"
    # The blocks of the card: a command, a blank line, and what it prints.
    rm -rf "$blocks" && mkdir "$blocks"
    awk -v blocks="$blocks/" '
        /^    attend / { n++; print substr($0, 5) > (blocks n ".command"); on = n; next }
        /^    / && on { print substr($0, 5) > (blocks on ".wanted"); next }
        /./ { on = 0 }' "$card"
    [ -e "$blocks/1.command" ] || fail "$card has no example"
    for command in "$blocks"/*.command; do
        bash "$command" >"$work/out" 2>"$work/err" || fail "$name: $(cat "$command" "$work/err")"
        equal "$name: $(cat "$command")" "$(cat "$work/out")" "$(cat "${command%.command}.wanted")"
    done
done
for file in "$models"/*.safetensors; do
    [ -s "${file%.safetensors}.md" ] || fail "$file has no card"
    grep -q "^$(basename "$file" .safetensors):" "$models/Makefile" || fail "models/Makefile does not make $file"
done

# Pronunciation: capitals do not matter, and what the model cannot know is named.
"$ATTEND" translate --model english-pronunciation hello Hello HELLO "don't" >"$work/out" 2>"$work/err"
equal "a word in any case" "$(sort "$work/out" | uniq -c | sort -rn | sed -n '1s/^ *//p')" "3 HH EH L OW"
matches "1 line .* unknown to the model: ' (line 4)" <"$work/err" || fail "$(cat "$work/err")"

[ "$total" -gt 2000000 ] || fail "the ready models have only $total bytes"
[ "$total" -lt 12000000 ] || fail "the ready models have $total bytes"
echo "$total bytes of models"

# ---- README's pictures ----

# A sanitizer's build rounds the attention in another way.
if [ -z "${ATTEND_QUICK:-}" ] && command -v python3 >/dev/null; then
    python3 -B "$ATTEND_SOURCE/tools/record_terminal.py" --check || fail "the picture of the terminal is old"
    python3 -B "$ATTEND_SOURCE/tools/draw_badges.py" --check || fail "the badges are old"
fi
