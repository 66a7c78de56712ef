# Makes strings of handwritten digits, each by one writer: the digits one after another, in UNIPEN files.
#
# Usage: awk -v count=N -v seed=N -v longest=N -v folder=DIR -v prefix=NAME -f strings.awk UNIPEN
# Writes DIR/NAME<i>.unipen, and `NAME<i>.unipen<TAB>d i g i t s` lines to standard output. With count=0, every digit
# becomes a file of its own.
function uniform() { return (state = state * 48271 % 2147483647) / 2147483647 }

# Where the digit begins and ends, and its strokes shifted by `dx`.
function write(digit, dx, file,    i, point) {
    for (i = 1; i <= size[digit]; i++)
        if (line[digit, i] ~ /^\./)
            print line[digit, i] > file
        else {
            split(line[digit, i], point, " ")
            printf "%d %d\n", point[1] + dx, point[2] > file
        }
}

BEGIN { state = seed * 7919 % 2147483646 + 1 }
$1 == ".COMMENT" && NF == 4 {
    digits++
    if (!($3 in written)) writer[++writers] = $3
    by[$3, ++written[$3]] = digits
    value[digits] = $2
    left[digits] = 1e9
    right[digits] = -1e9
}
$1 == ".PEN_DOWN" || $1 == ".PEN_UP" { line[digits, ++size[digits]] = $1 }
digits && NF == 2 && $1 ~ /^-?[0-9]+$/ {
    line[digits, ++size[digits]] = $1 " " $2
    if ($1 < left[digits]) left[digits] = $1
    if ($1 > right[digits]) right[digits] = $1
}
END {
    for (i = 1; i <= (count ? count : digits); i++) {
        who = writer[int(uniform() * writers) + 1]
        long = count ? 1 + int(uniform() * longest) : 1
        file = folder "/" prefix i ".unipen"
        answer = ""
        x = 0
        for (d = 1; d <= long; d++) {
            digit = count ? by[who, int(uniform() * written[who]) + 1] : i
            write(digit, x - left[digit], file)
            x += right[digit] - left[digit] + 20 + int(60 * uniform())
            answer = answer (d > 1 ? " " : "") value[digit]
        }
        close(file)
        print prefix i ".unipen\t" answer
    }
}
