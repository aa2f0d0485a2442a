"""Namespaces: how one is chosen, made, copied, reset and deleted. namespaces_test.py <magneto> [test ...]"""

import http.client
import json
import re
import sys
import threading
import time
import unittest

from control_server import SIGNED, TABLE, WithServer

LIFE_SECONDS = 2


class NamespacesTest(WithServer):
    def test_a_namespace_is_a_world_of_its_own(self):
        made = self.made(name="one")
        self.assertEqual({name: made[name] for name in made if name not in ("created", "memory_bytes")},
                         {"name": "one", "from": None, "access_key": "one", "endpoint": None, "tables": 0})
        self.assertRegex(made["created"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        self.assertEqual(self.server.call("CreateTable", TABLE, namespace="one")[0], 200)
        self.assertEqual(self.server.tables(namespace="one"), ["Tab"])
        self.assertEqual(self.server.tables(key="one"), ["Tab"])
        self.assertEqual(self.server.tables(key="other"), [])
        self.assertEqual(self.server.tables(key="one", namespace="main"), [])
        self.assertEqual(self.server.control("GET", "namespaces/one")[1]["tables"], 1)
        listed = self.server.control("GET", "namespaces")[1]["namespaces"]
        self.assertEqual([space["name"] for space in listed], ["main", "one"])
        self.assertEqual(self.server.control("DELETE", "namespaces/one"), (200, {}))
        self.refused(404, "GET", "namespaces/one", part="no namespace 'one'")
        status, answer = self.server.call("ListTables", {}, namespace="one")
        self.assertEqual((status, answer["__type"].split("#")[1]), (400, "ValidationException"))
        self.assertEqual(self.server.tables(key="one"), [])

    def test_a_header_that_names_none_is_never_main(self):
        for name in ("nobody", "", "a" * 5000, "\xff", "MAIN"):
            status, answer = self.server.call("ListTables", {}, namespace=name)
            self.assertEqual(status, 400, name)
            self.assertIn("X-Magneto-Namespace", answer["message"])

    def test_a_name_can_be_made_up(self):
        names = {self.made()["name"] for _ in range(20)}
        self.assertEqual(len(names), 20)

    def test_what_is_wrong_is_refused_by_name(self):
        self.made(name="taken")
        for body, part in (
                ({"name": 1}, "'name' must be a string"), ({"name": None}, "'name' must be a string"),
                ({"name": ""}, "1 to 128"), ({"name": "a b"}, "1 to 128"), ({"name": "a" * 129}, "1 to 128"),
                ({"name": ".."}, "1 to 128"), ({"name": "\u00e4"}, "1 to 128"), ({"name": "a\0b"}, "1 to 128"),
                ({"nam": "a"}, "unknown member 'nam'"), ({"from": "main"}, "'from' must be an object"),
                ({"from": {}}, "'from' must have one of"), ({"from": {"namespace": "a", "snapshot": "b"}}, "'from' must have one of"),
                ({"from": {"namespace": 1}}, "'namespace' must be a string"), ({"from": {"fork": "a"}}, "unknown member 'fork'"),
                ({"port": "8000"}, "'port' must be"), ({"port": 0}, "'port' must be from"), ({"port": 65536}, "'port' must be from"),
                ({"port": 1.5}, "'port' must be a whole number"), ({"port": -1}, "'port'"), ({"port": 10 ** 19}, "'port'"),
                ({"expires_after": 5}, "'expires_after' must be a duration"), ({"expires_after": "soon"}, "'expires_after' must be a duration"),
                ({"expires_after": "-1s"}, "'expires_after' must be from"), ({"expires_after": "inf"}, "'expires_after' must be"),
                ({"expires_after": "1ns"}, "'expires_after' must be from"), ({"expires_after": "366d"}, "'expires_after' must be from"),
                ({"expires_after": "99999999999999999999d"}, "'expires_after' must be")):
            self.refused(400, "POST", "namespaces", body, part)
        for body in (b"{", b"[]", b"1", b'{"name":"a"} x', b"\xff", b'{"name":"a","name":"b"}', b"[" * 100000):
            self.refused(400, "POST", "namespaces", body)
        self.refused(409, "POST", "namespaces", {"name": "taken"}, "already")
        self.refused(409, "POST", "namespaces", {"name": "main"}, "already")
        self.refused(409, "DELETE", "namespaces/main", part="main")
        self.refused(404, "POST", "namespaces", {"from": {"namespace": "nobody"}}, "nobody")
        self.refused(404, "POST", "namespaces", {"from": {"snapshot": "none"}}, "none")
        self.refused(413, "POST", "namespaces", b" " * (1 << 20) + b"{}")
        for path in ("namespaces/", "namespaces//", "namespace", "namespaces/a/b", "..", "%00"):
            self.refused(404, "GET", path)
        self.refused(400, "GET", "namespaces/a%20b", part="1 to 128")
        self.refused(400, "GET", "status?x=1", part="query")
        self.refused(400, "GET", "status", {"a": 1}, "unknown member 'a'")
        self.refused(405, "PUT", "namespaces", part="GET, POST")
        self.refused(405, "DELETE", "status", part="GET")
        self.assertEqual([space["name"] for space in self.server.control("GET", "namespaces")[1]["namespaces"]], ["main", "taken"])

    def test_boto3_chooses_by_its_access_key(self):
        import boto3
        from botocore.config import Config
        self.made(name="boto-1")

        def client(key):
            return boto3.client("dynamodb", endpoint_url=f"http://localhost:{self.server.port}", region_name="us-east-1",
                                aws_access_key_id=key, aws_secret_access_key="any", config=Config(retries={"max_attempts": 0}))
        client("boto-1").create_table(**TABLE)
        self.assertEqual(client("boto-1").list_tables()["TableNames"], ["Tab"])
        self.assertEqual(client("any").list_tables()["TableNames"], [])

    def test_a_port_of_its_own_leads_to_it_alone(self):
        made = self.made(name="ported", port=True)
        port = int(re.fullmatch(r"http://localhost:(\d+)", made["endpoint"]).group(1))
        self.assertEqual(self.server.call("CreateTable", TABLE, port=port)[0], 200)
        self.assertEqual(self.server.tables(namespace="ported"), ["Tab"])
        self.assertEqual(self.server.tables(), [])
        # Header and access key come first.
        self.assertEqual(self.server.tables(port=port, namespace="main"), [])
        self.assertEqual(self.server.tables(port=port, key="main"), [])
        self.assertEqual(self.server.ask("GET", "/", port=port, token=False)[0], 200)
        self.assertEqual(self.server.control("GET", "status", port=port)[0], 200)
        self.refused(409, "POST", "namespaces", {"name": "other", "port": port}, "in use")
        self.assertEqual(self.server.control("GET", "namespaces/other")[0], 404)
        kept = http.client.HTTPConnection("localhost", port, timeout=60)
        headers = {"X-Amz-Target": "DynamoDB_20120810.ListTables", "Content-Type": "application/x-amz-json-1.0",
                   "X-Amz-Date": "20260101T000000Z", "Authorization": SIGNED.format("any")}
        kept.request("POST", "/", "{}", headers)
        self.assertEqual(json.loads(kept.getresponse().read()), {"TableNames": ["Tab"]})
        self.server.control("DELETE", "namespaces/ported")
        self.made(name="ported")
        kept.request("POST", "/", "{}", headers)
        answer = kept.getresponse()
        self.assertEqual(answer.status, 400)
        self.assertIn("was deleted", json.loads(answer.read())["message"])
        kept.close()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                self.server.ask("GET", "/", port=port)
                time.sleep(0.01)
            except ConnectionRefusedError:
                break
        else:
            self.fail("the port is still open")

    def test_ports_are_bounded(self):
        ports = set()
        for number in range(256):
            ports.add(self.made(name=f"port-{number}", port=True)["endpoint"])
        self.assertEqual(len(ports), 256)
        self.refused(507, "POST", "namespaces", {"name": "one-more", "port": True}, "256")
        self.assertEqual(self.server.control("GET", "namespaces/one-more")[0], 404)
        self.server.control("DELETE", "namespaces/port-7")
        self.made(name="port-7", port=True)

    def test_what_nobody_uses_goes(self):
        # Repeated if this process stood still for as long as a namespace lives without use.
        while self.stood_still_while_used("short", LIFE_SECONDS):
            self.assertEqual(self.server.control("GET", "namespaces/short")[0], 404)
        deadline = time.monotonic() + 120
        while len(self.server.control("GET", "namespaces")[1]["namespaces"]) > 1 and time.monotonic() < deadline:
            time.sleep(0.5)
        self.assertEqual(self.server.control("GET", "namespaces/short")[0], 404)

    def stood_still_while_used(self, name, life):
        """Uses a new namespace for longer than it lives without use."""
        self.assertEqual(self.made(name=name, expires_after=f"{life}s")["expires_after"], f"{life}s")
        begin = last = time.monotonic()
        while last - begin < 1.5 * life:
            time.sleep(0.05)
            status = self.server.call("ListTables", {}, namespace=name)[0]
            if status != 200:
                self.assertGreaterEqual(time.monotonic() - last, life, f"it was answered with {status}")
                return True
            last = time.monotonic()
        return False

    def test_removal_while_requests_run(self):
        """Running requests are answered from the old data, later ones are refused, and main answers none."""
        for turn in range(5):
            name = f"busy-{turn}"
            self.made(name=name)
            self.server.call("CreateTable", TABLE, namespace=name)
            item = {"pk": {"S": "a"}, "text": {"S": "x" * 300000}}
            for number in range(20):
                self.server.call("PutItem", {"TableName": "Tab", "Item": {**item, "pk": {"S": str(number)}}}, namespace=name)
            begun, wrong = threading.Event(), []

            def use():
                for number in range(40):
                    body = {"TableName": "Tab", "Item": {**item, "pk": {"S": str(number)}}}
                    operation = ("PutItem", "Scan")[number % 2]
                    status, answer = self.server.call(operation, body if operation == "PutItem" else {"TableName": "Tab"}, namespace=name)
                    if status != 200 and "X-Magneto-Namespace" not in answer.get("message", ""):
                        wrong.append((status, answer))
                    begun.set()
            users = [threading.Thread(target=use) for _ in range(6)]
            for user in users:
                user.start()
            begun.wait()
            self.server.control("DELETE", "namespaces/" + name)
            for user in users:
                user.join()
            self.assertEqual(wrong, [])
            self.assertEqual(self.server.tables(), [])

    def test_two_make_one_name(self):
        for _ in range(20):
            statuses = []
            threads = [threading.Thread(target=lambda: statuses.append(self.server.control("POST", "namespaces", {"name": "both"})[0]))
                       for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(sorted(statuses), [201, 409, 409, 409])
            self.server.control("DELETE", "namespaces/both")


class StateTest(WithServer):
    def put(self, key, **where):
        status, answer = self.server.call("PutItem", {"TableName": "Tab", "Item": {"pk": {"S": key}}}, **where)
        self.assertEqual(status, 200, answer)

    def count(self, **where):
        return self.server.call("Scan", {"TableName": "Tab", "Select": "COUNT"}, **where)[1].get("Count")

    def test_a_fork_is_a_copy_and_is_reset_to_it(self):
        self.server.call("CreateTable", TABLE)
        self.addCleanup(self.server.control, "POST", "namespaces/main/reset")
        self.put("a")
        made = self.made(name="fork", **{"from": {"namespace": "main"}})
        self.assertEqual((made["from"], made["tables"]), ({"namespace": "main"}, 1))
        self.put("b", namespace="fork")
        self.put("c")
        self.put("d")
        self.assertEqual((self.count(), self.count(namespace="fork")), (3, 2))
        self.made(name="of-fork", **{"from": {"namespace": "fork"}})
        self.assertEqual(self.server.control("POST", "namespaces/fork/reset")[0], 200)
        self.assertEqual((self.count(namespace="fork"), self.count(namespace="of-fork")), (1, 2))

    def test_snapshots(self):
        self.made(name="space")
        self.server.call("CreateTable", TABLE, namespace="space")
        self.put("a", namespace="space")
        status, taken = self.server.control("POST", "snapshots", {"name": "early", "namespace": "space"})
        self.assertEqual((status, taken["name"], taken["namespace"]), (201, "early", "space"))
        self.put("b", namespace="space")
        self.assertEqual(self.server.control("GET", "snapshots"), (200, {"snapshots": [taken]}))
        self.assertEqual(self.server.control("GET", "snapshots/early"), (200, taken))
        self.made(name="new", **{"from": {"snapshot": "early"}})
        self.assertEqual(self.server.control("POST", "namespaces/space/restore", {"snapshot": "early"})[0], 200)
        self.assertEqual((self.count(namespace="space"), self.count(namespace="new")), (1, 1))
        self.refused(409, "POST", "snapshots", {"name": "early"}, "already")
        self.assertEqual(self.server.control("POST", "namespaces/main/restore", {"snapshot": "early"})[0], 200)
        self.assertEqual(self.count(), 1)
        self.assertEqual(self.server.control("DELETE", "snapshots/early"), (200, {}))
        self.refused(404, "POST", "namespaces/space/restore", {"snapshot": "early"}, "early")
        self.assertEqual(self.count(namespace="new"), 1)
        for body, part in (({}, "'name' is missing"), ({"name": 1}, "'name' must be"), ({"name": "a/b"}, "1 to 128"),
                           ({"name": "a", "namespace": 1}, "'namespace' must be"), ({"name": "a", "of": "main"}, "unknown member 'of'")):
            self.refused(400, "POST", "snapshots", body, part)
        self.refused(404, "POST", "snapshots", {"name": "a", "namespace": "nobody"}, "nobody")
        for body in ({}, {"snapshot": 1}, {"name": "early"}):
            self.refused(400, "POST", "namespaces/space/restore", body)

    def test_main_is_reset_with_its_streams(self):
        streaming = {**TABLE, "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}}
        for name in ("TabA", "TabB"):
            self.assertEqual(self.server.call("CreateTable", {**streaming, "TableName": name})[0], 200)
        self.assertEqual(self.server.control("POST", "namespaces/main/reset")[1]["tables"], 0)
        self.assertEqual(self.server.tables(), [])
        headers = {"X-Amz-Target": "DynamoDBStreams_20120810.ListStreams", "Content-Type": "application/x-amz-json-1.0",
                   "X-Amz-Date": "20260101T000000Z", "Authorization": SIGNED.format("any")}
        self.assertEqual(json.loads(self.server.ask("POST", "/", {}, headers)[2]), {"Streams": []})

    def test_truncation_keeps_schemas(self):
        self.made(name="space")
        for name in ("Tab", "Other"):
            self.server.call("CreateTable", {**TABLE, "TableName": name}, namespace="space")
        described = self.server.call("DescribeTable", {"TableName": "Tab"}, namespace="space")[1]["Table"]["TableId"]
        for number in range(250):
            self.put(str(number), namespace="space")
        self.server.call("PutItem", {"TableName": "Other", "Item": {"pk": {"S": "a"}}}, namespace="space")
        self.assertEqual(self.server.control("POST", "namespaces/space/truncate", {"tables": ["Tab"]}), (200, {"items": 250}))
        self.assertEqual(self.count(namespace="space"), 0)
        self.assertEqual(self.server.control("POST", "namespaces/space/truncate"), (200, {"items": 1}))
        self.assertEqual(self.server.call("DescribeTable", {"TableName": "Tab"}, namespace="space")[1]["Table"]["TableId"], described)
        for body, part in (({"tables": []}, "'tables'"), ({"tables": "Tab"}, "'tables' must be"), ({"tables": [1]}, "'tables' must be"),
                           ({"tables": ["a"] * 1001}, "'tables' has more"), ({"tables": ["a" * 2000]}, "'tables'"), ({"table": "Tab"}, "unknown member 'table'")):
            self.refused(400, "POST", "namespaces/space/truncate", body, part)
        self.refused(404, "POST", "namespaces/space/truncate", {"tables": ["Tab", "None"]}, "'None'")
        self.refused(404, "POST", "namespaces/nobody/truncate")

    def backups(self, **where):
        summaries = self.server.call("ListBackups", {}, **where)[1]["BackupSummaries"]
        return [(summary["BackupName"], summary["BackupStatus"]) for summary in summaries]

    def test_backups_are_forgotten_with_all_else(self):
        self.made(name="space")
        self.addCleanup(self.server.control, "POST", "namespaces/main/reset")
        for where in ({"namespace": "space"}, {"namespace": "main"}):
            self.server.call("CreateTable", TABLE, **where)
            self.assertEqual(self.server.call("CreateBackup", {"TableName": "Tab", "BackupName": "kept"}, **where)[0], 200)
            self.server.control("POST", f"namespaces/{where['namespace']}/settle")
            self.assertEqual(self.backups(**where), [("kept", "AVAILABLE")])
        self.made(name="fork", **{"from": {"namespace": "space"}})
        self.server.control("POST", "namespaces/space/truncate", {"tables": ["Tab"]})
        self.assertEqual(self.backups(namespace="space"), [("kept", "AVAILABLE")])
        self.server.control("POST", "namespaces/space/truncate")
        self.assertEqual((self.backups(namespace="space"), self.backups(namespace="fork")), ([], [("kept", "AVAILABLE")]))
        self.server.call("CreateBackup", {"TableName": "Tab", "BackupName": "later"}, namespace="fork")
        self.server.control("POST", "namespaces/fork/reset")
        self.assertEqual(self.backups(namespace="fork"), [("kept", "AVAILABLE")])
        self.server.control("POST", "namespaces/main/reset")
        self.assertEqual(self.backups(namespace="main"), [])

    def test_settling(self):
        self.made(name="space")
        self.assertIn("waited", self.server.control("POST", "namespaces/space/settle")[1])
        self.assertEqual(self.server.control("POST", "namespaces/main/settle", {"timeout": "5s"})[0], 200)
        for timeout in (5, "5", "-1s", "601s", "1h", None):
            self.refused(400, "POST", "namespaces/main/settle", {"timeout": timeout}, "'timeout' must be")
        self.refused(404, "POST", "namespaces/nobody/settle")
        statuses = []
        threads = [threading.Thread(target=lambda: statuses.append(self.server.control("POST", "namespaces/main/settle")[0])) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(set(statuses), {200})

    def test_the_clock_of_each(self):
        self.made(name="space")
        self.assertEqual(self.server.control("GET", "namespaces/space/clock")[1]["offset"], "0")
        status, turned = self.server.control("PUT", "namespaces/space/clock", {"advance": "1d1h"})
        self.assertEqual((status, turned["offset"]), (200, "25h"))
        self.assertEqual(self.server.control("GET", "namespaces/main/clock")[1]["offset"], "0")
        noon = {"now": "2031-02-03T12:00:00.000Z"}
        self.assertEqual(self.server.control("PUT", "namespaces/space/clock", {"frozen": True})[1]["frozen"], True)
        for _ in range(2):
            self.assertEqual(self.server.control("PUT", "namespaces/space/clock", noon)[1]["now"], noon["now"])
        made = self.made(name="same", **{"from": {"namespace": "space"}})
        self.assertEqual(self.server.control("GET", "namespaces/same/clock")[1]["now"], noon["now"], made)
        self.assertEqual(self.server.control("PUT", "namespaces/space/clock", {"frozen": False})[1]["frozen"], False)
        self.assertEqual(self.server.control("DELETE", "namespaces/space/clock")[1]["offset"], "0")
        for body in ({"advance": "1s", "now": "2031-02-03T12:00:00Z"}, {"now": "1969-12-31T23:59:59Z"}, {"now": "10000-01-01T00:00:00Z"}, {"advance": "-60y"}):
            self.refused(400, "PUT", "namespaces/space/clock", body)
        for body in ({}, {"advance": 5}, {"advance": "soon"}, {"advance": "3000000d"}, {"advance": "-30000d"}, {"now": 5}, {"frozen": "yes"}, {"by": "1s"}):
            self.refused(400, "PUT", "namespaces/space/clock", body)
        self.refused(404, "PUT", "namespaces/nobody/clock", {"advance": "1s"})

    def test_status_and_statistics(self):
        status = self.server.control("GET", "status")[1]
        self.assertEqual((status["auth"], status["profile"], status["durable"], status["isolation"]), ("shape", "aws", False, "none"))
        self.server.call("ListTables", {})
        self.server.call("DescribeTable", {"TableName": "None"})
        told = self.server.control("GET", "statistics")[1]
        self.assertGreaterEqual(told["operations"]["ListTables"]["calls"], 1)
        self.assertGreaterEqual(told["operations"]["DescribeTable"]["errors"]["ResourceNotFoundException"], 1)
        for operation in told["operations"].values():
            self.assertEqual(sum(count for _, count in operation["buckets"]), operation["calls"])
            self.assertIsNone(operation["buckets"][-1][0])
        self.assertGreater(told["memory"]["resident_bytes"], 1 << 20)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
