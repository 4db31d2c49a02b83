# SPDX-License-Identifier: MIT
"""Servers that four clients at once ask for one thing and another, by chance.

Each is run twice in one recording, so that the types of both runs are the same: each run starts it anew
and asks by a seed of its own. `run` starts it, `$load SEED` asks it, and what it ends with ends it.
"""
import dataclasses

from servers import APACHE, NGINX, UNTIL_IT_LISTENS


@dataclasses.dataclass
class Load:
    name: str
    process: str
    packages: list
    prepare: str
    run: str


# Files as a web site has them: many small ones, few large ones, and folders.
FILES = """
/usr/bin/python3 - <<'END'
import os, random
random.seed(19)
for i in range(30):
    os.makedirs("site/%d" % (i % 5), exist_ok=True)
    words = " ".join(random.choice(["time", "unit", "wait", "loop", "type"]) for _ in range(1 << (4 + i // 2)))
    name = "site/%d/%d.%s" % (i % 5, i, random.choice(["html", "css", "png"]))
    with open(name, "w") as file:
        file.write(words)
END
chmod -R a+rX .
"""

WEB_LOAD = """
cat >load.py <<'END'
import glob, http.client, os, random, sys, threading

files = sorted(glob.glob("site/*/*"))

def ask(seed):
    chance = random.Random(seed)
    for _ in range(25):
        server = http.client.HTTPConnection("127.0.0.1", int(os.environ["port"]))
        for _ in range(40):
            kind = chance.random()
            path = ("/%d/" % chance.randrange(5) if kind < 0.1 else "/none/here" if kind < 0.2 else
                    "/" + chance.choice(files)[5:])
            headers = {"Accept-Encoding": "gzip"} if chance.random() < 0.3 else {}
            server.request("HEAD" if kind > 0.9 else "GET", path, headers=headers)
            server.getresponse().read()
        server.close()

clients = [threading.Thread(target=ask, args=(4 * int(sys.argv[1]) + i,)) for i in range(4)]
for client in clients:
    client.start()
for client in clients:
    client.join()
END
"""

REDIS_LOAD = """
cat >load.py <<'END'
import os, random, socket, sys, threading

def encode(*words):
    return b"".join([b"*%d\\r\\n" % len(words)] + [b"$%d\\r\\n%s\\r\\n" % (len(word), word) for word in words])

def skip(answers):
    line = answers.readline()
    if line[:1] == b"$" and int(line[1:]) >= 0:
        answers.read(int(line[1:]) + 2)
    for _ in range(int(line[1:]) if line[:1] == b"*" else 0):
        skip(answers)

def command(chance):
    key, member = b"%d" % chance.randrange(200), b"%d" % chance.randrange(5000)
    return chance.choices([
        (b"GET", b"s" + key), (b"SET", b"s" + key, bytes(chance.choice([100, 1000, 30000]))), (b"INCR", b"n" + key),
        (b"LPUSH", b"list", member), (b"LRANGE", b"list", b"0", b"300"), (b"ZADD", b"set", member, b"m" + member),
        (b"ZRANGE", b"set", b"0", b"50"), (b"SORT", b"list", b"LIMIT", b"0", b"10"),
        (b"MSET",) + tuple(b"x%d" % i for i in range(20)), (b"DEL", b"s" + key)],
        [30, 15, 10, 10, 5, 10, 8, 2, 5, 5])[0]

def ask(seed):
    chance = random.Random(seed)
    server = socket.create_connection(("127.0.0.1", int(os.environ["port"])))
    answers = server.makefile("rb")
    for _ in range(1500):
        server.sendall(encode(*command(chance)))
        skip(answers)

clients = [threading.Thread(target=ask, args=(4 * int(sys.argv[1]) + i,)) for i in range(4)]
for client in clients:
    client.start()
for client in clients:
    client.join()
END
"""

MARIADB_LOAD = """
cat >load.py <<'END'
import random, subprocess, sys

def query(chance):
    key = chance.randrange(5000)
    return chance.choices([
        "select * from goods where id = %d" % key,
        "select * from goods where id between %d and %d order by price limit 10" % (key, key + 300),
        "select kind, count(*), avg(price) from goods group by kind",
        "select count(*) from goods where name like '%%%d%%'" % (key % 100),
        "select g.name, s.sold from goods g join sales s on s.id = g.id where g.id < %d limit 20" % key,
        "insert into sales values (%d, %d)" % (key, chance.randrange(100)),
        "update goods set price = price + 1 where id = %d" % key,
        "delete from sales where id = %d" % key], [40, 15, 4, 4, 10, 12, 10, 5])[0] + ";\\n"

def client(seed):
    chance = random.Random(seed)
    with open("client%d.sql" % seed, "w") as script:
        script.writelines(query(chance) for _ in range(1000))
    return subprocess.Popen(["mariadb", "--socket=socket", "shop"], stdin=open("client%d.sql" % seed),
                            stdout=subprocess.DEVNULL)

for one in [client(4 * int(sys.argv[1]) + i) for i in range(4)]:
    one.wait()
END
"""

MARIADB_START = """
mariadbd --no-defaults --user=root --datadir=$PWD/data --skip-networking --socket=$PWD/socket \
    --pid-file=$PWD/pid --log-error=$PWD/error.log & server=$!
until mariadb-admin --socket=$PWD/socket ping >log.txt 2>&1; do sleep 0.1; done
"""

END = "\nkill $server; wait $server\n"

LOADS = [
    Load("nginx", "nginx", ["nginx-light"], FILES + WEB_LOAD + NGINX.replace("root $PWD;", "root $PWD/site; autoindex on; gzip on;"), f"""
nginx -c $PWD/nginx.conf & server=$!
{UNTIL_IT_LISTENS}
$load
{END}"""),
    Load("Apache", "apache2", ["apache2"], FILES + WEB_LOAD + APACHE % ("mpm_event", "mpm_event") + """
sed -i 's:^DocumentRoot.*:DocumentRoot "'$PWD'/site":' apache.conf
for module in dir mime autoindex filter deflate authz_host; do
    echo "LoadModule ${module}_module /usr/lib/apache2/modules/mod_$module.so" >>apache.conf
done
echo 'TypesConfig /etc/mime.types
AddOutputFilterByType DEFLATE text/html text/css' >>apache.conf
sed -i '/LoadModule dir/d' apache.conf
""", f"""
setsid apache2 -DFOREGROUND -f $PWD/apache.conf & server=$!
{UNTIL_IT_LISTENS}
$load
{END}"""),
    Load("MariaDB", "mariadbd", ["mariadb-server"], MARIADB_LOAD + f"""
mariadb-install-db --no-defaults --user=root --datadir=$PWD/data --auth-root-authentication-method=normal >log.txt
{MARIADB_START}
mariadb --socket=$PWD/socket -e "create database shop; use shop;
create table goods (id int primary key, name varchar(40), kind int, price int) engine=innodb;
create table sales (id int, sold int, key (id)) engine=innodb;
insert into goods select seq, concat('thing ', seq), seq % 20, seq * 7919 % 1000 from seq_1_to_5000;
insert into sales select seq % 5000, seq % 100 from seq_1_to_10000"
{END}""", f"{MARIADB_START}$load{END}"),
    Load("redis", "redis-server", ["redis-server"], REDIS_LOAD, f"""
redis-server --port $port --bind 127.0.0.1 --save "" & server=$!
{UNTIL_IT_LISTENS}
$load
{END}"""),
]
