# Handwritten digits for the recipes that draw them: reads MNIST's files and puts digits on a canvas.
use strict;
use warnings;

# read_digits(FOLDER, FROM, TO): digits [FROM, TO) as { label, pixels (28 x 28, row by row) }
sub read_digits {
    my ($folder, $from, $to) = @_;
    my ($images, $labels) = map { unzip("$folder/$_") } 'images-idx3-ubyte.gz', 'labels-idx1-ubyte.gz';
    my (undef, $count, $height, $width) = unpack 'N4', $images;
    die "digits.pl: $folder: not images of 28 x 28\n" unless $height == 28 && $width == 28;
    die "digits.pl: $folder has only $count digits\n" if $to > $count;
    return map { { label => unpack('C', substr $labels, 8 + $_, 1), pixels => [unpack 'C784', substr $images, 16 + 784 * $_, 784] } }
        $from .. $to - 1;
}

sub unzip {
    my ($path) = @_;
    local $/;
    open my $file, '-|:raw', 'gzip', '-dc', $path or die "digits.pl: $path: $!\n";
    my $bytes = <$file>;
    close $file or die "digits.pl: $path: not gzip\n";
    return $bytes;
}

# canvas(WIDTH, HEIGHT): a black picture
sub canvas { my ($width, $height) = @_; return { width => $width, height => $height, pixels => [(0) x ($width * $height)] }; }

# put(CANVAS, DIGIT, LEFT, TOP, SIZE): draw a digit in a square of SIZE pixels, by bilinear interpolation; the brighter
# pixel wins where digits overlap
sub put {
    my ($canvas, $digit, $left, $top, $size) = @_;
    my ($pixels, $step) = ($digit->{pixels}, 27 / ($size - 1));
    for my $y (0 .. $size - 1) {
        next if $top + $y < 0 || $top + $y >= $canvas->{height};
        my ($j, $b) = split_number($y * $step);
        for my $x (0 .. $size - 1) {
            next if $left + $x < 0 || $left + $x >= $canvas->{width};
            my ($i, $a) = split_number($x * $step);
            my $at = 28 * $j + $i;
            my $value = (1 - $b) * ((1 - $a) * $pixels->[$at] + $a * $pixels->[$at + 1])
                + $b * ((1 - $a) * $pixels->[$at + 28] + $a * $pixels->[$at + 29]);
            my $place = ($top + $y) * $canvas->{width} + $left + $x;
            $canvas->{pixels}[$place] = $value if $value > $canvas->{pixels}[$place];
        }
    }
}

# The largest integer below 27 that is not above the number, and the rest.
sub split_number { my ($number) = @_; my $whole = $number >= 26.999 ? 26 : int $number; return ($whole, $number - $whole); }

# distort(DIGIT): the digit as another hand would write it: turned, slanted, wider or narrower, and bent by a wave
sub distort {
    my ($digit) = @_;
    my ($turn, $slant, $wide, $high) = (uniform(-0.2, 0.2), uniform(-0.25, 0.25), uniform(0.85, 1.2), uniform(0.9, 1.15));
    my ($wave, $phase, $other) = (uniform(-1, 1), uniform(0, 6.283), uniform(0, 6.283));
    my ($cos, $sin, @pixels) = (cos $turn, sin $turn);
    my @across = map { $wave * sin(0.3 * $_ + $phase) } 0 .. 27;
    my @down = map { $wave * sin(0.3 * $_ + $other) } 0 .. 27;
    for my $y (0 .. 27) {
        for my $x (0 .. 27) {
            my ($u, $v) = ($x - 13.5 + $across[$y], $y - 13.5 + $down[$x]);
            my $from = 13.5 + $wide * ($cos * $u + $sin * $v) + $slant * $v;
            my $row = 13.5 + $high * ($cos * $v - $sin * $u);
            my ($i, $j) = (int $from, int $row);
            if ($from < 0 || $row < 0 || $i > 26 || $j > 26) { push @pixels, 0; next }
            my ($a, $b, $at) = ($from - $i, $row - $j, 28 * $j + $i);
            my $source = $digit->{pixels};
            push @pixels, (1 - $b) * ((1 - $a) * $source->[$at] + $a * $source->[$at + 1])
                + $b * ((1 - $a) * $source->[$at + 28] + $a * $source->[$at + 29]);
        }
    }
    return { label => $digit->{label}, pixels => \@pixels };
}

# save_picture(CANVAS, PATH, NOISE): write black on white as PGM, with white noise of NOISE gray levels
sub save_picture {
    my ($canvas, $path, $noise) = @_;
    open my $file, '>:raw', $path or die "digits.pl: $path: $!\n";
    print $file "P5 $canvas->{width} $canvas->{height} 255\n", pack 'C*', map {
        my $value = 255 - $_ + $noise * uniform(-1, 1);
        $value < 0 ? 0 : $value > 255 ? 255 : $value
    } @{ $canvas->{pixels} };
    close $file or die "digits.pl: $path: $!\n";
}

1;
