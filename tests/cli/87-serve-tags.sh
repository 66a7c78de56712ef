#!/usr/bin/env bash
# The server's HTML: inline tags travel with their words, blocks separate sentences; and its terms.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=serve.bash
. "$(dirname "$0")/serve.bash"
command -v jq >/dev/null || { echo "skipped: no jq"; exit 77; }

head -n 600 "$demo/train.hi" >"$work/train.hi"
head -n 600 "$demo/train.en" >"$work/train.en"
"$ATTEND" train --train-src "$work/train.hi" --train-tgt "$work/train.en" --model "$work/hi-en.safetensors" --emb 16 --hidden 16 \
    --tokenizer spaces --max-updates 60 --threads 1 --lr 0.01 2>"$work/log" || fail "$(cat "$work/log")"
golden=$ATTEND_SOURCE/tests/data/model-v1.safetensors # reverses up to four letters, a to f
printf 'f\te\nStay\t\n' >"$work/terms.tsv"
serve --model "$golden" --name golden --model "$work/hi-en.safetensors" --glossary "$work/terms.tsv" --glossary "" --mask urls \
    --max-characters 1000000 --max-lines 5000
ask() { post /translate "$(jq -n --arg q "$1" '{q: $q, model: "golden", format: "html"}')" | jq -r .translatedText; }

# ---- 1000 lines: the answer without tags is the translation of the line without tags ----
cat "$demo/valid.hi" "$demo/test.hi" >"$work/in"
[ "$(wc -l <"$work/in")" -ge 1000 ] || fail "fewer than 1000 lines"
awk -f "$(dirname "$0")/tags.awk" "$work/in" >"$work/tagged"
plain() { sed -E 's,<[^>]*>,,g; :a; s,^(\{n\}|%[0-9]\$s) ,,; ta; s, (\{n\}|%[0-9]\$s),,g; s,^(\{n\}|%[0-9]\$s)+$,,'; }
"$ATTEND" translate --model "$work/hi-en.safetensors" --input "$work/in" >"$work/want" 2>/dev/null
jq -Rs '{q: (rtrimstr("\n") | split("\n")), model: "hi-en", format: "html"}' "$work/tagged" >"$work/body"
post /translate "@$work/body" | jq -r '.translatedText[]' >"$work/got"
plain <"$work/got" | cmp - "$work/want" || fail "without its tags an answer is another translation"
jq -c '.split_sentences = false' "$work/body" >"$work/whole"
post /translate "@$work/whole" | jq -r '.translatedText[]' >"$work/got"
plain <"$work/got" | cmp - "$work/want" || fail "without its tags an answer to a whole line is another translation"
"$ATTEND" translate --model "$work/hi-en.safetensors" --tags html --input "$work/tagged" 2>/dev/null | cmp - "$work/got" ||
    fail "the server's answers are not those of attend translate --tags html"

# ---- Inline and block ----
equal "inline" "$(ask 'a <b>b</b> c')" 'c <b>b</b> a'
equal "blocks" "$(ask '<p>a <b>b</b></p><ul><li>c d</li></ul>')" '<p><b>b</b> a</p><ul><li>d c</li></ul>'
equal "a line break" "$(ask 'a b<br>c d')" 'b a<br>d c'
equal "scripts and comments" "$(ask '<script>a < b</script>a <!-- x --> b<style>p{}</style>')" \
    '<script>a < b</script>b <!-- x -->a<style>p{}</style>'
equal "white space around" "$(ask $'<p>\n  a b\n</p>')" $'<p>\n  b a\n</p>'
equal "references" "$(ask '&#97; <i>b</i>')" '<i>b</i> a'
equal "no translation" "$(ask 'a b <span translate="no">x <b>y</b></span>')" 'b a <span translate="no">x <b>y</b></span>'
equal "not closed" "$(ask '<p>a <b>b</p><p>c</b> d</p>')" '<p><b>b a</p><p></b>d c</p>'
equal "crossing" "$(ask '<b>a <i>b</b></i>' | sed 's/<[^>]*>//g')" 'b a'
equal "alternatives" "$(post /translate '{"q":"<b>a</b> b","model":"golden","format":"html","alternatives":2}' | jq -c '[.alternatives[] | gsub("</?b>"; "") | test("<") | not] | all')" true
equal "plain text is not HTML" "$(post /translate '{"q":"a <b>","model":"hi-en"}' | jq -r '.translatedText | test("<b>")')" false

# ---- Terms ----
equal "the server's terms" "$(ask 'f' | tr ' ' '\n' | grep -c '^e$')" 1
equal "a term that stays" "$(ask 'Stay a b')" 'Stay b a'
equal "a masked address" "$(ask 'a b https://example.org/')" 'b a https://example.org/'
terms() { post /translate "{\"q\":\"a b\",\"model\":\"golden\",\"glossary\":$1}" | jq -r .translatedText | tr ' ' '\n' | grep -c "^$2\$" || true; }
equal "a list" "$(terms '[{"source":"A","target":"d"}]' d)" 1
equal "an object" "$(terms '{"a":"d","b":null}' d)" 1
equal "a null target" "$(terms '{"a":null}' a)" 1
equal "a form" "$(curl -sS --data-urlencode 'q=a b' -d model=golden --data-urlencode 'glossary={"a":"d"}' "$url/translate" | jq -r .translatedText | tr ' ' '\n' | grep -c '^d$')" 1
request() { printf '{"q":"a b","model":"golden","glossary":%s}' "$1"; }
for bad in '[]' '{}' '3' '"x"'; do
    equal "glossary $bad" "$(post_code /translate "$(request "$bad")")" 400
done
refuses 400 '{"error":"Invalid request: glossary is not a list or an object of 1 to 1000 terms"}' /translate "$(request '[]')"
refuses 400 '{"error":"Invalid request: glossary: term 1 is not a source text with a target text or null"}' /translate "$(request '[{"target":"d"}]')"
refuses 400 '{"error":"Invalid request: glossary: term 1 is not a source text with a target text or null"}' /translate "$(request '{"a":3}')"
refuses 400 "{\"error\":\"Invalid request: glossary:2: the model cannot spell 'castle', the target of 'b'; use words of its target vocabulary\"}" \
    /translate "$(request '[{"source":"a","target":"d"},{"source":"b","target":"castle"}]')"
refuses 400 '{"error":"Invalid request: glossary:1: has no source term; write it or take the line out"}' /translate "$(request '{" ":"d"}')"
stop

# ---- Errors at the start ----
printf 'a\tcastle\n' >"$work/wrong.tsv"
refused 1 "wrong.tsv:1: the model cannot spell 'castle'" "$ATTEND" serve --port 0 --model "$golden" --glossary "$work/wrong.tsv"
refused 2 "glossary is given 2 times for 1 models|glossary" "$ATTEND" serve --port 0 --model "$golden" --glossary "$work/terms.tsv" --glossary ""
refused 2 "there is no mask 'names'" "$ATTEND" serve --port 0 --model "$golden" --mask names
