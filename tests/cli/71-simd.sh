#!/usr/bin/env bash
# ATTEND_SIMD forces a SIMD level of the program; what is computed is the same but for rounding. The same binary runs on
# processors without AVX.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

refused 2 "ATTEND_SIMD: there is no SIMD level 'sse9'; the levels are plain, avx2 and avx512" env ATTEND_SIMD=sse9 "$ATTEND" --version
refused 2 "there is no SIMD level '0'" env ATTEND_SIMD=0 "$ATTEND" --version
ATTEND_SIMD='' "$ATTEND" --version >/dev/null || fail "an empty ATTEND_SIMD is refused"

# ---- Every level of this processor translates alike ----
tiny_model "$work/tiny"
"$ATTEND" convert --model "$work/tiny" --int8 --output "$work/tiny8" 2>/dev/null
head -n 30 "$work/tiny.hi" >"$work/in"
head -n 30 "$work/tiny.en" >"$work/out"
# scores PROGRAM...: the log-probabilities of 30 pairs, of the float and of the int8 model.
scores() {
    for model in tiny tiny8; do
        "$@" score --model "$work/$model" --src "$work/in" --tgt "$work/out" --threads 1 | cut -f1
    done
}
ATTEND_SIMD=plain scores "$ATTEND" >"$work/plain"
equal "scores" "$(wc -l <"$work/plain")" 60
# alike NAME: the scores in that file are those of plain C, up to 1 in 200 (int8 rounds its inputs; the model is untrained).
alike() {
    paste "$work/plain" "$work/$1" | awk '{ d = $1 - $2; if (d < 0) d = -d; s = $1 < 0 ? -$1 : $1; if (!(d <= s / 200)) { print; bad = 1 } }
        END { exit bad || NR != 60 }' || fail "$1 gives other scores than plain C"
}
for level in avx2 avx512; do
    if ATTEND_SIMD=$level "$ATTEND" --version >/dev/null 2>"$work/stderr"; then
        ATTEND_SIMD=$level scores "$ATTEND" >"$work/$level"
        alike "$level"
    else
        matches "this processor has no $level; its highest level is" <"$work/stderr" || fail "$(cat "$work/stderr")"
    fi
done

# ---- A processor without AVX, emulated (Debian: qemu-user or qemu-user-static) ----
file=$(readlink -f "$ATTEND")
emulator=$(command -v qemu-x86_64 || command -v qemu-x86_64-static || true)
if [ "$(uname -m)" != x86_64 ] || [ -z "$emulator" ] || [ -n "${ATTEND_QUICK:-}" ]; then
    echo "the levels of this processor are alike; without qemu-user there is no older one"
    exit 0
fi
old=("$emulator" -cpu qemu64 "$file")
refused 2 "this processor has no avx2; its highest level is plain" env ATTEND_SIMD=avx2 "${old[@]}" --version
translate() { head -n 5 "$work/in" | "$@" translate --model "$work/$model" --max-length 1 2>/dev/null; }
for model in tiny tiny8; do
    ATTEND_SIMD=plain translate "$ATTEND" >"$work/here"
    translate "${old[@]}" | cmp - "$work/here" || fail "an old processor translates differently with $model"
done
scores "${old[@]}" >"$work/emulated"
cmp "$work/plain" "$work/emulated" || fail "an old processor computes other numbers than ATTEND_SIMD=plain"
