"""The client library of Python, by HTTP and with a process of its own.

MAGNETO_BINARY, MAGNETO_ENDPOINT and MAGNETO_CONTROL_TOKEN name both.
"""

import contextlib
import json
import os
import sys
import unittest

from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

BINARY = os.environ["MAGNETO_BINARY"]
ENDPOINT = os.environ["MAGNETO_ENDPOINT"]
TOKEN = os.environ["MAGNETO_CONTROL_TOKEN"]
TABLE = {"TableName": "Orders", "BillingMode": "PAY_PER_REQUEST",
         "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
         "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}
KEY = {"pk": {"S": "a"}}


@contextlib.asynccontextmanager
async def by_http():
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with streamablehttp_client(f"{ENDPOINT}/_/mcp", headers=headers) as (reader, writer, _), ClientSession(reader, writer) as session:
        yield session


@contextlib.asynccontextmanager
async def by_process(*flags):
    started = StdioServerParameters(command=BINARY, args=["mcp", *flags], env={"MAGNETO_CONTROL_TOKEN": TOKEN})
    with open(os.devnull, "w", encoding="utf-8") as errors:
        async with stdio_client(started, errlog=errors) as (reader, writer), ClientSession(reader, writer) as session:
            yield session


class ClientTest(unittest.IsolatedAsyncioTestCase):
    async def walk(self, session, namespace):
        about = await session.initialize()
        self.assertEqual((about.serverInfo.name, about.protocolVersion), ("magneto", "2025-11-25"))
        tools = (await session.list_tools()).tools
        self.assertGreater(len(tools), 40)
        self.assertTrue(all(tool.annotations.readOnlyHint is not None for tool in tools))
        await session.send_ping()

        await session.call_tool("create_namespace", {"name": namespace})
        await session.call_tool("create_table", {"namespace": namespace, **TABLE})
        put = await session.call_tool("put_item", {"namespace": namespace, "TableName": "Orders", "Item": KEY})
        self.assertFalse(put.isError)
        got = await session.call_tool("get_item", {"namespace": namespace, "TableName": "Orders", "Key": KEY})
        self.assertEqual(got.structuredContent, {"Item": KEY})
        self.assertEqual(json.loads(got.content[0].text), {"Item": KEY})
        failed = await session.call_tool("get_item", {"namespace": namespace, "TableName": "None", "Key": KEY})
        self.assertTrue(failed.isError)
        self.assertIn("ResourceNotFoundException", failed.content[0].text)
        with self.assertRaises(McpError) as refused:
            await session.call_tool("no_tool", {})
        self.assertEqual(refused.exception.error.code, -32602)

        await session.call_tool("create_table", {**TABLE, "TableName": f"Table-{namespace}"})
        found = [resource for resource in (await session.list_resources()).resources if resource.name == f"Table-{namespace}"]
        read = await session.read_resource(found[0].uri)
        self.assertEqual(json.loads(read.contents[0].text)["Table"]["TableName"], f"Table-{namespace}")
        await session.call_tool("delete_namespace", {"name": namespace})

    async def test_http(self):
        async with by_http() as session:
            await self.walk(session, "python-http")

    async def test_own_server(self):
        async with by_process() as session:
            await self.walk(session, "python-own")

    async def test_running_server(self):
        async with by_process("--endpoint", ENDPOINT) as session:
            await self.walk(session, "python-bridge")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
