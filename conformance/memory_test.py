"""memory_test.py <binary> [--tls] [tests]: the memory of the process stays bounded under any load, and shrinks
afterwards.
"""

import gzip
import json
import pathlib
import re
import ssl
import sys
import tempfile
import threading
import time
import unittest
import urllib.request

from function_stand_in import FunctionStandIn
from wire import Connection, Refused, all_pages, open_socket
from with_server import Server

PATIENCE_SECONDS = 120
MEGABYTE = 1 << 20
TABLE = "Notes"
ITEM_SIZE = 390_000
FULL = "ItemCollectionSizeLimitExceededException"


def resident_megabytes(process, field="VmRSS"):
    text = pathlib.Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(text.partition(field + ":")[2].split()[0]) / 1024


def kernel_megabytes(port):
    """The bytes that wait to be sent or read in sockets of connections to this port, on both sides."""
    held = 0
    for line in pathlib.Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
        _, local, remote, _, queues = line.split()[:5]
        if port in (int(local.partition(":")[2], 16), int(remote.partition(":")[2], 16)):
            held += sum(int(queue, 16) for queue in queues.split(":"))
    return held / MEGABYTE


def head_of(operation, size, more=""):
    return (f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n"
            f"X-Amz-Target: DynamoDB_20120810.{operation}\r\nContent-Length: {size}\r\n{more}\r\n").encode()


def key_of(number):
    return {"Id": {"S": f"note {number}"}}


class MemoryTest(unittest.TestCase):
    def start(self, *flags, engine="memory"):
        self.server = Server(BINARY, engine, "--auth", "off", *(["--tls-self-signed"] if TLS else []), *flags)
        self.addCleanup(self.server.remove)
        self.server.errors = tempfile.TemporaryFile("w+")
        self.addCleanup(self.server.errors.close)
        self.server.start()
        self.connection = self.connect()
        self.connection.send("CreateTable", TableName=TABLE, BillingMode="PAY_PER_REQUEST",
                             AttributeDefinitions=[{"AttributeName": "Id", "AttributeType": "S"}],
                             KeySchema=[{"AttributeName": "Id", "KeyType": "HASH"}])

    def connect(self):
        connection = Connection(self.server.port, TLS)
        self.addCleanup(connection.close)
        return connection

    def log(self):
        self.server.errors.seek(0)
        return self.server.errors.read()

    def resident(self, field="VmRSS"):
        return resident_megabytes(self.server.process_id, field)

    def put(self, number, size=ITEM_SIZE, connection=None):
        (connection or self.connection).send("PutItem", TableName=TABLE,
                                             Item=key_of(number) | {"Text": {"S": "x" * size}})

    def eventually(self, what, condition):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.05)

    def flood(self, count, request):
        """Connections that sent this much of a request and wait."""
        clients = []
        for _ in range(count):
            try:
                client = open_socket(self.server.port, PATIENCE_SECONDS, TLS)
                self.addCleanup(client.close)
                clients.append(client)
                client.sendall(request)
            except ConnectionError:
                pass  # it was closed already
        return clients

    def scan_all(self):
        return len(all_pages(self.connection, "Scan", TableName=TABLE, ProjectionExpression="Id"))


