#!/usr/bin/env bash
# A model of format version 1 must always load: this one reverses up to four letters.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
model=$ATTEND_SOURCE/tests/data/model-v1.safetensors
printf 'a b c\nh g f e\nd e\nb b a\n' >"$work/in"
equal "the golden model's translations" "$("$ATTEND" translate --model "$model" <"$work/in" | paste -sd/)" \
    "c b a/e f g h/e d/a b b"
"$ATTEND" info --model "$model" >"$work/info"
grep -qE '^hidden +12$' "$work/info" || fail "info: $(cat "$work/info")"
equal "checksum of the file in the tests" "$(cksum <"$model")" "341688964 19002"
