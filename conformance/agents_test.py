"""agents_test.py <binary>: agents by the Model Context Protocol, with requests written by hand."""

import json
import os
import re
import sys
import tempfile
import unittest

from agent_client import ACCEPT, HttpAgent, StdioAgent, message, tool_message
from agent_walk import KEY, STREAMED, TEMPLATE, properties_of, walk
from control_case import on_demand
from control_server import Server, WithServer

KINDS = {"null": None, "boolean": True, "integer": 7, "number": 1.5, "string": "x", "array": [1], "object": {"x": 1}}

class WithAgent(WithServer):
    flags = ("--control-token", "proof")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server.token = "proof"
        cls.agent = HttpAgent(cls.server)


class TransportTest(WithAgent):
    def error(self, status, code, body, **headers):
        got, fields, text = self.agent.post(body, **headers)
        self.assertEqual((got, fields["Content-Type"]), (status, "application/json"), text)
        answer = json.loads(text)
        self.assertEqual((answer["jsonrpc"], answer["error"]["code"]), ("2.0", code), answer)
        self.assertRegex(answer["error"]["message"], r"\w.* \w.* \w")
        return answer

    def test_token_host_and_origin(self):
        for token in (None, "Bearer", "Bearer wrong", "Basic proof"):
            status, _, text = self.agent.post(message("ping"), Authorization=token)
            self.assertEqual((status, list(json.loads(text))), (401, ["error"]))
        for fields in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "http://localhost:3000"},
                       {"Host": "evil.example"}):
            self.assertEqual(self.agent.post(message("ping"), **fields)[0], 403, fields)
        own = f"http://localhost:{self.server.port}"
        self.assertEqual(self.agent.post(message("ping"), Origin=own)[0], 200)

    def test_methods_of_http(self):
        for method in ("GET", "PUT", "DELETE", "HEAD"):
            status, headers, _ = self.server.ask(method, "/_/mcp")
            self.assertEqual((status, headers["Allow"]), (405, "POST"), method)
        self.assertEqual(self.server.ask("GET", "/_/mcp", token=False)[0], 401)

    def test_accept(self):
        for accept in (ACCEPT, "application/json", "*/*", "text/html, application/*;q=0.1", "APPLICATION/JSON", None):
            self.assertEqual(self.agent.post(message("ping"), Accept=accept)[0], 200, accept)
        for accept in ("text/event-stream", "text/html", "", "application/jsonx"):
            self.error(406, -32600, message("ping"), Accept=accept)

    def test_versions(self):
        for version in ("2025-11-25", "2025-06-18", "2025-03-26", None):
            self.assertEqual(self.agent.post(message("ping"), MCP_Protocol_Version=version)[0], 200)
        for version in ("2024-11-05", "", "x" * 1000):
            self.error(400, -32600, message("ping"), MCP_Protocol_Version=version)

    def test_queries(self):
        for query, status in (("?read_only=true", 200), ("?read_only=false", 200), ("?read_only=1", 400),
                              ("?readonly=true", 400), ("?read_only=true&x=y", 400), ("?", 200)):
            self.assertEqual(HttpAgent(self.server, query).post(message("ping"))[0], status, query)

    def test_notifications_and_answers_get_no_body(self):
        for body in ({"jsonrpc": "2.0", "method": "notifications/initialized"},
                     {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
                     {"jsonrpc": "2.0", "id": 5, "result": {}}, {"jsonrpc": "2.0", "id": 5, "error": {"code": 1, "message": ""}}):
            status, headers, text = self.agent.post(body)
            self.assertEqual((status, text, headers["Content-Type"]), (202, b"", None), body)

    def test_malformed_bodies(self):
        for body in (b"", b"{", b"\xff", b'{"jsonrpc":"2.0","id":1,"method":"ping"}x', b"[" * 10_000):
            self.assertIsNone(self.error(400, -32700, body)["id"])
        for body in (b"1", b"null", b'"ping"', {}, {"jsonrpc": "2.0", "id": None, "method": "ping"},
                     {"jsonrpc": "2.0", "id": [1], "method": "ping"}):
            self.error(400, -32600, body)
        self.error(200, -32601, message("tools/callx"))
        self.error(200, -32602, {**message("tools/list"), "params": [1]})
        self.error(400, -32600, message("ping"), Content_Encoding="gzip")

    def test_batches(self):
        batch = [message("ping", number="a"), {"jsonrpc": "2.0", "method": "x"}, message("nothing", number=2)]
        status, _, text = self.agent.post(batch, MCP_Protocol_Version="2025-03-26")
        first, second = json.loads(text)
        self.assertEqual((status, first, second["id"], second["error"]["code"]),
                         (200, {"jsonrpc": "2.0", "id": "a", "result": {}}, 2, -32601))
        self.assertEqual(self.agent.post(batch[1:2], MCP_Protocol_Version="2025-03-26")[0], 202)
        self.error(400, -32600, [], MCP_Protocol_Version="2025-03-26")
        self.error(400, -32600, batch, MCP_Protocol_Version="2025-06-18")

    def test_long_bodies(self):
        limit = 1 << 20
        padded = json.dumps(message("ping")).encode()
        status, _, text = self.agent.post(padded + b" " * (limit - len(padded)))
        self.assertEqual((status, json.loads(text)["result"]), (200, {}))
        self.error(413, -32600, padded + b" " * (limit - len(padded) + 1))


class ToolsTest(WithAgent):
    def refused(self, part, tool, **arguments):
        result = self.agent.call(tool, **arguments)
        self.assertIs(result.get("isError"), True, (tool, arguments, result))
        self.assertIn(part, result["content"][0]["text"])

    def test_every_tool(self):
        walk(self, self.agent)

    def test_members_of_another_kind(self):
        self.agent.call("create_namespace", name="kinds")
        self.addCleanup(self.agent.call, "delete_namespace", name="kinds")
        for name, properties in properties_of(self.agent).items():
            # Some operations of DynamoDB read texts as numbers, null as no value, and the like.
            is_strict = "region" not in properties or name in ("import_schema", "copy_tables", "explain", "read_changes")
            for member, schema in properties.items():
                kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
                for kind in KINDS.keys() - set(kinds) - ({"integer"} if "number" in kinds else set()):
                    where = {"namespace": "kinds"} if "namespace" in properties else {}
                    result = self.agent.call(name, **{**where, member: KINDS[kind]})
                    self.assertNotIn("InternalServerError", str(result))
                    if is_strict or kind in ("array", "object"):
                        self.assertIs(result.get("isError"), True, (name, member, kind, result))

    def test_unknown_members(self):
        for name, properties in properties_of(self.agent).items():
            self.assertNotIn("nope", properties)
            self.refused("'nope'", name, nope=1)
        self.refused("'Typo' in RequestItems", "batch_write_item",
                     RequestItems={"Tab": [{"PutRequest": {"Item": KEY}, "Typo": 1}]})
        self.refused("'KeyTyp' in KeySchema", "create_table", KeySchema=[{"AttributeName": "pk", "KeyTyp": "HASH"}])

    def test_errors_are_the_services(self):
        self.refused("ResourceNotFoundException: Requested resource not found", "get_item", TableName="None", Key=KEY)
        self.refused("no namespace", "get_item", TableName="Tab", Key=KEY, namespace="missing")
        self.refused("'fault' is missing", "add_fault")
        self.refused("give \"now\"", "set_clock")
        self.refused("template.yaml:5: the parameter Name", "import_schema", text=TEMPLATE, file="template.yaml")
        self.refused("another namespace", "copy_tables", **{"from": "main"})
        for params, code in (({}, -32602), ({"name": 7}, -32602), ({"name": "none"}, -32602),
                             ({"name": "scan", "arguments": []}, -32602)):
            self.assertEqual(self.agent.ask("tools/call", params)["code"], code, params)

    def test_dry_run_and_existing_tables(self):
        name = {"parameters": {"Name": "Dry"}, "text": TEMPLATE}
        tried = self.agent.call("import_schema", dry_run=True, **name)["structuredContent"]
        self.assertEqual((tried["tables"], tried["made"], tried["dry_run"]), (["Dry"], 1, True))
        self.assertNotIn("Dry", self.server.tables())
        self.assertEqual(self.agent.call("import_schema", **name)["structuredContent"]["made"], 1)
        self.assertEqual(self.agent.call("import_schema", **name)["structuredContent"]["made"], 0)
        self.refused("Dry", "import_schema", parameters={"Name": "Dry"}, text=TEMPLATE.replace("AttributeType: S", "AttributeType: N"))
        self.assertEqual(len(self.server.control("GET", "namespaces")[1]["namespaces"]), 1)

    def test_read_only(self):
        agent = HttpAgent(self.server, "?read_only=true")
        offered = {tool["name"] for tool in agent.ask("tools/list")["tools"]}
        for tool in self.agent.ask("tools/list")["tools"]:
            hints = tool["annotations"]
            self.assertEqual(tool["name"] in offered, hints["readOnlyHint"])
            self.assertFalse(hints["readOnlyHint"] and hints["destructiveHint"], tool["name"])
            if tool["name"] not in offered:
                self.assertIn("read-only", agent.call(tool["name"])["message"])

    def test_faults_reach_agents(self):
        self.agent.call("create_namespace", name="faulty")
        self.addCleanup(self.agent.call, "delete_namespace", name="faulty")
        for fault, part in (({"error": "ThrottlingException"}, "ThrottlingException"), ({"drop": "before"}, "nothing was done"),
                            ({"drop": "after"}, "was carried out"), ({"truncate": 0.5}, "within the answer")):
            self.agent.call("add_fault", namespace="faulty", operations=["ListTables"], fault=fault)
            self.refused(part, "list_tables", namespace="faulty")
            self.agent.call("clear_faults", namespace="faulty")

    def test_changes_in_pages(self):
        self.agent.call("create_namespace", name="changes")
        self.addCleanup(self.agent.call, "delete_namespace", name="changes")
        self.agent.call("create_table", namespace="changes", **STREAMED)
        for number in range(10):
            self.agent.call("put_item", namespace="changes", TableName="Tab", Item={"pk": {"S": str(number)}})
        page = self.agent.call("read_changes", namespace="changes", table="Tab", limit=4)["structuredContent"]
        seen = page["records"]
        while page["records"]:
            page = self.agent.call("read_changes", namespace="changes", next=page["next"], limit=4)["structuredContent"]
            self.assertLessEqual(len(page["records"]), 4)
            seen = seen + page["records"]
        self.assertEqual(sorted(record["dynamodb"]["Keys"]["pk"]["S"] for record in seen), [str(n) for n in range(10)])
        self.refused("give one of table and next", "read_changes", namespace="changes")

    def test_resources(self):
        self.server.call("CreateTable", on_demand("Described", "pk"))
        listed = self.agent.ask("resources/list")["resources"]
        uri = next(resource["uri"] for resource in listed if resource["name"] == "Described")
        text = self.agent.ask("resources/read", {"uri": uri})["contents"][0]["text"]
        self.assertEqual(json.loads(text)["Table"]["TableName"], "Described")
        self.assertEqual(self.agent.ask("resources/read", {"uri": uri + "x"})["code"], -32002)
        self.assertEqual(len(self.agent.ask("resources/templates/list")["resourceTemplates"]), 1)

    def test_ten_thousand_calls(self):
        self.server.call("CreateTable", on_demand("Many", "pk"))
        before = self.server.resident()
        batch = [tool_message("put_item", {"TableName": "Many", "Item": {"pk": {"S": str(number)}}}, number) for number in range(100)]
        for _ in range(100):
            status, _, text = self.agent.post(batch, MCP_Protocol_Version="2025-03-26")
            answers = json.loads(text)
            self.assertEqual((status, len(answers)), (200, 100))
            self.assertTrue(all(answer["result"]["isError"] is False for answer in answers))
        self.assertLess(self.server.resident() - before, 64 << 20)


class FlagTest(unittest.TestCase):
    def served(self, *flags):
        server = Server("--control-token", "proof", *flags)
        server.token = "proof"
        self.addCleanup(server.stop)
        return HttpAgent(server)

    def test_read_only_server(self):
        agent = self.served("--mcp", "read-only")
        self.assertNotIn("put_item", properties_of(agent))
        self.assertIn("read-only", agent.call("delete_table", TableName="Tab")["message"])
        agent.path = "/_/mcp?read_only=false"
        self.assertIn("read-only", agent.call("delete_table", TableName="Tab")["message"])

    def test_off(self):
        status, _, text = self.served("--mcp", "off").post(message("ping"))
        self.assertEqual((status, "--mcp off" in json.loads(text)["error"]["message"]), (404, True))

    def test_isolated_regions(self):
        agent = self.served("--isolate", "region")
        agent.call("create_table", region="eu-west-1", **on_demand("There", "pk"))
        self.assertEqual(agent.call("list_tables")["structuredContent"], {"TableNames": []})
        self.assertEqual(agent.call("list_tables", region="eu-west-1")["structuredContent"], {"TableNames": ["There"]})

    def test_isolated_keys(self):
        agent = self.served("--isolate", "credentials")
        agent.call("create_table", access_key="mine", **on_demand("Mine", "pk"))
        agent.call("import_schema", access_key="mine", text=TEMPLATE, parameters={"Name": "Orders"})
        self.assertEqual(agent.call("list_tables")["structuredContent"], {"TableNames": []})
        mine = agent.call("list_tables", access_key="mine")["structuredContent"]
        self.assertEqual(mine, {"TableNames": ["Mine", "Orders"]})


class DocumentsTest(WithAgent):
    """docs/agents.md has every tool, and configurations that work."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs")
        cls.pages = {}
        for name in ("agents.md", "agents/SKILL.md", "llms.txt"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                cls.pages[name] = file.read()
        cls.folder = folder

    def test_tools(self):
        table = self.pages["agents.md"].split("\n## Tools\n")[1].split("\n\n")[0]
        named = re.findall(r"`(\w+)`", table)
        self.assertEqual(sorted(named), sorted(properties_of(self.agent)))

    def test_skill_names_tools(self):
        front, body = self.pages["agents/SKILL.md"].split("---\n")[1:]
        self.assertRegex(front, r"^name: magneto\ndescription: .+\n$")
        properties = properties_of(self.agent)
        for name in re.findall(r"`([a-z]+_[a-z_]+)`", body):
            self.assertIn(name, {*properties, "expires_after", "no_scan", "max_units", "no_n_plus_one"})

    def test_configurations(self):
        blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", self.pages["agents.md"], re.S)]
        self.assertEqual(len(blocks), 6)
        for block in blocks:
            (entry,) = next(iter(block.values())).values()
            if "url" in entry:
                self.assertEqual(entry["url"], "http://localhost:8000/_/mcp")
                headers = {name: value.replace("TOKEN", "proof") for name, value in entry["headers"].items()}
                self.assertEqual(self.agent.post(message("ping"), **headers)[0], 200)
                continue
            self.assertEqual((entry["command"], entry["args"][0]), ("magneto", "mcp"))
            with tempfile.NamedTemporaryFile("w", suffix=".yaml") as template:
                template.write(TEMPLATE.replace("{Name: {Type: String}}", "{Name: {Type: String, Default: Orders}}"))
                template.flush()
                agent = StdioAgent(*(template.name if word == "template.yaml" else word for word in entry["args"][1:]))
                self.addCleanup(agent.end)
                self.assertEqual(agent.ask("ping"), {})
                self.assertEqual(agent.close()[0], 0)

    def test_index(self):
        links = re.findall(r"\]\(([^)]+)\)", self.pages["llms.txt"])
        self.assertGreater(len(links), 10)
        for link in links:
            self.assertTrue(os.path.exists(os.path.join(self.folder, link)), link)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
