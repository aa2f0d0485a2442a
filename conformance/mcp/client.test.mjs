// The client library of TypeScript, by HTTP and with a process of its own: MAGNETO_BINARY, MAGNETO_ENDPOINT and
// MAGNETO_CONTROL_TOKEN name both.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const endpoint = process.env.MAGNETO_ENDPOINT;
const headers = { Authorization: `Bearer ${process.env.MAGNETO_CONTROL_TOKEN}` };
const table = {
  TableName: 'Orders',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
};
const key = { pk: { S: 'a' } };

const transports = {
  http: () => new StreamableHTTPClientTransport(new URL(`${endpoint}/_/mcp`), { requestInit: { headers } }),
  stdio: () => new StdioClientTransport({ command: process.env.MAGNETO_BINARY, args: ['mcp'], stderr: 'ignore' }),
  bridge: () => new StdioClientTransport({
    command: process.env.MAGNETO_BINARY,
    args: ['mcp', '--endpoint', endpoint],
    env: { MAGNETO_CONTROL_TOKEN: process.env.MAGNETO_CONTROL_TOKEN },
  }),
};

for (const [name, open] of Object.entries(transports)) {
  test(name, async (suite) => {
    const client = new Client({ name: 'conformance', version: '1' });
    const call = async (tool, args = {}) => client.callTool({ name: tool, arguments: args });
    const namespace = `of-${name}`;
    before(() => client.connect(open()));
    after(() => client.close());

    await suite.test('agrees on a version, and names its capabilities', () => {
      assert.equal(client.getServerVersion().name, 'magneto');
      assert.deepEqual(Object.keys(client.getServerCapabilities()).sort(), ['resources', 'tools']);
      assert.match(client.getInstructions(), /http:\/\/(localhost|127)/);
    });

    await suite.test('lists tools that the library accepts', async () => {
      const { tools } = await client.listTools();
      assert.ok(tools.length > 40);
      for (const tool of tools) {
        assert.equal(tool.inputSchema.type, 'object', tool.name);
        assert.equal(typeof tool.annotations.readOnlyHint, 'boolean', tool.name);
      }
      await client.ping();
    });

    await suite.test('calls tools', async () => {
      await call('create_namespace', { name: namespace });
      await call('create_table', { namespace, ...table });
      const put = await call('put_item', { namespace, TableName: 'Orders', Item: { ...key, n: { N: '1' } } });
      assert.equal(put.isError, false);
      const got = await call('get_item', { namespace, TableName: 'Orders', Key: key });
      assert.deepEqual(got.structuredContent, { Item: { ...key, n: { N: '1' } } });
      assert.deepEqual(JSON.parse(got.content[0].text), got.structuredContent);
      const explained = await call('explain', { namespace, operation: 'Scan', request: { TableName: 'Orders' } });
      assert.equal(explained.structuredContent.record.plan.read, 1);
    });

    await suite.test('tells failures of tools from errors of the protocol', async () => {
      const failed = await call('get_item', { namespace, TableName: 'None', Key: key });
      assert.equal(failed.isError, true);
      assert.match(failed.content[0].text, /^ResourceNotFoundException: /);
      await assert.rejects(call('no_tool'), { code: -32602 });
      await assert.rejects(client.setLoggingLevel('debug'));
    });

    await suite.test('reads resources', async () => {
      await call('create_table', { ...table, TableName: `Table-${name}` });
      const { resources } = await client.listResources();
      const found = resources.find((resource) => resource.name === `Table-${name}`);
      const { contents } = await client.readResource({ uri: found.uri });
      assert.equal(JSON.parse(contents[0].text).Table.TableName, `Table-${name}`);
      await assert.rejects(client.readResource({ uri: 'magneto://main/tables/None' }), { code: -32002 });
      assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1);
    });

    await suite.test('answers calls that are made at once', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, number) => (
        call('put_item', { namespace, TableName: 'Orders', Item: { pk: { S: String(number) } } }))));
      assert.ok(answers.every((answer) => answer.isError === false));
      const counted = await call('scan', { namespace, TableName: 'Orders', Select: 'COUNT' });
      assert.equal(counted.structuredContent.Count, 51);
    });
  });
}

test('a wrong token ends the connection', async () => {
  const client = new Client({ name: 'conformance', version: '1' });
  const wrong = { requestInit: { headers: { Authorization: 'Bearer wrong' } } };
  await assert.rejects(client.connect(new StreamableHTTPClientTransport(new URL(`${endpoint}/_/mcp`), wrong)));
});
