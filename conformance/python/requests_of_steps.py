"""From a scenario's words to boto3's requests and values. Their form: ../scenarios/README.md."""

import decimal
import re

# Member of a step -> member of the request.
PARAMETERS = {
    "index": "IndexName",
    "filter": "FilterExpression",
    "project": "ProjectionExpression",
    "if": "ConditionExpression",
    "change": "UpdateExpression",
    "names": "ExpressionAttributeNames",
    "limit": "Limit",
    "consistent": "ConsistentRead",
    "select": "Select",
    "returns": "ReturnValues",
    "segment": "Segment",
    "segments": "TotalSegments",
    "capacity": "ReturnConsumedCapacity",
}
EXPRESSIONS = {"filter", "project", "if", "change"}
VERBS = ("query", "scan", "get", "put", "update", "delete", "batchGet", "createTable")
OTHER_MEMBERS = {"check", "expect", "table", "values", "desc", "metrics", "continue", "allPages"}


def to_value(value):
    """A value of a scenario as boto3 wants it."""
    if isinstance(value, list):
        return [to_value(element) for element in value]
    if isinstance(value, dict):
        if "$set" in value:
            return set(value["$set"])
        if "$bytes" in value:
            return bytes(value["$bytes"])
        if "$text" in value:
            return "x" * value["$text"]
        return {name: to_value(member) for name, member in value.items()}
    return value


def from_value(value):
    """A value of an answer as a scenario writes it."""
    if isinstance(value, list):
        return [from_value(element) for element in value]
    if isinstance(value, dict):
        return {name: from_value(member) for name, member in value.items()}
    if isinstance(value, set):
        return {"$set": sorted(from_value(element) for element in value)}
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if hasattr(value, "value"):  # boto3's Binary
        return {"$bytes": len(value.value)}
    return value


def number(value, index):
    """The index-th of $many items."""
    if isinstance(value, dict):
        if "$index" in value:
            return value["$index"] * index
        return {name: number(member, index) for name, member in value.items()}
    if isinstance(value, str):
        return re.sub(r"%(\d)d", lambda match: str(index).zfill(int(match.group(1))), value)
    return value


def expand_items(items):
    for item in items:
        if "$many" in item:
            for index in range(item["$many"]):
                yield to_value(number(item["$item"], index))
        else:
            yield to_value(item)


def parse_key(text):
    """'Performer, Year:N' -> [('Performer', 'S'), ('Year', 'N')]"""
    parts = [part.strip().partition(":") for part in text.split(",")]
    return [(name, kind or "S") for name, _, kind in parts]


def key_schema(key):
    return [{"AttributeName": name, "KeyType": role} for (name, _), role in zip(key, ("HASH", "RANGE"))]


def attribute_definitions(*keys):
    types = {attribute: kind for key in keys for attribute, kind in key}
    return [{"AttributeName": name, "AttributeType": kind} for name, kind in types.items()]


def table_request(name, table):
    keys = [parse_key(table["key"])]
    request = {"TableName": name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": key_schema(keys[0])}
    for member, parameter in (("global", "GlobalSecondaryIndexes"), ("local", "LocalSecondaryIndexes")):
        for index, text in table.get(member, {}).items():
            keys.append(parse_key(text))
            request.setdefault(parameter, []).append({
                "IndexName": index,
                "KeySchema": key_schema(keys[-1]),
                "Projection": {"ProjectionType": "ALL"},
            })
    return request | {"AttributeDefinitions": attribute_definitions(*keys)}


def lift_texts(expression, values):
    """Puts placeholders in place of the 'texts' of an expression."""

    def lift(match):
        placeholder = f":text{len(values)}"
        values[placeholder] = match.group(1)
        return placeholder

    return re.sub(r"'([^']*)'", lift, expression)


def step_verb(step):
    unknown = set(step) - set(VERBS) - set(PARAMETERS) - OTHER_MEMBERS
    verbs = [verb for verb in VERBS if verb in step]
    if unknown or len(verbs) != 1:
        raise ValueError(f"{step['check']}: {verbs} {unknown}")
    return verbs[0]


def step_request(step, tables):
    """The operation of a step and its request."""
    verb = step_verb(step)
    if verb == "createTable":
        return "create_table", step[verb]
    if verb == "batchGet":
        return "batch_get_item", {
            "RequestItems": {table: {"Keys": to_value(keys)} for table, keys in step[verb].items()}
        }
    values = to_value(step.get("values", {}))
    request = {"TableName": step[verb] if verb == "scan" else step.get("table", next(iter(tables)))}
    if verb == "query":
        request["KeyConditionExpression"] = lift_texts(step[verb], values)
        request["ScanIndexForward"] = not step.get("desc", False)
    elif verb == "put":
        request["Item"] = to_value(step[verb])
    elif verb != "scan":
        request["Key"] = to_value(step[verb])
    for member, parameter in PARAMETERS.items():
        if member in step:
            text = member in EXPRESSIONS
            request[parameter] = lift_texts(step[member], values) if text else step[member]
    if values:
        request["ExpressionAttributeValues"] = values
    if step.get("metrics"):
        request["ReturnItemCollectionMetrics"] = "SIZE"
    return verb if verb in ("query", "scan") else f"{verb}_item", request
