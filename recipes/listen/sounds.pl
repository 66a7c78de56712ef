# Makes WAV files from recordings: one after another with pauses between them, faster or slower, with noise.
#
# Usage: perl sounds.pl FOLDER SEED <PLAN
# A line of the plan is `name<TAB>speed<TAB>tempo<TAB>noise<TAB>before<TAB>after<TAB>recording...`, recordings separated by
# spaces. It becomes FOLDER/name.wav. Speed 1.1 is a tenth shorter and higher, tempo 1.1 a tenth shorter at the same
# pitch; noise 0.01 is white noise of a hundredth of the loudest sample; before and after are seconds of silence, which
# the noise fills too. All recordings are 16-bit mono WAV files of one rate.
use strict;
use warnings;
use FindBin;
require "$FindBin::Bin/../random.pl";

my ($folder, $seed) = @ARGV;
my %known; # file => [rate, samples]
seed_random($seed);
my @hiss = map { normal() } 1 .. 65536; # white noise; each file takes it from another place on

sub read_wav {
    my ($path) = @_;
    return $known{$path} if $known{$path};
    local $/;
    open my $file, '<:raw', $path or die "sounds.pl: $path: $!\n";
    my $bytes = <$file>;
    my ($riff, undef, $wave) = unpack 'a4 V a4', $bytes;
    die "sounds.pl: $path: not a WAV file\n" unless $riff eq 'RIFF' && $wave eq 'WAVE';
    my ($at, $rate, @samples) = (12, 0);
    while ($at + 8 <= length $bytes) {
        my ($name, $size) = unpack 'a4 V', substr $bytes, $at, 8;
        my $body = substr $bytes, $at + 8, $size;
        if ($name eq 'fmt ') {
            my ($format, $channels, $hertz, undef, undef, $bits) = unpack 'v v V V v v', $body;
            die "sounds.pl: $path: not 16-bit mono\n" unless $format == 1 && $channels == 1 && $bits == 16;
            $rate = $hertz;
        } elsif ($name eq 'data') {
            @samples = unpack 's<*', $body;
        }
        $at += 8 + $size + $size % 2;
    }
    return $known{$path} = [$rate, \@samples];
}

# The samples at `speed` times the speed, by linear interpolation.
sub change_speed {
    my ($samples, $speed) = @_;
    return @$samples if $speed == 1 || @$samples < 2;
    my $last = int(($#$samples - 1) / $speed);
    return map {
        my $at = $_ * $speed;
        my $i = int $at;
        $samples->[$i] + ($at - $i) * ($samples->[$i + 1] - $samples->[$i]);
    } 0 .. $last;
}

# The samples at `tempo` times the speed, at the same pitch (WSOLA, Verhelst and Roelands 1993): each hundredth of a second
# fades from what follows the piece before to the piece near the right time that resembles it most.
sub change_tempo {
    my ($samples, $tempo, $rate) = @_;
    my ($step, $follows, @out) = (int($rate / 100), 0);
    my $last = $#$samples - 2 * $step;
    return @$samples if $tempo == 1 || $last < 0;
    for (my $piece = 0; $piece * $step * $tempo < $last; $piece++) {
        my $at = most_alike($samples, $follows, int($piece * $step * $tempo), int($step / 2), $last);
        push @out, map {
            my $share = $_ / $step;
            (1 - $share) * $samples->[$follows + $_] + $share * $samples->[$at + $_]
        } 0 .. $step - 1;
        $follows = $at + $step;
    }
    return @out;
}

# Where, within `reach` of `near`, the samples resemble those from `follows` on most.
sub most_alike {
    my ($samples, $follows, $near, $reach, $last) = @_;
    my ($best, $most) = ($near, -1e300);
    for (my $at = $near - $reach; $at <= $near + $reach; $at += 2) {
        next if $at < 0 || $at > $last;
        my $alike = 0;
        for (my $i = 0; $i < 2 * $reach; $i += 4) { $alike += $samples->[$follows + $i] * $samples->[$at + $i] }
        ($best, $most) = ($at, $alike) if $alike > $most;
    }
    return $best;
}

sub write_wav {
    my ($path, $rate, $samples) = @_;
    my $data = pack 's<*', map { $_ > 32767 ? 32767 : $_ < -32768 ? -32768 : $_ } @$samples;
    open my $file, '>:raw', $path or die "sounds.pl: $path: $!\n";
    print $file pack('a4 V a4 a4 V v v V V v v a4 V', 'RIFF', 36 + length $data, 'WAVE', 'fmt ', 16, 1, 1, $rate,
        2 * $rate, 2, 16, 'data', length $data), $data;
    close $file or die "sounds.pl: $path: $!\n";
}

while (my $line = <STDIN>) {
    chomp $line;
    my ($name, $speed, $tempo, $noise, $before, $after, $recordings) = split /\t/, $line;
    my ($rate, $silence, @samples) = (0, $before);
    for my $path (split / /, $recordings) {
        my $recording = read_wav($path);
        $rate = $recording->[0];
        push @samples, (0) x ($rate * $silence);
        push @samples, change_tempo([change_speed($recording->[1], $speed)], $tempo, $rate);
        $silence = uniform(0.05, 0.3);
    }
    push @samples, (0) x ($rate * $after);
    my $most = 1;
    for (@samples) { $most = abs $_ if abs $_ > $most }
    my $at = whole(0, $#hiss);
    @samples = map { $_ + $noise * $most * $hiss[$at++ % @hiss] } @samples if $noise > 0;
    write_wav("$folder/$name.wav", $rate, \@samples);
}
