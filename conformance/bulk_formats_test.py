"""The contents that exports, imports and bulk operations can carry, against the binary.

bulk_formats_test.py <magneto> [test ...]
"""

import gzip
import json
import pathlib
import subprocess
import sys
import unittest

from bulk_jobs_case import BINARY, Jobs


class FormatTest(Jobs):
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
        done = self.wait(self.import_table("made", "a.ion", InputFormat="ION"), "FAILED")
        self.assertEqual(done["FailureCode"], "ItemValidationError")
        self.assertEqual((done["ImportedItemCount"], done["ErrorCount"]), (2, 3))
        # {Item:{pk:"a"}} with the symbols Item and pk, then what is shorter than it says.
        binary = (b"\xe0\x01\x00\xea\xee\x8f\x81\x83\xde\x8b\x87\xb9\x84Item\x82pk\x80"
                  b"\xde\x85\x8a\xd3\x8b\x81a")
        (self.bucket / "b.10n").write_bytes(binary)
        done = self.wait(self.import_table("binary", "b.10n", InputFormat="ION"))
        self.assertEqual((done["ImportedItemCount"], done["ErrorCount"]), (1, 0))
        (self.bucket / "c.10n").write_bytes(binary[:-1])
        failed = self.wait(self.import_table("cut", "c.10n", InputFormat="ION"), "FAILED")
        self.assertEqual((failed["FailureCode"], failed["ErrorCount"]), ("ItemValidationError", 1))
        self.assertEqual(failed["ImportedItemCount"], 0)

    def test_bad_objects_cost_themselves_alone(self):
        """Damaged objects: the items before the damage are put."""
        self.begin("disk")
        good = [json.dumps({"Item": {"pk": {"S": f"k{number}"}}}) + "\n" for number in range(50)]
        whole = gzip.compress("".join(good[:10]).encode())
        broken = gzip.compress(b"".join(b"%064x" % (number * 7919) for number in range(10_000)))
        for name, content in {
                "0-damaged": whole + broken[:-6], "1": gzip.compress(good[10].encode()),
                "2-plain": good[11].encode(), "3-zeros": gzip.compress(good[12].encode()) + bytes(1000),
                "4-long": gzip.compress(good[13].encode() + b"x" * (9 << 20)), "5.part": gzip.compress(good[14].encode()),
                "6-zstd": b"\x50\x2a\x4d\x18" + bytes(100), "7": gzip.compress(good[15].encode())}.items():
            (self.bucket / f"in-{name}").write_bytes(content)
        done = self.wait(self.import_table("made", "in-", InputCompressionType="GZIP"), "FAILED")
        self.assertEqual(done["FailureCode"], "ItemValidationError")
        self.assertEqual((done["ImportedItemCount"], done["ErrorCount"]), (15, 4))
        self.assertEqual(done["ProcessedSizeBytes"], sum(path.stat().st_size for path in self.bucket.glob("in-*")))
        told = [path.read_text() for path in pathlib.Path(self.server.data_folder).glob("jobs/*.errors")]
        self.assertEqual(len(told), 1)
        lines = told[0].splitlines()
        self.assertEqual(lines[0], "in-0-damaged is not a complete gzip file: it is damaged or cut off")
        self.assertEqual([line.partition(":")[0] for line in lines[1:]], ["in-2-plain", "in-4-long", "in-6-zstd"])


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


class PutTest(Jobs):
    """Bulk operations: into a table that is there."""

    def start(self, table, prefix, **rest):
        request = {"TableName": table, "OutputS3Configuration": {"S3Bucket": "bucket", "OutputType": ["ERROR"],
                                                                "S3KeyPrefix": "told"},
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
                     OutputS3Configuration={"S3Bucket": "bucket", "OutputType": ["ERROR"]})
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

    def test_bad_objects_cost_themselves_alone(self):
        self.begin("memory")
        self.make_table("books", recoverable=False)
        good = [b'$ion_1_0 {Item:{pk:"%d"}}\n' % number for number in range(3)]
        for name, content in {"0": gzip.compress(good[0]), "1": good[1], "2": gzip.compress(good[2])[:-4]}.items():
            (self.bucket / f"in{name}").write_bytes(content)
        done = self.wait(self.start("books", "in", InputS3Configuration={
            "S3Bucket": "bucket", "S3KeyPrefix": "in", "InputFormat": "ION", "InputCompressionType": "GZIP"}),
            "COMPLETED_WITH_ERRORS")
        self.assertEqual((done["ProcessedItemCount"], done["FailedItemCount"]), (4, 2))
        told = (self.bucket / "told" / done["BulkOperationArn"].rpartition("/")[2] / "errors.txt").read_text()
        self.assertEqual(told, "in1:1: it is not compressed as InputCompressionType says\n"
                               "in2 is not a complete gzip file: it is damaged or cut off\n")

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
                     OutputS3Configuration={"S3Bucket": "bucket", "OutputType": ["ERROR"]})
        failed = self.wait(self.start("books", "nothing"), "FAILED")
        self.assertEqual(failed["FailureCode"], "S3NoSuchKey")
        failed = self.wait(self.start("books", "in", InputS3Configuration={
            "S3Bucket": "missing", "InputFormat": "ION"}), "FAILED")
        self.assertEqual(failed["FailureCode"], "S3NoSuchBucket")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
