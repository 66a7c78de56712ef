#!/usr/bin/env bash
# The server: every route, the same text as attend translate, errors in the format that clients expect.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

# Without its module, the program says what to install.
mkdir "$work/bare"
cp "$ATTEND" "$work/bare/attend"
refused 1 "attend-serve.so.*libmicrohttpd-dev" "$work/bare/attend" serve --model x
# shellcheck source=serve.bash
. "$(dirname "$0")/serve.bash"
command -v jq >/dev/null || { echo "skipped: no jq"; exit 77; }
if command -v ldd >/dev/null && ldd "$ATTEND" | matches microhttpd; then fail "the program links libmicrohttpd"; fi

# Two models with languages, one in each direction, and the golden model, which has none.
head -n 400 "$demo/train.hi" >"$work/tiny.hi"
head -n 400 "$demo/train.en" >"$work/tiny.en"
train() { # MODEL SOURCE TARGET UPDATES
    "$ATTEND" train --train-src "$work/tiny.$2" --train-tgt "$work/tiny.$3" --model "$1" --tokenizer spaces --emb 12 --hidden 16 \
        --split none --max-updates "$4" --threads 1 --source-lang "$2" --target-lang "$3" 2>"$work/log" || fail "$(cat "$work/log")"
}
train "$work/hi-en.safetensors" hi en 60
train "$work/back.safetensors" en hi 3
refused 2 "source-lang is a code such as en or pt-BR, not 'x y'" "$ATTEND" train --train x --model "$work/y" --source-lang "x y"
grep -qE '^source .*, language hi$' <("$ATTEND" info --model "$work/hi-en.safetensors") || fail "info does not tell the language"
golden=$ATTEND_SOURCE/tests/data/model-v1.safetensors
serve --model "$work/hi-en.safetensors" --model "$work/back.safetensors" --model "$golden" --name hi-en --name en-hi
grep -q 'model-v1.safetensors: its languages are unknown' "$work/notes" || fail "nothing is said of unknown languages"

# ---- Health, languages, settings ----
equal "/health" "$(get /health)" '{"status":"ok"}'
equal "/languages" "$(get /languages)" \
    '[{"code":"hi","name":"Hindi","targets":["hi","en"]},{"code":"en","name":"English","targets":["hi","en"]}]'
equal "/languages asked as some clients do" "$(curl -sS -H 'Content-Type: application/json' "$url/languages")" "$(get /languages)"
equal "names" "$(get /models | jq -c '[.models[].name]')" '["hi-en","en-hi","model-v1"]'
equal "a model" "$(get /models | jq -c '.models[0] | del(.parameters, .source_tokens, .target_tokens)')" \
    '{"name":"hi-en","source":"hi","target":"en","reads":"text","writes":"text","attention":"additive","placement":"bahdanau","cell":"gru","heads":1,"int8":false,"encoder":"recurrent","loaded":true,"examples":[]}'
equal "/frontend/settings" "$(get /frontend/settings | jq -c '[.charLimit, .apiKeys, .keyRequired, .language.target.code]')" \
    '[5000,false,false,"en"]'
equal "/spec" "$(get /spec | jq -c '[.swagger, .info.title, (.paths | has("/translate"))]')" '["2.0","attend",true]'
# A request counts when its answer has left, which may be after the client has read it.
counted() { grep -q '^attend_requests_total{route="/health",code="200"} 1$' <(get /metrics); }
waited "no metrics" counted
grep -qi '<!doctype html>' <(get /) || fail "no page"

# ---- The same text as attend translate, as one text, as a list, and many at once ----
head -n 300 "$demo/test.hi" >"$work/in"
"$ATTEND" translate --model "$work/hi-en.safetensors" --input "$work/in" >"$work/want" 2>/dev/null
jq -Rs '{q: rtrimstr("\n"), source: "hi", target: "en"}' "$work/in" >"$work/body"
stop
serve --model "$work/hi-en.safetensors" --model "$work/back.safetensors" --model "$golden" --name hi-en --name en-hi \
    --max-characters 100000
