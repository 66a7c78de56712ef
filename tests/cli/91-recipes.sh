#!/usr/bin/env bash
# The recipes on words: shortened runs from end to end, clear messages about what is missing, and correct reading and splitting of data.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
export LC_ALL=C
recipes=$ATTEND_SOURCE/recipes

# lib COMMAND...: a function of recipes/lib.bash, as a recipe calls it
lib() {
    bash -c '. "$1/lib.bash"; out=$2; shift 2; "$@"' "$recipes/dates/run.sh" "$recipes" "$work" "$@"
}

# ---- Dates ----

dates() { # FOLDER SEED
    mkdir "$1"
    awk -v folder="$1" -v seed="$2" -v train=3000 -v dev=200 -v test=800 -f "$recipes/dates/make_dates.awk" \
        "$recipes/dates/words.tsv" "$recipes/dates/styles.tsv"
}
dates "$work/dates" 1
dates "$work/again" 1
dates "$work/other" 2
diff -r "$work/dates" "$work/again" || fail "the same seed made other dates"
! cmp -s "$work/dates/test.tsv" "$work/other/test.tsv" || fail "another seed made the same dates"
equal "written dates, all different" "$(cat "$work"/dates/*.tsv | cut -f 1 | sort -u | wc -l)" 4000
awk -v folder="$work/again" -v seed=1 -v train=20000 -f "$recipes/dates/make_dates.awk" "$recipes/dates/words.tsv" <(
    printf 'any\t{dd}.{mm}.{yy}\n')
equal "20000 of the 36525 days of a century" "$(sort -u "$work/again/train.tsv" | wc -l)" 20000
equal "Februaries" "$(awk -f "$recipes/dates/make_dates.awk" -f <(
    echo 'BEGIN { print month_days(1900, 2), month_days(2000, 2), month_days(1996, 2), month_days(1999, 2); exit }'))" "28 29 29 28"
cut -f 2 "$work"/dates/*.tsv | date -f - +%F | diff - <(cut -f 2 "$work"/dates/*.tsv) || fail "dates that do not exist"
sed -n 's/^\([MTWFS][a-z][a-z]\), [0-9][0-9] [A-Z][a-z]* [0-9]*\t/\1 /p' "$work"/dates/*.tsv >"$work/weekdays"
[ "$(wc -l <"$work/weekdays")" -gt 20 ] || fail "too few dates with weekdays"
cut -d ' ' -f 2 "$work/weekdays" | date -f - '+%a %F' | diff - "$work/weekdays" || fail "wrong weekdays"
styles=$(grep -vc '^#' "$recipes/dates/styles.tsv")
grep -q "in $styles styles" "$recipes/dates/README.md" || fail "the README does not say $styles styles"
# 29 February exists in leap years; two digits mean 1950 to 2049.
grep -q '	[0-9]*-02-29$' "$work"/dates/*.tsv || fail "no leap day"
equal "two digits before 50" "$(sed -n "s/.* '\([0-4][0-9]\)\t\(..\).*/\2/p" "$work"/dates/*.tsv | sort -u)" 20
equal "two digits from 50" "$(sed -n "s/.* '\([5-9][0-9]\)\t\(..\).*/\2/p" "$work"/dates/*.tsv | sort -u)" 19
printf 'any\t{d}/{m}/{yyyy}\nany\t{m}/{d}/{yyyy}\n' >"$work/ambiguous"
refused 1 "is .* and " awk -v folder="$work/again" -v seed=1 -v train=3000 -v dev=0 -v test=0 \
    -f "$recipes/dates/make_dates.awk" "$recipes/dates/words.tsv" "$work/ambiguous"

# ---- Reading and splitting ----

printf '%s\n' MNCL '("a" dt (((ax) 0)))' '("Bubba" n (((b ah) 1) ((b ax) 0)))' '("it'"'"'s" nil (((ih t s) 1)))' >"$work/festival"
equal "festival's lines" "$(awk -f "$recipes/pronounce/festival.awk" "$work/festival" | paste -sd/)" "A	AH/BUBBA	B AH B AH"

awk 'BEGIN { for (i = 0; i < 900; i++) { print "w" i "\tA"; if (i % 3 == 0) print "w" i "\tB" } }' >"$work/words"
lib split_words "$work/words" "$work/split" 100 200
equal "words for the test" "$(cut -f 1 "$work/split/test.tsv" | uniq | wc -l)" 200
equal "words to choose by" "$(cut -f 1 "$work/split/dev.tsv" | uniq | wc -l)" 100
equal "lines in all" "$(sort "$work"/split/{train,dev,test}.tsv | cksum)" "$(sort "$work/words" | cksum)"
for set in train dev test; do cut -f 1 "$work/split/$set.tsv" | sort -u; done | sort | uniq -d >"$work/twice"
[ ! -s "$work/twice" ] || fail "words in two sets: $(head "$work/twice")"
# The split is not alphabetical: 333 of the 900 words begin like this, so 74 of the 200 should.
share=$(cut -f 1 "$work/split/test.tsv" | uniq | awk '/^w[456]/ { count++ } END { print count + 0 }')
((share > 45 && share < 100)) || fail "$share of 200 test words begin with w4 to w6"

printf 'ab\txy\nab\txz\nabc\tx\n' >"$work/pairs"
printf 'ba\nabq\n' | awk -f "$recipes/names/letters.awk" "$work/pairs" - >"$work/letters"
equal "letter by letter" "$(paste -sd/ "$work/letters")" yx/xyq
printf 'é\tx\n' | awk -f "$recipes/names/letters.awk" - <(echo éé) | matches -x xx || fail "letters of two bytes"
printf 'ya\tギャ\n' | awk -v syllables=1 -f "$recipes/names/letters.awk" - <(echo yay) | matches -x ギャy || fail "syllables"
printf 'vnd\tunt\nvnd\tunt\n\nvnd\tund\ndas\tdass\n' | awk -f "$recipes/spelling/memory.awk" >"$work/memory"
equal "the memory" "$(paste -sd/ "$work/memory")" "vnd	unt/das	dass"

