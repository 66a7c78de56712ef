# Writes words with the letters of Debian's Hershey fonts, each as a hand might: with a slant, a size and a spacing of
# its own, letters that stand a little off, and lines that bend smoothly.
#
# Usage: perl letters.pl FONTS COUNT SEED SET FOLDER
# FONTS is the folder with futural.jhf and scripts.jhf: print and script, each the hand of half of the words. SET is
# `train`, `dev` or `test`; no word is in two of them. Writes FOLDER/<i>.unipen and `<i>.unipen<TAB>w o r d` lines to
# standard output.
use strict;
use warnings;
use FindBin;
require "$FindBin::Bin/../random.pl";

my ($fonts, $count, $seed, $set, $folder) = @ARGV;
my $PI = 3.14159265358979;
my @VOWELS = split //, 'aeiouy';
my @CONSONANTS = split //, 'bcdfghjklmnpqrstvwxz';
seed_random($seed);

# A glyph: lines of points, y down, and its left and right edge. A record of a font has a number (5 columns), the count
# of its pairs (3), and the pairs: the edges, then points, where ` R` lifts the pen. Each character is a distance from R.
sub read_glyph {
    my ($record) = @_;
    my $pairs = substr($record, 8, 2 * substr($record, 5, 3));
    my @lines = ([]);
    while ($pairs =~ /(..)/g) {
        if ($1 eq ' R') { push @lines, []; next; }
        push @{ $lines[-1] }, [map { ord($_) - ord('R') } split //, $1];
    }
    my ($left, $right) = @{ shift @{ $lines[0] } };
    return { left => $left, right => $right, lines => \@lines };
}

# The letters of a font, whose records are ASCII from the space on.
sub read_font {
    my ($name) = @_;
    my (%glyph, $code);
    open my $file, '<', "$fonts/$name.jhf" or die "recipes/write: there is no $fonts/$name.jhf\n";
    for ($code = 32; my $record = <$file>; $code++) {
        chomp $record;
        while (length($record) < 8 + 2 * substr($record, 5, 3) && defined(my $more = <$file>)) {
            chomp $more; # a long record goes on in the next line
            $record .= $more;
        }
        $glyph{ chr $code } = read_glyph($record);
    }
    return \%glyph;
}

my @hands = map { read_font($_) } 'futural', 'scripts';

# Two to five letters, consonants and vowels in turn.
sub word {
    my $vowel = whole(0, 1);
    return join '', map { ($_ + $vowel) % 2 ? pick(@VOWELS) : pick(@CONSONANTS) } 1 .. whole(2, 5);
}

sub set_of {
    my $hash = 7;
    $hash = ($hash * 31 + ord) % 9973 for split //, shift;
    return $hash % 20 == 0 ? 'test' : $hash % 20 == 1 ? 'dev' : 'train';
}

# Points between those of a line, at most `step` apart, so that a bend can show.
sub subdivide {
    my ($step, @points) = @_;
    my @fine = shift @points;
    for my $to (@points) {
        my ($x, $y) = @{ $fine[-1] };
        my ($dx, $dy) = ($to->[0] - $x, $to->[1] - $y);
        my $n = int(sqrt($dx * $dx + $dy * $dy) / $step) + 1;
        push @fine, map { [$x + $dx * $_ / $n, $y + $dy * $_ / $n] } 1 .. $n;
    }
    return @fine;
}

# Cuts the corners of a line; its ends stay.
sub smooth {
    my @points = @_;
    return @points if @points < 3;
    my @cut = $points[0];
    for my $i (0 .. $#points - 1) {
        my ($p, $q) = @points[$i, $i + 1];
        push @cut, map { [$p->[0] + ($q->[0] - $p->[0]) * $_, $p->[1] + ($q->[1] - $p->[1]) * $_] } 0.25, 0.75;
    }
    return (@cut, $points[-1]);
}

# A smooth field of shifts: a few waves, each longer than a letter is wide.
sub waves {
    return map { { x => uniform(0.05, 0.25), y => uniform(0.05, 0.25), at => uniform(0, 2 * $PI), high => 0.5 * normal() } } 1 .. 3;
}

sub bend {
    my ($x, $y, @waves) = @_;
    my $shift = 0;
    $shift += $_->{high} * sin($_->{x} * $x + $_->{y} * $y + $_->{at}) for @waves;
    return $shift;
}

# Lines of points of a word, y up.
sub write_word {
    my ($word) = @_;
    my $glyphs = pick(@hands);
    my ($slant, $wide, $space) = (uniform(-0.1, 0.3), uniform(0.85, 1.15), uniform(-0.5, 2));
    my @across = waves();
    my @down = waves();
    my ($at, @lines) = 0;
    for my $letter (split //, $word) {
        my $glyph = $glyphs->{$letter};
        my ($size, $base) = (1 + 0.05 * normal(), 0.4 * normal());
        for my $line (@{ $glyph->{lines} }) {
            my @points = subdivide(2, smooth(@$line));
            $_ = [$at + $size * ($_->[0] - $glyph->{left}), $size * $_->[1] + $base] for @points;
            $_ = [$_->[0] + bend(@$_, @across), $_->[1] + bend(@$_, @down)] for @points;
            push @lines, [map { [$wide * $_->[0] - $slant * $_->[1], -$_->[1]] } @points];
        }
        $at += $size * ($glyph->{right} - $glyph->{left}) + $space + 0.3 * normal();
    }
    return @lines;
}

for my $i (1 .. $count) {
    my $word = word();
    $word = word() while set_of($word) ne $set;
    open my $file, '>', "$folder/$i.unipen" or die "recipes/write: cannot write $folder/$i.unipen\n";
    for my $line (write_word($word)) {
        print $file ".PEN_DOWN\n", (map { sprintf "%.0f %.0f\n", map { 10 * $_ } @$_ } @$line), ".PEN_UP\n";
    }
    close $file;
    print "$i.unipen\t", join(' ', split //, $word), "\n";
}
