// All changes of cells that are not saved yet, side by side with what was read; saves them, and shows
// what somebody else changed meanwhile.

import { h, replace } from '../dom.js';
import { plural } from '../format.js';
import { busy, button, dialog, errorBox, notify, tableHead, undo } from '../widgets.js';
import { preview, visible } from '../values/preview.js';
import { sameValue } from '../values/types.js';
import { partsOf } from './cell_edits.js';
import { conflictTitle } from './conflict.js';
import { belongHere } from './edit_world.js';
import { isConflict, saveItem } from './writes.js';

const kShown = 80; // characters of a value

const shown = (value) => (value ? preview(value, kShown) || '""' : h('span', { class: 'quiet' }, 'absent'));
const valueIn = (item, name) => (item && Object.hasOwn(item, name) ? item[name] : undefined);
const isSame = (a, b) => (a && b ? sameValue(a, b) : a === b);
const kElsewhere = {
  type: 'Nothing was saved',
  message: 'You made these changes in another namespace or region, or with another access key. '
    + 'Switch back to save them.',
};

// Saves each item by itself. -> [{entry, item, error, current}]
async function saveAll(model, entries, progress) {
  const answers = [];
  for (const entry of entries) {
    const { before, after } = partsOf(entry);
    const answer = await saveItem(model, before, after);
    answers.push({ entry, before, after, ...answer });
    progress(answers.length);
  }
  return answers;
}

// The other way round, where nobody changed the values since.
async function takeBack(model, edits, saved, done) {
  if (!belongHere(model, edits)) {
    notify(kElsewhere.message, { kind: 'bad' });
    return;
  }
  const turned = ({ name, before, after }) => ({ name, before: after, after: before });
  const entries = saved.map(({ entry: { key, changes } }) => ({ key, changes: changes.map(turned) }));
  const answers = await saveAll(model, entries, () => {});
  const failed = answers.filter(({ error }) => error);
  for (const { item, error } of answers) if (!error) done(item);
  if (failed.length === 0) notify('The previous values are restored.', { kind: 'good' });
  else notify(`${plural(failed.length, 'item')} not restored: ${failed[0].error.message}`, { kind: 'bad' });
}

class Review {
  #problems = new Map(); // text of the key -> {error, current}
  #saved = []; // answers
  #saving = null; // a promise
  #model;
  #edits;
  #events;
  #close;

