#!/usr/bin/env bash
# A server from a file: lists, flags before the file, errors by line, what SIGHUP can change, and /ready.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=serve.bash
. "$(dirname "$0")/serve.bash"
[ -e "$(dirname "$ATTEND")/attend-yaml.so" ] || { echo "skipped: built without libyaml"; exit 77; }
command -v jq >/dev/null || { echo "skipped: no jq"; exit 77; }

golden=$ATTEND_SOURCE/tests/data/model-v1.safetensors
cp "$golden" "$work/one"
cp "$golden" "$work/two"
printf 'b\tc\n' >"$work/terms"
config=$work/serve.yaml
write() { printf '%s\n' "$@" >"$config"; }

# ---- Errors name file and line ----
write 'model: one' 'prot: 1'
refused 2 "$config:2: unknown option --prot; did you mean --port?" "$ATTEND" serve --config "$config"
write 'model:' "  - $golden" 'port: [1, 2]'
refused 2 "$config:3: port takes one value, not a list" "$ATTEND" serve --config "$config"
write 'model:' '  - one' '  - {file: two}'
refused 2 "$config:3: the value of a setting must be a word, number or text, or a list of these" "$ATTEND" serve --config "$config"
write 'model: one' 'queue: none'
refused 2 "$config:2: --queue takes a whole number" "$ATTEND" serve --config "$config"
write 'host: 127.0.0.1'
refused 2 "\-\-model is needed" "$ATTEND" serve --config "$config"
refused 1 "none.yaml: cannot be opened" "$ATTEND" serve --config "$work/none.yaml"

# ---- Lists in the file, each in its place; a flag replaces a list of the file ----
write 'model:' "  - $work/one" "  - $work/two" 'name: [en-hi, de-fr]' 'glossary: ["", '"$work/terms"']' 'max-lines: 3'
serve --config "$config"
names() { get /models | jq -c '[.models[] | [.name, .source, .target]]'; }
equal "models of the file" "$(names)" '[["en-hi","en","hi"],["de-fr","de","fr"]]'
equal "no glossary" "$(post /translate '{"q":"a b","source":"en","target":"hi"}')" '{"translatedText":"b a"}'
equal "its glossary" "$(post /translate '{"q":"a b","source":"de","target":"fr"}')" '{"translatedText":"b a c"}'
equal "/ready" "$(curl -sS -w ' %{http_code}' "$url/ready")" '{"status":"ready"} 200'
stop
serve --config "$config" --model "$work/two" --name xx-yy --glossary "$work/terms"
equal "models of the flags" "$(names)" '[["xx-yy","xx","yy"]]'
stop

# ---- SIGHUP: what can change does, what cannot is named, and the rest of the file counts ----
said() { matches -F -- "$1" "$work/notes"; }
reloaded() { [ "$(grep -c 'models reloaded' "$work/notes")" = "$1" ]; }
write "model: $work/one" 'name: en-hi'
serve --config "$config"
pid=$server
write 'model:' "  - $work/two" "  - $work/one" 'name: [de-fr, en-hi]' "glossary: $work/terms" 'rate: 1000' 'beam: 3' 'max-lines: 7'
kill -HUP "$pid"
waited "no reload" reloaded 1
equal "models after a reload" "$(names)" '[["de-fr","de","fr"],["en-hi","en","hi"]]'
equal "a glossary after a reload" "$(post /translate '{"q":"a b","source":"en","target":"hi"}')" '{"translatedText":"b a c"}'
for name in beam max-lines; do
    said -- "--$name cannot change while the server runs; start it again for that" || fail "--$name: $(cat "$work/notes")"
done
! said "--rate cannot" || fail "the rate cannot change"
equal "ready after a reload" "$(curl -sS -o /dev/null -w '%{http_code}' "$url/ready")" 200

# What is wrong in the file changes nothing, and /ready says so until it is right again.
ready() { [ "$(curl -sS -o "$work/ready" -w '%{http_code}' "$url/ready")" = "$1" ]; }
stale='{"status":"not ready","reason":"the last reload failed; the log of the server says why"}'
write "model: $work/one" 'rate: many'
kill -HUP "$pid"
waited "ready with a broken file" ready 503
equal "the reason" "$(cat "$work/ready")" "$stale"
said "$config:2: --rate takes a whole number" || fail "the broken file: $(cat "$work/notes")"
write "model: $work/one" 'name: en-hi'
kill -HUP "$pid"
waited "not ready" ready 200
equal "models of the right file" "$(names)" '[["en-hi","en","hi"]]'
# A model that is broken is kept; a new one that is broken changes nothing.
echo broken >"$work/broken"
cp "$work/broken" "$work/one"
kill -HUP "$pid"
waited "ready with a broken model" ready 503
said "$work/one" || fail "the broken model: $(cat "$work/notes")"
write 'model:' "  - $work/two" "  - $work/broken"
cp "$golden" "$work/one"
kill -HUP "$pid"
waited "ready with a broken model" said "broken"
waited "no note" said "keeping the models that were loaded before"
equal "models that stay" "$(names)" '[["en-hi","en","hi"]]'
equal "a translation" "$(post /translate '{"q":"a b","source":"en","target":"hi"}')" '{"translatedText":"b a"}'
stop
