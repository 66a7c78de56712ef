#!/usr/bin/env bash
# --precision bf16: trains where the processor can, resumes to the same bytes, and is refused in one line elsewhere.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

head -n 1000 "$demo/train.hi" >"$work/train.hi"
head -n 1000 "$demo/train.en" >"$work/train.en"
head -n 50 "$demo/valid.hi" >"$work/valid.hi"
head -n 50 "$demo/valid.en" >"$work/valid.en"
files=(--train-src "$work/train.hi" --train-tgt "$work/train.en" --valid-src "$work/valid.hi" --valid-tgt "$work/valid.en")
args=("${files[@]}" --tokenizer spaces --emb 16 --hidden 25 --batch-tokens 150 --dropout 0.2 --threads 2 --max-epochs 2)
needs="--precision bf16 needs a processor with AVX512_BF16 and the SIMD level avx512; leave it out"

refused 2 "invalid value 'half' for --precision|--precision.*half" "$ATTEND" train "${args[@]}" --model "$work/no" --precision half
refused 2 "$needs" env ATTEND_SIMD=plain "$ATTEND" train "${args[@]}" --model "$work/no" --precision bf16
refused 2 "$needs" env ATTEND_SIMD=plain "$ATTEND" bench --no-peak --precision bf16
for file in no no.ckpt; do
    [ ! -e "$work/$file" ] || fail "a refused training wrote $file"
done

if ! grep -qw avx512_bf16 /proc/cpuinfo || [ "${ATTEND_SIMD:-avx512}" != avx512 ]; then
    refused 2 "$needs" "$ATTEND" train "${args[@]}" --model "$work/no" --precision bf16
    exit 0
fi

# train MODEL FLAGS...
train() {
    local model=$1
    shift
    "$ATTEND" train "${args[@]}" --model "$work/$model" "$@" 2>"$work/log" || fail "$(cat "$work/log")"
}
train float
train whole --precision bf16
if cmp -s "$work/float" "$work/whole"; then fail "bf16 makes no difference"; fi
"$ATTEND" info --model "$work/whole" --config | matches '^precision: bf16$' || fail "the model does not record its precision"

# Stopped in the middle and resumed: the same bytes.
train parts --precision bf16 --max-updates 31
train parts --precision bf16 --resume
cmp "$work/whole" "$work/parts" || fail "another model after resuming"
cmp "$work/whole.ckpt" "$work/parts.ckpt" || fail "another checkpoint after resuming"

# Without a word, another precision is another run; --resume goes on with it, as on a machine without bf16.
train other --precision bf16 --max-updates 31
refused 2 "its \`precision\` is bf16, not float; use --resume|precision.* is bf16, not float" "$ATTEND" train "${args[@]}" --model "$work/other" --max-updates 31
ATTEND_SIMD=avx2 train other --resume

# The model is one of floats and runs at every level.
ATTEND_SIMD=avx2 "$ATTEND" translate --model "$work/whole" --input "$work/valid.hi" --output "$work/out" 2>"$work/log" || fail "$(cat "$work/log")"
