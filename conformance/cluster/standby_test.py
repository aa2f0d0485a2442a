"""standby_test.py <binary>: a server that waits for its store says so, passes connections on if asked, and takes over.

Its port answers from the start of the wait to the end of the process: no connection is refused in between.
"""

import http.client
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from cluster.two_servers import LEASE_SECONDS, Cluster  # noqa: E402
from metrics_test import parse  # noqa: E402
from side_by_side import side_by_side  # noqa: E402
from wire import Connection, Lost, Refused, open_socket  # noqa: E402
from with_server import START_SECONDS  # noqa: E402

TABLE = {"TableName": "Table", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "Id", "KeyType": "HASH"}],
         "AttributeDefinitions": [{"AttributeName": "Id", "AttributeType": "S"}]}
NOWHERE = "127.0.0.1:1"  # no server listens on this port


def get(port, path, host="localhost", tls=False):
    """The status of the answer, its text, and its Retry-After."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_SECONDS)
    connection.sock = open_socket(port, START_SECONDS, tls)
    connection.request("GET", path, headers={"Host": host})
    answer = connection.getresponse()
    found = answer.status, answer.read().decode(), answer.getheader("Retry-After")
    connection.close()
    return found


def is_refused(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) != 0


class StandbyTest(unittest.TestCase):
    def start(self, *flags, of_waiting=()):
        cluster = Cluster(BINARY, *flags, of_waiting=of_waiting)
        self.addCleanup(cluster.remove)
        deadline = time.monotonic() + START_SECONDS
        while is_refused(cluster.waiting.held_port):
            self.assertLess(time.monotonic(), deadline, "the waiting server does not listen")
            time.sleep(0.01)
        return cluster

    def make_table(self, cluster):
        connection = Connection(cluster.active.port)
        connection.send("CreateTable", **TABLE)
        connection.close()

    def check_waiting(self, port, active, tls=False):
        self.assertEqual(get(port, "/_/health", tls=tls)[0], 200)
        self.assertEqual(get(port, "/", "anything", tls=tls)[0], 200)
        status, text, _ = get(port, "/_/ready", tls=tls)
        self.assertEqual(status, 503)
        self.assertIn(f"the server at {active} is the active one", text)
        status, text, _ = get(port, "/_/", tls=tls)
        self.assertEqual(status, 503)
        connection = Connection(port, tls=tls)
        with self.assertRaises(Lost) as caught:  # for a 503
            connection.send("ListTables")
        connection.close()
        body = json.loads(str(caught.exception))
        self.assertEqual(body["__type"].rpartition("#")[2], "ServiceUnavailable")
        self.assertIn(f"the server at {active} is the active one", body["message"])

    def test_says_that_it_waits(self):
        cluster = self.start()
        port = cluster.waiting.held_port
        self.check_waiting(port, f"localhost:{cluster.active.port}")
        self.assertEqual(get(port, "/_/state")[2], "1")
        samples, _ = parse(get(port, "/metrics")[1])
        self.assertEqual(samples, {("magneto_store_active", ()): 0})
        samples, _ = parse(get(cluster.active.port, "/metrics")[1])
        self.assertEqual(samples["magneto_store_active", ()], 1)
        self.assertGreaterEqual(samples["magneto_store_epoch", ()], 1)
        self.assertLess(samples["magneto_store_lease_age_seconds", ()], START_SECONDS)
        # A page whose own name resolves to this machine learns nothing.
        for path in ("/metrics", "/_/state"):
            status, text, _ = get(port, path, host="evil.example")
            self.assertEqual(status, 403)
            self.assertNotIn("localhost:", text)

    def test_says_so_over_tls(self):
        cluster = self.start("--tls-self-signed")
        self.check_waiting(cluster.waiting.held_port, f"localhost:{cluster.active.port}", tls=True)

    def test_counts_groups_and_lost_connections(self):
        cluster = self.start()
        self.make_table(cluster)
        port = cluster.active.port

        numbers = itertools.count()

        def put(_):
            connection = Connection(port)
            for _ in range(50):
                connection.send("PutItem", TableName="Table", Item={"Id": {"S": str(next(numbers))}})
            connection.close()

        with side_by_side([put] * 8):
            pass
        samples, _ = parse(get(port, "/metrics")[1])
        self.assertGreaterEqual(samples["magneto_store_group_writes_total", ()], 400)
        self.assertGreater(samples["magneto_store_groups_total", ()], 0)
        self.assertLess(samples["magneto_store_groups_total", ()], samples["magneto_store_group_writes_total", ()])
        self.assertGreater(samples["magneto_store_group_seconds_total", ()], 0)
        self.assertEqual(samples["magneto_store_connections_lost_total", ()], 0)
        cluster.postgres.terminate_connections(100)
        put(None)
        samples, _ = parse(get(port, "/metrics")[1])
        self.assertGreater(samples["magneto_store_connections_lost_total", ()], 0)

    def test_a_full_disk_of_the_database_refuses_writes_and_serves_reads(self):
        cluster = self.start()
        self.make_table(cluster)
        port = cluster.active.port
        connection = Connection(port)
        for key in ("a", "b"):
            connection.send("PutItem", TableName="Table", Item={"Id": {"S": key}})
        cluster.postgres.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
            "$$BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END$$;"
            "CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON magneto.items FOR EACH ROW EXECUTE FUNCTION refuse()")
        for _ in range(3):
            with self.assertRaises(Refused) as caught:
                connection.send("PutItem", TableName="Table", Item={"Id": {"S": "c"}})
            self.assertEqual(caught.exception.status, 500)
        self.assertEqual(connection.send("Scan", TableName="Table")["Count"], 2)
        status, text, _ = get(port, "/_/ready")
        self.assertEqual((status, text), (503, "not ready: the disk of the store's database is full\n"))
        connection.send("DeleteItem", TableName="Table", Key={"Id": {"S": "b"}})  # frees space
        self.assertEqual(get(port, "/_/ready")[0], 200)
        with self.assertRaises(Refused):
            connection.send("PutItem", TableName="Table", Item={"Id": {"S": "c"}})
        cluster.postgres.execute("DROP TRIGGER full_disk ON magneto.items")
        connection.send("PutItem", TableName="Table", Item={"Id": {"S": "c"}})
        self.assertEqual(get(port, "/_/ready")[0], 200)
        self.assertEqual(connection.send("Scan", TableName="Table")["Count"], 2)
        connection.close()

    def test_ends_when_asked_to(self):
        cluster = self.start()
        half = open_socket(cluster.waiting.held_port, START_SECONDS)
        half.sendall(b"POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nhalf")
        begin = time.monotonic()
        self.assertEqual(cluster.waiting.stop(), 0)
        print(f"{time.monotonic() - begin:.2f} s from SIGTERM to the end")
        half.close()

    def test_ends_with_its_standard_input(self):
        cluster = self.start()
        command = [BINARY, "--port", "0", "--auth", "off", "--store", cluster.postgres.url, "--end-with-stdin"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as third:
            self.assertIn("this server waits", third.stderr.readline())
            _, errors = third.communicate(timeout=START_SECONDS)
        self.assertEqual((third.returncode, errors), (0, ""))

    def test_no_connection_is_refused_during_a_take_over(self):
        cluster = self.start()
        self.make_table(cluster)
        port = cluster.waiting.held_port
        half = open_socket(port, START_SECONDS)  # a client that never sends the rest does not delay it
        half.sendall(b"POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nhalf")
        refusals = []

        def connect(stop):
            while not stop.is_set():
                if is_refused(port):
                    refusals.append(time.monotonic())

        with side_by_side([connect]):
            cluster.active.kill()
            begin = time.monotonic()
            cluster.await_take_over()
            taken = time.monotonic() - begin
            connection = Connection(port)
            connection.send("PutItem", TableName="Table", Item={"Id": {"S": "a"}})
            connection.close()
        half.close()
        self.assertEqual(refusals, [])
        print(f"{taken:.2f} s from kill -9 to the next server, with a lease of {LEASE_SECONDS} s")

    def test_relays(self):
        cluster = self.start("--relay")
        port = cluster.waiting.held_port
        connection = Connection(port)
        connection.send("CreateTable", **TABLE)
        blob = "x" * 390_000
        for number in range(20):
            connection.send("PutItem", TableName="Table", Item={"Id": {"S": str(number)}, "B": {"S": blob}})
        direct = Connection(cluster.active.port)
        self.assertEqual(direct.send("GetItem", TableName="Table", Key={"Id": {"S": "7"}})["Item"]["B"]["S"], blob)
        keys = [{"Id": {"S": str(number)}} for number in range(20)]
        found = connection.send("BatchGetItem", RequestItems={"Table": {"Keys": keys}})["Responses"]["Table"]
        self.assertEqual({item["B"]["S"] for item in found}, {blob})
        direct.close()
        connection.close()
        self.assertEqual(get(port, "/_/ready")[0], 200)

        def call(_):
            for number in range(20):
                own = Connection(port)
                own.send("GetItem", TableName="Table", Key={"Id": {"S": str(number)}})
                own.close()

        with side_by_side([call] * 16):
            pass
        # The end of what a client sends is passed on, and the answer comes back all the same.
        with open_socket(port, START_SECONDS) as half:
            half.sendall(b"GET /_/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            half.shutdown(socket.SHUT_WR)
            received = b""
            while part := half.recv(1 << 16):
                received += part
        self.assertTrue(received.startswith(b"HTTP/1.1 200 OK\r\n"), received)

    def test_a_relay_speaks_tls_for_the_active_server(self):
        cluster = self.start("--tls-self-signed", "--relay")
        self.assertEqual(get(cluster.waiting.held_port, "/_/ready", tls=True)[0], 200)

    def test_a_relayed_connection_ends_with_the_active_server(self):
        cluster = self.start("--relay")
        self.make_table(cluster)
        connection = Connection(cluster.waiting.held_port)
        connection.send("ListTables")
        os.kill(cluster.active.process_id, signal.SIGSTOP)
        with self.assertRaises(Lost):
            while True:  # soon a request is passed on that is never answered; the take-over ends the connection
                connection.send("ListTables")
        connection.close()
        cluster.await_take_over()
        connection = Connection(cluster.active.port)
        self.assertEqual(connection.send("ListTables")["TableNames"], ["Table"])
        connection.close()

    def test_a_relay_to_nowhere_answers_itself(self):
        cluster = self.start("--relay", "--advertise-address", NOWHERE, of_waiting=("--advertise-address", "other"))
        self.check_waiting(cluster.waiting.held_port, NOWHERE)

    def test_servers_with_one_address_do_not_relay_in_a_circle(self):
        cluster = self.start()
        own = f"127.0.0.1:{cluster.waiting.held_port}"
        cluster.waiting.kill()
        cluster.active.kill()
        for server in cluster.servers:
            server.flags += ["--relay", "--advertise-address", own]
        cluster.active.start()
        cluster.waiting.launch()
        deadline = time.monotonic() + START_SECONDS
        while is_refused(cluster.waiting.held_port):
            self.assertLess(time.monotonic(), deadline, "the waiting server does not listen")
            time.sleep(0.01)
        self.check_waiting(cluster.waiting.held_port, own)

    def test_a_server_with_an_unknown_host_says_so(self):
        found = subprocess.run([BINARY, "--store", "postgres://m@/m", "--advertise-address", "a/b"], check=False,
                               stderr=subprocess.PIPE, text=True)
        self.assertNotEqual(found.returncode, 0)
        self.assertIn("must be HOST or HOST:PORT, not 'a/b'", found.stderr)


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)
