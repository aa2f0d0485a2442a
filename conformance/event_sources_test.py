"""Event source mappings against a stand-in for Lambda: form, order, batches, failures, ends and restarts.

event_sources_test.py <magneto> [test ...]
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request

from deliveries_case import BINARY, PATIENCE_SECONDS, Writers, wait_until
from event_sources_case import STREAM, EventSources, failed, versions

SLOW_SECONDS = 120  # that a function takes which is to be slow; tests end it before
WINDOW_SECONDS = 8


class RecordsTest(EventSources):
    def test_form(self):
        self.begin({})
        self.put("x", 1)
        self.put("x", 2)
        self.send("DeleteItem", TableName="tab", Key={"pk": {"S": "x"}})
        insert, modify, remove = self.await_records(3)
        arn = self.send("DescribeTable", TableName="tab")["Table"]["LatestStreamArn"]
        shard = self.send("DescribeStream", StreamArn=arn)["StreamDescription"]["Shards"]
        self.assertTrue(shard)
        self.assertRegex(insert.pop("eventID"), "^[0-9a-f]{32}$")
        self.assertRegex(insert["dynamodb"].pop("SequenceNumber"), "^[0-9]{21,40}$")
        made = insert["dynamodb"].pop("ApproximateCreationDateTime")
        self.assertTrue(abs(made - time.time()) < 60 and isinstance(made, int), made)
        self.assertEqual(insert, {
            "eventName": "INSERT", "eventVersion": "1.1", "eventSource": "aws:dynamodb", "awsRegion": "us-east-1",
            "dynamodb": {"Keys": {"pk": {"S": "x"}}, "NewImage": {"pk": {"S": "x"}, "v": {"N": "1"}}, "SizeBytes": 9,
                         "StreamViewType": "NEW_AND_OLD_IMAGES"},
            "eventSourceARN": arn})
        self.assertEqual(modify["dynamodb"]["OldImage"]["v"], {"N": "1"})
        self.assertEqual(remove["eventName"], "REMOVE")
        headers = self.functions.headers[0]
        self.assertEqual(headers["X-Amz-Invocation-Type"], "RequestResponse")
        self.assertIn("/us-east-1/lambda/aws4_request", headers["Authorization"])
        self.assertEqual(self.functions.problems, [])

    def test_time_to_live(self):
        self.begin({"FilterCriteria": {"Filters": [{"Pattern": json.dumps(
            {"userIdentity": {"type": ["Service"], "principalId": ["dynamodb.amazonaws.com"]}})}]}})
        self.send("UpdateTimeToLive", TableName="tab",
                  TimeToLiveSpecification={"AttributeName": "until", "Enabled": True})
        self.put("x", until={"N": str(int(time.time()) - 5)})
        record, = self.await_records(1)
        self.assertEqual(record["userIdentity"], {"type": "Service", "principalId": "dynamodb.amazonaws.com"})
        self.assertEqual(record["eventName"], "REMOVE")

    def test_filters(self):
        self.begin({"FilterCriteria": {"Filters": [
            {"Pattern": json.dumps({"eventName": ["INSERT"], "dynamodb": {"NewImage": {"v": {"N": ["1", "2"]}}}})},
            {"Pattern": json.dumps({"dynamodb": {"Keys": {"pk": {"S": [{"prefix": "vip-"}]}}}})}]}})
        for number in range(1, 30):
            self.put(f"a{number}", number)
        self.put("vip-1", 99)
        got = {record["dynamodb"]["Keys"]["pk"]["S"] for record in self.await_records(3)}
        self.assertEqual(got, {"a1", "a2", "vip-1"})
        wait_until(lambda: self.metric("magneto_function_records_total", 'result="filtered"') == 27, "not all were passed")
        self.assertEqual(self.metric("magneto_function_records_total", 'result="delivered"'), 3)
        self.assertEqual(self.metric("magneto_function_invocations_total", 'source="tab"'), len(self.functions.calls))
        self.assertEqual(self.metric("magneto_function_failures_total", 'function="f"'), 0)

        wait_until(lambda: self.metric("magneto_stream_reader_lag_seconds", 'table="tab"') == 0, "what was passed is not read")

    def metric(self, name, label):
        with urllib.request.urlopen(f"{self.server.endpoint}/metrics") as page:
            lines = page.read().decode().splitlines()
        value, = (line.rpartition(" ")[2] for line in lines if line.startswith(name + "{") and label in line)
        return float(value)

    def test_table_made_later_and_again(self):
        self.begin({"StartingPosition": "LATEST"}, {"TableName": "other", "FunctionName": "g"}, table=False)
        for round_number in (1, 2):
            self.make_table()
            self.put(f"x{round_number}")
            self.await_records(round_number)
            self.send("DeleteTable", TableName="tab")
        self.assertEqual([r["dynamodb"]["Keys"]["pk"]["S"] for r in self.functions.records()], ["x1", "x2"])
        self.assertIn("'other' has a stream", self.log())
        self.assertEqual(self.functions.records("g"), [])

    def test_streams_that_are_closed(self):
        """Each is handed over to its end, once, over restarts too."""
        taken = []
        self.begin({}, engine="disk", table=False)
        self.functions.answer = lambda _, records: taken.extend(versions(records)) or (200, {}, b"null")
        self.make_table()
        self.put("deleted")
        self.send("DeleteTable", TableName="tab")
        self.make_table()
        self.put("disabled")
        self.change_stream()
        wait_until(lambda: sorted(taken) == ["deleted", "disabled"], taken)
        self.functions.answer = lambda *_: (429, {}, b"")
        for number in range(5):
            self.put(f"x{number}")
        self.change_stream()
        self.put("after")
        self.restart(kill=False)
        self.functions.answer = lambda _, records: taken.extend(versions(records)) or (200, {}, b"null")
        wanted = sorted(["deleted", "disabled", "after", *(f"x{number}" for number in range(5))])
        wait_until(lambda: len(taken) >= len(wanted), taken)
        self.restart(kill=False)
        self.put("last")
        wait_until(lambda: "last" in taken, taken)
        time.sleep(0.7)  # in which more would come
        self.assertEqual(sorted(taken), sorted([*wanted, "last"]))

    def change_stream(self):
        self.send("UpdateTable", TableName="tab", StreamSpecification={"StreamEnabled": False})
        self.send("UpdateTable", TableName="tab", StreamSpecification=STREAM)

    def test_stream_by_its_arn(self):
        self.begin({}, engine="disk")
        self.put("x")
        self.await_records(1)
        arn = self.send("DescribeTable", TableName="tab")["Table"]["LatestStreamArn"]
        self.write_mappings({"FunctionName": "g", "TableName": "unused"})
        with open(self.file, encoding="utf-8") as file:
            content = json.load(file)
        mapping = content["EventSourceMappings"][0]
        del mapping["TableName"]
        mapping["EventSourceArn"] = arn
        with open(self.file, "w", encoding="utf-8") as file:
            json.dump(content, file)
        self.restart(kill=False)
        self.await_records(1, "g")


class OrderTest(EventSources):
    def check(self, got, wanted, once=True):
        for key, last in wanted.items():
            seen = got.get(key, [])
            self.assertEqual(list(dict.fromkeys(seen)), list(range(1, last + 1)), key)
            if once:
                self.assertEqual(len(seen), last, key)
        self.assertEqual(self.functions.problems, [])

    def test_many_writers(self):
        for engine in ("memory", "disk"):
            with self.subTest(engine):
                self.begin({"BatchSize": 7}, {"FunctionName": "parallel", "ParallelizationFactor": 10},
                           engine=engine, flags=("--partitions=4",))
                writers = Writers(self.server.port, threads=6, items=5, rounds=30)
                writers.join()
                for function in ("f", "parallel"):
                    self.await_records(6 * 5 * 30, function)
                    self.check(versions(self.functions.records(function)), writers.acknowledged)
                self.assertLessEqual(max(map(len, self.functions.batches())), 7)
                self.assertEqual(self.server.stop(), 0)

    def test_lanes_are_parallel(self):
        self.begin({"ParallelizationFactor": 5, "BatchSize": 1}, {"FunctionName": "alone", "BatchSize": 1},
                   flags=("--partitions=1",))
        three_run = threading.Event()

        def answer(function, _):
            if function == "f":
                if self.functions.running["f"] >= 3:
                    three_run.set()
                three_run.wait(PATIENCE_SECONDS)
            return 200, {}, b"{}"

        self.functions.answer = answer
        for number in range(40):
            self.put(f"x{number}")
        self.await_records(40)
        self.assertGreaterEqual(self.functions.most_running["f"], 3)
        self.assertLessEqual(self.functions.most_running["f"], 5)
        self.assertEqual(self.functions.most_running["alone"], 1)

    def test_slow_function_stops_no_other(self):
        self.begin({"FunctionName": "slow"}, {})
        release = threading.Event()
        self.functions.answer = lambda function, _: (function == "slow" and release.wait(SLOW_SECONDS), (200, {}, b"{}"))[1]
        for number in range(5):
            self.put(f"x{number}")
            self.await_records(number + 1)
        begin = time.monotonic()
        self.assertEqual(self.server.stop(), 0)
        self.assertLess(time.monotonic() - begin, SLOW_SECONDS / 2)
        release.set()

    def test_slow_functions_leave_calls_for_others(self):
        self.begin(*({"FunctionName": f"slow{number}", "ParallelizationFactor": 10, "BatchSize": 1} for number in range(3)),
                   {"FunctionName": "quick", "TableName": "other"}, flags=("--partitions=8",))
        self.make_table("other")
        release = threading.Event()
        self.addCleanup(release.set)
        self.functions.answer = lambda function, _: (function != "quick" and release.wait(SLOW_SECONDS), (200, {}, b"{}"))[1]
        for number in range(200):
            self.put(f"x{number}")
        wait_until(lambda: sum(self.functions.running.values()) >= 57, "few calls run")
        self.put("x", table="other")
        self.await_records(1, "quick")
        self.assertLessEqual(sum(self.functions.running.values()), 63)

    def test_endpoint_goes_and_comes(self):
        self.begin({"MaximumRetryAttempts": 0, "OnFailure": "FILE"})
        self.put("x", 1)
        self.await_records(1)
        self.functions.stop()
        self.put("x", 2)
        wait_until(lambda: "does not accept records" in self.log(), "nothing was logged")
        self.functions.start()
        self.await_records(2)
        self.assertEqual(self.left_out(), [])  # a refused connection does not count as an attempt
        wait_until(lambda: "again" in self.log(), "nothing was logged")

    def test_kill_and_resume(self):
        self.begin({"BatchSize": 10}, {"FunctionName": "late", "StartingPosition": "LATEST"}, engine="disk")
        first = Writers(self.server.port, threads=4, items=5, rounds=1000)
        wait_until(lambda: len(self.functions.records()) > 200, "nothing came")
        self.server.kill()
        first.join()
        before = len(self.functions.records())
        self.server.start()
        self.connect()
        for key, version in first.acknowledged.items():
            self.put(key, version + 1)
        wait_until(lambda: all(versions(self.functions.records()).get(key, [0])[-1] == version + 1
                               for key, version in first.acknowledged.items()), "not all came")
        got = versions(self.functions.records())
        wanted = {key: version + 1 for key, version in first.acknowledged.items()}
        for key, last in wanted.items():  # a version that was written and not acknowledged is written again
            seen = got[key]
            self.assertEqual(list(dict.fromkeys(seen)), list(range(1, last + 1)), key)
        again = len(self.functions.records()) - sum(wanted.values())
        self.assertLessEqual(again, 10 * 4 + len(wanted), (again, before))
        wait_until(lambda: all(versions(self.functions.records("late")).get(key, [0])[-1] == last
                               for key, last in wanted.items()), "not all came to the other function")
        count = len(self.functions.records())
        self.restart(kill=False)
        self.put("last")
        self.await_records(count + 1)
        time.sleep(0.5)  # in which more would come
        self.assertEqual(len(self.functions.records()), count + 1)


class BatchesTest(EventSources):
    def test_window(self):
        self.begin({"BatchSize": 5, "MaximumBatchingWindowInSeconds": WINDOW_SECONDS}, flags=("--partitions=1",))
        begin = time.monotonic()
        self.put("a")
        self.put("b")
        self.await_records(2)
        self.assertGreater(time.monotonic() - begin, WINDOW_SECONDS - 0.5)
        self.assertEqual(len(self.functions.batches()), 1)
        begin = time.monotonic()
        for number in range(5):
            self.put(f"c{number}")
        self.await_records(7)
        self.assertLess(time.monotonic() - begin, WINDOW_SECONDS - 1)
        self.assertEqual([len(batch) for batch in self.functions.batches()], [2, 5])

    def test_long_events_are_cut(self):
        self.begin({"BatchSize": 10000}, {"FunctionName": "windowed", "BatchSize": 10000,
                                          "MaximumBatchingWindowInSeconds": 2}, flags=("--partitions=1",))
        hold = threading.Event()
        self.functions.answer = lambda *_: (hold.wait(SLOW_SECONDS), (200, {}, b"null"))[1]
        for number in range(40):
            self.put(f"x{number}", big={"S": "x" * 390_000})
        hold.set()
        self.await_records(40)
        self.await_records(40, "windowed")
        self.assertEqual(self.functions.problems, [])
        self.assertGreaterEqual(max(len(batch) for batch in self.functions.batches()), 10)

    def test_bisect_finds_the_poison(self):
        self.begin({"BisectBatchOnFunctionError": True, "MaximumRetryAttempts": 1, "OnFailure": "FILE",
                    "BatchSize": 50, "MaximumBatchingWindowInSeconds": 1}, flags=("--partitions=1",))
        self.functions.answer = lambda _, records: (
            failed() if any(r["dynamodb"]["Keys"]["pk"]["S"] == "poison" for r in records) else (200, {}, b"null"))
        for number in range(20):
            self.put(f"x{number}")
        self.put("poison", 7)
        for number in range(20, 40):
            self.put(f"x{number}")
        wait_until(lambda: self.left_out() and any(
            "x39" in versions(batch) for batch in self.taken()), "not all came")
        told, = self.left_out()
        self.assertEqual({key for batch in self.taken() for key in versions(batch)}, {f"x{n}" for n in range(40)})
        alone = [batch for batch in self.functions.batches() if list(versions(batch)) == ["poison"]]
        self.assertEqual(len(alone), 2)  # once, and one retry
        number = alone[0][0]["dynamodb"]["SequenceNumber"]
        about = told["DDBStreamBatchInfo"]
        self.assertEqual((about["startSequenceNumber"], about["endSequenceNumber"], about["batchSize"]),
                         (number, number, 1))
        arn = self.send("DescribeTable", TableName="tab")["Table"]["LatestStreamArn"]
        shards = self.send("DescribeStream", StreamArn=arn)["StreamDescription"]["Shards"]
        self.assertEqual((about["streamArn"], about["shardId"]), (arn, shards[0]["ShardId"]))
        for moment in (about["approximateArrivalOfFirstRecord"], about["approximateArrivalOfLastRecord"]):
            self.assertRegex(moment, r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertRegex(told["timestamp"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        context = told["requestContext"]
        self.assertEqual(context["condition"], "RetryAttemptsExhausted")
        self.assertRegex(context["functionArn"], "^arn:aws:lambda:us-east-1:[0-9]{12}:function:f$")
        self.assertGreaterEqual(context["approximateInvokeCount"], 2)
        self.assertEqual(told["responseContext"],
                         {"statusCode": 200, "executedVersion": "$LATEST", "functionError": "Unhandled"})
        self.assertEqual(told["version"], "1.0")

    def taken(self):
        return [batch for batch in self.functions.batches() if "poison" not in versions(batch)]

    def test_retries_and_what_is_no_retry(self):
        self.begin({"MaximumRetryAttempts": 2, "OnFailure": "URL"})
        answers = [(429, {}, b"{}"), failed(header=False), (503, {}, b"{}"), (413, {}, b"{}"), (0, {}, b""),
                   (200, {}, b"null")]
        self.functions.answer = lambda *_: answers.pop(0)
        self.put("x")
        wait_until(lambda: self.functions.failures, "nothing was left out")
        self.assertEqual(len(self.functions.batches()), 5)
        self.put("y")
        wait_until(lambda: len(self.functions.batches()) == 6, "the next did not come")
        told, = self.functions.failures
        self.assertEqual(told["requestContext"]["approximateInvokeCount"], 3)

    def test_what_is_left_out_is_told_in_the_log(self):
        """Even if the log has many other lines."""
        self.begin({"MaximumRetryAttempts": 2, "BatchSize": 1})
        self.functions.answer = lambda *_: failed()
        for number in range(8):
            self.put(f"x{number}")
        wait_until(lambda: self.log().count("function f will not get 1 record of tab") == 8, "not all were told")

    def test_what_a_function_says_is_no_more_than_text(self):
        """A function's answer forges no line of the log, and the report of lost records stays JSON."""
        self.begin({"MaximumRetryAttempts": 1, "OnFailure": "FILE"})
        fields = {"X-Amz-Function-Error": "Un\xffhandled", "X-Amzn-RequestId": "id\xfe",
                  "X-Amz-Executed-Version": "1" * 2000}
        self.functions.answer = lambda *_: (200, fields, b"no\n2026-11-25T00:00:00.000 error forged\x1b[31m\xff")
        self.put("x")
        wait_until(self.left_out, "nothing was left out")
        told, = self.left_out()
        self.assertEqual(told["requestContext"]["requestId"], "id\ufffd")
        self.assertEqual(told["responseContext"]["functionError"], "Un\ufffdhandled")
        self.assertEqual(told["responseContext"]["executedVersion"], "1" * 300)
        self.assertIn("no 2026-11-25T00:00:00.000 error forged [31m\ufffd", self.log())
        self.assertNotIn("\x1b", self.log())

    def test_time_out_of_the_emulator_and_of_the_mapping(self):
        self.begin({"MaximumRetryAttempts": 1, "TimeoutInSeconds": 5, "OnFailure": "FILE"})
        release = threading.Event()
        self.addCleanup(release.set)
        answers = [lambda: (200, {}, b"Task timed out after 3.00 seconds"),
                   lambda: (release.wait(SLOW_SECONDS), (200, {}, b""))[1],
                   lambda: (200, {}, b'"fine"')]
        self.functions.answer = lambda *_: answers.pop(0)()
        self.put("x")
        wait_until(self.left_out, "nothing was left out")
        self.put("y")
        self.await_records(3)
        wait_until(lambda: not answers, "the next did not come")

    def test_partial_failures(self):
        self.begin({"FunctionResponseTypes": ["ReportBatchItemFailures"], "BatchSize": 10, "MaximumRetryAttempts": 5,
                    "MaximumBatchingWindowInSeconds": 1, "OnFailure": "FILE"}, flags=("--partitions=1",))

        def answer(_, records):
            numbers = [record["dynamodb"]["SequenceNumber"] for record in records]
            call = len(self.functions.calls)
            if call == 1:  # the lower one counts
                items = [{"itemIdentifier": numbers[7]}, {"itemIdentifier": numbers[4]}]
            elif call == 2:
                items = [{"itemIdentifier": "123"}]  # of no record: nothing was taken
            elif call == 3:
                items = [{"itemIdentifier": ""}]
            else:
                return 200, {}, b'{"batchItemFailures": []}'
            return 200, {}, json.dumps({"batchItemFailures": items}).encode()

        self.functions.answer = answer
        for number in range(10):
            self.put(f"x{number}")
        wait_until(lambda: len(self.functions.calls) == 4, "the rest did not come")
        keys = [list(versions(batch)) for batch in self.functions.batches()]
        self.assertEqual(keys, [[f"x{n}" for n in range(10)]] + 3 * [[f"x{n}" for n in range(4, 10)]])
        self.put("next")
        self.await_records(10 + 18 + 1)
        self.assertEqual(self.left_out(), [])

    def test_wrong_files(self):
        """At the start, with a sentence and without a server."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mappings.json")
            least = {"TableName": "tab", "FunctionName": "f", "StartingPosition": "LATEST", "Endpoint": "http://a:1"}
            destination = {"DestinationConfig": {"OnFailure": {"Destination": f"file://{folder}/none/a.jsonl"}}}
            for content, part in (
                    ("{", "not JSON"), ("[]", "not an object"), ({}, "EventSourceMappings"),
                    ({"EventSourceMappings": [least], "More": 1}, "More"),
                    ([{"BatchSize": 0}], "BatchSize"), ([{"batchSize": 5}], "[0].batchSize: unknown member; did you mean BatchSize?"),
                    ([{"BatchSize": 0, "FunctionNam": "f"}], "[0].FunctionNam: unknown member; did you mean FunctionName?"),
                    ([{"Comment": "x"}], "[0].Comment: unknown member; there is TableName, EventSourceArn, "),
                    ([{"FilterCriteria": {"Filter": []}}], "FilterCriteria.Filter: unknown member; did you mean Filters?"),
                    ({"Endpoint": 5, "EventSourceMaping": []}, "EventSourceMaping: unknown member; did you mean EventSourceMappings?"),
                    ([{"TumblingWindowInSeconds": 5}], "TumblingWindowInSeconds"),
                    ([{"FilterCriteria": {"Filters": [{"Pattern": "{"}]}}], "Filters[0]"),
                    ([{"EventSourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/tab/stream/x"}], "one source"),
                    ([{"FunctionName": "a/b"}], "FunctionName"), ([{}, {}], "same function"),
                    ([destination], "none/a.jsonl"), (None, "cannot read")):
                if isinstance(content, list):
                    content = {"EventSourceMappings": [least | mapping for mapping in content]}
                if content is None:
                    os.remove(path)
                else:
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(content if isinstance(content, str) else json.dumps(content))
                ended = subprocess.run([BINARY, "--port", "0", "--event-sources", path], capture_output=True,
                                       text=True, timeout=60, check=False)
                self.assertEqual(ended.returncode, 1, content)
                self.assertIn(part, ended.stderr)
                self.assertEqual(ended.stderr.count("\n"), 1, ended.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
