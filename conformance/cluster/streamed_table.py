"""A table with everything on, which clients of all servers write and whose stream is read meanwhile.

Each item has one writer. Every acknowledged write must come once in the stream, those of an item in order. What the records
say must be what the table, its indexes and its counts say in the end, on every server.
"""

import os
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", folder) for folder in ("crash", "python")]

from checks import Change, Fault, Index, Replay, check_index, check_items  # noqa: E402
from cluster.any_server import AnyServer, AnyStreams  # noqa: E402
from streams import StreamConsumer  # noqa: E402
from wire import Lost, all_pages  # noqa: E402
from with_server import START_SECONDS  # noqa: E402

TABLE, TWIN = "Streamed", "Twin"
KEYS = 60  # of each writer
GROUPS = 7
BY_GROUP, BY_RANK = Index("ByGroup", "g"), Index("ByRank", "pk", "score")
_HASH, _RANGE = ({"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"})
CREATE = (
    {"TableName": TABLE, "BillingMode": "PAY_PER_REQUEST", "KeySchema": [_HASH, _RANGE],
     "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind}
                              for name, kind in (("pk", "S"), ("sk", "N"), ("g", "S"), ("score", "N"))],
     "GlobalSecondaryIndexes": [{"IndexName": BY_GROUP.name, "Projection": {"ProjectionType": "ALL"},
                                 "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}]}],
     "LocalSecondaryIndexes": [{"IndexName": BY_RANK.name, "Projection": {"ProjectionType": "ALL"},
                                "KeySchema": [_HASH, {"AttributeName": "score", "KeyType": "RANGE"}]}],
     "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}},
    {"TableName": TWIN, "BillingMode": "PAY_PER_REQUEST", "KeySchema": [_HASH, _RANGE],
     "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}]},
)


def read_change(record):
    body = record["dynamodb"]
    key = (body["Keys"]["pk"]["S"], body["Keys"]["sk"]["N"])
    return Change(key, int(body["SequenceNumber"]), body.get("OldImage"), body.get("NewImage"), "userIdentity" in record)


class Names:
    """Of writes: acknowledged and not yet in the stream, and the other way round. Thread-safe."""

    def __init__(self):
        self._lock = threading.Lock()
        self.awaited = {}  # with the time of the answer
        self.early = set()
        self.acknowledged = 0

    def acknowledge(self, name):
        with self._lock:
            self.acknowledged += 1
            if name in self.early:
                self.early.remove(name)
            else:
                self.awaited[name] = time.monotonic()

    def see(self, name):
        """Returns how long after its answer a write is seen: 0 if there is no answer yet."""
        with self._lock:
            answered = self.awaited.pop(name, None)
            if answered is None:
                self.early.add(name)
                return 0.0
        return time.monotonic() - answered


class Writer:
    """Writes the items of one partition, one request after the other; `rate` requests a second, or as many as it can."""

    def __init__(self, servers, number, names, rate=None, life=None):
        self.servers = servers
        self.random = servers.random
        self.partition = f"w{number}"
        self.names = names
        self.pause = 1 / rate if rate else 0
        self.life = life  # seconds that some items stay
        self.sort_keys = list(range(2 * KEYS))  # single ones, then those of transactions
        self.known = {}  # by sort key: the item or None
        self.requests = self.unknown = 0
        self.number = 0

    def run(self, stop):
        due = time.monotonic()
        while not stop.is_set():
            self.act()
            due = max(due + self.pause, time.monotonic() - 1)
            stop.wait(max(0, due - time.monotonic()))

    def act(self):
        kind = self.random.choices((self.put, self.update, self.delete, self.transact, self.get, self.query, self.read_pair),
                                   (30, 20, 8, 10, 12, 10, 10))[0]
        self.requests += 1
        try:
            place = self.random.randrange(KEYS) + (KEYS if kind in (self.transact, self.read_pair) else 0)
            kind(self.sort_keys[place])
        except Lost:
            self.unknown += 1

    def _key(self, number):
        return {"pk": {"S": self.partition}, "sk": {"N": str(number)}}

    def _new_item(self, number):
        self.number += 1
        item = self._key(number) | {"V": {"S": f"{self.partition}.{self.number}"}, "score": {"N": str(self.number)},
                                    "body": {"S": "x" * self.random.choice((10, 200, 900))}}
        if self.random.random() < 0.8:
            item["g"] = {"S": f"g{self.random.randrange(GROUPS)}"}
        if self.life and self.random.random() < 0.3:
            item["expires"] = {"N": str(int(time.time()) + self.life)}
        return item

    def _write(self, number, after, operation, **request):
        """A write without an answer may have its effect at any later moment: its key is not used again."""
        self.known.pop(number, None)
        try:
            self.servers.send(operation, **request)
        except Lost:
            self.sort_keys[self.sort_keys.index(number)] = max(self.sort_keys) + 1
            raise
        self.known[number] = after
        if after is not None:
            self.names.acknowledge(after["V"]["S"])

    def put(self, number):
        item = self._new_item(number)
        self._write(number, item, "PutItem", TableName=TABLE, Item=item)

    def update(self, number):
        item = self._new_item(number)
        values = {f":{name}": value for name, value in item.items() if name not in ("pk", "sk")}
        sets = ", ".join(f"{name[1:]} = {name}" for name in values)
        gone = [name for name in ("g", "expires") if name not in item]
        self._write(number, item, "UpdateItem", TableName=TABLE, Key=self._key(number), ExpressionAttributeValues=values,
                    UpdateExpression=f"SET {sets}" + (f" REMOVE {', '.join(gone)}" if gone else ""))

    def delete(self, number):
        self._write(number, None, "DeleteItem", TableName=TABLE, Key=self._key(number))

    def transact(self, number):
        """Writes to both tables alike."""
        item = {name: value for name, value in self._new_item(number).items() if name != "expires"}
        self._write(number, item, "TransactWriteItems", ClientRequestToken=item["V"]["S"], TransactItems=[
            {"Put": {"TableName": table, "Item": item}} for table in (TABLE, TWIN)])

    def _require(self, number, found, what):
        """What another server shows is what was acknowledged; some items expire."""
        if number not in self.known:
            return
        wanted = self.known[number]
        if found != wanted and not (found is None and "expires" in wanted):
            raise Fault(f"{what} of {self.partition}/{number} shows {found} instead of {wanted}")

    def get(self, number):
        answer = self.servers.send("GetItem", TableName=TABLE, Key=self._key(number), ConsistentRead=True)
        self._require(number, answer.get("Item"), "a reading")

    def query(self, number):
        """Each index shows what was acknowledged."""
        item = self.known.get(number)
        if item is None:
            return
        requests = [({"IndexName": BY_RANK.name, "KeyConditionExpression": "pk = :p AND score = :r"}, {":p": item["pk"], ":r": item["score"]})]
        if "g" in item:
            requests.append(({"IndexName": BY_GROUP.name, "KeyConditionExpression": "g = :g",
                              "FilterExpression": "V = :v"}, {":g": item["g"], ":v": item["V"]}))
        for request, values in requests:
            found = all_pages(self.servers, "Query", TableName=TABLE, ExpressionAttributeValues=values, **request)
            self._require(number, found[0] if found else None, f"index {request['IndexName']}")

    def read_pair(self, number):
        found = [one.get("Item") for one in self.servers.send("TransactGetItems", TransactItems=[
            {"Get": {"TableName": table, "Key": self._key(number)}} for table in (TABLE, TWIN)])["Responses"]]
        if found[0] != found[1]:
            raise Fault(f"half of a transaction was read: {found}")
        self._require(number, found[0], "a transaction")


class Reader:
    """Reads the stream, each request from any server."""

    def __init__(self, servers, arn, names):
        self.servers = servers
        self.names = names
        self.replay = Replay()
        self.records = self.expired = 0
        self.worst = 0.0  # seconds from the answer of a write to its record, or that one has been missing
        self._consumer = StreamConsumer(AnyStreams(servers), arn, read_change)

    def run(self, stop):
        while not stop.is_set():
            self.poll()
            stop.wait(0.05)

    def poll(self):
        changes = self._consumer.poll()
        for change in changes:
            self.records += 1
            self.expired += change.by_service
            self.replay.apply(change)
            if change.new is not None:
                self.worst = max(self.worst, self.names.see(change.new["V"]["S"]))
        for answered in list(self.names.awaited.values())[:1]:
            self.worst = max(self.worst, time.monotonic() - answered)
        return len(changes)

    def take_worst(self):
        worst, self.worst = self.worst, 0.0
        return worst

    def finish(self, find_difference):
        """After the last write: all acknowledged ones come within the time of a start. Deletions have no name."""
        deadline = time.monotonic() + START_SECONDS
        while self.names.awaited or find_difference():
            self.poll()
            if time.monotonic() > deadline:
                raise Fault(f"the stream lacks {list(self.names.awaited)[:10]} of {len(self.names.awaited)} writes; {find_difference()}")
            time.sleep(0.01)


class StreamedTable:
    """The tables, and the works for side_by_side: writers and a reader."""

    def __init__(self, ports, writers, rate=None, life=None):
        self.ports = list(ports)
        self.servers = AnyServer(self.ports, "main")
        for request in CREATE:
            self.servers.insist("CreateTable", ("ResourceInUseException",), **request)
        if life:
            self.servers.insist("UpdateTimeToLive", ("ValidationException",), TableName=TABLE, TimeToLiveSpecification={
                "AttributeName": "expires", "Enabled": True})
        arn = self.servers.insist("DescribeTable", TableName=TABLE)["Table"]["LatestStreamArn"]
        names = Names()
        self.names = names
        self.writers = [Writer(AnyServer(self.ports, f"writer {number}"), number, names, rate and rate / writers, life)
                        for number in range(writers)]
        self.reader = Reader(AnyServer(self.ports, "reader"), arn, names)

    @property
    def works(self):
        return [*(writer.run for writer in self.writers), self.reader.run]

    def check(self):
        """After the last write. All servers serve."""
        self.reader.finish(self._find_difference)
        for port in self.ports:
            self._check_server(port)

    def close(self):
        for servers in (self.servers, self.reader.servers, *(writer.servers for writer in self.writers)):
            servers.close()

    def _find_difference(self):
        """Between the stream and what was acknowledged."""
        for writer in self.writers:
            for number, item in writer.known.items():
                found = self.reader.replay.items.get((writer.partition, str(number)))
                if found != item and not (found is None and "expires" in item):
                    return f"the stream says that {writer.partition}/{number} is {found}, acknowledged was {item}"
        return None

    def _check_server(self, port):
        """Items may expire meanwhile: then it looks again."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            before = self.reader.records
            try:
                self._compare(port)
                return
            except Fault:
                if self.reader.poll() == 0 and before == self.reader.records and time.monotonic() > deadline - START_SECONDS + 5:
                    raise
                if time.monotonic() > deadline:
                    raise
            time.sleep(0.05)

    def _compare(self, port):
        one = _OneServer(self.servers, port)
        items = all_pages(one, "Scan", TableName=TABLE, ConsistentRead=True)
        check_items(self.reader.replay.items, {(item["pk"]["S"], item["sk"]["N"]): item for item in items})
        for index in (BY_GROUP, BY_RANK):
            check_index(items, all_pages(one, "Scan", TableName=TABLE, IndexName=index.name), index)
        table = one.send("DescribeTable", TableName=TABLE)["Table"]
        counts = [table["ItemCount"], table["GlobalSecondaryIndexes"][0]["ItemCount"]]
        if counts != [len(items), sum("g" in item for item in items)]:
            raise Fault(f"DescribeTable counts {counts}, but there are {len(items)} items")


class _OneServer:
    """Reads."""

    def __init__(self, servers, port):
        self._servers, self._port = servers, port

    def send(self, operation, **request):
        """Asks again where a kept connection has ended meanwhile."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                return self._servers.ask(self._port, operation, **request)
            except Lost:
                if time.monotonic() > deadline:
                    raise

