"""The effects of a namespace's clock, of lagging reads and indexes, and of settling, as clients see them.

settings_test.py <magneto> [test ...]
"""

import datetime
import email.utils
import sys
import time
import unittest

from botocore.exceptions import ClientError

from control_case import STREAMING, ControlCase, every_namespace, global_index, on_demand

TABLE = on_demand("Tab", "pk", "group", GlobalSecondaryIndexes=[global_index("ByGroup", "group")])


@every_namespace
class ClockTest(ControlCase):
    def now(self):
        text = self.control("GET", "clock")["now"]
        return int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())

    def advance(self, by):
        self.control("PUT", "clock", {"advance": by})

    def records(self):
        """All that the stream of Tab still has, as (event, partition key, by whom)."""
        streams = self.connect("dynamodbstreams")
        arn = self.client.describe_table(TableName="Tab")["Table"]["LatestStreamArn"]
        found = []
        for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
            iterator = streams.get_shard_iterator(
                StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            while iterator:
                answer = streams.get_records(ShardIterator=iterator)
                found += [(record["eventName"], record["dynamodb"]["Keys"]["pk"]["S"],
                           record.get("userIdentity", {}).get("PrincipalId")) for record in answer["Records"]]
                iterator = answer.get("NextShardIterator") if answer["Records"] else None
        return found

    def test_items_expire_when_it_comes_to_their_time(self):
        self.client.create_table(**TABLE, StreamSpecification=STREAMING)
        self.client.update_time_to_live(
            TableName="Tab", TimeToLiveSpecification={"AttributeName": "until", "Enabled": True})
        begin = self.now()
        for key, seconds in (("hour", 3600), ("day", 86400), ("second-day", 2 * 86400)):
            self.put("Tab", pk=key, group="g", until=begin + seconds)
        self.settle()
        self.assertEqual(len(self.scan("Tab")), 3)
        for by, left in (("2h", {"day", "second-day"}), ("23h", {"second-day"}), ("10m", {"second-day"}), ("25h", set())):
            self.advance(by)
            self.settle()
            self.assertEqual({item["pk"] for item in self.scan("Tab")}, left, by)
            self.assertEqual({item["pk"] for item in self.scan("Tab", IndexName="ByGroup")}, left, by)
        self.assertEqual([record for record in self.records() if record[0] == "REMOVE"],
                         [("REMOVE", "second-day", "dynamodb.amazonaws.com")])  # the others are over a day old

    def test_what_expired_stays_away_when_it_is_set_back(self):
        self.client.create_table(**TABLE)
        self.client.update_time_to_live(
            TableName="Tab", TimeToLiveSpecification={"AttributeName": "until", "Enabled": True})
        begin = self.now()
        self.put("Tab", pk="hour", until=begin + 3600)
        self.advance("2h")
        self.settle()
        self.control("DELETE", "clock")
        self.settle()
        self.assertEqual(self.scan("Tab"), [])
        self.put("Tab", pk="hour", until=begin + 3600)
        self.settle()
        self.assertEqual(len(self.scan("Tab")), 1)

    def test_frozen_it_holds_what_is_to_expire(self):
        self.client.create_table(**TABLE)
        self.client.update_time_to_live(
            TableName="Tab", TimeToLiveSpecification={"AttributeName": "until", "Enabled": True})
        self.control("PUT", "clock", {"frozen": True})
        stands = self.control("GET", "clock")["now"]
        self.put("Tab", pk="soon", until=self.now() + 1)
        time.sleep(1.5)  # real time, which is to make no difference
        self.settle()
        self.assertEqual(self.control("GET", "clock")["now"], stands)
        self.assertEqual(len(self.scan("Tab")), 1)
        self.advance("13s")
        self.settle()
        self.assertEqual(self.scan("Tab"), [])

    def test_what_is_due_stays_for_ten_seconds_or_as_the_setting_says(self):
        self.client.create_table(**TABLE)
        self.client.update_time_to_live(
            TableName="Tab", TimeToLiveSpecification={"AttributeName": "until", "Enabled": True})
        second = 1_925_000_000
        self.control("PUT", "clock", {"now": "2031-01-01T02:13:20Z", "frozen": True})  # that second

        def stays_until(ends):
            """The milliseconds after the item's time at which it is there, and is not any more."""
            self.put("Tab", pk="soon", until=self.now())
            there, gone = ends
            self.advance(f"{there}ms")
            self.settle()
            self.assertEqual(len(self.scan("Tab")), 1, there)
            self.advance(f"{gone - there}ms")
            self.settle()
            self.assertEqual(self.scan("Tab"), [], gone)
            self.control("PUT", "clock", {"now": "2031-01-01T02:13:20Z"})

        self.assertEqual(self.now(), second)
        stays_until((10_999, 11_000))
        self.assertEqual(self.control("PUT", "consistency", {"ttl_delay": "0s"})["ttl_delay"], "0")
        stays_until((999, 1_000))
        self.control("PUT", "consistency", {"ttl_delay": "2500ms"})
        stays_until((3_499, 3_500))
        # A shorter delay applies to due items at once.
        self.control("PUT", "consistency", {"ttl_delay": "1h"})
        self.put("Tab", pk="soon", until=self.now() - 5)
        self.settle()
        self.assertEqual(len(self.scan("Tab")), 1)
        self.control("PUT", "consistency", {"ttl_delay": "1s"})
        self.settle()
        self.assertEqual(self.scan("Tab"), [])
        self.assertEqual(self.control("DELETE", "consistency")["ttl_delay"], "10s")

    def test_records_of_streams_live_for_a_day(self):
        self.client.create_table(**TABLE, StreamSpecification=STREAMING)
        self.put("Tab", pk="first")
        self.advance("23h")
        self.put("Tab", pk="second")
        self.settle()
        # The records are in two shards, whose order says nothing about time.
        self.assertEqual(sorted(key for _, key, _ in self.records()), ["first", "second"])
        self.advance("2h")
        self.settle()
        self.assertEqual([key for _, key, _ in self.records()], ["second"])
        self.advance("23h")
        self.settle()
        self.assertEqual(self.records(), [])
        self.assertEqual(len(self.scan("Tab")), 2)
        self.put("Tab", pk="third")
        self.assertEqual([key for _, key, _ in self.records()], ["third"])

    def test_iterators_live_for_a_quarter_of_an_hour(self):
        self.client.create_table(**TABLE, StreamSpecification=STREAMING)
        self.put("Tab", pk="a")
        streams = self.connect("dynamodbstreams")
        arn = self.client.describe_table(TableName="Tab")["Table"]["LatestStreamArn"]
        iterators = [streams.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")
                     for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]]
        self.advance("14m")
        self.assertEqual(sum(len(streams.get_records(ShardIterator=iterator["ShardIterator"])["Records"])
                             for iterator in iterators), 1)
        self.advance("2m")
        for iterator in iterators:
            with self.assertRaises(streams.exceptions.ExpiredIteratorException):
                streams.get_records(ShardIterator=iterator["ShardIterator"])

    def test_tokens_of_transactions_are_known_for_ten_minutes(self):
        self.client.create_table(**TABLE)

        def count(by=1):
            self.client.transact_write_items(ClientRequestToken="once", TransactItems=[{"Update": {
                "TableName": "Tab", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "ADD n :n",
                "ExpressionAttributeValues": {":n": {"N": str(by)}}}}])
            return self.get("Tab", pk="a")["n"]

        self.assertEqual([count(), count()], [1, 1])
        self.advance("9m")
        self.assertEqual(count(), 1)
        with self.assertRaises(self.client.exceptions.IdempotentParameterMismatchException):
            count(by=5)
        self.advance("2m")
        self.assertEqual([count(), count()], [2, 2])
        self.advance("11m")
        self.assertEqual(count(by=5), 7)

    def test_dates_of_answers_are_real_and_those_in_them_are_not(self):
        self.advance("3650d")
        answer = self.client.create_table(**TABLE)
        date = email.utils.parsedate_to_datetime(answer["ResponseMetadata"]["HTTPHeaders"]["date"]).timestamp()
        self.assertLess(abs(date - time.time()), 120)
        created = answer["TableDescription"]["CreationDateTime"].timestamp()
        self.assertLess(abs(created - time.time() - 3650 * 86400), 120)

    def test_each_namespace_has_its_own(self):
        self.made(name="other", **{"from": {"namespace": self.space}})
        self.advance("48h")
        self.assertEqual(self.control("GET", "clock", space="other")["offset"], "0")
        self.assertEqual(self.control("GET", "clock")["offset"], "48h")


