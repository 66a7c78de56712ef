#!/usr/bin/env bash
# A server with one model for several pairs of languages: each pair is offered, chosen and detected as if it were a model.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=serve.bash
. "$(dirname "$0")/serve.bash"
command -v jq >/dev/null || { echo "skipped: no jq"; exit 77; }
get() { curl -sS "$url$1"; }
post() { curl -sS -H 'Content-Type: application/json' --data-binary "$2" "$url$1"; }

# English letters a to h, Greek ones as another source; German gives d-letters, French f-letters.
awk 'BEGIN { seed = 7; split("α β γ δ ε ζ η θ", greek, " ")
    for (line = 0; line < 250; line++) {
        s = d = f = g = ""
        for (i = 0; i < 3; i++) {
            seed = (seed * 1103515245 + 12345) % 2147483648
            k = 1 + int(seed / 65536) % 8; c = substr("abcdefgh", k, 1); b = i ? " " : ""
            s = s b c; g = g b greek[k]; d = d b "d" c; f = f b "f" c
        }
        print s "\t" d "\ten\tde"; print s "\t" f "\ten\tfr"; print g "\t" d "\tel\tde"
    } }' >"$work/train.tsv"
"$ATTEND" train --train "$work/train.tsv" --columns src,tgt,from,to --language-columns from,to --tokenizer spaces --emb 16 \
    --hidden 24 --dropout 0 --label-smoothing 0 --lr 0.02 --ema 0 --batch-tokens 200 --max-updates 400 --threads 1 --split none \
    --model "$work/multi.safetensors" 2>"$work/log" || fail "$(cat "$work/log")"
golden=$ATTEND_SOURCE/tests/data/model-v1.safetensors
serve --model "$work/multi.safetensors" --model "$golden" --name multi --name xx-yy

equal "/languages" "$(get /languages | jq -c '[.[] | [.code, .targets]]')" \
    '[["en",["en","de","fr"]],["de",["de"]],["fr",["fr"]],["el",["de","el"]],["xx",["xx","yy"]],["yy",["yy"]]]'
equal "/models" "$(get /models | jq -c '[.models[] | [.name, .source, .target]]')" \
    '[["multi:en-de","en","de"],["multi:en-fr","en","fr"],["multi:el-de","el","de"],["xx-yy","xx","yy"]]'
grep -q '^attend_models 2$' <(get /metrics) || fail "a pair counts as a model: $(get /metrics | grep models)"

text() { post /translate "$1" | jq -rc '.translatedText // .error'; }
equal "to German" "$(text '{"q":"a b c","source":"en","target":"de"}')" "da db dc"
equal "to French" "$(text '{"q":"a b c","source":"en","target":"fr"}')" "fa fb fc"
equal "from Greek" "$(text '{"q":"α β γ","source":"el","target":"de"}')" "da db dc"
equal "detected" "$(post /translate '{"q":["α β γ α β γ α β γ α β γ α β γ α β γ α β γ","a b c a b c a b c a b c a b c a b c a b c a b c"],"source":"auto","target":"de"}' | jq -c '[.detectedLanguage[].language]')" \
    '["el","en"]'
equal "/detect" "$(post /detect '{"q":"α β γ δ ε"}' | jq -r '.[0].language')" el
equal "a pair that is not there" "$(text '{"q":"α","source":"el","target":"fr"}')" \
    "French (fr) is not available as a target language from Greek (el)"
equal "a named pair" "$(text '{"q":"a b c","model":"multi:en-fr"}')" "fa fb fc"
equal "a named model and languages" "$(text '{"q":"a b c","model":"multi","source":"en","target":"fr"}')" "fa fb fc"
equal "a named model and the target that decides" "$(text '{"q":"a b c","model":"multi","target":"fr"}')" "fa fb fc"
equal "a named model alone" "$(text '{"q":"a b c","model":"multi"}')" \
    "Invalid request: multi has several pairs of languages; choose one with source and target, or by a name of /models"
equal "no such model" "$(text '{"q":"a b c","model":"mult"}')" "mult is not supported: there is no such model"

# Many requests at once in both directions, which are translated together.
for i in $(seq 12); do
    lang=$([ $((i % 2)) = 0 ] && echo de || echo fr)
    post /translate '{"q":"c b a","source":"en","target":"'"$lang"'"}' | jq -r .translatedText >"$work/many.$i" &
    jobs[i]=$!
done
wait "${jobs[@]}"
equal "many" "$(cat "$work"/many.* | sort | uniq -c | awk '{ print $1, $2, $3, $4 }' | paste -sd/)" "6 dc db da/6 fc fb fa"

# Attention, also of a given translation; explanation; OpenNMT's form.
equal "/attention" "$(post /attention '{"q":"a b c","source":"en","target_language":"fr"}' | jq -c '[.model, .text, .source, .tags]')" \
    '["multi:en-fr","fa fb fc",["⟨en→⟩","⟨→fr⟩","a","b","c","</s>"],2]'
forced() { post /attention '{"q":"a b c","model":"multi:en-'"$1"'","target":"da db dc"}' | jq .log_probability; }
awk -v de="$(forced de)" -v fr="$(forced fr)" 'BEGIN { exit !(de > -1 && fr < de - 5) }' || fail "a given translation has the wrong languages"
equal "/explain" "$(post /explain '{"q":"a b c","source":"en","target_language":"fr"}' | jq -rc '.target[0]')" "fa"
equal "/explain of a named pair" "$(post /explain '{"q":"a b c","model":"multi:en-de"}' | jq -rc '.target[0]')" "da"
equal "OpenNMT" "$(post /translator/translate '[{"src":"a b c","id":1}]' | jq -r '.[0][0].tgt')" "fa fb fc"
equal "the other model" "$(text '{"q":"a b","source":"xx","target":"yy"}')" "b a"

# A reload keeps a model that is damaged now.
echo damaged >"$work/multi.safetensors"
kill -HUP "$server"
waited "no note about the damaged model" grep -q "keeping the model that was loaded before" "$work/notes"
equal "after a reload" "$(text '{"q":"a b c","source":"en","target":"fr"}')" "fa fb fc"
stop
