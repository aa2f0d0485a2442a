// Code that the page writes, run as it stands against the server: by the AWS CLI, Node.js and Python,
// each where it is there. Go and Java are looked at as text; conformance/sdks has their SDKs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { writeCli, shellWord } from '../../../server/browser/page/code/cli.js';
import { writeGo } from '../../../server/browser/page/code/go.js';
import { writeJava } from '../../../server/browser/page/code/java.js';
import { writeJavaScript } from '../../../server/browser/page/code/javascript.js';
import { kLanguages } from '../../../server/browser/page/code/languages.js';
import { writePython } from '../../../server/browser/page/code/python.js';

const endpoint = process.env.MAGNETO_ENDPOINT;
const kOptions = { endpoint: endpoint ?? 'http://127.0.0.1:8000', region: 'us-east-1', accessKeyId: 'any' };
const kFolder = mkdtempSync(join(tmpdir(), 'magneto-code-'));
const kModules = join(dirname(fileURLToPath(import.meta.url)), '../../javascript/node_modules');
const kText = 'it\'s "a" \\ $HOME `x` ${y} %s {z} \\u0041 \u202e\u2028\n\t\u0001 \ud83d\ude00 \u00e4';
const kItem = Object.fromEntries(Object.entries({
  pk: { S: kText }, sk: { N: '12345678901234567890123456789012345678' }, yes: { BOOL: true }, no: { BOOL: false }, none: { NULL: true }, ss: { SS: ["x'", 'z'] }, ns: { NS: ['1', '2'] },
  list: { L: [{ N: '1.5' }, { L: [] }] }, map: { M: { deep: { M: { text: { S: '' } } }, 'a-b': { M: {} }, constructor: { S: 'c' } } },
}).concat([['__proto__', { S: 'proto' }]]));
const kBinary = { b: { B: 'AAEC/w==' }, bs: { BS: ['AA==', 'AQ=='] } };
const kKey = { pk: kItem.pk, sk: kItem.sk };

async function call(operation, input) {
  const response = await fetch(endpoint, {
    method: 'POST', body: JSON.stringify(input), headers: {
      'Content-Type': 'application/x-amz-json-1.0', 'X-Amz-Target': `DynamoDB_20120810.${operation}`,
      Authorization: 'AWS4-HMAC-SHA256 Credential=any/20200101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    },
  });
  return { ok: response.ok, body: await response.json() };
}

const key = (AttributeName, KeyType) => ({ AttributeName, KeyType });
async function makeTable(TableName) {
  await call('DeleteTable', { TableName });
  const { ok } = await call('CreateTable', {
    TableName, BillingMode: 'PAY_PER_REQUEST', KeySchema: [key('pk', 'HASH'), key('sk', 'RANGE')],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }, { AttributeName: 'sk', AttributeType: 'N' }],
  });
  assert.ok(ok);
}

