// The reader's saved queries: names the one at hand, and lists, runs, renames and deletes those that
// are kept.

import { h, replace } from '../dom.js';
import { plural } from '../format.js';
import { button, dialog, field } from '../widgets.js';
import { cut, visible } from '../values/preview.js';
import { runQuery } from './run.js';
import { kMaxName, SavedQueries, SavedQueryError } from './store.js';

const kSearchFrom = 8; // queries from which there is a search field

export const savedQueries = () => new SavedQueries(localStorage);

// Runs `work`; what it refuses is shown in `place`. -> whether it was done
function attempt(place, work) {
  replace(place);
  try {
    work();
    return true;
  } catch (error) {
    if (!(error instanceof SavedQueryError)) throw error;
    replace(place, error.message);
    return false;
  }
}

const smallButton = (label, run, props = {}) => button(label, run, { class: 'small', ...props });

class SavedList {
  #store;
  #table;
  #close;
  #renamed = ''; // id
  #deleted = new Map(); // id -> query, that can be taken back
  #words = '';

  constructor(store, table, close) {
    this.#store = store;
    this.#table = table;
    this.#close = close;
    this.problem = h('p', { class: 'bad if-any', role: 'alert' });
    this.groups = h('div', { class: 'stack' });
    this.search = h('input', {
      type: 'search', placeholder: 'Search saved queries', 'aria-label': 'Search saved queries',
      autocomplete: 'off', spellcheck: 'false',
      on: { input: () => {
        this.#words = this.search.value.trim().toLowerCase();
        this.draw();
      } },
    });
    this.node = h('div', { class: 'stack' }, this.search, this.problem, this.groups);
    this.draw();
  }

  draw(focus = null) {
    const list = [...this.#store.list(), ...this.#deleted.values()]
      .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
    this.search.hidden = list.length < kSearchFrom;
    const textOf = ({ name, table, summary }) => `${name} ${table} ${summary}`.toLowerCase();
    const found = list.filter((each) => textOf(each).includes(this.#words));
    const here = found.filter((each) => each.table === this.#table);
    const others = found.filter((each) => each.table !== this.#table);
    replace(this.groups,
      list.length === 0 && h('p', { class: 'quiet' },
        'There are no saved queries yet. Your browser keeps them for this server address.'),
      list.length > 0 && found.length === 0 && h('p', { class: 'quiet' }, 'No saved query matches.'),
      this.#group(this.#table ? `Queries of ${visible(this.#table)}` : 'Queries', here),
      this.#group(this.#table ? 'Queries of other tables' : 'Queries of tables', others));
    if (focus) this.groups.querySelector(`[data-id="${CSS.escape(focus)}"] :is(input, button)`)?.focus();
  }

  #group(title, list) {
    if (list.length === 0) return null;
    return h('section', { 'aria-label': title }, h('h3', {}, title),
      h('ul', { class: 'saved-list' }, list.map((each) => this.#line(each))));
  }

  #line(query) {
    const name = visible(query.name);
    if (this.#deleted.has(query.id)) {
      return h('li', { dataset: { id: query.id } }, h('span', { class: 'saved-name quiet' }, `${name} is deleted.`),
        smallButton('Undo', () => this.#restore(query)));
    }
    if (this.#renamed === query.id) return this.#renameLine(query);
    const isOfOther = query.table && query.kind === 'items' && query.table !== this.#table;
    return h('li', { dataset: { id: query.id } },
      h('div', { class: 'saved-name' }, h('strong', {}, name),
        h('span', { class: 'quiet mono', title: visible(query.summary) },
          visible(isOfOther ? `${query.table}: ${query.summary}` : query.summary))),
      h('span', { class: 'together' },
        smallButton('Run', () => {
          this.#close();
          runQuery(query);
        }, { 'aria-label': `Run ${name}`, class: 'small primary' }),
        smallButton('Rename', () => {
          this.#renamed = query.id;
          this.draw(query.id);
        }, { 'aria-label': `Rename ${name}` }),
        smallButton('Delete', () => this.#remove(query), { 'aria-label': `Delete ${name}` })));
  }

  #renameLine(query) {
    const input = h('input', {
      value: query.name, 'aria-label': `New name of ${visible(query.name)}`, maxlength: String(kMaxName),
      autocomplete: 'off',
    });
    const end = () => {
      this.#renamed = '';
      replace(this.problem);
      this.draw(query.id);
    };
    const submit = (event) => {
      event.preventDefault();
      if (attempt(this.problem, () => this.#store.rename(query.id, input.value))) end();
    };
    // Escape leaves the name as it was, and the dialog open.
    const onKey = (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      end();
    };
    return h('li', { dataset: { id: query.id } },
      h('form', { class: 'saved-rename', on: { submit, keydown: onKey } }, input,
        h('button', { type: 'submit', class: 'small primary' }, 'Rename'), smallButton('Cancel', end)));
  }

  #remove(query) {
    const done = attempt(this.problem, () => {
      const removed = this.#store.remove(query.id);
      if (removed) this.#deleted.set(query.id, removed);
    });
    if (done) this.draw(query.id);
  }

  #restore(query) {
    if (!attempt(this.problem, () => this.#store.restore(query))) return;
    this.#deleted.delete(query.id);
    this.draw(query.id);
  }
}

// The form that names the query at hand.
function saveForm(store, current, list) {
  const input = h('input', {
    value: cut(current.summary, 60), maxlength: String(kMaxName), autocomplete: 'off', autofocus: true,
    on: { input: () => tell() },
  });
  const submit = h('button', { type: 'submit', class: 'primary' }, 'Save');
  const problem = h('p', { class: 'bad if-any', role: 'alert' });
  const told = h('p', { class: 'quiet if-any', role: 'status' });
  const tell = () => {
    replace(problem);
    replace(told);
    replace(submit, store.named(input.value) ? 'Replace' : 'Save');
  };
  const save = (event) => {
    event.preventDefault();
    let kept = null;
    if (!attempt(problem, () => { kept = store.save(input.value, current); })) return;
    const count = plural(store.list().length, 'saved query', 'saved queries');
    replace(told, `Saved as ${visible(kept.name)}. You have ${count}.`);
    replace(submit, 'Replace');
    list.draw();
  };
  tell();
  return h('form', { class: 'saved-form', on: { submit: save } },
    field('Name this query', h('div', { class: 'key-row' }, input, submit)),
    h('p', { class: 'quiet mono saved-summary' }, visible(current.summary)), problem, told);
}

// current: {kind, table, text, summary, parameters} of what the room shows; null with `why` it cannot be saved.
export function savedDialog({ current, why = '', table = '' }) {
  const store = savedQueries();
  return dialog({
    title: 'Saved queries', wide: true,
    content: (close) => {
      const list = new SavedList(store, table, close);
      const form = current ? saveForm(store, current, list) : h('p', { class: 'quiet' }, why);
      return h('div', { class: 'stack wide-gap' }, form, list.node);
    },
  });
}
