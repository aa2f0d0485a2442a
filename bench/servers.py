"""The servers that are measured: how each is started, driven and stopped."""

import hashlib
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
DYNOXIDE = "3.2.0"  # dynalite's version stands in peers/package.json, DynamoDB Local's in peers/pom.xml


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


def bare_echo(threads, size):
    """The ceiling: a bare server in the same session form, answering a body of that size."""
    return Server("bare echo", [str(ROOT / "build" / "echo_server"), "{port}", str(threads), str(round(size))])


def find_servers(arguments):
    servers = [
        Server("Magneto, in memory", [MAGNETO, "--port", "{port}"]),
        Server("Magneto, on disk", [MAGNETO, "--port", "{port}", "--data-dir", "{dir}/data"]),
    ]
    if arguments.peers:
        servers += find_dynoxide() + find_dynalite() + find_dynamodb_local()
    return servers


def run_installer(name, folder, command):
    """Installs a peer into a folder unless that was done before. False, with a note, when what fetches it is missing."""
    done = folder / f"installed-{hashlib.sha256(' '.join(command).encode()).hexdigest()[:12]}"
    if done.exists():
        return True
    if shutil.which(command[0]) is None:
        print(f"==> Note: {name} is left out, since there is no {command[0]} to fetch it with", flush=True)
        return False
    print(f"==> Fetching {name} ({command[0]}, into bench/peers)", flush=True)
    subprocess.run(command, cwd=PEERS, check=True, stdout=subprocess.DEVNULL)
    done.touch()
    return True


def find_dynoxide():
    folder = PEERS / "dynoxide"
    program = folder / "bin" / "dynoxide"
    install = ["cargo", "install", "-q", "dynoxide-rs", "--version", f"={DYNOXIDE}", "--locked", "--root", "dynoxide"]
    if not run_installer("Dynoxide", folder, install):
        return []
    in_memory = [str(program), "--port", "{port}"]
    return [
        Server("Dynoxide, in memory", in_memory),
        Server("Dynoxide, on disk", [*in_memory, "--db-path", "{dir}/dynoxide.db"]),
    ]


def find_dynalite():
    folder = PEERS / "node_modules"
    program = folder / "dynalite" / "cli.js"
    if not run_installer("dynalite", folder, ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"]):
        return []
    command = ["node", str(program), "--port", "{port}", "--createTableMs", "0"]
    return [Server("dynalite", command, left_out={"TransactWrite2"})]


def find_dynamodb_local():
    folder = PEERS / "dynamodb-local"
    fetch = ["mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=dynamodb-local"]
    if shutil.which("java") is None:
        print("==> Note: DynamoDB Local is left out, since there is no java to run it with", flush=True)
        return []
    if not run_installer("DynamoDB Local", folder, fetch):
        return []
    command = [
        "java", f"-Djava.library.path={folder}", "-cp", f"{folder}/*",
        "software.amazon.dynamodb.services.local.main.ServerRunner",
        "-inMemory", "-port", "{port}", "-disableTelemetry",
    ]  # fmt: skip
    return [Server("DynamoDB Local", command)]
