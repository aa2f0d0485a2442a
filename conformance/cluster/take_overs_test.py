"""take_overs_test.py <binary> [seconds]: two servers over one store behave as one, whatever ends or stops.

PostgreSQL runs in a folder of its own. One server is active, the other waits. Clients send to whichever answers, while the
active server is killed, is stopped for longer than its lease, or loses its connections, while PostgreSQL restarts, or while
its primary is lost and its standby promoted, or while the active server's connections to it are cut. Every item
must behave as one register; a server that another one has replaced must answer nothing and end with exit code 75.
"""

import itertools
import os
import random
import signal
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import linear_order_test  # noqa: E402
from cluster.two_servers import REPLACED, Cluster  # noqa: E402
from linear_order import NotLinearizable, Request, check  # noqa: E402
from side_by_side import side_by_side  # noqa: E402
from wire import Connection, Lost, Refused  # noqa: E402
from with_server import START_SECONDS  # noqa: E402

CLIENTS = 6
ITEMS = 4  # of each round
ANSWER_SECONDS = 1.0  # a client then tries the other server


class Client(linear_order_test.Client):
    """Sends to the server that answers."""

    def __init__(self, cluster, name, items):
        super().__init__(None, name, items)
        self.cluster = cluster

    def run(self, stop):
        self.connection = self._connect(stop)
        while not stop.is_set():
            try:
                self.one()
            except Lost:
                self._start_anew(stop)
            except Refused as error:
                # The server could not tell whether it still has the store: the outcome is unknown.
                if error.status < 500:
                    raise
                self._start_anew(stop)
        if self.connection is not None:
            self.connection.close()

    def _start_anew(self, stop):
        self.connection.close()
        self.connection = self._connect(stop)

    def _connect(self, stop):
        deadline = time.monotonic() + START_SECONDS
        while not stop.is_set():
            port = random.choice(self.cluster.ports)
            try:
                connection = Connection(port, patience=ANSWER_SECONDS)
            except Lost:
                connection = None
            if connection is not None:
                try:
                    connection.send("ListTables", Limit=1)
                    return connection
                except (Lost, Refused):
                    connection.close()
            if time.monotonic() > deadline:
                raise Lost("no server answers")
            time.sleep(0.01)
        return None


class ClusterCase(unittest.TestCase):
    def begin(self, **options):
        self.cluster = Cluster(BINARY, **options)
        self.addCleanup(self.cluster.remove)
        connection = Connection(self.cluster.active.port)
        connection.send("CreateTable", TableName=linear_order_test.TABLE, BillingMode="PAY_PER_REQUEST",
                        AttributeDefinitions=[{"AttributeName": "Id", "AttributeType": "S"}],
                        KeySchema=[{"AttributeName": "Id", "KeyType": "HASH"}])
        connection.close()

    def play(self, rounds, disturb):
        answered = 0
        for number in range(rounds):
            items = [f"{number}-{index}" for index in range(ITEMS)]
            clients = [Client(self.cluster, f"r{number}c{index}", items) for index in range(CLIENTS)]
            with side_by_side([client.run for client in clients]):
                self.wait_for_answers(clients)
                time.sleep(SECONDS * random.uniform(0.3, 0.7))
                disturb()
                self.wait_for_answers(clients)
            for item in items:
                requests = [request for client in clients for request in client.requests[item]]
                check(requests, None)
                answered += sum(request.answered < float("inf") for request in requests)
        print(f"{answered} requests in a linear order")

    def wait_for_answers(self, clients):
        """Until the clients have got a hundred more."""
        def answered():
            return sum(request.answered < float("inf") for client in clients for requests in list(client.requests.values())
                       for request in list(requests))

        deadline = time.monotonic() + START_SECONDS
        wanted = answered() + 100
        while answered() < wanted:
            self.assertLess(time.monotonic(), deadline, "the clients get no answers")
            time.sleep(0.01)


