// JSON read without loss: numbers keep their digits (ExactNumber), objects are Maps, so that no name
// means anything to JavaScript, and a name given twice is an error.

export class ExactNumber {
  constructor(text) { this.text = text; }
}

export class JsonError extends Error {
  constructor(message, text, offset) {
    const before = text.slice(0, offset).split('\n');
    super(`Line ${before.length}, column ${before.at(-1).length + 1}: ${message}`);
    this.line = before.length;
    this.column = before.at(-1).length + 1;
    this.offset = offset;
  }
}

const kMaxDepth = 200;
const kNumber = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const kSpace = /[ \t\r\n]*/y;
const kPlain = /[^"\\\u0000-\u001f]*/y;
const kEscapes = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  fail(message, offset = this.at) {
    throw new JsonError(message, this.text, offset);
  }

  take(pattern) {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match) this.at = pattern.lastIndex;
    return match ? match[0] : null;
  }

  // The next character after white space; undefined at the end.
  peek() {
    this.take(kSpace);
    return this.text[this.at];
  }

  expect(character, what) {
    if (this.peek() !== character) this.fail(`${what} is expected${this.found()}.`);
    this.at += 1;
  }

  found() {
    if (this.at >= this.text.length) return ', but the text ends';
    return `, not ${JSON.stringify([...this.text.slice(this.at, this.at + 2)][0])}`;
  }

  value(depth) {
    if (depth > kMaxDepth) this.fail(`The JSON has more than ${kMaxDepth} levels.`);
    const next = this.peek();
    if (next === '{') return this.object(depth);
    if (next === '[') return this.array(depth);
    if (next === '"') return this.string();
    for (const [word, value] of [['true', true], ['false', false], ['null', null]]) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    const number = this.take(kNumber);
    if (!number) this.fail(`A value is expected${this.found()}.`);
    return new ExactNumber(number);
  }

  object(depth) {
    const members = new Map();
    this.at += 1;
    if (this.peek() === '}') {
      this.at += 1;
      return members;
    }
    for (;;) {
      if (this.peek() !== '"') this.fail(`A name in double quotes is expected${this.found()}.`);
      const start = this.at;
      const name = this.string();
      if (members.has(name)) this.fail(`The name ${JSON.stringify(name)} appears twice.`, start);
      this.expect(':', 'A colon');
      members.set(name, this.value(depth + 1));
      if (this.peek() !== ',') break;
      this.at += 1;
    }
    this.expect('}', 'A comma or }');
    return members;
  }

  array(depth) {
    const elements = [];
    this.at += 1;
    if (this.peek() === ']') {
      this.at += 1;
      return elements;
    }
    for (;;) {
      elements.push(this.value(depth + 1));
      if (this.peek() !== ',') break;
      this.at += 1;
    }
    this.expect(']', 'A comma or ]');
    return elements;
  }

  string() {
    const start = this.at;
    const parts = [];
    this.at += 1;
    for (;;) {
      parts.push(this.take(kPlain));
      const next = this.text[this.at];
      if (next === '"') break;
      if (next === undefined) this.fail('The string that begins here has no end.', start);
      if (next !== '\\') this.fail('Write a control character in a string as \\n or \\u000a.');
      parts.push(this.escape());
    }
    this.at += 1;
    return parts.join('');
  }

  escape() {
    const letter = this.text[this.at + 1];
    if (letter !== 'u') {
      if (!Object.hasOwn(kEscapes, letter ?? '')) this.fail('A backslash needs one of " \\ / b f n r t u after it.');
      this.at += 2;
      return kEscapes[letter];
    }
    const digits = this.text.slice(this.at + 2, this.at + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.fail('\\u needs four hexadecimal digits after it.');
    this.at += 6;
    return String.fromCharCode(parseInt(digits, 16));
  }
}

export function readJson(text) {
  const reader = new Reader(text.startsWith('\ufeff') ? text.slice(1) : text);
  const value = reader.value(0);
  if (reader.peek() !== undefined) reader.fail(`Nothing is expected after the value${reader.found()}.`);
  return value;
}

// What readJson returned, as text again.
export function writeJson(value, indent = '', margin = '\n') {
  if (value instanceof ExactNumber) return value.text;
  const inner = indent ? margin + indent : '';
  const outer = indent ? margin : '';
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    const comma = `,${inner || (indent ? ' ' : '')}`;
    return `[${inner}${value.map((each) => writeJson(each, indent, inner || margin)).join(comma)}${outer}]`;
  }
  if (value instanceof Map) {
    if (value.size === 0) return '{}';
    const members = [...value].map(([name, each]) => (
      `${JSON.stringify(name)}:${indent ? ' ' : ''}${writeJson(each, indent, inner || margin)}`));
    return `{${inner}${members.join(`,${inner}`)}${outer}}`;
  }
  return JSON.stringify(value);
}
