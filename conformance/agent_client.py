"""A client of the Model Context Protocol without a library: over HTTP, and over a process's standard streams."""

import json
import os
import subprocess

from control_server import BINARY, KEPT_VARIABLES

VERSION = "2025-06-18"
ACCEPT = "application/json, text/event-stream"
PATIENCE_SECONDS = 120


def message(method, params=None, number=1):
    return {"jsonrpc": "2.0", "id": number, "method": method, **({} if params is None else {"params": params})}


def tool_message(name, arguments, number=1):
    return message("tools/call", {"name": name, "arguments": arguments}, number)


class HttpAgent:
    def __init__(self, server, query=""):
        self.server = server
        self.path = "/_/mcp" + query

    def post(self, body, **headers):
        """Status, headers and text of the answer to a body: bytes, or what becomes JSON."""
        fields = {"Content-Type": "application/json", "Accept": ACCEPT, "MCP-Protocol-Version": VERSION}
        fields.update({name.replace("_", "-"): value for name, value in headers.items()})
        return self.server.ask("POST", self.path, body, fields)

    def ask(self, method, params=None):
        """The result, or the error."""
        status, _, text = self.post(message(method, params))
        answer = json.loads(text)
        if status != 200 or answer["id"] != 1:
            raise AssertionError((method, status, answer))
        return answer.get("result") or answer.get("error") or answer["result"]

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})


class StdioAgent:
    """A process of `magneto mcp`."""

    def __init__(self, *flags, environment=None):
        kept = {name: os.environ[name] for name in (*KEPT_VARIABLES, "TMPDIR") if name in os.environ}
        self.process = subprocess.Popen([BINARY, "mcp", *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env={**kept, **(environment or {})})

    def write(self, text):
        self.process.stdin.write(text if isinstance(text, bytes) else json.dumps(text).encode() + b"\n")
        self.process.stdin.flush()

    def read(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, method, params=None):
        self.write(message(method, params))
        answer = self.read()
        return answer["result"] if "result" in answer else answer["error"]

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def end(self):
        self.process.kill()
        with self.process:  # closes its streams
            pass

    def close(self):
        """Ends the input. The exit status, and the rest of standard output and standard error."""
        output, errors = self.process.communicate(timeout=PATIENCE_SECONDS)
        return self.process.returncode, output, errors.decode()
