"""request_cost_test.py <binary> <library that counts memory>: what a request allocates and copies.

Counts depend on no clock and on no other program, so the bounds are close. A bound that is passed means that a request
has a copy or an allocation more than before: find it, or argue for it and raise the bound. Print what was counted with
--print.
"""

import json
import mmap
import os
import struct
import sys
import tempfile
import unittest
import unittest.mock

PARENT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, PARENT)

# pylint: disable=wrong-import-position
from wire import Channel
from with_server import Server, preloading

TABLE = "Items"
REQUESTS = 200
ITEMS = 100
PATIENCE_SECONDS = 120


def key(number):
    return {"p": {"S": "customer#000001"}, "s": {"S": f"order#{number:08}"}}


def item(number):
    return key(number) | {"amount": {"N": f"{number}.25"}, "note": {"S": "n" * 140}, "owner": {"S": "owner#0001"},
                          "paid": {"BOOL": True}, "status": {"S": "SHIPPED"}, "version": {"N": "1"}}


def of_table(**more):
    return {"TableName": TABLE} | more


UPDATE = of_table(Key=key(1), UpdateExpression="SET version = version + :one, #s = :s",
                  ConditionExpression="attribute_exists(p) AND version > :zero", ReturnValues="UPDATED_NEW",
                  ExpressionAttributeNames={"#s": "status"},
                  ExpressionAttributeValues={":zero": {"N": "0"}, ":one": {"N": "1"}, ":s": {"S": "PACKED"}})
QUERY = of_table(KeyConditionExpression="p = :p", ExpressionAttributeValues={":p": {"S": "customer#000001"}})
PUTS = [{"PutRequest": {"Item": item(number)}} for number in range(25)]

# For each request: its operation and body, the most allocations, and the most bytes copied for each byte of the
# request's and the answer's bodies.
REQUEST_COSTS = {
    "GetItem": ("GetItem", of_table(Key=key(1)), 2.5, 2.3),
    "PutItem": ("PutItem", of_table(Item=item(1)), 5.5, 5),
    "UpdateItem": ("UpdateItem", UPDATE, 20.5, 4.3),
    "DeleteItem": ("DeleteItem", of_table(Key=key(ITEMS + 1)), 3.5, 6.5),
    "Query of 100": ("Query", QUERY, 16.5, 1.2),
    "BatchGetItem of 100": ("BatchGetItem", {"RequestItems": {TABLE: {"Keys": [key(n) for n in range(ITEMS)]}}}, 30.5, 1.3),
    "BatchWriteItem of 25": ("BatchWriteItem", {"RequestItems": {TABLE: PUTS}}, 122.5, 4),
}


class CountingServer:
    """A server whose counts can be read while it runs."""

    def __init__(self, binary, library, folder):
        path = os.path.join(folder, "counts")
        with open(path, "wb") as file:
            file.write(bytes(mmap.PAGESIZE))
        with open(path, "r+b") as file:
            self._shared = mmap.mmap(file.fileno(), mmap.PAGESIZE)
        with unittest.mock.patch.dict(os.environ, preloading(library, COUNT_MEMORY_FILE=path)):
            self.server = Server(binary, "memory", "--threads", "1")
            self.server.start()
        self.channel = Channel(self.server.port, PATIENCE_SECONDS, region="us-east-1")

    def counts(self):
        """Allocations, bytes allocated, copies, bytes copied."""
        return struct.unpack_from("4Q", self._shared)

    def ask(self, operation, body):
        self.channel.send(operation, body)
        status, answer, _ = self.channel.receive()
        assert status == 200, answer
        return len(answer)

    def stop(self):
        self.channel.close()
        self.server.stop()
        self.server.remove()


class RequestCosts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        cls.addClassCleanup(cls.folder.cleanup)
        cls.counting = CountingServer(BINARY, LIBRARY, cls.folder.name)
        cls.addClassCleanup(cls.counting.stop)
        cls.counting.ask("CreateTable", json.dumps(of_table(
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in "ps"],
            KeySchema=[{"AttributeName": "p", "KeyType": "HASH"}, {"AttributeName": "s", "KeyType": "RANGE"}])).encode())
        for number in range(ITEMS):
            cls.counting.ask("PutItem", json.dumps(of_table(Item=item(number))).encode())

    def measure(self, operation, body):
        """Allocations of a request, and bytes copied for a byte of its bodies, when the connection is warm."""
        text = json.dumps(body).encode()
        for _ in range(20):
            answered = self.counting.ask(operation, text)
        before = self.counting.counts()
        for _ in range(REQUESTS):
            self.counting.ask(operation, text)
        allocations, _, _, copied = (b - a for a, b in zip(before, self.counting.counts()))
        return allocations / REQUESTS, copied / REQUESTS / (len(text) + answered)

    def test_each_request(self):
        for name, (operation, body, most_allocations, most_copied) in REQUEST_COSTS.items():
            allocations, copied = self.measure(operation, body)
            if PRINTS:
                print(f"{name}: {allocations:.1f} allocations, {copied:.2f} bytes copied for a byte")
            with self.subTest(name):
                self.assertLessEqual(allocations, most_allocations)
                self.assertLessEqual(copied, most_copied)

    def test_that_something_is_counted(self):
        allocations, copied = self.measure("PutItem", of_table(Item=item(1)))
        self.assertGreater(allocations, 1)
        self.assertGreater(copied, 0.5)


if __name__ == "__main__":
    PRINTS = "--print" in sys.argv
    if PRINTS:
        sys.argv.remove("--print")
    LIBRARY = sys.argv.pop()
    BINARY = sys.argv.pop()
    unittest.main()