  // events: {saved(item)}
  constructor(model, edits, events, close) {
    this.#model = model;
    this.#edits = edits;
    this.#events = events;
    this.#close = close;
    this.message = h('div', { class: 'if-any' });
    this.list = h('div', { class: 'review-list' });
    this.state = h('p', { class: 'quiet if-any', role: 'status' });
    this.saveButton = button('', () => { this.#saving = this.#save(); }, { class: 'primary', autofocus: true });
    this.node = h('div', { class: 'stack' }, this.message, this.list, this.state,
      h('div', { class: 'actions' }, button('Cancel', () => close()), button('Discard all', () => {
        edits.clear();
        close();
      }, { class: 'danger' }), this.saveButton));
    this.#draw();
  }

  // -> answers, when all of what was begun is done
  async saved() {
    await this.#saving;
    return this.#saved;
  }

  #draw() {
    const entries = this.#edits.list();
    if (entries.length === 0) {
      this.#close();
      return;
    }
    const count = this.#edits.count;
    replace(this.list, entries.map((entry) => this.#section(entry)));
    replace(this.saveButton, `Save ${plural(count, 'change')}`);
    this.saveButton.disabled = entries.every((entry) => this.#problem(entry));
    const left = entries.filter((entry) => !this.#problem(entry)).length;
    replace(this.state, left > 0 && `The page sends ${plural(left, 'UpdateItem request')}. `
      + 'Each request saves one item, only if the item still has the values that you read.');
  }

  #problem({ key }) { return this.#problems.get(JSON.stringify(key)); }

  #section(entry) {
    const problem = this.#problem(entry);
    const title = Object.values(entry.key).map((value) => preview(value, 40)).join(' \u00b7 ');
    const hasConflict = problem && isConflict(problem.error);
    const discard = h('span', { class: 'off-screen' }, 'Discard');
    const heads = ['Attribute', 'You read', ...(hasConflict ? ['Current'] : []), 'Your change', discard];
    return h('section', { class: 'review-item', 'aria-label': title },
      h('h3', { class: 'mono' }, title),
      h('table', { class: 'grid' },
        tableHead(heads),
        h('tbody', {}, entry.changes.map((change) => (
          this.#line(entry, change, hasConflict ? problem.current : undefined))))),
      problem && this.#told(entry, problem));
  }

  // current: the item as it is now, null when it is gone, undefined when there is no conflict.
  #line({ key }, { name, before, after }, current) {
    const now = valueIn(current, name);
    return h('tr', {}, h('th', { scope: 'row' }, visible(name)), h('td', { class: 'was' }, shown(before)),
      current !== undefined && h('td', { class: isSame(now, before) ? '' : 'bad' }, shown(now)),
      h('td', { class: 'becomes' }, shown(after)),
      h('td', { class: 'number' }, button('\u00d7', () => {
        this.#edits.drop(key, name);
        this.#problems.delete(JSON.stringify(key));
        this.#draw();
      }, {
        class: 'plain small', title: 'Discard this change', 'aria-label': `Discard the change of ${visible(name)}`,
      })));
  }

  #told(entry, { error, current }) {
    if (!isConflict(error)) return errorBox(error);
    const settle = (run) => () => {
      run();
      this.#problems.delete(JSON.stringify(entry.key));
      if (current) this.#events.saved(current);
      this.#draw();
      this.saveButton.focus();
    };
    const others = entry.changes.filter(({ name, before }) => !isSame(valueIn(current, name), before));
    const theirs = () => {
      if (current) others.forEach(({ name }) => this.#edits.drop(entry.key, name));
      else this.#edits.drop(entry.key);
    };
    const mine = () => others.forEach(({ name }) => this.#edits.rebase(entry.key, name, valueIn(current, name)));
    return h('div', { class: 'error', role: 'alert' },
      h('strong', {}, conflictTitle(current)),
      h('p', {}, 'Nothing was saved, and nothing was overwritten.'),
      h('div', { class: 'row' },
        button(current ? 'Keep current values' : 'Discard my changes', settle(theirs)),
        current && button('Keep my values', settle(mine))));
  }

  async #save() {
    replace(this.message);
    if (!belongHere(this.#model, this.#edits)) {
      replace(this.message, errorBox(kElsewhere));
      return;
    }
    const entries = this.#edits.list().filter((entry) => !this.#problem(entry));
    const progress = (count) => replace(this.state, `${count} of ${plural(entries.length, 'item')} \u2026`);
    const answers = await busy(this.saveButton, () => saveAll(this.#model, entries, progress));
    for (const answer of answers) {
      const { key, changes } = answer.entry;
      if (answer.error) {
        this.#problems.set(JSON.stringify(key), { error: answer.error, current: answer.current });
        continue;
      }
      this.#saved.push(answer);
      for (const { name } of changes) this.#edits.drop(key, name);
      this.#events.saved(answer.item);
    }
    this.#draw();
    this.list.querySelector('.error button')?.focus();
  }
}

export async function reviewDialog(model, edits, events) {
  let review;
  await dialog({
    title: 'Unsaved changes', wide: true,
    content: (close) => {
      review = new Review(model, edits, events, close);
      return review.node;
    },
  });
  const saved = await review.saved();
  const count = saved.reduce((sum, { entry }) => sum + entry.changes.length, 0);
  if (count > 0) undo(`${plural(count, 'change')} saved.`, () => takeBack(model, edits, saved, events.saved));
}
