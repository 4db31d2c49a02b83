# SPDX-License-Identifier: MIT
#
# Adds to a letter what its words tell.
use strict;
use warnings;

my @lines = <STDIN>;
my %seen;
for my $round (1 .. 14) {
	for my $line (@lines) {
		$seen{lc $1} += $round while $line =~ /(\w+)/g;
	}
}
my $score = 0;
$score += length($_) * $seen{$_} for keys %seen;
my $head = 1;
for my $line (@lines) {
	if ($head && $line eq "\n") {
		print "X-Score: ", $score % 1000, "\n";
		$head = 0;
	}
	print $line;
}
