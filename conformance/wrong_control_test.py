"""A wrong request to /_/ is refused with a sentence and changes nothing, on every route.

wrong_control_test.py <magneto> [test ...]
"""

import json
import sys
import unittest

from control_server import TABLE, WithServer

# A value of each kind of JSON, by the kind's name.
KINDS = {"null": None, "boolean": True, "number": 1, "string": "text", "list": [], "object": {}}
LONG = "x" * 3000
NUMBERS = (-1, 0.5, 1e300, 10 ** 19, "1", True)
DURATIONS = (5, "", "soon", "-1s", "1y", "1s1", "s", "nan", "inf", "1e9d", "99999999999999999999d", "0x1s", " 1s", "1s ")
FAULT = {"latency": "1ms"}

# For each route with a body: the accepted types of each member, wrong values of each member, and wrong bodies.
ROUTES = {
    ("POST", "namespaces"): (
        {"name": ("string",), "from": ("object",), "port": ("boolean", "number"), "expires_after": ()},
        {"name": ("", "a b", "..", "a/b", "a" * 129, "\u00e4", "a\0"), "from": ({}, {"namespace": "main", "snapshot": "kept"},
         {"namespace": 1}, {"snapshot": None}, {"of": "main"}, {"namespace": ""}, {"namespace": "a b"}),
         "port": (0, -1, 65536, 1.5, 10 ** 19), "expires_after": (*DURATIONS, "366d", "1ns", "0s")}, ()),
    ("POST", "namespaces/space/reset"): ({}, {}, ()),
    ("POST", "namespaces/space/truncate"): (
        {"tables": ()}, {"tables": ([], [1], ["Tab", None], ["a"] * 1001, ["a" * 1025])}, ()),
    ("POST", "namespaces/space/schema"): (
        {"text": ("string",), "file": ("string",), "parameters": ("object",), "dry_run": ("boolean",), "region": ("string",),
         "access_key": ("string",)},
        {"text": ("", "junk", "{}x", "{\"TableName\": 1}", LONG), "parameters": ({"a": 1}, {"a": "b"}, {"a": None}),
         "region": ("", "no region", LONG)}, ({}, {"dry_run": True})),
    ("POST", "namespaces/space/copy"): (
        {"from": ("string",), "tables": (), "region": ("string",), "access_key": ("string",)},
        {"from": ("", "a b", "space", LONG), "tables": ([], [1], ["a"] * 1001), "region": ("", "no region")}, ({},)),
    ("POST", "namespaces/space/settle"): ({"timeout": ()}, {"timeout": (*DURATIONS, "601s")}, ()),
    ("POST", "namespaces/space/restore"): ({"snapshot": ("string",)}, {"snapshot": ("", "a b", LONG)}, ({},)),
    ("POST", "snapshots"): (
        {"name": ("string",), "namespace": ("string",)}, {"name": ("", "a b", "..", "a" * 129)}, ({}, {"namespace": "main"})),
    ("PUT", "namespaces/space/clock"): (
        {"now": (), "advance": (), "frozen": ("boolean",)},
        {"now": (5, "", "now", "2031-02-03", "1969-12-31T23:59:59Z", "10000-01-01T00:00:00Z", "2031-02-30T00:00:00Z",
                 "2031-02-03T12:00:00", "infinite-future", "2031-02-03T12:00:00Z x"),
         "advance": (5, "", "soon", "--1s", "+-1s", "3000000d", "-30000d", "-60y", "inf", "-inf", "99999999999999999999d")},
        ({}, {"now": "2031-02-03T12:00:00Z", "advance": "1s"}, {"frozen": False, "advance": "-30000d"},
         {"frozen": False, "now": "soon"})),
    ("PUT", "namespaces/space/journal"): (
        {"on": ("boolean",), "bodies": ("boolean",), "bytes": ("number",)},
        {"bytes": (1, 65535, (256 << 20) + 1, *NUMBERS)}, ({"on": False, "bytes": 1}, {"bodies": False, "on": "no"})),
    ("POST", "namespaces/space/journal/assert"): (
        {"after": ("number",), "assertions": ()},
        {"after": NUMBERS, "assertions": ([], [{}], [1], [{"no_scan": False}], [{"no_scan": None}], [{"no_scan": True, "no_errors": True}],
         [{"table": "Tab"}], [{"none": 1}], [{"no_scan": True, "table": 5}], [{"no_scan": True, "table": ""}],
         *[[{name: wrong}] for name in ("max_units", "max_read_units", "max_write_units", "max_read_per_returned")
           for wrong in (-1, "1", None, True, [], 1e300)],
         *[[{name: wrong}] for name in ("max_writes_per_key", "no_n_plus_one") for wrong in (-1, 0.5, "1", None, 10 ** 19)],
         [{"no_n_plus_one": 1}], [{"max_calls": 1}], [{"max_calls": {}}], [{"max_calls": {"count": -1}}],
         [{"max_calls": {"count": 1, "operation": "None"}}], [{"max_calls": {"count": 1, "of": 1}}], [{"max_calls": {"count": 1, "operation": 1}}],
         [{"only_tables": []}], [{"only_tables": "Tab"}], [{"only_tables": {}}], [{"no_errors": True}] * 101)}, ({}, {"after": 0})),
    ("PUT", "namespaces/space/consistency"): (
        {"index_lag": (), "replication_lag": (), "ttl_delay": (), "read_staleness": ("object",)},
        {"index_lag": (*DURATIONS, "25h", "Held", "hel"), "replication_lag": (*DURATIONS, "25h", "Held"), "ttl_delay": (*DURATIONS, "25h", "held"), "read_staleness": ("Held", "", {"probability": -0.1}, {"probability": 1.1},
         {"probability": "1"}, {"seed": -1}, {"seed": 1.5}, {"seed": "1"}, {"seed": 10 ** 19}, {"versions": 0}, {"versions": 1001},
         {"versions": 1.5}, {"versions": None}, {"held": True})},
        ({}, {"index_lag": "1h", "read_staleness": {"probability": 2}}, {"index_lag": "held", "read_staleness": {"versions": 0}})),
    ("POST", "namespaces/space/consistency/release"): ({"steps": ("number",)}, {"steps": (0, 1_000_001, *NUMBERS)}, ()),
    ("POST", "namespaces/space/faults"): (
        {"operations": (), "table": ("string",), "index": ("string",), "key": (), "access_key": ("string",),
         "probability": ("number",), "seed": ("number",), "skip": ("number",), "count": ("number",), "for": (), "fault": ()},
        {"operations": ([], ["None"], ["putitem"], [1], [None], ["PutItem"] * 101), "table": ("", LONG), "index": ("", LONG),
         "access_key": ("", LONG), "key": ({}, {"pk": ""}, {"pk": 1}, {"": "a"}, {"pk": "a" * 257}, {"pk": {"S": "a"}},
                                           {str(number): "a" for number in range(9)}),
         "probability": (-0.1, 1.1, "1", 1e300), "seed": (*NUMBERS, 1 << 53), "skip": (*NUMBERS, 10 ** 13),
         "count": (0, *NUMBERS), "for": (*DURATIONS, "366d"),
         "fault": ({}, {"drop": "before", "latency": "1s"}, {"message": "a"}, {"none": 1}, {"drop": "now"}, {"drop": 1},
                   {"error": ""}, {"error": "None"}, {"error": 1}, {"error": "throttlingexception"}, {"error": "ThrottlingException", "status": 399},
                   {"error": "ThrottlingException", "status": 600}, {"error": "ThrottlingException", "status": "500"},
                   {"error": "ThrottlingException", "message": ""}, {"error": "ThrottlingException", "message": LONG},
                   {"error": "ThrottlingException", "reasons": []}, {"error": "ThrottlingException", "reasons": ["None"]},
                   {"error": "ThrottlingException", "reasons": [{"code": "None"}]}, {"error": "InternalServerError", "reasons": ["None"]},
                   {"error": "TransactionCanceledException", "reasons": ["Conflict"]}, {"error": "TransactionCanceledException", "reasons": [{}]},
                   {"error": "TransactionCanceledException", "reasons": "None"}, {"drop": "before", "status": 500},
                   {"drop": "before", "message": "a"}, {"latency": 5}, {"latency": "16m"}, {"latency": "-1s"}, {"latency": {}},
                   {"latency": {"min": "1s"}}, {"latency": {"min": "2s", "max": "1s"}}, {"latency": {"min": "1s", "p99": "2s"}},
                   {"latency": {"p50": "0s", "p99": "1s"}}, {"latency": {"p50": "2s", "p99": "1s"}}, {"latency": {"min": 1, "max": 2}},
                   *[{name: wrong} for name in ("truncate", "unprocessed") for wrong in (0, -1, 1.01, "1", None, 1e-9)])},
        ({}, {"operations": ["PutItem"]}, {"operations": ["PutItem"], "fault": {"unprocessed": 1}},
         {"operations": ["PutItem"], "fault": {"error": "TransactionCanceledException"}},
         {"fault": FAULT, "operations": ["PutItem", "None"]},
         {"fault": {"error": "TransactionCanceledException", "reasons": [{"code": "None", "message": "m" * 2000}] * 5}})),
}
# The rest of a request with only one member's value.
REST = {("POST", "namespaces/space/schema"): {"text": json.dumps(TABLE | {"TableName": "New"})}, ("POST", "namespaces/space/copy"): {"from": "main"},
        ("POST", "namespaces/space/faults"): {"fault": FAULT}, ("POST", "snapshots"): {"name": "made"},
        ("POST", "namespaces/space/journal/assert"): {"assertions": [{"no_scan": True}]}}
