"""A consumer of a table's stream, with boto3's client of DynamoDB Streams."""

import os
import urllib.request

import boto3
import botocore.config
from boto3.dynamodb.types import TypeDeserializer

_VALUES = TypeDeserializer()
SETTLE = os.environ.get("MAGNETO_SETTLE")


def connect_streams():
    return boto3.client(
        "dynamodbstreams",
        endpoint_url=os.environ["MAGNETO_ENDPOINT"],
        config=botocore.config.Config(retries={"mode": "standard", "max_attempts": 1},
                                      parameter_validation=False))


def _plain(item):
    return None if item is None else {name: _VALUES.deserialize(value) for name, value in item.items()}


class Change:
    """One record; an image that is not there is None."""

    def __init__(self, record):
        self.event = record["eventName"]
        self.event_id = record["eventID"]
        self.by_service = record.get("userIdentity") == {"Type": "Service", "PrincipalId": "dynamodb.amazonaws.com"}
        self.key = _plain(record["dynamodb"]["Keys"])
        self.old = _plain(record["dynamodb"].get("OldImage"))
        self.new = _plain(record["dynamodb"].get("NewImage"))

    def described(self):
        """In the form of a scenario; missing parts are left out."""
        parts = {"event": self.event, "old": self.old, "new": self.new, "by": "service" if self.by_service else None}
        return {name: part for name, part in parts.items() if part is not None}


class StreamConsumer:
    """Reads all shards of a stream, new ones too, each after its parent. `read_record` makes a change of a record."""

    def __init__(self, streams, arn, read_record=Change):
        self.streams = streams
        self.arn = arn
        self.read_record = read_record
        self.iterators = {}  # by shard; None: the shard has ended

    def shards(self):
        """Of DescribeStream's pages, of two each so that there are some."""
        found, start = [], {}
        while True:
            answer = self.streams.describe_stream(StreamArn=self.arn, Limit=2, **start)["StreamDescription"]
            found += answer["Shards"]
            if "LastEvaluatedShardId" not in answer:
                return found
            start = {"ExclusiveStartShardId": answer["LastEvaluatedShardId"]}

    def poll(self, limit=1000):
        """The changes that came since the last poll, those of an item in their order.

        Servers that share a store show them a little later: ../cluster/with_shared_servers.py.
        """
        if SETTLE:
            urllib.request.urlopen(SETTLE, data=b"", timeout=120).close()
        shards = self.shards()
        known = {shard["ShardId"] for shard in shards}
        changes = []
        for shard in shards:  # ascending, so parents come first
            name, parent = shard["ShardId"], shard.get("ParentShardId")
            if parent in known and self.iterators.get(parent, "") is not None:
                continue
            if name not in self.iterators:
                self.iterators[name] = self.streams.get_shard_iterator(
                    StreamArn=self.arn, ShardId=name, ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            changes += self.read_shard(name, limit)
        return changes

    def poll_to_end(self):
        """As poll(), of a stream that was disabled. Of servers that share a store its shards end a little later."""
        changes = self.poll()
        while SETTLE and any(iterator is not None for iterator in self.iterators.values()):
            changes += self.poll()
        return changes

    def read_shard(self, name, limit):
        changes = []
        while self.iterators[name] is not None:
            answer = self.streams.get_records(ShardIterator=self.iterators[name], Limit=limit)
            self.iterators[name] = answer.get("NextShardIterator")
            changes += map(self.read_record, answer["Records"])
            if not answer["Records"]:
                break
        return changes
