"""agents_stdio_test.py <binary>: `magneto mcp`, an agent's process, with messages written by hand."""

import json
import signal
import sys
import tempfile
import unittest

from agent_client import StdioAgent, message
from agent_walk import STREAMED, properties_of, walk
from control_server import Server


class StdioTest(unittest.TestCase):
    def opened(self, *flags, **more):
        agent = StdioAgent(*flags, **more)
        self.addCleanup(agent.end)
        return agent

    def closed(self, agent):
        status, output, errors = agent.close()
        self.assertEqual((status, output), (0, b""), errors)
        return errors

    def session(self, agent):
        result = agent.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
        self.assertEqual((result["protocolVersion"], result["serverInfo"]["name"]), ("2025-06-18", "magneto"))
        agent.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return result

    def hostile(self, agent):
        """Texts that are no messages; the session goes on after each."""
        for text, code in ((b"junk\n", -32700), (b"[]\n", -32600), (b"{}\n", -32600),
                           (b"x" * ((1 << 20) + 1) + b"\n", -32600)):
            agent.write(text)
            answer = agent.read()
            self.assertEqual((answer["id"], answer["error"]["code"]), (None, code), text[:50])
        agent.write(b"\n \r\n")
        self.assertEqual(agent.ask("ping"), {})
        padded = json.dumps(message("ping")).encode()
        agent.write(padded + b" " * ((1 << 20) - len(padded)) + b"\n")
        self.assertEqual(agent.read()["result"], {})

    def test_own_server(self):
        agent = self.opened()
        endpoint = self.session(agent)["instructions"]
        self.assertIn("http://localhost:", endpoint)
        walk(self, agent)
        self.hostile(agent)
        self.assertIn("listening on", self.closed(agent))

    def test_own_server_keeps_data(self):
        with tempfile.TemporaryDirectory() as folder:
            for made in ([], ["Tab"]):
                agent = self.opened("--data-dir", folder)
                self.assertEqual(agent.call("list_tables")["structuredContent"], {"TableNames": made})
                if not made:
                    agent.call("create_table", **STREAMED)
                self.closed(agent)

    def test_running_server(self):
        server = Server("--control-token", "proof")
        self.addCleanup(server.stop)
        agent = self.opened("--endpoint", f"http://localhost:{server.port}", environment={"MAGNETO_CONTROL_TOKEN": "proof"})
        self.session(agent)
        walk(self, agent)
        self.hostile(agent)
        agent.call("create_table", **STREAMED)
        self.assertIn("Tab", server.tables())
        self.assertEqual(self.closed(agent), "")

    def test_running_server_with_a_wrong_token(self):
        server = Server("--control-token", "proof")
        self.addCleanup(server.stop)
        agent = self.opened("--endpoint", f"http://localhost:{server.port}", "--control-token", "wrong")
        error = agent.ask("ping")
        self.assertEqual((error["code"], "wrong token" in error["message"]), (-32603, True))
        self.closed(agent)

    def test_no_server(self):
        agent = self.opened("--endpoint", "http://localhost:1", "--control-token", "any")
        self.assertIn("cannot connect", agent.ask("ping")["message"])
        agent.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.assertIn("cannot connect", self.closed(agent))

    def test_read_only(self):
        server = Server("--control-token", "proof")
        self.addCleanup(server.stop)
        for flags in ((), ("--endpoint", f"http://localhost:{server.port}", "--control-token", "proof")):
            agent = self.opened("--read-only", *flags)
            self.assertNotIn("put_item", properties_of(agent))
            self.assertIn("read-only", agent.call("put_item")["message"])
            self.closed(agent)

    def test_a_signal_ends_it(self):
        agent = self.opened()
        self.assertEqual(agent.ask("ping"), {})
        agent.process.send_signal(signal.SIGTERM)
        self.assertEqual(agent.process.wait(timeout=120), 0)

    def test_a_last_message_without_line_feed(self):
        agent = self.opened()
        agent.write(json.dumps(message("ping")).encode())
        status, output, _ = agent.close()
        self.assertEqual((status, json.loads(output)["result"]), (0, {}))

    def test_wrong_use(self):
        for flags, part in ((("--endpoint", "http://localhost:1"), "--control-token"), (("--endpoint", "x", "--control-token", "t"), "x"),
                            (("--no-control",), "--no-control"), (("--mcp", "off"), "--mcp off"), (("--nope",), "--nope")):
            agent = self.opened(*flags)
            status, output, errors = agent.close()
            self.assertEqual((status, output), (2, b""), flags)
            self.assertIn(part, errors)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
