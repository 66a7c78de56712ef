# Shared by the recipes: options, the program, Debian packages, timed runs, results and pictures.
#
# A recipe is a run.sh whose first comment is its help. It sources this file, adds options of its own to `option`, those
# without a value to `switch`, and calls
#     begin "$@"
# which leaves: attend (the program), here (the recipe's folder), task (its name), out, names (arguments that are not
# options), option[data] option[seed] ..., switch[NAME] (not empty with --NAME), evaluated (`test`, or `dev` with --dev)
# and quick (not empty with --quick).
set -euo pipefail
# Bytes as characters, so that sorting is the same on every machine.
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
task=$(basename "$here")
declare -A option=([data]="" [out]="" [config]="$here/config.yaml" [seed]=1 [threads]=0)
declare -A switch=()
names=() train_flags=() scored=()
quick="" evaluated=test

say() { printf '\n== %s\n' "$*" >&2; }

# die CODE TEXT: CODE is 1 for a failure, 2 for wrong usage
die() {
    echo "recipes/$task: $2" >&2
    exit "$1"
}

# ---- Options ---------------------------------------------------------------------------------------------------------

help() {
    sed -n '2,$ { /^# shellcheck/q; s/^# \{0,1\}//p; }' "$here/run.sh"
    cat <<'END'

  --data DIR       folder with the data
  --out DIR        folder for all output (default: out/ beside run.sh, out/quick/ with --quick)
  --config FILE    settings for attend train, instead of config.yaml
  --seed N         random seed (default 1)
  --threads N      threads; 0: one per physical core (default 0)
  --dev            evaluate on the development set instead of the test set
  --quick          run in seconds, only to check that everything works: the results mean nothing
  --resume         resume training even if settings have changed
  --overwrite      train again even if there is a model
END
}

# shellcheck disable=SC2034 # what it sets is for the recipes
begin() {
    local number
    while [ $# -gt 0 ]; do
        case $1 in
        --help) help && exit ;;
        --quick) quick=yes ;;
        --dev) evaluated=dev ;;
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
    [ -n "${option[$name]+there}" ] || die 2 "unknown option --$name: see --help"
    [ $# -ge 2 ] || die 2 "--$name needs a value"
    option[$name]=$2
}

# lock_out: lock $out as long as this run and its child processes live, because every run rewrites data, answers and
# results
lock_out() {
    local lock
    exec {lock}<"$out"
    flock --nonblock "$lock" || die 1 "another run is using $out: wait for it, or give another --out DIR"
}

find_program() {
    attend=${ATTEND:-$root/build/attend}
    [ -n "${ATTEND:-}" ] || [ -x "$attend" ] || make -C "$root" build >&2
    [ -x "$attend" ] || die 1 "$attend is not a program: build it with 'make build'"
}

