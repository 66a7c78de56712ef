# Plans phrases of one to three words for speech synthesis: `number<TAB>voice<TAB>speed<TAB>words` lines.
#
# Usage: awk -v count=N -v seed=N -v voices="V ..." -v speeds="S ..." -f phrases.awk WORDS
function uniform() { return (state = state * 48271 % 2147483647) / 2147483647 }
function whole(most) { return int(uniform() * most) + 1 }
BEGIN {
    state = seed * 7919 % 2147483646 + 1
    all_voices = split(voices, voice, " ")
    all_speeds = split(speeds, speed, " ")
}
{ word[NR] = $1 }
END {
    for (i = 1; i <= count; i++) {
        phrase = word[whole(NR)]
        for (more = whole(3); more > 1; more--) phrase = phrase " " word[whole(NR)]
        printf "%d\t%s\t%s\t%s\n", i, voice[whole(all_voices)], speed[whole(all_speeds)], phrase
    }
}
