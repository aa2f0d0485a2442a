"""The servers that are measured: how each is started, driven and stopped."""

import json
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PEERS = ROOT / "bench" / "peers"
LOAD = ROOT / "build" / "bench" / "bench_load"
MAGNETO = str(ROOT / "build" / "magneto")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """One target: how to start it, and what it leaves out."""

    def __init__(self, name, command, left_out=()):
        self.name = name
        self.command = command
        self.left_out = left_out
        self.process = None
        self.port = None
        self.directory = None

    def start(self):
        self.port = free_port()
        self.directory = tempfile.mkdtemp(prefix="magneto-bench-")
        values = {"port": str(self.port), "dir": self.directory}
        command = [part.format(**values) for part in self.command]
        started = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.directory
        )
        while True:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=5) as link:
                    link.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    if link.recv(64).startswith(b"HTTP/1.1"):
                        return (time.perf_counter() - started) * 1000
            except OSError:
                if self.process.poll() is not None:
                    raise SystemExit(f"bench: {self.name} did not start: {' '.join(command)}")
                time.sleep(0.0001)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)

    def memory_mib(self):
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise SystemExit(f"bench: {self.name} has no memory figure")

    def load(self, *arguments):
        result = subprocess.run(
            [LOAD, "--port", str(self.port), "--pid", str(self.process.pid), *arguments],
            capture_output=True,
            text=True,
        )
        if result.returncode != 0:
            raise RuntimeError(f"{self.name}: {result.stderr.strip()}")
        return json.loads(result.stdout) if result.stdout.strip() else None


def find_servers(arguments):
    magneto = str(ROOT / "build" / "magneto")
    servers = [
        Server("Magneto, in memory", [magneto, "--port", "{port}"]),
        Server("Magneto, on disk", [magneto, "--port", "{port}", "--data-dir", "{dir}/data"]),
    ]
    if arguments.peers:
        install_peers()
        dynoxide = str(PEERS / "node_modules" / "@dynoxide" / "linux-x64" / "dynoxide")
        dynalite = str(PEERS / "node_modules" / "dynalite" / "cli.js")
        servers.append(Server("Dynoxide, in memory", [dynoxide, "--port", "{port}"]))
        servers.append(
            Server("Dynoxide, on disk", [dynoxide, "--port", "{port}", "--db-path", "{dir}/dynoxide.db"])
        )
        without_transactions = {"TransactWrite2"}
        servers.append(
            Server(
                "dynalite",
                ["node", dynalite, "--port", "{port}", "--createTableMs", "0"],
                without_transactions,
            )
        )
        if arguments.dynamodb_local:
            folder = pathlib.Path(arguments.dynamodb_local).resolve()
            servers.append(
                Server(
                    "DynamoDB Local",
                    [
                        "java",
                        f"-Djava.library.path={folder}/DynamoDBLocal_lib",
                        "-cp",
                        f"{folder}/*:{folder}/DynamoDBLocal_lib/*",
                        "com.amazonaws.services.dynamodbv2.local.main.ServerRunner",
                        "-inMemory",
                        "-port",
                        "{port}",
                        "-disableTelemetry",
                    ],
                )
            )
    return servers


def install_peers():
    if (PEERS / "node_modules" / "dynalite").exists():
        return
    print("==> Installing the peers (npm ci in bench/peers)", flush=True)
    subprocess.run(
        ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=PEERS, check=True, stdout=subprocess.DEVNULL
    )
