"""mutation_test.py <binary> [--seconds N] [--seed N] [--engine memory|disk|both] [--patience N] [--memory-mb N]
mutation_test.py <binary> --replay FILE

Sends real requests and mutations of them: those of tests/cases and of the scenarios, in their order, to new tables
for each play. The server may refuse any request. It may not die, answer 5xx, take longer than `patience` seconds, or
take more memory than `memory-mb`.

The same seed sends the same requests. After a fault, the requests since the last new tables are stored in a file,
which --replay sends again to a new server.
"""

import argparse
import base64
import collections
import gzip
import json
import pathlib
import random
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from mutations import Mutator, dumps
from plays import all_plays
from wire import Channel
from with_server import Server

_CONNECTIONS = 4
_MAX_STEPS = 120  # of a play
_MUTANTS = (0, 1, 1, 2, 3)  # after each request


class Fault(Exception):
    """The server did what it may not do."""


class Client:
    """Sends requests over a few connections in turn, sometimes two at once, and judges the answers."""

    def __init__(self, server, patience):
        self._server = server
        self._patience = patience
        self._channels = [None] * _CONNECTIONS
        self._next = 0
        self.sent = []  # since the last new tables: [operation, body, encoding]
        self.statuses = collections.Counter()
        self.slowest = 0.0

    def call(self, *requests):
        """The answers' bodies; None for one that was refused."""
        channels = [self._take_channel() for _ in requests]
        started = time.monotonic()
        try:
            for channel, request in zip(channels, requests):
                self.sent.append(request)
                self._channels[channel].send(*request)
            return [self._judge(channel, request) for channel, request in zip(channels, requests)]
        except TimeoutError:
            raise Fault(f"no answer within {self._patience} s") from None
        except OSError as error:
            raise Fault(f"the connection was lost: {error}") from None
        finally:
            self.slowest = max(self.slowest, time.monotonic() - started)

    def _take_channel(self):
        self._next = (self._next + 1) % _CONNECTIONS
        if self._channels[self._next] is None:
            self._channels[self._next] = Channel(self._server.port, self._patience, self._server.authority is not None)
        return self._next

    def _judge(self, channel, request):
        status, body, goes_on = self._channels[channel].receive()
        if not goes_on:
            self._channels[channel].close()
            self._channels[channel] = None
        self.statuses[status] += 1
        if status >= 500 and not request[2]:  # a coded body that cannot be decoded is answered 500
            raise Fault(f"answered {status}: {body[:500]!r}")
        if body:
            try:
                json.loads(body)
            except ValueError:
                raise Fault(f"an answer is no JSON: {body[:500]!r}") from None
        return body if status == 200 else None

    def forget_tables(self):
        """Deletes all tables, so that the next play begins as the first did."""
        self.sent = []
        for name in json.loads(self._plain("ListTables", {}) or b"{}").get("TableNames", []):
            if not self._plain("DeleteTable", {"TableName": name}):
                self._plain("UpdateTable", {"TableName": name, "DeletionProtectionEnabled": False})
                self._plain("DeleteTable", {"TableName": name})
        self.sent = []

    def _plain(self, operation, request):
        return self.call((operation, dumps(request).encode(), False))[0]


