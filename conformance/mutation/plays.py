"""Real requests as plays: lists of (operation, request), to be sent in order to tables of their own.

They come from tests/cases (their form: tests/cases/README.md) and from ../scenarios, so that most of them succeed.
"""

import decimal
import itertools
import json
import pathlib
import re
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "conformance" / "python"))

from requests_of_steps import expand_items, parse_key, step_request, table_request

_MAX_REPEATS = 30  # of a loop in a case file
_BATCH = 25

_OPERATION = re.compile(r"([A-Z]\w+)\s*(.*)", re.S)
_LOOP = re.compile(r"for i in (-?\d+)\.\.(-?\d+): (.*)", re.S)
_REPEAT = re.compile(r"\$\((.*?)\*(\d+)\)", re.S)
_TABLE_TOKEN = re.compile(r"[A-Za-z0-9_.-]+|[():,;]")


def all_plays():
    """[(name, steps)] in a fixed order."""
    plays = []
    for path in sorted((ROOT / "tests" / "cases").rglob("*.case")):
        plays.append((str(path.relative_to(ROOT)), case_steps(path.read_text(encoding="utf-8"))))
    for path in sorted((ROOT / "conformance" / "scenarios").glob("*.json")):
        scenario = json.loads(path.read_text(encoding="utf-8"), parse_float=decimal.Decimal)
        plays.append((str(path.relative_to(ROOT)), scenario_steps(scenario)))
    return [(name, steps) for name, steps in plays if steps]


# ---- case files


def _lines(text):
    """Steps and expectations, each with its continuation lines."""
    taken = ""
    for line in text.split("\n"):
        if line.strip() and line[0] in " \t}]":
            taken += "\n" + line
            continue
        if taken.strip() and not taken.startswith("#"):
            yield taken
        taken = line
    if taken.strip() and not taken.startswith("#"):
        yield taken


def case_steps(text):
    steps = []
    for line in _lines(text):
        line = _REPEAT.sub(lambda match: match[1] * int(match[2]), line)
        line = re.sub(r"\$\{now([+-]\d+)?\}", lambda match: str(int(time.time()) + int(match[1] or 0)), line)
        if line.startswith("table "):
            steps.append(("CreateTable", shorthand_request(line[6:])))
            continue
        loop = _LOOP.fullmatch(line)
        numbers = range(int(loop[1]), int(loop[2]) + 1) if loop else [None]
        for number in itertools.islice(numbers, _MAX_REPEATS):
            match = _OPERATION.fullmatch(loop[3].replace("$i", str(number)) if loop else line)
            if not match:
                continue
            try:
                request = json.loads(match[2] or "{}", parse_float=decimal.Decimal)
            except (ValueError, RecursionError):
                continue
            if isinstance(request, dict):
                steps.append((match[1], request))
    return steps


class _Tokens:
    def __init__(self, text):
        self._tokens = _TABLE_TOKEN.findall(text)

    def __bool__(self):
        return bool(self._tokens)

    def take(self):
        return self._tokens.pop(0)

    def accept(self, *words):
        return self.take() if self._tokens and self._tokens[0] in words else None


def _take_key(tokens, definitions):
    """'(pk:S, sk:N)' or '(a:S, b:S; c:S)' as a key schema; collects the attributes' types."""
    names, roles = [], []
    tokens.take()
    role = "HASH"
    split = False
    while True:
        name = tokens.take()
        tokens.take()
        definitions[name] = tokens.take()
        names.append(name)
        roles.append(role)
        mark = tokens.take()
        if mark == ")":
            break
        if mark == ";":
            role, split = "RANGE", True
    if not split:
        roles = ["HASH"] + ["RANGE"] * (len(names) - 1)
    return [{"AttributeName": name, "KeyType": role} for name, role in zip(names, roles)]


def _take_units(tokens):
    if not tokens.accept("units"):
        return {}
    return {"ProvisionedThroughput": {"ReadCapacityUnits": int(tokens.take()),
                                      "WriteCapacityUnits": int(tokens.take())}}


def _take_index(tokens, definitions):
    index = {"IndexName": tokens.take(), "KeySchema": _take_key(tokens, definitions)}
    projection = {"ProjectionType": tokens.accept("ALL", "KEYS_ONLY", "INCLUDE") or "ALL"}
    if projection["ProjectionType"] == "INCLUDE":
        tokens.take()
        projection["NonKeyAttributes"] = []
        while not tokens.accept(")"):
            projection["NonKeyAttributes"].append(tokens.take())
            tokens.accept(",")
    return index | {"Projection": projection} | _take_units(tokens)


def shorthand_request(text):
    """'books (author:S, title:S) gsi ByYear (year:N) KEYS_ONLY' as a CreateTable."""
    tokens, definitions = _Tokens(text), {}
    request = {"TableName": tokens.take(), "KeySchema": _take_key(tokens, definitions)}
    request |= _take_units(tokens)
    request["BillingMode"] = "PROVISIONED" if "ProvisionedThroughput" in request else "PAY_PER_REQUEST"
    while tokens:
        word = tokens.take()
        if word == "stream":
            request["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": tokens.take()}
        else:
            member = "GlobalSecondaryIndexes" if word == "gsi" else "LocalSecondaryIndexes"
            request.setdefault(member, []).append(_take_index(tokens, definitions))
    request["AttributeDefinitions"] = [{"AttributeName": name, "AttributeType": kind}
                                       for name, kind in definitions.items()]
    return request


# ---- scenarios


def _wire(value):
    """A plain value as an attribute value."""
    if isinstance(value, bool):
        return {"BOOL": value}
    if value is None:
        return {"NULL": True}
    if isinstance(value, str):
        return {"S": value}
    if isinstance(value, bytes):
        return {"B": "A" * (len(value) // 3 * 4)}
    if isinstance(value, set):
        texts = all(isinstance(one, str) for one in value)
        return {"SS" if texts else "NS": sorted(map(str, value))}
    if isinstance(value, list):
        return {"L": [_wire(one) for one in value]}
    if isinstance(value, dict):
        return {"M": _wire_item(value)}
    return {"N": str(value)}


def _wire_item(item):
    return {name: _wire(value) for name, value in item.items()}


def _wire_request(request):
    """A request of boto3's with its plain values as attribute values."""
    if isinstance(request, list):
        return [_wire_request(one) for one in request]
    if not isinstance(request, dict):
        return request
    wired = {}
    for name, value in request.items():
        if name in ("Item", "Key", "ExpressionAttributeValues"):
            wired[name] = _wire_item(value)
        elif name == "Keys":
            wired[name] = [_wire_item(key) for key in value]
        else:
            wired[name] = _wire_request(value)
    return wired


def scenario_steps(scenario):
    tables = scenario["tables"]
    steps = [("CreateTable", table_request(name, table)) for name, table in tables.items()]
    for table, rows in scenario.get("items", {}).items():
        items = [{"PutRequest": {"Item": _wire_item(item)}} for item in itertools.islice(expand_items(rows), 200)]
        for start in range(0, len(items), _BATCH):
            steps.append(("BatchWriteItem", {"RequestItems": {table: items[start:start + _BATCH]}}))
    for step in scenario["steps"]:
        if "records" in step:
            continue
        operation, request = step_request(step, tables)
        steps.append(("".join(word.capitalize() for word in operation.split("_")), _wire_request(request)))
    for name, table in tables.items():
        key = [attribute for attribute, _ in parse_key(table["key"])]
        steps.append(("Scan", {"TableName": name, "ProjectionExpression": "#k",
                               "ExpressionAttributeNames": {"#k": key[0]}}))
    return steps
