"""What a store in a database costs beside one on this disk: both with synced writes, on the same disk."""

import contextlib
import statistics
import sys

from servers import MAGNETO, ROOT, Server

sys.path.insert(0, str(ROOT / "conformance" / "cluster"))
from postgres import Postgres  # noqa: E402  pylint: disable=wrong-import-position

# (work, connections)
MEASURED = (
    ("GetItem", 16), ("PutItem", 1), ("PutItem", 16), ("PutItem", 64), ("TransactWrite2", 16),
    ("BatchWrite25", 16), ("Query", 16), ("PutIndexed", 64),
)  # fmt: skip
MEASURED_SLOWLY = (("PutItem", 1), ("PutItem", 64))
SLOW_SYNC = {"LD_PRELOAD": str(ROOT / "build" / "bench" / "libslow_sync.so")}
DISK = "--data-dir, --fsync"
STORE = "--store"
FIGURES = ("rate", "cpu_us", "p50_us", "p99_us")
ITEMS = 50_000  # so many that few transactions meet at an item while they wait for a sync
REQUESTS = 50_000  # so many that no connection reaches the place of another, whose items are locked
SHARED_BUFFERS = "shared_buffers=128MB"  # PostgreSQL's default


def measure_turn(arguments, servers, works, samples):
    for server in servers:
        print(f"==> {server.name}: loading", flush=True)
        server.load("--load", "--with-stream", "--items", str(arguments.items))
    for work, connections in works:
        for server in servers:
            print(f"==> {work}, {connections} connections: {server.name}", flush=True)
            sample = server.load(
                "--work", work, "--items", str(arguments.items), "--connections", str(connections),
                "--seconds", str(arguments.seconds), "--warm-up", "1", "--requests", str(REQUESTS),
            )  # fmt: skip
            samples.setdefault((work, connections), {}).setdefault(server.name, []).append(sample)


def measure_disk(arguments, works, environment):
    """All works on both servers in turn, with these variables."""
    samples = {}
    variables = ["env", *(f"{name}={value}" for name, value in environment.items())]
    for turn in range(arguments.rounds):
        print(f"==> round {turn + 1} of {arguments.rounds}", flush=True)
        with contextlib.ExitStack() as running:
            postgres = Postgres(SHARED_BUFFERS)
            running.callback(postgres.remove)
            postgres.start(**environment)
            servers = (
                Server(DISK, [*variables, MAGNETO, "--port", "{port}", "--data-dir", "{dir}/data", "--fsync"]),
                Server(STORE, [MAGNETO, "--port", "{port}", "--store", postgres.url]),
            )
            for server in servers:
                server.start()
                running.callback(server.stop)
            measure_turn(arguments, servers, works, samples)
    return samples


def measure(arguments):
    return {
        "this disk": measure_disk(arguments, MEASURED, {}),
        "syncs of 2 ms": measure_disk(arguments, MEASURED_SLOWLY, SLOW_SYNC),
    }


def report(measured):
    lines = [
        f"| work | connections | {DISK} | {STORE} | against the disk | CPU of Magneto | p50, p99 of {STORE} |",
        "|---|---|---|---|---|---|---|",
    ]
    for disk, samples in measured.items():
        for (work, connections), servers in samples.items():
            local, store = (
                {member: statistics.median(sample[member] for sample in servers[name]) for member in FIGURES}
                for name in (DISK, STORE)
            )
            lines.append(
                f"| {work}, {disk} | {connections} | {local['rate']:,.0f}/s | {store['rate']:,.0f}/s "
                f"| {store['rate'] / local['rate']:.2f}x | {store['cpu_us'] / local['cpu_us']:.2f}x "
                f"| {store['p50_us']:,.0f}, {store['p99_us']:,.0f} us |"
            )
    return "\n".join(lines) + "\n"