post /translate "@$work/body" | jq -r .translatedText >"$work/got"
cmp "$work/want" "$work/got" || fail "a text is translated differently"
jq -Rs '{q: (rtrimstr("\n") | split("\n")), source: "hi", target: "en"}' "$work/in" >"$work/body"
post /translate "@$work/body" | jq -r '.translatedText[]' >"$work/got"
cmp "$work/want" "$work/got" || fail "a list is translated differently"
n=0
while IFS= read -r line; do
    n=$((n + 1))
    jq -n --arg q "$line" '{q: $q, source: "hi", target: "en"}' >"$work/one.$n"
    printf 'url = "%s/translate"\nheader = "Content-Type: application/json"\ndata-binary = "@%s"\noutput = "%s"\n' \
        "$url" "$work/one.$n" "$work/out.$n"
    [ $n = 60 ] || echo next
done < <(head -n 60 "$work/in") >"$work/curls"
curl -sS --no-progress-meter -m 60 -Z --parallel-max 30 -K "$work/curls"
for n in $(seq 60); do jq -r .translatedText "$work/out.$n"; done >"$work/got"
head -n 60 "$work/want" | cmp - "$work/got" || fail "requests that come together are translated differently"
line=$(head -n 1 "$work/in")
"$ATTEND" translate --model "$work/hi-en.safetensors" --nbest 3 <<<"$line" 2>/dev/null | awk -F ' [|][|][|] ' '{ print $2 }' >"$work/want"
post /translate "$(jq -n --arg q "$line" '{q: $q, source: "hi", target: "en", alternatives: 2}')" |
    jq -r '.translatedText, .alternatives[]' >"$work/got"
cmp "$work/want" "$work/got" || fail "alternatives are not those of --nbest"
"$ATTEND" translate --model "$work/hi-en.safetensors" --alignment json <<<"$line" 2>/dev/null | jq -cS . >"$work/want"
post /attention "$(jq -n --arg q "$line" '{q: $q}')" | jq -cS 'del(.model, .alternatives, .complete, .milliseconds)' >"$work/got"
cmp "$work/want" "$work/got" || fail "attention is not that of --alignment json"

# ---- Forms ----
equal "a form" "$(curl -sS --data-urlencode 'q=a b c' -d model=model-v1 "$url/translate")" '{"translatedText":"c b a"}'
equal "a form in parts" "$(curl -sS -F 'q=a b c' -F model=model-v1 "$url/translate")" '{"translatedText":"c b a"}'
equal "a query" "$(curl -sS -X POST "$url/translate?q=a+b+c&model=model-v1")" '{"translatedText":"c b a"}'
equal "line ends of a form" "$(curl -sS --data-urlencode $'q=a b\r\nc d' -d model=model-v1 "$url/translate")" \
    '{"translatedText":"b a\nd c"}'
equal "HTML" "$(post /translate '{"q":"<p>a b</p> &amp; c","model":"model-v1","format":"html"}' | jq -r .translatedText | cut -c1-11)" \
    '<p>b a</p> '

# ---- Language detection ----
hindi=$(sed -n 5p "$demo/test.hi")
english=$(sed -n 5p "$demo/test.en")
equal "detected" "$(post /detect "$(jq -n --arg q "$english" '{q: $q}')" | jq -c '[.[].language]')" '["en","hi"]'
equal "detected" "$(post /detect "$(jq -n --arg q "$hindi" '{q: $q}')" | jq -c '.[0].language')" '"hi"'
equal "auto" "$(post /translate "$(jq -n --arg q "$hindi" '{q: $q, source: "auto", target: "en"}')" |
    jq -c '[.detectedLanguage.language, .detectedLanguage.confidence > 80, (.translatedText | type)]')" '["hi",true,"string"]'
equal "auto in a list" "$(post /translate "$(jq -n --arg a "$hindi $hindi" --arg b "$english $english" '{q: [$a, $b], source: "auto", target: "en"}')" |
    jq -c --arg b "$english $english" '[.detectedLanguage[].language, .translatedText[1] == $b]')" '["hi","en",true]'
# Many short texts are detected together.
jq -n --arg a "${hindi%% *}" '{q: [range(300) | $a], source: "auto", target: "en"}' >"$work/body"
equal "auto in a long list" "$(post /translate "@$work/body" | jq -c '[(.detectedLanguage | unique | map(.language)), (.translatedText | length)]')" \
    '[["hi"],300]'

# ---- Other routes ----
equal "words of an explanation" "$(post /explain '{"q":"a b","model":"model-v1"}' | jq -c '[.source, .target]')" \
    '[["a","b","</s>"],["b","a","</s>"]]'
