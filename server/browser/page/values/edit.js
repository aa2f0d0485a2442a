// Changes to an item in the form: each returns a new value, and what is not touched stays as it was,
// type and digits. A path has attribute names and positions in lists.

import { canonical, isNumber } from './numbers.js';
import { contentOf, emptyValue, isSet, memberType, typeOf } from './types.js';

const entriesOf = (map) => Object.entries(map);

export function valueAt(item, path) {
  const child = (value, step) => {
    if (typeof step === 'number') return value.L?.[step];
    return value.M && Object.hasOwn(value.M, step) ? value.M[step] : undefined;
  };
  return path.reduce((value, step) => child(value, step) ?? {}, { M: item });
}

// Applies change(map or list) where the path's last step leads from.
function inParent(value, path, change) {
  if (path.length === 1) return typeOf(value) === 'L' ? { L: change(value.L) } : { M: change(value.M) };
  const [step, ...rest] = path;
  if (typeof step === 'number') {
    return { L: value.L.map((each, index) => (index === step ? inParent(each, rest, change) : each)) };
  }
  const entries = entriesOf(value.M).map(([name, each]) => [name, name === step ? inParent(each, rest, change) : each]);
  return { M: Object.fromEntries(entries) };
}

const edit = (item, path, change) => inParent({ M: item }, path, change).M;

// Names that come new go to the end.
export function withValue(item, path, value) {
  const last = path.at(-1);
  return edit(item, path, (parent) => {
    if (Array.isArray(parent)) {
      return last < parent.length ? Object.assign([...parent], { [last]: value }) : [...parent, value];
    }
    const kept = entriesOf(parent).map(([name, each]) => [name, name === last ? value : each]);
    return Object.fromEntries(Object.hasOwn(parent, last) ? kept : [...kept, [last, value]]);
  });
}

export function without(item, path) {
  const last = path.at(-1);
  return edit(item, path, (parent) => (Array.isArray(parent) ? parent.filter((each, index) => index !== last)
    : Object.fromEntries(entriesOf(parent).filter(([name]) => name !== last))));
}

// In its place among the others; null when the name is taken or empty.
export function renamed(item, path, name) {
  const last = path.at(-1);
  if (name === last) return item;
  const parent = valueAt(item, path.slice(0, -1));
  if (name === '' || Object.hasOwn(parent.M, name)) return null;
  return edit(item, path, (map) => (
    Object.fromEntries(entriesOf(map).map(([each, value]) => [each === last ? name : each, value]))));
}

// by: -1 or 1.
export function moved(item, path, by) {
  const from = path.at(-1);
  return edit(item, path, (list) => {
    const to = from + by;
    if (!Array.isArray(list) || to < 0 || to >= list.length) return list;
    const copy = [...list];
    [copy[from], copy[to]] = [copy[to], copy[from]];
    return copy;
  });
}

const scalarText = (value) => {
  const type = typeOf(value);
  if (type === 'NULL') return '';
  return ['S', 'N', 'B', 'BOOL'].includes(type) ? String(contentOf(value)) : null;
};

const utf8 = {
  encode: (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text))),
  decode: (text) => (
    new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(atob(text), (each) => each.charCodeAt(0)))),
};

function binaryOf(value, text) {
  if (typeOf(value) === 'B') return text;
  return text.length < 50000 ? utf8.encode(text) : '';
}

function stringOf(value, text) {
  if (typeOf(value) !== 'B') return text;
  try {
    return utf8.decode(text);
  } catch {
    return text;
  }
}

function elementsOf(value) {
  const type = typeOf(value);
  if (type === 'L') return value.L;
  if (isSet(type)) return contentOf(value).map((each) => ({ [memberType(type)]: each }));
  if (type === 'M') return Object.values(value.M);
  return type === 'NULL' || scalarText(value) === '' ? [] : [value];
}

function setOf(type, value) {
  const members = elementsOf(value).map((each) => contentOf(converted(each, memberType(type))));
  return { [type]: members.length > 0 ? [...new Set(members)] : emptyValue(type)[type] };
}

// The value with another type: what it means in that type where it means anything, else empty.
export function converted(value, type) {
  if (typeOf(value) === type) return value;
  const text = scalarText(value);
  if (type === 'NULL') return { NULL: true };
  if (type === 'L') return { L: elementsOf(value) };
  if (isSet(type)) return setOf(type, value);
  if (type === 'M' || text === null) return emptyValue(type);
  if (type === 'S') return { S: stringOf(value, text) };
  if (type === 'N') return { N: isNumber(text) ? canonical(text) : text === 'true' ? '1' : '0' };
  if (type === 'BOOL') return { BOOL: text === 'true' || (isNumber(text) && canonical(text) !== '0') };
  return { B: binaryOf(value, text) };
}

// What typing into a field of this type makes; problems are types.js' to find.
export function valueFromText(type, text) {
  if (type === 'BOOL') return { BOOL: text === 'true' };
  if (type === 'NULL') return { NULL: true };
  if (type === 'N') return { N: text.trim() };
  if (type === 'B') return { B: text.replace(/\s/g, '') };
  return { S: text };
}

// The type that a person most likely means by a text without one: `12` a number, `true` a Boolean.
export function guessType(text) {
  if (text === 'true' || text === 'false') return 'BOOL';
  return /^[+-]?[\d.]/.test(text) && isNumber(text) && !/^[+-]?0\d/.test(text) ? 'N' : 'S';
}

