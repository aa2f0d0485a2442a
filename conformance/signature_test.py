"""signature_test.py <binary>: with --auth verify, only clients that sign with a key of the file are served."""

import datetime
import gzip
import hashlib
import http.client
import json
import os
import pathlib
import shutil
import sys
import tempfile
import time
import unittest
import urllib.parse

import boto3
import botocore.auth
import botocore.awsrequest
import botocore.config
import botocore.credentials
import botocore.exceptions

from with_server import Server

KEYS = pathlib.Path(__file__).resolve().parent / "keys.ini"
TABLE = {"TableName": "Roles", "BillingMode": "PAY_PER_REQUEST",
         "AttributeDefinitions": [{"AttributeName": "Film", "AttributeType": "S"}],
         "KeySchema": [{"AttributeName": "Film", "KeyType": "HASH"}]}
RELOAD_SECONDS = 120
PRESIGNED_SECONDS = 300


class SignatureTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.mkdtemp(prefix="magneto-keys-")
        self.addCleanup(shutil.rmtree, folder)
        self.keys = os.path.join(folder, "keys.ini")
        self.write_keys(KEYS.read_text(encoding="utf-8"))

    def start(self, *flags):
        self.server = Server(BINARY, "memory", "--auth", "verify", "--credentials", self.keys, *flags)
        self.addCleanup(self.server.remove)
        self.server.errors = tempfile.TemporaryFile("w+")
        self.addCleanup(self.server.errors.close)
        self.server.start()

    def write_keys(self, text):
        """As a whole, so that the server never reads half of it."""
        with open(self.keys + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.keys + ".new", 0o600)
        os.replace(self.keys + ".new", self.keys)

    def log(self):
        self.server.errors.seek(0)
        return self.server.errors.read()

    def client(self, key="dummy", secret="dummy", token=None):
        client = boto3.client("dynamodb", endpoint_url=self.server.endpoint, region_name="eu-west-2",
                              aws_access_key_id=key, aws_secret_access_key=secret, aws_session_token=token,
                              config=botocore.config.Config(retries={"max_attempts": 0}))
        self.addCleanup(client.close)
        return client

    def refusal(self, *credentials):
        with self.assertRaises(botocore.exceptions.ClientError) as caught:
            self.client(*credentials).list_tables()
        return caught.exception.response["Error"]["Code"]

    def is_refused(self, *credentials):
        try:
            self.client(*credentials).list_tables()
        except botocore.exceptions.ClientError:
            return True
        return False

    def signed(self, body=b"{}", skew=datetime.timedelta(0), headers=()):
        """The headers of a ListTables that botocore signs at another time than now."""
        request = botocore.awsrequest.AWSRequest("POST", self.server.endpoint + "/", data=body, headers={
            "Host": urllib.parse.urlsplit(self.server.endpoint).netloc,
            "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": "DynamoDB_20120810.ListTables"})
        for name, value in headers:
            request.headers[name] = value
        signer = botocore.auth.SigV4Auth(botocore.credentials.Credentials("dummy", "dummy"), "dynamodb", "eu-west-2")
        moment = datetime.datetime.now(datetime.timezone.utc) + skew
        request.context["timestamp"] = moment.strftime("%Y%m%dT%H%M%SZ")
        request.headers["X-Amz-Date"] = request.context["timestamp"]
        text = signer.string_to_sign(request, signer.canonical_request(request))
        signer._inject_signature_to_request(request, signer.signature(text, request))
        return list(request.headers.items())

    def presigned(self, body, *credentials, age=0):
        """The path and query, and the headers, of a ListTables whose signature covers a body, made some seconds ago."""

        class Presigner(botocore.auth.SigV4QueryAuth):
            def _modify_request_before_signing(self, request):
                moment = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=age)
                request.context["timestamp"] = moment.strftime("%Y%m%dT%H%M%SZ")
                super()._modify_request_before_signing(request)

            def payload(self, request):
                return hashlib.sha256(body).hexdigest()

        headers = {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": "DynamoDB_20120810.ListTables"}
        request = botocore.awsrequest.AWSRequest("POST", self.server.endpoint + "/", headers=headers)
        Presigner(botocore.credentials.Credentials(*credentials), "dynamodb", "eu-west-2",
                  expires=PRESIGNED_SECONDS).add_auth(request)
        url = urllib.parse.urlsplit(request.url)
        return f"{url.path}?{url.query}", [("Host", url.netloc), *headers.items()]

    def post(self, headers, body=b"{}", uri="/"):
        """The status, and the answer, of a request with exactly these headers."""
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(self.server.endpoint).netloc, timeout=120)
        self.addCleanup(connection.close)
        connection.putrequest("POST", uri, skip_host=True, skip_accept_encoding=True)
        for name, value in headers:
            connection.putheader(name, value)
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

    def assert_refused(self, answer, kind, beginning):
        status, body = answer
        self.assertEqual(status, 400, body)
        self.assertTrue(body["__type"].endswith("#" + kind), body)
        self.assertTrue(body["message"].startswith(beginning), body)

    def test_keys(self):
        self.start()
        self.client().create_table(**TABLE)
        self.client().put_item(TableName="Roles", Item={"Film": {"S": "Comet \u2604"}})
        session = self.client("SESSION", "secret/of+session", "to/ken+==")
        self.assertEqual(session.scan(TableName="Roles")["Count"], 1)
        self.assertEqual(self.refusal("dummy", "wrong"), "InvalidSignatureException")
        self.assertEqual(self.refusal("nobody", "dummy"), "UnrecognizedClientException")
        self.assertEqual(self.refusal("SESSION", "secret/of+session"), "UnrecognizedClientException")
        self.assertEqual(self.refusal("SESSION", "secret/of+session", "other"), "UnrecognizedClientException")
        self.assertEqual(self.refusal("SESSION", "wrong", "to/ken+=="), "InvalidSignatureException")
        self.assertEqual(self.refusal("OVER", "over", "over"), "ExpiredTokenException")
        status, body = self.post([("Host", "localhost"), ("Content-Type", "application/json"),
                                  ("X-Amz-Target", "DynamoDB_20120810.ListTables")])
        self.assertEqual((status, body["message"]), (400, "Request is missing Authentication Token"))

    def test_a_table_is_of_the_account_of_its_key(self):
        self.start("--isolate", "credentials")
        session = self.client("SESSION", "secret/of+session", "to/ken+==")
        arn = session.create_table(**TABLE)["TableDescription"]["TableArn"]
        self.assertEqual(arn, "arn:aws:dynamodb:eu-west-2:123456789012:table/Roles")
        self.assertEqual(self.client().list_tables()["TableNames"], [])

    def test_long_and_coded_bodies(self):
        self.start()
        client = self.client()
        client.create_table(**TABLE)
        item = {"Film": {"S": "Comet"}, "Text": {"S": "x" * 300_000}}
        client.put_item(TableName="Roles", Item=item)
        self.assertEqual(client.get_item(TableName="Roles", Key={"Film": {"S": "Comet"}})["Item"], item)
        body = gzip.compress(b'{"Limit": 2}')
        headers = self.signed(body, headers=[("Content-Encoding", "gzip")])
        self.assertEqual(self.post(headers, body), (200, {"TableNames": ["Roles"]}))

    def test_requests_changed_under_way(self):
        self.start()
        mismatch = "The request signature we calculated does not match the signature you provided."
        headers = self.signed()
        self.assertEqual(self.post(headers)[0], 200)
        self.assertEqual(self.post(headers)[0], 200)
        self.assert_refused(self.post(headers, b"{ }"), "InvalidSignatureException", mismatch)
        self.assert_refused(self.post([*headers, ("X-Amz-Target", "DynamoDB_20120810.ListTables")]),
                            "InvalidSignatureException", mismatch)
        other = [(name, value.replace("ListTables", "DescribeLimits")) for name, value in headers]
        self.assert_refused(self.post(other), "InvalidSignatureException", mismatch)
        self.assert_refused(self.post(headers, uri="/?Action=ListTables"), "InvalidSignatureException", mismatch)
        self.assertEqual(self.post([*headers, ("X-Forwarded-For", "127.0.0.1")])[0], 200)

    def test_repeated_and_odd_headers(self):
        self.start()
        self.assertEqual(self.post(self.signed(headers=[("X-Amz-Meta", "a   b "), ("X-Amz-Meta", "c")]))[0], 200)

    def test_clocks(self):
        self.start()
        for minutes in (-14, 14):
            self.assertEqual(self.post(self.signed(skew=datetime.timedelta(minutes=minutes)))[0], 200)
        self.assert_refused(self.post(self.signed(skew=datetime.timedelta(minutes=-16))),
                            "InvalidSignatureException", "Signature expired: ")
        self.assert_refused(self.post(self.signed(skew=datetime.timedelta(minutes=16))),
                            "InvalidSignatureException", "Signature not yet current: ")

    def test_presigned_requests(self):
        self.start()
        for credentials in (("dummy", "dummy"), ("SESSION", "secret/of+session", "to/ken+==")):
            uri, headers = self.presigned(b"{}", *credentials)
            self.assertEqual(self.post(headers, uri=uri), (200, {"TableNames": []}))
            self.assert_refused(self.post(headers, b"{ }", uri), "InvalidSignatureException",
                                "The request signature we calculated")
        uri, headers = self.presigned(b"{}", "dummy", "dummy", age=PRESIGNED_SECONDS + 2)
        self.assert_refused(self.post(headers, uri=uri), "InvalidSignatureException", "Signature expired: ")
        # boto3's own are of requests without a body, which are refused for that alone.
        url = urllib.parse.urlsplit(self.client().generate_presigned_url("list_tables", HttpMethod="POST"))
        self.assert_refused(self.post(headers, b"{}", "/?" + url.query), "InvalidSignatureException",
                            "The request signature we calculated")
        status, body = self.post(headers, b"", "/?" + url.query)
        self.assertEqual((status, body["__type"].rpartition("#")[2]), (400, "SerializationException"))

    def test_keys_change_while_the_server_runs(self):
        self.start()
        self.write_keys("[new]\naws_access_key_id = NEW\naws_secret_access_key = new\n")
        deadline = time.monotonic() + RELOAD_SECONDS
        while self.is_refused("NEW", "new") and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertEqual(self.client("NEW", "new").list_tables()["TableNames"], [])
        self.assertEqual(self.refusal(), "UnrecognizedClientException")
        self.write_keys("[new]\naws_access_key_id = NEW\nnew-secret\n")
        while "stay in use" not in self.log() and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertIn("keys.ini:3: neither a [section] nor a property with '='", self.log())
        self.assertNotIn("new-secret", self.log())
        self.client("NEW", "new").list_tables()

    def test_no_word_of_credentials_that_are_compared(self):
        self.start("--host", "0.0.0.0", "--no-metrics")
        self.client().list_tables()
        self.assertEqual(self.log(), "")

    def test_warns_that_metrics_need_no_signature(self):
        self.start("--host", "0.0.0.0")
        self.assertIn("/metrics shows table names to every client", self.log())


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)