equal "an explanation" "$(post /explain '{"q":"d b f b","model":"model-v1"}')" "$("$ATTEND" explain --model "$golden" --json 'd b f b')"
equal "OpenNMT's form" "$(post /translator/translate '[{"src":"a b","id":2},{"src":"c d"}]' | jq -c '[.[0][] | [.src, .tgt]]')" \
    '[["a b","b a"],["c d","d c"]]'
post /picture '{"matrix":{"source":["a","b"],"target":["x"],"attention":[[0.25,0.75]]},"title":"T"}' >"$work/picture.svg"
printf '{"source":["a","b"],"target":["x"],"attention":[[0.25,0.75]]}\n' >"$work/matrix"
"$ATTEND" plot --matrix "$work/matrix" --title T --output "$work/plot.svg"
cmp "$work/plot.svg" "$work/picture.svg" || fail "the picture is not that of attend plot"

# ---- Errors ----
refuses 400 '{"error":"Invalid request: missing q parameter"}' /translate '{"source":"hi","target":"en"}'
refuses 400 '{"error":"Invalid request: missing source parameter"}' /translate '{"q":"a","target":"en"}'
refuses 400 '{"error":"fr is not supported"}' /translate '{"q":"a","source":"hi","target":"fr"}'
refuses 400 '{"error":"Invalid JSON format"}' /translate '{"q":'
refuses 400 '{"error":"Invalid JSON format"}' /translate $'{"q":"\xff","source":"hi","target":"en"}'
equal "a form that is not UTF-8" "$(curl -sS -d 'q=%ff&source=hi&target=en' "$url/translate")" \
    '{"error":"Invalid request: the value of a form field is not UTF-8"}'
refuses 404 '{"error":"Not found"}' /nowhere '{}'
refuses 405 '{"error":"Method not allowed"}' /health '{}'
refuses 400 '{"error":"Invalid request: missing file parameter"}' /translate_file '{}'

# ---- Headers ----
curl -sS -i -X OPTIONS -H "Origin: $url" -H 'Access-Control-Request-Method: POST' "$url/translate" | tr -d '\r' >"$work/headers"
for field in "HTTP/1.1 204 No Content" "Access-Control-Allow-Origin: $url" "Vary: Origin" "Access-Control-Allow-Methods: GET, POST" \
    "Access-Control-Allow-Headers: Authorization, Content-Type"; do
    grep -qxF -- "$field" "$work/headers" || fail "OPTIONS has no '$field': $(cat "$work/headers")"
done
curl -sS -I "$url/attention.js" | tr -d '\r' >"$work/headers"
grep -qxF 'Content-Type: text/javascript; charset=utf-8' "$work/headers" || fail "HEAD: $(cat "$work/headers")"
tag=$(sed -n 's/^ETag: //p' "$work/headers")
equal "a file that the client has" "$(curl -sS -o "$work/file" -w '%{http_code}' -H "If-None-Match: $tag" "$url/attention.js")" 304
get /attention.js | cmp - "$ATTEND_SOURCE/web/attention.js" || fail "a file of the page is another one"
grep -qx 'Content-Type: application/json; charset=utf-8' <(curl -sS -i "$url/models" | tr -d '\r') || fail "the type of JSON"

# ---- The log: one JSON line per request, without the text ----
stop
equal "requests that are not in the log as JSON" "$(jq -r 'select(.status == null or .seconds == null or .client != "127.0.0.1") | .path' "$work/access")" ""
grep -q '"method":"POST","path":"/translate","status":200,.*"characters":[0-9]*,"lines":1,"model":"hi-en"' "$work/access" ||
    fail "the log: $(tail -n 3 "$work/access")"
if grep -qF "$english" "$work/access"; then fail "the log holds a text"; fi

# ---- Usage errors ----
refused 2 "\-\-model is needed" "$ATTEND" serve
refused 2 "'example.org' is not an origin such as https://example.org" "$ATTEND" serve --model "$golden" --allow-origin example.org
refused 1 "missing: cannot be opened" "$ATTEND" serve --model "$work/missing"
refused 2 "a model named xx-yy is already served; give this one another name with --name" "$ATTEND" serve --model "$golden" --model "$golden" \
    --name xx-yy --name xx-yy
refused 1 "cannot listen at nowhere.invalid: not an address" "$ATTEND" serve --model "$golden" --name xx-yy --host nowhere.invalid
