#!/usr/bin/env bash
# The border of the server: abandoned work is ended, ambiguous requests (request smuggling) are refused, and pages of
# other sites get nothing.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=serve.bash
. "$(dirname "$0")/serve.bash"
golden=$ATTEND_SOURCE/tests/data/model-v1.safetensors
short='{"q":"a b"}'
words() { seq "$1" | sed 's/.*/a/' | paste -sd' '; }
# An explanation that takes minutes on any machine, and limits that allow it.
words 1000 >"$work/words"
printf '{"q":"%s","target":"%s"}' "$(cat "$work/words")" "$(cat "$work/words")" >"$work/endless"
room=(--max-explain 4000 --max-line 4000 --max-characters 10000)

# ---- Too much work is refused before it begins ----
serve --model "$golden" --name xx-yy
printf '{"q":"%s","target":"%s"}' "$(words 150)" "$(words 150)" >"$work/dear"
equal "a dear explanation" "$(post_code /explain "@$work/dear")" 400
grep -q '150 source and 150 target tokens are too many to explain: they cost [0-9]* steps of the model, and the limit is [0-9]*"' \
    <(post /explain "@$work/dear") || fail "a dear explanation: $(post /explain "@$work/dear")"
equal "a usual one" "$(post_code /explain "{\"q\":\"$(words 20)\"}")" 200
stop

# ---- A deadline ends work in progress ----
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

# ---- A client that disconnects frees its place ----
serve --model "$golden" --name xx-yy --timeout 600 "${room[@]}" --max-explain 4000
: >"$work/access"
if post /explain "@$work/endless" -m 1 >/dev/null 2>&1; then fail "the endless explanation ended"; fi
left() { grep -q '"path":"/explain","status":0,.*"broken":true' "$work/access"; }
waited "a client that left" left
equal "the next explanation" "$(post_code /explain "$short")" 200
# A client that closes only its sending side still gets the answer.
many=120
[ -z "${ATTEND_QUICK:-}" ] || many=30 # sanitizers are slow enough
printf '{"q":"%s","target":"%s"}' "$(words $many)" "$(words $many)" >"$work/slow"
equal "half-closed" "$("$client" "$port" half "$(cat "$work/slow")" /explain | head -c 14)" '200 {"source":'
stop

# ---- Ambiguous requests: 400, and the connection is closed ----
printf 'secret\n' >"$work/keys"
serve --model "$golden" --name xx-yy --behind-proxy --rate 5
# raw BYTES: the answer until the server closes the connection, followed by "open" if it does not.
raw() {
    # Sent at once: a server that refuses the beginning does not wait for the rest.
    printf '%b' "$1" >"$work/bytes"
    exec 9<>"/dev/tcp/127.0.0.1/$port"
    cat "$work/bytes" >&9
    timeout 10 cat <&9 | tr -d '\r' || echo open
    exec 9>&-
}
body='{"q":"a"}'
for fields in 'Content-Length: 9\r\nContent-Length: 5' 'Content-Length: 9\r\nContent-Length: 9' 'Content-Length : 9' 'Content-Length\t: 9' \
    'Content-Length: 9\r\nX: a\rContent-Length: 5' 'Host: localhost\r\nContent-Length: 9' ': x\r\nContent-Length: 9' \
    'Transfer-Encoding: gzip, chunked' 'Transfer-Encoding: identity\r\nContent-Length: 9' 'Content-Length: +9' 'Content-Length: 9, 9'; do
    got=$(raw "POST /detect HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n$fields\r\n\r\n$body")
    equal "$fields" "$(grep -c '^HTTP/1.1 400 ' <<<"$got" | sed 's/[1-9]/some/') $(grep -c '^open$\|200 OK' <<<"$got")" "some 0"
done
chunks='9\r\n{"q":"a"}\r\n0\r\n\r\n'
for fields in 'Content-Length: 9\r\nTransfer-Encoding: chunked' 'Transfer-Encoding: chunked\r\nContent-Length: 9' \
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked'; do
    got=$(raw "POST /detect HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n$fields\r\n\r\n$chunks")
    equal "$fields" "$(grep -c '^HTTP/1.1 400 ' <<<"$got") $(grep -c '^open$\|200 OK' <<<"$got")" "1 0"
