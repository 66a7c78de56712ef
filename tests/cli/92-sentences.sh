#!/usr/bin/env bash
# The recipes on sentences: data from apt is read, split and joined correctly, and shortened runs work from end to end.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
export LC_ALL=C
recipes=$ATTEND_SOURCE/recipes

# lib COMMAND...: a function of recipes/lib.bash, as a recipe calls it
lib() {
    bash -c '. "$1/lib.bash"; out=$2; shift 2; "$@"' "$recipes/debian-titles/run.sh" "$recipes" "$work" "$@"
}

# ---- Debian's descriptions ----

printf '%s\n' 'Package: foo' 'Description-md5: 1' 'Description-en: Foo: a	tool ' ' First line,' ' second.' ' .' ' .' ' Items:' '  * one' \
    '  * two' '' 'Package: foo-twin' 'Description-md5: 1' 'Description-en: Foo: a tool' ' First' '' \
    'Package: bar' 'Description-md5: 2' 'Description-en: bar' >"$work/list"
printf '1\tFoo: a tool\tFirst line, second.\036Items: * one * two\n2\tbar\t\n' >"$work/wanted"
awk -f "$recipes/descriptions.awk" "$work/list" | cmp - "$work/wanted" || fail "descriptions are read wrongly"
equal "the first package" "$(awk -v limit=1 -f "$recipes/descriptions.awk" "$work/list" | wc -l)" 1
printf '%s\tx\n' 'Foo - tool' 'foo (data)' 'FOO: a' 'foo; b' foo 'foo-bar -- c' >"$work/titles"
equal "families of titles" "$(lib with_family <"$work/titles" | cut -f 1 | paste -sd/)" foo/foo/foo/foo/foo/foo-bar

# A fake apt-get: it has lists in three languages, copies the requested ones to the requested place, and can fail in two ways.
mkdir "$work/bin" "$work/archive"
cat >"$work/bin/apt-get" <<'END'
#!/usr/bin/env bash
[ -z "${APT_FAILS:-}" ] || { echo "W: Failed to fetch http://deb.debian.org/" >&2 && exit "$APT_FAILS"; }
setting() { sed -n "s/^$1 \"\(.*\)\";/\1/p" "$2"; }
for language in $(setting Acquire::Languages "$2" | tr , ' '); do
    cp "$ARCHIVE/Translation-$language" "$(setting Dir::State::lists "$2")/host_dists_i18n_Translation-${language//_/%5f}" || true
done
END
chmod +x "$work/bin/apt-get"
export ARCHIVE=$work/archive PATH=$work/bin:$PATH
# Titles, translations and descriptions are sentences of the demo; `pt_BR` tests a language code with a country.
packages() { # LANGUAGE COLUMN
    awk -F '\t' -v language="$1" -v title="$2" '{
        printf "Package: p%d\nDescription-md5: %d\nDescription-%s: %s\n", NR, NR, language, $title
        printf " %s %s\n .\n Number %d of its kind.\n\n", $2, $1, NR }' >"$work/archive/Translation-$1"
}
paste "$demo/train.en" "$demo/train.hi" | sort -u -t '	' -k 1,1 | sed -n 1,400p >"$work/pairs"
packages en 1 <"$work/pairs"
packages pt_BR 2 <"$work/pairs"
sed -n 1,3p "$work/pairs" | packages pt 2

for code in 0 100; do
    if APT_FAILS=$code lib fetch_descriptions en pt 2>"$work/said"; then fail "no network, and no word about it"; fi
    equal "what it says offline" "$(grep -c "^recipes/debian-titles: Debian's package descriptions cannot be downloaded" "$work/said")" 1
