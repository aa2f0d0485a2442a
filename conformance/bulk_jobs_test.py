"""ExportTableToPointInTime and ImportTable against the binary: under load, by kill -9, with hostile names.

bulk_jobs_test.py <magneto> [test ...]
"""

import base64
import contextlib
import gzip
import hashlib
import http.client
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from wire import Connection, Lost, Refused
from with_server import Server

BINARY = None
KEY = {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
       "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "BillingMode": "PAY_PER_REQUEST"}
PATIENCE_SECONDS = 120


def arn_of(table):
    return f"arn:aws:dynamodb:us-east-1:000000000000:table/{table}"


class Signed:
    """A connection that names an access key, as --isolate credentials wants it."""

    def __init__(self, endpoint, key):
        self._connection = http.client.HTTPConnection(endpoint.partition("://")[2], timeout=PATIENCE_SECONDS)
        self._authorization = (f"AWS4-HMAC-SHA256 Credential={key}/20260101/us-east-1/dynamodb/aws4_request, "
                               "SignedHeaders=host, Signature=0")

    def close(self):
        self._connection.close()

    def send(self, operation, **request):
        self._connection.request("POST", "/", json.dumps(request), {
            "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": f"DynamoDB_20120810.{operation}",
            "Authorization": self._authorization})
        answer = self._connection.getresponse()
        body = json.loads(answer.read())
        if answer.status != 200:
            raise Refused(answer.status, body)
        return body


class Jobs(unittest.TestCase):
    """A server with a folder of buckets, one of them "bucket"."""

    def begin(self, engine, *flags):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="magneto-jobs-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.bucket = self.folder / "s3" / "bucket"
        self.bucket.mkdir(parents=True)
        self.server = Server(BINARY, engine, "--auth=off", f"--s3-dir={self.folder / 's3'}", *flags)
        self.addCleanup(self.server.remove)
        self.server.start()
        self.connect(self.server)

    def connect(self, server):
        self.connection = Connection(server.port)
        self.addCleanup(self.connection.close)

    def restart(self, kill):
        if kill:
            self.server.kill()
        else:
            self.assertEqual(self.server.stop(), 0)
        self.server.start()
        self.connect(self.server)

    def send(self, operation, **request):
        return self.connection.send(operation, **request)

    def refused(self, kind, operation, **request):
        with self.assertRaises(Refused) as caught:
            self.send(operation, **request)
        self.assertEqual(caught.exception.type, kind, caught.exception.body)
        return caught.exception.body

    def make_table(self, table, recoverable=True):
        self.send("CreateTable", TableName=table, **KEY)
        if recoverable:
            self.send("UpdateContinuousBackups", TableName=table,
                      PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})

    def fill(self, table, count, size):
        for first in range(0, count, 25):
            puts = [{"PutRequest": {"Item": {"pk": {"S": f"k{number}"}, "v": {"S": "x" * size}}}}
                    for number in range(first, min(count, first + 25))]
            self.send("BatchWriteItem", RequestItems={table: puts})

    def export(self, table, **rest):
        request = {"TableArn": arn_of(table), "S3Bucket": "bucket"} | rest
        return self.send("ExportTableToPointInTime", **request)["ExportDescription"]

    def import_table(self, table, prefix, **rest):
        request = {"S3BucketSource": {"S3Bucket": "bucket", "S3KeyPrefix": prefix},
                   "TableCreationParameters": {"TableName": table} | KEY, "InputFormat": "DYNAMODB_JSON"} | rest
        return self.send("ImportTable", **request)["ImportTableDescription"]

    def described(self, job):
        if "ExportArn" in job:
            return self.send("DescribeExport", ExportArn=job["ExportArn"])["ExportDescription"]
        return self.send("DescribeImport", ImportArn=job["ImportArn"])["ImportTableDescription"]

    def status(self, job):
        return job.get("ExportStatus") or job["ImportStatus"]

    def wait(self, job, status="COMPLETED"):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            job = self.described(job)
            if self.status(job) != "IN_PROGRESS":
                break
            self.assertLess(time.monotonic(), deadline, job)
            time.sleep(0.005)
        self.assertEqual(self.status(job), status, job)
        self.assertGreaterEqual(job["EndTime"], job["StartTime"])
        return job

    def folder_of(self, job, prefix=""):
        return self.bucket / prefix / "AWSDynamoDB" / job["ExportArn"].rpartition("/")[2]

    def read_export(self, job):
        """Its items; all that the manifests tell is true."""
        summary_path = self.bucket / job["ExportManifest"]
        summary = json.loads(summary_path.read_bytes())
        self.assertEqual(summary["exportArn"], job["ExportArn"])
        self.assertEqual(summary["itemCount"], job["ItemCount"])
        items = []
        manifest = self.bucket / summary["manifestFilesS3Key"]
        for path in (summary_path, manifest):
            told = path.with_suffix(".md5").read_text()
            self.assertEqual(told, base64.b64encode(hashlib.md5(path.read_bytes()).digest()).decode())
        for line in manifest.read_text().splitlines():
            entry = json.loads(line)
            data = (self.bucket / entry["dataFileS3Key"]).read_bytes()
            digest = hashlib.md5(data)
            self.assertEqual(entry["md5Checksum"], base64.b64encode(digest.digest()).decode())
            self.assertEqual(entry["etag"], digest.hexdigest())
            lines = gzip.decompress(data).decode().splitlines()
            self.assertEqual(len(lines), entry["itemCount"])
            items += [json.loads(line)["Item"] for line in lines]
        self.assertEqual(len(items), job["ItemCount"])
        return items


