// A request as a program for boto3.

import { requestTree } from './literals.js';
import { hex, print, quote } from './printer.js';

const byNumber = (code) => {
  if (code < 0x100) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
};
const text = (content) => quote(content, "'", byNumber);

const kWords = {
  text,
  key: (name) => `${text(name)}: `,
  bool: (content) => (content ? 'True' : 'False'),
  nothing: 'None',
  binary: (content) => `base64.b64decode(${text(content)})`,
  object: (items) => ({ open: '{', items, close: '}' }),
};

// BatchGetItem: batch_get_item.
const method = (operation) => operation.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();

export function writePython(request, { endpoint, region, accessKeyId = null, secretAccessKey = 'any' }) {
  const tree = requestTree(request, kWords);
  // The members of a request are the keyword arguments of a call.
  const names = Object.keys(request.input);
  const items = names.map((name, index) => ({ prefix: `${name}=`, node: tree.items[index].node }));
  const call = { ...tree, open: '(', close: ')', items };
  const body = print(call, '', '    ');
  const keys = accessKeyId
    ? `\n    aws_access_key_id=${text(accessKeyId)},\n    aws_secret_access_key=${text(secretAccessKey)},` : '';
  return `# pip install boto3
${body.includes('base64.b64decode(') ? 'import base64\n' : ''}import pprint

import boto3

client = boto3.client(
    'dynamodb',
    endpoint_url=${text(endpoint)},
    region_name=${text(region)},${keys}
)

output = client.${method(request.operation)}${body}
pprint.pprint(output)
`;
}
