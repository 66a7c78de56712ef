# The requests of load.sh and their expected answers, as lines of tests/serve/load_cases.h. The program itself gives the
# answer where it can; for other routes it is the answer of a server without load, after a check of its form.
# shellcheck shell=bash disable=SC2016,SC2154 # filters of jq are in single quotes; the rest is set by load.sh
# Needs: ATTEND, work, url, root, fail.

# How often each route is called. Explanations and pictures cost more than all others.
declare -A weight=(
    [translate]=380 [translate-list]=40 [translate-lines]=30 [translate-html]=40 [translate-alternatives]=40
    [translate-auto]=20 [translate-form]=30
    [attention]=40 [attention-target]=20 [attention-words]=20 [attention-prefix]=10 [attention-attend]=10 [attention-beam]=20
    [explain]=5 [picture]=5 [opennmt]=40 [opennmt-attention]=10
    [detect]=30 [languages]=30 [models]=30 [health]=60 [settings]=30 [spec]=5 [opennmt-models]=5
    [bad]=50 [head]=10 [options]=10 [page]=20 [unchanged]=5
)
json='Content-Type: application/json' form='Content-Type: application/x-www-form-urlencoded'

# add ROUTE METHOD PATH CODE FIELD: lines of `body<TAB>answer` become cases.
add() {
    awk -v OFS='\t' -v head="$1	${weight[$1]}	$2	$3	$4	$5" '{ print head, $0 }' >>"$work/cases"
}

# ---- Answers from the program ----

# cases FILE FILTER: a case for each line of FILE; FILTER makes [body, answer] of .q, the sentence, and .r, the program's JSON.
cases() {
    paste "$sentences" "$1" | jq -Rr --arg name "$name" --arg source "$source" --arg target "$target" "
        def codes: {source: \$source, target: \$target};
        def whole: {model: \$name} + . + {complete: (.target[-1] == \"</s>\"), milliseconds: 0};
        def alone: {alternatives: []};
        split(\"\\t\") | {q: .[0], r: (.[1] | fromjson)} | $2 | map(if type == \"string\" then . else tojson end) | join(\"\\t\")"
}

# triples FILE FILTER: the same for three lines together: .q and .r are lists.
triples() {
    paste "$sentences" "$1" | jq -Rrn --arg source "$source" --arg target "$target" "
        def codes: {source: \$source, target: \$target};
        [inputs | split(\"\\t\") | {q: .[0], r: (.[1] | fromjson)}] as \$all |
        range(0; (\$all | length) - 2; 3) | \$all[.:. + 3] | {q: map(.q), r: map(.r)} | $2 | map(tojson) | join(\"\\t\")"
}

translation_cases() {
    "$ATTEND" translate --model "$model" --input "$sentences" --alignment json >"$work/json" 2>"$work/log" || fail "$(cat "$work/log")"
    "$ATTEND" translate --model "$model" --input "$sentences" --alignment json --nbest 3 >"$work/nbest" 2>"$work/log"
    cases "$work/json" '[{q} + codes, {translatedText: .r.text}]' | add translate POST /translate 200 "$json"
    cases "$work/json" '[{q, model: $name}, {translatedText: .r.text}]' | add translate POST /translate 200 "$json"
    cases "$work/json" '["q=\(.q | @uri)&model=\($name | @uri)", {translatedText: .r.text}]' |
        add translate-form POST /translate 200 "$form"
    cases "$work/nbest" '[{q, alternatives: 2} + codes, {alternatives: [.r.alternatives[]?.text], translatedText: .r.text}]' |
        add translate-alternatives POST /translate 200 "$json"
    triples "$work/json" '[{q} + codes, {translatedText: [.r[].text]}]' | add translate-list POST /translate 200 "$json"
    triples "$work/json" '[{q: (.q | join("\n"))} + codes, {translatedText: ([.r[].text] | join("\n"))}]' |
        add translate-lines POST /translate 200 "$json"
    triples "$work/json" '[{q: "<p>\(.q[0])</p>\n<ul><li class=\"a b\">\(.q[1])</li> <li>\(.q[2])</li></ul>", format: "html"} + codes,
        {translatedText: "<p>\(.r[0].text)</p>\n<ul><li class=\"a b\">\(.r[1].text)</li> <li>\(.r[2].text)</li></ul>"}]' |
        add translate-html POST /translate 200 "$json"
    cases "$work/json" '[[{src: .q, id: $name}], [[{src: .q, tgt: .r.text, n_best: 1, pred_score: .r.score}]]]' |
        add opennmt POST /translator/translate 200 "$json"
    cases "$work/json" '[[{src: .q, id: $name, withAttn: true}], [[{src: .q, tgt: .r.text, n_best: 1, pred_score: .r.score,
        src_tokens: .r.source, tgt_tokens: .r.target, attn: .r.attention}]]]' |
        add opennmt-attention POST /translator/translate 200 "$json"
}

# Call it after translation_cases, which writes $work/json and $work/nbest.
attention_cases() {
    cases "$work/json" '[{q, model: $name}, (.r + alone | whole)]' | add attention POST /attention 200 "$json"
    cases "$work/nbest" '[{q, model: $name, alternatives: 2}, (alone + .r | {source, target, text, attention, score,
        log_probability, token_scores, probability, confidence, alternatives} | whole)]' | add attention POST /attention 200 "$json"
    "$ATTEND" translate --model "$model" --input "$sentences" --alignment json --words >"$work/words" 2>"$work/log"
    cases "$work/words" '[{q, model: $name, words: true}, (.r + alone | whole)]' | add attention-words POST /attention 200 "$json"
    "$ATTEND" translate --model "$model" --input "$sentences" --alignment json --beam 2 >"$work/beam" 2>"$work/log"
    cases "$work/beam" '[{q, model: $name, beam: 2}, (.r + alone | whole)]' | add attention-beam POST /attention 200 "$json"
    # A given translation: the second of the beam. The server divides its score by length, attend score does not.
    jq -r '.alternatives[0].text? // .text' "$work/nbest" >"$work/given"
    "$ATTEND" score --model "$model" --src "$sentences" --tgt "$work/given" --json >"$work/forced" 2>"$work/log"
    cases "$work/forced" '[{q, model: $name, target: .r.text},
        (.r + alone | .score = .log_probability / (.target | length) | whole)]' | add attention-target POST /attention 200 "$json"
    paste "$sentences" "$work/given" | jq -Rc 'split("\t") | {source: .[0], prefix: (.[1] | split(" ")[0])}' >"$work/begun"
    "$ATTEND" translate --model "$model" --input "$work/begun" --json >"$work/prefixed" 2>"$work/log"
    cases "$work/prefixed" '[{q, model: $name, prefix: .r.target[0]}, (.r + alone | whole)]' |
        add attention-prefix POST /attention 200 "$json"
    while IFS= read -r line; do
        "$ATTEND" explain --model "$model" --json --attend 1:1=1 "$line" | jq -c .after
    done < <(head -n "$few" "$sentences") >"$work/told"
    head -n "$few" "$sentences" >"$work/first"
    sentences=$work/first cases "$work/told" '[{q, model: $name, attend: [{step: 0, source: 0, weight: 1}]}, (.r + alone | whole)]' |
        add attention-attend POST /attention 200 "$json"
}

