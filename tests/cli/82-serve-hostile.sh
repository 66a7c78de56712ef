#!/usr/bin/env bash
# The server against hostile and broken clients: no crash, no leak, clear status codes.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=serve.bash
. "$(dirname "$0")/serve.bash"
golden=$ATTEND_SOURCE/tests/data/model-v1.safetensors
ask='{"q":"a b c","source":"xx","target":"yy"}'
answer='{"translatedText":"c b a"}'
serve --model "$golden" --name xx-yy --timeout 2 --connections 1500
well() { equal "it is well after $1" "$(post /translate "$ask")" "$answer"; }

# ---- A thousand connections at once ----
equal "a thousand connections at once" "$("$client" "$port" crowd 1000 "$ask" | paste -sd' ')" "200 1000"
grep -qE '^attend_batch_lines_count [0-9]+$' <(get /metrics) || fail "no batches in the metrics"
batches=$(get /metrics | sed -n 's/^attend_batch_lines_count //p')
[ "$batches" -lt 700 ] || fail "a thousand requests took $batches batches"
well "a crowd"

# ---- Slow clients ----
"$client" "$port" drip 100 >"$work/drip" &
"$client" "$port" drip-body 500 >"$work/drip-body" &
sleep 0.3
well "slow ones, while they drip"
wait %2 %3
awk '{ exit !($1 == 408 && $2 >= 1.5 && $2 < 4) }' "$work/drip" || fail "slow header: $(cat "$work/drip")"
awk '{ exit !($1 == 408 && $2 >= 1.5 && $2 < 4.5) }' "$work/drip-body" || fail "slow body: $(cat "$work/drip-body")"
suffered=$("$client" "$port" sip 15)
awk -v s="$suffered" 'BEGIN { exit !(s < 8) }' || fail "an answer that nobody reads was suffered for $suffered s"
# A connection that sends nothing is closed.
exec 9<>"/dev/tcp/127.0.0.1/$port"
begun=$SECONDS
timeout 10 cat <&9 >"$work/silence" || true
exec 9>&-
[ $((SECONDS - begun)) -lt 6 ] || fail "silence was suffered for $((SECONDS - begun)) s"
well "slow ones"

# ---- Half-closed and closed connections, incomplete requests ----
equal "half-closed" "$("$client" "$port" half "$ask")" "200 $answer"
"$client" "$port" leave 300 "$ask"
well "clients that went away"

# ---- What is not HTTP ----
raw() { # BYTES: what comes back within a moment
    exec 9<>"/dev/tcp/127.0.0.1/$port"
    printf '%b' "$1" >&9
    timeout 0.4 cat <&9 | head -n 1 | tr -d '\r' || true
    exec 9>&-
}
raw '\x16\x03\x01\x02\x00\x01\x00' >/dev/null
raw 'GET / HTTP/9.9\r\n\r\n' >/dev/null
raw 'GARBAGE\r\n\r\n' >/dev/null
raw '\r\n\r\n\r\n' >/dev/null
raw 'POST /translate HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n' >/dev/null
raw 'POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n' >/dev/null
raw 'POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Type: multipart/form-data; boundary=\r\n\r\nabc' >/dev/null
raw 'GET /\x00\xff HTTP/1.1\r\nHost: localhost\r\n\r\n' >/dev/null
equal "without a host" "$(raw 'GET /health HTTP/1.0\r\n\r\n')" "HTTP/1.1 200 OK"
equal "two at once" "$(printf 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' |
    timeout 5 bash -c 'exec 9<>/dev/tcp/127.0.0.1/'"$port"'; cat >&9; cat <&9' | grep -c '200 OK')" 2
well "what is no HTTP"

# ---- Invalid JSON ----
deep=$(printf '[%.0s' $(seq 100000))
for body in "$deep" '{"q":{"q":{}}}' '{"q":1e999,"source":"xx","target":"yy"}' '{"q":"a","q":"b"}' '{"q":"\ud800","source":"xx","target":"yy"}' \
    $'\xef\xbb\xbf{}' '{"q":"a","source":"xx","target":"yy"} x' 'null' '"q"' '[[]]' '{"q":[[["a"]]],"source":"xx","target":"yy"}' \
    '{"q":"a","source":["xx"],"target":{"a":1}}' '{"q":"a","alternatives":{},"model":"xx-yy"}' '{"matrix":{"source":1}}'; do
    printf '%s' "$body" >"$work/body"
    for path in /translate /detect /attention /explain /picture; do
        code=$(post_code $path "@$work/body")
        [ "$code" = 400 ] || [ "$path$code" = /detect200 ] || [ "$path$code" = /attention200 ] || [ "$path$code" = /explain200 ] ||
            fail "POST $path ${body:0:60} gave $code"
    done
    equal "OpenNMT's errors" "$(post_code /translator/translate "@$work/body" | grep -cE '^(200|400)$')" 1
done
well "bad JSON"
stop
if grep -q '"status":5' "$work/access"; then fail "a mistake of a client became one of ours: $(grep '"status":5' "$work/access" | head -n 3)"; fi

# ---- A full queue ----
serve --model "$golden" --name xx-yy --queue 8 --batch-sentences 2 --threads 1
"$client" "$port" crowd 400 "$ask" >"$work/crowd"
grep -q '^200 ' "$work/crowd" || fail "nobody was served: $(cat "$work/crowd")"
if grep -q lost "$work/crowd"; then fail "requests were lost: $(cat "$work/crowd")"; fi
equal "other codes than 200 and 503" "$(grep -cvE '^(200|503) ' "$work/crowd" || true)" 0
well "a full queue"
stop

# ---- Clients that disconnect during their request free their place at once, not at their deadline ----
serve --model "$golden" --name xx-yy --timeout 60
gauge() { get /metrics | sed -n "s/^attend_$1 //p"; }
quiet() { [ "$(gauge connections)" -le 1 ]; }
"$client" "$port" leave 300 "$ask"
waited "connections of clients that left stay open" quiet
stop

# ---- No leak: the same work again needs no more memory, and abandoned connections are closed in time ----
serve --model "$golden" --name xx-yy --timeout 1
round() {
    "$client" "$port" crowd 500 "$ask" >/dev/null
    "$client" "$port" leave 100 "$ask"
    waited "connections stay open" quiet
}
round
round
before=$(gauge resident_memory_bytes)
for _ in 1 2 3 4; do round; done
after=$(gauge resident_memory_bytes)
# Sanitizers keep freed memory.
[ -n "${ATTEND_QUICK:-}" ] || [ "$after" -lt $((before + 6000000)) ] || fail "memory grew from $before to $after"
stop