# no_names: for recipes that take only options
no_names() { [ ${#names[@]} -eq 0 ] || die 2 "takes no '${names[0]}': see --help"; }

# ---- Data ------------------------------------------------------------------------------------------------------------

# need FILE...: check that the --data folder has these files
need() {
    local file
    [ -n "${option[data]}" ] || die 2 "needs --data DIR with $*"
    for file in "$@"; do
        [ -r "${option[data]}/$file" ] || die 2 "--data ${option[data]} has no $file"
    done
}

# found PREFIX SUFFIX: the parts between these in the file names of the --data folder, one per line
found() {
    local file
    for file in "${option[data]}/$1"*"$2"; do
        file=${file##*/"$1"}
        [ "$file" = "*$2" ] || echo "${file%"$2"}"
    done
}

# choose_names WHAT PREFIX SUFFIX: check that the names given exist; by default take all that are found
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

# short A B: A with --quick, otherwise B
short() { [ -n "$quick" ] && echo "$1" || echo "$2"; }

# shorten LINES: copy standard input; with --quick only the first LINES
shorten() { awk -v limit="${quick:+$1}" 'limit == "" || NR <= limit'; }

# fetch_package NAME: unpack a Debian package in $out/packages/NAME, without root and without installing it
fetch_package() {
    local folder=$out/packages
    [ ! -d "$folder/$1" ] || return 0
    say "fetching Debian's package $1"
    rm -rf "$folder" && mkdir -p "$folder"
    (cd "$folder" && apt-get download -q "$1" && dpkg-deb -x "$1"_*.deb unpacked) >"$folder/log" 2>&1 ||
        die 1 "Debian's $1 cannot be downloaded (apt-get update may help): $(grep -v '^W:' "$folder/log" | tail -n 1)"
    mv "$folder/unpacked" "$folder/$1"
}

# fetch_descriptions LANGUAGE...: get Debian's package descriptions in these languages as
# $out/descriptions/Translation-LANGUAGE. They come from the --data folder if given, otherwise from apt: without root,
# from the machine's sources, into separate lists.
fetch_descriptions() {
    local language file lists=${option[data]} folder=$out/descriptions
    local -a files missing=()
    for language in "$@"; do [ -z "$lists" ] && [ -s "$folder/Translation-$language" ] || missing+=("$language"); done
    [ ${#missing[@]} -gt 0 ] || return 0
    mkdir -p "$folder"
    [ -n "$lists" ] || download_lists "$folder" "${missing[@]}"
    for language in "${missing[@]}"; do
        files=() # apt writes _ in a file name as %5f
        for file in "${lists:-$folder/lists}"/*Translation-{"${language//_/%5f}","$language"}{,.*}; do
            [ ! -e "$file" ] || [[ " ${files[*]} " == *" $file "* ]] || files+=("$file")
        done
        [ ${#files[@]} -gt 0 ] || die 2 "${lists:-Debian} has no descriptions in '$language' (no Translation-$language)"
        /usr/lib/apt/apt-helper cat-file "${files[@]}" >"$folder/unfinished"
        mv "$folder/unfinished" "$folder/Translation-$language"
    done
    rm -rf "$folder/lists"
}

# download_lists FOLDER LANGUAGE...: download only apt's lists of these languages to FOLDER/lists. apt's hooks after an
# update are turned off, because they would act on the machine's own lists.
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
    # Without a network apt-get only warns and exits with 0.
    ! grep -q '^[EW]: \(Failed\|Some\|apt-get\)' "$folder/log" ||
        die 1 "Debian's package descriptions cannot be downloaded (is there a network?): $(grep -m 1 '^[EW]:' "$folder/log")"
    rm -rf "$folder/apt"
}

# descriptions LANGUAGE: the result of fetch_descriptions as `md5<TAB>title<TAB>description` lines; see descriptions.awk
descriptions() { awk -v limit="${quick:+3000}" -f "$root/recipes/descriptions.awk" "$out/descriptions/Translation-$1"; }

# with_family: prepend to `title<TAB>...` lines the title up to a dash, colon, semicolon or bracket, in lower case. The
# titles of a program, its library and its documentation mostly share it.
with_family() { awk -F '\t' '{ family = tolower($1); sub(/( -+|:|;) .*| \(.*/, "", family); print family "\t" $0 }'; }

# lower: convert standard input to lower case, in every script
lower() { LC_ALL=C.UTF-8 sed 's/.*/\L&/'; }

# by_hash ROUNDS: sort the lines of standard input by a hash, the same on every machine; each ROUNDS gives another order
by_hash() {
    awk -v rounds="$1" '
        BEGIN { for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i }
        { hash = 1
          for (i = 1; i <= length($0); i++) hash = (hash + code[substr($0, i, 1)]) * 48271 % 2147483647
          for (i = 1; i <= rounds; i++) hash = hash * 48271 % 2147483647
          print hash "\t" $0 }' | sort -n | cut -f 2-
}

# split_words FILE FOLDER DEV TEST: split sorted `word<TAB>...` lines into FOLDER/{train,dev,test}.tsv by a hash of the
# word. All lines of a word are in one set, and every machine splits alike. DEV and TEST are numbers of words.
split_words() {
    mkdir -p "$2"
    rm -f "$2"/{train,dev,test}.tsv
    sort -u "$1" >"$2/all.tsv"
    cut -f 1 "$2/all.tsv" | uniq | by_hash 0 >"$2/order"
    awk -F '\t' -v folder="$2" -v dev="$3" -v test="$4" '
        NR == FNR { part[$0] = NR <= test ? "test" : NR <= test + dev ? "dev" : "train"; next }
        { print > (folder "/" part[$1] ".tsv") }' "$2/order" "$2/all.tsv"
}

# split_families FILE FOLDER DEV TEST: the same for `family<TAB>...` lines, without the first column. The lines of a
# family are very similar, so DEV and TEST take one of each; families of more than 20 lines go to training.
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

# cut_short FOLDER: with --quick, shorten {train,dev,test}.tsv; only the last word may lose some of its answers
cut_short() {
    local set
    for set in train dev test; do
        shorten "$([ $set = train ] && echo 400 || echo 50)" <"$1/$set.tsv" >"$1/$set.short"
        mv "$1/$set.short" "$1/$set.tsv"
    done
}

# ---- Models ----------------------------------------------------------------------------------------------------------

# train NAME ARGUMENT...: train the model $out/NAME.safetensors. Resumes an interrupted run; does nothing if the model
# exists.
train() {
    local name=$1
    shift
    say "training $name"
    [ -z "$quick" ] || set -- "$@" --emb 16 --hidden 24 --vocab-size 2000 --max-updates 24 --valid-every 12 --average 0
    "$attend" train --config "${option[config]}" --seed "${option[seed]}" --threads "${option[threads]}" \
        --model "$out/$name.safetensors" --log "$out/$name.log" "$@" "${train_flags[@]}"
}

# ensemble NAME ARGUMENT...: train --ensemble models NAME.SEED, with --seed and the seeds after it. Evaluates each alone
# (`evaluate NAME MODEL`, which the recipe defines), then all together (`evaluate NAME-ensemble-of-N "MODEL..."`).
ensemble() {
    local name=$1 count=${option[ensemble]} first=${option[seed]}
    local -a models=()
    shift
    [ "$count" -ge 1 ] || die 2 "--ensemble takes a number from 1"
    for ((option[seed] = first; option[seed] < first + count; option[seed]++)); do
        models+=("$name.${option[seed]}")
        train "$name.${option[seed]}" "$@"
        evaluate "$name" "$name.${option[seed]}"
    done
    option[seed]=$first
    [ "$count" -eq 1 ] || evaluate "$name-ensemble-of-$count" "${models[*]}"
}

# seconds NAME...: wall-clock seconds of these runs, including all parts of interrupted ones
seconds() {
    local name
    for name in "$@"; do cat "$out/$name.log"; done | awk '
        /"event":"(start|resume)"/ { total += last; last = 0 }
        match($0, /"seconds":[0-9.e+-]+/) { last = substr($0, RSTART + 10, RLENGTH - 10) }
        END { printf "%.0f\n", total + last }'
}

# memory NAME...: the peak memory of these runs in MB
memory() {
    local name
    for name in "$@"; do cat "$out/$name.log"; done | awk '
        match($0, /"memory_mb":[0-9.]+/) { mb = substr($0, RSTART + 12, RLENGTH - 12) + 0; if (mb > most) most = mb }
        END { printf "%.0f\n", most }'
}

# translate "MODEL..." ARGUMENT...: translate standard input to standard output; several models form an ensemble
translate() {
    local name
    local -a models=()
    for name in $1; do models+=(--model "$out/$name.safetensors"); done
    shift
    "$attend" translate "${models[@]}" --threads "${option[threads]}" "$@"
}

# answer SET "MODEL..." FILE: translate FILE into $answered, which is named after the model, or after the set if there
# are several models
answer() {
    [[ $2 == *" "* ]] && answered=$out/$1.$evaluated || answered=$out/$2.$evaluated
    translate "$2" --input "$3" --output "$answered"
}

# answer_files MODEL LIST: translate the files of `path<TAB>reference` lines, whose paths are beside LIST, into $answered;
# leaves the paths in $out/data/MODEL.src and the references in $out/data/MODEL.ref
answer_files() {
    sed "s|^[^/]|${2%/*}/&|" "$2" | cut -f 1 >"$out/data/$1.src"
    cut -f 2 "$2" >"$out/data/$1.ref"
    answer "$1" "$1" "$out/data/$1.src"
}

# draw NAME FILE ARGUMENT...: draw the attention for the first three lines of FILE: $out/attention/NAME/00000N.svg
draw() {
    local name=$1 file=$2
    shift 2
    mkdir -p "$out/attention/$name"
    "$attend" plot --model "$out/$name.safetensors" --src "$file" --limit 3 --output "$out/attention/$name/" "$@"
}

# ---- Results ---------------------------------------------------------------------------------------------------------

# record SET METRIC VALUE [MODEL...]: print a line and write it to $out/results.tsv, in place of an older one of the
# same kind. Without models it is a baseline, which has no seed and no time.
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

# record_files SET MODEL: accuracy and symbol error of the last answer_files
record_files() {
    record "$1" accuracy "$(measure accuracy "$answered" --ref "$out/data/$2.ref")" "$2"
    record "$1" symbol_error "$(measure ser "$answered" --ref "$out/data/$2.ref")" "$2"
}

# signature METRIC HYP ARGUMENT...: the signature of attend eval
signature() {
    local metric=$1 hyp=$2
    shift 2
    "$attend" eval --metric "$metric" --hyp "$hyp" "$@" --json | sed 's/.*"signature":"\([^"]*\)".*/\1/'
}

# mean SET METRIC MODEL...: record the mean of this run's values of the metric, if there are several
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