class ClusterTest(ClusterCase):
    def setUp(self):
        self.begin()

    def test_the_active_server_is_killed(self):
        def disturb():
            self.cluster.active.kill()
            killed = self.cluster.await_take_over()
            killed.launch()

        self.play(3, disturb)

    def test_the_active_server_ends(self):
        def disturb():
            begin = time.monotonic()
            self.assertEqual(self.cluster.active.stop(), 0)
            ended = self.cluster.await_take_over()
            print(f"{time.monotonic() - begin:.2f} s from SIGTERM to the next server")
            ended.launch()

        self.play(2, disturb)

    def test_the_active_server_is_stopped_and_wakes_up(self):
        def disturb():
            os.kill(self.cluster.active.process_id, signal.SIGSTOP)
            stopped = self.cluster.await_take_over()
            time.sleep(SECONDS * 0.3)
            os.kill(stopped.process_id, signal.SIGCONT)
            self.assertEqual(stopped.wait(), REPLACED)
            stopped.launch()

        self.play(3, disturb)

    def test_connections_are_terminated(self):
        def disturb():
            for _ in range(20):
                self.cluster.postgres.terminate_connections(50)
                time.sleep(0.02)

        self.play(2, disturb)

    def test_postgres_is_killed_and_starts_again(self):
        def disturb():
            self.cluster.postgres.kill()
            self.cluster.postgres.start()

        self.play(2, disturb)

    def test_a_server_can_be_ended_while_its_database_is_gone(self):
        self.cluster.waiting.kill()
        port = self.cluster.active.port
        self.cluster.postgres.kill()

        def put(_):
            with self.assertRaises((Lost, Refused)):
                Connection(port).send("PutItem", TableName=linear_order_test.TABLE, Item={"Id": {"S": "a"}, "C": {"N": "1"}})

        with side_by_side([put] * 4):
            time.sleep(0.5)
            begin = time.monotonic()
            self.cluster.active.ask_to_stop()
            self.assertIn(self.cluster.active.wait(), (0, REPLACED))
            self.assertLess(time.monotonic() - begin, 15)


class CutTest(ClusterCase):
    """The connections of the active server to the database are cut for longer than its lease."""

    def setUp(self):
        self.begin(has_links=True)

    def play_cut(self, name, *directions):
        """The cut ends after the last write of the next server. A third one then reads what is stored."""
        items = [f"{name}-{index}" for index in range(ITEMS)]
        clients = [Client(self.cluster, f"{name}c{index}", items) for index in range(CLIENTS)]
        link = self.cluster.links[self.cluster.active]
        with side_by_side([client.run for client in clients]):
            self.wait_for_answers(clients)
            link.cut(*directions)
            begin = time.monotonic()
            cut_off = self.cluster.await_take_over()
            print(f"{time.monotonic() - begin:.2f} s from the cut {' and '.join(directions)} the database to the take-over")
            self.wait_for_answers(clients)
        link.heal()
        self.assertEqual(cut_off.wait(), REPLACED)
        cut_off.launch()
        self.assertEqual(self.cluster.active.stop(), 0)
        self.cluster.await_take_over().launch()
        connection = Connection(self.cluster.active.port)
        for item in items:
            last = Request(f"{name} last", time.monotonic(), linear_order_test.read)
            last.answer = linear_order_test.state_of(connection.send(
                "GetItem", TableName=linear_order_test.TABLE, Key=linear_order_test.key(item)).get("Item"))
            last.answered = time.monotonic()
            check([request for client in clients for request in client.requests[item]] + [last], None)
        connection.close()

    def test_in_each_direction_and_both(self):
        for directions in (["to"], ["from"], ["to", "from"]):
            self.play_cut("-".join(directions), *directions)

    def test_without_a_fence_a_cut_is_noticed(self):
        """What the server that was cut off had sent comes after writes of the next one, if nothing keeps it out."""
        self.cluster.postgres.execute("CREATE RULE no_fence AS ON DELETE TO magneto.fence DO INSTEAD NOTHING")
        with self.assertRaises(NotLinearizable):
            for number in range(20):
                self.play_cut(str(number), "to")


class FailOverTest(ClusterCase):
    """The primary of the database is lost with its disk. Its standby, which is synchronous, has every acknowledged write."""

    def test_the_primary_is_killed_and_its_standby_promoted(self):
        self.begin(has_standby=True)
        gap = []

        def disturb():
            begin = time.monotonic()
            self.cluster.fail_over()
            connection = self.connect_at_last()
            gap.append(time.monotonic() - begin)
            connection.close()

        self.play(1, disturb)
        print(f"{gap[0]:.2f} s from the end of the primary to the next answer")

    def connect_at_last(self):
        """A connection to the server that is active then: the other one, where the fail-over took longer than the lease."""
        deadline = time.monotonic() + START_SECONDS
        for port in itertools.cycle(self.cluster.ports):
            self.assertLess(time.monotonic(), deadline, "no server answers")
            try:
                connection = Connection(port, patience=ANSWER_SECONDS)
            except Lost:
                continue
            try:
                connection.send("GetItem", TableName=linear_order_test.TABLE, Key={"Id": {"S": "absent"}}, ConsistentRead=True)
                return connection
            except (Lost, Refused):
                connection.close()
        raise AssertionError("there are no servers")


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    SECONDS = float(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].replace(".", "").isdigit() else 2.0
    unittest.main(verbosity=2)
