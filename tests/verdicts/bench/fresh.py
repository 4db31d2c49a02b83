# SPDX-License-Identifier: MIT
"""Everyday programs that no constant was chosen with, each with the same work every time, in the
directory that programs.py prepares, with these scripts in it. They were written without knowledge of
how verdicts are made."""

LUA = """
local words, count = {}, {}
for _, pattern in ipairs({ "[%l_]+", "%u+" }) do
	for line in io.lines("text") do
		for word in line:gmatch(pattern) do
			if not count[word] then count[word] = 0; words[#words + 1] = word end
			count[word] = count[word] + 1
		end
	end
end
table.sort(words, function(a, b)
	return count[a] > count[b] or count[a] == count[b] and a < b
end)
for i = 1, 20 do print(count[words[i]], words[i]) end
"""

PHP = """<?php
$items = json_decode(file_get_contents("items.json"), true);
$sums = [];
for ($round = 0; $round < 30; $round++) {
	foreach ($items as $item) {
		$key = strtoupper($item["name"]) . ":" . $item["value"] % 13;
		$sums[$key] = ($sums[$key] ?? 0) + $item["value"];
	}
	ksort($sums);
}
echo count($sums), " ", md5(serialize($sums)), "\\n";
"""

TCL = """
proc sieve {most} {
	for {set i 2} {$i <= $most} {incr i} {
		if {[info exists composite($i)]} continue
		lappend primes $i
		for {set k [expr {$i * $i}]} {$k <= $most} {incr k $i} { set composite($k) 1 }
	}
	return $primes
}
set primes [sieve 320000]
foreach prime $primes { append text [format %x, $prime] }
puts "[llength $primes] [string length $text] [regexp -all {7[0-9a-f]*,} $text]"
"""

M4 = """divert(-1)
define(`forloop', `pushdef(`$1', `$2')_forloop($@)popdef(`$1')')
define(`_forloop', `$4`'ifelse($1, `$3', `', `define(`$1', incr($1))$0($@)')')
define(`fibonacci', `ifelse(eval($1 < 2), 1, $1,
  `eval(fibonacci(decr($1)) + fibonacci(eval($1 - 2)))')')
divert(0)dnl
forloop(`i', 1, 600, `row i: translit(format(`%08x', eval(i * i * 7919)), `0-9', `g-p')
')dnl
fibonacci(17)
"""

XSLT = """<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:output method="text"/>
<xsl:key name="named" match="item" use="@name"/>
<xsl:template match="/items">
<xsl:for-each select="item[generate-id() = generate-id(key('named', @name)[1])]">
<xsl:sort select="@name"/>
<xsl:value-of select="concat(@name, ' ', sum(key('named', @name)/value), '&#10;')"/>
</xsl:for-each>
</xsl:template>
</xsl:stylesheet>
"""

OCAML = """
module Names = Map.Make (String)

let rec insert n tree =
  if n = 0 then tree
  else
    let key = string_of_int (n * 7919 mod 65537) in
    let count = try Names.find key tree with Not_found -> 0 in
    insert (n - 1) (Names.add key (count + n) tree)

let () =
  let tree = insert 80000 Names.empty in
  let sum = Names.fold (fun key count sum -> String.length key + count + sum) tree 0 in
  Printf.printf "%d %d\\n" (Names.cardinal tree) sum
"""

# Nodes in rows, each with edges to three of the next row.
DOT = "digraph {\n" + "".join(
    f"\tn{row}_{i} -> n{row + 1}_{(i * k + row) % 20};\n"
    for row in range(42) for i in range(20) for k in (1, 5, 7)) + "}\n"

SCRIPTS = {
    "script.lua": LUA,
    "script.php": PHP,
    "script.tcl": TCL,
    "script.m4": M4,
    "script.xsl": XSLT,
    "script.ml": OCAML,
    "script.dot": DOT,
}

COMMANDS = {
    "lua": ["lua5.4", "script.lua"],
    "php": ["php", "-n", "script.php"],
    "tclsh": ["tclsh", "script.tcl"],
    "m4": ["m4", *["script.m4"] * 36],
    "xsltproc": ["xsltproc", "script.xsl", *["items.xml"] * 3],
    "ocaml": ["ocaml", "script.ml"],
    "dot": ["dot", "-Tsvg", "script.dot"],
    "lz4": ["lz4", "-qc", "-12", "text"],
    "readelf": ["readelf", "--wide", "--all", *["/usr/bin/perl"] * 10],
    "cppcheck": ["cppcheck", "-q", "--enable=style", "--language=c",
                 *[f"tree/{i % 100}/{i}.h" for i in range(150, 420)]],
}
