"""import_test.py <binary> [folder with DynamoDB Local]

DynamoDB Local fills a folder. Magneto, started there with the same command line, has the same tables and items,
before and after a restart, and does not change the files. Then DynamoDB Local continues with them.
"""

import hashlib
import os
import sys
import tempfile

import boto3
import botocore.config

import player
import servers

_MANY_ITEMS = 300


def client(running, access_key="dummy", region="us-east-1"):
    return boto3.client("dynamodb", endpoint_url=f"http://127.0.0.1:{running.port}", region_name=region,
                        aws_access_key_id=access_key, aws_secret_access_key="dummy",
                        config=botocore.config.Config(read_timeout=120))


def keys(*names):
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"))]


def definitions(**types):
    return [{"AttributeName": name, "AttributeType": type_} for name, type_ in types.items()]


def protect(running, table):
    """Debian's boto3 is older than deletion protection."""
    answer = player.send(running, {"operation": "UpdateTable",
                                   "body": {"TableName": table, "DeletionProtectionEnabled": True}})
    expect("UpdateTable", answer["status"], 200)


def is_protected(running, caller, table):
    answer = player.send(running, {"operation": "DescribeTable", "caller": caller, "body": {"TableName": table}})
    return answer["body"]["Table"]["DeletionProtectionEnabled"]


def create_tables(dynamodb):
    dynamodb.create_table(
        TableName="Everything", BillingMode="PAY_PER_REQUEST", KeySchema=keys("pk"),
        AttributeDefinitions=definitions(pk="S"),
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
    dynamodb.update_time_to_live(TableName="Everything",
                                 TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"})
    dynamodb.create_table(
        TableName="Numbers-1.x_y", KeySchema=keys("pk", "sk"), AttributeDefinitions=definitions(pk="N", sk="N"),
        ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 7})
    throughput = {"ReadCapacityUnits": 2, "WriteCapacityUnits": 3}
    dynamodb.create_table(
        TableName="Indexed", KeySchema=keys("pk", "sk"),
        AttributeDefinitions=definitions(pk="S", sk="B", l="N", g="S", h="N"),
        LocalSecondaryIndexes=[{"IndexName": "by_l", "KeySchema": keys("pk", "l"),
                                "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x"]}}],
        GlobalSecondaryIndexes=[
            {"IndexName": "by_g", "KeySchema": keys("g", "h"), "Projection": {"ProjectionType": "ALL"},
             "ProvisionedThroughput": throughput},
            {"IndexName": "by_h", "KeySchema": keys("h"), "Projection": {"ProjectionType": "KEYS_ONLY"},
             "ProvisionedThroughput": throughput}],
        ProvisionedThroughput=throughput)


def put_items(dynamodb):
    def put(table, **item):
        dynamodb.put_item(TableName=table, Item=item)

    put("Everything", pk={"S": "all"}, text={"S": 'a "q" é \U0001F600 \0 x'}, number={"N": "1.50E+3"},
        big={"N": "9" * 38}, small={"N": "-1E-130"}, bytes={"B": b"\0\xff"}, yes={"BOOL": True}, none={"NULL": True},
        map={"M": {"a": {"L": [{"N": "1"}, {"M": {}}]}, "e": {"S": ""}}}, texts={"SS": ["b", "a"]},
        numbers={"NS": ["2", "1.0", "-3"]}, blobs={"BS": [b"z", b""]}, expires={"N": "9999999999"})
    put("Everything", pk={"S": "long"}, text={"S": "x" * (400 * 1024 - 20)})
    for number in range(-12, 13):
        put("Numbers-1.x_y", pk={"N": str(number % 3)}, sk={"N": str(number / 8)}, v={"S": f"v{number}"})
    for number in range(_MANY_ITEMS):
        put("Indexed", pk={"S": f"p{number % 7}"}, sk={"B": number.to_bytes(2, "big")}, l={"N": str(-number)},
            **({"g": {"S": "gg"}, "h": {"N": str(number)}} if number % 2 else {"x": {"S": "X"}}))


def _plain(value):
    """A value whose sets are in order."""
    return {kind: sorted(each) if kind in ("SS", "NS", "BS") else each for kind, each in value.items()}


