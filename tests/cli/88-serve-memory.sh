#!/usr/bin/env bash
# Models under --memory-limit: loaded when a request needs them, unloaded when idle, right answers for many clients.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=serve.bash
. "$(dirname "$0")/serve.bash"
command -v jq >/dev/null || { echo "skipped: no jq"; exit 77; }

# gcc's leak sanitizer crashes when it looks through the thread storage of a module that was closed.
export LSAN_OPTIONS="${LSAN_OPTIONS:-}${LSAN_OPTIONS:+:}use_tls=0"

golden=$ATTEND_SOURCE/tests/data/model-v1.safetensors
head -n 400 "$demo/train.hi" >"$work/tiny.hi"
head -n 400 "$demo/train.en" >"$work/tiny.en"
"$ATTEND" train --train-src "$work/tiny.hi" --train-tgt "$work/tiny.en" --model "$work/hi-en" --tokenizer spaces --emb 12 --hidden 16 \
    --split none --max-updates 40 --threads 1 2>"$work/log" || fail "$(cat "$work/log")"
cp "$work/hi-en" "$work/en-hi"

# ---- A model that is larger than the limit alone is refused ----
refused 2 "its weights take [0-9]+ bytes of memory, and --memory-limit is 2048" "$ATTEND" serve --model "$work/hi-en" --memory-limit 2K
refused 2 "\-\-memory-limit takes a number of bytes, such as 1000000, 512K, 300M or 2G, not 'much'" \
    "$ATTEND" serve --model "$work/hi-en" --memory-limit much

# ---- Nothing is loaded before a request; then one of the three models has room ----
limit=$(sed -n 's/.*take \([0-9]*\) bytes.*/\1/p' <("$ATTEND" serve --model "$work/hi-en" --memory-limit 2K 2>&1))
limit=$((limit * 3 / 2))
models=(--model "$work/hi-en" --model "$work/en-hi" --model "$golden" --name hi-en --name en-hi --name xx-yy)
serve "${models[@]}" --memory-limit "$limit"
metric() { get /metrics | sed -n "s/^attend_$1 //p"; }
loaded() { get /models | jq -c '[.models[].loaded]'; }
equal "models loaded at start" "$(loaded)" '[false,false,false]'
equal "models served" "$(metric models) $(metric models_loaded)" "3 0"
equal "ready before the first load" "$(get /ready)" '{"status":"ready"}'
head -n 40 "$demo/test.hi" >"$work/in"
"$ATTEND" translate --model "$work/hi-en" --input "$work/in" >"$work/want" 2>/dev/null
jq -Rs '{q: (rtrimstr("\n") | split("\n")), source: "hi", target: "en"}' "$work/in" >"$work/body"
post /translate "@$work/body" | jq -r '.translatedText[]' >"$work/got"
cmp "$work/want" "$work/got" || fail "a model that is loaded on demand translates differently"
equal "one model is loaded" "$(loaded)" '[true,false,false]'
equal "the other two need no weights for their languages" "$(post_code /detect '{"q":"a b"}') $(metric model_loads_total)" "200 1"

# ---- Many clients, three models, room for one ----
for n in $(seq 60); do
    case $((n % 3)) in
    0) set -- hi en "$(sed -n "$((n % 40 + 1))p" "$work/in")" ;;
    1) set -- en hi "$(sed -n "$((n % 40 + 1))p" "$work/in")" ;;
    2) set -- xx yy "a b c" ;;
    esac
    jq -n --arg s "$1" --arg t "$2" --arg q "$3" '{q: $q, source: $s, target: $t}' >"$work/one.$n"
    if [ "$1" = xx ]; then echo "c b a"; else sed -n "$((n % 40 + 1))p" "$work/want"; fi >"$work/right.$n"
    printf 'url = "%s/translate"\nheader = "Content-Type: application/json"\ndata-binary = "@%s"\noutput = "%s"\n' \
        "$url" "$work/one.$n" "$work/out.$n"
    [ "$n" = 60 ] || echo next
done >"$work/curls"
curl -sS --no-progress-meter -m 60 -Z --parallel-max 30 -K "$work/curls"
for n in $(seq 60); do
    equal "request $n" "$(jq -r .translatedText "$work/out.$n")" "$(cat "$work/right.$n")"
done
[ "$(metric model_loads_total)" -ge 3 ] || fail "not every model was loaded: $(get /metrics)"
equal "loads that remain" "$(($(metric model_loads_total) - $(metric model_unloads_total)))" "$(metric models_loaded)"
[ "$(metric model_memory_bytes)" -le "$limit" ] || fail "models take $(metric model_memory_bytes) bytes, more than $limit"
equal "the limit" "$(metric model_memory_limit_bytes)" "$limit"

# ---- A file that was replaced is served after SIGHUP ----
cp "$work/hi-en" "$work/new"
for name in hi-en en-hi; do mv "$work/new" "$work/$name"; cp "$work/$name" "$work/new"; done
post /translate '{"q":"a b c","source":"xx","target":"yy"}' >/dev/null
equal "the answer for a replaced file" "$(post /translate "@$work/one.3")" '{"error":"Cannot translate text: the model cannot be loaded now"}'
equal "ready with a replaced file" "$(get /ready | jq -r .reason)" "the file of a model has changed or is gone, and it is not loaded"
matches -F "$work/hi-en has changed; reload to serve the new file (SIGHUP)" "$work/notes" || fail "no note: $(cat "$work/notes")"
kill -HUP "$server"
reloaded() { matches 'models reloaded' "$work/notes"; }
waited "no reload" reloaded
equal "ready after the reload" "$(get /ready)" '{"status":"ready"}'
equal "a translation after the reload" "$(post /translate "@$work/one.3" | jq -r .translatedText)" "$(cat "$work/right.3")"
stop
