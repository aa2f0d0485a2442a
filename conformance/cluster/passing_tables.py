"""Tables and indexes that are made and dropped on any of the servers that share a store, while clients write to them."""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "crash"))

from checks import Fault, Index, check_index  # noqa: E402
from cluster.any_server import AnyServer  # noqa: E402
from side_by_side import side_by_side  # noqa: E402
from wire import Lost, Refused, all_pages  # noqa: E402
from with_server import START_SECONDS  # noqa: E402

KEYS = 40  # of each writer
GROUPS = 5
WRITERS = 2
PATIENCE_SECONDS = 10  # longer than any server stops: a request without an answer then cannot begin later
BY_GROUP = Index("ByGroup", "g")
HASH = [{"AttributeName": "pk", "KeyType": "HASH"}]
ATTRIBUTES = [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "g")]
INDEX = {"IndexName": BY_GROUP.name, "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}
GONE = "ResourceNotFoundException"


class PassingTable:
    """One life after the other of a table of this name, each with an index that is made, and sometimes dropped."""

    def __init__(self, ports, name, pause=0.0):
        self.ports = list(ports)
        self.name = name
        self.pause = pause  # seconds between two lives
        self.lives = self.indexes = self.writes = 0
        self._unknown = 0  # writes without an answer, in this life
        self._servers = AnyServer(self.ports, name, PATIENCE_SECONDS)
        self._random = self._servers.random

    def run(self, stop):
        try:
            while not stop.is_set():
                self.live()
                stop.wait(self.pause)
        finally:
            self._servers.close()
            self.name += "x"  # what failed stays as it is

    def live(self):
        self._unknown = 0
        key = {"TableName": self.name, "KeySchema": HASH, "BillingMode": "PAY_PER_REQUEST"}
        stream = {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}} if self._random.random() < 0.3 else {}
        self._servers.insist("CreateTable", ("ResourceInUseException",), AttributeDefinitions=ATTRIBUTES[:1], **key, **stream)
        self._ask_all(None, "DescribeTable", TableName=self.name)
        with side_by_side([self._writes(f"{self.name} {number}") for number in range(WRITERS)]):
            self._make_index()
        self._check()
        if self._random.random() < 0.5:
            self._drop_index()
        self._servers.insist("DeleteTable", (GONE,), TableName=self.name)
        item = {"pk": {"S": "late"}}
        for operation, request in (("DescribeTable", {}), ("GetItem", {"Key": item}), ("PutItem", {"Item": item}), ("Scan", {})):
            self._ask_all(GONE, operation, TableName=self.name, **request)
        self.lives += 1

    def _ask_all(self, error, operation, **request):
        """Each server that answers gives this error; None: it succeeds."""
        for port in self._random.sample(self.ports, len(self.ports)):
            try:
                self._servers.ask(port, operation, **request)
                found = None
            except Refused as refused:
                found = refused.type
            except Lost:
                continue
            if found != error:
                raise Fault(f"{operation} of {self.name} was answered {found or 'well'} where {error or 'success'} is right")

    def _writes(self, name):
        """A writer of its own keys, as a work for side_by_side."""
        def run(stop):
            servers = AnyServer(self.ports, name, PATIENCE_SECONDS)
            count = 0
            while not stop.is_set() or count < KEYS:
                count += 1
                self.writes += 1
                try:
                    self._write(servers, {"pk": {"S": f"{name}.{servers.random.randrange(KEYS)}"}}, count)
                except Lost:
                    self._unknown += 1
                stop.wait(self.pause / 100)
            servers.close()

        return run

    def _write(self, servers, key, count):
        kind = servers.random.random()
        group = {"S": f"g{servers.random.randrange(GROUPS)}"}
        if kind < 0.6:
            servers.send("PutItem", TableName=self.name, Item=key | {"g": group, "n": {"N": str(count)}})
        elif kind < 0.8:
            servers.send("UpdateItem", TableName=self.name, Key=key, UpdateExpression="SET g = :g", ExpressionAttributeValues={":g": group})
        else:
            servers.send("DeleteItem", TableName=self.name, Key=key)

    def _await_index(self, wanted):
        """What one server says of an index, all do as soon as it is asked for."""
        deadline = time.monotonic() + START_SECONDS
        while self._index_status() != wanted:
            if time.monotonic() > deadline:
                raise Fault(f"the index of {self.name} does not become {wanted}")
            time.sleep(0.005)

    def _index_status(self):
        """Of the table's index, on any server; None: there is none."""
        indexes = self._servers.insist("DescribeTable", TableName=self.name)["Table"].get("GlobalSecondaryIndexes", ())
        return indexes[0]["IndexStatus"] if indexes else None

    def _change_index(self, wanted, **change):
        """An attempt without an answer may have been carried out, or be under way."""
        self._servers.insist("UpdateTable", ("ResourceInUseException", "ValidationException", "LimitExceededException", GONE),
                             TableName=self.name, AttributeDefinitions=ATTRIBUTES, GlobalSecondaryIndexUpdates=[change])
        self._await_index(wanted)

    def _make_index(self):
        self._change_index("ACTIVE", Create=INDEX)
        self.indexes += 1

    def _drop_index(self):
        self._change_index(None, Delete={"IndexName": BY_GROUP.name})

    def _check(self):
        """No request is under way. A write without an answer may have its effect a little later."""
        deadline = time.monotonic() + START_SECONDS * bool(self._unknown)
        while True:
            try:
                return self._compare()
            except Fault:
                if time.monotonic() > deadline:
                    raise
            time.sleep(0.05)

    def _compare(self):
        """Every server that answers shows the same items, entries and counts."""
        items = self._read_alike({})
        check_index(items, self._read_alike({"IndexName": BY_GROUP.name}), BY_GROUP)
        for port in self.ports:
            try:
                table = self._servers.ask(port, "DescribeTable", TableName=self.name)["Table"]
            except Lost:
                continue
            counts = [table["ItemCount"], table["GlobalSecondaryIndexes"][0]["ItemCount"]]
            if counts != [len(items)] * 2:
                raise Fault(f"{self.name} has {len(items)} items, but DescribeTable counts {counts}")

    def _read_alike(self, request):
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                return all_pages(self._servers, "Scan", TableName=self.name, **request)
            except Lost:
                if time.monotonic() > deadline:
                    raise
