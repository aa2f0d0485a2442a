"""metrics_test.py <binary> <docs folder>: the server's metrics, over HTTP."""

import concurrent.futures
import gzip
import http.client
import json
import os
import pathlib
import re
import socket
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

from wire import Connection, Refused
from with_server import Server, preloading

TABLE = {"BillingMode": "PAY_PER_REQUEST",
         "AttributeDefinitions": [{"AttributeName": "Id", "AttributeType": "S"},
                                  {"AttributeName": "Kind", "AttributeType": "S"}],
         "KeySchema": [{"AttributeName": "Id", "KeyType": "HASH"}]}
INDEX = {"IndexName": "ByKind", "KeySchema": [{"AttributeName": "Kind", "KeyType": "HASH"}],
         "Projection": {"ProjectionType": "ALL"}}
SIMPLE = TABLE | {"AttributeDefinitions": TABLE["AttributeDefinitions"][:1]}

# Prometheus's documentation, "Exposition formats", "Text-based format".
NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"'
SAMPLE = re.compile(rf"({NAME})(?:\{{((?:{LABEL},?)*)\}})? ([0-9.eE+-]+|\+Inf|NaN)")
SUFFIXES = {"histogram": ("_bucket", "_sum", "_count")}


class Malformed(Exception):
    pass


def parse(text):
    """The samples of a page, by name and labels, and the type of each family. As strict as the form is."""
    types, helps, samples, family = {}, set(), {}, None
    if not text.endswith("\n"):
        raise Malformed("the last line does not end")
    for line in text[:-1].split("\n"):
        if line.startswith("# HELP "):
            name, _, told = line[7:].partition(" ")
            if name in helps or not told:
                raise Malformed(line)
            helps.add(name)
        elif line.startswith("# TYPE "):
            name, _, kind = line[7:].partition(" ")
            if name in types or kind not in ("counter", "gauge", "histogram"):
                raise Malformed(line)
            types[name], family = kind, name
        else:
            match = SAMPLE.fullmatch(line)
            if not match or not family:
                raise Malformed(line)
            name = match[1]
            if name not in [family + suffix for suffix in SUFFIXES.get(types[family], ("",))]:
                raise Malformed(f"{line} is none of {family}")
            labels = tuple(sorted((found[0], found[1]) for found in re.findall(LABEL, match[2] or "")))
            if (name, labels) in samples:
                raise Malformed(f"{line} comes twice")
            samples[name, labels] = float(match[5])
    check_histograms(types, samples)
    return samples, types


def check_histograms(types, samples):
    series = {}
    for (name, labels), value in samples.items():
        if types.get(name.removesuffix("_bucket")) == "histogram":
            others = tuple(label for label in labels if label[0] != "le")
            series.setdefault((name, others), []).append((float(dict(labels)["le"]), value))
    for (name, labels), buckets in series.items():
        buckets.sort()
        counts = [count for _, count in buckets]
        if counts != sorted(counts) or buckets[-1][0] != float("inf"):
            raise Malformed(f"{name} {labels}")
        if samples[name.removesuffix("_bucket") + "_count", labels] != counts[-1]:
            raise Malformed(f"{name} {labels}: not its count")


