"""hostile_answers_test.py <binary>: no answer of an endpoint reaches a terminal unchanged.

The endpoint puts the sequences that set a terminal's title and colours into all its answers: errors, names of tables,
states and items. The commands that call it end with a sentence that begins with "magneto: ". They print no control
character but the ends of lines, and write none into files of errors.
"""

import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import unittest

ESCAPE = "\x1b]0;owned\x07\x1b[31m\u009b5m\r"
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")
KEY = [{"AttributeName": "p", "KeyType": "HASH"}]


def error(kind, message):
    return 400, {"__type": kind + ESCAPE, "message": message + ESCAPE}


def described(name, status="ACTIVE"):
    return 200, {"Table": {"TableName": name, "TableStatus": status, "KeySchema": KEY, "ItemCount": 1, "TableSizeBytes": 1,
                           "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}],
                           "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"}}}


class HostileAnswersTest(unittest.TestCase):
    def setUp(self):
        test = self
        self.answers = {}

        class Endpoint(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                operation = self.headers["X-Amz-Target"].partition(".")[2]
                status, answer = test.answers.get(operation, error("ValidationException", "no " + operation))
                body = answer.encode() if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_port}"
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name, text=None):
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path

    def run_command(self, *arguments):
        environment = os.environ | {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "a", "AWS_CONFIG_FILE": os.devnull,
                                    "AWS_SHARED_CREDENTIALS_FILE": os.devnull}
        done = subprocess.run([BINARY, *arguments], capture_output=True, check=False, text=True, timeout=120, env=environment)
        self.assertNotEqual(done.returncode, 0, done.stderr)
        for printed in (done.stdout, done.stderr):
            self.assertIsNone(CONTROL.search(printed), repr(printed))
        self.assertIn("magneto: ", done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_errors(self):
        item = self.path("item.json", '{"p": {"S": "x"}}\n')
        journal = self.path("journal.jsonl", json.dumps({"operation": "GetItem", "status": 200, "request": {"TableName": "T"},
                                                         "answer": {"Item": {}}}) + "\n")
        out = self.path("out.json")
        for command in (["copy", "--from", self.url, "--to-data-dir", self.path("data")],
                        ["export", "--from", self.url, "--table", "T", "--out", out],
                        ["import", "--to", self.url, "--table", "T", item]):
            self.assertIn("owned", self.run_command(*command))
        self.run_command("replay", "--journal", journal, "--to", self.url)
        self.answers["Scan"] = (200, "<html>" + ESCAPE)
        self.assertIn("<html>", self.run_command("export", "--from", self.url, "--table", "T", "--out", out))

    def test_items_that_are_refused(self):
        self.answers["DescribeTable"] = described("T")
        item = self.path("item.json", '{"p": {"S": "x"}}\n')
        errors = self.path("errors")
        self.answers["BatchWriteItem"] = self.answers["PutItem"] = (
            400, {"__type": "ValidationException", "message": "bad\nmagneto: all is well" + ESCAPE})
        self.assertIn("bad magneto: all is well", self.run_command("import", "--to", self.url, "--table", "T", "--errors", errors, item))
        with open(errors, encoding="utf-8") as file:
            self.assertIsNone(CONTROL.search(file.read()))

    def test_names_of_tables(self):
        for name in ("T" + ESCAPE, "T\nmagneto: all is well", "", "x" * 300):
            self.answers["ListTables"] = (200, {"TableNames": [name]})
            self.assertIn("lists a table whose name DynamoDB does not allow",
                          self.run_command("copy", "--from", self.url, "--to-data-dir", self.path("data")))

    def test_states_of_tables(self):
        self.answers["ListTables"] = (200, {"TableNames": ["Table"]})
        self.answers["DescribeTable"] = described("Table", "SLEEPING" + ESCAPE)
        self.assertIn("owned", self.run_command("copy", "--from", self.url, "--to-data-dir", self.path("data")))


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)
