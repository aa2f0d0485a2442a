"""Counters that only grow, and their possible values in main while it is restored from snapshots again and again.

Each counter is an item, or a pair of items that a transaction writes alike, in tables with a global index and a
stream. No number is ever written twice, so a number identifies its write.
"""

import http.client
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "crash"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "python"))

from checks import Change, Fault, Index, Replay, check_index, check_items
from streams import StreamConsumer
from wire import PATIENCE_SECONDS, Lost

TOKEN = "proof"
FLAGS = ["--auth", "off", "--control-token", TOKEN]
TAB, OTHER = "Tab", "Other"
BY_GROUP = Index("ByGroup", "g")
BODY = "x" * 1000
_KEY = {"AttributeName": "pk", "KeyType": "HASH"}
TABLES = (
    {"TableName": TAB, "BillingMode": "PAY_PER_REQUEST", "KeySchema": [_KEY],
     "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "g")],
     "GlobalSecondaryIndexes": [{"IndexName": BY_GROUP.name, "Projection": {"ProjectionType": "ALL"},
                                 "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}]}],
     "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}},
    {"TableName": OTHER, "BillingMode": "PAY_PER_REQUEST", "KeySchema": [_KEY],
     "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]},
)


class Caller:
    """One connection that is kept, for one thread, to a server that was started with FLAGS."""

    def __init__(self, port):
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)

    def close(self):
        self._connection.close()

    def _ask(self, method, path, body, headers):
        try:
            self._connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = self._connection.getresponse()
            text = answer.read()
        except (ConnectionError, http.client.HTTPException) as error:
            self._connection.close()
            raise Lost(repr(error)) from error
        if answer.status == 503:  # the server ends
            raise Lost(text.decode())
        return answer.status, json.loads(text) if text else None

    def control(self, method, path, body=None):
        """Status and answer, also of an error."""
        return self._ask(method, "/_/" + path, body, {"Authorization": f"Bearer {TOKEN}"})

    def turn(self, method, path, body=None):
        """The answer of a control request that must do what it says."""
        status, answer = self.control(method, path, body)
        if status not in (200, 201):
            raise Fault(f"{method} {path} {body}: {status} {answer}")
        return answer

    def call(self, operation, request, space="main"):
        version = "DynamoDBStreams_20120810" if operation in _OF_STREAMS else "DynamoDB_20120810"
        return self._ask("POST", "/", request, {
            "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": f"{version}.{operation}",
            "X-Magneto-Namespace": space})

    def send(self, operation, space="main", **request):
        status, answer = self.call(operation, request, space)
        if status != 200:
            raise Fault(f"{operation} in {space}: {status} {answer}")
        return answer


_OF_STREAMS = ("DescribeStream", "GetRecords", "GetShardIterator")


class Exactly:
    """A history: the numbers that a counter had, from the first to the one that it has."""

    def __init__(self, history):
        self.history = history

    def allows(self, history):
        return history == self.history

    def allows_number(self, number):
        return number == last_of(self.history)

    def __repr__(self):
        return str(self.history)


class Bounds:
    """The possible values of a counter at some moment between `acknowledged` and `asked`, its last numbers then.

    Its history began as `base`. No other number up to `barrier` can be there. Numbers beyond `sure` are there once
    acknowledged.
    """

    def __init__(self, acknowledged, asked, base, barrier, sure):
        self.acknowledged, self.asked = acknowledged, asked
        self.base, self.barrier, self.sure = base, barrier, sure

    def allows(self, history):
        # One that was under way at the barrier may be in the base already.
        first = sum(number <= self.barrier for number in history)
        return any(self.base.allows(history[:end]) and self._allows_later(history[end:]) for end in (first, first + 1))

    def _allows_later(self, later):
        return (all(self.barrier < number <= self.asked for number in later) and list(later) == sorted(set(later))
                and set(later).issuperset(range(self.sure + 1, self.acknowledged + 1)))

    def allows_number(self, number):
        """Of its last one alone."""
        if self.acknowledged > self.sure:
            return self.acknowledged <= number <= self.asked
        return self.base.allows_number(number) or self.barrier < number <= self.asked

    def __repr__(self):
        return f"[{self.base}, then some of {self.barrier + 1} to {self.asked}, with {self.sure + 1} to {self.acknowledged}]"


def last_of(history):
    return history[-1] if history else 0


class Counter:
    """One thread writes the counter; another restores its namespace. 0: it does not exist."""

    def __init__(self, name, is_pair):
        self.name = name
        self.is_pair = is_pair
        self.asked = self.acknowledged = 0
        self._base, self._barrier, self._sure = Exactly(()), 0, 0

    def write(self, caller):
        self.asked += 1
        number = self.asked
        item = {"pk": {"S": self.name}, "n": {"N": str(number)}, "g": {"S": f"g{number % 3}"},
                "body": {"S": BODY[:37 * number % len(BODY)]}}
        if self.is_pair:
            caller.send("TransactWriteItems", TransactItems=[
                {"Put": {"TableName": table, "Item": item}} for table in (TAB, OTHER)])
        else:
            caller.send("PutItem", TableName=TAB, Item=item)
        self.acknowledged = number

    def bounds(self, acknowledged):
        """Of a look at main that began when `acknowledged` was and ends now."""
        return Bounds(acknowledged, self.asked, self._base, self._barrier, self._sure)

    def bounds_if_restored(self, base, acknowledged):
        """As `bounds`, when main has become what had `base`, at some time since `acknowledged` was, without telling."""
        return Bounds(acknowledged, self.asked, base, acknowledged, self.asked)

    def note_restored(self, base, acknowledged):
        """It has told, just now."""
        self._base, self._barrier, self._sure = base, acknowledged, self.asked

    def note_found(self, history):
        """Nothing is under way, and main shows this."""
        self._base, self._barrier, self._sure = Exactly(history), self.asked, self.asked


class Counters:
    def __init__(self, counters):
        self._all = {counter.name: counter for counter in counters}

    def acknowledged(self):
        return {name: counter.acknowledged for name, counter in self._all.items()}

    def bounds(self, acknowledged):
        return {name: counter.bounds(acknowledged[name]) for name, counter in self._all.items()}

    def bounds_if_restored(self, base, acknowledged):
        return {name: counter.bounds_if_restored(base[name], acknowledged[name]) for name, counter in self._all.items()}

    def note_restored(self, base, acknowledged):
        for name, counter in self._all.items():
            counter.note_restored(base[name], acknowledged[name])

    def note_found(self, state):
        for name, counter in self._all.items():
            counter.note_found(state.get(name, ()))


def exact_bounds(state, names):
    return {name: Exactly(state.get(name, ())) for name in names}


def allow(bounds, state):
    """Whether a state, histories by name, is within all bounds."""
    return state.keys() <= bounds.keys() and all(one.allows(state.get(name, ())) for name, one in bounds.items())


def require(bounds, state, what):
    if not allow(bounds, state):
        wrong = [f"{name} {state.get(name, ())}, but should show {bounds.get(name)}" for name in sorted(bounds.keys() | state.keys())
                 if name not in bounds or not bounds[name].allows(state.get(name, ()))]
        raise Fault(f"{what} shows " + "; ".join(wrong))


def _all_items(caller, space, **request):
    found = []
    while True:
        answer = caller.send("Scan", space, ConsistentRead="IndexName" not in request, **request)
        found += answer["Items"]
        if "LastEvaluatedKey" not in answer:
            return found
        request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


class _Streams:
    """The part of boto3's client that a StreamConsumer needs."""

    def __init__(self, caller, space):
        self.caller, self.space = caller, space

    def describe_stream(self, **request):
        return self.caller.send("DescribeStream", self.space, **request)

    def get_shard_iterator(self, **request):
        return self.caller.send("GetShardIterator", self.space, **request)

    def get_records(self, **request):
        return self.caller.send("GetRecords", self.space, **request)


def _change(record):
    told = record["dynamodb"]
    return Change(told["Keys"]["pk"]["S"], int(told["SequenceNumber"]), told.get("OldImage"), told.get("NewImage"))


def read_state(caller, space="main"):
    """The history of each existing counter, from its stream, in a namespace without writers.

    Checks that both items of a pair are alike, and that the index and the whole stream match the table.
    """
    items = {item["pk"]["S"]: item for item in _all_items(caller, space, TableName=TAB)}
    others = {item["pk"]["S"]: item for item in _all_items(caller, space, TableName=OTHER)}
    check_items({name: item for name, item in items.items() if name.endswith("pair")}, others)
    check_index(list(items.values()), _all_items(caller, space, TableName=TAB, IndexName=BY_GROUP.name), BY_GROUP)
    arn = caller.send("DescribeTable", space, TableName=TAB)["Table"]["LatestStreamArn"]
    replay, histories = Replay(), {}
    for change in StreamConsumer(_Streams(caller, space), arn, _change).poll():
        replay.apply(change)
        histories[change.key] = (*histories.get(change.key, ()), int(change.new["n"]["N"]))
    check_items(items, replay.items)
    return histories


def read_fork(caller, origin, name="looked-at"):
    """The state of a snapshot, or of a namespace in which others write, through a fork that is deleted then."""
    caller.turn("POST", "namespaces", {"name": name, "from": origin})
    state = read_state(caller, name)
    caller.turn("DELETE", f"namespaces/{name}")
    return state
