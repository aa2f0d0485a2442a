"""with_shared_servers.py <binary> [--flag=value of the servers ...] <command...>

As ../with_server.py, with three servers that share a store: each request of the command goes to the next one. The command
finds in MAGNETO_SETTLE an address: a POST is answered when what was written before is in the streams of all servers. Who
finds it knows that these servers refuse what one server would have to do for all.
"""

import http.server
import itertools
import os
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from cluster.round_robin import RoundRobin  # noqa: E402
from cluster.shared_servers import SharedCluster, metrics_of  # noqa: E402
from with_server import client_environment  # noqa: E402

LEASE_SECONDS = 5  # a busy machine must not end a server; the shards of a stream end at most as much later
MARGIN_SECONDS = 0.01  # of the clocks and numbers that are compared


class Settler(http.server.ThreadingHTTPServer):
    def __init__(self, servers):
        super().__init__(("127.0.0.1", 0), _SettleRequest)
        self.magnetos = servers
        self.address = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def settle(self):
        """For a moment after a server has joined, the numbers of writes lead the clock."""
        lead = max(metrics_of(server)["magneto_store_clock_lead_seconds"] for server in self.magnetos)
        end = time.time() + lead + MARGIN_SECONDS
        for server in self.magnetos:
            while time.time() - metrics_of(server)["magneto_store_settled_age_seconds"] < end:
                time.sleep(0.01)


class _SettleRequest(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.settle()
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    binary, *command = arguments
    flags = list(itertools.takewhile(lambda argument: argument.startswith("--"), command))
    command = command[len(flags):]
    cluster = SharedCluster(binary, "--ttl-delay-ms=0", "--auth", "shape", *flags, lease=LEASE_SECONDS)
    try:
        front = RoundRobin([server.port for server in cluster.servers])
        settler = Settler(cluster.servers)
        environment = client_environment(front.endpoint) | {"MAGNETO_SETTLE": settler.address}
        code = subprocess.run(command, env=environment, check=False).returncode
        print(f"requests of the servers: {', '.join(map(str, front.counts.values()))}")
        if min(front.counts.values()) == 0:
            print("a server got no request", file=sys.stderr)
            code = code or 1
        for server in cluster.servers:
            code = code or server.stop()
        return code
    finally:
        cluster.remove()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
