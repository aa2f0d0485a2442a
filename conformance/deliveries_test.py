"""Kinesis streaming destinations against a stand-in: form, order, failures, ends and restarts.

deliveries_test.py <magneto> [test ...]
"""

import sys
import tempfile
import time
import unittest

import control_server
from deliveries_case import BINARY, Deliveries, KEY, Writers, stream_arn, wait_until
from kinesis_stand_in import KinesisStandIn
from wire import Refused
from with_server import Server

SOON_SECONDS = 30  # half of the time to wait for an answer


class RecordsTest(Deliveries):
    def test_form(self):
        self.begin()
        self.make_table()
        before = time.time() * 1000
        self.put("x", 1)
        self.put("x", 2)
        self.put("x", 2)  # changes nothing
        self.send("DeleteItem", TableName="tab", Key={"pk": {"S": "x"}})
        insert, modify, remove = self.await_records(3)
        image = {"pk": {"S": "x"}, "v": {"N": "1"}}
        self.assertRegex(insert.pop("eventID"), "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")
        moment = insert["dynamodb"].pop("ApproximateCreationDateTime")
        self.assertTrue(before - 5000 < moment < time.time() * 1000 + 5000, moment)
        self.assertEqual(insert, {
            "awsRegion": "us-east-1", "eventName": "INSERT", "userIdentity": None, "recordFormat": "application/json",
            "tableName": "tab", "eventSource": "aws:dynamodb",
            "dynamodb": {"Keys": {"pk": {"S": "x"}}, "NewImage": image, "SizeBytes": 9}})
        self.assertEqual(modify["eventName"], "MODIFY")
        self.assertEqual(modify["dynamodb"]["OldImage"], image)
        self.assertEqual(modify["dynamodb"]["NewImage"]["v"], {"N": "2"})
        self.assertEqual(remove["eventName"], "REMOVE")
        self.assertNotIn("NewImage", remove["dynamodb"])
        self.assertEqual(remove["dynamodb"]["OldImage"]["v"], {"N": "2"})
        self.assertEqual(self.kinesis.regions, {"us-east-1"})
        self.assertEqual(self.kinesis.problems, [])

    def test_microseconds_and_time_to_live(self):
        self.begin()
        self.make_table(EnableKinesisStreamingConfiguration={"ApproximateCreationDateTimePrecision": "MICROSECOND"})
        self.send("UpdateTimeToLive", TableName="tab",
                  TimeToLiveSpecification={"AttributeName": "until", "Enabled": True})
        self.send("PutItem", TableName="tab", Item={"pk": {"S": "x"}, "until": {"N": str(int(time.time()) - 5)}})
        insert, remove = self.await_records(2)
        self.assertEqual(insert["dynamodb"]["ApproximateCreationDateTimePrecision"], "MICROSECOND")
        self.assertGreater(insert["dynamodb"]["ApproximateCreationDateTime"], 10 ** 15)
        self.assertEqual(remove["userIdentity"], {"principalId": "dynamodb.amazonaws.com", "type": "Service"})
        self.send("UpdateKinesisStreamingDestination", TableName="tab", StreamArn=stream_arn("a"),
                  UpdateKinesisStreamingConfiguration={"ApproximateCreationDateTimePrecision": "MILLISECOND"})
        self.put("y", 1)
        last = self.await_records(3)[2]["dynamodb"]
        self.assertNotIn("ApproximateCreationDateTimePrecision", last)
        self.assertLess(last["ApproximateCreationDateTime"], 10 ** 14)

    def test_transactions_batches_and_streams(self):
        """Beside a stream of the table's own, which has its own view and shows nothing of this one."""
        self.begin()
        self.send("CreateTable", TableName="tab", StreamSpecification={
            "StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}, **KEY)
        self.enable()
        puts = [{"Put": {"TableName": "tab", "Item": {"pk": {"S": f"t{n}"}, "v": {"N": "1"}}}} for n in range(5)]
        self.send("TransactWriteItems", TransactItems=puts)
        self.send("BatchWriteItem", RequestItems={"tab": [
            {"PutRequest": {"Item": {"pk": {"S": f"b{n}"}, "v": {"N": "1"}}}} for n in range(25)]})
        self.await_records(30)
        self.check_order("a", {f"t{n}": 1 for n in range(5)} | {f"b{n}": 1 for n in range(25)}, once=True)
        streams = self.send("ListStreams")["Streams"]
        self.assertEqual(len(streams), 1)
        label = streams[0]["StreamLabel"]
        hidden = streams[0]["StreamArn"].replace(label, f"deliveries/{label}")
        with self.assertRaises(Refused) as caught:
            self.send("DescribeStream", StreamArn=hidden)
        self.assertEqual(caught.exception.type, "ResourceNotFoundException")

    def test_long_records(self):
        """One that no stream takes is left out, alone; the next of the item follows."""
        self.begin()
        self.make_table()
        deep = {"L": [{"BOOL": True}] * 190_000}  # some 2.5 MB of JSON
        self.send("PutItem", TableName="tab", Item={"pk": {"S": "x"}, "v": {"N": "1"}, "deep": deep})
        self.put("y", 1)
        self.send("DeleteItem", TableName="tab", Key={"pk": {"S": "y"}})
        self.await_records(2)
        self.assertEqual(self.kinesis.problems, [])
        wait_until(lambda: "is dropped" in self.log(), self.log())
        big = "x" * 390_000
        for version in range(1, 30):  # more than a request may hold
            self.send("PutItem", TableName="tab", Item={"pk": {"S": f"z{version}"}, "v": {"N": "1"}, "big": {"S": big}})
        self.await_records(31)
        self.assertEqual(self.kinesis.problems, [])


class OrderTest(Deliveries):
    def test_many_writers(self):
        for engine in ("memory", "disk"):
            with self.subTest(engine):
                self.begin(engine)
                self.make_table()
                self.kinesis.partial, self.kinesis.throttled = 0.2, 0.1
                writers = Writers(self.server.port, threads=6, items=5, rounds=40)
                writers.join()
                self.kinesis.partial = self.kinesis.throttled = 0.0
                self.await_records(6 * 5 * 40)
                self.check_order("a", writers.acknowledged, once=True)
                self.assertEqual(self.server.stop(), 0)

    def test_endpoint_goes_and_comes(self):
        self.begin()
        self.make_table()
        writers = Writers(self.server.port, threads=3, items=4, rounds=60)
        for _ in range(3):
            wait_until(lambda: self.kinesis.records("a"), "nothing came")
            self.kinesis.stop()
            time.sleep(0.3)
            self.kinesis.start()
        writers.join()
        self.await_records(3 * 4 * 60)
        self.check_order("a", writers.acknowledged, once=False)

    def test_killed_server_goes_on(self):
        self.begin("disk")
        self.make_table()
        for number in range(4):
            writers = Writers(self.server.port, threads=4, items=10, rounds=100, name=f"w{number}-")
            came = len(self.kinesis.records("a"))
            wait_until(lambda: len(self.kinesis.records("a")) > came + 200, "nothing came")
            if number == 2:
                self.kinesis.stop()  # changes from now on wait for the next process
                wait_until(lambda: sum(writers.acknowledged.values()) > 1000, "nothing was written")
            self.server.kill()
            writers.join()
            self.kinesis.start() if number == 2 else None
            self.server.start()
            self.connect()
            self.assertEqual(self.destinations()[0]["DestinationStatus"], "ACTIVE")
            self.await_all(writers)
            for key in writers.begun:
                self.send("DeleteItem", TableName="tab", Key={"pk": {"S": key}})
            self.settle()
            self.kinesis.clear("a")

    def settle(self):
        """Until the last deletion has come."""
        self.put("marker", 1)
        self.send("DeleteItem", TableName="tab", Key={"pk": {"S": "marker"}})
        wait_until(lambda: any(record["eventName"] == "REMOVE" and record["dynamodb"]["Keys"]["pk"]["S"] == "marker"
                               for record in self.kinesis.records("a")), "no marker")

    def await_all(self, writers):
        """All acknowledged changes arrive, and those under way that were written."""
        def wanted():
            last = {}
            for key in writers.begun:
                item = self.send("GetItem", TableName="tab", Key={"pk": {"S": key}}).get("Item")
                if item:
                    last[key] = int(item["v"]["N"])
            return last
        last = wanted()
        for key, version in writers.acknowledged.items():
            self.assertGreaterEqual(last[key], version)

        def came():
            seen = {}
            for record in self.kinesis.records("a"):
                image = record["dynamodb"].get("NewImage")
                if image:
                    seen[image["pk"]["S"]] = max(seen.get(image["pk"]["S"], 0), int(image["v"]["N"]))
            return all(seen.get(key, 0) >= version for key, version in last.items())
        wait_until(came, "not all came")
        self.check_order("a", last, once=False)


class DestinationsTest(Deliveries):
    def test_disable_and_enable(self):
        self.begin()
        self.make_table()
        self.put("x", 1)
        self.disable()
        self.await_status("DISABLED")
        self.put("x", 2)
        self.refused("must be ACTIVE to perform DISABLE", "DisableKinesisStreamingDestination", TableName="tab",
                     StreamArn=stream_arn("a"))
        self.enable()
        self.put("x", 3)
        records = self.await_records(2)
        self.assertEqual([record["dynamodb"]["NewImage"]["v"]["N"] for record in records], ["1", "3"])
        self.refused("must be DISABLED or ENABLE_FAILED", "EnableKinesisStreamingDestination", TableName="tab",
                     StreamArn=stream_arn("b"))
        self.disable()
        self.enable(stream="b")
        self.put("x", 4)
        self.await_records(1, "b")
        self.assertEqual([entry["DestinationStatus"] for entry in self.destinations()], ["ACTIVE", "DISABLED"])

    def test_statuses_pass(self):
        """AWS's refusals in these states."""
        self.begin("memory", "--control-plane-delay-ms=700")
        self.send("CreateTable", TableName="tab", **KEY)
        stream = {"TableName": "tab", "StreamArn": stream_arn("a")}
        precision = {"UpdateKinesisStreamingConfiguration": {"ApproximateCreationDateTimePrecision": "MICROSECOND"}}
        enable, disable, update = (f"{verb}KinesisStreamingDestination" for verb in ("Enable", "Disable", "Update"))
        self.refused("Table: tab not found", enable, **stream)
        wait_until(lambda: self.send("DescribeTable", TableName="tab")["Table"]["TableStatus"] == "ACTIVE", "no table")
        self.send(enable, **stream)
        self.assertEqual(self.destinations()[0]["DestinationStatus"], "ENABLING")
        self.refused("must be ACTIVE to perform DISABLE", disable, **stream)
        self.refused("Updates are only allowed in ACTIVE state", update, **stream, **precision)
        self.refused("must be DISABLED or ENABLE_FAILED", enable, **stream)
        self.await_status("ACTIVE")
        self.assertEqual(self.send(update, **stream, **precision)["DestinationStatus"], "UPDATING")
        self.assertEqual(self.destinations()[0], {"StreamArn": stream_arn("a"), "DestinationStatus": "UPDATING",
                                                  "ApproximateCreationDateTimePrecision": "MICROSECOND"})
        self.refused("must be ACTIVE to perform DISABLE", disable, **stream)
        self.await_status("ACTIVE")
        self.disable()
        self.disable()
        self.refused("must be DISABLED or ENABLE_FAILED", enable, **stream)
        self.await_status("DISABLED")

    def test_what_waits_is_sent_in_turn(self):
        """A destination that is disabled while its endpoint is gone, and enabled again: the older changes first."""
        self.begin()
        self.make_table()
        self.kinesis.stop()
        self.put("x", 1)
        self.disable()
        self.send("EnableKinesisStreamingDestination", TableName="tab", StreamArn=stream_arn("a"))
        self.put("x", 2)
        self.kinesis.start()
        self.await_records(2)
        self.check_order("a", {"x": 2}, once=False)

    def test_deleted_table(self):
        self.begin()
        self.make_table()
        for version in range(1, 101):
            self.put("x", version)
        self.send("DeleteTable", TableName="tab")
        self.await_records(100)
        self.check_order("a", {"x": 100}, once=True)

    def test_streams_that_cannot_be_used(self):
        self.begin()
        self.make_table(stream=None)
        for arn, why in ((stream_arn("none"), "User does not have a permission to use kinesis stream"),
                         (stream_arn("a", "eu-west-1"), "belongs to a stream which is not in the current region"),
                         ("arn:aws:dynamodb:us-east-1:000000000000:table/tab", "User does not have a permission")):
            self.send("EnableKinesisStreamingDestination", TableName="tab", StreamArn=arn)
            self.await_status("ENABLE_FAILED")
            self.assertIn(why, self.destinations()[0]["DestinationStatusDescription"])
        self.assertEqual([entry["DestinationStatus"] for entry in self.destinations()], ["ENABLE_FAILED"] * 3)
        self.put("x", 1)
        self.kinesis.streams["none"] = []
        self.send("EnableKinesisStreamingDestination", TableName="tab", StreamArn=stream_arn("none"))
        wait_until(lambda: {"none": "ACTIVE"} == {entry["StreamArn"].rpartition("/")[2]: entry["DestinationStatus"]
                                                  for entry in self.destinations()
                                                  if entry["StreamArn"] == stream_arn("none")}, "not ACTIVE")
        self.put("x", 2)
        self.assertEqual(self.await_records(1, "none")[0]["dynamodb"]["NewImage"]["v"]["N"], "2")

    def test_without_an_endpoint(self):
        """Kept and described; a later process with one sends what is written from then on."""
        self.kinesis = KinesisStandIn("a")
        self.kinesis.start()
        self.addCleanup(self.kinesis.stop)
        self.start_server("disk")
        self.make_table()
        self.put("x", 1)
        wait_until(lambda: "--kinesis-endpoint" in self.log(), self.log())
        self.assertEqual(self.server.stop(), 0)
        self.server.flags.append(f"--kinesis-endpoint={self.kinesis.url}")
        self.server.start()
        self.connect()
        self.await_status("ACTIVE")

        def came():
            self.put("y", came.version)
            came.version += 1
            return self.kinesis.records("a")
        came.version = 1
        wait_until(came, "nothing came")
        self.assertNotIn("x", {record["dynamodb"]["Keys"]["pk"]["S"] for record in self.kinesis.records("a")})

    def test_regions_apart(self):
        self.begin("memory", "--isolate=region")
        self.make_table()
        self.put("x", 1)
        record, = self.await_records(1)
        self.assertEqual(record["awsRegion"], "us-east-1")


class NamespacesTest(unittest.TestCase):
    def begin(self, *flags):
        self.kinesis = KinesisStandIn("a")
        self.kinesis.start()
        self.addCleanup(self.kinesis.stop)
        self.server = control_server.Server(f"--kinesis-endpoint={self.kinesis.url}", *flags)
        self.addCleanup(self.server.stop)
        self.call("CreateTable", TableName="tab", **KEY)

    def begin_sending(self, *flags):
        self.begin(*flags)
        self.enable()
        self.put("before")
        wait_until(self.keys, "nothing came")

    def call(self, operation, space=None, **request):
        status, answer = self.server.call(operation, request, namespace=space)
        self.assertEqual(status, 200, answer)
        return answer

    def control(self, method, path, body=None):
        status, answer = self.server.control(method, path, body)
        self.assertLess(status, 300, answer)
        return answer

    def statuses(self, space=None):
        answer = self.call("DescribeKinesisStreamingDestination", space, TableName="tab")
        return [entry["DestinationStatus"] for entry in answer["KinesisDataStreamDestinations"]]

    def put(self, key, space=None):
        self.call("PutItem", space, TableName="tab", Item={"pk": {"S": key}})

    def enable(self, space=None):
        self.call("EnableKinesisStreamingDestination", space, TableName="tab", StreamArn=stream_arn("a"))
        wait_until(lambda: self.statuses(space)[0] == "ACTIVE", "not ACTIVE")

    def keys(self):
        return [record["dynamodb"]["Keys"]["pk"]["S"] for record in self.kinesis.records("a")]

    def test_forks_send_nothing(self):
        self.begin_sending()
        self.control("POST", "namespaces", {"name": "fork", "from": {"namespace": "main"}})
        self.assertEqual(self.statuses("fork"), ["DISABLED"])
        self.put("fork", "fork")
        self.enable("fork")
        self.put("fork-again", "fork")
        self.put("after")
        wait_until(lambda: len(self.keys()) >= 2, "nothing came")
        self.assertEqual(self.keys(), ["before", "after"])

    def test_a_restored_directory(self):
        with tempfile.TemporaryDirectory() as folder:
            self.begin_sending("--data-dir", folder)
            self.control("POST", "snapshots", {"name": "seeded"})
            self.put("between")
            wait_until(lambda: len(self.keys()) == 2, "nothing came")
            self.control("POST", "namespaces/main/restore", {"snapshot": "seeded"})
            self.assertEqual(self.statuses(), ["ACTIVE"])
            self.put("after")
            wait_until(lambda: "after" in self.keys(), "nothing came")
            self.assertEqual(self.keys(), ["before", "between", "after"])

    def test_an_endpoint_that_is_not_there_yet(self):
        """ENABLING for a minute, then ACTIVE in any case: changes wait."""
        self.begin()
        self.kinesis.stop()
        self.call("EnableKinesisStreamingDestination", TableName="tab", StreamArn=stream_arn("a"))
        self.put("early")
        self.assertEqual(self.statuses(), ["ENABLING"])
        self.control("PUT", "namespaces/main/clock", {"advance": "61s"})
        wait_until(lambda: self.statuses() == ["ACTIVE"], "not ACTIVE")
        self.put("late")
        self.kinesis.start()
        wait_until(lambda: len(self.keys()) == 2, "nothing came")
        self.assertEqual(self.keys(), ["early", "late"])

    def test_a_restored_main(self):
        self.begin_sending()
        self.control("POST", "snapshots", {"name": "seeded"})
        self.put("between")
        wait_until(lambda: len(self.keys()) == 2, "nothing came")
        self.control("POST", "namespaces/main/restore", {"snapshot": "seeded"})
        self.assertEqual(self.statuses(), ["DISABLED"])
        self.put("unheard")
        self.enable()
        self.put("after")
        wait_until(lambda: len(self.keys()) >= 3, "nothing came")
        self.assertEqual(self.keys(), ["before", "between", "after"])


class BadEndpointsTest(Deliveries):
    def resident(self):
        with open(f"/proc/{self.server.process_id}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096

    def test_server_lives_on(self):
        for bad in ("garbage", "half", "lies", "endless", "hang"):
            with self.subTest(bad):
                self.begin()
                self.make_table()
                self.put("x", 1)
                self.await_records(1)
                before = self.resident()
                requests = self.kinesis.requests
                self.kinesis.bad = bad
                for version in range(2, 50):
                    self.put("x", version)
                wait_until(lambda: self.kinesis.requests > requests + (0 if bad == "hang" else 2), "nobody asked")
                begin = time.monotonic()
                self.send("GetItem", TableName="tab", Key={"pk": {"S": "x"}})
                self.assertLess(time.monotonic() - begin, SOON_SECONDS)
                self.assertLess(self.resident() - before, 64 << 20)
                if bad != "hang":
                    self.kinesis.bad = None
                    self.await_records(49)
                    self.check_order("a", {"x": 49}, once=False)
                begin = time.monotonic()
                self.assertEqual(self.server.stop(), 0)
                self.assertLess(time.monotonic() - begin, SOON_SECONDS)
                self.kinesis.bad = None

    def test_nobody_there_at_the_end(self):
        self.begin("disk")
        self.make_table()
        self.kinesis.stop()
        self.put("x", 1)
        begin = time.monotonic()
        self.assertEqual(self.server.stop(), 0)
        self.assertLess(time.monotonic() - begin, SOON_SECONDS)
        self.kinesis.start()
        self.server.start()
        self.connect()
        self.await_records(1)

    def test_no_url(self):
        server = Server(BINARY, "memory", "--kinesis-endpoint=localhost:4567")
        self.addCleanup(server.remove)
        server.errors = tempfile.TemporaryFile()
        self.addCleanup(server.errors.close)
        self.assertRaises(RuntimeError, server.start)
        server.errors.seek(0)
        self.assertIn(b"--kinesis-endpoint localhost:4567", server.errors.read())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