slow_cases() {
    local line n=0 view body
    while IFS= read -r line; do
        "$ATTEND" explain --model "$model" --json "$line"
    done < <(head -n "$few" "$sentences") >"$work/explained"
    sentences=$work/first cases "$work/explained" '[{q, model: $name}, .r]' | add explain POST /explain 200 "$json"
    while IFS= read -r line; do
        n=$((n + 1))
        for view in heatmap links salience; do
            echo "$line" >"$work/matrix"
            "$ATTEND" plot --matrix "$work/matrix" --title "$view" --view $view --output "$work/$name.$n.$view.svg"
            body=$(jq -c --arg view $view '{matrix: ., view: $view, title: $view}' <<<"$line")
            printf '%s\t@%s\n' "$body" "$work/$name.$n.$view.svg" | add picture POST /picture 200 "$json"
        done
    done < <(head -n "$few" "$work/json" | jq -c '{source, target, attention}')
}

# model_cases MODEL NAME SOURCE TARGET SENTENCES
model_cases() {
    model=$1 name=$2 source=$3 target=$4 sentences=$5
    translation_cases
    attention_cases
    slow_cases
}

# ---- Answers from a server without load ----

# ask METHOD PATH CODE FIELD BODY: the answer, which must have this code.
ask() {
    local code
    code=$(curl -sS -m 60 -o "$work/answer" -w '%{http_code}' -X "$1" ${4:+-H "$4"} --data-binary "$5" "$url$2")
    [ "$code" = "$3" ] || fail "$1 $2 ${5:0:100} gives $code, not $3: $(head -c 200 "$work/answer")"
    cat "$work/answer"
}

# reference ROUTE METHOD PATH CODE FIELD BODY FORM: FORM is a jq filter that is true of the answer.
reference() {
    local answer
    answer=$(ask "$2" "$3" "$4" "$5" "$6")
    jq -e "$7" >/dev/null <<<"$answer" || fail "$2 $3 ${6:0:100} answers ${answer:0:300}"
    printf '%s\t%s\n' "$6" "$answer" | add "$1" "$2" "$3" "$4" "$5"
}

bad() { # METHOD PATH CODE BODY [FIELD]
    reference bad "$1" "$2" "$3" "${5-$json}" "$4" '(.error | type == "string") and (keys | length == 1)'
}