@every_namespace
class ConsistencyTest(ControlCase):
    def setUp(self):
        super().setUp()
        self.client.create_table(**TABLE)
        self.client.create_table(**on_demand("Other", "pk"))

    def write(self, number):
        """Both tables at one moment."""
        self.client.transact_write_items(TransactItems=[
            {"Put": {"TableName": table, "Item": {"pk": {"S": "a"}, "n": {"N": str(number)}}}} for table in ("Tab", "Other")])

    def eventual_reads(self):
        """The results of each way to read."""
        key = {"pk": {"S": "a"}}
        client, request = self.client, {"ExpressionAttributeValues": {":a": {"S": "a"}}}
        items = [client.get_item(TableName="Tab", Key=key).get("Item"),
                 *client.query(TableName="Tab", KeyConditionExpression="pk = :a", **request)["Items"],
                 *client.scan(TableName="Tab")["Items"],
                 *client.batch_get_item(RequestItems={"Tab": {"Keys": [key]}})["Responses"]["Tab"],
                 *client.execute_statement(Statement="SELECT * FROM Tab WHERE pk = 'a'")["Items"]]
        return [int(item["n"]["N"]) for item in items]

    def consistent_reads(self):
        key = {"pk": {"S": "a"}}
        client, request = self.client, {"ExpressionAttributeValues": {":a": {"S": "a"}}}
        items = [client.get_item(TableName="Tab", Key=key, ConsistentRead=True).get("Item"),
                 *client.query(TableName="Tab", KeyConditionExpression="pk = :a", ConsistentRead=True, **request)["Items"],
                 *client.scan(TableName="Tab", ConsistentRead=True)["Items"],
                 *client.batch_get_item(RequestItems={"Tab": {"Keys": [key], "ConsistentRead": True}})["Responses"]["Tab"],
                 *client.execute_statement(Statement="SELECT * FROM Tab WHERE pk = 'a'", ConsistentRead=True)["Items"],
                 client.transact_get_items(TransactItems=[{"Get": {"TableName": "Tab", "Key": key}}])["Responses"][0]["Item"]]
        return [int(item["n"]["N"]) for item in items]

    def test_held_reads_move_on_write_by_write(self):
        self.write(0)
        self.control("PUT", "consistency", {"read_staleness": "held"})
        for number in range(1, 6):
            self.write(number)
            self.assertEqual(self.eventual_reads(), [0] * 5)
            self.assertEqual(self.consistent_reads(), [number] * 6)
        self.assertEqual(self.control("POST", "consistency/release", {"steps": 2})["read_staleness"]["behind"], 3)
        self.assertEqual(self.eventual_reads(), [2] * 5)
        self.assertEqual(self.get("Other", consistent=False, pk="a")["n"], 2)
        self.assertEqual(self.control("POST", "consistency/release")["read_staleness"]["behind"], 0)
        self.assertEqual(self.eventual_reads(), [5] * 5)
        self.write(6)
        self.assertEqual(self.eventual_reads(), [5] * 5)
        self.control("DELETE", "consistency")
        self.assertEqual(self.eventual_reads(), [6] * 5)

    def test_conditions_and_updates_see_the_newest(self):
        self.write(0)
        self.control("PUT", "consistency", {"read_staleness": "held"})
        self.write(1)
        key = {"TableName": "Tab", "Key": {"pk": {"S": "a"}}}
        answer = self.client.update_item(
            **key, UpdateExpression="ADD n :n", ConditionExpression="n = :n", ReturnValues="ALL_NEW",
            ExpressionAttributeValues={":n": {"N": "1"}})
        self.assertEqual(answer["Attributes"]["n"], {"N": "2"})
        with self.assertRaises(self.client.exceptions.ConditionalCheckFailedException):
            self.client.delete_item(**key, ConditionExpression="n = :n", ExpressionAttributeValues={":n": {"N": "0"}})
        self.assertEqual(self.eventual_reads(), [0] * 5)

    def test_a_stale_answer_is_an_older_state(self):
        self.write(0)
        self.control("PUT", "consistency", {"read_staleness": {"probability": 0.5, "seed": 7, "versions": 3}})
        seen = set()
        for number in range(1, 80):
            self.write(number)
            oldest = max(0, number - 3)
            for value in self.eventual_reads():
                self.assertTrue(oldest <= value <= number, (value, number))
                seen.add(number - value)
            self.assertEqual(self.consistent_reads(), [number] * 6)
        self.assertEqual(seen, {0, 1, 2, 3})

    def test_a_page_is_of_one_moment(self):
        self.control("PUT", "consistency", {"read_staleness": {"probability": 1, "seed": 3, "versions": 5}})
        stale = 0
        for number in range(60):
            self.client.transact_write_items(TransactItems=[
                {"Put": {"TableName": "Tab", "Item": {"pk": {"S": key}, "n": {"N": str(number)}}}} for key in ("a", "b", "c")])
            items = self.scan("Tab")
            if number > 0:
                self.assertIn(len(items), (0, 3))
                values = {item["n"] for item in items} or {-1}
                self.assertEqual(len(values), 1, (number, items))
                stale += max(values) < number
        self.assertEqual(stale, 59)

    def test_a_seed_chooses_the_same_again(self):
        def play(seed):
            for number in range(10):
                self.write(number)
            self.control("PUT", "consistency", {"read_staleness": {"probability": 0.5, "seed": seed, "versions": 8}})
            values = []
            for number in range(10, 40):
                self.write(number)
                values.append(number - self.get("Tab", consistent=False, pk="a")["n"])
            self.control("DELETE", "consistency")
            return values
        self.assertEqual(play(7), play(7))
        self.assertNotEqual(play(7), play(8))

    def test_held_indexes_are_released_change_by_change(self):
        self.control("PUT", "consistency", {"index_lag": "held"})
        self.assertEqual(self.control("GET", "consistency")["index_lag"], "held")
        for key in ("a", "b", "c", "d"):
            self.put("Tab", pk=key, group="g")
        self.assertEqual(len(self.scan("Tab")), 4)

        def indexed():
            answer = self.client.query(TableName="Tab", IndexName="ByGroup", KeyConditionExpression="#g = :g",
                                       ExpressionAttributeNames={"#g": "group"}, ExpressionAttributeValues={":g": {"S": "g"}})
            return sorted(item["pk"]["S"] for item in answer["Items"])

        self.assertEqual(indexed(), [])
        self.control("POST", "consistency/release", {"steps": 1})
        self.assertEqual(indexed(), ["a"])
        self.control("POST", "consistency/release", {"steps": 2})
        self.assertEqual(indexed(), ["a", "b", "c"])
        self.client.delete_item(TableName="Tab", Key={"pk": {"S": "a"}})
        self.assertEqual(indexed(), ["a", "b", "c"])
        self.control("POST", "consistency/release", {"steps": 1})
        self.assertEqual(indexed(), ["a", "b", "c", "d"])
        self.control("POST", "consistency/release")
        self.assertEqual(indexed(), ["b", "c", "d"])
        self.put("Tab", pk="e", group="g")
        self.assertEqual(indexed(), ["b", "c", "d"])
        self.control("DELETE", "consistency")
        self.settle()
        self.assertEqual(indexed(), ["b", "c", "d", "e"])

    def test_indexes_lag_by_the_clock(self):
        self.control("PUT", "clock", {"frozen": True})
        self.control("PUT", "consistency", {"index_lag": "10s"})
        self.put("Tab", pk="a", group="g")
        self.control("PUT", "clock", {"advance": "9s"})
        self.assertEqual(self.scan("Tab", IndexName="ByGroup"), [])
        self.put("Tab", pk="b", group="g")
        self.control("PUT", "clock", {"advance": "2s"})
        self.wait_until(lambda: self.scan("Tab", IndexName="ByGroup"), "the first does not come to the index")
        self.assertEqual([item["pk"] for item in self.scan("Tab", IndexName="ByGroup")], ["a"])
        self.control("PUT", "clock", {"advance": "10s"})
        self.settle()
        self.assertEqual(sorted(item["pk"] for item in self.scan("Tab", IndexName="ByGroup")), ["a", "b"])

    def test_a_reset_turns_it_off(self):
        self.control("PUT", "consistency", {"read_staleness": "held", "index_lag": "held"})
        self.control("POST", "reset")
        self.assertEqual(self.control("GET", "consistency"), {"index_lag": None, "read_staleness": None, "replication_lag": None, "ttl_delay": "10s"})


