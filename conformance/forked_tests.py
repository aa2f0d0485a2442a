"""A suite that gives each of its tests a fork of `main`: many at once, against one server.

Each test finds the data of main and its own writes, and never those of another test.
"""

import http.client
import json
import threading
import time

TABLES = 100
SEEDS = 10  # items of each table
HOUR = 3600
TOKEN = "forked"
SIGNED = "AWS4-HMAC-SHA256 Credential={}/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00"
PATIENCE_SECONDS = 300


class Client:
    """One keep-alive connection: of one thread."""

    def __init__(self, port):
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)

    def close(self):
        self._connection.close()

    def _ask(self, method, path, body, headers):
        self._connection.request(method, path, json.dumps(body), headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise AssertionError(f"{method} {path} {json.dumps(body)[:200]}: {answer.status} {text.decode()}")
        return json.loads(text) if text else {}

    def control(self, method, path, body=None):
        return self._ask(method, "/_/" + path, body or {}, {"Authorization": f"Bearer {TOKEN}"})

    def call(self, key, operation, **body):
        """As the caller with this access key."""
        return self._ask("POST", "/", body, {
            "X-Amz-Target": "DynamoDB_20120810." + operation, "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Date": "20260101T000000Z", "Authorization": SIGNED.format(key)})


def fill_main(port):
    client = Client(port)
    for number in range(TABLES):
        name = f"Table{number:03}"
        client.call("any", "CreateTable", TableName=name, BillingMode="PAY_PER_REQUEST",
                    AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"},
                                          {"AttributeName": "sk", "AttributeType": "N"}],
                    KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}])
        client.call("any", "UpdateTimeToLive", TableName=name,
                    TimeToLiveSpecification={"AttributeName": "expires", "Enabled": True})
        client.call("any", "BatchWriteItem", RequestItems={
            name: [{"PutRequest": {"Item": item(sort, "main")}} for sort in range(SEEDS)]})
    client.close()


def item(sort, owner, **more):
    return {"pk": {"S": "a"}, "sk": {"N": str(sort)}, "owner": {"S": owner}, "text": {"S": "x" * 200}, **more}


class ForkedTest:
    """`gate` holds it until all others have a fork too. `times` are (step, seconds)."""

    def __init__(self, port, number, gate):
        self.times = []
        self._client = Client(port)
        self._number = number
        self._gate = gate
        self._table = f"Table{number % TABLES:03}"
        self._name = None

    def _timed(self, step, act):
        begun = time.perf_counter()
        answer = act()
        self.times.append((step, time.perf_counter() - begun))
        return answer

    def _call(self, operation, **body):
        return self._timed(operation, lambda: self._client.call(self._name, operation, **body))

    def _control(self, step, method, path="", body=None):
        return self._timed(step, lambda: self._client.control(method, f"namespaces/{self._name}{path}", body))

    def _expect(self, got, wanted):
        if got != wanted:
            raise AssertionError(f"test {self._number} in {self._name}: {got} instead of {wanted}")

    def run(self):
        try:
            made = self._timed("fork", lambda: self._client.control(
                "POST", "namespaces", {"name": f"test-{self._number}", "from": {"namespace": "main"}}))
            self._name = made["name"]
            self._expect(made["tables"], TABLES)
            self._gate.wait(PATIENCE_SECONDS)
            self._use()
            self._control("delete", "DELETE")
        finally:
            self._client.close()

    def _use(self):
        self._expect(self._owners(), ["main"] * SEEDS)
        # One item of main, one new item, and one with a day to live.
        self._put(item(0, self._name))
        self._put(item(SEEDS, self._name))
        self._put(item(SEEDS + 1, self._name, expires={"N": str(int(time.time()) + 24 * HOUR)}))
        got = self._call("GetItem", TableName=self._table, Key={"pk": {"S": "a"}, "sk": {"N": "0"}})
        self._expect(got["Item"]["owner"]["S"], self._name)
        mine = [self._name, *["main"] * (SEEDS - 1), self._name]
        self._expect(self._owners(), [*mine, self._name])
        self._control("clock", "PUT", "/clock", {"advance": "25h"})
        self._control("settle", "POST", "/settle", {"timeout": "10m"})
        self._expect(self._owners(), mine)

    def _put(self, written):
        self._call("PutItem", TableName=self._table, Item=written)

    def _owners(self):
        found = self._call("Query", TableName=self._table, KeyConditionExpression="pk = :a",
                           ExpressionAttributeValues={":a": {"S": "a"}})
        return [each["owner"]["S"] for each in found["Items"]]


def run_tests(port, count):
    """All at once; the seconds of each step, and of each test as a whole, in the server and on the way there."""
    failures, times = [], {}
    gate = threading.Barrier(count)
    tests = [ForkedTest(port, number, gate) for number in range(count)]

    def run(test):
        try:
            gate.wait(PATIENCE_SECONDS)
            test.run()
        except Exception as error:  # pylint: disable=broad-except
            failures.append(error)
            gate.abort()

    threads = [threading.Thread(target=run, args=(test,)) for test in tests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise AssertionError(f"{len(failures)} of {count} tests failed, the first: {failures[0]}") from failures[0]
    for test in tests:
        for step, seconds in [*test.times, ("test", sum(seconds for _, seconds in test.times))]:
            times.setdefault(step, []).append(seconds)
    return times


def check_main(port):
    """Main is as it was filled, alone, and in its own time."""
    client = Client(port)
    names = [space["name"] for space in client.control("GET", "namespaces")["namespaces"]]
    if names != ["main"]:
        raise AssertionError(f"namespaces are left: {names}")
    for number in range(TABLES):
        found = client.call("any", "Scan", TableName=f"Table{number:03}")["Items"]
        if [(each["sk"]["N"], each["owner"]["S"]) for each in found] != [(str(sort), "main") for sort in range(SEEDS)]:
            raise AssertionError(f"table {number} of main is not as it was filled: {found}")
    if client.control("GET", "namespaces/main/clock")["offset"] != "0":
        raise AssertionError("the clock of main was changed")
    client.close()