done
lib fetch_descriptions en pt 2>"$work/said" || fail "$(cat "$work/said")"
cmp "$work/descriptions/Translation-pt" "$work/archive/Translation-pt" || fail "pt is not pt"
# Existing files are not fetched again, and pt_BR is not pt.
APT_FAILS=100 lib fetch_descriptions en pt
lib fetch_descriptions en pt_BR pt 2>"$work/said" || fail "$(cat "$work/said")"
grep -q "descriptions (pt_BR)" "$work/said" || fail "fetched more than was missing: $(cat "$work/said")"
cmp "$work/descriptions/Translation-pt_BR" "$work/archive/Translation-pt_BR" || fail "pt_BR is not pt_BR"
[ "$(find "$work/descriptions" -name 'Translation-*' | wc -l)" = 3 ] || fail "apt's own files were left behind"
refused 2 "has no descriptions in 'de'" bash "$recipes/debian-titles/run.sh" --out "$work/o" --data "$work/archive" de

# ---- Families ----

awk 'BEGIN { for (i = 0; i < 600; i++) for (k = 0; k <= i % 4; k++) print "f" i "\tsource " i " " k "\ttarget"
             for (k = 0; k < 21; k++) print "large\tlarge " k "\ttarget" }' >"$work/families"
lib split_families "$work/families" "$work/split" 100 200
equal "families" "$(for set in train dev test; do wc -l <"$work/split/$set.tsv"; done | sed 1d | paste -sd/)" 100/200
family() { awk '{ print $1 == "large" ? $1 : $2 }' "$work/split/$1.tsv" | sort -u; }
equal "families to train on" "$(family train | wc -l)" 301
for set in train dev test; do family $set; done | sort | uniq -d >"$work/twice"
[ ! -s "$work/twice" ] || fail "families in two sets: $(head "$work/twice")"
equal "lines of the large family to train on" "$(grep -c ^large "$work/split/train.tsv")" 21

# 1 and 2 share a paragraph, 2 and 3 a title, 3 and 4 a beginning; 5 is an existing pair; 6 and 7 share only short texts.
long="a paragraph of twelve words that two packages of one source share"
printf '%s\n' "a	a	Alone at first.^${long}" "b	B - x	$long^Second" "b	B - y	one two three four five six seven eight nine" \
    "c	C	One two  three four five six seven eight ten" "a	a	Alone at first. $long" "d	d	A tool.^Short." "e	e	Tool.^Short." \
    "f	f	" | tr '^' '\036' | awk -v words=9 -f "$recipes/summarize/families.awk" >"$work/related"
equal "families of packages" "$(cut -f 1 "$work/related" | paste -sd/)" a/a/a/a/d/e
equal "a description cut" "$(sed -n 1p "$work/related")" "a	Alone at first. a paragraph of twelve words that	a"

# ---- Joining ----

awk 'BEGIN { for (i = 1; i <= 500; i++) { line = i; for (k = 0; k < i * 7 % 13; k++) line = line " w"; print line "\t-" i }
             for (i = 0; i < 51; i++) printf "long "; print "\tx" }' >"$work/lines"
awk -v longest=50 -f "$recipes/length/join.awk" "$work/lines" >"$work/joined"
cut -f 2 "$work/joined" | tr " " "\n" | cmp - <(sed 500q "$work/lines" | cut -f 2) || fail "not every pair once, in its order"
equal "sources joined as their targets" "$(awk -F '\t' '{ gsub(/ w/, "", $1); gsub(/-/, "", $2) } $1 != $2' "$work/joined" | wc -l)" 0
groups=$(cut -f 1 "$work/joined" | awk '{ group[int((NF - 1) / 10)]++ } END { for (i = 0; i < 6; i++) printf "%d ", group[i] }')
read -r -a count <<<"$groups"
((count[0] > 10 && count[2] > 10 && count[4] > 5 && count[5] == 0)) || fail "lengths by tens of words: $groups"
cut -f 2 "$work/lines" | lib by_hash 0 >"$work/first"
cut -f 2 "$work/lines" | lib by_hash 1 >"$work/second"
! cmp -s "$work/first" "$work/second" || fail "the same order twice"
equal "lines in another order" "$(sort "$work/first" | cksum)" "$(cut -f 2 "$work/lines" | sort | cksum)"
equal "small letters" "$(echo 'ÄNDERUNG Über É' | lib lower)" "änderung über é"

