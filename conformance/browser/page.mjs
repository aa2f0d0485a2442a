// What tests of the data browser share: a page in Chromium that fails the test by anything that a
// reader would not see (an error of a script, a breach of the Content-Security-Policy), and calls of
// the server beside the page.

import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { chromium } from 'playwright-core';

import { chromiumOptions } from './chromium.mjs';

export const endpoint = process.env.MAGNETO_ENDPOINT;
const kShared = process.env.MAGNETO_CHROMIUM_SERVER;  // of run.mjs: one for all files
const kPatience = 60_000;  // milliseconds for what takes one on a machine that does nothing else
let browser = null;

// Answers that are errors are part of what is tested; Chromium tells of them on the console.
const kOfNoMatter = /Failed to load resource/;

function watch(page, faults) {
  page.on('pageerror', (error) => faults.push(`error: ${error.stack ?? error}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !kOfNoMatter.test(message.text())) faults.push(message.text());
  });
  page.on('dialog', (dialog) => {
    faults.push(`alert: ${dialog.message()}`);
    dialog.dismiss();
  });
}

// A page of its own, without what others keep. `options`: of Playwright's newContext().
// `page.faults` are those so far; page.done() checks that there are none and closes it.
export async function openPage(place = '', options = {}) {
  browser ??= await (kShared ? chromium.connect(kShared) : chromium.launch(chromiumOptions));
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 }, locale: 'en-GB', timezoneId: 'UTC', ...options,
  });
  context.setDefaultTimeout(kPatience);
  const page = await context.newPage();
  page.faults = [];
  watch(page, page.faults);
  page.done = async () => {
    await context.close();
    assert.deepEqual(page.faults, []);
  };
  await page.goto(`${options.endpoint ?? endpoint}/_/${place ? `#/${place}` : ''}`);
  return page;
}

// Asks again and again until `check()` gives something true, and returns that.
export async function waitUntil(check, what) {
  for (const end = Date.now() + kPatience; Date.now() < end;) {
    const result = await check();
    if (result) return result;
    await setTimeout(20);
  }
  throw new Error(`${what}: not within ${kPatience} ms`);
}

// Behind the last test of a file: `after(closeBrowser)`.
export async function closeBrowser() {
  await browser?.close();
  browser = null;
}

const kAuthorization = 'AWS4-HMAC-SHA256 Credential=test/20200101/us-east-1/dynamodb/aws4_request, '
  + `SignedHeaders=host, Signature=${'0'.repeat(64)}`;

// Calls DynamoDB beside the page; an error of the service is thrown.
export async function call(operation, input = {}) {
  const streams = /^(DescribeStream|GetRecords|GetShardIterator|ListStreams)$/.test(operation);
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': `DynamoDB${streams ? 'Streams' : ''}_20120810.${operation}`,
      Authorization: kAuthorization,
    },
    body: JSON.stringify(input),
  });
  const output = await response.json();
  if (!response.ok) throw new Error(`${operation}: ${JSON.stringify(output)}`);
  return output;
}

// A new table, with the keys in the form {hash: ['id', 'S'], range: ['at', 'N']}; `more` goes to
// CreateTable. One of that name is deleted first.
export async function makeTable(name, { hash, range }, more = {}) {
  await call('UpdateTable', { TableName: name, DeletionProtectionEnabled: false }).catch(() => {});
  await call('DeleteTable', { TableName: name }).catch(() => {});
  const keys = [[...hash, 'HASH'], ...(range ? [[...range, 'RANGE']] : [])];
  const { AttributeDefinitions = [], ...others } = more;
  await call('CreateTable', {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      ...keys.map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })), ...AttributeDefinitions],
    KeySchema: keys.map(([AttributeName, , KeyType]) => ({ AttributeName, KeyType })),
    ...others,
  });
}

// What would run, or break a page, if it were taken for more than text.
export const hostileTexts = [
  '<img src=x onerror="alert(1)">',
  '"><script>alert(1)</script>',
  "';alert(1)//",
  '${alert(1)}{{alert(1)}}',
  'javascript:alert(1)',
  '</textarea></pre></style><svg/onload=alert(1)>',
  '\u202Etxet desrever\u202C \u2066\u2069\u200F',
  '\u0000\u0001\u0007\u001B[31m\u007F\u0085\u2028\u2029\uFEFF',
  '__proto__',
  '%00%0d%0aX: y &lt;b&gt; &#x3c;i&#x3e;',
];

// The page took none of them for more: it has no element and no script of theirs.
export async function checkHarmless(page) {
  const found = await page.evaluate(() => [
    ...document.querySelectorAll('img, iframe, object, embed, main script, main style, svg[onload], [onerror]'),
  ].map((node) => node.outerHTML.slice(0, 200)));
  assert.deepEqual(found, []);
  assert.deepEqual(page.faults, []);
}
