// Statements of PartiQL, and what they answer.

import { catalog } from '../catalog.js';
import { call } from '../client.js';
import { h, replace } from '../dom.js';
import { number, plural } from '../format.js';
import { shortcut } from '../keys.js';
import { guardLeaving, navigate } from '../router.js';
import { loadStyle } from '../style_sheet.js';
import { button, errorBox, notify } from '../widgets.js';
import { Grid } from '../items/grid.js';
import { chooseColumns } from '../items/grid_columns.js';
import { linksFor } from '../items/follow.js';
import { ItemPanel } from '../items/item_panel.js';
import { removeNow } from '../items/removal.js';
import { costText, RequestView } from '../items/request_view.js';
import { SortNote } from '../items/sort_note.js';
import { valueLinks } from '../items/value_links.js';
import { readItem } from '../items/writes.js';
import { Pager } from '../query/pager.js';
import { tableModel } from '../query/table_model.js';
import { savedDialog, savedQueries } from '../saved/dialog.js';
import { takesRun } from '../saved/run.js';
import { keyText } from '../values/change.js';
import { Editor } from './editor.js';
import { forgetStatements, keepStatement, statements } from './history.js';
import { Parameters } from './parameters.js';
import { describeStatement, findsByKey, statementAt } from './statement.js';

const kPage = 50;

class PartiqlRoom {
  #models = new Map(); // table -> model, null while it is being asked for
  #attributes = new Map(); // table -> names that were seen
  #running = null;

  constructor(signal) {
    this.signal = signal;
    const world = {
      tables: () => catalog.names, model: (table) => this.#model(table),
      attributes: (table) => [...this.#attributes.get(table) ?? []],
    };
    this.editor = new Editor(world, { run: () => this.run(), changed: () => this.#tell() });
    this.parameters = new Parameters();
    this.request = new RequestView();
    this.grid = new Grid({
      open: (item) => this.open(item), keys: () => this.#keyNames(),
      sorted: () => this.sortNote?.show({ isAll: this.number === 0 && this.next.disabled }),
      follow: (name, value) => (this.model ? linksFor(this.model, name, value)[0]?.href ?? null : null),
    });
    this.sortNote = new SortNote(this.grid);
    this.#build();
    this.#tell();
  }

  #build() {
    const runOrStop = () => (this.#running ? this.#running.abort() : this.run());
    this.runButton = button('Run', runOrStop, { class: 'primary', title: 'Ctrl Enter' });
    this.told = h('span', { class: 'query-told grow', 'aria-live': 'polite' });
    this.recent = h('select', {
      class: 'recent', 'aria-label': 'Recent statements', on: { change: () => this.#takeRecent() },
    });
    this.#drawRecent();
    this.status = h('span', { class: 'items-status', role: 'status' });
    this.previous = button('\u2039 Previous', () => this.go(this.number - 1), { disabled: true });
    this.next = button('Next \u203a', () => this.go(this.number + 1), { disabled: true });
    this.content = h('div', { class: 'grid-content' },
      h('p', { class: 'quiet pad' }, 'Run a statement to see its result here.'));
    this.area = h('div', { class: 'grid-area' }, this.sortNote.node, this.content);
    this.side = h('div', { class: 'panel-place', hidden: true });
    const saved = button('Saved', () => this.showSaved(), { title: 'Saved queries (q)' });
    this.node = h('div', { class: 'items' },
      h('h1', { class: 'off-screen' }, 'PartiQL'), this.editor.node, this.parameters.node,
      h('div', { class: 'row' }, this.runButton, this.told, saved, this.recent),
      h('div', { class: 'items-split' }, this.area, this.side),
      h('div', { class: 'items-foot' }, this.previous, this.next, this.status), this.request.node);
  }

  #keyNames() {
    return this.model?.keys.map(({ name }) => name) ?? [];
  }

  #drawRecent() {
    const list = statements();
    this.recent.hidden = list.length === 0;
    const option = (text, index) => (
      h('option', { value: String(index) }, text.replace(/\s+/g, ' ').slice(0, 80)));
    replace(this.recent, h('option', { value: '' }, 'Recent'), list.map(option),
      h('option', { value: 'forget' }, 'Clear history'));
  }

  #takeRecent() {
    const { value } = this.recent;
    if (value === 'forget') forgetStatements();
    else if (value !== '') this.editor.write(statements()[Number(value)]);
    this.#drawRecent();
    this.editor.focus();
  }

  showSaved() {
    const statement = this.#statement();
    if (!statement) return savedDialog({ current: null, why: 'Write a statement to save it.' });
    const table = describeStatement(statement.text).table ?? '';
    const { text } = statement;
    const summary = text.replace(/\s+/g, ' ');
    const current = { kind: 'partiql', table, text, summary, parameters: this.parameters.given };
    return savedDialog({ current, table });
  }

  // A saved query, with its parameters.
  write({ text, parameters }) {
    this.parameters.write(parameters);
    this.editor.write(text);
  }

  // Known at once or later: what is asked for is there at the next key.
  #model(table) {
    if (!this.#models.has(table) && catalog.names.includes(table)) {
      this.#models.set(table, null);
      catalog.describe(table).then(({ table: description }) => {
        if (!description) return;
        this.#models.set(table, tableModel(description));
        this.#tell();
        this.editor.refresh();
        this.#learn(table);
      });
    }
    return this.#models.get(table) ?? null;
  }

