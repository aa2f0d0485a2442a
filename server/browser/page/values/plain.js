// Items as plain JSON: {"pk": "a", "n": 1}. Sets are written as arrays and binary values as base64;
// what is read keeps the types of the item it was written from, wherever a value still fits.

import { ExactNumber, readJson, writeJson } from './json_text.js';
import { isNumber } from './numbers.js';
import { describePath, ItemError } from './typed.js';
import { contentOf, isBase64, isSet, memberType, typeOf } from './types.js';

function plainNode(value) {
  const type = typeOf(value);
  const content = contentOf(value);
  if (type === 'N') return new ExactNumber(content);
  if (type === 'NS') return content.map((each) => new ExactNumber(each));
  if (type === 'NULL') return null;
  if (type === 'L') return content.map(plainNode);
  if (type === 'M') return plainItemNode(content);
  return content;
}

const plainItemNode = (item) => new Map(Object.entries(item).map(([name, value]) => [name, plainNode(value)]));

export const plainText = (item) => writeJson(plainItemNode(item), '  ');
export const plainLine = (item) => writeJson(plainItemNode(item));

// The first path whose type plain JSON has no word for, null when there is none.
export function findPlainLoss(value, path = []) {
  const type = typeOf(value);
  if (isSet(type) || type === 'B') return path;
  const members = type === 'L' ? value.L.map((each, index) => [index, each]) : [];
  const children = type === 'M' ? Object.entries(value.M) : members;
  for (const [step, each] of children) {
    const loss = findPlainLoss(each, [...path, step]);
    if (loss) return loss;
  }
  return null;
}

const kFits = {
  S: (node) => typeof node === 'string',
  N: (node) => node instanceof ExactNumber,
  B: (node) => typeof node === 'string' && isBase64(node),
};

const memberText = (node) => (node instanceof ExactNumber ? node.text : node);

function plainList(nodes, before, path) {
  const type = before && typeOf(before);
  if (type && isSet(type) && nodes.length > 0 && nodes.every(kFits[memberType(type)])) {
    return { [type]: nodes.map(memberText) };
  }
  const elements = type === 'L' ? before.L : [];
  return { L: nodes.map((each, index) => plainValue(each, elements[index], [...path, index])) };
}

// before: the value that was here, or undefined.
function plainValue(node, before, path = []) {
  if (node === null) return { NULL: true };
  if (typeof node === 'boolean') return { BOOL: node };
  if (node instanceof ExactNumber) {
    if (!isNumber(node.text)) throw new ItemError(path, `${node.text} exceeds the range of DynamoDB numbers.`);
    return { N: node.text };
  }
  if (typeof node === 'string') return before && typeOf(before) === 'B' && kFits.B(node) ? { B: node } : { S: node };
  if (Array.isArray(node)) return plainList(node, before, path);
  return { M: plainItem(node, before && typeOf(before) === 'M' ? before.M : {}, path) };
}

export function plainItem(node, before = {}, path = []) {
  if (!(node instanceof Map)) throw new ItemError(path, 'Write an object in { }.');
  return Object.fromEntries([...node].map(([name, each]) => (
    [name, plainValue(each, Object.hasOwn(before, name) ? before[name] : undefined, [...path, name])])));
}

export const readPlainItem = (text, before) => plainItem(readJson(text), before);

// Where a value has another type than before: ['tags: SS, now L'].
export function typeChanges(before, after, path = []) {
  const changes = [];
  for (const [step, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, step)) continue;
    const here = [...path, step];
    const [old, now] = [typeOf(before[step]), typeOf(value)];
    if (old !== now) changes.push(`${describePath(here)}: ${old}, now ${now}`);
    else if (now === 'M') changes.push(...typeChanges(before[step].M, value.M, here));
  }
  return changes;
}
