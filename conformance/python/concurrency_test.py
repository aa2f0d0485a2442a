"""Expectations that need threads or loops, with boto3: A6, B15.4 to B15.6, B16.2, D2.4."""

import concurrent.futures
import unittest

from requests_of_steps import attribute_definitions, key_schema, parse_key
from table_case import TableCase

THREADS = 16


class CountersTest(TableCase):
    connections = THREADS

    def setUp(self):
        super().setUp()
        self.create_tables({"Track": {"key": "PK, SK"}})
        self.key = {"PK": "PROJECT#p", "SK": "PROJECT#p"}

    def in_parallel(self, action, count):
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            return list(pool.map(action, range(count)))

    def test_b16_2_100_increments_give_100_numbers(self):
        self.client.put_item(TableName="Track", Item=self.key | {"IssueCount": 0})

        def next_number(_):
            answer = self.client.update_item(
                TableName="Track", Key=self.key, UpdateExpression="SET IssueCount = IssueCount + :one",
                ExpressionAttributeValues={":one": 1}, ReturnValues="UPDATED_NEW")
            return int(answer["Attributes"]["IssueCount"])

        self.assertEqual(sorted(self.in_parallel(next_number, 100)), list(range(1, 101)))

    def test_a6_one_of_many_puts_wins(self):
        def put(index):
            try:
                self.client.put_item(TableName="Track", Item=self.key | {"Winner": index},
                                     ConditionExpression="attribute_not_exists(PK)")
                return index
            except self.client.exceptions.ConditionalCheckFailedException:
                return None

        winners = [index for index in self.in_parallel(put, 40) if index is not None]
        self.assertEqual(len(winners), 1)
        item = self.client.get_item(TableName="Track", Key=self.key, ConsistentRead=True)["Item"]
        self.assertEqual(item["Winner"], winners[0])


class BackFillTest(TableCase):
    """B15.4, B15.5: an index comes to a table that is in use, and old items come into it."""

    def setUp(self):
        super().setUp()
        self.create_tables({"Blog": {"key": "PK, SK"}})

    def put(self, entity, name, **attributes):
        key = f"{entity.upper()}#{name}"
        self.client.put_item(TableName="Blog", Item={"PK": key, "SK": key, "Type": entity} | attributes)

    def add_index(self):
        key = parse_key("GSI1PK, GSI1SK")
        answer = self.client.update_table(
            TableName="Blog",
            AttributeDefinitions=attribute_definitions(key),
            GlobalSecondaryIndexUpdates=[{"Create": {
                "IndexName": "GSI1", "KeySchema": key_schema(key), "Projection": {"ProjectionType": "ALL"}}}])
        self.assertEqual(self.statuses(answer["TableDescription"]), {"GSI1": "CREATING"})
        while True:
            table = self.client.describe_table(TableName="Blog")["Table"]
            if self.statuses(table) == {"GSI1": "ACTIVE"}:
                return
            self.assertEqual(self.statuses(table), {"GSI1": "CREATING"})

    def statuses(self, table):
        return {index["IndexName"]: index["IndexStatus"] for index in table["GlobalSecondaryIndexes"]}

    def give_index_keys(self, entity, keys, limit):
        """Visits every item of a kind page by page and updates it; the pages and keys seen."""
        pages, seen, start = 0, [], {}
        while True:
            page = self.client.scan(
                TableName="Blog", FilterExpression="#t = :t", Limit=limit,
                ExpressionAttributeNames={"#t": "Type"}, ExpressionAttributeValues={":t": entity}, **start)
            pages += 1
            for item in page["Items"]:
                seen.append(item["PK"])
                partition, sort = keys(item)
                self.client.update_item(
                    TableName="Blog", Key={"PK": item["PK"], "SK": item["SK"]},
                    UpdateExpression="SET GSI1PK = :p, GSI1SK = :s",
                    ExpressionAttributeValues={":p": partition, ":s": sort})
            if "LastEvaluatedKey" not in page:
                return pages, seen
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def query_index(self, partition, **parameters):
        return [item["GSI1SK"] for item in self.read_all(
            "query", TableName="Blog", IndexName="GSI1", KeyConditionExpression="GSI1PK = :p",
            ExpressionAttributeValues={":p": partition}, **parameters)]

    def test_b15_4_new_collection(self):
        for post in ("p1", "p2", "p3"):
            self.put("Post", post)
        for comment, time in (("c1", "2030-01-01"), ("c2", "2030-01-02")):
            self.put("Comment", comment, GSI1PK="POST#p1", GSI1SK=f"COMMENT#{time}")
        for user in ("ana", "bo"):
            self.put("User", user)

        self.add_index()
        items = self.read_all("scan", TableName="Blog", IndexName="GSI1")
        self.assertEqual(sorted(item["PK"] for item in items), ["COMMENT#c1", "COMMENT#c2"])

        pages, seen = self.give_index_keys("Post", lambda item: (item["PK"], item["SK"]), limit=2)
        self.assertEqual(sorted(seen), ["POST#p1", "POST#p2", "POST#p3"])
        self.assertEqual(pages, 4)
        self.assertEqual(self.query_index("POST#p1", ScanIndexForward=False),
                         ["POST#p1", "COMMENT#2030-01-02", "COMMENT#2030-01-01"])

    def test_b15_5_join_existing_items(self):
        for order in ("o1", "o2"):
            self.put("Order", order, Customer="ana")
        self.put("Ticket", "t1", Customer="ana")
        self.put("Ticket", "t2", Customer="bo")
        self.add_index()
        for entity in ("Order", "Ticket"):
            self.give_index_keys(entity, lambda item: (f"CUSTOMER#{item['Customer']}", item["SK"]), limit=3)
        self.assertEqual(self.query_index("CUSTOMER#ana"), ["ORDER#o1", "ORDER#o2", "TICKET#t1"])
        self.assertEqual(self.query_index("CUSTOMER#bo"), ["TICKET#t2"])