# ---- User errors ----

mkdir "$work/empty" "$work/tables"
touch "$work/tables/train.tsv"
for recipe in captions length; do
    refused 2 "needs --data" bash "$recipes/$recipe/run.sh" --out "$work/o"
    refused 2 "has no" bash "$recipes/$recipe/run.sh" --out "$work/o" --data "$work/empty"
done
refused 2 "has no valid.tsv" bash "$recipes/length/run.sh" --out "$work/o" --data "$work/tables"
refused 2 "English and French only" bash "$recipes/length/run.sh" --out "$work/o" --data "$work/tables" fr
refused 2 "takes one language" bash "$recipes/length/run.sh" --out "$work/o" --data "$work/tables" fr de
refused 2 "takes a number" bash "$recipes/length/run.sh" --out "$work/o" --data "$work/tables" --longest 0
refused 2 "has no descriptions in 'en'" bash "$recipes/summarize/run.sh" --out "$work/o" --data "$work/empty"
refused 2 "takes a number" bash "$recipes/summarize/run.sh" --out "$work/o" --words some
refused 2 "takes no 'it'" bash "$recipes/summarize/run.sh" --out "$work/o" it
refused 2 "takes one language" bash "$recipes/debian-titles/run.sh" --out "$work/o" it de
for language in en ../it pt-BR; do
    refused 2 "takes a language such as" bash "$recipes/debian-titles/run.sh" --out "$work/o" $language
done
refused 2 "unknown option --simple" bash "$recipes/debian-titles/run.sh" --simple
for recipe in debian-titles captions summarize length; do
    bash "$recipes/$recipe/run.sh" --help >"$work/help"
    grep -q "^Usage: recipes/$recipe/run.sh" "$work/help" || fail "$recipe --help has no usage"
    ! grep -q shellcheck "$work/help" || fail "$recipe --help shows more than help"
    grep -q "run.sh" "$recipes/$recipe/README.md" || fail "$recipe has no README"
done

# ---- From end to end ----

# run RECIPE ARGUMENT...
run() {
    bash "$recipes/$1/run.sh" --quick --threads 1 --out "$work/run-$1" "${@:2}" >"$work/said" 2>"$work/log" ||
        fail "$(tail -n 5 "$work/log")"
}
# results RECIPE: sets and metrics
results() { sed 1d "$work/run-$1/results.tsv" | cut -f 2,3 | tr '\t' ' ' | paste -sd/; }

run debian-titles pt_BR
grep -q "^BLEU is nrefs:1|case:mixed" "$work/said" || fail "no signature"
# With a sanitizer, only this is run.
[ -z "${ATTEND_QUICK:-}" ] || exit 0
run debian-titles --attention none pt_BR
equal "results of titles" "$(results debian-titles)" "en-pt_BR-test bleu/en-pt_BR-test chrf/en-pt_BR-test bleu_no_change/\
en-pt_BR-test chrf_no_change/en-pt_BR-none-test bleu/en-pt_BR-none-test chrf"
grep -q '"copy":true' "$work/run-debian-titles/en-pt_BR.1.log" || fail "titles are not copied"
grep -q '<text' "$work/run-debian-titles/attention/en-pt_BR.1/000003.svg" || fail "no picture"
run debian-titles --plain pt_BR
grep -q '"copy":false' "$work/run-debian-titles/en-pt_BR-plain.1.log" || fail "--plain copies"

if "$ATTEND" eval --help | matches rouge1; then
    run summarize --data "$work/descriptions"
    equal "results of summaries" "$(results summarize)" "test rouge1_first_words/test rouge2_first_words/test rougel_first_words/copy-test \
rouge1/copy-test rouge2/copy-test rougel"
    grep -q '<text' "$work/run-summarize/attention/copy.1/000003.svg" || fail "no picture"
else
    echo "summarize: skipped: this attend has no rouge1"
fi
bash "$recipes/quick.sh" captions length
