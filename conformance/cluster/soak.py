#!/usr/bin/env python3
"""soak.py <binary> [--minutes 60] [--rate 150]: three servers over one store, with everything on: what grows, lags or fails?

Clients of all servers write, read, query, count and transact, items expire, a stream is read, tables and indexes are made and
dropped. From time to time a server is killed, or is ended, and is started again. Each half minute it prints what the servers
and PostgreSQL hold, and at the end a verdict, which is its exit code too. Not a test of ctest: it takes an hour.
"""

import argparse
import json
import os
import pathlib
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from cluster.shared_servers import SharedCluster, metrics_of  # noqa: E402
from cluster.streamed_table import Fault, StreamedTable  # noqa: E402
from cluster.passing_tables import PassingTable  # noqa: E402
from side_by_side import side_by_side  # noqa: E402
from wire import Refused  # noqa: E402

MIB = 1 << 20
LEASE_SECONDS = 3.0  # the default
LIFE_SECONDS = 20
SLACK_SECONDS = 5.0  # of a busy machine
LOAD = 8  # writers
SAMPLE_SECONDS = 30
DISTURB_SECONDS = 75
MOST_FAULTS = 20
# What may have no end in an hour: the records of streams stay for a day.
GROWING = ("records",)


def resident_bytes(process):
    for line in pathlib.Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("the server has no memory figure")


