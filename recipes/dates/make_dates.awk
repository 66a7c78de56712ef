# Makes written dates and their ISO 8601 form: `written<TAB>2001-02-03` lines in FOLDER/train.tsv, dev.tsv and test.tsv.
#   awk -v folder=DIR -v seed=N -v train=N -v dev=N -v test=N -f make_dates.awk words.tsv styles.tsv
# No written date is repeated, so no two sets share one. Years are 1800 to 2099; two-digit years are 1950 to 2049. The
# same seed gives the same bytes with any awk, because all numbers are integers below 2^53.

# ---- Random choices: Park and Miller's minimal standard generator ----

function below(bound) {
    state = state * 48271 % 2147483647
    return int(state / 2147483647 * bound)
}

# ---- Calendar ----

function month_days(year, month) {
    if (month == 2)
        return 28 + (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))
    return 30 + (month == 4 || month == 6 || month == 9 || month == 11 ? 0 : 1)
}

# The weekday, from 1 for Monday. Years start in March, so that the leap day is the last day; 153 days are five months.
function weekday_number(year, month, day,    march) {
    march = (month + 9) % 12
    year -= march >= 10
    return (int((153 * march + 2) / 5) + day + 365 * year + int(year / 4) - int(year / 100) + int(year / 400) + 1) % 7 + 1
}

# ---- Writing ----

# The text of a field of a style. Words of the language take precedence over those of any language.
function field(language, name, year, month, day) {
    if (name in number)
        return sprintf(number[name], substr(name, 1, 1) == "d" ? day : substr(name, 1, 1) == "m" ? month : year % modulus[name])
    if (name == "first" && day > 1)
        return day
    if (!((language, name, 1) in word))
        language = "any"
    if (!((language, name, 1) in word))
        die("no words for {" name "}")
    return word[language, name, name ~ /^w/ ? weekday_number(year, month, day) : name ~ /^(th|nth|first)$/ ? day : month]
}

function write_date(style, year, month, day,    rest, out, name) {
    rest = template[style]
    while (match(rest, /\{[a-z]+\}/)) {
        name = substr(rest, RSTART + 1, RLENGTH - 2)
        out = out substr(rest, 1, RSTART - 1) field(language_of[style], name, year, month, day)
        rest = substr(rest, RSTART + RLENGTH)
    }
    return out rest
}

# ---- Sets ----

# Sample a new pair for a file. A written date must have only one meaning.
function draw(file,    style, year, month, day, written, meaning) {
    do {
        style = 1 + below(styles)
        year = template[style] ~ /\{yyyy\}/ ? 1800 + below(300) : 1950 + below(100)
        month = 1 + below(12)
        day = 1 + below(month_days(year, month))
        written = write_date(style, year, month, day)
        meaning = sprintf("%04d-%02d-%02d", year, month, day)
        if (written in seen && seen[written] != meaning)
            die("'" written "' is " seen[written] " and " meaning)
        if (++draws > 100 * (train + dev + test))
            die("there are too few dates")
    } while (written in seen)
    seen[written] = meaning
    print written "\t" meaning > file
}

function die(message) {
    print "make_dates: " message > "/dev/stderr"
    failed = 1
    exit 1
}

BEGIN {
    FS = "\t"
    number["d"] = number["m"] = "%d"
    number["dd"] = number["mm"] = number["yy"] = "%02d"
    number["yyyy"] = "%04d"
    modulus["yy"] = 100
    modulus["yyyy"] = 10000
}

/^#/ { next }

NF == 3 {
    count = split($3, words, " ")
    for (i = 1; i <= count; i++)
        word[$1, $2, i] = words[i]
}

NF == 2 {
    language_of[++styles] = $1
    template[styles] = $2
}

END {
    if (failed)
        exit 1
    state = (seed * 7919 + 1) % 2147483646 + 1
    for (i = 0; i < 8; i++) # so that neighboring seeds give different sequences
        below(1)
    for (i = 0; i < test; i++)
        draw(folder "/test.tsv")
    for (i = 0; i < dev; i++)
        draw(folder "/dev.tsv")
    for (i = 0; i < train; i++)
        draw(folder "/train.tsv")
}
