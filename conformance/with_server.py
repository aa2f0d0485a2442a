"""with_server.py <binary> <memory|disk|restarting> [--flag=value of the server ...] <command...>

Starts a Magneto of its own, runs the command against it and ends with the command's exit code; a
server that dies, or does not stop when asked, fails the run too. The command finds the server in
MAGNETO_ENDPOINT and in the variables the AWS tools read; a user's own AWS configuration is kept out.

--own-bucket gives the server a folder of its own with a bucket named "bucket" for exports and imports.

A restarting server is one on disk. A POST to the address in MAGNETO_RESTART ends it, by kill -9 and
by SIGTERM in turn, and is answered when the next one serves the same data on the same port.
"""

import faulthandler
import http.server
import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from held_port import HeldPort

START_SECONDS = 120  # an instrumented binary on a busy machine is slow
STOP_SECONDS = 120

if "CTEST_INTERACTIVE_DEBUG_MODE" in os.environ:  # ctest ends a suite after 600 s, which cannot say then where it waits
    faulthandler.dump_traceback_later(570)


class Server:
    """One process, on a port of its own. In disk mode its data outlives stop() and start(), and so does the port."""

    def __init__(self, binary, engine, *flags):
        if engine not in ("memory", "disk"):
            raise ValueError(f"there is no engine {engine}")
        self.binary = binary
        self.flags = list(flags)  # a change counts from the next start on
        self._folder = tempfile.mkdtemp(prefix="magneto-conformance-")
        self.data_folder = os.path.join(self._folder, "data") if engine == "disk" else None
        self._port = HeldPort()
        self._process = None
        self.environment = {}  # variables beside those of this process
        self.authority = None  # the file that clients of a server with --tls-self-signed trust
        if "--tls-self-signed" in flags:
            self.authority = os.path.join(self._folder, "authority.pem")
            self.flags.append(f"--tls-cert={self.authority}")
        if "--own-bucket" in flags:
            buckets = os.path.join(self._folder, "s3")
            os.makedirs(os.path.join(buckets, "bucket"))
            self.flags[self.flags.index("--own-bucket")] = f"--s3-dir={buckets}"
        self.errors = None  # a file that gets what the server writes to stderr
        self.endpoint = None

    @property
    def _port_file(self):
        return os.path.join(self._folder, "port")

    @property
    def command(self):
        data = ["--data-dir", self.data_folder] if self.data_folder else []
        return [self.binary, "--port-file", self._port_file, *self.flags, *data, "--port", str(self._port.number)]

    @property
    def process_id(self):
        return self._process.pid

    def start(self):
        self.launch()
        self.wait_until_ready()

    def launch(self):
        """Starts the process and waits for nothing."""
        if os.path.exists(self._port_file):
            os.remove(self._port_file)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MAGNETO_")}
        self._process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                         stderr=self.errors, env=environment | self.environment)

    def wait_until_ready(self):
        deadline = time.monotonic() + START_SECONDS
        while True:
            port = self._read_port()
            if port:
                break
            if self._process.poll() is not None:
                raise RuntimeError(f"the server ended at once with {self._process.returncode}")
            if time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"the server did not start within {START_SECONDS} s")
            time.sleep(0.01)
        self.endpoint = f"{'https' if self.authority else 'http'}://127.0.0.1:{port}"

    def is_ready(self):
        """Whether a process that was launched serves by now."""
        return self._read_port() is not None

    def has_ended(self):
        return self._process.poll() is not None

    def _read_port(self):
        if self._process.poll() is not None:
            return None  # the file outlives a server that is killed
        try:
            with open(self._port_file, encoding="ascii") as file:
                text = file.read()
        except FileNotFoundError:
            return None
        return int(text) if text.endswith("\n") else None

    @property
    def port(self):
        return int(self.endpoint.rpartition(":")[2])

    @property
    def held_port(self):
        """The port, also of a server that does not serve yet."""
        return self._port.number

    def stop(self):
        """Asks the server to end; its exit code. One that had died before is an error."""
        self.ask_to_stop()
        try:
            return self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            raise RuntimeError(f"the server did not stop within {STOP_SECONDS} s") from None

    def ask_to_stop(self):
        if self._process.poll() is not None:
            raise RuntimeError(f"the server had ended with {self._process.returncode}")
        self._process.send_signal(signal.SIGTERM)

    def wait(self):
        """The exit code of a server that ends by itself."""
        return self._process.wait(STOP_SECONDS)

    def kill(self):
        self._process.kill()
        self._process.wait()

    def remove(self):
        if self._process is not None and self._process.poll() is None:
            self.kill()
        self._port.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def preloading(library, **variables):
    """The environment of a server that loads a library before its own."""
    return variables | {
        "LD_PRELOAD": library,
        # A sanitizer would insist on coming first.
        "ASAN_OPTIONS": "verify_asan_link_order=0:" + os.environ.get("ASAN_OPTIONS", ""),
    }


def client_environment(endpoint, authority=None):
    """The environment that the AWS tools need, without the user's own configuration."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    trust = {"AWS_CA_BUNDLE": authority, "NODE_EXTRA_CA_CERTS": authority} if authority else {}
    return kept | trust | {
        "MAGNETO_ENDPOINT": endpoint,
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "dummy",
        "AWS_SECRET_ACCESS_KEY": "dummy",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_REGION": "us-east-1",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_PAGER": "",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


class Restarter(http.server.HTTPServer):
    """Ends and starts a server on request, for one client at a time."""

    def __init__(self, server):
        super().__init__(("127.0.0.1", 0), _RestartRequest)
        self.magneto = server
        self.count = 0
        self.address = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def restart(self):
        self.count += 1
        if self.count % 2 == 1:
            self.magneto.kill()
        elif self.magneto.stop() != 0:
            raise RuntimeError("the server did not stop cleanly")
        self.magneto.start()


class _RestartRequest(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        try:
            self.server.restart()
            self.send_response(200)
        except RuntimeError as error:
            self.send_response(500, str(error))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def run(server, command, restarting):
    """Runs the command with the server; the exit code of either."""
    environment = client_environment(server.endpoint, server.authority)
    restarter = Restarter(server) if restarting else None
    if restarter:
        environment["MAGNETO_RESTART"] = restarter.address
    code = subprocess.run(command, env=environment, check=False).returncode
    if restarter:
        print(f"the server was restarted {restarter.count} times")
        restarter.shutdown()
        if restarter.count == 0:
            return 1
    stopped = server.stop()
    if stopped != 0:
        print(f"the server stopped with exit code {stopped}", file=sys.stderr)
    return code or stopped


def main(arguments):
    if len(arguments) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    binary, engine, *command = arguments
    flags = list(itertools.takewhile(lambda argument: argument.startswith("--"), command))
    command = command[len(flags):]
    restarting = engine == "restarting"
    # Scenarios wait for items to expire, not for the time that those stay by default.
    server = Server(binary, "disk" if restarting else engine, "--ttl-delay-ms=0", *flags)
    try:
        server.start()
        return run(server, command, restarting)
    finally:
        server.remove()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
