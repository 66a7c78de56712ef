# Makes strings of handwritten digits, each by one writer: the digits one after another, in UNIPEN files.
#
# Usage: awk -v count=N -v seed=N -v longest=N -v folder=DIR -v prefix=NAME [-v distort=1] -f strings.awk UNIPEN
# Writes DIR/NAME<i>.unipen, and `NAME<i>.unipen<TAB>d i g i t s` lines to standard output. With count=0, every digit
# becomes a file of its own. With distort=1, each string has a slant, a turn and a width of its own, as if by another
# writer, and each digit differs a little from them.
function uniform() { return (state = state * 48271 % 2147483647) / 2147483647 }
function between(from, to) { return from + (to - from) * uniform() }

# What the writer of a string does to all digits.
function begin_string() {
    if (!distort) return
    string_slant = between(-0.3, 0.3)
    string_turn = between(-0.15, 0.15)
    string_width = exp(between(-0.3, 0.3))
}

# The points of a digit go to `x` and `y`, distorted by an affine map and a wave about its center; `west` and `east` are
# where they begin and end.
function shape(digit,    i, point, height, u, v, bent, slant, turn, wide, high, wave, phase, lift) {
    height = top[digit] - bottom[digit] + 1
    slant = string_slant + between(-0.1, 0.1)
    turn = string_turn + between(-0.12, 0.12)
    high = exp(between(-0.2, 0.2))
    wide = high * string_width * exp(between(-0.1, 0.1))
    wave = between(-0.05, 0.05)
    phase = between(0, 6.283)
    lift = between(-0.12, 0.12)
    west = 1e9
    east = -1e9
    for (i = 1; i <= size[digit]; i++) {
        if (split(line[digit, i], point, " ") < 2) continue
        u = (point[1] - (left[digit] + right[digit]) / 2) / height
        v = (point[2] - (bottom[digit] + top[digit]) / 2) / height
        bent = wide * (u + slant * v + wave * sin(5 * v + phase))
        v = high * (v + wave * sin(5 * u + phase))
        x[i] = height * (bent * cos(turn) - v * sin(turn))
        y[i] = height * (bent * sin(turn) + v * cos(turn) + lift)
        if (x[i] < west) west = x[i]
        if (x[i] > east) east = x[i]
    }
}

# The points of a digit as they are.
function copy(digit,    i, point) {
    for (i = 1; i <= size[digit]; i++)
        if (split(line[digit, i], point, " ") == 2) {
            x[i] = point[1]
            y[i] = point[2]
        }
    west = left[digit]
    east = right[digit]
}

# The strokes in `x` and `y`, shifted by `dx`.
function write(digit, dx, file,    i) {
    for (i = 1; i <= size[digit]; i++)
        if (line[digit, i] ~ /^\./)
            print line[digit, i] > file
        else
            printf "%d %d\n", x[i] + dx, y[i] > file
}

BEGIN { state = seed * 7919 % 2147483646 + 1 }
$1 == ".COMMENT" && NF == 4 {
    digits++
    if (!($3 in written)) writer[++writers] = $3
    by[$3, ++written[$3]] = digits
    value[digits] = $2
    left[digits] = bottom[digits] = 1e9
    right[digits] = top[digits] = -1e9
}
$1 == ".PEN_DOWN" || $1 == ".PEN_UP" { line[digits, ++size[digits]] = $1 }
digits && NF == 2 && $1 ~ /^-?[0-9]+$/ {
    line[digits, ++size[digits]] = $1 " " $2
    if ($1 < left[digits]) left[digits] = $1
    if ($1 > right[digits]) right[digits] = $1
    if ($2 < bottom[digits]) bottom[digits] = $2
    if ($2 > top[digits]) top[digits] = $2
}
END {
    for (i = 1; i <= (count ? count : digits); i++) {
        who = writer[int(uniform() * writers) + 1]
        long = count ? 1 + int(uniform() * longest) : 1
        file = folder "/" prefix i ".unipen"
        answer = ""
        at = 0
        begin_string()
        for (d = 1; d <= long; d++) {
            digit = count ? by[who, int(uniform() * written[who]) + 1] : i
            if (distort) shape(digit); else copy(digit)
            write(digit, at - west, file)
            at += east - west + 20 + int(60 * uniform())
            answer = answer (d > 1 ? " " : "") value[digit]
        }
        close(file)
        print prefix i ".unipen\t" answer
    }
}
