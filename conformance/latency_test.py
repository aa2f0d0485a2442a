"""latency_test.py <binary> <library that slows syncs down>: no request starves the others.

Some requests take as long as requests can, and some writes wait for the disk. Meanwhile small reads and health checks
are answered at once, and SIGTERM ends the server soon. The promise is a p99 below 20 ms. The asserted limits are
higher: the clients may keep the few processors of a machine busy, and other programs may use it. So they include the
time that an idle server beside it needs at the same time. Each figure is printed.
"""

import contextlib
import gzip
import json
import multiprocessing
import os
import socket
import sys
import time
import unittest
import unittest.mock

from wire import Connection
from with_server import Server, preloading

SECONDS = 2  # of each load; of all together twice as long
P99_MILLISECONDS = 100
STOP_SECONDS = 5
PATIENCE_SECONDS = 120
IDLE = "of an idle server"

LONG_ITEMS = 12
TINY_ITEMS = 20_000
LONG_TEXT = "a" * 300_000
NEEDLE = "a" * 63 + "b"

processes = multiprocessing.get_context("fork")


def table(name, **more):
    return {"TableName": name, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}]} | more


def post(operation, body, *headers):
    """A whole request. `body` is JSON to be written, or bytes."""
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    version = "DynamoDBStreams_20120810" if operation == "ListStreams" else "DynamoDB_20120810"
    lines = ["POST / HTTP/1.1", "Host: localhost", "Content-Type: application/x-amz-json-1.0",
             f"X-Amz-Target: {version}.{operation}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


HEALTH = b"GET /healthcheck HTTP/1.1\r\nHost: localhost\r\n\r\n"
PROBE = post("GetItem", {"TableName": "Small", "Key": {"p": {"S": "small"}}})


def connect(port):
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def exchange(connection, request):
    """The status of the answer, which is read whole."""
    connection.sendall(request)
    head = b""
    while b"\r\n\r\n" not in head:
        received = connection.recv(1 << 20)
        if not received:
            raise ConnectionResetError("the server hung up")
        head += received
    head, _, body = head.partition(b"\r\n\r\n")
    size = next(int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
    left = size - len(body)
    while left > 0:
        received = connection.recv(min(left, 1 << 20))
        if not received:
            raise ConnectionResetError("the server hung up")
        left -= len(received)
    return int(head[9:12])


# ---- requests that take long -----------------------------------------------------------------------------------

def contains(count):
    return " OR ".join(["contains(b, :v)"] * count)


def put_requests(start, count, text):
    return [{"PutRequest": {"Item": {"p": {"S": f"w{start + number}"}, "b": {"S": text}}}} for number in range(count)]


def expensive_requests():
    value = {":v": {"S": NEEDLE}}
    full_batch = json.dumps({"RequestItems": {"Written": put_requests(0, 25, "x" * 390_000)}}).encode()
    checks = [{"ConditionCheck": {"TableName": "Long", "Key": {"p": {"S": f"l{number}"}},
                                  "ConditionExpression": f"NOT ({contains(40)})", "ExpressionAttributeValues": value}}
              for number in range(LONG_ITEMS)]
    nested = "a"
    for _ in range(30):
        nested = f"list_append(a, {nested})"
    return {
        "filters that search long texts": [post("Scan", {
            "TableName": "Long", "FilterExpression": contains(100), "ExpressionAttributeValues": value})],
        "filters on a page of tiny items": [post("Scan", {
            "TableName": "Tiny", "FilterExpression": " OR ".join(f"q{number} > :v" for number in range(100)),
            "ExpressionAttributeValues": value})],
        "bodies of 10 MB": [post("BatchWriteItem", full_batch)],
        "coded bodies": [post("BatchWriteItem", gzip.compress(full_batch, 1), "Content-Encoding: gzip"),
                         post("GetItem", gzip.compress(b'{"TableName":"Small","Key":{"p":{"S":"small"}},"x":['
                                                       + b"[]," * 5_000_000 + b"[]]}", 1), "Content-Encoding: gzip")],
        "answers to be compressed": [post("Scan", {"TableName": "Tiny"}, "Accept-Encoding: gzip"),
                                     post("Scan", {"TableName": "Long"}, "Accept-Encoding: gzip")],
        "transactions with expensive conditions": [post("TransactWriteItems", {"TransactItems": checks})],
        "nested PartiQL": [post("ExecuteStatement", {
            "Statement": f"UPDATE Lists SET b = {nested} WHERE p = 'list'"})],
    }


def fill(port):
    connection = Connection(port)
    for name in ("Small", "Long", "Tiny", "Written", "Lists"):
        connection.send("CreateTable", **table(name))
    connection.send("PutItem", TableName="Small", Item={"p": {"S": "small"}})
    for number in range(LONG_ITEMS):
        connection.send("PutItem", TableName="Long", Item={"p": {"S": f"l{number}"}, "b": {"S": LONG_TEXT}})
    connection.send("PutItem", TableName="Lists", Item={"p": {"S": "list"}, "a": {"L": [{"S": ""}] * 100_000}})
    for start in range(0, TINY_ITEMS, 25):
        connection.send("BatchWriteItem", RequestItems={"Tiny": [
            {"PutRequest": {"Item": {"p": {"S": str(number)}}}} for number in range(start, start + 25)]})
    connection.close()


# ---- requests that wait for the disk ----------------------------------------------------------------------------

INDEXED = table("Indexed", AttributeDefinitions=[{"AttributeName": "p", "AttributeType": "S"},
                                                 {"AttributeName": "g", "AttributeType": "S"}],
                GlobalSecondaryIndexes=[{"IndexName": "ByG", "Projection": {"ProjectionType": "ALL"},
                                         "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}]}])
STREAMED = table("Passing", StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})


def waiting_requests():
    items = [{"p": {"S": f"i{number}"}, "g": {"S": "g"}} for number in range(8)]
    keys = [{"p": item["p"]} for item in items]
    return {
        "synced writes beside queries of a global index": [
            *(post("PutItem", {"TableName": "Indexed", "Item": item | {"n": {"N": str(turn)}}})
              for turn in range(10) for item in items),
            *[post("Query", {"TableName": "Indexed", "IndexName": "ByG", "KeyConditionExpression": "g = :g",
                             "ExpressionAttributeValues": {":g": {"S": "g"}}})] * 80],
        "synced transactions beside reads of their items": [
            post("TransactWriteItems", {"TransactItems": [
                {"Put": {"TableName": "Indexed", "Item": item}} for item in items]}),
            post("TransactGetItems", {"TransactItems": [
                {"Get": {"TableName": "Indexed", "Key": key}} for key in keys]})],
        "changes of tables beside lists of them": [
            post("CreateTable", STREAMED), post("ListTables", {}), post("ListStreams", {}),
            post("DeleteTable", {"TableName": "Passing"}), post("ListTables", {}), post("ListStreams", {})],
    }


# ---- load and probe ---------------------------------------------------------------------------------------------

def run_load(port, requests, first, stop):
    """One client, in a process of its own. It sends lost requests again until it is stopped."""
    turn = first
    while not stop.is_set():
        with contextlib.suppress(OSError):
            connection = connect(port)
            with connection:
                while not stop.is_set():
                    turn += 1
                    exchange(connection, requests[turn % len(requests)])


@contextlib.contextmanager
def load(port, requests, clients):
    stop = processes.Event()
    running = [processes.Process(target=run_load, args=(port, requests, number * 7, stop), daemon=True)
               for number in range(clients)]
    for process in running:
        process.start()
    try:
        time.sleep(0.5)
        yield
    finally:
        stop.set()
        for process in running:
            process.kill()
            process.join()


def probe(port, idle_port, seconds):
    """Milliseconds that small reads took, and health checks, on kept and on new connections, and those of an idle server."""
    kept = [connect(port) for _ in range(4)] + [connect(idle_port)]
    for connection in kept:
        exchange(connection, PROBE)
    taken = {"GetItem": [], "GetItem, new connection": [], "health": [], IDLE: []}
    kinds = ["GetItem", "GetItem", IDLE, "GetItem", "GetItem", IDLE, "GetItem, new connection", "health"]
    turn = 0
    end = time.monotonic() + seconds
    while (begin := time.monotonic()) < end:
        kind = kinds[turn % len(kinds)]
        if kind == IDLE:
            status = exchange(kept[4], PROBE)
        elif kind == "GetItem":
            status = exchange(kept[turn % 4], PROBE)
        else:
            with connect(port) as connection:
                status = exchange(connection, HEALTH if kind == "health" else PROBE)
        if status != 200:
            raise AssertionError(f"{kind} was answered with {status}")
        taken[kind].append((time.monotonic() - begin) * 1000)
        turn += 1
        time.sleep(0.004)
    for connection in kept:
        connection.close()
    return taken


def slowdown():
    """How much longer than its own time on a processor a piece of work takes now, since others have the processors."""
    begin, used = time.monotonic(), time.process_time()
    while time.process_time() - used < 0.2:
        pass
    return max((time.monotonic() - begin) / 0.2, 1)


def p99(values):
    return sorted(values)[int(len(values) * 0.99)]


class LatencyTest(unittest.TestCase):
    def start(self, engine, *flags):
        server = Server(BINARY, engine, "--auth", "off", *flags)
        self.addCleanup(server.remove)
        server.start()
        return server

    @classmethod
    def setUpClass(cls):
        cls.idle = Server(BINARY, "memory", "--auth", "off")
        cls.addClassCleanup(cls.idle.remove)
        cls.idle.start()
        connection = Connection(cls.idle.port)
        connection.send("CreateTable", **table("Small"))
        connection.send("PutItem", TableName="Small", Item={"p": {"S": "small"}})
        connection.close()

    def expect_prompt_answers(self, port, what, seconds=SECONDS):
        taken = probe(port, self.idle.port, seconds)
        figures = ", ".join(f"{kind} {p99(values):.1f} (max {max(values):.1f})" for kind, values in taken.items())
        print(f"  {what}: p99 in ms: {figures}", flush=True)
        most = P99_MILLISECONDS + 3 * p99(taken.pop(IDLE))
        for kind, values in taken.items():
            self.assertLess(p99(values), most, f"{kind} beside {what}")

    def expect_soon_end(self, server, what):
        begin = time.monotonic()
        self.assertEqual(server.stop(), 0)
        taken = time.monotonic() - begin
        slower = slowdown()
        print(f"  SIGTERM beside {what}: {taken:.2f} s, on a machine that is {slower:.1f} times as slow", flush=True)
        self.assertLess(taken, STOP_SECONDS * slower, what)

    def start_with_expensive_requests(self, threads):
        server = self.start("memory", "--threads", str(threads))
        fill(server.port)
        return server, expensive_requests()

    def expect_all_together(self, server, loads):
        together = [request for requests in loads.values() for request in requests]
        with load(server.port, together, clients=24):
            self.expect_prompt_answers(server.port, "all of them", 2 * SECONDS)
            self.expect_soon_end(server, "all of them")

    def test_expensive_requests_beside_one_thread(self):
        server, loads = self.start_with_expensive_requests(threads=1)
        for what, requests in loads.items():
            with self.subTest(what), load(server.port, requests, clients=6):
                self.expect_prompt_answers(server.port, what)
        self.expect_all_together(server, loads)

    def test_expensive_requests_beside_two_threads(self):
        self.expect_all_together(*self.start_with_expensive_requests(threads=2))

    def start_with_slow_syncs(self, milliseconds):
        with unittest.mock.patch.dict(os.environ, preloading(SLOW_SYNC, SLOW_SYNC_MILLISECONDS=str(milliseconds))):
            server = self.start("disk", "--threads", "2", "--fsync")
        connection = Connection(server.port)
        connection.send("CreateTable", **INDEXED)
        connection.send("CreateTable", **table("Small"))
        connection.send("PutItem", TableName="Small", Item={"p": {"S": "small"}})
        connection.close()
        return server

    def test_requests_that_wait_for_the_disk(self):
        server = self.start_with_slow_syncs(milliseconds=250)
        for what, requests in waiting_requests().items():
            with self.subTest(what), load(server.port, requests, clients=8):
                self.expect_prompt_answers(server.port, what)

    def test_an_end_while_many_wait_for_the_disk(self):
        server = self.start_with_slow_syncs(milliseconds=50)
        with load(server.port, waiting_requests()["synced writes beside queries of a global index"], clients=100):
            time.sleep(1)
            self.expect_soon_end(server, "synced writes of 100 clients")


if __name__ == "__main__":
    SLOW_SYNC = sys.argv.pop(2)
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)
