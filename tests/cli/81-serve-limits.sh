#!/usr/bin/env bash
# The server: limits, keys, rates, and signals.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=serve.bash
. "$(dirname "$0")/serve.bash"
golden=$ATTEND_SOURCE/tests/data/model-v1.safetensors
ask='{"q":"a b c","source":"xx","target":"yy"}'
answer='{"translatedText":"c b a"}'

# ---- Limits ----
serve --model "$golden" --name xx-yy --max-body 2000 --max-characters 40 --max-line 20 --max-lines 4 --max-alternatives 2 \
    --max-explain 10
equal "within limits" "$(post /translate "$ask")" "$answer"
refuses 400 '{"error":"Invalid request: request (41) exceeds text limit (40)"}' /translate \
    "{\"q\":\"$(printf 'a %.0s' $(seq 10))\\n$(printf 'a %.0s' $(seq 10))\",\"source\":\"xx\",\"target\":\"yy\"}"
refuses 400 '{"error":"Invalid request: a line of the request (22) exceeds text limit (20)"}' /translate \
    "{\"q\":\"$(printf 'a %.0s' $(seq 10))aa\",\"source\":\"xx\",\"target\":\"yy\"}"
refuses 400 '{"error":"Invalid request: request (5) exceeds text limit (4)"}' /translate \
    '{"q":["a","a","a","a","a"],"source":"xx","target":"yy"}'
refuses 400 '{"error":"Invalid request: alternatives parameter must be <= 2"}' /translate \
    '{"q":"a","source":"xx","target":"yy","alternatives":3}'
refuses 400 '{"error":"Invalid request: request (11) exceeds text limit (10)"}' /explain '{"q":"a b c d e f"}'
refuses 413 '{"error":"Invalid request: the body exceeds the limit (2000 bytes)"}' /translate "{\"q\":\"$(printf 'a %.0s' $(seq 2000))\"}"
# A body without a length, and one that is shorter than its length says.
head -c 5000 /dev/zero | tr '\0' a >"$work/large"
equal "a large body in chunks" "$(post_code /translate "@$work/large" -H 'Transfer-Encoding: chunked')" 413
equal "100 MB" "$(head -c 100000000 /dev/zero | post_code /translate @- 2>/dev/null)" 413
equal "a length that lies" "$(post_code /translate '{}' -H 'Content-Length: 99999999999')" 413
equal "a header that is too long" "$(curl -sS -o /dev/null -w '%{http_code}' -H "X: $(head -c 60000 "$work/large" | tr a b)$(printf '%060000d' 1)" "$url/health")" 431
equal "it is well" "$(post /translate "$ask")" "$answer"
stop_by INT

# Normalizing makes 18 characters of each of these. Memory and time grow with the square of the tokens.
"$ATTEND" train --train-src <(printf 'a b\nb a\n') --train-tgt <(printf 'b a\na b\n') --split none --src-tokenizer char --tgt-tokenizer char \
    --normalize nfkc --emb 4 --hidden 4 --max-updates 1 --threads 1 --model "$work/nfkc" 2>"$work/log" || fail "$(cat "$work/log")"
serve --model "$work/nfkc" --name xx-yy --max-line 20
wide=$(printf '\ufdfa%.0s' 1 2)
long() { printf '{"error":"Invalid request: %s:1: has more than 20 pieces; shorten the line"}' "$1"; }
refuses 400 "$(long input)" /translate "{\"q\":\"$wide\",\"source\":\"xx\",\"target\":\"yy\",\"split_sentences\":false}"
refuses 400 "$(long input)" /attention "{\"q\":\"$wide\"}"
refuses 400 "$(long target)" /attention "{\"q\":\"a b\",\"target\":\"$wide\"}"
refuses 400 "$(long source)" /explain "{\"q\":\"$wide\"}"
equal "a line that becomes 18 tokens" "$(post_code /attention '{"q":"\ufdfa"}')" 200
stop

