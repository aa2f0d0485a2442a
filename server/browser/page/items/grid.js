// Items in a table, a column for each attribute. One cell has the focus: arrows move it, Enter opens
// the item, Space selects it.

import { h, replace } from '../dom.js';
import { plural } from '../format.js';
import { copyText } from '../widgets.js';
import { copyText as plainText, preview, visible } from '../values/preview.js';
import { typedText } from '../values/typed.js';
import { contentOf, typeOf } from '../values/types.js';

const kMaxColumns = 200;
const kPreview = 90;
const kCharacter = 7.25; // pixels of a character of the grid's type
const kMinWidth = 60;
const kMaxWidth = 340;
const kPickWidth = 30;
const kFirstRows = 30; // drawn at once; others after the first sight
const kPlainTypes = ['S', 'N', 'BOOL', 'NULL']; // that show what they are

const kOrder = new Intl.Collator(undefined, { numeric: true });

// Keys first, then what most items have.
export function chooseColumns(items, first) {
  const counts = new Map();
  for (const item of items) for (const name of Object.keys(item)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const others = [...counts].filter(([name]) => !first.includes(name)).sort(([a, x], [b, y]) => y - x || kOrder.compare(a, b)).map(([name]) => name);
  return [...first, ...others].slice(0, kMaxColumns);
}

// What chooseColumns left out, as a sentence; '' when nothing.
export function describeOthers(items, columns) {
  if (columns.length < kMaxColumns) return '';
  const shown = new Set(columns);
  const others = new Set(items.flatMap((item) => Object.keys(item).filter((name) => !shown.has(name))));
  return others.size > 0 ? `${plural(others.size, 'attribute')} beyond the first ${kMaxColumns} ${others.size === 1 ? 'has' : 'have'} no column; open an item to see all of it.` : '';
}

// Empty texts are shown as such.
const textOf = (value) => preview(value, kPreview) || (contentOf(value) === '' ? '""' : '');

function widthOf(name, texts, index) {
  const longest = texts.reduce((length, row) => Math.max(length, row[index]?.length ?? 0), 0);
  const type = 4; // characters that name the type of a list
  return Math.min(kMaxWidth, Math.max(kMinWidth, Math.ceil(Math.max(name.length * 1.08, longest > 20 ? longest + type : longest + 1) * kCharacter) + 21));
}

export class Grid {
  items = [];
  #columns = [];
  #at = { row: 0, column: 0 };
  #widths = new Map(); // of columns, by name, as they were dragged
  #last = null; // where a range of selected rows begins
  selected = new Set();

  // open(index), selectionChanged(), follow(name, value): an address or null, keys: names of key attributes.
  constructor({ open, selectionChanged, follow, keys }) {
    Object.assign(this, { open, selectionChanged, follow, keys });
    this.columns = h('colgroup');
    this.head = h('thead');
    this.body = h('tbody', { on: { click: (event) => this.#click(event), dblclick: (event) => this.#doubleClick(event), focusin: (event) => this.#focused(event) } });
    this.table = h('table', { class: 'items-grid', role: 'grid', 'aria-label': 'Items', 'aria-multiselectable': 'true', on: { keydown: (event) => this.#key(event) } }, this.columns, this.head, this.body);
    this.node = h('div', { class: 'grid-scroll' }, this.table);
  }

  show(items, columns, { hidden = new Set() } = {}) {
    this.items = items;
    this.#columns = columns.filter((name) => !hidden.has(name));
    this.selected.clear();
    this.#at = { row: 0, column: Math.min(this.#at.column, this.#columns.length) };
    // Before anything changes, so that nothing is laid out for it.
    if (this.node.scrollTop > 0) this.node.scrollTop = 0;
    const texts = items.map((item) => this.#columns.map((name) => (Object.hasOwn(item, name) ? textOf(item[name]) : null)));
    this.#drawHead(texts);
    replace(this.body, items.slice(0, kFirstRows).map((item, row) => this.#row(item, row, texts[row])));
    if (items.length > kFirstRows) {
      requestAnimationFrame(() => setTimeout(() => {
        if (this.items === items) this.body.append(...items.slice(kFirstRows).map((item, row) => this.#row(item, row + kFirstRows, texts[row + kFirstRows])));
      }));
    }
    this.#cell(this.#at)?.setAttribute('tabindex', '0');
    this.selectionChanged();
  }

  get focusedRow() { return this.items.length > 0 ? this.#at.row : null; }

  focus() { this.#cell(this.#at)?.focus(); }

  // The open one is marked.
  mark(index) {
    for (const row of this.body.rows) {
      if (Number(row.dataset.row) === index) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
  }

  update(index, item) {
    this.items[index] = item;
    this.body.rows[index]?.replaceWith(this.#row(item, index));
    this.#cell(this.#at)?.setAttribute('tabindex', '0');
  }

  #drawHead(texts) {
    const all = h('input', { type: 'checkbox', 'aria-label': 'Select all of this page', on: { change: () => this.#selectAll(all.checked) } });
    this.all = all;
    replace(this.head, h('tr', {}, h('th', { class: 'pick', scope: 'col' }, all), this.#columns.map((name, index) => (
      h('th', { scope: 'col', class: this.keys().includes(name) ? 'key' : '' },
        h('span', { class: 'column-name' }, visible(name)),
        h('span', { class: 'resize', on: { pointerdown: (event) => this.#resize(event, index) } }))))));
    replace(this.columns, h('col'), this.#columns.map(() => h('col')));
    this.#setWidths([kPickWidth, ...this.#columns.map((name, index) => this.#widths.get(name) ?? widthOf(name, texts, index))]);
  }

  // Set by what is shown, once, so that a page of many items is laid out at once.
  #setWidths(widths) {
    widths.forEach((width, index) => this.columns.children[index].style.setProperty('width', `${width}px`));
    this.table.style.setProperty('width', `${widths.reduce((sum, width) => sum + width, 0)}px`);
    this.widths = widths;
  }

  #resize(event, index) {
    event.preventDefault();
    const handle = event.target;
    const start = this.widths[index + 1] - event.clientX;
    handle.setPointerCapture(event.pointerId);
    const move = (each) => {
      const width = Math.max(kMinWidth, Math.round(start + each.clientX));
      this.#widths.set(this.#columns[index], width);
      this.#setWidths(this.widths.with(index + 1, width));
    };
    handle.addEventListener('pointermove', move);
    handle.addEventListener('pointerup', () => handle.removeEventListener('pointermove', move), { once: true });
  }

  #row(item, row, texts = this.#columns.map((name) => (Object.hasOwn(item, name) ? textOf(item[name]) : null))) {
    const pick = h('input', { type: 'checkbox', tabindex: '-1', 'aria-label': `Select item ${row + 1}`, checked: this.selected.has(row) });
    return h('tr', { dataset: { row: String(row) }, 'aria-selected': String(this.selected.has(row)) },
      h('td', { class: 'pick', tabindex: '-1' }, pick),
      this.#columns.map((name, index) => this.#valueCell(item, name, texts[index])));
  }

  #valueCell(item, name, text) {
    if (text === null) return h('td', { tabindex: '-1', class: 'absent' });
    const value = item[name];
    const type = typeOf(value);
    const address = this.follow(name, value);
    return h('td', { tabindex: '-1', class: `type-${type}` },
      address ? h('a', { href: address, tabindex: '-1', title: `All items with this ${visible(name)}` }, text) : text,
      !kPlainTypes.includes(type) && h('span', { class: 'type' }, type));
  }

  #cell({ row, column }) { return this.body.rows[row]?.cells[column] ?? null; }

  #moveTo(row, column) {
    const to = { row: Math.max(0, Math.min(row, this.items.length - 1)), column: Math.max(0, Math.min(column, this.#columns.length)) };
    this.#cell(to)?.focus();
  }

  #focused({ target }) {
    const cell = target.closest('td');
    const row = target.closest('tr');
    if (!cell || !row) return;
    this.#cell(this.#at)?.setAttribute('tabindex', '-1');
    this.#at = { row: Number(row.dataset.row), column: cell.cellIndex };
    cell.setAttribute('tabindex', '0');
  }

  #click(event) {
    const row = event.target.closest('tr');
    const cell = event.target.closest('td');
    if (!row || event.target.closest('a')) return;
    const index = Number(row.dataset.row);
    if (cell?.classList.contains('pick')) {
      if (event.target.tagName !== 'INPUT') event.preventDefault();
      this.#select(index, !this.selected.has(index), event.shiftKey);
    } else if (!String(window.getSelection())) {
      this.open(index);
    }
  }

  #doubleClick(event) {
    if (!event.target.closest('a, .pick')) this.open(Number(event.target.closest('tr').dataset.row), { edit: true });
  }

  #selectAll(on) {
    this.items.forEach((item, index) => (on ? this.selected.add(index) : this.selected.delete(index)));
    this.#drawSelection();
  }

  #select(index, on, range = false) {
    const from = range && this.#last !== null ? Math.min(this.#last, index) : index;
    const to = range && this.#last !== null ? Math.max(this.#last, index) : index;
    for (let each = from; each <= to; each += 1) {
      if (on) this.selected.add(each);
      else this.selected.delete(each);
    }
    this.#last = index;
    this.#drawSelection();
  }

  #drawSelection() {
    for (const row of this.body.rows) {
      const on = this.selected.has(Number(row.dataset.row));
      row.setAttribute('aria-selected', String(on));
      row.cells[0].firstElementChild.checked = on;
    }
    this.all.checked = this.selected.size > 0 && this.selected.size === this.items.length;
    this.all.indeterminate = this.selected.size > 0 && !this.all.checked;
    this.selectionChanged();
  }

  copy() {
    if (this.items.length === 0) return;
    const { row, column } = this.#at;
    const item = this.items[row];
    const value = column > 0 && Object.hasOwn(item, this.#columns[column - 1]) ? item[this.#columns[column - 1]] : null;
    copyText(value ? plainText(value) ?? typedText({ value }).slice(13, -2) : typedText(item));
  }

  followFocused() {
    this.#cell(this.#at)?.querySelector('a')?.click();
  }

  #key(event) {
    if (!event.target.closest('tbody') || event.ctrlKey || event.metaKey || event.altKey) {
      if (!(event.ctrlKey && event.key === 'a')) return;
    }
    const { row, column } = this.#at;
    const actions = {
      ArrowDown: () => this.#moveTo(row + 1, column),
      ArrowUp: () => this.#moveTo(row - 1, column),
      ArrowRight: () => this.#moveTo(row, column + 1),
      ArrowLeft: () => this.#moveTo(row, column - 1),
      Home: () => this.#moveTo(row, 0),
      End: () => this.#moveTo(row, this.#columns.length),
      PageDown: () => this.#moveTo(row + 15, column),
      PageUp: () => this.#moveTo(row - 15, column),
      Enter: () => this.open(row, { edit: true }),
      ' ': () => this.#select(row, !this.selected.has(row), event.shiftKey),
      a: () => event.ctrlKey && this.#selectAll(true),
    };
    if (!Object.hasOwn(actions, event.key) || (event.key === 'a' && !event.ctrlKey)) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  }
}
