// An item as a form: a line for each attribute, with its type; lists and maps open into their own
// lines. A change makes a new item and calls changed(item); only a change of shape draws anew.

import { h, replace } from '../dom.js';
import { plural } from '../format.js';
import { button, select } from '../widgets.js';
import { converted, guessType, moved, renamed, valueAt, valueFromText, without, withValue } from '../values/edit.js';
import { preview, visible } from '../values/preview.js';
import {
  contentOf, emptyValue, isBase64, isSet, kKeyTypes, kTypeNames, kTypes, memberType, typeOf, valueProblem,
} from '../values/types.js';

const kShown = 100; // lines of a map or list before a button for more
const kLong = 60; // characters from which a text has a field of several lines
const kMaxField = 100_000;

const kOpened = 8; // members of a map or list of the first level that is open from the start
const kScreen = 30; // lines up to which such are opened

const pathKey = (path) => JSON.stringify(path);

function openAtFirst(item) {
  const open = new Set();
  let lines = Object.keys(item).length;
  for (const [name, value] of Object.entries(item)) {
    const count = typeOf(value) === 'M' ? Object.keys(value.M).length : typeOf(value) === 'L' ? value.L.length : 0;
    if (count === 0 || count > kOpened || lines + count > kScreen) continue;
    open.add(pathKey([name]));
    lines += count;
  }
  return open;
}

export class ValueForm {
  #item;
  #keys;
  #changed;
  #open = new Set();
  #more = new Map();
  #links;

  // keys: [{name, type}], whose type is fixed; links(name, value): nodes behind an attribute.
  constructor({ keys, changed, links = () => null }) {
    this.#keys = keys;
    this.#changed = changed;
    this.#links = links;
    this.node = h('div', { class: 'value-form', role: 'group', 'aria-label': 'Attributes' });
  }

  // Small maps and lists are open from the start.
  write(item, { keepOpen = false } = {}) {
    this.#item = item;
    if (!keepOpen) {
      this.#open = openAtFirst(item);
      this.#more = new Map();
    }
    this.#draw();
  }

