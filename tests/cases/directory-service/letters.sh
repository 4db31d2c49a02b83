#!/bin/bash
# SPDX-License-Identifier: MIT
#
# letters.sh SLAPD LDAPSEARCH PORT: starts the directory of slapd.conf, looks up the people that have
# `addresses`, writes a letter to each of them, and compresses these for the archive.

set -euo pipefail
slapd=$1 ldapsearch=$2 port=$3

"$slapd" -d 0 -f slapd.conf -h "ldap://127.0.0.1:$port" &
server=$!
trap 'kill "$server"; wait' EXIT
for ((i = 0; i < 200; i++)); do
	if (: < "/dev/tcp/127.0.0.1/$port") 2> /dev/null; then
		break
	fi
	sleep 0.05
done

"$ldapsearch" -x -LLL -H "ldap://127.0.0.1:$port" -b dc=example -f addresses '(mail=%s)' cn mail ou > found
awk -F ': ' '
	$1 == "cn" { name = $2 }
	$1 == "mail" { address = $2 }
	$1 == "ou" { shop = $2 }
	$0 == "" && address {
		print "To: " name " <" address ">\nSubject: prices of " shop "\n"
		for (i = 0; i < 1200; i++)
			printf "article %05d of %s costs %.2f EUR\n", i * 7919 % 99991, shop, i * length(name) * 31 % 977 / 10
		address = ""
	}' found > letters
gzip -9 -c letters > letters.gz
