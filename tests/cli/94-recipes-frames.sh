#!/usr/bin/env bash
# The generators of the recipes on frames: their files hold what their lists say, the same seed makes the same files, and
# distortions change how something is written or spoken, not what.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
export LC_ALL=C
command -v perl >/dev/null || { echo "skipped: no perl"; exit 77; }
recipes=$ATTEND_SOURCE/recipes

# sum FOLDER: a checksum of everything in it
sum() { (cd "$1" && find . -type f | sort | xargs cat) | cksum; }

# ---- Ink: two writers, a bar for 1 and an angle for 7 ----

for writer in 1 2; do
    printf '.SEGMENT DIGIT 0 ? "1"\n.COMMENT 1 %d 1\n.PEN_DOWN\n 5 0\n 5 %d\n.PEN_UP\n' $writer ${writer}00
    printf '.SEGMENT DIGIT 0 ? "7"\n.COMMENT 7 %d 2\n.PEN_DOWN\n 0 100\n 60 100\n 20 0\n.PEN_UP\n' $writer
done >"$work/pen"
strings() { # FOLDER SEED [OPTION]...
    mkdir -p "$work/$1"
    awk -v count=20 -v seed="$2" -v longest=8 -v folder="$work/$1" -v prefix="" "${@:3}" -f "$recipes/ink/strings.awk" \
        "$work/pen" >"$work/$1/list.tsv"
}
strings plain 1
strings again 1
strings bent 1 -v distort=1
strings bent-again 1 -v distort=1
equal "the same strings" "$(sum "$work/again")" "$(sum "$work/plain")"
equal "the same distorted strings" "$(sum "$work/bent-again")" "$(sum "$work/bent")"
for set in plain bent; do
    [ "$(awk -F '\t' '{ print gsub(/[17]/, "", $2) }' "$work/$set/list.tsv" | sort -un | wc -l)" -ge 5 ] || fail "lengths of $set"
    while IFS=$'\t' read -r name digits; do
        equal "strokes of $set/$name" "$(grep -c PEN_DOWN "$work/$set/$name")" "$(wc -w <<<"$digits")"
        # A stroke of 1 has two points, one of 7 has three.
        equal "digits of $set/$name" "$(awk '/DOWN/ { n = 0 } NF == 2 { n++ } /UP/ { printf "%s ", n == 2 ? 1 : 7 }' \
            "$work/$set/$name")" "$digits "
    done <"$work/$set/list.tsv"