done
# Requests after a refused one are not answered.
got=$(raw 'POST /detect HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\nGET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
equal "a smuggled request" "$(grep -c '^HTTP' <<<"$got") $(grep -c ok <<<"$got")" "1 0"
equal "chunks" "$(post_code /detect "$body" -H 'Transfer-Encoding: chunked')" 200

# ---- Behind a proxy the last X-Forwarded-For line counts, and it is escaped in the log ----
for n in 1 2 3 4 5 6; do
    equal "a made-up address" "$(post_code /detect "$body" -H "X-Forwarded-For: 10.0.0.$n" -H 'X-Forwarded-For: 10.9.9.9')" \
        "$([ $n = 6 ] && echo 429 || echo 200)"
done
printf 'X-Forwarded-For: %s\xff\xfe"' "$(printf '%05000d' 7)" >"$work/field"
post_code /detect "$body" -H "@$work/field" >/dev/null
stop
equal "lines of the log that are long or no plain text" "$(LC_ALL=C grep -cE '.{400}|[^ -~]' "$work/access" || true)" 0

# ---- Too many wrong keys lock a client out ----
serve --model "$golden" --name xx-yy --api-keys "$work/keys"
try() { post_code /detect "{\"q\":\"a\",\"api_key\":\"$1\"}"; }
equal "a key" "$(try secret)" 200
for n in $(seq 10); do equal "wrong key $n" "$(try "guess$n")" 403; done
equal "too many wrong keys" "$(try guess11)" 429
equal "a right key behind them" "$(try secret)" 429
stop

# ---- Pages of other sites, and other host names ----
simple() { curl -sS -m 60 -o "$work/answer" -D "$work/headers" -w '%{http_code}' -d 'q=a b c&source=xx&target=yy' "$@" "$url/translate"; }
preflight() { curl -sS -m 60 -o /dev/null -D "$work/headers" -w '%{http_code}' -X OPTIONS -H 'Access-Control-Request-Method: POST' "$@" "$url/translate"; }
reader() { tr -d '\r' <"$work/headers" | sed -n 's/^Access-Control-Allow-Origin: //p'; }
serve --model "$golden" --name xx-yy
equal "no page" "$(simple) $(reader)" "200 "
equal "its own page" "$(simple -H "Origin: $url") $(reader)" "200 $url"
equal "a page of another site" "$(simple -H 'Origin: https://evil.org') $(reader)" "403 "
equal "what it is told" "$(cat "$work/answer")" \
    '{"error":"Pages of this origin may not use this server; its operator can add it to the allowed origins"}'
equal "a page of another server here" "$(simple -H 'Origin: http://127.0.0.1:1') $(reader)" "403 "
equal "a preflight of another site" "$(preflight -H 'Origin: https://evil.org') $(reader)" "403 "
equal "its own page behind a proxy" "$(simple -H 'Origin: https://ours.org' -H 'Sec-Fetch-Site: same-origin')" 200
for host in localhost "localhost:$port" 127.0.0.1 "[::1]:$port"; do equal "Host: $host" "$(simple -H "Host: $host")" 200; done
for host in evil.org "evil.org:$port" 10.0.0.1; do equal "Host: $host" "$(simple -H "Host: $host")" 403; done
equal "a page that had its name point here" "$(simple -H 'Host: evil.org' -H 'Origin: http://evil.org' -H 'Sec-Fetch-Site: same-origin')" 403
equal "without a host" "$(raw 'GET /health HTTP/1.0\r\n\r\n' | head -n 1)" "HTTP/1.1 200 OK"
stop
serve --model "$golden" --name xx-yy --allow-origin https://a.org --allow-origin moz-extension://1 --allow-host ours.org
equal "a page that is allowed" "$(simple -H 'Origin: https://a.org') $(reader)" "200 https://a.org"
equal "an extension that is allowed" "$(preflight -H 'Origin: moz-extension://1') $(reader)" "204 moz-extension://1"
equal "another" "$(simple -H 'Origin: https://b.org') $(reader)" "403 "
equal "a name that is allowed" "$(simple -H 'Host: ours.org' -H 'Origin: https://ours.org') $(reader)" "200 https://ours.org"
stop
serve --model "$golden" --name xx-yy --allow-origin '*'
equal "any page" "$(simple -H 'Origin: https://b.org') $(reader)" "200 *"
equal "any preflight" "$(preflight -H 'Origin: null') $(reader)" "204 *"
stop
