"""The effects of fault rules on clients; a rule has no other effects. faults_test.py <magneto> [test ...]"""

import http.client
import json
import sys
import threading
import time
import unittest

from botocore.exceptions import BotoCoreError, ClientError, ConnectionClosedError

from control_server import SIGNED
from control_case import ControlCase, every_namespace, global_index, on_demand

TABLE = on_demand("Tab", "pk", "group", GlobalSecondaryIndexes=[global_index("ByGroup", "group")])


class FaultCase(ControlCase):
    def setUp(self):
        super().setUp()
        self.client.create_table(**TABLE)
        self.client.create_table(**on_demand("Sorted", "pk", "sk"))

    def rule(self, **rule):
        return self.control("POST", "faults", rule, status=201)["id"]

    def listed(self, rule):
        return next(one for one in self.control("GET", "faults")["rules"] if one["id"] == rule)

    def clear(self):
        self.assertEqual(self.control("DELETE", "faults"), {"rules": []})

    def failure(self, operation, client=None, **request):
        """The response of a request that is refused."""
        with self.assertRaises(ClientError) as caught:
            getattr(client or self.client, operation)(**request)
        return caught.exception.response

    def code(self, operation, client=None, **request):
        """The name of the error with which a request ends, or None."""
        try:
            getattr(client or self.client, operation)(**request)
        except ClientError as error:
            return error.response["Error"]["Code"]
        return None

    def put_code(self, table="Tab", client=None, **attributes):
        item = {name: {"N": str(value)} if isinstance(value, int) else {"S": value} for name, value in attributes.items()}
        return self.code("put_item", client, TableName=table, Item=item)

    def keys(self, table="Tab"):
        return sorted(item["pk"] for item in self.scan(table, ConsistentRead=True))


def put_of(table, **attributes):
    return {"Put": {"TableName": table, "Item": {name: {"S": value} for name, value in attributes.items()}}}


