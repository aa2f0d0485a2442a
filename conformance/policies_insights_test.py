"""Resource policies and contributor insights. policies_insights_test.py <magneto> [test ...]"""

import json
import sys
import threading
import unittest

from botocore.exceptions import ClientError

from control_server import Server
from control_case import ControlCase, STREAMING, every_namespace, global_index, key_schema, on_demand

ACCOUNT = "111122223333"
TABLE = on_demand("Tab", "pk", "group", GlobalSecondaryIndexes=[global_index("ByGroup", "group")])
LISTS = ("partition_keys", "keys")


# Operations that Debian's boto3 does not know, or not with all their members.
NEWER = ("create_table", "put_resource_policy", "get_resource_policy", "delete_resource_policy",
         "update_contributor_insights", "describe_contributor_insights", "list_contributor_insights")


class NewerClient:
    """boto3's client, but for operations that are newer: those go as they are."""

    def __init__(self, client, server, space):
        self._client, self._server, self._space = client, server, space

    def __getattr__(self, name):
        if name not in NEWER:
            return getattr(self._client, name)
        operation = "".join(word.capitalize() for word in name.split("_"))

        def call(**request):
            status, answer = self._server.call(operation, request, key=self._space)
            if status != 200:
                code = answer["__type"].rpartition("#")[2]
                message = answer.get("message", answer.get("Message"))
                raise ClientError({"Error": {"Code": code, "Message": message}}, operation)
            return answer

        return call


class NewerCase(ControlCase):
    def connect(self, service="dynamodb", attempts=1, space=None):
        client = super().connect(service, attempts, space)
        return NewerClient(client, self.server, space or self.space)


def policy(*actions):
    return json.dumps({"Version": "2012-10-17", "Statement": [
        {"Sid": "one", "Effect": "Allow", "Principal": {"AWS": ACCOUNT}, "Action": actions, "Resource": "*"}]}, indent=2)


