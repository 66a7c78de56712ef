# What the recipes share: options, the program, Debian packages, timed trainings, results and pictures.
#
# A recipe is a run.sh whose first comment is its help. It sources this file, adds options of its own to `option`, those
# without a value to `switch`, and calls
#     begin "$@"
# which leaves: attend (the program), here (the recipe's folder), task (its name), out, names (arguments that are no
# options), option[data] option[seed] ..., switch[NAME] (not empty with --NAME), judged (`test`, or `dev` with --dev) and quick
# (not empty with --quick).
set -euo pipefail
# The same order of words and the same idea of a character, a byte, on every machine.
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
task=$(basename "$here")
declare -A option=([data]="" [out]="" [config]="$here/config.yaml" [seed]=1 [threads]=0)
declare -A switch=()
names=() train_flags=() scored=()
quick="" judged=test

say() { printf '\n== %s\n' "$*" >&2; }

# die CODE TEXT: 1 for what failed, 2 for what was asked wrongly.
die() {
    echo "recipes/$task: $2" >&2
    exit "$1"
}

# ---- Options ---------------------------------------------------------------------------------------------------------

help() {
    sed -n '2,$ { /^# shellcheck/q; s/^# \{0,1\}//p; }' "$here/run.sh"
    cat <<'END'

  --data DIR       where the data is
  --out DIR        where everything goes (default: out/ beside run.sh, out/quick/ with --quick)
  --config FILE    other settings for attend train
  --seed N         of every random choice (default 1)
  --threads N      threads; 0: one for each physical core (default 0)
  --dev            judge on the development set and leave the test set alone
  --quick          seconds instead of minutes, to see that everything works: the results mean nothing
  --resume         go on although settings have changed
  --overwrite      train again although there is a model
END
}

# shellcheck disable=SC2034 # what it sets is for the recipes
begin() {
    local number
    while [ $# -gt 0 ]; do
        case $1 in
        --help) help && exit ;;
        --quick) quick=yes ;;
        --dev) judged=dev ;;
        --resume | --overwrite) train_flags+=("$1") ;;
        --?*) if [ -n "${switch[${1#--}]+there}" ]; then switch[${1#--}]=yes; else take_option "$@" && shift; fi ;;
        *) names+=("$1") ;;
        esac
        shift
    done
    for number in seed threads ensemble; do
        [[ ${option[$number]:-0} =~ ^[0-9]{1,9}$ ]] || die 2 "--$number takes a number, not '${option[$number]}'"
    done
    [ -r "${option[config]}" ] || die 2 "there is no ${option[config]}"
    [ -z "${option[data]}" ] || [ -d "${option[data]}" ] || die 2 "--data ${option[data]}: there is no such folder"
    out=${option[out]:-$here/out${quick:+/quick}}
    { mkdir -p "$out/data" && touch "$out/results.tsv"; } 2>/dev/null || die 1 "cannot write to $out: give another --out DIR"
    lock_out
    find_program
}

