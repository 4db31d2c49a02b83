<?php // Writes the invoices of a day's orders; use: invoices.php ORDERS ORDERS-BETWEEN-COLLECTIONS
// SPDX-License-Identifier: MIT

class Customer {
	public int $spent = 0;

	public function __construct(public int $number, public string $name, public Shop $shop) {}
}

class Shop {
	public array $customers = [];

	public function __construct(public string $town) {}

	public function customer(int $number): Customer {
		return $this->customers[$number % count($this->customers)];
	}
}

class Order {
	public array $items = [];

	public function __construct(public int $number, public ?Customer $customer) {}
}

function open_shop(int $customers): Shop {
	$shop = new Shop("Aachen");
	for ($i = 0; $i < $customers; $i++) {
		$shop->customers[] = new Customer($i, "Customer " . ($i * 7919 % 100003), $shop);
	}
	return $shop;
}

function take_order(Shop $shop, int $number): Order {
	$order = new Order($number, $shop->customer($number * 31));
	for ($i = 0; $i < 6; $i++) {
		$order->items["article" . ($number * 13 + $i * 7) % 991] = $number * ($i + 3) % 40 + 1;
	}
	return $order;
}

function price_of(string $article): int {
	return crc32($article) % 9000 + 100;
}

function write_invoice(Order $order): string {
	$lines = ["Invoice " . $order->number . " for " . $order->customer->name];
	$sum = 0;
	foreach ($order->items as $article => $count) {
		$cents = price_of($article) * $count;
		$sum += $cents;
		$lines[] = sprintf("%-12s %3d %9.2f", $article, $count, $cents / 100);
	}
	$order->customer->spent += $sum;
	$lines[] = sprintf("%-16s %9.2f", "Sum", $sum / 100);
	$lines[] = "Reference " . md5(implode("\n", $lines));
	return implode("\n", $lines) . "\n";
}

function free_memory(int $done, int $between): int {
	return $done % $between == 0 ? gc_collect_cycles() : 0;
}

$shop = open_shop(240);
$bytes = $freed = 0;
for ($number = 1; $number <= (int)$argv[1]; $number++) {
	$order = take_order($shop, $number);
	$bytes += strlen(write_invoice($order));
	$order = null;
	$freed += free_memory($number, (int)$argv[2]);
}
printf("%d invoices, %d bytes, %d objects freed\n", $number - 1, $bytes, $freed);
