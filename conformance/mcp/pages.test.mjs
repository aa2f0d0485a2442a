// The JSON for agents of README.md and docs/agents.md: MCP's client starts, or asks, the server that each block names.
// MAGNETO_BINARY, MAGNETO_ENDPOINT and MAGNETO_CONTROL_TOKEN stand for the installed program and for the running server.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const template = `Resources:
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: Orders
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions: [{AttributeName: pk, AttributeType: S}]
      KeySchema: [{AttributeName: pk, KeyType: HASH}]
`;
const sources = fileURLToPath(new URL('../../', import.meta.url));
const project = mkdtempSync(path.join(tmpdir(), 'magneto-pages-'));
after(() => rmSync(project, { recursive: true }));
symlinkSync(process.env.MAGNETO_BINARY, path.join(project, 'magneto'));
writeFileSync(path.join(project, 'template.yaml'), template);

// The blocks of a page that name servers: those of ```json, and of README.md the indented line.
function blocksOf(page) {
  const text = readFileSync(path.join(sources, page), 'utf8');
  const blocks = [...text.matchAll(/^```json\n(.*?)^```$/gms), ...text.matchAll(/^ {4}(\{".*\})$/gm)].map(([, block]) => block);
  return blocks.map((block) => JSON.parse(block)).filter((block) => block.mcpServers ?? block.servers);
}

function transportOf({ type = undefined, command, args, url, headers, ...rest }) {
  assert.deepEqual(rest, {});
  if (command) {
    assert.ok(type === undefined || type === 'stdio', type);
    return new StdioClientTransport({ command, args, cwd: project, env: { PATH: `${project}:${process.env.PATH}` }, stderr: 'ignore' });
  }
  assert.ok(type === undefined || type === 'http', type);
  assert.equal(headers.Authorization, 'Bearer TOKEN');
  const here = url.replace('http://localhost:8000', process.env.MAGNETO_ENDPOINT);
  assert.notEqual(here, url);
  const authorization = headers.Authorization.replace('TOKEN', process.env.MAGNETO_CONTROL_TOKEN);
  return new StreamableHTTPClientTransport(new URL(here), { requestInit: { headers: { Authorization: authorization } } });
}

for (const [page, expected] of [['README.md', 1], ['docs/agents.md', 6]]) {
  const blocks = blocksOf(page);
  test(`${page} has its blocks`, () => assert.equal(blocks.length, expected));
  for (const [number, block] of blocks.entries()) {
    test(`block ${number + 1} of ${page}`, async () => {
      const [[name, server], ...others] = Object.entries(block.mcpServers ?? block.servers);
      assert.deepEqual([name, others], ['magneto', []]);
      const client = new Client({ name: 'conformance', version: '1' });
      await client.connect(transportOf(server));
      try {
        assert.equal(client.getServerVersion().name, 'magneto');
        const { structuredContent } = await client.callTool({ name: 'list_tables', arguments: {} });
        assert.deepEqual(structuredContent, { TableNames: server.args?.includes('template.yaml') ? ['Orders'] : [] });
      } finally {
        await client.close();
      }
    });
  }
}
