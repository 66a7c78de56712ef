# Cuts a page of words, one per line, into one picture for each word.
#
# Usage: perl cut.pl PAGE COUNT MARGIN FOLDER FIRST
# PAGE is a raw PGM file of COUNT lines of equal height, dark on white, with MARGIN pixels around them. Writes
# FOLDER/<i>.pgm from i = FIRST on: the height of a line and as wide as the word, with the same margin.
use strict;
use warnings;

my ($path, $count, $margin, $folder, $first) = @ARGV;

# The rows of a raw PGM file, each a string of bytes.
sub read_rows {
    my ($path) = @_;
    local $/;
    open my $file, '<:raw', $path or die "cut.pl: $path: $!\n";
    my $bytes = <$file>;
    $bytes =~ /\AP5\s+(\d+)\s+(\d+)\s+255\s/g or die "cut.pl: $path: not a raw PGM file\n";
    my ($width, $height, $at) = ($1, $2, pos $bytes);
    return map { substr $bytes, $at + $_ * $width, $width } 0 .. $height - 1;
}

# How many columns are left when the white ones on the right are cut off.
sub ink_width {
    my $most = 0;
    for my $row (@_) { $most = length $1 if $row =~ /\A(.*[^\xFF])\xFF*\z/s && length $1 > $most }
    return $most;
}

sub write_picture {
    my ($path, @rows) = @_;
    my $blank = "\xFF" x length $rows[0];
    @rows = (($blank) x $margin, @rows, ($blank) x $margin);
    open my $file, '>:raw', $path or die "cut.pl: $path: $!\n";
    print $file 'P5 ', length $blank, ' ', scalar @rows, " 255\n", @rows;
    close $file or die "cut.pl: $path: $!\n";
}

my @rows = read_rows($path);
my $height = (@rows - 2 * $margin) / $count;
die "cut.pl: $path: has no $count lines\n" if $height < 1;
for my $i (0 .. $count - 1) {
    my @line = @rows[int($margin + $i * $height) .. int($margin + ($i + 1) * $height) - 1];
    my $width = ink_width(@line) + $margin;
    write_picture("$folder/" . ($first + $i) . '.pgm', map { substr $_ . "\xFF" x $margin, 0, $width } @line);
}
