! SPDX-License-Identifier: MIT
!
! heat ORDER: spreads heat over a plate in 12 steps, and prints the sum after each. The order in which
! the plate is walked, by "columns" or by "rows", changes nothing but the time.
module grid
	implicit none
	integer, parameter :: n = 2048
	real :: old(n, n), new(n, n)
contains
	subroutine spread_by(outer_is_column)
		logical, intent(in) :: outer_is_column
		integer :: i, j, k, l
		do k = 2, n - 1
			do l = 2, n - 1
				i = merge(l, k, outer_is_column)
				j = merge(k, l, outer_is_column)
				new(i, j) = 0.25 * (old(i - 1, j) + old(i + 1, j) + old(i, j - 1) + old(i, j + 1))
			end do
		end do
	end subroutine

	subroutine report(step)
		integer, intent(in) :: step
		print '(a, i3, a, f14.3)', 'step', step, ':', sum(new(:, n / 2))
		old = new
	end subroutine
end module

program heat
	use grid
	implicit none
	integer :: step
	character(len=16) :: order
	call get_command_argument(1, order)
	old = 0
	old(:, 1) = 100
	do step = 1, 12
		call spread_by(order == 'columns')
		call report(step)
	end do
end program
