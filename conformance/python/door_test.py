"""Which requests are accepted: requests as tools, scripts and web pages send them, beside those of boto3."""

import gzip
import http.client
import json
import os
import unittest
import urllib.parse
import zlib

from table_case import connect

DUMMY = "AWS4-HMAC-SHA256 Credential=x/20200101/us-east-1/dynamodb/aws4_request, SignedHeaders=, Signature="


class DoorTest(unittest.TestCase):
    def setUp(self):
        self.address = urllib.parse.urlsplit(os.environ["MAGNETO_ENDPOINT"]).netloc

    def post(self, operation, headers, uri="/", body=b"{}"):
        """The status, the body and the headers of the answer to a request with exactly these headers."""
        connection = http.client.HTTPConnection(self.address, timeout=30)
        self.addCleanup(connection.close)
        fixed = {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        connection.request("POST", uri, body, fixed | headers)
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers

    def test_endpoint_discovery_leads_back_here(self):
        client = connect()
        self.addCleanup(client.close)
        endpoints = client.describe_endpoints()["Endpoints"]
        self.assertEqual([endpoint["Address"] for endpoint in endpoints], [self.address])

    def test_credentials_that_tools_make_up(self):
        credential = "Credential=x/20200101/us-east-1/dynamodb/aws4_request"
        for header in (DUMMY, f"AWS4-HMAC-SHA256 {credential}", "AWS4-HMAC-SHA256 Credential=x",
                       DUMMY.replace("/dynamodb/", "/s3/"),
                       "AWS4-ECDSA-P256-SHA256 Credential=x/20200101/dynamodb/aws4_request, Signature=0"):
            with self.subTest(header):
                self.assertEqual(self.post("ListTables", {"Authorization": header})[0], 200)
        status, body, _ = self.post("ListTables", {})
        self.assertEqual(status, 400)
        self.assertTrue(json.loads(body)["__type"].endswith("#MissingAuthenticationTokenException"))

    def test_presigned_request(self):
        client = connect()
        self.addCleanup(client.close)
        url = urllib.parse.urlsplit(client.generate_presigned_url("list_tables", HttpMethod="POST"))
        self.assertIn("X-Amz-Signature", url.query)
        self.assertEqual(self.post("ListTables", {}, f"/?{url.query}")[0], 200)

    def test_pages_of_elsewhere(self):
        table = {"TableName": "Planted", "BillingMode": "PAY_PER_REQUEST",
                 "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}],
                 "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}]}
        rebound = {"Host": "evil.example:8000", "Origin": "http://evil.example:8000"}
        for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Host": "evil.example"}, rebound):
            with self.subTest(headers):
                status, _, answered = self.post("CreateTable", {"Authorization": DUMMY} | headers,
                                                body=json.dumps(table).encode())
                self.assertEqual(status, 403)
                self.assertNotIn("Access-Control-Allow-Origin", answered)
        status, body, answered = self.post("ListTables", {"Authorization": DUMMY, "Origin": "http://localhost:3000"})
        self.assertEqual(status, 200)
        self.assertNotIn("Planted", json.loads(body)["TableNames"])
        self.assertEqual(answered["Access-Control-Allow-Origin"], "http://localhost:3000")

    def test_coded_bodies(self):
        for coding, body, status in (("gzip", gzip.compress(b"{") + gzip.compress(b"}"), 200),
                                     ("deflate", zlib.compress(b"{}"), 200),
                                     ("gzip", b"{}", 500), ("gzip", b"", 500), ("br", b"{}", 500)):
            with self.subTest(coding=coding, body=body):
                answer = self.post("ListTables", {"Authorization": DUMMY, "Content-Encoding": coding}, body=body)
                self.assertEqual(answer[0], status, answer[1])


if __name__ == "__main__":
    unittest.main()
