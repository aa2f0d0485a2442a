"""shared_tables_test.py <binary>: tables and indexes are made and dropped throughout, on any of three servers that use one store.

Other clients read and write registers, transact, and read a stream meanwhile, and a server is killed, or is ended. Each table
and each index is on all servers when its change is answered, and on none after it was dropped. Indexes hold what the items
say, and DescribeTable counts them.
"""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from cluster.any_server import AnyServer  # noqa: E402
from cluster.passing_tables import ATTRIBUTES, HASH, PATIENCE_SECONDS  # noqa: E402
from cluster.shared_case import SharedCase, main  # noqa: E402
from cluster.shared_servers import SharedCluster  # noqa: E402
from side_by_side import side_by_side  # noqa: E402

LIVES = 3  # of each table, after the last disturbance
MANY_CLIENTS = 48
MANY_TABLES = 720


class TablesTest(SharedCase):
    def setUp(self):
        self.begin()
        self.passing = self.passing_tables(2)

    def tearDown(self):
        print(f"{self.lives()} tables, {sum(one.indexes for one in self.passing)} indexes, "
              f"{sum(one.writes for one in self.passing)} writes to them")

    def lives(self):
        return sum(one.lives for one in self.passing)

    @property
    def beside(self):
        return [one.run for one in self.passing]

    def disturb(self, await_answers):
        self.await_more(self.lives, LIVES)
        self.kill(self.cluster.any())
        await_answers()
        self.end(self.cluster.any())
        await_answers()
        self.await_more(self.lives, LIVES)

    def test_registers(self):
        print(f"{self.play_registers(self.disturb, beside=self.beside)} requests in a linear order")

    def test_transactions(self):
        print(f"{self.play_transactions(self.disturb, beside=self.beside)} transactions and writes in a serial order")

    def test_a_stream(self):
        self.play_stream(self.disturb, beside=self.beside)


class ManyClientsTest(unittest.TestCase):
    """Begins as soon as the servers have started: their versions lead the clock then."""

    binary = None

    def setUp(self):
        cluster = SharedCluster(self.binary)
        self.addCleanup(cluster.remove)
        self.ports = [server.held_port for server in cluster.servers]

    def test_many_clients_make_and_drop_tables(self):
        """Changes that wait for each other on a server must not keep it from taking over those of others."""
        names = [f"many{number:04}" for number in range(MANY_TABLES)]
        self.divide(names, "CreateTable", KeySchema=HASH, AttributeDefinitions=ATTRIBUTES[:1], BillingMode="PAY_PER_REQUEST")
        servers = AnyServer(self.ports, "lists", PATIENCE_SECONDS)
        self.addCleanup(servers.close)

        def tables(port):
            first = servers.ask(port, "ListTables", ExclusiveStartTableName="many")["TableNames"]
            return first + [name for start in range(99, MANY_TABLES - 1, 100) for name in
                            servers.ask(port, "ListTables", ExclusiveStartTableName=names[start])["TableNames"]
                            if name.startswith("many")]

        for port in self.ports:
            self.assertEqual([name for name in tables(port) if name in names], names)
        self.divide(names, "DeleteTable")
        for port in self.ports:
            self.assertFalse(set(tables(port)) & set(names))

    def divide(self, names, operation, **request):
        """Each of many clients sends a part of the requests, each to any server."""
        def work_of(number):
            def work(_stop):
                servers = AnyServer(self.ports, f"{operation}{number}", PATIENCE_SECONDS)
                for name in names[number::MANY_CLIENTS]:
                    servers.send(operation, TableName=name, **request)
                servers.close()
            return work

        with side_by_side([work_of(number) for number in range(MANY_CLIENTS)]):
            pass


if __name__ == "__main__":
    ManyClientsTest.binary = sys.argv[1]
    main(sys.argv.pop(1))
