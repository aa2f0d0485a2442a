"""The table of answers in docs/policies.md: it is complete, and its claims are true.

policy_answers_test.py <magneto> [test ...]
"""

import json
import re
import sys
import unittest

import botocore.session

import iam_test
from iam_test import OWNER, ROOT, IamCase, document, statement

PAGE = ROOT / "docs" / "policies.md"
HEADING = "## What answers show of items"
CONDITIONS = ("Attributes", "LeadingKeys", "ReturnConsumedCapacity", "ReturnValues", "Select")
# Members of errors that say nothing but why the error came.
MESSAGES = ("message", "Message", "ThrottlingReasons", "throttlingReasons")

VAULT = {"TableName": "Vault", "BillingMode": "PAY_PER_REQUEST",
         "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("p", "s", "secret", "tenant")],
         "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}, {"AttributeName": "s", "KeyType": "RANGE"}],
         "LocalSecondaryIndexes": [{
             "IndexName": "Local", "Projection": {"ProjectionType": "ALL"},
             "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}, {"AttributeName": "secret", "KeyType": "RANGE"}]}],
         "GlobalSecondaryIndexes": [{
             "IndexName": "Global", "Projection": {"ProjectionType": "ALL"},
             "KeySchema": [{"AttributeName": "tenant", "KeyType": "HASH"}, {"AttributeName": "secret", "KeyType": "RANGE"}]}],
         "VectorIndexes": [{
             "IndexName": "Look", "VectorAttribute": {"AttributeName": "face"}, "Dimensions": 2,
             "DistanceFunction": "DOT_PRODUCT", "Projection": {"ProjectionType": "ALL"},
             "SearchSchema": [{"AttributeName": "tenant", "SearchSchemaElementType": "HASH"}]}]}
KEY = {"p": {"S": "bob"}, "s": {"S": "1"}}
ITEM = {**KEY, "tenant": {"S": "t"}, "secret": {"S": "SECRET"}, "note": {"N": "1"},
        "face": {"L": [{"N": "1"}, {"N": "17"}]}}
FAILS = "attribute_exists(nothing)"
BY_KEY = "WHERE p = 'bob' AND s = '1'"
OF_BOB = {"KeyConditionExpression": "p = :p", "ExpressionAttributeValues": {":p": {"S": "bob"}}}
SECRET = {"Attributes": "secret", "Select": "SPECIFIC_ATTRIBUTES"}
WHOLE = {"Select": "ALL_ATTRIBUTES"}
BOBS = {"LeadingKeys": "bob"}
SHOWN_BY_FAILURE = {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}


def on_vault(**members):
    return {"TableName": "Vault", **members}


def statements(text, **members):
    return [{"Statement": text, **members}]


def probes():
    """(operation, member, conditions, request): the answer shows the member; a policy that denies what one of the
    conditions names denies the request."""
    for body, conditions in (({"ProjectionExpression": "secret"}, {**SECRET, **BOBS}), ({"AttributesToGet": ["secret"]}, SECRET),
                             ({}, {**WHOLE, **BOBS})):
        yield "GetItem", "Item", conditions, on_vault(Key=KEY, **body)
        yield "BatchGetItem", "Responses", conditions, {"RequestItems": {"Vault": {"Keys": [KEY], **body}}}
        if "AttributesToGet" not in body:
            yield "TransactGetItems", "Responses[].Item", conditions, {"TransactItems": [{"Get": on_vault(Key=KEY, **body)}]}
        yield "Scan", "Items", {name: conditions[name] for name in conditions if name != "LeadingKeys"}, on_vault(**body)
        if "AttributesToGet" not in body:
            yield "Query", "Items", conditions, on_vault(**body, **OF_BOB)
    yield from probes_of_pages()
    yield from probes_of_writes()
    yield from probes_of_statements()
    yield from probes_of_sizes()


def probes_of_pages():
    short = {"ProjectionExpression": "absent", "Limit": 1}
    of_tenant = {"IndexName": "Global", "KeyConditionExpression": "tenant = :t", "ExpressionAttributeValues": {":t": {"S": "t"}}}
    for hidden in ("p", "s"):
        yield "Scan", "LastEvaluatedKey", {"Attributes": hidden}, on_vault(**short)
        yield "Query", "LastEvaluatedKey", {"Attributes": hidden, **BOBS}, on_vault(**short, **OF_BOB)
    for hidden in ("p", "s", "secret", "tenant"):
        yield "Scan", "LastEvaluatedKey", {"Attributes": hidden}, on_vault(IndexName="Global", **short)
        yield "Query", "LastEvaluatedKey", {"Attributes": hidden, "LeadingKeys": "t"}, on_vault(**short, **of_tenant)
    for hidden in ("p", "s", "secret"):
        yield "Query", "LastEvaluatedKey", {"Attributes": hidden}, on_vault(IndexName="Local", **short, **OF_BOB)
    for member in ("Count", "ScannedCount"):
        yield "Scan", member, {"Attributes": "secret", "Select": "COUNT"}, on_vault(
            Select="COUNT", FilterExpression="secret = :x", ExpressionAttributeValues={":x": {"S": "SECRET"}})
        yield "Query", member, {"Attributes": "secret", "Select": "COUNT", **BOBS}, on_vault(
            Select="COUNT", FilterExpression="secret = :x", KeyConditionExpression="p = :p",
            ExpressionAttributeValues={":x": {"S": "SECRET"}, ":p": {"S": "bob"}})
    search = {"IndexName": "Look", "TopK": 1, "SearchVector": [{"N": "1"}, {"N": "0"}],
              "SearchConditionExpression": "tenant = :t", "ExpressionAttributeValues": {":t": {"S": "t"}}}
    yield "SearchVectors", "SearchResults[].Item", {**SECRET, "LeadingKeys": "t"}, on_vault(
        ProjectionExpression="secret", **search)
    yield "SearchVectors", "SearchResults[].Item", {"Select": "ALL_PROJECTED_ATTRIBUTES"}, on_vault(**search)
    yield "SearchVectors", "SearchResults[].Score", {"Attributes": "face", "LeadingKeys": "t"}, on_vault(
        ProjectionExpression="p", **search)


def probes_of_writes():
    old, failed = {"ReturnValues": "ALL_OLD"}, "ConditionalCheckFailedException.Item"
    returned = {"ReturnValues": "ALL_OLD", **BOBS}
    yield "PutItem", "Attributes", returned, on_vault(Item=KEY, **old)
    yield "DeleteItem", "Attributes", returned, on_vault(Key=KEY, **old)
    yield "UpdateItem", "Attributes", returned, on_vault(Key=KEY, UpdateExpression="SET note = p", **old)
    yield "UpdateItem", "Attributes", {"Attributes": "secret", "ReturnValues": "UPDATED_NEW", **BOBS}, on_vault(
        Key=KEY, UpdateExpression="SET note = secret", ReturnValues="UPDATED_NEW")
    for operation, body in (("PutItem", {"Item": KEY}), ("DeleteItem", {"Key": KEY}),
                            ("UpdateItem", {"Key": KEY, "UpdateExpression": "SET note = p"})):
        yield operation, failed, returned, on_vault(ConditionExpression=FAILS, **SHOWN_BY_FAILURE, **body)
    # Values that both parameters show need both.
    for value in ("UPDATED_NEW", "ALL_OLD"):
        yield "UpdateItem", failed, {"ReturnValues": value}, on_vault(
            Key=KEY, UpdateExpression="SET note = p", ConditionExpression=FAILS, ReturnValues="UPDATED_NEW", **SHOWN_BY_FAILURE)
    cancelled = "TransactionCanceledException.CancellationReasons[].Item"
    for kind, body in (("Put", {"Item": KEY}), ("Delete", {"Key": KEY}), ("ConditionCheck", {"Key": KEY}),
                       ("Update", {"Key": KEY, "UpdateExpression": "SET note = p"})):
        yield "TransactWriteItems", cancelled, returned, {"TransactItems": [
            {kind: on_vault(ConditionExpression=FAILS, **SHOWN_BY_FAILURE, **body)}]}


def probes_of_statements():
    selects = (("SELECT secret", SECRET), ("SELECT *", WHOLE))
    for select, conditions in selects:
        text = f"{select} FROM Vault {BY_KEY}"
        shown = {**conditions, **BOBS}
        yield "ExecuteStatement", "Items", shown, {"Statement": text}
        yield "BatchExecuteStatement", "Responses[].Item", shown, {"Statements": statements(text)}
        yield "ExecuteTransaction", "Responses[].Item", shown, {"TransactStatements": statements(text)}
    for member in ("NextToken", "LastEvaluatedKey"):
        for hidden in ("p", "s"):
            yield "ExecuteStatement", member, {"Attributes": hidden, **BOBS}, {
                "Statement": "SELECT absent FROM Vault WHERE p = 'bob'", "Limit": 1}
        for hidden in ("p", "s", "secret", "tenant"):
            yield "ExecuteStatement", member, {"Attributes": hidden, "LeadingKeys": "t"}, {
                "Statement": "SELECT absent FROM \"Vault\".\"Global\" WHERE tenant = 't'", "Limit": 1}
    for text, value in ((f"DELETE FROM Vault {BY_KEY} RETURNING ALL OLD *", {"ReturnValues": "ALL_OLD"}),
                        (f"UPDATE Vault SET note = secret {BY_KEY} RETURNING MODIFIED NEW *",
                         {"ReturnValues": "UPDATED_NEW", "Attributes": "secret"})):
        yield "ExecuteStatement", "Items", {**value, **BOBS}, {"Statement": text}
        yield "BatchExecuteStatement", "Responses[].Item", {**value, **BOBS}, {"Statements": statements(text)}
    failing = f"UPDATE Vault SET note = 2 {BY_KEY} AND note = 5"
    returned = {"ReturnValues": "ALL_OLD", **BOBS}
    yield "ExecuteStatement", "ConditionalCheckFailedException.Item", returned, {"Statement": failing, **SHOWN_BY_FAILURE}
    cancelled = "TransactionCanceledException.CancellationReasons[].Item"
    yield "BatchExecuteStatement", "Responses[].Error.Item", returned, {"Statements": statements(failing, **SHOWN_BY_FAILURE)}
    yield "ExecuteTransaction", cancelled, returned, {"TransactStatements": statements(failing, **SHOWN_BY_FAILURE)}
    yield "ExecuteTransaction", cancelled, {**returned, **WHOLE}, {
        "TransactStatements": statements(f"EXISTS(SELECT note FROM Vault {BY_KEY} AND note = 5)", **SHOWN_BY_FAILURE)}


def probes_of_sizes():
    total, asked = {"ReturnConsumedCapacity": "TOTAL"}, {"ReturnConsumedCapacity": "TOTAL"}
    metrics = {"ReturnItemCollectionMetrics": "SIZE"}
    text = f"SELECT * FROM Vault {BY_KEY}"
    put = {"PutRequest": {"Item": ITEM}}
    for operation, body in (
            ("GetItem", on_vault(Key=KEY)), ("PutItem", on_vault(Item=ITEM)), ("DeleteItem", on_vault(Key=KEY)),
            ("UpdateItem", on_vault(Key=KEY)), ("Query", on_vault(**OF_BOB)), ("Scan", on_vault()),
            ("BatchGetItem", {"RequestItems": {"Vault": {"Keys": [KEY]}}}), ("BatchWriteItem", {"RequestItems": {"Vault": [put]}}),
            ("TransactGetItems", {"TransactItems": [{"Get": on_vault(Key=KEY)}]}),
            ("TransactWriteItems", {"TransactItems": [{"Put": on_vault(Item=ITEM)}]}),
            ("ExecuteStatement", {"Statement": text}), ("BatchExecuteStatement", {"Statements": statements(text)}),
            ("ExecuteTransaction", {"TransactStatements": statements(text)}),
            ("SearchVectors", on_vault(IndexName="Look", TopK=1, SearchVector=[{"N": "1"}, {"N": "0"}],
                                       SearchConditionExpression="tenant = :t", ExpressionAttributeValues={":t": {"S": "t"}}))):
        yield operation, "ConsumedCapacity", asked, {**body, **total}
        if operation in ("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"):
            yield operation, "ItemCollectionMetrics", BOBS, {**body, **metrics}


def rows():
    """(operation, member, conditions) of the table."""
    section = PAGE.read_text(encoding="utf-8").partition(HEADING)[2].partition("\n## ")[0]
    found = []
    for line in section.splitlines():
        if not line.startswith("| `"):
            continue
        operations, members, _, covered = (re.findall(r"`([^`]+)`", cell) for cell in line.strip("|").split("|"))
        found += [(operation, member, set(covered) & set(CONDITIONS)) for operation in operations for member in members]
    return found


def first_members(text):
    """Names of the members of the first object in a text that is nearly JSON: it has placeholders."""
    text = re.sub(r'"\w+" *: *"<absent>"', "", text)
    found, depth = [], 0
    for token in re.finditer(r'"((?:[^"\\\\]|\\\\.)*)"(\s*:)?|[{}\[\]]', text):
        if token[0] in "{[":
            depth += 1
        elif token[0] in "}]":
            depth -= 1
            if depth == 0:
                break
        elif depth == 1 and token[2]:
            found.append(token[1])
    return found


def answered_members(cases):
    """(operation, member) of each answer that a case file expects."""
    found, operation = set(), None
    lines = cases.splitlines()
    for number, line in enumerate(lines):
        if re.match(r"[A-Za-z]", line):
            called = re.match(r"(?:for .*?: *)?([A-Z]\w+) *\{", line)
            operation = called and called[1]
        expected = re.match(r"=> 200 (?:contains )?\{", line)
        if expected and operation:
            found |= {(operation, member) for member in first_members("\n".join(lines[number:]))}
    return found


def reach(answer, path):
    """Values that a path like Responses[].Item leads to."""
    values = [answer]
    for part in path.split("."):
        values = [value[part.removesuffix("[]")] for value in values if part.removesuffix("[]") in value]
        if part.endswith("[]"):
            values = [element for value in values for element in value]
    return values


def is_shown(kind, answer, member):
    error, _, path = member.partition(".")
    if error.endswith("Exception"):
        return kind == error and any(reach(answer, path))
    return kind is None and any(reach(answer, member))


class TableTest(unittest.TestCase):
    """The rows themselves."""

    def operations(self):
        return re.findall(r"^ +OPERATION\((\w+)\)", (ROOT / "api" / "operation_table.h").read_text(encoding="utf-8"), re.MULTILINE)

    def named(self):
        """Operation and first member of each row."""
        return {(operation, member.partition(".")[0].removesuffix("[]")) for operation, member, _ in rows()}

    def test_has_each_operation_and_no_other(self):
        self.assertEqual({operation for operation, _, _ in rows()}, set(self.operations()))

    def test_has_each_row_once(self):
        named = [(operation, member) for operation, member, _ in rows()]
        self.assertEqual(sorted(named), sorted(set(named)))

    def test_has_each_member_of_the_model(self):
        """Of AWS's model as the installed SDK has it, also of errors."""
        named = self.named()
        session = botocore.session.get_session()
        seen = 0
        for service in ("dynamodb", "dynamodbstreams"):
            model = session.get_service_model(service)
            for name in set(model.operation_names) & set(self.operations()):
                operation = model.operation_model(name)
                answer = [] if operation.output_shape is None else list(operation.output_shape.members)
                errors = [shape.name for shape in operation.error_shapes if set(shape.members) - set(MESSAGES)]
                for member in answer + errors:
                    seen += 1
                    self.assertIn((name, member), named)
        self.assertGreater(seen, 100)

    def test_has_each_member_that_a_case_file_expects(self):
        named, seen = self.named(), set()
        for path in sorted((ROOT / "tests" / "cases").rglob("*.case")):
            seen |= answered_members(path.read_text(encoding="utf-8"))
        self.assertGreater(len(seen), 100)
        self.assertEqual(seen - named, set())

    def test_each_claim_has_a_probe(self):
        claimed = {(operation, member, condition) for operation, member, conditions in rows() for condition in conditions}
        probed = {(operation, member, condition) for operation, member, conditions, _ in probes() for condition in conditions}
        self.assertEqual(claimed, probed)


class ClaimsTest(IamCase):
    def setUp(self):
        super().setUp()
        self.denials = sorted({pair for _, _, conditions, _ in probes() for pair in conditions.items()})
        users = {f"u{number}": pair for number, pair in enumerate(self.denials)}
        self.user_of = {pair: user for user, pair in users.items()}
        self.write(self.keys, "".join(
            f"[{name}]\naws_access_key_id = {name.upper()}\naws_secret_access_key = secret\naws_account_id = {OWNER}\n"
            for name in ("admin", *users)))
        self.write_users({"Users": [{"UserName": user, "AccessKeys": [user.upper()], "Policies": [document(
            statement("Allow", "dynamodb:*"), statement("Deny", "dynamodb:*", Condition=self.condition(*pair)))]}
            for user, pair in users.items()]})
        self.start("--iam", self.iam)
        self.succeed("CreateTable", VAULT)

    def condition(self, name, value):
        operator = "ForAnyValue:StringEquals" if name in ("Attributes", "LeadingKeys") else "StringEquals"
        return {operator: {f"dynamodb:{name}": value}}

    def succeed(self, operation, request):
        kind, answer = self.raw("admin", operation, json.dumps(request))
        self.assertIsNone(kind, answer)
        return answer

    def put_item(self):
        """Beside one that pages end before."""
        for sort_key in ("1", "2"):
            self.succeed("PutItem", on_vault(Item={**ITEM, "s": {"S": sort_key}}))

    def test_each_condition_covers_what_it_claims(self):
        for operation, member, conditions, request in probes():
            body = json.dumps(request)
            self.put_item()
            for pair in conditions.items():
                with self.subTest(operation=operation, member=member, denied=pair, request=body):
                    kind, answer = self.raw(self.user_of[pair], operation, body)
                    codes = [response.get("Error", {}).get("Code") for response in answer.get("Responses", [])
                             if operation == "BatchExecuteStatement"]
                    self.assertIn("AccessDenied", str(kind) + str(codes), answer)
                    self.assertNotIn("SECRET", json.dumps(answer))
            with self.subTest(operation=operation, member=member, request=body):
                kind, answer = self.raw("admin", operation, body)
                self.assertTrue(is_shown(kind, answer, member), (kind, answer))


if __name__ == "__main__":
    iam_test.BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)
