"""Fills a server with one of everything that is stored on disk, and reads all of it."""

import json
import urllib.error
import urllib.request

from wire import all_pages

TEXTS = ["", "plain", "quote\" back\\ slash/", "tab\t line\n nul\x00", "żółć 漢字 😀"]
NUMBERS = ["0", "-1", "3.14", "99999999999999999999999999999999999999", "-1E-130", "9.9999999999999999999999999999999999999E+125"]
CALLERS = [("one", "us-east-1"), ("two", "us-east-1"), ("one", "eu-west-2")]
INDEXED = "Roles"
PLAIN = "Notes"
PROVISIONED = "Counters"
LAGGING = "Votes"


class Caller:
    """Sends requests that name an access key and a region, and no signature that anyone checks."""

    def __init__(self, server, key, region):
        self._endpoint = server.endpoint
        self._authorization = (f"AWS4-HMAC-SHA256 Credential={key}/20261122/{region}/dynamodb/aws4_request, "
                               "SignedHeaders=host;x-amz-date, Signature=0")

    def send(self, operation, **request):
        sent = urllib.request.Request(self._endpoint, json.dumps(request).encode(), {
            "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": "DynamoDB_20120810." + operation,
            "Authorization": self._authorization, "X-Amz-Date": "20261122T000000Z"})
        try:
            with urllib.request.urlopen(sent, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{operation}: {error.code} {error.read().decode()}") from error


def _key(*names):
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"))]


def _index(name, *names, projection="ALL"):
    projected = {"ProjectionType": projection}
    if projection == "INCLUDE":
        projected["NonKeyAttributes"] = ["Note"]
    return {"IndexName": name, "KeySchema": _key(*names), "Projection": projected}


def item(number):
    """Its index keys are there for some numbers only, so that indexes are sparse."""
    made = {"Film": {"S": f"film {number % 7}"}, "Year": {"N": str(1900 + number)},
            "Note": {"S": TEXTS[number % len(TEXTS)]}, "Exact": {"N": NUMBERS[number % len(NUMBERS)]}}
    if number % 3:
        made["Owner"] = {"S": f"owner {number % 5}"}
    if number % 4:
        made["Rank"] = {"N": str(number * 17 % 101 - 50)}
    if number % 10 == 0:
        made |= {"Map": {"M": {"List": {"L": [{"BOOL": True}, {"NULL": True}, {"L": []}]}, "Empty": {"M": {}}}},
                 "Bytes": {"B": "AAEC/w=="}, "Texts": {"SS": ["a", "b"]}, "Numbers": {"NS": ["1", "-2.5"]},
                 "Blobs": {"BS": ["AA==", "/w=="]}, "Ends": {"N": "4102444800"}}
    if number == 50:
        made["Long"] = {"S": "x" * 3_000}
    return made


def fill(caller):
    caller.send("CreateTable", TableName=INDEXED, BillingMode="PAY_PER_REQUEST", KeySchema=_key("Film", "Year"),
                AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind} for name, kind in
                                      [("Film", "S"), ("Year", "N"), ("Owner", "S"), ("Rank", "N")]],
                LocalSecondaryIndexes=[_index("ByRank", "Film", "Rank", projection="KEYS_ONLY")],
                GlobalSecondaryIndexes=[_index("ByOwner", "Owner", "Rank"),
                                        _index("OfOwner", "Owner", projection="INCLUDE")],
                StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
                Tags=[{"Key": "made", "Value": "long ago"}])
    caller.send("UpdateTimeToLive", TableName=INDEXED,
                TimeToLiveSpecification={"Enabled": True, "AttributeName": "Ends"})
    caller.send("CreateTable", TableName=PLAIN, BillingMode="PAY_PER_REQUEST", KeySchema=_key("Id"),
                AttributeDefinitions=[{"AttributeName": "Id", "AttributeType": "B"}])
    caller.send("CreateTable", TableName=PROVISIONED, KeySchema=_key("Id"),
                ProvisionedThroughput={"ReadCapacityUnits": 7, "WriteCapacityUnits": 3}, DeletionProtectionEnabled=True,
                AttributeDefinitions=[{"AttributeName": "Id", "AttributeType": "N"}])
    for number in range(120):
        caller.send("PutItem", TableName=INDEXED, Item=item(number))
    for number in range(0, 120, 11):
        caller.send("DeleteItem", TableName=INDEXED, Key={name: item(number)[name] for name in ("Film", "Year")})
    for number in range(20):
        caller.send("PutItem", TableName=PLAIN, Item={"Id": {"B": f"AA{number:02}"}, "Text": {"S": "x" * number}})
    for _ in range(3):
        caller.send("UpdateItem", TableName=PROVISIONED, Key={"Id": {"N": "1"}}, UpdateExpression="ADD Hits :one",
                    ExpressionAttributeValues={":one": {"N": "1"}})


def fill_lagging(caller):
    """A table whose one index has many changes to follow and whose other one has few: each of its 25
    items is written a hundred times, and a few are deleted at the end."""
    caller.send("CreateTable", TableName=LAGGING, BillingMode="PAY_PER_REQUEST", KeySchema=_key("Id"),
                AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind} for name, kind in
                                      [("Id", "N"), ("Party", "S"), ("Winner", "S")]],
                GlobalSecondaryIndexes=[_index("ByParty", "Party", "Id"), _index("ByWinner", "Winner", "Id")])
    for turn in range(100):
        caller.send("BatchWriteItem", RequestItems={LAGGING: [
            {"PutRequest": {"Item": vote(number, turn)}} for number in range(25)]})
    caller.send("BatchWriteItem", RequestItems={LAGGING: [
        {"DeleteRequest": {"Key": {"Id": {"N": str(number)}}}} for number in range(0, 25, 6)]})


def vote(number, turn):
    made = {"Id": {"N": str(number)}, "Party": {"S": f"party {(number + turn) % 7}"}}
    if number % 5 == 1:
        made["Winner"] = {"S": f"winner {turn % 3}"}
    return made


def lagging_entries(caller, items):
    """The entries of each index of the table, and the expected entries for these items."""
    def by_id(found):
        return sorted(found, key=lambda one: int(one["Id"]["N"]))

    return {index: (by_id(scan(caller, LAGGING, IndexName=index)), by_id(one for one in items if attribute in one))
            for index, attribute in (("ByParty", "Party"), ("ByWinner", "Winner"))}


def scan(caller, table, **index):
    """In the order in which the server has them."""
    return all_pages(caller, "Scan", TableName=table, **index)


def read(caller):
    """All that lasts: records of streams go after a day. Not the table whose indexes lag."""
    tables = [name for name in caller.send("ListTables")["TableNames"] if name != LAGGING]
    contents = {"tables": tables, "of": {}}
    for table in contents["tables"]:
        described = caller.send("DescribeTable", TableName=table)["Table"]
        indexes = [index["IndexName"] for kind in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes")
                   for index in described.get(kind, [])]
        contents["of"][table] = {
            "described": described,
            "tags": caller.send("ListTagsOfResource", ResourceArn=described["TableArn"])["Tags"],
            "time to live": caller.send("DescribeTimeToLive", TableName=table)["TimeToLiveDescription"],
            "items": scan(caller, table),
            "entries": {index: scan(caller, table, IndexName=index) for index in indexes}}
    return contents
