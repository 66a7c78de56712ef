#!/usr/bin/env bash
# Learning curves of training logs: terminal and SVG, one and several runs, files that are not logs.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
plot() { "$ATTEND" plot "$@"; }

# training_log FILE FLOOR METRIC: 300 updates whose loss falls to FLOOR, a validation after every 60.
training_log() {
    awk -v floor="$2" -v metric="$3" 'BEGIN {
        print "{\"event\":\"start\",\"time\":\"2026-11-16T00:30:00Z\",\"config\":{\"hidden\":12}}"
        for (u = 10; u <= 300; u += 10) {
            loss = floor + 6 * exp(-u / 40)
            printf "{\"event\":\"progress\",\"update\":%d,\"epoch\":1,\"loss\":%.4f,\"lr\":0.001}\n", u, loss
            if (u % 60 == 0)
                printf "{\"event\":\"validation\",\"update\":%d,\"loss\":%.4f,\"metric\":\"%s\",\"value\":%.2f,\"best\":%s}\n", \
                    u, loss + 0.2, metric, u <= 240 ? u / 10 : 20, u <= 240 ? "true" : "false"
        }
        print "{\"event\":\"end\",\"update\":300,\"reason\":\"patience\",\"best_update\":240}"
    }' >"$1"
}
training_log "$work/deep.jsonl" 2 bleu
training_log "$work/flat.jsonl" 3 bleu

# ---- In the terminal ----
plot --log "$work/deep.jsonl" --title "How it went" >"$work/term"
for text in "How it went" "loss (nats per token)" "bleu" "updates" "validation" "deep, best bleu 24.00 at 240"; do
    grep -qF "$text" "$work/term" || fail "'$text' is not in the terminal's picture"
done
equal "panels" "$(grep -c '└' "$work/term")" 2
if grep -q $'\033' "$work/term"; then fail "colors in a file"; fi
equal "standard input" "$(plot --log - <"$work/deep.jsonl" | grep -c 'standard input, best bleu 24.00 at 240')" 1

# ---- As SVG, several runs ----
plot --log "$work/deep.jsonl" --log="$work/flat.jsonl" --output "$work/x.svg" --title 'a < b'
grep -q '<svg' "$work/x.svg" || fail "no SVG"
grep -q 'a &lt; b' "$work/x.svg" || fail "the title is not escaped"
for run in deep flat; do
    equal "rows of $run" "$(grep -c ">$run</text>" "$work/x.svg")" 1
    equal "best of $run" "$(grep -c ">$run, best bleu 24.00 at 240</text>" "$work/x.svg")" 1
done
training_log "$work/ter.jsonl" 2 ter
plot --log "$work/deep.jsonl" --log "$work/ter.jsonl" >"$work/term"
equal "panels of two metrics" "$(grep -c '└' "$work/term")" 3
grep -v validation "$work/deep.jsonl" >"$work/plain.jsonl"
plot --log "$work/plain.jsonl" >"$work/term"
equal "panels without validation" "$(grep -c '└' "$work/term")" 1

# ---- Killed and resumed ----
{
    head -n 10 "$work/deep.jsonl"
    printf '{"event":"prog\n{"event":"resume","update":60}\n'
    tail -n +9 "$work/deep.jsonl"
    printf '{"event":"validation","update":360,"samp'
} >"$work/torn.jsonl"
plot --log "$work/deep.jsonl" | sed s/deep/torn/ >"$work/whole.txt"
plot --log "$work/torn.jsonl" >"$work/torn.txt"
cmp -s "$work/whole.txt" "$work/torn.txt" || fail "a log that was cut off and resumed is drawn differently"

# ---- Files that are not logs ----
: >"$work/empty"
refused 1 "empty: the training log is empty" "$ATTEND" plot --log "$work/empty"
refused 1 "train.hi: line 1 is not JSON" "$ATTEND" plot --log "$demo/train.hi"
sed '3s/.*/oops/' "$work/deep.jsonl" >"$work/hurt.jsonl"
refused 1 "hurt.jsonl: line 3 is not JSON" "$ATTEND" plot --log "$work/deep.jsonl" --log "$work/hurt.jsonl"
echo '{"a":1}' >"$work/other.jsonl"
refused 1 "other.jsonl: nothing to draw" "$ATTEND" plot --log "$work/other.jsonl"
refused 1 "none.jsonl: cannot be opened" "$ATTEND" plot --log "$work/none.jsonl"
refused 1 "cannot be written" "$ATTEND" plot --log "$work/deep.jsonl" --output "$work/none/x.svg"

# ---- Usage errors ----
refused 2 "takes no sentence" "$ATTEND" plot --log "$work/deep.jsonl" "a sentence"
refused 2 "\-\-model does not go with --log" "$ATTEND" plot --log "$work/deep.jsonl" --model x
refused 2 "\-\-matrix does not go with --log" "$ATTEND" plot --log "$work/deep.jsonl" --matrix x
refused 2 "ends in .svg, .png or .pdf" "$ATTEND" plot --log "$work/deep.jsonl" --output x.html
refused 2 "needs a value" "$ATTEND" plot --log
