// One item at the side of the grid: as a form, as JSON, as DynamoDB JSON. What is saved is only what
// was changed, on condition that nobody else changed it since it was read.

import { h, replace } from '../dom.js';
import { bytes, plural } from '../format.js';
import { busy, button, confirmDialog, copyText, errorBox, notify } from '../widgets.js';
import { findChanges, keyChanged } from '../values/change.js';
import { preview, visible } from '../values/preview.js';
import { plainText, readPlainItem, typeChanges } from '../values/plain.js';
import { describePath, readTypedItem, typedText } from '../values/typed.js';
import { findItemProblem, itemBytes, kMaxItemBytes, sameItems } from '../values/types.js';
import { conflictView, rebased } from './conflict.js';
import { ValueForm } from './value_form.js';
import { isConflict, readItem, saveItem, saveRequest } from './writes.js';

const kViews = [['form', 'Form'], ['plain', 'JSON'], ['typed', 'DynamoDB JSON']];
const kBigText = 4_000_000;
const kCovers = matchMedia('(max-width: 48rem)'); // as in items.css: the panel covers the page

export class ItemPanel {
  #model;
  #before = null; // as read; null for a new item
  #after = {};
  #view = localStorage.getItem('magneto-item-view') || 'form';
  #error = null; // of the text
  #events;

