"""Exports of a table's past state, and of the changes in a period, against the binary.

bulk_past_test.py <magneto> [test ...]
"""

import base64
import gzip
import hashlib
import json
import re
import threading
import unittest
import urllib.request

from bulk_jobs_case import Connection, Jobs

TOKEN = "proof"
MINUTE = 60
START = "2031-02-03T12:00:00Z"
KINDS = ("NEW_AND_OLD_IMAGES", "NEW_IMAGE")


class PastExports(Jobs):
    def start(self, engine):
        self.begin(engine, f"--control-token={TOKEN}")
        self.now = self.change_clock(now=START, frozen=True)

    def change_clock(self, **how):
        request = urllib.request.Request(f"{self.server.endpoint}/_/namespaces/main/clock", json.dumps(how).encode(),
                                         {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"},
                                         method="PUT")
        with urllib.request.urlopen(request) as answer:
            json.load(answer)
        self.send("CreateTable", TableName="clock", **self.key())
        shown = self.send("DescribeTable", TableName="clock")["Table"]["CreationDateTime"]
        self.send("DeleteTable", TableName="clock")
        return shown

    @staticmethod
    def key():
        return {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "BillingMode": "PAY_PER_REQUEST"}

    def pass_time(self, minutes):
        self.now = self.change_clock(advance=f"{minutes}m")

    def put(self, key, **rest):
        self.send("PutItem", TableName="tab", Item={"pk": {"S": key}, **rest})

    def delete(self, key):
        self.send("DeleteItem", TableName="tab", Key={"pk": {"S": key}})

    def items(self):
        found = []
        start = {}
        while True:
            page = self.send("Scan", TableName="tab", **start)
            found += page["Items"]
            if "LastEvaluatedKey" not in page:
                return self.sorted(found)
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    @staticmethod
    def sorted(items):
        return sorted(items, key=lambda item: json.dumps(item, sort_keys=True))

    def full(self, **rest):
        return self.sorted(self.read_export(self.wait(self.export("tab", **rest))))

    def changes(self, begin, end=None, view=None, **rest):
        period = {"ExportFromTime": begin} | ({} if end is None else {"ExportToTime": end})
        period |= {"ExportViewType": view} if view else {}
        return self.wait(self.export("tab", ExportType="INCREMENTAL_EXPORT", IncrementalExportSpecification=period, **rest))

    def lines_of(self, job, prefix=""):
        """All data files of an incremental export. Checks that its manifests are true."""
        path = self.bucket / job["ExportManifest"]
        summary = json.loads(path.read_bytes())
        self.assertEqual((summary["version"], summary["exportType"]), ("2023-08-01", "INCREMENTAL_EXPORT"))
        self.assertNotIn("exportTime", summary)
        lines = []
        for line in (self.bucket / summary["manifestFilesS3Key"]).read_text().splitlines():
            entry = json.loads(line)
            self.assertTrue(entry["dataFileS3Key"].startswith(f"{prefix}AWSDynamoDB/data/"), entry)
            data = (self.bucket / entry["dataFileS3Key"]).read_bytes()
            self.assertEqual(entry["md5Checksum"], base64.b64encode(hashlib.md5(data).digest()).decode())
            own = gzip.decompress(data).decode().splitlines()
            self.assertEqual(len(own), entry["itemCount"])
            lines += own
        self.assertEqual((len(lines), len(lines)), (job["ItemCount"], summary["itemCount"]))
        return summary, lines

    def records(self, job):
        return {record["Keys"]["pk"]["S"]: record for record in map(json.loads, self.lines_of(job)[1])}

    # ---- a moment

    def check_moments(self, engine):
        self.start(engine)
        self.make_table("tab")
        was = {}
        for step in range(4):
            for number in range(step * 10, 400):
                self.put(f"k{number}", n={"N": str(step)}, v={"S": "x" * 3000})
            for number in range(step * 5):
                self.delete(f"k{number}")
            was[self.now] = self.items()
            self.pass_time(10)
        self.put("late", n={"N": "9"})
        for time, items in was.items():
            self.assertEqual(self.full(ExportTime=time), items)
            self.assertEqual(self.full(ExportTime=time + 5 * MINUTE), items)
        self.assertEqual(self.full(ExportTime=self.now), self.items())
        self.assertEqual(self.full(), self.items())
        first, second = list(was)[:2]
        job = self.wait(self.export("tab", ExportTime=second))
        self.assertEqual(job["ExportTime"], second)
        summary = json.loads((self.bucket / job["ExportManifest"]).read_bytes())
        self.assertEqual(summary["exportTime"], "2031-02-03T12:10:00.000Z")
        one = {"KeyConditionExpression": "pk = :k", "ExpressionAttributeValues": {":k": {"S": "k7"}}}
        self.assertEqual([item["n"] for item in self.full(ExportTime=first, FilterSpecification=one)], [{"N": "0"}])
        some = {"FilterExpression": "n = :n", "ProjectionExpression": "pk",
                "ExpressionAttributeValues": {":n": {"N": "0"}}}
        self.assertEqual(self.full(ExportTime=second, FilterSpecification=some),
                         self.sorted([{"pk": item["pk"]} for item in was[second] if item["n"] == {"N": "0"}]))
        ion = self.wait(self.export("tab", ExportTime=second, ExportFormat="ION"))
        self.assertEqual(ion["ItemCount"], len(was[second]))
        return was

    def test_moments_in_memory(self):
        self.check_moments("memory")

    def test_moments_on_disk(self):
        was = self.check_moments("disk")
        self.restart(kill=True)
        self.change_clock(now="2031-02-03T13:00:00Z", frozen=True)
        for time, items in was.items():
            self.assertEqual(self.full(ExportTime=time), items)

    # ---- a period

    def check_period(self, engine):
        self.start(engine)
        self.make_table("tab")
        for key in ("stays", "changes", "goes", "returns"):
            self.put(key, n={"N": "1"})
        self.pass_time(1)
        begin = self.now
        self.put("changes", n={"N": "2"})
        self.put("changes", n={"N": "3"}, s={"SS": ["a"]})
        self.put("comes", n={"N": "4"})
        self.delete("goes")
        self.delete("returns")
        self.put("passes", n={"N": "5"})
        self.pass_time(5)
        self.delete("passes")
        self.put("returns", n={"N": "6"})
        last = self.now
        self.pass_time(20)
        end = self.now
        self.put("comes", n={"N": "7"})
        self.put("later", n={"N": "8"})
        self.delete("changes")
        return begin, last, end

    def check_records(self, begin, last, end):
        job = self.changes(begin, end)
        self.assertEqual(job["IncrementalExportSpecification"], {
            "ExportFromTime": begin, "ExportToTime": end, "ExportViewType": "NEW_AND_OLD_IMAGES"})
        self.assertNotIn("ExportTime", job)
        time = {"Metadata": {"WriteTimestampMicros": {"N": str(int(begin * 1_000_000))}}}
        late = {"Metadata": {"WriteTimestampMicros": {"N": str(int(last * 1_000_000))}}}

        def item(key, number, **rest):
            return {"pk": {"S": key}, "n": {"N": number}, **rest}

        def keys(key):
            return {"Keys": {"pk": {"S": key}}}
        expected = {
            "changes": time | keys("changes") | {"OldImage": item("changes", "1"),
                                                 "NewImage": item("changes", "3", s={"SS": ["a"]})},
            "comes": time | keys("comes") | {"NewImage": item("comes", "4")},
            "goes": time | keys("goes") | {"OldImage": item("goes", "1")},
            "returns": late | keys("returns") | {"OldImage": item("returns", "1"), "NewImage": item("returns", "6")}}
        self.assertEqual(self.records(job), expected)
        for record in expected.values():
            record.pop("OldImage", None)
        self.assertEqual(self.records(self.changes(begin, end, "NEW_IMAGE")), expected)

    def test_period_in_memory(self):
        period = self.check_period("memory")
        self.check_records(*period)
        begin, _, end = period
        listed = self.send("ListExports")["ExportSummaries"]
        self.assertEqual({export["ExportType"] for export in listed}, {"INCREMENTAL_EXPORT"})
        summary, _ = self.lines_of(self.changes(begin, end, S3Prefix="a/b"), "a/b/")
        self.assertEqual((summary["exportFromTime"], summary["exportToTime"], summary["outputView"]),
                         ("2031-02-03T12:01:00.000Z", "2031-02-03T12:26:00.000Z", "NEW_AND_OLD_IMAGES"))
        # Up to now, with the current items.
        job = self.changes(begin)
        self.assertEqual(job["IncrementalExportSpecification"]["ExportToTime"], self.now)
        self.assertEqual(set(self.records(job)), {"changes", "comes", "goes", "returns", "later"})

    def test_period_on_disk(self):
        period = self.check_period("disk")
        self.check_records(*period)
        self.restart(kill=True)
        self.change_clock(now="2031-02-03T13:00:00Z", frozen=True)
        self.check_records(*period)

    def test_ion(self):
        begin, _, end = self.check_period("memory")
        lines = self.lines_of(self.changes(begin, end, ExportFormat="ION"))[1]
        self.assertEqual(len(lines), 4)
        for line in lines:
            self.assertRegex(line, r"^\$ion_1_0 \{Record:\{Metadata:\{WriteTimestampMicros:\d{16}\.\},Keys:\{pk:\"\w+\"\}")
        changed = next(line for line in lines if '"changes"' in line)
        self.assertTrue(re.search(r'OldImage:\{n:1\.,pk:"changes"\},NewImage:\{n:3\.,pk:"changes",'
                                  r's:\$dynamodb_SS::\["a"\]\}\}\}$', changed), changed)

    def test_many(self):
        """In many pages."""
        self.start("memory")
        self.make_table("tab")
        self.fill("tab", 3000, 500)
        self.pass_time(1)
        begin = self.now
        self.fill("tab", 2500, 1000)
        self.pass_time(60)
        self.fill("tab", 3000, 10)
        found = self.records(self.changes(begin, begin + 20 * MINUTE))
        self.assertEqual(set(found), {f"k{number}" for number in range(2500)})
        self.assertEqual({(len(record["OldImage"]["v"]["S"]), len(record["NewImage"]["v"]["S"]))
                          for record in found.values()}, {(500, 1000)})
        # Together they have all changes of the table.
        self.assertEqual(self.changes(begin + 20 * MINUTE)["ItemCount"], 3000)

    # ---- the answers match the exports

    def manifest(self, job):
        return json.loads((self.bucket / job["ExportManifest"]).read_bytes())

    def test_a_time_ahead_is_told_as_now(self):
        self.start("memory")
        self.make_table("tab")
        begin = self.now
        self.pass_time(20)
        full = self.wait(self.export("tab", ExportTime=self.now + 4))
        self.assertEqual(full["ExportTime"], self.now)
        self.assertEqual(self.manifest(full)["exportTime"], "2031-02-03T12:20:00.000Z")
        first = self.changes(begin, self.now + 4)
        told = first["IncrementalExportSpecification"]["ExportToTime"]
        self.assertEqual(told, self.now)
        self.assertEqual(self.manifest(first)["exportToTime"], "2031-02-03T12:20:00.000Z")
        self.now = self.change_clock(advance="1s")
        self.put("next")
        self.pass_time(20)
        self.assertEqual(set(self.records(self.changes(told))), {"next"})

    def test_periods_one_after_the_other(self):
        """While others write: each record is in one of them, and a period is the same later."""
        self.begin("memory", f"--control-token={TOKEN}")
        self.make_table("tab")
        begin = self.change_clock(advance="30m") - 20 * MINUTE
        stop = threading.Event()
        last = [0] * 3

        def write(number):
            connection = Connection(self.server.port)
            while not stop.is_set():
                last[number] += 1
                connection.send("PutItem", TableName="tab", Item={"pk": {"S": f"k{number}-{last[number]}"}})
            connection.close()
        writers = [threading.Thread(target=write, args=(number,)) for number in range(3)]
        for writer in writers:
            writer.start()
        jobs = []
        try:
            for _ in range(10):
                before = list(last)
                job = self.changes(begin)
                found = self.records(job)
                self.assertTrue({f"k{number}-{count - 1}" for number, count in enumerate(before) if count > 1} <= set(found))
                told = job["IncrementalExportSpecification"]["ExportToTime"]
                jobs.append((told, found))
        finally:
            stop.set()
            for writer in writers:
                writer.join()
        self.assertGreater(min(last), 20)
        for told, found in jobs:
            for record in found.values():
                self.assertLess(int(record["Metadata"]["WriteTimestampMicros"]["N"]), round(told * 1_000_000))
            self.assertEqual(self.records(self.changes(begin, told)), found)

    def test_the_first_moment(self):
        """With a frozen clock, items that were put when recovery was enabled have that time too."""
        self.start("memory")
        self.make_table("tab")
        self.put("first")
        self.pass_time(20)
        described = self.send("DescribeContinuousBackups", TableName="tab")["ContinuousBackupsDescription"]
        earliest = described["PointInTimeRecoveryDescription"]["EarliestRestorableDateTime"]
        self.assertEqual(set(self.records(self.changes(earliest))), {"first"})

    # ---- refusals

    def test_refusals(self):
        self.start("memory")
        self.make_table("plain", recoverable=False)
        self.pass_time(1)
        self.make_table("tab")
        begun = self.now
        self.pass_time(60)
        day = 24 * 60 * MINUTE

        def refuse(kind, table="tab", **rest):
            return self.refused(kind, "ExportTableToPointInTime", TableArn=self.arn(table), S3Bucket="bucket", **rest)

        def period(begin, end):
            return {"ExportType": "INCREMENTAL_EXPORT",
                    "IncrementalExportSpecification": {"ExportFromTime": begin, "ExportToTime": end}}
        for time in (begun - 60, self.now + 60, 0, -1, 1e300):
            refuse("InvalidExportTimeException", ExportTime=time)
        refuse("PointInTimeRecoveryUnavailableException", "plain", ExportTime=begun)
        refuse("PointInTimeRecoveryUnavailableException", "plain", **period(begun, self.now))
        refuse("InvalidExportTimeException", **period(begun - 1, self.now))
        refuse("InvalidExportTimeException", **period(self.now - 20 * MINUTE, self.now + 60))
        for begin, end in ((begun, begun + 15 * MINUTE - 1), (self.now - day - 1, self.now), (self.now, begun),
                           (begun, begun), (-1e300, 1e300)):
            refuse("InvalidExportTimeException", **period(begin, end))
        fine = period(begun, self.now)
        refuse("ValidationException", **(fine | {"ExportType": "FULL_EXPORT"}))
        refuse("ValidationException", ExportType="INCREMENTAL_EXPORT")
        refuse("ValidationException", ExportType="INCREMENTAL_EXPORT", IncrementalExportSpecification={})
        refuse("ValidationException", **(fine | {"ExportTime": self.now}))
        refuse("ValidationException", **(fine | {"FilterSpecification": {"ProjectionExpression": "pk"}}))
        fine["IncrementalExportSpecification"]["ExportViewType"] = "NEW_IMAGES"
        refuse("ValidationException", **fine)
        # A client whose clock is some seconds ahead.
        self.assertEqual(self.changes(begun, self.now + 3)["ItemCount"], 0)
        self.assertEqual(self.full(ExportTime=self.now + 3), [])

    def arn(self, table):
        return f"arn:aws:dynamodb:us-east-1:000000000000:table/{table}"


if __name__ == "__main__":
    import sys
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