# ---- Keys and rates ----
printf '# ours\nsecret\nslow 2\n' >"$work/keys"
serve --model "$golden" --name xx-yy --api-keys "$work/keys"
with() { printf '%s,"%s":%s}' "${ask%\}}" "$1" "$2"; }
refuses 400 '{"error":"Please contact the server operator to obtain an API key"}' /translate "$ask"
refuses 400 '{"error":"Please contact the server operator to obtain an API key"}' /translate "$(with api_key null)"
refuses 403 '{"error":"Invalid API key"}' /translate "$(with api_key '"wrong"')"
equal "a key" "$(post /translate "$(with api_key '"secret"')")" "$answer"
equal "a key under the other name" "$(post /translate "$(with apiKey '"secret"')")" "$answer"
equal "a key in the header" "$(post /translate "$ask" -H 'Authorization: Bearer secret')" "$answer"
equal "a key in a form" "$(curl -sS -d 'q=a b c&source=xx&target=yy&api_key=secret' "$url/translate")" "$answer"
equal "settings" "$(get /frontend/settings | grep -o '"apiKeys":true,"keyRequired":true')" '"apiKeys":true,"keyRequired":true'
if get /models | matches '"examples"'; then fail "example lines need a key: $(get /models)"; fi
refuses 400 '{"error":"Please contact the server operator to obtain an API key"}' /vocabulary '{}'
equal "with a key" "$(post /vocabulary '{"api_key":"secret"}' | grep -o '"examples":\[\]')" '"examples":[]'
equal "no key is needed to look" "$(get /health)" '{"status":"ok"}'
equal "the first" "$(post /translate "$(with api_key '"slow"')")" "$answer"
equal "the second" "$(post /translate "$(with api_key '"slow"')")" "$answer"
refuses 429 '{"error":"Slowdown: 2 per 1 minute"}' /translate "$(with api_key '"slow"')"
grep -qiE '^Retry-After: [1-9][0-9]*' <(post /translate "$(with api_key '"slow"')" -i) || fail "no word of when to come back"
equal "others are not slowed down" "$(post /translate "$(with api_key '"secret"')")" "$answer"
# Keys are reloaded; if the file is broken, the old keys stay.
printf 'other\n' >"$work/keys"
kill -HUP "$server"
waited "new keys" grep -q "models reloaded" "$work/notes"
waited "new keys" test "$(post_code /translate "$(with api_key '"other"')")" = 200
refuses 403 '{"error":"Invalid API key"}' /translate "$(with api_key '"secret"')"
printf 'other x\n' >"$work/keys"
kill -HUP "$server"
waited "broken keys" grep -q "keys:1: after a key there may be only.*; keeping the API keys" "$work/notes"
equal "the old key" "$(post /translate "$(with api_key '"other"')")" "$answer"
if grep -q secret "$work/access"; then fail "the log holds a key"; fi
stop
printf 'other x\n' >"$work/keys"
refused 1 "keys:1: after a key there may be only" "$ATTEND" serve --model "$golden" --name xx-yy --api-keys "$work/keys"

serve --model "$golden" --name xx-yy --rate 3 --behind-proxy
for _ in 1 2 3; do equal "the rate" "$(post_code /translate "$ask")" 200; done
equal "over the rate" "$(post_code /translate "$ask")" 429
equal "another client behind a proxy" "$(post_code /translate "$ask" -H 'X-Forwarded-For: made.up, 10.0.0.7')" 200
stop
grep -q '"client":"10.0.0.7"' "$work/access" || fail "the log does not name the client behind the proxy"

# ---- A model that is replaced ----
tiny_model "$work/other"
cp "$golden" "$work/model"
serve --model "$work/model" --name xx-yy
equal "the first model" "$(post /translate "$ask")" "$answer"
# In place, while the server runs: truncated, overwritten, deleted.
: >"$work/model"
equal "a model cut short on disk" "$(post /translate "$ask")" "$answer"
kill -HUP "$server"
waited "a broken model" grep -q "model: is not an attend model.*; keeping the model that was loaded before" "$work/notes"
equal "the old model stays" "$(post /translate "$ask")" "$answer"
rm "$work/model"
equal "a model that is gone" "$(post /translate "$ask")" "$answer"
cp "$work/other" "$work/model"
equal "a new file is not looked at" "$(post /translate "$ask")" "$answer"
parameters() { get /models | grep -o '"parameters":[0-9]*'; }
old=$(parameters)
kill -HUP "$server"
is_new() { [ "$(parameters)" != "$old" ]; }
waited "the new model" is_new
# The access log may be moved away.
mv "$work/access" "$work/access.1"
kill -HUP "$server"
again() { get /health >/dev/null && [ -s "$work/access" ]; }
waited "a new access log" again
stop

# ---- Under load: reloading disturbs no request, stopping answers all accepted requests ----
lines() { get /metrics | sed -n 's/^attend_lines_total //p'; }
loaded() { [ "$(lines)" -gt $(($1 + 100)) ]; }
cp "$golden" "$work/model"
serve --model "$work/model" --name xx-yy
"$client" "$port" hammer 16 3 "$ask" >"$work/hammered" &
hammering=$!
for _ in 1 2 3 4 5; do
    sleep 0.3
    kill -HUP "$server"
done
wait $hammering
[[ $(cat "$work/hammered") =~ ^answers\ [1-9][0-9]*\ refused\ 0\ cut\ 0\ broken\ 0$ ]] || fail "loading anew under load: $(cat "$work/hammered")"
before=$(lines)
"$client" "$port" hammer 32 20 "$ask" >"$work/hammered" &
hammering=$!
waited "load" loaded "$before"
stop
wait $hammering
[[ $(cat "$work/hammered") =~ ^answers\ [1-9][0-9]*\ refused\ [0-9]*\ cut\ [0-9]*\ broken\ 0$ ]] || fail "stopping under load: $(cat "$work/hammered")"
echo "stopped under load: $(cat "$work/hammered")"
equal "answers other than 200" "$(grep '"path":"/translate"' "$work/access" | grep -cv '"status":200' || true)" 0
equal "requests that broke off" "$(grep -c broken "$work/access" || true)" 0

# Killed under load: no client gets half an answer.
serve --model "$work/model" --name xx-yy
"$client" "$port" hammer 32 20 "$ask" >"$work/hammered" &
hammering=$!
waited "load" loaded 0
kill -KILL "$server"
wait "$server" 2>/dev/null || true
wait $hammering
[[ $(cat "$work/hammered") =~ ^answers\ [1-9][0-9]*\ refused\ [0-9]*\ cut\ [0-9]*\ broken\ 0$ ]] || fail "killed under load: $(cat "$work/hammered")"
serve --model "$work/model" --name xx-yy
equal "after a restart" "$(post /translate "$ask")" "$answer"
stop
