"""A fork is of one moment, and neither it nor its parent ever sees the other's later writes.

forks_apart_test.py <magneto> [test ...]

Writers add to counters of the parent, each time to all of them in one transaction. Meanwhile forks are made of the
parent, of forks and of snapshots. A counter only grows. So a fork's counters must lie between the numbers
acknowledged before the request for the fork, and the numbers sent before its answer.
"""

import os
import random
import sys
import tempfile
import time
import unittest

from control_server import Server
from control_case import PATIENCE_SECONDS, STREAMING, global_index, on_demand
from side_by_side import side_by_side

COUNTERS = (("Tab", "a"), ("Tab", "b"), ("Other", "c"))
ROUNDS = 12
PAUSE_SECONDS = 0.002  # after each transaction: streams are read again and again
WRITERS = 3
TABLE = on_demand("Tab", "pk", "by", GlobalSecondaryIndexes=[global_index("ByWriter", "by")], StreamSpecification=STREAMING)


class Writer:
    """Adds one to its attribute of every counter, again and again."""

    def __init__(self, server, space, name):
        self.server = server
        self.space = space
        self.name = name
        self.asked = self.acknowledged = 0

    def run(self, stop):
        while not stop.wait(PAUSE_SECONDS):
            self.add()

    def add(self):
        self.asked += 1
        status, answer = self.server.call("TransactWriteItems", {"TransactItems": [{"Update": {
            "TableName": table, "Key": {"pk": {"S": key}}, "UpdateExpression": "SET #by = :by ADD #name :one",
            "ExpressionAttributeNames": {"#name": self.name, "#by": "by"},
            "ExpressionAttributeValues": {":one": {"N": "1"}, ":by": {"S": "all"}}}} for table, key in COUNTERS]}, key=self.space)
        if status == 200:
            self.acknowledged = self.asked
        elif "TransactionConflict" in str(answer):
            self.asked -= 1  # nothing of it was done
        else:
            raise AssertionError(answer)


