"""The journal's records of requests, and the results of assertions. journal_test.py <magneto> [test ...]"""

import json
import re
import sys
import threading
import time
import unittest

from botocore.exceptions import BotoCoreError, ClientError

from control_case import ControlCase, every_namespace, global_index, on_demand

TABLE = on_demand("Tab", "pk", "group", GlobalSecondaryIndexes=[global_index("ByGroup", "group")])


class JournalCase(ControlCase):
    def setUp(self):
        super().setUp()
        self.client.create_table(**TABLE)
        self.client.create_table(**on_demand("Other", "pk"))
        self.control("PUT", "journal", {"on": True, "bytes": 4 << 20})
        self.before = self.last()  # numbers continue, also when a journal is cleared

    def records(self, query=""):
        return self.control("GET", "journal" + query)["records"]

    def last(self):
        return self.control("GET", "journal")["next"]

    def get_eventually(self, *keys, table="Tab"):
        for key in keys:
            self.client.get_item(TableName=table, Key={"pk": {"S": key}})


@every_namespace
class RecordsTest(JournalCase):
    def test_a_request_with_an_answer_has_a_record(self):
        self.put("Tab", pk="a", group="g")
        (record,) = self.records()
        self.assertEqual(record["number"], self.before + 1)
        self.assertEqual({name: record[name] for name in ("namespace", "operation", "table", "index", "keys",
                                                           "status", "error", "consumed")},
                         {"namespace": self.space, "operation": "PutItem", "table": "Tab", "index": None,
                          "keys": [{"key": {"pk": "a"}, "writes": True}], "status": 200, "error": None,
                          "consumed": {"read_units": 0, "write_units": 2}})
        self.assertEqual((record["caller"]["access_key"], record["caller"]["region"]), (self.space, "us-east-1"))
        self.assertRegex(record["caller"]["address"], r"^127\.0\.0\.1:\d+$")
        self.assertRegex(record["at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        self.assertGreater(record["milliseconds"], 0)
        self.assertGreater(record["request_bytes"], 20)
        self.assertFalse({"request", "response", "faults", "tables"} & set(record))

    def test_reads_tell_what_they_looked_at(self):
        for number in range(10):
            self.put("Tab", pk=f"k{number}", group="g", n=number)
        after = self.last()
        answer = self.client.query(
            TableName="Tab", IndexName="ByGroup", KeyConditionExpression="#g = :g", FilterExpression="n < :three",
            ExpressionAttributeNames={"#g": "group"}, ExpressionAttributeValues={":g": {"S": "g"}, ":three": {"N": "3"}})
        (record,) = self.records(f"?after={after}")
        self.assertEqual(record["request_id"], answer["ResponseMetadata"]["RequestId"])
        self.assertEqual((record["operation"], record["table"], record["index"]), ("Query", "Tab", "ByGroup"))
        self.assertEqual((record["plan"]["read"], record["plan"]["returned"]), (10, 3))
        self.assertGreater(record["plan"]["bytes_read"], 0)
        self.assertEqual(record["keys"], [{"key": {"group": "g"}, "writes": False}])
        self.assertEqual(record["consumed"], {"read_units": 0.5, "write_units": 0})

    def test_errors_and_several_tables(self):
        with self.assertRaises(ClientError):
            self.client.put_item(TableName="None", Item={"pk": {"S": "a"}})
        with self.assertRaises(ClientError):
            self.client.put_item(TableName="Tab", Item={"pk": {"S": "a"}}, ConditionExpression="attribute_exists(pk)")
        self.client.transact_write_items(TransactItems=[
            {"Put": {"TableName": table, "Item": {"pk": {"S": table}}}} for table in ("Tab", "Other")])
        missing, failed, transaction = self.records()
        self.assertEqual((missing["status"], missing["error"], missing["table"]), (400, "ResourceNotFoundException", "None"))
        self.assertEqual((failed["status"], failed["error"]), (400, "ConditionalCheckFailedException"))
        self.assertEqual(transaction["tables"], ["Tab", "Other"])
        self.assertEqual([(key["table"], key["key"]) for key in transaction["keys"]], [("Tab", {"pk": "Tab"}), ("Other", {"pk": "Other"})])
        self.assertEqual(self.records("?status=2"), [transaction])
        self.assertEqual(self.records("?status=400"), [missing, failed])
        self.assertEqual(self.records("?error=ResourceNotFoundException"), [missing])
        self.assertEqual(self.records("?table=Other"), [transaction])
        self.assertEqual(self.records("?operation=PutItem&table=Tab"), [failed])
        self.assertEqual(self.records("?limit=1"), [missing])
        self.assertEqual(self.records(f"?after={self.before + 1}&limit=1"), [failed])

    def test_faults_are_named(self):
        rules = [self.control("POST", "faults", rule, status=201)["id"] for rule in (
            {"operations": ["PutItem"], "fault": {"latency": "1ms"}},
            {"operations": ["PutItem"], "count": 1, "fault": {"error": "ThrottlingException"}},
            {"operations": ["PutItem"], "count": 1, "fault": {"drop": "after"}},
            {"operations": ["PutItem"], "count": 1, "fault": {"drop": "before"}})]
        for _ in range(3):
            with self.assertRaises((ClientError, BotoCoreError)):
                self.put("Tab", pk="a")
        self.assertEqual([(record["status"], record["error"], record["faults"]) for record in self.records()], [
            (400, "ThrottlingException", rules[:2]), (None, None, [rules[0], rules[2]]),
            (None, "InternalServerError", [rules[0], rules[3]])])

    def test_bodies_are_kept_when_asked_for(self):
        self.control("PUT", "journal", {"bodies": True})
        self.put("Tab", pk="a")
        self.get("Tab", pk="a")
        put, get = self.records()
        self.assertEqual(put["request"], {"TableName": "Tab", "Item": {"pk": {"S": "a"}}})
        self.assertEqual((put["response"], get["response"]), ({}, {"Item": {"pk": {"S": "a"}}}))
        self.control("PUT", "journal", {"bodies": False})
        self.get("Tab", pk="a")
        self.assertNotIn("request", self.records()[-1])

    def test_lines(self):
        for number in range(5):
            self.put("Tab", pk=str(number))
        _, headers, text = self.server.ask("GET", f"/_/namespaces/{self.space}/journal?format=jsonl")
        self.assertEqual(headers["Content-Type"], "application/x-ndjson")
        self.assertEqual([json.loads(line) for line in text.decode().splitlines()], self.records())

    def test_off_it_keeps_nothing_and_cleared_it_goes_on_counting(self):
        self.put("Tab", pk="a")
        self.control("DELETE", "journal")
        self.put("Tab", pk="b")
        self.assertEqual([record["number"] for record in self.records()], [self.before + 2])
        self.control("PUT", "journal", {"on": False})
        self.put("Tab", pk="c")
        self.assertEqual(len(self.records()), 1)

    def test_one_can_wait_for_the_next(self):
        answers = []
        waiting = threading.Thread(target=lambda: answers.append(self.control("GET", f"journal?after={self.before}&wait=60s")))
        begin = time.monotonic()
        waiting.start()
        self.put("Tab", pk="a")
        waiting.join()
        self.assertEqual(len(answers[0]["records"]), 1)
        self.assertLess(time.monotonic() - begin, 50)
        begin = time.monotonic()
        self.assertEqual(self.records(f"?after={self.before + 1}&wait=300ms"), [])
        self.assertGreaterEqual(time.monotonic() - begin, 0.29)

    def test_what_does_not_fit_is_dropped_and_counted(self):
        self.control("PUT", "journal", {"bytes": 65536})
        for number in range(400):
            self.put("Tab", pk=str(number))
        page = self.control("GET", f"journal?after={self.before}")
        self.assertEqual(page["dropped"] + len(page["records"]), 400)
        self.assertGreater(page["dropped"], 0)
        first = self.before + page["dropped"] + 1
        self.assertEqual([record["number"] for record in page["records"]], list(range(first, self.before + 401)))
        told = self.control("POST", "journal/assert", {"after": self.before, "assertions": [{"no_errors": True}]})
        self.assertFalse(told["passed"])
        self.assertIn("dropped", told["failures"][0]["sentence"])
        told = self.control("POST", "journal/assert", {"after": first - 1, "assertions": [{"no_errors": True}]})
        self.assertTrue(told["passed"], told)


@every_namespace
class AssertionsTest(JournalCase):
    def places(self, failure):
        """Of a failure's records, from 1."""
        return [number - self.before for number in failure["records"]]

    def passes(self, *assertions, after=0):
        self.assertEqual(self.control("POST", "journal/assert", {"after": self.before + after, "assertions": list(assertions)}),
                         {"passed": True, "failures": []})

    def fails(self, assertion, *records, after=0):
        """With one failure, of these records; its sentence."""
        told = self.control("POST", "journal/assert", {"after": self.before + after, "assertions": [{"max_calls": {"count": 10 ** 6}}, assertion]})
        self.assertFalse(told["passed"])
        (failure,) = told["failures"]
        self.assertEqual((failure["assertion"], self.places(failure)), (assertion, list(records)))
        self.assertRegex(failure["sentence"], r"^[A-Z].* .*\.$")
        return failure["sentence"]

    def test_scans(self):
        self.client.query(TableName="Tab", KeyConditionExpression="pk = :a", ExpressionAttributeValues={":a": {"S": "a"}})
        self.client.execute_statement(Statement="SELECT * FROM Tab WHERE pk = 'a'")
        self.passes({"no_scan": True})
        self.client.scan(TableName="Other")
        self.passes({"no_scan": True, "table": "Tab"})
        self.assertIn("Other", self.fails({"no_scan": True}, 3))
        self.client.execute_statement(Statement="SELECT * FROM Tab")
        self.fails({"no_scan": True, "table": "Tab"}, 4)

    def test_errors(self):
        self.put("Tab", pk="a")
        self.passes({"no_errors": True})
        self.control("POST", "faults", {"operations": ["PutItem"], "fault": {"error": "ThrottlingException"}}, status=201)
        with self.assertRaises(ClientError):
            self.put("Tab", pk="a")
        self.assertIn("ThrottlingException", self.fails({"no_errors": True}, 2))
        self.passes({"no_errors": True, "table": "Other"})
        self.passes({"no_errors": True}, after=2)

    def test_units(self):
        for _ in range(3):
            self.put("Other", pk="a")
        self.get_eventually("a", "b", table="Other")
        self.passes({"max_units": 4}, {"max_read_units": 1}, {"max_write_units": 3})
        self.fails({"max_units": 3.5}, 1, 2, 3, 4, 5)
        self.fails({"max_read_units": 0.5}, 4, 5)
        self.fails({"max_write_units": 2}, 1, 2, 3)
        self.passes({"max_units": 0, "table": "Tab"})

    def test_writes_of_a_key(self):
        self.put("Tab", pk="a")
        self.put("Other", pk="a")
        self.get("Tab", pk="a")
        self.passes({"max_writes_per_key": 1})
        self.client.batch_write_item(RequestItems={"Tab": [{"PutRequest": {"Item": {"pk": {"S": key}}}} for key in ("a", "b")]})
        self.assertIn('"a"', self.fails({"max_writes_per_key": 1}, 1, 4))
        with self.assertRaises(ClientError):
            self.client.delete_item(TableName="Tab", Key={"pk": {"S": "b"}}, ConditionExpression="attribute_not_exists(pk)")
        self.passes({"max_writes_per_key": 2})

    def test_calls(self):
        self.put("Tab", pk="a")
        self.get_eventually("a", "b")
        self.passes({"max_calls": {"operation": "GetItem", "count": 2}}, {"max_calls": {"count": 3}})
        self.fails({"max_calls": {"operation": "GetItem", "count": 1}}, 2, 3)
        self.fails({"max_calls": {"count": 2}}, 1, 2, 3)

    def test_one_request_for_each_of_many(self):
        for number in range(4):
            self.get_eventually(f"k{number}")
            self.get_eventually("same", table="Other")
        self.passes({"no_n_plus_one": 5})
        self.fails({"no_n_plus_one": 4}, 1, 3, 5, 7)
        self.put("Tab", pk="a")  # ends the row
        self.get_eventually("k5")
        self.passes({"no_n_plus_one": 5})

    def test_reading_more_than_is_returned(self):
        for number in range(10):
            self.put("Tab", pk=f"k{number}", n=number)
        self.client.scan(TableName="Tab", FilterExpression="n < :two", ExpressionAttributeValues={":two": {"N": "2"}})
        self.passes({"max_read_per_returned": 5}, after=10)
        self.fails({"max_read_per_returned": 4.5}, 11, after=10)

    def test_other_tables(self):
        self.put("Tab", pk="a")
        self.passes({"only_tables": ["Tab"]})
        self.client.batch_get_item(RequestItems={table: {"Keys": [{"pk": {"S": "a"}}]} for table in ("Tab", "Other")})
        self.passes({"only_tables": ["Tab", "Other"]})
        self.assertIn("Other", self.fails({"only_tables": ["Tab"]}, 2))

    def test_each_that_fails_is_told(self):
        self.client.scan(TableName="Tab")
        self.client.scan(TableName="Other")
        told = self.control("POST", "journal/assert", {"assertions": [
            {"no_scan": True}, {"no_errors": True}, {"max_calls": {"count": 1}}]})
        self.assertEqual([self.places(failure) for failure in told["failures"]], [[1], [2], [1, 2]])
        self.assertTrue(all(re.search("[Ss]can|calls", failure["sentence"]) for failure in told["failures"]))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