class Run:
    """One server, played with for some seconds."""

    def __init__(self, options, engine, generator):
        self.options = options
        self.random = generator
        self.mutator = Mutator(generator)
        self.plays = all_plays()
        self.peak_memory = 0
        flags = ["--auth", "off", *(["--tls-self-signed"] if options.tls else []), *([] if engine == "memory" else ["--memory-budget-mb", "16"])]
        self.server = Server(options.binary, engine, *flags)
        self.server.errors = tempfile.TemporaryFile("w+")

    def start(self):
        self.server.start()
        self.client = Client(self.server, self.options.patience)

    def play(self, seconds):
        """Plays until the time is over; raises Fault."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.client.forget_tables()
            _, steps = self.random.choice(self.plays)
            for operation, request in steps[:_MAX_STEPS]:
                self.perform(operation, request)
                if time.monotonic() > deadline:
                    break
            self.watch_memory()

    def perform(self, operation, request):
        requests = [(operation, dumps(request).encode(), False)]
        for _ in range(self.random.choice(_MUTANTS)):
            mutant, body = self.mutator.mutate(operation, request)
            coded = self.random.random() < 0.02
            requests.append((mutant, gzip.compress(body, mtime=0) if coded else body, coded))
        while requests:
            together = 2 if self.random.random() < 0.2 else 1
            self.client.call(*requests[:together])
            del requests[:together]

    def watch_memory(self):
        path = pathlib.Path(f"/proc/{self.server.process_id}/status")
        fields = dict(line.split(":", 1) for line in path.read_text(encoding="ascii").splitlines() if ":" in line)
        megabytes = int(fields["VmRSS"].split()[0]) // 1024
        self.peak_memory = max(self.peak_memory, megabytes)
        if megabytes > self.options.memory_mb:
            raise Fault(f"the server takes {megabytes} MB")

    def finish(self):
        if self.server.stop() != 0:
            raise Fault("the server did not end well")

    def errors(self):
        self.server.errors.seek(0)
        return self.server.errors.read()[-8000:]

    def keep_requests(self, path):
        with open(path, "w", encoding="ascii") as file:
            for operation, body, encoding in self.client.sent:
                file.write(json.dumps([operation, base64.b64encode(body).decode(), encoding]) + "\n")

    def report(self, engine):
        statuses = self.client.statuses
        total = sum(statuses.values())
        good = sum(count for status, count in statuses.items() if 200 <= status < 300)
        print(f"{engine}: {total} requests, {100 * good // max(total, 1)} % answered 2xx, "
              f"{dict(sorted(statuses.items()))}, slowest {self.client.slowest:.2f} s, "
              f"memory at most {self.peak_memory} MB, seed {self.options.seed}", flush=True)


def replay(options):
    """The exit code: 1 when the requests of the file do it again."""
    run = Run(options, options.engine if options.engine != "both" else "memory", random.Random(0))
    try:
        run.start()
        with open(options.replay, encoding="ascii") as file:
            for line in file:
                operation, body, encoding = json.loads(line)
                run.client.call((operation, base64.b64decode(body), encoding))
        run.finish()
    except (Fault, RuntimeError) as fault:
        print(f"{fault}\n{run.errors()}")
        operation, body, _ = run.client.sent[-1]
        print(f"the last request: {operation} {body[:2000]!r}")
        return 1
    finally:
        run.server.remove()
    print("nothing is wrong")
    return 0


def play(options, engine):
    run = Run(options, engine, random.Random(f"{options.seed} {engine}"))
    try:
        run.start()
        run.play(options.seconds)
        run.report(engine)
        run.finish()
    except (Fault, RuntimeError) as fault:
        path = f"mutation-{engine}-{options.seed}.requests"
        run.keep_requests(path)
        run.report(engine)
        print(f"{fault}\n{run.errors()}\n{len(run.client.sent)} requests are kept in {path}; "
              f"--engine {engine} --replay {path} sends them again")
        return 1
    finally:
        run.server.remove()
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--tls", action="store_true", help="by HTTPS")
    parser.add_argument("--engine", choices=("memory", "disk", "both"), default="both")
    parser.add_argument("--patience", type=float, default=10)
    parser.add_argument("--memory-mb", type=int, default=1024)
    parser.add_argument("--replay", metavar="FILE")
    options = parser.parse_args()
    if options.replay:
        return replay(options)
    engines = ("memory", "disk") if options.engine == "both" else (options.engine,)
    options.seconds /= len(engines)
    return max(play(options, engine) for engine in engines)


if __name__ == "__main__":
    sys.exit(main())