bad_cases() {
    local codes="\"source\":\"$source\",\"target\":\"$target\"" long
    bad POST /translate 400 "{$codes}"
    bad POST /translate 400 '{"q":"a"}'
    bad POST /translate 400 '{"q":'
    bad POST /translate 400 '[]'
    bad POST /translate 400 $'{"q":"\xff",'"$codes}"
    bad POST /translate 400 '{"q":"a","source":"qq","target":"qq"}'
    bad POST /translate 400 '{"q":"a","model":"nobody"}'
    bad POST /translate 400 "{\"q\":[\"a\",1],$codes}"
    bad POST /translate 400 "{\"q\":\"a\",$codes,\"format\":\"pdf\"}"
    bad POST /translate 400 "{\"q\":\"a\",$codes,\"alternatives\":11}"
    bad POST /translate 400 "{\"q\":\"a\",$codes,\"alternatives\":\"x\"}"
    bad POST /translate 400 'q=%ff' "$form"
    long=$(printf 'a %.0s' $(seq 501))
    bad POST /translate 400 "{\"q\":\"$long\",\"split_sentences\":false,$codes}"
    bad POST /translate 400 "{\"q\":[$(printf '"%s",' "${long:0:900}" "${long:0:900}" "${long:0:900}" "${long:0:900}" "${long:0:900}" "${long:0:900}")\"a\"],$codes}"
    bad POST /translate 400 "{\"q\":[$(printf '"",%.0s' $(seq 500))\"a\"],$codes}"
    bad POST /attention 400 '{}'
    bad POST /attention 400 '{"q":"a\nb"}'
    bad POST /attention 400 '{"q":"a","beam":99}'
    bad POST /attention 400 '{"q":"a","attend":"x"}'
    bad POST /attention 400 '{"q":"a","attend":[{"step":0,"source":99,"weight":1}]}'
    bad POST /attention 400 '{"q":"a","attend":[{"step":0,"source":0,"weight":7}]}'
    bad POST /attention 400 '{"q":"a","target":"a","prefix":"a"}'
    bad POST /explain 400 '{"target":"a"}'
    bad POST /explain 400 "{\"q\":\"$long\"}"
    bad POST /picture 400 '{}'
    bad POST /picture 400 '{"matrix":{"source":["a","b"],"target":["x"],"attention":[[1]]}}'
    bad POST /detect 400 '{}'
    bad POST /nowhere 404 '{}'
    bad POST /health 405 '{}'
    bad GET /translate 405 '' ''
    bad POST /translate_file 400 '{}'
}

# HEAD requests, and the files of the page.
file_cases() {
    local path file
    for path in /health /languages /models; do
        printf '\t%s\n' "$(ask GET $path 200 '' '')" | add head HEAD $path 200 ''
    done
    printf '\t@%s\n' "$root/web/attention.js" | add head HEAD /attention.js 200 ''
    for path in / /translate /attention /health; do
        printf '\t\n' | add options OPTIONS $path 204 ''
    done
    printf '\t@%s\n' "$root/web/app.html" | add page GET / 200 ''
    for path in app.css app.js panel.js attention.js theme.css; do
        file=$root/web/$path
        printf '\t@%s\n' "$file" | add page GET "/$path" 200 ''
        printf '\t\n' | add unchanged GET "/$path" 304 "If-None-Match: $(curl -sS -I "$url/$path" | tr -d '\r' | sed -n 's/^ETag: //p')"
    done
}

reference_cases() {
    local line guess='length > 1 and all(.[]; .confidence >= 0 and .confidence <= 100 and (.language | type == "string"))'
    while IFS= read -r line; do
        reference detect POST /detect 200 "$json" "$line" "$guess"
        # Languages that are known only from a name cannot be detected.
        [ -z "$told" ] || reference translate-auto POST /translate 200 "$json" "$(jq -c '. + {source: "auto", target: "en"}' <<<"$line")" \
            '.detectedLanguage.language == "hi" and (.translatedText | type == "string")'
    done < <(head -n "$few" "$sentences" | jq -Rc '{q: .}')
    reference languages GET /languages 200 '' '' 'length > 1 and all(.[]; .targets | length > 0)'
    reference models GET /models 200 '' '' '.models | length > 0 and all(.[]; .parameters > 0)'
    reference health GET /health 200 '' '' '. == {status: "ok"}'
    reference settings GET /frontend/settings 200 '' '' '.charLimit == 5000 and .language.source.code == "auto"'
    reference spec GET /spec 200 '' '' '.swagger == "2.0" and (.paths | has("/translate"))'
    reference opennmt-models GET /translator/models 200 '' '' 'all(.[]; .loaded)'
    bad_cases
    file_cases
}
