<?php
// SPDX-License-Identifier: MIT
// mask.php LOG MASKED

function mask(string $line): string
{
	$line = preg_replace('/[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}/', 'ADDRESS', $line);
	$line = preg_replace('/\b(?:desk|order|customer)(?: no\.)? \d+/', 'NUMBER', $line);
	return preg_replace('/\b(?:\d{4}[ -]?){3}(\d{4})\b/', '****-$1', $line);
}

$masked = [];
$words = [];
foreach (file($argv[1], FILE_IGNORE_NEW_LINES) as $line) {
	$line = mask($line);
	$masked[] = $line;
	foreach (explode(' ', $line) as $word) {
		$words[$word] = ($words[$word] ?? 0) + 1;
	}
}
arsort($words);
file_put_contents($argv[2], implode("\n", $masked));
printf("%d lines, %d words, %s\n", count($masked), count($words), array_key_first($words));
