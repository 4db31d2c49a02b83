# SPDX-License-Identifier: MIT
"""The fleets: which programs, and how often which cause.

What mining does by default is chosen on six, of which the first two differ by chance alone; the fresh
one, of other causes and partly other programs, says how well it does.
"""
import dataclasses
import typing

# What a program takes without a cause is far below, with one above.
LIMIT = "250ms"
# This part of a fleet's traces has a cause.
SLOW_PART = 0.75
# However rare, so many traces have it.
FEWEST = 2


class Cause(typing.NamedTuple):
    # That of the function that stands for it.
    name: str
    # How often it comes, beside the others of its fleet.
    share: float
    # How many ways lead to it.
    paths: int
    what: str
    # What another thread or process does meanwhile.
    helper: str = None


@dataclasses.dataclass
class Fleet:
    name: str
    source: str
    traces: int
    seed: int
    programs: list
    causes: list

    def slow_counts(self):
        """By cause: how many traces have it; the first has what the others leave."""
        slow = round(SLOW_PART * self.traces)
        shares = sum(cause.share for cause in self.causes)
        rest = [max(FEWEST, round(slow * cause.share / shares)) for cause in self.causes[1:]]
        return dict(zip((cause.name for cause in self.causes), [slow - sum(rest), *rest]))


PYTHON = "/usr/bin/python3"

CHOOSING_PROGRAMS = [
    ["tar", "cf", "/dev/null", "-C", "{dir}", "tree"],
    ["gzip", "-1", "-c", "{dir}/text"],
    ["sort", "-o", "/dev/null", "{dir}/lines"],
    ["xz", "-0", "-c", "{dir}/small"],
    [PYTHON, "-c", "import json; json.dumps(list(range(20000)))"],
    ["perl", "-e", "my %h; $h{$_ % 999} .= $_ for 1 .. 60000;"],
    ["grep", "-c", "zq", "{dir}/lines"],
    ["find", "{dir}/tree", "-name", "*7*"],
]
CHOOSING_CAUSES = [
    Cause("verify_license", 27, 2, "computes"),
    Cause("load_plugins", 19, 3, "waits for a lock, whose holder computes", "rebuild_catalogue"),
    Cause("connect_telemetry", 14, 2, "sleeps between attempts"),
    Cause("probe_hardware", 11, 1, "waits for a child"),
    Cause("prefetch_content", 9, 2, "touches memory that it gives back"),
    Cause("read_profile", 7, 2, "waits for a thread that answers", "decrypt_profile"),
    Cause("journal_settings", 5, 1, "writes to a disk"),
    Cause("scan_cache", 4, 1, "asks for files that are not there"),
    Cause("flush_statistics", 3, 1, "sleeps at the end"),
    Cause("compact_history", 1, 1, "computes at the end"),
]
CHOOSING = [Fleet(name, "causes.c", 160, seed, CHOOSING_PROGRAMS, CHOOSING_CAUSES)
            for name, seed in (("choosing", 1), ("choosing-2", 11))]

CHOOSING.append(Fleet("choosing-3", "causes-2.c", 320, 2, [
    ["tar", "cf", "/dev/null", "-C", "{dir}", "tree"],
    ["sed", "-n", "s/a0/b/p", "{dir}/lines"],
    ["sort", "-o", "/dev/null", "{dir}/lines"],
    ["bzip2", "-1", "-c", "{dir}/small"],
    [PYTHON, "-c", "import json; json.dumps(list(range(20000)))"],
    ["awk", "{n += length($2)} END {print n}", "{dir}/lines"],
    ["sha256sum", "{dir}/text"],
    ["find", "{dir}/tree", "-name", "*7*"],
    ["diff", "{dir}/small", "{dir}/lines"],
], [
    Cause("await_previews", 27, 3, "waits on a condition variable for a worker that computes",
          "render_preview"),
    Cause("poll_gateway", 19, 2, "polls until the time is up"),
    Cause("sort_transactions", 14, 2, "sorts by a slow comparison"),
    Cause("request_session", 11, 3, "asks a server behind a socket, which computes",
          "authorize_session"),
    Cause("load_dictionary", 9, 2, "reads a file in small pieces"),
    Cause("match_rules", 7, 2, "compiles and matches regular expressions"),
    Cause("search_mailbox", 5, 1, "waits for a file's lock, which another process holds",
          "rewrite_index"),
    Cause("index_fonts", 4, 1, "walks directories"),
    Cause("query_helper", 3, 1, "reads what a slow child writes", "translate_names"),
    Cause("seal_pages", 1, 1, "protects pages again and again"),
]))

