"""Permissions: --auth verify with --iam, and policies of tables. iam_test.py <magneto> [test ...]"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

import boto3
import botocore.auth
import botocore.awsrequest
import botocore.config
import botocore.credentials
from botocore.exceptions import ClientError

from with_server import Server

ROOT = pathlib.Path(__file__).resolve().parents[1]
OWNER, GUEST = "123456789012", "111122223333"
TOKEN = "token-of-the-tests-of-policies"
RELOAD_SECONDS = 120
TABLE = {"TableName": "Orders", "BillingMode": "PAY_PER_REQUEST",
         "AttributeDefinitions": [{"AttributeName": "Customer", "AttributeType": "S"},
                                  {"AttributeName": "Number", "AttributeType": "N"}],
         "KeySchema": [{"AttributeName": "Customer", "KeyType": "HASH"}, {"AttributeName": "Number", "KeyType": "RANGE"}],
         "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}}
STREAM_OPERATIONS = ("DescribeStream", "GetRecords", "GetShardIterator", "ListStreams")
KEYS = "".join(f"[{name}]\naws_access_key_id = {name.upper()}\naws_secret_access_key = secret\n"
               f"aws_account_id = {GUEST if name == 'guest' else OWNER}\n"
               for name in ("admin", "ana", "bob", "guest", "limited", "member", "nobody", "session"))


def document(*statements):
    return {"Version": "2012-10-17", "Statement": list(statements)}


def statement(effect, action, resource="*", **more):
    return {"Effect": effect, "Action": action, "Resource": resource, **more}


def own_items(user):
    """A policy with fine-grained access control, as AWS's developer guide calls it."""
    return {"UserName": user, "AccessKeys": [user.upper()], "Policies": [document(
        statement("Allow", ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:PutItem",
                            "dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:BatchWriteItem",
                            "dynamodb:ConditionCheckItem", "dynamodb:PartiQL*"],
                  f"arn:aws:dynamodb:*:{OWNER}:table/Orders",
                  Condition={"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["${aws:username}"]}}))]}


def everything(user, **more):
    return {"UserName": user, "AccessKeys": [user.upper()],
            "Policies": [document(statement("Allow", "dynamodb:*"))], **more}


USERS = {"Users": [own_items("ana"), own_items("bob"), everything("guest"), everything("limited"),
                   {"UserName": "nobody", "AccessKeys": ["NOBODY"]}]}


def key(customer, number=1):
    return {"Customer": {"S": customer}, "Number": {"N": str(number)}}


class IamCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="magneto-iam-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.keys, self.iam = (os.path.join(self.folder, name) for name in ("keys.ini", "iam.json"))
        self.write(self.keys, KEYS)
        self.write_users(USERS)

    def write(self, path, text):
        """As a whole, so that the server never reads half of it."""
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path + ".new", 0o600)
        os.replace(path + ".new", path)

    def write_users(self, users):
        self.write(self.iam, json.dumps(users))

    def start(self, *flags):
        self.server = Server(BINARY, "memory", "--auth", "verify", "--credentials", self.keys, "--control-token", TOKEN,
                             *flags)
        self.addCleanup(self.server.remove)
        self.server.errors = tempfile.TemporaryFile("w+")
        self.addCleanup(self.server.errors.close)
        self.server.start()

    def start_with_table(self):
        self.start("--iam", self.iam)
        self.admin = self.client("admin")
        self.table = self.admin.create_table(**TABLE)["TableDescription"]

    def log(self):
        self.server.errors.seek(0)
        return self.server.errors.read()

    def client(self, user, service="dynamodb"):
        client = boto3.client(service, endpoint_url=self.server.endpoint, region_name="us-east-1",
                              aws_access_key_id=user.upper(), aws_secret_access_key="secret",
                              config=botocore.config.Config(retries={"max_attempts": 0}))
        self.addCleanup(client.close)
        return client

    def denied(self, call, **request):
        with self.assertRaises(ClientError) as caught:
            call(**request)
        error = caught.exception.response["Error"]
        self.assertEqual(error["Code"], "AccessDeniedException", error)
        return error["Message"]

    def raw(self, user, operation, body):
        """The type of the error, or None, and the answer. For operations that boto3 may not know."""
        version = "DynamoDBStreams_20120810" if operation in STREAM_OPERATIONS else "DynamoDB_20120810"
        request = botocore.awsrequest.AWSRequest("POST", self.server.endpoint + "/", data=body.encode(), headers={
            "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": f"{version}.{operation}"})
        credentials = botocore.credentials.Credentials(user.upper(), "secret")
        botocore.auth.SigV4Auth(credentials, "dynamodb", "us-east-1").add_auth(request)
        sent = urllib.request.Request(request.url, data=body.encode(), headers=dict(request.headers.items()))
        try:
            with urllib.request.urlopen(sent, timeout=60) as answer:
                return None, json.load(answer)
        except urllib.error.HTTPError as error:
            answer = json.load(error)
            return answer["__type"].rpartition("#")[2], answer

    def put_policy(self, resource, *statements):
        kind, answer = self.raw("admin", "PutResourcePolicy", json.dumps(
            {"ResourceArn": resource, "Policy": json.dumps(document(*statements))}))
        self.assertIsNone(kind, answer)

    def control(self, method, path, body=None):
        request = urllib.request.Request(self.server.endpoint + "/_/" + path, method=method,
                                         data=None if body is None else json.dumps(body).encode(),
                                         headers={"Authorization": "Bearer " + TOKEN})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def wait_until(self, holds, what):
        deadline = time.monotonic() + RELOAD_SECONDS
        while not holds():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.05)


class FineGrainedTest(IamCase):
    def setUp(self):
        super().setUp()
        self.start_with_table()
        self.ana = self.client("ana")

    def test_items_of_ones_own(self):
        ana, bob = self.ana, self.client("bob")
        ana.put_item(TableName="Orders", Item=key("ana"))
        bob.put_item(TableName="Orders", Item=key("bob"))
        self.assertEqual(ana.get_item(TableName="Orders", Key=key("ana"))["Item"], key("ana"))
        self.assertEqual(
            self.denied(ana.get_item, TableName="Orders", Key=key("bob")),
            f"User: arn:aws:iam::{OWNER}:user/ana is not authorized to perform: dynamodb:GetItem on resource: "
            f"{self.table['TableArn']} because no identity-based policy allows the dynamodb:GetItem action")
        self.denied(ana.put_item, TableName="Orders", Item=key("bob", 2))
        self.denied(ana.delete_item, TableName="Orders", Key=key("bob"))
        self.denied(ana.scan, TableName="Orders")
        self.denied(ana.describe_table, TableName="Orders")
        query = {"TableName": "Orders", "KeyConditionExpression": "Customer = :c"}
        self.assertEqual(ana.query(**query, ExpressionAttributeValues={":c": {"S": "ana"}})["Count"], 1)
        self.denied(ana.query, **query, ExpressionAttributeValues={":c": {"S": "bob"}})

    def test_batches_and_transactions(self):
        ana = self.ana
        ana.batch_write_item(RequestItems={"Orders": [{"PutRequest": {"Item": key("ana", n)}} for n in range(3)]})
        self.denied(ana.batch_write_item, RequestItems={"Orders": [
            {"PutRequest": {"Item": key(customer, 9)}} for customer in ("ana", "bob")]})
        got = ana.batch_get_item(RequestItems={"Orders": {"Keys": [key("ana", n) for n in range(3)]}})
        self.assertEqual(len(got["Responses"]["Orders"]), 3)
        self.denied(ana.batch_get_item, RequestItems={"Orders": {"Keys": [key("ana"), key("bob")]}})
        ana.transact_write_items(TransactItems=[{"Put": {"TableName": "Orders", "Item": key("ana", 5)}}])
        self.denied(ana.transact_write_items, TransactItems=[
            {"Put": {"TableName": "Orders", "Item": key("ana", 6)}},
            {"Update": {"TableName": "Orders", "Key": key("bob"), "UpdateExpression": "REMOVE x"}}])
        self.denied(ana.transact_get_items, TransactItems=[{"Get": {"TableName": "Orders", "Key": key("bob")}}])
        self.assertEqual(self.admin.scan(TableName="Orders")["Count"], 4)

    def test_statements(self):
        ana = self.ana
        insert = "INSERT INTO Orders VALUE {'Customer': ?, 'Number': 1}"
        ana.execute_statement(Statement=insert, Parameters=[{"S": "ana"}])
        self.assertIn("dynamodb:PartiQLInsert", self.denied(ana.execute_statement, Statement=insert, Parameters=[{"S": "bob"}]))
        select = "SELECT * FROM Orders WHERE Customer = ? AND Number = 1"
        mine, others = ana.batch_execute_statement(Statements=[
            {"Statement": select, "Parameters": [{"S": customer}]} for customer in ("ana", "bob")])["Responses"]
        self.assertEqual(mine["Item"], key("ana"))
        self.assertEqual(others["Error"]["Code"], "AccessDenied")
        self.denied(ana.execute_transaction, TransactStatements=[{"Statement": insert, "Parameters": [{"S": "bob"}]}])

    def test_attributes(self):
        self.write_users({"Users": [{"UserName": "ana", "AccessKeys": ["ANA"], "Policies": [document(
            statement("Allow", ["dynamodb:GetItem", "dynamodb:UpdateItem"], Condition={
                "ForAllValues:StringEquals": {"dynamodb:Attributes": ["Customer", "Number", "Euros"]},
                "StringEqualsIfExists": {"dynamodb:Select": "SPECIFIC_ATTRIBUTES",
                                         "dynamodb:ReturnValues": ["NONE", "UPDATED_NEW"]}}))]}]})
        get = {"TableName": "Orders", "Key": key("any")}
        self.wait_until(lambda: self.raw("ana", "GetItem", json.dumps({**get, "ProjectionExpression": "Euros"}))[0] is None,
                        "the changed file counts")
        self.denied(self.ana.get_item, **get)
        self.denied(self.ana.get_item, **get, ProjectionExpression="Euros, Secret")
        update = {**get, "ExpressionAttributeValues": {":v": {"N": "1"}}}
        self.ana.update_item(**update, UpdateExpression="SET Euros = :v", ReturnValues="UPDATED_NEW")
        self.denied(self.ana.update_item, **update, UpdateExpression="SET Euros = :v", ReturnValues="ALL_NEW")
        self.denied(self.ana.update_item, **update, UpdateExpression="SET Secret = :v")

    def test_streams(self):
        stream = self.table["LatestStreamArn"]
        self.denied(self.client("ana", "dynamodbstreams").describe_stream, StreamArn=stream)
        arn = self.table["TableArn"]
        self.write_users({"Users": [{"UserName": "ana", "AccessKeys": ["ANA"], "Policies": [document(
            statement("Allow", ["dynamodb:DescribeStream", "dynamodb:GetShardIterator"], arn + "/stream/*"))]}]})
        streams = self.client("ana", "dynamodbstreams")
        self.wait_until(lambda: self.raw("ana", "DescribeStream", json.dumps({"StreamArn": stream}))[0] is None,
                        "the changed file counts")
        shard = streams.describe_stream(StreamArn=stream)["StreamDescription"]["Shards"][0]["ShardId"]
        iterator = streams.get_shard_iterator(StreamArn=stream, ShardId=shard, ShardIteratorType="LATEST")["ShardIterator"]
        self.assertIn(f"on resource: {stream}", self.denied(streams.get_records, ShardIterator=iterator))
        # The stream has a policy of its own.
        self.put_policy(stream, statement("Allow", "dynamodb:GetRecords", stream,
                                          Principal={"AWS": f"arn:aws:iam::{OWNER}:user/ana"}))
        self.assertEqual(streams.get_records(ShardIterator=iterator)["Records"], [])


class PoliciesTest(IamCase):
    def test_another_account_needs_both(self):
        self.start_with_table()
        guest, arn = self.client("guest"), self.table["TableArn"]
        self.assertIn("because no resource-based policy allows the dynamodb:GetItem action",
                      self.denied(guest.get_item, TableName="Orders", Key=key("any")))
        self.put_policy(arn, statement("Allow", "dynamodb:GetItem", arn, Principal={"AWS": GUEST}))
        guest.get_item(TableName="Orders", Key=key("any"))
        self.denied(guest.scan, TableName="Orders")
        self.put_policy(arn, statement("Allow", "dynamodb:*", arn, Principal={"AWS": GUEST}),
                        statement("Deny", "dynamodb:Scan", arn, Principal="*"))
        guest.get_item(TableName="Orders", Key=key("any"))
        for user in (guest, self.admin):
            self.assertIn("with an explicit deny in a resource-based policy", self.denied(user.scan, TableName="Orders"))

    def test_without_a_file_denials_of_tables_hold(self):
        self.start()
        nobody = self.client("nobody")
        arn = nobody.create_table(**TABLE)["TableDescription"]["TableArn"]
        self.assertEqual(nobody.scan(TableName="Orders")["Count"], 0)
        self.put_policy(arn, statement("Deny", "dynamodb:Scan", arn, Principal={"AWS": f"arn:aws:iam::{OWNER}:user/nobody"}))
        self.denied(nobody.scan, TableName="Orders")
        self.assertEqual(self.client("ana").scan(TableName="Orders")["Count"], 0)

    def test_a_boundary_is_the_most_there_is(self):
        self.write_users({"Users": [everything("limited", PermissionsBoundary=document(
            statement("Allow", "dynamodb:List*")))]})
        self.start_with_table()
        limited = self.client("limited")
        self.assertEqual(limited.list_tables()["TableNames"], ["Orders"])
        self.assertIn("because no permissions boundary allows the dynamodb:Scan action",
                      self.denied(limited.scan, TableName="Orders"))

    def test_groups_and_sessions(self):
        session = {"RoleName": "session", "AccessKeys": ["SESSION"],
                   "Policies": [document(statement("Allow", "dynamodb:*"))],
                   "SessionPolicies": [document(statement("Allow", "dynamodb:List*"))]}
        self.write_users({"Users": [{"UserName": "member", "AccessKeys": ["MEMBER"], "Groups": ["all"]}],
                          "Groups": [{"GroupName": "all", "Policies": [document(statement("Allow", "dynamodb:Scan"))]}],
                          "Roles": [session]})
        self.start_with_table()
        self.assertEqual(self.client("member").scan(TableName="Orders")["Count"], 0)
        self.denied(self.client("member").list_tables)
        self.assertEqual(self.client("session").list_tables()["TableNames"], ["Orders"])
        self.assertIn("because no session policy allows the dynamodb:Scan action",
                      self.denied(self.client("session").scan, TableName="Orders"))

    def test_the_journal_explains(self):
        self.start_with_table()
        self.control("PUT", "namespaces/main/journal", {"on": True})
        self.denied(self.client("ana").scan, TableName="Orders")
        self.client("limited").scan(TableName="Orders")
        refused, served = self.control("GET", "namespaces/main/journal")["records"]
        self.assertEqual(refused["error"], "AccessDeniedException")
        self.assertEqual(refused["access"], [{
            "principal": f"arn:aws:iam::{OWNER}:user/ana", "action": "dynamodb:Scan",
            "resource": self.table["TableArn"], "allowed": False, "by": "identity-based policy"}])
        self.assertEqual(served["access"], [{
            "principal": f"arn:aws:iam::{OWNER}:user/limited", "action": "dynamodb:Scan",
            "resource": self.table["TableArn"], "allowed": True, "by": "identity-based policy",
            "policy": "Policies[0]", "statement": "#1"}])


class FileTest(IamCase):
    def test_is_read_again(self):
        self.start("--iam", self.iam)
        nobody = self.client("nobody")
        self.denied(nobody.list_tables)
        self.write_users({"Users": [everything("nobody")]})
        self.wait_until(lambda: self.raw("nobody", "ListTables", "{}")[0] is None, "the changed file counts")
        self.write(self.iam, '{"Users": [{"UserName": "nobody", "AccessKeys": "NOBODY"}]}')
        self.wait_until(lambda: "stay in use" in self.log(), "the wrong file is warned of")
        self.assertIn("iam.json: Users[0].AccessKeys: A list is expected here; the policies read before stay in use",
                      self.log())
        self.assertEqual(nobody.list_tables()["TableNames"], [])

    def test_a_wrong_one_is_refused_at_the_start(self):
        self.write_users({"Users": [{"UserName": "ana", "Policies": [document(
            statement("Allow", "dynamodb:*", Condition={"StringSame": {"aws:username": "ana"}}))]}]})
        for flags, problem in (
                (["--auth", "verify", "--credentials", self.keys, "--iam", self.iam],
                 "iam.json: Users[0].Policies[0].Statement[0].Condition.StringSame: "
                 "There is no condition operator StringSame"),
                (["--auth", "verify", "--credentials", self.keys, "--iam", self.folder + "/none"],
                 "cannot read users and roles from"),
                (["--iam", self.iam], "--iam needs --auth verify")):
            ended = subprocess.run([BINARY, "--port", "0", *flags], capture_output=True, text=True, timeout=60)
            self.assertNotEqual(ended.returncode, 0)
            self.assertIn(problem, ended.stderr)


class EveryOperationTest(IamCase):
    """A call of each operation, from the member sweep, with any result."""

    def calls(self):
        operations = re.findall(r"^ +OPERATION\((\w+)\)", (ROOT / "api" / "operation_table.h").read_text(encoding="utf-8"), re.MULTILINE)
        calls = {}
        for line in (ROOT / "tests" / "fuzz" / "valid_calls.txt").read_text(encoding="utf-8").splitlines():
            if not line or line.startswith("#"):
                continue
            steps = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], line)
            operation, _, body = steps.splitlines()[-1].partition(" ")
            calls[operation] = body
        self.assertEqual(sorted(calls), sorted(operations))
        return calls

    def filled(self, body):
        streams = self.client("admin", "dynamodbstreams")
        stream = self.table["LatestStreamArn"]
        shard = streams.describe_stream(StreamArn=stream)["StreamDescription"]["Shards"][0]["ShardId"]
        iterator = streams.get_shard_iterator(StreamArn=stream, ShardId=shard, ShardIteratorType="LATEST")["ShardIterator"]
        known = {"stream": stream, "shard": shard, "iterator": iterator,
                 "backup": f"{self.table['TableArn']}/backup/01700000000000-0123abcd"}
        return re.sub(r"\$\{(\w+)\}", lambda found: known.get(found[1], found[0]), body)

    def test_is_decided(self):
        self.start_with_table()
        for operation, body in self.calls().items():
            with self.subTest(operation):
                body = self.filled(body)
                kind, answer = self.raw("nobody", operation, body)
                if operation == "BatchExecuteStatement":
                    for response in answer["Responses"]:
                        self.assertEqual(response["Error"]["Code"], "AccessDenied")
                else:
                    self.assertEqual(kind, "AccessDeniedException", answer)
                    self.assertIn(f"User: arn:aws:iam::{OWNER}:user/nobody is not authorized", answer["Message"])
                body = body.replace("000000000000", OWNER)  # those of another account need more
                kind, answer = self.raw("limited", operation, body)
                self.assertNotIn("is not authorized", json.dumps(answer))


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)
