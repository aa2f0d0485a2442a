"""vectors_test.py <binary>: searches of vector indexes against a look at all items.

Clients write vectors while the server is killed again and again. After each start every search finds what the items that
are there say, by all three distance functions, by HASH values and inline filters, also where an index is added or removed
meanwhile. What was acknowledged is there. The files that a close leaves are right, or not read.
"""

import math
import pathlib
import random
import struct
import sys
import threading
import time
import unittest

from wire import Connection, Lost, Refused, all_pages
from with_server import Server

BINARY = sys.argv[1]
TABLE = "Vectors"
DIMENSIONS = 7
ROUNDS = 4
CLIENTS = 3
FUNCTIONS = ("COSINE", "DOT_PRODUCT", "EUCLIDEAN")


def rounded(number):
    return struct.unpack("f", struct.pack("f", number))[0]


def score(function, query, vector):
    dot = math.fsum(a * b for a, b in zip(query, vector))
    if function == "DOT_PRODUCT":
        return dot
    if function == "EUCLIDEAN":
        return math.dist(query, vector)
    return 1 - dot / math.sqrt(math.fsum(a * a for a in query) * math.fsum(b * b for b in vector))


def numbers(vector):
    return [{"N": repr(number)} for number in vector]


def index(function, name=None, **more):
    return {"IndexName": name or function, "VectorAttribute": {"AttributeName": "e"}, "Dimensions": DIMENSIONS,
            "DistanceFunction": function, "Projection": {"ProjectionType": "KEYS_ONLY"}, **more}


def random_vector(draw):
    # Never all zeros; rounded already, so that the test's own numbers are those of the index.
    return [rounded(draw.uniform(-1, 1)) for _ in range(DIMENSIONS - 1)] + [1.0]