@every_namespace
class ErrorsTest(FaultCase):
    THROTTLING = {"ProvisionedThroughputExceededException": "TableWriteProvisionedThroughputExceeded",
                  "ThrottlingException": "TableWriteKeyRangeThroughputExceeded",
                  "RequestLimitExceeded": "TableWriteAccountLimitExceeded"}

    def raw(self, operation, body):
        status, answer = self.server.call(operation, body, key=self.space)
        return status, {name.lower(): value for name, value in answer.items()}

    def test_throttling_tells_why(self):
        put = {"TableName": "Tab", "Item": {"pk": {"S": "a"}}}
        query = {"TableName": "Tab", "IndexName": "ByGroup", "KeyConditionExpression": "#g = :g",
                 "ExpressionAttributeNames": {"#g": "group"}, "ExpressionAttributeValues": {":g": {"S": "g"}}}
        arn = self.client.describe_table(TableName="Tab")["Table"]["TableArn"]
        for error, reason in self.THROTTLING.items():
            self.rule(fault={"error": error})
            response = self.failure("put_item", **put)
            self.assertEqual((response["Error"]["Code"], response["ResponseMetadata"]["HTTPStatusCode"]), (error, 400))
            self.assertGreater(len(response["Error"]["Message"]), 40)
            self.assertEqual(self.raw("PutItem", put)[1]["throttlingreasons"], [{"reason": reason, "resource": arn}])
            read = reason.replace("TableWrite", "IndexRead")
            self.assertEqual(self.raw("Query", query)[1]["throttlingreasons"],
                             [{"reason": read, "resource": arn + "/index/ByGroup"}])
            self.clear()
            self.rule(fault={"error": error, "message": "slower", "reasons": [
                "MaxOnDemandThroughputExceeded", "TableReadAccountLimitExceeded",
                {"reason": "KeyRangeThroughputExceeded", "resource": "arn:of:another"}]})
            status, answer = self.raw("PutItem", put)
            self.assertEqual((status, answer["message"]), (400, "slower"))
            self.assertEqual(answer["throttlingreasons"], [
                {"reason": "TableWriteMaxOnDemandThroughputExceeded", "resource": arn},
                {"reason": "TableReadAccountLimitExceeded", "resource": arn},
                {"reason": "TableWriteKeyRangeThroughputExceeded", "resource": "arn:of:another"}])
            self.clear()
        self.assertEqual(self.keys(), [])

    def test_an_sdk_tries_again(self):
        patient = self.connect(attempts=2)
        for error in (*self.THROTTLING, "InternalServerError", "ServiceUnavailable", "TransactionInProgressException"):
            rule = self.rule(operations=["PutItem"], count=1, fault={"error": error})
            answer = patient.put_item(TableName="Tab", Item={"pk": {"S": error}})
            self.assertEqual(answer["ResponseMetadata"]["RetryAttempts"], 1)
            self.assertEqual(self.listed(rule)["hits"], 1)
            self.clear()
        self.rule(operations=["PutItem"], fault={"error": "ThrottlingException"})
        response = self.failure("put_item", patient, TableName="Tab", Item={"pk": {"S": "never"}})
        self.assertEqual(response["ResponseMetadata"]["RetryAttempts"], 1)
        self.clear()
        self.assertNotIn("never", self.keys())
        self.assertEqual(len(self.keys()), 6)

    def test_faults_of_the_server(self):
        for error, given, status in (("InternalServerError", {}, 500), ("ServiceUnavailable", {}, 503),
                                     ("InternalServerError", {"status": 502}, 502),
                                     ("ThrottlingException", {"status": 503}, 503)):
            self.rule(fault={"error": error, **given})
            for operation, request in (("put_item", {"TableName": "Tab", "Item": {"pk": {"S": "a"}}}),
                                       ("list_tables", {}), ("delete_table", {"TableName": "Tab"})):
                response = self.failure(operation, **request)
                self.assertEqual(response["ResponseMetadata"]["HTTPStatusCode"], status)
                self.assertEqual(response["Error"]["Code"], error)
            self.clear()
        self.assertEqual(self.keys(), [])

    def test_conflicts_and_conditions(self):
        for error in ("TransactionConflictException", "ConditionalCheckFailedException",
                      "ReplicatedWriteConflictException", "ItemCollectionSizeLimitExceededException"):
            self.rule(operations=["UpdateItem"], count=1, fault={"error": error})
            request = {"TableName": "Tab", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "ADD n :one",
                       "ExpressionAttributeValues": {":one": {"N": "1"}}}
            response = self.failure("update_item", **request)
            self.assertEqual(response["Error"]["Code"], error)
            self.assertGreater(len(response["Error"]["Message"]), 20)
            self.client.update_item(**request)
        self.assertEqual(self.get("Tab", pk="a"), {"pk": "a", "n": 4})

    def test_transactions_are_cancelled_with_a_reason_for_each_action(self):
        actions = [put_of("Tab", pk="a"), put_of("Sorted", pk="b", sk="1"), put_of("Tab", pk="c")]

        def reasons():
            response = self.failure("transact_write_items", TransactItems=actions)
            self.assertEqual(response["Error"]["Code"], "TransactionCanceledException")
            codes = [reason["Code"] for reason in response["CancellationReasons"]]
            self.assertTrue(response["Error"]["Message"].endswith("[" + ", ".join(codes) + "]"), response["Error"])
            for reason in response["CancellationReasons"]:
                self.assertEqual(reason["Code"] == "None", not reason.get("Message"))
            return codes

        self.rule(fault={"error": "TransactionCanceledException"})
        self.assertEqual(reasons(), ["TransactionConflict"] * 3)
        self.put("Tab", pk="z")  # no transaction
        self.clear()
        self.rule(key={"pk": "c"}, fault={"error": "TransactionCanceledException"})
        self.assertEqual(reasons(), ["None", "None", "TransactionConflict"])
        self.clear()
        self.rule(fault={"error": "TransactionCanceledException", "reasons": [
            "None", "ConditionalCheckFailed", {"code": "ThrottlingError", "message": "too fast"}]})
        self.assertEqual(reasons(), ["None", "ConditionalCheckFailed", "ThrottlingError"])
        response = self.failure("execute_transaction", TransactStatements=[
            {"Statement": "INSERT INTO Tab VALUE {'pk': 'd'}"}])
        self.assertEqual(response["CancellationReasons"][0]["Code"], "None")
        self.clear()
        self.rule(fault={"error": "TransactionCanceledException", "reasons": ["TransactionConflict"]})
        response = self.failure("transact_get_items", TransactItems=[
            {"Get": {"TableName": "Tab", "Key": {"pk": {"S": "z"}}}}])
        self.assertEqual([reason["Code"] for reason in response["CancellationReasons"]], ["TransactionConflict"])
        self.clear()
        self.assertEqual((self.keys(), self.keys("Sorted")), (["z"], []))
        self.client.transact_write_items(TransactItems=actions)


