# Joins neighboring pairs. Each output line gets a length sampled from 1 to `longest`, and as many pairs as fit into it
# by the words of their sources, at least one. The samples are the same on every machine. A pair longer than `longest`
# is left out.
#   awk -v longest=50 -f join.awk PAIRS

function flush() {
    if (count)
        print source, target
    source = target = ""
    count = 0
    state = (state * 48271) % 2147483647
    room = 1 + int(state / 2147483647 * longest)
}

BEGIN {
    FS = OFS = "\t"
    state = 1
    flush()
}

{ words = split($1, word, " ") }

words == 0 || words > longest { next }

count && count + words > room { flush() }

{
    source = source (count ? " " : "") $1
    target = target (count ? " " : "") $2
    count += words
}

END { flush() }
