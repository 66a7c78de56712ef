#!/usr/bin/env bash
# The benchmarks run and their figures are consistent. No test depends on how large they are.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
if [ -n "${ATTEND_QUICK:-}" ]; then
    echo "skipped: a sanitizer makes the measured peak meaningless"
    exit 77
fi

# json FILE NAME: a number from a JSON object.
json() { sed -n "s/.*\"$2\":\([-0-9.e+]*\)[,}].*/\1/p" "$1"; }
# positive FILE NAME...: the numbers exist and are above 0.
positive() {
    local file=$1 name
    shift
    for name in "$@"; do
        awk -v x="$(json "$file" "$name")" 'BEGIN { exit !(x + 0 > 0) }' || fail "'$name' is not above 0 in: $(cat "$file")"
    done
}
# has FILE PATTERN...: each pattern matches a line.
has() {
    local file=$1 line
    shift
    for line in "$@"; do
        grep -qE -- "$line" "$file" || fail "'$line' is not in: $(cat "$file")"
    done
}

# ---- Training ----
small=(--emb 8 --hidden 12 --vocab 30 --batch-sentences 4 --length 3 --updates 4 --threads 2)
"$ATTEND" bench "${small[@]}" --attention general --placement luong >"$work/out"
has "$work/out" '^threads +2$' '^own product +[0-9.]+ GFLOP/s' '^training +[0-9]+ tokens/s' '^reached .*% of the peak' \
    '^  decoder backward +[0-9.]+ ms' '^memory +[0-9]+ MB'
# The stages are parts of the update.
awk '/ ms .*%$/ { sum += $(NF - 1) } END { exit !(sum > 30 && sum < 101) }' "$work/out" ||
    fail "the stages do not add up: $(cat "$work/out")"
"$ATTEND" bench "${small[@]}" --no-peak --json >"$work/out"
equal "lines of JSON" "$(wc -l <"$work/out")" 1
positive "$work/out" updates_per_second encoder_words_per_cpu_second target_tokens_per_second gflops decoder_forward peak_rss_mb
equal "peak that was left out" "$(json "$work/out" peak_own_gflops) $(json "$work/out" share_of_peak)" "0 0"

# ---- Translating ----
tiny_model "$work/tiny.safetensors"
head -n 40 "$demo/train.hi" >"$work/in"
"$ATTEND" bench --model "$work/tiny.safetensors" --src "$work/in" --repeats 2 --threads 1 >"$work/out"
has "$work/out" '^loading +[0-9.]+ ms' '^translating +[0-9.]+ sentences/s, [0-9]+ output' 'median of 2 ' '^one sentence +[0-9.]+ ms$'
"$ATTEND" bench --model "$work/tiny.safetensors" --src "$work/in" --batch-sentences 1 --beam 1 --threads 1 --json >"$work/out"
positive "$work/out" load_seconds sentences_per_second tokens_per_second ms_median ms_worst peak_rss_mb
equal "sentences" "$(json "$work/out" sentences) $(json "$work/out" passes) $(json "$work/out" beam)" "40 3 1"
# The tokens are those of the translations, without </s>.
golden=$ATTEND_SOURCE/tests/data/model-v1.safetensors
printf 'a b\nc d e\n\nf g h a\n' >"$work/letters"
"$ATTEND" bench --model "$golden" --src "$work/letters" --json >"$work/out"
"$ATTEND" translate --model "$golden" --input "$work/letters" >"$work/translated"
equal "output tokens" "$(json "$work/out" tokens)" "$(wc -w <"$work/translated")"

# ---- Products ----
"$ATTEND" bench --products --threads 1 --json --output "$work/products.svg" >"$work/out"
positive "$work/out" memory_bandwidth_gbs cache_bandwidth_gbs peak_own_gflops
equal "products" "$(grep -o '"packed_gflops":' "$work/out" | wc -l)" 11
has "$work/products.svg" '>GFLOP/s<' '>1024<' '>ours, packed<'

refused 2 "must be given together" "$ATTEND" bench --src x
refused 2 "\-\-heads needs --attention" "$ATTEND" bench --heads 2 --updates 1
refused 2 "needs --src" "$ATTEND" bench --model x
refused 2 "different benchmarks" "$ATTEND" bench --model x --src y --products
refused 2 "\-\-tgt does not go with --model" "$ATTEND" bench --model x --src y --tgt z
refused 2 "\-\-output needs --products" "$ATTEND" bench --output x.svg
refused 2 "ends in .svg, .png or .pdf" "$ATTEND" bench --products --output x.txt
: >"$work/empty"
refused 1 "no line to translate" "$ATTEND" bench --model "$work/tiny.safetensors" --src "$work/empty"
