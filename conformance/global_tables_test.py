"""global_tables_test.py <binary>: replicas in regions of one server follow each other, over kill -9 too."""

import json
import os
import pathlib
import random
import sys
import tempfile
import time
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "python"))

import boto3
from botocore.exceptions import ClientError

from side_by_side import side_by_side
from wire import PATIENCE_SECONDS
from with_server import Server, client_environment

EAST, WEST, EUROPE = "us-east-1", "us-west-2", "eu-west-1"
LAG_SECONDS = 2
TOKEN = "a-token-of-the-tests-of-replicas"
TABLE = {
    "TableName": "Films", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "kind")],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "GlobalSecondaryIndexes": [{"IndexName": "ByKind", "KeySchema": [{"AttributeName": "kind", "KeyType": "HASH"}],
                                "Projection": {"ProjectionType": "ALL"}}],
}


class GlobalTablesCase(unittest.TestCase):
    def serve(self, engine, *flags):
        self.server = Server(BINARY, engine, "--isolate=region", "--ttl-delay-ms=0", *flags)
        self.addCleanup(self.server.remove)
        self.server.errors = tempfile.TemporaryFile()
        self.addCleanup(self.server.errors.close)
        self.start()

    def start(self):
        self.server.start()
        os.environ.update(client_environment(self.server.endpoint))
        self.clients = {}

    def kill_and_start(self):
        self.server.kill()
        self.start()

    def new_client(self, region, service="dynamodb"):
        client = boto3.client(service, endpoint_url=self.server.endpoint, region_name=region)
        self.addCleanup(client.close)
        return client

    def in_(self, region):
        if region not in self.clients:
            self.clients[region] = self.new_client(region)
        return self.clients[region]

    def wait_until(self, holds, what):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not holds():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.01)

    def describe(self, region):
        return self.in_(region).describe_table(TableName="Films")["Table"]

    def has_table(self, region):
        return "Films" in self.in_(region).list_tables()["TableNames"]

    def replicas(self, region):
        return {one["RegionName"]: one["ReplicaStatus"] for one in self.describe(region).get("Replicas", [])}

    def change_replica(self, region, action, other):
        return self.in_(region).update_table(TableName="Films", ReplicaUpdates=[{action: {"RegionName": other}}])["TableDescription"]

    def add_replica(self, region, other):
        told = self.change_replica(region, "Create", other)
        self.assertEqual(told["GlobalTableVersion"], "2019.11.21")
        self.wait_for_replica(region, other)

    def wait_for_replica(self, region, other):
        self.wait_until(lambda: self.replicas(region).get(other) == "ACTIVE", f"the replica in {other} does not become ACTIVE")
        self.assertEqual(self.describe(other)["TableStatus"], "ACTIVE")

    def put(self, region, key, value, **more):
        self.in_(region).put_item(TableName="Films", Item={"pk": {"S": key}, "kind": {"S": "film"}, "v": {"S": value}, **more})

    def fill(self, count):
        for first in range(0, count, 25):
            items = [{"pk": {"S": f"{number:04d}"}, "kind": {"S": "film"}, "v": {"S": "old"}} for number in range(first, first + 25)]
            self.in_(EAST).batch_write_item(RequestItems={"Films": [{"PutRequest": {"Item": item}} for item in items]})

    def get(self, region, key):
        item = self.in_(region).get_item(TableName="Films", Key={"pk": {"S": key}}, ConsistentRead=True).get("Item")
        return item and item["v"]["S"]

    def items(self, region, client=None):
        found, start = {}, {}
        while True:
            page = (client or self.in_(region)).scan(TableName="Films", ConsistentRead=True, **start)
            found.update({item["pk"]["S"]: item["v"]["S"] for item in page["Items"]})
            if "LastEvaluatedKey" not in page:
                return found
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def require_same(self, *regions):
        def are_same():
            states = [self.items(region) for region in regions]
            return all(state == states[0] for state in states)
        self.wait_until(are_same, f"{regions} do not become the same")
        for region in regions:
            pages = self.in_(region).get_paginator("query").paginate(
                TableName="Films", IndexName="ByKind", KeyConditionExpression="kind = :k", ExpressionAttributeValues={":k": {"S": "film"}})
            by_index = {item["pk"]["S"]: item["v"]["S"] for page in pages for item in page["Items"]}
            self.assertEqual(by_index, self.items(region), region)
        return self.items(regions[0])

    def require_error(self, code, call, **request):
        with self.assertRaises(ClientError) as raised:
            call(**request)
        self.assertEqual(raised.exception.response["Error"]["Code"], code, raised.exception)
        return raised.exception.response["Error"]["Message"]


