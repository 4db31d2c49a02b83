# SPDX-License-Identifier: MIT
#
# archive.py FLAGS: receipts, kept in a file that is opened with these flags.
import dbm.gnu
import hashlib
import sys


def receipt(number):
    lines = []
    signature = str(number)
    for article in range(90):
        signature = hashlib.sha256(signature.encode()).hexdigest()
        lines.append(f"{signature:<66}article {article:>4} of {number:>6}\n")
    return "".join(lines).encode()


def archive(path, flags, count):
    size = 0
    with dbm.gnu.open(path, flags, 0o600) as receipts:
        for number in range(count):
            text = receipt(number)
            receipts[b"receipt %d" % number] = text
            size += len(text)
        print(len(receipts), "receipts", size)


archive("receipts.db", sys.argv[1], 1500)
