// Lays out code: short things on one line, long ones a member a line. A node is a string, or
// {open, items, close, trailing}; an item is a node, or {prefix, node}.

import { kHidden } from '../values/preview.js';

const kWidth = 96;

function flat(node) {
  if (typeof node === 'string') return node;
  if (node.prefix !== undefined) return node.prefix + flat(node.node);
  const space = node.spaced && node.items.length > 0 ? ' ' : '';
  return node.open + space + node.items.map(flat).join(', ') + space + node.close;
}

// Stops early: a value of 400 KB is not joined only to be measured.
function fits(node, room) {
  const left = (each, before) => {
    if (before < 0) return before;
    if (typeof each === 'string') return before - each.length;
    if (each.prefix !== undefined) return left(each.node, before - each.prefix.length);
    const inside = before - each.open.length - each.close.length;
    return each.items.reduce((rest, item) => (rest < 0 ? rest : left(item, rest - 2)), inside);
  };
  return left(node, room) >= 0;
}

// used: characters before the node on its line.
export function print(node, indent, step, used = indent.length) {
  if (typeof node === 'string') return node;
  if (node.prefix !== undefined) return node.prefix + print(node.node, indent, step, used + node.prefix.length);
  if (node.items.length === 0 || (fits(node, kWidth - used) && !node.tall)) return flat(node);
  const space = node.spaced ? ' ' : '';
  // What has one member only needs no lines of its own: { M: {
  if (node.items.length === 1 && !node.tall) {
    return node.open + space + print(node.items[0], indent, step, used + node.open.length) + space + node.close;
  }
  const inner = indent + step;
  const lines = node.items.map((item) => inner + print(item, inner, step));
  return `${node.open}\n${lines.join(',\n')}${node.trailing ?? ','}\n${indent}${node.close}`;
}

// A text between quotes: `escape(character)` for those that the quotes need, and all that cannot be
// seen or turns text around is written by its number, so that code reads as it runs.
const kShort = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

export function quote(text, mark, byNumber) {
  const escaped = text.replace(/\\/g, '\\\\').replaceAll(mark, `\\${mark}`)
    .replace(kHidden, (character) => kShort[character] ?? byNumber(character.codePointAt(0)));
  return mark + escaped + mark;
}

export const hex = (code, digits) => code.toString(16).padStart(digits, '0');

// \ud83d\ude00: as UTF-16 has it.
export const utf16 = (code) => (code < 0x10000 ? `\\u${hex(code, 4)}`
  : [...String.fromCodePoint(code).split('')].map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`).join(''));
