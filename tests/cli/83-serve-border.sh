#!/usr/bin/env bash
# The server's border: work that nobody waits for ends, requests that two readers would understand differently are
# refused, and pages of other sites get nothing.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=serve.bash
. "$(dirname "$0")/serve.bash"
golden=$ATTEND_SOURCE/tests/data/model-v1.safetensors
short='{"q":"a b"}'
words() { seq "$1" | sed 's/.*/a/' | paste -sd' '; }
# An explanation that takes minutes on any machine, and room for it.
words 1000 >"$work/words"
printf '{"q":"%s","target":"%s"}' "$(cat "$work/words")" "$(cat "$work/words")" >"$work/endless"
room=(--max-explain 4000 --max-line 4000 --max-characters 10000)

# ---- What is too much is refused before it begins ----
serve --model "$golden" --name xx-yy
printf '{"q":"%s","target":"%s"}' "$(words 150)" "$(words 150)" >"$work/dear"
equal "a dear explanation" "$(post_code /explain "@$work/dear")" 400
grep -q '150 source and 150 target tokens are too many to explain: they cost [0-9]* steps of the model, and the limit is [0-9]*"' \
    <(post /explain "@$work/dear") || fail "a dear explanation: $(post /explain "@$work/dear")"
equal "a usual one" "$(post_code /explain "{\"q\":\"$(words 20)\"}")" 200
stop

# ---- A deadline ends what is under way ----
serve --model "$golden" --name xx-yy --timeout 1 "${room[@]}"
equal "an endless explanation" "$(post /explain "@$work/endless" -w ' %{http_code}')" \
    '{"error":"Cannot translate text: it took longer than 1 seconds"} 504'
equal "the next explanation" "$(post_code /explain "$short")" 200
stop

# ---- SIGTERM waits for deadlines, not for work ----
serve --model "$golden" --name xx-yy --timeout 2 "${room[@]}"
post_code /explain "@$work/endless" >"$work/code" &
asking=$!
asked() { [ "$(get /metrics | sed -n 's/^attend_connections //p')" -ge 2 ]; }
waited "an explanation under way" asked
begun=$SECONDS
stop
wait $asking
equal "under way when the server was stopped" "$(cat "$work/code")" 504
[ $((SECONDS - begun)) -lt 40 ] || fail "stopping took $((SECONDS - begun)) s"

# ---- A client that leaves frees its place ----
serve --model "$golden" --name xx-yy --timeout 600 "${room[@]}" --max-explain 4000
: >"$work/access"
if post /explain "@$work/endless" -m 1 >/dev/null 2>&1; then fail "the endless explanation ended"; fi
left() { grep -q '"path":"/explain","status":0,.*"broken":true' "$work/access"; }
waited "a client that left" left
equal "the next explanation" "$(post_code /explain "$short")" 200
# Who only closes its sending side still gets the answer.
printf '{"q":"%s","target":"%s"}' "$(words 120)" "$(words 120)" >"$work/slow"
equal "half-closed" "$("$client" "$port" half "$(cat "$work/slow")" /explain | head -c 14)" '200 {"source":'
stop
