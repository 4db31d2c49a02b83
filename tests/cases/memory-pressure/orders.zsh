# SPDX-License-Identifier: MIT
# orders.zsh early|late: names orders, and counts the articles of the catalogue, which it reads
# before or after that.

zmodload zsh/mapfile
read_catalogue() {
	articles=("${(@f)mapfile[catalogue]}")
}

[[ $1 == late ]] || read_catalogue
for i in {1..300}; do
	line="order $i of 300"
	names+=($(echo ${${line#order }%% *}))
done
[[ $1 == early ]] || read_catalogue
echo $#names orders, $#articles articles