class ForksApartTest(unittest.TestCase):
    def start(self, *flags):
        self.server = Server(*flags)
        self.addCleanup(self.server.stop)
        for table in (TABLE, on_demand("Other", "pk")):
            self.assertEqual(self.server.call("CreateTable", table)[0], 200)

    def control(self, method, path, body=None):
        status, answer = self.server.control(method, path, body)
        self.assertIn(status, (200, 201), (method, path, answer))
        return answer

    def call(self, operation, space, **request):
        status, answer = self.server.call(operation, request, key=space)
        self.assertEqual(status, 200, (operation, space, answer))
        return answer

    def counts(self, space, index=False):
        """The number of each writer, which is the same in all counters and in the index."""
        found = []
        for table, key in COUNTERS:
            item = self.call("GetItem", space, TableName=table, Key={"pk": {"S": key}}, ConsistentRead=True).get("Item", {})
            found.append({name: int(value["N"]) for name, value in item.items() if "N" in value})
        if index:
            self.control("POST", f"namespaces/{space}/settle")
            for item in self.call("Scan", space, TableName="Tab", IndexName="ByWriter")["Items"]:
                found.append({name: int(value["N"]) for name, value in item.items() if "N" in value})
            self.assertEqual(len(found), 5 if found[0] else 3)
        for other in found[1:]:
            self.assertEqual(other, found[0], space)
        return found[0]

    def made_while_written(self, writers, make):
        """Makes a namespace. Its counts must lie between those acknowledged before and those sent by then."""
        low = {writer.name: writer.acknowledged for writer in writers}
        space = make()
        high = {writer.name: writer.asked for writer in writers}
        counts = self.counts(space, index=True)
        for writer in writers:
            self.assertTrue(low[writer.name] <= counts.get(writer.name, 0) <= high[writer.name], (space, low, counts, high))
        return space, counts

    def fork(self, name, origin):
        self.control("POST", "namespaces", {"name": name, "from": origin})
        return name

    def check_streams(self, space, counts):
        """The stream of a fork matches its items: the last image of each counter is its current value."""
        arn = self.call("DescribeTable", space, TableName="Tab")["Table"]["LatestStreamArn"]
        last = {}
        for shard in self.streams("DescribeStream", space, StreamArn=arn)["StreamDescription"]["Shards"]:
            iterator = self.streams("GetShardIterator", space, StreamArn=arn, ShardId=shard["ShardId"],
                                    ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            while iterator:
                answer = self.streams("GetRecords", space, ShardIterator=iterator)
                for record in answer["Records"]:
                    last[record["dynamodb"]["Keys"]["pk"]["S"]] = record["dynamodb"]["NewImage"]
                iterator = answer.get("NextShardIterator") if answer["Records"] else None
        told = {key: {name: int(value["N"]) for name, value in image.items() if "N" in value} for key, image in last.items()}
        self.assertEqual(told, {"a": counts, "b": counts} if counts else {})

    def streams(self, operation, space, **request):
        status, answer = self.server.call(operation, request, key=space, version="DynamoDBStreams_20120810")
        self.assertEqual(status, 200, (operation, space, answer))
        return answer

    def play(self):
        chance = random.Random(7)
        writers = [Writer(self.server, "main", f"w{number}") for number in range(WRITERS)]
        kept = {}  # counts of each fork without writers
        with side_by_side([writer.run for writer in writers]):
            for number in range(ROUNDS):
                space, counts = self.made_while_written(writers, lambda name=f"f{number}": self.fork(name, {"namespace": "main"}))
                kept[space] = counts
                self.check_streams(space, counts)
                # A snapshot is of its moment too, whenever a fork begins with it.
                name, taken = self.made_while_written(writers, lambda name=f"s{number}": self.snapshot(name))
                kept[self.fork(f"of-{number}", {"snapshot": name})] = taken
                # Writers in a fork and in a fork of that, beside those of the parent.
                parent = chance.choice(list(kept))
                began = kept[parent]
                self.fork("worked", {"namespace": parent})
                inner = [Writer(self.server, "worked", f"inner{index}") for index in range(2)]
                with side_by_side([writer.run for writer in inner]):
                    self.wait_for(inner)
                    deeper, counts = self.made_while_written(inner, lambda: self.fork("deeper", {"namespace": "worked"}))
                    self.assertEqual({name: count for name, count in counts.items() if name in began}, began)
                    Writer(self.server, deeper, "deepest").add()
                    self.wait_for(inner)
                    self.assertEqual(self.counts(deeper, index=True), counts | {"deepest": 1})
                self.assertEqual(self.counts("worked", index=True), began | {writer.name: writer.acknowledged for writer in inner})
                self.assertEqual(self.counts(parent, index=True), began)
                self.control("POST", "namespaces/worked/reset")
                self.assertEqual(self.counts("worked", index=True), began)
                self.control("POST", "namespaces/worked/restore", {"snapshot": f"s{number}"})
                self.assertEqual(self.counts("worked", index=True), taken)
                for name in ("worked", "deeper"):
                    self.control("DELETE", "namespaces/" + name)
                self.assertTrue(set(self.counts_of_main()) <= {writer.name for writer in writers})
        for space, counts in kept.items():
            self.assertEqual(self.counts(space, index=True), counts)
            self.check_streams(space, counts)
        self.assertEqual(self.counts("main", index=True), {writer.name: writer.acknowledged for writer in writers})
        print(f"{len(kept)} forks beside {sum(writer.acknowledged for writer in writers)} transactions")
        self.assertGreater(len({tuple(sorted(counts.items())) for counts in kept.values()}), ROUNDS)

    def snapshot(self, name):
        """A snapshot, and a fork of it to read it by; the fork's name is the snapshot's."""
        self.control("POST", "snapshots", {"name": name})
        return self.fork(name, {"snapshot": name})

    def wait_for(self, writers):
        """Until each has written once more."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        goals = {writer: writer.acknowledged + 1 for writer in writers}
        while any(writer.acknowledged < goal for writer, goal in goals.items()):
            self.assertLess(time.monotonic(), deadline, "a writer does not come on")
            time.sleep(0.002)

    def counts_of_main(self):
        item = self.call("GetItem", "main", TableName="Tab", Key={"pk": {"S": "a"}}, ConsistentRead=True).get("Item", {})
        return [name for name, value in item.items() if "N" in value]

    def test_in_memory(self):
        self.start()
        self.play()

    def test_on_disk(self):
        with tempfile.TemporaryDirectory() as folder:
            self.start("--data-dir", os.path.join(folder, "data"))
            self.play()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
