"""A read by key over a socket in its cheapest form: GET of Valkey or Redis, beside GetItem and a bare echo over HTTP.

One thread serves in each. The loads are closed loops of as many connections without pipelining, by bench_load and by the
server's own benchmark, with values of the same size. CPU of an operation is that of the server's process, in the kernel
too."""

import os
import pathlib
import shutil
import signal
import socket
import statistics
import subprocess
import time

from servers import MAGNETO, Server, bare_echo, free_port

PROGRAMS = ("valkey-server", "valkey-benchmark"), ("redis-server", "redis-benchmark")
CONNECTIONS = 16
KEYS = 10_000


def find_programs():
    for server, benchmark in PROGRAMS:
        if shutil.which(server) and shutil.which(benchmark):
            return server, benchmark
    raise SystemExit("bench: --anchor needs valkey-server or redis-server: apt-get install redis-server")


def processor_microseconds(process):
    """Of all threads of a process until now."""
    tasks = pathlib.Path(f"/proc/{process}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1000


class KeyValueServer:
    """Valkey or Redis, in memory, that writes nothing to disk."""

    def __init__(self, size):
        self.name, self._benchmark = find_programs()
        self._size = size
        self.port = free_port()
        options = ["--port", str(self.port), "--save", "", "--appendonly", "no", "--io-threads", "1"]
        self.process = subprocess.Popen([self.name, *options], stdout=subprocess.DEVNULL)
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
                break
            except OSError:
                time.sleep(0.01)
        self._run("set", 5 * KEYS)

    def _run(self, work, count):
        command = [self._benchmark, "-p", str(self.port), "-t", work, "-n", str(count), "-c", str(CONNECTIONS), "-d",
                   str(self._size), "-r", str(KEYS), "--csv"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def measure(self, seconds):
        count = int(60_000 * seconds)
        before = processor_microseconds(self.process.pid)
        begun = time.perf_counter()
        self._run("get", count)
        return (processor_microseconds(self.process.pid) - before) / count, count / (time.perf_counter() - begun)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(10)


def measure_http(server, items, seconds):
    options = ["--items", str(items), "--connections", str(CONNECTIONS), "--seconds", str(seconds), "--warm-up", "0"]
    before = processor_microseconds(server.process.pid)
    sample = server.load("--work", "GetItem", *options)
    return (processor_microseconds(server.process.pid) - before) / sample["operations"], sample["rate"]


def measure(arguments):
    magneto = Server("Magneto, GetItem", [MAGNETO, "--port", "{port}", "--threads", "1"])
    magneto.start()
    magneto.load("--load", "--items", str(arguments.items), "--without-index")
    size = round(magneto.load("--work", "GetItem", "--items", str(arguments.items), "--seconds", "0.2")["response_bytes"])
    echo = bare_echo(1, size)
    echo.start()
    anchor = KeyValueServer(size)
    rows = {magneto.name: [], echo.name: [], f"{anchor.name}, GET": []}
    for turn in range(arguments.rounds):
        print(f"==> round {turn + 1} of {arguments.rounds}", flush=True)
        for server in (magneto, echo):
            rows[server.name].append(measure_http(server, arguments.items, arguments.seconds))
        rows[f"{anchor.name}, GET"].append(anchor.measure(arguments.seconds))
    for server in (magneto, echo, anchor):
        server.stop()
    return {"size": size, "rows": {name: [statistics.median(column) for column in zip(*row)] for name, row in rows.items()}}


def report(result):
    lines = [f"Values of {result['size']} bytes, {CONNECTIONS} connections, {os.cpu_count()} processors with the load.", "",
             "| | CPU of an operation | operations of a processor | operations a second |", "|---|---|---|---|"]
    lines += [f"| {name} | {cpu:.1f} us | {1e6 / cpu:,.0f}/s | {rate:,.0f}/s |" for name, (cpu, rate) in result["rows"].items()]
    return "\n".join(lines)
