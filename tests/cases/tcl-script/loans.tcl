# SPDX-License-Identifier: MIT
#
# loans.tcl braced|plain: works out for each loan of a bank what its customer pays until it is paid
# back, and writes what each branch earns with its loans. The expression of a month's interest is in
# braces, or it is not: without them its text is put together first, with the numbers of this month.

# Two loans of three have a fee each January, and some pay more in summer.
array set fees {house 0 car 450 other 290}
array set extra {house 20000 car 0 other 1500}

proc plan_braced {rest rate payment fee extra} {
	set month 0
	set interest 0
	while {$rest > 0 && $month < 36} {
		incr month
		set due [expr {($rest * $rate + 6000) / 12000}]
		incr interest $due
		if {$month % 12 == 1} {
			incr due $fee
		} elseif {$month % 12 == 7} {
			incr due -$extra
		}
		incr rest $due
		incr rest -$payment
	}
	return [list $month $interest]
}

proc plan_plain {rest rate payment fee extra} {
	set month 0
	set interest 0
	while {$rest > 0 && $month < 36} {
		incr month
		set due [expr ($rest * $rate + 6000) / 12000]
		incr interest $due
		if {$month % 12 == 1} {
			incr due $fee
		} elseif {$month % 12 == 7} {
			incr due -$extra
		}
		incr rest $due
		incr rest -$payment
	}
	return [list $month $interest]
}

# The text of so many loans, one on each line.
proc make_loans {number} {
	set kinds {house car other}
	set seed 42
	set lines {}
	for {set i 0} {$i < $number} {incr i} {
		set seed [expr {($seed * 1103515245 + 12345) % 2147483648}]
		set random [expr {$seed >> 12}]
		set sum [expr {($random % 900 + 100) * 1000}]
		lappend lines [format {%06d;branch-%02d;%s;%d;%d;%d} $i [expr {$random % 37}] \
			[lindex $kinds [expr {$random % 3}]] $sum [expr {$random % 60 + 15}] \
			[expr {$sum / (20 + $random % 30)}]]
	}
	return [join $lines \n]
}

proc add_loan {line how} {
	global fees extra loans months earned
	lassign [split $line {;}] number branch kind sum rate payment
	if {![regexp {^\d+$} $number] || ![info exists fees($kind)]} {
		error "not a loan: $line"
	}
	lassign [plan_$how $sum $rate $payment $fees($kind) $extra($kind)] month interest
	incr loans($branch)
	incr months($branch) $month
	incr earned($branch) $interest
}

proc write_branches {} {
	global loans months earned
	set total 0
	foreach branch [lsort [array names loans]] {
		set cents $earned($branch)
		incr total $cents
		puts [format {%-10s %6d loans %8d months %9d.%02d} $branch $loans($branch) \
			$months($branch) [expr {$cents / 100}] [expr {$cents % 100}]]
	}
	puts "total $total"
}

set how [lindex $argv 0]
foreach line [split [make_loans 100000] \n] {
	add_loan $line $how
}
write_branches
