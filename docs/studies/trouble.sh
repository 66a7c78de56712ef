#!/usr/bin/env bash
# The figures of "Trouble" in docs/metrics.md, on the demo: run demo/run.sh first. Two words of every fifth line are deleted
# and two words of every other fifth line are doubled; then sentences of a model that has hardly learnt are sorted.
set -euo pipefail
cd "$(dirname "$0")/../.."
attend=$PWD/build/attend
model=$PWD/build/demo/hindi-english.safetensors
out=$PWD/build/trouble
mkdir -p "$out"

# LINE SCORE SHORTAGE REPETITION of every sentence, worst first.
scores() { # MODEL SOURCE TARGET
    "$attend" trouble --model "$1" --src "$2" --tgt "$3" --limit 0 --json |
        sed 's/.*"line":\([0-9]*\),"score":\([^,]*\),"shortage":\([^,]*\),"repetition":\([^,]*\),.*/\1 \2 \3 \4/'
}

# How often a damaged line has more of a column than one that is whole: the area under the ROC curve.
auc() { # COLUMN KIND
    awk -v column="$1" -v kind="$2" '
        FNR == NR { damage[$1] = $2; next }
        { k = damage[$1]; if (k == kind) bad[++b] = $column; else if (k == "") good[++g] = $column }
        END { for (i = 1; i <= b; i++) for (j = 1; j <= g; j++) wins += bad[i] > good[j] ? 1 : bad[i] == good[j] ? 0.5 : 0
              printf "%s by %s: AUC %.3f (%d lines against %d)\n", kind, \
                     column == 2 ? "score" : column == 3 ? "shortage" : "repetition", wins / b / g, b, g }' \
        "$out/damage" "$out/scores"
}

for part in test valid; do
    awk -v log_file="$out/damage" '
        NF >= 5 && NR % 5 == 1 { at = NR % (NF - 2) + 1; $at = $(at + 1) = ""; $0 = $0; $1 = $1; print NR, "deleted" > log_file }
        NF >= 5 && NR % 5 == 3 { at = NR % (NF - 1) + 1; $at = $at " " $(at + 1) " " $at; print NR, "doubled" > log_file }
        { print }' "demo/$part.en" >"$out/damaged.en"
    scores "$model" "demo/$part.hi" "$out/damaged.en" >"$out/scores"
    echo "== demo/$part, $(wc -l <"$out/damage") of $(wc -l <"$out/scores") lines damaged"
    auc 2 deleted
    auc 3 deleted
    auc 2 doubled
    auc 3 doubled
    auc 4 doubled
    head -n 50 "$out/scores" | awk 'FNR == NR { damage[$1] = 1; next } $1 in damage { n++ }
        END { print n + 0, "of the worst 50 are damaged" }' "$out/damage" -
done

echo "== what a model says itself after 200 updates: the worst and the best tenth"
"$attend" train --train-src demo/train.hi --train-tgt demo/train.en --model "$out/young.safetensors" --overwrite --emb 64 \
    --hidden 128 --batch-tokens 500 --lr 0.003 --dropout 0.1 --max-updates 200 2>/dev/null
"$attend" translate --model "$out/young.safetensors" --input demo/test.hi --output "$out/young.en"
scores "$out/young.safetensors" demo/test.hi "$out/young.en" >"$out/scores"
for tenth in head tail; do
    $tenth -n 50 "$out/scores" | while read -r line _; do sed -n "${line}p" "$out/young.en" >&3; sed -n "${line}p" demo/test.en; done \
        3>"$out/tenth.en" >"$out/tenth.ref"
    "$attend" eval --metric chrf,accuracy --hyp "$out/tenth.en" --ref "$out/tenth.ref" | sed "s/^/$tenth: /"
done
