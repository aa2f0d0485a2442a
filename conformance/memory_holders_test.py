"""memory_holders_test.py <binary> [tests]: all memory for clients stays within --memory-limit-mb, one holder at a
time.

docs/threads.md ("Who may hold how much") lists the holders. memory_test.py tests the memory of connections.
"""

import concurrent.futures
import json
import pathlib
import sys
import tempfile
import threading
import time
import unittest

from control_server import Server
from function_stand_in import FunctionStandIn
from hanging_endpoint import HangingEndpoint
from kinesis_stand_in import KinesisStandIn

LIMIT_MEGABYTES = 200
# The memory beyond the limit for threads, the heap's holes and late measurements.
MARGIN_MEGABYTES = 30
MEGABYTE = 1 << 20
PATIENCE_SECONDS = 120
ITEM_BYTES = 390_000
FULL = "ItemCollectionSizeLimitExceededException"


def table(name, **more):
    return {"TableName": name, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], **more}


def indexed_table(name):
    return table(name, AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "g", "AttributeType": "S"}],
                 GlobalSecondaryIndexes=[{"IndexName": "ByG", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
                                          "Projection": {"ProjectionType": "ALL"}}],
                 StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})


def item(number, letter="x", size=ITEM_BYTES):
    return {"pk": {"S": f"item {number}"}, "Text": {"S": letter * size}}