# ---- Times of an interrupted run, and results ----

printf '%s\n' '{"event":"start"}' '{"event":"progress","seconds":7.5}' '{"event":"resume"}' \
    '{"event":"validation","seconds":1.0,"samples":["seconds":99]}' '{"event":"end","seconds":2.6,"memory_mb":61.7}' >"$work/a.log"
printf '%s\n' '{"event":"start"}' '{"event":"end","seconds":20,"memory_mb":8.2}' >"$work/b.log"
equal "seconds of one" "$(lib seconds a)" 10
equal "seconds of both" "$(lib seconds a b)" 30
equal "memory of both" "$(lib memory b a)" 62
touch "$work/results.tsv"
for value in 90.00 91.00; do lib record set accuracy $value a >/dev/null; done
lib record set baseline 7.00 >/dev/null
equal "results" "$(tail -n +2 "$work/results.tsv" | paste -sd/)" \
    "dates	set	accuracy	91.00	10	62	1/dates	set	baseline	7.00	-	-	-"

# Answers are named after the model; those of several models after the set.
answered() { lib eval "translate() { :; }; answer $1 '$2' words; echo \${answered##*/}"; }
equal "one model's answers" "$(answered ice ice.3)" ice.3.test
equal "answers of two models" "$(answered ice-ensemble-of-2 "ice.3 ice.4")" ice-ensemble-of-2.test

# ---- User errors ----

touch "$work/file" "$work/ice_train.tsv"
mkdir "$work/empty"
for recipe in inflect names spelling; do
    refused 2 "needs --data" bash "$recipes/$recipe/run.sh" --out "$work/o"
    refused 2 "has no" bash "$recipes/$recipe/run.sh" --out "$work/o" --data "$work/empty"
done
refused 2 "has neither g014b2b.train nor" bash "$recipes/pronounce/run.sh" --out "$work/o" --data "$work/empty"
refused 2 "no language 'xyz'; there are: ice" bash "$recipes/pronounce/run.sh" --out "$work/o" --data "$work" xyz
refused 2 "has no ice_dev.tsv" bash "$recipes/pronounce/run.sh" --out "$work/o" --data "$work" ice
refused 2 "no such folder" bash "$recipes/names/run.sh" --out "$work/o" --data "$work/nowhere"
refused 2 "unknown set 'xyz'" bash "$recipes/names/run.sh" --out "$work/o" --data "$work/empty" xyz
refused 2 "high, medium or low" bash "$recipes/inflect/run.sh" --out "$work/o" --data "$work/empty" --amount all
refused 2 "unknown option --speed" bash "$recipes/dates/run.sh" --speed 3
refused 2 "needs a value" bash "$recipes/dates/run.sh" --seed
refused 2 "takes a number" bash "$recipes/dates/run.sh" --seed x
refused 2 "there is no $work/none.yaml" bash "$recipes/dates/run.sh" --config "$work/none.yaml"
refused 2 "takes no 'xyz'" bash "$recipes/dates/run.sh" --out "$work/o" xyz
refused 1 "cannot write to $work/file/o" bash "$recipes/dates/run.sh" --out "$work/file/o"
refused 1 "another run is using $work/empty" flock "$work/empty" bash "$recipes/dates/run.sh" --quick --out "$work/empty"
refused 1 "is not a program" env ATTEND="$work/file" bash "$recipes/dates/run.sh" --out "$work/o"
for recipe in dates pronounce inflect names spelling; do
    bash "$recipes/$recipe/run.sh" --help >"$work/help"
    grep -q "^Usage: recipes/$recipe/run.sh" "$work/help" || fail "$recipe --help has no usage"
    grep -q -- "--quick" "$work/help" || fail "$recipe --help does not name the options"
    ! grep -q shellcheck "$work/help" || fail "$recipe --help shows more than help"
done

# Without a network there is a message, and the short run continues with the next recipe.
mkdir "$work/offline"
printf '#!/bin/sh\necho "E: Unable to locate package" >&2\nexit 100\n' >"$work/offline/apt-get"
chmod +x "$work/offline/apt-get"
ATTEND_DATA="" PATH=$work/offline:$PATH bash "$recipes/quick.sh" pronounce names >"$work/said"
equal "skipped recipes" "$(sed 's/: no .*//' "$work/said" | paste -sd/)" \
    "pronounce: skipped: Debian's festlex-cmu cannot be downloaded/pronounce: skipped/pronounce: skipped/names: skipped"

# ---- From end to end ----

# Running again changes nothing: the model is there already.
run_dates() { bash "$recipes/dates/run.sh" --quick --threads 1 --out "$work/run" >"$work/said" 2>"$work/log" || fail "$(cat "$work/log")"; }
run_dates
cp "$work/run/results.tsv" "$work/run/dates.1.safetensors" "$work"
run_dates
grep -q "nothing left to do" "$work/log" || fail "trained again: $(cat "$work/log")"
cmp "$work/run/dates.1.safetensors" "$work/dates.1.safetensors"
cmp "$work/run/results.tsv" "$work/results.tsv"
# With a sanitizer, only this is run.
[ -z "${ATTEND_QUICK:-}" ] || exit 0
bash "$recipes/quick.sh" dates pronounce inflect names spelling
