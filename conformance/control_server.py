"""A server with a control interface, for the suites that use it."""

import contextlib
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

BINARY = sys.argv[1]
SIGNED = "AWS4-HMAC-SHA256 Credential={}/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00"
# Variables that the server gets from the test's own environment: none of its settings.
KEPT_VARIABLES = ("PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS")
TABLE = {"TableName": "Tab", "BillingMode": "PAY_PER_REQUEST",
         "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
         "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}


class Server:
    def __init__(self, *flags, environment=None):
        self.folder = tempfile.TemporaryDirectory()
        self.runtime = os.path.join(self.folder.name, "run")
        os.mkdir(self.runtime, 0o700)
        port_file = os.path.join(self.folder.name, "port")
        self.output_file = os.path.join(self.folder.name, "out")
        self.errors_file = os.path.join(self.folder.name, "errors")  # a pipe could be full
        kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        with open(self.output_file, "wb") as output, open(self.errors_file, "wb") as errors:
            self.process = subprocess.Popen(
                [BINARY, "--port", "0", "--port-file", port_file, *flags], stdout=output, stderr=errors,
                env={**kept, "XDG_RUNTIME_DIR": self.runtime, **(environment or {})})
        while not os.path.exists(port_file):
            if self.process.poll() is not None:
                raise RuntimeError(self.errors())
            time.sleep(0.01)
        with open(port_file, encoding="ascii") as file:
            self.port = int(file.read())
        while True:
            match = re.search(r"token (\S+?)(, also in (.*))?\n", self.output())
            if match or "control" in self.output() or "--no-control" in flags:
                break
            time.sleep(0.01)
        self.token, self.token_file = (match.group(1), match.group(3)) if match else (None, None)

    def output(self):
        with open(self.output_file, encoding="utf-8") as file:
            return file.read()

    def errors(self):
        with open(self.errors_file, encoding="utf-8") as file:
            return file.read()

    def stop(self):
        """The server's stderr. A server with a report of a sanitizer ends with another status than 0."""
        self.process.terminate()
        status = self.process.wait(timeout=60)
        errors = self.errors()
        self.folder.cleanup()
        if status != 0:
            raise AssertionError(f"the server ended with {status}: {errors}")
        return errors

    def kill(self):
        self.process.kill()
        self.process.wait(timeout=60)
        self.folder.cleanup()

    def ask(self, method, path, body=None, headers=None, port=None, token=True):
        """Status, headers and body of an answer; None in `headers` takes a field away."""
        connection = http.client.HTTPConnection("localhost", port or self.port, timeout=60)
        fields = {"Host": f"localhost:{port or self.port}"}
        if token:
            fields["Authorization"] = f"Bearer {self.token}"
        fields.update(headers or {})
        text = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        with contextlib.closing(connection):
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in fields.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.putheader("Content-Length", str(len(text or b"")))
            connection.endheaders(text)
            answer = connection.getresponse()
            read = answer.read()
        return answer.status, answer.headers, read

    def control(self, method, path, body=None, **more):
        status, headers, text = self.ask(method, "/_/" + path, body, **more)
        if headers.get("Content-Type") != "application/json":
            raise AssertionError((status, headers, text))
        return status, json.loads(text) if text else None

    def call(self, operation, body, namespace=None, key="any", port=None, version="DynamoDB_20120810", region="us-east-1"):
        headers = {"X-Amz-Target": f"{version}.{operation}", "Content-Type": "application/x-amz-json-1.0",
                   "X-Amz-Date": "20260101T000000Z", "Authorization": SIGNED.format(key).replace("us-east-1", region)}
        if namespace is not None:
            headers["X-Magneto-Namespace"] = namespace
        status, answered, text = self.ask("POST", "/", body, headers, port)
        # A server with too little memory answers 503 in plain text.
        return status, text.decode() if answered.get("Content-Type") == "text/plain" else json.loads(text)

    def tables(self, **where):
        status, answer = self.call("ListTables", {}, **where)
        if status != 200:
            raise AssertionError(answer)
        return answer["TableNames"]

    def resident(self):
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class WithServer(unittest.TestCase):
    flags = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.flags)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def refused(self, status, method, path, body=None, part="", **more):
        got, answer = self.server.control(method, path, body, **more)
        self.assertEqual(got, status, (method, path, body, answer))
        self.assertEqual(list(answer), ["error"])
        self.assertIn(part, answer["error"])

    def made(self, **body):
        status, answer = self.server.control("POST", "namespaces", body)
        self.assertEqual(status, 201, answer)
        self.addCleanup(self.server.control, "DELETE", "namespaces/" + answer["name"])
        return answer
