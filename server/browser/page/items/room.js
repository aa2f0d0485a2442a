// The items of a table: the form, a page of items, one of them at the side.

import { catalog } from '../catalog.js';
import { call } from '../client.js';
import { h, on, replace } from '../dom.js';
import { number, plural } from '../format.js';
import { shortcut } from '../keys.js';
import { currentPlace, guardLeaving, navigate, reopen } from '../router.js';
import { loadStyle } from '../style_sheet.js';
import { button, errorBox, notify } from '../widgets.js';
import { readAddress, writeAddress } from '../query/address.js';
import { buildRequest, showsWholeItems } from '../query/builder.js';
import { ConditionError } from '../query/conditions.js';
import { Pager } from '../query/pager.js';
import { summaryOf } from '../query/summary.js';
import { findSource, tableModel } from '../query/table_model.js';
import { savedDialog } from '../saved/dialog.js';
import { keyText } from '../values/change.js';
import { emptyValue } from '../values/types.js';
import { hiddenColumns, columnsDialog } from './columns.js';
import { deleteMatching, deleteSelected } from './bulk_delete.js';
import { EditBar, tellElsewhere, tellTooMany } from './edit_bar.js';
import { editsFor } from './edit_world.js';
import { exportDialog } from './export_dialog.js';
import { itemsPath, linksFor } from './follow.js';
import { Grid } from './grid.js';
import { chooseColumns, describeOthers } from './grid_columns.js';
import { importDialog } from './import_dialog.js';
import { ItemCount } from './item_count.js';
import { ItemPanel } from './item_panel.js';
import { QueryForm } from './query_form.js';
import { removeNow } from './removal.js';
import { costText, RequestView } from './request_view.js';
import { SortNote } from './sort_note.js';
import { valueLinks } from './value_links.js';
import { readItem } from './writes.js';

const kPageSizes = [25, 50, 100, 250, 500];
const kGridKeys = [
  ['Enter', 'Edit the cell, or open the item'], ['Space', 'Select the item (with Shift: a range)'],
  ['Escape', 'Close the open item, or cancel the edit'],
];

class ItemsRoom {
  #running = null;
  page = null;
  pageNumber = 0;

  constructor(model, choice, signal) {
    this.model = model;
    this.signal = signal;
    this.choice = choice;
    this.names = new Set(model.types.keys());
    this.size = Number(localStorage.getItem('magneto-page-size')) || 50;
    this.hidden = hiddenColumns(model.name);
    this.form = new QueryForm(model, structuredClone(choice), {
      run: (each) => this.run(each), names: () => this.names, saved: () => this.showSaved(),
    });
    this.edits = editsFor(model);
    this.grid = new Grid({
      open: (item, options) => this.open(item, options),
      selectionChanged: () => this.#drawTools(),
      sorted: () => this.sortNote?.show({ isAll: this.#isAll() }),
      follow: (name, value) => this.#follow(name, value),
      keys: () => this.#keyNames(),
      edits: this.edits, refused: tellTooMany, keepsRoom: () => this.panel.isOpen,
    });
    this.sortNote = new SortNote(this.grid);
    this.editBar = new EditBar(model, this.edits, {
      saved: (item) => this.#changed(item), dropped: () => this.grid.refresh(),
    });
    this.edits.listen(() => this.editBar.show());
    this.panel = new ItemPanel(model, {
      saved: (item, before) => this.#saved(item, before),
      removed: (item) => this.#removed(item),
      closed: () => this.#closed(),
      duplicate: (item) => this.create(item),
      remove: (item) => this.remove(item),
      request: (request) => this.request.write(request),
      links: (name, value) => valueLinks(model, name, value),
    });
    this.request = new RequestView();
    this.#build();
  }

  #build() {
    this.tools = h('div', { class: 'items-tools' });
    this.status = h('span', { class: 'items-status', role: 'status' });
    this.previous = button('\u2039 Previous', () => this.go(this.pageNumber - 1), { title: 'p' });
    this.next = button('Next \u203a', () => this.go(this.pageNumber + 1), { title: 'n' });
    this.where = h('span', { class: 'quiet' });
    this.sizes = h('select', { 'aria-label': 'Items per page', value: String(this.size), on: { change: () => {
      this.size = Number(this.sizes.value);
      localStorage.setItem('magneto-page-size', String(this.size));
      this.run(this.choice);
    } } }, kPageSizes.map((size) => h('option', { value: String(size) }, `${size} per page`)));
    this.counter = new ItemCount({
      makeRequest: (start) => this.#request(undefined, start), signal: this.signal,
      progress: (text) => replace(this.status, text),
      counted: (total) => {
        this.total = total;
        this.#drawFoot();
      },
    });
    this.content = h('div', { class: 'grid-content' }, this.grid.node);
    this.area = h('div', { class: 'grid-area' }, this.sortNote.node, this.content, this.editBar.node);
    this.node = h('div', { class: 'items' },
      h('h1', { class: 'off-screen' }, `Items of ${this.model.name}`), this.form.node, this.tools,
      h('div', { class: 'items-split' }, this.area, this.panel.node),
      h('div', { class: 'items-foot' },
        this.previous, this.next, this.where, this.sizes, this.status, this.counter.button),
      this.request.node);
    this.#drawTools();
  }

  get source() { return findSource(this.model, this.choice.index) ?? this.model.sources[0]; }

  #keyNames() {
    return [...new Set([...this.source.partition, ...this.source.sort, ...this.model.keys].map(({ name }) => name))];
  }