const requestsFor = (TableName, item) => [
  { operation: 'PutItem', input: { TableName, Item: item } },
  { operation: 'Query', input: { TableName, KeyConditionExpression: '#pk = :pk AND #sk > :sk', ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' }, ExpressionAttributeValues: { ':pk': kItem.pk, ':sk': { N: '-5' } }, ScanIndexForward: false, Limit: 5 } },
  { operation: 'ExecuteStatement', input: { Statement: `-- first\nSELECT * FROM "${TableName}" WHERE pk = ?`, Parameters: [kItem.pk] } },
  { operation: 'TransactWriteItems', input: { TransactItems: [{ Put: { TableName, Item: { pk: { S: 'other' }, sk: { N: '1' } } } }, { Update: { TableName, Key: kKey, UpdateExpression: 'SET #x = :x', ExpressionAttributeNames: { '#x': 'x' }, ExpressionAttributeValues: { ':x': { S: kText } } } }] } },
  { operation: 'BatchWriteItem', input: { RequestItems: { [TableName]: [{ DeleteRequest: { Key: { pk: { S: 'other' }, sk: { N: '1' } } } }] } } },
  { operation: 'PutItem', input: { TableName, Item: { pk: { S: 'long' }, sk: { N: '1' }, t: { S: '\u00e9\ud83d\ude00"'.repeat(40_000) } } } },
];

const kRunners = [
  ['cli', ['bash'], 'request.sh', ['aws', '--version'], writeCli],
  ['javascript', [process.execPath], 'request.mjs', existsSync(join(kModules, '@aws-sdk/client-dynamodb')) ? [process.execPath, '--version'] : null, writeJavaScript],
  ['python', ['python3'], 'request.py', ['python3', '-c', 'import boto3'], writePython],
];

function missing(probe) {
  if (!endpoint) return 'MAGNETO_ENDPOINT names no server';
  if (!probe) return 'npm ci in conformance/javascript';
  return spawnSync(probe[0], probe.slice(1)).status === 0 ? false : `${probe.join(' ')} fails`;
}

// Version 1 of the CLI cannot send binary values, and the command says so. The SDK for JavaScript
// loses an attribute named __proto__ on its way.
function itemFor(name) {
  const binary = name === 'cli' ? [] : Object.entries(kBinary);
  return Object.fromEntries([...Object.entries(kItem), ...binary].filter(([attribute]) => name !== 'javascript' || attribute !== '__proto__'));
}

for (const [name, command, file, probe, write] of kRunners) {
  test(`${name}: what is written runs, and sends what is shown`, { skip: missing(probe), timeout: 300_000 }, async () => {
    const table = `code-${name}`;
    await makeTable(table);
    if (name === 'javascript') symlinkSync(kModules, join(kFolder, 'node_modules'));
    const item = itemFor(name);
    const environment = { PATH: process.env.PATH, HOME: process.env.HOME ?? '/tmp' };
    for (const request of requestsFor(table, item)) {
      writeFileSync(join(kFolder, file), write(request, kOptions));
      const run = spawnSync(command[0], [...command.slice(1), file], { cwd: kFolder, env: environment, encoding: 'utf8' });
      assert.equal(run.status, 0, `${request.operation}: ${run.stderr}`);
    }
    const { body } = await call('GetItem', { TableName: table, Key: kKey });
    const sent = { ...item, x: { S: kText } };
    assert.deepEqual(new Map(Object.entries(body.Item).sort()), new Map([...Object.entries(item), ['x', sent.x]].sort()));
    assert.equal((await call('GetItem', { TableName: table, Key: { pk: { S: 'long' }, sk: { N: '1' } } })).body.Item.t.S.length, 160_000);
    assert.equal((await call('GetItem', { TableName: table, Key: { pk: { S: 'other' }, sk: { N: '1' } } })).body.Item, undefined);
  });
}

test('words of the shell are what they stand for', () => {
  const run = (text) => spawnSync('bash', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' }).stdout;
  for (const text of ["it's", 'a b', '$HOME `x` "q" \\', '-n', 'a\nb', 'tab\tand \u0007 \\ \'', '!history', '*', '~', '#']) assert.equal(run(text), text);
});

test('Java and Go have literals that their compilers read', () => {
  const [put] = requestsFor('Tables', { ...kItem, ...kBinary });
  const java = writeJava(put, kOptions);
  assert.match(java, /\\u202e\\u2028\\n\\t\\001/);
  assert.match(java, /AttributeValue\.fromB\(SdkBytes\.fromByteArray\(Base64/);
  assert.match(writeGo(put, kOptions), /\\u202e\\u2028\\n\\t\\x01/);
  assert.match(writeJava(requestsFor('Tables', kItem).at(-1), kOptions), /String\.join\(""/);
});

test('code that cannot be seen is written by number, in every language', () => {
  for (const request of requestsFor('Tables', { ...kItem, ...kBinary })) {
    for (const { write } of kLanguages) assert.doesNotMatch(write(request, kOptions), /[\u0000-\u0008\u202a-\u202e\u2028]/);
  }
});

test('keys are those of the environment where the server verifies them', () => {
  const [request] = requestsFor('Tables', kItem);
  for (const { id, write } of kLanguages) {
    const text = write(request, { ...kOptions, accessKeyId: null });
    if (id !== 'json') assert.doesNotMatch(text, /secret|SECRET|AwsBasicCredentials|credentials\./);
  }
});

test('a request with parameters of old is not written where types are needed', () => {
  const legacy = { operation: 'UpdateItem', input: { TableName: 'Tables', Key: kKey, AttributeUpdates: { a: { Value: { S: 'x' }, Action: 'PUT' } } } };
  const results = new Map(kLanguages.map(({ id, write }) => [id, write(legacy, kOptions)]));
  assert.deepEqual([results.get('java'), results.get('go')], [null, null]);
  assert.match(results.get('cli'), /--attribute-updates/);
  assert.match(results.get('python'), /AttributeUpdates=/);
});