  // events: {saved(item, before), removed(item), closed(), duplicate(item), request(request), links(name, value)}
  constructor(model, events) {
    this.#model = model;
    this.#events = events;
    this.form = new ValueForm({ keys: model.keys, changed: (item) => this.#changed(item), links: events.links });
    this.text = h('textarea', {
      class: 'item-text', spellcheck: 'false', autocomplete: 'off', wrap: 'off',
      on: { input: () => this.#readText() },
    });
    this.title = h('h2', { tabindex: '-1' });
    this.state = h('p', { class: 'panel-state', 'aria-live': 'polite' });
    this.message = h('div', { class: 'panel-message' });
    this.tabs = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Item view' },
      kViews.map(([id, name]) => h('button', {
        role: 'tab', type: 'button', dataset: { view: id },
        on: { click: () => this.#choose(id), keydown: (event) => this.#tabKey(event) },
      }, name)));
    this.body = h('div', { class: 'panel-body', role: 'tabpanel' });
    this.saveButton = button('Save', () => this.save(), { class: 'primary', title: 'Ctrl S' });
    const closing = { class: 'plain', 'aria-label': 'Close the item', title: 'Escape' };
    const header = h('header', {}, this.title, button('\u00d7', () => this.close(), closing));
    this.node = h('section', {
      class: 'item-panel', hidden: true, 'aria-label': 'Item', on: { keydown: (event) => this.#key(event) },
    }, header, this.tabs, this.message, this.body, this.#footer());
  }

  #footer() {
    this.duplicateButton = button('Duplicate', () => this.#duplicate());
    this.removeButton = button('Delete', () => this.#events.remove(this.#before), { class: 'danger' });
    this.revertButton = button('Revert', () => this.#show(this.#before ?? {}));
    const copy = () => copyText(this.#view === 'plain' ? plainText(this.#ordered()) : typedText(this.#ordered()));
    return h('footer', {}, this.state, h('div', { class: 'row' },
      this.saveButton, this.revertButton, this.duplicateButton, this.removeButton, button('Copy', copy)));
  }

  get isOpen() { return !this.node.hidden; }
  get isChanged() {
    return this.isOpen && (this.#error !== null || !sameItems(this.#before ?? this.start, this.#after));
  }
  get item() { return this.#before; }

  // null for a new item, which begins as `start`.
  open(item, start = {}, { focus = false } = {}) {
    this.#before = item;
    this.start = start;
    this.node.hidden = false;
    this.duplicateButton.hidden = this.removeButton.hidden = !item;
    replace(this.message);
    this.#show(item ?? start);
    if (focus) this.focus();
    else if (kCovers.matches) this.title.focus();
  }

  focus() {
    const firstField = '.attribute:not(.of-key) .attribute-value :is(input, textarea, select), .attribute-value input';
    const first = this.node.querySelector(this.#view === 'form' ? firstField : 'textarea.item-text');
    (first ?? this.title).focus();
  }

  // Asks where something would be lost. -> whether it is closed
  async close() {
    if (!(await this.mayLeave())) return false;
    this.node.hidden = true;
    this.#before = null;
    this.#events.closed();
    return true;
  }

  async mayLeave() {
    if (!this.isChanged) return true;
    return confirmDialog({
      title: 'Leave the item?', message: 'Your changes to the item are not saved.', confirm: 'Leave without saving',
      danger: true,
    });
  }

  // Closes without a question, for an item that is gone.
  drop() {
    this.#before = null;
    this.start = this.#after = {};
    this.#error = null;
    this.node.hidden = true;
    this.#events.closed();
  }

  #show(item) {
    this.#after = item;
    this.#error = null;
    this.#drawTitle();
    this.#choose(this.#view);
  }

  #drawTitle() {
    const from = this.#before ?? this.#after;
    const texts = this.#model.keys.map(({ name }) => (Object.hasOwn(from, name) ? preview(from[name], 40) : ''));
    const key = texts.filter(Boolean).join(' \u00b7 ');
    replace(this.title, this.#before ? key : 'New item');
  }

  #choose(view) {
    if (this.#error && view !== this.#view) {
      notify('Correct the JSON text first.', { kind: 'bad' });
      return;
    }
    this.#view = view;
    localStorage.setItem('magneto-item-view', view);
    for (const tab of this.tabs.children) {
      tab.setAttribute('aria-selected', String(tab.dataset.view === view));
      tab.tabIndex = tab.dataset.view === view ? 0 : -1;
    }
    if (view === 'form') {
      this.form.write(this.#after, { keepOpen: this.body.firstChild === this.form.node });
      replace(this.body, this.form.node);
    } else {
      const text = view === 'plain' ? plainText(this.#ordered()) : typedText(this.#ordered());
      this.text.value = text.length > kBigText ? text.slice(0, kBigText) : text;
      this.text.setAttribute('aria-label', view === 'plain' ? 'The item as JSON' : 'The item as DynamoDB JSON');
      replace(this.body, this.text);
    }
    this.#tell();
  }

  // The key first.
  #ordered() {
    const keys = this.#model.keys.map(({ name }) => name).filter((name) => Object.hasOwn(this.#after, name));
    const others = Object.keys(this.#after).filter((name) => !keys.includes(name));
    return Object.fromEntries([...keys, ...others].map((name) => [name, this.#after[name]]));
  }

  #tabKey(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const tabs = [...this.tabs.children];
    const next = tabs[(tabs.indexOf(event.target) + by + tabs.length) % tabs.length];
    next.click();
    next.focus();
  }

  #readText() {
    try {
      const { value } = this.text;
      this.#after = this.#view === 'plain' ? readPlainItem(value, this.#before ?? this.start) : readTypedItem(value);
      this.#error = null;
    } catch (error) {
      this.#error = error;
    }
    this.#tell();
  }

  #changed(item) {
    this.#after = item;
    this.#tell();
  }

  // -> {path, message} or null
  #problem() {
    if (this.#error) return { message: this.#error.message };
    const problem = findItemProblem(this.#after, this.#model.keys);
    return problem && { message: `${describePath(problem.path)}: ${problem.message}` };
  }

  #tell() {
    const problem = this.#problem();
    const size = this.#error ? 0 : itemBytes(this.#after);
    const base = this.#before ?? null;
    const changes = this.#error ? [] : findChanges(base ?? {}, this.#after);
    const types = this.#error || !base || this.#view !== 'plain' ? [] : typeChanges(base, this.#after);
    const moves = base && !this.#error && keyChanged(base, this.#after, this.#model.keys);
    const isNew = !base;
    this.saveButton.disabled = Boolean(problem) || size > kMaxItemBytes || (!isNew && changes.length === 0);
    this.revertButton.disabled = !this.isChanged;
    replace(this.saveButton, isNew ? 'Create' : moves ? 'Save with the new key' : 'Save');
    const parts = problem && this.isChanged ? [h('span', { class: 'bad' }, visible(problem.message))] : [
      `about ${bytes(size)} of ${bytes(kMaxItemBytes)}`, !isNew && plural(changes.length, 'change'),
      types.length > 0 && h('span', { class: 'warn' }, `Types: ${types.map(visible).join('; ')}`),
    ];
    replace(this.state, parts.filter(Boolean).map((part, index) => [index > 0 && ' \u00b7 ', part]));
    this.#events.request(this.isChanged && !problem ? saveRequest(this.#model, base, this.#after) : null);
  }

  async save() {
    if (this.saveButton.disabled) return;
    const [before, after] = [this.#before, this.#after];
    const answer = await busy(this.saveButton, () => saveItem(this.#model, before, after));
    if (answer.error) {
      this.#failed(answer);
      return;
    }
    replace(this.message);
    this.#before = answer.item;
    this.start = {};
    this.duplicateButton.hidden = this.removeButton.hidden = false;
    this.#show(answer.item);
    notify(before ? 'Saved.' : 'Created.', { kind: 'good', milliseconds: 2500 });
    this.#events.saved(answer.item, before);
  }

  #failed({ error, current }) {
    if (!isConflict(error)) {
      replace(this.message, errorBox(error));
      return;
    }
    if (!this.#before || keyChanged(this.#before, this.#after, this.#model.keys)) {
      replace(this.message, errorBox({
        type: 'An item with this key exists',
        message: 'Nothing was overwritten. Choose another key, or edit the existing item.',
      }));
      return;
    }
    replace(this.message, conflictView(this.#before, this.#after, current, {
      theirs: () => (current ? this.open(current) : this.#gone()),
      mine: () => this.#rebase(current),
    }));
    this.message.querySelector('button')?.focus();
  }

  #gone() {
    const item = this.#before;
    this.drop();
    this.#events.removed(item);
  }

  // What I changed, on top of what is there now.
  #rebase(current) {
    const mine = current ? rebased(this.#before, this.#after, current) : this.#after;
    this.#before = current;
    this.start = {};
    replace(this.message);
    this.#show(mine);
    this.saveButton.focus();
  }

  async #duplicate() {
    if (await this.mayLeave()) this.#events.duplicate(this.#before);
  }

  // Reads it anew; the grid may show only a part of it.
  async reload() {
    const { item, error } = await readItem(this.#model, this.#before);
    if (error) replace(this.message, errorBox(error));
    else if (item) this.open(item);
    else this.#gone();
  }

  #key(event) {
    const control = event.ctrlKey || event.metaKey;
    if (control && (event.key === 's' || event.key === 'Enter')) {
      event.preventDefault();
      // What is being typed in a field that tells of its change only when it is left.
      document.activeElement?.blur?.();
      this.save();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      this.close();
    }
  }
}