class ParallelScanTest(TableCase):
    """B15.6"""

    connections = THREADS

    def setUp(self):
        super().setUp()
        self.create_tables({"Wide": {"key": "PK"}, "Three": {"key": "PK"}})
        self.fill({
            "Wide": [{"$many": 200, "$item": {"PK": "item-%3d", "Number": {"$index": 1}}}],
            "Three": [{"PK": "a"}, {"PK": "b"}, {"PK": "c"}],
        })

    def scan_segments(self, table, total, **request):
        with concurrent.futures.ThreadPoolExecutor(total) as pool:
            return list(pool.map(
                lambda segment: [item["PK"] for item in self.read_all(
                    "scan", TableName=table, Segment=segment, TotalSegments=total, **request)],
                range(total)))

    def assert_covers(self, segments, expected):
        self.assertEqual(sorted(key for segment in segments for key in segment), expected)

    def test_b15_6_segments_are_disjoint_and_complete(self):
        everything = [f"item-{index:03d}" for index in range(200)]
        odd = {
            "FilterExpression": "#n > :n",
            "ExpressionAttributeNames": {"#n": "Number"},
            "ExpressionAttributeValues": {":n": 99},
        }
        self.assert_covers(self.scan_segments("Wide", 4), everything)
        self.assert_covers(self.scan_segments("Wide", 4, **odd), everything[100:])
        self.assert_covers(self.scan_segments("Wide", 4, Limit=7), everything)
        self.assert_covers(self.scan_segments("Wide", 4, Limit=7, **odd), everything[100:])

    def test_b15_6_more_segments_than_items(self):
        segments = self.scan_segments("Three", 10)
        self.assertIn([], segments)
        self.assert_covers(segments, ["a", "b", "c"])


class GrowingListTest(TableCase):
    def test_d2_4_a_list_grows_until_400_kb(self):
        self.create_tables({"Forge": {"key": "entityType, entityId"}})
        key = {"entityType": "bookmarks", "entityId": "ana"}
        self.client.put_item(TableName="Forge", Item=key | {"l": []})
        append = {
            "TableName": "Forge", "Key": key, "UpdateExpression": "SET l = list_append(l, :x)",
            "ExpressionAttributeValues": {":x": [{"build": "x" * 495}] * 20},
        }
        # An element is 505 bytes: 5 + 495 for name and value, 3 + 1 for the map, 1 in the list. 40 times
        # 20 of them fit into 409,600 bytes, 41 times do not.
        for _ in range(40):
            self.client.update_item(**append)
        self.assert_refused("VE", "update_item", **append)
        item = self.client.get_item(TableName="Forge", Key=key, ConsistentRead=True)["Item"]
        self.assertEqual(len(item["l"]), 800)


if __name__ == "__main__":
    unittest.main(verbosity=2)