take_option() { # --NAME VALUE
    local name=${1#--}
    [ -n "${option[$name]+there}" ] || die 2 "there is no option --$name: see --help"
    [ $# -ge 2 ] || die 2 "--$name wants a value"
    option[$name]=$2
}

# lock_out: as long as this run and what it started live, for every run writes the data, the answers and the results anew.
lock_out() {
    local lock
    exec {lock}<"$out"
    flock --nonblock "$lock" || die 1 "another run works in $out: wait for it, or give another --out DIR"
}

find_program() {
    attend=${ATTEND:-$root/build/attend}
    [ -n "${ATTEND:-}" ] || [ -x "$attend" ] || make -C "$root" build >&2
    [ -x "$attend" ] || die 1 "$attend is no program: 'make build' makes it"
}

# no_names: for recipes that take options only.
no_names() { [ ${#names[@]} -eq 0 ] || die 2 "takes no '${names[0]}': see --help"; }

# ---- Data ------------------------------------------------------------------------------------------------------------

# need FILE...: of the --data folder
need() {
    local file
    [ -n "${option[data]}" ] || die 2 "needs --data DIR with $*"
    for file in "$@"; do
        [ -r "${option[data]}/$file" ] || die 2 "--data ${option[data]} has no $file"
    done
}

# found PREFIX SUFFIX: what stands between these in the names of the --data folder's files, one on each line.
found() {
    local file
    for file in "${option[data]}/$1"*"$2"; do
        file=${file##*/"$1"}
        [ "$file" = "*$2" ] || echo "${file%"$2"}"
    done
}

# choose_names WHAT PREFIX SUFFIX: the names asked for must be found; without any, all that are found.
choose_names() {
    local name
    local -a there
    [ -n "${option[data]}" ] || die 2 "needs --data DIR: see --help"
    mapfile -t there < <(found "$2" "$3")
    [ ${#there[@]} -gt 0 ] || die 2 "--data ${option[data]} has no files $2*$3"
    for name in "${names[@]}"; do
        [[ " ${there[*]} " == *" $name "* ]] || die 2 "--data ${option[data]} has no $1 '$name'; there are: ${there[*]}"
    done
    [ ${#names[@]} -gt 0 ] || names=("${there[@]}")
}

# shorten LINES: standard input, with --quick the first LINES only.
shorten() { awk -v limit="${quick:+$1}" 'limit == "" || NR <= limit'; }

# fetch_package NAME: the files of a Debian package under $out/packages/NAME, without root and without installing it.
fetch_package() {
    local folder=$out/packages
    [ ! -d "$folder/$1" ] || return 0
    say "fetching Debian's package $1"
    rm -rf "$folder" && mkdir -p "$folder"
    (cd "$folder" && apt-get download -q "$1" && dpkg-deb -x "$1"_*.deb unpacked) >"$folder/log" 2>&1 ||
        die 1 "Debian's $1 cannot be downloaded (apt-get update may help): $(grep -v '^W:' "$folder/log" | tail -n 1)"
    mv "$folder/unpacked" "$folder/$1"
}

# fetch_descriptions LANGUAGE...: Debian's descriptions of packages in these languages as $out/descriptions/Translation-LANGUAGE.
# From the --data folder if one is given, else by apt: without root, from the machine's sources, into lists of our own.
fetch_descriptions() {
    local language file lists=${option[data]} folder=$out/descriptions
    local -a files missing=()
    for language in "$@"; do [ -z "$lists" ] && [ -s "$folder/Translation-$language" ] || missing+=("$language"); done
    [ ${#missing[@]} -gt 0 ] || return 0
    mkdir -p "$folder"
    [ -n "$lists" ] || download_lists "$folder" "${missing[@]}"
    for language in "${missing[@]}"; do
        files=() # where apt writes a file's name, _ is %5f
        for file in "${lists:-$folder/lists}"/*Translation-{"${language//_/%5f}","$language"}{,.*}; do
            [ ! -e "$file" ] || [[ " ${files[*]} " == *" $file "* ]] || files+=("$file")
        done
        [ ${#files[@]} -gt 0 ] || die 2 "${lists:-Debian} has no descriptions in '$language' (no Translation-$language)"
        /usr/lib/apt/apt-helper cat-file "${files[@]}" >"$folder/unfinished"
        mv "$folder/unfinished" "$folder/Translation-$language"
    done
    rm -rf "$folder/lists"
}

# download_lists FOLDER LANGUAGE...: apt's lists of these languages and nothing else to FOLDER/lists. What apt otherwise does
# after an update would be done to the machine's own lists.
download_lists() {
    local folder=$1 languages
    shift
    languages=$(IFS=, && echo "$*")
    say "fetching Debian's package descriptions ($languages)"
    rm -rf "$folder/lists" "$folder/apt" && mkdir -p "$folder"/{lists,apt}/partial
    cat >"$folder/apt/apt.conf" <<END
#clear Acquire::Languages;
#clear Acquire::IndexTargets;
#clear APT::Update;
Dir::State::lists "$folder/lists";
Dir::Cache "$folder/apt";
APT::Sandbox::User "";
Acquire::GzipIndexes "false";
Acquire::Languages "$languages";
Acquire::IndexTargets::deb::Translations {
    MetaKey "\$(COMPONENT)/i18n/Translation-\$(LANGUAGE)";
    flatMetaKey "\$(LANGUAGE)";
    ShortDescription "Translation-\$(LANGUAGE)";
    Description "\$(RELEASE)/\$(COMPONENT) Translation-\$(LANGUAGE)";
    flatDescription "\$(RELEASE) Translation-\$(LANGUAGE)";
};
END
    apt-get -c "$folder/apt/apt.conf" -q update >"$folder/log" 2>&1 || echo "E: apt-get failed" >>"$folder/log"
    # Without a network apt-get warns and calls that success.
    ! grep -q '^[EW]: \(Failed\|Some\|apt-get\)' "$folder/log" ||
        die 1 "Debian's package descriptions cannot be downloaded (is there a network?): $(grep -m 1 '^[EW]:' "$folder/log")"
    rm -rf "$folder/apt"
}

# descriptions LANGUAGE: what fetch_descriptions brought as `md5<TAB>title<TAB>description` lines; see descriptions.awk.
descriptions() { awk -v limit="${quick:+3000}" -f "$root/recipes/descriptions.awk" "$out/descriptions/Translation-$1"; }

# with_family: in front of `title<TAB>...` lines the title up to a dash, colon, semicolon or bracket, in small letters, which the
# titles of a program, its library and its documentation mostly share.
with_family() { awk -F '\t' '{ family = tolower($1); sub(/( -+|:|;) .*| \(.*/, "", family); print family "\t" $0 }'; }

# lower: standard input in small letters, of every script
lower() { LC_ALL=C.UTF-8 sed 's/.*/\L&/'; }

# by_hash ROUNDS: the lines of standard input in the order of a hash, the same on every machine; another for each ROUNDS.
by_hash() {
    awk -v rounds="$1" '
        BEGIN { for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i }
        { hash = 1
          for (i = 1; i <= length($0); i++) hash = (hash + code[substr($0, i, 1)]) * 48271 % 2147483647
          for (i = 1; i <= rounds; i++) hash = hash * 48271 % 2147483647
          print hash "\t" $0 }' | sort -n | cut -f 2-
}

# split_words FILE FOLDER DEV TEST: `word<TAB>...` lines, sorted, to FOLDER/{train,dev,test}.tsv. A hash of the word decides,
# so that all lines of a word are on one side and every machine splits alike; DEV and TEST count words.
split_words() {
    mkdir -p "$2"
    rm -f "$2"/{train,dev,test}.tsv
    sort -u "$1" >"$2/all.tsv"
    cut -f 1 "$2/all.tsv" | uniq | by_hash 0 >"$2/order"
    awk -F '\t' -v folder="$2" -v dev="$3" -v test="$4" '
        NR == FNR { part[$0] = NR <= test ? "test" : NR <= test + dev ? "dev" : "train"; next }
        { print > (folder "/" part[$1] ".tsv") }' "$2/order" "$2/all.tsv"
}

# split_families FILE FOLDER DEV TEST: the same for `family<TAB>...` lines, without the first column. The lines of a family are
# much alike, so DEV and TEST take one of each; a family of more than 20 is training text.
split_families() {
    local set
    mkdir -p "$2"
    awk -F '\t' 'NR == FNR { size[$1]++; next } size[$1] <= 20' "$1" "$1" >"$2/small"
    split_words "$2/small" "$2" "$3" "$4"
    awk -F '\t' 'NR == FNR { size[$1]++; next } size[$1] > 20' "$1" "$1" | sort -u >>"$2/train.tsv"
    for set in train dev test; do
        awk -F '\t' -v set=$set 'set == "train" || !seen[$1]++' "$2/$set.tsv" | cut -f 2- >"$2/small"
        mv "$2/small" "$2/$set.tsv"
    done
}

# cut_short FOLDER: {train,dev,test}.tsv, with --quick; no word loses a part of its answers but the last.
cut_short() {
    local set
    for set in train dev test; do
        shorten "$([ $set = train ] && echo 400 || echo 50)" <"$1/$set.tsv" >"$1/$set.short"
        mv "$1/$set.short" "$1/$set.tsv"
    done
}

# ---- Models ----------------------------------------------------------------------------------------------------------

# train NAME ARGUMENT...: the model $out/NAME.safetensors. Goes on if it was interrupted; does nothing if it is there.
train() {
    local name=$1
    shift
    say "training $name"
    [ -z "$quick" ] || set -- "$@" --emb 16 --hidden 24 --vocab-size 2000 --max-updates 24 --valid-every 12 --average 0
    "$attend" train --config "${option[config]}" --seed "${option[seed]}" --threads "${option[threads]}" \
        --model "$out/$name.safetensors" --log "$out/$name.log" "$@" "${train_flags[@]}"
}

# ensemble NAME ARGUMENT...: as many models NAME.SEED as --ensemble says, of --seed and the seeds after it; each is trained and
# answers alone (`judge NAME MODEL`, which the recipe has), then all of them together (`judge NAME-ensemble-of-N "MODEL..."`).
ensemble() {
    local name=$1 count=${option[ensemble]} first=${option[seed]}
    local -a models=()
    shift
    [ "$count" -ge 1 ] || die 2 "--ensemble takes a number from 1"
    for ((option[seed] = first; option[seed] < first + count; option[seed]++)); do
        models+=("$name.${option[seed]}")
        train "$name.${option[seed]}" "$@"
        judge "$name" "$name.${option[seed]}"
    done
    option[seed]=$first
    [ "$count" -eq 1 ] || judge "$name-ensemble-of-$count" "${models[*]}"
}

# seconds NAME...: that these trainings took, in all the parts of those that were interrupted
seconds() {
    local name
    for name in "$@"; do cat "$out/$name.log"; done | awk '
        /"event":"(start|resume)"/ { total += last; last = 0 }
        match($0, /"seconds":[0-9.e+-]+/) { last = substr($0, RSTART + 10, RLENGTH - 10) }
        END { printf "%.0f\n", total + last }'
}

# memory NAME...: the most that one of these trainings used, in MB
memory() {
    local name
    for name in "$@"; do cat "$out/$name.log"; done | awk '
        match($0, /"memory_mb":[0-9.]+/) { mb = substr($0, RSTART + 12, RLENGTH - 12) + 0; if (mb > most) most = mb }
        END { printf "%.0f\n", most }'
}

# translate "MODEL..." ARGUMENT...: standard input to standard output, by several models together
translate() {
    local name
    local -a models=()
    for name in $1; do models+=(--model "$out/$name.safetensors"); done
    shift
    "$attend" translate "${models[@]}" --threads "${option[threads]}" "$@"
}

# answer SET "MODEL..." FILE: what the models say to FILE, as $answered, which has the name of the model, or of the set if there are
# several
answer() {
    [[ $2 == *" "* ]] && answered=$out/$1.$judged || answered=$out/$2.$judged
    translate "$2" --input "$3" --output "$answered"
}

# draw NAME FILE ARGUMENT...: where the model looks in the first three lines of FILE: $out/attention/NAME/00000N.svg
draw() {
    local name=$1 file=$2
    shift 2
    mkdir -p "$out/attention/$name"
    "$attend" plot --model "$out/$name.safetensors" --src "$file" --limit 3 --output "$out/attention/$name/" "$@"
}

# ---- Results ---------------------------------------------------------------------------------------------------------

# record SET METRIC VALUE [MODEL...]: a line of $out/results.tsv, instead of an older one of the same kind, and printed.
# Without models it is a baseline, which has no seed and took no time worth a word.
record() {
    local set=$1 metric=$2 value=$3 seconds=- memory=- seed=-
    shift 3
    if [ $# -gt 0 ]; then
        seconds=$(seconds "$@") memory=$(memory "$@") seed=${option[seed]}
    fi
    local line="$task"$'\t'"$set"$'\t'"$metric"$'\t'"$value"$'\t'"$seconds"$'\t'"$memory"$'\t'"$seed"
    LINE=$line awk -F '\t' 'BEGIN { OFS = FS; line = ENVIRON["LINE"]; split(line, new)
            print "task", "set", "metric", "value", "seconds", "memory_mb", "seed" }
        NR > 1 && !($1 == new[1] && $2 == new[2] && $3 == new[3] && $7 == new[7])
        END { print line }' "$out/results.tsv" >"$out/results.new"
    mv "$out/results.new" "$out/results.tsv"
    printf '%-10s %-28s %-24s %7s  %s\n' "$task" "$set" "$metric" "$value" \
        "$([ "$seconds" = - ] || echo "$seconds s, $memory MB, seed $seed")"
    scored+=("$metric"$'\t'"$value")
}

# measure METRIC HYP ARGUMENT...: one number of attend eval; word_error is 100 - accuracy.
measure() {
    local metric=$1 hyp=$2
    shift 2
    "$attend" eval --metric "${metric/word_error/accuracy}" --hyp "$hyp" "$@" --json | awk -v metric="$metric" '
        match($0, /"score":[0-9.e+-]+/) { score = substr($0, RSTART + 8, RLENGTH - 8)
            printf "%.2f\n", (metric == "word_error" ? 100 - score : score); found = 1 }
        END { exit !found }'
}

# signature METRIC HYP ARGUMENT...: how attend eval measured
signature() {
    local metric=$1 hyp=$2
    shift 2
    "$attend" eval --metric "$metric" --hyp "$hyp" "$@" --json | sed 's/.*"signature":"\([^"]*\)".*/\1/'
}

# mean SET METRIC MODEL...: the mean of what this run has recorded of the metric, if that is more than one value
mean() {
    local value set=$1 metric=$2
    shift 2
    value=$(printf '%s\n' "${scored[@]}" | awk -F '\t' -v metric="$metric" '
        $1 == metric { sum += $2; count++ } END { if (count > 1) printf "%.2f\n", sum / count }')
    [ -z "$value" ] || record "$set" "$metric" "$value" "$@"
}

finish() {
    echo "results: $out/results.tsv"
    [ ! -d "$out/attention" ] || echo "pictures: $out/attention"
}
