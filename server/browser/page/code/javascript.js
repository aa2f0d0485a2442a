// A request as a program for the AWS SDK for JavaScript, version 3.

import { requestTree } from './literals.js';
import { print, quote, utf16 } from './printer.js';

const text = (content) => quote(content, "'", utf16);

const kWords = {
  text,
  // The name __proto__ without brackets would set the prototype.
  key: (name) => {
    if (name === '__proto__') return "['__proto__']: ";
    return /^[A-Za-z_$][\w$]*$/.test(name) ? `${name}: ` : `${text(name)}: `;
  },
  bool: String,
  nothing: 'null',
  binary: (content) => `Buffer.from(${text(content)}, 'base64')`,
  object: (items) => ({ open: '{', items, close: '}', spaced: true }),
};

export function writeJavaScript(request, { endpoint, region, accessKeyId = null, secretAccessKey = 'any' }) {
  const command = `${request.operation}Command`;
  const keys = accessKeyId
    ? `\n  credentials: { accessKeyId: ${text(accessKeyId)}, secretAccessKey: ${text(secretAccessKey)} },` : '';
  return `// npm install @aws-sdk/client-dynamodb, then: node request.mjs
import { DynamoDBClient, ${command} } from '@aws-sdk/client-dynamodb';

const client = new DynamoDBClient({
  endpoint: ${text(endpoint)},
  region: ${text(region)},${keys}
});

const output = await client.send(new ${command}(${print(requestTree(request, kWords), '', '  ')}));
console.dir(output, { depth: null });
`;
}