@every_namespace
class ConnectionsTest(FaultCase):
    def count(self, client):
        client.update_item(TableName="Tab", Key={"pk": {"S": "a"}}, UpdateExpression="ADD n :one",
                           ExpressionAttributeValues={":one": {"N": "1"}})

    def counted(self):
        return (self.get("Tab", pk="a") or {"n": 0})["n"]

    def test_dropped_before_nothing_was_done(self):
        rule = self.rule(operations=["UpdateItem", "TransactWriteItems"], count=3, fault={"drop": "before"})
        for _ in range(2):
            with self.assertRaises(ConnectionClosedError):
                self.count(self.client)
            self.assertEqual(self.counted(), 0)
        self.count(self.connect(attempts=2))  # tries once more
        self.assertEqual((self.counted(), self.listed(rule)["hits"]), (1, 3))

    def test_dropped_after_all_was_done(self):
        self.rule(operations=["UpdateItem"], count=2, fault={"drop": "after"})
        with self.assertRaises(ConnectionClosedError):
            self.count(self.client)
        self.assertEqual(self.counted(), 1)
        self.count(self.connect(attempts=2))  # counts twice: the client cannot know
        self.assertEqual(self.counted(), 3)

    def test_a_token_makes_up_for_a_dropped_answer(self):
        self.rule(operations=["TransactWriteItems"], count=1, fault={"drop": "after"})
        self.connect(attempts=2).transact_write_items(ClientRequestToken="once", TransactItems=[{"Update": {
            "TableName": "Tab", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "ADD n :one",
            "ExpressionAttributeValues": {":one": {"N": "1"}}}}])
        self.assertEqual(self.counted(), 1)

    def test_answers_are_cut(self):
        for number in range(20):
            self.put("Tab", pk=str(number), text="x" * 1000)
        headers = {"X-Amz-Target": "DynamoDB_20120810.Scan", "Content-Type": "application/x-amz-json-1.0",
                   "X-Amz-Date": "20260101T000000Z", "Authorization": SIGNED.format(self.space)}
        whole = len(self.server.ask("POST", "/", {"TableName": "Tab"}, headers)[2])
        for part in (0.001, 0.25, 0.9, 1):
            self.rule(operations=["Scan"], fault={"truncate": part})
            with self.assertRaises(http.client.IncompleteRead) as caught:
                self.server.ask("POST", "/", {"TableName": "Tab"}, headers)
            self.assertEqual(len(caught.exception.partial), int((1 - part) * whole))
            self.assertNotEqual(self.scanned_by_boto3(), 20)
            self.clear()

    def scanned_by_boto3(self):
        """How many items it takes from a cut answer; whether it notices depends on its version."""
        try:
            return len(self.client.scan(TableName="Tab").get("Items", ()))
        except BotoCoreError:
            return None

    def test_what_was_cut_was_done(self):
        self.rule(operations=["UpdateItem"], count=1, fault={"truncate": 0.5})
        headers = {"X-Amz-Target": "DynamoDB_20120810.UpdateItem", "Content-Type": "application/x-amz-json-1.0",
                   "X-Amz-Date": "20260101T000000Z", "Authorization": SIGNED.format(self.space)}
        with self.assertRaises(http.client.IncompleteRead):
            self.server.ask("POST", "/", {
                "TableName": "Tab", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET n = :n", "ReturnValues": "ALL_NEW",
                "ExpressionAttributeValues": {":n": {"N": "7"}}}, headers)
        self.assertEqual(self.counted(), 7)

    def test_latency(self):
        def taken():
            begin = time.monotonic()
            self.count(self.client)
            return time.monotonic() - begin

        self.rule(operations=["UpdateItem"], fault={"latency": "300ms"})
        self.assertGreaterEqual(taken(), 0.3)
        self.rule(operations=["UpdateItem"], fault={"latency": {"min": "200ms", "max": "210ms"}})
        self.assertGreaterEqual(taken(), 0.5)
        self.clear()
        self.rule(operations=["UpdateItem"], seed=1, fault={"latency": {"p50": "20ms", "p99": "60ms"}})
        times = sorted(taken() for _ in range(21))
        self.assertGreaterEqual(times[20], 0.02)
        self.assertGreater(times[20] - times[0], 0.005)
        self.clear()
        self.rule(operations=["UpdateItem"], fault={"latency": "100ms"})
        self.rule(operations=["UpdateItem"], fault={"error": "ThrottlingException"})
        begin = time.monotonic()
        self.assertEqual(self.code("update_item", TableName="Tab", Key={"pk": {"S": "a"}}), "ThrottlingException")
        self.assertGreaterEqual(time.monotonic() - begin, 0.1)
        self.assertEqual(self.counted(), 23)


