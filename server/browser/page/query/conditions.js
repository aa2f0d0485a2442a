// Conditions as people choose them, and how they are written in an expression. A condition has
// {path, operator, type, value, second}; path is as typed (`address.lines[0]`), values are text.

import { canonical, isNumber } from '../values/numbers.js';
import { isBase64, kTypes } from '../values/types.js';

// operands: how many values; types: those a value may have.
export const kOperators = [
  { id: '=', name: '=', operands: 1 },
  { id: '<>', name: '\u2260', operands: 1 },
  { id: '<', name: '<', operands: 1, ordered: true },
  { id: '<=', name: '\u2264', operands: 1, ordered: true },
  { id: '>', name: '>', operands: 1, ordered: true },
  { id: '>=', name: '\u2265', operands: 1, ordered: true },
  { id: 'between', name: 'between', operands: 2, ordered: true },
  { id: 'begins_with', name: 'begins with', operands: 1, types: ['S', 'B'] },
  { id: 'contains', name: 'contains', operands: 1 },
  { id: 'not_contains', name: 'does not contain', operands: 1 },
  { id: 'in', name: 'is one of', operands: 1, list: true },
  { id: 'exists', name: 'exists', operands: 0 },
  { id: 'not_exists', name: 'does not exist', operands: 0 },
  { id: 'type', name: 'has type', operands: 1, attributeType: true },
  { id: 'size>', name: 'is larger than', operands: 1, size: true },
  { id: 'size<', name: 'is smaller than', operands: 1, size: true },
];

const kSortIds = ['=', '<', '<=', '>', '>=', 'between', 'begins_with'];
export const kSortOperators = kOperators.filter(({ id }) => kSortIds.includes(id));
export const operatorById = (id) => kOperators.find((each) => each.id === id) ?? kOperators[0];

// Types that a typed-in value can have.
export const kValueTypes = ['S', 'N', 'BOOL', 'NULL', 'B'];

export class ConditionError extends Error {
  // field: which field of the form is wrong.
  constructor(message, field) {
    super(message);
    this.field = field;
  }
}

// `a.b[0]` to ['a', 'b', 0]; a name with other characters is put in backticks or double quotes.
export function parsePath(text, field) {
  const path = [];
  if (/^\s*\./.test(text)) throw new ConditionError('A path begins with a name.', field);
  const pattern = /\s*(?:(?:^|\.)\s*(?:`([^`]+)`|"([^"]+)"|([^.[\]`"]+?))|\[(\d+)\])\s*(?=$|[.[])/y;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (!match || (path.length === 0 && match[4] !== undefined)) {
      throw new ConditionError('Write a path as name, name.name or name[0].', field);
    }
    path.push(match[4] !== undefined ? Number(match[4]) : match[1] ?? match[2] ?? match[3]);
  }
  if (path.length === 0) throw new ConditionError('Enter the name of an attribute.', field);
  return path;
}

export const formatPath = (path) => path.reduce((text, step) => {
  if (typeof step === 'number') return `${text}[${step}]`;
  const name = /[.[\]`"]|^\s|\s$/.test(step) ? `\`${step}\`` : step;
  return text ? `${text}.${name}` : name;
}, '');

// The attribute value of a text that was typed in.
export function typedInput(text, type, field) {
  if (type === 'NULL') return { NULL: true };
  if (type === 'BOOL') {
    if (text !== 'true' && text !== 'false') throw new ConditionError('Enter true or false.', field);
    return { BOOL: text === 'true' };
  }
  if (type === 'N') {
    if (!isNumber(text)) throw new ConditionError(text === '' ? 'Enter a number.' : `${text} is not a number.`, field);
    return { N: canonical(text) };
  }
  if (type === 'B') {
    if (text === '' || !isBase64(text)) throw new ConditionError('Enter the binary value in base64.', field);
    return { B: text };
  }
  return { S: text };
}

// A list of values: `a, b, "c, d"`.
function listInput(text, type, field) {
  const pattern = /\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/y;
  const values = [];
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (!match) throw new ConditionError('Separate the values with commas.', field);
    values.push(typedInput(match[1]?.replaceAll('""', '"') ?? match[2].trim(), type, field));
  }
  if (values.length === 0 || values.length > 100) {
    throw new ConditionError('Enter 1 to 100 values, separated by commas.', field);
  }
  return values;
}

// words: Placeholders. field: a prefix for the names of fields in errors.
export function writeCondition(condition, words, field = '') {
  const operator = operatorById(condition.operator);
  const path = parsePath(condition.path, `${field}path`);
  const place = words.path(path);
  const hint = String([...path].reverse().find((step) => typeof step === 'string'));
  const type = condition.type ?? 'S';
  const typed = (part, as = type) => typedInput(condition[part] ?? '', as, `${field}${part}`);
  const first = () => words.value(typed('value'), hint);
  switch (operator.id) {
    case 'exists': return `attribute_exists(${place})`;
    case 'not_exists': return `attribute_not_exists(${place})`;
    case 'begins_with': return `begins_with(${place}, ${first()})`;
    case 'contains': return `contains(${place}, ${first()})`;
    case 'not_contains': return `NOT contains(${place}, ${first()})`;
    case 'in': {
      const values = listInput(condition.value ?? '', type, `${field}value`);
      return `${place} IN (${values.map((each) => words.value(each, hint)).join(', ')})`;
    }
    case 'between': return `${place} BETWEEN ${first()} AND ${words.value(typed('second'), hint)}`;
    case 'type': {
      if (!kTypes.includes(condition.value)) throw new ConditionError('Choose a type.', `${field}value`);
      return `attribute_type(${place}, ${words.value({ S: condition.value }, 'type')})`;
    }
    case 'size>': case 'size<':
      return `size(${place}) ${operator.id.slice(4)} ${words.value(typed('value', 'N'), 'size')}`;
    default: return `${place} ${operator.id} ${first()}`;
  }
}