  #set(item) {
    this.#item = item;
    this.#changed(item);
  }

  // Draws anew, with the focus where it was or at `focus`, a path and the part of its line.
  #draw(focus = null) {
    const active = document.activeElement?.closest?.('[data-at]');
    const wanted = focus ?? (active && this.node.contains(active) ? active.dataset.at : null);
    replace(this.node, this.#lines({ M: this.#item }, []), this.#adder([]));
    if (wanted) [...this.node.querySelectorAll('[data-at]')].find((each) => each.dataset.at === wanted)?.focus();
  }

  #lines(value, path) {
    const children = typeOf(value) === 'L' ? value.L.map((each, index) => [index, each]) : this.#ordered(value.M, path);
    const limit = this.#more.get(pathKey(path)) ?? kShown;
    const lines = children.slice(0, limit).map(([step, each]) => this.#line(each, [...path, step], children.length));
    if (children.length <= limit) return lines;
    return [...lines, button(`Show more (${plural(children.length - limit, 'other')})`, () => {
      this.#more.set(pathKey(path), limit * 4);
      this.#draw();
    }, { class: 'small' })];
  }

  // The key comes first.
  #ordered(map, path) {
    const entries = Object.entries(map);
    if (path.length > 0) return entries;
    const rank = ([name]) => (this.#keys.findIndex((key) => key.name === name) + 1 || 99);
    return entries.sort((a, b) => rank(a) - rank(b));
  }

  #line(value, path, siblings) {
    const type = typeOf(value);
    const key = path.length === 1 ? this.#keys.find(({ name }) => name === path[0]) : null;
    const nested = type === 'M' || type === 'L';
    const isOpen = nested && this.#open.has(pathKey(path));
    const problem = h('span', { class: 'bad problem', role: 'alert' }, valueProblem(value));
    return h('div', { class: ['attribute', key && 'of-key'], dataset: { depth: String(path.length) } },
      h('div', { class: 'attribute-line' },
        nested ? button(isOpen ? '\u25be' : '\u25b8', () => this.#toggle(path), {
          class: 'plain toggle', 'aria-expanded': String(isOpen),
          'aria-label': `${this.#label(path)}, ${kTypeNames[type]}`, dataset: { at: `${pathKey(path)}toggle` },
        }) : h('span', { class: 'toggle' }),
        this.#name(path, key), this.#type(value, path, key),
        h('div', { class: 'attribute-value' },
          this.#editor(value, path, problem), problem, path.length === 1 && this.#links(path[0], value)),
        this.#buttons(path, key, siblings)),
      isOpen && h('div', { class: 'nested' }, this.#lines(value, path), this.#adder(path)));
  }

  #label(path) {
    return visible(path.map(String).join('.'));
  }

  #toggle(path) {
    const key = pathKey(path);
    if (!this.#open.delete(key)) this.#open.add(key);
    this.#draw(`${key}toggle`);
  }

  #name(path, key) {
    const name = path.at(-1);
    if (typeof name === 'number') return h('span', { class: 'attribute-name position' }, name);
    if (key) {
      return h('span', { class: 'attribute-name mono', title: visible(name) },
        h('span', { class: 'cut' }, visible(name)), h('span', { class: 'badge' }, 'key'));
    }
    return h('input', {
      class: 'attribute-name mono', value: name, title: visible(name), 'aria-label': `Name of ${visible(name)}`,
      autocomplete: 'off', spellcheck: 'false', dataset: { at: `${pathKey(path)}name` },
      on: { change: (event) => {
        const item = renamed(this.#item, path, event.target.value);
        if (!item) {
          event.target.setCustomValidity('An attribute with this name exists.');
          event.target.reportValidity();
          return;
        }
        this.#set(item);
        this.#draw(`${pathKey([...path.slice(0, -1), event.target.value])}name`);
      }, input: (event) => event.target.setCustomValidity('') } });
  }

  #type(value, path, key) {
    const types = key ? [key.type, ...kKeyTypes.filter((type) => type === typeOf(value) && type !== key.type)] : kTypes;
    return select(types.map((type) => [type, kTypeNames[type]]), {
      value: typeOf(value), class: 'attribute-type', disabled: Boolean(key) && types.length === 1,
      'aria-label': `Type of ${this.#label(path)}`, dataset: { at: `${pathKey(path)}type` },
      on: { change: (event) => {
        const type = event.target.value;
        if (type === 'M' || type === 'L') this.#open.add(pathKey(path));
        this.#set(withValue(this.#item, path, converted(valueAt(this.#item, path), type)));
        this.#draw(`${pathKey(path)}type`);
      } },
    });
  }

  #editor(value, path, problem) {
    const type = typeOf(value);
    const label = `Value of ${this.#label(path)}`;
    if (type === 'M' || type === 'L') return h('span', { class: 'quiet mono' }, preview(value, 60));
    if (type === 'NULL') return h('span', { class: 'quiet mono' }, 'null');
    if (isSet(type)) return this.#setEditor(value, path, problem, label);
    if (type === 'BOOL') {
      return select(['true', 'false'], {
        value: String(value.BOOL), 'aria-label': label, dataset: { at: `${pathKey(path)}value` },
        on: { change: (event) => this.#set(withValue(this.#item, path, { BOOL: event.target.value === 'true' })) },
      });
    }
    return this.#textField(contentOf(value), type, label, `${pathKey(path)}value`, (text) => {
      const typed = valueFromText(type, text);
      replace(problem, valueProblem(typed));
      this.#set(withValue(this.#item, path, typed));
    });
  }

  #textField(text, type, label, at, changed) {
    if (text.length > kMaxField) {
      return h('span', { class: 'quiet mono' }, preview({ [type]: text }, 60), ' (too long: edit it as JSON)');
    }
    const long = type !== 'N' && (text.length > kLong || text.includes('\n'));
    const props = {
      value: text, 'aria-label': label, spellcheck: 'false', autocomplete: 'off', class: 'mono grow', dataset: { at },
      on: { input: (event) => changed(event.target.value) },
    };
    const rows = Math.max(2, Math.ceil(text.length / 60), text.split('\n').length);
    if (long) return h('textarea', { ...props, rows: String(Math.min(12, rows)) });
    return h('input', { ...props, inputmode: type === 'N' ? 'decimal' : null });
  }

  #setEditor(value, path, problem, label) {
    const type = typeOf(value);
    const members = contentOf(value);
    const limit = this.#more.get(pathKey(path)) ?? kShown;
    const put = (list, focus) => {
      this.#set(withValue(this.#item, path, { [type]: list }));
      replace(problem, valueProblem({ [type]: list }));
      if (focus !== undefined) this.#draw(`${pathKey([...path, focus])}member`);
    };
    const current = () => contentOf(valueAt(this.#item, path));
    const fieldOf = (member, index) => this.#textField(member, memberType(type), `${label}, member ${index + 1}`,
      `${pathKey([...path, index])}member`, (text) => {
        const list = [...current()];
        list[index] = memberType(type) === 'S' ? text : text.trim();
        put(list);
      });
    const removeAt = (index) => put(current().filter((each, at) => at !== index), Math.max(0, index - 1));
    const lines = members.slice(0, limit).map((member, index) => h('div', { class: 'member' }, fieldOf(member, index),
      button('\u00d7', () => removeAt(index), { class: 'plain', 'aria-label': `Remove member ${index + 1}` })));
    const add = () => put([...current(), ''], members.length);
    return h('div', { class: 'members' }, lines, members.length > limit
      ? h('span', { class: 'quiet' }, `and ${plural(members.length - limit, 'other')}: edit them as JSON`)
      : button('Add a member', add, { class: 'small' }));
  }

  #buttons(path, key, siblings) {
    if (key) return h('span', { class: 'attribute-buttons' });
    const label = this.#label(path);
    const small = (text, name, run, disabled = false) => (
      button(text, run, { class: 'plain small', 'aria-label': name, title: name, disabled }));
    const position = path.at(-1);
    const move = (by) => () => {
      this.#set(moved(this.#item, path, by));
      this.#draw();
    };
    return h('span', { class: 'attribute-buttons' },
      typeof position === 'number' && [
        small('\u2191', `Move ${label} up`, move(-1), position === 0),
        small('\u2193', `Move ${label} down`, move(1), position === siblings - 1),
      ],
      small('\u00d7', `Remove ${label}`, () => {
        this.#set(without(this.#item, path));
        this.#draw(`${pathKey(path.slice(0, -1))}add`);
      }));
  }

  // Adds to a map by name and value, to a list by value; the type is guessed and can be changed.
  #adder(path) {
    const parent = path.length === 0 ? { M: this.#item } : valueAt(this.#item, path);
    const list = typeOf(parent) === 'L';
    const name = list ? null : h('input', {
      class: 'attribute-name mono', placeholder: 'new attribute', 'aria-label': 'Name of the new attribute',
      autocomplete: 'off', spellcheck: 'false', dataset: { at: `${pathKey(path)}add` },
    });
    const text = h('input', {
      class: 'mono grow', placeholder: list ? 'new element' : 'value', 'aria-label': 'Value to add',
      autocomplete: 'off', spellcheck: 'false', dataset: { at: list ? `${pathKey(path)}add` : '' },
    });
    const type = select([['', 'Detect type'], ...kTypes.map((each) => [each, kTypeNames[each]])], {
      class: 'attribute-type', 'aria-label': 'Type to add', value: '',
    });
    const add = () => {
      const step = list ? parent.L.length : name.value;
      if (!list && (step === '' || Object.hasOwn(parent.M, step))) {
        name.setCustomValidity(step === '' ? 'Name the attribute.' : 'An attribute with this name exists.');
        name.reportValidity();
        return;
      }
      const chosen = type.value || guessType(text.value);
      const isBinary = chosen === 'B' && isBase64(text.value);
      const value = text.value === '' ? emptyValue(chosen)
        : isBinary ? { B: text.value } : converted({ S: text.value }, chosen);
      if (chosen === 'M' || chosen === 'L') this.#open.add(pathKey([...path, step]));
      this.#set(withValue(this.#item, [...path, step], value));
      const takesMore = text.value === '' && !['M', 'L', 'NULL'].includes(chosen);
      this.#draw(takesMore ? `${pathKey([...path, step])}value` : `${pathKey(path)}add`);
    };
    const onKey = (event) => {
      name?.setCustomValidity('');
      if (event.key !== 'Enter' || event.ctrlKey) return;
      event.preventDefault();
      add();
    };
    return h('div', { class: 'attribute-line adder', on: { keydown: onKey } },
      h('span', { class: 'toggle' }), list ? h('span', { class: 'attribute-name position' }, '+') : name, type,
      h('div', { class: 'attribute-value' }, text), h('span', { class: 'attribute-buttons' },
        button('Add', add, { class: 'small' })));
  }
}