class MomentTest(Jobs):
    ACCOUNTS = 200
    WRITERS = 4
    EXPORTS = 6

    def test_export_is_one_moment_in_memory(self):
        self.keeps_the_sum("memory")

    def test_export_is_one_moment_on_disk(self):
        self.keeps_the_sum("disk")

    def keeps_the_sum(self, engine):
        self.begin(engine)
        self.make_table("bank")
        for number in range(self.ACCOUNTS):
            self.send("PutItem", TableName="bank", Item={"pk": {"S": f"a{number}"}, "n": {"N": "100"}})
        stop = threading.Event()
        transfers = [0] * self.WRITERS
        faults = []
        writers = [threading.Thread(target=self.transfer, args=(number, stop, transfers, faults))
                   for number in range(self.WRITERS)]
        for writer in writers:
            writer.start()
        try:
            jobs = []
            for _ in range(self.EXPORTS):
                before = sum(transfers)
                jobs.append(self.wait(self.export("bank", S3Prefix="moments")))
                while sum(transfers) < before + 50 and not faults:
                    time.sleep(0.005)
        finally:
            stop.set()
            for writer in writers:
                writer.join()
        self.assertEqual(faults, [])
        states = set()
        for job in jobs:
            items = self.read_export(job)
            self.assertEqual(len(items), self.ACCOUNTS)
            self.assertEqual(sum(int(item["n"]["N"]) for item in items), 100 * self.ACCOUNTS)
            states.add(tuple(sorted((item["pk"]["S"], item["n"]["N"]) for item in items)))
        self.assertGreater(len(states), 1)
        listed = self.send("ListExports", TableArn=arn_of("bank"))["ExportSummaries"]
        self.assertEqual([job["ExportArn"] for job in listed], [job["ExportArn"] for job in reversed(jobs)])
        self.reads_what_was_exported(jobs[-1])

    def transfer(self, number, stop, transfers, faults):
        numbers = random.Random(number)
        try:
            with contextlib.closing(Connection(self.server.port)) as connection:
                self.move(connection, number, numbers, stop, transfers)
        except (Lost, Refused, OSError) as fault:
            faults.append(str(fault))

    def move(self, connection, number, numbers, stop, transfers):
        while not stop.is_set():
            one, other = numbers.sample(range(self.ACCOUNTS), 2)
            amount = str(numbers.randint(1, 9))
            updates = [{"Update": {"TableName": "bank", "Key": {"pk": {"S": f"a{account}"}},
                                   "UpdateExpression": f"SET n = n {sign} :a",
                                   "ExpressionAttributeValues": {":a": {"N": amount}}}}
                       for account, sign in ((one, "-"), (other, "+"))]
            try:
                connection.send("TransactWriteItems", TransactItems=updates)
                transfers[number] += 1
            except Refused as refused:
                if refused.type != "TransactionCanceledException":
                    raise

    def reads_what_was_exported(self, job):
        """Both ways: magneto import, and ImportTable."""
        self.make_table("copied", recoverable=False)
        folder = self.folder_of(job, "moments")
        subprocess.run([BINARY, "import", "--table", "copied", "--to", self.server.endpoint, "--format", "aws",
                        str(folder)], check=True, capture_output=True)
        back = self.import_table("imported", f"moments/AWSDynamoDB/{folder.name}/data/", InputCompressionType="GZIP")
        back = self.wait(back)
        self.assertEqual((back["ImportedItemCount"], back["ErrorCount"]), (self.ACCOUNTS, 0))
        expected = sorted(json.dumps(item, sort_keys=True) for item in self.read_export(job))
        for table in ("copied", "imported"):
            items = self.send("Scan", TableName=table)["Items"]
            self.assertEqual(sorted(json.dumps(item, sort_keys=True) for item in items), expected)


