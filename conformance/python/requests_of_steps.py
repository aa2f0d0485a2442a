"""From a scenario's words to boto3's requests and values. Their form: ../scenarios/README.md."""

import decimal
import re
import time
import uuid

NOW = int(time.time())  # of {"$now": n}
RUN = uuid.uuid4().hex[:12]  # goes behind client tokens: a server knows those of the last run

# Member of a step -> member of the request.
PARAMETERS = {
    "query": "KeyConditionExpression",
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
EXPRESSIONS = {"query", "filter", "project", "if", "change"}
# Verb that says the raw request -> operation.
RAW = {"createTable": "create_table", "updateTimeToLive": "update_time_to_live",
       "describeTimeToLive": "describe_time_to_live"}
VERBS = ("query", "scan", "get", "put", "update", "delete", "batchGet", "transact", "transactGet", "records", *RAW)
READS = ("query", "scan", "get", "batchGet", "transactGet", "describeTimeToLive", "records")
# Verb of an action in a transaction -> member of the request.
ACTIONS = {"put": "Put", "update": "Update", "delete": "Delete", "require": "ConditionCheck", "get": "Get"}
OTHER_MEMBERS = {"check", "expect", "table", "values", "desc", "metrics", "continue", "allPages", "token",
                 "eventually"}


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
        if "$now" in value:
            return NOW + value["$now"]
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
    if isinstance(value, list):
        return [number(element, index) for element in value]
    if isinstance(value, str):
        return re.sub(r"%(\d)d", lambda match: str(index).zfill(int(match.group(1))), value)
    return value


def expand(rows):
    """Rows with each $many expanded."""
    for row in rows:
        if "$many" in row:
            yield from (number(row["$item"], index) for index in range(row["$many"]))
        else:
            yield row


def expand_items(items):
    return map(to_value, expand(items))


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
    if "stream" in table:
        request["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": table["stream"]}
    for member, parameter in (("global", "GlobalSecondaryIndexes"), ("local", "LocalSecondaryIndexes")):
        for index, text in table.get(member, {}).items():
            keys.append(parse_key(text))
            request.setdefault(parameter, []).append({
                "IndexName": index,
                "KeySchema": key_schema(keys[-1]),
                "Projection": {"ProjectionType": table.get("projects", {}).get(index, "ALL")},
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


def add_parameters(request, step):
    """Puts a step's expressions, names, values and other parameters into a request."""
    values = to_value(step.get("values", {}))
    for member, parameter in PARAMETERS.items():
        if member in step:
            text = member in EXPRESSIONS
            request[parameter] = lift_texts(step[member], values) if text else step[member]
    if values:
        request["ExpressionAttributeValues"] = values


def action_request(action, default_table):
    """One action of a transaction."""
    verb = next(verb for verb in ACTIONS if verb in action)
    request = {"TableName": action.get("table", default_table),
               "Item" if verb == "put" else "Key": to_value(action[verb])}
    add_parameters(request, action)
    return {ACTIONS[verb]: request}


def step_request(step, tables):
    """The operation of a step and its request."""
    verb = step_verb(step)
    table = step.get("table", next(iter(tables)))
    if verb in RAW:
        return RAW[verb], step[verb]
    if verb == "batchGet":
        return "batch_get_item", {
            "RequestItems": {table: {"Keys": to_value(keys)} for table, keys in step[verb].items()}
        }
    if verb in ("transact", "transactGet"):
        operation = "transact_write_items" if verb == "transact" else "transact_get_items"
        actions = [action_request(action, table) for action in expand(step[verb])]
        request = {"TransactItems": actions}
        request |= {"ClientRequestToken": f"{step['token']}-{RUN}"} if "token" in step else {}
        return operation, request
    request = {"TableName": step[verb] if verb == "scan" else table}
    if verb == "query":
        request["ScanIndexForward"] = not step.get("desc", False)
    elif verb == "put":
        request["Item"] = to_value(step[verb])
    elif verb != "scan":
        request["Key"] = to_value(step[verb])
    add_parameters(request, step)
    if step.get("metrics"):
        request["ReturnItemCollectionMetrics"] = "SIZE"
    return verb if verb in ("query", "scan") else f"{verb}_item", request
