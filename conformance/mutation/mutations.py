"""Mutations of a request: of its tree of JSON values, of the text made from it, and of its operation."""

import copy
import decimal
import json
import pathlib
import re
import sys

sys.setrecursionlimit(20_000)  # of nested requests

_DICTIONARIES = pathlib.Path(__file__).resolve().parents[2] / "tests" / "fuzz" / "dictionaries"


def _words(name):
    """The words of a dictionary of the fuzzers."""
    lines = (_DICTIONARIES / f"{name}.dict").read_text(encoding="utf-8").split("\n")
    return [re.sub(r"\\(x[0-9a-f]{2}|.)", lambda match: chr(int(match[1][1:], 16)) if match[1][0] == "x" else match[1],
                   line[1:-1]) for line in lines if line.startswith('"')]


_MEMBERS = [word[1:-2] for word in _words("members")]
_EXPRESSION_WORDS = _words("expressions")
_STATEMENT_WORDS = _words("partiql")

_KINDS = (True, False, None, 0, -1, 1.5, "", "x", "true", [], ["x"], [None], {}, {"x": 1}, {"S": "x"}, {"N": "1"},
          {"L": []}, {"M": {}}, {"NULL": True}, [[["x"]]], {"x": {"x": [True]}}, [{"x": 1}])
_NUMBERS = ("0", "-0", "1", "-1", "1.50", "9" * 38, "9" * 39, "-" + "9" * 38, "1E125", "9.9E125", "1E126", "1E-130",
            "1E-131", "-1E125", "0." + "0" * 129 + "1", "1e5", "NaN", "Infinity", "", " 1", "0x10", "1_0",
            "9223372036854775807", "9223372036854775808", "1e2147483647", "1e-2147483648", "5" * 400)
_INTEGERS = (0, 1, -1, 2, 100, 101, 1000, 1001, 999999, 1000000, 2**31 - 1, 2**31, -2**31, 2**32, 2**63 - 1, 2**63,
             -2**63, 2**64 - 1, 1e308, -0.0, 0.1, 1e-320)
_SIZES = (0, 1, 2, 3, 255, 256, 1023, 1024, 1025, 2047, 2048, 2049, 4096, 4097, 65535, 65536, 65537, 100_000, 131072,
          409_000, 409_600, 409_601)
_LENGTHS = (0, 1, 2, 10, 20, 21, 25, 26, 50, 51, 99, 100, 101, 256)
_DEPTHS = (1, 2, 3, 31, 32, 33, 61, 62, 63, 100, 300, 600, 1100)
_TEXTS = ("\0", "a\0b", "\u00e9", "\U0001f600", "\ud800", "'", '"', "\\", "#", ":", "${x}", "arn:aws:dynamodb:", "../",
          "%s%n", "\n", "\u202e", "SELECT", "a.b[0]", "[", "-", "\x7f")
_ENUMS = ("NONE", "TOTAL", "INDEXES", "SIZE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW", "COUNT",
          "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "AND", "OR", "EQ", "BETWEEN", "PUT",
          "ADD", "DELETE", "HASH", "RANGE", "S", "N", "B", "KEYS_ONLY", "INCLUDE", "ALL", "TRIM_HORIZON", "LATEST")
_EXPRESSIONS = ("ConditionExpression", "FilterExpression", "KeyConditionExpression", "ProjectionExpression",
                "UpdateExpression", "Statement")
_TOKEN = re.compile(r"[A-Za-z_][\w-]*|[#:?]\w*|\d+|'[^']*'|\"[^\"]*\"|\s+|<>|<=|>=|.", re.S)

# Operations whose requests look alike: one is sent as the other.
_FAMILIES = (("GetItem", "DeleteItem", "UpdateItem", "PutItem", "Query", "Scan"), ("Query", "Scan"),
             ("TransactGetItems", "TransactWriteItems"), ("BatchGetItem", "BatchWriteItem"),
             ("ExecuteStatement", "ExecuteTransaction", "BatchExecuteStatement"),
             ("CreateTable", "UpdateTable", "DescribeTable"),
             ("DescribeTable", "DescribeTimeToLive", "DescribeContinuousBackups", "UpdateTimeToLive", "DeleteTable"),
             ("TagResource", "UntagResource", "ListTagsOfResource"),
             ("ListStreams", "DescribeStream", "GetShardIterator", "GetRecords", "ListTables"))


def dumps(value):
    """JSON with decimals as numbers."""
    return json.dumps(value, default=lambda one: float(one) if isinstance(one, decimal.Decimal) else str(one))


