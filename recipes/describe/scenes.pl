# Makes scenes of two to four handwritten digits and describes them in words.
#
# Usage: perl scenes.pl MNIST FROM TO COUNT SEED FOLDER [distort]
# Takes digits [FROM, TO) of MNIST. Writes FOLDER/<i>.pgm, `<i>.pgm<TAB>a three above a seven , left of a nine` lines to
# standard output, and `left top size ...` of the digits in the order of the words, one line per scene, to
# FOLDER/boxes. With `distort`, every digit is bent, turned and slanted a little.
#
# The description goes through the digits from left to right. Two neighbors in this order are `left of` each other if
# they are farther apart horizontally than vertically, otherwise the first is `above` or `below` the second. Scenes in
# which this would be hard to see are drawn again.
use strict;
use warnings;
use FindBin;
require "$FindBin::Bin/../random.pl";
require "$FindBin::Bin/../digits.pl";

my ($mnist, $from, $to, $count, $seed, $folder, $distort) = @ARGV;
my $SIDE = 80;  # pixels of the canvas
my $CLEAR = 6;  # pixels that decide an order or a relation at least
my @WORDS = ('a zero', 'a one', 'a two', 'a three', 'a four', 'a five', 'a six', 'a seven', 'an eight', 'a nine');
my @digits = read_digits($mnist, $from, $to);
seed_random($seed);

sub center { my ($item) = @_; return ($item->{left} + $item->{size} / 2, $item->{top} + $item->{size} / 2); }

# Whether two digits of a scene do not touch, and their order from left to right is clear.
sub apart {
    my ($one, $other) = @_;
    my ($x, $y) = center($one);
    my ($u, $v) = center($other);
    my $far = 0.42 * ($one->{size} + $other->{size});
    return abs($x - $u) >= $CLEAR && (abs($x - $u) >= $far || abs($y - $v) >= $far);
}

# Some digits in random places; those that do not fit are left out.
sub scatter {
    my @scene;
    for (1 .. whole(2, 4)) {
        my $size = whole(22, 30);
        my $item = { digit => pick(@digits), size => $size, left => whole(0, $SIDE - $size), top => whole(0, $SIDE - $size) };
        push @scene, $item unless grep { !apart($_, $item) } @scene;
    }
    return sort { (center($a))[0] <=> (center($b))[0] } @scene;
}

# How the first is placed beside the second; undefined if that is hard to see.
sub relation {
    my ($one, $other) = @_;
    my ($x, $y) = center($one);
    my ($u, $v) = center($other);
    my ($across, $down) = (abs($u - $x), abs($v - $y));
    return undef if abs($across - $down) < $CLEAR;
    return $across > $down ? 'left of' : $y < $v ? 'above' : 'below';
}

sub describe {
    my @scene = @_;
    my @words = ("$WORDS[$scene[0]{digit}{label}]");
    for my $i (1 .. $#scene) {
        my $relation = relation($scene[$i - 1], $scene[$i]);
        return undef unless defined $relation;
        push @words, ($i > 1 ? ', ' : '') . "$relation $WORDS[$scene[$i]{digit}{label}]";
    }
    return join ' ', @words;
}

open my $boxes, '>', "$folder/boxes" or die "scenes.pl: $folder/boxes: $!\n";
for my $i (1 .. $count) {
    my (@scene, $text);
    do {
        @scene = scatter();
        $text = @scene > 1 ? describe(@scene) : undef;
    } until defined $text;
    my $canvas = canvas($SIDE, $SIDE);
    put($canvas, $distort ? distort($_->{digit}) : $_->{digit}, $_->{left}, $_->{top}, $_->{size}) for @scene;
    save_picture($canvas, "$folder/$i.pgm", 20);
    print "$i.pgm\t$text\n";
    print $boxes join(' ', map { "$_->{left} $_->{top} $_->{size}" } @scene), "\n";
}
close $boxes or die "scenes.pl: $folder/boxes: $!\n";
