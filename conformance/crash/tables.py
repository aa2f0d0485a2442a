"""The tables that are written while the server is killed."""

from checks import Index

LEDGER, JOURNAL = "Ledger", "Journal"
GROUPS = 7
PARTITIONS = 6
STREAM = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}

LEDGER_REQUEST = {
    "TableName": LEDGER,
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [
        {"AttributeName": "Pk", "AttributeType": "S"}, {"AttributeName": "Sk", "AttributeType": "N"},
        {"AttributeName": "G", "AttributeType": "S"}, {"AttributeName": "Grade", "AttributeType": "N"}],
    "KeySchema": [{"AttributeName": "Pk", "KeyType": "HASH"}, {"AttributeName": "Sk", "KeyType": "RANGE"}],
    "LocalSecondaryIndexes": [{
        "IndexName": "ByGrade", "Projection": {"ProjectionType": "ALL"},
        "KeySchema": [{"AttributeName": "Pk", "KeyType": "HASH"}, {"AttributeName": "Grade", "KeyType": "RANGE"}]}],
    "GlobalSecondaryIndexes": [{
        "IndexName": "ByGroup", "Projection": {"ProjectionType": "ALL"},
        "KeySchema": [{"AttributeName": "G", "KeyType": "HASH"}, {"AttributeName": "Grade", "KeyType": "RANGE"}]}],
    "StreamSpecification": STREAM,
}
JOURNAL_REQUEST = {
    "TableName": JOURNAL,
    "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
    "AttributeDefinitions": [
        {"AttributeName": "Pk", "AttributeType": "S"}, {"AttributeName": "G", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "Pk", "KeyType": "HASH"}],
    "GlobalSecondaryIndexes": [{
        "IndexName": "ByGroup", "Projection": {"ProjectionType": "KEYS_ONLY"},
        "KeySchema": [{"AttributeName": "G", "KeyType": "HASH"}],
        "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}}],
    "StreamSpecification": STREAM,
}


def key_of(table, item):
    return table, item["Pk"]["S"], int(item["Sk"]["N"]) if "Sk" in item else None


def key_attributes(key):
    _, partition, sort = key
    return {"Pk": {"S": partition}} | ({} if sort is None else {"Sk": {"N": str(sort)}})


def where(key):
    return {"TableName": key[0], "Key": key_attributes(key)}


def index_of(description, table):
    """From DescribeTable's words; `table`: the whole description."""
    names = {part["KeyType"]: part["AttributeName"] for part in description["KeySchema"]}
    projected = None
    if description["Projection"]["ProjectionType"] == "KEYS_ONLY":
        parts = description["KeySchema"] + table["KeySchema"]
        projected = tuple(sorted({part["AttributeName"] for part in parts}))
    return Index(description["IndexName"], names["HASH"], names.get("RANGE"), projected)
