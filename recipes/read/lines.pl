# Makes pictures of lines of handwritten digits: side by side, with overlap, varying size and noise.
#
# Usage: perl lines.pl MNIST FROM TO COUNT SEED FOLDER [distort]
# Takes digits [FROM, TO) of MNIST. Writes FOLDER/<i>.pgm, and `<i>.pgm<TAB>d i g i t s` lines to standard output.
# With `distort`, every digit is bent, turned and slanted a little.
use strict;
use warnings;
use FindBin;
require "$FindBin::Bin/../random.pl";
require "$FindBin::Bin/../digits.pl";

my ($mnist, $from, $to, $count, $seed, $folder, $distort) = @ARGV;
my $HEIGHT = 36;
my @digits = read_digits($mnist, $from, $to);
seed_random($seed);
for my $i (1 .. $count) {
    my @chosen = map { { digit => pick(@digits), size => whole(20, 34) } } 1 .. whole(1, 6);
    my $left = whole(0, 6);
    for (@chosen) {
        $_->{left} = $left;
        $left += $_->{size} - whole(2, int($_->{size} / 3)); # the digits' own margins overlap, sometimes their strokes
    }
    my $canvas = canvas($left + whole(8, 14), $HEIGHT);
    put($canvas, $distort ? distort($_->{digit}) : $_->{digit}, $_->{left}, whole(0, $HEIGHT - $_->{size}), $_->{size}) for @chosen;
    save_picture($canvas, "$folder/$i.pgm", whole(0, 50));
    print "$i.pgm\t", join(' ', map { $_->{digit}{label} } @chosen), "\n";
}
