# SPDX-License-Identifier: MIT
"""The fleets: which programs, and how often which cause.

What mining does by default is chosen on three, of which the first two differ by chance alone; the fresh
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
    # Of the traces that have a cause, in percent.
    share: int
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
        rest = [max(FEWEST, round(slow * cause.share / 100)) for cause in self.causes[1:]]
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

FRESH = Fleet("fresh", "fresh.c", 320, 3, [
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
])

LINKAGES = "average", "single", "complete"
CUTS = "0.3", "0.4", "0.5", "0.6"
# What the choosing fleets say, and the fresh one is mined with.
CHOSEN = "average", "0.4"
# What patterns must cost, and which are told; with nothing, as by default.
DEFAULTS = ()
OPTIONS = [DEFAULTS, ("--min-cost", "1%"), ("--min-cost", "0.25%"), ("--patterns", "maximal")]
