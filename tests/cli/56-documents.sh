#!/usr/bin/env bash
# Documents: formats by flag and by ending, checked by the tools of their own worlds; broken ones are refused with one line.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
model=$work/model.safetensors
sed -n 1,200p "$demo/train.hi" >"$work/src"
sed -n 1,200p "$demo/train.en" >"$work/tgt"
"$ATTEND" train --train-src "$work/src" --train-tgt "$work/tgt" --model "$model" --tokenizer spaces --emb 8 --hidden 12 \
    --source-lang hi --target-lang en --max-updates 3 --threads 1 2>"$work/log" || fail "$(cat "$work/log")"
translate() { "$ATTEND" translate --model "$model" --max-length 1 "$@" 2>"$work/stderr"; }
first=$(translate <<<"mai ghar ja raha hoon")
second=$(translate <<<"kya tum")

# ---- Subtitles ----

printf '%s\r\n' 1 '00:00:01,000 --> 00:00:02,000' '<i>mai ghar' 'ja raha hoon</i>' '' 2 '00:00:03,000 --> 00:00:04,000' \
    '- kya tum' '- 42' '' >"$work/a.srt"
translate --input "$work/a.srt" --output "$work/b.srt"
grep -vE "mai|ja|kya|42" "$work/a.srt" >"$work/frame"
equal "numbers and times" "$(grep -c -F -x -f "$work/frame" "$work/b.srt")" "$(grep -c -F -x -f "$work/frame" "$work/a.srt")"
equal "a subtitle" "$(sed -n '3,4p' "$work/b.srt" | tr -d '\r' | paste -sd' ' | sed 's/<[^>]*>//g; s/ *$//')" "$first"
equal "a speaker" "$(sed -n 's/^- //p' "$work/b.srt" | head -n 1 | tr -d '\r')" "$second"
gzip -c "$work/a.srt" >"$work/a.srt.gz"
translate --input "$work/a.srt.gz" | cmp - "$work/b.srt" || fail "compressed subtitles differ"
translate --format srt <"$work/a.srt" | cmp - "$work/b.srt" || fail "subtitles from standard input differ"

# ---- Messages ----

cat >"$work/a.po" <<'END'
# translators
msgid ""
msgstr ""
"Language: en\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

#: a.c:1
msgid "kya tum"
msgstr ""

#, c-format
msgid "mai %d ghar"
msgid_plural "mai %d ghar\n"
"kya tum\n"
msgstr[0] ""
msgstr[1] ""

#, fuzzy
msgid "done"
msgstr "fertig"

#~ msgid "old"
#~ msgstr ""
END
sed -i 's/mai %d ghar"$/mai %d ghar\\n"/' "$work/a.po"
translate --input "$work/a.po" --output "$work/b.po"
equal "a message" "$(sed -n '/"kya tum"/{n;p}' "$work/b.po" | head -n 1)" "msgstr \"$second\""
diff <(grep -v '^msgstr' "$work/a.po") <(grep -vE '^msgstr' "$work/b.po" | grep -vxF "\"$second\\n\"") >"$work/diff" || true
! grep -q '^<' "$work/diff" || fail "lines other than msgstr are gone: $(cat "$work/diff")"
grep -q 'msgstr "fertig"' "$work/b.po" || fail "a translation was replaced"
equal "placeholders" "$(grep -c '%d' "$work/b.po")" 4
translate --retranslate --input "$work/a.po" | matches fertig && fail "--retranslate replaces nothing"
if command -v msgfmt >/dev/null; then
    msgfmt -c -o /dev/null "$work/b.po" 2>"$work/log" || fail "msgfmt: $(cat "$work/log")"
fi

# ---- Translation memories ----

cat >"$work/a.tmx" <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4">
  <header srclang="hi" segtype="sentence"/>
  <body>
    <tu tuid="1">
      <tuv xml:lang="hi-IN"><seg>kya tum</seg></tuv>
    </tu>
    <tu><tuv xml:lang="hi"><seg>kya &lt;tum&gt; &amp; <ph x="1">{0}</ph></seg></tuv><tuv xml:lang="en"><seg>old</seg></tuv></tu>
  </body>
</tmx>
END
translate --input "$work/a.tmx" --output "$work/b.tmx"
equal "what is added" "$(diff "$work/a.tmx" "$work/b.tmx" | sed 1d)" ">       <tuv xml:lang=\"en\"><seg>$second</seg></tuv>"
translate --retranslate --input "$work/a.tmx" >"$work/c.tmx"
grep -q '<ph x="1">{0}</ph></seg></tuv></tu>' "$work/c.tmx" || fail "an inline code is lost: $(cat "$work/c.tmx")"
if command -v xmllint >/dev/null; then
    xmllint --noout "$work/b.tmx" "$work/c.tmx" || fail "not well-formed"
fi
golden=$ATTEND_SOURCE/tests/data/model-v1.safetensors
refused 2 "does not say its languages" "$ATTEND" translate --model "$golden" --input "$work/a.tmx"

# ---- HTML and text ----

printf '<p title="kya tum">kya tum<br>\n<b>42</b></p><style>p{}</style>\n' >"$work/a.html"
equal "HTML" "$(translate --input "$work/a.html" | head -n 1)" "<p title=\"kya tum\">$second<br>"
printf 'kya tum\r\n\r\n' >"$work/a.txt"
printf '%s\r\n\r\n' "$second" >"$work/wanted"
translate --format text --input "$work/a.txt" | cmp - "$work/wanted" || fail "--format text"
translate --format auto --input "$work/a.txt" | cmp - "$work/wanted" || fail "--format auto"
equal "a .txt file without flags is lines" "$(translate --input "$work/a.txt" | od -c)" "$(printf '%s\n\n' "$second" | od -c)"
equal "lines in spite of the ending" "$(translate --format lines --input "$work/a.srt" | wc -l)" "$(wc -l <"$work/a.srt")"
for kind in srt po tmx html txt; do
    : >"$work/empty.$kind"
    equal "an empty .$kind" "$(translate --format auto --input "$work/empty.$kind" | wc -c)" 0
done

# ---- Broken documents ----

# broken FORMAT LINE MESSAGE TEXT
broken() {
    printf '%b' "$4" >"$work/broken.$1"
    refused 1 "broken.$1:$2: .*$3" "$ATTEND" translate --model "$model" --input "$work/broken.$1"
}
broken srt 2 "not the times" '1\n00:00:01,000 -- 00:00:02,000\nx\n'
broken srt 1 "ends in the middle" '1\n'
broken srt 3 "not the number" '\n\nhello\n'
broken po 1 "quotes of this string are not balanced" 'msgid "a\nmsgstr ""\n'
broken po 1 "has no msgstr" 'msgid "a"\n'
broken po 2 "not a line of a .po file" '\nhello\n'
broken tmx 2 "cut short" '<tmx><body>\n'
broken tmx 1 "middle of a tag" '<tmx><body'
broken tmx 1 "not a TMX file" '<html>'
broken html 2 "invalid UTF-8" 'a\n\xc3(b'