class Place:
    """A value inside a request: container[key]."""

    def __init__(self, container, key):
        self.container, self.key = container, key

    @property
    def value(self):
        return self.container[self.key]

    @value.setter
    def value(self, value):
        self.container[self.key] = value


def places(tree):
    found = []
    waiting = [tree]
    while waiting and len(found) < 4000:
        container = waiting.pop()
        keys = list(container) if isinstance(container, dict) else range(len(container))
        for key in keys:
            found.append(Place(container, key))
            if isinstance(container[key], (dict, list)):
                waiting.append(container[key])
    return found


class Mutator:
    """Makes mutated requests with the numbers of one generator."""

    def __init__(self, random):
        self._random = random
        self._pool = []  # values seen before, to be spliced in

    def mutate(self, operation, request):
        """(operation, bytes of the body)"""
        try:
            return self._mutate(operation, copy.deepcopy(request))
        except RecursionError:  # a nested value was nested again
            return operation, dumps(request).encode("utf-8", "surrogatepass")

    def _mutate(self, operation, request):
        gentle = self._random.random() < 0.55
        changes = (self._change_leaf, self._change_leaf, self._change_leaf, self._change_option, self._change_leaf,
                   self._splice) if gentle else (
            self._change_kind, self._add_member, self._drop, self._resize, self._nest, self._extreme, self._splice,
            self._change_expression, self._change_expression, self._change_leaf)
        for _ in range(1 if gentle else self._random.choice((1, 1, 1, 2, 3, 6))):
            found = places(request)
            if found:
                self._random.choice(changes)(self._random.choice(found), request)
        self._remember(request)
        if not gentle and self._random.random() < 0.1:
            operation = self._other_operation(operation)
        body = dumps(request).encode("utf-8", "surrogatepass")
        if not gentle and self._random.random() < 0.2:
            body = self._change_text(body)
        return operation, body

    def _remember(self, request):
        for place in self._random.sample(places(request), min(2, len(places(request)))):
            if len(dumps(place.value)) < 5000:
                self._pool.append(copy.deepcopy(place.value))
        del self._pool[:-200]

    def _other_operation(self, operation):
        family = [one for names in _FAMILIES if operation in names for one in names]
        return self._random.choice(family or [name for names in _FAMILIES for name in names])

    # ---- changes after which a request may well be valid

    def _change_leaf(self, place, request):
        """A scalar becomes another of its kind."""
        leaves = [one for one in places(request) if not isinstance(one.value, (dict, list))]
        leaf = self._random.choice(leaves) if leaves else place
        value = leaf.value
        if isinstance(value, bool):
            leaf.value = not value
        elif leaf.key == "N":
            leaf.value = self._random.choice(_NUMBERS[:8] + (str(self._random.randint(-1000, 1000)),) * 8)
        elif isinstance(value, (int, float, decimal.Decimal)):
            leaf.value = self._random.choice((1, 2, 3, 10, int(value) + 1, max(1, int(value) - 1)))
        elif isinstance(value, str) and leaf.key in _EXPRESSIONS:
            leaf.value = value.replace("=", self._random.choice(("=", "<>", "<", ">=", " = ")), 1)
        elif isinstance(value, str) and leaf.key in ("S", "SS"):
            other = self._random.choice((value[::-1], value + "x", value[:-1], "a", "b", "z" * 20, ""))
            leaf.value = other
        elif isinstance(value, str) and leaf.key == "B":
            leaf.value = self._random.choice(("AA==", "AAAA", "/w==", ""))

    def _change_option(self, _, request):
        """A parameter that many operations have."""
        name, values = self._random.choice((
            ("ReturnConsumedCapacity", ("TOTAL", "INDEXES", "NONE")), ("ConsistentRead", (True, False)),
            ("Limit", (1, 2, 5, 100)), ("ScanIndexForward", (True, False)), ("ReturnValues", _ENUMS[4:8]),
            ("ReturnItemCollectionMetrics", ("SIZE", "NONE")), ("Select", ("COUNT", "ALL_ATTRIBUTES")),
            ("ReturnValuesOnConditionCheckFailure", ("ALL_OLD", "NONE"))))
        request[name] = self._random.choice(values)

    # ---- changes that ask for trouble

    def _change_kind(self, place, _):
        place.value = copy.deepcopy(self._random.choice(_KINDS))

    def _add_member(self, place, request):
        target = place.value if isinstance(place.value, dict) else request
        target[self._random.choice(_MEMBERS)] = copy.deepcopy(self._random.choice(_KINDS))

    def _drop(self, place, _):
        del place.container[place.key]

    def _resize(self, place, _):
        value = place.value
        if isinstance(value, str):
            unit = value or self._random.choice(("x", "\0", "\u00e9", "\U0001f600"))
            size = self._random.choice(_SIZES)
            place.value = (unit * (size // len(unit) + 1))[:size]
        elif isinstance(value, list) and value:
            place.value = [copy.deepcopy(value[i % len(value)]) for i in range(self._random.choice(_LENGTHS))]
        elif isinstance(value, dict) and value and len(dumps(value)) < 2000:
            one = next(iter(value.values()))
            value |= {f"{self._random.choice('abcxyz#:')}{i}": copy.deepcopy(one)
                      for i in range(self._random.choice(_LENGTHS))}
        else:
            place.value = self._random.choice(_INTEGERS)

    def _nest(self, place, _):
        value = place.value
        kind = self._random.choice(("L", "M", "list", "object"))
        for _ in range(self._random.choice(_DEPTHS)):
            value = {"L": {"L": [value]}, "M": {"M": {"a": value}}, "list": [value], "object": {"a": value}}[kind]
        place.value = value

    def _extreme(self, place, request):
        numbers = [one for one in places(request) if one.key == "N" or isinstance(one.value, (int, decimal.Decimal))]
        target = self._random.choice(numbers) if numbers and self._random.random() < 0.7 else place
        if target.key == "N":
            target.value = self._random.choice(_NUMBERS)
        elif isinstance(target.value, str):
            target.value = self._random.choice(_TEXTS + _ENUMS)
        else:
            target.value = self._random.choice(_INTEGERS)

    def _splice(self, place, request):
        if self._pool and self._random.random() < 0.7:
            place.value = copy.deepcopy(self._random.choice(self._pool))
        else:
            place.value = copy.deepcopy(self._random.choice(places(request)).value)

    def _change_expression(self, _, request):
        found = [one for one in places(request) if one.key in _EXPRESSIONS and isinstance(one.value, str)]
        if not found:
            return
        place = self._random.choice(found)
        words = _STATEMENT_WORDS if place.key == "Statement" else _EXPRESSION_WORDS
        tokens = _TOKEN.findall(place.value)
        for _ in range(self._random.choice((1, 1, 2, 4))):
            at = self._random.randrange(len(tokens) + 1)
            kind = self._random.randrange(6)
            if kind == 0 or not tokens:
                tokens.insert(at, self._random.choice(words + list(_TEXTS)))
            elif kind == 1:
                del tokens[at % len(tokens)]
            elif kind == 2:
                tokens[at % len(tokens)] = self._random.choice(words)
            elif kind == 3:
                tokens.insert(at, tokens[self._random.randrange(len(tokens))])
            elif kind == 4:
                tokens = ["("] * self._random.choice((1, 2, 150, 301)) + tokens + [")"]
            else:
                joint = self._random.choice((" AND ", " OR ", ", ", " + ", "."))
                tokens = (tokens + [joint]) * self._random.choice((2, 3, 30, 150, 301)) + tokens
                tokens = tokens[:20_000]
        place.value = "".join(tokens)

    def _change_text(self, body):
        at = self._random.randrange(len(body) + 1)
        kind = self._random.randrange(6)
        if kind == 0:  # a member twice, the second of another kind
            names = re.findall(rb'"(\w+)": ', body)
            if not names:
                return body
            name = self._random.choice(names)
            member = b'"%s": %s, ' % (name, dumps(self._random.choice(_KINDS)).encode())
            return body.replace(b'"%s": ' % name, member + b'"%s": ' % name, 1)
        if kind == 1:
            return body[:at] + bytes(self._random.choices(range(256), k=3)) + body[at:]
        if kind == 2:
            return body[:at] + body[at + self._random.choice((1, 2, 8)):]
        if kind == 3:
            return body[:at] + self._random.choice((b"\xff", b"\xc0\x80", b"\\ud800", b"\\u0000", b"\0")) + body[at:]
        if kind == 4:
            return body[:at]
        digits = list(re.finditer(rb"\d+", body))
        if not digits:
            return body
        match = self._random.choice(digits)
        number = self._random.choice((b"1e400", b"18446744073709551616", b"-1", b"1.0", b"00", b"-0", b"1E-400"))
        return body[:match.start()] + number + body[match.end():]
