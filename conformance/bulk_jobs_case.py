"""The common part of the suites of exports, imports and bulk operations: a server with a folder of buckets."""

import base64
import gzip
import hashlib
import http.client
import json
import pathlib
import shutil
import sys
import tempfile
import time
import unittest

from wire import Connection, Refused
from with_server import Server

BINARY = sys.argv[1]
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
