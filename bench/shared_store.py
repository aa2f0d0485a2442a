"""What one server that has the store costs beside three that share it: the processor time of each part, in one run."""

import concurrent.futures
import contextlib
import os
import pathlib
import statistics
import sys

from servers import MAGNETO, ROOT, Server

sys.path.insert(0, str(ROOT / "conformance" / "cluster"))
from postgres import Postgres  # noqa: E402  pylint: disable=wrong-import-position

# (work, connections)
MEASURED = (
    ("GetItem", 64), ("PutItem", 1), ("PutItem", 64), ("UpdateItem", 64), ("TransactWrite2", 16), ("BatchWrite25", 16),
    ("Query", 16), ("PutIndexed", 64),
)  # fmt: skip
ONE = "one active"
THREE = "three that share"
SERVERS = {ONE: 1, THREE: 3}
SHARED_BUFFERS = "shared_buffers=128MB"  # PostgreSQL's default
FIGURES = ("rate", "magneto_us", "postgres_us", "p50_us", "p99_us")
TICK = 1_000_000 / os.sysconf("SC_CLK_TCK")  # microseconds
UTIME = 11  # of the fields behind the name in /proc/PID/stat; stime and the times of children follow


def processor_time(root):
    """Microseconds that a process, its children, and those of them that have ended have used."""
    fields = pathlib.Path(f"/proc/{root}/stat").read_text().rpartition(")")[2].split()
    total = sum(map(int, fields[UTIME : UTIME + 4])) * TICK
    for child in pathlib.Path(f"/proc/{root}/task/{root}/children").read_text().split():
        with contextlib.suppress(OSError):  # it has ended, and is counted next time
            total += processor_time(child)
    return total


class Store:
    """A database, and the servers that use it."""

    def __init__(self, name, setting):
        self.name = name
        self.postgres = Postgres(SHARED_BUFFERS, setting)
        self.postgres.start()
        flags = ["--shared"] if SERVERS[name] > 1 else []
        self.servers = [
            Server(name, [MAGNETO, "--port", "{port}", "--store", self.postgres.url, *flags])
            for _ in range(SERVERS[name])
        ]
        for server in self.servers:
            server.start()

    def stop(self):
        for server in self.servers:
            server.stop()
        self.postgres.remove()

    def measure(self, arguments, work, connections):
        """Each server gets its part of the connections, and each connection begins elsewhere in the requests."""
        count = len(self.servers)

        def load(number):
            part = len(range(number, connections, count))
            return self.servers[number].load(
                "--work", work, "--items", str(arguments.items), "--connections", str(max(part, 1)),
                "--seconds", str(arguments.seconds), "--warm-up", "1", "--requests", str(arguments.items),
                "--begin", str(number * arguments.items // connections),
            )  # fmt: skip

        before = processor_time(self.postgres.process_id)
        used = range(min(count, connections))
        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            samples = list(pool.map(load, used))
        postgres = processor_time(self.postgres.process_id) - before
        operations = sum(sample["operations"] for sample in samples)
        # The loads begin to count after a second.
        postgres *= arguments.seconds / (arguments.seconds + 1)
        return {
            "rate": sum(sample["rate"] for sample in samples),
            "magneto_us": sum(sample["cpu_us"] * sample["operations"] for sample in samples) / operations,
            "postgres_us": postgres / operations,
            "p50_us": statistics.mean(sample["p50_us"] for sample in samples),
            "p99_us": max(sample["p99_us"] for sample in samples),
        }


def measure(arguments):
    samples = {}
    for setting in ("fsync=on", "fsync=off"):
        for turn in range(arguments.rounds):
            print(f"==> {setting}, round {turn + 1} of {arguments.rounds}", flush=True)
            with contextlib.ExitStack() as running:
                stores = []
                for name in SERVERS:
                    stores.append(Store(name, setting))
                    running.callback(stores[-1].stop)
                    stores[-1].servers[0].load("--load", "--with-stream", "--items", str(arguments.items))
                for work, connections in MEASURED:
                    if arguments.work and work not in arguments.work:
                        continue
                    for store in stores:
                        print(f"==> {work}, {connections} connections: {store.name}", flush=True)
                        sample = store.measure(arguments, work, connections)
                        samples.setdefault((work, connections, setting), {}).setdefault(store.name, []).append(sample)
    return samples


def report(measured):
    lines = [
        f"| work | connections | {ONE} | {THREE} | ratio | CPU of {ONE}: Magneto + PostgreSQL | of {THREE} | ratio | p50, p99 of {THREE} |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for (work, connections, setting), stores in measured.items():
        one, three = (
            {member: statistics.median(sample[member] for sample in stores[name]) for member in FIGURES}
            for name in (ONE, THREE)
        )
        costs = [figures["magneto_us"] + figures["postgres_us"] for figures in (one, three)]
        lines.append(
            f"| {work}, {setting} | {connections} | {one['rate']:,.0f}/s | {three['rate']:,.0f}/s | {three['rate'] / one['rate']:.2f}x "
            f"| {one['magneto_us']:.1f} + {one['postgres_us']:.1f} us | {three['magneto_us']:.1f} + {three['postgres_us']:.1f} us "
            f"| {costs[0] / costs[1]:.2f}x | {three['p50_us']:,.0f}, {three['p99_us']:,.0f} us |"
        )
    return "\n".join(lines) + "\n"