class Soak:
    def __init__(self, cluster, arguments):
        self.cluster = cluster
        self.arguments = arguments
        ports = [server.held_port for server in cluster.servers]
        self.table = StreamedTable(ports, LOAD, arguments.rate, LIFE_SECONDS)
        self.passing = [PassingTable(ports, f"Passing{number}", pause=2.0) for number in range(2)]
        self.rows = []
        self.faults = []
        self.restarts = []
        self._begin = time.monotonic()

    @property
    def seconds(self):
        return time.monotonic() - self._begin

    # ---- disturbing --------------------------------------------------------------------------------

    def disturb(self, count):
        """The first server is among them once only, so that its memory can be watched."""
        number = 0 if count == 1 else 1 + count % 2
        server = self.cluster.servers[number]
        if count % 2:
            server.kill()
        elif (code := server.stop()) != 0:
            self.faults.append(f"{self.seconds:.0f} s: server {number} ended with {code}")
        self.start(number)

    def start(self, number):
        try:
            self.cluster.servers[number].start()
        except RuntimeError as error:
            self.faults.append(f"{self.seconds:.0f} s: server {number}: {error}")
        self.restarts.append((self.seconds, number))

    def look_after(self):
        """As a supervisor: a server that has lost its lease ends with 75, which a busy machine may cause."""
        for number, server in enumerate(self.cluster.servers):
            if server.has_ended():
                self.faults.append(f"{self.seconds:.0f} s: server {number} had ended with {server.wait()}")
                self.start(number)

    # ---- measuring ---------------------------------------------------------------------------------

    def sample(self):
        postgres = self.cluster.postgres
        begin = time.monotonic()
        postgres.execute("VACUUM")
        vacuum = time.monotonic() - begin
        relations = dict(line.split("|") for line in postgres.execute(
            "SELECT relname, pg_total_relation_size(c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace "
            "WHERE nspname = 'magneto' AND relkind = 'r'").split())
        connections = int(postgres.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'magneto'"))
        row = {"seconds": self.seconds, "vacuum": vacuum, "load": os.getloadavg()[0], "memory": [resident_bytes(server.process_id) for server in self.cluster.servers],
               "relations": {name: int(size) for name, size in relations.items()}, "connections": connections,
               "metrics": [metrics_of(server) for server in self.cluster.servers],
               "lag": self.table.reader.take_worst(), "awaited": len(self.table.names.awaited),
               "records": self.table.reader.records, "expired": self.table.reader.expired,
               "requests": sum(writer.requests for writer in self.table.writers),
               "unknown": sum(writer.unknown for writer in self.table.writers),
               "lives": sum(passing.lives for passing in self.passing)}
        self.rows.append(row)
        self.check_row(row)
        print_row(row)
        if self.arguments.json:
            with open(self.arguments.json, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")

    def check_row(self, row):
        moment = f"{row['seconds']:.0f} s"
        if row["lag"] > LEASE_SECONDS + SLACK_SECONDS:
            self.faults.append(f"{moment}: the stream lagged by {row['lag']:.1f} s")
        if row["connections"] > len(self.cluster.servers) * self.arguments.most_connections:
            self.faults.append(f"{moment}: {row['connections']} connections")
        for number, metrics in enumerate(row["metrics"]):
            for name in ("settled_age", "lease_age"):
                if metrics[f"magneto_store_{name}_seconds"] > LEASE_SECONDS + SLACK_SECONDS:
                    self.faults.append(f"{moment}: server {number} has a {name} of {metrics[f'magneto_store_{name}_seconds']:.1f} s")

    def run(self):
        disturbances, works = 0, [*self.table.works, *(passing.run for passing in self.passing)]
        with side_by_side([self.guarded(work) for work in works]):
            next_sample, next_disturbance = SAMPLE_SECONDS, DISTURB_SECONDS
            while self.seconds < 60 * self.arguments.minutes and len(self.faults) < MOST_FAULTS:
                time.sleep(0.2)
                self.look_after()
                if self.seconds > next_disturbance:
                    disturbances += 1
                    next_disturbance += DISTURB_SECONDS
                    self.disturb(disturbances)
                if self.seconds > next_sample:
                    next_sample += SAMPLE_SECONDS
                    self.sample()
        self.look_after()
        self.table.check()

    def guarded(self, work):
        """Notes what a client finds, and starts it again, unless there are too many."""
        def run(stop):
            while not stop.is_set() and len(self.faults) < MOST_FAULTS:
                try:
                    work(stop)
                except (Fault, Refused) as error:
                    self.faults.append(f"{self.seconds:.0f} s: {error}")
                    print(f"fault: {self.faults[-1]}", flush=True)

        return run

    def judge(self):
        """Compares the last third with the middle one: the first fills caches and tables."""
        if not self.rows:
            return self.faults
        third = max(1, len(self.rows) // 3)
        middle, last = self.rows[-2 * third:-third] or self.rows[:1], self.rows[-third:]

        def grew(what, value, factor, slack):
            before, after = (statistics.median(value(row) for row in part) for part in (middle, last))
            if after > factor * before + slack:
                self.faults.append(f"{what} grew from {before:,.0f} to {after:,.0f}")

        grew("memory of the first server", lambda row: row["memory"][0], 1.1, 16 * MIB)
        grew("memory of the others", lambda row: max(row["memory"][1:]), 1.2, 16 * MIB)
        grew("connections", lambda row: row["connections"], 1.1, 4)
        for name in self.rows[-1]["relations"]:
            if name in GROWING:
                grew(f"bytes a record in {name}", lambda row, name=name: row["relations"][name] / max(1, row["records"]), 1.2, 0)
            else:
                grew(f"relation {name}", lambda row, name=name: row["relations"].get(name, 0), 1.25, 2 * MIB)
        grew("the stream's lag in ms", lambda row: 1000 * row["lag"], 1.5, 500)
        return self.faults


def print_row(row):
    memory = " ".join(f"{size / MIB:.0f}" for size in row["memory"])
    relations = " ".join(f"{name} {size / MIB:.1f}" for name, size in sorted(row["relations"].items()) if size > MIB // 4)
    store = row["metrics"][0]
    print(f"{row['seconds']:5.0f} s, load {row['load']:.0f}  {row['requests']:,} requests, {row['unknown']} unknown, {row['lives']} tables  memory {memory} MiB  "
          f"{row['connections']} connections  {relations} MiB  stream: {row['records']:,} records, {row['expired']:,} expired, "
          f"lag {row['lag']:.2f} s, {row['awaited']} awaited  settled {store['magneto_store_settled_age_seconds']:.3f} s, "
          f"{store['magneto_store_servers']:.0f} servers, {store['magneto_store_scope_conflicts_total']:.0f} conflicts", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="soak.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=150, help="requests a second, beside those of tables made and dropped")
    parser.add_argument("--most-connections", type=int, default=60, help="of a server")
    parser.add_argument("--json", help="file that gets each row")
    arguments = parser.parse_args()
    cluster = SharedCluster(arguments.binary, "--ttl-delay-ms", "0", lease=LEASE_SECONDS)
    try:
        soak = Soak(cluster, arguments)
        try:
            soak.run()
        except (Fault, Refused) as error:
            soak.faults.append(str(error))
        faults = soak.judge()
        faults += [f"a server ended with {code}" for code in [server.stop() for server in cluster.servers] if code != 0]
    finally:
        cluster.remove()
    for fault in faults:
        print(f"fault: {fault}")
    print("verdict: " + ("not sound" if faults else "sound"))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
