# Writes the Storable files beside this one: perl make.pl
# The tables are those of the first 60 lines of ../harbour.txt as PyPlexity's are, counts over counts of histories, with
# # before each line.
use strict;
use warnings;
use Storable qw(nstore store);

$Storable::canonical = 1;
my (%count, $words);
open my $lines, "<", "../harbour.txt" or die;
while (<$lines>) {
    last if $. > 60;
    chomp;
    my @words = ("#", "#", split / /);
    $words += @words - 2;
    for my $at (2 .. $#words) {
        $count{join " ", @words[$at - $_ + 1 .. $at]}++ for 1 .. 3;
    }
    $count{"#"}++;
    $count{"# #"}++;
}
my (%one, %two, %three);
for my $gram (keys %count) {
    my @words = split / /, $gram;
    my $last = pop @words;
    $one{$gram} = $count{$gram} / $words if !@words && $gram ne "#";
    $two{$gram} = $count{$gram} / $count{$words[0]} if @words == 1 && $gram ne "# #";
    $three{$gram} = $count{$gram} / $count{"@words"} if @words == 2;
}
store [\%two, \%one], "bigrams.st";
nstore [\%three, \%two, \%one], "trigrams.st";

# every way to say a number, and keys that PyPlexity would never find
my %odd = (
    half => 0.5, third => 1 / 3, zero => 0, one => 1, small => -7, text => "0.25", long => "0." . "3" x 300,
    none => undef, large => 70000, huge => 1234567890123456789, "caf\xc3\xa9" => 0.125,
);
store [\%odd], "numbers.st";
nstore [\%odd], "numbers-network.st";
my $latin = "\xe9t\x{2603}";
chop $latin;
store [{ "\x{2603}" => 0.5, "caf\xe9" => 0.25, $latin => 0.125 }], "utf8.st";
store [{ "a b" => 0.5, "two words more" => 0.1, "\xff x" => 0.1, "a  b" => 0.1 }, { a => 0.5, b => 0.25, "a b" => 1 }], "odd-keys.st";

# what is no table of numbers
package Evil { sub new { bless { a => 1 } } }
{ no warnings "once"; $Storable::Deparse = 1 }
my $twice = { a => 1 };
store [Evil->new], "blessed.st";
store [{ a => Evil->new }], "blessed-value.st";
store [{ a => sub { 1 } }], "code.st";
store [{ a => qr/x/ }], "expression.st";
store [{ a => [1] }], "array.st";
store [{ a => "word" }], "word.st";
store [$twice, $twice], "twice.st";
store { a => 1 }, "hash.st";
store [{ a => 0.5 }, { a => -1 }], "negative.st";
