# Random numbers that are the same on every machine, for the recipes that generate data (Lehmer, as `by_hash` in
# lib.bash).
use strict;
use warnings;

my $state = 1;

# seed_random(N): N from 1
sub seed_random {
    $state = (shift() % 2147483646) + 1;
    uniform(0, 1) for 1 .. 20; # small seeds give similar first numbers
}

# uniform(FROM, TO): a number in [FROM, TO)
sub uniform {
    my ($from, $to) = @_;
    $state = $state * 48271 % 2147483647;
    return $from + ($to - $from) * $state / 2147483647;
}

# whole(FROM, TO): an integer from FROM to TO, both included
sub whole { my ($from, $to) = @_; return int(uniform($from, $to + 1)); }

# pick(LIST): one of them
sub pick { return $_[whole(0, $#_)]; }

# normal(): mean 0, variance 1 (the sum of twelve uniform numbers)
sub normal {
    my $sum = -6;
    $sum += uniform(0, 1) for 1 .. 12;
    return $sum;
}

1;