class VectorsTest(unittest.TestCase):
    def start(self, engine):
        self.server = Server(BINARY, engine, "--auth", "off")
        self.addCleanup(self.server.remove)
        self.server.start()
        connection = self.connect()
        parted = index("EUCLIDEAN", "parted", SearchSchema=[
            {"AttributeName": "tenant", "SearchSchemaElementType": "HASH"},
            {"AttributeName": "color", "SearchSchemaElementType": "INLINE_FILTER"}])
        connection.send("CreateTable", TableName=TABLE, BillingMode="PAY_PER_REQUEST",
                        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"}
                                              for name in ("pk", "tenant", "color")],
                        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                        VectorIndexes=[*(index(function) for function in FUNCTIONS), parted])
        connection.close()

    def connect(self):
        connection = Connection(self.server.port)
        self.addCleanup(connection.close)
        return connection

    def items(self, connection):
        found = {}
        for item in all_pages(connection, "Scan", TableName=TABLE, ConsistentRead=True):
            vector = [float(element["N"]) for element in item["e"]["L"]] if "e" in item else None
            found[item["pk"]["S"]] = (vector, item.get("tenant", {}).get("S"), item.get("color", {}).get("S"))
        return found

    def search(self, connection, name, query, count, **more):
        answer = connection.send("SearchVectors", TableName=TABLE, IndexName=name, SearchVector=numbers(query),
                                 TopK=count, **more)
        return [(result["Item"]["pk"]["S"], result["Score"]) for result in answer["SearchResults"]]

    def compare(self, connection, name, function, items, wanted, **more):
        query = random_vector(random)
        count = random.randint(1, 100)
        scores = {key: score(function, query, vector) for key, (vector, *rest) in items.items()
                  if vector and wanted(*rest)}
        best = sorted(scores.values(), reverse=function == "DOT_PRODUCT")[:count]
        found = self.search(connection, name, query, count, **more)
        self.assertEqual(len(found), len(best))
        self.assertEqual(len({key for key, _ in found}), len(found))
        for (key, told), expected in zip(found, best):
            self.assertAlmostEqual(told, expected, delta=1e-5)
            self.assertAlmostEqual(scores[key], told, delta=1e-5)

    def compare_all(self, connection):
        items = self.items(connection)
        for function in FUNCTIONS:
            self.compare(connection, function, function, items, lambda *_: True)
        for tenant in ("a", "b"):
            values = {":t": {"S": tenant}}
            self.compare(connection, "parted", "EUCLIDEAN", items, lambda its, _, tenant=tenant: its == tenant,
                         SearchConditionExpression="tenant = :t", ExpressionAttributeValues=values)
            self.compare(connection, "parted", "EUCLIDEAN", items,
                         lambda its, color, tenant=tenant: (its, color) == (tenant, "red"),
                         SearchConditionExpression="color = :c AND tenant = :t",
                         ExpressionAttributeValues={**values, ":c": {"S": "red"}})
        return items

    def write(self, client, acknowledged, end):
        """Writes its own items until the server is gone. `acknowledged` gets the last state of each."""
        draw = random.Random(client * 1_000 + len(acknowledged))
        try:
            connection = self.connect()
            while not end.is_set():
                key = f"{client}-{draw.randrange(200)}"
                acknowledged.pop(key, None)  # unknown until it is answered
                if draw.random() < 0.2:
                    connection.send("DeleteItem", TableName=TABLE, Key={"pk": {"S": key}})
                    acknowledged[key] = None
                    continue
                item = {"pk": {"S": key}, "color": {"S": draw.choice(("red", "blue"))}}
                vector = random_vector(draw)
                if draw.random() < 0.9:
                    item["e"] = {"L": numbers(vector)}
                if draw.random() < 0.8:
                    item["tenant"] = {"S": draw.choice("ab")}
                connection.send("PutItem", TableName=TABLE, Item=item)
                acknowledged[key] = vector if "e" in item else ()
        except Lost:
            pass

    def check_acknowledged(self, items, written):
        for acknowledged in written:
            for key, vector in acknowledged.items():
                if vector is None:
                    self.assertNotIn(key, items)
                else:
                    self.assertEqual(items[key][0] or (), vector)

    def test_over_kills(self):
        self.start("disk")
        written = [{} for _ in range(CLIENTS)]
        for turn in range(ROUNDS):
            end = threading.Event()
            clients = [threading.Thread(target=self.write, args=(client, written[client], end))
                       for client in range(CLIENTS)]
            for client in clients:
                client.start()
            connection = self.connect()
            if turn % 2 == 0:  # existing items are added to a new index meanwhile
                connection.send("UpdateTable", TableName=TABLE,
                                VectorIndexUpdates=[{"Create": index("COSINE", f"later{turn}")}])
            deadline = time.monotonic() + 0.8
            while time.monotonic() < deadline:
                self.search(connection, "EUCLIDEAN", random_vector(random), 10)
            self.server.kill()
            end.set()
            for client in clients:
                client.join()
            self.server.start()
            connection = self.connect()
            items = self.compare_all(connection)
            self.check_acknowledged(items, written)
            if turn % 2 == 0:
                self.wait_for_index(connection, f"later{turn}")
                self.compare(connection, f"later{turn}", "COSINE", items, lambda *_: True)
                connection.send("UpdateTable", TableName=TABLE,
                                VectorIndexUpdates=[{"Delete": {"IndexName": f"later{turn}"}}])
            connection.close()

    def test_many_after_a_kill(self):
        """So many vectors that several threads read them; each search finds the same ones before a kill and after it."""
        dimensions = 256
        self.start("disk")
        connection = self.connect()
        connection.send("CreateTable", TableName="Many", BillingMode="PAY_PER_REQUEST",
                        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
                        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                        VectorIndexes=[{**index(function), "Dimensions": dimensions} for function in FUNCTIONS])
        draw = random.Random(11)

        def vector():
            return {"L": [{"N": repr(draw.gauss(0, 1))} for _ in range(dimensions)]}

        def put(keys):
            for first in range(0, len(keys), 25):
                connection.send("BatchWriteItem", RequestItems={"Many": [
                    {"PutRequest": {"Item": {"pk": {"S": str(key)}, "e": vector()}}} for key in keys[first:first + 25]]})

        def found():
            return [connection.send("SearchVectors", TableName="Many", IndexName=function, SearchVector=query["L"],
                                    TopK=100)["SearchResults"] for function in FUNCTIONS for query in queries]

        queries = [vector() for _ in range(2)]
        put(range(1_500))
        for turn in range(3):
            found()
            put(draw.sample(range(1_600), 50))  # new ones and updates
            for key in draw.sample(range(1_500), 40):
                connection.send("DeleteItem", TableName="Many", Key={"pk": {"S": str(key)}})
            for key in draw.sample(range(1_500), 40):
                connection.send("UpdateItem", TableName="Many", Key={"pk": {"S": str(key)}}, UpdateExpression="REMOVE e")
            before = found()
            if turn % 2 == 0:
                self.server.kill()
            else:
                self.server.ask_to_stop()
                self.assertEqual(self.server.wait(), 0)
            connection.close()
            self.server.start()
            connection = self.connect()
            self.assertEqual(found(), before)
        connection.close()

    def test_files_of_a_close(self):
        """A start trusts no file that a killed close, a damage or another close left: each search is right."""
        self.start("disk")
        connection = self.connect()
        draw = random.Random(5)

        def write(count):
            for _ in range(count):
                key = f"0-{draw.randrange(400)}"
                if draw.random() < 0.1:
                    connection.send("DeleteItem", TableName=TABLE, Key={"pk": {"S": key}})
                    continue
                connection.send("PutItem", TableName=TABLE, Item={
                    "pk": {"S": key}, "color": {"S": draw.choice(("red", "blue"))}, "tenant": {"S": draw.choice("ab")},
                    "e": {"L": numbers(random_vector(draw))}})

        def end(seconds=None):
            """Asks the server to end, and kills it after that time if it has not; the time that it took."""
            connection.close()
            begun = time.monotonic()
            self.server.ask_to_stop()
            if seconds is not None:
                time.sleep(seconds)
                self.server.kill()
            elif self.server.wait() != 0:
                self.fail("the server did not end cleanly")
            return time.monotonic() - begun

        folder = pathlib.Path(self.server.data_folder, "computed")
        write(600)
        took = end()
        self.assertEqual(len(list(folder.iterdir())), 4)
        before = None
        for turn in range(12):
            files = sorted(folder.iterdir()) if folder.exists() else []
            if turn % 4 == 1:  # each file has one wrong byte
                for file in files:
                    content = bytearray(file.read_bytes())
                    content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
                    file.write_bytes(content)
            if turn % 4 == 3 and before:  # the files are those of an earlier close
                for name, content in before.items():
                    (folder / name).write_bytes(content)
            self.server.start()
            connection = self.connect()
            if turn % 3 == 0:
                write(30)
            self.compare_all(connection)
            write(50)
            if turn % 2 == 0:
                before = None
                end(took * turn / 10)
            else:
                end()
                before = {file.name: file.read_bytes() for file in folder.iterdir()}
        self.server.start()
        connection = self.connect()
        self.compare_all(connection)
        connection.close()

    def wait_for_index(self, connection, name):
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            table = connection.send("DescribeTable", TableName=TABLE)["Table"]
            status = {each["IndexName"]: each["IndexStatus"] for each in table["VectorIndexes"]}[name]
            if status == "ACTIVE":
                return
            time.sleep(0.01)
        self.fail(f"{name} did not become ACTIVE")

    def test_in_memory(self):
        self.start("memory")
        end = threading.Event()
        written = [{} for _ in range(CLIENTS)]
        clients = [threading.Thread(target=self.write, args=(client, written[client], end))
                   for client in range(CLIENTS)]
        for client in clients:
            client.start()
        time.sleep(1)
        end.set()
        for client in clients:
            client.join()
        connection = self.connect()
        for _ in range(5):
            self.check_acknowledged(self.compare_all(connection), written)

    def test_long_searches_are_in_nobodys_way(self):
        """Vectors of 4,096 dimensions, searched all the time: a small read takes no longer than ever."""
        self.server = Server(BINARY, "memory", "--auth", "off")
        self.addCleanup(self.server.remove)
        self.server.start()
        connection = self.connect()
        connection.send("CreateTable", TableName=TABLE, BillingMode="PAY_PER_REQUEST",
                        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
                        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                        VectorIndexes=[{**index("EUCLIDEAN"), "Dimensions": 4_096}])
        vector = [{"N": str(i % 7)} for i in range(4_096)]
        for key in range(500):
            connection.send("PutItem", TableName=TABLE, Item={"pk": {"S": str(key)}, "e": {"L": vector}})
        end = threading.Event()

        def search():
            own = self.connect()
            while not end.is_set():
                found = own.send("SearchVectors", TableName=TABLE, IndexName="EUCLIDEAN", SearchVector=vector, TopK=3)
                self.assertEqual([result["Score"] for result in found["SearchResults"]], [0, 0, 0])

        searchers = [threading.Thread(target=search) for _ in range(4)]
        for searcher in searchers:
            searcher.start()
        for key in range(200):
            connection.send("GetItem", TableName=TABLE, Key={"pk": {"S": str(key)}}, ProjectionExpression="pk")
        end.set()
        for searcher in searchers:
            searcher.join()
        with self.assertRaises(Refused):
            connection.send("SearchVectors", TableName=TABLE, IndexName="EUCLIDEAN", SearchVector=vector[1:], TopK=3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