CHOOSING.append(Fleet("choosing-4", "causes-3.c", 320, 3, [
    ["tar", "cf", "/dev/null", "-C", "{dir}", "tree"],
    ["md5sum", "{dir}/text"],
    ["wc", "-w", "{dir}/lines"],
    ["od", "-x", "{dir}/small"],
    ["du", "-a", "{dir}/tree"],
    ["perl", "-e", "my %h; $h{$_ % 999} .= $_ for 1 .. 60000;"],
    ["bash", "-c", "for i in {1..3000}; do : $((i * i)); done"],
    ["cut", "-d ", "-f2", "{dir}/lines"],
    ["base64", "{dir}/small"],
    ["tac", "{dir}/lines"],
], [
    Cause("encode_thumbnails", 27, 3, "waits at a barrier for workers that compute", "encode_tile"),
    Cause("parse_feed", 19, 2, "parses and prints numbers"),
    Cause("import_ledger", 14, 2, "waits to write what a reader has locked, who computes",
          "audit_records"),
    Cause("refresh_quotes", 11, 2, "waits for the ticks of a timer"),
    Cause("tidy_inbox", 9, 2, "creates, renames and deletes files"),
    Cause("build_outline", 7, 2, "allocates and frees memory"),
    Cause("upload_backup", 5, 1, "writes to a child that reads slowly", "receive_backup"),
    Cause("replay_journal", 4, 1, "asks a thread again and again", "apply_entry"),
    Cause("run_hooks", 3, 1, "starts programs one after the other"),
    Cause("draw_lots", 1, 1, "asks for random numbers"),
]))

# Their rates fall as that of causes does in life: the second comes half as often as the first, the third a
# third as often.
CHOOSING_5_CAUSES = [
    Cause("drain_events", 1, 3, "reads a counter that a thread adds to, which computes", "collect_samples"),
    Cause("balance_tree", 1 / 2, 3, "keeps a tree in order"),
    Cause("resolve_hosts", 1 / 3, 2, "waits for answers that do not come"),
    Cause("map_archives", 1 / 4, 2, "maps a file, reads it and unmaps it"),
    Cause("watch_spool", 1 / 5, 2, "waits for a file that a thread makes, which computes", "print_pages"),
    Cause("print_calendar", 1 / 6, 2, "computes and prints dates"),
    Cause("ask_secretary", 1 / 7, 2, "waits for a message of a child that computes", "draft_reply"),
    Cause("count_processes", 1 / 8, 2, "reads what the kernel says of processes"),
    Cause("book_seats", 1 / 9, 1, "waits for what nobody gives, until the time is up"),
    Cause("merge_histories", 1 / 10, 2, "moves memory"),
    Cause("close_sessions", 1 / 11, 1, "joins a thread that sleeps", "say_goodbye"),
    Cause("look_up_users", 1 / 12, 1, "looks users up"),
    Cause("await_permit", 1 / 13, 1, "waits for a signal of a child that computes", "check_quota"),
    Cause("filter_names", 1 / 14, 1, "holds names against wildcards"),
    Cause("enter_gate", 1 / 15, 1, "spins for a lock whose holder sleeps", "guard_gate"),
    Cause("copy_masters", 1 / 16, 1, "has a file copied by the kernel"),
    Cause("run_report", 1 / 17, 1, "has a shell run a program that sleeps"),
    Cause("resolve_links", 1 / 18, 1, "follows links"),
    Cause("shuffle_songs", 1 / 19, 1, "draws pseudo-random numbers"),
    Cause("open_lanes", 1 / 20, 1, "starts threads that do nothing"),
    Cause("take_turns", 1 / 21, 1, "gives the CPU away until a thread is done", "plan_moves"),
    Cause("render_labels", 1 / 22, 1, "turns texts into wide characters"),
    Cause("inspect_heap", 1 / 23, 1, "has the kernel read the program's memory"),
    Cause("rotate_logs", 1 / 24, 1, "makes a file long and short"),
]
CHOOSING.append(Fleet("choosing-5", "causes-4.c", 400, 4, [
    ["sqlite3", ":memory:", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) "
     "SELECT sum(i) FROM n"],
    ["zstd", "-q", "-c", "{dir}/small"],
    ["tar", "cf", "/dev/null", "-C", "{dir}", "tree"],
    ["openssl", "dgst", "-sha256", "{dir}/text"],
    ["nl", "{dir}/lines"],
    ["stat", "{dir}/lines", "{dir}/small", "{dir}/tree"],
    ["perl", "-e", "my %h; $h{$_ % 999} .= $_ for 1 .. 60000;"],
    ["uniq", "-c", "{dir}/lines"],
    ["ls", "-lR", "{dir}/tree"],
    ["strings", "{dir}/libfleet.so"],
    ["b2sum", "{dir}/text"],
    ["fmt", "{dir}/small"],
], CHOOSING_5_CAUSES))