class DelayedTest(FaultCase):
    flags = (*FaultCase.flags, "--threads", "1")

    def test_others_are_served_meanwhile(self):
        self.rule(operations=["PutItem"], fault={"latency": "1m"})
        slow = [threading.Thread(target=self.send_and_leave) for _ in range(16)]
        for thread in slow:
            thread.start()
        for thread in slow:
            thread.join()
        self.wait_until(lambda: len(self.keys()) == 16, "what is answered late is not done")
        for _ in range(50):
            self.assertEqual(self.scan("Sorted"), [])

    def send_and_leave(self):
        """A request whose client waits no longer than it takes to send it."""
        connection = http.client.HTTPConnection("localhost", self.server.port, timeout=60)
        self.addCleanup(connection.close)
        connection.request("POST", "/", json.dumps({"TableName": "Tab", "Item": {"pk": {"S": str(id(connection))}}}), {
            "X-Amz-Target": "DynamoDB_20120810.PutItem", "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Date": "20260101T000000Z", "Authorization": SIGNED.format(self.space)})


@every_namespace
class BatchesTest(FaultCase):
    PUTS = [{"PutRequest": {"Item": {"pk": {"S": f"k{number}"}}}} for number in range(10)]

    def test_a_part_of_a_batch_of_writes_is_left_over(self):
        rule = self.rule(fault={"unprocessed": 0.45})
        left = self.client.batch_write_item(RequestItems={"Tab": self.PUTS})["UnprocessedItems"]
        self.assertEqual(len(left["Tab"]), 5)
        names = {one["PutRequest"]["Item"]["pk"]["S"] for one in left["Tab"]}
        self.assertEqual(set(self.keys()), {f"k{number}" for number in range(10)} - names)
        rounds = 0
        while left and "Tab" in left and len(left["Tab"]) > 1:
            left = self.client.batch_write_item(RequestItems=left)["UnprocessedItems"]
            rounds += 1
        self.assertEqual((rounds, self.listed(rule)["hits"]), (3, 4))  # of 5 three are left, then two, then one
        self.assertEqual(self.code("batch_write_item", RequestItems=left), "ProvisionedThroughputExceededException")
        self.clear()
        self.assertEqual(self.client.batch_write_item(RequestItems=left)["UnprocessedItems"], {})
        self.assertEqual(len(self.keys()), 10)

    def test_a_part_of_a_batch_of_reads_is_left_over(self):
        self.client.batch_write_item(RequestItems={"Tab": self.PUTS})
        self.rule(table="Tab", key={"pk": "k3"}, fault={"unprocessed": 0.01})
        keys = [{"pk": one["PutRequest"]["Item"]["pk"]} for one in self.PUTS]
        answer = self.client.batch_get_item(RequestItems={
            "Tab": {"Keys": keys, "ConsistentRead": True}, "Sorted": {"Keys": [{"pk": {"S": "k3"}, "sk": {"S": "k3"}}]}})
        self.assertEqual(answer["UnprocessedKeys"], {"Tab": {"Keys": [{"pk": {"S": "k3"}}], "ConsistentRead": True}})
        self.assertEqual(len(answer["Responses"]["Tab"]), 9)
        self.assertEqual(self.code("batch_get_item", RequestItems=answer["UnprocessedKeys"]),
                         "ProvisionedThroughputExceededException")
        self.clear()
        answer = self.client.batch_get_item(RequestItems=answer["UnprocessedKeys"])
        self.assertEqual((len(answer["Responses"]["Tab"]), answer["UnprocessedKeys"]), (1, {}))

    def test_statements_have_errors_of_their_own(self):
        self.rule(fault={"unprocessed": 0.5})
        statements = [{"Statement": f"INSERT INTO Tab VALUE {{'pk': 's{number}'}}"} for number in range(4)]
        answers = self.client.batch_execute_statement(Statements=statements)["Responses"]
        codes = [answer.get("Error", {}).get("Code") for answer in answers]
        self.assertEqual(sorted(codes, key=str), [None, None] + ["ProvisionedThroughputExceeded"] * 2)
        self.assertEqual(self.keys(), [f"s{number}" for number in range(4) if codes[number] is None])

    def test_a_batch_of_which_nothing_is_left_is_refused(self):
        self.rule(fault={"unprocessed": 1})
        self.assertEqual(self.code("batch_write_item", RequestItems={"Tab": self.PUTS}), "ProvisionedThroughputExceededException")
        self.assertEqual(self.keys(), [])
        self.put("Tab", pk="a")  # no batch