class FilterTest(Jobs):
    def test_export_of_a_part(self):
        self.begin("memory")
        self.send("CreateTable", TableName="parts", BillingMode="PAY_PER_REQUEST",
                  AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"},
                                        {"AttributeName": "sk", "AttributeType": "N"}],
                  KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}])
        self.send("UpdateContinuousBackups", TableName="parts",
                  PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        for first in range(0, 1000, 25):
            self.send("BatchWriteItem", RequestItems={"parts": [
                {"PutRequest": {"Item": {"pk": {"S": f"p{number % 10}"}, "sk": {"N": str(number)},
                                         "v": {"S": "x" * 2000}, "even": {"BOOL": number % 2 == 0}}}}
                for number in range(first, first + 25)]})
        values = {":p": {"S": "p4"}, ":n": {"N": "500"}}
        for specification, expected in (
                ({"FilterExpression": "#e = :t", "ExpressionAttributeNames": {"#e": "even"},
                  "ExpressionAttributeValues": {":t": {"BOOL": True}}, "ProjectionExpression": "sk"},
                 [{"sk": {"N": str(number)}} for number in range(0, 1000, 2)]),
                ({"KeyConditionExpression": "pk = :p AND sk < :n", "ExpressionAttributeValues": values,
                  "ProjectionExpression": "pk, sk"},
                 [{"pk": {"S": "p4"}, "sk": {"N": str(number)}} for number in range(4, 500, 10)]),
                ({"ProjectionExpression": "sk"}, [{"sk": {"N": str(number)}} for number in range(1000)])):
            job = self.wait(self.export("parts", FilterSpecification=specification))
            self.assertEqual(job["FilterSpecification"], specification)
            found = sorted(self.read_export(job), key=lambda item: int(item["sk"]["N"]))
            self.assertEqual(found, expected)


class ImportTest(Jobs):
    def test_errors_are_counted_and_told(self):
        self.begin("disk")
        lines = [json.dumps({"Item": {"pk": {"S": f"k{number}"}}}) for number in range(1000)]
        lines[10] = "no json"
        lines[20] = json.dumps({"Item": {"other": {"S": "x"}}})
        with gzip.open(self.bucket / "lines.json.gz", "wt") as file:
            file.write("\n".join(lines))
        done = self.wait(self.import_table("made", "lines", InputCompressionType="GZIP", ClientToken="t"))
        self.assertEqual((done["ImportedItemCount"], done["ErrorCount"], done["ProcessedItemCount"]), (998, 2, 1000))
        self.assertEqual(done["ProcessedSizeBytes"], (self.bucket / "lines.json.gz").stat().st_size)
        name = done["ImportArn"].rpartition("/")[2]
        told = pathlib.Path(self.server.data_folder, "jobs", name + ".errors").read_text().splitlines()
        self.assertEqual(sorted(line.split(":")[1] for line in told), ["11", "21"])
        self.assertEqual(self.send("Scan", TableName="made", Select="COUNT")["Count"], 998)
        self.refused("ResourceInUseException", "ImportTable", S3BucketSource={"S3Bucket": "bucket"},
                     InputFormat="CSV", TableCreationParameters={"TableName": "made"} | KEY)
        self.restart(kill=True)
        self.assertEqual(self.described(done), done)
        same = self.import_table("made", "lines", InputCompressionType="GZIP", ClientToken="t")
        self.assertEqual(same["ImportArn"], done["ImportArn"])

    def test_csv(self):
        self.begin("memory")
        (self.bucket / "a.csv").write_text('pk,name,note\n1,"a,b",\n2,"say ""x""",z\n')
        done = self.wait(self.import_table("made", "a.csv", InputFormat="CSV"))
        self.assertEqual(done["ImportedItemCount"], 2)
        items = sorted(self.send("Scan", TableName="made")["Items"], key=lambda item: item["pk"]["S"])
        self.assertEqual(items, [{"pk": {"S": "1"}, "name": {"S": "a,b"}},
                                 {"pk": {"S": "2"}, "name": {"S": 'say "x"'}, "note": {"S": "z"}}])

    def test_ion_both_ways(self):
        self.begin("memory")
        self.make_table("books")
        content = {"n": {"N": "-1.5"}, "b": {"B": "AAEC"}, "t": {"BOOL": True}, "o": {"NULL": True},
                   "s s": {"SS": ["a", "b'"]}, "ns": {"NS": ["1", "2.5"]}, "bs": {"BS": ["AA=="]},
                   "l": {"L": [{"S": "\"\n\\ \u00e9"}, {"M": {"$10": {"L": []}}}]}}
        items = [{"pk": {"S": f"k{number}"}, "z": {"N": str(number)}} | content for number in range(100)]
        for first in range(0, 100, 25):
            self.send("BatchWriteItem", RequestItems={
                "books": [{"PutRequest": {"Item": item}} for item in items[first:first + 25]]})
        job = self.wait(self.export("books", ExportFormat="ION"))
        self.assertEqual(job["ExportFormat"], "ION")
        folder = self.folder_of(job)
        self.assertEqual(json.loads((folder / "manifest-summary.json").read_text())["outputFormat"], "ION")
        lines = [line for path in folder.glob("data/*.ion.gz")
                 for line in gzip.decompress(path.read_bytes()).decode().splitlines()]
        self.assertEqual(len(lines), 100)
        for line in lines:
            self.assertRegex(line, r"^\$ion_1_0 \{Item:\{.*b:\{\{AAEC\}\}.*ns:\$dynamodb_NS::\[1\.,2\.5\].*\}\}$")
        done = self.wait(self.import_table("imported", f"AWSDynamoDB/{folder.name}/data/", InputFormat="ION",
                                           InputCompressionType="GZIP"))
        self.assertEqual((done["ImportedItemCount"], done["ErrorCount"]), (100, 0))
        self.make_table("copied", recoverable=False)
        subprocess.run([BINARY, "import", "--table", "copied", "--to", self.server.endpoint, "--format", "aws",
                        str(folder)], check=True, capture_output=True)
        expected = sorted(json.dumps(item, sort_keys=True) for item in items)
        for table in ("imported", "copied"):
            found = self.send("Scan", TableName=table)["Items"]
            self.assertEqual(sorted(json.dumps(item, sort_keys=True) for item in found), expected)

    def test_ion_that_is_wrong(self):
        self.begin("memory")
        (self.bucket / "a.ion").write_text(
            '$ion_1_0 {Item:{pk:"a"}}\n$ion_1_0 {Item:{pk:2026T}}\n$ion_1_0 {Item:{pk:["b"\n'
            '$ion_1_0 {Item:{pk:1.}}\n$ion_1_0 {Item:{pk:"c"}}\n')
        done = self.wait(self.import_table("made", "a.ion", InputFormat="ION"))
        self.assertEqual((done["ImportedItemCount"], done["ErrorCount"]), (2, 3))
        # {Item:{pk:"a"}} with the symbols Item and pk, then what is shorter than it says.
        binary = (b"\xe0\x01\x00\xea\xee\x8f\x81\x83\xde\x8b\x87\xb9\x84Item\x82pk\x80"
                  b"\xde\x85\x8a\xd3\x8b\x81a")
        (self.bucket / "b.10n").write_bytes(binary)
        done = self.wait(self.import_table("binary", "b.10n", InputFormat="ION"))
        self.assertEqual((done["ImportedItemCount"], done["ErrorCount"]), (1, 0))
        (self.bucket / "c.10n").write_bytes(binary[:-1])
        failed = self.wait(self.import_table("cut", "c.10n", InputFormat="ION"), "FAILED")
        self.assertTrue(failed["FailureMessage"].endswith("is no Amazon Ion"), failed)

    def test_damaged_gzip_fails(self):
        self.begin("memory")
        whole = gzip.compress(b'{"Item":{"pk":{"S":"a"}}}\n' * 1000)
        (self.bucket / "cut.gz").write_bytes(whole[:len(whole) // 2])
        failed = self.wait(self.import_table("made", "cut", InputCompressionType="GZIP"), "FAILED")
        self.assertEqual(failed["FailureCode"], "S3Error")
        self.assertTrue(failed["FailureMessage"].startswith("bucket/cut.gz "), failed)


class PutTest(Jobs):
    """Bulk operations: into a table that is there."""

    def start(self, table, prefix, **rest):
        request = {"TableName": table, "OutputS3Configuration": {"OutputType": ["ERROR"], "S3KeyPrefix": "told"},
                   "InputS3Configuration": {"S3Bucket": "bucket", "S3KeyPrefix": prefix,
                                            "InputFormat": "DYNAMODB_JSON"}} | rest
        return self.send("StartBulkPutItems", **request)["BulkOperationDescription"]

    def described(self, job):
        return self.send("DescribeBulkOperation", BulkOperationArn=job["BulkOperationArn"])["BulkOperationDescription"]

    def status(self, job):
        running = ("IN_PROGRESS", "CANCELLING")
        return "IN_PROGRESS" if job["BulkOperationStatus"] in running else job["BulkOperationStatus"]

    def test_items_join_those_that_are_there(self):
        self.begin("disk")
        self.make_table("books", recoverable=False)
        self.fill("books", 10, 10)
        lines = [json.dumps({"Item": {"pk": {"S": f"k{number}"}, "new": {"BOOL": True}}}) for number in range(5, 500)]
        text = "\n".join([*lines, "no json", json.dumps({"Item": {"other": {"S": "x"}}})])
        (self.bucket / "in.json").write_text(text)
        done = self.wait(self.start("books", "in", ClientToken="t"), "COMPLETED_WITH_ERRORS")
        self.assertEqual((done["ProcessedItemCount"], done["FailedItemCount"]), (497, 2))
        self.assertEqual((done["ProcessedInputBytes"], done["TotalInputBytes"]), (len(text), len(text)))
        name = done["BulkOperationArn"].rpartition("/")[2]
        told = (self.bucket / "told" / name / "errors.txt").read_text().splitlines()
        self.assertEqual(sorted(line.split(":")[1] for line in told), ["496", "497"])
        self.assertEqual(self.send("Scan", TableName="books", Select="COUNT")["Count"], 500)
        self.refused("IdempotentParameterMismatchException", "StartBulkPutItems", TableName="books", ClientToken="t",
                     InputS3Configuration={"S3Bucket": "bucket", "InputFormat": "ION"},
                     OutputS3Configuration={"OutputType": ["ERROR"]})
        self.restart(kill=True)
        self.assertEqual(self.described(done), done)
        self.assertEqual(self.start("books", "in", ClientToken="t")["BulkOperationArn"], done["BulkOperationArn"])
        (self.bucket / "ok.ion").write_text('$ion_1_0 {Item:{pk:"from ion"}}\n')
        done = self.wait(self.start("books", "ok", InputS3Configuration={
            "S3Bucket": "bucket", "S3KeyPrefix": "ok", "InputFormat": "ION"}))
        self.assertEqual((done["ProcessedItemCount"], done["FailedItemCount"]), (1, 0))
        listed = self.send("ListBulkOperations")["BulkOperationsSummaryList"]
        self.assertEqual([one["BulkOperationStatus"] for one in listed], ["COMPLETED", "COMPLETED_WITH_ERRORS"])
        self.assertEqual(self.send("ListImports")["ImportSummaryList"], [])

    def test_cancelled(self):
        self.begin("disk")
        self.make_table("books", recoverable=False)
        with open(self.bucket / "in.json", "w") as file:
            for number in range(400_000):
                file.write('{"Item":{"pk":{"S":"k%d"},"v":{"S":"%s"}}}\n' % (number, "x" * 100))
        job = self.start("books", "in")
        answer = self.send("CancelBulkOperation", BulkOperationArn=job["BulkOperationArn"])
        self.assertEqual(answer["BulkOperationStatus"], "CANCELLING")
        ended = self.wait(job, "CANCELLED")
        self.assertEqual(ended["FailureCode"], "Cancelled")
        count = self.send("DescribeTable", TableName="books")["Table"]["ItemCount"]
        self.assertEqual(count, ended["ProcessedItemCount"])
        self.assertLess(count, 400_000)
        again = self.send("CancelBulkOperation", BulkOperationArn=job["BulkOperationArn"])
        self.assertEqual(again["BulkOperationStatus"], "CANCELLED")

    def test_wrong(self):
        self.begin("memory")
        self.make_table("books", recoverable=False)
        self.refused("ResourceNotFoundException", "StartBulkPutItems", TableName="missing",
                     InputS3Configuration={"S3Bucket": "bucket", "InputFormat": "ION"},
                     OutputS3Configuration={"OutputType": ["ERROR"]})
        failed = self.wait(self.start("books", "nothing"), "FAILED")
        self.assertEqual(failed["FailureCode"], "S3NoSuchKey")
        failed = self.wait(self.start("books", "in", InputS3Configuration={
            "S3Bucket": "missing", "InputFormat": "ION"}), "FAILED")
        self.assertEqual(failed["FailureCode"], "S3NoSuchBucket")


class EndTest(Jobs):
    """What is cut is FAILED after the restart."""
    ITEMS = 20000
    SIZE = 2000

    def test_export_killed(self):
        self.export_is_cut(kill=True)

    def test_export_stopped(self):
        self.export_is_cut(kill=False)

    def export_is_cut(self, kill):
        self.begin("disk")
        self.make_table("big")
        self.fill("big", self.ITEMS, self.SIZE)
        done = self.wait(self.export("big"))
        cut = [self.export("big") for _ in range(6)]
        second = [job for job in cut if self.status(self.described(job)) == "IN_PROGRESS"]
        self.assertGreater(len(second), 1)
        self.restart(kill)
        self.assertEqual(self.described(done), done)
        failed = [job for job in map(self.described, cut) if job["ExportStatus"] == "FAILED"]
        self.assertGreater(len(failed), 1)
        for job in failed:
            self.assertEqual(job["FailureCode"], "ServerEnded")
            self.assertFalse((self.folder_of(job) / "manifest-summary.json").exists())
            if not kill:
                self.assertFalse(self.folder_of(job).exists())
        self.assertEqual(len(self.read_export(self.wait(self.export("big")))), self.ITEMS)

    def test_import_killed(self):
        self.import_is_cut(kill=True)

    def test_import_stopped(self):
        self.import_is_cut(kill=False)

    def import_is_cut(self, kill):
        self.begin("disk")
        with open(self.bucket / "many.json", "w", encoding="ascii") as file:
            for number in range(5 * self.ITEMS):
                file.write(json.dumps({"Item": {"pk": {"S": f"k{number}"}, "v": {"S": "x" * 500}}}) + "\n")
        job = self.import_table("made", "many")
        waiting = [self.import_table(f"made{number}", "many") for number in range(3)]
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.described(job)["ImportedItemCount"] == 0:
            self.assertLess(time.monotonic(), deadline)
        self.assertEqual(self.status(self.described(waiting[-1])), "IN_PROGRESS")
        self.restart(kill)
        for one in [job, *waiting]:
            one = self.described(one)
            self.assertEqual((one["ImportStatus"], one["FailureCode"]), ("FAILED", "ServerEnded"))
        self.assertEqual(self.send("DescribeTable", TableName="made")["Table"]["TableStatus"], "ACTIVE")
        self.refused("ResourceInUseException", "ImportTable", S3BucketSource={"S3Bucket": "bucket"},
                     InputFormat="DYNAMODB_JSON", TableCreationParameters={"TableName": "made"} | KEY)
        self.send("DeleteTable", TableName="made")
        done = self.wait(self.import_table("made", "many"))
        self.assertEqual(done["ImportedItemCount"], 5 * self.ITEMS)


class BoundsTest(Jobs):
    def test_hostile_names(self):
        self.begin("memory")
        self.make_table("books")
        outside = self.folder / "outside"
        outside.mkdir()
        (outside / "secret.json").write_text('{"Item":{"pk":{"S":"secret"}}}')
        (self.bucket / "linked").symlink_to(outside)
        (self.bucket / "linked.json").symlink_to(outside / "secret.json")
        (self.folder / "s3" / "other").symlink_to(outside)
        before = sorted(str(path) for path in self.folder.rglob("*"))
        for prefix in ("..", "../outside", "a/../../../outside", "/etc", "a\0b", "./a", "a//b", "x" * 300):
            self.refused("ValidationException", "ExportTableToPointInTime", TableArn=arn_of("books"),
                         S3Bucket="bucket", S3Prefix=prefix)
            self.refused("ValidationException", "ImportTable", InputFormat="DYNAMODB_JSON",
                         S3BucketSource={"S3Bucket": "bucket", "S3KeyPrefix": prefix},
                         TableCreationParameters={"TableName": "made"} | KEY)
        for bucket in ("..", "../s3", "/tmp", "a/b", "bucket/", ""):
            self.refused("ValidationException", "ExportTableToPointInTime", TableArn=arn_of("books"), S3Bucket=bucket)
        failed = self.wait(self.export("books", S3Prefix="linked"), "FAILED")
        self.assertEqual(failed["FailureCode"], "S3AccessDenied")
        failed = self.wait(self.export("books", S3Bucket="other"), "FAILED")
        self.assertEqual(failed["FailureCode"], "S3NoSuchBucket")
        for number, prefix in enumerate(("linked", "linked/", "linked.json")):
            failed = self.wait(self.import_table(f"made{number}", prefix), "FAILED")
            self.assertEqual(failed["FailureCode"], "S3NoSuchKey")
        self.assertEqual(sorted(str(path) for path in self.folder.rglob("*")), before)

    def test_folder_in_the_data_is_refused(self):
        folder = tempfile.mkdtemp(prefix="magneto-jobs-")
        self.addCleanup(shutil.rmtree, folder)
        for data, objects in ((folder, folder), (folder + "/data", folder), (folder, folder + "/s3")):
            os.makedirs(objects, exist_ok=True)
            done = subprocess.run([BINARY, "--port", "0", "--data-dir", data, "--s3-dir", objects],
                                  capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--s3-dir", done.stderr)

    def test_full_answers_while_jobs_run(self):
        self.begin("memory")
        self.make_table("big")
        self.fill("big", 4000, 2000)
        jobs = [self.export("big") for _ in range(20)]
        self.send("PutItem", TableName="big", Item={"pk": {"S": "k0"}, "v": {"S": "late"}})
        for job in jobs:
            self.assertEqual(self.wait(job)["ItemCount"], 4000)
        values = {item["v"]["S"] for item in self.read_export(self.described(jobs[-1])) if item["pk"]["S"] == "k0"}
        self.assertEqual(values, {"x" * 2000})
        page = self.send("ListExports", MaxResults=15)
        self.assertEqual(len(page["ExportSummaries"]), 15)
        rest = self.send("ListExports", MaxResults=15, NextToken=page["NextToken"])
        self.assertEqual(len(rest["ExportSummaries"]), 5)
        self.assertNotIn("NextToken", rest)

    def test_callers_apart(self):
        """By --isolate, and by namespace."""
        self.begin("disk", "--isolate=credentials")
        self.as_caller("one")
        self.make_table("books")
        self.send("PutItem", TableName="books", Item={"pk": {"S": "of one"}})
        mine = self.wait(self.export("books"))
        self.assertEqual([item["pk"]["S"] for item in self.read_export(mine)], ["of one"])
        (self.bucket / "in.json").write_text('{"Item":{"pk":{"S":"put"}}}')
        made = self.wait(self.import_table("made", "in"))
        self.assertEqual(self.send("Scan", TableName="made")["Count"], 1)
        self.as_caller("other")
        self.refused("ExportNotFoundException", "DescribeExport", ExportArn=mine["ExportArn"])
        self.refused("ImportNotFoundException", "DescribeImport", ImportArn=made["ImportArn"])
        self.assertEqual(self.send("ListExports"), {"ExportSummaries": []})
        self.refused("TableNotFoundException", "ExportTableToPointInTime", TableArn=arn_of("books"), S3Bucket="bucket")
        self.refused("ResourceNotFoundException", "DescribeTable", TableName="made")
        self.wait(self.import_table("made", "in"))
        self.restart(kill=True)
        self.as_caller("one")
        self.assertEqual(self.described(mine), mine)
        self.assertEqual(len(self.send("ListImports")["ImportSummaryList"]), 1)

    def as_caller(self, key):
        self.connection = Signed(self.server.endpoint, key)
        self.addCleanup(self.connection.close)

    def test_without_the_flag(self):
        server = Server(BINARY, "memory", "--auth=off")
        self.addCleanup(server.remove)
        server.start()
        self.connect(server)
        self.make_table("books")
        body = self.refused("ValidationException", "ExportTableToPointInTime", TableArn=arn_of("books"),
                            S3Bucket="bucket")
        self.assertIn("--s3-dir", body["message"])
        self.assertEqual(self.send("ListExports"), {"ExportSummaries": []})


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main()