class MemoryHoldersTest(unittest.TestCase):
    def start(self, *flags, on_disk=False):
        if on_disk:
            folder = tempfile.TemporaryDirectory()
            self.addCleanup(folder.cleanup)
            flags += ("--data-dir", folder.name)
        self.server = Server("--memory-limit-mb", str(LIMIT_MEGABYTES), *flags)
        self.addCleanup(self.server.stop)

    def status(self, field):
        text = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text(encoding="ascii")
        return int(text.partition(field + ":")[2].split()[0]) / 1024

    def tearDown(self):
        peak = self.status("VmHWM")
        print(f"{self.id().rpartition('.')[2]}: {peak:.0f} MB", flush=True)
        self.assertLessEqual(peak, LIMIT_MEGABYTES + MARGIN_MEGABYTES)
        self.assertEqual(self.server.ask("GET", "/_/health")[0], 200)

    def send(self, operation, body, **where):
        """Like a client, sends a request again if the server refuses it with 503 for too little memory."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            status, answer = self.server.call(operation, body, **where)
            if status != 503:
                return status, answer
            self.assertLess(time.monotonic(), deadline, answer)
            time.sleep(0.05)

    def call(self, operation, body, **where):
        status, answer = self.send(operation, body, **where)
        self.assertEqual(status, 200, (operation, answer))
        return answer

    def control(self, method, path, body=None):
        status, answer = self.server.control(method, path, body)
        self.assertIn(status, (200, 201, 204), (method, path, answer))
        return answer

    def refusal(self, operation, body, **where):
        """The type of an error, or None."""
        status, answer = self.send(operation, body, **where)
        self.assertIn(status, (200, 400), answer)
        return None if status == 200 else answer["__type"].rpartition("#")[2]

    def put_until_refused(self, most, letter="x", name="Tab", **where):
        """Returns the number of items that were put, at most `most`."""
        for number in range(most):
            refusal = self.refusal("PutItem", {"TableName": name, "Item": item(number, letter)}, **where)
            if refusal is not None:
                self.assertEqual(refusal, FULL)
                return number
        return most

    def eventually(self, what, condition):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.05)

    def make_until_refused(self, path, most, body):
        """How many were made by POST before one was refused with 507."""
        for number in range(most):
            status, answer = self.server.control("POST", path, body(number))
            if status == 507:
                self.assertIn("--memory-limit-mb", answer["error"])
                return number
            self.assertIn(status, (200, 201), answer)
        self.fail(f"{most} of {path} were made")

    # ---- namespaces ------------------------------------------------------------------------------

    def fill_with_forks(self, on_disk):
        self.start(on_disk=on_disk)
        for number in range(1_000):
            self.call("CreateTable", indexed_table(f"Tab{number:04}"))
        forks = self.make_until_refused("namespaces", 200, lambda number: {"name": f"f{number}", "from": {"namespace": "main"}})
        self.assertGreater(forks, 2)
        self.assertEqual(len(self.server.tables(namespace=f"f{forks - 1}")), 100)
        self.call("DescribeTable", {"TableName": "Tab0001"})
        # Snapshots of a fork share what it has: they fit, or are refused.
        made = [self.server.control("POST", "snapshots", {"name": f"s{number}", "namespace": "f0"})[0] for number in range(20)]
        self.assertLessEqual(set(made), {201, 507})
        # Calls that free memory still work.
        self.control("POST", "namespaces/f0/reset")
        for number in range(made.count(201)):
            self.control("DELETE", f"snapshots/s{number}")
        for number in range(forks):
            self.control("DELETE", f"namespaces/f{number}")
        self.control("POST", "namespaces", {"name": "again", "from": {"namespace": "main"}})

    def test_forks_of_a_main_in_memory(self):
        self.fill_with_forks(on_disk=False)

    def test_forks_of_a_main_on_disk(self):
        self.fill_with_forks(on_disk=True)

    def test_forks_made_by_many_at_once(self):
        self.start()
        for number in range(1_000):
            self.call("CreateTable", indexed_table(f"Tab{number:04}"))
        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            statuses = list(pool.map(lambda number: self.server.control("POST", "namespaces", {
                "name": f"f{number}", "from": {"namespace": "main"}})[0], range(60)))
        self.assertEqual(set(statuses), {201, 507})

    def test_what_a_fork_writes(self):
        self.start()
        for number in range(3):
            self.control("POST", "namespaces", {"name": f"f{number}"})
            self.call("CreateTable", table("Tab"), namespace=f"f{number}")
        self.assertLess(self.put_until_refused(1_000, namespace="f0"), 1_000)
        for number in range(1, 3):
            self.assertLess(self.put_until_refused(10, namespace=f"f{number}"), 10)

    def test_a_snapshot_of_what_is_written_anew(self):
        self.start()
        self.call("CreateTable", table("Tab"))
        count = self.put_until_refused(300)
        self.assertEqual(count, 300)  # 117 MB
        self.control("POST", "snapshots", {"name": "s", "namespace": "main"})
        anew = self.put_until_refused(300, letter="y")
        self.assertLess(anew, 300)
        self.assertEqual(self.call("GetItem", {"TableName": "Tab", "Key": {"pk": {"S": "item 0"}}})["Item"], item(0, "y"))
        for number in range(300):  # they free nothing while the snapshot exists, but succeed
            self.call("DeleteItem", {"TableName": "Tab", "Key": {"pk": {"S": f"item {number}"}}})
        self.control("DELETE", "snapshots/s")
        self.eventually("writes are accepted again",
                        lambda: self.refusal("PutItem", {"TableName": "Tab", "Item": item(0)}) is None)

    def test_200_rounds_of_snapshot_and_restore(self):
        self.start()
        self.call("CreateTable", table("Tab"))
        self.control("POST", "snapshots", {"name": "s0", "namespace": "main"})
        for number in range(1, 201):
            self.call("PutItem", {"TableName": "Tab", "Item": item(number % 10, "xyz"[number % 3], 100_000)})
            self.call("PutItem", {"TableName": "Tab", "Item": item("last", size=number)})
            self.control("POST", "snapshots", {"name": f"s{number}", "namespace": "main"})
            self.call("DeleteItem", {"TableName": "Tab", "Key": {"pk": {"S": "item last"}}})
            self.control("POST", "namespaces/main/restore", {"snapshot": f"s{number}"})
            self.control("DELETE", f"snapshots/s{number - 1}")
        found = self.call("Scan", {"TableName": "Tab", "ProjectionExpression": "pk"})
        self.assertEqual(found["Count"], 11)
        last = self.call("GetItem", {"TableName": "Tab", "Key": {"pk": {"S": "item last"}}})["Item"]
        self.assertEqual(last, item("last", size=200))
        self.assertLess(self.status("VmHWM"), 120)  # there is a megabyte of items

    def test_truncation_of_a_full_fork(self):
        """Whose main is full, and whose tables have streams."""
        self.start()
        for name in ("Streamed", "Plain"):
            self.call("CreateTable", indexed_table(name) if name == "Streamed" else table(name))
        for number in range(60):
            self.call("PutItem", {"TableName": "Streamed", "Item": item(number, size=100_000)})
        self.control("POST", "namespaces", {"name": "f", "from": {"namespace": "main"}})
        self.assertLess(self.put_until_refused(1_000, name="Plain"), 1_000)
        status, answer = self.server.control("POST", "namespaces/f/truncate", {"tables": ["Streamed"]})
        self.assertIn(status, (200, 507), answer)
        if status == 507:
            self.assertIn("--memory-limit-mb", answer["error"])
        status, answer = self.server.control("POST", "namespaces/main/truncate", {"tables": ["Plain"]})
        self.assertEqual(status, 200, answer)
        self.assertGreater(answer["items"], 0)

    # ---- settings --------------------------------------------------------------------------------

    def test_stale_reads(self):
        self.start()
        self.call("CreateTable", table("Tab"))
        self.control("PUT", "namespaces/main/consistency",
                     {"read_staleness": {"probability": 0.5, "seed": 7, "versions": 1_000}})
        refusals = 0
        for number in range(800):
            refusals += self.refusal("PutItem", {"TableName": "Tab", "Item": item(0, "xy"[number % 2])}) == FULL
        self.assertGreater(refusals, 0)
        self.control("DELETE", "namespaces/main/consistency")
        self.eventually("writes are accepted again",
                        lambda: self.refusal("PutItem", {"TableName": "Tab", "Item": item(0)}) is None)

    def test_journals(self):
        self.start()
        for space in range(10):
            self.control("POST", "namespaces", {"name": f"f{space}"})
            self.call("CreateTable", table("Tab"), namespace=f"f{space}")
            self.control("PUT", f"namespaces/f{space}/journal", {"on": True, "bodies": True, "bytes": 256 * MEGABYTE})
        for number in range(100):
            self.call("PutItem", {"TableName": "Tab", "Item": item(0)}, namespace=f"f{number % 10}")
        newest = self.control("GET", "namespaces/f9/journal")["records"][-1]
        self.assertEqual(newest["operation"], "PutItem")
        self.assertLess(self.status("VmRSS"), 150)

    def test_fault_rules(self):
        self.start()
        made = 0
        for space in range(10):
            self.control("POST", "namespaces", {"name": f"f{space}"})
            for number in range(1_000):
                rule = {"operations": ["PutItem"], "table": f"{number:0200}", "fault": {"latency": "1ms"}}
                status, answer = self.server.control("POST", f"namespaces/f{space}/faults", rule)
                if status == 507:
                    self.assertIn("--memory-limit-mb", answer["error"])
                    self.assertGreater(made, 1_000)
                    return
                self.assertEqual(status, 201, answer)
                made += 1
        self.fail(f"{made} rules were made")

    # ---- what tables keep ------------------------------------------------------------------------

    def test_histories(self):
        self.start()
        self.call("CreateTable", table("Tab"))
        self.call("UpdateContinuousBackups", {"TableName": "Tab", "PointInTimeRecoverySpecification":
                                              {"PointInTimeRecoveryEnabled": True}})
        for number in range(800):  # the oldest history goes for them
            self.call("PutItem", {"TableName": "Tab", "Item": item(0, "xy"[number % 2])})

    def test_backups(self):
        self.start()
        self.call("CreateTable", table("Tab"))
        refused = False
        for number in range(50):  # 19 MB each
            refused = self.put_until_refused(50, "xy"[number % 2]) < 50 or self.refusal(
                "CreateBackup", {"TableName": "Tab", "BackupName": f"backup{number}"}) is not None
            if refused:
                break
        self.assertTrue(refused)
        self.assertGreater(number, 3)

    def test_streams(self):
        self.start()
        self.call("CreateTable", indexed_table("Tab"))
        number = 0
        while self.refusal("PutItem", {"TableName": "Tab", "Item": item(0, "xy"[number % 2])}) is None:
            number += 1
            self.assertLess(number, 1_000)

    def test_vector_indexes(self):
        self.start()
        dimensions = 4_096
        self.call("CreateTable", table("Tab", VectorIndexes=[
            {"IndexName": f"index{number}", "VectorAttribute": {"AttributeName": "e"}, "Dimensions": dimensions,
             "DistanceFunction": "EUCLIDEAN", "Projection": {"ProjectionType": "ALL"}} for number in range(5)]))
        vector = {"L": [{"N": str(number)} for number in range(dimensions)]}
        for number in range(2_000):  # 80 KB of vectors each
            refusal = self.refusal("PutItem", {"TableName": "Tab", "Item": {"pk": {"S": str(number)}, "e": vector}})
            if refusal is not None:
                break
        self.assertEqual(refusal, FULL)
        self.assertGreater(number, 300)
        self.call("DeleteItem", {"TableName": "Tab", "Key": {"pk": {"S": "0"}}})

    def test_tables_of_access_keys(self):
        self.start("--isolate=credentials")
        for number in range(10_001):
            refusal = self.refusal("CreateTable", indexed_table("Tab"), key=f"AKIA{number:05}")
            if refusal is not None:
                break
        self.assertEqual(refusal, "LimitExceededException")
        self.assertGreater(number, 1_000)
        self.assertEqual(self.server.tables(key="AKIA00000"), ["Tab"])

    # ---- what waits ------------------------------------------------------------------------------

    def overwrite_until_refused(self, most, **where):
        for number in range(most):
            refusal = self.refusal("PutItem", {"TableName": "Tab", "Item": item(0, "xy"[number % 2]) | {"g": {"S": "g"}}}, **where)
            if refusal is not None:
                self.assertEqual(refusal, FULL)
                self.call("DeleteItem", {"TableName": "Tab", "Key": {"pk": {"S": "item 0"}}}, **where)
                return number
        return self.fail(f"{most} changes wait")

    def test_changes_that_wait_for_an_index(self):
        self.start("--gsi-delay-ms=3600000")
        self.call("CreateTable", {name: value for name, value in indexed_table("Tab").items() if name != "StreamSpecification"})
        self.overwrite_until_refused(1_000)

    def test_changes_that_wait_for_a_replica(self):
        self.start("--isolate=region", "--replication-delay-ms=3600000")
        self.call("CreateTable", indexed_table("Tab"))
        self.call("UpdateTable", {"TableName": "Tab", "ReplicaUpdates": [{"Create": {"RegionName": "eu-west-1"}}]})
        self.eventually("the replica is there", lambda: [
            replica["ReplicaStatus"] for replica in self.call("DescribeTable", {"TableName": "Tab"})["Table"].get("Replicas", [])] == ["ACTIVE"])
        self.overwrite_until_refused(1_000)
        self.assertEqual(self.server.tables(region="eu-west-1"), ["Tab"])

    def test_changes_that_wait_for_kinesis(self):
        kinesis = KinesisStandIn("a")
        kinesis.start()
        self.addCleanup(kinesis.stop)
        self.start(f"--kinesis-endpoint={kinesis.url}")
        self.call("CreateTable", table("Tab"))
        stream = {"TableName": "Tab", "StreamArn": "arn:aws:kinesis:us-east-1:123456789012:stream/a"}
        self.call("EnableKinesisStreamingDestination", stream)
        self.eventually("the stream is there", lambda: self.call("DescribeKinesisStreamingDestination", {"TableName": "Tab"})[
            "KinesisDataStreamDestinations"][0]["DestinationStatus"] == "ACTIVE")
        kinesis.bad = "hang"
        self.overwrite_until_refused(1_000)

    def test_exports_and_imports(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        (pathlib.Path(folder.name) / "bucket").mkdir()
        self.start(f"--s3-dir={folder.name}")
        self.call("CreateTable", table("Tab"))
        self.call("UpdateContinuousBackups", {"TableName": "Tab", "PointInTimeRecoverySpecification":
                                              {"PointInTimeRecoveryEnabled": True}})
        self.assertEqual(self.put_until_refused(100), 100)  # 39 MB
        arn = self.call("DescribeTable", {"TableName": "Tab"})["Table"]["TableArn"]
        exports = [self.call("ExportTableToPointInTime", {"TableArn": arn, "S3Bucket": "bucket"})["ExportDescription"]["ExportArn"]
                   for _ in range(10)]
        for export in exports:
            self.eventually("the export ends", lambda export=export: self.call("DescribeExport", {"ExportArn": export})[
                "ExportDescription"]["ExportStatus"] == "COMPLETED")
        statuses = []
        for number in range(6):
            status, answer = self.send("ImportTable", {
                "S3BucketSource": {"S3Bucket": "bucket", "S3KeyPrefix": f"AWSDynamoDB/{exports[0].rpartition('/')[2]}/data/"},
                "InputFormat": "DYNAMODB_JSON", "InputCompressionType": "GZIP", "TableCreationParameters": table(f"Copy{number}")})
            if status == 200:
                job = {"ImportArn": answer["ImportTableDescription"]["ImportArn"]}
                self.eventually("the import ends", lambda job=job: self.call("DescribeImport", job)["ImportTableDescription"][
                    "ImportStatus"] != "IN_PROGRESS")
                answer = self.call("DescribeImport", job)["ImportTableDescription"]["ImportStatus"]
            else:
                answer = answer["__type"].rpartition("#")[2]
            statuses.append(answer)
        self.assertEqual(statuses[0], "COMPLETED")
        self.assertNotIn("COMPLETED", statuses[4:], statuses)
        self.assertEqual(self.call("Scan", {"TableName": "Tab", "Select": "COUNT", "Limit": 1})["Count"], 1)

    # ---- functions -------------------------------------------------------------------------------

    def test_functions_that_do_not_answer(self):
        """64 calls with events of up to 6 MB."""
        functions = FunctionStandIn()
        functions.start()
        self.addCleanup(functions.stop)
        ended = threading.Event()
        self.addCleanup(ended.set)

        def answer(*_):
            ended.wait(PATIENCE_SECONDS)
            return 200, {}, b"null"

        functions.answer = answer
        with tempfile.NamedTemporaryFile("w", suffix=".json") as mappings:
            json.dump({"Endpoint": functions.url, "EventSourceMappings": [
                {"FunctionName": f"f{number}", "TableName": "Tab", "StartingPosition": "TRIM_HORIZON",
                 "ParallelizationFactor": 10, "BatchSize": 1_000} for number in range(4)]}, mappings)
            mappings.flush()
            self.start("--event-sources", mappings.name, "--partitions=4", on_disk=True)
        self.call("CreateTable", table("Tab", StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}))
        for number in range(600):  # 230 MB, on disk
            self.call("PutItem", {"TableName": "Tab", "Item": item(number)})
        self.eventually("calls hold what they may", lambda: len(functions.calls) >= 3)
        ended.set()
        self.eventually("the others have their turn",
                        lambda: sum(len(records) for _, records, _ in list(functions.calls)) >= 4 * 600)

    def test_long_answers_of_functions(self):
        """5.9 MB of an answer each, and then nothing."""
        endpoint = HangingEndpoint(b'{"a":"' + b"x" * 5_900_000)
        self.addCleanup(endpoint.stop)
        with tempfile.NamedTemporaryFile("w", suffix=".json") as mappings:
            json.dump({"Endpoint": endpoint.url, "EventSourceMappings": [
                {"FunctionName": f"f{number}", "TableName": "Tab", "StartingPosition": "TRIM_HORIZON", "ParallelizationFactor": 10,
                 **({"FunctionResponseTypes": ["ReportBatchItemFailures"]} if number % 2 else {})} for number in range(4)]}, mappings)
            mappings.flush()
            self.start("--event-sources", mappings.name, "--partitions=4")
        self.call("CreateTable", table("Tab", StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}))
        for number in range(400):
            self.call("PutItem", {"TableName": "Tab", "Item": item(number, size=10)})
        self.eventually("many calls have their answers", lambda: endpoint.sent >= 40)
        self.call("PutItem", {"TableName": "Tab", "Item": item("after", size=1_000)})
        self.assertLess(self.status("VmHWM"), 100)


if __name__ == "__main__":
    del sys.argv[1]
    unittest.main(verbosity=2)