WITHOUT_BODY = (
    ("GET", "status"), ("GET", "statistics"), ("GET", "namespaces"), ("GET", "namespaces/space"), ("DELETE", "namespaces/space"),
    ("GET", "snapshots"), ("GET", "snapshots/kept"), ("DELETE", "snapshots/kept"), ("GET", "namespaces/space/clock"),
    ("DELETE", "namespaces/space/clock"), ("GET", "namespaces/space/faults"), ("DELETE", "namespaces/space/faults"),
    ("DELETE", "namespaces/space/faults/f1"), ("GET", "namespaces/space/journal"), ("DELETE", "namespaces/space/journal"),
    ("GET", "namespaces/space/consistency"), ("DELETE", "namespaces/space/consistency"), ("POST", "namespaces/space/reset"))


class WrongRequestsTest(WithServer):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        control, call = cls.server.control, cls.server.call
        control("POST", "namespaces", {"name": "space"})
        call("CreateTable", TABLE, namespace="space")
        control("POST", "snapshots", {"name": "kept", "namespace": "space"})
        for method, path, body in (("PUT", "clock", {"now": "2031-02-03T12:00:00Z", "frozen": True}),
                                   ("POST", "faults", {"operations": ["ListTables"], "fault": FAULT}),
                                   ("PUT", "journal", {"on": True, "bodies": True}),
                                   ("PUT", "consistency", {"index_lag": "5s", "read_staleness": {"seed": 3}})):
            status, answer = control(method, "namespaces/space/" + path, body)
            if status not in (200, 201):
                raise AssertionError(answer)
        call("PutItem", {"TableName": "Tab", "Item": {"pk": {"S": "a"}}}, namespace="space")
        call("PutItem", {"TableName": "Tab", "Item": {"pk": {"S": "b"}}}, namespace="space")

    def setUp(self):
        before = self.state()
        self.addCleanup(lambda: self.assertEqual(self.state(), before))

    def state(self):
        """All that a control request may change."""
        told = [self.server.control("GET", path) for path in (
            "namespaces", "snapshots", *(f"namespaces/space/{setting}" for setting in ("clock", "faults", "journal", "consistency")))]
        for space in told[0][1]["namespaces"]:
            del space["memory_bytes"]
        del told[2][1]["offset"]  # real time passes
        return [answer for status, answer in told if status == 200 or self.fail(answer)]

    def wrong(self, method, path, body, status=400):
        with self.subTest(method=method, path=path, body=str(body)[:200]):
            got, answer = self.server.control(method, path, body)
            self.assertEqual((got, list(answer)), (status, ["error"]), answer)
            self.assertRegex(answer["error"], r"\w.* \w.* \w")

    def test_members_of_another_kind(self):
        for route, (members, _, _) in ROUTES.items():
            for name, kinds in members.items():
                for kind, value in KINDS.items():
                    if kind not in kinds:
                        self.wrong(*route, REST.get(route, {}) | {name: value})

    def test_values_out_of_bounds(self):
        for route, (_, wrong, bodies) in ROUTES.items():
            for name, values in wrong.items():
                for value in values:
                    self.wrong(*route, REST.get(route, {}) | {name: value})
            for body in bodies:
                self.wrong(*route, body)

    def test_members_that_are_not_known_or_twice(self):
        for route, (members, _, _) in ROUTES.items():
            rest = REST.get(route, {})
            for name in ("none", "", "Name", "x" * 2000, "\u00e4" * 90):
                self.wrong(*route, rest | {name: 1})
            for name in members:
                value = json.dumps(rest.get(name, "a"))
                self.wrong(*route, f'{{"{name}": {value}, "{name}": {value}}}'.encode())

    def test_bodies_that_are_no_object(self):
        for method, path in {**dict.fromkeys(ROUTES), **dict.fromkeys(WITHOUT_BODY)}:
            for body in (b"{", b"[]", b"1", b"null", b'"a"', b"{} {}", b"\xff", b'{"a": \x00}', b"[" * 10000, b"{'a': 1}"):
                self.wrong(method, path, body)
            self.wrong(method, path, b" " * (1 << 20) + b"{}", 413)

    def test_bodies_and_queries_where_none_is_known(self):
        for method, path in WITHOUT_BODY:
            self.wrong(method, path, {"a": 1})
        for method, path in {**dict.fromkeys(ROUTES), **dict.fromkeys(WITHOUT_BODY)}:
            body = {"fault": FAULT} if path.endswith("faults") and method == "POST" else None
            for query in ("?x=1", "?x", "?after=1&x=2", "?%00=1"):
                self.wrong(method, path + query, body)

    def test_queries_of_the_journal(self):
        for query in ("after=-1", "after=x", "after=", "after=1&after=2", "after=99999999999999999999", "limit=-1", "limit=x", "limit=0.5",
                      "status=600", "status=x", "status=-1", "wait=5", "wait=soon", "wait=-1s", "wait=61s", "wait=inf", "format=xml",
                      "format=", "format=json&format=jsonl"):
            self.wrong("GET", "namespaces/space/journal?" + query, None)

    def test_names_that_nobody_has(self):
        for method, path in {**dict.fromkeys(ROUTES), **dict.fromkeys(WITHOUT_BODY)}:
            if "/space" not in path:
                continue
            # A path is looked at before its members.
            valid = {"restore": {"snapshot": "kept"}, "clock": {"frozen": True}, "consistency": {"index_lag": "1s"}, "faults": {"fault": FAULT},
                     "assert": {"assertions": [{"no_scan": True}]}}.get(path.split("/")[-1]) if method in ("PUT", "POST") else None
            self.wrong(method, path.replace("/space", "/nobody"), valid, 404)
            self.wrong(method, path.replace("/space", "/a%20b"), valid, 400)
            self.wrong(method, path.replace("/space", "//space"), valid, 404)
        self.wrong("DELETE", "namespaces/space/faults/f99", None, 404)
        self.wrong("GET", "snapshots/none", None, 404)
        self.wrong("DELETE", "snapshots/none", None, 404)
        self.wrong("POST", "namespaces/space/restore", {"snapshot": "none"}, 404)
        self.wrong("POST", "namespaces", {"from": {"namespace": "nobody"}}, 404)
        self.wrong("POST", "namespaces/space/truncate", {"tables": ["Tab", "None"]}, 404)

    def test_methods_that_a_path_does_not_take(self):
        paths = {path for _, path in {**dict.fromkeys(ROUTES), **dict.fromkeys(WITHOUT_BODY)}}
        taken = {*ROUTES, *WITHOUT_BODY}
        for path in paths:
            for method in ("GET", "POST", "PUT", "DELETE", "PATCH"):
                if (method, path) not in taken:
                    self.wrong(method, path, None, 405)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
