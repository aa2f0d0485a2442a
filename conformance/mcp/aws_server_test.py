"""aws_server_test.py <binary>: awslabs.dynamodb-mcp-server starts Magneto as its DynamoDB Local, and validates a data model on it.

The package chooses port 8000 where that is free, and finds a server that an earlier call started by looking at all processes of
the machine. So copies of this test wait for each other.
"""

import contextlib
import fcntl
import json
import os
import signal
import sys
import tempfile
import unittest

import psutil
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

BINARY = os.path.abspath(sys.argv[1])
MODEL = {
    "tables": [{
        "TableName": "Orders", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "state", "day")],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        # An index with a key of several attributes: why the package wants 3.3.0.
        "GlobalSecondaryIndexes": [{"IndexName": "ByState", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
            {"AttributeName": "state", "KeyType": "HASH"}, {"AttributeName": "day", "KeyType": "HASH"}]}]}],
    "items": {"Orders": [{"PutRequest": {"Item": {
        "pk": {"S": "ana"}, "sk": {"S": f"order-{number}"}, "state": {"S": "open"}, "day": {"S": "monday"}}}} for number in range(30)]},
    "access_patterns": [
        {"pattern": "1", "description": "the orders of a customer", "table": "Orders", "dynamodb_operation": "Query",
         "implementation": "aws dynamodb query --table-name Orders --select COUNT --key-condition-expression 'pk = :p' "
                           "--expression-attribute-values '{\":p\": {\"S\": \"ana\"}}'"},
        {"pattern": "2", "description": "the open orders of a day", "table": "Orders", "index": "ByState", "dynamodb_operation": "Query",
         "implementation": "aws dynamodb query --table-name Orders --index-name ByState --select COUNT "
                           "--key-condition-expression '#s = :s AND #d = :d' --expression-attribute-names '{\"#s\": \"state\", \"#d\": \"day\"}' "
                           "--expression-attribute-values '{\":s\": {\"S\": \"open\"}, \":d\": {\"S\": \"monday\"}}'"},
        {"pattern": "3", "description": "one order", "table": "Orders", "dynamodb_operation": "GetItem",
         "implementation": "aws dynamodb get-item --table-name Orders --key '{\"pk\": {\"S\": \"ana\"}, \"sk\": {\"S\": \"order-7\"}}'"},
        {"pattern": "4", "description": "a table that does not exist", "table": "Nothing", "dynamodb_operation": "GetItem",
         "implementation": "aws dynamodb get-item --table-name Nothing --key '{\"pk\": {\"S\": \"ana\"}}'"}]}


@contextlib.contextmanager
def alone_on_this_machine():
    with open(os.path.join(tempfile.gettempdir(), f"magneto-aws-mcp-server-{os.geteuid()}"), "a", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class ValidationTest(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.enterContext(alone_on_this_machine())
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.java = self.path("java", "bin", "java")
        os.symlink(BINARY, self.java)
        local = self.path("tmp", "dynamodb-local-model-validation", "DynamoDBLocal.jar")
        os.mkdir(os.path.join(os.path.dirname(local), "DynamoDBLocal_lib"))
        with open(local, "wb"), open(self.path("work", "dynamodb_data_model.json"), "w", encoding="utf-8") as model:
            json.dump(MODEL, model)
        self.addCleanup(self.end_servers)

    def path(self, *parts):
        path = os.path.join(self.folder, *parts)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def servers(self):
        """The processes of our java."""
        found = []
        for process in psutil.process_iter(["cmdline", "name"]):
            if process.info["cmdline"] and process.info["cmdline"][0] == self.java:
                found.append(process)
        return found

    def end_servers(self):
        for process in self.servers():
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=60)

    async def validate(self):
        """The results, as text, by pattern."""
        environment = {"JAVA_HOME": os.path.join(self.folder, "java"), "TMPDIR": os.path.join(self.folder, "tmp"), "HOME": self.folder,
                       "PATH": self.folder, "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any"}
        started = StdioServerParameters(command=sys.executable, args=["-m", "awslabs.dynamodb_mcp_server.server"], env=environment)
        work = os.path.join(self.folder, "work")
        with open(self.path("errors"), "a", encoding="utf-8") as errors:
            async with stdio_client(started, errlog=errors) as (reader, writer), ClientSession(reader, writer) as session:
                await session.initialize()
                result = await session.call_tool("dynamodb_data_model_validation", {"workspace_dir": work})
        self.assertFalse(result.isError, result)
        results = os.path.join(work, "dynamodb_model_validation.json")
        self.assertTrue(os.path.exists(results), result.content[0].text[:2000])
        with open(results, encoding="utf-8") as file:
            answers = {answer["pattern_id"]: json.dumps(answer) for answer in json.load(file)["validation_response"]}
        os.remove(results)
        return answers

    async def test_a_data_model(self):
        answers = await self.validate()
        self.assertEqual(sorted(answers), ["1", "2", "3", "4"])
        for pattern in ("1", "2"):
            self.assertRegex(answers[pattern], r'Count[\\": ]+30\b')
        self.assertIn("order-7", answers["3"])
        self.assertIn("ResourceNotFoundException", answers["4"])
        (server,) = self.servers()
        self.assertEqual(server.info["name"], "java")
        # The server goes on, and the next call finds it by its name and command line.
        again = await self.validate()
        self.assertIn("order-7", again["3"])
        self.assertEqual([process.pid for process in self.servers()], [server.pid])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
