// A request as a program for the AWS SDK for Go, version 2.

import { kOperations, kStructures } from './shapes.js';
import { hex, print, quote } from './printer.js';

// A half of a pair of surrogates has no escape in Go; no item has one.
const byNumber = (code) => {
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  if (code >= 0x10000) return `\\U${hex(code, 8)}`;
  return `\\u${hex(code >= 0xd800 && code < 0xe000 ? 0xfffd : code, 4)}`;
};
const text = (content) => quote(content, '"', byNumber);

const literal = (type, items) => ({ open: `${type}{`, items, close: '}' });
const pairs = (entries) => entries.map(([name, node]) => ({ prefix: `${text(name)}: `, node }));
const binary = (content) => `decode(${text(content)})`;

function attributeValue(value) {
  const [type, content] = Object.entries(value)[0];
  const node = {
    S: () => text(content),
    N: () => text(content),
    B: () => binary(content),
    BOOL: () => String(content),
    NULL: () => String(content),
    SS: () => literal('[]string', content.map(text)),
    NS: () => literal('[]string', content.map(text)),
    BS: () => literal('[][]byte', content.map(binary)),
    L: () => literal('[]types.AttributeValue', content.map(attributeValue)),
    M: () => item(content),
  }[type]();
  return literal(`&types.AttributeValueMember${type}`, [{ prefix: 'Value: ', node }]);
}

const item = (content) => literal('map[string]types.AttributeValue',
  pairs(Object.entries(content).map(([name, value]) => [name, attributeValue(value)])));

// The type of a member in a list or map, where a structure is no pointer.
function typeName(shape) {
  if (shape === 'item') return 'map[string]types.AttributeValue';
  if (shape.list) return `[]${typeName(shape.list)}`;
  return `types.${shape.structure}`;
}

const structure = (type, content, members) => literal(type, Object.entries(content).map(([name, each]) => (
  { prefix: `${name}: `, node: shaped(each, members[name]) })));

function shaped(content, shape) {
  if (shape === 'string') return `aws.String(${text(content)})`;
  if (shape === 'int') return `aws.Int32(${content})`;
  if (shape === 'bool') return `aws.Bool(${content})`;
  if (shape.enum) return `types.${shape.enum}(${text(content)})`;
  if (shape === 'strings') {
    return literal('map[string]string', pairs(Object.entries(content).map(([name, each]) => [name, text(each)])));
  }
  if (shape === 'texts') return literal('[]string', content.map(text));
  if (shape === 'item') return item(content);
  if (shape === 'values') return literal('[]types.AttributeValue', content.map(attributeValue));
  if (shape.list) return literal(typeName(shape), content.map((each) => inside(each, shape.list)));
  if (shape.map) {
    return literal(`map[string]${typeName(shape.map)}`,
      pairs(Object.entries(content).map(([name, each]) => [name, inside(each, shape.map)])));
  }
  return structure(`&types.${shape.structure}`, content, kStructures[shape.structure]);
}

const inside = (content, shape) => (shape.structure
  ? structure(typeName(shape), content, kStructures[shape.structure]) : shaped(content, shape));

function imports(body, accessKeyId) {
  const names = [
    '"context"', ...(body.includes('decode("') ? ['"encoding/base64"'] : []), '"encoding/json"', '"fmt"', '"log"', '',
    '"github.com/aws/aws-sdk-go-v2/aws"', '"github.com/aws/aws-sdk-go-v2/config"',
    ...(accessKeyId ? ['"github.com/aws/aws-sdk-go-v2/credentials"'] : []),
    '"github.com/aws/aws-sdk-go-v2/service/dynamodb"',
    ...(body.includes('types.') ? ['"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"'] : []),
  ];
  return names.map((name) => (name ? `\t${name}` : '')).join('\n');
}

const kDecode = `
func decode(text string) []byte {
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		log.Fatal(err)
	}
	return bytes
}
`;

export function writeGo(request, { endpoint, region, accessKeyId = null, secretAccessKey = 'any' }) {
  const { operation, input } = request;
  const tree = { ...structure(`&dynamodb.${operation}Input`, input, kOperations[operation]), tall: true };
  const provider = () => `NewStaticCredentialsProvider(${text(accessKeyId)}, ${text(secretAccessKey)}, "")`;
  const keys = accessKeyId ? `,\n\t\tconfig.WithCredentialsProvider(credentials.${provider()})` : '';
  const body = `	output, err := client.${operation}(context.Background(), ${print(tree, '\t', '\t')})`;
  return `// go get github.com/aws/aws-sdk-go-v2/{config,service/dynamodb}, then: go run request.go
package main

import (
${imports(body, accessKeyId)}
)
${body.includes('decode("') ? kDecode : ''}
func main() {
	configuration, err := config.LoadDefaultConfig(context.Background(),
		config.WithRegion(${text(region)})${keys})
	if err != nil {
		log.Fatal(err)
	}
	client := dynamodb.NewFromConfig(configuration, func(options *dynamodb.Options) {
		options.BaseEndpoint = aws.String(${text(endpoint)})
	})
${body}
	if err != nil {
		log.Fatal(err)
	}
	shown, err := json.MarshalIndent(output, "", "  ")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(shown))
}
`;
}
