# Scenes for docs/frames.md: two shapes on a square of 48 pixels, and what they are.
#
# Usage: awk -v count=N -v seed=N -v folder=DIR -f scenes.awk
# Writes DIR/<i>.pgm, and `<i>.pgm<TAB>a cross above a ring` lines to standard output.
# The same numbers on every machine.
function whole(from, to) { return from + int((to - from + 1) * ((state = state * 48271 % 2147483647) / 2147483647)) }

# Whether the shape has ink at x, y, from -1 to 1.
function inked(name, x, y,    far) {
    far = sqrt(x * x + y * y)
    if (name == "ring") return far < 1 && far > 0.6
    if (name == "disk") return far < 1
    if (name == "cross") return x * x < 0.08 || y * y < 0.08
    return x * x > 0.36 || y * y > 0.36 # a box
}

# A shape with its center at cx, cy and half as wide as `size`.
function put(name, cx, cy, size,    x, y) {
    for (y = -size; y <= size; y++)
        for (x = -size; x <= size; x++)
            if (inked(name, x / size, y / size)) pixel[cx + x, cy + y] = 0
}

function save(file,    x, y) {
    print "P2 48 48 255" >file
    for (y = 0; y < 48; y++)
        for (x = 0; x < 48; x++)
            print ((x, y) in pixel ? pixel[x, y] : 255) >file
    close(file)
}

BEGIN {
    state = seed * 7919 % 2147483646 + 1
    names = split("ring disk cross box", name, " ")
    for (i = 1; i <= count; i++) {
        split("", pixel)
        first = whole(1, names)
        second = (first + whole(0, names - 2)) % names + 1
        above = whole(0, 1)
        if (above) {
            put(name[first], whole(9, 38), whole(9, 13), whole(6, 8))
            put(name[second], whole(9, 38), whole(34, 38), whole(6, 8))
        } else {
            put(name[first], whole(9, 13), whole(9, 38), whole(6, 8))
            put(name[second], whole(34, 38), whole(9, 38), whole(6, 8))
        }
        save(folder "/" i ".pgm")
        print i ".pgm\ta " name[first] (above ? " above" : " left of") " a " name[second]
    }
}
