#!/usr/bin/env bash
# The benchmark runs and its figures fit together. How large they are is nobody's test.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
if [ -n "${ATTEND_QUICK:-}" ]; then
    echo "skipped: a sanitizer makes the measured peak meaningless"
    exit 77
fi
"$ATTEND" bench --emb 8 --hidden 12 --vocab 30 --batch-sentences 4 --length 3 --updates 4 --threads 2 \
    --attention general --placement luong >"$work/out"
for line in '^threads +2$' '^own product +[0-9.]+ GFLOP/s' '^training +[0-9]+ tokens/s' '^reached +[0-9.]+ GFLOP/s' \
    '^  decoder backward +[0-9.]+ ms'; do
    grep -qE "$line" "$work/out" || fail "'$line' is not in: $(cat "$work/out")"
done
# The stages are parts of the update.
awk '/ ms .*%$/ { sum += $(NF - 1) } END { exit !(sum > 30 && sum < 101) }' "$work/out" ||
    fail "the stages do not add up: $(cat "$work/out")"
refused 2 "go together" "$ATTEND" bench --src x
refused 2 "\-\-heads goes with" "$ATTEND" bench --heads 2 --updates 1
