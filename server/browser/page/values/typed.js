// Items as DynamoDB JSON: {"pk": {"S": "a"}, "n": {"N": "1"}}.

import { ExactNumber, readJson, writeJson } from './json_text.js';
import { isSet, memberType, kTypes, typeOf } from './types.js';

export class ItemError extends Error {
  constructor(path, message) {
    super(`${describePath(path)}: ${message}`);
    this.path = path;
  }
}

// address.lines[0]
export function describePath(path) {
  return path.reduce((text, step) => (
    typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${step}` : step), '') || 'The item';
}

const kKinds = {
  S: (content) => typeof content === 'string',
  B: (content) => typeof content === 'string',
  BOOL: (content) => typeof content === 'boolean',
  NULL: (content) => content === true,
};

// A member of N or a set.
function readMember(type, content, path) {
  if (memberType(type) === 'N' && content instanceof ExactNumber) return content.text;
  if (typeof content !== 'string') throw new ItemError(path, `A value of type ${type} must be in quotes.`);
  return content;
}

// What readJson made of {"S": "a"}.
export function typedValue(node, path = []) {
  if (!(node instanceof Map) || node.size !== 1) {
    throw new ItemError(path,
      'A value is an object with its type as the only name, such as {"S": "text"} or {"N": "1"}.');
  }
  const [type, content] = [...node][0];
  if (!kTypes.includes(type)) {
    throw new ItemError(path, `${JSON.stringify(type)} is not a type. The types are ${kTypes.join(', ')}.`);
  }
  if (type === 'N') return { N: readMember('N', content, path) };
  if (type === 'M') return { M: typedItem(content, path) };
  if (type === 'L' || isSet(type)) {
    if (!Array.isArray(content)) throw new ItemError(path, `A value of type ${type} must be a list in [ ].`);
    return type === 'L' ? { L: content.map((each, index) => typedValue(each, [...path, index])) }
      : { [type]: content.map((each) => readMember(type, each, path)) };
  }
  if (!kKinds[type](content)) throw new ItemError(path, `The type ${JSON.stringify(type)} cannot have this value.`);
  return { [type]: content };
}

export function typedItem(node, path = []) {
  if (!(node instanceof Map)) throw new ItemError(path, 'Write an object in { }.');
  return Object.fromEntries([...node].map(([name, each]) => [name, typedValue(each, [...path, name])]));
}

export const readTypedItem = (text) => typedItem(readJson(text));

// For writeJson: one line for what is no list or map.
export function typedNode(value) {
  const type = typeOf(value);
  if (type === 'M') return new Map([['M', itemNode(value.M)]]);
  if (type === 'L') return new Map([['L', value.L.map(typedNode)]]);
  return new Map([[type, value[type]]]);
}

export const itemNode = (item) => new Map(Object.entries(item).map(([name, value]) => [name, typedNode(value)]));

function writeValue(value, margin) {
  const type = typeOf(value);
  if (isSet(type)) return `{"${type}": [${value[type].map((each) => JSON.stringify(each)).join(', ')}]}`;
  if (type !== 'M' && type !== 'L') return `{"${type}": ${JSON.stringify(value[type])}}`;
  const inner = `${margin}  `;
  if (type === 'M') return `{"M": ${writeItem(value.M, margin)}}`;
  if (value.L.length === 0) return '{"L": []}';
  return `{"L": [${inner}${value.L.map((each) => writeValue(each, inner)).join(`,${inner}`)}${margin}]}`;
}

function writeItem(item, margin) {
  const inner = `${margin}  `;
  const members = Object.entries(item).map(([name, value]) => `${JSON.stringify(name)}: ${writeValue(value, inner)}`);
  return members.length === 0 ? '{}' : `{${inner}${members.join(`,${inner}`)}${margin}}`;
}

// For people: a value that is neither list nor map on one line.
export const typedText = (item) => writeItem(item, '\n');

// For files.
export const typedLine = (item) => writeJson(itemNode(item));
