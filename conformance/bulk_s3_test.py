"""Exports and imports over an S3 endpoint, one that fails on purpose too, against the binary.

bulk_s3_test.py <magneto> [test ...]
"""

import base64
import gzip
import hashlib
import json
import os
import pathlib
import subprocess
import time
import unittest

from bulk_jobs_case import BINARY, PATIENCE_SECONDS, Jobs, arn_of
from s3_stand_in import ENVIRONMENT, S3StandIn
from with_server import Server


class S3Jobs(Jobs):
    """A server whose S3 is somewhere else, with the bucket "bucket"."""

    def start(self, engine="memory", url=None, *flags):
        os.environ.update(ENVIRONMENT, TMPDIR=self.temporary())
        self.s3 = S3StandIn("bucket", "other")
        self.s3.start()
        self.addCleanup(self.s3.stop)
        self.server = Server(BINARY, engine, "--auth=off", f"--s3-endpoint={url or self.s3.url}", *flags)
        self.addCleanup(self.server.remove)
        self.server.start()
        self.connect(self.server)
        self.objects = self.s3.buckets["bucket"]

    def temporary(self):
        import tempfile
        folder = tempfile.TemporaryDirectory(prefix="magneto-s3-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        return folder.name

    def staged(self):
        folder = pathlib.Path(self.server.data_folder) / "jobs" / "staging" if self.server.data_folder else self.folder
        return [path for path in folder.glob("magneto-*") if path.name != f"magneto-{os.getuid()}" and "conformance" not in path.name]

    def check_left_nothing(self):
        self.assertEqual(self.staged(), [])
        self.assertEqual(self.s3.problems, [])

    def items_of(self, table):
        found, start = [], {}
        while True:
            page = self.send("Scan", TableName=table, **start)
            found += page["Items"]
            if "LastEvaluatedKey" not in page:
                return sorted(found, key=lambda item: item["pk"]["S"])
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def data_of(self, job):
        """Its items' lines; all that the manifests tell is true."""
        summary = json.loads(self.objects[job["ExportManifest"]])
        self.assertEqual(summary["itemCount"], job["ItemCount"])
        for key in (job["ExportManifest"], summary["manifestFilesS3Key"]):
            told = self.objects[key.replace(".json", ".md5")].decode()
            self.assertEqual(told, base64.b64encode(hashlib.md5(self.objects[key]).digest()).decode())
        lines = []
        for line in self.objects[summary["manifestFilesS3Key"]].decode().splitlines():
            entry = json.loads(line)
            data = self.objects[entry["dataFileS3Key"]]
            self.assertEqual(entry["etag"], hashlib.md5(data).hexdigest())
            lines += gzip.decompress(data).decode().splitlines()
        self.assertEqual(len(lines), job["ItemCount"])
        return lines


class RoundTrips(S3Jobs):
    def check_round_trip(self, engine):
        self.start(engine)
        self.make_table("books")
        self.fill("books", 500, 2000)
        items = self.items_of("books")
        for kind in ("DYNAMODB_JSON", "ION"):
            job = self.wait(self.export("books", ExportFormat=kind, S3Prefix="a b/\u00fc+%/", S3BucketOwner=self.s3.owner))
            self.data_of(job)
            prefix = job["ExportManifest"].rpartition("/")[0] + "/data/"
            done = self.wait(self.import_table(f"back_{kind}", prefix, InputFormat=kind, InputCompressionType="GZIP"))
            self.assertEqual((done["ImportedItemCount"], done["ErrorCount"]), (500, 0))
            self.assertEqual(done["ProcessedSizeBytes"],
                             sum(len(self.objects[key]) for key in self.objects if key.startswith(prefix)))
            self.assertEqual(self.items_of(f"back_{kind}"), items)
            self.assertEqual(job["S3SseAlgorithm"], "AES256")
        # S3 encrypts in any case; other servers may not be able to.
        self.assertFalse([head for head in self.s3.heads.values() if "X-Amz-Server-Side-Encryption" in head])
        job = self.wait(self.export("books", S3SseAlgorithm="AES256"))
        self.assertEqual(self.s3.heads[job["ExportManifest"]]["X-Amz-Server-Side-Encryption"], "AES256")
        self.check_left_nothing()

    def test_round_trip_in_memory(self):
        self.check_round_trip("memory")

    def test_round_trip_on_disk(self):
        self.check_round_trip("disk")

    def test_many_objects_and_formats(self):
        """In several pages of keys; one object takes several requests."""
        self.start()
        for number in range(23):
            line = json.dumps({"Item": {"pk": {"S": f"k{number:02}"}}}).encode()
            self.objects[f"in/{number} +%&<>\n\u20ac"] = line
        self.objects["in/"] = b""
        self.objects["innot"] = b"no line"
        big = "".join(json.dumps({"Item": {"pk": {"S": f"big{number}"}, "v": {"S": "x" * 1000}}}) + "\n"
                      for number in range(20_000))
        self.objects["in/big"] = big.encode()
        done = self.wait(self.import_table("plain", "in/"))
        self.assertEqual((done["ImportedItemCount"], done["ErrorCount"]), (20_023, 0))
        done = self.wait(self.import_table("csv", "none.csv", InputFormat="CSV"))
        self.assertEqual(done["ImportedItemCount"], 0)
        self.objects["cut/a.gz"] = gzip.compress(b"x" * 1000)[:-4]
        done = self.wait(self.import_table("cut", "cut/", InputCompressionType="GZIP"), "FAILED")
        self.assertEqual((done["FailureCode"], done["ErrorCount"]), ("ItemValidationError", 1))
        packed = subprocess.run(["zstd", "-c"], input=big.encode(), capture_output=True, check=True).stdout
        self.objects["z/a.zst"] = packed
        done = self.wait(self.import_table("packed", "z/", InputCompressionType="ZSTD"))
        self.assertEqual(done["ImportedItemCount"], 20_000)
        self.check_left_nothing()

    def test_files_are_begun_anew(self):
        """Large exports: a written object is never on this machine as a whole."""
        self.start()
        self.make_table("books")
        for first in range(0, 300, 20):
            puts = [{"PutRequest": {"Item": {"pk": {"S": f"k{number}"}, "v": {"S": os.urandom(195_000).hex()}}}}
                    for number in range(first, first + 20)]
            self.send("BatchWriteItem", RequestItems={"books": puts})
        job = self.wait(self.export("books"))
        self.assertEqual(len(self.data_of(job)), 300)
        sizes = [len(content) for key, content in self.objects.items() if "/data/" in key]
        self.assertGreaterEqual(len(sizes), 4)
        self.assertLess(max(sizes), 19 << 20)
        prefix = job["ExportManifest"].rpartition("/")[0] + "/data/"
        done = self.wait(self.import_table("back", prefix, InputCompressionType="GZIP"))
        self.assertEqual(done["ImportedItemCount"], 300)
        self.assertEqual(self.items_of("back"), self.items_of("books"))
        self.check_left_nothing()

    def test_bulk_errors_are_an_object(self):
        self.start()
        self.make_table("books")
        self.objects["in/a"] = b'{"Item":{"pk":{"S":"a"}}}\nnone\n'
        job = self.send("StartBulkPutItems", TableName="books", ClientToken="t",
                        InputS3Configuration={"S3Bucket": "bucket", "S3KeyPrefix": "in/", "InputFormat": "DYNAMODB_JSON"},
                        OutputS3Configuration={"S3Bucket": "other", "S3KeyPrefix": "out", "OutputType": ["ERROR"]})
        arn = job["BulkOperationDescription"]["BulkOperationArn"]
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            job = self.send("DescribeBulkOperation", BulkOperationArn=arn)["BulkOperationDescription"]
            if job["BulkOperationStatus"] != "IN_PROGRESS":
                break
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        self.assertEqual(job["BulkOperationStatus"], "COMPLETED_WITH_ERRORS")
        (key, content), = self.s3.buckets["other"].items()
        self.assertEqual(key, f"out/{arn.rpartition('/')[2]}/errors.txt")
        self.assertIn(b"in/a:2:", content)
        self.check_left_nothing()

    def test_period(self):
        """Data of incremental exports lies in one folder."""
        self.start()
        self.make_table("books")
        keys = self.wait(self.export("books", S3Prefix="p", S3SseAlgorithm="KMS", S3SseKmsKeyId="key"))
        self.assertTrue(keys["ExportManifest"].startswith("p/AWSDynamoDB/"))
        head = self.s3.heads[keys["ExportManifest"]]
        self.assertEqual((head["X-Amz-Server-Side-Encryption"], head["X-Amz-Server-Side-Encryption-Aws-Kms-Key-Id"]),
                         ("aws:kms", "key"))
        self.check_left_nothing()


class Failures(S3Jobs):
    def start(self, engine="memory", url=None, *flags):
        super().start(engine, url, *flags)
        self.make_table("books")
        self.fill("books", 50, 100)

    def failed(self, code, **rest):
        job = self.wait(self.export("books", **rest), "FAILED")
        self.assertEqual(job["FailureCode"], code, job)
        self.assertTrue(job["FailureMessage"])
        return job["FailureMessage"]

    def test_refusals(self):
        self.start()
        self.failed("S3NoSuchBucket", S3Bucket="none")
        self.failed("S3AccessDenied", S3BucketOwner="999988887777")
        sent = self.s3.count("")
        for key in ("key\r\nX-Amz-Acl: public-read", "a\r\n\r\nGET /bucket/evil HTTP/1.1\r\n\r\n", "a\0b", "\u043a"):
            self.refused("ValidationException", "ExportTableToPointInTime", TableArn=arn_of("books"), S3Bucket="bucket",
                         S3SseAlgorithm="KMS", S3SseKmsKeyId=key)
        self.assertEqual(self.s3.count(""), sent)
        self.s3.bad = "denied"
        self.assertIn("of the stand-in & no more", self.failed("S3AccessDenied"))
        job = self.wait(self.import_table("made", "in/"), "FAILED")
        self.assertEqual(job["FailureCode"], "S3AccessDenied")
        self.s3.bad = None
        self.assertEqual(self.objects, {})
        self.check_left_nothing()

    def test_what_passes(self):
        self.start()
        self.s3.fails, self.s3.cuts = 3, 2
        job = self.wait(self.export("books"))
        self.data_of(job)
        prefix = job["ExportManifest"].rpartition("/")[0] + "/data/"
        self.s3.fails, self.s3.cuts = 2, 2
        done = self.wait(self.import_table("back", prefix, InputCompressionType="GZIP"))
        self.assertEqual(done["ImportedItemCount"], 50)
        self.check_left_nothing()

    def test_what_was_written_goes_with_a_failure(self):
        self.start()
        self.s3.refuses = "manifest-files.json"
        self.assertIn("InvalidRequest", self.failed("S3Error"))
        self.assertEqual(self.objects, {})
        self.assertGreater(self.s3.count("DELETE"), 0)
        self.check_left_nothing()

    def test_liars(self):
        self.start()
        for bad in ("garbage", "lies", "huge", "pages", "fields", "key"):
            self.s3.bad = bad
            job = self.wait(self.import_table(f"made_{bad}", "in/"), "FAILED")
            self.assertEqual(job["FailureCode"], "S3AccessDenied" if bad == "pages" else "S3Error", job)
            if bad == "huge":
                self.assertEqual(job["FailureMessage"], "Object 'in/a' of bucket bucket has 100000000000000 bytes, "
                                 "and this machine does not have the space for it")
            if bad in ("fields", "key"):
                self.assertEqual(self.s3.requests[-1], "GET bucket ")
            if bad == "garbage":
                # There may be a bucket all the same.
                self.send("DescribeTable", TableName="made_garbage")
        self.s3.bad = None
        self.data_of(self.wait(self.export("books")))
        self.check_left_nothing()

    def test_bytes_of_others(self):
        """A server's text is in descriptions, records and the log as one line of text."""
        self.start("disk")
        self.s3.bad = "bytes"
        job = self.wait(self.export("books"), "FAILED")
        message = job["FailureMessage"]
        self.assertIn("\ufffd  2026 forged &#xD800;  [2Ja\u00e4", message)
        self.assertTrue(message.endswith("\u00e4"), message)
        self.assertTrue(all(letter.isprintable() for letter in message), message)
        self.s3.bad = None
        self.restart(kill=True)
        self.assertEqual(self.described(job), job)

    def test_no_encryption_is_told_at_once(self):
        self.start()
        self.s3.bad = "no encryption"
        began = time.monotonic()
        self.assertIn("NotImplemented", self.failed("S3Error", S3SseAlgorithm="AES256"))
        self.assertLess(time.monotonic() - began, 30)
        self.assertEqual(self.s3.count("PUT"), 1)

    def test_nobody_answers(self):
        self.start(url="http://127.0.0.1:1")
        began = time.monotonic()
        self.assertIn("127.0.0.1:1", self.failed("S3Error"))
        self.assertGreater(time.monotonic() - began, 45)
        self.assertLess(time.monotonic() - began, 240)
        self.check_left_nothing()

    def test_the_end_is_not_held_up(self):
        for bad in ("hang", "endless"):
            with self.subTest(bad):
                self.start("disk")
                self.s3.bad = bad
                jobs = [self.export("books"), self.import_table("made", "in/")]
                deadline = time.monotonic() + PATIENCE_SECONDS
                while self.s3.count("") < 2:
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.01)
                began = time.monotonic()
                self.assertEqual(self.server.stop(), 0)
                self.assertLess(time.monotonic() - began, 60)
                self.server.start()
                self.connect(self.server)
                for job in jobs:
                    self.assertEqual(self.described(job)["FailureCode"], "ServerEnded")
                self.check_left_nothing()

    def test_cancel_and_end_while_much_is_read(self):
        """Of a server that answers at once."""
        for way in ("cancel", "end"):
            with self.subTest(way):
                self.start("disk")
                self.s3.bad = "quick"
                job = self.send("StartBulkPutItems", TableName="books",
                                InputS3Configuration={"S3Bucket": "bucket", "S3KeyPrefix": "in/", "InputFormat": "DYNAMODB_JSON"},
                                OutputS3Configuration={"S3Bucket": "other", "OutputType": ["ERROR"]})["BulkOperationDescription"]
                arn = {"BulkOperationArn": job["BulkOperationArn"]}
                deadline = time.monotonic() + PATIENCE_SECONDS
                while self.s3.count("GET bucket in/") < 3:
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.01)
                began = time.monotonic()
                if way == "end":
                    self.assertEqual(self.server.stop(), 0)
                else:
                    self.send("CancelBulkOperation", **arn)
                    while self.send("DescribeBulkOperation", **arn)["BulkOperationDescription"]["BulkOperationStatus"] != "CANCELLED":
                        self.assertLess(time.monotonic(), deadline)
                        time.sleep(0.01)
                self.assertLess(time.monotonic() - began, 60)
                self.assertLess(self.s3.count("GET bucket in/"), 200)
                self.check_left_nothing()

    def test_killed(self):
        self.start("disk")
        self.s3.bad = "hang"
        jobs = [self.export("books"), self.import_table("made", "in/")]
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.s3.count("") < 2:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        self.assertNotEqual(self.staged(), [])
        self.restart(kill=True)
        for job in jobs:
            job = self.described(job)
            self.assertEqual((self.status(job), job["FailureCode"]), ("FAILED", "ServerEnded"))
        self.s3.bad = None
        self.check_left_nothing()
        self.data_of(self.wait(self.export("books")))


class Leftovers(S3Jobs):
    def test_killed_and_begun_with_other_flags(self):
        self.start("disk")
        self.s3.bad = "hang"
        self.import_table("made", "in/")
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self.staged():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        self.server.flags = [flag for flag in self.server.flags if "s3-endpoint" not in flag]
        self.restart(kill=True)
        self.assertEqual(self.staged(), [])


class Flags(unittest.TestCase):
    def test_conflicts(self):
        def errors(*flags):
            done = subprocess.run([BINARY, "--port", "0", *flags], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 2)
            return done.stderr
        self.assertIn("--s3-endpoint localhost:9000", errors("--s3-endpoint=localhost:9000"))
        self.assertIn("--s3-dir and --s3-endpoint", errors("--s3-endpoint=http://localhost:9000", "--s3-dir=/tmp"))


if __name__ == "__main__":
    import sys
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
