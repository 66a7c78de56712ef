#!/usr/bin/env bash
# The server under load: tests/long/load.sh with few requests; and its client detects errors.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=serve.bash
. "$(dirname "$0")/serve.bash"
command -v jq >/dev/null || { echo "skipped: no jq"; exit 77; }
load=$(dirname "$ATTEND")/serve_load

# ---- The client ----
serve --model "$ATTEND_SOURCE/tests/data/model-v1.safetensors" --name xx-yy
# asked CODE ANSWER BODY: what the client counts if OpenNMT's route must answer this, ten times over two connections.
asked() {
    printf 'route\t1\tPOST\t/translator/translate\t%s\tContent-Type: application/json\t%s\t%s\n' "$1" "$3" "$2" >"$work/cases"
    "$load" "$port" "$work/cases" 10 2 60 </dev/null 2>"$work/wrong" | sed -n 's/^\(requests .*\) left.*/\1/p'
}
body='[{"src":"a b"}]' right='requests 10 wrong 0 retried 0' wrong='requests 10 wrong 10 retried 0'
answer=$(post /translator/translate "$body")
score=$(grep -o '[-0-9.e]*}' <<<"$answer" | tr -d '}')
near=$(awk -v s="$score" 'BEGIN { printf "%.9f", s + 5e-5 }') far=$(awk -v s="$score" 'BEGIN { printf "%.9f", s + 2e-4 }')
equal "the answer itself" "$(asked 200 "$answer" "$body")" "$right"
equal "a number that is near" "$(asked 200 "${answer/$score/$near}" "$body")" "$right"
equal "a number that is not" "$(asked 200 "${answer/$score/$far}" "$body" || true)" "$wrong"
grep -q '^load: wrong: differs from byte [0-9]* on: -0\.' "$work/wrong" || fail "the difference is not shown: $(cat "$work/wrong")"
equal "another text" "$(asked 200 "${answer/b a/b b}" "$body" || true)" "$wrong"
equal "an answer that is longer" "$(asked 200 "${answer%]}" "$body" || true)" "$wrong"
equal "an answer that is shorter" "$(asked 200 "$answer]" "$body" || true)" "$wrong"
equal "another code" "$(asked 400 "$answer" "$body" || true)" "$wrong"
equal "a digit in a text" "$(asked 200 '{"error":"there is no model of this id 2","status":"error"}' '[{"src":"a","id":"x"}]' || true)" "$wrong"
stop
# There is no server, and no restart was announced.
equal "a server that is gone" "$(asked 200 "$answer" "$body" || true)" "$wrong"

# ---- All routes ----
MODEL=none REQUESTS=2000 CONNECTIONS=50 RELOADS=1 RESTARTS=1 REST=0 GROWTH=1000 LIMIT=300 \
    bash "$ATTEND_SOURCE/tests/long/load.sh"
