"""Histories of clients that send each request to any of three servers, while something disturbs these, and tables come and go."""

import os
import random
import time
import unittest

import linear_order_test
import serial_order_test
from cluster.any_server import AnyServer
from cluster.passing_tables import PassingTable
from cluster.shared_servers import SharedCluster
from cluster.streamed_table import StreamedTable
from concurrent_clients import connect
from linear_order import check
from side_by_side import side_by_side
from wire import Lost
from with_server import START_SECONDS, client_environment

HOT, WIDE = 4, 400  # items
CLIENTS = 6
WRITERS = 4
TABLE = {"BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "Id", "KeyType": "HASH"}],
         "AttributeDefinitions": [{"AttributeName": "Id", "AttributeType": "S"}]}


class RegisterClient(linear_order_test.Client):
    def __init__(self, ports, name, items):
        super().__init__(None, name, items)
        self.connection = AnyServer(ports, name)

    def run(self, stop):
        while not stop.is_set():
            try:
                self.one()
            except Lost:
                continue
        self.connection.close()

    @property
    def answered(self):
        return sum(request.answered < float("inf") for requests in list(self.requests.values()) for request in list(requests))


class OrderClient(serial_order_test.OrderClient):
    """Sends each request to any server."""

    meets_waiting_servers = True
    endpoints = ()

    def __init__(self, _, name, items):
        self.connections = [connect(endpoint) for endpoint in self.endpoints]
        super().__init__(self.endpoints[0], name, items)

    def act(self):
        self.connection = self.random.choice(self.connections)
        super().act()


class SharedCase(serial_order_test.SerialOrderCase):
    """`self.disturb()` is called in the middle of each history, with a function that waits until clients get answers."""

    binary = None
    client = OrderClient
    has_failed = False

    def begin(self, **options):
        self.cluster = SharedCluster(self.binary, **options)
        self.addCleanup(self.cluster.remove)
        self.server = self.cluster.active
        self.ports = [server.held_port for server in self.cluster.servers]
        OrderClient.endpoints = [server.endpoint for server in self.cluster.servers]
        os.environ.update(client_environment(self.server.endpoint))
        self.connection = connect(self.server.endpoint)
        self.addCleanup(self.connection.close)
        for name in (linear_order_test.TABLE, *serial_order_test.TABLES):
            self.connection.create_table(TableName=name, **TABLE)

    def side_by_side(self, works):
        """As the function; await_more() then ends soon when a work fails."""
        def watch(work):
            def run(stop):
                try:
                    work(stop)
                except Exception:
                    self.has_failed = True
                    raise

            return run

        return side_by_side([watch(work) for work in works])

    def await_more(self, count, number=100):
        """Until `count()` has grown by this number."""
        deadline = time.monotonic() + START_SECONDS
        wanted = count() + number
        while count() < wanted:
            self.assertFalse(self.has_failed, "a client has failed")
            self.assertLess(time.monotonic(), deadline, "the clients get no answers")
            time.sleep(0.01)

    def play_registers(self, disturb, items=HOT, beside=()):
        """A linear history. Returns the number of answers."""
        names = [f"{random.randrange(10 ** 9)}-{index}" for index in range(items)]
        clients = [RegisterClient(self.ports, f"{names[0]}c{index}", names) for index in range(CLIENTS)]

        def answered():
            return sum(client.answered for client in clients)

        with self.side_by_side([*(client.run for client in clients), *beside]):
            self.await_more(answered)
            disturb(lambda: self.await_more(answered))
            self.await_more(answered, 100 if items == HOT else 3 * items)
        for name in names:
            check([request for client in clients for request in client.requests[name]], None)
        return answered()

    def play_transactions(self, disturb, beside=()):
        """A serial history. Returns the number of committed steps."""
        with self.side_by_side(beside):
            return self.play_round(random.randrange(10 ** 9), lambda: disturb(lambda: None))

    def play_stream(self, disturb, beside=(), most_lag=None):
        """A stream with each record once and in order, and indexes and counts that are exact. Returns the number of records."""
        table = StreamedTable(self.ports, WRITERS, life=2)
        self.addCleanup(table.close)
        with self.side_by_side([*table.works, *beside]):
            self.await_more(lambda: table.names.acknowledged)
            disturb(lambda: self.await_more(lambda: table.names.acknowledged))
            self.await_more(lambda: table.names.acknowledged)
        self.cluster.start_ended()
        table.check()
        lag = table.reader.take_worst()
        print(f"{table.reader.records} records, at most {lag:.2f} s after their answers")
        if most_lag:
            self.assertLess(lag, most_lag)
        return table.reader.records

    def passing_tables(self, count=1):
        return [PassingTable(self.ports, f"Passing{number}-{random.randrange(10 ** 9)}") for number in range(count)]

    def kill(self, server):
        server.kill()
        server.start()

    def end(self, server):
        self.assertEqual(server.stop(), 0)
        server.start()


def main(binary):
    SharedCase.binary = binary
    unittest.main(verbosity=2)
