"""A client of servers that share a store: each request goes to any of them."""

import random
import time

from wire import Connection, Lost, Refused
from with_server import START_SECONDS

ANSWER_SECONDS = 1.0  # a client then tries another server


class AnyServer:
    """For one thread. Keeps a connection to each server."""

    def __init__(self, ports, name, patience=ANSWER_SECONDS):
        self.ports = list(ports)
        self.random = random.Random(name)
        self._patience = patience
        self._connections = {}
        self._suspected = set(self.ports)

    def close(self):
        for connection in self._connections.values():
            connection.close()
        self._connections = {}
        self._suspected = set(self.ports)

    def send(self, operation, **request):
        """Raises Lost if the outcome is unknown, and Refused for errors of the request."""
        return self.ask(self._choose(), operation, **request)

    def _choose(self):
        """A server that has given no answer is asked for something harmless first."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            port = self.random.choice(self.ports)
            if port not in self._suspected:
                return port
            try:
                self.ask(port, "ListTables", Limit=1)
                return port
            except Lost:
                time.sleep(0.005)
        raise Lost("no server answers")

    def ask(self, port, operation, **request):
        """As send(), to the server at this port."""
        self._suspected.add(port)
        if not self._connect(port):
            raise Lost(f"the server at {port} accepts no connection")
        try:
            answer = self._connections[port].send(operation, **request)
            self._suspected.discard(port)
            return answer
        except Lost:
            self._connections.pop(port).close()
            raise
        except Refused as error:
            if error.status < 500:
                self._suspected.discard(port)
                raise
            raise Lost(str(error)) from error

    def insist(self, operation, accept=(), **request):
        """Asks until there is an answer. After an attempt without one, the errors in `accept` mean that it had an effect."""
        deadline = time.monotonic() + START_SECONDS
        is_repeated = False
        while True:
            try:
                return self.send(operation, **request)
            except Refused as error:
                if not is_repeated or error.type not in accept:
                    raise
                return error.body
            except Lost:
                is_repeated = True
                if time.monotonic() > deadline:
                    raise

    def _connect(self, port):
        if port not in self._connections:
            try:
                self._connections[port] = Connection(port, patience=self._patience)
            except (Lost, TimeoutError):
                return False
        return True


class AnyStreams:
    """The part of boto3's client that a StreamConsumer needs: each request is repeated until a server answers."""

    def __init__(self, servers):
        self._servers = servers

    def describe_stream(self, **request):
        return self._servers.insist("DescribeStream", **request)

    def get_shard_iterator(self, **request):
        return self._servers.insist("GetShardIterator", **request)

    def get_records(self, **request):
        return self._servers.insist("GetRecords", **request)
