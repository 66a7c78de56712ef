#!/usr/bin/env bash
# Recognizes spoken digits, alone and in strings, from recordings; see README.md.
#
# Usage: recipes/listen/run.sh [--data DIR] [OPTION]... [digits] [strings] [speakers] [voices]
# DIR has recordings DIGIT_SPEAKER_NUMBER.wav. Numbers 0 to 4 are the test set, 5 to 7 the development set.
#   digits      one digit
#   strings     two to six digits with pauses and noise, with and without attention
#   speakers    one digit of a speaker whom the model has never heard: one model for each speaker
#   voices      without DIR: phrases of one to three words, spoken by Debian's espeak-ng in several voices; the test
#               voices are others
# shellcheck source=../lib.bash
. "$(dirname "$0")/../lib.bash"
words=(zero one two three four five six seven eight nine)

# recordings NUMBERS [SPEAKER]: names of recordings whose number matches a regular expression; of this speaker, or with
# -SPEAKER of all others
recordings() {
    (cd "${option[data]}" && printf '%s\n' [0-9]_*_*.wav) | awk -F '[_.]' -v numbers="^($1)\$" -v who="${2:-}" '
        $3 ~ numbers && (who == "" || who == $2 || who ~ /^-/ && who != "-" $2)'
}

# table: names of recordings to `path<TAB>word` lines
table() {
    awk -v folder="$(cd "${option[data]}" && pwd)" -v words="${words[*]}" '
        BEGIN { split(words, word, " ") } { print folder "/" $0 "\t" word[substr($0, 1, 1) + 1] }'
}

# more_voices FOLDER COPIES: make copies of the named recordings, each as if by another voice: at another speed, which
# changes the pitch too, at another tempo, with another level of noise, and half of the time with silence before or after
# it, because speakers differ in how closely their recordings are cut. Prints `path<TAB>word` lines.
more_voices() {
    mkdir -p "$1"
    awk -v folder="$(cd "${option[data]}" && pwd)" -v copies="$2" '
        function uniform() { return (state = state * 48271 % 2147483647) / 2147483647 }
        function silence() { return uniform() < 0.5 ? 0 : 0.4 * uniform() }
        BEGIN { state = 7919 }
        { for (i = 1; i <= copies; i++) { name = $0; sub(/\.wav$/, "", name)
              printf "%s-%d\t%.3f\t%.3f\t%.4f\t%.3f\t%.3f\t%s/%s\n", name, i, exp(0.56 * uniform() - 0.28),
                  exp(0.6 * uniform() - 0.3), 0.03 * uniform() * uniform(), silence(), silence(), folder, $0 } }' >"$1/plan"
    perl "$here/sounds.pl" "$1" 1 <"$1/plan"
    cut -f 1 "$1/plan" | awk -v folder="$1" -v words="${words[*]}" '
        BEGIN { split(words, word, " ") } { print folder "/" $0 ".wav\t" word[substr($0, 1, 1) + 1] }'
}

# strings SET NUMBERS COUNT SEED: make strings of the recordings of these numbers
strings() {
    mkdir -p "$out/data/strings"
    recordings "$2" | awk -v count="$3" -v seed="$4" -v prefix="$1-" -v table="$out/data/strings/$1.tsv" \
        -v folder="$(cd "${option[data]}" && pwd)" -f "$here/plan.awk" | perl "$here/sounds.pl" "$out/data/strings" "$4"
}

# evaluate SET MODEL LIST
evaluate() {
    answer_files "$2" "$3"
    record_files "$1-$evaluated" "$2"
}

# speak SET VOICES SPEEDS COUNT SEED: make recordings of phrases that espeak-ng speaks, and `path<TAB>words` lines of them
speak() {
    local number voice speed phrase folder=$out/data/voices/$1
    mkdir -p "$folder"
    awk -v voices="$2" -v speeds="$3" -v count="$4" -v seed="$5" -f "$here/phrases.awk" "$here/words.txt" |
        while IFS=$'\t' read -r number voice speed phrase; do
            espeak-ng -v "$voice" -s "$speed" -w "$folder/$number.wav" "$phrase" ||
                die 1 "espeak-ng cannot speak '$phrase' as $voice"
            echo "$number.wav"$'\t'"$phrase"
        done >"$folder/list.tsv"
}

