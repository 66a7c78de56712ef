#!/usr/bin/env bash
# A line in a pipe is answered when the input pauses; a person is prompted; arguments are lines.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
command -v python3 >/dev/null || exit 77
model=$work/model.safetensors
tiny_model "$model"
command=("$ATTEND" translate --model "$model")
translate() { "$ATTEND" translate --model "$model" --max-length 5 "$@" 2>"$work/said"; }

timeout 900 python3 -B "$(dirname "$0")/pipe.py" "$ATTEND" "$model" "$work"

# A fast program is not cut into small blocks: the same bytes as from a file, and many lines for each write.
for _ in 1 2 3 4; do cat "$work/tiny.hi"; done >"$work/many"
translate <"$work/many" >"$work/from-file"
# shellcheck disable=SC2002
cat "$work/many" | translate | cmp - "$work/from-file" || fail "a pipe changes the text"
gzip -c "$work/many" | translate | cmp - "$work/from-file" || fail "a pipe of gzip changes the text"
(head -c 5 "$work/many" && tail -c +6 "$work/many") | translate | cmp - "$work/from-file" || fail "a slow start changes the text"

# Arguments are lines.
printf 'mai ghar ja raha hoon\nkya tum\n' >"$work/two"
translate <"$work/two" >"$work/wanted"
translate "mai ghar ja raha hoon" "kya tum" </dev/null | cmp - "$work/wanted" || fail "arguments"
translate --scores -- "mai ghar ja raha hoon" "kya tum" | cmp - <(translate --scores <"$work/two") || fail "arguments after --"
translate - <"$work/two" | cmp - "$work/wanted" || fail "- is standard input"
equal "many arguments" "$(yes kya | head -n 3000 | xargs "$ATTEND" translate --model "$model" --max-length 1 2>"$work/said" | wc -l)" 3000
equal "an empty argument" "$(translate "")" ""
equal "--json" "$(translate --json '{"source":"kya tum"}')" "$(echo '{"source":"kya tum"}' | translate --json)"
refused 1 "argument:2: invalid UTF-8 at byte 2" "${command[@]}" mai $'g\xc3(' kya
refused 1 "argument:2 is not JSON" "${command[@]}" --json '{"source":"kya"}' kya
refused 2 "as arguments or a file by --input, not both" "${command[@]}" --input "$work/two" kya
refused 2 "two.txt is a file; did you mean --input .*two.txt\?" "${command[@]}" "$(mv "$work/two" "$work/two.txt" && echo "$work/two.txt")"
refused 2 "is a model; did you mean --model $model\?" "$ATTEND" translate "$model"
refused 2 "is a model; --model takes one file each time" "$ATTEND" translate --model "$model" "$model"
