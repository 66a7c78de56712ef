#!/usr/bin/env bash
# Files and sentences over HTTP, as LibreTranslate's clients ask for them.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=serve.bash
. "$(dirname "$0")/serve.bash"
golden=$ATTEND_SOURCE/tests/data/model-v1.safetensors # reverses up to four letters
cp "$golden" "$work/xx-yy.safetensors"
upload() { curl -sS -m 60 -F "file=@$1" -F source=xx -F target=yy "${@:2}" "$url/translate_file"; }

serve --model "$work/xx-yy.safetensors" --max-characters 2000
printf '\xef\xbb\xbf1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>a b</i>\r\n' >"$work/my film.srt"
answer=$(upload "$work/my film.srt")
address=$(jq -r .translatedFileUrl <<<"$answer")
[[ $address =~ ^http://127.0.0.1:$port/download_file/[0-9a-f]{32}\.my_film_yy\.srt$ ]] || fail "the address is $address"
curl -sS -m 60 -D "$work/head" "$address" >"$work/got"
printf '\xef\xbb\xbf1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>b a</i>\r\n' | cmp - "$work/got" || fail "$(od -c "$work/got")"
grep -qi '^content-disposition: attachment; filename="my_film_yy.srt"' "$work/head" || fail "$(cat "$work/head")"
grep -qi '^content-type: application/octet-stream' "$work/head" || fail "$(cat "$work/head")"
equal "another name" "$(curl -sS -o /dev/null -w '%{http_code}' "${address%.my*}")" 404
printf 'a b\nc d\n' >"$work/a.txt"
auto() { curl -sS -m 60 -F "file=@$1" -F source=auto -F target="$2" "$url/translate_file"; }
equal "a model without languages" "$(auto "$work/a.txt" yy)" '{"error":"auto is not supported"}'
printf 'x\0y' >"$work/nul.txt"
equal "NUL" "$(upload "$work/nul.txt")" '{"error":"Invalid request: nul.txt:1: contains a NUL byte; remove it"}'
head -c 3000 /dev/zero | tr '\0' a | sed 's/aaaa/&\n/g' >"$work/long.txt"
[[ $(upload "$work/long.txt") == '{"error":"Invalid request: file ('*') exceeds text limit (2000)"}' ]] || fail "a long file"
stop
equal "a file in the log" "$(jq -r 'select(.path == "/translate_file") | .status' "$work/access" | sort | uniq -c | paste -sd/ | tr -d ' ')" "1200/3400"

# More lines than are translated at a time, and an upload that is larger than the limit.
serve --model "$work/xx-yy.safetensors" --max-characters 100000 --max-body 40000
awk 'BEGIN { for (i = 0; i < 5000; i++) print i % 3 ? "a b c" : "d e" }' >"$work/many.txt"
curl -sS -m 60 "$(upload "$work/many.txt" | jq -r .translatedFileUrl)" >"$work/got"
sed 's/^a b c$/c b a/; s/^d e$/e d/' "$work/many.txt" | cmp - "$work/got" || fail "many lines"
cat "$work/many.txt" "$work/many.txt" >"$work/large.txt"
equal "a large upload" "$(upload "$work/large.txt" -o /dev/null -w '%{http_code}')" 413
stop

# Keys count for uploads; a name is enough to download.
echo secret >"$work/keys"
serve --model "$work/xx-yy.safetensors" --api-keys "$work/keys"
equal "without a key" "$(upload "$work/a.txt" -o /dev/null -w '%{http_code}')" 400
address=$(upload "$work/a.txt" -F api_key=secret | jq -r .translatedFileUrl)
equal "with a key" "$(curl -sS "$address" | paste -sd/)" "b a/d c"
stop

# The language is detected from the text of the file.
head -n 200 "$demo/train.hi" >"$work/hi"
head -n 200 "$demo/train.en" >"$work/en"
"$ATTEND" train --train-src "$work/hi" --train-tgt "$work/en" --model "$work/hi-en.safetensors" --tokenizer spaces --emb 8 \
    --hidden 12 --source-lang hi --target-lang en --max-updates 3 --threads 1 2>"$work/log" || fail "$(cat "$work/log")"
serve --model "$work/hi-en.safetensors"
head -n 5 "$demo/train.hi" >"$work/hi.txt"
head -n 5 "$demo/train.en" >"$work/en.txt"
curl -sS "$(auto "$work/hi.txt" en | jq -r .translatedFileUrl)" >"$work/got"
"$ATTEND" translate --model "$work/hi-en.safetensors" --input "$work/hi.txt" 2>/dev/null | cmp - "$work/got" || fail "detected: $(cat "$work/got")"
curl -sS "$(auto "$work/en.txt" en | jq -r .translatedFileUrl)" | cmp - "$work/en.txt" || fail "a file in the target language changes"
stop

[ -e "$(dirname "$ATTEND")/attend-sentences.so" ] || { echo "skipped: built without ICU"; exit 77; }
serve --model "$work/xx-yy.safetensors"
text='{"q":"文。二！ 三","source":"xx","target":"yy"'
equal "sentences" "$(post /translate "$text}" | jq -r '.translatedText | test("^[^ ]* *[^ ]* [^ ]*$")')" true
post /translate "$text}" >"$work/split"
post /translate "$text,\"split_sentences\":false}" >"$work/whole"
! cmp -s "$work/split" "$work/whole" || fail "split_sentences has no effect: $(cat "$work/split")"
stop
serve --model "$work/xx-yy.safetensors" --whole-lines
post /translate "$text}" | cmp - "$work/whole" || fail "--whole-lines splits"
stop
