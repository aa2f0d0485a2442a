// Values as a line of text for people. Nothing of a value can act on the page: what is shown is text,
// and characters that cannot be seen or that turn the text around are shown by symbols.

import { base64Bytes, contentOf, isSet, memberType, typeOf } from './types.js';

const kNames = new Map([[0x20, '\u2420'], [0x7f, '\u2421'], [0x0a, '\u21b5'], [0x0d, '\u240d'], [0x09, '\u21e5']]);
export const kHidden =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

// Hidden characters become visible: a line feed \u21b5, others such as U+202E in brackets.
export function visible(text) {
  return text.replace(kHidden, (character) => {
    const code = character.codePointAt(0);
    if (kNames.has(code)) return kNames.get(code);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
  });
}

// At most about `limit` characters, cut between characters.
export function cut(text, limit) {
  if (text.length <= limit) return text;
  const end = /[\ud800-\udbff]/.test(text[limit - 1]) ? limit - 1 : limit;
  return `${text.slice(0, end)}\u2026`;
}

function inside(value, limit) {
  const type = typeOf(value);
  const content = contentOf(value);
  if (type === 'S') return `"${visible(cut(content, limit))}"`;
  return preview(value, limit);
}

function listed(parts, count, limit, open, close) {
  let text = '';
  let shown = 0;
  for (const part of parts) {
    if (shown > 0 && text.length + part.length > limit) break;
    text += (shown > 0 ? ', ' : '') + part;
    shown += 1;
    if (text.length > limit) break;
  }
  return `${open}${text}${shown < count ? `, \u2026 ${count} in all` : ''}${close}`;
}

// Parts are made one at a time, so that a map of 400 KB costs no more than what is shown of it.
function* mapParts(map, limit) {
  for (const name in map) {
    if (Object.hasOwn(map, name)) yield `${visible(cut(name, 40))}: ${inside(map[name], Math.max(8, limit >> 1))}`;
  }
}

function* listParts(list, limit, wrap = (each) => each) {
  for (const each of list) yield inside(wrap(each), Math.max(8, limit >> 1));
}

export function preview(value, limit = 100) {
  const type = typeOf(value);
  const content = contentOf(value);
  if (type === 'S') return visible(cut(content, limit));
  if (type === 'N') return content;
  if (type === 'BOOL') return String(content);
  if (type === 'NULL') return 'null';
  if (type === 'B') return `${cut(content, Math.min(limit, 24))} (${base64Bytes(content)} B)`;
  if (isSet(type)) {
    const parts = listParts(content, limit, (each) => ({ [memberType(type)]: each }));
    return listed(parts, content.length, limit, '{', '}');
  }
  if (limit < 10) return type === 'M' ? '{\u2026}' : '[\u2026]';
  if (type === 'L') return listed(listParts(content, limit), content.length, limit, '[', ']');
  return listed(mapParts(content, limit), Object.keys(content).length, limit, '{', '}');
}

// What goes to the clipboard: the value itself, without its type where text can carry it.
export function copyText(value) {
  const type = typeOf(value);
  const content = contentOf(value);
  return type === 'S' || type === 'N' || type === 'B' ? content : null;
}
