// Files of items: what format a text has, its records cut out of pieces as they come, and items read.

import { CsvError, readCsvItem, readHead } from './csv.js';
import { JsonError, readJson } from './json_text.js';
import { plainItem } from './plain.js';
import { ItemError, typedItem } from './typed.js';
import { kTypes } from './types.js';

export const kFormats = {
  'json-typed': { name: 'DynamoDB JSON, one item per line', suffix: '.jsonl' },
  'json-plain': { name: 'Plain JSON, one item per line', suffix: '.jsonl' },
  csv: { name: 'CSV with types in the first line', suffix: '.csv' },
};

const isTypedValue = (node) => node instanceof Map && node.size === 1 && kTypes.includes([...node.keys()][0]);
const isTypedItem = (node) => node instanceof Map && node.size > 0 && [...node.values()].every(isTypedValue);

// {"Item": {...}}, as exports to S3 have it.
const unwrapped = (node) => (
  node instanceof Map && node.size === 1 && isTypedItem(node.get('Item')) ? node.get('Item') : node);

// By the name and first record.
export function guessFormat(fileName, record) {
  if (/\.(csv|tsv)(\.gz)?$/i.test(fileName) || !/^\s*[{[]/.test(record)) return 'csv';
  try {
    return isTypedItem(unwrapped(readJson(record))) ? 'json-typed' : 'json-plain';
  } catch {
    return 'json-typed';
  }
}

// Cuts records out of text that comes in pieces: records with quotes for CSV, lines for JSON. Where
// the first line of JSON is not whole, a record is what its braces hold together, over many lines.
export class RecordCutter {
  #rest = '';
  #scanned = 0;
  #quoted = false;
  #depth = 0;
  #opened = 0;
  #escaped = false;
  #line = 1;
  #csv;
  #lines = null; // is each line a record? null: not known yet

  constructor({ csv }) {
    this.#csv = csv;
  }

  // [{text, line}] that are whole with this piece; last: nothing comes after it.
  take(piece, last = false) {
    this.#rest += piece;
    const records = [];
    let start = 0;
    for (let at = this.#scanned; at < this.#rest.length; at += 1) {
      if (!this.#ends(this.#rest[at])) continue;
      this.#add(records, this.#rest.slice(start, at + 1));
      start = at + 1;
    }
    this.#rest = this.#rest.slice(start);
    this.#scanned = this.#rest.length;
    if (last && this.#rest !== '') {
      this.#add(records, this.#rest);
      this.#rest = '';
    }
    return records;
  }

  get held() {
    return this.#rest.length;
  }

  #add(records, text) {
    const lines = text.split('\n').length - 1;
    const content = text.replace(/\r?\n$/, '');
    if (content.trim() !== '') {
      records.push({ text: this.#line === 1 ? content.replace(/^\ufeff/, '') : content, line: this.#line });
    }
    this.#line += lines;
  }

  #ends(character) {
    if (this.#csv) {
      if (character === '"') this.#quoted = !this.#quoted;
      return character === '\n' && !this.#quoted;
    }
    if (this.#lines) return character === '\n';
    if (this.#quoted) {
      if (this.#escaped) this.#escaped = false;
      else if (character === '\\') this.#escaped = true;
      else if (character === '"' || character === '\n') this.#quoted = false;
      return false;
    }
    if (character === '"') this.#quoted = true;
    else if (character === '{' || character === '[') {
      this.#depth += 1;
      this.#opened += 1;
    }
    else if (character === '}' || character === ']') this.#depth = Math.max(0, this.#depth - 1);
    if (character !== '\n' || (this.#lines === null && this.#opened === 0)) return false;
    this.#lines ??= this.#depth === 0;
    return this.#depth === 0;
  }
}

// A record may hold several items: an array of them.
function jsonItems(text, read) {
  const node = readJson(text.trim().replace(/,$/, ''));
  return (Array.isArray(node) ? node : [node]).map((each) => read(unwrapped(each)));
}

// Reads records of one file; throws JsonError, ItemError or CsvError.
export class ItemReader {
  #format;
  #columns = null;
  #types;

  // types: Map of attribute names to key types, for CSV columns that say none.
  constructor(format, types = new Map()) {
    this.#format = format;
    this.#types = types;
  }

  items(text) {
    if (this.#format === 'json-typed') return jsonItems(text, (node) => typedItem(node));
    if (this.#format === 'json-plain') return jsonItems(text, (node) => plainItem(node));
    if (this.#columns) return [readCsvItem(text, this.#columns)];
    this.#columns = readHead(text).map(({ name, type }) => ({ name, type: type ?? this.#types.get(name) ?? null }));
    return [];
  }
}

export const isFileError = (error) => [JsonError, ItemError, CsvError].some((kind) => error instanceof kind);