@every_namespace
class SettleTest(ControlCase):
    def test_it_waits_for_indexes(self):
        self.client.create_table(**TABLE)
        self.control("PUT", "consistency", {"index_lag": "500ms"})
        for number in range(100):
            self.put("Tab", pk=str(number), group="g")
        self.settle()
        self.assertEqual(len(self.scan("Tab", IndexName="ByGroup")), 100)

    def test_it_does_not_wait_for_what_is_held(self):
        self.client.create_table(**TABLE)
        for settings in ({"consistency": {"index_lag": "held"}},
                         {"clock": {"frozen": True}, "consistency": {"index_lag": "1s"}}):
            for setting, body in settings.items():
                self.control("PUT", setting, body)
            self.put("Tab", pk=str(settings), group="g")
            before = len(self.scan("Tab", IndexName="ByGroup"))
            self.settle()
            self.assertEqual(len(self.scan("Tab", IndexName="ByGroup")), before)
            for setting in settings:
                self.control("DELETE", setting)
            self.settle()
        self.assertEqual(len(self.scan("Tab", IndexName="ByGroup")), 2)

    def test_it_waits_no_longer_than_it_was_told(self):
        self.client.create_table(**TABLE)
        self.control("PUT", "consistency", {"index_lag": "1h"})
        self.put("Tab", pk="a", group="g")
        refusal = self.control("POST", "settle", {"timeout": "100ms"}, status=409)
        self.assertIn("not finished after 100ms", refusal["error"])
        self.assertEqual(self.scan("Tab", IndexName="ByGroup"), [])
        self.control("PUT", "clock", {"advance": "2h"})
        self.settle()
        self.assertEqual(len(self.scan("Tab", IndexName="ByGroup")), 1)

    def test_it_waits_for_a_new_index(self):
        self.client.create_table(**on_demand("Tab", "pk"))
        for first in range(0, 500, 25):
            self.client.batch_write_item(RequestItems={"Tab": [
                {"PutRequest": {"Item": {"pk": {"S": str(number)}, "group": {"S": "g"}}}} for number in range(first, first + 25)]})
        self.client.update_table(
            TableName="Tab", AttributeDefinitions=[{"AttributeName": "group", "AttributeType": "S"}],
            GlobalSecondaryIndexUpdates=[{"Create": global_index("ByGroup", "group")}])
        self.settle()
        index = self.client.describe_table(TableName="Tab")["Table"]["GlobalSecondaryIndexes"][0]
        self.assertEqual(index["IndexStatus"], "ACTIVE")
        self.assertEqual(len(self.scan("Tab", IndexName="ByGroup")), 500)


@every_namespace
class MissingNamespaceTest(ControlCase):
    def test_nobody_has_settings(self):
        for method, path in (("GET", "clock"), ("PUT", "clock"), ("DELETE", "clock"), ("GET", "consistency"),
                             ("DELETE", "consistency"), ("POST", "consistency/release"), ("POST", "settle")):
            body = {"frozen": True} if method == "PUT" else None
            self.assertIn("nobody", self.control(method, path, body, status=404, space="nobody")["error"])
        with self.assertRaises(ClientError) as caught:
            client = self.connect()
            client.meta.events.register("before-sign.dynamodb.ListTables", lambda request, **_:
                                        request.headers.add_header("X-Magneto-Namespace", "nobody"))
            client.list_tables()
        self.assertEqual(caught.exception.response["Error"]["Code"], "ValidationException")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
