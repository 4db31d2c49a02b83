<?php
// SPDX-License-Identifier: MIT
//
// report.php once|loop: the orders of 250 pages, newest first, and their sum.

function page(int $number): array
{
	$orders = [];
	for ($i = 0; $i < 1200; $i++) {
		$name = sprintf("order %06d of customer %s", 1200 * $number + $i, md5("$number $i"));
		$orders[$name] = crc32(hash("sha256", $name)) % 1000;
	}
	return $orders;
}

$pages = [];
for ($number = 0; $number < 250; $number++) {
	$pages[] = page($number);
}
if ($argv[1] === "once") {
	$orders = array_merge(...array_reverse($pages));
} else {
	$orders = [];
	foreach ($pages as $page) {
		$orders = array_merge($page, $orders);
	}
}

$sum = 0;
foreach ($orders as $name => $price) {
	$sum += $price;
}
echo count($orders), " orders, ", $sum, ", the newest is ", array_key_first($orders), "\n";
