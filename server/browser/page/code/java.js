// A request as a program for the AWS SDK for Java, version 2.

import { kOperations, kStructures } from './shapes.js';
import { print, quote } from './printer.js';

const kMaxLiteral = 20000; // a constant has at most 65,535 bytes of UTF-8

// Java reads \u000a before it looks for the ends of strings; so small ones are octal.
const byNumber = (code) => (code < 0x80 ? `\\${code.toString(8).padStart(3, '0')}`
  : String.fromCodePoint(code).split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''));

function text(content) {
  if (content.length <= kMaxLiteral) return quote(content, '"', byNumber);
  const pieces = [];
  for (let at = 0; at < content.length;) {
    // No pair of surrogates is cut.
    const end = at + kMaxLiteral - (/[\ud800-\udbff]/.test(content[at + kMaxLiteral - 1] ?? '') ? 1 : 0);
    pieces.push(quote(content.slice(at, end), '"', byNumber));
    at = end;
  }
  return `String.join("", ${pieces.join(', ')})`;
}

const call = (name, items) => ({ open: `${name}(`, items, close: ')', trailing: '' });
const list = (items) => call('List.of', items);
const binary = (content) => `SdkBytes.fromByteArray(Base64.getDecoder().decode(${text(content)}))`;

// Map.of takes ten pairs.
function map(entries) {
  if (entries.length > 10) {
    return call('Map.ofEntries', entries.map(([name, node]) => call('Map.entry', [text(name), node])));
  }
  return call('Map.of', entries.map(([name, node]) => ({ prefix: `${text(name)}, `, node })));
}

function attributeValue(value) {
  const [type, content] = Object.entries(value)[0];
  const from = (name, node) => call(`AttributeValue.from${name}`, [node]);
  return {
    S: () => from('S', text(content)),
    N: () => from('N', text(content)),
    B: () => from('B', binary(content)),
    BOOL: () => from('Bool', String(content)),
    NULL: () => from('Nul', String(content)),
    SS: () => from('Ss', list(content.map(text))),
    NS: () => from('Ns', list(content.map(text))),
    BS: () => from('Bs', list(content.map(binary))),
    L: () => from('L', list(content.map(attributeValue))),
    M: () => from('M', item(content)),
  }[type]();
}

const item = (content) => map(Object.entries(content).map(([name, value]) => [name, attributeValue(value)]));

const method = (name) => name[0].toLowerCase() + name.slice(1);

// Type.builder(), a line for each member, .build().
function builder(type, content, members) {
  const steps = Object.entries(content).map(([name, each]) => (
    { method: method(name), node: shaped(each, members[name]) }));
  return { builder: type, steps };
}

function shaped(content, shape) {
  if (shape === 'string' || shape.enum) return text(content);
  if (shape === 'int' || shape === 'bool') return String(content);
  if (shape === 'strings') return map(Object.entries(content).map(([name, each]) => [name, text(each)]));
  if (shape === 'texts') return list(content.map(text));
  if (shape === 'item') return item(content);
  if (shape === 'values') return list(content.map(attributeValue));
  if (shape.list) return list(content.map((each) => shaped(each, shape.list)));
  if (shape.map) return map(Object.entries(content).map(([name, each]) => [name, shaped(each, shape.map)]));
  return builder(shape.structure, content, kStructures[shape.structure]);
}

// The printer knows no chains of calls: they become text first, from the inside out.
function resolve(node, indent) {
  if (typeof node === 'string') return node;
  if (node.builder) {
    const inner = `${indent}    `;
    const lines = node.steps.map(({ method: name, node: each }) => {
      const content = print(resolve(each, inner), inner, '    ', inner.length + name.length + 2);
      return `\n${inner}.${name}(${content})`;
    });
    return `${node.builder}.builder()${lines.join('')}\n${inner}.build()`;
  }
  if (node.prefix !== undefined) return { prefix: node.prefix, node: resolve(node.node, indent) };
  return { ...node, items: node.items.map((each) => resolve(each, `${indent}    `)) };
}

function imports(body) {
  const known = [
    'java.net.URI', 'java.util.Base64', 'java.util.List', 'java.util.Map',
    'software.amazon.awssdk.auth.credentials.AwsBasicCredentials',
    'software.amazon.awssdk.auth.credentials.StaticCredentialsProvider',
    'software.amazon.awssdk.core.SdkBytes', 'software.amazon.awssdk.regions.Region',
    'software.amazon.awssdk.services.dynamodb.DynamoDbClient',
  ];
  const used = known.filter((name) => new RegExp(`\\b${name.split('.').pop()}\\.`).test(body));
  return [...used, 'software.amazon.awssdk.services.dynamodb.model.*'].map((name) => `import ${name};`).join('\n');
}

export function writeJava(request, { endpoint, region, accessKeyId = null, secretAccessKey = 'any' }) {
  const { operation, input } = request;
  const tree = builder(`${operation}Request`, input, kOperations[operation]);
  const keys = accessKeyId ? `
                .credentialsProvider(StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(${text(accessKeyId)}, ${text(secretAccessKey)})))` : '';
  const body = `public class Request {
    public static void main(String[] arguments) {
        try (DynamoDbClient client = DynamoDbClient.builder()
                .endpointOverride(URI.create(${text(endpoint)}))
                .region(Region.of(${text(region)}))${keys}
                .build()) {
            ${operation}Request request = ${print(resolve(tree, '            '), '            ', '    ')};
            System.out.println(client.${method(operation)}(request));
        }
    }
}
`;
  return `// Request.java; needs software.amazon.awssdk:dynamodb\n${imports(body)}\n\n${body}`;
}