# Nearly as many traces as StackMine had, and causes down to some that few of them have.
CHOOSING.append(Fleet("choosing-6", "causes-5.c", 720, 5, [
    ["jq", "-n", "[range(3000)] | add"],
    ["git", "hash-object", "{dir}/text"],
    ["m4", "{dir}/small"],
    ["file", "{dir}/lines", "{dir}/text"],
    ["readelf", "-a", "{dir}/libfleet.so"],
    ["zip", "-q", "-", "{dir}/small"],
    ["join", "{dir}/small", "{dir}/small"],
    ["cksum", "{dir}/text", "{dir}/lines"],
    ["comm", "-3", "{dir}/small", "{dir}/lines"],
    ["shuf", "-n", "5000", "{dir}/lines"],
    ["tar", "cf", "/dev/null", "-C", "{dir}", "tree"],
    ["perl", "-e", "my %h; $h{$_ % 999} .= $_ for 1 .. 60000;"],
], [
    Cause("collect_votes", 1, 3, "waits for a server on this host, which computes", "count_ballots"),
    Cause("solve_riddles", 1 / 2, 2, "computes by recursion"),
    Cause("restore_backup", 1 / 3, 2, "waits for a child, whose own child computes", "unpack_volume"),
    Cause("translate_menus", 1 / 4, 2, "turns texts into another character set"),
    Cause("mix_tracks", 1 / 5, 3, "computes, and waits for a thread that does, in turns", "record_voice"),
    Cause("claim_scanner", 1 / 7, 2, "waits for what a child holds, which sleeps", "warm_lamp"),
    Cause("dig_holes", 1 / 12, 1, "has the kernel make holes in a file"),
    Cause("open_vault", 1 / 20, 2, "waits for what is done once, by another thread", "generate_keys"),
    Cause("audit_ports", 1 / 40, 1, "takes ports and gives them back"),
    Cause("await_chime", 1 / 70, 1, "waits for a timer's signal"),
]))

FRESH = Fleet("fresh", "fresh.c", 480, 6, [
    ["xxd", "{dir}/small"],
    ["rev", "{dir}/lines"],
    ["paste", "{dir}/small", "{dir}/lines"],
    ["lz4", "-q", "-c", "{dir}/text"],
    ["php", "-n", "-r", "$n = []; for ($i = 0; $i < 60000; $i++) $n[$i % 999] = $i;"],
    ["objdump", "-d", "{dir}/libfleet.so"],
    ["fold", "-w", "7", "{dir}/lines"],
    ["sha512sum", "{dir}/text"],
    ["tsort", "{dir}/small"],
    ["hexdump", "-C", "{dir}/small"],
    ["tar", "cf", "/dev/null", "-C", "{dir}", "tree"],
    ["perl", "-e", "my %h; $h{$_ % 999} .= $_ for 1 .. 60000;"],
], [
    Cause("fetch_forecast", 1, 3, "waits for a datagram of a thread that computes", "simulate_weather"),
    Cause("follow_footprints", 1 / 2, 3, "follows a list that is all over memory"),
    Cause("borrow_ladder", 1 / 3, 2, "waits for a lock in shared memory, whose holder, a child, computes",
          "paint_ceiling"),
    Cause("write_novel", 1 / 4, 2, "writes a text that grows in memory"),
    Cause("raise_curtain", 1 / 5, 2, "waits for the other end of a named pipe, which a thread that computes "
          "opens", "tune_strings"),
    Cause("pour_concrete", 1 / 7, 2, "moves bytes through a pipe"),
    Cause("ration_water", 1 / 12, 1, "does little, and sleeps until more is due"),
    Cause("question_witness", 1 / 20, 2, "waits at a terminal for what a child says that computes",
          "recall_events"),
    Cause("pin_butterflies", 1 / 30, 1, "has the kernel lock memory"),
    Cause("await_verdict", 1 / 35, 1, "waits for a thread, which waits for a child that computes",
          "weigh_evidence"),
])

LINKAGES = "average", "single", "complete"
CUTS = "0.25", "0.3", "0.35", "0.4", "0.5"
# What the choosing fleets say, and the fresh one is mined with.
CHOSEN = "average", "0.35"
# What patterns must cost, and which are told; with nothing, as by default.
DEFAULTS = ()
OPTIONS = [DEFAULTS, ("--min-cost", "1%"), ("--min-cost", "0.25%"), ("--patterns", "maximal"),
           ("--similarity", "paper"), ("--patterns", "maximal", "--similarity", "paper", "--cut", "0.4")]