  // Attributes of the first items, for completion.
  async #learn(table) {
    if (this.#attributes.has(table)) return;
    this.#attributes.set(table, new Set());
    const { output } = await call('Scan', { TableName: table, Limit: 10 }, { signal: this.signal });
    this.#see(table, output?.Items ?? []);
    this.editor.refresh();
  }

  #see(table, items) {
    const names = this.#attributes.get(table) ?? new Set();
    this.#attributes.set(table, names);
    for (const item of items) for (const name of Object.keys(item)) names.add(name);
  }

  #statement() { return statementAt(this.editor.text, this.editor.caret); }

  #tell() {
    const described = describeStatement(this.#statement()?.text ?? '');
    this.parameters.count(described.parameters);
    const model = described.table ? this.#model(described.table) : null;
    const source = model?.sources.find(({ name }) => name === described.index);
    const reads = described.kind === 'select' && source ? findsByKey(described, source) : null;
    const [key] = source?.partition ?? [];
    const all = model?.items > 0 ? plural(model.items, 'item') : 'items';
    replace(this.told,
      reads === false && [h('strong', {}, 'Scan'), ` reads all ${all}, because no condition determines ${key.name}.`],
      reads === true && [h('strong', {}, 'Query'), ` reads only items with this ${key.name}.`]);
  }

  async run() {
    const statement = this.#statement();
    if (!statement) return;
    let values;
    try {
      values = this.parameters.values();
    } catch (error) {
      notify(`The parameters are not valid. ${error.message}`, { kind: 'bad' });
      return;
    }
    const described = describeStatement(statement.text);
    this.described = described;
    this.area.setAttribute('aria-busy', 'true');
    this.model = described.table ? await this.#modelNow(described.table) : null;
    keepStatement(statement.text);
    this.#drawRecent();
    navigate(`partiql?${new URLSearchParams({ statement: statement.text })}`, { quiet: true, replace: true });
    const input = {
      Statement: statement.text, ...(values.length > 0 && { Parameters: values }), ReturnConsumedCapacity: 'TOTAL',
    };
    this.pager = new Pager((token, limit, signal) => this.#read(input, token, limit, signal), {
      size: kPage, filtered: described.kind !== 'select' || /\bwhere\b/i.test(statement.text),
    });
    await this.go(0);
  }

  async #modelNow(table) {
    const { table: description } = await catalog.describe(table, { signal: this.signal });
    return description ? tableModel(description) : null;
  }

  async #read(base, token, limit, signal) {
    const input = {
      ...base, ...(token && { NextToken: token }),
      ...(limit && this.described.kind === 'select' && { Limit: limit }),
    };
    const { output, error, milliseconds } = await call('ExecuteStatement', input, { signal });
    this.request.read({ operation: 'ExecuteStatement', input });
    if (error) throw Object.assign(new Error(error.message), { answer: error });
    const { Items: items = [], NextToken: last = null, ConsumedCapacity: capacity } = output;
    return { items, last, units: capacity?.CapacityUnits ?? 0, scanned: items.length, milliseconds };
  }

  async go(page) {
    if (page < 0) return;
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.area.setAttribute('aria-busy', 'true');
    this.signal.addEventListener('abort', () => running.abort(), { signal: running.signal });
    setTimeout(() => this.#running === running && replace(this.runButton, 'Stop'), 300);
    try {
      this.#show(await this.pager.page(page, { signal: running.signal }));
    } catch (error) {
      if (error.name === 'AbortError') replace(this.status, 'Stopped.');
      else if (error.answer) {
        this.grid.show([], []);
        replace(this.content, errorBox(error.answer));
        replace(this.status);
        this.previous.disabled = this.next.disabled = true;
      } else throw error;
    } finally {
      if (this.#running === running) {
        this.#running = null;
        this.area.removeAttribute('aria-busy');
        replace(this.runButton, 'Run');
      }
    }
  }

  #show(page) {
    this.number = page.number;
    this.previous.disabled = page.number === 0;
    this.next.disabled = !page.more;
    if (this.described.table) this.#see(this.described.table, page.items);
    const keys = this.#keyNames().filter((name) => page.items.some((item) => Object.hasOwn(item, name)));
    this.grid.show(page.items, chooseColumns(page.items, keys));
    const done = {
      insert: 'The item is inserted.', update: 'The item is updated.', delete: 'The item is deleted.',
    }[this.described.kind];
    const none = () => h('p', { class: 'quiet pad' }, done ?? 'No item matches.');
    replace(this.content, page.items.length > 0 ? this.grid.node : none());
    if (page.paused) {
      this.content.append(h('div', { class: 'paused' }, 'Few items match so far. ',
        button('Keep reading', () => this.go(page.number))));
    }
    if (page.cost.requests > 0) {
      replace(this.status, costText('ExecuteStatement', page.cost, page.items.length),
        page.number > 0 && ` \u00b7 page ${number(page.number + 1)}`);
    }
  }

  // The whole item, to be read and changed, where the answer says which it is.
  async open(item) {
    if (!this.model || !this.model.keys.every(({ name }) => Object.hasOwn(item, name))) {
      notify('The result does not contain the key of this item, so the page cannot open the item.');
      return;
    }
    if (this.panel && !(await this.panel.mayLeave())) return;
    const whole = await readItem(this.model, item, { signal: this.signal });
    if (whole.error || !whole.item) {
      notify(whole.error?.message ?? 'This item no longer exists.', { kind: whole.error ? 'bad' : 'info' });
      return;
    }
    this.#makePanel();
    this.panel.open(whole.item);
    this.grid.mark(item);
  }

  #makePanel() {
    const { model } = this;
    if (this.panelModel === model) {
      this.side.hidden = false;
      return;
    }
    this.panelModel = model;
    const removal = {
      show: (item) => this.panel.open(item), gone: (item) => this.#forget(model, item), restored: () => {},
    };
    this.panel = new ItemPanel(model, {
      saved: (item, before) => before && this.run(), removed: () => this.run(),
      closed: () => { this.side.hidden = true; },
      duplicate: (item) => this.panel.open(null, item), remove: (item) => removeNow(model, item, true, removal),
      request: (request) => this.request.write(request), links: (name, value) => valueLinks(model, name, value),
    });
    replace(this.side, this.panel.node);
    this.side.hidden = false;
  }

  #forget(model, item) {
    this.panel.drop();
    const hasKey = (each) => model.keys.every(({ name }) => Object.hasOwn(each, name));
    const key = keyText(item, model.keys);
    this.grid.remove(this.grid.items.filter((each) => hasKey(each) && keyText(each, model.keys) === key));
  }
}

export const room = {
  title: () => 'PartiQL',
  async show({ query }, { main, signal }) {
    await Promise.all([loadStyle('items/items.css'), loadStyle('partiql/partiql.css'), catalog.load()]);
    if (signal.aborted) return;
    const partiql = new PartiqlRoom(signal);
    replace(main, partiql.node);
    const saved = query.has('saved') ? savedQueries().find(query.get('saved')) : null;
    if (saved?.kind === 'partiql') partiql.write(saved);
    else partiql.editor.write(query.get('statement') ?? '');
    partiql.editor.focus();
    shortcut('q', 'Saved queries', () => partiql.showSaved(), { signal, group: 'PartiQL' });
    shortcut('Control+Enter', 'Run the statement', () => partiql.run(), { signal, group: 'PartiQL' });
    const save = () => partiql.panel?.isOpen && partiql.panel.save();
    shortcut('Control+s', 'Save the open item', save, { signal, group: 'PartiQL' });
    shortcut('Control+\u00a0Space', 'Show completions', () => {}, { signal, group: 'PartiQL' });
    guardLeaving(() => partiql.panel?.mayLeave() ?? true, { signal });
    if (takesRun(saved?.id ?? null)) partiql.run();
  },
};

