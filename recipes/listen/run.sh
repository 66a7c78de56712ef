#!/usr/bin/env bash
# Recognizes spoken digits, alone and in strings, from recordings; see README.md.
#
# Usage: recipes/listen/run.sh [--data DIR] [OPTION]... [digits] [strings] [speakers] [voices]
# DIR has recordings DIGIT_SPEAKER_NUMBER.wav. Numbers 0 to 4 are the test set, 5 to 7 the development set.
#   digits      one digit
#   strings     two to six digits with pauses and noise, with and without attention
#   speakers    one digit of a speaker whom the model has never heard: one model for each speaker
#   voices      without DIR: words spoken by Debian's espeak-ng in several voices; the test voices are others
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

# more_voices FOLDER: names of recordings to `path<TAB>word` lines, each recording at several speeds, which change the
# pitch too
more_voices() {
    mkdir -p "$1"
    awk -v folder="$(cd "${option[data]}" && pwd)" -v speeds="$(short 1 "0.78 0.86 0.93 1 1.08 1.17 1.27")" '
        BEGIN { count = split(speeds, speed, " ") }
        { for (i = 1; i <= count; i++) { name = $0; sub(/\.wav$/, "", name)
              printf "%s-%d\t%s\t%s\t%s/%s\n", name, i, speed[i], (i % 3) * 0.004, folder, $0 } }' >"$1/plan"
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

# speak SET VOICES SPEEDS: `path<TAB>word` lines of words that espeak-ng speaks
speak() {
    local voice speed word folder=$out/data/voices
    mkdir -p "$folder"
    for voice in $2; do
        for speed in $3; do
            for word in $(shorten 12 <"$here/words.txt"); do
                [ -s "$folder/$word-$voice-$speed.wav" ] ||
                    espeak-ng -v "$voice" -s "$speed" -w "$folder/$word-$voice-$speed.wav" "$word" ||
                    die 1 "espeak-ng cannot speak '$word' as $voice"
                echo "$folder/$word-$voice-$speed.wav"$'\t'"$word"
            done
        done
    done >"$out/data/voices.$1.tsv"
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
    strings train "$training" "$(short 60 5000)" 1
    strings dev "$development" "$(short 20 300)" 2
    strings test "$test" "$(short 20 1000)" 3
    for attention in additive none; do
        model=strings-$attention.${option[seed]}
        train "$model" --train "$out/data/strings/train.tsv" --valid "$out/data/strings/dev.tsv" --attention $attention \
            --max-epochs 20
        evaluate "strings-$attention" "$model" "$out/data/strings/$evaluated.tsv"
    done
    draw "strings-additive.${option[seed]}" "$out/data/strings-additive.${option[seed]}.src"
fi

if [[ $sets == *" speakers "* ]]; then
    scored=()
    mapfile -t speakers < <(recordings 0 | cut -d _ -f 2 | sort -u)
    models=()
    for speaker in "${speakers[@]}"; do
        say "making voices unlike $speaker"
        recordings "$development|$training" "-$speaker" | more_voices "$out/data/$speaker" >"$out/data/$speaker.train.tsv"
        recordings "$test" "-$speaker" | table >"$out/data/$speaker.dev.tsv"
        recordings '.*' "$speaker" | table >"$out/data/$speaker.test.tsv"
        models+=("unheard-$speaker.${option[seed]}")
        train "${models[-1]}" --train "$out/data/$speaker.train.tsv" --valid "$out/data/$speaker.dev.tsv" \
            --max-epochs 12 --time-masks 2 --band-masks 2
        evaluate "unheard-$speaker" "${models[-1]}" "$out/data/$speaker.$evaluated.tsv"
    done
    mean "unheard-$evaluated" accuracy "${models[@]}"
fi

if [[ $sets == *" voices "* ]]; then
    command -v espeak-ng >/dev/null || die 1 "needs espeak-ng: apt-get install espeak-ng"
    say "speaking"
    speak train "$(short en+m1 "en+m1 en+m2 en+m3 en+m4 en+f1 en+f2 en-us+m1 en-us+f3")" "$(short 160 "130 160 190")"
    speak dev "$(short en+m5 "en+m5 en-us+f1")" 150
    speak test "$(short en+f4 "en+m6 en+m7 en+f4 en-us+m5")" "$(short 150 "140 175")"
    train "voices.${option[seed]}" --train "$out/data/voices.train.tsv" --valid "$out/data/voices.dev.tsv" \
        --time-masks 2 --band-masks 2
    evaluate voices "voices.${option[seed]}" "$out/data/voices.$evaluated.tsv"
    draw "voices.${option[seed]}" "$out/data/voices.${option[seed]}.src"
fi
finish
