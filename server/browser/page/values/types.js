// Attribute values in DynamoDB JSON, {S: 'text'}, {N: '1'}, {M: {...}}: what types there are, and
// questions about values. Objects with attribute names come from Object.fromEntries alone, so that
// `__proto__` is a name like any other.

import { numberProblem, sameNumber, significantDigits } from './numbers.js';

export const kTypes = ['S', 'N', 'BOOL', 'NULL', 'M', 'L', 'SS', 'NS', 'BS', 'B'];

export const kTypeNames = {
  S: 'String', N: 'Number', B: 'Binary', BOOL: 'Boolean', NULL: 'Null', M: 'Map', L: 'List',
  SS: 'String set', NS: 'Number set', BS: 'Binary set',
};

export const kKeyTypes = ['S', 'N', 'B'];
const kMaxLevels = 32;
export const kMaxItemBytes = 400 * 1024;

export const typeOf = (value) => Object.keys(value)[0];
export const contentOf = (value) => value[typeOf(value)];
export const isSet = (type) => type === 'SS' || type === 'NS' || type === 'BS';
// Of a set: S, N or B.
export const memberType = (type) => type[0];

const kBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
export const isBase64 = (text) => kBase64.test(text);

export const base64Bytes = (text) => text.length / 4 * 3 - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);

export function emptyValue(type) {
  const contents = { S: '', N: '0', B: '', BOOL: false, NULL: true, M: {}, L: [], SS: [''], NS: ['0'], BS: [''] };
  return { [type]: contents[type] };
}

const sameMember = { S: (a, b) => a === b, B: (a, b) => a === b, N: sameNumber };

function sameSets(type, left, right) {
  if (left.length !== right.length) return false;
  if (type !== 'NS') {
    const known = new Set(left);
    return right.every((member) => known.has(member));
  }
  return right.every((member) => left.some((other) => sameNumber(member, other)));
}

// Equal to DynamoDB: numbers by value, sets and maps in any order.
export function sameValue(left, right) {
  const type = typeOf(left);
  if (type !== typeOf(right)) return false;
  const [a, b] = [contentOf(left), contentOf(right)];
  if (type === 'N') return sameNumber(a, b);
  if (isSet(type)) return sameSets(type, a, b);
  if (type === 'L') return a.length === b.length && a.every((each, index) => sameValue(each, b[index]));
  if (type === 'M') return sameItems(a, b);
  return a === b;
}

export function sameItems(left, right) {
  const names = Object.keys(left);
  return names.length === Object.keys(right).length
    && names.every((name) => Object.hasOwn(right, name) && sameValue(left[name], right[name]));
}

const encoder = new TextEncoder();
function utf8Bytes(text) {
  // Most texts are ASCII, for which nothing is copied.
  return /^[\x00-\x7f]*$/.test(text) ? text.length : encoder.encode(text).length;
}

// About as DynamoDB counts them; its way with numbers is not documented to the byte.
function valueBytes(value) {
  const type = typeOf(value);
  const content = contentOf(value);
  if (type === 'S') return utf8Bytes(content);
  if (type === 'N') return Math.ceil(significantDigits(content) / 2) + 1;
  if (type === 'B') return base64Bytes(content);
  if (isSet(type)) return content.reduce((sum, member) => sum + valueBytes({ [memberType(type)]: member }), 0);
  if (type === 'L') return content.reduce((sum, each) => sum + valueBytes(each) + 1, 3);
  if (type === 'M') {
    return Object.entries(content).reduce((sum, [name, each]) => sum + utf8Bytes(name) + valueBytes(each) + 1, 3);
  }
  return 1;
}

export const itemBytes = (item) => (
  Object.entries(item).reduce((sum, [name, value]) => sum + utf8Bytes(name) + valueBytes(value), 0));

function setProblem(type, members) {
  if (members.length === 0) return 'A set must have at least one member.';
  const member = memberType(type);
  for (const [index, each] of members.entries()) {
    const problem = valueProblem({ [member]: each });
    if (problem) return problem;
    // Long sets are left to the server, which finds it out faster.
    if (members.length <= 1000 && members.slice(0, index).some((other) => sameMember[member](each, other))) {
      return 'A set cannot have the same member twice.';
    }
  }
  return null;
}

// Why DynamoDB would not take this one value, without what is in lists and maps; null when it does.
export function valueProblem(value) {
  const type = typeOf(value);
  if (type === 'N') return numberProblem(contentOf(value));
  if (type === 'B') return isBase64(contentOf(value)) ? null : 'Write binary values in base64.';
  if (isSet(type)) return setProblem(type, contentOf(value));
  return null;
}

// The first problem of a value and all in it, as {path, message}; path has names and positions.
export function findProblem(value, path = []) {
  if (path.length > kMaxLevels) return { path, message: `An item has at most ${kMaxLevels} levels.` };
  const message = valueProblem(value);
  if (message) return { path, message };
  const type = typeOf(value);
  if (type !== 'M' && type !== 'L') return null;
  const children = type === 'M' ? Object.entries(value.M) : value.L.map((each, index) => [index, each]);
  for (const [step, each] of children) {
    const problem = findProblem(each, [...path, step]);
    if (problem) return problem;
  }
  return null;
}

// The first problem of an item of a table whose key has these attributes: [{name, type}].
export function findItemProblem(item, keys) {
  for (const { name, type } of keys) {
    if (!Object.hasOwn(item, name)) return { path: [name], message: `The key attribute ${name} is missing.` };
    const value = item[name];
    if (typeOf(value) !== type) {
      return { path: [name], message: `The key attribute ${name} must be a ${kTypeNames[type].toLowerCase()}.` };
    }
    if (contentOf(value) === '') return { path: [name], message: `The key attribute ${name} must not be empty.` };
  }
  for (const [name, value] of Object.entries(item)) {
    if (name === '') return { path: [name], message: 'An attribute has no name.' };
    const problem = findProblem(value, [name]);
    if (problem) return problem;
  }
  return null;
}