class FullMemoryTest(MemoryTest):
    LIMIT = 200

    def fill(self, worker, item_size, refusals):
        connection = self.connect()
        number = refused = 0
        while refused < 5:  # in succession: others may have left a little room
            number += 1
            try:
                self.put(f"{worker}.{number}", item_size, connection)
                refused = 0
            except Refused as refusal:
                refusals.append(refusal)
                refused += 1
                time.sleep(0.1)

    def fill_from_many_clients(self, item_size):
        refusals = []
        fillers = [threading.Thread(target=self.fill, args=(worker, item_size, refusals)) for worker in range(4)]
        for filler in fillers:
            filler.start()
        for filler in fillers:
            filler.join()
        self.assertEqual({(refusal.status, refusal.type) for refusal in refusals}, {(400, FULL)})
        self.assertIn("--memory-limit-mb", refusals[0].body["message"])

    def test_writes_end_before_the_limit_and_go_on_after_deletions(self):
        self.start("--memory-limit-mb", str(self.LIMIT))
        self.fill_from_many_clients(ITEM_SIZE)
        self.assertLess(self.resident("VmHWM"), self.LIMIT)
        self.assertGreater(self.resident(), self.LIMIT * 0.87)
        self.connection = self.connect()  # the first one may have been idle for too long
        self.expect_refused_additions()
        # Reads and calls that add nothing still work.
        count = self.scan_all()
        keys = all_pages(self.connection, "Scan", TableName=TABLE, ProjectionExpression="Id")
        self.connection.send("UpdateItem", TableName=TABLE, Key=keys[0], UpdateExpression="REMOVE #t",
                             ExpressionAttributeNames={"#t": "Text"})
        self.connection.send("TransactWriteItems", TransactItems=[
            {"Delete": {"TableName": TABLE, "Key": key}} for key in keys[:20]])
        for start in range(20, count, 25):
            self.connection.send("BatchWriteItem", RequestItems={
                TABLE: [{"DeleteRequest": {"Key": key}} for key in keys[start:start + 25]]})
        self.assertEqual(self.scan_all(), 0)
        self.eventually("writes are accepted again", self.takes_writes)
        # One line for each change. Memory that goes back to the system may allow a few writes in between.
        log = self.log()
        turns = re.findall("writes that add data are refused|writes are accepted again", log)
        self.assertEqual(turns, ["writes that add data are refused", "writes are accepted again"] * (len(turns) // 2), log)
        self.assertIn(len(turns), range(2, 10), log)

    def takes_writes(self):
        try:
            self.put("again")
            return True
        except Refused as refusal:
            self.assertEqual(refusal.type, FULL)
            return False

    def expect_refused_additions(self):
        def item(attempt):
            return {"Id": {"S": f"more{attempt}"}, "Text": {"S": "x" * ITEM_SIZE}}

        for operation, request, error in [
                ("PutItem", lambda attempt: {"TableName": TABLE, "Item": item(attempt)}, FULL),
                ("BatchWriteItem", lambda attempt: {
                    "RequestItems": {TABLE: [{"PutRequest": {"Item": item(attempt)}}]}}, FULL),
                ("ExecuteStatement", lambda attempt: {
                    "Statement": f"INSERT INTO {TABLE} VALUE {{'Id': 'text{attempt}', 'Text': 'text'}}"}, FULL),
                ("TransactWriteItems", lambda attempt: {
                    "TransactItems": [{"Put": {"TableName": TABLE, "Item": item(attempt)}}]},
                 "TransactionCanceledException"),
                ("CreateTable", lambda attempt: {
                    "TableName": f"Another{attempt}", "BillingMode": "PAY_PER_REQUEST",
                    "AttributeDefinitions": [{"AttributeName": "Id", "AttributeType": "S"}],
                    "KeySchema": [{"AttributeName": "Id", "KeyType": "HASH"}]}, "LimitExceededException")]:
            refusal = self.refusal_of(operation, request)
            self.assertEqual(refusal.type, error, refusal)
            self.assertIn("--memory-limit-mb" if error != "TransactionCanceledException" else
                          "[ItemCollectionSizeLimitExceeded]", json.dumps(refusal.body))

    def refusal_of(self, operation, request):
        """Memory that goes back to the system leaves a little room at times; the test fills it again."""
        for attempt in range(5):
            try:
                self.connection.send(operation, **request(attempt))
            except Refused as refusal:
                return refusal
            self.fill(f"{operation}{attempt}", ITEM_SIZE, [])
        return self.fail(f"{operation} is taken")

    def test_deleting_the_table_frees_what_small_items_took(self):
        self.start("--memory-limit-mb", str(self.LIMIT))
        self.fill_from_many_clients(2_000)
        self.assertLess(self.resident("VmHWM"), self.LIMIT)
        self.connection = self.connect()  # the first one may have been idle for too long
        self.connection.send("DeleteTable", TableName=TABLE)
        self.eventually("a table can be made again", self.can_create)
        self.put("again")

    def can_create(self):
        try:
            self.connection.send("CreateTable", TableName=TABLE, BillingMode="PAY_PER_REQUEST",
                                 AttributeDefinitions=[{"AttributeName": "Id", "AttributeType": "S"}],
                                 KeySchema=[{"AttributeName": "Id", "KeyType": "HASH"}])
            return True
        except Refused as refusal:
            self.assertEqual(refusal.type, "LimitExceededException")
            return False


class SlowClientsTest(MemoryTest):
    def setUp(self):
        self.start("--held-memory-mb", "128")
        for number in range(45):
            self.put(number)

    def batch_get(self):
        keys = [key_of(number) for number in range(45)]
        return self.connection.send("BatchGetItem", RequestItems={TABLE: {"Keys": keys}})

    def test_slow_readers_lose_their_own_connections_only(self):
        body = json.dumps({"TableName": TABLE}).encode()
        at_first, kernel_at_first = self.resident(), kernel_megabytes(self.server.port)
        clients = self.flood(600, head_of("Scan", len(body)) + body)
        for _ in range(10):
            self.assertEqual(len(self.connection.send("Scan", TableName=TABLE)["Items"]), 3)
        for _ in range(5):
            self.assertEqual(sum(map(len, self.batch_get()["Responses"].values())), 43)
        # 128 MB, a quarter more for answers, those being made, and holes between them.
        self.assertLess(self.resident("VmHWM") - at_first, 400)
        self.assertLess(kernel_megabytes(self.server.port) - kernel_at_first, 200)
        self.eventually("the log tells of it", lambda: "slow client" in self.log())
        self.assertLess(self.log().count("slow client"), 60)
        for client in clients:
            client.close()
        self.eventually("memory goes back", lambda: self.resident() < at_first + 80)

    def test_half_requests_are_evicted_for_whole_ones(self):
        at_first = self.resident()
        body = b" " * 300_000
        clients = self.flood(800, head_of("PutItem", 400_000) + body)
        self.put("small", 100)
        time.sleep(3)  # until then all the others have moved of late
        self.put("whole")
        self.assertLess(self.resident("VmHWM") - at_first, 400)
        for client in clients:
            client.close()
        self.eventually("memory goes back", lambda: self.resident() < at_first + 80)

    def test_half_heads_are_counted(self):
        at_first = self.resident()
        head = b"POST /?" + b"x" * 15_000 + b" HTTP/1.1\r\nAuthorization: " + b"x" * 15_000
        clients = self.flood(2_500, head + b"\r\nX-Amz-Date:")
        self.put("whole")
        self.assertLess(self.resident("VmHWM") - at_first, 400)
        for client in clients:
            client.close()
        self.eventually("memory goes back", lambda: self.resident() < at_first + 80)


class FunctionsTest(MemoryTest):
    CALLS = 30
    MOST_CALLS = 64  # at a time
    ITEMS = 150
    ANSWER = b'{"a":[' + b"1," * 2_900_000 + b'0],"errorMessage":1}'

    def test_long_answers_of_functions_are_read_one_at_a_time(self):
        """Each takes ten times its size while it is read."""
        functions = FunctionStandIn()
        functions.start()
        self.addCleanup(functions.stop)
        all_run = threading.Event()

        def answer(*_):
            if len(functions.calls) >= self.CALLS:
                all_run.set()
            all_run.wait(PATIENCE_SECONDS)
            return 200, {}, self.ANSWER

        functions.answer = answer
        with tempfile.NamedTemporaryFile("w", suffix=".json") as mappings:
            json.dump({"Endpoint": functions.url, "EventSourceMappings": [
                {"FunctionName": f"f{number}", "TableName": TABLE, "StartingPosition": "TRIM_HORIZON",
                 "ParallelizationFactor": 10, "FunctionResponseTypes": ["ReportBatchItemFailures"]}
                for number in range(3)]}, mappings)
            mappings.flush()
            self.start("--event-sources", mappings.name, "--partitions=4")
        self.connection.send("UpdateTable", TableName=TABLE,
                             StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
        before = self.resident()
        for number in range(self.ITEMS):
            self.put(number, size=1)
        self.eventually("a call for each lane", lambda: len(functions.calls) >= self.CALLS)
        for name in ("f0", "f1", "f2"):
            self.eventually(f"what {name} answers is read", lambda name=name: self.delivered_to(name) == self.ITEMS)
        held = self.MOST_CALLS * len(self.ANSWER) / MEGABYTE
        self.assertLess(self.resident("VmHWM"), before + held + 150)

    def delivered_to(self, function):
        context = ssl.create_default_context(cafile=self.server.authority) if TLS else None
        with urllib.request.urlopen(f"{self.server.endpoint}/metrics", context=context) as page:
            lines = page.read().decode().splitlines()
        return sum(float(line.rpartition(" ")[2]) for line in lines
                   if f'"{function}"' in line and 'result="delivered"' in line)


class LargeRequestsTest(MemoryTest):
    def test_inflated_requests_run_as_memory_allows(self):
        """A request of 16 MB, 28 KB as sent, takes more than 100 MB while it runs."""
        self.start("--fsync", engine="disk")
        at_first = self.resident()
        body = gzip.compress(b'{"TableName":"' + TABLE.encode() + b'","Item":{"Id":{"S":"a"},"L":{"L":[' +
                             b'{"N":"1"},' * 1_590_000 + b'{"N":"1"}]}}}')
        clients = self.flood(8, head_of("PutItem", len(body), "Content-Encoding: gzip\r\n") + body)
        for client in clients:
            client.settimeout(5 * PATIENCE_SECONDS)
            client.recv(1 << 16)
        self.assertLess(self.resident("VmHWM") - at_first, 600)
        self.eventually("memory goes back", lambda: self.resident() < at_first + 100)


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    TLS = "--tls" in sys.argv
    if TLS:
        sys.argv.remove("--tls")
    unittest.main(verbosity=2)
