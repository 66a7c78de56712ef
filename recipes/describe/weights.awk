# The share of attention that lies inside the right digit's box, in percent, over all words that name a digit.
#
# Usage: awk -v patch=N -v columns=N -f weights.awk BOXES MATRICES
# BOXES has `left top size ...` for each scene, MATRICES the matrices of `attend translate --alignment soft`. Patches are
# numbered row by row. A patch belongs to a box if they overlap. Scenes with another number of digits than boxes are
# left out; how many there are goes to standard error.
function inside(j, n,    x, y) {
    x = (j % columns) * patch
    y = int(j / columns) * patch
    return x + patch > left[scene, n] && x < left[scene, n] + size[scene, n] &&
        y + patch > top[scene, n] && y < top[scene, n] + size[scene, n]
}
function is_digit(word) { return word ~ /^(zero|one|two|three|four|five|six|seven|eight|nine)$/ }

NR == FNR {
    for (i = 1; i <= NF; i += 3) {
        left[FNR, (i + 2) / 3] = $i
        top[FNR, (i + 2) / 3] = $(i + 1)
        size[FNR, (i + 2) / 3] = $(i + 2)
    }
    boxes[FNR] = NF / 3
    next
}
/ \|\|\| / {
    split($0, part, / \|\|\| /)
    words = split(part[2], word, " ")
    scene++
    row = digit = named = 0
    for (i = 1; i <= words; i++) named += is_digit(word[i])
    if (named != boxes[scene]) odd++
    next
}
NF == 0 { next }
{
    row++
    if (named != boxes[scene] || row > words || !is_digit(word[row])) next
    digit++
    for (j = 1; j <= NF; j++) {
        all += $j
        if (inside(j - 1, digit)) right += $j
    }
}
END {
    if (odd) print odd " scenes with another number of digits were left out" > "/dev/stderr"
    if (!all) exit 1
    printf "%.2f\n", 100 * right / all
}
