# SPDX-License-Identifier: MIT
"""Three more servers, written down before any of them was guarded, and looked at once when the rules stood: one with
an event loop, one with a pool of threads, and one in Python.
"""
from scenarios import HTTP_CLIENT, NUMBERS, Scenario

LIGHTTPD = HTTP_CLIENT + """
mkdir -p html
for size in 10 1000 30000; do seq $size >html/$size.txt; done
[ $variant = slow ] && quality=9 || quality=2
cat >lighttpd.conf <<END
server.document-root = "$PWD/html"
server.bind = "127.0.0.1"
server.port = $port
server.errorlog = "$PWD/error.log"
server.max-keep-alive-requests = 100000
server.max-keep-alive-idle = 600
server.modules = ("mod_deflate")
mimetype.assign = (".txt" => "text/plain")
deflate.mimetypes = ("text/")
deflate.allowed-encodings = ("brotli")
deflate.params = ("BROTLI_PARAM_QUALITY" => $quality)
END
sed -i 's/"gzip"/"br"/' client.py
"""

# client.py: asks for people by name, with one search in each message.
SLAPD = NUMBERS + """
[ $variant = slow ] && attribute=cn || attribute=sn
mkdir -p people
cat >slapd.conf <<END
include /etc/ldap/schema/core.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile $PWD/slapd.pid
database mdb
suffix "dc=shop"
directory $PWD/people
maxsize 268435456
index objectClass,$attribute eq
END
{
    printf 'dn: dc=shop\\nobjectClass: dcObject\\nobjectClass: organization\\ndc: shop\\no: shop\\n\\n'
    for i in {1..4000}; do
        printf 'dn: cn=person%d,dc=shop\\nobjectClass: person\\ncn: person%d\\nsn: name%d\\n\\n' $i $i $i
    done
} >people.ldif
slapadd -q -f $PWD/slapd.conf -l people.ldif
cat >client.py <<'END'
import os, random, socket
from asking import numbers
server = socket.create_connection(("127.0.0.1", int(os.environ["port"]))).makefile("rwb", buffering=0)
def part(tag, *texts):
    text = b"".join(texts)
    return bytes([tag, len(text)]) + text
def take(size):
    got = b""
    while len(got) < size:
        got += server.read(size - len(got))
    return got
for _ in numbers():
    name = b"name%d" % random.randrange(1, 4001)
    search = part(0x63, part(4, b"dc=shop"), part(10, bytes([2])), part(10, bytes([0])), part(2, bytes([0])),
                  part(2, bytes([0])), part(1, bytes([0])), part(0xa3, part(4, b"sn"), part(4, name)), part(0x30))
    server.write(part(0x30, part(2, bytes([1])), search))
    is_done = False
    while not is_done:
        length = take(2)[1]
        is_done = take(length)[3] == 0x65
END
"""

# Each request for what is private hashes its password.
GUNICORN = HTTP_CLIENT + """
[ $variant = slow ] && rounds=40000 || rounds=400
cat >app.py <<END
import hashlib

def application(request, begin):
    text = b"hello"
    if request["PATH_INFO"].startswith("/private"):
        text = hashlib.pbkdf2_hmac("sha256", request["HTTP_AUTHORIZATION"].encode(), b"salt", $rounds).hex().encode()
    elif request["PATH_INFO"].startswith("/long"):
        text = "\\n".join("line %d" % i for i in range(2000)).encode()
    begin("200 OK", [("Content-Length", str(len(text)))])
    return [text]
END
"""

FRESH = [
    Scenario("lighttpd-brotli", "a high quality of compression", "lighttpd",
             ["lighttpd", "lighttpd-mod-deflate", "python3"], "^BrotliEncoder", prepare=LIGHTTPD,
             serve="lighttpd -D -f $PWD/lighttpd.conf", slow_count=300,
             ask="/usr/bin/python3 client.py /10.txt /1000.txt /30000.txt"),
    Scenario("slapd-index", "missing index", "slapd", ["slapd", "python3"], "^(mdb_search|test_filter)$", prepare=SLAPD,
             serve="slapd -d 0 -h ldap://127.0.0.1:$port -f $PWD/slapd.conf", slow_count=300,
             ask="/usr/bin/python3 client.py"),
    Scenario("gunicorn-password", "passwords hashed many times", "gunicorn", ["gunicorn", "python3"],
             "^PKCS5_PBKDF2_HMAC", prepare=GUNICORN, serve="gunicorn -b 127.0.0.1:$port -w 1 app >server.log 2>&1",
             slow_count=300, ask="/usr/bin/python3 client.py /page /long /private"),
]