def _items(dynamodb, **request):
    operation = "query" if "KeyConditionExpression" in request else "scan"
    return [{name: _plain(value) for name, value in item.items()}
            for page in dynamodb.get_paginator(operation).paginate(**request) for item in page["Items"]]


def _indexes(table):
    return sorted(((index["IndexName"], index["KeySchema"], index["Projection"].get("NonKeyAttributes"),
                    index["Projection"]["ProjectionType"])
                   for kind in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes") for index in table.get(kind, [])))


def content(running, caller=("dummy", "us-east-1")):
    """All that can be seen of the tables, in an order of its own."""
    dynamodb = client(running, *caller)
    found = {}
    for name in dynamodb.list_tables()["TableNames"]:
        table = dynamodb.describe_table(TableName=name)["Table"]
        units = table["ProvisionedThroughput"]
        found[name] = {
            "items": sorted(map(repr, (sorted(item.items()) for item in _items(dynamodb, TableName=name)))),
            "keys": table["KeySchema"],
            "types": sorted(map(repr, table["AttributeDefinitions"])),
            "units": (units["ReadCapacityUnits"], units["WriteCapacityUnits"]),
            "billing": table.get("BillingModeSummary", {}).get("BillingMode", "PROVISIONED"),
            "stream": table.get("StreamSpecification"),
            "protected": is_protected(running, caller, name),
            "indexes": _indexes(table),
            "time to live": dynamodb.describe_time_to_live(TableName=name)["TimeToLiveDescription"],
        }
    if "Indexed" in found:
        found["in order"] = [
            _items(dynamodb, TableName="Indexed", KeyConditionExpression="pk = :p",
                   ExpressionAttributeValues={":p": {"S": "p3"}}),
            _items(dynamodb, TableName="Indexed", IndexName="by_l", KeyConditionExpression="pk = :p",
                   ExpressionAttributeValues={":p": {"S": "p3"}}),
            _items(dynamodb, TableName="Indexed", IndexName="by_g", KeyConditionExpression="g = :g",
                   ExpressionAttributeValues={":g": {"S": "gg"}}),
        ]
    return found


def digests(folder):
    found = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".db"):
            with open(os.path.join(folder, name), "rb") as file:
                found[name] = hashlib.sha256(file.read()).hexdigest()
    return found


def expect(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {str(found)[:3000]}\ninstead of {str(expected)[:3000]}")


def check_shared(local, ours):
    with tempfile.TemporaryDirectory() as folder:
        options = ["-sharedDb", "-dbPath", folder]
        with servers.Running(local, options) as running:
            create_tables(client(running))
            put_items(client(running))
            protect(running, "Everything")
            expected = content(running)
        files = digests(folder)
        for time in ("first", "second"):
            with servers.Running(ours, options) as running:
                expect(f"the {time} start", content(running), expected)
                running.kill()
        expect("the files", digests(folder), files)
        with servers.Running(local, options) as running:
            expect("back to DynamoDB Local", content(running), expected)


def check_apart(local, ours):
    callers = [("one", "us-east-1"), ("one", "eu-west-1"), ("two", "us-east-1")]
    with tempfile.TemporaryDirectory() as folder:
        options = ["-dbPath", folder]
        with servers.Running(local, options) as running:
            for number, caller in enumerate(callers):
                dynamodb = client(running, *caller)
                dynamodb.create_table(TableName="Same", BillingMode="PAY_PER_REQUEST", KeySchema=keys("pk"),
                                      AttributeDefinitions=definitions(pk="N"))
                dynamodb.put_item(TableName="Same", Item={"pk": {"N": str(number)}})
            expected = [content(running, caller) for caller in callers]
        with servers.Running(ours, options) as running:
            expect("tables apart", [content(running, caller) for caller in callers], expected)


def main(binary, local_folder):
    missing = servers.missing_for_local(local_folder)
    if missing:
        print(f"==> Note: the import is not tried with DynamoDB Local's own files, since {missing}")
        return
    local = servers.dynamodb_local(local_folder)
    check_shared(local, servers.magneto(binary))
    check_apart(local, servers.magneto(binary))
    print("taken over, unchanged, and gone back to")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else servers.default_local_folder())