  #drawTools() {
    const count = this.grid?.selected.size ?? 0;
    const exportAll = () => exportDialog(this.model, this.choice, {
      items: this.grid.selectedItems, page: this.grid.items, start: (limit, start) => this.#request(limit, start),
    });
    const deleteAll = () => deleteMatching(this.model, () => this.#request(), () => this.again());
    replace(this.tools,
      button('New item', () => this.create(), { title: 'i' }),
      count > 0
        && button(`Delete ${plural(count, 'item')}`, () => this.removeSelected(), { class: 'danger', title: 'Delete' }),
      this.form.told,
      button('Columns', () => this.chooseColumns()),
      button('Import', () => importDialog(this.model, () => this.again())),
      button('Export', exportAll),
      button('Delete matching items', deleteAll, { disabled: this.grid?.items.length === 0 }));
  }

  #request(limit, start) { return buildRequest(this.model, this.choice, { limit, start }); }

  #follow(name, value) {
    const link = linksFor(this.model, name, value).find(({ source }) => source !== this.source || !this.#isAsked(name));
    return link?.href ?? null;
  }

  // Is this page of items already all that have this key?
  #isAsked(name) {
    return this.source.partition[0]?.name === name && Boolean(this.choice.partition[0]);
  }

  // choice: what the form holds. keep: the address stays as it is.
  async run(choice, { keep = false } = {}) {
    this.choice = choice;
    try {
      this.#request(this.size);
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      this.form.showProblem(error);
      return;
    }
    const path = itemsPath(this.model.name, choice);
    if (!keep) navigate(path, { quiet: true, replace: location.hash === `#/${path}` });
    const filtered = choice.filters.length > 0;
    this.pager = new Pager((start, limit, signal) => this.#read(start, limit, signal), { size: this.size, filtered });
    this.total = null;
    await this.go(0);
  }

  async #read(start, limit, signal) {
    const request = this.#request(limit, start);
    const { output, error, milliseconds } = await call(request.operation, request.input, { signal });
    if (error) throw Object.assign(new Error(error.message), { answer: error });
    this.request.read(request);
    const { Items: items, LastEvaluatedKey: last = null, ConsumedCapacity: capacity, ScannedCount: scanned } = output;
    return { items, last, units: capacity?.CapacityUnits ?? 0, scanned, milliseconds };
  }

  // Goes to a page, and stops what is still being read.
  async go(number) {
    if (number < 0 || (number > this.pageNumber && this.page && !this.page.more)) return;
    if (this.#running) this.#running.abort();
    const running = new AbortController();
    this.#running = running;
    this.signal.addEventListener('abort', () => running.abort(), { signal: running.signal });
    this.area.setAttribute('aria-busy', 'true');
    this.#offerStop(running);
    try {
      const progress = (cost, count) => replace(this.status, costText('Reading', cost, count));
      const page = await this.pager.page(number, { signal: running.signal, progress });
      this.#show(page);
    } catch (error) {
      if (error.name === 'AbortError') {
        if (this.#running === running) replace(this.status, 'Stopped.');
      } else if (error.answer) this.#fail(error.answer);
      else throw error;
    } finally {
      if (this.#running === running) {
        this.#running = null;
        this.area.removeAttribute('aria-busy');
        this.#drawFoot();
      }
    }
  }

  #offerStop(running) {
    setTimeout(() => {
      if (this.#running === running) this.form.offerStop(() => this.stop());
    }, 300);
  }

  stop() {
    this.#running?.abort();
  }

  get isRunning() { return this.#running !== null; }

  #fail(error) {
    this.page = null;
    this.grid.show([], []);
    replace(this.content, errorBox(error, () => this.again()));
    replace(this.status);
  }

  #show(page) {
    this.page = page;
    this.pageNumber = page.number;
    for (const item of page.items) for (const name of Object.keys(item)) this.names.add(name);
    const columns = chooseColumns(page.items, this.#keyNames());
    this.columns = columns;
    this.edits.settle(page.items);
    this.grid.show(page.items, columns, { hidden: this.hidden });
    if (this.panel.isOpen && this.panel.item) this.grid.mark(this.#shown(this.panel.item) ?? null);
    this.#fill(page.items.length > 0 ? this.grid.node : this.#empty(page));
    const others = describeOthers(page.items, columns);
    if (others) this.content.append(h('div', { class: 'paused' }, others));
    if (page.paused) {
      const read = plural(page.cost.scanned, 'item');
      this.content.append(h('div', { class: 'paused' }, `Few items match of the ${read} read so far. `,
        button('Keep reading', () => this.go(page.number))));
    }
    if (page.cost.requests > 0) replace(this.status, costText(this.#request().operation, page.cost, page.items.length));
  }

  // What is there already stays: taking it out and in again would lay it out twice.
  #fill(node) {
    if (this.content.firstChild !== node) replace(this.content, node);
    while (node.nextSibling) node.nextSibling.remove();
  }

  #empty(page) {
    if (page.paused) return h('p', { class: 'quiet pad' }, 'No matching items yet.');
    const asked = this.choice.filters.length > 0 || this.choice.partition.some(Boolean);
    const first = page.number === 0;
    return h('div', { class: 'empty' },
      h('h2', {}, !first ? 'No more items' : asked ? 'No item matches' : 'There are no items'),
      !asked && first && button('New item', () => this.create(), { class: 'primary' }));
  }

  #drawFoot() {
    this.form.offerStop(null);
    this.previous.disabled = this.pageNumber === 0;
    this.next.disabled = !this.page?.more;
    const first = this.pageNumber * this.size + 1;
    const last = first + this.grid.items.length - 1;
    const all = this.total === null ? '' : ` of ${number(this.total)}`;
    replace(this.where, this.grid.items.length > 0 ? `${number(first)}\u2013${number(last)}${all}` : '');
  }

  again() {
    catalog.forget(this.model.name);
    return this.run(this.choice, { keep: true });
  }

  // Is there no other page?
  #isAll() { return this.page !== null && this.page.number === 0 && !this.page.more; }

  async open(item, { edit = false } = {}) {
    if (this.grid.marked === item && this.panel.isOpen) {
      if (edit) this.panel.focus();
      return;
    }
    if (!(await this.panel.mayLeave())) return;
    this.grid.mark(item);
    if (showsWholeItems(this.model, this.choice)) {
      this.panel.open(item, {}, { focus: edit });
      return;
    }
    const whole = await readItem(this.model, item, { signal: this.signal });
    if (whole.error) notify(whole.error.message, { kind: 'bad' });
    else if (!whole.item) notify('This item no longer exists.');
    else this.panel.open(whole.item, {}, { focus: edit });
  }

  // from: an item to begin with.
  async create(from = null) {
    if (!from && !(await this.panel.mayLeave())) return;
    const empty = ({ name, type }) => [name, type === 'N' ? { N: '' } : emptyValue(type)];
    const start = from ?? Object.fromEntries(this.model.keys.map(empty));
    this.grid.mark(null);
    this.panel.open(null, start);
    this.panel.node.querySelector('.of-key input')?.focus();
  }

  // The item of the grid with the same key, undefined when there is none.
  #shown(item) {
    const key = keyText(item, this.model.keys);
    return this.grid.items.find((each) => keyText(each, this.model.keys) === key);
  }

  #saved(item, before) {
    catalog.forget(this.model.name);
    const shown = before && this.#shown(before);
    if (shown && keyText(item, this.model.keys) === keyText(before, this.model.keys)) this.grid.update(shown, item);
    else this.again();
  }

  // By an edit in a cell, or by somebody else.
  #changed(item) {
    catalog.forget(this.model.name);
    const shown = this.#shown(item);
    if (shown) this.grid.update(shown, item);
    const { panel, model: { keys } } = this;
    if (!panel.isOpen || panel.isChanged || !panel.item) return;
    if (keyText(panel.item, keys) === keyText(item, keys)) panel.open(item);
  }

  #removed(item) {
    this.edits.drop(item);
    const shown = this.#shown(item);
    if (!shown) return;
    this.grid.remove([shown]);
    if (this.grid.items.length === 0) this.#fill(this.#empty(this.page));
    this.#drawFoot();
  }

  #closed() {
    this.grid.mark(null);
    this.grid.focus();
  }

  // Deletes at once, and can be taken back; not when somebody changed it since it was read.
  remove(item) {
    const isWhole = showsWholeItems(this.model, this.choice) || this.panel.item === item;
    return removeNow(this.model, item, isWhole, {
      show: (current) => this.panel.open(current),
      restored: () => this.again(),
      gone: () => {
        if (this.panel.isOpen) this.panel.drop();
        this.#removed(item);
        this.grid.focus();
      },
    });
  }

  removeFocused() {
    if (this.grid.selected.size > 0) return this.removeSelected();
    return this.grid.focusedItem ? this.remove(this.grid.focusedItem) : undefined;
  }

  async removeSelected() {
    const items = this.grid.selectedItems;
    if (items.length > 0) await deleteSelected(this.model, items, () => this.again());
  }

  async chooseColumns() {
    const hidden = await columnsDialog(this.model.name, chooseColumns(this.grid.items, this.#keyNames()), this.hidden);
    if (!hidden) return;
    this.hidden = hidden;
    this.grid.show(this.grid.items, this.columns, { hidden });
  }

  // The query of the form, which need not have run.
  showSaved() {
    const { model, form: { choice } } = this;
    try {
      buildRequest(model, choice);
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      const why = `The query is not complete. ${error.message}`;
      return savedDialog({ current: null, why, table: model.name });
    }
    const [text, summary] = [writeAddress(choice).toString(), summaryOf(model, choice)];
    const current = { kind: 'items', table: model.name, text, summary, parameters: [] };
    return savedDialog({ current, table: model.name });
  }

  listen() {
    const { signal } = this;
    const add = (keys, label, run) => shortcut(keys, label, run, { signal, group: 'Items' });
    add('k', 'Move the focus to the key', () => this.form.focusKey());
    add('F', 'Add a filter', () => this.form.addFilter());
    add('q', 'Saved queries', () => this.showSaved());
    add('r', 'Refresh', () => this.again());
    add('n', 'Next page', () => this.go(this.pageNumber + 1));
    add('p', 'Previous page', () => this.go(this.pageNumber - 1));
    add('i', 'New item', () => this.create());
    add('j', 'Move the focus to the items', () => this.grid.focus());
    add('e', 'Edit the open item', () => this.panel.isOpen && this.panel.focus());
    add('x', 'Show the request', () => this.request.toggle());
    add('c', 'Copy the value or item', () => this.grid.copy());
    add('f', 'Show the items with this value', () => this.grid.followFocused());
    add('Delete', 'Delete the selected items, or the item in focus', () => this.removeFocused());
    add('o', 'Open the item', () => this.grid.focusedItem && this.open(this.grid.focusedItem, { edit: true }));
    add('s', 'Sort the items of this page by the column in focus', () => this.grid.sortFocused());
    add('Control+s', 'Save the open item, or review changed cells', () => this.save());
    // Keys of the grid itself; with a space that no key has, so that they are listed alone.
    for (const [key, label] of kGridKeys) add(`${key}\u00a0`, label, () => {});
    const { path } = currentPlace();
    const mayLeave = async () => (await this.panel.mayLeave())
      && (currentPlace().path === path || this.editBar.mayLeave());
    guardLeaving(mayLeave, { signal });
    on(window, 'beforeunload', (event) => {
      if (this.panel.isChanged || !this.editBar.isEmpty) event.preventDefault();
    }, { signal });
  }

  save() {
    if (this.panel.isChanged) return this.panel.save();
    return this.editBar.review();
  }
}

export const room = {
  title: () => 'Items',
  async show({ table, query }, { main, signal }) {
    const [{ table: description, error }] = await Promise.all([
      catalog.describe(table, { signal }), loadStyle('items/items.css'),
    ]);
    if (signal.aborted) return undefined;
    if (error) {
      replace(main, errorBox(error, reopen));
      return undefined;
    }
    const items = new ItemsRoom(tableModel(description), readAddress(query), signal);
    replace(main, items.node);
    tellElsewhere(items.model);
    items.listen();
    items.run(items.choice, { keep: true });
    return () => items.stop();
  },
};