class MetricsTest(unittest.TestCase):
    def start(self, engine="memory", *flags):
        self.server = Server(BINARY, engine, "--auth=off", *flags)
        self.addCleanup(self.server.remove)
        self.server.errors = tempfile.TemporaryFile("w+")
        self.addCleanup(self.server.errors.close)
        self.server.start()
        self.connection = self.connect()

    def connect(self):
        connection = Connection(self.server.port)
        self.addCleanup(connection.close)
        return connection

    def ask(self, path, method="GET", **headers):
        client = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        try:
            client.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
            answer = client.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            client.close()

    def samples(self):
        status, headers, body = self.ask("/metrics")
        self.assertEqual(status, 200)
        self.assertTrue(headers["Content-Type"].startswith("text/plain; version=0.0.4"))
        return parse(body.decode())[0]

    def wait_for(self, name, value, **labels):
        deadline = time.monotonic() + 120
        while True:
            found = self.samples().get((name, tuple(sorted(labels.items()))))
            if found == value or time.monotonic() > deadline:
                self.assertEqual(found, value, f"{name} {labels}")
                return
            time.sleep(0.05)

    def test_it_counts_what_was_done(self):
        for engine in ("memory", "disk"):
            with self.subTest(engine):
                self.start(engine)
                self.connection.send("CreateTable", TableName="Notes", **TABLE, GlobalSecondaryIndexes=[INDEX],
                                     StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
                for number in range(30):
                    self.connection.send("PutItem", TableName="Notes",
                                         Item={"Id": {"S": str(number)}, "Kind": {"S": "a"}})
                for number in range(20):
                    self.connection.send("GetItem", TableName="Notes", Key={"Id": {"S": str(number)}})
                for _ in range(7):
                    with self.assertRaises(Refused):
                        self.connection.send("GetItem", TableName="Nothing", Key={"Id": {"S": "a"}})
                self.wait_for("magneto_index_items", 30, table="Notes", index="ByKind")
                self.wait_for("magneto_index_changes_behind", 0, table="Notes", index="ByKind")
                samples = self.samples()

                def value(name, **labels):
                    return samples[name, tuple(sorted(labels.items()))]

                count = "magneto_request_duration_seconds_count"
                self.assertEqual(value(count, operation="PutItem", result="ok"), 30)
                self.assertEqual(value(count, operation="GetItem", result="ok"), 20)
                self.assertEqual(value(count, operation="GetItem", result="client_error"), 7)
                self.assertEqual(value("magneto_request_errors_total", operation="GetItem",
                                       type="ResourceNotFoundException"), 7)
                self.assertEqual(value("magneto_capacity_units_total", table="Notes", use="read"), 10)
                self.assertEqual(value("magneto_capacity_units_total", table="Notes", use="write"), 60)
                self.assertEqual(value("magneto_table_items", table="Notes"), 30)
                self.assertEqual(value("magneto_tables"), 1)
                self.assertGreater(value("magneto_stream_reader_lag_seconds", table="Notes"), 0)
                self.assertGreaterEqual(value("magneto_connections", at="io_threads"), 1)
                self.assertGreater(value("process_resident_memory_bytes"), 1 << 20)
                self.read_stream()
                self.wait_for("magneto_stream_reader_lag_seconds", 0, table="Notes")
                self.assertEqual(self.server.stop(), 0)

    def read_stream(self):
        stream = self.connection.send("ListStreams")["Streams"][0]["StreamArn"]
        for shard in self.connection.send("DescribeStream", StreamArn=stream)["StreamDescription"]["Shards"]:
            at = self.connection.send("GetShardIterator", StreamArn=stream, ShardId=shard["ShardId"],
                                      ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            self.connection.send("GetRecords", ShardIterator=at)

    def test_an_answered_call_is_counted(self):
        """A client that has the answer finds it counted, although the server's thread still sends."""
        with unittest.mock.patch.dict(os.environ, preloading(SLOW_SEND, SLOW_SEND_MILLISECONDS="20")):
            self.start()
        count = "magneto_request_duration_seconds_count", (("operation", "ListTables"), ("result", "ok"))
        for number in range(1, 11):
            self.connection.send("ListTables")
            self.assertEqual(self.samples()[count], number)

    def test_every_metric_of_the_dashboard_is_there(self):
        self.start("disk")
        self.connection.send("CreateTable", TableName="Notes", **TABLE, GlobalSecondaryIndexes=[INDEX],
                             StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
        self.connection.send("PutItem", TableName="Notes", Item={"Id": {"S": "a"}})
        with self.assertRaises(Refused):
            self.connection.send("GetItem", TableName="Nothing", Key={"Id": {"S": "a"}})
        self.wait_for("magneto_request_errors_total", 1, operation="GetItem", type="ResourceNotFoundException")
        known = {name for name, _ in self.samples()}
        dashboard = json.loads((DOCS / "grafana-dashboard.json").read_text(encoding="utf-8"))
        queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
        queries += [variable["query"] for variable in dashboard["templating"]["list"]]
        page = (DOCS / "operating.md").read_text(encoding="utf-8")
        named = set(re.findall(r"\b(?:magneto|process)_[a-z0-9_]+", " ".join(queries) + page))
        self.assertGreater(len(named), 25)
        self.assertEqual(named - known, set())
        self.assertEqual(len({panel["id"] for panel in dashboard["panels"]}), len(dashboard["panels"]))

    def test_it_is_true_while_many_write(self):
        self.start("disk", "--threads=2")
        self.connection.send("CreateTable", TableName="Notes", **TABLE, GlobalSecondaryIndexes=[INDEX])
        stop = threading.Event()

        def write(client):
            connection, count = self.connect(), 0
            while not stop.is_set():
                connection.send("PutItem", TableName="Notes",
                                Item={"Id": {"S": f"{client} {count}"}, "Kind": {"S": str(client)}})
                count += 1
            return count

        last = {}
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            writers = [pool.submit(write, client) for client in range(4)]
            for _ in range(20):
                samples = self.samples()
                for key, value in last.items():
                    self.assertGreaterEqual(samples[key], value, key)
                last = {key: value for key, value in samples.items()
                        if key[0].endswith(("_total", "_count", "_bucket"))}
            stop.set()
            written = sum(writer.result() for writer in writers)
        self.wait_for("magneto_request_duration_seconds_count", written, operation="PutItem", result="ok")
        self.wait_for("magneto_capacity_units_total", 2 * written, table="Notes", use="write")

    def test_ten_thousand_tables_make_a_small_page(self):
        self.start()
        for number in range(10_000):
            name = f"table-{number:05}"
            self.connection.send("CreateTable", TableName=name, **SIMPLE)
            self.connection.send("PutItem", TableName=name, Item={"Id": {"S": "a"}})
        begun = time.monotonic()
        status, _, body = self.ask("/metrics")
        seconds = time.monotonic() - begun
        samples, _ = parse(body.decode())
        print(f"10,000 tables: {len(body):,} bytes in {1000 * seconds:.0f} ms")
        self.assertEqual(status, 200)
        self.assertLess(len(body), 200_000)
        self.assertEqual(samples["magneto_tables", ()], 10_000)
        for name in ("magneto_table_items", "magneto_capacity_units_total"):
            found = [(labels, value) for (of, labels), value in samples.items() if of == name]
            self.assertEqual(len(found), 201)
            self.assertEqual(sum(value for _, value in found), 10_000)
            self.assertEqual([value for labels, value in found if ("table", "(others)") in labels], [9_800])

    def test_methods_hosts_and_codings(self):
        for flags in ((), ("--like=dynamodb-local", "--host=localhost")):
            self.start("memory", *flags)
            for path in ("/metrics", "/_/health", "/_/ready"):
                with self.subTest(path, flags=flags):
                    status, headers, body = self.ask(path)
                    self.assertEqual(status, 200)
                    head = self.ask(path, "HEAD")
                    self.assertEqual((head[0], head[2]), (200, b""))
                    self.assertGreater(int(head[1]["Content-Length"]), 0)
                    self.assertEqual(headers["Content-Type"], head[1]["Content-Type"])
                    # Where a POST goes does not matter to DynamoDB; it is no call here.
                    self.assertIn(self.ask(path, "POST", Content_Type="text/plain")[0], (400, 404))
                    self.assertEqual(self.ask(path, Origin="http://evil.example")[0], 403)
                    other = self.ask(path, Host="evil.example")[0]
                    self.assertEqual(other, 403 if path == "/metrics" else 200)
            # On a connection that makes calls in between.
            client = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
            for path in ("/_/ready", "/metrics", "/_/health", "/metrics", "/_/ready"):
                client.request("GET", path)
                self.assertEqual(client.getresponse().read() != b"", True)
                client.request("POST", "/", "{}", {"X-Amz-Target": "DynamoDB_20120810.ListTables",
                                                   "Content-Type": "application/x-amz-json-1.0"})
                self.assertEqual(json.loads(client.getresponse().read()), {"TableNames": []})
            client.close()
            _, headers, packed = self.ask("/metrics", Accept_Encoding="gzip")
            self.assertEqual(headers["Content-Encoding"], "gzip")
            parse(gzip.decompress(packed).decode())

    def test_the_page_can_be_taken_away(self):
        self.start("memory", "--no-metrics")
        self.assertEqual(self.ask("/metrics")[0], 404)
        self.assertEqual(self.ask("/_/ready")[0], 200)

    def test_clients_that_leave_in_the_middle(self):
        self.start()
        request = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for sent in [request[:size] for size in range(0, 45, 3)] + 20 * [20 * request]:
            with socket.create_connection(("127.0.0.1", self.server.port)) as connection:
                connection.sendall(sent)
        self.assertGreater(len(self.samples()), 30)
        self.assertEqual(self.server.stop(), 0)

    def test_it_is_ready_again_after_kill(self):
        self.start("disk")
        self.connection.send("CreateTable", TableName="Notes", **SIMPLE)
        for _ in range(3):
            self.server.kill()
            self.server.start()
            self.assertEqual(self.ask("/_/ready")[2], b"ready\n")
            self.assertEqual(self.samples()["magneto_table_items", (("table", "Notes"),)], 0)


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    DOCS = pathlib.Path(sys.argv.pop(1))
    SLOW_SEND = sys.argv.pop(1)
    unittest.main(verbosity=2)