begin "$@"
sets=" ${names[*]:-digits strings speakers} "
[ -n "${option[data]}" ] || sets=" ${names[*]:-voices} "
training='[89]|[1-4][0-9]' development='[5-7]' test='[0-4]'
[ -z "$quick" ] || training='9'
[ "$evaluated" = test ] && judged=$test || judged=$development
for set in $sets; do
    [[ $set == @(digits|strings|speakers|voices) ]] || die 2 "unknown set '$set': see --help"
    [ "$set" = voices ] || need 0_george_0.wav
done

if [[ $sets == *" digits "* ]]; then
    recordings "$training" | table >"$out/data/digits.train.tsv"
    recordings "$development" | table >"$out/data/digits.dev.tsv"
    recordings "$judged" | table >"$out/data/digits.$evaluated.tsv"
    train "digits.${option[seed]}" --train "$out/data/digits.train.tsv" --valid "$out/data/digits.dev.tsv"
    evaluate digits "digits.${option[seed]}" "$out/data/digits.$evaluated.tsv"
    draw "digits.${option[seed]}" "$out/data/digits.${option[seed]}.src"
fi

if [[ $sets == *" strings "* ]]; then
    say "making strings"
    strings train "$training" "$(short 60 8000)" 1
    strings dev "$development" "$(short 20 300)" 2
    strings test "$test" "$(short 20 1000)" 3
    for attention in location_aware none; do
        model=strings-$attention.${option[seed]}
        train "$model" --train "$out/data/strings/train.tsv" --valid "$out/data/strings/dev.tsv" --attention $attention \
            --emb 64 --hidden 128 --time-masks 2 --band-masks 2 --max-epochs 8 --schedule cosine
        evaluate "strings-$attention" "$model" "$out/data/strings/$evaluated.tsv"
    done
    draw "strings-location_aware.${option[seed]}" "$out/data/strings-location_aware.${option[seed]}.src"
fi

if [[ $sets == *" speakers "* ]]; then
    scored=()
    mapfile -t speakers < <(recordings 0 | cut -d _ -f 2 | sort -u)
    models=()
    say "making more voices"
    recordings "$development|$training" | more_voices "$out/data/voices-of-speakers" "$(short 1 4)" >"$out/data/speakers.tsv"
    for speaker in "${speakers[@]}"; do
        grep -v "/[0-9]_${speaker}_" "$out/data/speakers.tsv" >"$out/data/$speaker.train.tsv"
        recordings "$test" "-$speaker" | table >"$out/data/$speaker.dev.tsv"
        recordings '.*' "$speaker" | table >"$out/data/$speaker.test.tsv"
        models+=("unheard-$speaker.${option[seed]}")
        train "${models[-1]}" --train "$out/data/$speaker.train.tsv" --valid "$out/data/$speaker.dev.tsv" \
            --emb 64 --hidden 128 --sound-range 40 --sound-center --sound-deltas --time-masks 2 --band-masks 2 \
            --valid-metric loss --max-epochs 15 --schedule cosine
        evaluate "unheard-$speaker" "${models[-1]}" "$out/data/$speaker.$evaluated.tsv"
    done
    mean "unheard-$evaluated" accuracy "${models[@]}"
fi

if [[ $sets == *" voices "* ]]; then
    command -v espeak-ng >/dev/null || die 1 "needs espeak-ng: apt-get install espeak-ng"
    say "speaking"
    speak train "en+m1 en+m2 en+m3 en+m4 en+f1 en+f2 en-us+m1 en-us+f3" "130 145 160 175 190" "$(short 60 4000)" 1
    speak dev "en+m5 en-us+f1" "140 170" "$(short 20 200)" 2
    speak test "en+m6 en+m7 en+f4 en-us+m5" "140 170" "$(short 20 500)" 3
    train "voices.${option[seed]}" --train "$out/data/voices/train/list.tsv" --valid "$out/data/voices/dev/list.tsv" \
        --emb 64 --hidden 128 --sound-center --sound-deltas --time-masks 2 --band-masks 2 --max-epochs 8 \
        --schedule cosine
    evaluate voices "voices.${option[seed]}" "$out/data/voices/$evaluated/list.tsv"
    draw "voices.${option[seed]}" "$out/data/voices.${option[seed]}.src"
fi
finish
