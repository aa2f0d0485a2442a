"""D4: a consumer of a stream keeps an index table while many threads write, with boto3."""

import concurrent.futures
import random
import threading
import unittest

from streams import StreamConsumer
from table_case import TableCase

WRITERS = 8
WRITES = 5000
ISSUES = 200
FIELDS = ("who", "stage", "label")


def index_rows(issue):
    """The rows of an issue in IssueIndex: one for each of its fields."""
    if issue is None:
        return {}
    return {(name, f"{value}#{issue['id']}"): {"attribId": name, "sortString": f"{value}#{issue['id']}"}
            for name, value in issue.items() if name != "id"}


class Writer:
    """Random writes to few issues; counts those that change an item."""

    def __init__(self, client, seed):
        self.client = client
        self.random = random.Random(seed)
        self.changes = 0

    def run(self, count):
        for _ in range(count):
            write = self.random.choice((self.put, self.put, self.set, self.remove_field, self.delete))
            self.changes += write({"id": f"issue-{self.random.randrange(ISSUES):03d}"})
        return self.changes

    def value(self):
        return f"v{self.random.randrange(3)}"

    def put(self, key):
        item = key | {name: self.value() for name in FIELDS if self.random.random() < 0.7}
        old = self.client.put_item(TableName="Issue", Item=item, ReturnValues="ALL_OLD").get("Attributes")
        return item != old

    def set(self, key):
        value = self.value()
        old = self.client.update_item(
            TableName="Issue", Key=key, UpdateExpression="SET stage = :v", ReturnValues="UPDATED_OLD",
            ExpressionAttributeValues={":v": value}).get("Attributes", {})
        return old.get("stage") != value

    def remove_field(self, key):
        try:
            old = self.client.update_item(
                TableName="Issue", Key=key, UpdateExpression="REMOVE label", ReturnValues="UPDATED_OLD",
                ConditionExpression="attribute_exists(id)").get("Attributes", {})
        except self.client.exceptions.ConditionalCheckFailedException:
            return False
        return "label" in old

    def delete(self, key):
        return "Attributes" in self.client.delete_item(TableName="Issue", Key=key, ReturnValues="ALL_OLD")


class IndexKeeper:
    """Updates IssueIndex from the stream, and checks that each change follows from the one before."""

    def __init__(self, case, consumer):
        self.case = case
        self.consumer = consumer
        self.issues = {}
        self.event_ids = set()
        self.changes = 0

    def follow(self, stop):
        """Until `stop` is set and the stream is idle."""
        while True:
            last = stop.is_set()
            changes = self.consumer.poll(limit=100)
            self.apply(changes)
            if last and not changes:
                return

    def apply(self, changes):
        rows = {}
        for change in changes:
            self.check(change)
            rows |= dict.fromkeys(index_rows(change.old))
            rows |= index_rows(change.new)
        requests = [
            {"PutRequest": {"Item": row}} if row else {"DeleteRequest": {"Key": {"attribId": name, "sortString": text}}}
            for (name, text), row in rows.items()]
        for start in range(0, len(requests), 25):
            answer = self.case.client.batch_write_item(RequestItems={"IssueIndex": requests[start:start + 25]})
            self.case.assertEqual(answer["UnprocessedItems"], {})

    def check(self, change):
        case, name = self.case, change.key["id"]
        case.assertEqual(change.key, {"id": name})
        case.assertEqual(change.old, self.issues.get(name))
        case.assertNotEqual(change.old, change.new)
        case.assertEqual(change.event, "INSERT" if change.old is None else
                         "REMOVE" if change.new is None else "MODIFY")
        case.assertNotIn(change.event_id, self.event_ids)
        self.event_ids.add(change.event_id)
        self.issues[name] = change.new
        self.changes += 1


class StreamTest(TableCase):
    connections = WRITERS + 1

    def setUp(self):
        super().setUp()
        self.create_tables({"Issue": {"key": "id", "stream": "NEW_AND_OLD_IMAGES"},
                            "IssueIndex": {"key": "attribId, sortString"}})
        self.consumer = self.stream_of("Issue")

    def check_index(self):
        issues = self.read_all("scan", TableName="Issue")
        rows = self.read_all("scan", TableName="IssueIndex")
        wanted = sorted(key for issue in issues for key in index_rows(issue))
        self.assertEqual(sorted((row["attribId"], row["sortString"]) for row in rows), wanted)
        return {issue["id"]: issue for issue in issues}

    def test_d4_an_index_table_follows_eight_writers(self):
        keeper = IndexKeeper(self, self.consumer)
        stop = threading.Event()
        with concurrent.futures.ThreadPoolExecutor(WRITERS + 1) as pool:
            following = pool.submit(keeper.follow, stop)
            writers = [pool.submit(Writer(self.client, seed).run, WRITES // WRITERS) for seed in range(WRITERS)]
            try:
                changes = sum(writer.result() for writer in writers)
            finally:
                stop.set()
            following.result()
        issues = self.check_index()
        self.assertEqual({name: issue for name, issue in keeper.issues.items() if issue}, issues)
        self.assertEqual(keeper.changes, changes)
        self.assertGreater(changes, WRITES // 4)

    def test_d4_a_disabled_stream_stays_readable_and_the_next_one_is_new(self):
        self.client.put_item(TableName="Issue", Item={"id": "a", "stage": "v1"})
        self.client.update_table(TableName="Issue", StreamSpecification={"StreamEnabled": False})
        self.client.put_item(TableName="Issue", Item={"id": "b", "stage": "v1"})
        answer = self.client.update_table(TableName="Issue", StreamSpecification={
            "StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
        newest = answer["TableDescription"]["LatestStreamArn"]
        self.assertNotEqual(newest, self.consumer.arn)
        self.client.put_item(TableName="Issue", Item={"id": "c", "stage": "v1"})
        listed = [stream["StreamArn"] for stream in self.streams.list_streams(TableName="Issue")["Streams"]]
        self.assertEqual(set(listed) & {self.consumer.arn, newest}, {self.consumer.arn, newest})

        self.assertEqual([change.key["id"] for change in self.consumer.poll_to_end()], ["a"])
        self.assertEqual(set(self.consumer.iterators.values()), {None})
        self.assertEqual([change.key["id"] for change in StreamConsumer(self.streams, newest).poll()], ["c"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
