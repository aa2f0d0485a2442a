// Requests as a tree for the printer, for languages whose literals look like JSON: JavaScript and
// Python. `words` has the language's own: {text, key, bool, nothing, binary}.

import { kOperations, kStructures } from './shapes.js';

const list = (items) => ({ open: '[', items, close: ']' });

function attributeValue(value, words) {
  const [type, content] = Object.entries(value)[0];
  const literal = {
    S: () => words.text(content),
    N: () => words.text(content),
    B: () => words.binary(content),
    BOOL: () => words.bool(content),
    NULL: () => words.bool(content),
    SS: () => list(content.map(words.text)),
    NS: () => list(content.map(words.text)),
    BS: () => list(content.map(words.binary)),
    L: () => list(content.map((each) => attributeValue(each, words))),
    M: () => attributeMap(content, words),
  }[type]();
  return words.object([{ prefix: words.key(type), node: literal }]);
}

const membersOf = (content, words, nodeOf) => words.object(Object.entries(content).map(([name, each]) => (
  { prefix: words.key(name), node: nodeOf(each, name) })));

const attributeMap = (map, words) => membersOf(map, words, (each) => attributeValue(each, words));

function structure(content, members, words, tall = false) {
  const shapeOf = (name) => (Object.hasOwn(members, name) ? members[name] : 'any');
  return { ...membersOf(content, words, (each, name) => shaped(each, shapeOf(name), words)), tall };
}

function shaped(content, shape, words) {
  if (shape === 'item') return attributeMap(content, words);
  if (shape === 'values') return list(content.map((each) => attributeValue(each, words)));
  if (shape.structure) return structure(content, kStructures[shape.structure], words);
  if (shape.list) return list(content.map((each) => shaped(each, shape.list, words)));
  if (shape.map) return membersOf(content, words, (each) => shaped(each, shape.map, words));
  return plain(content, words);
}

function plain(content, words) {
  if (typeof content === 'string') return words.text(content);
  if (typeof content === 'boolean') return words.bool(content);
  if (content === null) return words.nothing;
  if (Array.isArray(content)) return list(content.map((each) => plain(each, words)));
  if (typeof content === 'object') return membersOf(content, words, (each) => plain(each, words));
  return String(content);
}

export const requestTree = ({ operation, input }, words) => structure(input, kOperations[operation] ?? {}, words, true);
