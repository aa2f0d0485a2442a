// AWS Signature Version 4 for a POST to / of a DynamoDB endpoint.

import { hexadecimal, hmac, sha256 } from './sha256.js';

const kService = 'dynamodb';
const encoder = new TextEncoder();

// "20261123T074405Z"
function stamp(time) {
  return `${time.toISOString().slice(0, 19).replaceAll('-', '').replaceAll(':', '')}Z`;
}

function scopeOf(date, region) {
  return `${date.slice(0, 8)}/${region}/${kService}/aws4_request`;
}

function authorization(credentials, scope, names, signature) {
  return `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, `
    + `SignedHeaders=${names}, Signature=${signature}`;
}

// The headers that sign a request: `headers` has those that are sent and signed, by their names in
// small letters, `host` among them (which the browser writes itself).
export async function sign({ credentials, region, headers, body, time = new Date() }) {
  const date = stamp(time);
  const signed = { ...headers, 'x-amz-date': date };
  if (credentials.sessionToken) signed['x-amz-security-token'] = credentials.sessionToken;
  const names = Object.keys(signed).sort();
  const lines = names.map((name) => `${name}:${signed[name].trim()}\n`).join('');
  const digest = hexadecimal(await sha256(encoder.encode(body)));
  const canonical = ['POST', '/', '', lines, names.join(';'), digest].join('\n');

  const scope = scopeOf(date, region);
  let key = encoder.encode(`AWS4${credentials.secretAccessKey}`);
  for (const part of scope.split('/')) key = await hmac(key, encoder.encode(part));
  const digested = hexadecimal(await sha256(encoder.encode(canonical)));
  const text = ['AWS4-HMAC-SHA256', date, scope, digested].join('\n');
  const signature = hexadecimal(await hmac(key, encoder.encode(text)));

  const result = {
    Authorization: authorization(credentials, scope, names.join(';'), signature),
    'X-Amz-Date': date,
  };
  if (credentials.sessionToken) result['X-Amz-Security-Token'] = credentials.sessionToken;
  return result;
}
