# Plans strings of digits, each by one speaker: a table of names and words, and a plan for sounds.pl.
#
# Usage: ls RECORDINGS | awk -v count=N -v seed=N -v prefix=NAME -v table=FILE -v folder=DIR -f plan.awk
# A recording is DIGIT_SPEAKER_NUMBER.wav in `folder`. The plan goes to standard output, `NAME<i>.wav<TAB>words` lines to
# `table`.
BEGIN {
    split("zero one two three four five six seven eight nine", word, " ")
    state = seed * 7919 % 2147483646 + 1
}
function uniform() { return (state = state * 48271 % 2147483647) / 2147483647 }
{
    split($0, part, "_")
    if (!(part[2] in speakers)) { speakers[part[2]] = 0; speaker[++all] = part[2] }
    file[part[2], ++speakers[part[2]]] = $0
}
END {
    for (i = 1; i <= count; i++) {
        who = speaker[int(uniform() * all) + 1]
        digits = 2 + int(uniform() * 5)
        words = sounds = ""
        for (d = 1; d <= digits; d++) {
            recording = file[who, int(uniform() * speakers[who]) + 1]
            words = words (d > 1 ? " " : "") word[substr(recording, 1, 1) + 1]
            sounds = sounds (d > 1 ? " " : "") folder "/" recording
        }
        printf "%s%d\t%.3f\t1\t%.4f\t0\t0\t%s\n", prefix, i, 0.9 + 0.2 * uniform(), 0.02 * uniform(), sounds
        printf "%s%d.wav\t%s\n", prefix, i, words > table
    }
}