class TwoRegionsTest(GlobalTablesCase):
    def play(self, engine):
        self.serve(engine, f"--replication-delay-ms={LAG_SECONDS * 1000}")
        self.in_(EAST).create_table(**TABLE)
        self.add_replica(EAST, WEST)
        self.assertEqual(self.replicas(WEST), {EAST: "ACTIVE"})
        for region in (EAST, WEST):
            self.assertEqual(self.describe(region)["StreamSpecification"], {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
            self.assertIn(f":{region}:", self.describe(region)["TableArn"])

        begin = time.monotonic()
        self.put(EAST, "lagging", "one")
        self.wait_until(lambda: self.get(WEST, "lagging"), "a write does not come")
        self.assertGreaterEqual(time.monotonic() - begin, LAG_SECONDS - 0.1)

        # Both before either has seen the other's: the later wins in both.
        self.put(EAST, "conflict", "first")
        self.put(WEST, "conflict", "second")
        self.put(WEST, "gone", "first")
        self.in_(EAST).delete_item(TableName="Films", Key={"pk": {"S": "conflict"}})
        self.put(WEST, "conflict", "third")
        self.assertIsNone(self.get(EAST, "conflict"))
        self.wait_until(lambda: self.get(EAST, "conflict") == "third", "the last writer does not win")
        self.assertEqual(self.require_same(EAST, WEST)["conflict"], "third")

        # A received change is not sent back.
        self.assertEqual(self.count_records(EAST, "lagging"), 1)
        self.assertEqual(self.count_records(WEST, "lagging"), 1)
        self.expire()
        self.refuse()

    def count_records(self, region, key):
        streams, count = self.new_client(region, "dynamodbstreams"), 0
        arn = self.describe(region)["LatestStreamArn"]
        for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
            iterator = streams.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            records = streams.get_records(ShardIterator=iterator)["Records"]
            count += sum(record["dynamodb"]["Keys"]["pk"]["S"] == key for record in records)
        return count

    def expire(self):
        self.in_(WEST).update_time_to_live(TableName="Films", TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"})
        self.wait_until(lambda: self.in_(EAST).describe_time_to_live(TableName="Films")["TimeToLiveDescription"].get("AttributeName") == "ttl",
                        "time to live is not enabled in the other region")
        self.put(EAST, "passing", "v", ttl={"N": str(int(time.time()) + LAG_SECONDS + 2)})
        self.wait_until(lambda: self.get(WEST, "passing"), "an item that expires does not come")
        self.wait_until(lambda: not self.get(EAST, "passing") and not self.get(WEST, "passing"), "an item does not expire everywhere")
        self.require_same(EAST, WEST)

    def refuse(self):
        def update(region, **request):
            return self.require_error("ValidationException", self.in_(region).update_table, TableName="Films", **request)
        self.assertIn("already existed as tables", update(EAST, ReplicaUpdates=[{"Create": {"RegionName": WEST}}]))
        update(EAST, ReplicaUpdates=[{"Delete": {"RegionName": EUROPE}}])
        update(EAST, ReplicaUpdates=[{"Delete": {"RegionName": EAST}}])
        update(EAST, StreamSpecification={"StreamEnabled": False})

    def test_in_memory(self):
        self.play("memory")

    def test_on_disk(self):
        self.play("disk")


class FilledTableTest(GlobalTablesCase):
    def write(self, stop, region, seed, written):
        choice, client = random.Random(seed), self.new_client(region)
        while not stop.is_set():
            key = f"{choice.randrange(300):04d}"
            if choice.random() < 0.2:
                client.delete_item(TableName="Films", Key={"pk": {"S": key}})
            else:
                client.put_item(TableName="Films", Item={"pk": {"S": key}, "kind": {"S": "film"}, "v": {"S": f"{region} {choice.random()}"}})
            written[0] += 1

    def play(self, engine):
        self.serve(engine)
        self.in_(EAST).create_table(**TABLE)
        self.fill(3000)
        written = [0]
        with side_by_side([lambda stop, seed=seed: self.write(stop, EAST, seed, written) for seed in range(3)]):
            self.wait_until(lambda: written[0] > 50, "nobody writes")
            self.add_replica(EAST, WEST)
            with side_by_side([lambda stop: self.write(stop, WEST, 9, written)]):
                self.add_replica(WEST, EUROPE)
                before = written[0]
                self.wait_until(lambda: written[0] > before + 100, "nobody writes any more")
        self.assertGreater(len(self.require_same(EAST, WEST, EUROPE)), 2600)
        self.assertEqual(self.replicas(EAST), {WEST: "ACTIVE", EUROPE: "ACTIVE"})

        # An index that is added in one region is in all.
        self.in_(EUROPE).update_table(
            TableName="Films", AttributeDefinitions=TABLE["AttributeDefinitions"] + [{"AttributeName": "v", "AttributeType": "S"}],
            GlobalSecondaryIndexUpdates=[{"Create": {"IndexName": "ByValue", "KeySchema": [{"AttributeName": "v", "KeyType": "HASH"}],
                                                     "Projection": {"ProjectionType": "KEYS_ONLY"}}}])
        for region in (EAST, WEST):
            self.wait_until(lambda region=region: {"ByKind", "ByValue"} == {
                index["IndexName"] for index in self.describe(region)["GlobalSecondaryIndexes"] if index["IndexStatus"] == "ACTIVE"},
                f"{region} does not get the index")

        self.change_replica(EAST, "Delete", WEST)
        self.wait_until(lambda: not self.has_table(WEST), "the replica is not removed")
        self.wait_until(lambda: self.replicas(EUROPE) == {EAST: "ACTIVE"}, "the removed replica is still known")
        self.put(EUROPE, "after", "v")
        self.wait_until(lambda: self.get(EAST, "after") == "v", "the others do not go on")
        self.in_(EUROPE).delete_table(TableName="Films")
        self.wait_until(lambda: self.replicas(EAST) == {}, "a deleted replica is still known")
        self.assertNotIn("GlobalTableVersion", self.describe(EAST))

    def test_in_memory(self):
        self.play("memory")

    def test_on_disk(self):
        self.play("disk")


class KilledTest(GlobalTablesCase):
    def test_what_was_acknowledged_comes_to_all(self):
        self.serve("disk", "--replication-delay-ms=300")
        self.in_(EAST).create_table(**TABLE)
        self.fill(500)
        self.change_replica(EAST, "Create", WEST)
        self.kill_and_start()
        self.wait_for_replica(EAST, WEST)
        choice, last = random.Random(5), {}
        for turn in range(5):
            for number in range(40):
                region, key = choice.choice((EAST, WEST)), f"{choice.randrange(500):04d}"
                last[key] = f"{turn} {number} {region}"
                self.put(region, key, last[key])
            if turn == 2:
                self.change_replica(WEST, "Create", EUROPE)
            self.kill_and_start()
        self.wait_for_replica(EAST, EUROPE)
        items = self.require_same(EAST, WEST, EUROPE)
        self.assertEqual(len(items), 500)
        self.assertEqual({key: items[key] for key in last}, last)
        self.change_replica(EAST, "Delete", WEST)
        self.kill_and_start()
        self.wait_until(lambda: not self.has_table(WEST), "the replica is not removed")
        self.wait_until(lambda: self.replicas(EAST) == {EUROPE: "ACTIVE"}, "the removed replica is still known")
        self.assertEqual(self.require_same(EAST, EUROPE), items)


class TurnedClockTest(GlobalTablesCase):
    """Of two writes, one after the other, the later one wins, over clocks that go back and kill -9."""

    def change_clock(self, method, **how):
        request = urllib.request.Request(f"{self.server.endpoint}/_/namespaces/main/clock", json.dumps(how).encode(),
                                         {"Authorization": f"Bearer {TOKEN}"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            answer.read()

    def play(self, engine, go_back):
        self.serve(engine, f"--control-token={TOKEN}")
        self.in_(EAST).create_table(**TABLE)
        self.add_replica(EAST, WEST)
        self.change_clock("PUT", advance="1h")
        self.fill(200)
        go_back()
        choice = random.Random(7)
        for number in range(200):
            first, second = choice.sample((EAST, WEST), 2)
            self.put(first, f"{number:04d}", "earlier")
            self.put(second, f"{number:04d}", "later")
            if number == 100:
                self.change_clock("PUT", advance="5m")
                self.change_clock("DELETE")
        self.assertEqual(set(self.require_same(EAST, WEST).values()), {"later"})

    def test_turned(self):
        self.play("memory", lambda: self.change_clock("DELETE"))

    def test_killed(self):
        self.play("disk", self.kill_and_start)

    def test_killed_between_both(self):
        self.serve("disk", f"--control-token={TOKEN}", "--replication-delay-ms=1000")
        self.in_(EAST).create_table(**TABLE)
        self.add_replica(EAST, WEST)
        self.change_clock("PUT", advance="1h")
        self.fill(50)
        for number in range(50):
            self.put((EAST, WEST)[number % 2], f"{number:04d}", "earlier")
        self.kill_and_start()
        for number in range(50):
            self.put((WEST, EAST)[number % 2], f"{number:04d}", "later")
        self.assertEqual(set(self.require_same(EAST, WEST).values()), {"later"})


class DeletedTest(GlobalTablesCase):
    def test_what_was_acknowledged_is_sent_before_a_table_goes(self):
        self.serve("disk", "--replication-delay-ms=3600000")
        self.in_(EAST).create_table(**TABLE)
        self.add_replica(EAST, WEST)
        for number in range(300):
            self.put(WEST, f"{number:04d}", "new")
        self.assertEqual(self.in_(WEST).delete_table(TableName="Films")["TableDescription"]["TableStatus"], "DELETING")
        self.kill_and_start()
        self.wait_until(lambda: not self.has_table(WEST), "the table is not deleted")
        self.assertEqual(len(self.items(EAST)), 300)
        self.wait_until(lambda: self.replicas(EAST) == {}, "a deleted replica is still known")

    def test_a_replica_without_room_is_told_of_and_removed(self):
        self.serve("memory")
        # An instrumented binary takes much before it has any item.
        status = pathlib.Path(f"/proc/{self.server.process_id}/status").read_text()
        taken = int(status.split("VmRSS:")[1].split()[0]) >> 10
        self.server.stop()
        self.server.flags.append(f"--memory-limit-mb={taken + 140}")
        self.start()
        self.in_(EAST).create_table(**TABLE)
        count = 0
        with self.assertRaises(ClientError):
            for count in range(1500):
                self.put(EAST, f"{count:04d}", "x" * 100_000)
        for number in range(10):
            self.in_(EAST).delete_item(TableName="Films", Key={"pk": {"S": f"{number:04d}"}})
        self.change_replica(EAST, "Create", WEST)
        self.wait_until(lambda: self.replicas(EAST).get(WEST) == "CREATION_FAILED", "a replica without room does not fail")
        self.assertIn("room", self.describe(EAST)["Replicas"][0]["ReplicaStatusDescription"])
        self.change_replica(EAST, "Delete", WEST)
        self.wait_until(lambda: self.replicas(EAST) == {}, "the replica is not removed")
        self.in_(EAST).delete_table(TableName="Films")
        self.assertFalse(self.has_table(EAST))


class ScalingTest(GlobalTablesCase):
    def scaling(self, region):
        replicas = self.in_(region).describe_table_replica_auto_scaling(TableName="Films")["TableAutoScalingDescription"]["Replicas"]
        return {one.pop("RegionName"): one for one in replicas}

    def test_what_is_set_is_told_back(self):
        self.serve("disk")
        units = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
        indexes = [TABLE["GlobalSecondaryIndexes"][0] | {"ProvisionedThroughput": units}]
        self.in_(EAST).create_table(**TABLE | {"BillingMode": "PROVISIONED", "ProvisionedThroughput": units, "GlobalSecondaryIndexes": indexes})
        self.add_replica(EAST, WEST)
        policy = {"TargetTrackingScalingPolicyConfiguration": {"TargetValue": 70.0}}
        self.in_(EAST).update_table_replica_auto_scaling(
            TableName="Films", ProvisionedWriteCapacityAutoScalingUpdate={"MinimumUnits": 1, "MaximumUnits": 10, "ScalingPolicyUpdate": policy},
            ReplicaUpdates=[{"RegionName": WEST, "ReplicaProvisionedReadCapacityAutoScalingUpdate":
                             {"MinimumUnits": 2, "MaximumUnits": 20, "ScalingPolicyUpdate": policy}}])
        told = self.scaling(EAST)
        for region in (EAST, WEST):
            writes = told[region]["ReplicaProvisionedWriteCapacityAutoScalingSettings"]
            self.assertEqual((writes["MinimumUnits"], writes["MaximumUnits"]), (1, 10))
            self.assertEqual(writes["ScalingPolicies"], [{"PolicyName": "DynamoDBWriteCapacityUtilization:table/Films"} | policy])
        self.assertEqual(told[WEST]["ReplicaProvisionedReadCapacityAutoScalingSettings"]["MaximumUnits"], 20)
        self.assertTrue(told[EAST]["ReplicaProvisionedReadCapacityAutoScalingSettings"]["AutoScalingDisabled"])
        self.kill_and_start()
        self.assertEqual(self.scaling(WEST), told)


class OldAndApartTest(GlobalTablesCase):
    def test_without_regions_apart_there_are_no_replicas(self):
        self.server = Server(BINARY, "memory")
        self.addCleanup(self.server.remove)
        self.start()
        self.in_(EAST).create_table(**TABLE)
        self.assertIn("--isolate region", self.require_error("ValidationException", self.in_(EAST).update_table, TableName="Films",
                                                             ReplicaUpdates=[{"Create": {"RegionName": WEST}}]))
        self.require_error("GlobalTableNotFoundException", self.in_(EAST).describe_global_table, GlobalTableName="Films")

    def test_global_tables_of_2017_join_tables_that_are_there(self):
        self.serve("memory")
        table = TABLE | {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}}
        group = [{"RegionName": region} for region in (EAST, WEST)]
        self.in_(EAST).create_table(**table)
        self.require_error("TableNotFoundException", self.in_(EAST).create_global_table, GlobalTableName="Films", ReplicationGroup=group)
        self.in_(WEST).create_table(**table)
        self.in_(EAST).create_global_table(GlobalTableName="Films", ReplicationGroup=group)

        def regions(region):
            told = self.in_(region).describe_global_table(GlobalTableName="Films")["GlobalTableDescription"]
            return {one["RegionName"] for one in told["ReplicationGroup"]} if told["GlobalTableStatus"] == "ACTIVE" else None
        self.wait_until(lambda: regions(EAST) == {EAST, WEST}, "the global table is not made")
        self.assertEqual(self.in_(WEST).list_global_tables()["GlobalTables"][0]["GlobalTableName"], "Films")
        self.require_error("GlobalTableAlreadyExistsException", self.in_(EAST).create_global_table, GlobalTableName="Films", ReplicationGroup=group)
        self.require_error("ReplicaAlreadyExistsException", self.in_(EAST).update_global_table, GlobalTableName="Films",
                           ReplicaUpdates=[{"Create": {"RegionName": WEST}}])
        self.require_error("ReplicaNotFoundException", self.in_(EAST).update_global_table, GlobalTableName="Films",
                           ReplicaUpdates=[{"Delete": {"RegionName": EUROPE}}])
        self.put(WEST, "a", "1")
        self.wait_until(lambda: self.get(EAST, "a") == "1", "a write does not come")
        self.in_(EAST).update_global_table(GlobalTableName="Films", ReplicaUpdates=[{"Delete": {"RegionName": WEST}}])
        self.wait_until(lambda: regions(EAST) == {EAST}, "the replica is not removed")
        self.assertEqual(self.get(WEST, "a"), "1")
        self.assertNotIn("GlobalTableVersion", self.describe(WEST))


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main()
