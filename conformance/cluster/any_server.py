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

    def close(self):
        for connection in self._connections.values():
            connection.close()
        self._connections = {}

    def send(self, operation, **request):
        """Raises Lost if the outcome is unknown, and Refused for errors of the request."""
        for port in self.random.sample(self.ports, len(self.ports)):
            if self._connect(port):
                return self.ask(port, operation, **request)
        time.sleep(0.01)
        raise Lost("no server accepts a connection")

    def ask(self, port, operation, **request):
        """As send(), to the server at this port."""
        if not self._connect(port):
            raise Lost(f"the server at {port} accepts no connection")
        try:
            return self._connections[port].send(operation, **request)
        except Lost:
            self._connections.pop(port).close()
            raise
        except Refused as error:
            if error.status < 500:
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
