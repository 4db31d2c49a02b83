# Checks a list of orders and adds it up; reports each order to its output, and totals to the file so called.
# SPDX-License-Identifier: MIT

function check_digit(number,    sum, i) {
	sum = 0
	for (i = 1; i <= length(number); i++)
		sum += substr(number, i, 1) * (i % 2 ? 3 : 1)
	return (10 - sum % 10) % 10
}

function reference(order, customer,    text, i, sum) {
	text = order "/" customer "/" check_digit(order) check_digit(customer)
	sum = 7
	for (i = 1; i <= length(text); i++)
		sum = (sum * 31 + index("0123456789/", substr(text, i, 1))) % 1000003
	return text "-" sum
}

function count_article(article, pieces) {
	sold[article] += pieces
	if (sold[article] > most) {
		most = sold[article]
		best = article
	}
}

{
	mark = reference($1, $2)
	count_article($5, $4)
	print "order " mark " of customer " $2 " taken: " $4 " of " $5 " at " $3 " cents, sum " $3 * $4
}

END {
	print NR " orders, best article " best > "totals"
}
