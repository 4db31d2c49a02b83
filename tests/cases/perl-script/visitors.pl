#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# visitors.pl VISITS push|list: who visited a site, in the order of the first visits, and what the
# pages took that they asked for. A new visitor is pushed to the others, or a list is assigned that
# holds them all.

use strict;
use warnings;

my ($file, $how) = @ARGV;
my (@visitors, %milliseconds);

open my $visits, '<', $file or die "$file: $!\n";
while (my $line = <$visits>) {
	my ($visitor, $page, $took) = $line =~ /^(\S+) GET (\S+) took (\d+) ms$/ or next;
	if (!exists $milliseconds{$visitor}) {
		if ($how eq 'push') {
			push @visitors, $visitor;
		} else {
			@visitors = (@visitors, $visitor);
		}
	}
	$milliseconds{$visitor} += $took;
}
printf "%d visitors, the last one %s for %d ms\n",
	scalar @visitors, $visitors[-1], $milliseconds{ $visitors[-1] };