done
# x of an undistorted bar does not change, and no two distorted bars are alike.
bars() { awk '/DOWN/ { n = 0 } NF == 2 { x[++n] = $1 } /UP/ && n == 2 { print x[2] - x[1] }' "$work/$1"/*.unipen | sort -u | wc -l; }
equal "undistorted bars" "$(bars plain)" 1
[ "$(bars bent)" -gt 10 ] || fail "distorted bars are alike"

# ---- Pictures: ten digits, all of them squares ----

mkdir "$work/mnist"
perl -e 'print pack("N4", 2051, 10, 28, 28); for my $d (0 .. 9) { for my $i (0 .. 783) {
    my ($x, $y) = ($i % 28, int($i / 28)); print chr($x > 8 && $x < 20 && $y > 8 && $y < 20 ? 250 : 0) } }' |
    gzip >"$work/mnist/images-idx3-ubyte.gz"
perl -e 'print pack("N2 C10", 2049, 10, 0 .. 9)' | gzip >"$work/mnist/labels-idx1-ubyte.gz"
pictures() { # FOLDER SCRIPT SEED [distort]
    mkdir -p "$work/$1"
    perl "$recipes/$2" "$work/mnist" 0 10 12 "$3" "$work/$1" "${@:4}" >"$work/$1/list.tsv"
}
pictures lines read/lines.pl 1
pictures lines-again read/lines.pl 1
pictures lines-bent read/lines.pl 1 distort
equal "the same lines" "$(sum "$work/lines-again")" "$(sum "$work/lines")"
[ "$(sum "$work/lines-bent")" != "$(sum "$work/lines")" ] || fail "distorted lines are like the others"
pictures scenes describe/scenes.pl 1 distort
while IFS=$'\t' read -r name text; do
    number=$(grep -oE "zero|one|two|three|four|five|six|seven|eight|nine" <<<"$text" | wc -l)
    equal "boxes of $name" "$(sed -n "${name%.pgm}p" "$work/scenes/boxes" | wc -w)" $((3 * number))
done <"$work/scenes/list.tsv"
# A distorted digit stays where it was, and about as large and as dark: its ink and its center hardly change.
perl -e 'require "$ARGV[0]/random.pl"; require "$ARGV[0]/digits.pl";
    my ($digit) = read_digits($ARGV[1], 3, 4);
    seed_random(1);
    for my $n (1 .. 50) {
        my $bent = distort($digit);
        die "the label\n" unless $bent->{label} == 3;
        my ($was, $ink, $x, $y) = (0, 0, 0, 0);
        for my $i (0 .. 783) {
            $was += $digit->{pixels}[$i];
            my $dark = $bent->{pixels}[$i];
            $ink += $dark;
            $x += $dark * ($i % 28);
            $y += $dark * int($i / 28);
        }
        die "ink $ink of $was\n" if $ink < 0.6 * $was || $ink > 1.6 * $was;
        die "center ", $x / $ink, " ", $y / $ink, "\n" if abs($x / $ink - 14) > 1.5 || abs($y / $ink - 14) > 1.5;
        $other += join(",", @{ $bent->{pixels} }) ne join(",", @{ $digit->{pixels} });
    }
    die "not distorted\n" unless $other == 50' "$recipes" "$work/mnist" 2>"$work/err" || fail "a distorted digit: $(cat "$work/err")"

# ---- A page of two words: a bar of 3 and one of 7 pixels ----

mkdir "$work/words"
perl -e 'print "P5\n12 14\n255\n";
    for my $y (0 .. 13) { my $ink = $y == 4 ? 3 : $y == 9 ? 7 : 0; print "\xFF" x 2, "\0" x $ink, "\xFF" x (10 - $ink) }' \
    >"$work/words/page.pgm"
perl "$recipes/read/cut.pl" "$work/words/page.pgm" 2 2 "$work/words" 5
for word in "5 7 3" "6 11 7"; do
    read -r name width ink <<<"$word"
    equal "the size of word $name" "$(head -n 1 "$work/words/$name.pgm")" "P5 $width 9 255"
    equal "the ink of word $name" "$(tail -n +2 "$work/words/$name.pgm" | tr -cd '\0' | wc -c)" "$ink"
done

# ---- Sound: a tone of 400 Hz for a second ----

perl -e 'my $d = pack "s<*", map { 8000 * sin($_ * 400 / 8000 * 6.2831853) } 0 .. 7999;
    print pack("a4 V a4 a4 V v v V V v v a4 V", "RIFF", 36 + length $d, "WAVE", "fmt ", 16, 1, 1, 8000, 16000, 2, 16, "data",
    length $d), $d' >"$work/tone.wav"
printf '%s\t%s\t%s\t0\t%s\t%s\t%s\n' same 1 1 0 0 "$work/tone.wav" fast 1.25 1 0 0 "$work/tone.wav" \
    short 1 1.25 0 0 "$work/tone.wav" long 1 0.8 0 0 "$work/tone.wav" late 1 1 0.3 0.1 "$work/tone.wav" | perl "$recipes/listen/sounds.pl" "$work" 1
# tone NAME: seconds and Hz, from the zero crossings
tone() {
    perl -e 'local $/; $_ = <STDIN>; my @s = unpack "s<*", substr $_, 44; my $n = 0;
        $n += ($s[$_ - 1] < 0) != ($s[$_] < 0) for 1 .. $#s; printf "%.1f %.0f", @s / 8000, 8000 * $n / 2 / @s / 10' <"$work/$1.wav"
}
equal "as it was" "$(tone same)" "1.0 40"
equal "faster and higher" "$(tone fast)" "0.8 50"
equal "faster at the same pitch" "$(tone short)" "0.8 40"
equal "slower at the same pitch" "$(tone long)" "1.2 40"
equal "silence around it" "$(tone late)" "1.4 29" # as many waves in more seconds
equal "silence before it" "$(tail -c +45 "$work/late.wav" | head -c 4800 | tr -d '\0' | wc -c)" 0

awk -v count=300 -v seed=1 -v voices="a b" -v speeds="1 2" -f "$recipes/listen/phrases.awk" "$recipes/listen/words.txt" >"$work/phrases"
equal "words of a phrase" "$(awk -F '\t' '{ print split($4, w, " ") }' "$work/phrases" | sort -u | paste -sd' ')" "1 2 3"
equal "voices and speeds" "$(cut -f 2,3 "$work/phrases" | sort -u | wc -l)" 4
