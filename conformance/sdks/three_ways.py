"""three_ways.py <binary> <command...>

Runs a program of an SDK against three servers, one after the other: by HTTP, by HTTPS with a certificate that
the server made, and by HTTPS where signatures are compared, which the program is told: `<command...> verified`.
It finds each as the AWS tools do: see with_server.py.
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import with_server  # noqa: E402

# Tables take a while, so that waiters wait; provisioned ones are held to their units.
FLAGS = ("--control-plane-delay-ms=300", "--enforce-throughput")
TLS = "--tls-self-signed"
VERIFY = ("--auth=verify", f"--credentials={HERE.parent / 'keys.ini'}")
WAYS = {"http": ((), ()), "https": ((TLS,), ()), "https, verified": ((TLS, *VERIFY), ("verified",))}


def run(binary, command, flags):
    server = with_server.Server(binary, "memory", *FLAGS, *flags)
    try:
        server.start()
        return with_server.run(server, command, restarting=False)
    finally:
        server.remove()


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    binary, *command = arguments
    failed = []
    for way, (flags, told) in WAYS.items():
        print(f"==> {way}", flush=True)
        if run(binary, [*command, *told], flags) != 0:
            failed.append(way)
    for way in failed:
        print(f"failed: {way}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
