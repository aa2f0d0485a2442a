// The page's own SHA-256 and HMAC, for pages without WebCrypto, against Node's; and its signatures, by
// the steps of AWS's documentation.

import assert from 'node:assert/strict';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';

import { hexadecimal, hmacInPage, sha256InPage } from '../../../server/browser/page/sha256.js';
import { sign } from '../../../server/browser/page/signature.js';

test('SHA-256 and HMAC of every length around a block', () => {
  for (const length of [0, 1, 3, 31, 32, 54, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 129, 1000, 100_000]) {
    const bytes = new Uint8Array(randomBytes(length));
    assert.equal(hexadecimal(sha256InPage(bytes)), createHash('sha256').update(bytes).digest('hex'));
    const key = new Uint8Array(randomBytes(length % 200));
    assert.equal(hexadecimal(hmacInPage(key, bytes)), createHmac('sha256', key).update(bytes).digest('hex'));
  }
});

const credentials = {
  accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', sessionToken: '',
};
const time = new Date('2015-08-30T12:36:00.123Z');

test('a signature is that of its steps', async () => {
  const headers = { host: 'localhost:8000', 'x-amz-target': 'DynamoDB_20120810.ListTables' };
  const body = '{"é":1}';
  const token = { ...credentials, sessionToken: 'a/b+c=' };
  const signed = await sign({ credentials: token, region: 'us-east-1', headers, body, time });
  const sha = (text) => createHash('sha256').update(text).digest('hex');
  const canonical = `POST\n/\n\nhost:localhost:8000\nx-amz-date:20150830T123600Z\nx-amz-security-token:a/b+c=\n`
    + `x-amz-target:DynamoDB_20120810.ListTables\n\nhost;x-amz-date;x-amz-security-token;x-amz-target\n${sha(body)}`;
  const scope = '20150830/us-east-1/dynamodb/aws4_request';
  const text = `AWS4-HMAC-SHA256\n20150830T123600Z\n${scope}\n${sha(canonical)}`;
  const key = scope.split('/').reduce((last, part) => createHmac('sha256', last).update(part).digest(),
    `AWS4${token.secretAccessKey}`);
  assert.equal(signed.Authorization.split('Signature=')[1], createHmac('sha256', key).update(text).digest('hex'));
  assert.equal(signed['X-Amz-Security-Token'], 'a/b+c=');
});