@every_namespace
class PoliciesTest(NewerCase):
    def setUp(self):
        super().setUp()
        made = self.client.create_table(**on_demand("Tab", "pk", StreamSpecification=STREAMING))["TableDescription"]
        self.table, self.stream = made["TableArn"], made["LatestStreamArn"]

    def refuse(self, code, call, **request):
        with self.assertRaises(ClientError) as refused:
            call(**request)
        self.assertEqual(refused.exception.response["Error"]["Code"], code)
        return refused.exception.response["Error"]["Message"]

    def test_a_policy_has_revisions(self):
        client, arn = self.client, self.table
        self.refuse("PolicyNotFoundException", client.get_resource_policy, ResourceArn=arn)
        first = client.put_resource_policy(ResourceArn=arn, Policy=policy("dynamodb:GetItem"),
                                           ExpectedRevisionId="NO_POLICY")["RevisionId"]
        kept = client.get_resource_policy(ResourceArn=arn)
        self.assertEqual(kept["RevisionId"], first)
        self.assertEqual(json.loads(kept["Policy"])["Statement"], [
            {"Sid": "one", "Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"},
             "Action": "dynamodb:GetItem", "Resource": "*"}])
        # The returned text is the same policy.
        self.assertEqual(client.put_resource_policy(ResourceArn=arn, Policy=kept["Policy"])["RevisionId"], first)
        second = client.put_resource_policy(ResourceArn=arn, Policy=policy("dynamodb:PutItem"),
                                            ExpectedRevisionId=first)["RevisionId"]
        self.assertGreater(second, first)
        self.refuse("PolicyNotFoundException", client.delete_resource_policy, ResourceArn=arn, ExpectedRevisionId=first)
        self.assertEqual(client.delete_resource_policy(ResourceArn=arn, ExpectedRevisionId=second)["RevisionId"], second)
        self.assertNotIn("RevisionId", client.delete_resource_policy(ResourceArn=arn))

    def test_of_writers_with_one_revision_one_wins(self):
        first = self.client.put_resource_policy(ResourceArn=self.table, Policy=policy("dynamodb:*"))["RevisionId"]
        won = []

        def write(number):
            try:
                won.append(self.client.put_resource_policy(
                    ResourceArn=self.table, Policy=policy(*["dynamodb:Query"] * (number + 2)),
                    ExpectedRevisionId=first)["RevisionId"])
            except ClientError as refused:
                self.assertEqual(refused.response["Error"]["Code"], "PolicyNotFoundException")

        writers = [threading.Thread(target=write, args=(number,)) for number in range(8)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        self.assertEqual(won, [self.client.get_resource_policy(ResourceArn=self.table)["RevisionId"]])

    def test_a_stream_has_its_own(self):
        self.client.put_resource_policy(ResourceArn=self.stream, Policy=policy("dynamodb:GetRecords"))
        self.refuse("PolicyNotFoundException", self.client.get_resource_policy, ResourceArn=self.table)
        self.assertIn("GetRecords", self.client.get_resource_policy(ResourceArn=self.stream)["Policy"])

    def test_nobody_is_held_to_it_yet(self):
        self.client.put_resource_policy(ResourceArn=self.table, ConfirmRemoveSelfResourceAccess=True, Policy=json.dumps(
            {"Version": "2012-10-17", "Statement": [
                {"Effect": "Deny", "Principal": "*", "Action": "dynamodb:*", "Resource": "*"}]}))
        self.put("Tab", pk="a")
        self.assertEqual(self.get("Tab", pk="a"), {"pk": "a"})

    def test_no_document_is_too_strange(self):
        for document in ("", "[" * 20_000, '{"Statement":' * 1_000, "\u0000", "{}" + " " * 30_000, '{"Statement":{"a":1e999}}'):
            self.refuse("ValidationException", self.client.put_resource_policy, ResourceArn=self.table, Policy=document)


@every_namespace
class InsightsTest(NewerCase):
    def setUp(self):
        super().setUp()
        self.client.create_table(**TABLE)
        self.client.create_table(**on_demand("Sorted", "pk", "sk"))

    def enable(self, table="Tab", action="ENABLE", **more):
        return self.client.update_contributor_insights(TableName=table, ContributorInsightsAction=action, **more)

    def report(self, query=""):
        """The lists of each table and index, as {key values: count}."""
        answer = self.control("GET", "insights" + query)
        self.assertEqual((answer["complete"], answer["uncounted"]), (True, 0))
        return {place["table"] + "/" + place["index"] if "index" in place else place["table"]: {
                    kind: {name: {tuple(next(iter(value.values())) for value in one["key"].values()): one["count"]
                                  for one in place[kind][name]}
                           for name in LISTS if name in place[kind]}
                    for kind in ("accessed", "throttled") if kind in place}
                for place in answer["insights"]}

    def test_settings(self):
        answer = self.enable()
        self.assertEqual((answer["ContributorInsightsStatus"], answer["ContributorInsightsMode"]),
                         ("ENABLING", "ACCESSED_AND_THROTTLED_KEYS"))
        described = self.client.describe_contributor_insights(TableName="Tab")
        self.assertEqual(described["ContributorInsightsStatus"], "ENABLED")
        at = round(described["LastUpdateDateTime"] * 1000)
        self.assertEqual(described["ContributorInsightsRuleList"],
                         [f"DynamoDBContributorInsights-{kind}-Tab-{at}" for kind in ("PKC", "PKT")])
        self.enable(IndexName="ByGroup", ContributorInsightsMode="THROTTLED_KEYS")
        self.enable(table="Sorted")
        pages, token = [], {}
        while True:
            page = self.client.list_contributor_insights(MaxResults=2, **token)
            pages.append([(one["TableName"], one.get("IndexName")) for one in page["ContributorInsightsSummaries"]])
            if "NextToken" not in page:
                break
            token = {"NextToken": page["NextToken"]}
        self.assertEqual(pages, [[("Sorted", None), ("Tab", None)], [("Tab", "ByGroup")]])

    def test_what_is_used_is_counted(self):
        self.enable()
        self.enable(IndexName="ByGroup")
        self.enable(table="Sorted")
        for number in range(20):
            self.put("Tab", pk=f"k{number % 3}", group="g")
            self.put("Sorted", pk="p", sk=f"s{number % 2}")
        self.get("Tab", pk="k0")
        self.settle()
        self.client.query(TableName="Tab", IndexName="ByGroup", KeyConditionExpression="#g = :g",
                          ExpressionAttributeNames={"#g": "group"}, ExpressionAttributeValues={":g": {"S": "g"}})
        none = {"partition_keys": {}}
        self.assertEqual(self.report(), {
            "Sorted": {"accessed": {"partition_keys": {("p",): 20}, "keys": {("p", "s0"): 10, ("p", "s1"): 10}},
                       "throttled": {"partition_keys": {}, "keys": {}}},
            "Tab": {"accessed": {"partition_keys": {("k0",): 8, ("k1",): 7, ("k2",): 6}}, "throttled": none},
            # Three entries were written, once each, and then read.
            "Tab/ByGroup": {"accessed": {"partition_keys": {("g",): 6}}, "throttled": none}})
        self.assertEqual(set(self.report("?table=Sorted")), {"Sorted"})
        self.assertEqual(self.report("?table=Tab&limit=1")["Tab"]["accessed"]["partition_keys"], {("k0",): 8})
        self.control("DELETE", "insights")
        self.assertEqual(self.report("?table=Tab")["Tab"]["accessed"]["partition_keys"], {})
        self.enable(action="DISABLE")
        self.assertNotIn("Tab", self.report())

    def test_counts_of_many_clients_are_exact_while_keys_are_few(self):
        self.enable()

        def write(number):
            client = self.connect()
            for turn in range(40):
                client.put_item(TableName="Tab", Item={"pk": {"S": f"k{(number + turn) % 4}"}, "group": {"S": "g"}})

        writers = [threading.Thread(target=write, args=(number,)) for number in range(8)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        self.assertEqual(self.report()["Tab"]["accessed"]["partition_keys"], {(f"k{number}",): 80 for number in range(4)})

    def test_wrong_questions(self):
        for query in ("?limit=0", "?limit=101", "?limit=x", "?top=1"):
            self.control("GET", "insights" + query, status=400)


class ThrottledTest(NewerCase):
    flags = ("--control-token", "proof", "--enforce-throughput")

    def test_refused_keys_are_counted(self):
        self.client.create_table(
            TableName="Tab", AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            KeySchema=key_schema("pk"), ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1})
        self.client.update_contributor_insights(TableName="Tab", ContributorInsightsAction="ENABLE",
                                                ContributorInsightsMode="THROTTLED_KEYS")
        self.put("Tab", pk="large", text="x" * 300_000)
        for key in ("a", "b", "a"):
            with self.assertRaises(self.client.exceptions.ProvisionedThroughputExceededException):
                self.put("Tab", pk=key)
        self.get("Tab", pk="large")
        for call in (lambda: self.get("Tab", pk="a"),
                     lambda: self.client.query(TableName="Tab", KeyConditionExpression="pk = :a",
                                               ExpressionAttributeValues={":a": {"S": "c"}}),
                     lambda: self.client.scan(TableName="Tab"),
                     lambda: self.client.batch_get_item(
                         RequestItems={"Tab": {"Keys": [{"pk": {"S": key}} for key in "ab"]}})):
            with self.assertRaises(self.client.exceptions.ProvisionedThroughputExceededException):
                call()
        with self.assertRaises(self.client.exceptions.TransactionCanceledException):
            self.client.transact_write_items(TransactItems=[
                {"Put": {"TableName": "Tab", "Item": {"pk": {"S": "d"}}}}])
        (place,) = self.control("GET", "insights")["insights"]
        self.assertEqual(place, {"table": "Tab", "throttled": {"partition_keys": [
            {"key": {"pk": {"S": key}}, "count": count, "error": 0}
            for key, count in (("a", 4), ("b", 2), ("c", 1), ("d", 1))]}})


class RestartTest(NewerCase):
    is_on_disk = True

    def test_both_stay_over_kill_9(self):
        made = self.client.create_table(**on_demand("Tab", "pk", StreamSpecification=STREAMING))["TableDescription"]
        arns = {"dynamodb:GetItem": made["TableArn"], "dynamodb:GetRecords": made["LatestStreamArn"]}
        for action, arn in arns.items():
            self.client.put_resource_policy(ResourceArn=arn, Policy=policy(action))
        self.client.update_contributor_insights(TableName="Tab", ContributorInsightsAction="ENABLE")
        self.put("Tab", pk="a")
        before = [self.client.get_resource_policy(ResourceArn=arn) for arn in arns.values()]
        described = self.client.describe_contributor_insights(TableName="Tab")
        self.server.kill()
        type(self).server = Server(*self.flags)
        self.server.token = "proof"
        self.client = self.connect()
        for answer, arn in zip(before, arns.values()):
            again = self.client.get_resource_policy(ResourceArn=arn)
            self.assertEqual((again["Policy"], again["RevisionId"]), (answer["Policy"], answer["RevisionId"]))
        again = self.client.describe_contributor_insights(TableName="Tab")
        for member in ("ContributorInsightsStatus", "ContributorInsightsRuleList", "LastUpdateDateTime"):
            self.assertEqual(again[member], described[member])
        # The counts start again.
        (place,) = self.control("GET", "insights")["insights"]
        self.assertEqual(place["accessed"]["partition_keys"], [])
        self.get("Tab", pk="a")
        (place,) = self.control("GET", "insights")["insights"]
        self.assertEqual(place["accessed"]["partition_keys"][0]["count"], 1)


class DelayTest(NewerCase):
    flags = ("--control-token", "proof", "--control-plane-delay-ms", "1500")

    def test_enabling_lasts_for_the_delay(self):
        self.client.create_table(**on_demand("Tab", "pk"))
        with self.assertRaises(ClientError) as refused:
            self.client.update_contributor_insights(TableName="Tab", ContributorInsightsAction="ENABLE")
        self.assertIn("TableStatus must be ACTIVE", refused.exception.response["Error"]["Message"])
        self.client.get_waiter("table_exists").wait(TableName="Tab", WaiterConfig={"Delay": 1, "MaxAttempts": 60})
        self.client.update_contributor_insights(TableName="Tab", ContributorInsightsAction="ENABLE")
        status = lambda: self.client.describe_contributor_insights(TableName="Tab")["ContributorInsightsStatus"]
        self.assertEqual(status(), "ENABLING")
        self.wait_until(lambda: status() == "ENABLED", "it stays ENABLING")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
