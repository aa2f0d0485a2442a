// Items in a table, a column for each attribute. One cell has the focus: arrows move it, Enter edits
// the cell or opens the item, Space selects it. The head sorts the items that are loaded.

import { h, replace } from '../dom.js';
import { copyText } from '../widgets.js';
import { sortItems } from '../values/order.js';
import { copyText as plainText, visible } from '../values/preview.js';
import { typedText } from '../values/typed.js';
import { typeOf } from '../values/types.js';
import { CellEditor } from './cell_editor.js';
import { ColumnWidths } from './column_widths.js';
import { textOf, valueCell } from './grid_cells.js';

const kFirstRows = 30; // drawn at once; others after the first sight
const kHead = -1; // the row of the names of columns
const kPageRows = 15;
const kDoubleClick = 250; // milliseconds that a second click may take

export class Grid {
  items = []; // as they are shown
  selected = new Set(); // items
  #loaded = []; // items in the order of the answer
  #columns = [];
  #order = null; // {name, descending}; kept while its column is away
  #at = { row: 0, column: 0 };
  #last = null; // where a range of selected rows begins
  #marked = null; // the item that is open
  #editor = null;
  #clicked = null; // the cell of the last click
  #opening = 0; // timer

  // open(item, {edit}), selectionChanged(), sorted(), follow(name, value): an address or null, keys: names of key
  // attributes; edits: CellEdits, null where cells cannot be edited; refused(): an edit more than there may be;
  // keepsRoom(): does opening an item leave the grid as wide as it is?
  constructor({
    open, selectionChanged = () => {}, sorted = () => {}, follow, keys, edits = null, refused = () => {},
    keepsRoom = () => true,
  }) {
    Object.assign(this, { open, selectionChanged, sorted, follow, keys, edits, refused, keepsRoom });
    this.head = h('thead', { on: { focusin: (event) => this.#focused(event) } });
    this.body = h('tbody', { on: {
      click: (event) => this.#click(event), dblclick: (event) => this.#doubleClick(event),
      focusin: (event) => this.#focused(event),
    } });
    this.table = h('table', {
      class: 'items-grid', role: 'grid', 'aria-label': 'Items', 'aria-multiselectable': 'true',
      on: { keydown: (event) => this.#key(event) },
    });
    this.node = h('div', { class: 'grid-scroll' }, this.table);
    this.widths = new ColumnWidths(this.table, this.node);
    this.table.append(this.widths.node, this.head, this.body);
  }

  show(items, columns, { hidden = new Set() } = {}) {
    this.#endEdit();
    this.#loaded = items;
    this.#columns = columns.filter((name) => !hidden.has(name));
    this.items = this.#sorted();
    this.selected.clear();
    this.#marked = null;
    this.#at = { row: 0, column: Math.min(this.#at.column, this.#columns.length) };
    // Before anything changes, so that nothing is laid out for it.
    if (this.node.scrollTop > 0) this.node.scrollTop = 0;
    const texts = this.items.map((item) => this.#columns.map((name) => textOf(this.#value(item, name))));
    this.#drawHead();
    this.widths.show(this.#columns, (index) => texts.map((row) => row[index]), (name) => this.#isNumbers(name));
    this.#drawBody(texts);
    this.selectionChanged();
    this.sorted();
  }

  // {name, descending}; null: the order of the answer.
  get sort() { return this.#order && this.#columns.includes(this.#order.name) ? this.#order : null; }

  get focusedItem() { return this.items[Math.max(0, this.#at.row)] ?? null; }
  get marked() { return this.#marked; }
  get selectedItems() { return this.items.filter((item) => this.selected.has(item)); }

  focus() { this.#target(this.#at)?.focus(); }

  // The open one is marked; null: none is.
  mark(item) {
    this.#marked = item;
    for (const row of this.body.rows) {
      if (item && this.items[Number(row.dataset.row)] === item) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
  }

  // `item` takes the place of `before`, where it stands.
  update(before, item) {
    const at = this.items.indexOf(before);
    if (at < 0) return;
    this.items[at] = item;
    this.#loaded = this.#loaded.map((each) => (each === before ? item : each));
    if (this.selected.delete(before)) this.selected.add(item);
    if (this.#marked === before) this.#marked = item;
    this.#drawRow(at);
  }

  remove(items) {
    const gone = new Set(items);
    const loaded = this.#loaded.filter((item) => !gone.has(item));
    const { row } = this.#at;
    this.show(loaded, this.#columns);
    this.#setTabStop({ row: Math.max(0, Math.min(row, this.items.length - 1)), column: this.#at.column });
  }

  // Cells may show other values: their edits were saved or dropped.
  refresh() {
    this.#endEdit();
    this.#drawBody();
  }

  #value(item, name) {
    if (this.edits) return this.edits.value(item, name);
    return Object.hasOwn(item, name) ? item[name] : undefined;
  }

  // Are all values of this column numbers?
  #isNumbers(name) {
    const values = this.items.map((item) => this.#value(item, name)).filter(Boolean);
    return values.length > 0 && values.every((value) => typeOf(value) === 'N');
  }

  // Sorting

  #sorted() {
    if (!this.sort) return [...this.#loaded];
    return sortItems(this.#loaded, (item) => this.#value(item, this.sort.name), this.sort);
  }

  // name: a column; null: the order of the answer again. Ascending first, then descending, then neither.
  sortBy(name) {
    const { sort } = this;
    const isSorted = sort?.name === name;
    this.#order = name === null || (isSorted && sort.descending) ? null : { name, descending: isSorted };
    this.#endEdit();
    this.items = this.#sorted();
    this.#last = null;
    this.#tellSort();
    this.#drawBody();
    this.sorted();
  }

  // By the column of the focused cell.
  sortFocused() {
    const name = this.#columns[this.#at.column - 1];
    if (name !== undefined) this.sortBy(name);
  }

  #tellSort() {
    [...this.head.rows[0].cells].slice(1).forEach((cell, index) => {
      const { name, descending } = this.sort ?? {};
      cell.setAttribute('aria-sort', name !== this.#columns[index] ? 'none' : descending ? 'descending' : 'ascending');
    });
  }

  // Drawing

  #drawHead() {
    const all = h('input', {
      type: 'checkbox', 'aria-label': 'Select all items on this page',
      on: { change: () => this.#selectAll(all.checked) },
    });
    this.all = all;
    replace(this.head, h('tr', {}, h('th', { class: 'pick', scope: 'col' }, all), this.#columns.map((name, index) => (
      h('th', { scope: 'col', class: [this.keys().includes(name) && 'key', this.#isNumbers(name) && 'numbers'] },
        h('button', {
          type: 'button', class: 'column-name', tabindex: '-1', title: `${visible(name)}: sort the items of this page`,
          on: { click: () => this.sortBy(name) },
        }, h('span', {}, visible(name)), h('span', { class: 'sort-mark', 'aria-hidden': 'true' })),
        h('span', { class: 'resize', on: { pointerdown: (event) => this.widths.drag(event, index) } }))))));
    this.#tellSort();
  }

  #drawBody(texts = []) {
    const { items } = this;
    const hadFocus = this.body.contains(document.activeElement);
    const rows = (from, to) => items.slice(from, to)
      .map((item, index) => this.#row(item, from + index, texts[from + index]));
    replace(this.body, rows(0, kFirstRows));
    if (items.length > kFirstRows) {
      requestAnimationFrame(() => setTimeout(() => {
        if (this.items === items && this.body.rows.length === kFirstRows) this.body.append(...rows(kFirstRows));
        this.#setTabStop(this.#at);
        if (hadFocus && document.activeElement === document.body) this.focus();
      }));
    }
    this.#setTabStop(this.#at);
    if (hadFocus) this.focus();
    this.#drawSelection({ quiet: true });
  }

  #drawRow(row) {
    this.body.rows[row]?.replaceWith(this.#row(this.items[row], row));
    this.#setTabStop(this.#at);
  }

  #valueCell(item, name, text = textOf(this.#value(item, name))) {
    const value = this.#value(item, name);
    return valueCell(name, value, {
      text, address: value ? this.follow(name, value) : null, change: this.edits?.of(item, name),
      readOnly: this.edits ? !this.edits.canEdit(item, name) : undefined,
    });
  }

  #row(item, row, texts = []) {
    const selected = this.selected.has(item);
    const pick = h('input', {
      type: 'checkbox', tabindex: '-1', 'aria-label': `Select item ${row + 1}`, checked: selected,
    });
    const current = item === this.#marked ? 'true' : null;
    return h('tr', { dataset: { row: String(row) }, 'aria-selected': String(selected), 'aria-current': current },
      h('td', { class: 'pick', tabindex: '-1' }, pick),
      this.#columns.map((name, index) => this.#valueCell(item, name, texts[index])));
  }

  // Focus

  #cell({ row, column }) {
    return (row === kHead ? this.head : this.body).rows[row === kHead ? 0 : row]?.cells[column] ?? null;
  }

  // What takes the focus of a cell: in the head its control.
  #target(at) {
    const cell = this.#cell(at);
    return at.row === kHead ? cell?.querySelector('button, input') : cell;
  }

  // One cell of the grid is reached by Tab.
  #setTabStop(at) {
    const before = this.#target(this.#at);
    if (before && before !== this.all) before.setAttribute('tabindex', '-1');
    this.#at = at;
    this.#target(at)?.setAttribute('tabindex', '0');
  }

  #moveTo(row, column) {
    const within = (at, least, most) => Math.max(least, Math.min(at, most));
    this.#target({
      row: within(row, kHead, this.items.length - 1), column: within(column, 0, this.#columns.length),
    })?.focus();
  }

  #focused({ target }) {
    const cell = target.closest('td, th');
    const row = target.closest('tr');
    if (!cell || !row) return;
    this.#setTabStop({ row: cell.tagName === 'TH' ? kHead : Number(row.dataset.row), column: cell.cellIndex });
  }

  // The mouse

  #click(event) {
    const row = event.target.closest('tr');
    const cell = event.target.closest('td');
    if (!row || event.target.closest('a')) return;
    const index = Number(row.dataset.row);
    if (cell?.classList.contains('pick')) {
      if (event.target.tagName !== 'INPUT') event.preventDefault();
      this.#select(index, !this.selected.has(this.items[index]), event.shiftKey);
    } else if (event.detail < 2 && !String(window.getSelection())) {
      this.#clicked = { item: this.items[index], name: cell.dataset.name };
      this.#openSoon(this.#clicked);
    }
  }

  // Opening may move the columns. Where a second click would edit the cell, the item waits for it.
  #openSoon({ item, name }) {
    clearTimeout(this.#opening);
    if (this.keepsRoom() || !this.edits?.canEdit(item, name)) this.open(item);
    else this.#opening = setTimeout(() => this.items.includes(item) && this.open(item), kDoubleClick);
  }

  #doubleClick(event) {
    if (event.target.closest('a, .pick') || !this.#clicked) return;
    clearTimeout(this.#opening);
    window.getSelection()?.removeAllRanges();
    const { item, name } = this.#clicked;
    const row = this.items.indexOf(item);
    if (row >= 0 && !this.#edit(row, this.#columns.indexOf(name) + 1)) this.open(item, { edit: true });
  }

  // Editing

  // -> whether the cell can be edited
  #edit(row, column) {
    const item = this.items[row];
    const name = this.#columns[column - 1];
    if (!item || name === undefined || !this.edits?.canEdit(item, name)) return false;
    this.#endEdit();
    const cell = this.#cell({ row, column });
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const done = (value, move) => {
      this.#editor = null;
      if (value && !this.edits.put(item, name, value)) this.refused();
      const now = this.items.indexOf(item);
      if (now < 0) return;
      // The others of the row stay: one of them may just be clicked.
      this.#cell({ row: now, column })?.replaceWith(this.#valueCell(item, name));
      this.#setTabStop(this.#at);
      if (move !== 'leave') this.#moveTo(now, column + { stay: 0, next: 1, previous: -1 }[move]);
    };
    const value = this.#value(item, name);
    this.#editor = new CellEditor(cell, { value, label: `New value of ${visible(name)}`, done });
    return true;
  }

  #endEdit() {
    this.#editor?.close();
    this.#editor = null;
  }

  editFocused() { return this.#edit(this.#at.row, this.#at.column); }

  // Selection

  #selectAll(on) {
    this.items.forEach((item) => (on ? this.selected.add(item) : this.selected.delete(item)));
    this.#drawSelection();
  }

  #select(index, on, range = false) {
    const from = range && this.#last !== null ? Math.min(this.#last, index) : index;
    const to = range && this.#last !== null ? Math.max(this.#last, index) : index;
    for (const item of this.items.slice(from, to + 1)) {
      if (on) this.selected.add(item);
      else this.selected.delete(item);
    }
    this.#last = index;
    this.#drawSelection();
  }

  #drawSelection({ quiet = false } = {}) {
    for (const row of quiet ? [] : this.body.rows) {
      const on = this.selected.has(this.items[Number(row.dataset.row)]);
      row.setAttribute('aria-selected', String(on));
      row.cells[0].firstElementChild.checked = on;
    }
    this.all.checked = this.selected.size > 0 && this.selected.size === this.items.length;
    this.all.indeterminate = this.selected.size > 0 && !this.all.checked;
    if (!quiet) this.selectionChanged();
  }

  // Keys

  copy() {
    const item = this.focusedItem;
    if (!item) return;
    const name = this.#columns[this.#at.column - 1];
    const value = name === undefined ? null : this.#value(item, name);
    copyText(value ? plainText(value) ?? typedText({ value }).slice(13, -2) : typedText(item));
  }

  followFocused() {
    this.#cell(this.#at)?.querySelector('a')?.click();
  }

  #enter(row, column) {
    if (!this.#edit(row, column)) this.open(this.items[row], { edit: true });
  }

  #key(event) {
    if (event.altKey || ((event.ctrlKey || event.metaKey) && event.key !== 'a')) return;
    const { row, column } = this.#at;
    const inHead = row === kHead;
    const actions = {
      ArrowDown: () => this.#moveTo(row + 1, column),
      ArrowUp: () => this.#moveTo(row - 1, column),
      ArrowRight: () => this.#moveTo(row, column + 1),
      ArrowLeft: () => this.#moveTo(row, column - 1),
      Home: () => this.#moveTo(row, 0),
      End: () => this.#moveTo(row, this.#columns.length),
      PageDown: () => this.#moveTo(row + kPageRows, column),
      PageUp: () => this.#moveTo(Math.max(0, row - kPageRows), column),
      // The buttons of the head have keys of their own.
      ...(!inHead && {
        Enter: () => this.#enter(row, column),
        F2: () => this.#edit(row, column),
        ' ': () => this.#select(row, !this.selected.has(this.items[row]), event.shiftKey),
      }),
      ...(event.key === 'a' && (event.ctrlKey || event.metaKey) && { a: () => this.#selectAll(true) }),
    };
    if (!Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  }
}