@every_namespace
class WhichRequestsTest(FaultCase):
    def hits(self, puts=60, **rule):
        """The puts, of `puts`, that a new rule hits, and the rule's seed."""
        made = self.rule(operations=["PutItem"], fault={"error": "ThrottlingException"}, **rule)
        hit = [number for number in range(puts) if self.put_code(pk="a") is not None]
        listed = self.listed(made)
        self.assertEqual((listed["matched"], listed["hits"]), (puts, len(hit)))
        self.clear()
        return hit, listed["seed"]

    def test_skip_and_count(self):
        self.assertEqual(self.hits(10, skip=2, count=3)[0], [2, 3, 4])
        self.assertEqual(self.hits(5, skip=3)[0], [3, 4])
        self.assertEqual(self.hits(5, count=1)[0], [0])

    def test_a_seed_makes_the_same_choices(self):
        some, seed = self.hits(probability=0.3, seed=7)
        self.assertEqual(seed, 7)
        self.assertTrue(5 <= len(some) <= 32, some)
        self.assertEqual(self.hits(probability=0.3, seed=7)[0], some)
        self.assertEqual(self.hits(probability=0.3, seed=7, skip=10)[0], [number for number in some if number >= 10])
        self.assertNotEqual(self.hits(probability=0.3, seed=8)[0], some)
        other, seed = self.hits(probability=0.5)
        self.assertEqual(self.hits(probability=0.5, seed=seed)[0], other)
        self.assertEqual(self.hits(probability=0)[0], [])

    def test_for_a_while(self):
        self.rule(fault={"error": "ThrottlingException"}, **{"for": "1h"})
        self.control("PUT", "clock", {"advance": "2h"})  # real time counts
        self.assertEqual(self.put_code(pk="a"), "ThrottlingException")
        self.clear()
        begin = time.monotonic()
        self.rule(fault={"error": "ThrottlingException"}, **{"for": "400ms"})
        self.wait_until(lambda: self.put_code(pk="a") is None, "the rule goes on")
        self.assertGreaterEqual(time.monotonic() - begin, 0.4)

    def test_operations_tables_and_indexes(self):
        self.rule(operations=["PutItem", "Query"], table="Tab", fault={"error": "InternalServerError"})
        self.assertEqual(self.put_code(pk="a"), "InternalServerError")
        self.assertEqual(self.put_code("Sorted", pk="a", sk="b"), None)
        self.assertEqual(self.scan("Tab"), [])
        self.clear()
        self.rule(index="ByGroup", fault={"error": "InternalServerError"})
        self.assertEqual(self.code("scan", TableName="Tab", IndexName="ByGroup"), "InternalServerError")
        self.assertEqual(self.code("scan", TableName="Tab"), None)
        self.assertEqual(self.code("execute_statement", Statement='SELECT * FROM "Tab"."ByGroup"'), "InternalServerError")

    def test_keys(self):
        self.rule(table="Sorted", key={"pk": "user#*", "sk": "*x"}, fault={"error": "InternalServerError"})
        for pk, sk, is_hit in (("user#1", "x", True), ("user#1", "ax", True), ("user#", "x", True), ("user#1", "xa", False),
                               ("user", "x", False), ("auser#1", "x", False)):
            self.assertEqual(self.put_code("Sorted", pk=pk, sk=sk) is not None, is_hit, (pk, sk))
            key = {"pk": {"S": pk}, "sk": {"S": sk}}
            for operation, request in (
                    ("get_item", {"TableName": "Sorted", "Key": key}), ("delete_item", {"TableName": "Sorted", "Key": key}),
                    ("update_item", {"TableName": "Sorted", "Key": key}),
                    ("batch_get_item", {"RequestItems": {"Sorted": {"Keys": [{"pk": {"S": "-"}, "sk": {"S": "-"}}, key]}}}),
                    ("transact_get_items", {"TransactItems": [{"Get": {"TableName": "Sorted", "Key": key}}]}),
                    ("execute_statement", {"Statement": f"SELECT * FROM Sorted WHERE pk = '{pk}' AND sk = '{sk}'"})):
                self.assertEqual(self.code(operation, **request) is not None, is_hit, (operation, pk, sk))
        self.clear()
        self.rule(key={"colour": "r*d"}, fault={"error": "InternalServerError"})
        self.assertEqual([self.put_code(pk="a", colour=colour) is not None for colour in ("red", "rd", "redd", "blue")],
                         [True, True, True, False])
        self.clear()
        self.rule(key={"n": "1*"}, fault={"error": "InternalServerError"})
        self.assertEqual([self.put_code(pk="a", n=number) is not None for number in (1, 10, 21)], [True, True, False])

    def test_callers(self):
        self.rule(access_key="somebody", fault={"error": "InternalServerError"})
        self.assertEqual(self.put_code(pk="a"), None)
        self.clear()
        self.rule(access_key=self.space, fault={"error": "InternalServerError"})
        self.assertEqual(self.put_code(pk="a"), "InternalServerError")

    def test_the_first_that_hits_counts(self):
        first = self.rule(table="Tab", count=1, fault={"error": "ThrottlingException"})
        second = self.rule(fault={"error": "InternalServerError"})
        self.assertEqual([self.put_code(pk="a"), self.put_code(pk="a")], ["ThrottlingException", "InternalServerError"])
        self.assertEqual([self.listed(rule)["hits"] for rule in (first, second)], [1, 1])
        self.control("DELETE", "faults/" + second)
        self.assertEqual(self.put_code(pk="a"), None)
        self.control("DELETE", "faults/" + second, status=404)

    def test_what_is_wrong_is_refused_before_rules_are_asked(self):
        rule = self.rule(fault={"error": "InternalServerError"})
        status, answer = self.server.call("PutItem", {"TableName": 5}, key=self.space)
        self.assertEqual((status, answer["__type"].rpartition("#")[2]), (400, "SerializationException"))
        self.assertEqual(self.listed(rule)["hits"], 0)

    def test_other_namespaces_know_nothing_of_it(self):
        self.made(name="other", **{"from": {"namespace": self.space}})
        self.rule(fault={"error": "InternalServerError"})
        self.made(name="later", **{"from": {"namespace": self.space}})
        for space in ("other", "later"):
            self.assertEqual(self.put_code(client=self.connect(space=space), pk="a"), None)
        self.assertEqual(self.put_code(pk="a"), "InternalServerError")
        self.control("POST", "reset")
        self.assertEqual(self.code("list_tables"), "InternalServerError")  # rules stay

    def test_rules_are_bounded(self):
        for _ in range(1000):
            self.rule(operations=["ListTables"], probability=0, fault={"drop": "before"})
        refusal = self.control("POST", "faults", {"fault": {"drop": "before"}}, status=429)
        self.assertIn("1000", refusal["error"])
        self.assertEqual(self.put_code(pk="a"), None)
        self.assertEqual(self.code("list_tables"), None)
        self.clear()
        self.rule(fault={"drop": "before"})


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
