// The form above the items: where to look, for which key, and what to leave out.

import { h, replace } from '../dom.js';
import { bytes, plural } from '../format.js';
import { advice, emptyChoice, isQuery, useSource } from '../query/builder.js';
import { kSortOperators } from '../query/conditions.js';
import { filterRow } from './filter_row.js';
import { findSource } from '../query/table_model.js';
import { button, checkbox, select } from '../widgets.js';

const kKinds = { table: 'Table', global: 'Global index', local: 'Local index' };

// A label that belongs to its control, above it.
function labelled(label, control, { name = '' } = {}) {
  return h('label', { class: 'cell', dataset: name ? { field: name } : {} },
    h('span', { class: 'cell-name' }, label), control);
}

export class QueryForm {
  #model;
  #choice;
  #run;
  #names;
  #saved;
  #stop = null;

  // run(choice); names(): attributes that are known, for completion; saved(): shows the saved queries.
  constructor(model, choice, { run, names, saved }) {
    this.#model = model;
    this.#choice = choice;
    this.#run = run;
    this.#names = names;
    this.#saved = saved;
    this.keyRow = h('div', { class: 'query-row' });
    this.filters = h('div', { class: 'filters' });
    this.told = h('div', { class: 'query-told', 'aria-live': 'polite' });
    this.problem = h('p', { class: 'bad', role: 'alert', hidden: true });
    this.options = h('div', { class: 'query-row', hidden: !this.#hasOptions() });
    this.known = h('datalist', { id: 'known-attributes' });
    this.runButton = h('button', { type: 'submit', class: 'primary', title: 'Enter', on: { click: (event) => {
      if (!this.#stop) return;
      event.preventDefault();
      this.#stop();
    } } }, 'Run');
    this.node = h('form', { class: 'query', 'aria-label': 'Query', novalidate: true, on: {
      submit: (event) => {
        event.preventDefault();
        this.submit();
      },
      input: () => this.#tell(),
    } }, this.keyRow, this.filters, this.options, this.problem, this.known);
    this.#draw();
  }

  get choice() { return this.#choice; }

  write(choice) {
    this.#choice = choice;
    this.#draw();
  }

  // stop(): what the button does instead while something is read; null: it runs again.
  offerStop(stop) {
    this.#stop = stop;
    replace(this.runButton, stop ? 'Stop' : 'Run');
  }

  submit() {
    this.showProblem(null);
    this.#run(structuredClone(this.#choice));
  }

  // error: a ConditionError or null.
  showProblem(error) {
    this.problem.hidden = !error;
    replace(this.problem, error?.message);
    for (const node of this.node.querySelectorAll('[aria-invalid]')) node.removeAttribute('aria-invalid');
    const place = `[data-field="${error?.field}"]`;
    const control = error?.field
      && this.node.querySelector(`${place} :is(input, select), :is(input, select)${place}`);
    if (!control) return;
    control.setAttribute('aria-invalid', 'true');
    control.focus();
  }

  focusKey() {
    (this.keyRow.querySelector('[data-field="partition0"] input') ?? this.keyRow.querySelector('select')).focus();
  }

  addFilter(filter = { path: '', operator: '=', type: 'S', value: '', second: '' }) {
    this.#choice.filters.push(filter);
    this.#drawFilters();
    this.filters.querySelector('.filter:last-of-type input')?.focus();
    this.#tell();
  }

  #hasOptions() {
    const { descending, consistent, columns, mode } = this.#choice;
    return descending || consistent || columns.length > 0 || mode === 'scan';
  }

  #draw() {
    this.#drawKey();
    this.#drawFilters();
    this.#drawOptions();
    this.#tell();
  }

  #drawKey() {
    const source = findSource(this.#model, this.#choice.index) ?? this.#model.sources[0];
    const state = ({ status }) => (status === 'ACTIVE' ? '' : ` (${status})`);
    const sources = select(this.#model.sources.map((each) => (
      [each.name ?? '', `${kKinds[each.kind]} ${each.name ?? ''}${state(each)}`.trim()])), {
      value: source.name ?? '',
      on: { change: (event) => this.#chooseSource(event.target.value || null) },
    });
    replace(this.keyRow,
      this.#model.sources.length > 1 && labelled('Table or index', sources, { name: 'index' }),
      source.partition.map((key, index) => this.#partitionField(key, index)),
      source.sort.map((key, index) => this.#sortField(key, index)),
      h('div', { class: 'query-buttons' },
        this.runButton,
        button('Filter', () => this.addFilter(), { title: 'Add a filter (Shift+F)' }),
        button('More', (event) => this.#toggleOptions(event.currentTarget), {
          'aria-expanded': String(!this.options.hidden),
        }),
        button('Clear', () => this.#clear(), { title: 'Clear the form' }),
        button('Saved', () => this.#saved(), { title: 'Saved queries (q)' })));
  }

  #toggleOptions(button) {
    this.options.hidden = !this.options.hidden;
    button.setAttribute('aria-expanded', String(!this.options.hidden));
    this.options.querySelector('input')?.focus();
  }

  // Values of keys that the other source has too stay.
  #chooseSource(name) {
    const before = findSource(this.#model, this.#choice.index);
    const after = findSource(this.#model, name);
    const known = new Map();
    before.partition.forEach((key, index) => (
      known.set(key.name, { operator: '=', value: this.#choice.partition[index] })));
    before.sort.forEach((key, index) => known.set(key.name, this.#choice.sort[index]));
    this.#choice.index = name;
    const equalTo = (given) => (given?.operator === '=' ? given.value : '') ?? '';
    this.#choice.partition = after.partition.map((key) => equalTo(known.get(key.name)));
    this.#choice.sort = after.sort.map((key) => known.get(key.name));
    this.#draw();
    this.keyRow.querySelector('select').focus();
  }

  #clear() {
    const { index, ...others } = emptyChoice();
    Object.assign(this.#choice, others);
    this.#draw();
    this.submit();
  }

  #partitionField({ name, type }, index) {
    return labelled([name, h('span', { class: 'type' }, type)], h('input', {
      value: this.#choice.partition[index] ?? '', placeholder: 'any',
      autocomplete: 'off', spellcheck: 'false', class: 'mono',
      on: { input: (event) => { this.#choice.partition[index] = event.target.value; } },
    }), { name: `partition${index}` });
  }

  #sortField({ name, type }, index) {
    const given = this.#choice.sort[index] ?? (this.#choice.sort[index] = { operator: '=', value: '', second: '' });
    const input = (part, label) => h('input', {
      value: given[part] ?? '', placeholder: 'any', 'aria-label': label,
      autocomplete: 'off', spellcheck: 'false', class: 'mono',
      dataset: { field: `sort${index}${part}` }, on: { input: (event) => { given[part] = event.target.value; } },
    });
    const second = h('span', { class: 'second', hidden: given.operator !== 'between' },
      'and', input('second', `${name}, upper bound`));
    const usable = kSortOperators.filter(({ id }) => id !== 'begins_with' || type !== 'N');
    const operators = select(usable.map((each) => [each.id, each.name]), {
      value: given.operator, 'aria-label': `Comparison for ${name}`,
      on: { change: (event) => {
        given.operator = event.target.value;
        second.hidden = given.operator !== 'between';
      } },
    });
    return h('div', { class: 'cell', role: 'group', 'aria-label': name },
      h('span', { class: 'cell-name' }, name, h('span', { class: 'type' }, type)),
      h('span', { class: 'together' }, operators, input('value', name), second));
  }

  #drawFilters() {
    const { filters } = this.#choice;
    replace(this.filters, filters.map((filter, index) => filterRow(filter, {
      index,
      word: index === 0 ? 'where' : this.#choice.any ? 'or' : 'and',
      changeWord: index === 1 ? () => {
        this.#choice.any = !this.#choice.any;
        this.#drawFilters();
      } : null,
      remove: () => {
        filters.splice(index, 1);
        this.#drawFilters();
        this.#tell();
      },
    })));
    replace(this.known, [...this.#names()].sort().map((name) => h('option', { value: name })));
  }

  #drawOptions() {
    const choice = this.#choice;
    const onChange = (change) => ({ change: (event) => change(event.target) });
    const toggle = (name, label) => checkbox(label, {
      checked: choice[name], on: onChange(({ checked }) => { choice[name] = checked; }),
    });
    replace(this.options,
      toggle('descending', 'Descending order'), toggle('consistent', 'Strongly consistent read'),
      checkbox('Scan instead of Query', {
        checked: choice.mode === 'scan', on: onChange(({ checked }) => { choice.mode = checked ? 'scan' : 'auto'; }),
      }),
      labelled('Read only these attributes', h('input', {
        value: choice.columns.join(', '), placeholder: 'all', class: 'mono', spellcheck: 'false', autocomplete: 'off',
        on: { input: ({ target }) => {
          choice.columns = target.value.split(',').map((each) => each.trim()).filter(Boolean);
        } },
      }), { name: 'columns' }));
  }

  // Says before it runs what it will read.
  #tell() {
    const model = this.#model;
    const source = findSource(model, this.#choice.index) ?? model.sources[0];
    const better = advice(model, this.#choice);
    const use = better && button(better.use ? `Use ${better.use}` : 'Use the key', () => {
      this.write(useSource(this.#choice, better.source));
      this.submit();
    }, { class: 'small' });
    const [key, ...more] = source.partition;
    const keys = more.length > 0 ? 'combination of keys' : key?.name;
    const all = `${plural(model.items, 'item')} of the table (${bytes(model.bytes)})`;
    const show = (operation, ...words) => replace(this.told, h('strong', {}, operation), ...words);
    if (isQuery(model, this.#choice)) show('Query', ` reads only items with this ${keys}.`);
    else if (model.items === 0) show('Scan', ' reads all items.');
    else show('Scan', ` reads all ${all}, a page at a time. `, better?.sentence, ' ', use);
  }
}
