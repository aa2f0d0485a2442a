// CSV as `magneto import` and `magneto export` have it: RFC 4180; the first record names each
// attribute with its type, `pk:S,n:N`. An empty cell without quotes is an absent attribute.

import { readJson, writeJson } from './json_text.js';
import { isNumber } from './numbers.js';
import { itemNode, typedItem, typedNode, typedValue } from './typed.js';
import { contentOf, isBase64, isSet, kTypes, typeOf } from './types.js';

const kColumnTypes = [...kTypes, 'ANY'];

const needsQuotes = (text) => text === '' || /[",\r\n]/.test(text) || text.trim() !== text;
const quoted = (text) => (needsQuotes(text) ? `"${text.replaceAll('"', '""')}"` : text);

export class CsvError extends Error {}

// For one item after the other: known is a Map of names and types, ANY where they differ.
export function noteColumns(known, item) {
  for (const [name, value] of Object.entries(item)) {
    const type = typeOf(value);
    known.set(name, known.has(name) && known.get(name) !== type ? 'ANY' : type);
  }
}

// The columns of what noteColumns knows: those of the key first, then by name.
export function columnsOf(known, keys) {
  const isKey = new Set(keys.map(({ name }) => name));
  const others = [...known].filter(([name]) => !isKey.has(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  return [...keys, ...others.map(([name, type]) => ({ name, type }))];
}

export const csvHead = (columns) => columns.map(({ name, type }) => quoted(`${name}:${type}`)).join(',');

function cell(value, type) {
  if (value === undefined) return '';
  const content = contentOf(value);
  if (type === 'ANY') return quoted(writeJson(typedNode(value)));
  if (type === 'NULL') return 'null';
  if (type === 'L') return quoted(writeJson(content.map(typedNode)));
  if (type === 'M') return quoted(writeJson(itemNode(content)));
  return quoted(isSet(type) ? JSON.stringify(content) : String(content));
}

export const csvLine = (item, columns) => (
  columns.map(({ name, type }) => cell(Object.hasOwn(item, name) ? item[name] : undefined, type)).join(','));

// Cells of one record: {text, quoted}.
export function readRecord(text) {
  const cells = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n?$)/y;
  let end = false;
  while (!end) {
    const match = pattern.exec(text);
    if (!match) throw new CsvError(`Cell ${cells.length + 1} has a misplaced quote.`);
    const isQuoted = match[1] !== undefined;
    cells.push({ text: isQuoted ? match[1].replaceAll('""', '"') : match[2], quoted: isQuoted });
    end = match[3] !== ',';
  }
  return cells;
}

export function readHead(text) {
  const columns = readRecord(text).map(({ text: title }) => {
    const at = title.lastIndexOf(':');
    const type = title.slice(at + 1);
    return at > 0 && kColumnTypes.includes(type) ? { name: title.slice(0, at), type } : { name: title, type: null };
  });
  const names = columns.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new CsvError(`The column ${JSON.stringify(twice)} appears twice.`);
  if (names.includes('')) throw new CsvError('A column has no name.');
  return columns;
}

function members(text, type) {
  const node = readJson(text);
  if (!Array.isArray(node)) throw new CsvError('Write a set as ["a","b"].');
  return typedValue(new Map([[type, node]]));
}

// A column without type: numbers are numbers, all else is text.
function cellValue(text, type) {
  if (type === null) {
    return isNumber(text) && /^[+-]?(0|[1-9]\d*)?(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? { N: text } : { S: text };
  }
  if (type === 'N' && !isNumber(text)) throw new CsvError(`${JSON.stringify(text)} is not a number.`);
  if (type === 'B' && !isBase64(text)) throw new CsvError('Write a binary value in base64.');
  if (type === 'BOOL' && text !== 'true' && text !== 'false') {
    throw new CsvError(`${JSON.stringify(text)} is neither true nor false.`);
  }
  if (type === 'NULL' && text !== 'null') throw new CsvError(`${JSON.stringify(text)} is not null.`);
  if (type === 'S' || type === 'N' || type === 'B') return { [type]: text };
  if (type === 'BOOL') return { BOOL: text === 'true' };
  if (type === 'NULL') return { NULL: true };
  if (type === 'M') return { M: typedItem(readJson(text)) };
  if (type === 'L') return typedValue(new Map([['L', readJson(text)]]));
  return isSet(type) ? members(text, type) : typedValue(readJson(text));
}

export function readCsvItem(text, columns) {
  const cells = readRecord(text);
  if (cells.length !== columns.length) {
    throw new CsvError(`The record has ${cells.length} cells, but the first record has ${columns.length}.`);
  }
  return Object.fromEntries(cells.flatMap(({ text: content, quoted: isQuoted }, index) => {
    const { name, type } = columns[index];
    if (content === '' && !isQuoted) return [];
    try {
      return [[name, cellValue(content, type)]];
    } catch (error) {
      throw new CsvError(`Column ${name}: ${error.message}`);
    }
  }));
}

