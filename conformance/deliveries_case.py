"""The common part of the suites of deliveries: a server that sends to a stand-in for Kinesis, and writers."""

import sys
import tempfile
import threading
import time
import unittest

from kinesis_stand_in import KinesisStandIn
from wire import Connection, Lost, Refused
from with_server import Server

BINARY = sys.argv[1]
KEY = {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
       "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "BillingMode": "PAY_PER_REQUEST"}
PATIENCE_SECONDS = 120


def stream_arn(name, region="us-east-1"):
    return f"arn:aws:kinesis:{region}:123456789012:stream/{name}"


def wait_until(condition, what, patience=PATIENCE_SECONDS):
    deadline = time.monotonic() + patience
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(what() if callable(what) else what)
        time.sleep(0.05)


class Deliveries(unittest.TestCase):
    """A server that sends to a stand-in with the streams "a" and "b"."""

    def begin(self, engine="memory", *flags):
        self.kinesis = KinesisStandIn("a", "b")
        self.kinesis.start()
        self.addCleanup(self.kinesis.stop)
        self.start_server(engine, f"--kinesis-endpoint={self.kinesis.url}", *flags)

    def start_server(self, engine, *flags):
        self.server = Server(BINARY, engine, "--auth=off", "--ttl-delay-ms=0", *flags)
        self.server.errors = tempfile.TemporaryFile()
        self.addCleanup(self.server.errors.close)
        self.addCleanup(self.server.remove)
        self.server.start()
        self.connect()

    def connect(self):
        self.connection = Connection(self.server.port)
        self.addCleanup(self.connection.close)

    def send(self, operation, **request):
        return self.connection.send(operation, **request)

    def refused(self, part, operation, **request):
        with self.assertRaises(Refused) as caught:
            self.send(operation, **request)
        self.assertIn(part, caught.exception.body.get("message", ""))

    def make_table(self, table="tab", stream="a", **more):
        self.send("CreateTable", TableName=table, **KEY)
        if stream:
            self.enable(table, stream, **more)

    def enable(self, table="tab", stream="a", **more):
        answer = self.send("EnableKinesisStreamingDestination", TableName=table, StreamArn=stream_arn(stream), **more)
        self.assertEqual(answer["DestinationStatus"], "ENABLING")
        self.await_status("ACTIVE", table)

    def disable(self, table="tab", stream="a"):
        answer = self.send("DisableKinesisStreamingDestination", TableName=table, StreamArn=stream_arn(stream))
        self.assertEqual(answer["DestinationStatus"], "DISABLING")

    def destinations(self, table="tab"):
        return self.send("DescribeKinesisStreamingDestination", TableName=table)["KinesisDataStreamDestinations"]

    def await_status(self, status, table="tab"):
        wait_until(lambda: self.destinations(table)[0]["DestinationStatus"] == status, self.destinations(table))

    def put(self, key, version, table="tab"):
        self.send("PutItem", TableName=table, Item={"pk": {"S": key}, "v": {"N": str(version)}})

    def await_records(self, count, stream="a"):
        wait_until(lambda: len(self.kinesis.records(stream)) >= count,
                   f"{len(self.kinesis.records(stream))} of {count} records")
        return self.kinesis.records(stream)

    def log(self):
        self.server.errors.seek(0)
        return self.server.errors.read().decode()

    def check_order(self, stream, wanted, once):
        """Each item's versions came in their order, all of them; `once` forbids one that came again."""
        versions = {}
        for record in self.kinesis.records(stream):
            image = record["dynamodb"].get("NewImage")
            if image:
                versions.setdefault(image["pk"]["S"], []).append(int(image["v"]["N"]))
        for key, last in wanted.items():
            seen = versions.get(key, [])
            first = list(dict.fromkeys(seen))
            self.assertEqual(first, list(range(1, last + 1)), key)
            if once:
                self.assertEqual(seen, first, key)
        self.assertEqual(self.kinesis.problems, [])
        keys = self.kinesis.keys(stream)
        self.assertTrue(all(len(found) == 1 for found in keys.values()), keys)
        self.assertEqual(len({next(iter(found)) for found in keys.values()}), len(keys))


class Writers:
    """Threads that count items of their own up, until the server is gone."""

    def __init__(self, port, threads, items, rounds, name="w"):
        self.acknowledged = {}
        self.begun = {}
        self._threads = [threading.Thread(target=self._write, args=(port, f"{name}{number}", items, rounds))
                         for number in range(threads)]
        for thread in self._threads:
            thread.start()

    def _write(self, port, name, items, rounds):
        connection = Connection(port)
        try:
            for version in range(1, rounds + 1):
                for item in range(items):
                    key = f"{name}-{item}"
                    self.begun[key] = version
                    connection.send("PutItem", TableName="tab", Item={"pk": {"S": key}, "v": {"N": str(version)}})
                    self.acknowledged[key] = version
        except (Lost, OSError):
            pass
        finally:
            connection.close()

    def join(self):
        for thread in self._threads:
            thread.join()
