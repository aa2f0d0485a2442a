"""with_shared_servers.py <binary> [--flag=value of the servers ...] <command...>

As ../with_server.py, with three servers that share a store: each request of the command goes to the next one. The command
finds in MAGNETO_SHARED that they refuse what one server would have to do for all.
"""

import itertools
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from cluster.round_robin import RoundRobin  # noqa: E402
from cluster.shared_servers import SharedCluster  # noqa: E402
from with_server import client_environment  # noqa: E402

LEASE_SECONDS = 30  # nothing ends here; a busy machine must not end a server


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
        environment = client_environment(front.endpoint) | {"MAGNETO_SHARED": "1"}
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
