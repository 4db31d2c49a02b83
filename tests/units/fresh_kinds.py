# SPDX-License-Identifier: MIT
"""More servers that are asked for three or four kinds of things, written down before any of them was recorded.

The four of FRESH came before the rules for types were changed by those of kinds.py, and rules were changed by them
later: queries, a server that begins a program for one kind of request, an application, and a proxy. The two of LAST
came before that.
"""
from client import Ask
from servers import H2O, LIGHTTPD, UNBOUND, Server, serve


MARIADB_RUN = """
mariadbd --no-defaults --user=root --datadir=$PWD/data --bind-address=127.0.0.1 --port=$port --socket=$PWD/socket \
    --pid-file=$PWD/pid --log-error=$PWD/error.log --init-file=$PWD/tables.sql & server=$!
until mariadb-admin --socket=$PWD/socket ping >log.txt 2>&1; do sleep 0.1; done
ask
kill $server; wait $server
"""

MARIADB = """
mariadb-install-db --no-defaults --user=root --datadir=$PWD/data --auth-root-authentication-method=normal >log.txt
cat >tables.sql <<END
create database if not exists bench;
create table if not exists bench.log (id integer primary key, text varchar(40));
END
"""

LIGHTTPD_KINDS = LIGHTTPD + """
cat >>lighttpd.conf <<END
server.modules = ("mod_cgi", "mod_dirlisting")
dir-listing.activate = "enable"
cgi.assign = (".cgi" => "/bin/sh")
END
mkdir -p folder
touch folder/{1..20}.html
printf 'echo "Content-Type: text/plain"\\necho\\necho "you asked for $SCRIPT_NAME"\\n' >hello.cgi
"""

UWSGI = """
seq 1 4000 >numbers.txt
cat >app.py <<'END'
import json, zlib

TEXT = " ".join(str(i * 7919 % 4001) for i in range(6000)).encode()
TREE = json.dumps([{"name": "name %d" % i, "sizes": list(range(i % 9))} for i in range(300)])

def zipped():
    return b"%d" % len(zlib.compress(TEXT, 6))

def parsed():
    return b"%d" % sum(len(one["sizes"]) for one in json.loads(TREE))

def read():
    with open("numbers.txt") as lines:
        return b"%d" % sum(map(int, lines))

def application(request, begin):
    text = {"/zipped": zipped, "/parsed": parsed, "/read": read}[request["PATH_INFO"]]()
    begin("200 OK", [("Content-Length", str(len(text)))])
    return [text]
END
"""

HAPROXY = """
awk 'BEGIN { for (i = 1; i <= 2000; i++) print "/old" i, "/new" i }' >moved
cat >haproxy.conf <<END
defaults
    mode http
    timeout connect 5s
    timeout client 5s
    timeout server 5s
frontend all
    bind 127.0.0.1:$port
    http-request redirect location %[path,map($PWD/moved)] if { path_beg /old }
    http-request deny if { path_beg /secret }
    use_backend hidden if { path_beg /behind }
    http-request return status 200 content-type text/plain string hello unless { path_beg /behind }
backend hidden
    server one 127.0.0.1:$((port + 1))
frontend behind
    bind 127.0.0.1:$((port + 1))
    http-request return status 200 content-type text/plain string hidden
END
"""

FRESH = [
    Server("MariaDB", "mariadbd", ["mariadb-server"],
           [Ask("mysql", {"one": ("select name from mysql.help_topic where help_topic_id = NUMBER", 200),
                          "scan": ("select count(*) from mysql.help_topic where name like '%A%'", 200),
                          "sort": ("select help_topic_id from mysql.help_topic order by name desc limit 5", 200),
                          "insert": ("insert into bench.log values (NUMBER, 'some text')", 200)})],
           MARIADB_RUN, MARIADB, is_fresh=True),
    Server("lighttpd with CGI", "lighttpd", ["lighttpd"],
           [Ask("http", {"file": ("/page.html", 150), "folder": ("/folder/", 150), "missing": ("/none", 150),
                         "program": ("/hello.cgi", 150)})], serve("lighttpd -D -f $PWD/lighttpd.conf"), LIGHTTPD_KINDS,
           is_fresh=True),
    Server("uwsgi with an application", "uwsgi", ["uwsgi-core", "uwsgi-plugin-python3"],
           [Ask("http", {kind: (f"/{kind}", 150) for kind in ("zipped", "parsed", "read")}, keep=False)],
           serve("uwsgi --plugin python3 --http-socket 127.0.0.1:$port --wsgi-file app.py --die-on-term"), UWSGI,
           is_fresh=True),
    Server("haproxy", "haproxy", ["haproxy"],
           [Ask("http", {"hello": ("/hello", 200), "moved": ("/old7", 200), "denied": ("/secret", 200),
                         "behind": ("/behind", 200)})], serve("haproxy -db -f $PWD/haproxy.conf"), HAPROXY, is_fresh=True),
]

H2O_KINDS = H2O.replace("""      /:
        file.dir: $PWD""", """      /:
        file.dir: $PWD
        file.dirlisting: ON
      /moved:
        redirect: http://127.0.0.1/""") + """
mkdir -p folder
touch folder/{1..20}.html
"""

UNBOUND_KINDS = UNBOUND + """
{
    echo '    local-zone: "shop.local." static'
    echo '    local-data: "www.shop.local. A 127.0.0.1"'
    seq -f '    local-data: "mirrors.shop.local. A 127.0.1.%.0f"' 20
} >>unbound.conf
"""

LAST = [
    Server("h2o", "h2o", ["h2o"],
           [Ask("http", {"file": ("/page.html", 200), "folder": ("/folder/", 200), "moved": ("/moved/NUMBER", 200),
                         "missing": ("/none", 200)})], serve("h2o -c $PWD/h2o.conf"), H2O_KINDS, is_fresh=True),
    Server("unbound", "unbound", ["unbound"],
           [Ask("dns", {"one": ("www.shop.local", 300), "many": ("mirrors.shop.local", 300),
                        "missing": ("nothing.shop.local", 300)})],
           serve("unbound -d -c $PWD/unbound.conf", "sleep 2"), UNBOUND_KINDS, is_fresh=True),
]
